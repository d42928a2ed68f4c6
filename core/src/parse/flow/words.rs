//! The words of a paragraph as they are gathered, run by run: what is shown of them and what is not.

/// Formatting that matters for what a text is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::parse) struct Format {
    pub(in crate::parse) bold: Option<bool>,
    pub(in crate::parse) hidden: Option<bool>,
    pub(in crate::parse) white: Option<bool>,
    /// There is a colour behind it.
    pub(in crate::parse) shaded: Option<bool>,
    pub(in crate::parse) tiny: Option<bool>,
    pub(in crate::parse) font: Option<Box<str>>,
}

impl Format {
    /// This over what it inherits.
    pub(in crate::parse) fn over(self, inherited: &Self) -> Self {
        Self {
            bold: self.bold.or(inherited.bold),
            hidden: self.hidden.or(inherited.hidden),
            white: self.white.or(inherited.white),
            shaded: self.shaded.or(inherited.shaded),
            tiny: self.tiny.or(inherited.tiny),
            font: self.font.or_else(|| inherited.font.clone()),
        }
    }

    /// Whether every character is as wide as every other.
    pub(in crate::parse) fn is_monospaced(&self) -> bool {
        const FONTS: [&str; 9] =
            ["courier", "consolas", "mono", "menlo", "monaco", "terminal", "fixedsys", "andale", "letter gothic"];
        self.font.as_ref().is_some_and(|font| {
            let font = font.to_lowercase();
            FONTS.iter().any(|name| font.contains(name)) && !font.contains("monotype")
        })
    }

    /// Why a person does not see a text in this format. White text is read where a ground may be behind it.
    fn hides(&self, on_ground: bool) -> Option<&'static str> {
        match self {
            Self { hidden: Some(true), .. } => Some("style"),
            Self { white: Some(true), shaded, .. } if !on_ground && *shaded != Some(true) => Some("white"),
            Self { tiny: Some(true), .. } => Some("tiny"),
            _ => None,
        }
    }
}

/// A paragraph's words.
#[derive(Debug, Default)]
pub(in crate::parse) struct Words {
    /// As shown, tabulators and line breaks kept.
    pub(in crate::parse) text: String,
    lead: String,
    lead_over: bool,
    n_bold: usize,
    n_monospaced: usize,
    n_formula: usize,
    /// The equations in the text, each as a line.
    pub(in crate::parse) formulas: Vec<String>,
    /// Text that is there but not shown, and why.
    pub(in crate::parse) hidden: Vec<(&'static str, String)>,
}

impl Words {
    /// Begins with a text that another paragraph left.
    pub(in crate::parse) fn after(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// Adds words of one format.
    pub(in crate::parse) fn push(&mut self, text: &str, format: &Format, on_ground: bool) {
        let blank = text.trim().is_empty();
        if let Some(why) = format.hides(on_ground).filter(|_| !blank) {
            match self.hidden.last_mut() {
                Some((before, hidden)) if *before == why => hidden.push_str(text),
                _ => self.hidden.push((why, text.to_owned())),
            }
            return;
        }
        let bold = format.bold == Some(true);
        self.lead_over |= !bold && !blank;
        if !self.lead_over {
            self.lead.push_str(text);
        }
        if bold {
            self.n_bold += n_shown(text);
        }
        if format.is_monospaced() {
            self.n_monospaced += n_shown(text);
        }
        self.text.push_str(text);
    }

    /// Adds an equation.
    pub(in crate::parse) fn formula(&mut self, line: String) {
        if !line.is_empty() {
            self.lead_over = true;
            self.n_formula += n_shown(&line);
            self.text.push_str(&line);
            self.formulas.push(line);
        }
    }

    /// Whether nothing was shown so far.
    pub(in crate::parse) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The bold words it begins with.
    pub(in crate::parse) fn lead(&self) -> &str {
        self.lead.trim()
    }

    /// Whether there is nothing but formulas.
    pub(in crate::parse) fn is_formula(&self) -> bool {
        self.is_all(self.n_formula)
    }

    /// Whether everything is bold.
    pub(in crate::parse) fn is_bold(&self) -> bool {
        self.is_all(self.n_bold)
    }

    /// Whether everything is set as program text is.
    pub(in crate::parse) fn is_code(&self) -> bool {
        self.is_all(self.n_monospaced)
    }

    fn is_all(&self, n: usize) -> bool {
        n > 0 && n == n_shown(&self.text)
    }
}

/// Number of bytes that are not blank.
fn n_shown(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).map(char::len_utf8).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fonts_of_one_width() {
        let font = |name: &str| Format { font: Some(name.into()), ..Format::default() }.is_monospaced();
        assert!(font("Courier New") && font("DejaVu Sans Mono") && !font("Monotype Corsiva") && !font("Arial"));
    }

    #[test]
    fn what_is_bold_is_known_of_the_beginning_and_the_whole() {
        let bold = Format { bold: Some(true), ..Format::default() };
        let mut words = Words::default();
        words.push("Note ", &bold, false);
        assert!(words.is_bold());
        words.push("that", &Format::default(), false);
        words.push(" more", &bold, false);
        assert_eq!((words.lead(), words.is_bold(), words.text.as_str()), ("Note", false, "Note that more"));
    }

    #[test]
    fn hidden_words_are_kept_apart() {
        let white = Format { white: Some(true), ..Format::default() };
        let mut words = Words::default();
        words.push("a", &Format::default(), false);
        words.push("b", &white, false);
        words.push("c", &white, true);
        assert_eq!((words.text.as_str(), words.hidden.as_slice()), ("ac", [("white", "b".to_owned())].as_slice()));
    }
}
