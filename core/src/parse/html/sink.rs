//! HTML to a tree, by html5ever: correct for malformed input as browsers are, and bounded in size and depth.

use super::dom::{Data, Dom, DomId};
use crate::{
    host::Progress,
    parse::{MAX_NODES, ParseError, kib, tick},
};
use html5ever::{
    Attribute, ExpandedName, QualName, TokenizerResult,
    buffer_queue::BufferQueue,
    interface::{ElementFlags, NodeOrText, QuirksMode, Tracer, TreeSink},
    local_name, ns,
    tendril::StrTendril,
    tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts},
    tree_builder::{TreeBuilder, TreeBuilderOpts},
};
use std::{
    borrow::Cow,
    cell::{Cell, Ref, RefCell},
    rc::Rc,
};

/// Elements open at the same time; deeper ones become siblings, as in browsers, which stop at the same depth.
const MAX_DEPTH: usize = 512;
/// The tree itself may be larger than what becomes of it, for the sake of inline markup.
const MAX_DOM_NODES: usize = 2 * MAX_NODES;
/// Text is handed on in pieces of this size, so that reading can be stopped between them.
const PIECE_BYTES: usize = 64 << 10;

/// Parses a document, or a fragment as if it stood in a body.
///
/// # Errors
/// [`ParseError::Cancelled`] alone.
pub(super) fn parse(html: &str, progress: &mut dyn Progress) -> Result<Dom, ParseError> {
    let sink = Sink { dom: RefCell::new(Dom::new()), root_name: Rc::new(QualName::new(None, ns!(), local_name!(""))) };
    let builder = TreeBuilder::new(sink, TreeBuilderOpts { drop_doctype: true, ..TreeBuilderOpts::default() });
    let bounded = Bounded { builder, n_open_at_most: Cell::new(0), flattened: Cell::new(false) };
    let tokenizer = Tokenizer::new(bounded, TokenizerOpts::default());
    let queue = BufferQueue::default();
    let mut rest = html;
    let mut read_bytes = None;
    while !rest.is_empty() {
        let n_read = html.len() - rest.len();
        tick(progress, kib(n_read), kib(html.len()))?;
        let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE_BYTES));
        queue.push_back(StrTendril::from_slice(piece));
        // It pauses for scripts, which are never run, and for declared encodings, which were heeded before.
        while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
        rest = after;
        if tokenizer.sink.is_full() {
            read_bytes = Some(n_read);
            break;
        }
    }
    tokenizer.end();
    let flattened = tokenizer.sink.flattened.get();
    let mut dom = tokenizer.sink.builder.sink.dom.into_inner();
    (dom.flattened, dom.read_bytes) = (flattened, read_bytes);
    Ok(dom)
}

/// Stands between tokenizer and tree builder and keeps the stack of open elements and the tree within bounds: the tree
/// builder's own searches of the stack would make a file of nothing but `<div>` quadratic.
struct Bounded {
    builder: TreeBuilder<Handle, Sink>,
    /// Never less than the number of open elements, which only a walk along all of them tells.
    n_open_at_most: Cell<usize>,
    flattened: Cell<bool>,
}

/// Counts what the tree builder holds on to: the open elements, and formatting elements to be opened again.
#[derive(Default)]
struct Counter(Cell<usize>);

impl Tracer for Counter {
    type Handle = Handle;

    fn trace_handle(&self, _node: &Handle) {
        self.0.set(self.0.get() + 1);
    }
}

impl Bounded {
    fn is_full(&self) -> bool {
        self.builder.sink.dom.borrow().len() >= MAX_DOM_NODES
    }

    /// Whether one more element would be too deep. Walks the stack only when that many tags may have opened it.
    fn is_deep(&self) -> bool {
        if self.n_open_at_most.get() >= MAX_DEPTH {
            let counter = Counter::default();
            self.builder.trace_handles(&counter);
            self.n_open_at_most.set(counter.0.get());
        }
        self.n_open_at_most.set(self.n_open_at_most.get() + 1);
        self.n_open_at_most.get() > MAX_DEPTH
    }
}

impl TokenSink for Bounded {
    type Handle = Handle;

    fn process_token(&self, token: Token, line_number: u64) -> TokenSinkResult<Handle> {
        if let Token::TagToken(Tag { kind: TagKind::StartTag, .. }) = token {
            if self.is_full() {
                return TokenSinkResult::Continue;
            }
            if self.is_deep() {
                self.flattened.set(true);
                return TokenSinkResult::Continue;
            }
        }
        self.builder.process_token(token, line_number)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// A node's place, and its name, which the tree builder asks for all the time.
#[derive(Clone, Debug)]
struct Handle {
    id: DomId,
    name: Rc<QualName>,
}

struct Sink {
    dom: RefCell<Dom>,
    root_name: Rc<QualName>,
}

impl Sink {
    fn other(&self) -> Handle {
        Handle { id: self.dom.borrow_mut().push(Data::Other), name: Rc::clone(&self.root_name) }
    }

    fn insert(&self, parent: DomId, child: NodeOrText<Handle>, next: Option<DomId>) {
        let mut dom = self.dom.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => {
                dom.detach(child.id);
                dom.insert(parent, child.id, next);
            }
            NodeOrText::AppendText(text) => dom.insert_text(parent, &text, next),
        }
    }

    fn dom(&self) -> Ref<'_, Dom> {
        self.dom.borrow()
    }
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = ();
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) {}

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle { id: Dom::ROOT, name: Rc::clone(&self.root_name) }
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        target.name.expanded()
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, _flags: ElementFlags) -> Handle {
        let attributes = attrs.into_iter().map(|attribute| (attribute.name.local, attribute.value)).collect();
        let data = Data::Element { name: name.local.clone(), attributes };
        Handle { id: self.dom.borrow_mut().push(data), name: Rc::new(name) }
    }

    fn create_comment(&self, _text: StrTendril) -> Handle {
        self.other()
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> Handle {
        self.other()
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.insert(parent.id, child, None);
    }

    fn append_based_on_parent_node(&self, element: &Handle, prev_element: &Handle, child: NodeOrText<Handle>) {
        let parent = self.dom().parent(element.id);
        match parent {
            Some(parent) => self.insert(parent, child, Some(element.id)),
            None => self.insert(prev_element.id, child, None),
        }
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public_id: StrTendril, _system_id: StrTendril) {}

    /// Templates are not shown: their contents hang in the air.
    fn get_template_contents(&self, _target: &Handle) -> Handle {
        self.other()
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x.id == y.id
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, new_node: NodeOrText<Handle>) {
        let parent = self.dom().parent(sibling.id);
        if let Some(parent) = parent {
            self.insert(parent, new_node, Some(sibling.id));
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<Attribute>) {
        if let Some(attributes) = self.dom.borrow_mut().attributes_mut(target.id) {
            for attribute in attrs {
                if attributes.iter().all(|(name, _)| *name != attribute.name.local) {
                    attributes.push((attribute.name.local, attribute.value));
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.dom.borrow_mut().detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let mut dom = self.dom.borrow_mut();
        while let Some(child) = dom.first_child(node.id) {
            dom.detach(child);
            dom.insert(new_parent.id, child, None);
        }
    }
}
