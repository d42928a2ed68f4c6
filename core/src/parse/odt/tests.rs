//! ODT files made from XML, and what is read of them.

use crate::parse::{
    Format, ParseError, Parsed,
    fixture::{outline, read, refusal},
    package::fixture::package,
};
use proptest::prelude::*;

const NAMESPACES: &str = r#"xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
    xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
    xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
    xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
    xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:math="http://www.w3.org/1998/Math/MathML"
    xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0""#;

/// Named styles, the numbering of headings, and a page with a running head.
const STYLES: &str = r#"<office:styles>
    <style:style style:name="Title" style:family="paragraph"/>
    <style:style style:name="Table" style:family="paragraph" style:parent-style-name="Caption"/>
    <style:style style:name="Preformatted_20_Text" style:display-name="Preformatted Text" style:family="paragraph"/>
    <style:style style:name="Quotations" style:family="paragraph"/>
    <style:style style:name="Warning" style:family="paragraph"/>
    <text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/>
      <text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style>
  </office:styles><office:master-styles><style:master-page><style:header><text:p>ACME <text:s/>manual</text:p></style:header></style:master-page></office:master-styles>"#;

const AUTOMATIC: &str = r##"<office:automatic-styles>
    <style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>
    <style:style style:name="Gone" style:family="text"><style:text-properties text:display="none"/></style:style>
    <style:style style:name="White" style:family="text"><style:text-properties fo:color="#ffffff"/></style:style>
    <style:style style:name="P1" style:family="paragraph" style:parent-style-name="Quotations"/>
    <style:style style:name="Boxed" style:family="paragraph"><style:paragraph-properties fo:border="1pt solid #000000"/></style:style>
    <text:list-style style:name="L1">
      <text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
      <text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/></text:list-style>
    <text:list-style style:name="L2"><text:list-level-style-bullet text:level="1"/></text:list-style></office:automatic-styles>"##;

fn odt(text: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let content = format!(
        "<office:document-content {NAMESPACES}>{AUTOMATIC}<office:body><office:text>{text}</office:text></office:body></office:document-content>"
    );
    let styles = format!("<office:document-styles {NAMESPACES}>{STYLES}</office:document-styles>");
    let mut all = vec![
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", &content),
        ("styles.xml", &styles),
    ];
    all.extend_from_slice(parts);
    package(&all)
}

fn parsed(text: &str) -> Parsed {
    read("a.odt", &odt(text, &[]))
}

/// The outline without the running head that all have.
fn tree(text: &str) -> String {
    outline(&parsed(text).document).replacen("Furniture ACME manual\n", "", 1)
}

#[test]
fn headings_count_as_the_outline_says() {
    let text = r#"<text:p text:style-name="Title">Pump</text:p><text:h text:outline-level="1">Care</text:h><text:h text:outline-level="2">Oil</text:h>
        <text:h text:outline-level="2" text:is-list-header="true">Unnumbered</text:h><text:h text:outline-level="1"><text:number>9</text:number>Use</text:h><text:p>Text</text:p>"#;
    assert_eq!(tree(text), "h1 1 Care\n  h2 1.1 Oil\n  h2 Unnumbered\nh1 9 Use\n  p Text\n");
    assert_eq!(parsed(text).document.title(), "Pump");
    assert_eq!(parsed(text).format, Format::Odt);
    assert_eq!(outline(&parsed("").document), "Furniture ACME manual\n");
}

#[test]
fn lists_nest_count_and_go_on() {
    let item = |text: &str| format!("<text:list-item><text:p>{text}</text:p></text:list-item>");
    let text = format!(
        r#"<text:list text:style-name="L1">{}<text:list-item><text:p>Wait</text:p><text:p>Longer.</text:p><text:list>{}{}</text:list></text:list-item></text:list>
        <text:p>Then</text:p><text:list text:style-name="L1" text:continue-numbering="true">{}</text:list>
        <text:list text:style-name="L1">{}</text:list><text:list text:style-name="L2">{}</text:list>"#,
        item("Stop"),
        item("ten"),
        item("twenty"),
        item("Go on"),
        item("Anew"),
        item("dot")
    );
    let expected = "ol\n  li 1. Stop\n  li 2. Wait\n    p Longer.\n    ol\n      li a) ten\n      li b) twenty\np Then\nol\n  li 3. Go on\nol\n  li 1. Anew\nul\n  li dot\n";
    assert_eq!(tree(&text), expected);
}

#[test]
fn tables_have_spans_headers_and_captions() {
    let cell = |attributes: &str, text: &str| {
        format!("<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>")
    };
    let text = format!(
        r#"<text:p text:style-name="Table">Table 1: Torques</text:p><table:table><table:table-column/>
        <table:table-header-rows><table:table-row>{}<table:covered-table-cell/>{}</table:table-row></table:table-header-rows>
        <table:table-row>{}{}<table:table-cell table:number-columns-repeated="16000"/></table:table-row>
        <table:table-row table:number-rows-repeated="1000000"><table:covered-table-cell/>{}</table:table-row></table:table>"#,
        cell(r#"table:number-columns-spanned="2""#, "A"),
        cell("", "C"),
        cell(r#"table:number-rows-spanned="2""#, "d"),
        cell("", "e"),
        cell("", "")
    );
    let tree = tree(&text);
    assert!(
        tree.starts_with("Table Table 1: Torques\n  tr!\n    th2x1 A\n    th C\n  tr\n    td1x2 d\n    td e\n"),
        "{tree}"
    );
    assert!(tree.lines().count() < 150);
}

#[test]
fn boxes_tables_in_cells_and_lists_in_cells() {
    let row = |cells: &[&str]| {
        let cells: String = cells.iter().map(|text| format!("<table:table-cell>{text}</table:table-cell>")).collect();
        format!("<table:table-row>{cells}</table:table-row>")
    };
    let framed = format!("<table:table>{}</table:table>", row(&["<text:p>DANGER: Hot.</text:p>"]));
    assert_eq!(tree(&framed), "Danger DANGER: Hot.\n");
    let list = r#"<text:list text:style-name="L1"><text:list-item><text:p>one</text:p></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>"#;
    let inner = format!("<table:table>{0}{0}</table:table>", row(&["<text:p>x</text:p>", "<text:p>y</text:p>"]));
    let outer = format!(
        "<table:table>{}{}</table:table>",
        row(&[list, &inner]),
        row(&["<text:p>c</text:p>", "<text:p>d</text:p>"])
    );
    let expected = "Table\n  tr\n    td 1. one⏎2. two\n    td\n  tr\n    td c\n    td d\nTable\n  tr\n    td x\n    td y\n  tr\n    td x\n    td y\n";
    assert_eq!(tree(&outer), expected);
}

#[test]
fn cells_keep_links_and_rows_the_names_that_reach_them() {
    let cell = |text: &str| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>");
    let linked = r#"<text:bookmark text:name="oil"/>See <text:a xlink:href="https://example.org">there</text:a>"#;
    let row = |second: &str| format!("<table:table-row>{}{}</table:table-row>", cell("a"), cell(second));
    let expected =
        "Table\n  tr\n    td a\n    td b\n  tr {anchor: oil}\n    td a\n    td See there {link: https://example.org}\n";
    assert_eq!(tree(&format!("<table:table>{}{}</table:table>", row("b"), row(linked))), expected);
}

#[test]
fn blanks_links_anchors_and_hidden_words() {
    let text = r#"<text:p>a<text:s text:c="4000000000"/>b<text:tab/>c<text:line-break/>d</text:p>
        <text:p><text:bookmark text:name="oil"/>See <text:a xlink:href="https://example.org">there</text:a></text:p>
        <text:p>Shown<text:span text:style-name="Gone">secret</text:span><text:span text:style-name="White">white</text:span></text:p>
        <text:section text:display="none"><text:p>away</text:p></text:section>"#;
    let expected = "p a b c⏎d\np See there {anchor: oil, link: https://example.org}\np Shown\np secret {hidden: style}\np white {hidden: white}\np away {hidden: style}\n";
    assert_eq!(tree(text), expected);
}

#[test]
fn notes_comments_and_changes() {
    let note = |class: &str, mark: &str, text: &str| {
        format!(
            r#"<text:note text:note-class="{class}"><text:note-citation>{mark}</text:note-citation><text:note-body><text:p>{text}</text:p></text:note-body></text:note>"#
        )
    };
    let info =
        "<office:change-info><dc:creator>Ada</dc:creator><dc:date>2024-05-01T10:00:00</dc:date></office:change-info>";
    let text = format!(
        r#"<text:tracked-changes><text:changed-region text:id="c1"><text:insertion>{info}</text:insertion></text:changed-region>
        <text:changed-region text:id="c2"><text:deletion>{info}<text:p>oil</text:p></text:deletion></text:changed-region></text:tracked-changes>
        <text:p>Foot{}</text:p><text:p>End{}</text:p>
        <text:p>Say<office:annotation><dc:creator>Bob</dc:creator><dc:date>2024</dc:date><text:p>Why?</text:p></office:annotation></text:p>
        <text:p><text:change-start text:change-id="c1"/>New<text:change-end text:change-id="c1"/></text:p><text:p>Use <text:change text:change-id="c2"/>it</text:p>"#,
        note("footnote", "1", "Mineral."),
        note("endnote", "i", "White.")
    );
    let expected = "p Foot[1]\nFootnote [1] Mineral. {mark: 1}\np End[i]\np Say\nComment Why? {author: Bob, date: 2024}\n\
                    p New {change: inserted by Ada on 2024-05-01}\np Use it {change: deleted “oil” by Ada on 2024-05-01}\nFootnote [i] White. {mark: i}\n";
    assert_eq!(tree(&text), expected);
}

#[test]
fn pictures_boxes_equations_code_and_quotations() {
    let text = r#"<text:p><draw:frame><draw:image xlink:href="x.png"/><svg:title>Pump</svg:title><svg:desc>A red pump</svg:desc></draw:frame></text:p>
        <text:p>Before<draw:frame><draw:text-box><text:p>In the box</text:p></draw:text-box></draw:frame></text:p>
        <text:p><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>
        <text:p text:style-name="Preformatted_20_Text">G1
   <text:s/>X1</text:p><text:p text:style-name="Preformatted_20_Text">G2</text:p>
        <text:p text:style-name="P1">To be.</text:p><text:p text:style-name="Warning">Hot.</text:p>
        <text:p text:style-name="Boxed">ACHTUNG: Nass.</text:p><text:p text:style-name="Boxed">Warten.</text:p>
        <text:table-of-content><text:index-body><text:p>Care 3</text:p></text:index-body></text:table-of-content>"#;
    let equation = format!(
        "<math:math {NAMESPACES}><math:semantics><math:annotation>a^2 = b</math:annotation></math:semantics></math:math>"
    );
    let read = read("a.odt", &odt(text, &[("Object 1/content.xml", &equation)]));
    let expected = "Furniture ACME manual\nFigure A red pump\np Before\np In the box\nFormula a^2 = b\nCode G1  X1⏎G2\nQuote To be.\nWarning Hot.\n\
                    Caution ACHTUNG: Nass.\n  p Warten.\nFurniture Care 3\n";
    assert_eq!(outline(&read.document), expected);
}

#[test]
fn pages_are_those_that_the_program_made() {
    let document = parsed("<text:p>one</text:p><text:p><text:soft-page-break/>two</text:p><text:p>a<text:soft-page-break/>b</text:p><text:p>four</text:p>").document;
    let pages: Vec<Option<u32>> = document.nodes.iter().skip(2).map(|node| node.page).collect();
    assert_eq!(pages, [Some(1), Some(2), Some(2), Some(3)]);
}

#[test]
fn properties_become_metadata() {
    let meta = format!(
        "<office:document-meta {NAMESPACES}><office:meta><dc:title>Pump</dc:title><meta:initial-creator>Ada</meta:initial-creator><dc:creator>Bob</dc:creator></office:meta></office:document-meta>"
    );
    let document = read("a.odt", &odt("<text:p>x</text:p>", &[("meta.xml", &meta)])).document;
    assert_eq!((document.title(), document.metadata.get("author").map(String::as_str)), ("Pump", Some("Ada")));
}

#[test]
fn what_cannot_be_read_is_refused_in_words() {
    let encrypted = odt("", &[("META-INF/manifest.xml", "<manifest:encryption-data/>")]);
    assert_eq!(refusal("a.odt", &encrypted), ParseError::Password);
    let other = package(&[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", "<a/>")]);
    assert!(matches!(refusal("a.odt", &other), ParseError::Damaged { .. }));
}

/// Markup whose combinations reach the corners of the reader.
const PIECES: [&str; 26] = [
    "<text:p>",
    "</text:p>",
    "<text:h>",
    "</text:h>",
    "WARNING: a 1",
    " ",
    r#"<text:p text:style-name="Table">Table 1"#,
    r#"<text:p text:style-name="Preformatted_20_Text">"#,
    r#"<text:list text:style-name="L1">"#,
    "</text:list>",
    r#"<text:list-item text:start-value="4294967295">"#,
    "</text:list-item>",
    "<text:list-header>",
    "<table:table>",
    "</table:table>",
    r#"<table:table-row table:number-rows-repeated="9">"#,
    "</table:table-row>",
    r#"<table:table-cell table:number-rows-spanned="65535" table:number-columns-repeated="3">"#,
    "</table:table-cell>",
    "<table:covered-table-cell/>",
    "<text:note><text:note-citation>1</text:note-citation><text:note-body>",
    "</text:note-body></text:note>",
    "<draw:frame><draw:text-box>",
    "</draw:text-box></draw:frame>",
    "<text:soft-page-break/>",
    "<text:section>",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_markup_is_read(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..80)) {
        let document = parsed(&pieces.concat()).document;
        for node in &document.nodes {
            prop_assert!(node.parent.is_none_or(|parent| parent < node.id));
        }
    }
}

#[test]
fn depth_is_bounded() {
    for (open, close) in [
        (r#"<text:list text:style-name="L1"><text:list-item>"#, "</text:list-item></text:list>"),
        ("<table:table><table:table-row><table:table-cell>", "</table:table-cell></table:table-row></table:table>"),
        ("<text:p><draw:frame><draw:text-box>", "</draw:text-box></draw:frame></text:p>"),
        ("<text:p><text:note><text:note-body>", "</text:note-body></text:note></text:p>"),
        ("<text:section>", "</text:section>"),
    ] {
        let _tree = parsed(&format!("{}<text:p>x</text:p>{}", open.repeat(3000), close.repeat(3000)));
    }
}
