//! AsciiDoc, in which machine controllers write their manuals: headings, lists, tables, listings, admonitions, with lines.
//!
//! Not for includes, conditions and attributes, which would need other files: they stay as they stand, or are left out
//! where a reader never sees them. Marks inside a line are kept but for links and cross references.

mod inline;

use super::{ParseError, ParseWarning, ParseWarningKind, kib, span, tick, writer::Writer};
use crate::{
    document::{Document, DocumentId, NodeKind},
    host::Progress,
};
use inline::plain;

/// Blocks inside one another; deeper ones stand side by side.
const MAX_OPEN: usize = 32;

/// Reads an AsciiDoc text.
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
    let mut start = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let at = start;
        start += line.len();
        (at, line.trim_end())
    });
    let lines: Vec<(usize, &str)> = lines.collect();
    let mut reader = Reader {
        writer: Writer::new(id, name),
        lines: &lines,
        at: 0,
        open: Vec::new(),
        lists: Vec::new(),
        attributes: String::new(),
        title: None,
    };
    while reader.at < lines.len() {
        tick(progress, kib(lines[reader.at].0), kib(text.len()))?;
        if reader.writer.is_full() {
            warnings.push(ParseWarning {
                kind: ParseWarningKind::Truncated,
                page: None,
                message: "The text is very long; the rest was left out. Split it to have all of it.".to_owned(),
            });
            break;
        }
        reader.block();
    }
    Ok(reader.writer.finish())
}

struct Reader<'t> {
    writer: Writer,
    lines: &'t [(usize, &'t str)],
    at: usize,
    /// Delimiters of the blocks that are open, and the containers open in the writer before them.
    open: Vec<(&'t str, usize)>,
    /// Marks of the open lists, and the containers open before them.
    lists: Vec<(&'t str, usize)>,
    /// What stands in brackets above the next block.
    attributes: String,
    /// What stands after a dot above the next block.
    title: Option<&'t str>,
}

impl<'t> Reader<'t> {
    fn line(&self, at: usize) -> Option<&'t str> {
        self.lines.get(at).map(|(_, line)| *line)
    }

    /// The place of lines, `end` not among them.
    fn place(&self, from: usize, end: usize) -> Option<crate::document::Span> {
        let (last, text) = self.lines.get(end.max(from + 1) - 1)?;
        Some(span(self.lines[from].0..last + text.len()))
    }

    /// Reads what begins at the next line.
    fn block(&mut self) {
        let (at, Some(line)) = (self.at, self.line(self.at)) else { return };
        self.at += 1;
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed == "+" {
            return;
        }
        if self.open.last().is_some_and(|(delimiter, _)| *delimiter == trimmed) {
            self.end_lists(0);
            if let Some((_, depth)) = self.open.pop() {
                self.writer.close_down_to(depth);
            }
        } else if let Some(kind) = delimiter(trimmed) {
            self.delimited(kind, trimmed, at);
        } else if let Some((level, text)) = heading(line) {
            self.end_lists(0);
            let place = self.place(at, at + 1);
            self.writer.section(level, &plain(text), place);
            (self.attributes, self.title) = (String::new(), None);
        } else if is_unseen(trimmed) {
        } else if trimmed.starts_with('[') && trimmed.ends_with(']') {
            match trimmed.strip_prefix("[[") {
                Some(anchor) => self.writer.anchor(anchor.trim_end_matches(']').split(',').next().unwrap_or_default()),
                None => trimmed.trim_matches(['[', ']']).clone_into(&mut self.attributes),
            }
        } else if let Some(title) =
            trimmed.strip_prefix('.').filter(|rest| rest.starts_with(|c: char| !c.is_whitespace() && c != '.'))
        {
            self.title = Some(title);
        } else if let Some((mark, text)) = item(trimmed) {
            self.item(mark, text, at);
        } else {
            self.paragraph(at, line);
        }
    }

    /// A block between two equal lines.
    fn delimited(&mut self, kind: Delimited, delimiter: &'t str, at: usize) {
        let attributes = std::mem::take(&mut self.attributes);
        let title = self.title.take();
        if kind == Delimited::Container {
            self.end_lists(0);
            let depth = self.writer.depth();
            if self.open.len() < MAX_OPEN {
                self.open.push((delimiter, depth));
            }
            let style = attributes.split([',', '.', '#']).next().unwrap_or_default();
            match super::admonition::recognise(style).filter(|label| label.alone) {
                Some(label) => {
                    self.writer.open_as(label.kind, title.unwrap_or(style), self.place(at, at + 1));
                }
                None => {
                    if delimiter.starts_with('_') {
                        self.writer.open(NodeKind::Quote, self.place(at, at + 1));
                    }
                    self.writer.paragraph(&plain(title.unwrap_or_default()), None);
                }
            }
            return;
        }
        let end = (self.at..self.lines.len()).find(|at| self.line(*at).is_some_and(|line| line.trim() == delimiter));
        let end = end.unwrap_or(self.lines.len());
        let inside: Vec<&str> = self.lines[self.at..end].iter().map(|(_, line)| *line).collect();
        let (first, place) = (self.at, self.place(at, (end + 1).min(self.lines.len())));
        self.at = end + 1;
        match kind {
            Delimited::Comment | Delimited::Container => {}
            Delimited::Listing => {
                self.writer.paragraph(&plain(title.unwrap_or_default()), None);
                let language = attributes.split(',').nth(1).unwrap_or_default().trim().to_owned();
                self.writer.leaf(NodeKind::Code { language }, &inside.join("\n"), place);
            }
            Delimited::Table(separator) => {
                self.end_lists(0);
                self.table(separator, &attributes, title.unwrap_or_default(), &inside, first, place);
            }
        }
    }

    /// Cells by their bars; a row ends with a line that has all of its cells, or when it is full.
    fn table(
        &mut self,
        separator: char,
        attributes: &str,
        title: &str,
        lines: &[&str],
        first: usize,
        place: Option<crate::document::Span>,
    ) {
        let mut cells: Vec<(String, usize)> = Vec::new();
        let mut n_columns = columns(attributes);
        for (n, line) in lines.iter().enumerate() {
            let Some(begin) = line
                .find(separator)
                .filter(|at| line[..*at].chars().all(|c| c.is_ascii_alphanumeric() || "+.^<>* ".contains(c)))
            else {
                if let Some((cell, _)) = cells.last_mut().filter(|_| !line.trim().is_empty()) {
                    cell.push('\n');
                    cell.push_str(line.trim());
                }
                continue;
            };
            let in_line = line[begin + separator.len_utf8()..].split(separator);
            cells.extend(in_line.map(|cell| (cell.trim().to_owned(), first + n)));
            if n_columns == 0 {
                n_columns = cells.len();
            }
        }
        if cells.is_empty() || n_columns == 0 {
            return;
        }
        // A blank line after the first row makes it the header.
        let blank_after_first = lines.first().is_some_and(|line| !line.trim().is_empty())
            && lines.get(1).is_some_and(|line| line.trim().is_empty());
        let has_header = (attributes.contains("header") && !attributes.contains("noheader")) || blank_after_first;
        self.writer.open_as(NodeKind::Table, &plain(title), place);
        for (n, row) in cells.chunks(n_columns).enumerate() {
            let header = has_header && n == 0;
            let place = row.first().zip(row.last()).and_then(|((_, from), (_, to))| self.place(*from, to + 1));
            self.writer.open_as(NodeKind::Row { header }, "", place);
            for (text, _) in row {
                self.writer.leaf(NodeKind::Cell { header, colspan: 1, rowspan: 1 }, &plain(text), None);
            }
            self.writer.close();
        }
        self.writer.close();
    }

    fn item(&mut self, mark: &'t str, text: &str, at: usize) {
        self.attributes.clear();
        let ordered = mark.ends_with('.');
        match self
            .lists
            .iter()
            .position(|(known, _)| *known == mark || (ordered && is_number(mark) && is_number(known)))
        {
            Some(known) => {
                self.end_lists(known + 1);
                let depth = self.lists[known].1;
                self.writer.close_down_to(depth + 1);
            }
            None => {
                self.lists.push((mark, self.writer.depth()));
                self.writer.open_as(NodeKind::List { ordered }, "", None);
            }
        }
        let text = self.joined(text.to_owned());
        let place = self.place(at, self.at);
        let printed = if is_number(mark) { mark } else { "" };
        self.writer.open_marked(NodeKind::ListItem, printed, place);
        self.writer.paragraph(&plain(&text), place);
    }

    fn paragraph(&mut self, at: usize, line: &str) {
        let style = std::mem::take(&mut self.attributes);
        let title = self.title.take();
        // After a line with nothing but a plus, or inside an item that nothing ended, a paragraph belongs to the item.
        let goes_on = at.checked_sub(1).and_then(|before| self.line(before)).is_some_and(|before| before.trim() == "+");
        if !goes_on {
            self.end_lists(0);
        }
        if line.starts_with([' ', '\t']) {
            while self.line(self.at).is_some_and(|line| !line.trim().is_empty()) {
                self.at += 1;
            }
            let code: Vec<&str> = self.lines[at..self.at].iter().map(|(_, line)| *line).collect();
            let place = self.place(at, self.at);
            self.writer.leaf(NodeKind::Code { language: String::new() }, &code.join("\n"), place);
            return;
        }
        let text = self.joined(line.trim().to_owned());
        let place = self.place(at, self.at);
        if let Some(picture) = text.strip_prefix("image::") {
            let alternative =
                picture.split_once('[').map_or("", |(_, rest)| rest.split([',', ']']).next().unwrap_or(""));
            self.writer.open_as(NodeKind::Figure, alternative.trim_matches('"'), place);
            if let Some(title) = title {
                self.writer.leaf(NodeKind::Caption, &plain(title), None);
            }
            self.writer.close();
            return;
        }
        self.writer.paragraph(&plain(title.unwrap_or_default()), None);
        match super::admonition::recognise(&style).filter(|label| label.alone) {
            Some(label) => {
                self.writer.announce(label.kind, &style, place);
                self.writer.paragraph(&plain(&text), place);
            }
            None => self.writer.paragraph(&plain(&text), place),
        }
    }

    /// A text with the lines that go on with it; a plus at a line's end breaks it.
    fn joined(&mut self, mut text: String) -> String {
        while let Some(line) = self.line(self.at) {
            let line = line.trim();
            let ends = line.is_empty() || line == "+" || delimiter(line).is_some() || item(line).is_some();
            if ends
                || (line.starts_with('[') && line.ends_with(']'))
                || self.open.last().is_some_and(|(open, _)| *open == line)
            {
                break;
            }
            match text.strip_suffix(" +") {
                Some(broken) => text = format!("{broken}\n{line}"),
                None => {
                    text.push(' ');
                    text.push_str(line);
                }
            }
            self.at += 1;
        }
        text
    }

    fn end_lists(&mut self, n_open: usize) {
        if let Some((_, depth)) = self.lists.get(n_open) {
            self.writer.close_down_to(*depth);
            self.lists.truncate(n_open);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Delimited {
    Comment,
    Listing,
    Table(char),
    Container,
}

/// What a line of four or more equal signs, or `|===`, opens.
fn delimiter(line: &str) -> Option<Delimited> {
    match line {
        "|===" => return Some(Delimited::Table('|')),
        "!===" => return Some(Delimited::Table('!')),
        "--" => return Some(Delimited::Container),
        _ => {}
    }
    let first = line.chars().next()?;
    if line.len() < 4 || !line.chars().all(|c| c == first) {
        return line.starts_with("```").then_some(Delimited::Listing);
    }
    Some(match first {
        '/' => Delimited::Comment,
        '-' | '.' | '+' | '`' => Delimited::Listing,
        '=' | '*' | '_' => Delimited::Container,
        _ => return None,
    })
}

/// `== Title`: its level and text. The document's own title is the first.
fn heading(line: &str) -> Option<(u8, &str)> {
    let text = line.trim_start_matches('=');
    let n = line.len() - text.len();
    let text = text.strip_prefix(' ')?.trim();
    ((1..=6).contains(&n) && !text.is_empty()).then_some((u8::try_from(n).unwrap_or(6), text))
}

/// Lines that no reader sees: attributes, comments, directives to the program.
fn is_unseen(line: &str) -> bool {
    let attribute = line
        .strip_prefix(':')
        .and_then(|rest| rest.split_once(':'))
        .is_some_and(|(name, _)| !name.is_empty() && !name.contains(' '));
    let directive = ["ifdef::", "ifndef::", "endif::", "ifeval::", "toc::"].iter().any(|word| line.starts_with(word));
    attribute || directive || (line.starts_with("//") && !line.starts_with("///")) || matches!(line, "'''" | "<<<")
}

/// The mark of an item and its text: `* a`, `.. b`, `- c`, `1. d`.
fn item(line: &str) -> Option<(&str, &str)> {
    let (mark, text) = line.split_once(' ')?;
    let repeated = |sign: char, most: usize| mark.len() <= most && !mark.is_empty() && mark.chars().all(|c| c == sign);
    (repeated('*', 5) || repeated('.', 5) || mark == "-" || is_number(mark)).then_some((mark, text.trim()))
}

fn is_number(mark: &str) -> bool {
    mark.strip_suffix('.')
        .is_some_and(|number| (1..=3).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit()))
}

/// How many columns `cols="1,2*<,3"` or `cols=3*` names; 0 where it says nothing.
fn columns(attributes: &str) -> usize {
    let Some((_, rest)) = attributes.split_once("cols=") else { return 0 };
    let list = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or_default(),
        None => rest.split(',').next().unwrap_or_default(),
    };
    let each =
        |part: &str| part.split_once('*').and_then(|(n, _)| n.trim().parse::<usize>().ok()).unwrap_or(1).clamp(1, 64);
    list.split([',', ';']).filter(|part| !part.trim().is_empty()).map(each).sum::<usize>().min(64)
}

#[cfg(test)]
mod tests;
