//! Entries of a table of contents: they announce what stands elsewhere and must not be found in its place.

use super::{
    blocks::Block,
    font::Style,
    headings::Placed,
    rows::{Line, Row},
    tables::Cell,
};
use crate::document::BBox;

/// What stands over the entries.
const TITLES: [&str; 16] = [
    "contents",
    "table of contents",
    "brief contents",
    "list of figures",
    "list of tables",
    "inhalt",
    "inhaltsverzeichnis",
    "abbildungsverzeichnis",
    "tabellenverzeichnis",
    "sommaire",
    "table des matières",
    "contenido",
    "índice",
    "índice general",
    "indice",
    "sommario",
];

/// What stands over an index.
const INDEXES: [&str; 16] = [
    "index",
    "alphabetical index",
    "general index",
    "keyword index",
    "subject index",
    "stichwortverzeichnis",
    "sachwortverzeichnis",
    "schlagwortverzeichnis",
    "sachregister",
    "stichwortregister",
    "index alphabétique",
    "index général",
    "índice alfabético",
    "índice analítico",
    "indice analitico",
    "indice alfabetico",
];
/// What has fewer pages is no book: its index is as long as its text.
const MIN_BOOK_PAGES: u32 = 8;
/// Fewer entries under a title are no list.
const MIN_LISTED: usize = 4;

/// How many rows from the first on are entries: a title, a row of dots, a page number. Entries without dots count beside
/// those that have them.
pub(super) fn n_entries(rows: &[Row]) -> usize {
    let (mut n_entries, mut n_dotted) = (0, 0);
    for row in rows {
        let text = row.text();
        let dotted = has_leader(&text);
        if !text.split_whitespace().next_back().is_some_and(is_folio) || row.segments.len() < 2 && !dotted {
            break;
        }
        n_entries += 1;
        n_dotted += usize::from(dotted);
    }
    if n_dotted >= 2 || n_dotted == n_entries { n_entries } else { 0 }
}

/// Whether a row is an entry: a title, dots that lead the eye, a page number.
pub(super) fn is_entry(row: &Row) -> bool {
    let text = row.text();
    has_leader(&text) && text.split_whitespace().next_back().is_some_and(is_folio)
}

/// Counts titles over entries among these: they head no text.
pub(super) fn take_titles(blocks: &mut [Placed]) {
    for index in 1..blocks.len() {
        let (before, from) = blocks.split_at_mut(index);
        let (Some(title), Some(entries)) = (before.last_mut(), from.first()) else { continue };
        if title.heading.is_none()
            && matches!(entries.block, Block::Contents(_))
            && let Block::Text(lines) = &title.block
            && let [line] = lines.as_slice()
            && TITLES.contains(&line.text.trim().to_lowercase().as_str())
        {
            title.block = Block::Contents(lines.clone());
        }
    }
}

/// Makes entries of what stands under the title of a table of contents or of an index at the end of a book, as far as
/// most of its lines end in page numbers. They name what stands on other pages, many to a line, and would be found in
/// place of it for every word of the book. O(blocks).
pub(super) fn take_listed(blocks: &mut [Placed]) {
    let is_book = blocks.last().is_some_and(|last| last.page >= MIN_BOOK_PAGES);
    let mut at = 0;
    while at < blocks.len() {
        let title = blocks[at].heading.as_ref().map(|heading| (heading.level, heading.text.trim().to_lowercase()));
        at += 1;
        let Some((level, _)) = title.filter(|(_, title)| is_title(title, is_book)) else { continue };
        let goes_on = |placed: &&Placed| {
            placed.heading.as_ref().is_none_or(|heading| ends_in_folio(&heading.text) || heading.level > level)
        };
        let end = at + blocks[at..].iter().take_while(goes_on).count();
        let lines: Vec<Vec<Line>> = blocks[at..end].iter().map(lines_of).collect();
        let texts = || lines.iter().flatten().map(|line| line.text.as_str());
        let n_entries = texts().filter(|text| ends_in_folio(text)).count();
        if n_entries >= MIN_LISTED && n_entries * 2 >= texts().count() {
            for (placed, lines) in blocks[at..end].iter_mut().zip(lines) {
                let n_entries = lines.iter().filter(|line| ends_in_folio(&line.text)).count();
                if n_entries * 2 >= lines.len() {
                    (placed.heading, placed.term, placed.block) = (None, false, Block::Contents(lines));
                }
            }
        }
        at = end;
    }
}

fn is_title(title: &str, is_book: bool) -> bool {
    let title = title.trim_start_matches(|c: char| !c.is_alphabetic());
    TITLES.contains(&title) || is_book && INDEXES.contains(&title)
}

/// The lines of a block; a table's rows as lines.
fn lines_of(placed: &Placed) -> Vec<Line> {
    match &placed.block {
        Block::Text(lines) | Block::Contents(lines) => lines.clone(),
        Block::Table(table) => table.rows.iter().filter_map(|row| row_line(row)).collect(),
    }
}

fn row_line(row: &[Cell]) -> Option<Line> {
    let texts = row.iter().map(|cell| cell.text.as_str()).filter(|text| !text.is_empty());
    let text = texts.collect::<Vec<_>>().join(" ");
    let bbox = row.iter().map(|cell| cell.bbox).reduce(BBox::union)?;
    let size = (bbox.y1 - bbox.y0).max(1.0);
    Some(Line { text, bbox, v: bbox.y1, size, style: Style::default(), n_segments: 1, second: None, role: None })
}

/// Whether a text ends in page numbers: "Homing 12", "homing, 12, 45–47", "preface, iv".
fn ends_in_folio(text: &str) -> bool {
    let (Some(last), n_letters) =
        (text.split_whitespace().next_back(), text.chars().filter(|c| c.is_alphabetic()).count())
    else {
        return false;
    };
    n_letters >= 2 && text.contains(char::is_whitespace) && last.split(['–', '-', ',']).all(is_folio)
}

/// A page number, arabic or roman.
fn is_folio(word: &str) -> bool {
    let digits = word.chars().all(|c| c.is_ascii_digit());
    let roman = word.chars().all(|c| matches!(c, 'i' | 'v' | 'x' | 'l' | 'c'));
    !word.is_empty() && word.len() <= 6 && (digits || roman)
}

/// Four dots or more, spaced or not.
fn has_leader(text: &str) -> bool {
    let mut n_dots = 0;
    for character in text.chars() {
        match character {
            '.' | '·' => n_dots += 1,
            '…' => n_dots += 3,
            ' ' => {}
            _ => n_dots = 0,
        }
        if n_dots >= 4 {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaders_and_folios() {
        assert!(has_leader("Homing . . . . . 12") && has_leader("Homing…………12") && !has_leader("wait... 12"));
        assert!(
            ends_in_folio("homing, 12, 45–47") && ends_in_folio("Preface iv") && !ends_in_folio("homing, see axes")
        );
        assert!(is_folio("12") && is_folio("xiv") && !is_folio("12mm") && !is_folio(""));
    }
}
