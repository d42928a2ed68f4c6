//! Words on their way into cells, and what their form tells: figures, dashes, leaders.

use crate::parse::pdf::{lines::Segment, prose};

/// Baselines within this part of an em are one line of a table.
const SAME_LINE: f32 = 0.35;
/// As many dots in a row lead the eye and say nothing.
const MIN_LEADER: usize = 4;

/// A word, where it stands and how it is set.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) text: Box<str>,
    pub(super) u0: f32,
    pub(super) u1: f32,
    pub(super) v: f32,
    pub(super) size: f32,
    pub(super) bold: bool,
}

/// Words on one baseline from left to right; never empty.
#[derive(Clone, Debug)]
pub(super) struct TextLine {
    pub(super) v: f32,
    pub(super) size: f32,
    pub(super) tokens: Vec<Token>,
}

/// The words of a segment without leaders.
pub(super) fn tokens(segment: &Segment) -> Vec<Token> {
    let is_dots = |text: &str| text.chars().all(|c| matches!(c, '.' | '…' | '·' | '_'));
    let n_dots: usize = segment.words.iter().filter(|word| is_dots(&word.text)).map(|word| word.text.len()).sum();
    let mut tokens = Vec::with_capacity(segment.words.len());
    for word in &segment.words {
        if n_dots >= MIN_LEADER && is_dots(&word.text) {
            continue;
        }
        let mut text: &str = &word.text;
        let (mut u0, mut u1) = (word.u0, word.u1);
        let n_characters = text.chars().count().max(1) as f32;
        let pitch = (u1 - u0) / n_characters;
        let without_tail = text.trim_end_matches(['.', '…', '_']);
        if text.len() - without_tail.len() >= MIN_LEADER && !without_tail.is_empty() {
            u1 -= pitch * text[without_tail.len()..].chars().count() as f32;
            text = without_tail;
        }
        let without_head = text.trim_start_matches(['.', '…', '_']);
        if text.len() - without_head.len() >= MIN_LEADER && !without_head.is_empty() {
            u0 += pitch * text[..text.len() - without_head.len()].chars().count() as f32;
            text = without_head;
        }
        let (v, size, bold) = (segment.v, segment.size.max(0.1), segment.style.bold);
        tokens.push(Token { text: text.into(), u0, u1, v, size, bold });
    }
    tokens
}

/// Words by line, from the top. O(n log n).
pub(super) fn lines(mut tokens: Vec<Token>) -> Vec<TextLine> {
    tokens.sort_by(|a, b| a.v.total_cmp(&b.v).then(a.u0.total_cmp(&b.u0)));
    let mut lines: Vec<TextLine> = Vec::new();
    for token in tokens {
        match lines.last_mut() {
            Some(line) if token.v - line.v <= SAME_LINE * line.size.min(token.size) => {
                line.size = line.size.max(token.size);
                line.tokens.push(token);
            }
            _ => lines.push(TextLine { v: token.v, size: token.size, tokens: vec![token] }),
        }
    }
    for line in &mut lines {
        line.tokens.sort_by(|a, b| a.u0.total_cmp(&b.u0));
    }
    lines
}

/// Words with blanks between them.
pub(super) fn joined(tokens: &[Token]) -> String {
    tokens.iter().map(|token| &*token.text).collect::<Vec<_>>().join(" ")
}

/// Words of a cell over any number of lines as one text.
pub(super) fn cell_text(tokens: &[Token]) -> String {
    let lines = lines(tokens.to_vec());
    let texts: Vec<String> = lines.iter().map(|line| joined(&line.tokens)).collect();
    prose::join(texts.iter().map(String::as_str), &prose::Vocabulary::default())
}

/// Whether a text is a number, perhaps with a sign, a currency or a unit, and not a name with a number in it.
pub(super) fn is_figure(text: &str) -> bool {
    let text = text.trim();
    let n_digits = text.chars().filter(char::is_ascii_digit).count();
    let n_letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let begins = text.starts_with(|c: char| c.is_ascii_digit() || "+-−–±<>≤≥~≈∼(.,$€£¥%*".contains(c));
    n_digits > 0 && begins && (n_letters <= n_digits || n_letters <= 3)
}

/// Whether a text stands for a missing figure.
pub(super) fn is_blank_mark(text: &str) -> bool {
    let plain = text.trim().to_lowercase();
    matches!(
        plain.as_str(),
        "-" | "–"
            | "—"
            | "−"
            | "--"
            | "---"
            | "."
            | ".."
            | "..."
            | "…"
            | ":"
            | "*"
            | "n/a"
            | "na"
            | "n.a."
            | "n.a"
            | "nd"
            | "n.d."
    )
}
