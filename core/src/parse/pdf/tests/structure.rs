//! What blocks are told to be by their form.

use super::{FixturePage, outline, read};
use crate::{
    document::{BBox, NodeKind, facts},
    host::NoProgress,
    parse::{parse, pdf::fixture::write_parts},
};

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

#[test]
fn notes_are_told_by_what_refers_to_them() {
    let noted = |note: &str, size: u32| {
        // The mark is raised after the first word of the page.
        let page = FixturePage::new()
            .raw("BT /H 10 Tf 50 762 Td (Torque) Tj /H 6 Tf 0 4 Td 31.8 0 Td (a) Tj /H 10 Tf 6 -4 Td (and gap\u{2a}) Tj ET")
            .lines(50, 100, &[BODY, BODY, BODY])
            .text('H', size, 50, 700, note);
        let document = read(&[page]).document;
        let note = document.nodes.last().unwrap().clone();
        (note.kind == NodeKind::Footnote, note.metadata.get(facts::MARK).cloned(), document)
    };
    let (is_note, mark, document) = noted("a) Measured at 20 degrees.", 8);
    assert!(is_note && mark.as_deref() == Some("a"), "{:#?}", outline(&document));
    assert!(document.nodes[1].text.starts_with("Torqueᵃ and gap*"), "{:#?}", outline(&document));
    assert_eq!(noted("* Measured when cold.", 8).1.as_deref(), Some("*"));
    assert!(!noted("b) Measured at 20 degrees.", 8).0, "nothing refers to it");
    assert!(!noted("* Measured when cold.", 10).0, "it is a bullet in the size of the text");
}

#[test]
fn an_index_is_kept_and_not_searched() {
    let chapter = FixturePage::new().text('B', 16, 50, 60, "1 Homing").lines(50, 90, &[BODY, BODY, BODY]);
    let entries = ["backlash, 12", "homing, 1, 14-17", "oil, iv", "pumps, see machines", "seals, 3, 9"];
    let index = FixturePage::new().text('B', 16, 50, 60, "Index").lines(50, 90, &entries);
    let lines = outline(&read(&[vec![chapter; 7], vec![index]].concat()).document);
    assert!(lines.contains(&"H1 Index".to_owned()), "{lines:#?}");
    let furniture: Vec<&String> = lines.iter().filter(|line| line.contains("Furniture")).collect();
    assert!(furniture.iter().any(|line| line.contains("homing, 1, 14-17")), "{lines:#?}");
    assert!(!lines.iter().any(|line| line.contains("Paragraph") && line.contains("homing")), "{lines:#?}");
    // What is called so and lists no pages is text.
    let text = FixturePage::new().text('B', 16, 50, 60, "Index").lines(50, 90, &[BODY, BODY, BODY, BODY, BODY]);
    assert!(outline(&read(&[text]).document).iter().any(|line| line.contains("Paragraph")));
}

/// A page whose marked content is tagged by `elements`, the kids of its document element; each line is (tag, number).
fn tagged(lines: &[(&str, u32, &str)], size: u32, elements: &str, roles: &str) -> Vec<u8> {
    let content: String = (0..)
        .zip(lines)
        .map(|(row, (tag, number, text))| {
            let y = 760 - 30 * row;
            format!("/{tag} << /MCID {number} >> BDC BT /H {size} Tf 50 {y} Td ({text}) Tj ET EMC\n")
        })
        .collect();
    let pages = [FixturePage::new().raw(&content)];
    let catalog = format!(
        "/Lang (en-GB) /MarkInfo << /Marked true >> /StructTreeRoot << /RoleMap << {roles} >> /K << /S /Document /Pg 6 0 R \
         /K [{elements}] >> >>"
    );
    write_parts(&pages, &catalog, &[])
}

#[test]
fn tags_tell_headings_and_levels() {
    let lines =
        [("Rubrik", 0, "Filling the pump"), ("P", 1, BODY), ("H3", 2, "Venting it"), ("P", 3, BODY), ("P", 4, BODY)];
    let read = |lines: &[(&str, u32, &str)], elements: &str| {
        // The headings are set no larger than their text, but bold by a font that does not say so.
        let bytes = tagged(lines, 10, elements, "/Rubrik /H2");
        let bytes = String::from_utf8(bytes).unwrap().replace("/H 10 Tf 50 760", "/B 10 Tf 50 760");
        let bytes = bytes.replace("/H 10 Tf 50 700", "/B 10 Tf 50 700");
        parse("a.pdf", bytes.as_bytes(), &mut NoProgress).unwrap().document
    };
    let elements =
        "<< /S /Rubrik /K 0 >> << /S /P /K [1] >> << /S /H3 /K << /Type /MCR /MCID 2 >> >> << /S /P /K [3 4] >>";
    let document = read(&lines, elements);
    let found: Vec<String> = outline(&document).into_iter().filter(|line| line.trim_start().starts_with('H')).collect();
    assert_eq!(found, ["H1 Filling the pump", "  H2 Venting it"], "{:#?}", outline(&document));
    assert_eq!(document.metadata["language"], "en-GB");
    // Tags that call all text headings are not believed.
    let careless = read(&lines, "<< /S /H1 /K [0 1 2 3 4] >>");
    assert!(outline(&careless).iter().any(|line| line.contains("Paragraph")), "{:#?}", outline(&careless));
}

#[test]
fn figures_have_the_texts_that_stand_for_them() {
    let picture = "/Figure << /MCID 1 >> BDC q 200 0 0 100 50 600 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x00 EI Q EMC";
    let content = format!("/P << /MCID 0 >> BDC BT /H 10 Tf 50 760 Td ({BODY}) Tj ET EMC {picture}");
    let catalog = "/StructTreeRoot << /K [<< /S /P /Pg 6 0 R /K 0 >> \
                   << /S /Figure /Pg 6 0 R /Alt (The pump from its drive side) /K 1 >> \
                   << /S /Figure /Pg 6 0 R /Alt (image1.png) /K 2 >>] >>";
    let bytes = write_parts(&[FixturePage::new().raw(&content)], catalog, &[]);
    let document = parse("a.pdf", &bytes, &mut NoProgress).unwrap().document;
    assert_eq!(outline(&document)[1..], ["Figure The pump from its drive side"]);
    assert_eq!(document.nodes[2].boxes[0].bbox, BBox { x0: 50.0, y0: 142.0, x1: 250.0, y1: 242.0 });
}

#[test]
fn replacement_texts_of_tags_are_read() {
    let lines = [("Span", 0, "Pump P1OO"), ("P", 1, BODY)];
    let elements = "<< /S /P /K << /S /Span /ActualText (Pump P100) /K 0 >> >> << /S /P /K 1 >>";
    let document = parse("a.pdf", &tagged(&lines, 10, elements, ""), &mut NoProgress).unwrap().document;
    assert!(document.nodes[1].text.starts_with("Pump P100"), "{:#?}", outline(&document));
}
