//! What must hold of whatever was read, however hostile the file: the tree is well formed, places are places, chunks refer
//! to nodes, no word is lost on the way to them, and the same bytes give the same again.

use millwright_core::{
    chunk::{Chunk, chunk},
    document::{Document, Node, NodeKind},
    host::{Draft, MemoryStorage, NoProgress, Progress, StoppedClock},
    index::{Library, Prepared, prepare},
    parse::{Format, ParseError, Parsed, decode, parse as read},
    text::count_words,
};
use std::{collections::BTreeSet, ops::ControlFlow};

/// No tree is deeper: whoever walks one may do so by calling itself.
const MAX_DEPTH: usize = 200;
/// The last row and column that any spreadsheet has.
const LAST_CELL: (u32, u32) = (1_048_575, 16_383);
/// Drafts are taken of so many pages.
const MAX_DRAFTS: u32 = 3;
/// Words are looked for in trees of at most so many nodes: it takes time.
const MAX_NODES_FOR_WORDS: usize = 20_000;

/// Takes drafts of the first pages.
#[derive(Default)]
struct Drafts(Vec<Document>);

impl Progress for Drafts {
    fn report(&mut self, _done: u32, _total: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn wants_draft(&mut self, n_pages_read: u32, _n_pages: u32) -> bool {
        n_pages_read <= MAX_DRAFTS
    }

    fn draft(&mut self, draft: Draft) {
        self.0.push(draft.document);
    }
}

/// Reads a file and cuts it into chunks.
pub(crate) fn parse(name: &str, file: &[u8]) {
    let mut drafts = Drafts::default();
    let outcome = read(name, file, &mut drafts);
    for draft in &drafts.0 {
        tree(draft, None);
        chunks(draft);
    }
    match &outcome {
        Ok(parsed) => {
            let source = is_text(parsed.format).then(|| decode(file, &mut Vec::new()).text);
            tree(&parsed.document, source.as_deref());
            chunks(&parsed.document);
            if let Some(source) = &source {
                words_of_text(parsed, source);
            }
        }
        Err(error) => assert!(*error != ParseError::Cancelled, "nobody stopped it"),
    }
    // One input in eight: reading everything twice would halve the speed.
    if file.len().is_multiple_of(8) {
        assert_eq!(read(name, file, &mut NoProgress), outcome, "the same bytes give the same tree");
    }
}

/// Prepares a file, takes it into a library and looks for its words.
pub(crate) fn index(name: &str, file: &[u8]) {
    let Ok(prepared) = prepare(name, file, &mut NoProgress) else { return };
    // Files of a segment have random names; what is in them must not differ in number.
    let about = |p: &Prepared| (p.id.clone(), p.title.clone(), p.n_pages, p.n_chunks, p.n_nodes, p.warnings.clone());
    let again = prepare(name, file, &mut NoProgress);
    assert_eq!(again.as_ref().map(about), Ok(about(&prepared)), "the same bytes give the same again");
    assert_eq!(Prepared::from_bytes(&prepared.to_bytes()).as_ref(), Some(&prepared), "it can be sent");
    let (id, n_nodes, n_chunks) = (prepared.id.clone(), prepared.n_nodes, prepared.n_chunks);
    let library = pollster::block_on(async {
        let mut library = Library::open(MemoryStorage::default()).await?;
        library.commit(prepared, file, 0).await?;
        let view = library.view(&id, millwright_core::document::NodeId(n_nodes / 2), 40).await?;
        assert!(!view.nodes.is_empty(), "there is something to see");
        for passage in library.find("a the warning 1 error 9", 5, &StoppedClock::default()).await?.passages {
            assert!(passage.chunk.ordinal < n_chunks && passage.end_node.0 <= n_nodes && passage.score.is_finite());
        }
        library.trash(&[id.clone()]).await?;
        library.purge(&[id]).await?;
        Ok::<_, millwright_core::index::IndexError>(library)
    });
    let library = library.expect("a whole store serves");
    assert!(library.documents().is_empty());
}

/// Whether nodes of a format have spans in its decoded text.
fn is_text(format: Format) -> bool {
    matches!(format, Format::Markdown | Format::Html | Format::Csv | Format::Text | Format::Xml | Format::Invoice)
}

fn tree(document: &Document, source: Option<&str>) {
    let nodes = &document.nodes;
    let root = nodes.first().expect("there is a root");
    assert!(matches!(root.kind, NodeKind::Document) && root.parent.is_none(), "{root:?}");
    let mut depths = vec![0_usize];
    for (at, node) in nodes.iter().enumerate().skip(1) {
        assert_eq!(node.id.index(), at, "nodes are numbered");
        let parent = node.parent.unwrap_or_else(|| panic!("{node:?} stands nowhere"));
        assert!(parent < node.id, "{node:?} stands before its parent");
        // Preorder: the parent is the node before, or one of its ancestors.
        let mut above = nodes[at - 1].id;
        while above != parent {
            above = nodes[above.index()].parent.unwrap_or_else(|| panic!("{node:?} is not in reading order"));
        }
        depths.push(depths[parent.index()] + 1);
        assert!(depths[at] <= MAX_DEPTH, "{node:?} is {} deep", depths[at]);
        let parent = &nodes[parent.index()].kind;
        match node.kind {
            NodeKind::Cell { colspan, rowspan, .. } => {
                assert!(matches!(parent, NodeKind::Row { .. }), "{node:?} in {parent:?}");
                assert!(colspan > 0 && rowspan > 0, "{node:?}");
            }
            NodeKind::Row { .. } => assert!(matches!(parent, NodeKind::Table), "{node:?} in {parent:?}"),
            NodeKind::Section { level } => assert!(level > 0, "{node:?}"),
            NodeKind::Document => panic!("a second root: {node:?}"),
            _ => {}
        }
        place(document, node, source);
    }
}

fn place(document: &Document, node: &Node, source: Option<&str>) {
    let n_pages = document.n_pages.unwrap_or(0);
    let is_page = |page: u32| page > 0 && page <= n_pages;
    assert!(node.page.is_none_or(is_page), "{node:?} of {n_pages} pages");
    for place in &node.boxes {
        let bbox = place.bbox;
        assert!(is_page(place.page), "{node:?} of {n_pages} pages");
        assert!([bbox.x0, bbox.y0, bbox.x1, bbox.y1].iter().all(|side| side.is_finite()), "{node:?}");
        assert!(bbox.x0 <= bbox.x1 && bbox.y0 <= bbox.y1, "{node:?}");
    }
    if let Some(cells) = node.cells {
        assert!(cells.first_row <= cells.last_row && cells.first_column <= cells.last_column, "{node:?}");
        assert!(cells.last_row <= LAST_CELL.0 && cells.last_column <= LAST_CELL.1, "{node:?}");
    }
    if let Some(lines) = node.lines {
        assert!(lines.first > 0 && lines.first <= lines.last, "{node:?}");
    }
    if let (Some(span), Some(source)) = (node.span, source) {
        let text = source.get(span.start as usize..span.end as usize);
        assert!(text.is_some(), "{node:?} is no part of {} bytes", source.len());
    }
}

fn chunks(document: &Document) {
    let chunks = chunk(document);
    for (at, chunk) in chunks.iter().enumerate() {
        assert_eq!(chunk.id.ordinal as usize, at, "chunks are numbered");
        assert!(chunk.id.document == document.id);
        assert!(chunk.node < chunk.end_node && chunk.end_node.index() <= document.nodes.len(), "{chunk:?}");
        assert!(!chunk.text.trim().is_empty(), "{chunk:?}");
        assert_eq!(chunk.n_words, count_words(&chunk.text), "{chunk:?}");
        assert!(chunk.span.is_none_or(|span| span.start <= span.end), "{chunk:?}");
    }
    if document.nodes.len() <= MAX_NODES_FOR_WORDS {
        words_of_tree(document, &chunks);
    }
}

/// Runs of letters and digits.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Every word of the tree but those of furniture is in a chunk, in the headings above one, or in the title.
fn words_of_tree(document: &Document, chunks: &[Chunk]) {
    let mut kept: BTreeSet<&str> = words(document.title()).collect();
    for chunk in chunks {
        kept.extend(words(&chunk.text));
        kept.extend(chunk.heading_path.iter().flat_map(|heading| words(heading)));
    }
    let mut furniture = None;
    for node in document.nodes.iter().skip(1) {
        // What stands in furniture is furniture.
        if matches!(node.kind, NodeKind::Furniture) {
            furniture = Some(document.subtree(node.id).last().map_or(node.id, |last| last.id));
        }
        if furniture.is_some_and(|last| node.id <= last) {
            continue;
        }
        for word in words(&node.text) {
            assert!(kept.contains(word), "{word:?} of {node:?} is in no chunk");
        }
    }
}

/// Every word of a plain text or of a table of delimited values is in the tree, unless it says that something is missing.
fn words_of_text(parsed: &Parsed, source: &str) {
    // A first line that says what parts the cells is none of the table.
    let begins = source.get(..5).unwrap_or_default().trim_start_matches('"').to_ascii_lowercase();
    // Other texts have words that say how they are set.
    let is_bare = [".txt", ".csv"].iter().any(|ending| parsed.document.name.ends_with(ending))
        && matches!(parsed.format, Format::Text | Format::Csv);
    if !is_bare || !parsed.warnings.is_empty() || begins.starts_with("sep") {
        return;
    }
    let mut letters = [0_i64; 128];
    let count = |text: &str, by: i64, letters: &mut [i64; 128]| {
        text.bytes().filter(u8::is_ascii_alphanumeric).for_each(|byte| letters[usize::from(byte)] += by);
    };
    count(source, 1, &mut letters);
    for node in &parsed.document.nodes {
        count(&node.text, -1, &mut letters);
        node.metadata.values().for_each(|value| count(value, -1, &mut letters));
    }
    let lost: Vec<char> = (0..128_u8).filter(|byte| letters[usize::from(*byte)] > 0).map(char::from).collect();
    assert!(lost.is_empty(), "{lost:?} are in the text more often than in the tree");
}
