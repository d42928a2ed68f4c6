//! The BEIR form: JSON lines for documents and queries, tab-separated judgements with a header.

use super::{CollectionDocument, CollectionError, Parts, malformed, read_text};
use millwright_core::{chunk::ChunkKind, eval::Qrels};
use serde::{Deserialize, de::DeserializeOwned};
use std::path::Path;

#[derive(Deserialize)]
struct CorpusLine {
    #[serde(rename = "_id")]
    id: String,
    #[serde(default)]
    title: String,
    text: String,
    #[serde(default)]
    metadata: Metadata,
}

/// Of what BEIR leaves to everybody, what our own collections say.
#[derive(Default, Deserialize)]
struct Metadata {
    kind: Option<ChunkKind>,
}

#[derive(Deserialize)]
struct QueryLine {
    #[serde(rename = "_id")]
    id: String,
    text: String,
}

pub(super) fn load(dir: &Path, split: &str) -> Result<Parts, CollectionError> {
    let documents = json_lines::<CorpusLine>(&dir.join("corpus.jsonl"))?
        .into_iter()
        .map(|line| CollectionDocument {
            id: line.id,
            title: line.title,
            text: line.text,
            kind: line.metadata.kind.unwrap_or(ChunkKind::Text),
        })
        .collect();
    let queries =
        json_lines::<QueryLine>(&dir.join("queries.jsonl"))?.into_iter().map(|line| (line.id, line.text)).collect();
    Ok((documents, queries, judgements(&dir.join(format!("qrels/{split}.tsv")))?))
}

fn json_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, CollectionError> {
    let text = read_text(path)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(n, line)| serde_json::from_str(line).map_err(|error| malformed(path, n, error))).collect()
}

fn judgements(path: &Path) -> Result<Qrels, CollectionError> {
    let text = read_text(path)?;
    let mut judgements = Qrels::new();
    for (n, line) in text.lines().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty()) {
        let mut columns = line.split('\t');
        let (Some(qid), Some(document), Some(grade)) = (columns.next(), columns.next(), columns.next()) else {
            return Err(malformed(path, n, "not query, document and grade between tabs"));
        };
        let grade = grade.trim().parse().map_err(|_| malformed(path, n, "the grade is no number"))?;
        judgements.entry(qid.to_owned()).or_default().insert(document.to_owned(), grade);
    }
    Ok(judgements)
}

#[cfg(test)]
mod tests {
    use crate::collections::{CollectionError, load};
    use millwright_core::chunk::ChunkKind;
    use std::{fs, path::Path};

    fn write_collection(dir: &Path) {
        fs::create_dir(dir.join("qrels")).unwrap();
        let corpus = "{\"_id\": \"d1\", \"title\": \"Pump\", \"text\": \"Oil it.\", \"metadata\": {\"kind\": \"Table\", \"by\": \"hand\"}}\n\n{\"_id\": \"d2\", \"text\": \"Valve\"}\n";
        fs::write(dir.join("corpus.jsonl"), corpus).unwrap();
        fs::write(
            dir.join("queries.jsonl"),
            "{\"_id\": \"2\", \"text\": \"oil\"}\n{\"_id\": \"1\", \"text\": \"never judged\"}\n",
        )
        .unwrap();
        fs::write(dir.join("qrels/test.tsv"), "query-id\tcorpus-id\tscore\n2\td1\t2\n2\td2\t0\n").unwrap();
    }

    #[test]
    fn is_read_whole() {
        let dir = tempfile::tempdir().unwrap();
        write_collection(dir.path());
        let collection = load(dir.path()).unwrap();
        assert_eq!(collection.documents.len(), 2);
        assert_eq!((collection.documents[0].title.as_str(), collection.documents[1].title.as_str()), ("Pump", ""));
        assert_eq!((collection.documents[0].kind, collection.documents[1].kind), (ChunkKind::Table, ChunkKind::Text));
        assert_eq!(collection.queries, [("2".to_owned(), "oil".to_owned())], "judged queries alone");
        assert_eq!(collection.qrels["2"]["d1"], 2);
        assert_eq!(collection.qrels["2"]["d2"], 0);
    }

    #[test]
    fn a_broken_line_is_named() {
        let dir = tempfile::tempdir().unwrap();
        write_collection(dir.path());
        fs::write(dir.path().join("qrels/test.tsv"), "query-id\tcorpus-id\tscore\n2\td1\tmuch\n").unwrap();
        let error = load(dir.path()).unwrap_err();
        assert!(matches!(error, CollectionError::Malformed { line: 2, .. }), "{error}");
    }

    #[test]
    fn another_folder_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("readme.md"), "hello").unwrap();
        assert!(matches!(load(dir.path()), Err(CollectionError::UnknownForm(_))));
    }
}
