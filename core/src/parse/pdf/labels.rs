//! Blocks that say what they are: captions, and signal words set apart from what they warn of.

use super::{rows::Line, tables::Table};
use crate::{
    document::NodeKind,
    parse::admonition::{self, Label},
};

/// Longer texts are sentences about a figure, not its caption.
const MAX_CAPTION_CHARACTERS: usize = 300;

/// What a caption belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Captioned {
    Figure,
    Table,
}

/// What a text is the caption of: "Figure 3.1: …", "Tabelle 2 – …".
pub(super) fn caption(text: &str) -> Option<Captioned> {
    let (word, rest) = text.split_once(char::is_whitespace)?;
    let of = match word.to_lowercase().trim_end_matches('.') {
        "figure" | "fig" | "abbildung" | "abb" | "bild" | "figura" => Captioned::Figure,
        "table" | "tab" | "tabelle" | "tableau" | "tabla" | "tabella" => Captioned::Table,
        _ => return None,
    };
    let rest = rest.trim_start();
    let number_ends = rest.find(|c: char| !(c.is_alphanumeric() || c == '.' || c == '-')).unwrap_or(rest.len());
    let (number, after) = rest.split_at(number_ends);
    let counts = number.chars().any(|c| c.is_ascii_digit()) && number.chars().count() <= 8;
    let set_off =
        number.ends_with('.') || after.is_empty() || after.trim_start().starts_with([':', '–', '—', '-', '|']);
    (counts && set_off && text.chars().count() <= MAX_CAPTION_CHARACTERS).then_some(of)
}

/// The signal word that a block begins with. Bold or alone on its line it needs no colon.
pub(super) fn label(lines: &[Line], text: &str) -> Option<Label> {
    if let Some(label) = admonition::recognise(text) {
        return Some(label);
    }
    let first = lines.first()?;
    // In a box of its own beside the text: "WARNING   Hot surface."
    let word = first.text.split_whitespace().next().unwrap_or_default();
    let beside = first.n_segments > 1 && lines.first().is_some_and(|line| line.text.len() > word.len());
    if beside
        && !word.chars().any(char::is_lowercase)
        && let Some(label) = admonition::recognise(&format!("{}:", word.trim_end_matches([':', '!'])))
    {
        return Some(Label { alone: false, ..label });
    }
    let set_apart = lines.len() > 1 || first.style.bold;
    let label =
        set_apart.then(|| admonition::recognise(&format!("{}:", first.text.trim_end_matches([':', '!']))))??;
    label.alone.then_some(Label { alone: lines.len() == 1, ..label })
}

/// Raised letters from a on; there is none for q.
const RAISED_LETTERS: [(char, char); 25] = [
    ('a', 'ᵃ'),
    ('b', 'ᵇ'),
    ('c', 'ᶜ'),
    ('d', 'ᵈ'),
    ('e', 'ᵉ'),
    ('f', 'ᶠ'),
    ('g', 'ᵍ'),
    ('h', 'ʰ'),
    ('i', 'ⁱ'),
    ('j', 'ʲ'),
    ('k', 'ᵏ'),
    ('l', 'ˡ'),
    ('m', 'ᵐ'),
    ('n', 'ⁿ'),
    ('o', 'ᵒ'),
    ('p', 'ᵖ'),
    ('r', 'ʳ'),
    ('s', 'ˢ'),
    ('t', 'ᵗ'),
    ('u', 'ᵘ'),
    ('v', 'ᵛ'),
    ('w', 'ʷ'),
    ('x', 'ˣ'),
    ('y', 'ʸ'),
    ('z', 'ᶻ'),
];

/// A small letter as a raised character.
pub(super) fn raised_letter(letter: char) -> Option<char> {
    RAISED_LETTERS.iter().find(|(plain, _)| *plain == letter).map(|(_, raised)| *raised)
}

/// What a raised figure or letter is when it is not raised.
pub(super) fn lowered(raised: char) -> Option<char> {
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let digit = RAISED.chars().position(|other| other == raised).and_then(|digit| char::from_digit(digit as u32, 10));
    digit.or_else(|| RAISED_LETTERS.iter().find(|(_, other)| *other == raised).map(|(plain, _)| *plain))
}

/// The same where the figures are not raised: they stand right at the first word.
pub(super) fn plain_footnote_mark(text: &str) -> Option<String> {
    let mark: String = text.chars().take_while(char::is_ascii_digit).collect();
    let word = text.get(mark.len()..)?;
    (matches!(mark.len(), 1 | 2) && word.starts_with(|c: char| c.is_uppercase() || c == '“' || c == '"'))
        .then_some(mark)
}

/// The parts of a table that is none, but a signal word with what it says in boxes beside it: grade, word, text.
pub(super) fn panel(table: &Table) -> Option<(NodeKind, String, String)> {
    let [row] = table.rows.as_slice() else { return None };
    let mut filled = row.iter().filter(|cell| !cell.text.is_empty());
    let (first, rest) = (filled.next()?, filled.next()?);
    // A narrow box divides the word.
    let word: String = first.text.chars().filter(|c| !c.is_whitespace()).collect();
    let label = admonition::recognise(&first.text).or_else(|| admonition::recognise(&word))?;
    (label.alone && filled.next().is_none() && !word.chars().any(char::is_lowercase)).then(|| {
        let word = if admonition::recognise(&first.text).is_some() { first.text.clone() } else { word };
        (label.kind, word, rest.text.clone())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_are_set_off() {
        assert_eq!(caption("Figure 3.1: Block diagram"), Some(Captioned::Figure));
        assert_eq!(caption("Tab. 2 – Torques"), Some(Captioned::Table));
        assert_eq!(caption("Abbildung 4. Pumpe"), Some(Captioned::Figure));
        assert_eq!(caption("Table 2 shows the torques"), None);
        assert_eq!(caption("Figure it out: now"), None);
    }
}
