//! `millwright ask`: a question in, an answer with its citations out.

use super::{CommandError, find, open_library};
use crate::{
    EXIT_OK,
    cli::AskArgs,
    clock::SystemClock,
    output::{Output, WIDTH, printable, wrap},
    store::FileStorage,
};
use millwright_core::{
    answer::{AskOptions, Pipeline, Step},
    host::Clock,
    index::Library,
    protocol::{Answer, AnswerKind, Citation, ConfidenceLevel, Passage, Role, Support, Turn},
};
use std::path::PathBuf;

const INDENT: &str = "    ";
/// Passages shown of what comes near where nothing was found.
const MAX_NEAREST: usize = 3;
/// Words of a passage that are shown of them.
const MAX_NEAREST_WORDS: usize = 40;

pub(super) fn run(args: &AskArgs, library: Option<PathBuf>, output: &mut Output) -> Result<u8, CommandError> {
    let question = args.question.join(" ");
    let library = open_library(library, output)?;
    let turns = args.after.iter().map(|question| Turn { question: question.clone(), answer: String::new() }).collect();
    let answer = answer(&question, AskOptions { turns, ..AskOptions::default() }, &library)?;
    output.json(&answer);
    if library.documents().is_empty() {
        output.line("The library is empty. Add documents with: millwright ingest PATH");
        return Ok(EXIT_OK);
    }
    show(&answer, output);
    Ok(EXIT_OK)
}

fn answer(question: &str, options: AskOptions, library: &Library<FileStorage>) -> Result<Answer, CommandError> {
    let clock = SystemClock::new();
    let mut pipeline = Pipeline::new(question, options);
    let parts: Vec<&str> = pipeline.parts().iter().map(|part| part.text.as_str()).collect();
    let (vectors, _) = find::vectors_of(&parts, library);
    loop {
        if let Step::Done(answer) = pollster::block_on(library.advance(&mut pipeline, &vectors, &clock as &dyn Clock))?
        {
            return Ok(*answer);
        }
    }
}

fn show(answer: &Answer, output: &mut Output) {
    for part in answer.asked.iter().filter(|part| part.is_resolved || answer.asked.len() > 1) {
        paragraph(&format!("Asked: {}", part.text), "", output);
    }
    if answer.kind == AnswerKind::NotFound {
        show_not_found(answer, output);
    }
    for statement in &answer.statements {
        let numbers: Vec<String> = statement.citations.iter().map(|number| format!("[{number}]")).collect();
        let shown: String = if numbers.len() > 4 {
            format!("{}…{}", numbers[0], numbers[numbers.len() - 1])
        } else {
            numbers.concat()
        };
        let lead = match statement.role {
            Role::Warning => "! ",
            Role::Step | Role::Item | Role::Row => "- ",
            Role::Sentence | Role::Computed => "",
        };
        let mark = if statement.support == Support::Unsupported { " (not in the documents)" } else { "" };
        paragraph(&format!("{lead}{}{mark} {shown}", statement.text), "", output);
    }
    for computation in &answer.computations {
        paragraph(&format!("Computed: {}; {}", computation.formula, computation.coverage()), "", output);
    }
    if let Some(failure) = &answer.failure {
        paragraph(&failure.error, "", output);
    }
    for notice in &answer.notices {
        paragraph(&format!("Note: {notice}"), "", output);
    }
    if answer.citations.is_empty() {
        return;
    }
    output.line("");
    for citation in &answer.citations {
        paragraph(&format!("[{}] {}", citation.number, place(citation)), INDENT, output);
    }
    let level = match answer.confidence.level {
        ConfidenceLevel::High => "high",
        ConfidenceLevel::Medium => "medium",
        ConfidenceLevel::Low => "low",
    };
    let confidence = format!("Confidence: {level}. {}", answer.confidence.reasons.join(" "));
    wrap(&confidence, WIDTH).iter().for_each(|line| output.line(&output.dim(line)));
}

fn show_not_found(answer: &Answer, output: &mut Output) {
    let searched = &answer.searched;
    paragraph(
        &format!("Not found. {} chunks in {} documents were searched.", searched.n_chunks, searched.n_documents),
        "",
        output,
    );
    if !searched.unknown_words.is_empty() {
        paragraph(&format!("No document has: {}.", searched.unknown_words.join(", ")), "", output);
    }
    if !answer.evidence.is_empty() {
        output.line("What comes nearest:");
    }
    for passage in answer.evidence.iter().take(MAX_NEAREST) {
        let words: Vec<&str> = passage.text.split_whitespace().collect();
        let more = if words.len() > MAX_NEAREST_WORDS { " …" } else { "" };
        let words: Vec<&str> = words.into_iter().take(MAX_NEAREST_WORDS).collect();
        paragraph(&format!("{}: {}{more}", near(passage), words.join(" ")), INDENT, output);
    }
}

fn paragraph(text: &str, indent: &str, output: &mut Output) {
    for (n, line) in wrap(&printable(text), WIDTH - indent.len()).iter().enumerate() {
        output.line(&format!("{}{line}", if n == 0 { "" } else { indent }));
    }
}

fn near(passage: &Passage) -> String {
    let page = passage.page.map(|page| format!(", page {page}")).unwrap_or_default();
    format!("{}{page}", passage.name)
}

/// Where a citation stands.
fn place(citation: &Citation) -> String {
    let mut place = vec![citation.name.clone()];
    place.extend(citation.heading_path.iter().cloned());
    let mut place = place.join(" › ");
    if let Some(page) = citation.page {
        place.push_str(&format!(", page {page}"));
    }
    if let Some(address) = citation.place.cell_address() {
        place.push_str(&format!(", {address}"));
    } else if let Some(lines) = citation.place.lines.filter(|_| citation.page.is_none()) {
        let last = if lines.last > lines.first { format!("–{}", lines.last) } else { String::new() };
        place.push_str(&format!(", line {}{last}", lines.first));
    }
    if let Some(why) = &citation.hidden {
        place.push_str(&format!(" (hidden in the document: {why})"));
    }
    if let Some(share) = &citation.confidence {
        place.push_str(&format!(" (read from a picture, confidence {share})"));
    }
    place
}
