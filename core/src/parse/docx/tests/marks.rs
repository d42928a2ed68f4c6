//! What hangs on text: notes, comments, changes, links, fields, boxes, hidden words, pages, running heads.

use super::*;

#[test]
fn notes_stand_by_their_mark() {
    let reference = |kind: &str| format!(r#"<w:r><w:{kind}Reference w:id="2"/></w:r>"#);
    let body = format!(
        "<w:p>{}{}</w:p><w:p>{}{}</w:p>",
        run("Oil"),
        reference("footnote"),
        run("Grease"),
        reference("endnote")
    ) + &paragraph("On");
    let notes = |kind: &str, text: &str| {
        format!(
            r#"<w:{kind}s {NAMESPACES}><w:{kind} w:type="separator" w:id="0">{}</w:{kind}><w:{kind} w:id="2">{}{}</w:{kind}></w:{kind}s>"#,
            paragraph("---"),
            paragraph(text),
            paragraph("More.")
        )
    };
    let (foot, end) = (notes("footnote", "Mineral."), notes("endnote", "White."));
    let read = read("a.docx", &docx(&body, &[("footnotes.xml", &foot), ("endnotes.xml", &end)]));
    let expected = "p Oil[1]\nFootnote [1] Mineral. {mark: 1}\n  p More.\np Grease[i]\np On\nFootnote [i] White. {mark: i}\n  p More.\n";
    assert_eq!(outline(&read.document), expected);
}

#[test]
fn comments_have_their_author() {
    let body = format!(r#"<w:p>{}<w:r><w:commentReference w:id="0"/></w:r></w:p>"#, run("Oil"));
    let comments = format!(
        r#"<w:comments {NAMESPACES}><w:comment w:id="0" w:author="Ada" w:date="2024-05-01T10:00:00Z">{}</w:comment></w:comments>"#,
        paragraph("Which?")
    );
    let read = read("a.docx", &docx(&body, &[("comments.xml", &comments)]));
    assert_eq!(outline(&read.document), "p Oil\nComment Which? {author: Ada, date: 2024-05-01T10:00:00Z}\n");
}

#[test]
fn changes_are_accepted_and_noted() {
    let by = r#"w:author="Ada" w:date="2024-05-01T10:00:00Z""#;
    let body =
        format!(
            r#"<w:p>{}<w:del {by}><w:r><w:delText>oil</w:delText></w:r></w:del><w:ins {by}>{}</w:ins></w:p>"#,
            run("Use "),
            run("grease")
        ) + &format!(r#"<w:p><w:pPr><w:rPr><w:del {by}/></w:rPr></w:pPr>{}</w:p>{}"#, run("One "), paragraph("line"))
            + &format!(
                r#"<w:tbl>{}<w:tr><w:trPr><w:del {by}/></w:trPr><w:tc>{}</w:tc></w:tr>{}</w:tbl>"#,
                row(&["a", "b"]),
                paragraph("gone"),
                row(&["c", "d"])
            );
    let expected = "p Use grease {change: deleted “oil” by Ada on 2024-05-01; inserted by Ada on 2024-05-01}\np One line\n\
                    Table\n  tr\n    td a\n    td b\n  tr\n    td c\n    td d\n";
    assert_eq!(tree(&body), expected);
}

#[test]
fn moved_text_is_where_it_went() {
    let body = format!(
        r#"<w:p><w:moveFrom w:author="Ada">{0}</w:moveFrom>{1}</w:p><w:p><w:moveTo w:author="Ada">{0}</w:moveTo></w:p>"#,
        run("gone"),
        run("stays")
    );
    assert_eq!(tree(&body), "p stays\np gone {change: moved by Ada}\n");
}

#[test]
fn fields_show_results_and_links_their_address() {
    let field = |code: &str, result: &str| {
        format!(
            r#"<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>{code}</w:instrText></w:r>
            <w:r><w:fldChar w:fldCharType="separate"/></w:r>{}<w:r><w:fldChar w:fldCharType="end"/></w:r>"#,
            run(result)
        )
    };
    let body = format!("<w:p>{}{}</w:p>", run("See "), field("REF x \\h", "Table 3"))
        + &format!("<w:p>{}</w:p>", field(r#"HYPERLINK "https://example.org/a""#, "there"))
        + &format!(r#"<w:p><w:hyperlink r:id="web" w:anchor="top">{}</w:hyperlink></w:p>"#, run("web"))
        + &format!("<w:p>{}</w:p>", field(r#"TOC \o "1-3""#, "Care 1"));
    let expected = "p See Table 3\np there {link: https://example.org/a}\np web {link: https://example.org/p#top}\nFurniture Care 1\n";
    assert_eq!(tree(&body), expected);
}

#[test]
fn cells_keep_links_and_rows_the_names_that_reach_them() {
    let cell = |content: &str| format!("<w:tc><w:p>{content}</w:p></w:tc>");
    let linked = format!(
        r#"<w:bookmarkStart w:id="1" w:name="oil"/><w:hyperlink r:id="web" w:anchor="top">{}</w:hyperlink>"#,
        run("web")
    );
    let row = |second: &str| format!("<w:tr>{}{}</w:tr>", cell(&run("a")), cell(second));
    let body = format!("<w:tbl>{}{}</w:tbl>", row(&run("b")), row(&linked));
    let expected =
        "Table\n  tr\n    td a\n    td b\n  tr {anchor: oil}\n    td a\n    td web {link: https://example.org/p#top}\n";
    assert_eq!(tree(&body), expected);
}

#[test]
fn a_field_that_is_never_closed_swallows_nothing() {
    let body =
        format!(r#"<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>{}</w:p>{}"#, run("code"), paragraph("text"));
    assert_eq!(tree(&body), "p text\n");
}

#[test]
fn boxes_are_read_once() {
    let content = format!("<w:txbxContent>{}</w:txbxContent>", paragraph("In the box"));
    let body = format!(
        r#"<w:p>{}<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><wps:wsp><wps:txbx>{content}</wps:txbx></wps:wsp></wp:anchor></w:drawing></mc:Choice>
        <mc:Fallback><w:pict><v:textbox>{content}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>
        <w:p><w:r><w:pict><v:shape><v:textbox>{content}</v:textbox></v:shape></w:pict></w:r></w:p>"#,
        run("Outside")
    );
    assert_eq!(tree(&body), "p Outside\np In the box\np In the box\n");
}

#[test]
fn pictures_have_alternative_texts() {
    let picture = |inside: &str| {
        format!("<w:p><w:r><w:drawing><wp:inline>{inside}<pic:pic/></wp:inline></w:drawing></w:r></w:p>")
    };
    let body = picture(r#"<wp:docPr descr="A pump"/>"#)
        + &picture(r#"<wp:docPr name="Picture 1"/>"#)
        + r#"<w:p><w:r><w:pict><v:shape alt="A valve"><v:imagedata/></v:shape></w:pict></w:r></w:p>
        <w:p><w:r><w:drawing><wp:inline><wp:docPr descr="Flow"/><wps:wsp/></wp:inline></w:drawing></w:r></w:p>"#;
    assert_eq!(tree(&body), "Figure A pump\nFigure\nFigure A valve\nFigure Flow\n");
}

#[test]
fn hidden_words_are_kept_apart_and_said_to_be_hidden() {
    let hidden = |format: &str, text: &str| format!("<w:r><w:rPr>{format}</w:rPr><w:t>{text}</w:t></w:r>");
    let body = format!("<w:p>{}{}</w:p>", run("Shown"), hidden("<w:vanish/>", "secret"))
        + &format!("<w:p>{}</w:p>", hidden(r#"<w:rStyle w:val="Gone"/>"#, "styled"))
        + &format!("<w:p>{}</w:p>", hidden(r#"<w:color w:val="FFFFFF"/>"#, "white"))
        + &format!("<w:p>{}</w:p>", hidden(r#"<w:color w:val="FFFFFF"/><w:shd w:fill="000000"/>"#, "on black"))
        + &format!("<w:p>{}</w:p>", hidden(r#"<w:sz w:val="2"/>"#, "tiny"));
    let expected = "p Shown\np secret {hidden: style}\np styled {hidden: style}\np white {hidden: white}\np on black\np tiny {hidden: tiny}\n";
    assert_eq!(tree(&body), expected);
}

#[test]
fn bookmarks_name_blocks_and_signs_are_characters() {
    let body = r#"<w:p><w:bookmarkStart w:name="_GoBack"/><w:bookmarkStart w:name="oil"/><w:r><w:t>5</w:t><w:sym w:font="Symbol" w:char="F06D"/><w:t>m</w:t><w:br/><w:t>on</w:t><w:noBreakHyphen/><w:t>off</w:t></w:r></w:p>"#;
    assert_eq!(tree(body), "p 5μm⏎on-off {anchor: oil}\n");
}

#[test]
fn pages_are_those_that_word_printed() {
    let page = "<w:r><w:lastRenderedPageBreak/></w:r>";
    let body =
        paragraph("one") + &format!("<w:p>{}{page}{}</w:p><w:p>{page}{}</w:p>", run("one, "), run("two"), run("three"));
    let document = parsed(&body).document;
    let pages: Vec<Option<u32>> = document.nodes.iter().skip(1).map(|node| node.page).collect();
    assert_eq!((pages, document.n_pages), (vec![Some(1), Some(1), Some(3)], Some(3)));
    assert_eq!(parsed(&paragraph("x")).document.n_pages, None);
}

#[test]
fn running_heads_are_furniture_once() {
    let head = format!("<w:hdr {NAMESPACES}>{}</w:hdr>", paragraph("ACME manual"));
    let foot = format!("<w:ftr {NAMESPACES}>{}</w:ftr>", paragraph("Page 1"));
    let parts = [("header1.xml", head.as_str()), ("header2.xml", head.as_str()), ("footer1.xml", foot.as_str())];
    let read = read("a.docx", &docx(&paragraph("Text"), &parts));
    assert_eq!(outline(&read.document), "Furniture ACME manual\nFurniture Page 1\np Text\n");
}

#[test]
fn properties_become_metadata() {
    let core = r#"<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
        xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Pump</dc:title>
        <dc:creator>Ada</dc:creator><dcterms:created>2024-05-01T10:00:00Z</dcterms:created></cp:coreProperties>"#;
    let read = read("a.docx", &docx(&paragraph("Text"), &[("../docProps/core.xml", core)]));
    // The fixture writes into `word`: the name leads out of it only by its relationship.
    assert_eq!(read.document.metadata.get("author"), None);
    let bytes = crate::parse::package::fixture::package(&[
        ("word/document.xml", &format!("<w:document {NAMESPACES}><w:body>{}</w:body></w:document>", paragraph("x"))),
        ("docProps/core.xml", core),
    ]);
    let document = crate::parse::fixture::read("a.docx", &bytes).document;
    let fact = |key: &str| document.metadata.get(key).map(String::as_str);
    assert_eq!(
        (fact("author"), fact("created"), document.title()),
        (Some("Ada"), Some("2024-05-01T10:00:00Z"), "Pump")
    );
}
