//! Files inside files: what is embedded in a PDF, attached to an e-mail or packed into an invoice is read like any other
//! file and stands as a section of its own at the end of the document it came with.
//!
//! Not for finding such files: each format's reader hands them over. What cannot be read is named all the same.

use super::{ParseError, ParseOptions, ParseWarning, ParseWarningKind, Parsed, parse_nested};
use crate::{
    document::{Document, Node, NodeId, NodeKind, facts, file_stem},
    host::Progress,
    text::collapse_whitespace,
};
use std::{borrow::Cow, ops::ControlFlow};

/// Files in one another: a PDF attached to an e-mail that was forwarded with another is the third.
const MAX_DEPTH: u32 = 3;
/// Files in one outermost file, at all depths.
const MAX_FILES: u32 = 1_000;
/// Their unpacked bytes together. A few kilobytes may unpack to gigabytes.
pub(crate) const MAX_ATTACHED_BYTES: usize = if cfg!(test) { 4 << 20 } else { 128 << 20 };
/// Longer names are cut.
const MAX_NAME_CHARACTERS: usize = 200;

/// How deep in other files the file being read stands, and what the outermost may still unpack.
#[derive(Debug)]
pub(crate) struct Nest {
    depth: u32,
    files_left: u32,
    bytes_left: usize,
}

impl Nest {
    /// Of a file that a person handed over.
    pub(crate) fn outermost() -> Self {
        Self { depth: 0, files_left: MAX_FILES, bytes_left: MAX_ATTACHED_BYTES }
    }

    /// How many bytes the next file may have.
    pub(crate) fn bytes_left(&self) -> usize {
        self.bytes_left
    }
}

/// What the reader of a file that may hold others is given beside its bytes.
pub(crate) struct Reading<'r> {
    /// What the caller said.
    pub(crate) options: &'r ParseOptions,
    /// The bounds.
    pub(crate) nest: &'r mut Nest,
    /// Where warnings go.
    pub(crate) warnings: &'r mut Vec<ParseWarning>,
    /// Who hears how far it is.
    pub(crate) progress: &'r mut dyn Progress,
}

/// A file inside another.
pub(crate) struct Attached<'a> {
    /// Its name, or whatever it is called by.
    pub(crate) name: &'a str,
    /// What the outer file says of it; empty for nothing.
    pub(crate) description: &'a str,
    /// Its bytes, or why there are none, as the end of a sentence: "it is damaged".
    pub(crate) bytes: Result<Cow<'a, [u8]>, &'a str>,
}

impl Reading<'_> {
    /// Adds a warning of the whole file.
    pub(crate) fn warn(&mut self, kind: ParseWarningKind, message: String) {
        self.warnings.push(ParseWarning { kind, page: None, message });
    }

    /// Adds files at the end of `document`, each a section with [`facts::ATTACHMENT`] and below it whatever was read.
    ///
    /// # Errors
    /// [`ParseError::Cancelled`] alone: what cannot be read is listed with a warning.
    pub(crate) fn attach<'a>(
        &mut self,
        document: &mut Document,
        files: impl IntoIterator<Item = Attached<'a>>,
    ) -> Result<(), ParseError> {
        let mut n_left_out = 0_usize;
        for file in files {
            if self.nest.files_left == 0 || document.nodes.len() >= super::MAX_NODES {
                n_left_out += 1;
                continue;
            }
            self.nest.files_left -= 1;
            self.attach_one(document, &file)?;
        }
        if n_left_out > 0 {
            let message = format!(
                "{n_left_out} more files are packed into this one than can be kept. Save them from it and add them."
            );
            self.warn(ParseWarningKind::Truncated, message);
        }
        Ok(())
    }

    fn attach_one(&mut self, document: &mut Document, file: &Attached<'_>) -> Result<(), ParseError> {
        let name = shown_name(file.name);
        let section = append(document, NodeId::ROOT, NodeKind::Section { level: 1 }, &name);
        document.nodes[section.index()].metadata.insert(facts::ATTACHMENT.to_owned(), name.clone());
        let description = collapse_whitespace(file.description);
        if !description.is_empty() && description != name {
            append(document, section, NodeKind::Paragraph, &description);
        }
        match self.read(&name, file) {
            Ok(parsed) => self.graft(document, section, &name, parsed),
            Err(Unread::Failed(ParseError::Cancelled)) => return Err(ParseError::Cancelled),
            Err(why) => {
                let message = match why {
                    Unread::Failed(error) => format!("{name}, which is packed into this file, was not read. {error}"),
                    Unread::Because(why) => format!(
                        "{name}, which is packed into this file, was not read: {why}. Save it from the file and add it."
                    ),
                };
                self.warn(ParseWarningKind::NotRead, message);
            }
        }
        Ok(())
    }

    fn read(&mut self, name: &str, file: &Attached<'_>) -> Result<Parsed, Unread> {
        let bytes = file.bytes.as_ref().map_err(|why| Unread::Because((*why).to_owned()))?;
        if self.nest.depth >= MAX_DEPTH {
            return Err(Unread::Because(format!("it lies more than {MAX_DEPTH} files deep in others")));
        }
        let Some(bytes_left) = self.nest.bytes_left.checked_sub(bytes.len()) else {
            return Err(Unread::Because(
                "with it more would have to be unpacked than is allowed for one file".to_owned(),
            ));
        };
        self.nest.bytes_left = bytes_left;
        self.nest.depth += 1;
        // How far a file inside is says little of the whole; that it goes on, and that it may be stopped, counts.
        let outer = &mut *self.progress;
        let mut progress = |_, _| -> ControlFlow<()> { outer.report(0, 0) };
        let parsed = parse_nested(name, bytes, self.options, self.nest, &mut progress);
        self.nest.depth -= 1;
        parsed.map_err(Unread::Failed)
    }

    /// Hangs a tree under the section of its file.
    fn graft(&mut self, document: &mut Document, section: NodeId, name: &str, parsed: Parsed) {
        for warning in parsed.warnings {
            let page = warning.page.map(|page| format!(", page {page}")).unwrap_or_default();
            self.warn(warning.kind, format!("{name}{page}: {}", warning.message));
        }
        let own_title = parsed.document.title();
        let heading = if own_title == file_stem(name) || own_title == name {
            name.to_owned()
        } else {
            format!("{name}: {own_title}")
        };
        let outer = &mut document.nodes[section.index()];
        outer.text = heading;
        for (key, value) in &parsed.document.metadata {
            outer.metadata.entry(key.clone()).or_insert_with(|| value.clone());
        }
        let room = super::MAX_NODES.saturating_sub(document.nodes.len());
        if graft(document, section, parsed.document, room) {
            let message =
                format!("{name}: with this file the document has more parts than can be kept. Its rest is missing.");
            self.warn(ParseWarningKind::Truncated, message);
        }
    }
}

/// Why a file inside another was not read.
enum Unread {
    Failed(ParseError),
    Because(String),
}

/// Hangs what stands below the root of `inner` under `parent`, at most `room` nodes of it, and says whether that was too
/// few. `parent` must be the last node of `document` or contain it.
///
/// Pages, boxes and lines are those of another file: they go, the page into a fact of its own.
pub(crate) fn graft(document: &mut Document, parent: NodeId, inner: Document, room: usize) -> bool {
    let n_before = document.nodes.len() as u32;
    let depth = match document.node(parent).map(|node| &node.kind) {
        Some(NodeKind::Section { level }) => *level,
        _ => 0,
    };
    let n_inner = inner.nodes.len().saturating_sub(1);
    for node in inner.nodes.into_iter().skip(1).take(room) {
        let moved = |id: NodeId| if id == NodeId::ROOT { parent } else { NodeId(n_before + id.0 - 1) };
        let mut metadata = node.metadata;
        if let Some(page) = node.page {
            metadata.entry(facts::ATTACHMENT_PAGE.to_owned()).or_insert_with(|| page.to_string());
        }
        let kind = match node.kind {
            NodeKind::Section { level } => NodeKind::Section { level: level.saturating_add(depth) },
            kind => kind,
        };
        document.nodes.push(Node {
            id: moved(node.id),
            parent: node.parent.map(moved),
            kind,
            page: None,
            span: None,
            lines: None,
            boxes: Vec::new(),
            metadata,
            ..node
        });
    }
    n_inner > room
}

/// Adds a node without a place at the end of the document. `parent` must be the last node or contain it.
pub(crate) fn append(document: &mut Document, parent: NodeId, kind: NodeKind, text: &str) -> NodeId {
    let id = NodeId(u32::try_from(document.nodes.len()).unwrap_or(u32::MAX));
    document.nodes.push(Node {
        id,
        parent: Some(parent),
        kind,
        text: text.to_owned(),
        page: None,
        span: None,
        lines: None,
        boxes: Vec::new(),
        cells: None,
        metadata: std::collections::BTreeMap::new(),
    });
    id
}

/// A name in one line, without what would confuse a reader or a terminal.
fn shown_name(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let name: String = collapse_whitespace(&plain).chars().take(MAX_NAME_CHARACTERS).collect();
    if name.is_empty() { "A file without a name".to_owned() } else { name }
}
