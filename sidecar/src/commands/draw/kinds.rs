//! How each kind of node is drawn: its colour and its label.

use millwright_core::document::{Node, NodeKind, WarningGrade};

/// How a node's boxes are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Look {
    /// Red, green, blue.
    pub(super) color: [u8; 3],
    /// Stands at the box's upper left corner; may be empty.
    pub(super) label: String,
    /// Its frame stands around others.
    pub(super) wide: bool,
}

/// How a node is drawn; `None` for those that are seen by what is in them.
pub(super) fn look(node: &Node) -> Option<Look> {
    let (color, label, wide) = match &node.kind {
        NodeKind::Document | NodeKind::Row { .. } | NodeKind::List { .. } => return None,
        NodeKind::Section { level } => ([0xc0, 0x1c, 0x28], format!("H{level}"), false),
        NodeKind::Paragraph => ([0x1a, 0x5f, 0xb4], "P".to_owned(), false),
        NodeKind::ListItem => ([0x26, 0x7f, 0x4e], "LI".to_owned(), false),
        NodeKind::Table => ([0xc6, 0x46, 0x00], "TABLE".to_owned(), true),
        NodeKind::Cell { header: true, .. } => ([0xc6, 0x46, 0x00], String::new(), false),
        NodeKind::Cell { .. } => ([0xe5, 0xa5, 0x0a], String::new(), false),
        NodeKind::Code { .. } => ([0x5e, 0x5c, 0x64], "CODE".to_owned(), false),
        NodeKind::Quote => ([0x86, 0x5e, 0x3c], "QUOTE".to_owned(), true),
        NodeKind::Warning(grade) => {
            let label = match grade {
                WarningGrade::Danger => "DANGER",
                WarningGrade::Warning => "WARNING",
                WarningGrade::Caution => "CAUTION",
                WarningGrade::Notice => "NOTICE",
            };
            ([0xe0, 0x1b, 0x84], label.to_owned(), true)
        }
        NodeKind::Note => ([0x00, 0x80, 0x9d], "NOTE".to_owned(), true),
        NodeKind::Figure => ([0x81, 0x3d, 0x9c], "FIG".to_owned(), true),
        NodeKind::Caption => ([0x81, 0x3d, 0x9c], "CAP".to_owned(), false),
        NodeKind::Footnote => ([0x63, 0x45, 0x2c], "FN".to_owned(), false),
        NodeKind::Furniture => ([0x9a, 0x99, 0x96], "FURN".to_owned(), false),
        NodeKind::KeyValue => ([0x2e, 0x8b, 0x57], "KV".to_owned(), false),
        NodeKind::FormField => ([0x2e, 0x8b, 0x57], "FIELD".to_owned(), false),
        NodeKind::Formula => ([0x4b, 0x00, 0x82], "F".to_owned(), false),
        NodeKind::Comment => ([0xb8, 0x86, 0x0b], "NOTE BY".to_owned(), false),
    };
    Some(Look { color, label, wide })
}
