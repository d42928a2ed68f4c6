//! Text to tokens, as the model was trained to see it: the crate `tokenizers` with the model's own `tokenizer.json`.

use super::EmbedError;
use std::fmt;
use tokenizers::{
    TruncationParams,
    models::unigram::Unigram,
    pre_tokenizers::metaspace::{Metaspace, PrependScheme},
    processors::template::TemplateProcessing,
    utils::truncation::TruncationDirection,
};
use unicode_normalization::UnicodeNormalization;

/// No token stands for more characters than this on average, so text beyond it cannot be among the first `max_tokens`;
/// a text of megabytes must not be cut up for 256 tokens.
const MAX_CHARS_PER_TOKEN: usize = 64;

/// A model's tokenizer.
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    max_chars: usize,
    /// Whether texts are normalised before `inner` sees them.
    is_normalising: bool,
}

impl fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokenizer").field("max_chars", &self.max_chars).finish_non_exhaustive()
    }
}

impl Tokenizer {
    /// Reads `tokenizer.json`. Whatever it says of padding and length is replaced: texts are cut after `max_tokens`,
    /// the model's own beginning and end counted, and never padded.
    ///
    /// # Errors
    /// [`EmbedError::Malformed`].
    pub fn new(json: &[u8], max_tokens: usize) -> Result<Self, EmbedError> {
        let inner = tokenizers::Tokenizer::from_bytes(json).map_err(wrong)?;
        Self::over(inner, max_tokens, false)
    }

    /// A tokenizer of whole pieces with how likely each is (SentencePiece's unigram), as XLM-R has it; `special` are the
    /// tokens for beginning, end and what is unknown.
    pub(super) fn unigram(
        pieces: Vec<(String, f64)>,
        special: [u32; 3],
        max_tokens: usize,
    ) -> Result<Self, EmbedError> {
        let [begin, end, unknown] = special;
        let name = |token: u32| pieces.get(token as usize).map(|(piece, _)| piece.clone());
        let (Some(first), Some(last)) = (name(begin), name(end)) else {
            return Err(EmbedError::Malformed {
                file: "of tokens",
                detail: "its first or last token is missing".into(),
            });
        };
        let frame = TemplateProcessing::builder()
            .try_single(vec![first.clone(), "$A".to_owned(), last.clone()])
            .map_err(|error| wrong(error.into()))?
            .special_tokens(vec![(first, begin), (last, end)])
            .build()
            .map_err(|error| wrong(error.to_string().into()))?;
        let model = Unigram::from(pieces, Some(unknown as usize), false).map_err(wrong)?;
        let mut inner = tokenizers::Tokenizer::new(model);
        inner.with_pre_tokenizer(Some(Metaspace::new('\u{2581}', PrependScheme::Always, true)));
        inner.with_post_processor(Some(frame));
        Self::over(inner, max_tokens, true)
    }

    fn over(mut inner: tokenizers::Tokenizer, max_tokens: usize, is_normalising: bool) -> Result<Self, EmbedError> {
        inner.with_padding(None);
        let truncation = TruncationParams {
            max_length: max_tokens,
            direction: TruncationDirection::Right,
            ..TruncationParams::default()
        };
        inner.with_truncation(Some(truncation)).map_err(wrong)?;
        Ok(Self { inner, max_chars: max_tokens.saturating_mul(MAX_CHARS_PER_TOKEN), is_normalising })
    }

    /// The tokens of `prefix` and `text` together, at most `max_tokens`.
    ///
    /// # Errors
    /// [`EmbedError::Tokenizer`] where the tokenizer has no token for what it does not know.
    pub fn tokens(&self, prefix: &str, text: &str) -> Result<Vec<u32>, EmbedError> {
        let text = self.cut(text);
        let encoded = if self.is_normalising {
            self.inner.encode_fast(normalised(prefix, text), true)
        } else if prefix.is_empty() {
            self.inner.encode_fast(text, true)
        } else {
            self.inner.encode_fast(format!("{prefix}{text}"), true)
        };
        Ok(encoded.map_err(|error| EmbedError::Tokenizer(error.to_string()))?.get_ids().to_vec())
    }

    /// The tokens of two texts as one, at most `max_tokens`, the longer of the two cut first; and how many of them are the
    /// first's.
    ///
    /// # Errors
    /// As [`tokens`](Self::tokens).
    pub fn pair(&self, first: &str, second: &str) -> Result<(Vec<u32>, usize), EmbedError> {
        let encoded = self.inner.encode_fast((self.cut(first), self.cut(second)), true);
        let encoded = encoded.map_err(|error| EmbedError::Tokenizer(error.to_string()))?;
        let n_first = encoded.get_type_ids().iter().take_while(|kind| **kind == 0).count();
        Ok((encoded.get_ids().to_vec(), n_first))
    }

    /// So much of a text as can be among its tokens.
    fn cut<'t>(&self, text: &'t str) -> &'t str {
        let end = text.char_indices().nth(self.max_chars).map_or(text.len(), |(at, _)| at);
        text.get(..end).unwrap_or(text)
    }
}

fn wrong(error: tokenizers::Error) -> EmbedError {
    EmbedError::Malformed { file: "tokenizer.json", detail: error.to_string() }
}

/// Both texts in Unicode's form NFKC, without control characters, and with one space for any white space.
fn normalised(prefix: &str, text: &str) -> String {
    let mut normal = String::with_capacity(prefix.len() + text.len());
    for c in prefix.chars().chain(text.chars()).nfkc() {
        if c.is_whitespace() {
            if !normal.ends_with(' ') {
                normal.push(' ');
            }
        } else if !c.is_control() {
            normal.push(c);
        }
    }
    normal.truncate(normal.trim_end().len());
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokenizer() -> Tokenizer {
        let pieces = ["<s>", "<pad>", "</s>", "<unk>", "\u{2581}", "\u{2581}oil", "\u{2581}pump", "s", "o", "i", "l"];
        let pieces = pieces.iter().zip(0..).map(|(piece, i)| ((*piece).to_owned(), -f64::from(i)));
        Tokenizer::unigram(pieces.collect(), [0, 2, 3], 5).unwrap()
    }

    #[test]
    fn pieces_are_the_likeliest() {
        assert_eq!(tokenizer().tokens("", "oil  ｐｕｍｐｓ\n").unwrap(), [0, 5, 6, 7, 2]);
        assert_eq!(tokenizer().tokens("oil ", "oil oil oil oil").unwrap(), [0, 5, 5, 5, 2]);
        assert_eq!(tokenizer().tokens("", "").unwrap(), [0, 2]);
    }

    #[test]
    fn text_is_no_control_token() {
        assert!(!tokenizer().tokens("", "</s>").unwrap()[1..].starts_with(&[2]));
    }

    #[test]
    fn a_text_of_megabytes_is_cut_first() {
        assert_eq!(tokenizer().tokens("", &"oil ".repeat(1 << 20)).unwrap(), [0, 5, 5, 5, 2]);
    }
}
