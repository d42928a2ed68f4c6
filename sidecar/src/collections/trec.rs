//! The TREC form: documents and topics in tagged text, judgements in four columns. Files are told by their content.
//!
//! Tags are looked for as they stand in such files (any case, rarely well-formed XML), not parsed as XML.

use super::{CollectionDocument, CollectionError, Parts, malformed, read_text};
use millwright_core::{chunk::ChunkKind, eval::Qrels};
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

/// Folders below the collection's that are looked into.
const MAX_DEPTH: usize = 3;

pub(super) fn load(dir: &Path) -> Result<Parts, CollectionError> {
    let mut files = Vec::new();
    list(dir, MAX_DEPTH, &mut files).map_err(|source| CollectionError::Io { path: dir.to_owned(), source })?;
    files.sort();
    let (mut documents, mut topics, mut qrels) = (Vec::new(), Vec::new(), Qrels::new());
    for path in files {
        let text = read_text(&path)?;
        let lower = text.to_ascii_lowercase();
        // Prose that shows a sample of the form (a read-me) is no part of the collection.
        if path.extension().is_some_and(|ending| ending == "md" || ending == "txt") && !is_qrels(&text) {
            continue;
        }
        if lower.contains("<docno>") {
            documents.extend(read_documents(&text, &lower));
        } else if lower.contains("<top>") {
            topics.extend(read_topics(&text, &lower));
        } else if is_qrels(&text) {
            read_qrels(&path, &text, &mut qrels)?;
        }
    }
    Ok((documents, number_topics(topics, &qrels), qrels))
}

fn list(dir: &Path, depth: usize, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_file() {
            files.push(entry.path());
        } else if kind.is_dir() && depth > 1 {
            list(&entry.path(), depth - 1, files)?;
        }
    }
    Ok(())
}

fn read_documents(text: &str, lower: &str) -> Vec<CollectionDocument> {
    let elements = elements(lower, "doc");
    let documents = elements.into_iter().filter_map(|(start, end)| {
        let (text, lower) = (&text[start..end], &lower[start..end]);
        let id = first(text, lower, "docno")?.trim().to_owned();
        let title = first(text, lower, "title").unwrap_or_default().trim().to_owned();
        let body = match first(text, lower, "text") {
            Some(body) => body.trim().to_owned(),
            // NPL puts the text between the document's tags without one of its own.
            None => after(text, lower, "</docno>").trim().to_owned(),
        };
        Some(CollectionDocument { id, title, text: body, kind: ChunkKind::Text })
    });
    documents.collect()
}

/// Topic numbers as printed, and their text.
fn read_topics(text: &str, lower: &str) -> Vec<(String, String)> {
    let elements = elements(lower, "top");
    let topics = elements.into_iter().filter_map(|(start, end)| {
        let (text, lower) = (&text[start..end], &lower[start..end]);
        let number = first(text, lower, "num")?;
        let number = number.trim().trim_start_matches("Number:").trim().to_owned();
        let title = first(text, lower, "title")?;
        Some((number, title.split_whitespace().collect::<Vec<_>>().join(" ")))
    });
    topics.collect()
}

/// Topics by the numbers that the judgements use. Cranfield's topics carry the original numbers with gaps (1, 2, 4,
/// 8, …), its judgements their positions from 1: where the printed numbers are not the judged ones, positions are.
fn number_topics(topics: Vec<(String, String)>, qrels: &Qrels) -> Vec<(String, String)> {
    let positions: BTreeSet<String> = (1..=topics.len()).map(|position| position.to_string()).collect();
    let n_judged_by = |known: &dyn Fn(&String) -> bool| qrels.keys().filter(|qid| known(qid)).count();
    let printed: BTreeSet<&String> = topics.iter().map(|(number, _)| number).collect();
    if n_judged_by(&|qid| printed.contains(qid)) >= n_judged_by(&|qid| positions.contains(qid)) {
        return topics;
    }
    topics.into_iter().enumerate().map(|(place, (_, text))| ((place + 1).to_string(), text)).collect()
}

/// Whether the first lines have the judgements' form: query, iteration, document, grade.
fn is_qrels(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).take(5).peekable();
    lines.peek().is_some()
        && lines.all(|line| {
            let columns: Vec<&str> = line.split_whitespace().collect();
            columns.len() == 4 && columns[3].parse::<i32>().is_ok()
        })
}

fn read_qrels(path: &Path, text: &str, qrels: &mut Qrels) -> Result<(), CollectionError> {
    for (n, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let &[qid, _, document, grade] = columns.as_slice() else {
            return Err(malformed(path, n, "not the four columns query, iteration, document, grade"));
        };
        let grade: i32 = grade.parse().map_err(|_| malformed(path, n, "the grade is no number"))?;
        // Below zero means "not relevant" in collections that also mark spam.
        let grade = u32::try_from(grade).unwrap_or(0);
        qrels.entry(qid.to_owned()).or_default().insert(document.to_owned(), grade);
    }
    Ok(())
}

/// The byte ranges inside every `<tag>…</tag>`, not nested; the last may be without its end.
fn elements(lower: &str, tag: &str) -> Vec<(usize, usize)> {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let mut elements = Vec::new();
    let mut at = 0;
    while let Some(found) = lower[at..].find(&open) {
        let start = at + found + open.len();
        let end = lower[start..].find(&close).map_or(lower.len(), |length| start + length);
        elements.push((start, end));
        at = end;
    }
    elements
}

/// What stands in the first `<tag>`, to its end tag, or to the next tag of any kind where it has none.
fn first<'a>(text: &'a str, lower: &str, tag: &str) -> Option<&'a str> {
    let open = format!("<{tag}>");
    let start = lower.find(&open)? + open.len();
    let close = lower[start..].find(&format!("</{tag}>")).or_else(|| lower[start..].find('<'));
    Some(&text[start..close.map_or(text.len(), |length| start + length)])
}

fn after<'a>(text: &'a str, lower: &str, mark: &str) -> &'a str {
    lower.find(mark).map_or("", |at| &text[at + mark.len()..])
}

#[cfg(test)]
mod tests {
    use crate::collections::load;
    use std::fs;

    #[test]
    fn topics_with_gaps_are_numbered_by_position() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(
            dir.path().join("docs.xml"),
            "<doc>\n<docno>1</docno>\n<title>lift of\na wing</title><text>lift</text>\n</doc><DOC><DOCNO> 2 </DOCNO><text>Drag É</text></DOC>",
        )
        .unwrap();
        let topics =
            "<top><num> 1</num><title>\nlift\n</title></top><top><num> 4</num><title>drag of\nplates</title></top>";
        fs::write(dir.path().join("topics.xml"), topics).unwrap();
        fs::write(dir.path().join("judged.trec.txt"), "1 0 1 1\n2 0 2 -1\n2 0 1 3\n").unwrap();
        fs::write(dir.path().join("README.md"), "a sample: <doc><docno>9</docno></doc>").unwrap();
        let collection = load(dir.path()).unwrap();
        let ids: Vec<&str> = collection.documents.iter().map(|document| document.id.as_str()).collect();
        assert_eq!(ids, ["1", "2"]);
        assert_eq!(collection.documents[1].text, "Drag É");
        assert_eq!(collection.queries, [("1".into(), "lift".into()), ("2".into(), "drag of plates".into())]);
        assert_eq!((collection.qrels["2"]["2"], collection.qrels["2"]["1"]), (0, 3));
    }

    #[test]
    fn printed_numbers_are_kept_where_they_are_judged() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("corpus")).unwrap();
        fs::write(dir.path().join("corpus/text.trec"), "<DOC>\n<DOCNO>7</DOCNO>\nvalves\n</DOC>").unwrap();
        fs::write(dir.path().join("topics.trec"), "<top>\n<num>51</num><title>\nVALVES\n</title>\n</top>").unwrap();
        fs::write(dir.path().join("qrels"), "51 0 7 1\n").unwrap();
        let collection = load(dir.path()).unwrap();
        assert_eq!(collection.queries, [("51".into(), "VALVES".into())]);
        assert_eq!(collection.documents[0].text, "valves");
    }
}
