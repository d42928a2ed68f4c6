//! Other spellings of the same word: British and American English, umlauts typed as two letters.
//!
//! Used on questions only: a spelling that no document has finds nothing and costs a look into the dictionary.

/// Beginnings that differ as a whole, British first. Every word here is one that technical texts use.
const PAIRS: [(&str, &str); 20] = [
    ("acknowledgement", "acknowledgment"),
    ("ageing", "aging"),
    ("aluminium", "aluminum"),
    ("analogue", "analog"),
    ("artefact", "artifact"),
    ("catalogue", "catalog"),
    ("dialogue", "dialog"),
    ("disc", "disk"),
    ("draught", "draft"),
    ("gauge", "gage"),
    ("grey", "gray"),
    ("judgement", "judgment"),
    ("kerb", "curb"),
    ("mould", "mold"),
    ("plough", "plow"),
    ("programme", "program"),
    ("storey", "story"),
    ("sulph", "sulf"),
    ("tyre", "tire"),
    ("sceptic", "skeptic"),
];

/// Endings that differ, with what inflection leaves of them, British first.
const ENDINGS: [(&str, &str); 28] = [
    ("tre", "ter"),
    ("tres", "ters"),
    ("tred", "tered"),
    ("tring", "tering"),
    ("bre", "ber"),
    ("bres", "bers"),
    ("our", "or"),
    ("ours", "ors"),
    ("oured", "ored"),
    ("ouring", "oring"),
    ("ourless", "orless"),
    ("ourful", "orful"),
    ("ise", "ize"),
    ("ised", "ized"),
    ("ises", "izes"),
    ("iser", "izer"),
    ("isers", "izers"),
    ("ising", "izing"),
    ("isation", "ization"),
    ("isations", "izations"),
    ("yse", "yze"),
    ("ysed", "yzed"),
    ("yser", "yzer"),
    ("ysing", "yzing"),
    ("ence", "ense"),
    ("ences", "enses"),
    ("lled", "led"),
    ("lling", "ling"),
];

/// Short words have other reasons to look alike.
const MIN_LETTERS: usize = 5;

/// The other English spellings of a folded word of Latin letters. O(length).
pub(super) fn english_spellings(folded: &str) -> Vec<String> {
    let mut spellings = Vec::new();
    for (british, american) in PAIRS {
        for (from, to) in [(british, american), (american, british)] {
            if let Some(rest) = folded.strip_prefix(from)
                && !folded.starts_with(to)
            {
                spellings.push(format!("{to}{rest}"));
            }
        }
    }
    if folded.len() < MIN_LETTERS {
        return spellings;
    }
    for (british, american) in ENDINGS {
        for (from, to) in [(british, american), (american, british)] {
            let Some(stem) = folded.strip_suffix(from).filter(|stem| stem.len() >= 2) else { continue };
            // "filled" is not "filed": only the last of several syllables is doubled or not.
            let doubles = matches!(american, "led" | "ling");
            if !doubles || (n_syllables(stem) >= 2 && !stem.ends_with('l')) {
                spellings.push(format!("{stem}{to}"));
            }
        }
    }
    spellings
}

/// A folded word with the umlauts of which somebody typed two letters: `pruefen` → `prufen`, as `prüfen` is folded. `None`
/// if it has none.
pub(super) fn german_umlauts(folded: &str) -> Option<String> {
    let mut found = false;
    let mut word = String::with_capacity(folded.len());
    let mut before = ' ';
    for c in folded.chars() {
        // "neue" and "Frequenz" have an e of their own.
        if c == 'e'
            && matches!(before, 'a' | 'o' | 'u')
            && !word.ends_with("eu")
            && !word.ends_with("au")
            && !word.ends_with("qu")
        {
            found = true;
        } else {
            word.push(c);
        }
        before = c;
    }
    found.then_some(word)
}

/// Runs of vowels.
fn n_syllables(word: &str) -> usize {
    let is_vowel = |byte: u8| matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let bytes = word.as_bytes();
    (0..bytes.len()).filter(|at| is_vowel(bytes[*at]) && (*at == 0 || !is_vowel(bytes[*at - 1]))).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn british_and_american_spellings_lead_to_one_another() {
        for (one, other) in [
            ("millimetre", "millimeter"),
            ("litres", "liters"),
            ("vapour", "vapor"),
            ("colours", "colors"),
            ("organisation", "organization"),
            ("analysed", "analyzed"),
            ("travelled", "traveled"),
            ("labelling", "labeling"),
            ("licence", "license"),
            ("sulphuric", "sulfuric"),
            ("grey", "gray"),
            ("fibre", "fiber"),
        ] {
            assert!(english_spellings(one).iter().any(|spelling| spelling == other), "{one} → {other}");
            assert!(english_spellings(other).iter().any(|spelling| spelling == one), "{other} → {one}");
        }
        for (one, other) in [("filled", "filed"), ("filing", "filling"), ("four", "for"), ("rolled", "roled")] {
            assert!(!english_spellings(one).iter().any(|spelling| spelling == other), "{one} is not {other}");
        }
    }

    #[test]
    fn umlauts_are_understood_in_two_letters() {
        assert_eq!(german_umlauts("pruefen").as_deref(), Some("prufen"));
        assert_eq!(german_umlauts("oelfilter").as_deref(), Some("olfilter"));
        for word in ["neue", "frequenz", "pumpe", "bauen"] {
            assert_eq!(german_umlauts(word), None, "{word}");
        }
    }
}
