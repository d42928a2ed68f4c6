//! The part of a document that is held on the page: consecutive nodes, grown at either end and cut at the other.

use millwright_core::document::{Node, NodeId, NodeKind};
use std::sync::Arc;

/// How many nodes one request asks for: about three screens of prose, one of a wide table.
pub(crate) const STRETCH_NODES: u32 = 240;

/// How far before the node asked for a stretch is expected to begin at most. It costs nothing but a longer answer.
const LEAD_NODES: u32 = 64;

/// How many nodes are held at most. Rendering that many takes a few frames; a 700-page manual has 30,000.
pub(crate) const WINDOW_NODES: usize = 1200;

/// What to ask for next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ask {
    /// The first node wanted.
    pub(crate) from: NodeId,
    /// How many at most.
    pub(crate) limit: u32,
}

/// Consecutive nodes of one document.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Window {
    nodes: Vec<Arc<Node>>,
    n_nodes: u32,
}

impl Window {
    /// The nodes held, in reading order.
    pub(crate) fn nodes(&self) -> &[Arc<Node>] {
        &self.nodes
    }

    fn first(&self) -> u32 {
        self.nodes.first().map_or(0, |node| node.id.0)
    }

    fn end(&self) -> u32 {
        self.nodes.last().map_or(0, |node| node.id.0 + 1)
    }

    /// What to ask for to see what stands before; `None` at the beginning.
    pub(crate) fn before(&self) -> Option<Ask> {
        let first = self.first();
        let from = first.saturating_sub(STRETCH_NODES);
        (first > 0).then(|| Ask { from: NodeId(from), limit: first - from + LEAD_NODES })
    }

    /// What to ask for to see what comes after; `None` at the end.
    pub(crate) fn after(&self) -> Option<Ask> {
        let end = self.end();
        (!self.nodes.is_empty() && end < self.n_nodes).then_some(Ask { from: NodeId(end), limit: STRETCH_NODES })
    }

    /// Takes a stretch in. It joins what is held where it touches or overlaps it, at the cost of nodes at the other end
    /// once more than [`WINDOW_NODES`] are held; otherwise it takes its place. `Some` where a stretch began so early that
    /// it ended before it brought anything new: what to ask for instead.
    pub(crate) fn take(&mut self, stretch: Vec<Node>, n_nodes: u32) -> Option<Ask> {
        self.n_nodes = n_nodes;
        let (start, end) = match (stretch.first(), stretch.last()) {
            (Some(first), Some(last)) => (first.id.0, last.id.0 + 1),
            _ => return None,
        };
        let stretch = stretch.into_iter().map(Arc::new);
        if self.nodes.is_empty() || start > self.end() {
            self.nodes = stretch.collect();
        } else if start >= self.first() {
            let held_end = self.end();
            if end <= held_end && held_end < n_nodes {
                return Some(Ask { from: NodeId(held_end), limit: STRETCH_NODES + LEAD_NODES + held_end - start });
            }
            self.nodes.extend(stretch.filter(|node| node.id.0 >= held_end));
            let excess = self.nodes.len().saturating_sub(WINDOW_NODES);
            // A cut between a row's cells would leave cells without a row.
            let cut = self.nodes[excess..].iter().position(|node| !matches!(node.kind, NodeKind::Cell { .. }));
            self.nodes.drain(..excess + cut.unwrap_or(0));
        } else if end >= self.first() {
            let first = self.first();
            let mut nodes: Vec<_> = stretch.filter(|node| node.id.0 < first).collect();
            nodes.append(&mut self.nodes);
            nodes.truncate(WINDOW_NODES);
            self.nodes = nodes;
        } else {
            return Some(Ask { from: NodeId(start), limit: self.first() - start + LEAD_NODES });
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn stretch(ids: std::ops::Range<u32>) -> Vec<Node> {
        let node = |id| Node {
            id: NodeId(id),
            parent: None,
            kind: NodeKind::Paragraph,
            text: String::new(),
            page: None,
            span: None,
            lines: None,
            boxes: Vec::new(),
            cells: None,
            metadata: std::collections::BTreeMap::new(),
        };
        ids.map(node).collect()
    }

    fn bounds(window: &Window) -> (u32, u32) {
        let consecutive = window.nodes().windows(2).all(|pair| pair[0].id.0 + 1 == pair[1].id.0);
        assert!(consecutive);
        (window.first(), window.end())
    }

    #[test]
    fn it_grows_at_both_ends_and_knows_where_the_document_ends() {
        let mut window = Window::default();
        assert_eq!((window.before(), window.after()), (None, None));
        window.take(stretch(500..740), 1000);
        assert_eq!(window.before(), Some(Ask { from: NodeId(260), limit: 304 }));
        assert_eq!(window.after(), Some(Ask { from: NodeId(740), limit: 240 }));
        // A stretch may begin before what was asked for.
        window.take(stretch(730..1000), 1000);
        window.take(stretch(255..500), 1000);
        assert_eq!(bounds(&window), (255, 1000));
        assert_eq!(window.after(), None);
    }

    #[test]
    fn it_never_holds_more_than_its_bound() {
        let mut window = Window::default();
        window.take(stretch(0..240), 50_000);
        for _ in 0..40 {
            let ask = window.after().expect("more");
            window.take(stretch(ask.from.0..ask.from.0 + ask.limit), 50_000);
        }
        assert_eq!(bounds(&window), (240 * 41 - 1200, 240 * 41));
        for _ in 0..40 {
            let Some(ask) = window.before() else { break };
            window.take(stretch(ask.from.0..ask.from.0 + ask.limit), 50_000);
        }
        assert_eq!(bounds(&window), (0, 1200));
    }

    #[test]
    fn a_gap_is_asked_for_again_and_a_jump_replaces() {
        let mut window = Window::default();
        window.take(stretch(500..600), 5000);
        assert_eq!(window.take(stretch(200..440), 5000), Some(Ask { from: NodeId(200), limit: 364 }));
        assert_eq!(window.take(stretch(200..500), 5000), None);
        assert_eq!(bounds(&window), (200, 600));
        // Inside a long table reading begins far before what was asked for.
        assert_eq!(window.take(stretch(340..580), 5000), Some(Ask { from: NodeId(600), limit: 564 }));
        assert_eq!(window.take(stretch(340..840), 5000), None);
        assert_eq!(bounds(&window), (200, 840));
        window.take(stretch(3000..3100), 5000);
        assert_eq!(bounds(&window), (3000, 3100));
    }
}
