//! Plain text: paragraphs, headings, steps, fields and listings by their form.
//!
//! Not for guessing meaning: where the form says nothing, text is a paragraph, and no character of it is lost.

mod form;
mod line;
pub(super) mod table;

use super::{ParseError, ParseWarning, ParseWarningKind, kib, span, tick, writer::Writer};
use crate::{
    document::{Document, DocumentId, NodeKind},
    host::Progress,
    text::collapse_whitespace,
};
use form::{is_contents_line, is_log, join, lines, underlined};
use line::Line;

/// A run of more lines than this is no paragraph or listing that anybody reads in one: it is cut into pieces.
const MAX_PIECE_LINES: usize = 100;
/// An entry of a log that is longer than this is not continued.
const MAX_ENTRY_BYTES: usize = 64 << 10;
/// Reads plain text. A form feed begins a new page.
///
/// # Errors
/// [`ParseError::Cancelled`] alone.
pub(crate) fn parse(
    id: DocumentId,
    name: &str,
    text: &str,
    warnings: &mut Vec<ParseWarning>,
    progress: &mut dyn Progress,
) -> Result<Document, ParseError> {
    let mut reader = Reader {
        writer: Writer::new(id, name),
        lists: Vec::new(),
        log: is_log(text),
        begun: false,
        entry: None,
        page: text.contains('\u{c}').then_some(1),
    };
    if let Some(page) = reader.page {
        reader.writer.builder().page(page);
    }
    let (mut block, mut before): (Vec<Line<'_>>, Vec<Line<'_>>) = (Vec::new(), Vec::new());
    for (n_lines, (start, line)) in lines(text).enumerate() {
        if n_lines.is_multiple_of(4096) {
            tick(progress, kib(start), kib(text.len()))?;
        }
        if reader.writer.is_full() {
            warnings.push(ParseWarning {
                kind: ParseWarningKind::Truncated,
                page: None,
                message: format!(
                    "The file is very long: its first {n_lines} lines ({} of {} KiB) were read, the rest was left out. Split it to have all of it.",
                    kib(start),
                    kib(text.len())
                ),
            });
            return Ok(reader.writer.finish());
        }
        let line = Line::new(line, start);
        let page_break = line.raw.contains('\u{c}');
        if page_break || line.text.is_empty() {
            reader.end_entry();
            // Whether a line is a heading depends on what follows, so each block waits for the next.
            if !block.is_empty() {
                reader.block(&before, block.first());
                before = std::mem::take(&mut block);
            }
            if page_break {
                reader.block(&before, None);
                before.clear();
                reader.next_page();
                let rest = line.raw.trim_start_matches(|c: char| c.is_whitespace());
                if !rest.is_empty() {
                    block.push(Line::new(rest, line.range.end - rest.len()));
                }
            }
        } else if reader.log && (reader.begun || line.is_log_entry()) {
            reader.block(&before, None);
            reader.block(&std::mem::take(&mut block), None);
            before.clear();
            reader.log_line(&line);
        } else {
            block.push(line);
        }
    }
    reader.end_entry();
    reader.block(&before, block.first());
    reader.block(&block, None);
    Ok(reader.writer.finish())
}

/// Reads block after block.
struct Reader {
    writer: Writer,
    /// Open lists, outermost first.
    lists: Vec<List>,
    log: bool,
    /// The first entry of a log has been met.
    begun: bool,
    /// The entry that the next line may continue.
    entry: Option<(String, std::ops::Range<usize>)>,
    page: Option<u32>,
}

struct List {
    indent: usize,
    /// The column at which the text of its last item begins.
    text_column: usize,
    ordered: bool,
    last_number: Option<u32>,
    /// Containers open in the writer while this list, but no item of it, is.
    depth: usize,
    /// Containers open in the writer before it.
    outside: usize,
}

impl Reader {
    fn next_page(&mut self) {
        if let Some(page) = &mut self.page {
            *page += 1;
            let page = *page;
            self.writer.builder().page(page);
        }
    }

    /// An entry of a log is a paragraph; lines that are indented continue it.
    fn log_line(&mut self, line: &Line<'_>) {
        self.begun = true;
        self.close_lists(0);
        match &mut self.entry {
            Some((entry, range)) if line.indent > 0 && range.len() <= MAX_ENTRY_BYTES => {
                entry.push('\n');
                entry.push_str(line.text);
                range.end = line.range.end;
            }
            _ => {
                self.end_entry();
                self.entry = Some((line.text.to_owned(), line.range.clone()));
            }
        }
    }

    fn end_entry(&mut self) {
        if let Some((entry, range)) = self.entry.take() {
            self.writer.leaf(NodeKind::Paragraph, &entry, Some(span(range)));
        }
    }

    /// A run of lines without a blank one among them. `next` is the first line of the following block.
    fn block(&mut self, lines: &[Line<'_>], next: Option<&Line<'_>>) {
        let mut rest = lines;
        while let Some(first) = rest.first() {
            if let Some((level, n_lines, heading)) = self.heading(rest, next) {
                self.close_lists(0);
                let line = &rest[heading];
                self.writer.section(level, &collapse_whitespace(line.text), Some(span(line.range.clone())));
                rest = &rest[n_lines..];
            } else if first.rule().is_some() {
                rest = &rest[1..];
            } else {
                // Up to a line that is underlined, which begins a part of its own.
                let n_lines = (1..rest.len()).find(|at| underlined(&rest[*at..]).is_some()).unwrap_or(rest.len());
                self.body(&rest[..n_lines]);
                rest = &rest[n_lines..];
            }
        }
    }

    /// The heading that a block begins with: its level, how many lines it takes, and which of them is its text.
    fn heading(&self, lines: &[Line<'_>], next: Option<&Line<'_>>) -> Option<(u8, usize, usize)> {
        let first = lines.first()?;
        if let Some(level) = underlined(lines) {
            return Some((level, 2, 0));
        }
        // A title between two rules.
        if first.rule().is_some()
            && let Some(level) = underlined(&lines[1..])
            && lines.get(2).and_then(Line::rule) == first.rule()
        {
            return Some((level, 3, 1));
        }
        if super::admonition::recognise(first.text).is_some() || first.is_columnar() {
            return None;
        }
        let alone = lines.len() == 1;
        let continues_list = first.marker().is_some_and(|marker| {
            let last = self.lists.last().and_then(|list| list.last_number);
            marker.number.is_some_and(|number| number > 0 && last == Some(number - 1))
        });
        match first.numbered_heading() {
            Some(1) if alone && !continues_list => {
                // "1. Close the valve" before "2. …" is a step; a number with a part below it is a chapter.
                let next_is_step =
                    next.is_none_or(|next| next.indent > first.indent || next.marker().is_some_and(|m| m.ordered));
                return (!next_is_step).then_some((2, 1, 0));
            }
            Some(depth) if depth > 1 && (alone || lines[1].numbered_heading().is_none()) => {
                return Some((depth + 1, 1, 0));
            }
            _ => {}
        }
        let section_line = first.text.starts_with('[') && first.text.ends_with(']') && first.text.len() <= 60;
        let stands_out = alone || !lines[1].is_capitals_heading();
        (first.marker().is_none() && stands_out && (first.is_capitals_heading() || (section_line && !alone)))
            .then_some((2, 1, 0))
    }

    /// Lines that are no heading.
    fn body(&mut self, lines: &[Line<'_>]) {
        let Some(first) = lines.first() else { return };
        if self.directive(lines) {
            return;
        }
        if first.marker().is_some() {
            self.items(lines);
            return;
        }
        // Indented below an item, a block belongs to it.
        let indent = lines.iter().map(|line| line.indent).min().unwrap_or(0);
        let inside = self.lists.iter().rposition(|list| indent + 1 >= list.text_column && indent > list.indent + 1);
        self.close_lists(inside.map_or(0, |at| at + 1));
        if self.contents(lines) || self.table(lines) || self.fields(lines) || self.preformatted(lines) {
            return;
        }
        if lines.len() > MAX_PIECE_LINES && lines.iter().all(|line| line.marker().is_none()) {
            lines.chunks(MAX_PIECE_LINES / 2).for_each(|piece| self.paragraph(piece));
            return;
        }
        let n_intro = lines.iter().position(|line| line.marker().is_some()).unwrap_or(lines.len());
        let (intro, list) = lines.split_at(n_intro);
        // A single line that happens to begin with a dash is not yet a list.
        if list.len() == 1 && !intro.last().is_some_and(|line| line.text.ends_with(':')) {
            self.paragraph(lines);
            return;
        }
        self.paragraph(intro);
        self.items(list);
    }

    /// `.. warning::` in reStructuredText: what it warns of stands on its line or in the next block.
    fn directive(&mut self, lines: &[Line<'_>]) -> bool {
        let [first, rest @ ..] = lines else { return false };
        let Some((name, text)) = first.text.strip_prefix(".. ").and_then(|text| text.split_once("::")) else {
            return false;
        };
        let Some(kind) = super::admonition::named(name) else { return false };
        self.close_lists(0);
        let place = Some(span(first.range.start..lines.last().unwrap_or(first).range.end));
        let texts = std::iter::once(text.trim()).chain(rest.iter().map(|line| line.text));
        let text = join(texts.filter(|text| !text.is_empty()));
        if text.is_empty() {
            self.writer.announce(kind, name, place);
        } else {
            self.writer.leaf(kind, &text, place);
        }
        true
    }

    /// Lines of which the first begins an item; lines without a mark continue the item before them.
    fn items(&mut self, lines: &[Line<'_>]) {
        let mut rest = lines;
        while let Some((first, after)) = rest.split_first() {
            let n_more = after.iter().position(|line| line.marker().is_some()).unwrap_or(after.len());
            let Some(marker) = first.marker() else { return };
            let outer = self.lists.iter().rposition(|list| {
                list.indent <= first.indent + 1 && (list.indent + 1 < first.indent || list.ordered == marker.ordered)
            });
            self.close_lists(outer.map_or(0, |at| at + 1));
            let place = || Some(span(first.range.start..after[..n_more].last().unwrap_or(first).range.end));
            if self.lists.last().is_none_or(|list| list.indent + 1 < first.indent) {
                let outside = self.writer.depth();
                self.writer.open_as(NodeKind::List { ordered: marker.ordered }, "", place());
                self.lists.push(List {
                    indent: first.indent,
                    text_column: 0,
                    ordered: marker.ordered,
                    last_number: None,
                    depth: self.writer.depth(),
                    outside,
                });
            }
            if let Some(list) = self.lists.last_mut() {
                list.last_number = marker.number;
                list.text_column = first.indent + first.text.len() - marker.rest.len();
                self.writer.close_down_to(list.depth);
            }
            self.writer.open_marked(NodeKind::ListItem, marker.printed, place());
            let texts = std::iter::once(marker.rest).chain(after[..n_more].iter().map(|line| line.text));
            self.writer.paragraph(&join(texts), place());
            rest = &after[n_more..];
        }
    }

    /// Closes lists until `n_open` are open.
    fn close_lists(&mut self, n_open: usize) {
        while self.lists.len() > n_open {
            if let Some(list) = self.lists.pop() {
                self.writer.close_down_to(list.outside);
            }
        }
    }

    /// A table of contents is navigation.
    fn contents(&mut self, lines: &[Line<'_>]) -> bool {
        let n_contents = lines.iter().filter(|line| is_contents_line(line)).count();
        if n_contents < 3 || n_contents * 10 < lines.len() * 7 {
            return false;
        }
        let text = lines.iter().map(|line| line.text).collect::<Vec<_>>().join("\n");
        let place = span(lines[0].range.start..lines[lines.len() - 1].range.end);
        self.writer.leaf(NodeKind::Furniture, &text, Some(place));
        true
    }

    /// Listings, drawings and tables of blanks keep every blank.
    fn preformatted(&mut self, lines: &[Line<'_>]) -> bool {
        let share = |n: usize, percent: usize| n * 100 >= lines.len() * percent;
        let n_columnar = lines.iter().filter(|line| line.is_columnar() && line.leader().is_none()).count();
        let n_code = lines.iter().filter(|line| line.is_code_like()).count();
        let indented = lines.iter().all(|line| line.indent >= 4);
        if (n_columnar >= 2 && share(n_columnar, 60)) || (indented && share(n_code, 50)) {
            let common = lines.iter().map(|line| line.raw.len() - line.raw.trim_start().len()).min().unwrap_or(0);
            for piece in lines.chunks(MAX_PIECE_LINES) {
                let text: Vec<&str> = piece.iter().map(|line| line.raw.get(common..).unwrap_or(line.text)).collect();
                let place = span(piece[0].range.start..piece[piece.len() - 1].range.end);
                self.writer.leaf(NodeKind::Code { language: String::new() }, &text.join("\n"), Some(place));
            }
            return true;
        }
        false
    }

    /// Two or more fields below one another; an indented line continues the value above it.
    fn fields(&mut self, lines: &[Line<'_>]) -> bool {
        let is_field = |line: &Line<'_>| super::admonition::recognise(line.text).is_none() && line.field().is_some();
        let continues = |line: &Line<'_>| line.indent > lines[0].indent && !is_field(line);
        let n_fields = lines.iter().filter(|line| is_field(line)).count();
        if n_fields < 2 || !lines.iter().all(|line| is_field(line) || continues(line)) || continues(&lines[0]) {
            return false;
        }
        let mut rest = lines;
        while let Some((first, after)) = rest.split_first() {
            let n_more = after.iter().position(is_field).unwrap_or(after.len());
            let Some((key, value)) = first.field() else { return true };
            let values = std::iter::once(value).chain(after[..n_more].iter().map(|line| line.text));
            let text = format!("{key}: {}", values.map(collapse_whitespace).collect::<Vec<_>>().join(" "));
            let end = after[..n_more].last().unwrap_or(first).range.end;
            self.writer.leaf(NodeKind::KeyValue, &text, Some(span(first.range.start..end)));
            rest = &after[n_more..];
        }
        true
    }

    fn paragraph(&mut self, lines: &[Line<'_>]) {
        let mut lines = lines;
        // A signal word on a line of its own stands apart from what it warns of.
        while let [first, rest @ ..] = lines
            && !rest.is_empty()
            && super::admonition::recognise(first.text).is_some_and(|label| label.alone)
        {
            self.writer.paragraph(first.text, Some(span(first.range.clone())));
            lines = rest;
        }
        if let [first, ..] = lines
            && let [.., last] = lines
        {
            let place = Some(span(first.range.start..last.range.end));
            self.writer.paragraph(&join(lines.iter().map(|line| line.text)), place);
        }
    }
}
