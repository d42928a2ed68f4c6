//! From a question and what was found for it to an answer that can be checked, with or without a model.
//!
//! [`Pipeline`] is the way there as a state machine that does no reading itself: it says what it needs ([`Step`]), and whoever
//! keeps the library hands that over. So every step is a pure, bounded function, can be timed and can be stopped between any
//! two, and the same answer comes about in the tab and natively. Not for finding: that is [`crate::retrieve`]; and never the
//! source of a fact: all that is said is quoted from passages or computed from rows, and what a model writes is held against
//! them ([`verify`]).

mod aggregate;
mod amount;
mod compose;
mod confidence;
mod evidence;
mod facts;
mod pipeline;
mod procedures;
pub mod prompt;
mod sentences;
mod tables;
mod understand;
pub mod verify;

pub use evidence::{Evidence, Stretch};
pub use pipeline::{AskOptions, N_PASSAGES, Pipeline, Reading, Step};
pub use understand::{MAX_PARTS, understand};

#[cfg(test)]
mod tests_support {
    use crate::{
        chunk::{ChunkId, ChunkKind, ChunkPlace},
        document::{DocumentId, NodeId},
        protocol::Passage,
        retrieve::Explanation,
    };

    /// A passage of a document with this name.
    pub(super) fn passage(name: &str, text: &str) -> Passage {
        Passage {
            chunk: ChunkId { document: DocumentId::of(name.as_bytes()), ordinal: 0 },
            kind: ChunkKind::Text,
            name: name.to_owned(),
            title: name.to_owned(),
            heading_path: Vec::new(),
            page: None,
            n_pages: None,
            node: NodeId(1),
            end_node: NodeId(2),
            text: text.to_owned(),
            marks: Vec::new(),
            score: 1.0,
            place: ChunkPlace::default(),
            hidden: None,
            confidence: None,
            reading: None,
            also: Vec::new(),
            explanation: Explanation::default(),
        }
    }
}
