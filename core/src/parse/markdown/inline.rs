//! Inline events to plain text: emphasis, links and code spans become what they say.

use super::reader::OPTIONS;
use crate::parse::html;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use std::ops::Range;

/// The inline content of the block at hand.
#[derive(Debug, Default)]
pub(super) struct Inline {
    pub(super) text: String,
    /// Its bytes in the source.
    pub(super) range: Option<Range<usize>>,
    n_images: usize,
    /// Bytes of `text` that come from images.
    image_bytes: usize,
    image_depth: usize,
    /// The bold text that the block begins with.
    pub(super) lead: Option<String>,
}

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

impl Inline {
    pub(super) fn event(&mut self, event: &Event<'_>, range: &Range<usize>) {
        let start = self.range.as_ref().map_or(range.start, |known| known.start.min(range.start));
        self.range = Some(start..range.end.max(self.range.as_ref().map_or(0, |known| known.end)));
        let before = self.text.len();
        match event {
            // A line end in a text was written as a reference and is a blank like others.
            Event::Text(text) => self.text.push_str(&text.replace('\n', " ")),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => self.text.push_str(text),
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
            Event::End(tag) => self.end(*tag),
            _ => {}
        }
        if self.image_depth > 0 {
            self.image_bytes += self.text.len() - before;
        }
    }

    pub(super) fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Image { .. } => {
                self.n_images += 1;
                self.image_depth += 1;
            }
            Tag::Strong if self.text.trim().is_empty() => self.lead = Some(String::new()),
            _ => {}
        }
    }

    pub(super) fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Image => self.image_depth = self.image_depth.saturating_sub(1),
            TagEnd::Strong if self.lead.as_ref().is_some_and(String::is_empty) => {
                self.lead = Some(self.text.trim().to_owned());
            }
            _ => {}
        }
    }

    fn inline_html(&mut self, html: &str) {
        let name = html.trim_start_matches('<').trim_start_matches('/');
        if name.get(..2).is_some_and(|name| name.eq_ignore_ascii_case("br")) {
            self.text.push('\n');
        } else if name.get(..3).is_some_and(|name| name.eq_ignore_ascii_case("img")) {
            self.text.push_str(&html::attribute(html, "alt").unwrap_or_default());
        } else if html.starts_with("<![CDATA[") || html.starts_with("<?") {
            // To HTML these are comments that end at the first bracket: browsers show the rest.
            self.text.push_str(html.split_once('>').map_or("", |(_, shown)| shown));
        }
    }

    pub(super) fn is_only_images(&self) -> bool {
        self.n_images > 0 && !self.text.trim().is_empty() && self.text.trim().len() <= self.image_bytes
    }

    /// Blanks collapsed, line breaks kept where the author forced them.
    pub(super) fn normalised(&self) -> String {
        let lines = self.text.split('\n').map(crate::text::collapse_whitespace);
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }
}
