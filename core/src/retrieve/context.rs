//! What a passage stands in: its section, put together again from the tree, and the sentences around what was found. Pure
//! functions over nodes and text, all bounded.

use crate::{
    document::{Node, NodeId, NodeKind},
    text,
};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// At most so many words of a section are given beside the passage itself.
pub const MAX_CONTEXT_WORDS: u32 = 600;

/// A part of a section: a heading, a paragraph, an item, a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Its node.
    pub node: NodeId,
    /// What it is.
    pub kind: NodeKind,
    /// Its text; of a row its cells, parted by ` | `.
    pub text: String,
    /// It is what was found, or a part of that.
    pub is_passage: bool,
    /// Something was left out before it.
    pub is_after_gap: bool,
}

/// A passage's section.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// The headings above it and its own, outermost first.
    pub heading_path: Vec<String>,
    /// Its parts in reading order.
    pub blocks: Vec<Block>,
    /// Nothing was left out.
    pub is_whole: bool,
}

/// A block on its way, with the table it is of.
struct Part {
    block: Block,
    n_words: u32,
    table: Option<NodeId>,
    names_columns: bool,
}

/// The section that a passage stands in: the nodes `passage` among `nodes`, which are the section in reading order or a
/// stretch of it. The passage is there whatever its length, its table with caption and header; beyond it as much as
/// `max_words` allow, from the passage outwards, other tables whole or not at all. O(n).
#[must_use]
pub fn section(nodes: &[Node], passage: Range<NodeId>, heading_path: Vec<String>, max_words: u32) -> Section {
    let parts = parts(nodes, &passage);
    let n_parts = parts.len();
    let mut kept = vec![false; n_parts];
    let is_passage = |at: usize| parts[at].block.is_passage;
    let (Some(first), Some(last)) =
        ((0..n_parts).find(|at| is_passage(*at)), (0..n_parts).rev().find(|at| is_passage(*at)))
    else {
        return Section { heading_path, blocks: Vec::new(), is_whole: nodes.is_empty() };
    };
    kept[first..=last].fill(true);
    for (at, part) in parts.iter().enumerate() {
        let of_passage = part.table.is_some() && (part.table == parts[first].table || part.table == parts[last].table);
        kept[at] |= of_passage && part.names_columns;
    }
    // Outwards by turns, until the words are used up on both sides.
    let mut words_left = max_words;
    let (mut above, mut below) = (first, last + 1);
    let (mut goes_up, mut goes_down) = (true, true);
    while goes_up || goes_down {
        if goes_down {
            let group = group_below(&parts, below);
            goes_down = !group.is_empty() && take(&parts, &mut kept, group.clone(), &mut words_left);
            below = group.end;
        }
        if goes_up {
            let group = group_above(&parts, above);
            goes_up = !group.is_empty() && take(&parts, &mut kept, group.clone(), &mut words_left);
            above = group.start;
        }
    }
    let is_whole = kept.iter().all(|kept| *kept);
    let mut gap = false;
    let mut blocks = Vec::new();
    for (part, kept) in parts.into_iter().zip(kept) {
        if kept {
            blocks.push(Block { is_after_gap: gap, ..part.block });
        }
        gap = !kept;
    }
    Section { heading_path, blocks, is_whole }
}

/// Keeps a group if the words allow.
fn take(parts: &[Part], kept: &mut [bool], group: Range<usize>, words_left: &mut u32) -> bool {
    let n_words = group.clone().filter(|at| !kept[*at]).map(|at| parts[at].n_words).fold(0, u32::saturating_add);
    if n_words > *words_left {
        return false;
    }
    *words_left -= n_words;
    kept[group].fill(true);
    true
}

/// What is taken together from a place on: a block, or a table; but of the table that the passage is in row by row.
fn group_below(parts: &[Part], from: usize) -> Range<usize> {
    let Some(part) = parts.get(from) else { return from..from };
    let of_same = parts[from..].iter().take_while(|other| part.table.is_some() && other.table == part.table).count();
    let is_own = from > 0 && parts[from - 1].table == part.table;
    from..from + if is_own { 1 } else { of_same.max(1) }
}

/// As [`group_below`], up to a place.
fn group_above(parts: &[Part], end: usize) -> Range<usize> {
    let Some(part) = end.checked_sub(1).and_then(|at| parts.get(at)) else { return end..end };
    let of_same =
        parts[..end].iter().rev().take_while(|other| part.table.is_some() && other.table == part.table).count();
    let is_own = parts.get(end).is_some_and(|below| below.table == part.table);
    end - if is_own { 1 } else { of_same.max(1) }..end
}

/// The blocks of a stretch of nodes. Furniture is left out.
fn parts(nodes: &[Node], passage: &Range<NodeId>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut table: Option<NodeId> = None;
    for (at, node) in nodes.iter().enumerate() {
        // In preorder a table ends at the first node that hangs above it.
        if table.is_some_and(|id| node.parent.is_none_or(|parent| parent < id)) {
            table = None;
        }
        let (block_text, names_columns) = match &node.kind {
            NodeKind::Cell { .. } | NodeKind::Furniture | NodeKind::Document | NodeKind::List { .. } => continue,
            NodeKind::Table => {
                table = Some(node.id);
                (node.text.clone(), true)
            }
            NodeKind::Row { header } => (row_text(&nodes[at..]), *header),
            // A paragraph inside a cell is told with its row.
            _ if table.is_some() => continue,
            _ => (node.text.clone(), false),
        };
        if text::collapse_whitespace(&block_text).is_empty() {
            continue;
        }
        parts.push(Part {
            n_words: text::count_words(&block_text),
            table,
            names_columns,
            block: Block {
                node: node.id,
                kind: node.kind.clone(),
                text: block_text,
                is_passage: passage.contains(&node.id),
                is_after_gap: false,
            },
        });
    }
    parts
}

/// The cells of the row that comes first, and what stands in them.
fn row_text(nodes: &[Node]) -> String {
    let Some(row) = nodes.first() else { return String::new() };
    let mut cells: Vec<String> = Vec::new();
    for node in nodes[1..].iter().take_while(|node| node.parent.is_some_and(|parent| parent >= row.id)) {
        match (&node.kind, cells.last_mut()) {
            (NodeKind::Cell { .. }, _) => cells.push(text::collapse_whitespace(&node.text)),
            (_, Some(cell)) if !node.text.is_empty() => {
                let gap = if cell.is_empty() { "" } else { " " };
                cell.push_str(gap);
                cell.push_str(&text::collapse_whitespace(&node.text));
            }
            _ => {}
        }
    }
    cells.join(" | ")
}

/// The sentences of a long text around its marks, as byte ranges, ascending: those with a mark and `n_around` on each side.
/// All of a text of at most `max_words`, or without marks as many sentences from the beginning as these allow. O(n).
#[must_use]
pub fn sentence_window(text: &str, marks: &[(u32, u32)], n_around: usize, max_words: u32) -> Vec<Range<usize>> {
    if text::count_words(text) <= max_words {
        return std::iter::once(0..text.len()).collect();
    }
    let mut sentences: Vec<Range<usize>> = Vec::new();
    for sentence in text::sentences(text) {
        let start = sentences.last().map_or(0, |last| last.end);
        sentences.push(start..start + sentence.len());
    }
    let mut kept = vec![false; sentences.len()];
    for (start, end) in marks {
        let from = sentences.partition_point(|sentence| sentence.end <= *start as usize);
        let to = sentences.partition_point(|sentence| sentence.start < *end as usize);
        if from < to {
            kept[from.saturating_sub(n_around)..(to + n_around).min(sentences.len())].fill(true);
        }
    }
    if marks.is_empty() {
        let mut n_words = 0;
        for (sentence, kept) in sentences.iter().zip(&mut kept) {
            n_words += text::count_words(&text[sentence.clone()]);
            *kept = n_words <= max_words;
        }
    }
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (sentence, _) in sentences.into_iter().zip(kept).filter(|(_, kept)| *kept) {
        match ranges.last_mut() {
            Some(last) if last.end == sentence.start => last.end = sentence.end,
            _ => ranges.push(sentence),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Document, DocumentBuilder, DocumentId};

    fn row(builder: &mut DocumentBuilder, header: bool, cells: &[&str]) {
        builder.open(NodeKind::Row { header }, "");
        for text in cells {
            builder.leaf(NodeKind::Cell { header, colspan: 1, rowspan: 1 }, text);
        }
        builder.close();
    }

    fn document() -> Document {
        let mut builder = DocumentBuilder::new(DocumentId::of(b"x"), "pump.md");
        builder.section(1, "Care");
        builder.leaf(NodeKind::Paragraph, "Before all else.");
        builder.leaf(NodeKind::Furniture, "Page 3");
        builder.open(NodeKind::Table, "Torques");
        row(&mut builder, true, &["Bolt", "Nm"]);
        for n in 0..9 {
            row(&mut builder, false, &[&format!("M{n}"), &n.to_string()]);
        }
        builder.close();
        builder.open(NodeKind::List { ordered: true }, "");
        builder.leaf(NodeKind::ListItem, "1. Stop.");
        builder.leaf(NodeKind::ListItem, "2. Wipe.");
        builder.close();
        builder.finish()
    }

    fn texts(section: &Section) -> Vec<String> {
        let shown = |block: &Block| {
            let (gap, mark) = (if block.is_after_gap { "… " } else { "" }, if block.is_passage { "*" } else { "" });
            format!("{gap}{mark}{}", block.text)
        };
        section.blocks.iter().map(shown).collect()
    }

    fn id_of(document: &Document, text: &str) -> NodeId {
        document.nodes.iter().find(|node| node.text == text).unwrap().id
    }

    #[test]
    fn a_section_comes_back_whole() {
        let document = document();
        let stop = id_of(&document, "1. Stop.");
        let section = section(&document.nodes, stop..NodeId(stop.0 + 1), vec!["Care".to_owned()], MAX_CONTEXT_WORDS);
        assert!(section.is_whole);
        let texts = texts(&section);
        assert_eq!(&texts[..5], ["Care", "Before all else.", "Torques", "Bolt | Nm", "M0 | 0"]);
        assert_eq!(&texts[12..], ["M8 | 8", "*1. Stop.", "2. Wipe."]);
    }

    #[test]
    fn a_row_has_caption_and_header_however_little_fits() {
        let document = document();
        let cell = id_of(&document, "M4");
        let row = document.node(cell).unwrap().parent.unwrap();
        let section = section(&document.nodes, row..NodeId(row.0 + 1), Vec::new(), 4);
        assert_eq!(texts(&section), ["… Torques", "Bolt | Nm", "… M3 | 3", "*M4 | 4", "M5 | 5"]);
        assert!(!section.is_whole);
    }

    #[test]
    fn another_table_is_whole_or_not_there() {
        let document = document();
        let stop = id_of(&document, "1. Stop.");
        let range = stop..NodeId(stop.0 + 1);
        assert_eq!(texts(&section(&document.nodes, range.clone(), Vec::new(), 12)), ["… *1. Stop.", "2. Wipe."]);
        assert_eq!(texts(&section(&document.nodes, range, Vec::new(), 24))[0], "… Torques");
    }

    #[test]
    fn nothing_is_made_of_nothing() {
        let document = document();
        assert_eq!(section(&[], NodeId(1)..NodeId(2), Vec::new(), 9), Section { is_whole: true, ..Section::default() });
        assert_eq!(section(&document.nodes, NodeId(900)..NodeId(901), Vec::new(), 9).blocks, []);
    }

    #[test]
    fn long_texts_keep_the_sentences_around_the_marks() {
        let text: String = (0..40).map(|n| format!("Sentence number {n} says a little. ")).collect();
        let at = text.find("number 20").unwrap() as u32;
        let shown = |marks: &[(u32, u32)]| -> Vec<String> {
            sentence_window(&text, marks, 1, 60).into_iter().map(|range| text[range].trim().to_owned()).collect()
        };
        let near = shown(&[(at, at + 6)]);
        assert_eq!(near.len(), 1);
        assert!(near[0].starts_with("Sentence number 19") && near[0].contains("number 21") && !near[0].contains("22"));
        let last = text.find("number 39").unwrap() as u32;
        assert_eq!(shown(&[(0, 8), (last, last + 6)]).len(), 2);
        assert!(shown(&[])[0].starts_with("Sentence number 0") && !shown(&[])[0].contains("number 20"));
        assert!(sentence_window("Short. Text.", &[], 0, 60).into_iter().eq(std::iter::once(0..12)));
    }

    proptest::proptest! {
        #[test]
        fn windows_are_of_the_text(text in "([a-zé]{1,4}[ .]{1,2}){0,60}", start in 0_u32..400, length in 0_u32..80) {
            for range in sentence_window(&text, &[(start, start + length)], 1, 5) {
                proptest::prop_assert!(text.get(range).is_some());
            }
        }
    }
}
