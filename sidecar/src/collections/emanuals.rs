//! A manual's sections with questions that experts asked of it (the emanuals set): `NAME_manual_corpus.json` maps sections to
//! title and lines, `NAME_…_questions.csv` names the path of the section that answers. Relevant is every section whose title
//! is the last of that path.

use super::{CollectionDocument, CollectionError, Parts, malformed, read_json, read_text};
use millwright_core::{
    chunk::ChunkKind,
    document::{Node, NodeKind},
    eval::Qrels,
    host::NoProgress,
    parse,
};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

#[derive(Deserialize)]
pub(super) struct Section {
    pub(super) title: String,
    pub(super) text: Vec<String>,
}

/// Where a manual and its questions are.
pub(super) struct Files {
    pub(super) corpus: PathBuf,
    pub(super) questions: PathBuf,
}

/// The files of the first manual of a folder, or of its folder `data`, that has both.
pub(super) fn files(dir: &Path) -> Option<Files> {
    let mut names: Vec<PathBuf> = [dir.to_owned(), dir.join("data")]
        .iter()
        .filter_map(|dir| fs::read_dir(dir).ok())
        .flat_map(|entries| entries.flatten().map(|entry| entry.path()))
        .collect();
    names.sort();
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    names.iter().find_map(|corpus| {
        let manual = name(corpus).strip_suffix("_manual_corpus.json")?.to_owned();
        let asks = |path: &&PathBuf| name(path).starts_with(&manual) && name(path).ends_with("_questions.csv");
        Some(Files { corpus: corpus.clone(), questions: names.iter().find(asks)?.clone() })
    })
}

pub(super) fn load(files: &Files) -> Result<Parts, CollectionError> {
    let sections: BTreeMap<String, Section> = read_json(&files.corpus)?;
    let mut by_title: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut documents = Vec::new();
    for (id, section) in sections {
        by_title.entry(section.title.trim().to_lowercase()).or_default().push(id.clone());
        documents.push(CollectionDocument {
            id,
            title: section.title,
            text: section.text.join("\n"),
            kind: ChunkKind::Text,
        });
    }
    let (mut queries, mut qrels) = (Vec::new(), Qrels::new());
    for row in rows(&files.questions)? {
        let [id, question, path, ..] = row.as_slice() else { continue };
        let title = path.rsplit('>').next().unwrap_or(path).trim().to_lowercase();
        let relevant = by_title.get(&title).into_iter().flatten().map(|section| (section.clone(), 1));
        qrels.insert(id.clone(), relevant.collect());
        queries.push((id.clone(), question.clone()));
    }
    Ok((documents, queries, qrels))
}

/// The rows below the head of a CSV file, read as the product reads them.
pub(super) fn rows(path: &Path) -> Result<Vec<Vec<String>>, CollectionError> {
    let text = read_text(path)?;
    let parsed =
        parse::parse("questions.csv", text.as_bytes(), &mut NoProgress).map_err(|error| malformed(path, 0, error))?;
    let document = parsed.document;
    let is_row = |node: &&Node| matches!(node.kind, NodeKind::Row { header: false });
    let cells = |row: &Node| document.subtree(row.id).iter().filter(|node| matches!(node.kind, NodeKind::Cell { .. }));
    Ok(document.nodes.iter().filter(is_row).map(|row| cells(row).map(|cell| cell.text.clone()).collect()).collect())
}

#[cfg(test)]
mod tests {
    use crate::collections::load;
    use std::fs;

    #[test]
    fn sections_answer_the_questions_that_name_them() {
        let folder = tempfile::tempdir().unwrap();
        let sections = r#"{"section_0": {"title": "Seal", "text": ["Seal", "Keep it dry."]},
            "section_1": {"title": "Oil", "text": ["Change it."]}, "section_2": {"title": "Seal", "text": ["More."]}}"#;
        let questions = "question_id,question,section_path,answer\n7,\"How do I keep it, dry?\",Care>Seal,\"Keep it, dry\"\n\
            8,Which oil?,Care > oil,None\n9,Which belt?,Care>Belt,None\n";
        fs::write(folder.path().join("pump_manual_corpus.json"), sections).unwrap();
        fs::write(folder.path().join("pump_3_questions.csv"), questions).unwrap();
        let collection = load(folder.path()).unwrap();
        assert_eq!(collection.documents.len(), 3);
        let asked: Vec<&str> = collection.queries.iter().map(|(_, question)| question.as_str()).collect();
        assert_eq!(asked, ["How do I keep it, dry?", "Which oil?"], "a question without a section is not judged");
        assert_eq!(collection.qrels["7"].keys().collect::<Vec<_>>(), ["section_0", "section_2"]);
        assert_eq!(collection.qrels["8"].keys().collect::<Vec<_>>(), ["section_1"]);
    }
}
