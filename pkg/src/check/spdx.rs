//! Licence expressions: whether one can be satisfied with licences that we accept (SPDX 2.3, annex D).

/// Whether `accepted` licences satisfy an expression of identifiers, `WITH`, `AND`, `OR` and brackets. A `/` between two
/// licences, which older crates use, means `OR`.
///
/// # Errors
/// A sentence on what is wrong with the expression.
pub(super) fn is_satisfied(expression: &str, accepted: &[&str]) -> Result<bool, String> {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = Words { words: spaced.split_whitespace().collect(), at: 0, accepted };
    let satisfied = words.alternatives()?;
    match words.next() {
        None => Ok(satisfied),
        Some(word) => Err(format!("`{expression}`: `{word}` stands where the end was expected")),
    }
}

struct Words<'a> {
    words: Vec<&'a str>,
    at: usize,
    accepted: &'a [&'a str],
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let word = self.words.get(self.at).copied();
        self.at += 1;
        word
    }

    fn takes(&mut self, word: &str) -> bool {
        let takes = self.words.get(self.at).is_some_and(|next| *next == word);
        self.at += usize::from(takes);
        takes
    }

    /// `a OR b`, the weakest operator. Both sides are read whatever the first gives.
    fn alternatives(&mut self) -> Result<bool, String> {
        let mut satisfied = self.conjunction()?;
        while self.takes("OR") {
            satisfied |= self.conjunction()?;
        }
        Ok(satisfied)
    }

    /// `a AND b`.
    fn conjunction(&mut self) -> Result<bool, String> {
        let mut satisfied = self.single()?;
        while self.takes("AND") {
            satisfied &= self.single()?;
        }
        Ok(satisfied)
    }

    /// A licence, with its exception if it has one, or brackets.
    fn single(&mut self) -> Result<bool, String> {
        if self.takes("(") {
            let satisfied = self.alternatives()?;
            return if self.takes(")") { Ok(satisfied) } else { Err("a bracket is not closed".into()) };
        }
        match self.next() {
            None | Some("AND" | "OR" | "WITH" | ")") => Err("a licence is missing".into()),
            Some(licence) if self.takes("WITH") => {
                let exception = self.next().ok_or("an exception is missing after WITH")?;
                // An exception only ever permits more, so the bare licence is enough.
                let whole = format!("{licence} WITH {exception}");
                Ok(self.accepts(licence) || self.accepts(&whole))
            }
            Some(licence) => Ok(self.accepts(licence)),
        }
    }

    fn accepts(&self, licence: &str) -> bool {
        // "or later" can be read as the version itself.
        let exact = licence.trim_end_matches('+');
        self.accepted.contains(&exact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn satisfied(expression: &str) -> bool {
        is_satisfied(expression, &["MIT", "Apache-2.0", "Zlib", "X WITH e"]).unwrap()
    }

    #[test]
    fn one_alternative_is_enough_and_every_conjunct_is_needed() {
        assert!(satisfied("MIT"));
        assert!(satisfied("GPL-3.0 OR MIT"));
        assert!(satisfied("MIT/GPL-3.0"));
        assert!(!satisfied("GPL-3.0"));
        assert!(!satisfied("MIT AND GPL-3.0"));
        assert!(satisfied("Apache-2.0+"));
    }

    #[test]
    fn and_binds_tighter_than_or_and_brackets_tighter_than_both() {
        assert!(satisfied("GPL-3.0 AND BSD OR MIT"));
        assert!(!satisfied("GPL-3.0 AND (BSD OR MIT)"));
        assert!(satisfied("(MIT OR GPL-3.0) AND (Zlib)"));
    }

    #[test]
    fn an_exception_permits_more_never_less() {
        assert!(satisfied("Apache-2.0 WITH LLVM-exception"));
        assert!(satisfied("X WITH e"));
        assert!(!satisfied("X WITH f"));
        assert!(!satisfied("X"));
    }

    #[test]
    fn malformed_expressions_are_errors_not_permissions() {
        for expression in ["", "MIT OR", "(MIT", "MIT)", "MIT MIT", "AND MIT", "MIT WITH"] {
            assert!(is_satisfied(expression, &["MIT"]).is_err(), "{expression}");
        }
    }
}
