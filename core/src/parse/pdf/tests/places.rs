//! Where nodes and words stand.

use super::{FixturePage, find, read, write};
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
