//! Whole files in, trees out.

mod bounds;
mod hidden;
mod lists;
mod places;
mod scans;
mod scripts;
mod structure;
mod tables;

use super::fixture::{FixturePage, write};
use crate::{
    document::{BBox, Document, Node, NodeKind},
    host::NoProgress,
    parse::{ParseError, ParseWarningKind, Parsed, parse},
};

fn read(pages: &[FixturePage]) -> Parsed {
    parse("manual.pdf", &write(pages, &[], ""), &mut NoProgress).unwrap()
}

/// One line a node: depth, kind, page, text.
fn outline(document: &Document) -> Vec<String> {
    let mut depths = vec![0; document.nodes.len()];
    let mut lines = Vec::new();
    for node in document.nodes.iter().skip(1) {
        let parent = node.parent.unwrap();
        depths[node.id.index()] = depths[parent.index()] + 1;
        let kind = match &node.kind {
            NodeKind::Section { level } => format!("H{level}"),
            NodeKind::List { ordered } => if *ordered { "Steps" } else { "List" }.to_owned(),
            NodeKind::Row { header } => if *header { "Header" } else { "Row" }.to_owned(),
            NodeKind::Cell { .. } => "Cell".to_owned(),
            NodeKind::Code { .. } => "Code".to_owned(),
            kind => format!("{kind:?}"),
        };
        let indent = "  ".repeat(depths[node.id.index()] - 1);
        lines.push(format!("{indent}{kind} {}", node.text).trim_end().to_owned());
    }
    lines
}

fn find<'d>(document: &'d Document, text: &str) -> &'d Node {
    document.nodes.iter().find(|node| node.text.contains(text)).unwrap_or_else(|| panic!("no node says {text:?}"))
}

const LEFT: [&str; 5] = [
    "The left column tells how the pump is filled",
    "before its first start. Open the upper valve and",
    "wait until no more air comes out. The pump must",
    "never run dry, because its seal is cooled by the",
    "liquid that it pumps and would burn within a min-",
];
const RIGHT: [&str; 5] = [
    "ute. The right column goes on with the electrical",
    "connection. Three phases and earth are led in from",
    "below. Check the direction of rotation before the",
    "coupling is closed, and exchange two phases where",
    "it turns against the arrow on the housing.",
];

#[test]
fn columns_are_read_one_after_the_other() {
    // Drawn row by row, as many writers do: only the places tell that these are columns.
    let rows = LEFT.iter().zip(RIGHT).zip(0..);
    let page =
        rows.fold(FixturePage::new().text('B', 16, 50, 60, "Filling and connecting"), |page, ((left, right), row)| {
            page.text('H', 10, 50, 100 + 12 * row, left).text('H', 10, 310, 100 + 12 * row, right)
        });
    let parsed = read(&[page]);
    let all: String = parsed.document.nodes.iter().map(|node| node.text.as_str()).collect::<Vec<_>>().join(" ");
    assert!(
        all.contains("before its first start. Open the upper valve and wait until no more air comes out."),
        "{all}"
    );
    assert!(all.contains("led in from below. Check the direction of rotation before the coupling is closed"), "{all}");
}

#[test]
fn headings_nest_by_size_and_number() {
    let body = "It is filled with oil of the grade that the plate on its side names, up to the mark.";
    let page = FixturePage::new()
        .text('B', 18, 50, 60, "1 Operation")
        .lines(50, 90, &[body, body])
        .text('B', 13, 50, 140, "1.1 Starting")
        .lines(50, 165, &[body])
        .text('B', 13, 50, 200, "1.2 Stopping")
        .lines(50, 225, &[body])
        .text('B', 18, 50, 270, "2 Care")
        .lines(50, 300, &[body]);
    let parsed = read(&[page]);
    let document = &parsed.document;
    let headings: Vec<String> =
        outline(document).into_iter().filter(|line| line.trim_start().starts_with('H')).collect();
    assert_eq!(headings, ["H1 1 Operation", "  H2 1.1 Starting", "  H2 1.2 Stopping", "H1 2 Care"]);
    assert_eq!(document.title(), "1 Operation");
}

#[test]
fn bookmarks_decide_what_a_heading_is() {
    let body = "It is filled with oil of the grade that the plate on its side names, up to the mark.";
    // Set exactly like the body: only the bookmarks tell.
    let page = FixturePage::new()
        .text('H', 10, 50, 60, "Operation")
        .lines(50, 90, &[body, body])
        .text('H', 10, 50, 140, "Starting the pump")
        .lines(50, 170, &[body]);
    let bytes =
        write(&[page.clone(), page], &[("Operation", 1, 1), ("1.1 Starting the pump", 2, 1), ("Operation", 1, 2)], "");
    let parsed = parse("manual.pdf", &bytes, &mut NoProgress).unwrap();
    let sections: Vec<(u32, String)> = (parsed.document.nodes.iter())
        .filter(|node| matches!(node.kind, NodeKind::Section { .. }))
        .map(|node| (node.page.unwrap(), parsed.document.heading_path(node.id).join(" > ")))
        .collect();
    let expected = [(1, "Operation"), (1, "Operation > Starting the pump"), (2, "Operation")];
    assert_eq!(sections, expected.map(|(page, path)| (page, path.to_owned())));
}

#[test]
fn lists_steps_and_code_keep_their_form() {
    let page = FixturePage::new()
        .lines(50, 80, &["To set the limit proceed as follows, and do not skip the last step of the three:"])
        .lines(
            60,
            104,
            &[
                "1. Switch the drive off, and then wait for at least as long as it takes until the",
                "    display is dark.",
                "2. Enter the limit:",
            ],
        )
        .lines(75, 140, &["• in millimetres, or", "• in inches"])
        .lines(60, 164, &["3. Switch it on."])
        .text('C', 9, 50, 200, "G21")
        .text('C', 9, 61, 211, "G1 X10  ; move");
    let expected = [
        "Paragraph To set the limit proceed as follows, and do not skip the last step of the three:",
        "Steps",
        "  ListItem 1. Switch the drive off, and then wait for at least as long as it takes until the display is dark.",
        "  ListItem 2. Enter the limit:",
        "    List",
        "      ListItem • in millimetres, or",
        "      ListItem • in inches",
        "  ListItem 3. Switch it on.",
        "Code G21\n  G1 X10  ; move",
    ];
    assert_eq!(outline(&read(&[page]).document), expected);
}

#[test]
fn ruled_and_aligned_tables_become_rows() {
    let mut ruled =
        FixturePage::new().lines(50, 60, &["The codes that choose the unit of length are these two, and no others:"]);
    for y in [80, 100, 120, 140] {
        ruled = ruled.rule((50, y), (350, y));
    }
    for x in [50, 120, 350] {
        ruled = ruled.rule((x, 80), (x, 140));
    }
    ruled = ruled.text('B', 10, 55, 95, "Code").text('B', 10, 125, 95, "Meaning");
    for (y, code, meaning) in [(115, "G20", "inches"), (135, "G21", "millimetres")] {
        ruled = ruled.text('H', 10, 55, y, code).text('H', 10, 125, y, meaning);
    }
    let mut aligned = ruled;
    for (y, part, n) in [(200, "Part", "Number"), (214, "Seal", "48291"), (228, "Valve", "48300"), (242, "Shaft", "51")]
    {
        aligned = aligned.text('H', 10, 50, y, part).text('H', 10, 200, y, n);
    }
    let expected = [
        "Paragraph The codes that choose the unit of length are these two, and no others:",
        "Table",
        "  Header",
        "    Cell Code",
        "    Cell Meaning",
        "  Row",
        "    Cell G20",
        "    Cell inches",
        "  Row",
        "    Cell G21",
        "    Cell millimetres",
        "Table",
        "  Header",
        "    Cell Part",
        "    Cell Number",
        "  Row",
        "    Cell Seal",
        "    Cell 48291",
        "  Row",
        "    Cell Valve",
        "    Cell 48300",
        "  Row",
        "    Cell Shaft",
        "    Cell 51",
    ];
    assert_eq!(outline(&read(&[aligned]).document), expected);
}

#[test]
fn warnings_take_what_they_warn_of_in() {
    let page = FixturePage::new()
        .lines(50, 80, &["Before the cover is taken off, the machine must be parted from the mains at its switch."])
        .text('B', 10, 50, 110, "WARNING")
        .lines(50, 124, &["Parts behind the cover stay live for five minutes."])
        .lines(50, 150, &["Then the four screws are loosened."])
        .lines(50, 176, &["Caution: the cover weighs 20 kg."]);
    let expected = [
        "Paragraph Before the cover is taken off, the machine must be parted from the mains at its switch.",
        "Warning(Warning) WARNING",
        "  Paragraph Parts behind the cover stay live for five minutes.",
        "Paragraph Then the four screws are loosened.",
        "Warning(Caution) Caution: the cover weighs 20 kg.",
    ];
    assert_eq!(outline(&read(&[page]).document), expected);
}

#[test]
fn a_table_goes_on_over_the_page_with_one_header() {
    let rows = |page: FixturePage, rows: &[(&str, &str)]| {
        let bottom = 100 + 20 * rows.len() as i32;
        let page =
            (0..=rows.len() as i32).fold(page, |page, row| page.rule((50, 100 + 20 * row), (350, 100 + 20 * row)));
        let page = [50, 120, 350].into_iter().fold(page, |page, x| page.rule((x, 100), (x, bottom)));
        rows.iter().zip(0..).fold(page, |page, ((code, meaning), row)| {
            let font = if *code == "Code" { 'B' } else { 'H' };
            page.text(font, 10, 55, 115 + 20 * row, code).text(font, 10, 125, 115 + 20 * row, meaning)
        })
    };
    let head = FixturePage::new().lines(50, 80, &["Table 3: Codes of length"]);
    let first = rows(head, &[("Code", "Meaning"), ("G20", "inches")]).text('H', 8, 300, 820, "1");
    let second = rows(FixturePage::new(), &[("Code", "Meaning"), ("G21", "millimetres")]).text('H', 8, 300, 820, "2");
    let document = read(&[first, second]).document;
    let expected = [
        "Table Table 3: Codes of length",
        "  Header",
        "    Cell Code",
        "    Cell Meaning",
        "  Row",
        "    Cell G20",
        "    Cell inches",
        "  Row",
        "    Cell G21",
        "    Cell millimetres",
        "Furniture 1",
        "Furniture 2",
    ];
    assert_eq!(outline(&document), expected);
    assert_eq!(find(&document, "millimetres").page, Some(2));
}

#[test]
fn running_heads_name_pages_that_nothing_else_names() {
    let page = |name: &str| {
        FixturePage::new()
            .text('H', 9, 50, 40, name)
            .text('H', 9, 300, 40, "Parts of the machine")
            .text('B', 12, 50, 100, "PINS")
            .lines(60, 120, &["This is what the part is connected with, as seen from the side of its screws."])
    };
    let pages = ["ABS(9)", "ABS(9)", "LUT5(9)", "MUX(9)", "NOT(9)", "SUM(9)", "XOR(9)"].map(page);
    let document = read(&pages).document;
    let sections = document.nodes.iter().filter(|node| matches!(node.kind, NodeKind::Section { .. }));
    let paths: Vec<String> = sections.map(|node| document.heading_path(node.id).join(" > ")).collect();
    assert_eq!(paths[..5], ["ABS(9)", "ABS(9) > PINS", "ABS(9) > PINS", "LUT5(9)", "LUT5(9) > PINS"]);
}

#[test]
fn running_heads_contents_and_page_numbers_are_furniture() {
    let text = "Every day the oil level is checked with the machine at rest and level on its feet.";
    let mut pages: Vec<FixturePage> = (1..=4)
        .map(|n| {
            let page =
                FixturePage::new().text('H', 9, 50, 40, "Pump P100 manual").text('H', 9, 500, 810, &n.to_string());
            page.lines(50, 100, &[text, text])
        })
        .collect();
    pages[0] = FixturePage::new().lines(
        50,
        100,
        &["1 Care ............................ 2", "2 Parts ........................... 3"],
    );
    let document = read(&pages).document;
    let n_furniture = |text: &str| {
        document.nodes.iter().filter(|node| node.kind == NodeKind::Furniture && node.text.contains(text)).count()
    };
    assert_eq!((n_furniture("Pump P100 manual"), n_furniture("4"), n_furniture("1 Care")), (3, 1, 1));
    assert!(
        document
            .nodes
            .iter()
            .filter(|node| node.text.contains("oil level"))
            .all(|node| node.kind == NodeKind::Paragraph)
    );
}

#[test]
fn places_are_of_the_upright_page() {
    let page = FixturePage::new().text('H', 10, 100, 200, "upright");
    let bbox = find(&read(&[page]).document, "upright").boxes[0].bbox;
    let BBox { x0, y0, x1, y1 } = bbox;
    assert!((x0 - 100.0).abs() < 1.0 && y0 < 195.0 && y1 > 199.0 && y1 < 205.0 && x1 > 125.0, "{bbox:?}");
    // Turned by 90 degrees clockwise: text that runs up the unturned page runs to the right on the upright one.
    let turned = FixturePage::new().raw("BT /H 10 Tf 0 1 -1 0 500 100 Tm (turned) Tj ET").with("/Rotate 90");
    let document = read(&[turned]).document;
    let bbox = find(&document, "turned").boxes[0].bbox;
    assert!(
        (bbox.x0 - 100.0).abs() < 1.0 && bbox.y0 < 500.0 && bbox.y1 > 500.0 && bbox.x1 > bbox.x0 + 20.0,
        "{bbox:?}"
    );
}

#[test]
fn a_sentence_goes_on_over_the_page() {
    let first = FixturePage::new().lines(50, 700, &["The spindle is stopped before the door is opened, and the con-"]);
    let second = FixturePage::new().lines(50, 100, &["trol waits for the key."]);
    let document = read(&[first, second]).document;
    let node = find(&document, "The spindle");
    assert!(node.text.ends_with("and the control waits for the key."), "{}", node.text);
    assert_eq!((node.page, document.n_pages), (Some(1), Some(2)));
}

#[test]
fn a_page_without_text_is_named() {
    let text = FixturePage::new().lines(50, 100, &["Some text."]);
    let scan = FixturePage::new().raw("q 595 0 0 842 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x00 EI Q");
    let parsed = read(&[text, scan.clone(), scan.clone()]);
    assert_eq!(parsed.warnings.len(), 1);
    assert_eq!((parsed.warnings[0].kind, parsed.warnings[0].page), (ParseWarningKind::ScanNotRead, Some(2)));
    assert!(parsed.warnings[0].message.starts_with("Pages 2–3 hold no text: scans"));
    assert_eq!(parsed.document.n_pages, Some(3));
    for page in [scan, FixturePage::new()] {
        let nothing = read(&[page]);
        assert_eq!((nothing.document.nodes.len(), nothing.warnings.len()), (1, 1), "the root alone, and why");
    }
}

#[test]
fn a_password_is_asked_for() {
    let encrypt =
        format!("/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{0}> /U <{0}> >>", "5a".repeat(32));
    let bytes = write(&[FixturePage::new().lines(50, 100, &["secret"])], &[], &encrypt);
    assert_eq!(parse("manual.pdf", &bytes, &mut NoProgress), Err(ParseError::Password));
}
