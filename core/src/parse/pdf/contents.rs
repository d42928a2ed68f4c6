//! Entries of a table of contents: they announce what stands elsewhere and must not be found in its place.

use super::{blocks::Block, headings::Placed, rows::Row};

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
        assert!(is_folio("12") && is_folio("xiv") && !is_folio("12mm") && !is_folio(""));
    }
}
