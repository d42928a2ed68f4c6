//! An English stemmer as a filter of tantivy's analysers.

use frostem::{Algorithm, Stemmer};
use tantivy::tokenizer::{Token, TokenFilter, TokenStream, Tokenizer};

/// Replaces each token by its stem.
#[derive(Clone)]
pub(super) struct EnglishStems;

#[derive(Clone)]
pub(super) struct Stemming<T>(T);

pub(super) struct Stems<S> {
    tokens: S,
    stemmer: Stemmer,
}

impl TokenFilter for EnglishStems {
    type Tokenizer<T: Tokenizer> = Stemming<T>;

    fn transform<T: Tokenizer>(self, tokenizer: T) -> Stemming<T> {
        Stemming(tokenizer)
    }
}

impl<T: Tokenizer> Tokenizer for Stemming<T> {
    type TokenStream<'a> = Stems<T::TokenStream<'a>>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Self::TokenStream<'a> {
        Stems { tokens: self.0.token_stream(text), stemmer: Stemmer::new(Algorithm::English) }
    }
}

impl<S: TokenStream> TokenStream for Stems<S> {
    fn advance(&mut self) -> bool {
        if !self.tokens.advance() {
            return false;
        }
        let stem = self.stemmer.stem(&self.tokens.token().text).into_owned();
        self.tokens.token_mut().text = stem;
        true
    }

    fn token(&self) -> &Token {
        self.tokens.token()
    }

    fn token_mut(&mut self) -> &mut Token {
        self.tokens.token_mut()
    }
}
