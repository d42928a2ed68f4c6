//! From the items of a region to blocks: paragraphs, list items, code, tables.
//!
//! Not for telling headings from paragraphs: that takes the whole document ([`super::headings`]).

use super::{aligned, columns::Item, font::Style, lines::Segment, tables::Table};
use crate::document::BBox;

/// A step to the next line of more than this times the usual one begins a new block.
const PARAGRAPH_GAP: f32 = 1.3;
/// Leading where nothing better is known, in ems.
const USUAL_LEADING: f32 = 1.2;
/// An indent of at least this, in ems, begins a paragraph.
const INDENT: f32 = 0.8;

/// All segments on one line of a region.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// From the left; never empty.
    pub(super) segments: Vec<Segment>,
}

impl Row {
    /// The baseline.
    pub(super) fn v(&self) -> f32 {
        self.segments.first().map_or(0.0, |segment| segment.v)
    }

    /// The size of its first text.
    pub(super) fn size(&self) -> f32 {
        self.segments.first().map_or(1.0, |segment| segment.size.max(0.1))
    }
}

/// A line of a block.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// As printed.
    pub(super) text: String,
    /// Around it.
    pub(super) bbox: BBox,
    /// Its baseline.
    pub(super) v: f32,
    /// Its em.
    pub(super) size: f32,
    /// How it is set.
    pub(super) style: Style,
}

/// What a block is, as far as its form tells.
#[derive(Clone, Debug)]
pub(super) enum Block {
    /// A paragraph, heading, list item or code: lines that belong together.
    Text(Vec<Line>),
    /// A table.
    Table(Table),
    /// Entries of a table of contents: kept, but what they announce stands elsewhere.
    Contents(Vec<Line>),
}

/// The blocks of a region in order.
pub(super) fn blocks(region: Vec<Item>, keep_code: bool) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut segments = Vec::new();
    for item in region {
        match item {
            Item::Text(segment) => segments.push(segment),
            Item::Table(table) => {
                text_blocks(std::mem::take(&mut segments), keep_code, &mut blocks);
                blocks.push(Block::Table(table));
            }
        }
    }
    text_blocks(segments, keep_code, &mut blocks);
    blocks
}

fn text_blocks(segments: Vec<Segment>, keep_code: bool, blocks: &mut Vec<Block>) {
    let rows = rows(segments);
    let mut lines = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        let n_entries = contents(&rows[at..]);
        if n_entries > 0 {
            paragraphs(std::mem::take(&mut lines), keep_code, blocks);
            blocks.push(Block::Contents(rows[at..at + n_entries].iter().filter_map(line).collect()));
            at += n_entries;
            continue;
        }
        match aligned::table(&rows[at..]) {
            Some((table, n_rows)) => {
                paragraphs(std::mem::take(&mut lines), keep_code, blocks);
                blocks.push(Block::Table(table));
                at += n_rows.max(1);
            }
            None => {
                lines.extend(line(&rows[at]));
                at += 1;
            }
        }
    }
    paragraphs(lines, keep_code, blocks);
}

/// How many rows from the first on are entries of a table of contents: a title, a row of dots, a page number. Entries
/// without dots count between those that have them.
fn contents(rows: &[Row]) -> usize {
    let text = |row: &Row| -> String {
        row.segments.iter().map(|segment| segment.text.as_str()).collect::<Vec<_>>().join(" ")
    };
    let is_numbered = |text: &str| text.split_whitespace().next_back().is_some_and(is_folio);
    let (mut n_entries, mut n_dotted) = (0, 0);
    for row in rows {
        let text = text(row);
        if !is_numbered(&text) || row.segments.len() < 2 && !has_leader(&text) {
            break;
        }
        n_entries += 1;
        n_dotted += usize::from(has_leader(&text));
    }
    if n_dotted >= 2 || n_dotted == n_entries { n_entries } else { 0 }
}

/// A page number, arabic or roman.
fn is_folio(word: &str) -> bool {
    !word.is_empty()
        && word.len() <= 6
        && (word.chars().all(|c| c.is_ascii_digit()) || word.chars().all(|c| "ivxlc".contains(c)))
}

/// Four dots or more, spaced or not.
fn has_leader(text: &str) -> bool {
    let mut n_dots = 0;
    for character in text.chars() {
        match character {
            '.' | '·' | '…' => n_dots += if character == '…' { 3 } else { 1 },
            ' ' => {}
            _ => n_dots = 0,
        }
        if n_dots >= 4 {
            return true;
        }
    }
    false
}

/// Segments by line, from the top; a marker stands with the text that it marks.
fn rows(mut segments: Vec<Segment>) -> Vec<Row> {
    segments.sort_by(|a, b| a.v.total_cmp(&b.v).then(a.bbox.x0.total_cmp(&b.bbox.x0)));
    let mut rows: Vec<Row> = Vec::new();
    for segment in segments {
        match rows.last_mut() {
            Some(row) if segment.v - row.v() <= 0.3 * segment.size.min(row.size()) => row.segments.push(segment),
            _ => rows.push(Row { segments: vec![segment] }),
        }
    }
    for row in &mut rows {
        row.segments.sort_by(|a, b| a.bbox.x0.total_cmp(&b.bbox.x0));
        let marks = row.segments.first().is_some_and(|first| is_marker(&first.text));
        if marks && row.segments.len() > 1 {
            let text = row.segments.remove(1);
            if let Some(marker) = row.segments.first_mut() {
                marker.text = format!("{} {}", marker.text, text.text);
                marker.words.extend(text.words);
                marker.bbox = marker.bbox.union(text.bbox);
                marker.style = text.style;
                marker.size = text.size;
            }
        }
    }
    rows
}

/// The texts of a row as one line.
fn line(row: &Row) -> Option<Line> {
    let first = row.segments.first()?;
    let texts: Vec<&str> = row.segments.iter().map(|segment| segment.text.as_str()).collect();
    let bbox = row.segments.iter().map(|segment| segment.bbox).reduce(BBox::union)?;
    let all = |set: fn(&Style) -> bool| row.segments.iter().all(|segment| set(&segment.style));
    let style = Style {
        bold: all(|style| style.bold),
        italic: all(|style| style.italic),
        fixed_pitch: all(|style| style.fixed_pitch),
    };
    Some(Line { text: texts.join(" "), bbox, v: first.v, size: first.size, style })
}

/// Groups lines into blocks.
fn paragraphs(lines: Vec<Line>, keep_code: bool, blocks: &mut Vec<Block>) {
    let right = lines.iter().map(|line| line.bbox.x1).fold(f32::MIN, f32::max);
    let leading = leading(&lines);
    let mut block: Vec<Line> = Vec::new();
    for line in lines {
        let parted = block.last().is_some_and(|last| {
            let code = keep_code && last.style.fixed_pitch && line.style.fixed_pitch;
            if code { !same_listing(last, &line) } else { begins(&block, last, &line, right, leading, keep_code) }
        });
        if parted {
            blocks.push(Block::Text(std::mem::take(&mut block)));
        }
        block.push(line);
    }
    if !block.is_empty() {
        blocks.push(Block::Text(block));
    }
}

/// The usual step from line to line in ems.
fn leading(lines: &[Line]) -> f32 {
    let steps = lines.windows(2).filter(|pair| (pair[0].size - pair[1].size).abs() < 0.1);
    let mut steps: Vec<f32> = steps
        .map(|pair| (pair[1].v - pair[0].v) / pair[0].size.max(0.1))
        .filter(|step| (0.8..2.2).contains(step))
        .collect();
    steps.sort_by(f32::total_cmp);
    // A low quantile: the step within paragraphs, not the one between them.
    steps.get(steps.len() / 4).copied().unwrap_or(USUAL_LEADING)
}

fn same_listing(last: &Line, line: &Line) -> bool {
    (last.size - line.size).abs() < 0.1 * last.size && line.v - last.v < 3.2 * last.size
}

/// Whether a line begins a new block after `last`.
fn begins(block: &[Line], last: &Line, line: &Line, right: f32, leading: f32, keep_code: bool) -> bool {
    let size = last.size.max(0.1);
    let step = line.v - last.v;
    let differs = (line.size / size - 1.0).abs() > 0.08
        || line.style.bold != last.style.bold
        || keep_code && line.style.fixed_pitch != last.style.fixed_pitch;
    if differs || step > PARAGRAPH_GAP * leading * size || step < 0.0 || marker(&line.text).is_some() {
        return true;
    }
    let listed = block.first().is_some_and(|first| marker(&first.text).is_some());
    let indent = (line.bbox.x0 - last.bbox.x0) / size;
    if listed {
        // Lines of an item hang under its text; one further left than the marker ends it.
        return block.first().is_some_and(|first| line.bbox.x0 < first.bbox.x0 - 0.5 * size)
            || block.len() > 1 && indent < -INDENT;
    }
    if indent > INDENT || indent < -INDENT && block.len() > 1 {
        return true;
    }
    // A ragged last line: there was room for the next word, and a sentence had ended.
    let next_word = line.text.split_whitespace().next().map_or(0, |word| word.chars().count());
    let room = right - last.bbox.x1 > (next_word as f32 * 0.55 + 2.0) * size;
    room && last.text.ends_with(['.', '!', '?', ':'])
        && line.text.starts_with(|c: char| c.is_uppercase() || c.is_numeric())
}

/// A list marker at the beginning of a line, as printed: a bullet, "1.", "b)", "(3)", "iv.".
pub(super) fn marker(text: &str) -> Option<&str> {
    let end = text.find(char::is_whitespace)?;
    let (first, rest) = text.split_at(end);
    (is_marker(first) && !rest.trim().is_empty()).then_some(first)
}

/// Whether a word is a list marker.
pub(super) fn is_marker(word: &str) -> bool {
    if is_bullet(word) {
        return true;
    }
    let word = word.strip_prefix('(').unwrap_or(word);
    let Some(number) = word.strip_suffix(['.', ')']) else { return false };
    let n_characters = number.chars().count();
    let digits = n_characters <= 3 && number.chars().all(|c| c.is_ascii_digit());
    let letter = n_characters == 1 && number.chars().all(|c| c.is_ascii_alphabetic());
    let roman = n_characters <= 5 && number.chars().all(|c| matches!(c, 'i' | 'v' | 'x'));
    n_characters > 0 && (digits || letter || roman)
}

/// Whether a word is a bullet.
pub(super) fn is_bullet(word: &str) -> bool {
    let mut characters = word.chars();
    let (Some(first), None) = (characters.next(), characters.next()) else { return false };
    matches!(
        first,
        '•' | '‣'
            | '◦'
            | '▪'
            | '▫'
            | '■'
            | '□'
            | '●'
            | '○'
            | '◆'
            | '◇'
            | '➢'
            | '➤'
            | '►'
            | '▶'
            | '✓'
            | '✔'
            | '·'
            | '∙'
            | '–'
            | '—'
            | '-'
            | '−'
            | '*'
            | '⁃'
            | '❑'
            | '❖'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers() {
        for text in ["1. Close it", "b) open", "• oil", "(3) x", "iv. y", "- z"] {
            assert!(marker(text).is_some(), "{text}");
        }
        for text in ["1.5 mm", "2026. Not", "word. x", "•", "3 bolts"] {
            assert!(marker(text).is_none(), "{text}");
        }
    }
}
