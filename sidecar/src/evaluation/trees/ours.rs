//! Our tree as a row of blocks.

use super::{Block, Class, common::collapse, stored};
use millwright_core::document::{Document, Node, NodeKind, facts};

/// The blocks of a document in reading order.
pub(super) fn blocks(document: &Document) -> Vec<Block> {
    let mut nodes: Vec<&Node> = document.nodes.iter().collect();
    // The title stands where its heading does.
    let title = document.nodes.first().and_then(|root| root.span);
    let stands_before = |node: &&Node| title.zip(node.span).is_some_and(|(title, span)| span.end <= title.start);
    let n_before = nodes.iter().skip(1).take_while(|node| stands_before(node)).count();
    nodes[..=n_before].rotate_left(1);
    nodes.into_iter().flat_map(|node| node_blocks(document, node)).collect()
}

fn node_blocks(document: &Document, node: &Node) -> Vec<Block> {
    let worded = |class| {
        let block = Block::new(class, &node.text);
        if block.text.is_empty() { Vec::new() } else { vec![block] }
    };
    match &node.kind {
        NodeKind::Document => {
            let stands_in_text =
                |other: &Node| matches!(other.kind, NodeKind::Section { .. }) && other.text == node.text;
            if document.nodes.iter().any(stands_in_text) {
                return Vec::new();
            }
            worded(Class::Heading).into_iter().map(|block| Block { optional: true, ..block }).collect()
        }
        // docling's sheets are groups, which hold no text.
        NodeKind::Section { .. } if node.metadata.contains_key(facts::SHEET) => Vec::new(),
        NodeKind::Section { .. } => {
            worded(Class::Heading).into_iter().map(|block| Block { bare: unpointed(&block.text), ..block }).collect()
        }
        NodeKind::Paragraph
        | NodeKind::Quote
        | NodeKind::Warning(_)
        | NodeKind::Note
        | NodeKind::Footnote
        | NodeKind::KeyValue
        | NodeKind::FormField => worded(Class::Text),
        // A marker without a text: docling keeps neither.
        NodeKind::ListItem if !node.text.trim().contains(' ') && unmarked(&format!("{} .", node.text)).is_some() => {
            Vec::new()
        }
        NodeKind::ListItem => {
            worded(Class::Item).into_iter().map(|block| Block { bare: unmarked(&block.text), ..block }).collect()
        }
        NodeKind::Table => table(document, node),
        NodeKind::Caption => worded(Class::Caption),
        // docling takes the alternative text of a picture for its caption, but only in HTML.
        NodeKind::Figure => {
            let alternative = worded(Class::Caption).into_iter().map(|block| Block { optional: true, ..block });
            std::iter::once(Block::new(Class::Figure, "")).chain(alternative).collect()
        }
        NodeKind::Code { .. } => worded(Class::Code),
        NodeKind::Formula => worded(Class::Formula),
        // Rows are told with their table; the others stand beside docling's tree.
        NodeKind::Row { .. }
        | NodeKind::Cell { .. }
        | NodeKind::List { .. }
        | NodeKind::Furniture
        | NodeKind::Comment => Vec::new(),
    }
}

/// A table's shape, its rows and its caption.
fn table(document: &Document, table: &Node) -> Vec<Block> {
    let mut rows = Vec::new();
    let mut n_columns = 0;
    // For every column the number of rows that a cell from above still covers.
    let mut covered: Vec<u16> = Vec::new();
    for row in document.children(table.id).filter(|node| matches!(node.kind, NodeKind::Row { .. })) {
        let mut column = 0;
        let mut texts = Vec::new();
        let mut bare = Vec::new();
        let mut values = Vec::new();
        for cell in document.children(row.id) {
            let NodeKind::Cell { colspan, rowspan, .. } = cell.kind else { continue };
            while covered.get(column).is_some_and(|rows| *rows > 0) {
                column += 1;
            }
            let lines: Vec<&str> = document.subtree(cell.id).iter().flat_map(|node| node.text.lines()).collect();
            let text = collapse(&lines.join(" "));
            if !text.is_empty() {
                texts.push(format!("{column}: {text}"));
                let unmarked: Vec<String> =
                    lines.iter().map(|line| unmarked(line).unwrap_or_else(|| (*line).to_owned())).collect();
                bare.push(format!("{column}: {}", collapse(&unmarked.join(" "))));
                values.push(format!("{column}: {}", cell.metadata.get(facts::VALUE).unwrap_or(&text)));
            }
            let end = column + usize::from(colspan);
            if covered.len() < end {
                covered.resize(end, 0);
            }
            covered[column..end].iter_mut().for_each(|rows| *rows = rowspan);
            column = end;
        }
        n_columns = n_columns.max(covered.len());
        covered.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
        let stored = table.cells.map(|_| stored::row(values.iter().map(String::as_str)));
        let bare = Some(bare.join(" | "));
        rows.push(Block { bare, stored, ..Block::new(Class::Row, &texts.join(" | ")) });
    }
    let mut blocks = vec![Block::new(Class::Table, &format!("{} x {n_columns}", rows.len()))];
    blocks.extend(rows.into_iter().filter(|row| !row.text.is_empty()));
    match (&*table.text, table.cells) {
        ("", _) => {}
        // docling's workbooks have no captions: a title is a text above its table.
        (title, Some(_)) => blocks.insert(0, Block::new(Class::Text, title)),
        (caption, None) => blocks.push(Block::new(Class::Caption, caption)),
    }
    blocks
}

/// A heading without the full stop or bracket after its number: docling puts the numbers of headings together itself.
fn unpointed(text: &str) -> Option<String> {
    let rest = unmarked(text)?;
    let marker = text.split(' ').next()?.trim_end_matches(['.', ')']);
    Some(format!("{marker} {rest}"))
}

/// A text without the marker of a list it begins with: `2.`, `b)`, `iv.`, `1.2.3`, `•`.
fn unmarked(text: &str) -> Option<String> {
    let (marker, rest) = text.trim_start().split_once(' ')?;
    let bullet = marker.chars().count() == 1 && !marker.contains(char::is_alphanumeric);
    let inside = marker.trim_matches(['(', ')', '.', ':', '°', '§']);
    let figures = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let letters = |part: &str| part.len() == 1 || part.bytes().all(|b| b"ivxlcIVXLC".contains(&b));
    let mut parts = inside.split('.');
    // Letters count only at the outermost level: "A.1", but not "e.g.".
    let counts = parts.next().is_some_and(|first| figures(first) || letters(first)) && parts.all(figures);
    let numbered = !inside.is_empty() && counts;
    (bullet || numbered).then(|| rest.trim_start().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use millwright_core::document::{DocumentBuilder, DocumentId};

    #[test]
    fn markers_are_told_from_words() {
        for text in ["1. Stop", "b) Stop", "iv. Stop", "1.2.3 Stop", "2 Stop", "• Stop"] {
            assert_eq!(unmarked(text).as_deref(), Some("Stop"), "{text}");
        }
        for text in ["Stop now", "e.g. bars", "10mm bars"] {
            assert_eq!(unmarked(text), None, "{text}");
        }
    }

    #[test]
    fn spans_move_cells_to_their_columns() {
        let mut builder = DocumentBuilder::new(DocumentId::of(b"x"), "x");
        builder.open(NodeKind::Table, "Torques");
        for cells in [[("a", 1, 2), ("b", 2, 1)].as_slice(), &[("c", 1, 1), ("", 1, 1)]] {
            builder.open(NodeKind::Row { header: false }, "");
            for (text, colspan, rowspan) in cells {
                let kind = NodeKind::Cell { header: false, colspan: *colspan, rowspan: *rowspan };
                builder.leaf(kind, text);
            }
            builder.close();
        }
        let texts: Vec<String> = blocks(&builder.finish()).into_iter().map(|block| block.text).collect();
        assert_eq!(texts, ["2 x 3", "0: a | 1: b", "1: c", "Torques"]);
    }
}
