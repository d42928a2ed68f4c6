//! The way from a question to its answer, step by step.
//!
//! Retrieve → Read → Extract → (Write → Verify) → Done. Each step needs what the one before asked for; nothing here waits.

mod extract;

use super::{
    compose::Composer,
    confidence,
    evidence::{Evidence, Graded, Stretch, graded},
    prompt::{self, Prompt},
    understand::understand,
    verify::{self, Checked, Mode},
};
use crate::{
    chunk::{ChunkId, ChunkKind},
    grade::{Grade, Signals},
    protocol::{
        Answer, AnswerKind, AskedPart, Computation, Confidence, Failure, Passage, QuestionType, Searched, Stage,
        StageTime, Turn,
    },
};

/// Passages looked at for each part of a question.
pub const N_PASSAGES: u32 = 10;
/// Passages whose surroundings are read, for each part.
const N_READ: usize = 2;
/// Passages shown as evidence.
const MAX_EVIDENCE: usize = 8;

/// How a question is to be answered.
#[derive(Clone, Debug, Default)]
pub struct AskOptions {
    /// The turns before, the last one last.
    pub turns: Vec<Turn>,
    /// A model is there to write: [`Step::Write`] comes before the end.
    pub writes: bool,
    /// What is done with what a model wrote.
    pub mode: Mode,
    /// What the model can read, in tokens.
    pub context_tokens: u32,
}

/// What the pipeline needs next.
#[derive(Clone, Debug)]
pub enum Step {
    /// Passages for each of these, in order: [`Pipeline::found`].
    Find(Vec<String>),
    /// What stands around passages and in tables, in order: [`Pipeline::read`].
    Read(Vec<Reading>),
    /// A text by a model: [`Pipeline::written`].
    Write(Box<Prompt>),
    /// Nothing: the answer is there.
    Done(Box<Answer>),
}

/// Something to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The section around a chunk, with the table that it is of and what is said above of all of its parts.
    Around(ChunkId),
    /// The tables of all documents that a question means.
    Tables(String),
}

enum State {
    Retrieve,
    Read,
    Write(Box<Prompt>),
    Done,
}

/// A question on its way to its answer.
pub struct Pipeline {
    options: AskOptions,
    question: String,
    parts: Vec<AskedPart>,
    state: State,
    evidence: Vec<Evidence>,
    graded: Vec<Vec<Graded>>,
    readings: Vec<(usize, Reading)>,
    composer: Composer,
    computations: Vec<Computation>,
    notices: Vec<String>,
    /// By part: whether something was said, and whether that is exact.
    answered: Vec<Option<AnswerKind>>,
    disagrees: bool,
    written: Option<Checked>,
    searched: Searched,
    stages: Vec<StageTime>,
    failure: Option<Failure>,
}

impl std::fmt::Debug for Pipeline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pipeline({}, {} parts)", self.question, self.parts.len())
    }
}

impl Pipeline {
    /// Understands the question.
    #[must_use]
    pub fn new(question: &str, options: AskOptions) -> Self {
        let parts = understand(question, &options.turns);
        Self {
            options,
            question: question.to_owned(),
            answered: vec![None; parts.len()],
            parts,
            state: State::Retrieve,
            evidence: Vec::new(),
            graded: Vec::new(),
            readings: Vec::new(),
            composer: Composer::default(),
            computations: Vec::new(),
            notices: Vec::new(),
            disagrees: false,
            written: None,
            searched: Searched::default(),
            stages: Vec::new(),
            failure: None,
        }
    }

    /// What is looked up: the texts whose vectors help, where there are any.
    #[must_use]
    pub fn parts(&self) -> &[AskedPart] {
        &self.parts
    }

    /// What was measured of the best passage for each part, as far as any was found.
    #[must_use]
    pub fn signals(&self) -> Vec<Option<Signals>> {
        self.graded.iter().map(|graded| graded.first().map(|one| one.signals)).collect()
    }

    /// What is needed next.
    #[must_use]
    pub fn step(&self) -> Step {
        match &self.state {
            State::Retrieve => Step::Find(self.parts.iter().map(|part| part.text.clone()).collect()),
            State::Read => Step::Read(self.readings.iter().map(|(_, reading)| reading.clone()).collect()),
            State::Write(prompt) => Step::Write(prompt.clone()),
            State::Done => Step::Done(Box::new(self.answer())),
        }
    }

    /// Notes how long a step took.
    pub fn took(&mut self, stage: Stage, micros: u64) {
        match self.stages.iter_mut().find(|known| known.stage == stage) {
            Some(known) => known.micros = known.micros.saturating_add(micros),
            None => self.stages.push(StageTime { stage, micros }),
        }
    }

    /// Takes what was found for each part, and grades it.
    pub fn found(&mut self, evidence: Vec<Evidence>, n_documents: u32) {
        self.searched.n_documents = n_documents;
        for (at, (part, evidence)) in self.parts.iter().zip(&evidence).enumerate() {
            self.searched.n_chunks = self.searched.n_chunks.max(evidence.found.n_chunks_searched);
            self.searched.unknown_words.extend(evidence.terms.unknown_words());
            let mut graded: Vec<Graded> =
                evidence.found.passages.iter().map(|passage| graded(passage, &evidence.terms, &part.text)).collect();
            for one in &mut graded {
                self.searched.count(one.grade);
                one.passage.explanation.grade = Some(one.grade.number());
            }
            // A passage that answers stands before one that only may, whatever their scores.
            graded.sort_by_key(|one| std::cmp::Reverse(one.grade));
            let readings = extract::readings(part, &graded);
            self.readings.extend(readings.into_iter().map(|reading| (at, reading)));
            self.graded.push(graded);
        }
        self.searched.unknown_words.dedup();
        self.evidence = evidence;
        self.state = State::Read;
        if self.readings.is_empty() {
            self.read(Vec::new());
        }
    }

    /// Takes what was read, and takes out or computes what answers.
    pub fn read(&mut self, stretches: Vec<Vec<Stretch>>) {
        let mut by_part: Vec<Vec<(Reading, Vec<Stretch>)>> = self.parts.iter().map(|_| Vec::new()).collect();
        for ((part, reading), stretches) in std::mem::take(&mut self.readings).into_iter().zip(stretches) {
            if let Some(of_part) = by_part.get_mut(part) {
                of_part.push((reading, stretches));
            }
        }
        for (at, read) in by_part.iter().enumerate() {
            let (Some(part), Some(evidence), Some(graded)) =
                (self.parts.get(at), self.evidence.get(at), self.graded.get(at))
            else {
                continue;
            };
            let mut extracted = extract::extract(at as u32, part, evidence, graded, read, &mut self.composer);
            // What was computed was not found by its words.
            if extracted.computations.is_empty() {
                self.notices.extend(evidence.found.notice.clone());
            }
            self.computations.append(&mut extracted.computations);
            self.notices.append(&mut extracted.notices);
            self.disagrees |= extracted.disagrees;
            if let Some(answered) = self.answered.get_mut(at) {
                *answered = extracted.kind;
            }
        }
        self.notices.dedup();
        self.composer.put_warnings_first();
        let computes = self.parts.iter().any(|part| part.question_type.is_aggregate()) && !self.computations.is_empty();
        self.state = State::Done;
        // A number that was computed and a row that was looked up need no writer.
        if self.options.writes && !computes && self.answered.contains(&Some(AnswerKind::Extractive)) {
            let prompt = prompt::pack(&self.asked(), &self.supporting(), self.options.context_tokens);
            if !prompt.blocks.is_empty() {
                self.state = State::Write(Box::new(prompt));
            }
        }
    }

    /// Takes what a model wrote, or why it could not; checks it against the evidence that it was given.
    pub fn written(&mut self, draft: Result<&str, Failure>) {
        let State::Write(prompt) = std::mem::replace(&mut self.state, State::Done) else { return };
        match draft {
            Ok(draft) => {
                let checked = verify::check(draft, &prompt.evidence(), self.options.mode);
                if checked.is_sound() {
                    self.written = Some(checked);
                } else {
                    self.notices.push("Too little of what the model wrote stands in the documents: their own words are given instead.".to_owned());
                }
            }
            Err(failure) => self.notices.push(format!("{} The documents' own words are given instead.", failure.error)),
        }
    }

    /// Ends it with what failed; the evidence found until then stays.
    pub fn fail(&mut self, failure: Failure) {
        self.failure = Some(failure);
        self.state = State::Done;
    }

    fn asked(&self) -> String {
        let parts: Vec<&str> = self.parts.iter().map(|part| part.text.as_str()).collect();
        parts.join(" ")
    }

    /// The passages that may support an answer, best first, each once.
    fn supporting(&self) -> Vec<Passage> {
        let mut passages: Vec<Passage> = Vec::new();
        let depth = self.graded.iter().map(Vec::len).max().unwrap_or(0);
        for rank in 0..depth {
            for one in
                self.graded.iter().filter_map(|graded| graded.get(rank)).filter(|one| one.grade > Grade::Incorrect)
            {
                if passages.iter().all(|known| known.chunk != one.passage.chunk) {
                    passages.push(one.passage.clone());
                }
            }
        }
        passages
    }

    fn answer(&self) -> Answer {
        let is_found = self.answered.iter().any(Option::is_some);
        let mut kind = if self.failure.is_some() {
            AnswerKind::Failed
        } else if !is_found {
            AnswerKind::NotFound
        } else if self.answered.iter().flatten().all(|kind| *kind == AnswerKind::Exact) {
            AnswerKind::Exact
        } else {
            AnswerKind::Extractive
        };
        let mut evidence = self.supporting();
        if evidence.is_empty() {
            evidence = self.graded.iter().flatten().map(|one| one.passage.clone()).collect();
        }
        evidence.truncate(MAX_EVIDENCE);
        let mut notices = self.notices.clone();
        for (part, answered) in self.parts.iter().zip(&self.answered) {
            if is_found && answered.is_none() {
                notices.push(format!("Nothing was found for “{}”.", part.text));
            }
        }
        let (mut statements, mut citations) = (self.composer.statements.clone(), self.composer.citations.clone());
        if let Some(written) = self.written.as_ref().filter(|_| kind == AnswerKind::Extractive) {
            kind = AnswerKind::Generated;
            let mut composer = Composer::default();
            // A warning that belongs to what is written stays, whatever the model left out.
            for warning in statements.iter().filter(|statement| statement.role == crate::protocol::Role::Warning) {
                composer.keep(warning, &citations);
            }
            written.compose(&mut composer);
            notices.extend(written.notices());
            (statements, citations) = (composer.statements, composer.citations);
        }
        if kind == AnswerKind::NotFound || kind == AnswerKind::Failed {
            statements.clear();
            citations.clear();
        }
        let confidence = if kind == AnswerKind::NotFound || kind == AnswerKind::Failed {
            Confidence::default()
        } else {
            confidence::weigh(&confidence::Known {
                graded: &self.graded,
                answered: &self.answered,
                computations: &self.computations,
                statements: &statements,
                disagrees: self.disagrees,
                checked: self.written.as_ref(),
            })
        };
        Answer {
            question: self.question.clone(),
            asked: self.parts.clone(),
            kind,
            statements,
            citations,
            computations: self.computations.clone(),
            confidence,
            searched: self.searched.clone(),
            evidence,
            notices,
            stages: self.stages.clone(),
            failure: self.failure.clone(),
        }
    }
}
