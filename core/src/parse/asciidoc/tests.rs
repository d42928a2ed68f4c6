//! AsciiDoc as manuals use it.

use crate::parse::fixture::{outline, read};
use proptest::prelude::*;

fn tree(text: &str) -> String {
    outline(&read("manual.adoc", text.as_bytes()).document)
}

#[test]
fn headings_lists_and_listings() {
    let text = "= Pump\n:toc:\n\n[[care]]\n== Care\n\nSee link:http://x.y[the site] and <<care,Care>>\nagain. // no\n\n. Stop.\n. Drain.\n.. slowly\n\n* one\n** two\n+\nmore of two\n\n[source,sh]\n----\nmake  all\n----\n";
    let expected = "h1 Pump\n  h2 Care {anchor: care}\n    p See the site and Care again. // no\n    ol\n      li Stop.\n      li Drain.\n        ol\n          li slowly\n";
    let shown = tree(text);
    assert!(shown.starts_with(expected), "{shown}");
    assert!(
        shown.contains("li two\n") && shown.contains("p more of two") && shown.contains("Code make  all"),
        "{shown}"
    );
}

#[test]
fn tables_with_header_and_title() {
    let text = "== Parts\n\n.Spare parts\n[cols=\"1,2\",options=\"header\"]\n|===\n|Part |Qty\n|Seal\n|2\n|Nut |8 or\nmore\n|===\n";
    let expected = "h2 Parts\n  Table Spare parts\n    tr!\n      th Part\n      th Qty\n    tr\n      td Seal\n      td 2\n    tr\n      td Nut\n      td 8 or⏎more\n";
    assert_eq!(tree(text), expected);
}

#[test]
fn warnings_in_every_form() {
    let shown = tree(
        "WARNING: Hot surface.\n\n[CAUTION]\n====\nSharp edges.\n\nWear gloves.\n====\n\n[NOTE]\nOnly once.\n\nafter\n",
    );
    let expected = "Warning WARNING: Hot surface.\nCaution CAUTION\n  p Sharp edges.\n  p Wear gloves.\nNote NOTE\n  p Only once.\np after\n";
    assert_eq!(shown, expected);
}

#[test]
fn directives_of_restructured_text_are_warnings() {
    let text = "Pump\n====\n\n.. warning::\n\n   Hot surface.\n\n.. note:: Only once.\n   Or twice.\n\nafter\n";
    let shown = outline(&read("manual.rst", text.as_bytes()).document);
    assert_eq!(shown, "h1 Pump\n  Warning warning\n    p Hot surface.\n  Note Only once.⏎Or twice.\n  p after\n");
}

proptest! {
    #[test]
    fn any_lines_are_read(lines in prop::collection::vec("(=|==|\\|===|----|====|--|\\[NOTE\\]|\\* |\\. |\\.\\. |\\+|\\||//|<<|\\[\\[)?[a-z |\\[\\]<>é]{0,12}", 0..40)) {
        let text = format!("x\n{}", lines.join("\n"));
        let _tree = tree(&text);
    }
}
