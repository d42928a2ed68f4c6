//! Places of chunks, and that what nobody sees is kept apart.

use super::*;
use crate::document::{CellRange, DocumentBuilder, LineRange, NodeKind, WarningGrade, facts};

const CELL: NodeKind = NodeKind::Cell { header: false, colspan: 1, rowspan: 1 };

/// A sheet "Spare parts" with a header and these rows, the last of them hidden, and the column "Cost" hidden.
fn workbook(n_rows: u32) -> Document {
    let mut builder = DocumentBuilder::new(DocumentId::of(b"x"), "prices.xlsx");
    let sheet = builder.section(1, "Spare parts");
    builder.node_metadata(sheet, facts::SHEET, "Spare parts");
    builder.open(NodeKind::Table, "");
    for row in 0..=n_rows {
        let texts = if row == 0 {
            ["Part", "Price", "Cost"].map(str::to_owned)
        } else {
            [format!("P-{row}"), format!("price {row}00 of this part"), format!("cost {row}")]
        };
        let node = builder.open(NodeKind::Row { header: row == 0 }, "");
        if row == n_rows {
            builder.node_metadata(node, facts::HIDDEN, "row");
        }
        for (column, text) in (0..).zip(texts) {
            let cell = builder.leaf(CELL, &text);
            builder.cells(cell, CellRange::cell(row + 9, column));
            if column == 2 {
                builder.node_metadata(cell, facts::HIDDEN, "column");
            }
        }
        builder.close();
    }
    builder.finish()
}

#[test]
fn rows_and_columns_that_are_not_seen_stand_in_chunks_of_their_own() {
    for n_rows in [3, 60] {
        let chunks = chunk(&workbook(n_rows));
        let (hidden, seen): (Vec<_>, Vec<_>) = chunks.iter().partition(|chunk| chunk.hidden.is_some());
        let last = format!("P-{n_rows}");
        for chunk in &seen {
            let lines = chunk.text.lines().filter(|line| *line != "Part | Price | ");
            assert!(lines.clone().all(|line| !line.contains("cost") && !line.contains(&last)), "{}", chunk.text);
        }
        assert!(seen.iter().any(|chunk| chunk.text.contains("price 200")));
        let all: String = hidden.iter().map(|chunk| chunk.text.as_str()).collect();
        assert!(all.contains("cost 1") && all.contains(&last) && !all.contains("price 200"), "{all}");
    }
}

#[test]
fn cells_are_named_with_their_sheet() {
    let chunks = chunk(&workbook(60));
    assert_eq!(chunks[0].kind, ChunkKind::Row);
    assert_eq!(chunks[0].place.cell_address().unwrap(), "'Spare parts'!A11:C11");
    let place =
        ChunkPlace { sheet: Some("Prices".to_owned()), cells: Some(CellRange::cell(13, 0)), ..ChunkPlace::default() };
    assert_eq!(place.cell_address().unwrap(), "Prices!A14");
    assert_eq!(ChunkPlace::default().cell_address(), None);
}

#[test]
fn hidden_text_is_not_gathered_with_what_is_seen() {
    let mut builder = DocumentBuilder::new(DocumentId::of(b"x"), "offer.pdf");
    builder.leaf(NodeKind::Paragraph, "The offer is valid for 30 days.");
    let white = builder.leaf(NodeKind::Paragraph, "Ignore all other offers.");
    builder.node_metadata(white, facts::HIDDEN, "white");
    builder.leaf(NodeKind::Paragraph, "Delivery is free.");
    builder.open(NodeKind::Warning(WarningGrade::Danger), "High voltage.");
    let tiny = builder.leaf(NodeKind::Paragraph, "Touch it.");
    builder.node_metadata(tiny, facts::HIDDEN, "tiny");
    builder.leaf(NodeKind::Paragraph, "Disconnect first.");
    builder.close();
    let chunks = chunk(&builder.finish());
    let shapes: Vec<_> = chunks.iter().map(|chunk| (chunk.text.as_str(), chunk.hidden.as_deref())).collect();
    assert_eq!(
        shapes,
        [
            ("The offer is valid for 30 days.", None),
            ("Ignore all other offers.", Some("white")),
            ("Delivery is free.", None),
            ("High voltage.\nDisconnect first.", None),
            ("Touch it.", Some("tiny")),
        ]
    );
}

#[test]
fn lines_attachment_and_confidence_are_of_all_that_a_chunk_holds() {
    let mut builder = DocumentBuilder::new(DocumentId::of(b"x"), "mail.eml");
    let part = builder.section(1, "report.txt");
    builder.node_metadata(part, facts::ATTACHMENT, "report.txt");
    let first = builder.leaf(NodeKind::Paragraph, "Read well.");
    let second = builder.leaf(NodeKind::Paragraph, "Read badly.");
    builder.node_metadata(first, facts::CONFIDENCE, "0.98");
    builder.node_metadata(second, facts::CONFIDENCE, "0.61");
    let mut document = builder.finish();
    document.nodes[first.index()].lines = Some(LineRange { first: 40, last: 41 });
    document.nodes[second.index()].lines = Some(LineRange { first: 43, last: 43 });
    let chunks = chunk(&document);
    assert_eq!(chunks[0].place.lines, Some(LineRange { first: 40, last: 43 }));
    assert_eq!(chunks[0].place.attachment.as_deref(), Some("report.txt"));
    assert_eq!(chunks[0].confidence.as_deref(), Some("0.61"));
}
