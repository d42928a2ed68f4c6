//! Blocks to nodes: the rules that every structured text format shares.
//!
//! A container's first paragraph is its own text; a block that begins with a signal word is a warning; a signal word
//! alone takes the block after it in. Not for reading any format: it is told what the blocks are.

use super::{MAX_NODES, admonition};
use crate::document::{Document, DocumentBuilder, DocumentId, NodeId, NodeKind, Span};

/// Containers inside one another; deeper ones stand side by side. Real documents stay far below, and every later step
/// may walk from a node to the root without a second thought.
const MAX_DEPTH: usize = 64;

/// Appends blocks in reading order.
#[derive(Debug)]
pub(crate) struct Writer {
    builder: DocumentBuilder,
    /// The containers that were opened here, outermost first.
    frames: Vec<Frame>,
    /// Names the next node, so that a reader can be taken to it.
    anchor: Option<String>,
    /// What else is known of the next node.
    facts: Vec<(&'static str, String)>,
}

#[derive(Debug)]
struct Frame {
    node: NodeId,
    /// Its first paragraph becomes its own text, after this marker ("3."); `None` once it has text or children.
    wants_text: Option<String>,
    /// A quotation, which its first words may turn into a warning.
    quote: bool,
    /// A signal word that stood alone: closed after the next block.
    awaits_one: bool,
    /// Too deep to be open in the builder: what belongs in it follows it.
    flat: bool,
}

impl Writer {
    /// An empty document.
    pub(crate) fn new(id: DocumentId, name: &str) -> Self {
        Self { builder: DocumentBuilder::new(id, name), frames: Vec::new(), anchor: None, facts: Vec::new() }
    }

    /// The builder, for what needs no rules.
    pub(crate) fn builder(&mut self) -> &mut DocumentBuilder {
        &mut self.builder
    }

    /// Whether no more nodes may be added: the parser stops and says so.
    pub(crate) fn is_full(&self) -> bool {
        self.builder.n_nodes() >= MAX_NODES
    }

    /// Names the next node. Of several names the last stands nearest to it.
    pub(crate) fn anchor(&mut self, anchor: &str) {
        if !anchor.is_empty() {
            self.anchor = Some(anchor.to_owned());
        }
    }

    /// Says something of the next node, under a key of [`crate::document::facts`] or one of the format's own.
    pub(crate) fn fact(&mut self, key: &'static str, value: &str) {
        self.facts.push((key, value.to_owned()));
    }

    /// Gives the pending name to the document itself, whose title was just passed.
    pub(crate) fn name_root(&mut self) {
        self.name(NodeId::ROOT);
    }

    /// Starts a section, unless its heading is empty.
    pub(crate) fn section(&mut self, level: u8, heading: &str, span: Option<Span>) {
        self.close_awaiting();
        if !heading.is_empty() {
            self.leave_text_to_none();
            let node = self.builder.section(level, heading);
            self.place(node, span);
        }
    }

    /// Opens a container that takes its first paragraph as its own text: a quotation, footnote, unlabelled warning.
    pub(crate) fn open(&mut self, kind: NodeKind, span: Option<Span>) -> NodeId {
        self.open_marked(kind, "", span)
    }

    /// Opens a list item or footnote with its marker as printed.
    pub(crate) fn open_marked(&mut self, kind: NodeKind, marker: &str, span: Option<Span>) -> NodeId {
        let quote = kind == NodeKind::Quote;
        let node = self.open_as(kind, marker, span);
        if let Some(frame) = self.frames.last_mut() {
            frame.wants_text = Some(marker.to_owned());
            frame.quote = quote;
        }
        node
    }

    /// Opens a container with its own text or none: a list, table, row, labelled warning.
    pub(crate) fn open_as(&mut self, kind: NodeKind, text: &str, span: Option<Span>) -> NodeId {
        self.leave_text_to_none();
        let flat = self.frames.len() >= MAX_DEPTH;
        let node = if flat { self.builder.leaf(kind, text) } else { self.builder.open(kind, text) };
        self.place(node, span);
        self.frames.push(Frame { node, wants_text: None, quote: false, awaits_one: false, flat });
        node
    }

    /// Closes the innermost container that was opened and not yet closed. Does nothing if none is.
    pub(crate) fn close(&mut self) {
        self.close_awaiting();
        self.close_frame();
        self.block_ended();
    }

    /// How many containers are open, for [`close_down_to`](Self::close_down_to).
    pub(crate) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Closes containers until `depth` of them are open.
    pub(crate) fn close_down_to(&mut self, depth: usize) {
        while self.frames.len() > depth {
            self.close_frame();
        }
    }

    /// Adds running text: the container's own text if that is still missing, otherwise a paragraph, a note or a warning.
    pub(crate) fn paragraph(&mut self, text: &str, span: Option<Span>) {
        self.paragraph_led(text, None, span);
    }

    /// The same, of a text that begins with bold type: there a signal word needs no colon.
    pub(crate) fn paragraph_led(&mut self, text: &str, lead: Option<&str>, span: Option<Span>) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let label = admonition::recognise(text).or_else(|| admonition::led_by(lead?, text));
        if let Some(frame) = self.frames.last_mut()
            && let Some(marker) = frame.wants_text.take()
        {
            let node = frame.node;
            if let Some(label) = label.filter(|_| frame.quote) {
                self.builder.set_kind(node, label.kind);
            }
            let own = if marker.is_empty() { text.to_owned() } else { format!("{marker} {text}") };
            self.builder.set_text(node, &own);
            self.name(node);
            return;
        }
        match label {
            Some(label) if label.alone => self.announce(label.kind, text, span),
            Some(label) => self.leaf(label.kind, text, span),
            None => self.leaf(NodeKind::Paragraph, text, span),
        }
    }

    /// Opens a warning or note with its label; the next block stands in it, and closes it.
    pub(crate) fn announce(&mut self, kind: NodeKind, label: &str, span: Option<Span>) {
        self.open_as(kind, label, span);
        if let Some(frame) = self.frames.last_mut() {
            frame.awaits_one = true;
        }
    }

    /// Adds a node without children.
    pub(crate) fn leaf(&mut self, kind: NodeKind, text: &str, span: Option<Span>) {
        self.leave_text_to_none();
        let node = self.builder.leaf(kind, text);
        self.place(node, span);
        self.block_ended();
    }

    /// The finished document. Without a title of its own it takes the heading that stands above all others.
    pub(crate) fn finish(self) -> Document {
        let mut document = self.builder.finish();
        if document.nodes.first().is_some_and(|root| root.text.is_empty()) {
            let mut sections = document.nodes.iter().filter_map(|node| match node.kind {
                NodeKind::Section { level } => Some((level, node.id)),
                _ => None,
            });
            let first = sections.next();
            let top = first.filter(|(first, _)| *first == 1 && sections.all(|(level, _)| level > 1));
            if let Some((_, node)) = top {
                document.nodes[0].text = document.nodes[node.index()].text.clone();
            }
        }
        document
    }

    /// A container that gets another child first has no text of its own but its marker.
    fn leave_text_to_none(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.wants_text = None;
        }
    }

    fn block_ended(&mut self) {
        self.close_awaiting();
    }

    fn close_awaiting(&mut self) {
        while self.frames.last().is_some_and(|frame| frame.awaits_one) {
            self.close_frame();
        }
    }

    fn close_frame(&mut self) {
        if self.frames.pop().is_some_and(|frame| !frame.flat) {
            self.builder.close();
        }
    }

    fn place(&mut self, node: NodeId, span: Option<Span>) {
        if let Some(span) = span {
            self.builder.span(node, span);
        }
        self.name(node);
    }

    fn name(&mut self, node: NodeId) {
        if let Some(anchor) = self.anchor.take() {
            self.builder.node_metadata(node, "anchor", &anchor);
        }
        for (key, value) in self.facts.drain(..) {
            self.builder.node_metadata(node, key, &value);
        }
    }
}
