//! The models that can be used beside the app: what they are called, what they are for, and which bytes they are.
//!
//! One catalogue for page, worker and sidecar, made from `pkg/models.toml` when this crate is built. A model is its bytes:
//! whatever has another hash than the catalogue says is not used, wherever it comes from. Not for running models, nor for
//! fetching them: hosts do that in their own ways.

pub mod wheel;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::sync::OnceLock;

/// All models.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// In the order of the file.
    #[serde(default, rename = "model")]
    pub models: Vec<Model>,
}

/// A model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// How it is called on the command line and in addresses, and its folder: letters, digits, `-`, `_`.
    pub id: String,
    /// Its own name.
    pub title: String,
    /// What it is for, to a program.
    pub role: Role,
    /// What a person gains by it, as a full sentence.
    pub adds: String,
    /// What kind of network it is.
    pub architecture: String,
    /// Numbers in a vector, of models that make vectors.
    #[serde(default)]
    pub dimensions: Option<u32>,
    /// Of models that make vectors: the cosine below which two texts have nothing to do with one another.
    #[serde(default)]
    pub least_cosine: Option<f32>,
    /// The form of its files.
    pub format: String,
    /// SPDX expression.
    pub licence: String,
    /// Whose it is.
    pub copyright: String,
    /// Where it comes from.
    pub hub: Hub,
    /// The package that holds its files; without one they are fetched from the hub one by one.
    #[serde(default)]
    pub package: Option<Package>,
    /// Its files.
    #[serde(rename = "file")]
    pub files: Vec<ModelFile>,
}

/// What a model is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Reads the text on pictures of pages ([`crate::parse::scan`]): the parts `detector`, `recogniser`, `characters`.
    ReadsScans,
    /// Makes vectors of passages and questions (`core::embed`, cargo feature `embed`): the parts `weights`, `measures`,
    /// `tokenizer`, or `weights` alone where the file holds everything.
    Embeds,
    /// Says how well a passage answers a question, reading both together (`core::embed::CrossEncoder`): the parts `weights`,
    /// `measures`, `tokenizer`.
    Reranks,
}

/// Which model made a vector. Vectors of different identities must not be compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelIdentity {
    /// The model's id in the catalogue.
    pub id: String,
    /// SHA-256 of its file of weights, in lower-case hexadecimal digits.
    pub sha256: String,
    /// Numbers in a vector.
    pub dims: usize,
    /// What stood before questions.
    pub query_prefix: String,
    /// What stood before passages.
    pub passage_prefix: String,
    /// The version of the arithmetic of `core::embed`.
    pub arithmetic: u32,
}

impl ModelIdentity {
    /// [`Model::least_cosine`] of the catalogue's model of this name; no bound where it does not say one.
    #[must_use]
    pub fn least_cosine(&self) -> f32 {
        Catalogue::shipped().model(&self.id).and_then(|model| model.least_cosine).unwrap_or(f32::NEG_INFINITY)
    }
}

/// A repository on a model hub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hub {
    /// Owner and name.
    pub repository: String,
    /// The revision that the files were made from.
    pub revision: String,
    /// Which hub.
    pub host: String,
}

/// A package on a Python package index that holds the files: a wheel, which is a zip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// Its name on the index.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The file of that version.
    pub file: String,
    /// Its size.
    pub size_bytes: u64,
    /// Its SHA-256, in lower-case hexadecimal digits.
    pub sha256: String,
}

/// A file of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFile {
    /// What it is to the model.
    pub part: String,
    /// Its name in the model's folder.
    pub name: String,
    /// Its path in the package, or on the hub where there is no package.
    pub path: String,
    /// Its size.
    pub size_bytes: u64,
    /// Its SHA-256, in lower-case hexadecimal digits.
    pub sha256: String,
}

impl Catalogue {
    /// The models that this build knows.
    #[must_use]
    pub fn shipped() -> &'static Self {
        static SHIPPED: OnceLock<Catalogue> = OnceLock::new();
        // A test reads it, so a build with a broken one does not pass.
        SHIPPED.get_or_init(|| {
            serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/models.json"))).unwrap_or_default()
        })
    }

    /// The model with this id.
    #[must_use]
    pub fn model(&self, id: &str) -> Option<&Model> {
        self.models.iter().find(|model| model.id == id)
    }

    /// The models for this, the one to prefer first.
    pub fn for_role(&self, role: Role) -> impl Iterator<Item = &Model> {
        self.models.iter().filter(move |model| model.role == role)
    }
}

impl Model {
    /// All its files together.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        self.files.iter().map(|file| file.size_bytes).sum()
    }

    /// What is fetched: the package, or the files one by one.
    #[must_use]
    pub fn fetched_bytes(&self) -> u64 {
        self.package.as_ref().map_or_else(|| self.size_bytes(), |package| package.size_bytes)
    }

    /// What somebody can fetch elsewhere and bring: the package, or the files of the hub's repository.
    #[must_use]
    pub fn carried(&self) -> String {
        match &self.package {
            Some(package) => package.file.clone(),
            None => {
                let names: Vec<&str> = self.files.iter().map(|file| file.name.as_str()).collect();
                format!("{} of {}", names.join(", "), self.hub.repository)
            }
        }
    }

    /// The file of this name.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<&ModelFile> {
        self.files.iter().find(|file| file.name == name)
    }

    /// The file that is this to the model.
    #[must_use]
    pub fn part(&self, part: &str) -> Option<&ModelFile> {
        self.files.iter().find(|file| file.part == part)
    }
}

/// Takes the hash of bytes that come in pieces.
#[derive(Clone, Debug, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Takes more bytes in.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The SHA-256 of all, in lower-case hexadecimal digits.
    #[must_use]
    pub fn finish(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ships_is_whole() {
        let catalogue: Catalogue =
            serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/models.json"))).unwrap();
        assert_eq!(Catalogue::shipped(), &catalogue);
        for model in &catalogue.models {
            let package = model.package.iter().map(|package| &package.sha256);
            let hashes = model.files.iter().map(|file| &file.sha256).chain(package);
            for hash in hashes {
                let is_digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
                assert!(hash.len() == 64 && hash.bytes().all(is_digit), "{hash}");
            }
            // Both become parts of paths and addresses.
            for name in model.files.iter().map(|file| &file.name).chain([&model.id]) {
                let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
                assert!(!name.is_empty() && name.bytes().all(is_plain) && !name.starts_with('.'), "{name}");
            }
            assert!(model.adds.ends_with('.'), "a sentence: {}", model.adds);
        }
        let reader = catalogue.for_role(Role::ReadsScans).next().unwrap();
        assert!(["detector", "recogniser", "characters"].iter().all(|part| reader.part(part).is_some()));
        assert_eq!(catalogue.model("ocr"), Some(reader));
        let embedders: Vec<&str> = catalogue.for_role(Role::Embeds).map(|model| model.id.as_str()).collect();
        assert_eq!(embedders, ["minilm", "e5-small"], "English is the default");
        assert!(
            catalogue.for_role(Role::Embeds).all(|model| model.dimensions.is_some() && model.part("weights").is_some())
        );
        let floors: Vec<Option<f32>> = catalogue.for_role(Role::Embeds).map(|model| model.least_cosine).collect();
        assert_eq!(floors, [Some(0.25), Some(0.8)]);
        let reranker = catalogue.for_role(Role::Reranks).next().unwrap();
        assert!(["weights", "measures", "tokenizer"].iter().all(|part| reranker.part(part).is_some()));
        assert!(reranker.package.is_none() && reranker.carried().contains("model.safetensors"));
    }

    #[test]
    fn an_unknown_key_is_refused() {
        let misspelt = serde_json::to_string(Catalogue::shipped()).unwrap().replacen("\"licence\"", "\"license\"", 1);
        assert!(serde_json::from_str::<Catalogue>(&misspelt).is_err());
    }

    #[test]
    fn pieces_have_the_hash_of_the_whole() {
        let mut hasher = Hasher::default();
        [&b"ab"[..], b"", b"c"].iter().for_each(|piece| hasher.update(piece));
        // FIPS 180-4's own example.
        assert_eq!(hasher.finish(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
