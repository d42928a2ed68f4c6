//! What ships of the models: `pkg/models.toml`, which names their files, hashes, licences and sources.

use serde::{Deserialize, Serialize};

/// All models.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// In the order of the file.
    #[serde(default, rename = "model")]
    pub models: Vec<Model>,
}

/// A model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// How it is called on the command line, and its folder.
    pub id: String,
    /// Its own name.
    pub title: String,
    /// What it is for, as the rest of a sentence that begins with its name.
    pub role: String,
    /// What kind of network it is.
    pub architecture: String,
    /// The form of its files.
    pub format: String,
    /// SPDX expression.
    pub licence: String,
    /// Whose it is.
    pub copyright: String,
    /// Where it comes from.
    pub hub: Hub,
    /// Where its files are fetched from.
    pub package: Package,
    /// Its files.
    #[serde(rename = "file")]
    pub files: Vec<ModelFile>,
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
    /// Its path in the package.
    pub in_package: String,
    /// Its size.
    pub size_bytes: u64,
    /// Its SHA-256, in lower-case hexadecimal digits.
    pub sha256: String,
}

impl Manifest {
    /// Reads it.
    ///
    /// # Errors
    /// Where and why it is not understood.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// The model with this id.
    #[must_use]
    pub fn model(&self, id: &str) -> Option<&Model> {
        self.models.iter().find(|model| model.id == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ships_is_whole() {
        let manifest = Manifest::parse(include_str!("../../../pkg/models.toml")).unwrap();
        assert_eq!(crate::models::shipped(), &manifest);
        for model in &manifest.models {
            let hashes = model.files.iter().map(|file| &file.sha256).chain([&model.package.sha256]);
            for hash in hashes {
                assert!(
                    hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)),
                    "{hash}"
                );
            }
            // Both become parts of paths.
            for name in model.files.iter().map(|file| &file.name).chain([&model.id]) {
                assert!(!name.is_empty() && !name.contains(['/', '\\']) && !name.starts_with('.'), "{name}");
            }
        }
        assert!(manifest.model("ocr").is_some_and(|ocr| ocr.files.len() == 3));
    }

    #[test]
    fn an_unknown_key_is_refused() {
        let misspelt = include_str!("../../../pkg/models.toml").replacen("\nlicence", "\nlicense", 1);
        assert!(Manifest::parse(&misspelt).is_err());
    }
}
