//! A tree of elements in an arena, and ways through it that need no recursion, however deep it is.
//!
//! Not for building one from HTML, which is [`super::sink`], nor for what elements mean, which is [`super::walk`].

use html5ever::{LocalName, tendril::StrTendril};

/// A parsed tree.
#[derive(Debug)]
pub(super) struct Dom {
    nodes: Vec<DomNode>,
    /// Elements were nested deeper than what is kept apart.
    pub(super) flattened: bool,
    /// Bytes of the source that were read before the tree was full; `None` if all were.
    pub(super) read_bytes: Option<usize>,
}

/// The place of a node in its tree.
pub(super) type DomId = usize;

/// Is taken through a subtree by [`Dom::walk`].
pub(super) trait Visitor<E> {
    /// Whether to go below this node.
    fn enter(&mut self, id: DomId) -> Result<bool, E>;
    /// All of this node is done.
    fn leave(&mut self, id: DomId) -> Result<(), E>;
}

#[derive(Debug)]
struct DomNode {
    parent: Option<DomId>,
    previous: Option<DomId>,
    next: Option<DomId>,
    first: Option<DomId>,
    last: Option<DomId>,
    data: Data,
}

/// What a node is.
#[derive(Debug)]
pub(super) enum Data {
    /// An element of any namespace.
    Element {
        /// Its name without prefix.
        name: LocalName,
        /// Names and values as written.
        attributes: Vec<(LocalName, StrTendril)>,
    },
    /// Text.
    Text(String),
    /// The document, comments, processing instructions, templates.
    Other,
}

impl Dom {
    /// A document without anything in it.
    pub(super) fn new() -> Self {
        let mut dom = Self { nodes: Vec::new(), flattened: false, read_bytes: None };
        dom.push(Data::Other);
        dom
    }

    /// Number of nodes, whether they stand in the tree or not.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// An element's attributes, to add to.
    pub(super) fn attributes_mut(&mut self, id: DomId) -> Option<&mut Vec<(LocalName, StrTendril)>> {
        match &mut self.nodes[id].data {
            Data::Element { attributes, .. } => Some(attributes),
            _ => None,
        }
    }

    /// The document node.
    pub(super) const ROOT: DomId = 0;

    /// What a node is.
    pub(super) fn data(&self, id: DomId) -> &Data {
        &self.nodes[id].data
    }

    /// The element's name; empty for everything else.
    pub(super) fn name(&self, id: DomId) -> &str {
        match &self.nodes[id].data {
            Data::Element { name, .. } => name,
            _ => "",
        }
    }

    /// An attribute's value.
    pub(super) fn attribute(&self, id: DomId, wanted: &str) -> Option<&str> {
        match &self.nodes[id].data {
            Data::Element { attributes, .. } => {
                attributes.iter().find(|(name, _)| &**name == wanted).map(|(_, value)| &**value)
            }
            _ => None,
        }
    }

    /// The node it stands in.
    pub(super) fn parent(&self, id: DomId) -> Option<DomId> {
        self.nodes[id].parent
    }

    /// Its children in order.
    pub(super) fn children(&self, id: DomId) -> impl Iterator<Item = DomId> {
        std::iter::successors(self.nodes[id].first, |child| self.nodes[*child].next)
    }

    /// The first child.
    pub(super) fn first_child(&self, id: DomId) -> Option<DomId> {
        self.nodes[id].first
    }

    /// A node and everything below it in document order. Steps along the links: no recursion, however deep.
    pub(super) fn subtree(&self, root: DomId) -> impl Iterator<Item = DomId> {
        std::iter::successors(Some(root), move |id| {
            let mut at = *id;
            if let Some(child) = self.nodes[at].first {
                return Some(child);
            }
            while at != root {
                if let Some(next) = self.nodes[at].next {
                    return Some(next);
                }
                at = self.nodes[at].parent?;
            }
            None
        })
    }

    /// Walks a subtree in document order: `enter` says whether to go below a node, `leave` is told when all of it is
    /// done, also where nothing was entered. Either may stop the walk.
    pub(super) fn walk<E>(&self, root: DomId, visitor: &mut impl Visitor<E>) -> Result<(), E> {
        let mut at = root;
        loop {
            if visitor.enter(at)?
                && let Some(child) = self.nodes[at].first
            {
                at = child;
                continue;
            }
            loop {
                visitor.leave(at)?;
                if at == root {
                    return Ok(());
                }
                if let Some(next) = self.nodes[at].next {
                    at = next;
                    break;
                }
                let Some(parent) = self.nodes[at].parent else { return Ok(()) };
                at = parent;
            }
        }
    }

    /// Adds a node that stands nowhere yet.
    pub(super) fn push(&mut self, data: Data) -> DomId {
        self.nodes.push(DomNode { parent: None, previous: None, next: None, first: None, last: None, data });
        self.nodes.len() - 1
    }

    /// Takes a node out of its parent, its subtree with it.
    pub(super) fn detach(&mut self, id: DomId) {
        let (parent, previous, next) = (self.nodes[id].parent, self.nodes[id].previous, self.nodes[id].next);
        match previous {
            Some(previous) => self.nodes[previous].next = next,
            None => parent.into_iter().for_each(|parent| self.nodes[parent].first = next),
        }
        match next {
            Some(next) => self.nodes[next].previous = previous,
            None => parent.into_iter().for_each(|parent| self.nodes[parent].last = previous),
        }
        let node = &mut self.nodes[id];
        (node.parent, node.previous, node.next) = (None, None, None);
    }

    /// Puts a detached node into `parent` before `next`, at the end if that is `None`.
    pub(super) fn insert(&mut self, parent: DomId, id: DomId, next: Option<DomId>) {
        let previous = match next {
            Some(next) => self.nodes[next].previous,
            None => self.nodes[parent].last,
        };
        let node = &mut self.nodes[id];
        (node.parent, node.previous, node.next) = (Some(parent), previous, next);
        match previous {
            Some(previous) => self.nodes[previous].next = Some(id),
            None => self.nodes[parent].first = Some(id),
        }
        match next {
            Some(next) => self.nodes[next].previous = Some(id),
            None => self.nodes[parent].last = Some(id),
        }
    }

    /// Adds text to `parent` before `next`, to the text before it if there is some.
    pub(super) fn insert_text(&mut self, parent: DomId, text: &str, next: Option<DomId>) {
        let previous = match next {
            Some(next) => self.nodes[next].previous,
            None => self.nodes[parent].last,
        };
        if let Some(Data::Text(before)) = previous.map(|previous| &mut self.nodes[previous].data) {
            before.push_str(text);
            return;
        }
        let id = self.push(Data::Text(text.to_owned()));
        self.insert(parent, id, next);
    }
}
