//! CommonMark's events to blocks.

use super::super::{ParseError, ParseWarning, ParseWarningKind, admonition, html, kib, span, tick, writer::Writer};
use crate::{
    document::{NodeId, NodeKind, Span, WarningGrade},
    host::{NoProgress, Progress},
};
use pulldown_cmark::{BlockQuoteKind, CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::ops::Range;

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
    /// The first-level heading that is the document's title rather than a section.
    title: Option<Range<usize>>,
    inline: Inline,
    /// HTML blocks in a row: one table may be cut into several by blank lines.
    html: String,
    code: Option<(String, String)>,
    in_table_header: bool,
}

/// The inline content of the block at hand.
#[derive(Debug, Default)]
struct Inline {
    text: String,
    range: Option<Range<usize>>,
    n_images: usize,
    /// Bytes of `text` that come from images.
    image_bytes: usize,
    image_depth: usize,
}

const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_GFM);

/// The plain text of a piece of inline Markdown: `[G29](/x)` gives `G29`.
pub(super) fn plain_text(markdown: &str) -> String {
    if !markdown.contains(['*', '_', '`', '[', '<', '&', '\\', '~']) {
        return markdown.to_owned();
    }
    let mut inline = Inline::default();
    for event in Parser::new_ext(markdown, OPTIONS) {
        if matches!(event, Event::End(TagEnd::Paragraph | TagEnd::Item)) {
            inline.text.push('\n');
        }
        inline.event(&event, &(0..0));
    }
    inline.normalised()
}

impl<'w, 't> Reader<'w, 't> {
    pub(super) fn new(writer: &'w mut Writer, source: &'t str, place: Place) -> Self {
        Self {
            writer,
            source,
            place,
            title: None,
            inline: Inline::default(),
            html: String::new(),
            code: None,
            in_table_header: false,
        }
    }

    /// Takes the only first-level heading for the title, if no other heading stands before it.
    pub(super) fn with_title(mut self) -> Self {
        let mut headings = Parser::new_ext(self.source, OPTIONS)
            .into_offset_iter()
            .filter_map(|(event, range)| matches!(event, Event::Start(Tag::Heading { .. })).then(|| (event, range)));
        let is_first_level =
            |event: &Event<'_>| matches!(event, Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }));
        self.title = headings
            .next()
            .filter(|(event, _)| is_first_level(event))
            .filter(|_| !headings.any(|(event, _)| is_first_level(&event)))
            .map(|(_, range)| range);
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
        let events = Parser::new_ext(self.source, OPTIONS).into_offset_iter();
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
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Html(html) => self.html.push_str(&html),
            Event::Text(text) if self.code.is_some() => {
                if let Some((_, code)) = &mut self.code {
                    code.push_str(&text);
                }
            }
            Event::Rule => self.flush(),
            inline => self.inline.event(&inline, &range),
        }
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
                self.writer.open_as(NodeKind::List { ordered: first.is_some() }, "", span);
            }
            Tag::Item => {
                let printed = self.source[range.start..].trim_start();
                let marker = printed.split_whitespace().next().unwrap_or_default();
                let marker = if marker.starts_with(|c: char| c.is_ascii_digit()) { marker } else { "" };
                self.writer.open_marked(NodeKind::ListItem, marker, span);
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
            }
            TagEnd::Image => self.inline.end_image(),
            _ => {}
        }
    }

    fn heading(&mut self, level: u8, range: Range<usize>) {
        let text = std::mem::take(&mut self.inline).normalised();
        let (text, anchor) = split_anchor(&text);
        let span = self.span(&range);
        if self.title.as_ref() == Some(&range) && !self.writer.builder().has_title() {
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
        if !self.html.is_empty() {
            let html = std::mem::take(&mut self.html);
            html::fragment(self.writer, &html);
        }
        let inline = std::mem::take(&mut self.inline);
        let span = inline.range.as_ref().and_then(|range| self.span(range));
        if inline.is_only_images() {
            self.writer.leaf(NodeKind::Figure, &inline.normalised(), span);
            return;
        }
        let text = inline.normalised();
        if let Some((level, heading)) = unspaced_heading(&text) {
            self.writer.section(level, heading, span);
            return;
        }
        match block_admonition(&text) {
            // MkDocs: the body follows indented, in the same paragraph or as a block of its own.
            Some((kind, rest)) if !rest.is_empty() => self.writer.leaf(kind, rest, span),
            Some((kind, _)) => self.writer.announce(kind, text.trim_start_matches('!').trim_start(), span),
            None => self.writer.paragraph(&text, span),
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "callers pass it on as the optional place that nodes have")]
    fn span(&self, range: &Range<usize>) -> Option<Span> {
        Some(match self.place {
            Place::At(start) => span(start + range.start..start + range.end),
            Place::Within(span) => span,
        })
    }
}

impl Inline {
    fn event(&mut self, event: &Event<'_>, range: &Range<usize>) {
        let start = self.range.as_ref().map_or(range.start, |known| known.start.min(range.start));
        self.range = Some(start..range.end.max(self.range.as_ref().map_or(0, |known| known.end)));
        let before = self.text.len();
        match event {
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.text.push_str(text);
            }
            Event::InlineHtml(html) => self.inline_html(html),
            Event::FootnoteReference(label) => {
                self.text.push('[');
                self.text.push_str(label);
                self.text.push(']');
            }
            Event::SoftBreak => self.text.push(' '),
            Event::HardBreak => self.text.push('\n'),
            Event::TaskListMarker(done) => self.text.push_str(if *done { "[x] " } else { "[ ] " }),
            Event::Start(tag) => self.start(tag),
            Event::End(TagEnd::Image) => self.end_image(),
            _ => {}
        }
        if self.image_depth > 0 {
            self.image_bytes += self.text.len() - before;
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        if matches!(tag, Tag::Image { .. }) {
            self.n_images += 1;
            self.image_depth += 1;
        }
    }

    fn end_image(&mut self) {
        self.image_depth = self.image_depth.saturating_sub(1);
    }

    fn inline_html(&mut self, html: &str) {
        let name = html.trim_start_matches('<').trim_start_matches('/');
        if name.get(..2).is_some_and(|name| name.eq_ignore_ascii_case("br")) {
            self.text.push('\n');
        } else if name.get(..3).is_some_and(|name| name.eq_ignore_ascii_case("img")) {
            self.text.push_str(&html::attribute(html, "alt").unwrap_or_default());
        }
    }

    fn is_only_images(&self) -> bool {
        self.n_images > 0 && !self.text.trim().is_empty() && self.text.trim().len() <= self.image_bytes
    }

    /// Blanks collapsed, line breaks kept where the author forced them.
    fn normalised(&self) -> String {
        let lines = self.text.split('\n').map(crate::text::collapse_whitespace);
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
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
    let titled = (2..=6).contains(&level) && !text.contains('\n') && heading.starts_with(char::is_alphanumeric);
    titled.then(|| (u8::try_from(level).unwrap_or(6), heading.trim_end_matches('#').trim_end()))
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

/// `!!! warning "Title" …` and `??? note`, as MkDocs has them: the kind and what follows it in the paragraph.
fn block_admonition(text: &str) -> Option<(NodeKind, &str)> {
    let rest =
        text.strip_prefix("!!! ").or_else(|| text.strip_prefix("??? ")).or_else(|| text.strip_prefix("???+ "))?;
    let (name, rest) = rest.split_once([' ', '\n']).unwrap_or((rest, ""));
    Some((admonition::named(name)?, rest.trim()))
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
