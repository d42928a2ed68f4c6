//! Reads collections whose questions have known answers: SQuAD form (spans), MTRAG's generation tasks (conversations, some without
//! an answer), a manual's questions (emanuals). Not for measuring.

use super::{CollectionDocument, CollectionError, emanuals, malformed, read_json, read_text};
use millwright_core::{chunk::ChunkKind, protocol::Turn};
use serde::Deserialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// A question whose answer is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// Its id.
    pub id: String,
    /// As asked.
    pub question: String,
    /// What was said before.
    pub turns: Vec<Turn>,
    /// The words that answer it, one of them suffices; none where it is not known word for word.
    pub spans: Vec<String>,
    /// The documents that answer it.
    pub documents: BTreeSet<String>,
    /// Whether the documents answer it; `None` where that is not clear-cut.
    pub is_answerable: Option<bool>,
}

/// Documents and questions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Questions {
    /// The documents.
    pub documents: Vec<CollectionDocument>,
    /// The questions.
    pub cases: Vec<Case>,
}

/// Reads a collection.
///
/// # Errors
/// [`CollectionError`], naming the file and line.
pub fn load(path: &Path) -> Result<Questions, CollectionError> {
    let ends = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
    let questions = if path.is_file() && ends("jsonl") {
        mtrag(path)?
    } else if path.is_file() {
        squad(path)?
    } else if let Some(files) = emanuals::files(path) {
        manual(&files)?
    } else {
        return Err(CollectionError::UnknownForm(path.to_owned()));
    };
    if questions.cases.is_empty() {
        return Err(CollectionError::UnknownForm(path.to_owned()));
    }
    Ok(questions)
}

#[derive(Deserialize)]
struct SquadFile {
    data: Vec<SquadArticle>,
}

#[derive(Deserialize)]
struct SquadArticle {
    paragraphs: Vec<SquadParagraph>,
}

#[derive(Deserialize)]
struct SquadParagraph {
    context: String,
    qas: Vec<SquadQuestion>,
}

#[derive(Deserialize)]
struct SquadQuestion {
    id: String,
    question: String,
    #[serde(default)]
    answers: Vec<SquadAnswer>,
}

#[derive(Deserialize)]
struct SquadAnswer {
    text: String,
}

fn squad(path: &Path) -> Result<Questions, CollectionError> {
    let file: SquadFile = read_json(path)?;
    let mut questions = Questions::default();
    for paragraph in file.data.into_iter().flat_map(|article| article.paragraphs) {
        let id = format!("p{:04}.txt", questions.documents.len());
        for question in paragraph.qas {
            questions.cases.push(Case {
                id: question.id,
                question: question.question,
                spans: question.answers.into_iter().map(|answer| answer.text).collect(),
                documents: BTreeSet::from([id.clone()]),
                is_answerable: Some(true),
                ..Case::default()
            });
        }
        questions.documents.push(CollectionDocument {
            id,
            title: String::new(),
            text: paragraph.context,
            kind: ChunkKind::Text,
        });
    }
    Ok(questions)
}

#[derive(Deserialize)]
struct Task {
    task_id: String,
    #[serde(default)]
    contexts: Vec<Context>,
    input: Vec<Message>,
    #[serde(default)]
    answerability: Vec<String>,
}

#[derive(Deserialize)]
struct Context {
    document_id: String,
    text: String,
}

#[derive(Deserialize)]
struct Message {
    speaker: String,
    text: String,
}

fn mtrag(path: &Path) -> Result<Questions, CollectionError> {
    let text = read_text(path)?;
    let mut questions = Questions::default();
    let mut documents: BTreeMap<String, String> = BTreeMap::new();
    for (n, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let task: Task = serde_json::from_str(line).map_err(|error| malformed(path, n, error))?;
        let name = |id: &str| format!("{id}.txt");
        for context in &task.contexts {
            documents.insert(name(&context.document_id), context.text.clone());
        }
        let Some((last, before)) = task.input.split_last() else { continue };
        let mut turns: Vec<Turn> = Vec::new();
        for message in before {
            match (message.speaker.as_str(), turns.last_mut()) {
                ("user", _) => turns.push(Turn { question: message.text.clone(), answer: String::new() }),
                (_, Some(turn)) => turn.answer.clone_from(&message.text),
                _ => {}
            }
        }
        questions.cases.push(Case {
            id: task.task_id,
            question: last.text.clone(),
            turns,
            spans: Vec::new(),
            documents: task.contexts.iter().map(|context| name(&context.document_id)).collect(),
            is_answerable: match task.answerability.first().map(String::as_str) {
                Some("ANSWERABLE") => Some(true),
                Some("UNANSWERABLE") => Some(false),
                _ => None,
            },
        });
    }
    let document = |(id, text)| CollectionDocument { id, title: String::new(), text, kind: ChunkKind::Text };
    questions.documents = documents.into_iter().map(document).collect();
    Ok(questions)
}

fn manual(files: &emanuals::Files) -> Result<Questions, CollectionError> {
    let sections: BTreeMap<String, emanuals::Section> = read_json(&files.corpus)?;
    let mut by_title: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut questions = Questions::default();
    for (id, section) in sections {
        let id = format!("{id}.md");
        by_title.entry(section.title.trim().to_lowercase()).or_default().push(id.clone());
        let text = format!("# {}\n\n{}", section.title, section.text.join("\n\n"));
        questions.documents.push(CollectionDocument { id, title: section.title, text, kind: ChunkKind::Text });
    }
    for row in emanuals::rows(&files.questions)? {
        // Between path and answer some have a link.
        let ([id, question, path, ..], Some(answer)) = (row.as_slice(), row.get(3..).and_then(<[String]>::last)) else {
            continue;
        };
        let title = path.rsplit('>').next().unwrap_or(path).trim().to_lowercase();
        let documents: BTreeSet<String> = by_title.get(&title).into_iter().flatten().cloned().collect();
        if documents.is_empty() {
            continue;
        }
        questions.cases.push(Case {
            id: id.clone(),
            question: question.clone(),
            spans: vec![answer.clone()],
            documents,
            is_answerable: Some(true),
            ..Case::default()
        });
    }
    Ok(questions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn conversations_are_read_with_what_answers_them() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tasks.jsonl");
        let task = r#"{"task_id": "t1", "contexts": [{"document_id": "d1", "text": "It has a seal."}], "answerability": ["ANSWERABLE"],
            "input": [{"speaker": "user", "text": "What is a pump?"}, {"speaker": "agent", "text": "A machine."}, {"speaker": "user", "text": "Has it a seal?"}]}"#;
        let other = r#"{"task_id": "t2", "contexts": [], "answerability": ["UNANSWERABLE"], "input": [{"speaker": "user", "text": "Why?"}]}"#;
        fs::write(&file, format!("{}\n{other}\n", task.replace('\n', " "))).unwrap();
        let questions = load(&file).unwrap();
        assert_eq!(questions.documents.len(), 1);
        let [first, second] = questions.cases.as_slice() else { panic!("{questions:?}") };
        assert_eq!(
            (first.question.as_str(), first.turns.len(), first.is_answerable),
            ("Has it a seal?", 1, Some(true))
        );
        assert_eq!((first.turns[0].answer.as_str(), second.is_answerable), ("A machine.", Some(false)));
    }

    #[test]
    fn spans_are_read_with_their_paragraph() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pumps.json");
        let text = r#"{"data": [{"paragraphs": [{"context": "It moves water.", "qas": [{"id": "a", "question": "What does it move?", "answers": [{"text": "water", "answer_start": 9}]}]}]}]}"#;
        fs::write(&file, text).unwrap();
        let questions = load(&file).unwrap();
        assert_eq!(questions.cases[0].spans, ["water"]);
        assert!(questions.cases[0].documents.contains(&questions.documents[0].id));
    }
}
