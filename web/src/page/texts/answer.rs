//! What is said around an answer.

use crate::page::logic::numbers::{counted, grouped};
use millwright_core::protocol::{
    Answer, AnswerKind, Citation, Computation, ConfidenceLevel, ConfidenceSignals, Stage, Support,
};

pub(crate) const ANSWER: &str = "Answer";
pub(crate) const SOURCES: &str = "Sources";
pub(crate) const HOW_SURE: &str = "How sure, and why";
pub(crate) const FORMULA: &str = "Computed as";
pub(crate) const COVERAGE: &str = "Rows used";
pub(crate) const NEAREST: &str = "What comes nearest stands below.";
/// Between two things that were asked at once.
pub(crate) const ASKED_AS: &str = "Asked as";

/// How the answer came about.
pub(crate) fn answer_kind(kind: AnswerKind) -> &'static str {
    match kind {
        AnswerKind::Exact => "Exact",
        AnswerKind::Extractive => "Quoted",
        AnswerKind::Generated => "Written and checked",
        AnswerKind::NotFound => "Not found",
        AnswerKind::Failed => "Failed",
    }
}

/// The same to a program, which must not depend on the words.
pub(crate) fn answer_kind_id(kind: AnswerKind) -> &'static str {
    match kind {
        AnswerKind::Exact => "exact",
        AnswerKind::Extractive => "extractive",
        AnswerKind::Generated => "generated",
        AnswerKind::NotFound => "not_found",
        AnswerKind::Failed => "failed",
    }
}

/// How sure it is, in words.
pub(crate) fn sure(level: ConfidenceLevel) -> &'static str {
    match level {
        ConfidenceLevel::High => "The documents say so plainly",
        ConfidenceLevel::Medium => "Likely; look at the source",
        ConfidenceLevel::Low => "Unsure; check the source",
    }
}

/// What is said where the documents do not say it.
pub(crate) fn not_said(answer: &Answer) -> String {
    let searched = &answer.searched;
    let n_chunks = counted(u64::from(searched.n_chunks), "passage", "passages");
    let n_documents = counted(u64::from(searched.n_documents), "document", "documents");
    let unknown: Vec<String> = searched.unknown_words.iter().map(|word| format!("“{word}”")).collect();
    let unknown = match unknown.len() {
        0 => String::new(),
        _ => format!(" No document has {}.", unknown.join(", ")),
    };
    format!("The documents do not say it: {n_chunks} in {n_documents} were searched.{unknown}")
}

/// What a source is called.
pub(crate) fn source(citation: &Citation) -> String {
    let path = citation.heading_path.last().map(|heading| format!("{}{heading}", super::PATH_SEPARATOR));
    format!("{}{}", citation.name, path.unwrap_or_default())
}

/// What opening a source is called.
pub(crate) fn open_source(citation: &Citation) -> String {
    let page = citation.page.map(|page| format!(", page {}", grouped(u64::from(page))));
    format!("Source {}: {}{}", citation.number, citation.name, page.unwrap_or_default())
}

/// Sources that are not on show at once.
pub(crate) fn more_sources(n: usize) -> String {
    format!("{} more", grouped(n as u64))
}

/// What a statement must be marked with; nothing where it is what it should be.
pub(crate) fn support(support: Support) -> Option<&'static str> {
    match support {
        Support::Quoted | Support::Computed | Support::Checked => None,
        Support::Recited => Some("cited anew"),
        Support::Replaced => Some("quoted instead"),
        Support::Unsupported => Some("not checked"),
    }
}

/// A computed number's rows.
pub(crate) fn coverage(computation: &Computation) -> String {
    let column = computation.column.as_ref().map(|column| format!(", column “{column}”"));
    format!("{}{}", computation.coverage(), column.unwrap_or_default())
}

/// The signals by name.
pub(crate) fn signals(signals: &ConfidenceSignals) -> [(&'static str, f32); 6] {
    [
        ("Best passage stands out", signals.retrieval),
        ("Parts answered", signals.completeness),
        ("Fits the question", signals.alignment),
        ("Sources agree", signals.agreement),
        ("Passages graded", signals.grade),
        ("Statements verified", signals.verified),
    ]
}

/// What a step is called.
pub(crate) fn step_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Understand => "Understanding",
        Stage::Retrieve => "Finding",
        Stage::Read => "Reading around",
        Stage::Extract => "Taking out",
        Stage::Write => "Writing",
        Stage::Verify => "Checking",
    }
}
