//! The vectors of a collection, made once: a folder keeps them under their texts' hashes, a file a model.

use super::systems::Vectors;
use crate::{
    collections::{Collection, CollectionDocument},
    commands::CommandError,
    output::Output,
    vectors::{Maker, NoMaker, n_cores, on_all_cores},
};
use millwright_core::{
    dense::Code,
    models::{Hasher, ModelIdentity},
    protocol::{Failure, FailureKind},
};
use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// How many texts a thread embeds between two writings of the cache.
const TEXTS_AT_ONCE: usize = 64;

/// The vectors of all documents and queries of a collection.
///
/// # Errors
/// When the model is not here or cannot be run, or the cache cannot be written to.
pub(in crate::commands) fn embed(
    id: &str,
    collection: &Collection,
    models: Option<&Path>,
    cache: Option<&Path>,
    output: &mut Output,
) -> Result<(ModelIdentity, Vectors), CommandError> {
    let maker = Maker::load_from(models, id).map_err(|none| match none {
        NoMaker::Failed(failure) => CommandError::from(failure),
        NoMaker::Absent | NoMaker::Other(_) => {
            let error = format!("The model {id} is not here. Get it with `millwright models fetch {id}`.");
            Failure { error, error_type: FailureKind::NotFound }.into()
        }
    })?;
    let mut cache = Cache::open(cache, maker.identity()).map_err(unusable)?;
    let passages: Vec<String> = collection.documents.iter().map(passage).collect();
    let mut missing: Vec<&str> =
        passages.iter().map(String::as_str).filter(|text| !cache.holds("passage", text)).collect();
    // Texts of one length together: no thread waits for a long one.
    missing.sort_by_key(|text| text.len());
    let mut n_done = 0;
    for texts in missing.chunks(TEXTS_AT_ONCE * n_cores()) {
        output.status(&format!("{}: embedding, {n_done} of {}", collection.name, missing.len()));
        let made = on_all_cores(texts, |texts| maker.passages(texts));
        if made.len() != texts.len() {
            let error = format!("The model {id} failed on the texts of {}.", collection.name);
            return Err(Failure { error, error_type: FailureKind::Internal }.into());
        }
        cache.add("passage", texts.iter().copied().zip(made)).map_err(unusable)?;
        n_done += texts.len();
    }
    for (_, question) in &collection.queries {
        if !cache.holds("question", question) {
            cache.add("question", [(question.as_str(), maker.question(question))]).map_err(unusable)?;
        }
    }
    Ok((maker.identity().clone(), cache.vectors(&passages, collection)))
}

/// The same from a file that a cache kept, without the model.
///
/// # Errors
/// When the file cannot be read, or lacks a vector.
pub(super) fn kept(id: &str, collection: &Collection, file: &Path) -> Result<(ModelIdentity, Vectors), CommandError> {
    let mut cache = Cache { path: None, codes: BTreeMap::new() };
    cache.take_in(&fs::read(file).map_err(unusable)?);
    let passages: Vec<String> = collection.documents.iter().map(passage).collect();
    let lacks_passage = passages.iter().any(|text| !cache.holds("passage", text));
    if lacks_passage || collection.queries.iter().any(|(_, question)| !cache.holds("question", question)) {
        let error = format!("{} lacks vectors of {}. Make them with --cache.", file.display(), collection.name);
        return Err(Failure { error, error_type: FailureKind::NotFound }.into());
    }
    let dims = cache.codes.values().flatten().map(Code::n_dimensions).next().unwrap_or(0);
    // Whose they are is what the user says: nothing is kept of them, so nothing can be mistaken.
    let identity = ModelIdentity {
        id: id.to_owned(),
        sha256: String::new(),
        dims,
        query_prefix: String::new(),
        passage_prefix: String::new(),
        arithmetic: 0,
    };
    Ok((identity, cache.vectors(&passages, collection)))
}

/// What is embedded of a document.
fn passage(document: &CollectionDocument) -> String {
    [document.title.as_str(), document.text.as_str()].join("\n").trim().to_owned()
}

/// A file of hashes and vectors, written at its end only.
struct Cache {
    path: Option<PathBuf>,
    codes: BTreeMap<String, Option<Code>>,
}

impl Cache {
    fn open(dir: Option<&Path>, model: &ModelIdentity) -> io::Result<Self> {
        let mut cache = Self { path: None, codes: BTreeMap::new() };
        let Some(dir) = dir else { return Ok(cache) };
        fs::create_dir_all(dir)?;
        let identity = serde_json::to_string(model).map_err(io::Error::other)?;
        let hash = hash(&identity);
        let path = dir.join(format!("{}-{}.vectors", model.id, hash.get(..12).unwrap_or(&hash)));
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        let n_left = cache.take_in(&bytes);
        if n_left > 0 {
            // Somebody stopped it in the middle of a vector: what follows would not be read.
            fs::OpenOptions::new().write(true).open(&path)?.set_len((bytes.len() - n_left) as u64)?;
        }
        cache.path = Some(path);
        Ok(cache)
    }

    /// Takes in what a file holds; gives the number of bytes at its end that are no whole vector.
    fn take_in(&mut self, bytes: &[u8]) -> usize {
        let mut rest = bytes;
        while let Ok(((key, code), after)) = postcard::take_from_bytes::<(String, Option<Code>)>(rest) {
            self.codes.insert(key, code);
            rest = after;
        }
        rest.len()
    }

    fn vectors(&self, passages: &[String], collection: &Collection) -> Vectors {
        let documents = passages.iter().map(|text| self.code("passage", text)).collect();
        let queries = collection.queries.iter().map(|(_, question)| self.code("question", question)).collect();
        Vectors { documents, queries }
    }

    fn holds(&self, kind: &str, text: &str) -> bool {
        self.codes.contains_key(&key(kind, text))
    }

    fn code(&self, kind: &str, text: &str) -> Option<Code> {
        self.codes.get(&key(kind, text)).cloned().flatten()
    }

    fn add<'t>(&mut self, kind: &str, made: impl IntoIterator<Item = (&'t str, Option<Code>)>) -> io::Result<()> {
        let mut bytes = Vec::new();
        for (text, code) in made {
            let entry = (key(kind, text), code);
            bytes.extend(postcard::to_stdvec(&entry).map_err(io::Error::other)?);
            self.codes.insert(entry.0, entry.1);
        }
        match &self.path {
            Some(path) => fs::OpenOptions::new().create(true).append(true).open(path)?.write_all(&bytes),
            None => Ok(()),
        }
    }
}

fn key(kind: &str, text: &str) -> String {
    hash(&[kind, text].join("\n"))
}

fn hash(text: &str) -> String {
    let mut hasher = Hasher::default();
    hasher.update(text.as_bytes());
    hasher.finish()
}

fn unusable(error: io::Error) -> CommandError {
    let error = format!("The folder of vectors cannot be used: {error}. Name another with --cache.");
    Failure { error, error_type: FailureKind::Internal }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_come_back_and_a_torn_one_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let model = ModelIdentity {
            id: "m".to_owned(),
            sha256: String::new(),
            dims: 2,
            query_prefix: String::new(),
            passage_prefix: String::new(),
            arithmetic: 1,
        };
        let mut cache = Cache::open(Some(folder.path()), &model).unwrap();
        let code = Code::of(&[0.6, 0.8]);
        cache.add("passage", [("oil", code.clone()), ("", None)]).unwrap();
        cache.add("question", [("oil", Code::of(&[1.0, 0.0]))]).unwrap();
        let path = cache.path.clone().unwrap();
        let mut bytes = fs::read(&path).unwrap();
        bytes.pop();
        fs::write(&path, bytes).unwrap();
        let cache = Cache::open(Some(folder.path()), &model).unwrap();
        assert_eq!((cache.code("passage", "oil"), cache.code("passage", "")), (code, None));
        assert!(cache.holds("passage", "") && !cache.holds("question", "oil"));
        let other = Cache::open(Some(folder.path()), &ModelIdentity { arithmetic: 2, ..model }).unwrap();
        assert!(!other.holds("passage", "oil"), "another model's");
    }
}
