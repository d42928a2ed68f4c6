//! The model files of this machine, by names: what may be loaded is chosen from this list, so that no path of a request ever
//! reaches the disk. Not for reading them.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// The ending of model files.
const ENDING: &str = "gguf";

/// Where models are looked for.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// A file that was named on the command line.
    named: Option<PathBuf>,
    /// The folder of models, if there is one.
    folder: Option<PathBuf>,
}

impl Files {
    /// The models of `folder` and of its folders, and the one that was `named`.
    #[must_use]
    pub fn new(named: Option<PathBuf>, folder: Option<PathBuf>) -> Self {
        Self { named, folder }
    }

    /// Their names, sorted.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.list().into_keys().collect()
    }

    /// The file of a name.
    #[must_use]
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        self.list().remove(name)
    }

    /// The name of the file that was named on the command line.
    #[must_use]
    pub fn named(&self) -> Option<String> {
        name_of(self.named.as_deref()?)
    }

    /// Looked up anew each time: a model may have been fetched since.
    fn list(&self) -> BTreeMap<String, PathBuf> {
        let mut list = BTreeMap::new();
        // The named one first: of two with one name it is the one that was meant.
        let named = self.named.iter().filter(|path| path.is_file()).cloned();
        let above = self.folder.iter().flat_map(|folder| entries(folder));
        let found: Vec<PathBuf> =
            named.chain(above.flat_map(|path| if path.is_dir() { entries(&path) } else { vec![path] })).collect();
        for path in found {
            let is_model = path.is_file()
                && (path.extension().is_some_and(|ending| ending == ENDING) || self.named.as_ref() == Some(&path));
            if let Some(name) = name_of(&path).filter(|_| is_model) {
                list.entry(name).or_insert(path);
            }
        }
        list
    }
}

/// A file's name without its ending.
fn name_of(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_string_lossy().into_owned())
}

/// What lies in a folder, sorted; nothing where it cannot be read.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_have_names_and_nothing_else_is_a_path() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("smollm2")).unwrap();
        for name in ["qwen.gguf", "readme.md", "smollm2/SmolLM2.gguf", "outside.bin"] {
            fs::write(dir.path().join(name), "x").unwrap();
        }
        let files = Files::new(Some(dir.path().join("outside.bin")), Some(dir.path().to_owned()));
        assert_eq!(files.names(), ["SmolLM2", "outside", "qwen"]);
        assert_eq!(files.named().as_deref(), Some("outside"));
        assert_eq!(files.path("SmolLM2"), Some(dir.path().join("smollm2/SmolLM2.gguf")));
        for name in ["", "readme", "../qwen", "qwen.gguf", "/etc/passwd"] {
            assert_eq!(files.path(name), None, "{name}");
        }
    }
}
