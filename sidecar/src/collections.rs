//! Reads retrieval test collections: folders in BEIR (SciFact) and TREC (Cranfield, NPL) form and with a manual's sections
//! and questions (emanuals), files in SQuAD form (XQuAD). Not for measuring: that is `core::eval`, which never sees a file.

mod beir;
mod emanuals;
pub mod questions;
mod squad;
mod trec;

use millwright_core::{chunk::ChunkKind, eval::Qrels};
use serde::de::DeserializeOwned;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// A document of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionDocument {
    /// Its id in the judgements.
    pub id: String,
    /// Its title, or empty.
    pub title: String,
    /// Its text.
    pub text: String,
    /// What it is made of; text where the collection says nothing.
    pub kind: ChunkKind,
}

/// Documents, queries and judgements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collection {
    /// The folder's name.
    pub name: String,
    /// In the order of the file.
    pub documents: Vec<CollectionDocument>,
    /// Query ids and texts in the order of the file; those alone that are judged.
    pub queries: Vec<(String, String)>,
    /// The judgements.
    pub qrels: Qrels,
}

/// Why a collection cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// A file cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file is not of the form it should be.
    #[error("{}, line {line}: {detail}", path.display())]
    Malformed {
        /// Which.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        detail: String,
    },
    /// The folder is of no known form.
    #[error(
        "{} is no collection that Millwright knows. It reads BEIR (corpus.jsonl, queries.jsonl, qrels/test.tsv), TREC (documents with <docno>, topics with <top>, judgements of four columns), manuals (*_manual_corpus.json with *_questions.csv) and files in SQuAD form.",
        .0.display()
    )]
    UnknownForm(PathBuf),
}

/// Reads the collection in a folder, or in a file of SQuAD form.
///
/// # Errors
/// [`CollectionError`], naming the file and line.
pub fn load(dir: &Path) -> Result<Collection, CollectionError> {
    load_split(dir, "test")
}

/// The same; of a folder in BEIR form, the queries judged in `qrels/SPLIT.tsv`.
///
/// # Errors
/// [`CollectionError`], naming the file and line.
pub fn load_split(dir: &Path, split: &str) -> Result<Collection, CollectionError> {
    let name = crate::files::base_name(dir);
    let (documents, mut queries, qrels) = if dir.is_file() {
        squad::load(dir)?
    } else if dir.join("corpus.jsonl").is_file() {
        beir::load(dir, split)?
    } else if let Some(files) = emanuals::files(dir) {
        emanuals::load(&files)?
    } else {
        trec::load(dir)?
    };
    // Means are over judged queries, as trec_eval takes them.
    queries.retain(|(qid, _)| qrels.get(qid).is_some_and(|judged| judged.values().any(|grade| *grade > 0)));
    if documents.is_empty() || queries.is_empty() {
        return Err(CollectionError::UnknownForm(dir.to_owned()));
    }
    Ok(Collection { name, documents, queries, qrels })
}

/// What a form's reader gives: documents, queries, judgements.
type Parts = (Vec<CollectionDocument>, Vec<(String, String)>, Qrels);

/// A file as text; bytes that are not UTF-8 (old collections have some) become replacement characters.
fn read_text(path: &Path) -> Result<String, CollectionError> {
    let bytes = fs::read(path).map_err(|source| CollectionError::Io { path: path.to_owned(), source })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A file as JSON of a shape.
fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, CollectionError> {
    let text = read_text(path)?;
    serde_json::from_str(&text).map_err(|error| malformed(path, error.line().saturating_sub(1), error))
}

fn malformed(path: &Path, line_index: usize, detail: impl ToString) -> CollectionError {
    CollectionError::Malformed { path: path.to_owned(), line: line_index + 1, detail: detail.to_string() }
}
