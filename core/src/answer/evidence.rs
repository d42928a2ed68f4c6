//! What an answer is taken from: passages with their grades, and the stretches of documents around them.

use super::sentences::sentences;
use crate::{
    chunk::{Chunk, ChunkId, ChunkPlace},
    document::{DocumentId, Node, NodeId},
    grade::{Expected, Grade, Matches, Signals, Terms, expected},
    protocol::{Found, Passage},
    text::{self, Language},
};
use std::ops::Range;

/// What was found for a part of a question.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The passages.
    pub found: Found,
    /// The question's terms with what they are worth in this library.
    pub terms: Terms,
}

/// A stretch of a document: nodes, and the chunks that cover them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stretch {
    /// The document; `None` of an empty stretch.
    pub document: Option<DocumentId>,
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Nodes in reading order. Not all of the document, and perhaps with gaps.
    pub nodes: Vec<Node>,
    /// Chunks in reading order.
    pub chunks: Vec<Chunk>,
    /// The words of the document outside its tables, where these were read for computing.
    pub about: String,
    /// Something of it could not be read, or there was too much: why, as a full sentence.
    pub gap: Option<String>,
}

impl Stretch {
    /// The node with an id.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.binary_search_by_key(&id, |node| node.id).ok().and_then(|at| self.nodes.get(at))
    }

    /// A node's descendants in reading order, itself first.
    #[must_use]
    pub fn subtree(&self, id: NodeId) -> &[Node] {
        let Ok(at) = self.nodes.binary_search_by_key(&id, |node| node.id) else { return &[] };
        let rest = self.nodes.get(at..).unwrap_or_default();
        let end = rest.iter().skip(1).position(|node| node.parent.is_none_or(|parent| parent < id));
        &rest[..end.map_or(rest.len(), |end| end + 1)]
    }

    /// The text of a node and all below it, by blanks.
    #[must_use]
    pub fn text_of(&self, id: NodeId) -> String {
        let texts = self.subtree(id).iter().map(|node| node.text.as_str()).filter(|text| !text.trim().is_empty());
        text::collapse_whitespace(&texts.collect::<Vec<_>>().join(" "))
    }

    /// The chunks that cover a node.
    pub fn covering(&self, id: NodeId) -> impl Iterator<Item = &Chunk> {
        self.chunks.iter().filter(move |chunk| chunk.node <= id && id < chunk.end_node)
    }
}

/// What can be cited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) chunk: &'a ChunkId,
    pub(super) text: &'a str,
    pub(super) name: &'a str,
    pub(super) heading_path: &'a [String],
    pub(super) page: Option<u32>,
    pub(super) node: NodeId,
    pub(super) end_node: NodeId,
    pub(super) place: &'a ChunkPlace,
    pub(super) hidden: Option<&'a String>,
    pub(super) confidence: Option<&'a String>,
}

impl<'a> From<&'a Passage> for Source<'a> {
    fn from(passage: &'a Passage) -> Self {
        Self {
            chunk: &passage.chunk,
            text: &passage.text,
            name: &passage.name,
            heading_path: &passage.heading_path,
            page: passage.page,
            node: passage.node,
            end_node: passage.end_node,
            place: &passage.place,
            hidden: passage.hidden.as_ref(),
            confidence: passage.confidence.as_ref(),
        }
    }
}

impl<'a> Source<'a> {
    pub(super) fn of(chunk: &'a Chunk, name: &'a str) -> Self {
        Self {
            chunk: &chunk.id,
            text: &chunk.text,
            name,
            heading_path: &chunk.heading_path,
            page: chunk.page,
            node: chunk.node,
            end_node: chunk.end_node,
            place: &chunk.place,
            hidden: chunk.hidden.as_ref(),
            confidence: chunk.confidence.as_ref(),
        }
    }
}

/// A passage with its grade.
#[derive(Clone, Debug)]
pub(super) struct Graded {
    pub(super) passage: Passage,
    pub(super) matches: Matches,
    /// The terms that headings, title and name have.
    pub(super) context: u64,
    pub(super) sentences: Vec<Range<usize>>,
    pub(super) signals: Signals,
    pub(super) grade: Grade,
}

/// What headings add counts less than what the text says itself.
const CONTEXT_SHARE: f32 = 0.7;
/// And less still for a window of sentences.
const WINDOW_CONTEXT_SHARE: f32 = 0.5;

/// Grades a passage for a question.
pub(super) fn graded(passage: &Passage, terms: &Terms, question: &str) -> Graded {
    let language = text::language(&passage.text).unwrap_or_default();
    let matches = terms.find(&passage.text, language);
    let indexed = terms.identifiers_called(&passage.explanation.matched_terms);
    let context = context_of(passage, terms, language) | indexed;
    let sentences = sentences(&passage.text);
    let asked = expected(question);
    let body = matches.set() | indexed;
    let with_context = |set: u64, share: f32| {
        let own = terms.share(set);
        own + share * (terms.share(set | context) - own)
    };
    let (mut window, mut aligned) = (0.0_f32, false);
    for (at, sentence) in sentences.iter().enumerate() {
        let end = sentences.get(at + 1).map_or(sentence.end, |next| next.end);
        let share = with_context(matches.within(sentence.start, end), WINDOW_CONTEXT_SHARE);
        if share > window {
            window = share;
            aligned = asked == Expected::Anything || asked.is_in(&passage.text[sentence.start..end], question);
        }
    }
    let signals = Signals {
        coverage: with_context(body, CONTEXT_SHARE),
        window,
        named: terms.named_share(body | context),
        alignment: if aligned {
            1.0
        } else if asked.is_in(&passage.text, question) {
            0.5
        } else {
            0.0
        },
        missing: terms.rarest_missing(body | context),
        cosine: passage.explanation.cosine,
    };
    let grade = signals.grade(terms.names_something());
    Graded { passage: passage.clone(), matches, context, sentences, signals, grade }
}

fn context_of(passage: &Passage, terms: &Terms, language: Language) -> u64 {
    let mut context = passage.heading_path.join("\n");
    for part in [&passage.title, &passage.name] {
        context.push('\n');
        context.push_str(part);
    }
    terms.find(&context, language).set()
}
