//! Where nodes and words stand.

use super::{FixturePage, find, outline, read, write};
use crate::{
    document::{BBox, NodeKind},
    parse::{ParseOptions, page_words},
};

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() < 1.0
}

#[test]
fn a_paragraph_over_two_pages_has_two_boxes() {
    let first = FixturePage::new().lines(50, 700, &["The spindle is stopped before the door is opened, and the con-"]);
    let second = FixturePage::new().lines(60, 100, &["trol waits for the key."]);
    let document = read(&[first, second]).document;
    let node = find(&document, "The spindle");
    let places: Vec<(u32, f32)> = node.boxes.iter().map(|place| (place.page, place.bbox.x0.round())).collect();
    assert_eq!(places, [(1, 50.0), (2, 60.0)]);
}

#[test]
fn a_paragraph_over_two_columns_has_two_boxes() {
    let left = ["The left column tells how the pump is filled", "before its first start. Open the upper valve and"];
    let right = ["wait until no more air comes out. The pump must", "never run dry, because its seal would burn soon."];
    let page = FixturePage::new().lines(50, 100, &[left, left, left].concat()).lines(310, 100, &[right; 3].concat());
    let document = read(&[page]).document;
    let [left, right] = find(&document, "The left column").boxes[..] else { panic!("two boxes") };
    assert!(near(left.bbox.x0, 50.0) && left.bbox.x1 < 300.0 && near(right.bbox.x0, 310.0), "{left:?} {right:?}");
    assert!(near(left.bbox.y0, right.bbox.y0), "both from the top");
}

#[test]
fn everything_that_says_something_has_its_place() {
    let body = "It is filled with oil of the grade that the plate on its side names, up to the mark.";
    let page = FixturePage::new()
        .text('B', 18, 50, 60, "1 Operation")
        .lines(50, 90, &[body, body])
        .lines(60, 130, &["1. Switch it off.", "2. Wait for a minute until all is at rest."])
        .text('C', 9, 50, 170, "G21")
        .lines(50, 200, &["Table 1: Codes"])
        .lines(50, 220, &["G20", "G21", "G28"])
        .lines(200, 220, &["inches", "millimetres", "home"])
        .text('B', 10, 50, 300, "WARNING")
        .lines(50, 314, &["Parts behind the cover stay live for five minutes."])
        .lines(50, 340, &["Figure 2: The cover"])
        .raw("BT /H 10 Tf 0 1 -1 0 580 400 Tm (Form 12-b) Tj ET")
        .text('H', 8, 300, 820, "1");
    let bytes = write(&[page.clone(), page], &[], "");
    let document = crate::parse::parse("manual.pdf", &bytes, &mut crate::host::NoProgress).unwrap().document;
    for node in document.nodes.iter().skip(1).filter(|node| !node.text.is_empty()) {
        assert!(!node.boxes.is_empty(), "{:?} {:?} has a place", node.kind, node.text);
        let inside = |bbox: &BBox| bbox.x0 >= 0.0 && bbox.y0 >= 0.0 && bbox.x1 <= 595.0 && bbox.y1 <= 842.0;
        assert!(node.boxes.iter().all(|place| inside(&place.bbox) && place.bbox.x1 > place.bbox.x0), "{node:?}");
        assert_eq!(node.boxes[0].page, node.page.unwrap());
    }
    let table = document.nodes.iter().find(|node| node.kind == NodeKind::Table).unwrap();
    let [caption, body] = table.boxes[..] else { panic!("a box for the caption and one for the rest: {table:?}") };
    assert!(near(caption.bbox.y1, 202.0) && near(body.bbox.y0, 212.0), "{caption:?} {body:?}");
}

#[test]
fn words_stand_where_they_are_drawn() {
    let page =
        FixturePage::new().lines(100, 200, &["Close the", "valve"]).raw("BT /H 10 Tf 0 1 -1 0 500 100 Tm (up) Tj ET");
    let pages = page_words(&write(&[FixturePage::new(), page], &[], ""), &ParseOptions::default()).unwrap();
    let texts: Vec<&str> = pages[1].iter().map(|word| word.text.as_str()).collect();
    assert_eq!((pages.len(), texts), (2, vec!["Close", "the", "valve", "up"]));
    let [close, the, valve, up] = &pages[1][..] else { panic!() };
    assert!(near(close.bbox.x0, 100.0) && close.bbox.x1 < the.bbox.x0 && near(close.bbox.y1, 202.2), "{close:?}");
    assert!(valve.bbox.y0 > close.bbox.y1 - 3.0, "{valve:?}");
    // Up the page from 100 points above its bottom edge.
    assert!(near(up.bbox.y1, 742.0) && up.bbox.x0 < 500.0 && up.bbox.x1 > 500.0, "{up:?}");
}

#[test]
fn a_crooked_page_is_read_straight_and_boxes_stay_where_it_shows_them() {
    let line =
        |y: f32, text: &str| format!("BT /H 10 Tf 1 0.05 -0.05 1 {} {} Tm ({text}) Tj ET\n", 50.0 - 0.05 * y, y + 2.5);
    let texts = [
        "The pump is filled before its first start, and the upper valve is",
        "opened until no more air comes out of it.",
    ];
    let content: String = (0..6).map(|n| line(700.0 - 12.0 * n as f32, texts[n % 2])).collect();
    let document = read(&[FixturePage::new().raw(&content)]).document;
    assert!(document.nodes[1].text.starts_with(&texts.join(" ")), "{:#?}", outline(&document));
    let bbox = document.nodes[1].boxes[0].bbox;
    // The line of 290 points rises by 15; the page is 842 high.
    assert!(bbox.y0 < 842.0 - 715.0 && bbox.y1 > 150.0, "{bbox:?}");
}

#[test]
fn a_crooked_page_has_headings_like_any_other() {
    let line = |font: &str, y: f32, text: &str| {
        format!("BT {font} Tf 1 0.05 -0.05 1 {} {} Tm ({text}) Tj ET\n", 50.0 - 0.05 * y, y + 2.5)
    };
    let body = "The pump is filled before its first start, and the valve is opened.";
    let content: String = (0..6).map(|n| line("/H 10", 700.0 - 12.0 * n as f32, body)).collect();
    let page = FixturePage::new().raw(&(line("/B 18", 740.0, "Care of the pump") + &content));
    let document = read(&[page]).document;
    assert_eq!(outline(&document)[0], "H1 Care of the pump");
}

#[test]
fn text_that_runs_aslant_is_read_by_itself() {
    let page = FixturePage::new()
        .lines(50, 80, &["The pump is filled before its first start."])
        .raw("BT /H 10 Tf 0.866 0.5 -0.5 0.866 300 400 Tm (PN 7731-0042) Tj ET");
    let document = read(&[page]).document;
    let lines = outline(&document);
    assert_eq!(lines, ["Paragraph The pump is filled before its first start.", "Paragraph PN 7731-0042"]);
    let bbox = document.nodes[2].boxes[0].bbox;
    assert!((290.0..301.0).contains(&bbox.x0) && (430.0..447.0).contains(&bbox.y1), "{bbox:?}");
    let watermark = |n: usize| {
        FixturePage::new()
            .lines(50, 80, &[["One page.", "Another.", "The last."][n]])
            .raw("BT /B 20 Tf 0.7 0.7 -0.7 0.7 200 300 Tm (DRAFT) Tj ET")
    };
    let lines = outline(&read(&[watermark(0), watermark(1), watermark(2)]).document);
    assert_eq!(lines.iter().filter(|line| *line == "Furniture DRAFT").count(), 3, "{lines:#?}");
}

#[test]
fn boxes_are_in_points_of_the_part_that_is_shown() {
    let cropped = |entries: &str, x: u32, y: u32, size: u32| {
        let content = format!("BT /H {size} Tf {x} {y} Td (Part SKU-48291) Tj ET");
        let document = read(&[FixturePage::new().raw(&content).with(entries)]).document;
        let bbox = document.nodes[1].boxes[0].bbox;
        (bbox.x0.round(), bbox.y1.round(), document.nodes[1].metadata.len())
    };
    assert_eq!(cropped("/CropBox [100 100 400 500]", 150, 300, 10), (50.0, 202.0, 0));
    assert_eq!(cropped("/CropBox [100 100 400 500] /Rotate 180", 150, 300, 10).0, 177.0);
    // A unit of four points: the type is large enough to be seen.
    assert_eq!(cropped("/UserUnit 40", 50, 800, 1), (2000.0, 1689.0, 0));
}
