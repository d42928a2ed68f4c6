//! What a question names and counts: codes, document numbers, GSTINs, errors, amounts, dimensions, dates.

use crate::lexical::analysis::{self, Asked, Identity, Kind};

/// What something named is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NamedKind {
    /// The number of a document, part, product or setting; a code of a machine (`G28`).
    Code,
    /// A number with the word for what it numbers: `error 9`, `sku 48291`.
    Label,
    /// An Indian tax number, with the right check digit.
    Gstin,
    /// What looks like one and has another check digit.
    WrongGstin,
    /// A sum of money.
    Amount,
    /// A number with its unit.
    Dimension,
    /// A date.
    Date,
    /// Any other number.
    Number,
}

impl NamedKind {
    /// Whether it names one thing, rather than measuring or counting.
    #[must_use]
    pub fn is_identifier(self) -> bool {
        matches!(self, Self::Code | Self::Label | Self::Gstin | Self::WrongGstin)
    }
}

/// Something that a question names, where it stands in [`super::Question::subject`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// As typed.
    pub text: String,
    /// What it is.
    pub kind: NamedKind,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// What a subject names, in order, none inside another. Files that it names are not among them.
pub(super) fn named(subject: &str, files: &[String]) -> Vec<Named> {
    let mut found: Vec<Named> = Vec::new();
    let mut asked: Vec<Asked> = analysis::asked(subject);
    // The longest first, so that the parts of what is already known are passed over.
    asked.sort_by_key(|asked| (std::cmp::Reverse(asked.end - asked.start), asked.start));
    for asked in asked {
        let text = &subject[asked.start..asked.end];
        let overlaps = found.iter().any(|known| asked.start < known.end && known.start < asked.end);
        let Some(kind) = kind(subject, text, &asked).filter(|_| !overlaps && !files.iter().any(|f| f.contains(text)))
        else {
            continue;
        };
        found.push(Named { text: text.to_owned(), kind, start: asked.start, end: asked.end });
    }
    found.sort_by_key(|named| named.start);
    found
}

fn kind(subject: &str, text: &str, asked: &Asked) -> Option<NamedKind> {
    Some(match asked.kind {
        Kind::Date | Kind::OtherDate => NamedKind::Date,
        Kind::Dimension => NamedKind::Dimension,
        Kind::Labelled if asked.identity == Identity::None => NamedKind::Amount,
        Kind::Labelled => NamedKind::Label,
        // Two words that may be a code: only a capital or many figures make it likely enough to call it one.
        Kind::Writing => {
            let is_likely = asked.identity == Identity::Always || text.starts_with(|c: char| c.is_ascii_uppercase());
            return is_likely.then_some(NamedKind::Code);
        }
        Kind::Number if is_money(subject, asked) => NamedKind::Amount,
        Kind::Number => NamedKind::Number,
        Kind::Code => match gstin_check(text) {
            Some(check) if text.to_ascii_uppercase().ends_with(check) => NamedKind::Gstin,
            Some(_) => NamedKind::WrongGstin,
            None if text.starts_with(['$', '€', '£']) && text.contains(['.', ',']) => NamedKind::Amount,
            None if asked.identity != Identity::None => NamedKind::Code,
            None if text.contains(|c: char| c.is_ascii_digit()) => NamedKind::Number,
            None => return None,
        },
    })
}

/// Whether a currency stands before or after a number.
fn is_money(subject: &str, asked: &Asked) -> bool {
    let before = subject[..asked.start].trim_end();
    let before_word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let after = subject[asked.end..].trim_start();
    let after_word = after.split(|c: char| c.is_whitespace() || matches!(c, ',' | '?')).next().unwrap_or_default();
    analysis::is_currency(before_word) || analysis::is_currency(after_word) || before.ends_with(['₹', '¥', '€', '£'])
}

/// The check digit that an Indian tax number (GSTIN) must end with: fifteen characters, of which the first two are the
/// state, the next ten the holder's PAN, then which registration, and `Z`. `None` of what is no such number.
///
/// The digits are taken to the base 36, times one and two in turn, and the digits of the products added up (GST Network,
/// Luhn's rule modulo 36).
#[must_use]
pub fn gstin_check(text: &str) -> Option<char> {
    let bytes = text.to_ascii_uppercase().into_bytes();
    let form = "ddaaaaaddddanZn";
    let fits = |(byte, kind): (&u8, char)| match kind {
        'd' => byte.is_ascii_digit(),
        'a' => byte.is_ascii_uppercase(),
        'Z' => *byte == b'Z',
        _ => byte.is_ascii_alphanumeric(),
    };
    if bytes.len() != form.len() || !bytes.iter().zip(form.chars()).all(fits) {
        return None;
    }
    let digits = bytes.iter().take(14).filter_map(|byte| char::from(*byte).to_digit(36));
    let sum: u32 =
        digits.zip([1, 2].into_iter().cycle()).map(|(d, factor)| (d * factor) / 36 + (d * factor) % 36).sum();
    char::from_digit((36 - sum % 36) % 36, 36).map(|digit| digit.to_ascii_uppercase())
}
