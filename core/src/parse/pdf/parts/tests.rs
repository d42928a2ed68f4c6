//! Pages with remarks, form fields and links.

use super::super::fixture::{FixturePage, first_extra, stream, write_parts};
use crate::{
    document::{Document, Node, NodeKind, facts},
    host::NoProgress,
    parse::{ParseWarningKind, Parsed, parse},
};

fn read(bytes: &[u8]) -> Parsed {
    parse("form.pdf", bytes, &mut NoProgress).unwrap()
}

/// Kind and text of every node below the root.
fn lines(document: &Document) -> Vec<String> {
    let line = |node: &Node| format!("{:?} {}", node.kind, node.text);
    document.nodes.iter().skip(1).map(line).collect()
}

fn find<'d>(document: &'d Document, text: &str) -> &'d Node {
    document.nodes.iter().find(|node| node.text.contains(text)).unwrap_or_else(|| panic!("no node says {text:?}"))
}

/// A page with these annotations and further objects.
fn annotated(page: FixturePage, annotations: &str, catalog: &str, objects: &[String]) -> Vec<u8> {
    write_parts(&[page.with(&format!("/Annots [{annotations}]"))], catalog, objects)
}

const SENTENCE: &str = "Before the cover is taken off, the machine must be parted from the mains at its switch.";
const LATER: &str = "Then the four screws are loosened, and the cover is lifted straight up by two people.";

#[test]
fn remarks_stand_where_they_were_made() {
    let page = FixturePage::new().lines(50, 80, &[SENTENCE]).lines(50, 400, &[LATER]);
    let bytes = annotated(
        page,
        "<< /Subtype /Text /Rect [540 735 560 760] /Contents (Which switch?) /T (M. Weber) /M (D:20261130143000+01'00') >>
         << /Subtype /Popup /Rect [400 700 590 760] /Contents (Which switch?) >>
         << /Subtype /Highlight /Rect [50 430 200 445] /Contents (Three are enough.) >>
         << /Subtype /Highlight /Rect [50 430 200 445] >>
         << /Subtype /Text /F 2 /Rect [0 0 0 0] /RC (<body><p>Say <b>yes</b>.</p></body>) >>
         << /Subtype /Stamp /Name /NotApproved /Rect [50 20 200 60] >>
         << /Subtype /Text /StateModel (Marked) /State (Marked) /Rect [0 0 9 9] /Contents (Marked set by x) >>",
        "",
        &[],
    );
    let document = read(&bytes).document;
    let expected = [
        format!("Paragraph {SENTENCE}"),
        "Comment Which switch?".to_owned(),
        format!("Paragraph {LATER}"),
        "Comment Three are enough.".to_owned(),
        "Comment Not approved".to_owned(),
        "Comment Say yes.".to_owned(),
    ];
    assert_eq!(lines(&document), expected);
    let remark = find(&document, "Which switch?");
    let facts: Vec<_> = remark.metadata.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    assert_eq!(facts, [("author", "M. Weber"), ("date", "2026-11-30 14:30")]);
    let bbox = remark.boxes[0].bbox;
    assert_eq!((remark.page, bbox.x0, bbox.y0, bbox.y1), (Some(1), 540.0, 82.0, 107.0));
    assert_eq!(find(&document, "Say yes.").metadata[facts::HIDDEN], "invisible");
}

#[test]
fn text_written_over_a_page_is_read_once() {
    let first = first_extra(&[FixturePage::new()]);
    let appearance = stream(
        "/Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /H 3 0 R >> >>",
        "BT /H 10 Tf 2 5 Td (Valid from May.) Tj ET",
    );
    let shown = |contents: &str| {
        let annotation = format!("<< /Subtype /FreeText /Rect [50 500 250 520] {contents} /AP << /N {first} 0 R >> >>");
        let page = FixturePage::new().lines(50, 80, &[SENTENCE]);
        lines(&read(&annotated(page, &annotation, "", std::slice::from_ref(&appearance))).document)
    };
    assert_eq!(shown("/Contents (Valid from May.)")[1..], ["Comment Valid from May."]);
    assert_eq!(shown("")[1..], ["Paragraph Valid from May."], "what has no text but its appearance is still read");
}

#[test]
fn form_fields_are_read_by_name_and_value() {
    let first = first_extra(&[FixturePage::new()]);
    let object = |n: usize| format!("{} 0 R", first + n);
    let page = FixturePage::new().lines(50, 80, &[SENTENCE]).lines(50, 400, &[LATER]);
    let box_of = |on: &str| format!("/AP << /N << /{on} {0} /Off {0} >> >>", object(12));
    let objects = [
        // 0: shown with an appearance, which must not be read beside it.
        format!(
            "<< /Subtype /Widget /FT /Tx /T (name) /TU (Your name) /V (Ada) /Rect [50 700 200 720] /AP << /N {} >> >>",
            object(11)
        ),
        // 1: without an appearance, in a field around it.
        format!("<< /Subtype /Widget /FT /Tx /Parent {} /T (city) /V (Ulm) /Rect [250 700 400 720] >>", object(2)),
        format!("<< /T (address[0]) /Kids [{}] >>", object(1)),
        // 3, 4: boxes.
        format!("<< /Subtype /Widget /FT /Btn /T (oil) /V /Yes /AS /Yes /Rect [50 660 60 670] {} >>", box_of("Yes")),
        format!("<< /Subtype /Widget /FT /Btn /T (water) /AS /Off /Rect [80 660 90 670] {} >>", box_of("Yes")),
        // 5, 6, 7: one of two.
        format!("<< /FT /Btn /Ff 32768 /T (drive) /V /electric /Kids [{} {}] >>", object(6), object(7)),
        format!("<< /Subtype /Widget /Parent {} /AS /Off /Rect [50 640 60 650] {} >>", object(5), box_of("diesel")),
        format!(
            "<< /Subtype /Widget /Parent {} /AS /electric /Rect [80 640 90 650] {} >>",
            object(5),
            box_of("electric")
        ),
        // 8: a list, 9: a button, 10: a password.
        "<< /Subtype /Widget /FT /Ch /T (size) /V (m) /Opt [[(s) (small)] [(m) (medium)]] /Rect [50 620 90 630] >>"
            .to_owned(),
        "<< /Subtype /Widget /FT /Btn /Ff 65536 /T (send) /V (x) /Rect [50 30 90 40] >>".to_owned(),
        "<< /Subtype /Widget /FT /Tx /Ff 8192 /T (pin) /V (1234) /F 2 /Rect [50 10 90 20] >>".to_owned(),
        stream(
            "/Subtype /Form /BBox [0 0 150 20] /Resources << /Font << /H 3 0 R >> >>",
            "BT /H 10 Tf 2 5 Td (Ada) Tj ET",
        ),
        stream(
            "/Subtype /Form /BBox [0 0 10 10] /Resources << /Font << /H 3 0 R >> >>",
            "BT /H 10 Tf 2 5 Td (4) Tj ET",
        ),
        // 13: stands on no page.
        "<< /FT /Tx /T (batch) /V (B-7) >>".to_owned(),
        format!(
            "<< /Subtype /Widget /FT /Sig /T (sign) /V << /Name (R. Lang) /M (D:20261130) /Reason (Checked) >> /Rect [50 400 90 410] /P {} >>",
            "6 0 R"
        ),
    ];
    let widgets: Vec<String> = [0, 1, 3, 4, 6, 7, 8, 9, 10, 14].iter().map(|n| object(*n)).collect();
    let fields: Vec<String> = [0, 2, 3, 4, 5, 8, 9, 10, 13, 14].iter().map(|n| object(*n)).collect();
    let catalog = format!("/AcroForm << /Fields [{}] >>", fields.join(" "));
    let parsed = read(&annotated(page, &widgets.join(" "), &catalog, &objects));
    let expected = [
        &format!("Paragraph {SENTENCE}"),
        "FormField Your name: Ada",
        "FormField address.city: Ulm",
        "FormField oil: yes",
        "FormField water: no",
        "FormField drive: electric",
        "FormField size: medium",
        &format!("Paragraph {LATER}"),
        "FormField sign: signed by R. Lang on 2026-11-30: Checked",
        "FormField pin:",
        "FormField batch: B-7",
    ];
    assert_eq!(lines(&parsed.document), expected);
    assert_eq!(find(&parsed.document, "pin:").metadata[facts::HIDDEN], "invisible");
    let bbox = find(&parsed.document, "drive").boxes[0].bbox;
    assert_eq!((bbox.x0, bbox.x1), (50.0, 90.0), "both boxes of the choice");
}

#[test]
fn a_form_for_one_program_alone_is_said_to_be_one() {
    let page = || FixturePage::new().lines(50, 80, &["Please wait."]);
    let dynamic = write_parts(&[page()], "/NeedsRendering true /AcroForm << /Fields [] /XFA [] >>", &[]);
    assert_eq!(read(&dynamic).warnings[0].kind, ParseWarningKind::NotRead);
    let plain = write_parts(&[page()], "/AcroForm << /Fields [] >>", &[]);
    assert_eq!(read(&plain).warnings, []);
}

#[test]
fn fields_that_hold_themselves_end() {
    let first = first_extra(&[FixturePage::new()]);
    let objects = [format!("<< /Subtype /Widget /T (loop) /FT /Tx /V (x) /Parent {first} 0 R /Kids [{first} 0 R] >>")];
    let catalog = format!("/AcroForm << /Fields [{first} 0 R] >>");
    let bytes = annotated(FixturePage::new(), &format!("{first} 0 R"), &catalog, &objects);
    let parsed = read(&bytes);
    assert_eq!(lines(&parsed.document).len(), 1);
    assert_eq!(parsed.warnings, [], "a page with a field alone is not blank");
}

#[test]
fn links_are_told_of_what_they_cover() {
    let page = FixturePage::new().lines(50, 80, &[SENTENCE]).lines(50, 400, &[LATER]);
    let bytes = annotated(
        page,
        "<< /Subtype /Link /Rect [60 760 100 770] /A << /S /URI /URI (https://pump.example/a b) >> >>
         << /Subtype /Link /Rect [60 760 100 770] /A << /S /URI /URI (JavaScript:alert\\(1\\)) >> >>
         << /Subtype /Link /Rect [120 760 140 770] /A << /S /URI /URI (mailto:a@pump.example) >> >>
         << /Subtype /Link /Rect [60 440 100 450] /Dest [6 0 R /Fit] >>
         << /Subtype /Link /Rect [60 100 100 110] /Dest [6 0 R /Fit] >>",
        "",
        &[],
    );
    let document = read(&bytes).document;
    let link = |text: &str| find(&document, text).metadata.get(facts::LINK).map(String::as_str);
    assert_eq!(link(SENTENCE), Some("https://pump.example/a%20b mailto:a@pump.example"));
    assert_eq!(link(LATER), Some("#page=1"));
}

#[test]
fn parts_go_into_the_section_they_stand_in() {
    let body = "It is filled with oil of the grade that the plate on its side names, up to the mark.";
    let page = FixturePage::new()
        .text('B', 18, 50, 60, "1 Operation")
        .lines(50, 90, &[body, body])
        .text('B', 18, 50, 270, "2 Care")
        .lines(50, 300, &[body]);
    let remark = |y: i32, text: &str| {
        format!("<< /Subtype /Text /Rect [300 {} 310 {}] /Contents ({text}) >> ", 842 - y, 850 - y)
    };
    let annotations = [remark(62, "head"), remark(120, "first"), remark(264, "care"), remark(310, "second")].concat();
    let document = read(&annotated(page, &annotations, "", &[])).document;
    let under = |text: &str| document.heading_path(find(&document, text).id).join(" > ");
    assert_eq!(["head", "first", "care", "second"].map(under), ["1 Operation", "1 Operation", "2 Care", "2 Care"]);
    for (index, node) in document.nodes.iter().enumerate().skip(1) {
        assert_eq!(node.id.index(), index);
        assert!(node.parent.is_some_and(|parent| parent < node.id));
    }
    assert!(document.nodes.iter().filter(|node| node.kind == NodeKind::Comment).all(|node| node.page == Some(1)));
}
