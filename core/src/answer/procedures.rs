//! A procedure as its steps, with every safety warning that belongs to it before them; and lists as their items.

use super::{
    compose::Composer,
    evidence::{Graded, Source, Stretch},
};
use crate::{
    chunk::{Chunk, ChunkKind},
    document::{Node, NodeId, NodeKind},
    grade::Terms,
    protocol::{Role, Support},
    text::{self, Language},
};
use std::ops::Range;

/// Steps or items told, at most; a longer list is cut, and that is said.
const MAX_STEPS: usize = 40;
/// A run of numbered paragraphs is a procedure from so many on.
const MIN_STEPS: usize = 2;

/// Tells the steps that a passage stands in or leads to, warnings first. `false` where there are none.
pub(super) fn say_steps(part: u32, stretch: &Stretch, graded: &Graded, terms: &Terms, composer: &mut Composer) -> bool {
    let passage = &graded.passage;
    let Some(steps) = steps(stretch, passage.node..passage.end_node, terms, true) else { return false };
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return false };
    say_warnings(part, stretch, first.id, end_of(stretch, last.id), composer);
    say_items(part, stretch, &steps, Role::Step, composer)
}

/// Tells the items of the list that a passage stands in or leads to. `false` where there is none.
pub(super) fn say_list(part: u32, stretch: &Stretch, graded: &Graded, terms: &Terms, composer: &mut Composer) -> bool {
    let passage = &graded.passage;
    let Some(items) = steps(stretch, passage.node..passage.end_node, terms, false) else { return false };
    say_items(part, stretch, &items, Role::Item, composer)
}

fn say_items(part: u32, stretch: &Stretch, items: &[&Node], role: Role, composer: &mut Composer) -> bool {
    let n_before = composer.statements.len();
    for item in items.iter().take(MAX_STEPS) {
        say_node(part, stretch, item.id, role, composer);
    }
    composer.statements.len() > n_before
}

/// The warnings of the section around a range of nodes, of the sections above it before their first subsection, and inside
/// the range itself.
pub(super) fn say_warnings(part: u32, stretch: &Stretch, first: NodeId, end: NodeId, composer: &mut Composer) {
    let mut sections: Vec<NodeId> = Vec::new();
    let mut next = stretch.node(first).and_then(|node| node.parent);
    while let Some(node) = next.and_then(|id| stretch.node(id)) {
        if matches!(node.kind, NodeKind::Section { .. } | NodeKind::Document) {
            sections.push(node.id);
        }
        next = node.parent.filter(|parent| *parent < node.id);
    }
    for (depth, section) in sections.iter().enumerate().rev() {
        let inside = stretch.subtree(*section);
        // Of a section above only what stands before its subsections is said of all of them.
        let is_own = depth == 0;
        let n_own = inside
            .iter()
            .skip(1)
            .position(|node| matches!(node.kind, NodeKind::Section { .. }))
            .map_or(inside.len(), |at| at + 1);
        for node in inside.iter().take(n_own).filter(|node| matches!(node.kind, NodeKind::Warning(_))) {
            if is_own || node.id < first {
                say_node(part, stretch, node.id, Role::Warning, composer);
            }
        }
    }
    for node in stretch
        .nodes
        .iter()
        .filter(|node| node.id >= first && node.id < end && matches!(node.kind, NodeKind::Warning(_)))
    {
        say_node(part, stretch, node.id, Role::Warning, composer);
    }
}

/// One past the last node below a node.
fn end_of(stretch: &Stretch, id: NodeId) -> NodeId {
    stretch.subtree(id).last().map_or(NodeId(id.0.saturating_add(1)), |last| NodeId(last.id.0.saturating_add(1)))
}

/// The list that a range of nodes is of, or the best one in its section: numbered ones only, where steps are wanted.
fn steps<'s>(stretch: &'s Stretch, passage: Range<NodeId>, terms: &Terms, ordered: bool) -> Option<Vec<&'s Node>> {
    let is_list = |node: &&Node| match node.kind {
        NodeKind::List { ordered: is_ordered } => is_ordered || !ordered,
        _ => false,
    };
    let lists = stretch.nodes.iter().filter(is_list);
    // A list inside an item is a part of that item.
    let is_inner =
        |node: &Node| node.parent.and_then(|id| stretch.node(id)).is_some_and(|above| above.kind == NodeKind::ListItem);
    let mut best: Option<(f32, Vec<&Node>)> = None;
    let mut consider = |nodes: Vec<&'s Node>, start: NodeId, end: NodeId| {
        if nodes.len() < MIN_STEPS {
            return;
        }
        let overlaps = start < passage.end && passage.start < end;
        // The first list after the passage in the same section goes with what leads to it.
        let follows = start >= passage.end && same_section(stretch, passage.start, start);
        if !overlaps && !follows {
            return;
        }
        let said: Vec<String> = nodes.iter().map(|node| stretch.text_of(node.id)).collect();
        let language = text::language(&said.join(" ")).unwrap_or(Language::English);
        let fit = terms.share(terms.find(&said.join("\n"), language).set()) + if overlaps { 1.0 } else { 0.0 };
        if best.as_ref().is_none_or(|(known, _)| fit > *known) {
            best = Some((fit, nodes));
        }
    };
    // A warning between two steps parts the list; the numbers tell that it goes on.
    let mut open: Option<(NodeId, Vec<&'s Node>, NodeId)> = None;
    for list in lists.filter(|list| !is_inner(list)) {
        let is_item = |node: &&Node| node.parent == Some(list.id) && node.kind == NodeKind::ListItem;
        let items: Vec<&Node> = stretch.subtree(list.id).iter().filter(is_item).collect();
        let (first, end) = (items.first().and_then(|item| marker(&item.text)), end_of(stretch, list.id));
        if let Some((_, known, known_end)) = &mut open {
            let last = known.last().and_then(|item| marker(&item.text));
            let is_same = known.first().is_some_and(|item| same_section(stretch, item.id, list.id));
            if is_same && first.is_some_and(|first| first > 1 && last == Some(first - 1)) {
                known.extend(items);
                *known_end = end;
                continue;
            }
        }
        if let Some((start, nodes, end)) = open.replace((list.id, items, end)) {
            consider(nodes, start, end);
        }
    }
    if let Some((start, nodes, end)) = open {
        consider(nodes, start, end);
    }
    // Numbered paragraphs, or headings, that no parser took for a list.
    let mut run: Vec<&Node> = Vec::new();
    let mut number = 0;
    for node in stretch.nodes.iter().filter(|node| matches!(node.kind, NodeKind::Paragraph)) {
        match marker(&node.text) {
            Some(n) if n == number + 1 || n == 1 => {
                if n == 1 {
                    let done = std::mem::take(&mut run);
                    if let (Some(first), Some(last)) = (done.first(), done.last()) {
                        let (start, end) = (first.id, end_of(stretch, last.id));
                        consider(done, start, end);
                    }
                }
                run.push(node);
                number = n;
            }
            _ => {}
        }
    }
    if let (Some(first), Some(last)) = (run.first(), run.last()) {
        let (start, end) = (first.id, end_of(stretch, last.id));
        consider(run, start, end);
    }
    best.map(|(_, nodes)| nodes)
}

/// The number that a step begins with: `1.`, `2)`, `Step 3:`.
fn marker(text: &str) -> Option<u32> {
    let text = text.trim_start();
    let rest = ["Step ", "step ", "STEP ", "Schritt "].iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let is_marked = rest.as_bytes().get(n_digits).is_some_and(|byte| matches!(byte, b'.' | b')' | b':'));
    let after = rest.as_bytes().get(n_digits + 1).is_none_or(u8::is_ascii_whitespace);
    (1..=2).contains(&n_digits).then_some(())?;
    rest[..n_digits].parse().ok().filter(|_| is_marked && after)
}

fn section_of(stretch: &Stretch, id: NodeId) -> Option<NodeId> {
    let mut next = stretch.node(id);
    while let Some(node) = next {
        if matches!(node.kind, NodeKind::Section { .. }) {
            return Some(node.id);
        }
        next = node.parent.filter(|parent| *parent < node.id).and_then(|parent| stretch.node(parent));
    }
    None
}

fn same_section(stretch: &Stretch, a: NodeId, b: NodeId) -> bool {
    section_of(stretch, a) == section_of(stretch, b)
}

/// Quotes a node with all below it, wherever its chunks have it.
fn say_node(part: u32, stretch: &Stretch, id: NodeId, role: Role, composer: &mut Composer) {
    let end = end_of(stretch, id);
    let is_of = |chunk: &&Chunk| {
        let is_warning = chunk.kind == ChunkKind::Warning;
        chunk.node < end && id < chunk.end_node && (role != Role::Warning || is_warning)
    };
    let texts: Vec<&Node> = stretch.subtree(id).iter().filter(|node| !node.text.trim().is_empty()).collect();
    let mut told: Vec<String> = Vec::new();
    let mut sources: Vec<(Source<'_>, Vec<Range<usize>>)> = Vec::new();
    for chunk in stretch.chunks.iter().filter(is_of) {
        if role == Role::Warning && chunk.node >= id && chunk.end_node <= end {
            told.push(chunk.text.clone());
            sources.push((Source::of(chunk, &stretch.name), std::iter::once(0..chunk.text.len()).collect()));
            continue;
        }
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for node in texts.iter().filter(|node| chunk.node <= node.id && node.id < chunk.end_node) {
            let from = ranges.last().map_or(0, |last| last.end);
            ranges.extend(find_text(&chunk.text, &node.text, from));
        }
        if let (Some(first), Some(last)) = (ranges.first(), ranges.last()) {
            let whole = first.start..last.end;
            told.push(chunk.text.get(whole.clone()).unwrap_or_default().to_owned());
            sources.push((Source::of(chunk, &stretch.name), vec![whole]));
        }
    }
    composer.say(part, role, told.join("\n"), Support::Quoted, &sources);
}

/// Where a chunk has a node's text, from a place on; white space may differ.
fn find_text(chunk: &str, text: &str, from: usize) -> Option<Range<usize>> {
    let rest = chunk.get(from..)?;
    let trimmed = text.trim();
    if let Some(at) = rest.find(trimmed) {
        return Some(from + at..from + at + trimmed.len());
    }
    let collapsed = text::collapse_whitespace(trimmed);
    rest.find(&collapsed).map(|at| from + at..from + at + collapsed.len())
}
