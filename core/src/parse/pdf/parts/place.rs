//! Takes parts into a finished tree, each beside the block it stands nearest to.

use super::Part;
use crate::{
    document::{BBox, Document, Node, NodeId, NodeKind, PageBox},
    parse::MAX_NODES,
};
use std::collections::BTreeMap;

/// Things whose tops differ by less, in points, stand in one line.
const LINE: f32 = 4.0;

/// Inserts parts; ids of the nodes after them move.
pub(super) fn insert(document: &mut Document, mut parts: Vec<Part>) {
    parts.truncate(MAX_NODES.saturating_sub(document.nodes.len()));
    if parts.is_empty() {
        return;
    }
    // As a person goes through them: page by page, line by line; what has no place follows.
    let line = |part: &Part| part.bbox.map_or(i64::MAX, |bbox| (bbox.y0 / LINE) as i64);
    let left = |part: &Part| part.bbox.map_or(f32::MAX, |bbox| bbox.x0);
    parts.sort_by(|a, b| (a.page, line(a)).cmp(&(b.page, line(b))).then(left(a).total_cmp(&left(b))));
    let spots = Spots::of(document);
    let mut inserted: BTreeMap<usize, Vec<(NodeId, Part)>> = BTreeMap::new();
    for part in parts {
        let (before, parent) = spots.nearest(&part);
        inserted.entry(before).or_default().push((parent, part));
    }
    let n_new: usize = inserted.values().map(Vec::len).sum();
    let old = std::mem::take(&mut document.nodes);
    let depth_of = depths(&old);
    let mut ids: Vec<NodeId> = Vec::with_capacity(old.len());
    let mut nodes: Vec<Node> = Vec::with_capacity(old.len() + n_new);
    let end = old.len();
    for (index, node) in old.into_iter().map(Some).chain(std::iter::once(None)).enumerate() {
        if let Some(mut parts) = inserted.remove(&index.min(end)) {
            // Before a node there may end several sections: what belongs into the innermost comes first.
            parts.sort_by_key(|(parent, _)| std::cmp::Reverse(depth_of[parent.index()]));
            for (parent, part) in parts {
                let id = NodeId(nodes.len() as u32);
                nodes.push(part.node(id, ids[parent.index()]));
            }
        }
        if let Some(node) = node {
            let id = NodeId(nodes.len() as u32);
            ids.push(id);
            nodes.push(Node { id, parent: node.parent.map(|parent| ids[parent.index()]), ..node });
        }
    }
    document.nodes = nodes;
}

impl Part {
    fn node(self, id: NodeId, parent: NodeId) -> Node {
        Node {
            id,
            parent: Some(parent),
            kind: self.kind,
            text: self.text,
            page: Some(self.page),
            span: None,
            lines: None,
            boxes: self.bbox.map(|bbox| PageBox { page: self.page, bbox }).into_iter().collect(),
            cells: None,
            metadata: self.facts.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
        }
    }
}

fn depths(nodes: &[Node]) -> Vec<u32> {
    let mut depths: Vec<u32> = Vec::with_capacity(nodes.len());
    for node in nodes {
        depths.push(node.parent.map_or(0, |parent| depths[parent.index()] + 1));
    }
    depths
}

/// A block that parts may stand beside: a child of a section or of the document.
struct Spot {
    bbox: BBox,
    node: usize,
    /// One past its last node.
    end: usize,
    parent: NodeId,
    /// What stands beside its heading belongs into it.
    section: bool,
}

struct Spots {
    by_page: BTreeMap<u32, Vec<Spot>>,
    /// For pages without blocks: of every page where what began up to it ends, and in which section.
    ends: BTreeMap<u32, (usize, NodeId)>,
}

impl Spots {
    fn of(document: &Document) -> Self {
        let holds_blocks = |id: NodeId| {
            let kind = document.node(id).map(|node| &node.kind);
            matches!(kind, Some(NodeKind::Document | NodeKind::Section { .. }))
        };
        // Of every node, one past its last: preorder read backwards.
        let mut ends: Vec<usize> = (1..=document.nodes.len()).collect();
        for node in document.nodes.iter().rev() {
            if let Some(parent) = node.parent {
                ends[parent.index()] = ends[parent.index()].max(ends[node.id.index()]);
            }
        }
        let mut spots = Self { by_page: BTreeMap::new(), ends: BTreeMap::new() };
        for node in &document.nodes {
            let Some(parent) = node.parent.filter(|parent| holds_blocks(*parent)) else { continue };
            let index = node.id.index();
            let section = matches!(node.kind, NodeKind::Section { .. });
            if let Some(page) = node.page {
                let end = if section { (index + 1, node.id) } else { (ends[index], parent) };
                let last = spots.ends.entry(page).or_insert(end);
                if end.0 >= last.0 {
                    *last = end;
                }
            }
            if node.kind != NodeKind::Furniture {
                for place in &node.boxes {
                    let spot = Spot { bbox: place.bbox, node: index, end: ends[index], parent, section };
                    spots.by_page.entry(place.page).or_default().push(spot);
                }
            }
        }
        spots
    }

    /// Before which node a part stands, and in which section.
    fn nearest(&self, part: &Part) -> (usize, NodeId) {
        let near = part.bbox.and_then(|bbox| {
            let spots = self.by_page.get(&part.page)?.iter();
            let spot = spots.min_by(|a, b| distance(a.bbox, bbox).total_cmp(&distance(b.bbox, bbox)))?;
            Some((bbox, spot))
        });
        match near {
            Some((_, spot)) if spot.section => (spot.node + 1, NodeId(spot.node as u32)),
            Some((bbox, spot)) if (bbox.y0 + bbox.y1) / 2.0 < spot.bbox.y0 => (spot.node, spot.parent),
            Some((_, spot)) => (spot.end, spot.parent),
            None => self.ends.range(..=part.page).next_back().map_or((1, NodeId::ROOT), |(_, end)| *end),
        }
    }
}

/// Between two rectangles, 0 where they touch, squared.
fn distance(a: BBox, b: BBox) -> f32 {
    let dx = (a.x0 - b.x1).max(b.x0 - a.x1).max(0.0);
    let dy = (a.y0 - b.y1).max(b.y0 - a.y1).max(0.0);
    dx * dx + dy * dy
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{DocumentBuilder, DocumentId};
    use proptest::prelude::*;

    fn bbox(x: u8, y: u8) -> BBox {
        let (x, y) = (f32::from(x), f32::from(y));
        BBox { x0: x, y0: y, x1: x + 20.0, y1: y + 10.0 }
    }

    /// A tree of whatever the steps say: sections, tables with rows, lists, paragraphs, furniture, new pages.
    fn tree(steps: &[(u8, u8, u8)]) -> Document {
        let mut builder = DocumentBuilder::new(DocumentId::of(b"x"), "a.pdf");
        let mut page = 1;
        builder.page(page);
        for (step, x, y) in steps {
            let node = match step % 8 {
                0 => builder.section(1 + x % 3, "section"),
                1 => builder.open(NodeKind::Table, ""),
                2 => builder.open(NodeKind::List { ordered: false }, ""),
                3 => {
                    builder.close();
                    continue;
                }
                4 => {
                    page += 1;
                    builder.page(page);
                    continue;
                }
                5 => builder.leaf(NodeKind::Furniture, "edge"),
                _ => builder.leaf(NodeKind::Paragraph, "text"),
            };
            if x % 5 > 0 {
                builder.bbox(node, bbox(*x, *y));
            }
        }
        builder.finish()
    }

    proptest! {
        #[test]
        fn a_tree_stays_one_and_loses_nothing(
            steps in prop::collection::vec((0..8_u8, any::<u8>(), any::<u8>()), 0..40),
            places in prop::collection::vec((1..8_u32, any::<u8>(), any::<u8>()), 0..20),
        ) {
            let mut document = tree(&steps);
            let before = document.clone();
            let part = |(page, x, y): &(u32, u8, u8)| Part {
                kind: NodeKind::Comment,
                text: "remark".to_owned(),
                facts: Vec::new(),
                page: *page,
                bbox: (x % 7 > 0).then(|| bbox(*x, *y)),
            };
            insert(&mut document, places.iter().map(part).collect());
            prop_assert_eq!(document.nodes.len(), before.nodes.len() + places.len());
            let mut old = Vec::new();
            for (index, node) in document.nodes.iter().enumerate() {
                prop_assert_eq!(node.id.index(), index);
                if index > 0 {
                    // Preorder: the parent is the node before, or one around it.
                    let mut above = Some(document.nodes[index - 1].id);
                    while above.is_some() && above != node.parent {
                        above = above.and_then(|id| document.node(id)?.parent);
                    }
                    prop_assert_eq!(above, node.parent);
                }
                if node.kind == NodeKind::Comment {
                    let around = node.parent.and_then(|parent| document.node(parent)).map(|parent| &parent.kind);
                    prop_assert!(matches!(around, Some(NodeKind::Document | NodeKind::Section { .. })), "{:?}", around);
                } else {
                    old.push(node);
                }
            }
            // What was there stands in the same order, each node in the one it stood in.
            for (was, is) in before.nodes.iter().zip(old.iter()) {
                prop_assert_eq!((&was.kind, &was.text, &was.boxes), (&is.kind, &is.text, &is.boxes));
                let parent = is.parent.and_then(|id| old.iter().position(|node| node.id == id));
                prop_assert_eq!(was.parent.map(NodeId::index), parent);
            }
        }
    }
}
