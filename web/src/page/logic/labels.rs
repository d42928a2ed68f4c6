//! Takes apart the words that documents carry in front of things (list markers, "WARNING:") and the names of files.

use millwright_core::document::WarningGrade;

/// A list item's marker and the rest: "1. Close the valve" gives "1." and "Close the valve". Without a marker the first
/// is empty.
pub(crate) fn split_marker(text: &str) -> (&str, &str) {
    let Some((first, rest)) = text.split_once(char::is_whitespace) else {
        return ("", text);
    };
    let core = first.trim_start_matches('(').trim_end_matches(['.', ')']);
    let is_numbered = first.len() > core.len()
        && !core.is_empty()
        && core.len() <= 6
        && (core.bytes().all(|b| b.is_ascii_digit() || b == b'.')
            || (core.len() == 1 && core.bytes().all(|b| b.is_ascii_alphabetic())));
    let is_bullet = matches!(first, "-" | "*" | "+" | "•" | "–" | "—" | "▪" | "◦" | "·" | "‣" | "●" | "○");
    if is_numbered || is_bullet { (first, rest.trim_start()) } else { ("", text) }
}

/// How grave a warning's text says that it is, and where its own words begin after that: "WARNING: hot" gives `Warning`
/// and 9. `None` where it does not say.
pub(crate) fn leading_grade(text: &str) -> Option<(WarningGrade, usize)> {
    let words = [
        ("danger", WarningGrade::Danger),
        ("warning", WarningGrade::Warning),
        ("caution", WarningGrade::Caution),
        ("notice", WarningGrade::Notice),
    ];
    let begin = text.len() - text.trim_start_matches(|c: char| c.is_whitespace() || "*_!⚠\u{fe0f}[".contains(c)).len();
    words.into_iter().find_map(|(word, grade)| {
        let after = text
            .get(begin..begin + word.len())
            .filter(|head| head.eq_ignore_ascii_case(word))
            .map(|_| begin + word.len())?;
        // "Warnings apply to …" and "Danger zone" are sentences; a label is set off by a mark or a line's end.
        let rest = &text[after..];
        let label_end = rest.trim_start_matches([' ', '*', '_', ']', '!', ':', '.', '–', '—', '-']);
        let set_off = rest.len() - label_end.len();
        let is_label = rest.is_empty()
            || rest.starts_with('\n')
            || rest[..set_off].contains([':', '!', '*', ']', '–', '—', '.', '-']);
        is_label.then(|| (grade, text.len() - label_end.trim_start().len()))
    })
}

/// A name's folder (empty at the top) and the file's own name.
pub(crate) fn split_name(name: &str) -> (&str, &str) {
    name.rsplit_once('/').unwrap_or(("", name))
}

/// Whether a file is one that operating systems and programs leave behind, which nobody means to add.
pub(crate) fn is_clutter(path: &str) -> bool {
    let (folder, file) = split_name(path);
    let is_hidden = |part: &str| part.len() > 1 && part.starts_with('.');
    matches!(file, "Thumbs.db" | "desktop.ini")
        || file.starts_with("~$")
        || is_hidden(file)
        || folder.split('/').any(|part| is_hidden(part) || matches!(part, "__MACOSX" | "$RECYCLE.BIN"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn markers_are_told_from_words() {
        assert_eq!(split_marker("1. Close"), ("1.", "Close"));
        assert_eq!(split_marker("(b) Open"), ("(b)", "Open"));
        assert_eq!(split_marker("3.2.1) Turn"), ("3.2.1)", "Turn"));
        assert_eq!(split_marker("•  Oil"), ("•", "Oil"));
        assert_eq!(split_marker("M6 bolts"), ("", "M6 bolts"));
        assert_eq!(split_marker("12 bolts"), ("", "12 bolts"));
        assert_eq!(split_marker("Done."), ("", "Done."));
    }

    #[test]
    fn grades_are_read_off_labels_only() {
        let read = |text: &str| leading_grade(text).map(|(grade, at)| (grade, text[at..].to_owned()));
        assert_eq!(read("WARNING: Hot surface"), Some((WarningGrade::Warning, "Hot surface".to_owned())));
        assert_eq!(read("**Danger!** 400 V"), Some((WarningGrade::Danger, "400 V".to_owned())));
        assert_eq!(read("Caution\nWear gloves"), Some((WarningGrade::Caution, "Wear gloves".to_owned())));
        assert_eq!(read("⚠️ Notice – dry running"), Some((WarningGrade::Notice, "dry running".to_owned())));
        assert_eq!(read("Warnings apply"), None);
        assert_eq!(read("Danger zone ahead"), None);
        assert_eq!(read("Hot"), None);
    }

    #[test]
    fn clutter_is_left_out_and_documents_are_not() {
        for clutter in [".DS_Store", "a/Thumbs.db", "a/.git/config", "~$plan.docx", "__MACOSX/a.pdf", "x/._a.pdf"] {
            assert!(is_clutter(clutter), "{clutter}");
        }
        for document in ["a.pdf", "v1.2/read me.md", "a..b.txt"] {
            assert!(!is_clutter(document), "{document}");
        }
        assert_eq!(split_name("a/b/c.md"), ("a/b", "c.md"));
        assert_eq!(split_name("c.md"), ("", "c.md"));
    }
}
