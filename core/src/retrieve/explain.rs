//! Why a candidate stands where it stands, and the columns in which that is shown, the same in the page and on the terminal.

use crate::chunk::{ChunkId, ChunkKind};
use serde::{Deserialize, Serialize};

/// The record of a candidate. What stages that did not run would say is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// Which form of the question found it.
    pub track: String,
    /// BM25 over the words of text and headings.
    pub bm25: Option<f32>,
    /// What exactly matching identifiers and numbers added.
    pub identifiers: Option<f32>,
    /// What query words standing close together added.
    pub proximity: Option<f32>,
    /// How many of the identifiers that were asked for it has: two for each as asked, one for each in another writing. Comes
    /// before all scores. `None` where the question names nothing.
    pub named: Option<u8>,
    /// Its place among what words found, from 1.
    pub lexical_rank: Option<u32>,
    /// Cosine of its vector and the question's.
    pub cosine: Option<f32>,
    /// Its place among what vectors found, from 1.
    pub dense_rank: Option<u32>,
    /// What words and vectors come to together.
    pub fusion_score: Option<f32>,
    /// Its place by that, from 1.
    pub fusion_rank: Option<u32>,
    /// What the reranker gave it.
    pub rerank_score: Option<f32>,
    /// How far it answers the question, as graded.
    pub grade: Option<u8>,
    /// The query terms it holds, as analysed.
    pub matched_terms: Vec<String>,
    /// The query terms it lacks, as analysed.
    pub missing_terms: Vec<String>,
    /// Whether it is shown, and why not.
    pub fate: Fate,
    /// In which step of a search in several steps it was found, from 1.
    pub hop: Option<u32>,
    /// Its place among all candidates, from 1.
    pub rank: u32,
}

/// What became of a candidate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fate", rename_all = "snake_case")]
pub enum Fate {
    /// It is shown.
    #[default]
    Selected,
    /// It says the same as one that is shown.
    Same {
        /// Which.
        chunk: ChunkId,
        /// A few words are others.
        nearly: bool,
        /// The place of the other.
        rank: u32,
    },
    /// Enough others are better.
    BelowLimit,
    /// It lacks what the question asks for exactly, and others have it.
    NotNamed,
    /// It has the words that were quoted, but not as they were.
    NotQuoted,
}

impl Fate {
    /// Why it is or is not shown, in a few words.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            Self::Selected => "yes".to_owned(),
            Self::Same { nearly, rank, .. } => {
                format!("no: {} as {rank}", if *nearly { "nearly the same" } else { "the same" })
            }
            Self::BelowLimit => "no: enough are better".to_owned(),
            Self::NotNamed => "no: lacks what was named".to_owned(),
            Self::NotQuoted => "no: not word for word".to_owned(),
        }
    }
}

/// The columns of the table of candidates, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// [`Explanation::rank`].
    Rank,
    /// [`Explanation::fate`].
    Selected,
    /// The document.
    Source,
    /// Its page.
    Page,
    /// What it is made of.
    Kind,
    /// The headings above it.
    Headings,
    /// [`Explanation::track`].
    Track,
    /// [`Explanation::named`].
    Named,
    /// [`Explanation::bm25`].
    Bm25,
    /// [`Explanation::identifiers`].
    Identifiers,
    /// [`Explanation::proximity`].
    Proximity,
    /// [`Explanation::lexical_rank`].
    LexicalRank,
    /// [`Explanation::cosine`].
    Cosine,
    /// [`Explanation::dense_rank`].
    DenseRank,
    /// [`Explanation::fusion_score`].
    FusionScore,
    /// [`Explanation::fusion_rank`].
    FusionRank,
    /// [`Explanation::rerank_score`].
    Rerank,
    /// [`Explanation::grade`].
    Grade,
    /// [`Explanation::hop`].
    Hop,
}

impl Column {
    /// All of them.
    pub const ALL: [Self; 19] = [
        Self::Rank,
        Self::Selected,
        Self::Source,
        Self::Page,
        Self::Kind,
        Self::Headings,
        Self::Track,
        Self::Named,
        Self::Bm25,
        Self::Identifiers,
        Self::Proximity,
        Self::LexicalRank,
        Self::Cosine,
        Self::DenseRank,
        Self::FusionScore,
        Self::FusionRank,
        Self::Rerank,
        Self::Grade,
        Self::Hop,
    ];

    /// What stands over it.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Rank => "Rank",
            Self::Selected => "Shown",
            Self::Source => "Document",
            Self::Page => "Page",
            Self::Kind => "Kind",
            Self::Headings => "Headings",
            Self::Track => "Found by",
            Self::Named => "Named",
            Self::Bm25 => "BM25",
            Self::Identifiers => "Numbers",
            Self::Proximity => "Closeness",
            Self::LexicalRank => "Word rank",
            Self::Cosine => "Cosine",
            Self::DenseRank => "Vector rank",
            Self::FusionScore => "Fused",
            Self::FusionRank => "Fused rank",
            Self::Rerank => "Reranked",
            Self::Grade => "Grade",
            Self::Hop => "Hop",
        }
    }

    /// Whether it holds numbers.
    #[must_use]
    pub fn is_numeric(self) -> bool {
        !matches!(self, Self::Selected | Self::Source | Self::Kind | Self::Headings | Self::Track)
    }
}

/// A row of the table: where a candidate stands, and its record.
#[derive(Clone, Copy, Debug)]
pub struct ExplainedRow<'a> {
    /// The document's name.
    pub name: &'a str,
    /// The page it begins on.
    pub page: Option<u32>,
    /// What it is made of.
    pub kind: ChunkKind,
    /// The headings above it, outermost first.
    pub heading_path: &'a [String],
    /// Its record.
    pub explanation: &'a Explanation,
}

impl ExplainedRow<'_> {
    /// What stands in a column; `None` where it does not apply: the stage did not run, or the document has no such thing.
    #[must_use]
    pub fn cell(&self, column: Column) -> Option<String> {
        let own = self.explanation;
        let score = |score: Option<f32>| score.map(|score| format!("{score:.3}"));
        let count = |count: Option<u32>| count.map(|count| count.to_string());
        match column {
            Column::Rank => Some(own.rank.to_string()),
            Column::Selected => Some(own.fate.reason()),
            Column::Source => Some(self.name.to_owned()),
            Column::Page => count(self.page),
            Column::Kind => Some(kind_name(self.kind).to_owned()),
            Column::Headings => (!self.heading_path.is_empty()).then(|| self.heading_path.join(" › ")),
            Column::Track => Some(own.track.clone()),
            Column::Named => own.named.map(|named| named.to_string()),
            Column::Bm25 => score(own.bm25),
            Column::Identifiers => score(own.identifiers),
            Column::Proximity => score(own.proximity),
            Column::LexicalRank => count(own.lexical_rank),
            Column::Cosine => score(own.cosine),
            Column::DenseRank => count(own.dense_rank),
            Column::FusionScore => score(own.fusion_score),
            Column::FusionRank => count(own.fusion_rank),
            Column::Rerank => score(own.rerank_score),
            Column::Grade => own.grade.map(|grade| grade.to_string()),
            Column::Hop => count(own.hop),
        }
    }
}

/// What a kind of chunk is called.
fn kind_name(kind: ChunkKind) -> &'static str {
    match kind {
        ChunkKind::Text => "text",
        ChunkKind::Table => "table",
        ChunkKind::Row => "row",
        ChunkKind::Code => "code",
        ChunkKind::Warning => "warning",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_is_filled_or_does_not_apply() {
        let by_words = Explanation {
            track: "question".to_owned(),
            bm25: Some(1.5),
            lexical_rank: Some(1),
            rank: 1,
            ..Explanation::default()
        };
        let path = ["Care".to_owned(), "Seal".to_owned()];
        let row = ExplainedRow {
            name: "pump.pdf",
            page: Some(3),
            kind: ChunkKind::Text,
            heading_path: &path,
            explanation: &by_words,
        };
        let filled: Vec<String> = Column::ALL.into_iter().filter_map(|column| row.cell(column)).collect();
        assert_eq!(filled, ["1", "yes", "pump.pdf", "3", "text", "Care › Seal", "question", "1.500", "1"]);
        assert_eq!(row.cell(Column::Cosine), None);
    }

    #[test]
    fn all_columns_differ() {
        for (at, column) in Column::ALL.into_iter().enumerate() {
            let first = Column::ALL.iter().position(|other| other.title() == column.title());
            assert_eq!(first, Some(at), "{column:?}");
        }
    }
}
