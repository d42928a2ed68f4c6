//! The document tree: what a file says, in reading order, with the place of every part.
//!
//! Not for reading formats (that is [`crate::parse`]) and not for cutting into searchable pieces ([`crate::chunk`]):
//! the tree is the primary form, and everything else is a view over it.

mod builder;
pub mod facts;
mod outline;
mod place;
mod stable;

pub use builder::DocumentBuilder;
pub use outline::outline;
pub use place::{BBox, CellRange, LineRange, PageBox, Span};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
pub use stable::{StableId, stable_ids};
use std::{collections::BTreeMap, fmt};

/// Identifies a document by its content: the first 32 hexadecimal digits of the SHA-256 of its bytes.
///
/// The same bytes have the same id on every machine, which is what makes rankings comparable between machines.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DocumentId(String);

impl DocumentId {
    /// The id of a file with these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let digest = Sha256::digest(bytes);
        let hex = digest.iter().take(16).fold(String::with_capacity(32), |mut hex, byte| {
            for nibble in [byte >> 4, byte & 15] {
                hex.push(char::from_digit(u32::from(nibble), 16).unwrap_or('0'));
            }
            hex
        });
        Self(hex)
    }

    /// Reads an id back from its text form; `None` unless it is 32 lower-case hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let well_formed = text.len() == 32 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        well_formed.then(|| Self(text.to_owned()))
    }

    /// The 32 hexadecimal digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DocumentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The place of a node in its document's reading order: its index in [`Document::nodes`]. The root is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The root of every document.
    pub const ROOT: Self = Self(0);

    /// The index into [`Document::nodes`].
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How grave a [`NodeKind::Warning`] is, in the order of ANSI Z535.6 and ISO 3864.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum WarningGrade {
    /// Will injure or kill.
    Danger,
    /// Can injure or kill.
    Warning,
    /// Can injure lightly or break things.
    Caution,
    /// Can break things.
    Notice,
}

/// What part of a document a node is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NodeKind {
    /// The root; its text is the title.
    Document,
    /// A section; its text is the heading as printed, its children what stands under it.
    Section {
        /// 1 is the outermost.
        level: u8,
    },
    /// Running text.
    Paragraph,
    /// A list; its children are items.
    List {
        /// Numbered (steps) rather than bulleted.
        ordered: bool,
    },
    /// One item of a list, its text with the marker as printed ("1.", "b)") where it has one; may contain further blocks.
    ListItem,
    /// A table; its children are rows, its text the caption where one is known.
    Table,
    /// One row; its children are cells.
    Row {
        /// The row names the columns.
        header: bool,
    },
    /// One cell.
    Cell {
        /// The cell names its column or row.
        header: bool,
        /// Columns it spans, at least 1.
        colspan: u16,
        /// Rows it spans, at least 1.
        rowspan: u16,
    },
    /// Program text or terminal output, whitespace kept.
    Code {
        /// The language as the source names it, or empty.
        language: String,
    },
    /// A quotation.
    Quote,
    /// A safety warning.
    Warning(
        /// How grave.
        WarningGrade,
    ),
    /// A note or tip: emphasised, but not about safety.
    Note,
    /// A picture; its text is the alternative text.
    Figure,
    /// The caption of a figure or table.
    Caption,
    /// A footnote.
    Footnote,
    /// Running heads, page numbers, navigation: kept, not searched.
    Furniture,
    /// A key and its value, as in front matter or a record: text is "key: value".
    KeyValue,
    /// A field to be filled in and what was: text is "name: value".
    FormField,
    /// A formula that stands on its own, as text.
    Formula,
    /// What a reader remarked on the text: a comment, an annotation.
    Comment,
}

/// One part of a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Its place in reading order.
    pub id: NodeId,
    /// The node it stands in; `None` for the root alone.
    pub parent: Option<NodeId>,
    /// What it is.
    pub kind: NodeKind,
    /// Its own text, without its children's.
    pub text: String,
    /// The page it begins on, from 1, where the format has pages.
    pub page: Option<u32>,
    /// Where it stands in the decoded source, where the format is text.
    pub span: Option<Span>,
    /// The lines of the source it stands on, where the format is text.
    pub lines: Option<LineRange>,
    /// Where it stands on its pages, where the format has positions: one box for each run of lines that stand together
    /// (two where it goes on in the next column or on the next page), in reading order.
    pub boxes: Vec<PageBox>,
    /// The cells of its sheet it stands in, in spreadsheets; the sheet is the section around it.
    pub cells: Option<CellRange>,
    /// Whatever else the source says of it, by lower-case key: [`facts`] has the keys that others read.
    pub metadata: BTreeMap<String, String>,
}

/// A parsed document: its nodes in reading order (parents before children, siblings in order).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// By content.
    pub id: DocumentId,
    /// The name it was given, a relative path with `/` where a folder was dropped.
    pub name: String,
    /// Nodes in preorder; never empty, the root first.
    pub nodes: Vec<Node>,
    /// Number of pages, where the format has pages.
    pub n_pages: Option<u32>,
    /// Document-level facts: `author`, `language`, `encoding`, front matter, … by lower-case key.
    pub metadata: BTreeMap<String, String>,
}

impl Document {
    /// The node with this id, `None` if it is of another document.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.index())
    }

    /// The title: the root's text, or the last part of the name without its ending.
    #[must_use]
    pub fn title(&self) -> &str {
        let titled = self.nodes.first().map_or("", |root| root.text.as_str());
        if titled.is_empty() { file_stem(&self.name) } else { titled }
    }

    /// The headings above a node, outermost first, its own included if it is a section; the title is not among them.
    /// O(depth).
    #[must_use]
    pub fn heading_path(&self, id: NodeId) -> Vec<&str> {
        let mut path = Vec::new();
        let mut next = self.node(id);
        while let Some(node) = next {
            if matches!(node.kind, NodeKind::Section { .. }) && !node.text.is_empty() {
                path.push(node.text.as_str());
            }
            next = node.parent.and_then(|parent| self.node(parent));
        }
        path.reverse();
        path
    }

    /// The children of a node in order. O(size of its subtree).
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = &Node> {
        self.subtree(id).iter().skip(1).filter(move |node| node.parent == Some(id))
    }

    /// A node and everything below it, in reading order; empty if the id is of another document.
    #[must_use]
    pub fn subtree(&self, id: NodeId) -> &[Node] {
        let rest = self.nodes.get(id.index()..).unwrap_or_default();
        // Preorder: the subtree ends at the first later node whose parent stands before `id`.
        let end = rest.iter().skip(1).position(|node| node.parent.is_none_or(|parent| parent < id));
        &rest[..end.map_or(rest.len(), |end| end + 1)]
    }
}

/// The last part of a path without its ending: `pumps/p100.md` gives `p100`.
#[must_use]
pub fn file_stem(name: &str) -> &str {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match last.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => last,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_of_the_content() {
        assert_eq!(DocumentId::of(b"").as_str(), "e3b0c44298fc1c149afbf4c8996fb924");
        assert_eq!(DocumentId::parse("e3b0c44298fc1c149afbf4c8996fb924"), Some(DocumentId::of(b"")));
        assert_eq!(DocumentId::parse("E3B0C44298FC1C149AFBF4C8996FB924"), None);
    }

    #[test]
    fn subtree_and_children_follow_preorder() {
        let mut builder = DocumentBuilder::new(DocumentId::of(b"x"), "a/b.md");
        builder.section(1, "One");
        builder.leaf(NodeKind::Paragraph, "p1");
        builder.section(2, "One A");
        builder.leaf(NodeKind::Paragraph, "p2");
        builder.section(1, "Two");
        builder.leaf(NodeKind::Paragraph, "p3");
        let document = builder.finish();
        let texts = |nodes: Vec<&Node>| nodes.iter().map(|n| n.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(document.children(NodeId::ROOT).collect()), ["One", "Two"]);
        assert_eq!(texts(document.subtree(NodeId(1)).iter().collect()), ["One", "p1", "One A", "p2"]);
        assert_eq!(document.heading_path(NodeId(4)), ["One", "One A"]);
        assert_eq!(document.title(), "b");
    }
}
