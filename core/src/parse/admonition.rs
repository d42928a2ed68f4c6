//! Safety warnings and notes by their signal words, for every parser.
//!
//! Grades follow ANSI Z535.6 and its usual translations. Not for judging what a text means: only the word it begins
//! with, or the class its author gave it, decides.

use crate::document::{NodeKind, WarningGrade};

/// A signal word at the beginning of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    /// What the text is.
    pub(crate) kind: NodeKind,
    /// The label is all there is: what it speaks of follows.
    pub(crate) alone: bool,
}

/// The signal word that a block of text begins with: `WARNING:`, `Caution!`, `⚠ DANGER – …`, `Hinweis:`, or a line of
/// its own in capitals. A word inside running text or in lower case is none. O(1).
pub(crate) fn recognise(text: &str) -> Option<Label> {
    let decoration =
        |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '!' | '>' | '[' | '¡' | '⚠' | '\u{fe0f}' | '☠' | '⚡');
    let text = text.trim_start_matches(decoration);
    let inside = |c: char| c.is_alphabetic() || c == ' ' || is_mark(c);
    // A signal word is short: where none ends soon, there is none.
    let end = match text.char_indices().take(40).find(|(_, c)| !inside(*c)) {
        Some((end, _)) => end,
        None if text.len() <= 160 => text.len(),
        None => return None,
    };
    let word = text[..end].trim_end();
    if word.is_empty() || word.starts_with(char::is_lowercase) {
        return None;
    }
    let after = text[word.len()..].trim_start_matches(['*', '_', ']', ' ']);
    let capitals = !word.chars().any(char::is_lowercase);
    let kind = signal_word(word, capitals)?;
    let rest = after.trim_start_matches([':', '!', '：', '*', '_', ']', ' ']);
    let separated =
        after.starts_with([':', '!', '：', '\n', '\r']) || (capitals && after.starts_with(['-', '–', '—', '|']));
    let alone = rest.trim().is_empty();
    // "Note" alone is a heading or a column's name as often as a label: alone, only capitals or a colon count.
    (separated || (alone && capitals)).then_some(Label { kind, alone })
}

/// The same for a text whose first words, `lead`, stand in bold: set apart like that, they need no mark after them.
pub(crate) fn led_by(lead: &str, text: &str) -> Option<Label> {
    let short = !lead.is_empty() && lead.len() <= 60 && text.starts_with(lead);
    let label = short.then(|| recognise(&format!("{lead}:"))).flatten()?;
    Some(Label { alone: text[lead.len()..].trim().is_empty(), ..label })
}

/// What an author's own class or alert name means: GitHub's alerts, Sphinx, MkDocs and Bootstrap.
pub(crate) fn named(name: &str) -> Option<NodeKind> {
    let name = name.to_ascii_lowercase();
    let bare = ["markdown-alert-", "admonition-", "callout-", "alert-", "panel-", "box-", "is-"]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(&name);
    Some(match bare {
        "danger" | "error" => NodeKind::Warning(WarningGrade::Danger),
        "warning" | "warn" => NodeKind::Warning(WarningGrade::Warning),
        "caution" | "attention" => NodeKind::Warning(WarningGrade::Caution),
        "notice" => NodeKind::Warning(WarningGrade::Notice),
        "note" | "tip" | "hint" | "important" | "info" | "seealso" => NodeKind::Note,
        _ => return None,
    })
}

/// Vowel signs and the like, without which words of Indian scripts would end too early.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036f}' | '\u{0900}'..='\u{0903}' | '\u{093a}'..='\u{094f}')
}

fn signal_word(word: &str, capitals: bool) -> Option<NodeKind> {
    use WarningGrade::{Caution, Danger, Notice, Warning};
    Some(match word.to_uppercase().as_str() {
        "DANGER" | "GEFAHR" | "LEBENSGEFAHR" | "PELIGRO" | "PERICOLO" | "PERIGO" | "GEVAAR" | "खतरा" => {
            NodeKind::Warning(Danger)
        }
        "WARNING"
        | "SAFETY WARNING"
        | "WARNUNG"
        | "AVERTISSEMENT"
        | "ADVERTENCIA"
        | "AVVERTENZA"
        | "AVVERTIMENTO"
        | "ADVERTÊNCIA"
        | "WAARSCHUWING"
        | "चेतावनी" => NodeKind::Warning(Warning),
        "CAUTION"
        | "VORSICHT"
        | "ACHTUNG"
        | "ATTENTION"
        | "ATENCIÓN"
        | "ATENCION"
        | "PRECAUCIÓN"
        | "ATTENZIONE"
        | "ATENÇÃO"
        | "VOORZICHTIG"
        | "सावधानी" => NodeKind::Warning(Caution),
        // In capitals these are the signal words for damage to property; otherwise they introduce a remark.
        "NOTICE" | "SAFETY NOTICE" | "AVIS" | "AVISO" | "AVVISO" | "HINWEIS" if capitals => NodeKind::Warning(Notice),
        "NOTICE" | "AVIS" | "AVISO" | "AVVISO" | "HINWEIS" | "NOTE" | "NOTES" | "PLEASE NOTE" | "IMPORTANT NOTE"
        | "IMPORTANT" | "TIP" | "HINT" | "TIPP" | "WICHTIG" | "REMARQUE" | "NOTA" | "IMPORTANTE" | "INFO" => {
            NodeKind::Note
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use WarningGrade::{Caution, Danger, Notice, Warning};

    fn grade(text: &str) -> Option<NodeKind> {
        recognise(text).map(|label| label.kind)
    }

    #[test]
    fn signal_words_are_graded() {
        assert_eq!(grade("WARNING: hot surface"), Some(NodeKind::Warning(Warning)));
        assert_eq!(grade("⚠️ Danger! High voltage"), Some(NodeKind::Warning(Danger)));
        assert_eq!(grade("VORSICHT – Quetschgefahr"), Some(NodeKind::Warning(Caution)));
        assert_eq!(grade("**HINWEIS:** nur mit Öl"), Some(NodeKind::Warning(Notice)));
        assert_eq!(grade("Hinweis: siehe Kapitel 3"), Some(NodeKind::Note));
        assert_eq!(grade("¡ATENCIÓN! x"), Some(NodeKind::Warning(Caution)));
        assert_eq!(grade("ATENCIÓN: superficie caliente"), Some(NodeKind::Warning(Caution)));
        assert_eq!(grade("चेतावनी: गरम सतह"), Some(NodeKind::Warning(Warning)));
    }

    #[test]
    fn a_label_alone_announces_what_follows() {
        assert_eq!(recognise("WARNING"), Some(Label { kind: NodeKind::Warning(Warning), alone: true }));
        assert_eq!(recognise("Caution!"), Some(Label { kind: NodeKind::Warning(Caution), alone: true }));
        assert_eq!(recognise("DANGER\nHigh voltage").map(|label| label.alone), Some(false));
    }

    #[test]
    fn words_in_running_text_are_none() {
        for text in [
            "Warning lights are red",
            "warning: unused",
            "Note that",
            "Note",
            "The WARNING: x",
            "Attention to detail: y",
            "",
        ] {
            assert_eq!(grade(text), None, "{text}");
        }
    }

    #[test]
    fn bold_type_sets_a_word_apart() {
        let led = |lead, text| led_by(lead, text).map(|label| (label.kind, label.alone));
        assert_eq!(led("WARNING", "WARNING Never reach in."), Some((NodeKind::Warning(Warning), false)));
        assert_eq!(led("Note", "Note"), Some((NodeKind::Note, true)));
        assert_eq!(led("Warning lights", "Warning lights are red."), None);
        assert_eq!(led("", "WARNING x"), None);
    }

    #[test]
    fn names_of_alerts_and_classes() {
        assert_eq!(named("WARNING"), Some(NodeKind::Warning(Warning)));
        assert_eq!(named("alert-danger"), Some(NodeKind::Warning(Danger)));
        assert_eq!(named("container"), None);
    }
}
