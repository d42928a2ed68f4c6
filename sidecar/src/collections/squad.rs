//! The SQuAD form: paragraphs with questions that they answer (XQuAD). Every paragraph is a document; relevant to a question
//! is its own paragraph.

use super::{CollectionDocument, CollectionError, Parts, read_json};
use millwright_core::{chunk::ChunkKind, eval::Qrels};
use serde::Deserialize;
use std::{collections::BTreeMap, path::Path};

#[derive(Deserialize)]
struct File {
    data: Vec<Article>,
}

#[derive(Deserialize)]
struct Article {
    paragraphs: Vec<Paragraph>,
}

#[derive(Deserialize)]
struct Paragraph {
    context: String,
    qas: Vec<Question>,
}

#[derive(Deserialize)]
struct Question {
    id: String,
    question: String,
}

pub(super) fn load(path: &Path) -> Result<Parts, CollectionError> {
    let file: File = read_json(path)?;
    let (mut documents, mut queries, mut qrels) = (Vec::new(), Vec::new(), Qrels::new());
    for paragraph in file.data.into_iter().flat_map(|article| article.paragraphs) {
        let id = format!("p{:04}", documents.len());
        for question in paragraph.qas {
            qrels.insert(question.id.clone(), BTreeMap::from([(id.clone(), 1)]));
            queries.push((question.id, question.question));
        }
        // No titles: they would give away the article.
        documents.push(CollectionDocument { id, title: String::new(), text: paragraph.context, kind: ChunkKind::Text });
    }
    Ok((documents, queries, qrels))
}

#[cfg(test)]
mod tests {
    use crate::collections::{CollectionError, load};
    use std::fs;

    #[test]
    fn every_paragraph_answers_its_questions() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pumps.json");
        let text = r#"{"data": [{"title": "Pumps", "paragraphs": [
            {"context": "It moves water.", "qas": [{"id": "a", "question": "What moves?", "answers": []}]},
            {"context": "It has a seal.", "qas": [{"id": "b", "question": "What seals?"}, {"id": "c", "question": "Has it?"}]}
        ]}]}"#;
        fs::write(&file, text).unwrap();
        let collection = load(&file).unwrap();
        assert_eq!((collection.documents.len(), collection.queries.len()), (2, 3));
        assert_eq!(collection.qrels["c"].keys().collect::<Vec<_>>(), [&collection.documents[1].id]);
        fs::write(&file, "{\n\"data\": 7}").unwrap();
        assert!(matches!(load(&file), Err(CollectionError::Malformed { line: 2, .. })));
    }
}
