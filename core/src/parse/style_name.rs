//! What the names of styles say, in the languages in which word processors and people write them.

use super::admonition;
use crate::document::NodeKind;

/// What a paragraph's style makes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A heading; 1 is the outermost.
    Heading(u8),
    /// The document's title.
    Title,
    /// The caption of a figure or table.
    Caption,
    /// A quotation.
    Quote,
    /// Program text.
    Code,
    /// A line of the table of contents.
    Contents,
    /// An item of a list, numbered or not.
    Item,
    /// A warning or note.
    Label(NodeKind),
}

/// Headings as programs name their styles in other languages; Word itself keeps the English names in the file.
const HEADINGS: &[&str] = &[
    "heading",
    "überschrift",
    "titre",
    "título",
    "titolo",
    "kop",
    "rubrik",
    "overskrift",
    "otsikko",
    "nagłówek",
    "nadpis",
    "címsor",
    "titlu",
    "заголовок",
    "başlık",
    "标题",
    "標題",
    "見出し",
    "제목",
    "शीर्षक",
];

/// What a style's name, in lower case, says of its paragraphs; `None` where it says nothing.
pub(super) fn role(name: &str) -> Option<Role> {
    if let Some(level) = HEADINGS.iter().find_map(|heading| numbered(name, heading)) {
        return (1..=9).contains(&level).then_some(Role::Heading(level));
    }
    Some(match name {
        "title" | "titel" | "titre" | "título" | "titolo" | "tittel" | "otsikko" | "tytuł" | "название" | "标题"
        | "表題" => Role::Title,
        "caption" | "beschriftung" | "légende" | "descripción" | "leyenda" | "didascalia" | "legenda"
        | "bijschrift" | "beskrivning" | "题注" | "図表番号" | "figure caption" | "table caption" | "illustration"
        | "table" | "drawing" | "figure" => Role::Caption,
        "quote" | "intense quote" | "block text" | "zitat" | "intensives zitat" | "citation" | "citation intense"
        | "cita" | "cita destacada" | "citazione" | "quotations" | "block quotation" => Role::Quote,
        "table of figures"
        | "toc heading"
        | "abbildungsverzeichnis"
        | "inhaltsverzeichnisüberschrift"
        | "contents heading" => Role::Contents,
        "html preformatted" | "plain text" | "macro text" | "macro" | "preformatted text" | "source code"
        | "nur text" | "quelltext" | "texte brut" => Role::Code,
        _ if numbered(name, "toc").is_some() || numbered(name, "contents").is_some() => Role::Contents,
        _ if numbered(name, "verzeichnis").is_some() => Role::Contents,
        _ if name.starts_with("list ") && !name.starts_with("list paragraph") && !name.starts_with("list continue") => {
            Role::Item
        }
        _ if is_code(name) => Role::Code,
        _ => return labelled(name),
    })
}

/// The number in `heading 1`, `heading1` or `heading_1`.
fn numbered(name: &str, word: &str) -> Option<u8> {
    name.strip_prefix(word)?.trim_start_matches([' ', '_', '-', '\u{a0}']).parse().ok()
}

fn is_code(name: &str) -> bool {
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    words.any(|word| matches!(word, "code" | "codeblock" | "listing" | "sourcecode" | "gcode" | "terminal" | "console"))
        && !name.contains("char")
        && !name.contains("caption")
}

/// A style named after a signal word: `Warning`, `Note Text`, `Achtung`.
fn labelled(name: &str) -> Option<Role> {
    let first = name.split(|c: char| !c.is_alphabetic()).next().filter(|word| !word.is_empty())?;
    // "Note Heading" and "List Note" are Word's own and say nothing of warnings.
    if name == "note heading" {
        return None;
    }
    let by_word = admonition::recognise(&format!("{}:", first.to_uppercase())).map(|label| label.kind);
    admonition::named(first).or(by_word).map(Role::Label)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::WarningGrade;

    #[test]
    fn headings_in_other_languages() {
        for name in ["heading 2", "überschrift 2", "titre 2", "título 2", "заголовок 2", "標題 2", "heading2"]
        {
            assert_eq!(role(name), Some(Role::Heading(2)), "{name}");
        }
        assert_eq!(role("heading"), None);
        assert_eq!(role("heading 10"), None);
    }

    #[test]
    fn other_styles_by_name() {
        assert_eq!(role("title"), Some(Role::Title));
        assert_eq!(role("toc 3"), Some(Role::Contents));
        assert_eq!(role("list bullet 2"), Some(Role::Item));
        assert_eq!(role("list paragraph"), None);
        assert_eq!(role("source code"), Some(Role::Code));
        assert_eq!(role("warning text"), Some(Role::Label(NodeKind::Warning(WarningGrade::Warning))));
        assert_eq!(role("achtung"), Some(Role::Label(NodeKind::Warning(WarningGrade::Caution))));
        assert_eq!(role("hinweis box"), Some(Role::Label(NodeKind::Warning(WarningGrade::Notice))));
        for name in ["normal", "body text", "note heading", "no spacing"] {
            assert_eq!(role(name), None, "{name}");
        }
    }
}
