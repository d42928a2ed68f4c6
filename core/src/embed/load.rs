//! From the files of a model of the catalogue to an [`Embedder`]: the same way in a tab and natively.

use super::{
    BertConfig, E5_SMALL, EmbedError, Embedder, MINILM, PackedE5, Recipe, SafetensorsWeights, Source, Tokenizer,
};
use crate::models::Model;
use std::borrow::Cow;

/// The files of a model, by the catalogue's names of its parts.
pub(super) struct Parts<F>(pub(super) F);

impl<S: Source, F: FnMut(&str) -> Option<S>> Parts<F> {
    /// A part, to be read piece by piece.
    pub(super) fn part(&mut self, part: &'static str) -> Result<S, EmbedError> {
        (self.0)(part).ok_or_else(|| EmbedError::Malformed { file: part, detail: "it is not there".to_owned() })
    }

    /// A part in one piece.
    pub(super) fn whole(&mut self, part: &'static str) -> Result<Vec<u8>, EmbedError> {
        let file = self.part(part)?;
        let bytes = file.read(0..file.n_bytes()).map(Cow::into_owned);
        bytes.ok_or_else(|| EmbedError::Malformed { file: part, detail: "it cannot be read to its end".to_owned() })
    }
}

impl Recipe {
    /// How the model of this name wants its texts; `None` for one that is not known here.
    #[must_use]
    pub fn of(model: &str) -> Option<Self> {
        [MINILM, E5_SMALL].into_iter().find(|recipe| recipe.id == model)
    }
}

impl Embedder {
    /// Makes the 8-bit encoder of a model. `file` gives its parts, asked for by the catalogue's names of them and dropped
    /// as early as can be: they are many times what is kept.
    ///
    /// # Errors
    /// [`EmbedError`] where a part is missing, damaged, or of another model.
    pub fn of_model<S: Source>(model: &Model, file: impl FnMut(&str) -> Option<S>) -> Result<Self, EmbedError> {
        let recipe =
            Recipe::of(&model.id).ok_or_else(|| EmbedError::Unsupported(format!("{} is not known", model.id)))?;
        let mut parts = Parts(file);
        let weights = parts.part("weights")?;
        let sha256 = model.part("weights").map_or("", |file| file.sha256.as_str());
        if model.part("tokenizer").is_none() {
            let packed = PackedE5::new(weights)?;
            let tokenizer = packed.tokenizer(recipe.max_tokens)?;
            return Self::new(recipe, sha256, &packed, packed.config().clone(), tokenizer);
        }
        let config = BertConfig::from_json(&parts.whole("measures")?)?;
        let tokenizer = Tokenizer::new(&parts.whole("tokenizer")?, recipe.max_tokens)?;
        Self::new(recipe, sha256, &SafetensorsWeights::new(weights)?, config, tokenizer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{Catalogue, Role};

    #[test]
    fn every_model_of_the_catalogue_has_a_recipe() {
        for model in Catalogue::shipped().for_role(Role::Embeds) {
            let missing = Embedder::of_model(model, |_| None::<Vec<u8>>).unwrap_err();
            assert!(matches!(missing, EmbedError::Malformed { file: "weights", .. }), "{}: {missing}", model.id);
        }
    }

    #[test]
    fn what_is_no_model_is_refused_in_words() {
        for model in Catalogue::shipped().for_role(Role::Embeds) {
            let refused = Embedder::of_model(model, |_| Some(b"not a model".to_vec())).unwrap_err();
            assert!(refused.to_string().contains("Fetch the model again"), "{refused}");
        }
    }
}
