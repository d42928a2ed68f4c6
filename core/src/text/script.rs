//! The script a text is written in.

/// A script, with the letters that its words begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Script {
    /// Its name in English.
    pub name: &'static str,
    /// The first of its letters, folded.
    pub first: char,
    /// The last of its letters.
    pub last: char,
}

/// The scripts that are told apart: those of Europe, India, and East Asia, as their Unicode blocks.
const SCRIPTS: [Script; 18] = [
    Script { name: "Latin", first: 'a', last: 'z' },
    Script { name: "Greek", first: '\u{370}', last: '\u{3ff}' },
    Script { name: "Cyrillic", first: '\u{400}', last: '\u{52f}' },
    Script { name: "Hebrew", first: '\u{590}', last: '\u{5ff}' },
    Script { name: "Arabic", first: '\u{600}', last: '\u{6ff}' },
    Script { name: "Devanagari", first: '\u{900}', last: '\u{97f}' },
    Script { name: "Bengali", first: '\u{980}', last: '\u{9ff}' },
    Script { name: "Gurmukhi", first: '\u{a00}', last: '\u{a7f}' },
    Script { name: "Gujarati", first: '\u{a80}', last: '\u{aff}' },
    Script { name: "Tamil", first: '\u{b80}', last: '\u{bff}' },
    Script { name: "Telugu", first: '\u{c00}', last: '\u{c7f}' },
    Script { name: "Kannada", first: '\u{c80}', last: '\u{cff}' },
    Script { name: "Malayalam", first: '\u{d00}', last: '\u{d7f}' },
    Script { name: "Thai", first: '\u{e00}', last: '\u{e7f}' },
    Script { name: "Japanese", first: '\u{3040}', last: '\u{30ff}' },
    Script { name: "Chinese", first: '\u{4e00}', last: '\u{9fff}' },
    Script { name: "Korean", first: '\u{ac00}', last: '\u{d7a3}' },
    Script { name: "Armenian", first: '\u{530}', last: '\u{58f}' },
];

/// The script of all letters of a text; `None` where it has none, or several, or one that is not known here. O(n).
#[must_use]
pub fn script(text: &str) -> Option<Script> {
    let of = |c: char| SCRIPTS.iter().find(|script| (script.first..=script.last).contains(&c));
    let mut found = None;
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        // Accented Latin letters fold to plain ones.
        let plain = if c < '\u{250}' { 'a' } else { c };
        let script = of(plain)?;
        if found.is_some_and(|known| known != script) {
            return None;
        }
        found = Some(script);
    }
    found.copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_told_if_it_is_the_only_one() {
        let name = |text: &str| script(text).map(|script| script.name);
        assert_eq!(name("Größe 12"), Some("Latin"));
        assert_eq!(name("पंप की सील?"), Some("Devanagari"));
        assert_eq!(name("насос"), Some("Cyrillic"));
        for text in ["", "48291", "насос P-101", "ʘ"] {
            assert_eq!(name(text), None, "{text}");
        }
    }
}
