//! Scripts other than Latin.

use super::{FixturePage, find, read};

/// Entries of a page whose font `F` is composite: of this encoding and character collection, not embedded, no map.
fn font(encoding: &str, ordering: &str) -> String {
    format!(
        "/Resources << /Font << /H << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> \
         /F << /Type /Font /Subtype /Type0 /BaseFont /Mincho /Encoding /{encoding} /DescendantFonts [ << /Type /Font \
         /Subtype /CIDFontType0 /BaseFont /Mincho /CIDSystemInfo << /Registry (Adobe) /Ordering ({ordering}) \
         /Supplement 2 >> /W [231 [500]] >> ] >> >> >>"
    )
}

/// A page that shows codes, in hexadecimal digits, with such a font.
fn page(encoding: &str, ordering: &str, codes: &str) -> FixturePage {
    FixturePage::new().raw(&format!("BT /F 10 Tf 50 700 Td <{codes}> Tj ET")).with(&font(encoding, ordering))
}

#[test]
fn named_character_maps_are_known() {
    for (encoding, ordering, codes, text) in [
        ("90ms-RKSJ-H", "Japan1", "88C091535031303082CD", "安全P100は"),
        ("UniJIS-UTF16-H", "Japan1", "5B89516800500031D842DFB7", "安全P1𠮷"),
        ("H", "Japan1", "30424134", "安全"),
        ("Identity-H", "Japan1", "0465002F0353", "亜Nお"),
        ("GBK-EUC-H", "GB1", "B0B2C8AB31", "安全1"),
        ("UniGB-UCS2-H", "GB1", "5B895168", "安全"),
        ("ETen-B5-H", "CNS1", "A677A5FE", "安全"),
        ("KSCms-UHC-H", "Korea1", "BEC8C0FC20B0ED", "안전 고"),
    ] {
        let parsed = read(&[page(encoding, ordering, codes)]);
        let texts: Vec<&str> = parsed.document.nodes.iter().skip(1).map(|node| node.text.as_str()).collect();
        assert_eq!(texts, [text], "{encoding} {:?}", parsed.warnings);
    }
}

#[test]
fn lines_of_vertical_text_go_from_right_to_left() {
    let columns = "BT /F 10 Tf 400 700 Td <5B895168> Tj -16 0 Td <5B895168> Tj ET";
    let page = FixturePage::new().raw(columns).with(&font("UniJIS-UTF16-V", "Japan1"));
    let document = read(&[page]).document;
    let node = find(&document, "安全");
    assert_eq!(node.text, "安全安全");
    let bbox = node.boxes[0].bbox;
    assert!(bbox.y1 - bbox.y0 >= 20.0 && bbox.x0 < 390.0 && bbox.x1 > 395.0, "{bbox:?}");
}

/// Hebrew letters by the names of their glyphs, set one by one from the right as a word processor does.
#[test]
fn hebrew_is_read_from_the_right() {
    let names =
        "/uni05E9 /uni05DC /uni05D5 /uni05DD /uni05E2 /uni05D3 /space /one /zero /two /five /parenleft /parenright";
    let font = format!(
        "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Ivrit /FirstChar 65 /LastChar 77 \
         /Widths [{}] /Encoding << /Differences [65 {names}] >> /FontDescriptor << /Type /FontDescriptor /FontName /Ivrit \
         /Flags 4 >> >> >> >>",
        "500 ".repeat(13)
    );
    // Seen from the left: "25 עד 10 (םולש)".
    let seen = "JKGFEGHIGLDCBAM";
    let page = FixturePage::new().raw(&format!("BT /F 10 Tf 50 700 Td ({seen}) Tj ET")).with(&font);
    let texts: Vec<String> = read(&[page]).document.nodes.iter().skip(1).map(|node| node.text.clone()).collect();
    assert_eq!(texts, ["(שלום) 10 עד 25"]);
}
