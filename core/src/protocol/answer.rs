//! An answer, with everything that a person needs to check it: what is said, where it stands word for word, what was
//! computed from which rows, how sure that is and why.
//!
//! Not for making one: that is [`crate::answer`].

use super::{Failure, Passage};
use crate::{
    chunk::{ChunkId, ChunkPlace},
    document::NodeId,
    grade::Grade,
};
use serde::{Deserialize, Serialize};

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The question as typed.
    pub question: String,
    /// What was looked up for it: the question or its parts, each with what it refers to put in.
    pub asked: Vec<AskedPart>,
    /// Which of the five kinds it is.
    pub kind: AnswerKind,
    /// What is said, in order.
    pub statements: Vec<Statement>,
    /// What the statements rest on; a statement names them by [`Citation::number`].
    pub citations: Vec<Citation>,
    /// What was computed from rows.
    pub computations: Vec<Computation>,
    /// How sure it is.
    pub confidence: Confidence,
    /// What was searched.
    pub searched: Searched,
    /// The passages that it was taken from, best first; of [`AnswerKind::NotFound`] what came nearest.
    pub evidence: Vec<Passage>,
    /// Sentences for the user.
    pub notices: Vec<String>,
    /// What each step took.
    pub stages: Vec<StageTime>,
    /// What failed, of [`AnswerKind::Failed`].
    pub failure: Option<Failure>,
}

impl Answer {
    /// The citation of a number.
    #[must_use]
    pub fn citation(&self, number: u32) -> Option<&Citation> {
        self.citations.iter().find(|citation| citation.number == number)
    }

    /// All that it says, a line a statement.
    #[must_use]
    pub fn text(&self) -> String {
        let lines: Vec<&str> = self.statements.iter().map(|statement| statement.text.as_str()).collect();
        lines.join("\n")
    }
}

/// The five kinds of answers. There is no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerKind {
    /// An identifier was looked up, or a number computed from rows.
    Exact,
    /// Sentences, steps or rows are quoted.
    Extractive,
    /// A model wrote it; every sentence is cited and was checked.
    Generated,
    /// The documents do not say it. What comes nearest is among the evidence.
    NotFound,
    /// Something failed; the evidence found until then is there.
    Failed,
}

/// What kind of thing is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionType {
    /// What something with a number or code is.
    Identifier,
    /// A fact that a sentence states.
    #[default]
    Fact,
    /// A row of a table, or a value of one.
    Row,
    /// How something is done.
    Procedure,
    /// How two things differ.
    Comparison,
    /// All things of a kind.
    List,
    /// How many there are.
    Count,
    /// What they come to.
    Sum,
    /// The least.
    Minimum,
    /// The greatest.
    Maximum,
    /// The mean.
    Average,
    /// Whether something is so.
    YesNo,
}

impl QuestionType {
    /// Whether it is answered by computing over rows.
    #[must_use]
    pub fn is_aggregate(self) -> bool {
        matches!(self, Self::Count | Self::Sum | Self::Minimum | Self::Maximum | Self::Average)
    }
}

/// A part of a question that can be asked alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedPart {
    /// As looked up.
    pub text: String,
    /// What is asked.
    pub question_type: QuestionType,
    /// Something from before was put in: the part alone would not say what it is about.
    pub is_resolved: bool,
}

/// A sentence, step, row or number of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// What it says.
    pub text: String,
    /// What it is.
    pub role: Role,
    /// Which part of the question it answers, an index into [`Answer::asked`].
    pub part: u32,
    /// The citations that it rests on, the one that says it first.
    pub citations: Vec<u32>,
    /// Why it may stand here.
    pub support: Support,
}

/// What a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A safety warning; stands before all else.
    Warning,
    /// A sentence.
    Sentence,
    /// A step of a procedure.
    Step,
    /// An item of a list.
    Item,
    /// A row of a table, as `column: value` pairs.
    Row,
    /// A computed number with its unit.
    Computed,
}

/// Why a statement may stand in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Support {
    /// Its words stand in what it cites, one by one.
    Quoted,
    /// It was computed from the rows that it cites.
    Computed,
    /// A model wrote it, and what it cites says it.
    Checked,
    /// A model wrote it and cited another passage; the one cited now says it.
    Recited,
    /// A model wrote something that its passage does not say: the passage's own words stand in its place.
    Replaced,
    /// A model wrote it, and it was not checked or does not hold. Only where checking was told to mark alone.
    Unsupported,
}

/// Where something that is said stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Citation {
    /// From 1, in the order of first use.
    pub number: u32,
    /// The chunk.
    pub chunk: ChunkId,
    /// What is quoted, ranges of the chunk's text, ascending, not overlapping.
    pub quotes: Vec<Quote>,
    /// The document's name.
    pub name: String,
    /// The headings above it, outermost first.
    pub heading_path: Vec<String>,
    /// The page it begins on, from 1.
    pub page: Option<u32>,
    /// The node a reader is taken to.
    pub node: NodeId,
    /// One past the last node that the chunk covers.
    pub end_node: NodeId,
    /// Where else it stands.
    pub place: ChunkPlace,
    /// Why a person looking at the document does not see it, where that is so.
    pub hidden: Option<String>,
    /// The least confidence with which any of it was read from a picture, 0 to 1.
    pub confidence: Option<String>,
}

/// Words of a chunk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// First byte in the chunk's text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The words, exactly.
    pub text: String,
}

/// A number that was computed, with all that is needed to do it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Computation {
    /// What was done.
    pub operation: QuestionType,
    /// The result as shown, without its unit.
    pub value: String,
    /// Its unit or currency, where the rows name one.
    pub unit: Option<String>,
    /// How it comes about: `12.50 + 3.00 = 15.50`. Long ones are cut in the middle.
    pub formula: String,
    /// The column that was computed with; none where rows were counted.
    pub column: Option<String>,
    /// The rows used.
    pub n_rows_used: u32,
    /// The rows that the question is about.
    pub n_rows: u32,
    /// The documents that rows were used of.
    pub n_documents_used: u32,
    /// The documents that were to be looked at.
    pub n_documents: u32,
}

impl Computation {
    /// `14 of 14 rows in 3 of 3 documents`.
    #[must_use]
    pub fn coverage(&self) -> String {
        let Self { n_rows_used, n_rows, n_documents_used, n_documents, .. } = self;
        let rows = if *n_rows == 1 { "row" } else { "rows" };
        let documents = if *n_documents == 1 { "document" } else { "documents" };
        format!("{n_rows_used} of {n_rows} {rows} in {n_documents_used} of {n_documents} {documents}")
    }
}

/// How sure an answer is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Confidence {
    /// In a word.
    pub level: ConfidenceLevel,
    /// 0 to 1.
    pub score: f32,
    /// Why, in short sentences, what counts most first.
    pub reasons: Vec<String>,
    /// What it was made of.
    pub signals: ConfidenceSignals,
}

/// How sure, in a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfidenceLevel {
    /// Check it before relying on it.
    #[default]
    Low,
    /// Likely.
    Medium,
    /// The documents say so plainly.
    High,
}

/// The six signals, each 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConfidenceSignals {
    /// How far the best passage stands out.
    pub retrieval: f32,
    /// How many of the question's parts are answered, and of its rows used.
    pub completeness: f32,
    /// How well what is said fits what was asked.
    pub alignment: f32,
    /// Whether the sources agree.
    pub agreement: f32,
    /// How the passages were graded.
    pub grade: f32,
    /// The share of what is said that was checked and holds.
    pub verified: f32,
}

/// What was searched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Searched {
    /// How many chunks.
    pub n_chunks: u32,
    /// In how many documents.
    pub n_documents: u32,
    /// How many candidates were graded, by grade: incorrect, ambiguous, correct.
    pub n_graded: [u32; 3],
    /// Words of the question that no document has.
    pub unknown_words: Vec<String>,
}

impl Searched {
    /// Counts a candidate.
    pub fn count(&mut self, grade: Grade) {
        let at = match grade {
            Grade::Incorrect => 0,
            Grade::Ambiguous => 1,
            Grade::Correct => 2,
        };
        self.n_graded[at] += 1;
    }
}

/// A step of making an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// What is asked.
    Understand,
    /// Passages are looked for.
    Retrieve,
    /// Sections and tables around them are read.
    Read,
    /// What they say is graded, taken out or computed.
    Extract,
    /// A model writes.
    Write,
    /// What it wrote is checked.
    Verify,
}

/// How long a step took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageTime {
    /// Which.
    pub stage: Stage,
    /// Microseconds.
    pub micros: u64,
}

/// A question and its answer earlier in a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The question, with what it referred to put in.
    pub question: String,
    /// What was answered.
    pub answer: String,
}
