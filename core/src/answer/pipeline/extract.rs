//! What of the evidence answers a part of a question, without a model.

use super::{ChunkKind, N_READ, QuestionType, Reading};
use crate::{
    answer::{
        aggregate::{self, Outcome},
        compose::Composer,
        evidence::{Evidence, Graded, Stretch},
        facts, procedures,
        tables::{self, Table},
    },
    document::{NodeId, NodeKind},
    grade::Grade,
    protocol::{AnswerKind, AskedPart, Computation},
    text,
};

/// What was taken out for a part.
#[derive(Debug, Default)]
pub(super) struct Extracted {
    /// `None` where nothing answers.
    pub(super) kind: Option<AnswerKind>,
    pub(super) computations: Vec<Computation>,
    pub(super) notices: Vec<String>,
    pub(super) disagrees: bool,
}

/// What is to be read for a part.
pub(super) fn readings(part: &AskedPart, graded: &[Graded]) -> Vec<Reading> {
    let mut readings = Vec::new();
    if part.question_type.is_aggregate() {
        readings.push(Reading::Tables(part.text.clone()));
    }
    for one in graded.iter().filter(|one| one.grade > Grade::Incorrect).take(N_READ) {
        let is_tabular = matches!(one.passage.kind, ChunkKind::Row | ChunkKind::Table);
        let by_type = matches!(
            part.question_type,
            QuestionType::Procedure | QuestionType::List | QuestionType::Row | QuestionType::Identifier
        );
        if is_tabular || by_type {
            readings.push(Reading::Around(one.passage.chunk.clone()));
        }
    }
    readings
}

/// Takes out what answers a part.
pub(super) fn extract(
    at: u32,
    part: &AskedPart,
    evidence: &Evidence,
    graded: &[Graded],
    read: &[(Reading, Vec<Stretch>)],
    composer: &mut Composer,
) -> Extracted {
    let mut extracted = Extracted::default();
    if part.question_type.is_aggregate() {
        let tables = read.iter().find(|(reading, _)| matches!(reading, Reading::Tables(_)));
        let outcome = tables.map(|(_, stretches)| aggregate::compute(at, part, stretches, composer));
        match outcome {
            Some(Outcome::Computed { computations, notices }) => {
                extracted.kind = Some(AnswerKind::Exact);
                extracted.computations = computations;
                extracted.notices = notices;
                return extracted;
            }
            Some(Outcome::Refused(reason)) => {
                extracted.notices.push(reason);
                return extracted;
            }
            Some(Outcome::None) | None => {}
        }
    }
    let supporting: Vec<&Graded> = graded.iter().filter(|one| one.grade > Grade::Incorrect).collect();
    let Some(best) = supporting.first() else { return extracted };
    let terms = &evidence.terms;
    let around = |one: &Graded| {
        let is_it = |reading: &Reading| *reading == Reading::Around(one.passage.chunk.clone());
        read.iter().find(|(reading, _)| is_it(reading)).and_then(|(_, stretches)| stretches.first())
    };
    let is_named = best.signals.named >= 1.0 && terms.names_something();
    let n_before = composer.statements.len();
    let is_tabular = matches!(best.passage.kind, ChunkKind::Row | ChunkKind::Table);
    let stretch = around(best);
    let is_said = match (part.question_type, stretch) {
        // Steps answer how something is done, and a plan that names the task does not, however many of the words it has.
        (QuestionType::Procedure, _) => supporting
            .iter()
            .any(|one| around(one).is_some_and(|stretch| procedures::say_steps(at, stretch, one, terms, composer))),
        (QuestionType::List, Some(stretch)) if !is_tabular => procedures::say_list(at, stretch, best, terms, composer),
        _ => false,
    };
    let is_row = !is_said && is_tabular;
    let is_row = is_row && stretch.is_some_and(|stretch| rows(at, part, stretch, best, evidence, composer));
    if !is_said && !is_row {
        facts::quote(at, best, terms, &part.text, composer);
        if part.question_type == QuestionType::Comparison
            && let Some(second) = supporting.iter().find(|one| one.passage.chunk != best.passage.chunk)
        {
            facts::quote(at, second, terms, &part.text, composer);
        }
        let notice = facts::disagreements(at, &supporting, terms, &part.text, composer);
        extracted.disagrees = notice.is_some();
        extracted.notices.extend(notice);
        // Whoever is told to do something with a thing is told what is dangerous about it.
        if let Some(stretch) = stretch.filter(|_| part.question_type == QuestionType::Procedure) {
            procedures::say_warnings(at, stretch, best.passage.node, best.passage.end_node, composer);
        }
    }
    if composer.statements.len() > n_before {
        // The row or the field of what was named is looked up, not judged.
        let is_exact = is_named && (is_row || part.question_type == QuestionType::Identifier);
        extracted.kind = Some(if is_exact { AnswerKind::Exact } else { AnswerKind::Extractive });
    }
    extracted
}

/// Tells the rows of the passage's table that fit the question.
fn rows(
    at: u32,
    part: &AskedPart,
    stretch: &Stretch,
    graded: &Graded,
    evidence: &Evidence,
    composer: &mut Composer,
) -> bool {
    let passage = &graded.passage;
    let Some(table) = table_of(stretch, passage.node).and_then(|id| Table::of(stretch, id)) else { return false };
    let language = text::language(&passage.text).unwrap_or_default();
    let is_of_passage = |node: NodeId| passage.node <= node && node < passage.end_node;
    let mut said = false;
    let mut fitting = tables::best_rows(&table, &evidence.terms, language);
    // Where all rows of a long table fit alike, none does more than the passage's own.
    if fitting.len() > 8 {
        fitting.retain(|row| is_of_passage(row.node));
    }
    if fitting.is_empty() && part.question_type == QuestionType::List {
        fitting = table.rows.iter().filter(|row| !row.is_hidden && is_of_passage(row.node)).collect();
    }
    for row in fitting.into_iter().take(12) {
        said |= tables::say_row(at, stretch, &table, row, Some(&evidence.terms), composer);
    }
    said
}

/// The table that a node is of, or is.
fn table_of(stretch: &Stretch, id: NodeId) -> Option<NodeId> {
    let mut next = stretch.node(id);
    while let Some(node) = next {
        if node.kind == NodeKind::Table {
            return Some(node.id);
        }
        next = node.parent.filter(|parent| *parent < node.id).and_then(|parent| stretch.node(parent));
    }
    None
}
