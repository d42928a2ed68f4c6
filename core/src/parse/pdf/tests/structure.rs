//! What blocks are told to be by their form.

use super::{FixturePage, outline, read};
use crate::document::{BBox, NodeKind, facts};

const BODY: &str = "It is filled with oil of the grade that the plate on its side names, up to the mark.";

#[test]
fn terms_are_no_headings() {
    let page = FixturePage::new()
        .text('B', 16, 50, 60, "Glossary")
        .lines(50, 90, &[BODY, BODY, BODY])
        .text('B', 10, 52, 140, "Backlash")
        .lines(70, 152, &["The play of a drive when its direction is reversed, which adds to every move after it."])
        .text('B', 10, 52, 172, "Dog clutch")
        .lines(70, 184, &["A clutch of two rings with teeth."])
        .text('B', 10, 50, 220, "Oils")
        .lines(50, 236, &[BODY]);
    let long = "The play of a drive when its direction is reversed, which adds to every move after it.";
    let expected = [
        "H1 Glossary".to_owned(),
        format!("  Paragraph {BODY} {BODY} {BODY}"),
        "  List".to_owned(),
        "    ListItem Backlash".to_owned(),
        format!("      Paragraph {long}"),
        "    ListItem Dog clutch".to_owned(),
        "      Paragraph A clutch of two rings with teeth.".to_owned(),
        "  H2 Oils".to_owned(),
        format!("    Paragraph {BODY}"),
    ];
    assert_eq!(outline(&read(&[page]).document), expected);
}

#[test]
fn headings_over_text_that_is_always_set_in_stay_headings() {
    let page = |name: &str| FixturePage::new().text('B', 10, 50, 80, name).lines(80, 100, &[BODY, BODY, BODY]);
    let lines = outline(&read(&[page("NAME"), page("SYNOPSIS"), page("SEE ALSO")]).document);
    assert_eq!(lines.iter().filter(|line| line.starts_with("H1")).count(), 3, "{lines:#?}");
}

#[test]
fn the_title_of_the_contents_is_no_section() {
    let entries = ["1 Care ............................ 2", "2 Parts ........................... 3"];
    let page = FixturePage::new().text('B', 16, 50, 60, "Contents").lines(50, 90, &entries);
    let document = read(&[page, FixturePage::new().text('B', 16, 50, 60, "1 Care").lines(50, 90, &[BODY])]).document;
    let lines = outline(&document);
    assert_eq!(lines[0], "Furniture Contents", "{lines:#?}");
    assert!(lines.contains(&"H1 1 Care".to_owned()), "{lines:#?}");
}

#[test]
fn figures_hold_their_captions() {
    let picture = "q 200 0 0 100 50 600 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x00 EI Q";
    let page = FixturePage::new()
        .lines(50, 80, &[BODY, BODY])
        .raw(picture)
        .lines(50, 260, &["Figure 3: The pump from its drive side"])
        .lines(50, 300, &[BODY, BODY]);
    let document = read(&[page]).document;
    let expected = [
        format!("Paragraph {BODY} {BODY}"),
        "Figure".to_owned(),
        "  Caption Figure 3: The pump from its drive side".to_owned(),
        format!("Paragraph {BODY} {BODY}"),
    ];
    assert_eq!(outline(&document), expected);
    let figure = document.nodes.iter().find(|node| node.kind == NodeKind::Figure).unwrap();
    assert_eq!(figure.boxes[0].bbox, BBox { x0: 50.0, y0: 142.0, x1: 250.0, y1: 242.0 });
}

#[test]
fn a_caption_belongs_to_the_nearer_table() {
    let table = |page: FixturePage, y: i32| {
        page.lines(50, y, &["G20", "G21", "G28"]).lines(200, y, &["inches", "millimetres", "home"])
    };
    let page = table(FixturePage::new().lines(50, 60, &[BODY]), 90).lines(50, 130, &["Table 1: Lengths"]);
    let page = table(page, 190).lines(50, 230, &["Table 2: Places"]).lines(50, 270, &[BODY]);
    let lines = outline(&read(&[page]).document);
    let tables: Vec<&String> = lines.iter().filter(|line| line.starts_with("Table")).collect();
    assert_eq!(tables, ["Table Table 1: Lengths", "Table Table 2: Places"], "{lines:#?}");
}

#[test]
fn steps_go_on_after_footnotes_and_pages() {
    let first = FixturePage::new()
        .lines(50, 80, &[BODY])
        .lines(60, 110, &["Step 1: Close the valve.¹".trim_end_matches('¹'), "Step 2: Open the cover."])
        .raw("BT /H 6 Tf 50 60 Td (1) Tj /H 8 Tf 0 -3 Td 3.4 0 Td (Not on machines without one.) Tj ET")
        .text('H', 8, 300, 820, "1");
    let second = FixturePage::new().lines(60, 80, &["Step 3: Lift it off."]).text('H', 8, 300, 820, "2");
    let document = read(&[first, second]).document;
    let lines = outline(&document);
    let expected = [
        "Steps",
        "  ListItem Step 1: Close the valve.",
        "  ListItem Step 2: Open the cover.",
        "  ListItem Step 3: Lift it off.",
    ];
    assert_eq!(lines[1..5], expected, "{lines:#?}");
    let note = document.nodes.iter().find(|node| node.kind == NodeKind::Footnote).unwrap();
    assert_eq!((note.text.as_str(), note.metadata[facts::MARK].as_str()), ("¹Not on machines without one.", "1"));
    assert_eq!(note.page, Some(1));
}

#[test]
fn a_signal_word_in_a_box_beside_its_text_warns() {
    let page = FixturePage::new()
        .lines(50, 80, &[BODY])
        .text('B', 10, 60, 120, "DANGER")
        .lines(150, 120, &["Parts behind the cover stay live", "for five minutes."])
        .rule((55, 106), (400, 106))
        .rule((55, 140), (400, 140))
        .rule((55, 106), (55, 140))
        .rule((140, 106), (140, 140))
        .rule((400, 106), (400, 140))
        .lines(50, 170, &[BODY]);
    let lines = outline(&read(&[page]).document);
    assert_eq!(lines[1], "Warning(Danger) DANGER Parts behind the cover stay live for five minutes.", "{lines:#?}");
}

#[test]
fn a_box_parts_a_warning_from_what_follows() {
    let page = FixturePage::new().lines(50, 80, &[BODY, BODY]).raw("1 0.9 0.7 rg 45 722 400 16 re f 0 g").lines(
        50,
        115,
        &["WARNING! The line is under pressure.", "The filter is cleaned every week."],
    );
    let lines = outline(&read(&[page]).document);
    let expected =
        ["Warning(Warning) WARNING! The line is under pressure.", "Paragraph The filter is cleaned every week."];
    assert_eq!(lines[1..], expected, "{lines:#?}");
}

#[test]
fn a_table_in_one_column_leaves_two_columns() {
    let left = ["The left column tells how the pump is filled", "before its first start. Open the upper valve and"];
    let right = ["The right column goes on with the electrical", "connection. Three phases and earth are led in."];
    let mut page = FixturePage::new().lines(50, 100, &[left; 6].concat()).lines(310, 100, &[right; 3].concat());
    for (row, [code, part, grade]) in
        (0..).zip([["M4", "SKU-1", "8.8"], ["M5", "SKU-2", "8.8"], ["M6", "SKU-3", "8.8"]])
    {
        let y = 184 + 16 * row;
        page = page.text('H', 10, 310, y, code).text('H', 10, 380, y, part).text('H', 10, 460, y, grade);
    }
    let document = read(&[page]).document;
    let all: String = document.nodes.iter().map(|node| node.text.as_str()).collect::<Vec<_>>().join(" ");
    assert!(all.contains("Open the upper valve and The left column") && all.contains("M4 SKU-1 8.8"), "{all}");
}

#[test]
fn files_of_one_page_have_heads_and_feet() {
    let page = FixturePage::new()
        .text('H', 8, 50, 40, "Castellan Motion")
        .text('H', 8, 400, 40, "Invoice RE-1093/26")
        .lines(50, 100, &[BODY, BODY])
        .text('H', 8, 50, 815, "Doc. 1903-en")
        .text('H', 8, 480, 815, "Page 1 of 1");
    let lines = outline(&read(&[page]).document);
    assert_eq!(lines.iter().filter(|line| line.starts_with("Furniture")).count(), 4, "{lines:#?}");
}
