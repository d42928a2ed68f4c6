//! What blocks are told to be by their form.

use super::{FixturePage, outline, read};

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
