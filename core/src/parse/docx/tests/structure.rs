//! Headings, lists, tables, captions, code, warnings.

use super::*;

#[test]
fn headings_nest_and_the_title_stands_above() {
    let body = styled("Title", "Pump P-100")
        + &styled("H1", "Care")
        + &paragraph("Keep it  clean.")
        + &styled("H3", "Deep")
        + r#"<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr>"#
        + &run("By level")
        + "</w:p>"
        + &paragraph("x");
    assert_eq!(tree(&body), "h1 Care\n  p Keep it clean.\n  h3 Deep\n  h2 By level\n    p x\n");
    assert_eq!(parsed(&body).document.title(), "Pump P-100");
}

#[test]
fn headings_are_numbered_as_printed() {
    let body = styled("NumH", "Scope") + &styled("NumH2", "Parts") + &styled("NumH2", "Tools") + &styled("NumH", "Use");
    assert_eq!(tree(&body), "h1 1 Scope\n  h2 1.1 Parts\n  h2 1.2 Tools\nh1 2 Use\n");
}

#[test]
fn lists_nest_and_print_their_numbers() {
    let body = item(1, 0, "Stop")
        + "<w:p/>"
        + &item(1, 1, "the pump")
        + &item(1, 1, "the fan")
        + &item(3, 0, "both")
        + &item(1, 0, "Wait")
        + &paragraph("Then:")
        + &item(1, 0, "Go on")
        + &item(4, 0, "Anew");
    let expected = "ol\n  li 1. Stop\n    ol\n      li a) the pump\n      li b) the fan\n    ul\n      li both\n  li 2. Wait\n\
                    p Then:\nol\n  li 3. Go on\nol\n  li 1. Anew\n";
    assert_eq!(tree(&body), expected);
}

#[test]
fn what_is_indented_like_an_item_goes_on_with_it() {
    let body = item(1, 0, "Stop")
        + &format!(r#"<w:p><w:pPr><w:ind w:left="720"/></w:pPr>{}</w:p>"#, run("It runs on."))
        + &item(1, 0, "Wait");
    assert_eq!(tree(&body), "ol\n  li 1. Stop\n    p It runs on.\n  li 2. Wait\n");
}

#[test]
fn merged_cells_and_repeated_headers() {
    let body = r#"<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>
          <w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>A</w:tc><w:tc>C</w:tc></w:tr>
        <w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>d</w:tc><w:tc>e</w:tc><w:tc>f</w:tc></w:tr>
        <w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc><w:tc>g</w:tc><w:tc>h</w:tc></w:tr>
        <w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr><w:tc>i</w:tc><w:tc>j</w:tc></w:tr></w:tbl>"#;
    let mut body = body.to_owned();
    for letter in ["A", "C", "d", "e", "f", "g", "h", "i", "j"] {
        body = body.replace(&format!(">{letter}</w:tc>"), &format!(">{}</w:tc>", paragraph(letter)));
    }
    let expected = "Table\n  tr!\n    th2x1 A\n    th C\n  tr\n    td1x2 d\n    td e\n    td f\n  tr\n    td g\n    td h\n  tr\n    td\n    td i\n    td j\n";
    assert_eq!(tree(&body), expected);
}

#[test]
fn a_first_row_is_a_header_if_it_looks_like_one() {
    let header = |body: &str| tree(body).contains("tr!");
    let table = |properties: &str, rows: &[&[&str]]| {
        let rows: String = rows.iter().map(|cells| row(cells)).collect();
        format!("<w:tbl><w:tblPr>{properties}</w:tblPr>{rows}</w:tbl>")
    };
    let look = r#"<w:tblStyle w:val="Grid"/><w:tblLook w:val="04A0"/>"#;
    assert!(header(&table(look, &[&["Name", "Colour"], &["Nut", "red"]])));
    assert!(!header(&table(r#"<w:tblStyle w:val="Grid"/><w:tblLook w:val="0400"/>"#, &[&["a", "b"], &["c", "d"]])));
    assert!(!header(&table("", &[&["Colour", "red"], &["Shape", "round"]])));
    assert!(header(&table("", &[&["Bolt", "Torque"], &["M6", "10 Nm"], &["M8", "25 Nm"]])));
    assert!(!header(&table("", &[&["Voltage", "24 V"], &["Current", "2 A"]])));
    let bold = table("", &[&["Name", "Colour"], &["Nut", "red"]]).replacen("<w:r>", "<w:r><w:rPr><w:b/></w:rPr>", 2);
    assert!(header(&bold));
}

#[test]
fn tables_in_cells_are_tables_of_their_own() {
    let inner = format!("<w:tbl>{}{}</w:tbl>", row(&["a", "b"]), row(&["c", "d"]));
    let body = format!(
        "<w:tbl>{}<w:tr><w:tc>{}{inner}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl>",
        row(&["A", "B"]),
        paragraph("C"),
        paragraph("D")
    );
    let expected = "Table\n  tr\n    td A\n    td B\n  tr\n    td C\n    td D\nTable\n  tr\n    td a\n    td b\n  tr\n    td c\n    td d\n";
    assert_eq!(tree(&body), expected);
}

#[test]
fn boxes_drawn_as_tables_are_what_they_hold() {
    let framed = format!("<w:tbl>{}</w:tbl>", row(&["WARNING: Hot surface."]));
    assert_eq!(tree(&framed), "Warning WARNING: Hot surface.\n");
    let word_first = format!("<w:tbl>{}</w:tbl>", row(&["DANGER", "High voltage."]));
    assert_eq!(tree(&word_first), "Danger DANGER\n  p High voltage.\n");
    let plain = format!("<w:tbl><w:tr><w:tc>{}{}</w:tc></w:tr></w:tbl>", paragraph("One"), paragraph("Two"));
    assert_eq!(tree(&plain), "p One\np Two\n");
}

#[test]
fn warnings_by_word_style_and_frame() {
    let frame = r#"<w:pPr><w:pBdr><w:top w:val="single"/><w:bottom w:val="single"/></w:pBdr></w:pPr>"#;
    let framed = |text: &str| format!("<w:p>{frame}{}</w:p>", run(text));
    let body = paragraph("CAUTION: Wet floor.")
        + &styled("Warn", "Never reach in.")
        + &styled("Warn", "Wait first.")
        + &framed("Achtung!")
        + &framed("Heiß.")
        + &framed("Warten.")
        + &paragraph("On.");
    let expected = "Caution CAUTION: Wet floor.\nWarning Never reach in.\n  p Wait first.\nCaution Achtung!\n  p Heiß.\n  p Warten.\np On.\n";
    assert_eq!(tree(&body), expected);
}

#[test]
fn captions_go_with_what_they_name() {
    let table = format!("<w:tbl>{}{}</w:tbl>", row(&["a", "b"]), row(&["c", "d"]));
    let figure = r#"<w:p><w:r><w:drawing><wp:inline><wp:docPr descr="A pump"/><a:graphic><pic:pic/></a:graphic></wp:inline></w:drawing></w:r></w:p>"#;
    let body = styled("Caption", "Table 1: Torques")
        + &table
        + &table
        + &styled("Caption", "Tabelle 2: Drehmomente")
        + figure
        + &styled("Caption", "Figure 1: The pump")
        + &styled("Caption", "Figure 2");
    let tree = tree(&body);
    assert!(tree.starts_with("Table Table 1: Torques\n"), "{tree}");
    assert!(tree.contains("\nTable Tabelle 2: Drehmomente\n"), "{tree}");
    assert!(tree.ends_with("Figure A pump\n  Caption Figure 1: The pump\nCaption Figure 2\n"), "{tree}");
}

#[test]
fn code_quotations_and_contents() {
    let mono = r#"<w:p><w:r><w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr><w:t>G28</w:t></w:r></w:p>"#;
    let body = styled("TOC1", "Care 3")
        + &styled("Code", "G1 X1")
        + &styled("Code", "  G1  X2")
        + &paragraph("Then")
        + mono
        + &styled("Quote", "To be.");
    assert_eq!(tree(&body), "Furniture Care 3\nCode G1 X1⏎  G1  X2\np Then\nCode G28\nQuote To be.\n");
}

#[test]
fn equations_are_lines() {
    let square =
        "<m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>";
    let body =
        format!("<w:p><m:oMathPara>{square}</m:oMathPara></w:p><w:p>{}{square}{}</w:p>", run("Let "), run(" be."));
    assert_eq!(tree(&body), "Formula x^2\np Let x^2 be.\n");
}
