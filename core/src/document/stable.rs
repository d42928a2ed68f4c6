//! Names of nodes that survive a new revision of their file.
//!
//! Not [`NodeId`], which counts positions and moves with every insertion before it.

use super::{Document, NodeId};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fmt};

/// Identifies a part of a document by what it says and where: 64 bits, the same in every revision in which the part,
/// the headings above it and the number of equal parts before it there are unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StableId(pub u64);

impl fmt::Display for StableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The stable id of every node, by [`NodeId`]. O(size of the document).
///
/// A node is named after its parent's name, its kind, all the text in it (its own only, for the root and for sections:
/// a changed paragraph must not rename its chapter) and its rank among equal siblings. Two nodes of a document share an
/// id only where 64 bits of SHA-256 collide.
#[must_use]
pub fn stable_ids(document: &Document) -> Vec<StableId> {
    let contents = contents(document);
    let mut ids: Vec<StableId> = Vec::with_capacity(document.nodes.len());
    let mut n_equal: BTreeMap<(u64, u64), u32> = BTreeMap::new();
    for (node, content) in document.nodes.iter().zip(contents) {
        let above = node.parent.and_then(|parent| ids.get(parent.index())).map_or(0, |id| id.0);
        let rank = n_equal.entry((above, content)).or_insert(0);
        ids.push(StableId(hash(|digest| {
            digest.update(above.to_le_bytes());
            digest.update(content.to_le_bytes());
            digest.update(rank.to_le_bytes());
        })));
        *rank += 1;
    }
    ids
}

/// Of every node: a hash of what it is and says, its children included unless it is a section.
fn contents(document: &Document) -> Vec<u64> {
    let mut digests: Vec<Sha256> = Vec::with_capacity(document.nodes.len());
    let mut contents = vec![0; document.nodes.len()];
    for node in &document.nodes {
        let mut digest = Sha256::new();
        // The discriminant's name is stable where its number is not.
        digest.update(format!("{:?}", node.kind));
        digest.update([0]);
        // The title is often taken from the file's name or properties, which change without a word being changed.
        if node.id != NodeId::ROOT {
            digest.update(&node.text);
        }
        digests.push(digest);
    }
    // Children before parents: preorder read backwards.
    for (index, digest) in digests.iter().enumerate().rev() {
        contents[index] = first_eight(&digest.clone().finalize());
    }
    // A container says what its children say, in order.
    for (index, node) in document.nodes.iter().enumerate().rev() {
        let children = document.children(NodeId(index as u32)).map(|child| contents[child.id.index()]);
        if !is_section(node) && document.nodes.get(index + 1).is_some_and(|next| next.parent == Some(node.id)) {
            let own = contents[index];
            contents[index] = hash(|digest| {
                digest.update(own.to_le_bytes());
                children.for_each(|child| digest.update(child.to_le_bytes()));
            });
        }
    }
    contents
}

fn is_section(node: &super::Node) -> bool {
    matches!(node.kind, super::NodeKind::Document | super::NodeKind::Section { .. })
}

fn hash(feed: impl FnOnce(&mut Sha256)) -> u64 {
    let mut digest = Sha256::new();
    feed(&mut digest);
    first_eight(&digest.finalize())
}

fn first_eight(digest: &[u8]) -> u64 {
    digest.iter().take(8).fold(0, |id, byte| id << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::super::{DocumentBuilder, DocumentId, NodeKind};
    use super::*;
    use std::collections::BTreeSet;

    fn document(build: impl FnOnce(&mut DocumentBuilder)) -> Document {
        let mut builder = DocumentBuilder::new(DocumentId::of(b"x"), "pump.md");
        build(&mut builder);
        builder.finish()
    }

    fn table(builder: &mut DocumentBuilder, rows: &[&str]) {
        builder.open(NodeKind::Table, "");
        for row in rows {
            builder.open(NodeKind::Row { header: false }, "");
            builder.leaf(NodeKind::Cell { header: false, colspan: 1, rowspan: 1 }, row);
            builder.close();
        }
        builder.close();
    }

    #[test]
    fn unchanged_parts_keep_their_ids_when_others_come_and_go() {
        let before = document(|b| {
            b.section(1, "Care");
            b.leaf(NodeKind::Paragraph, "Keep it clean.");
            b.leaf(NodeKind::Paragraph, "Keep it clean.");
            b.section(1, "Oil");
            table(b, &["4 l", "5 l"]);
        });
        let after = document(|b| {
            b.section(1, "Preface");
            b.section(1, "Care");
            b.leaf(NodeKind::Paragraph, "New here.");
            b.leaf(NodeKind::Paragraph, "Keep it clean.");
            b.leaf(NodeKind::Paragraph, "Keep it clean.");
            b.section(1, "Oil");
            table(b, &["4 l", "6 l"]);
        });
        let (old, new) = (stable_ids(&before), stable_ids(&after));
        assert_eq!(old.iter().collect::<BTreeSet<_>>().len(), before.nodes.len(), "no two alike");
        // Root, Care, its two paragraphs, Oil.
        for (was, is) in [(0, 0), (1, 2), (2, 4), (3, 5), (4, 6)] {
            assert_eq!(old[was], new[is], "{:?}", before.nodes[was]);
        }
        // The table changed, and with it what stands in it.
        assert_ne!(old[5], new[7]);
    }
}
