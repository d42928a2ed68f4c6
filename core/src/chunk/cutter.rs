//! Walks a tree and gathers nodes into chunks.

use super::{
    Chunk, ChunkId, ChunkKind, MAX_TEXT_WORDS, Repeats,
    place::{self, ChunkPlace, is_hidden},
    table::{self, Only},
};
use crate::{
    document::{Document, Node, NodeId, NodeKind, Span},
    text::{Language, count_words, sentences},
};

/// Code is one piece however long; but beyond this many words it is a data dump, cut between lines.
const MAX_CODE_WORDS: u32 = 2000;

pub(super) struct Cutter<'a> {
    document: &'a Document,
    chunks: Vec<Chunk>,
    gathered: Option<Gathered>,
    /// Headings, which every chunk below them has.
    headings: Repeats,
}

/// Running text of one section on its way to become a chunk.
struct Gathered {
    /// The section (or root) it stands under.
    section: NodeId,
    first: NodeId,
    last: NodeId,
    text: String,
    n_words: u32,
    span: Option<Span>,
    /// Why it is not seen.
    hidden: Option<String>,
}

impl<'a> Cutter<'a> {
    pub(super) fn new(document: &'a Document) -> Self {
        Self { document, chunks: Vec::new(), gathered: None, headings: Repeats::of(&document.nodes) }
    }

    pub(super) fn cut(mut self) -> Vec<Chunk> {
        let mut at = 1;
        while let Some(node) = self.document.nodes.get(at) {
            let subtree = self.document.subtree(node.id);
            let whole = match &node.kind {
                NodeKind::Furniture => true,
                NodeKind::Table => {
                    self.table(node);
                    true
                }
                NodeKind::Code { .. } => {
                    self.code(node);
                    true
                }
                NodeKind::Warning(_) => {
                    let is_hidden = is_hidden(node);
                    let text = told(subtree, is_hidden, is_hidden);
                    self.push(ChunkKind::Warning, node.id, end_of(subtree), &text, node.span);
                    if !is_hidden {
                        self.hidden_within(subtree);
                    }
                    true
                }
                NodeKind::Section { .. } => {
                    self.flush();
                    let is_silent = |below: &Node| below.text.is_empty() || below.kind == NodeKind::Furniture;
                    if subtree.iter().skip(1).all(is_silent) {
                        self.push(ChunkKind::Text, node.id, end_of(subtree), &node.text, node.span);
                    }
                    false
                }
                _ => {
                    self.gather(node);
                    false
                }
            };
            at += if whole { subtree.len() } else { 1 };
        }
        self.flush();
        self.chunks
    }

    /// Takes a node's own text into the running chunk, beginning a new one where it would grow too long.
    fn gather(&mut self, node: &Node) {
        if node.text.trim().is_empty() {
            return;
        }
        let section = self.section_of(node);
        let n_words = count_words(&node.text);
        let hidden = place::hidden(self.document, node.id);
        let fits = |gathered: &Gathered| {
            gathered.section == section
                && gathered.n_words + n_words <= MAX_TEXT_WORDS
                && gathered.hidden.as_deref() == hidden
        };
        if !self.gathered.as_ref().is_some_and(fits) {
            self.flush();
        }
        if n_words > MAX_TEXT_WORDS {
            for part in parts(&node.text) {
                self.push(ChunkKind::Text, node.id, NodeId(node.id.0 + 1), &part, node.span);
            }
            return;
        }
        match &mut self.gathered {
            Some(gathered) => {
                gathered.text.push('\n');
                gathered.text.push_str(&node.text);
                gathered.n_words += n_words;
                gathered.last = node.id;
                gathered.span = cover(gathered.span, node.span);
            }
            None => {
                let (first, last, text, span) = (node.id, node.id, node.text.clone(), node.span);
                let hidden = hidden.map(str::to_owned);
                self.gathered = Some(Gathered { section, first, last, text, n_words, span, hidden });
            }
        }
    }

    fn flush(&mut self) {
        if let Some(gathered) = self.gathered.take() {
            let end = NodeId(gathered.last.0 + 1);
            self.emit(ChunkKind::Text, gathered.first, end, &gathered.text, gathered.span);
        }
    }

    fn table(&mut self, node: &Node) {
        self.flush();
        let hidden_inside = self.document.subtree(node.id).iter().skip(1).find(|below| is_hidden(below));
        let hidden_inside = hidden_inside.and_then(|below| place::hidden(self.document, below.id)).map(str::to_owned);
        let only: &[Only] = if hidden_inside.is_some() { &[Only::Seen, Only::Hidden] } else { &[Only::Seen] };
        for only in only {
            for part in table::cut(self.document, node, *only) {
                let n_chunks = self.chunks.len();
                self.emit(part.kind, part.first, part.end, &part.text, part.span);
                if let Some(chunk) = self.chunks.get_mut(n_chunks) {
                    chunk.row_keys = part.row_keys;
                    // Rows say nothing of the table that they stand in.
                    if chunk.kind == ChunkKind::Row && !node.text.is_empty() && self.headings.allow(node.text.len()) {
                        chunk.heading_path.push(node.text.clone());
                    }
                    if *only == Only::Hidden {
                        // Found at the table, whose other parts may well be seen.
                        chunk.hidden.clone_from(&hidden_inside);
                    }
                }
            }
        }
    }

    /// What a person does not see inside of something that is kept whole: chunks of their own.
    fn hidden_within(&mut self, subtree: &[Node]) {
        let mut at = 1;
        while let Some(node) = subtree.get(at) {
            let below = self.document.subtree(node.id);
            if is_hidden(node) {
                self.push(ChunkKind::Text, node.id, end_of(below), &joined(below), node.span);
            }
            at += if is_hidden(node) { below.len() } else { 1 };
        }
    }

    fn code(&mut self, node: &Node) {
        let end = NodeId(node.id.0 + 1);
        if count_words(&node.text) <= MAX_CODE_WORDS {
            self.push(ChunkKind::Code, node.id, end, &node.text, node.span);
            return;
        }
        let mut part = String::new();
        let mut n_words = 0;
        for line in node.text.split_inclusive('\n') {
            n_words += count_words(line);
            part.push_str(line);
            if n_words >= MAX_CODE_WORDS {
                self.push(ChunkKind::Code, node.id, end, &part, node.span);
                part.clear();
                n_words = 0;
            }
        }
        self.push(ChunkKind::Code, node.id, end, &part, node.span);
    }

    /// Ends what is gathered and adds a chunk of its own.
    fn push(&mut self, kind: ChunkKind, first: NodeId, end: NodeId, text: &str, span: Option<Span>) {
        self.flush();
        self.emit(kind, first, end, text, span);
    }

    fn emit(&mut self, kind: ChunkKind, first: NodeId, end: NodeId, text: &str, span: Option<Span>) {
        if text.trim().is_empty() {
            return;
        }
        let node = self.document.node(first);
        let mut headings = self.document.heading_path(first);
        if node.is_some_and(|node| matches!(node.kind, NodeKind::Section { .. }) && !node.text.is_empty()) {
            headings.pop();
        }
        let allowed = headings.into_iter().filter(|heading| self.headings.allow(heading.len()));
        let heading_path = allowed.map(str::to_owned).collect();
        self.chunks.push(Chunk {
            id: ChunkId { document: self.document.id.clone(), ordinal: self.chunks.len() as u32 },
            kind,
            node: first,
            end_node: end,
            heading_path,
            text: text.trim_end().to_owned(),
            page: node.and_then(|node| node.page),
            span,
            place: ChunkPlace::of(self.document, first, end),
            hidden: place::hidden(self.document, first).map(str::to_owned),
            confidence: place::confidence(self.document, first, end),
            n_words: count_words(text),
            language: Language::default(),
            row_keys: Vec::new(),
        });
    }

    fn section_of(&self, node: &Node) -> NodeId {
        let mut above = node.parent;
        while let Some(parent) = above.and_then(|id| self.document.node(id)) {
            if matches!(parent.kind, NodeKind::Section { .. } | NodeKind::Document) {
                return parent.id;
            }
            above = parent.parent;
        }
        NodeId::ROOT
    }
}

/// The texts of a subtree, a line each.
pub(super) fn joined(subtree: &[Node]) -> String {
    let texts: Vec<&str> = subtree.iter().map(|node| node.text.as_str()).filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}

/// The texts of a subtree that are hidden from a person, or those that are not, a line each. `is_hidden_whole` says that
/// the whole subtree is.
pub(super) fn told(subtree: &[Node], is_hidden_whole: bool, wants_hidden: bool) -> String {
    let mut texts: Vec<&str> = Vec::new();
    // Hidden so far, ascending: ids are given in reading order.
    let mut hidden: Vec<NodeId> = Vec::new();
    for node in subtree {
        let is_within = node.parent.is_some_and(|parent| hidden.binary_search(&parent).is_ok());
        if is_hidden(node) || is_within {
            hidden.push(node.id);
        }
        let is_told = (is_hidden_whole || is_hidden(node) || is_within) == wants_hidden;
        if is_told && !node.text.is_empty() {
            texts.push(&node.text);
        }
    }
    texts.join("\n")
}

fn end_of(subtree: &[Node]) -> NodeId {
    subtree.last().map_or(NodeId::ROOT, |last| NodeId(last.id.0 + 1))
}

fn cover(one: Option<Span>, other: Option<Span>) -> Option<Span> {
    match (one, other) {
        (Some(a), Some(b)) => Some(Span { start: a.start.min(b.start), end: a.end.max(b.end) }),
        (a, b) => a.or(b),
    }
}

/// Cuts a long text between sentences into parts of at most [`MAX_TEXT_WORDS`] words; a single sentence longer than
/// that is cut between words.
fn parts(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut n_words = u32::MAX;
    let mut add = |piece: &str, n: u32| {
        if n_words.saturating_add(n) > MAX_TEXT_WORDS {
            parts.push(String::new());
            n_words = 0;
        }
        if let Some(part) = parts.last_mut() {
            part.push_str(piece);
        }
        n_words += n;
    };
    for sentence in sentences(text) {
        let n = count_words(sentence);
        if n <= MAX_TEXT_WORDS {
            add(sentence, n);
        } else {
            for word in sentence.split_inclusive(char::is_whitespace) {
                add(word, count_words(word));
            }
        }
    }
    parts
}
