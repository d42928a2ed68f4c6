//! CommonMark's events to blocks.

use super::super::{ParseError, ParseWarning, ParseWarningKind, html, kib, span, tick, writer::Writer};
use super::inline::{Inline, plain_text};
use crate::{
    document::{NodeId, NodeKind, Span, WarningGrade},
    host::{NoProgress, Progress},
};
use pulldown_cmark::{
    BlockQuoteKind, BrokenLink, CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd,
};
use std::{collections::BTreeSet, ops::Range};

/// The labels of links that are defined anywhere in the document, in the form in which they compare.
pub(super) type Labels = BTreeSet<String>;

/// Where the text that is read stands in the file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// It begins at this byte.
    At(usize),
    /// It was unpacked from there (a multi-line value): its parts have no places of their own.
    Within(Span),
}

/// Reads one text into a writer.
pub(super) struct Reader<'w, 't> {
    writer: &'w mut Writer,
    source: &'t str,
    place: Place,
    labels: Option<&'w Labels>,
    /// Where the first-level heading begins that is the document's title rather than a section.
    title: Option<usize>,
    inline: Inline,
    /// HTML blocks in a row: one table may be cut into several by blank lines.
    html: Html,
    code: Option<(String, String)>,
    in_table_header: bool,
    /// The numbers of the next items in the lists that are open; `None` for bullets.
    lists: Vec<Option<u64>>,
}

/// What is read beyond CommonMark.
pub(super) const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_GFM);

/// The labels that a text defines.
pub(super) fn labels(source: &str) -> Labels {
    let parser = Parser::new_ext(source, OPTIONS);
    parser.reference_definitions().iter().map(|(label, _)| label.to_lowercase()).collect()
}

/// The only first-level heading of a text, if no other heading stands before it.
pub(super) fn title(source: &str) -> Option<Range<usize>> {
    let mut headings = Parser::new_ext(source, OPTIONS).into_offset_iter().filter_map(|(event, range)| match event {
        Event::Start(Tag::Heading { level, .. }) => Some((level, range)),
        _ => None,
    });
    let (level, range) = headings.next()?;
    let only = level == HeadingLevel::H1 && headings.all(|(level, _)| level != HeadingLevel::H1);
    only.then_some(range)
}

impl<'w, 't> Reader<'w, 't> {
    pub(super) fn new(writer: &'w mut Writer, source: &'t str, place: Place) -> Self {
        Self {
            writer,
            source,
            place,
            labels: None,
            title: None,
            inline: Inline::default(),
            html: Html::default(),
            code: None,
            in_table_header: false,
            lists: Vec::new(),
        }
    }

    /// The heading that begins at this byte of the source is the title.
    pub(super) fn with_title(mut self, start: Option<usize>) -> Self {
        self.title = start;
        self
    }

    /// Links may be defined outside the text that is read.
    pub(super) fn with_labels(mut self, labels: &'w Labels) -> Self {
        self.labels = Some(labels);
        self
    }

    /// Reads a text that stands inside another, where stopping half-way is not worth the while.
    pub(super) fn read_part(self) {
        // A part is short and NoProgress never stops it.
        let _never_cancelled = self.read(&mut Vec::new(), &mut NoProgress);
    }

    pub(super) fn read(
        mut self,
        warnings: &mut Vec<ParseWarning>,
        progress: &mut dyn Progress,
    ) -> Result<(), ParseError> {
        let depth = self.writer.depth();
        let labels = self.labels;
        // The address does not matter: only the text of a link is kept.
        let defined = |link: BrokenLink<'t>| {
            let known = labels.is_some_and(|labels| labels.contains(&link.reference.to_lowercase()));
            known.then_some((CowStr::Borrowed(""), CowStr::Borrowed("")))
        };
        let events = Parser::new_with_broken_link_callback(self.source, OPTIONS, Some(defined)).into_offset_iter();
        for (n_events, (event, range)) in events.enumerate() {
            if n_events.is_multiple_of(1024) {
                tick(progress, kib(range.start), kib(self.source.len()))?;
            }
            if self.writer.is_full() {
                warnings.push(ParseWarning {
                    kind: ParseWarningKind::Truncated,
                    page: None,
                    message: format!(
                        "The file is very long: its first {} of {} KiB were read, the rest was left out. Split it to have all of it.",
                        kib(range.start),
                        kib(self.source.len())
                    ),
                });
                break;
            }
            self.event(event, range);
        }
        self.flush();
        self.writer.close_down_to(depth);
        Ok(())
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        if self.html.is_preformatted() && self.preformatted(&event) {
            return;
        }
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Html(html) => self.html.push(&html),
            Event::Text(text) if self.code.is_some() => {
                if let Some((_, code)) = &mut self.code {
                    code.push_str(&text);
                }
            }
            Event::Rule => self.flush(),
            inline => self.inline.event(&inline, &range),
        }
    }

    /// Takes what stands in a `<pre>` that a blank line did not end, as browsers do. Returns whether it belongs there.
    fn preformatted(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Text(text) | Event::Code(text) => {
                let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
                self.html.push(&escaped);
            }
            Event::SoftBreak | Event::HardBreak => self.html.push("\n"),
            Event::InlineHtml(html) => self.html.push(html),
            Event::Start(Tag::Paragraph | Tag::Emphasis | Tag::Strong | Tag::Link { .. })
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link) => {}
            Event::End(TagEnd::Paragraph) => self.html.push("\n"),
            _ => return false,
        }
        true
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        if is_inline(&tag) {
            self.inline.start(&tag);
            return;
        }
        if tag != Tag::HtmlBlock {
            self.flush();
        }
        let span = self.span(&range);
        match tag {
            Tag::BlockQuote(Some(kind)) => {
                let (kind, label) = alert(kind);
                self.writer.open_as(kind, label, span);
            }
            Tag::BlockQuote(None) => {
                self.writer.open(NodeKind::Quote, span);
            }
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(info) => info.split([' ', ',', '{']).next().unwrap_or_default().to_owned(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((language, String::new()));
            }
            Tag::List(first) => {
                self.lists.push(first);
                self.writer.open_as(NodeKind::List { ordered: first.is_some() }, "", span);
            }
            Tag::Item => {
                let marker = self.marker(&range);
                self.writer.open_marked(NodeKind::ListItem, &marker, span);
            }
            Tag::FootnoteDefinition(label) => {
                self.writer.open_marked(NodeKind::Footnote, &format!("[{label}]"), span);
            }
            Tag::Table(_) => {
                self.writer.open_as(NodeKind::Table, "", span);
            }
            Tag::TableHead | Tag::TableRow => {
                self.in_table_header = tag == Tag::TableHead;
                self.writer.open_as(NodeKind::Row { header: self.in_table_header }, "", span);
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Heading(level) => self.heading(level as u8, range),
            TagEnd::CodeBlock => {
                if let Some((language, code)) = self.code.take() {
                    let span = self.span(&range);
                    let code = code.trim_end_matches('\n');
                    if !code.trim().is_empty() {
                        self.writer.leaf(NodeKind::Code { language }, code, span);
                    }
                }
            }
            TagEnd::TableCell => {
                let text = std::mem::take(&mut self.inline).normalised();
                let header = self.in_table_header;
                self.writer.leaf(NodeKind::Cell { header, colspan: 1, rowspan: 1 }, &text, None);
            }
            TagEnd::Paragraph => {
                // The paragraph's own range is exact; that of its inline events lacks what they drop.
                self.inline.range = Some(range);
                self.flush();
            }
            TagEnd::BlockQuote(_)
            | TagEnd::List(_)
            | TagEnd::Item
            | TagEnd::FootnoteDefinition
            | TagEnd::Table
            | TagEnd::TableHead
            | TagEnd::TableRow => {
                self.flush();
                self.writer.close();
                if matches!(tag, TagEnd::List(_)) {
                    self.lists.pop();
                }
            }
            inline => self.inline.end(inline),
        }
    }

    /// The next item's number as it is shown: counted on from the first, whatever the source has, with the source's
    /// own mark after it.
    fn marker(&mut self, item: &Range<usize>) -> String {
        let Some(Some(next)) = self.lists.last_mut() else { return String::new() };
        let number = *next;
        *next = number.saturating_add(1);
        let source = self.source.get(item.clone()).unwrap_or_default().trim_start();
        let mark = source.trim_start_matches(|c: char| c.is_ascii_digit()).chars().next();
        format!("{number}{}", mark.filter(|mark| *mark == ')').unwrap_or('.'))
    }

    fn heading(&mut self, level: u8, range: Range<usize>) {
        let text = std::mem::take(&mut self.inline).normalised();
        let (text, anchor) = split_anchor(&text);
        let span = self.span(&range);
        if self.title == Some(range.start) && !self.writer.builder().has_title() {
            self.writer.builder().title(text);
            if let Some(span) = span {
                self.writer.builder().span(NodeId::ROOT, span);
            }
            return;
        }
        self.writer.anchor(anchor);
        self.writer.section(level, text, span);
    }

    /// Writes what is still open of HTML and inline content.
    fn flush(&mut self) {
        let html = std::mem::take(&mut self.html).text;
        if !html.is_empty() {
            html::fragment(self.writer, &html);
        }
        let inline = std::mem::take(&mut self.inline);
        let span = inline.range.as_ref().and_then(|range| self.span(range));
        if inline.is_only_images() {
            self.writer.leaf(NodeKind::Figure, &inline.normalised(), span);
            return;
        }
        let text = inline.normalised();
        let source = inline.range.as_ref().and_then(|range| self.source.get(range.clone())).unwrap_or_default();
        let (first_line, rest) = source.split_once('\n').unwrap_or((source, ""));
        if let Some((level, heading)) = unspaced_heading(first_line) {
            self.writer.section(level, &plain_text(heading), span);
            self.writer.paragraph(&plain_text(rest), span);
            return;
        }
        self.writer.paragraph_led(&text, inline.lead.as_deref(), span);
    }

    #[expect(clippy::unnecessary_wraps, reason = "callers pass it on as the optional place that nodes have")]
    fn span(&self, range: &Range<usize>) -> Option<Span> {
        Some(match self.place {
            Place::At(start) => span(start + range.start..start + range.end),
            Place::Within(span) => span,
        })
    }
}

/// HTML as it is gathered, and whether it ends inside of a `<pre>`. Only what comes anew is looked through: a table of ten
/// thousand lines comes line by line.
#[derive(Default)]
struct Html {
    text: String,
    in_pre: bool,
}

impl Html {
    fn push(&mut self, more: &str) {
        // A tag may have been cut where the last piece ended.
        let from = self.text.len().saturating_sub("</pr".len());
        self.text.push_str(more);
        let bytes = self.text.as_bytes().get(from..).unwrap_or_default();
        let begins = |at: usize, name: &[u8]| {
            bytes.get(at + 1..at + 1 + name.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(name))
        };
        for at in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'<').map(|(at, _)| at) {
            if begins(at, b"/pre") {
                self.in_pre = false;
            } else if begins(at, b"pre") {
                self.in_pre = true;
            }
        }
    }

    fn is_preformatted(&self) -> bool {
        self.in_pre
    }
}

fn is_inline(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript
            | Tag::Link { .. }
            | Tag::Image { .. }
    )
}

/// `##Title` without the blank that CommonMark wants: older manuals are full of it, and nobody means a paragraph.
fn unspaced_heading(text: &str) -> Option<(u8, &str)> {
    let heading = text.trim_start_matches('#');
    let level = text.len() - heading.len();
    let titled = (2..=6).contains(&level) && heading.starts_with(char::is_alphanumeric);
    titled.then(|| (u8::try_from(level).unwrap_or(6), heading.trim_end_matches(['#', ' ', '\r'])))
}

/// GitHub's alerts, with the label that GitHub prints.
fn alert(kind: BlockQuoteKind) -> (NodeKind, &'static str) {
    match kind {
        BlockQuoteKind::Note => (NodeKind::Note, "Note"),
        BlockQuoteKind::Tip => (NodeKind::Note, "Tip"),
        BlockQuoteKind::Important => (NodeKind::Note, "Important"),
        BlockQuoteKind::Warning => (NodeKind::Warning(WarningGrade::Warning), "Warning"),
        BlockQuoteKind::Caution => (NodeKind::Warning(WarningGrade::Caution), "Caution"),
    }
}

/// A heading's own anchor, as kramdown and pandoc write it: `Title {#anchor}` or `Title {: #anchor}`.
fn split_anchor(heading: &str) -> (&str, &str) {
    let parts = heading.strip_suffix('}').and_then(|rest| rest.rsplit_once('{'));
    match parts.map(|(text, attribute)| (text, attribute.trim_start_matches(':').trim())) {
        Some((text, attribute)) if attribute.starts_with('#') && !attribute.contains(' ') => {
            (text.trim_end(), &attribute[1..])
        }
        _ => (heading, ""),
    }
}
