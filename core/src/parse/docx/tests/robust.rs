//! Broken and hostile files.

use super::*;
use crate::parse::{Format, ParseError, ParseWarningKind, fixture::refusal, package::fixture::package};
use proptest::prelude::*;

#[test]
fn strict_files_are_read_like_others() {
    let strict = "http://purl.oclc.org/ooxml/wordprocessingml/main";
    let xml = format!(
        r#"<x:document xmlns:x="{strict}"><x:body><x:p><x:r><x:t>Strict</x:t></x:r></x:p></x:body></x:document>"#
    );
    let read = read("a.docx", &package(&[("word/document.xml", &xml)]));
    assert_eq!((outline(&read.document).as_str(), read.format), ("p Strict\n", Format::Docx));
}

#[test]
fn what_is_cut_off_is_read_as_far_as_it_goes() {
    let xml = format!("<w:document {NAMESPACES}><w:body>{}<w:p><w:r><w:t>half", paragraph("whole"));
    assert_eq!(outline(&read("a.docx", &package(&[("word/document.xml", &xml)])).document), "p whole\np half\n");
    let bad = format!("<w:document {NAMESPACES}><w:body>{}<w:p <<<", paragraph("whole"));
    let read = read("a.docx", &package(&[("word/document.xml", &bad)]));
    assert_eq!(outline(&read.document), "p whole\n");
    assert_eq!(read.warnings[0].kind, ParseWarningKind::Damaged);
}

#[test]
fn what_is_no_document_is_refused_in_words() {
    let empty = refusal("a.docx", &package(&[("word/document.xml", "<a/>")]));
    assert!(matches!(empty, ParseError::Damaged { .. }), "{empty:?}");
    let bomb = refusal("a.docx", &package(&[("x", ""), ("word/document.xml", &" ".repeat(3 << 20))]));
    assert!(bomb.to_string().contains("word/document.xml"), "{bomb}");
    let mut broken = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    broken.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    let broken = refusal("a.docx", &broken);
    assert!(matches!(broken, ParseError::Damaged { .. }), "{broken:?}");
}

#[test]
fn entities_are_never_followed() {
    let xml = format!(
        r#"<!DOCTYPE x [<!ENTITY a "boom"><!ENTITY b SYSTEM "file:///etc/hostname">]><w:document {NAMESPACES}><w:body><w:p><w:r><w:t>1&a;2&b;3</w:t></w:r></w:p></w:body></w:document>"#
    );
    assert_eq!(outline(&read("a.docx", &package(&[("word/document.xml", &xml)])).document), "p 123\n");
}

#[test]
fn depth_is_bounded() {
    let deep = |open: &str, close: &str| format!("{}{}{}", open.repeat(3000), paragraph("x"), close.repeat(3000));
    for (open, close) in [
        ("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"),
        ("<w:p><w:r><w:pict><v:textbox><w:txbxContent>", "</w:txbxContent></v:textbox></w:pict></w:r></w:p>"),
        ("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>"),
        ("<m:oMath><m:f><m:num>", "</m:num></m:f></m:oMath>"),
    ] {
        let _tree = parsed(&deep(open, close));
    }
    let items: String = (0..200).map(|level| item(1, level, "x")).collect();
    assert!(tree(&items).contains("x"));
    let spans = r#"<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="65535"/></w:tcPr><w:p/></w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl>"#;
    let _tree = parsed(spans);
}

/// Markup whose combinations reach the corners of the reader.
const PIECES: [&str; 40] = [
    "<w:p>",
    "</w:p>",
    "<w:r>",
    "</w:r>",
    "<w:t>WARNING: a 1</w:t>",
    "<w:t> </w:t>",
    "<w:tab/>",
    "<w:br/>",
    r#"<w:pPr><w:pStyle w:val="H1"/></w:pPr>"#,
    r#"<w:pPr><w:pStyle w:val="Caption"/></w:pPr>"#,
    r#"<w:pPr><w:pStyle w:val="Code"/></w:pPr>"#,
    r#"<w:pPr><w:pStyle w:val="Title"/></w:pPr>"#,
    r#"<w:pPr><w:pStyle w:val="Warn"/></w:pPr>"#,
    r#"<w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr>"#,
    r#"<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr></w:pPr>"#,
    r#"<w:pPr><w:rPr><w:del w:author="A"/></w:rPr></w:pPr>"#,
    "<w:rPr><w:vanish/></w:rPr>",
    "<w:tbl>",
    "</w:tbl>",
    "<w:tr>",
    "</w:tr>",
    "<w:tc>",
    "</w:tc>",
    "<w:tcPr><w:vMerge/></w:tcPr>",
    r#"<w:tcPr><w:gridSpan w:val="3"/><w:vMerge w:val="restart"/></w:tcPr>"#,
    r#"<w:trPr><w:gridBefore w:val="2"/><w:tblHeader/></w:trPr>"#,
    r#"<w:fldChar w:fldCharType="begin"/>"#,
    "<w:instrText>TOC</w:instrText>",
    r#"<w:fldChar w:fldCharType="separate"/>"#,
    r#"<w:fldChar w:fldCharType="end"/>"#,
    "<w:lastRenderedPageBreak/>",
    "<w:drawing><wps:txbx><w:txbxContent>",
    "</w:txbxContent></wps:txbx></w:drawing>",
    "<w:drawing><pic:pic/></w:drawing>",
    r#"<w:del w:author="A">"#,
    "</w:del>",
    r#"<w:footnoteReference w:id="1"/>"#,
    r#"<w:commentReference w:id="1"/>"#,
    "<m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num></m:f></m:oMath>",
    "<w:sdt><w:sdtContent>",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_markup_is_read(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..80)) {
        let body = pieces.concat();
        let note = format!(r#"<w:footnotes {NAMESPACES}><w:footnote w:id="1">{body}</w:footnote></w:footnotes>"#);
        let comment = format!(r#"<w:comments {NAMESPACES}><w:comment w:id="1">{body}</w:comment></w:comments>"#);
        let bytes = docx(&body, &[("footnotes.xml", &note), ("comments.xml", &comment)]);
        let document = read("a.docx", &bytes).document;
        for node in &document.nodes {
            prop_assert!(node.parent.is_none_or(|parent| parent < node.id));
        }
    }

    #[test]
    fn any_bytes_in_a_package_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let text = String::from_utf8_lossy(&bytes);
        let package = package(&[("word/document.xml", &text), ("word/styles.xml", &text), ("word/numbering.xml", &text)]);
        let _read_or_refused = crate::parse::parse("a.docx", &package, &mut crate::host::NoProgress);
    }

    #[test]
    fn a_damaged_package_is_read_or_refused(at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<prop::sample::Index>()) {
        let mut bytes = docx(&(styled("H1", "x") + &paragraph("y")), &[]);
        let place = at.index(bytes.len());
        bytes[place] = byte;
        let _read_or_refused = crate::parse::parse("a.docx", &bytes, &mut crate::host::NoProgress);
        bytes.truncate(cut.index(bytes.len()));
        let _read_or_refused = crate::parse::parse("a.docx", &bytes, &mut crate::host::NoProgress);
    }
}
