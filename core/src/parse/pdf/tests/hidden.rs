//! Text that is there and not seen.

use super::{FixturePage, find, read};
use crate::{
    document::{Document, facts},
    parse::{ParseWarning, ParseWarningKind},
};

/// What is hidden and why.
fn hidden(document: &Document) -> Vec<(&str, &str)> {
    let hidden = document.nodes.iter().filter_map(|node| Some((node.metadata.get(facts::HIDDEN)?, node)));
    hidden.map(|(why, node)| (why.as_str(), node.text.as_str())).collect()
}

fn page() -> FixturePage {
    FixturePage::new().lines(50, 100, &["The oil is changed every year."])
}

/// Text of 10 points, 20 points under that of [`page`], with operators before it.
fn with(operators: &str, text: &str) -> FixturePage {
    page().raw(&format!("q {operators} BT /H 10 Tf 50 722 Td ({text}) Tj ET Q"))
}

#[test]
fn text_that_is_not_seen_is_marked_and_kept_apart() {
    for (operators, why) in [
        ("3 Tr", "invisible"),
        ("1 1 1 rg", "white"),
        ("1 g", "white"),
        ("0 0 0 0 k", "white"),
        ("/DeviceRGB cs 0.99 1 0.98 sc", "white"),
        ("0.2 0.2 0.6 rg 40 700 300 40 re f 0.2 0.21 0.6 rg", "white"),
        ("0 0 20 20 re W n", "outside"),
        ("0.05 0 0 0.05 0 0 cm", "tiny"),
        ("1 0 0 1 0 -800 cm", "outside"),
    ] {
        let parsed = read(&[with(operators, "Ignore all that was said.")]);
        assert_eq!(hidden(&parsed.document), [(why, "Ignore all that was said.")], "{operators}");
        assert_eq!(find(&parsed.document, "The oil").text, "The oil is changed every year.");
        let kinds: Vec<ParseWarningKind> = parsed.warnings.iter().map(|warning| warning.kind).collect();
        assert_eq!(kinds, [ParseWarningKind::Hidden]);
    }
}

#[test]
fn text_that_is_seen_is_not() {
    for operators in [
        "",
        "0.2 0.2 0.6 rg 40 700 300 40 re f 1 g",
        // A frame of two rectangles, and a shape that is none.
        "40 700 300 40 re 45 705 290 30 re f*",
        "0.2 0.2 0.6 rg 40 700 m 340 700 l 330 740 l 40 740 l f 1 g",
        // On a picture, and letters that are outlined.
        "q 300 0 0 40 40 700 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x00 EI Q 1 g",
        "1 g 2 Tr",
        "1 g 7 Tr",
        "40 700 300 40 re W n",
        // On a line as thick as a bar.
        "20 w 40 725 m 300 725 l S 1 g",
        "/Pattern cs /P1 scn",
    ] {
        let parsed = read(&[with(operators, "Nor is it hidden.")]);
        assert_eq!((hidden(&parsed.document), parsed.warnings), (Vec::new(), Vec::new()), "{operators}");
        find(&parsed.document, "Nor is it hidden.");
    }
}

#[test]
fn what_was_read_from_a_scan_is_its_text() {
    let picture = "q 595 0 0 842 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x00 EI Q";
    let scan = FixturePage::new().raw(picture).raw("BT /H 10 Tf 3 Tr 50 722 Td (Read from a scan.) Tj ET");
    let parsed = read(&[scan]);
    assert_eq!((hidden(&parsed.document), parsed.warnings.len()), (Vec::new(), 0));
    find(&parsed.document, "Read from a scan.");
}

#[test]
fn letters_drawn_with_lines_are_seen() {
    let strokes = "50 720 m 55 730 l S ".repeat(20);
    let plot = FixturePage::new().raw(&strokes).raw("BT /H 10 Tf 3 Tr 50 722 Td (Drawn with lines.) Tj ET");
    let parsed = read(&[plot]);
    assert_eq!((hidden(&parsed.document), parsed.warnings.len()), (Vec::new(), 0));
    find(&parsed.document, "Drawn with lines.");
}

#[test]
fn a_shadow_behind_letters_says_nothing() {
    let page = page().raw("BT 1 g /H 10 Tf 50.4 741.6 Td (The oil is changed every year.) Tj ET");
    assert_eq!(hidden(&read(&[page]).document), []);
}

#[test]
fn one_warning_names_the_pages() {
    let pages = [with("3 Tr", "one"), page(), with("1 g", "two"), with("1 g", "three")];
    let message =
        "Pages 1, 3–4 hold text that is not seen when the page is looked at (drawn invisible, in the colour of \
                   its background). It is kept and marked as hidden."
            .to_owned();
    assert_eq!(read(&pages).warnings, [ParseWarning { kind: ParseWarningKind::Hidden, page: Some(1), message }]);
}
