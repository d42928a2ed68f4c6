//! Names of the Office Open XML vocabulary: namespaces, transitional and strict, and the meaning of style names.

use crate::parse::admonition;

use super::styles::Role;

/// The prefixes under which this reader knows the vocabularies of a DOCX package.
pub(super) fn prefixes(uri: &str) -> Option<&'static str> {
    Some(match uri {
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
        | "http://purl.oclc.org/ooxml/wordprocessingml/main" => "w",
        "http://schemas.openxmlformats.org/officeDocument/2006/math"
        | "http://purl.oclc.org/ooxml/officeDocument/math" => "m",
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        | "http://purl.oclc.org/ooxml/officeDocument/relationships" => "r",
        "http://schemas.openxmlformats.org/package/2006/relationships" => "rel",
        "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
        | "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing" => "wp",
        "http://schemas.openxmlformats.org/drawingml/2006/main" | "http://purl.oclc.org/ooxml/drawingml/main" => "a",
        "http://schemas.openxmlformats.org/drawingml/2006/picture" | "http://purl.oclc.org/ooxml/drawingml/picture" => {
            "pic"
        }
        "http://schemas.openxmlformats.org/drawingml/2006/diagram" | "http://purl.oclc.org/ooxml/drawingml/diagram" => {
            "dgm"
        }
        "http://schemas.openxmlformats.org/drawingml/2006/chart" | "http://purl.oclc.org/ooxml/drawingml/chart" => "c",
        "http://schemas.microsoft.com/office/word/2010/wordprocessingShape" => "wps",
        "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup" => "wpg",
        "http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas" => "wpc",
        "http://schemas.microsoft.com/office/word/2010/wordml" => "w14",
        "http://schemas.openxmlformats.org/markup-compatibility/2006" => "mc",
        "urn:schemas-microsoft-com:vml" => "v",
        "urn:schemas-microsoft-com:office:office" => "o",
        "http://schemas.openxmlformats.org/package/2006/metadata/core-properties" => "cp",
        "http://purl.org/dc/elements/1.1/" => "dc",
        "http://purl.org/dc/terms/" => "dcterms",
        _ => return None,
    })
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
    use crate::document::{NodeKind, WarningGrade};

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
