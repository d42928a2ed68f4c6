//! What a hostile document makes of headings and tables: their repeats stay in proportion to what it says, and nothing
//! that it says is lost.

use super::{Chunk, ChunkKind, chunk};
use crate::document::{DocumentBuilder, DocumentId, NodeKind};

fn new() -> DocumentBuilder {
    DocumentBuilder::new(DocumentId::of(b"x"), "a.html")
}

fn cell(builder: &mut DocumentBuilder, text: &str, colspan: u16, rowspan: u16) {
    builder.leaf(NodeKind::Cell { header: false, colspan, rowspan }, text);
}

fn n_bytes(chunks: &[Chunk]) -> usize {
    let of = |chunk: &Chunk| {
        let keys: usize = chunk.row_keys.iter().map(|(column, key)| column.len() + key.len()).sum();
        chunk.text.len() + chunk.heading_path.concat().len() + keys
    };
    chunks.iter().map(of).sum()
}

/// No more than a few megabytes of a hundred kilobytes.
const MOST: usize = 8 << 20;

#[test]
fn an_endless_heading_is_not_repeated_for_ever() {
    let mut builder = new();
    builder.section(1, &"heading ".repeat(8_000));
    for _ in 0..8_000 {
        builder.leaf(NodeKind::Code { language: String::new() }, "x");
    }
    let chunks = chunk(&builder.finish());
    assert_eq!(chunks.len(), 8_000);
    assert!(chunks[0].heading_path[0].starts_with("heading"));
    assert!(n_bytes(&chunks) < MOST, "{}", n_bytes(&chunks));
}

#[test]
fn endless_names_of_columns_and_groups_are_not_repeated_for_ever() {
    for group in [false, true] {
        let mut builder = new();
        builder.open(NodeKind::Table, &"caption ".repeat(2_000));
        builder.open(NodeKind::Row { header: !group }, "");
        cell(&mut builder, &"name ".repeat(8_000), if group { 2 } else { 1 }, 1);
        cell(&mut builder, if group { "" } else { "other" }, 1, 1);
        builder.close();
        for n in 0..8_000 {
            builder.open(NodeKind::Row { header: false }, "");
            cell(&mut builder, &n.to_string(), 1, 1);
            cell(&mut builder, "v", 1, 1);
            builder.close();
        }
        builder.close();
        let chunks = chunk(&builder.finish());
        assert!(n_bytes(&chunks) < MOST, "{}", n_bytes(&chunks));
        assert!(chunks[0].text.contains("name name") && chunks.last().is_some_and(|last| last.text.contains("7999")));
    }
}

#[test]
fn cells_that_span_everything_are_not_repeated_for_ever() {
    let mut builder = new();
    builder.open(NodeKind::Table, "");
    builder.open(NodeKind::Row { header: false }, "");
    for _ in 0..2_000 {
        cell(&mut builder, "wide", 1_000, 1_000);
    }
    builder.close();
    for n in 0..4_000 {
        builder.open(NodeKind::Row { header: false }, "");
        cell(&mut builder, &n.to_string(), 1, 1);
        builder.close();
    }
    builder.close();
    let chunks = chunk(&builder.finish());
    assert!(n_bytes(&chunks) < MOST, "{}", n_bytes(&chunks));
    assert!(chunks.last().is_some_and(|last| last.text.contains("3999")));
}

#[test]
fn the_name_of_an_empty_column_is_not_lost() {
    let mut builder = new();
    builder.open(NodeKind::Table, "");
    for n in 0..60 {
        builder.open(NodeKind::Row { header: n == 0 }, "");
        cell(&mut builder, &format!("M{n} with a zinc plated head"), 1, 1);
        cell(&mut builder, if n == 0 { "Remarks" } else { "" }, 1, 1);
        builder.close();
    }
    builder.close();
    let chunks = chunk(&builder.finish());
    assert_eq!((chunks.len(), chunks[0].kind), (60, ChunkKind::Table));
    assert_eq!(chunks[0].text, "M0 with a zinc plated head | Remarks");
}

#[test]
fn names_of_columns_with_nothing_below_are_not_lost() {
    let mut builder = new();
    builder.open(NodeKind::Table, "");
    builder.open(NodeKind::Row { header: true }, "");
    cell(&mut builder, &"name ".repeat(300), 1, 1);
    builder.close();
    builder.close();
    assert!(chunk(&builder.finish())[0].text.starts_with("name name"));

    // All that is hidden in the table is one of its names.
    let mut builder = new();
    builder.open(NodeKind::Table, "");
    builder.open(NodeKind::Row { header: true }, "");
    cell(&mut builder, "seen", 1, 1);
    let hidden = builder.leaf(NodeKind::Cell { header: true, colspan: 1, rowspan: 1 }, "secret");
    builder.node_metadata(hidden, crate::document::facts::HIDDEN, "column");
    builder.close();
    builder.close();
    let chunks = chunk(&builder.finish());
    let texts: Vec<(&str, Option<&str>)> = chunks.iter().map(|c| (c.text.as_str(), c.hidden.as_deref())).collect();
    assert_eq!(texts, [("seen", None), ("secret", Some("column"))]);
}

#[test]
fn a_heading_over_nothing_but_furniture_is_not_lost() {
    let mut builder = new();
    builder.section(1, "Original page 7");
    builder.leaf(NodeKind::Furniture, "Page 7");
    assert_eq!(chunk(&builder.finish())[0].text, "Original page 7");
}

#[test]
fn a_row_is_found_by_the_caption_of_its_table() {
    let mut builder = new();
    builder.section(1, "Bolts");
    builder.open(NodeKind::Table, "Tightening torques");
    for n in 0..60 {
        builder.open(NodeKind::Row { header: n == 0 }, "");
        cell(&mut builder, &format!("M{n} with a zinc plated head"), 1, 1);
        cell(&mut builder, "10 Nm", 1, 1);
        builder.close();
    }
    builder.close();
    let chunks = chunk(&builder.finish());
    assert!(chunks.iter().all(|chunk| chunk.kind == ChunkKind::Row));
    assert_eq!(chunks[7].heading_path, ["Bolts", "Tightening torques"]);
}
