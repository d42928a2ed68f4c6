//! XML of unknown kinds.

use crate::{
    host::NoProgress,
    parse::{Format, Parsed, parse},
};
use proptest::prelude::*;

fn read(xml: &str) -> Parsed {
    parse("a.xml", xml.as_bytes(), &mut NoProgress).unwrap()
}

fn texts(xml: &str) -> Vec<String> {
    read(xml).document.nodes.into_iter().skip(1).map(|node| node.text).collect()
}

#[test]
fn elements_become_fields_and_running_text_paragraphs() {
    let xml = "<?xml version=\"1.0\"?>\n<r:order xmlns:r='x' no='7'><item><part>Seal</part><n/></item>\
               <p>Grease <b>all</b> seals &lt;M6&gt; first.</p><c><![CDATA[a < b]]></c></r:order>";
    assert_eq!(texts(xml), ["order no: 7", "item/part: Seal", "Grease all seals <M6> first.", "c: a < b"]);
    let parsed = read(xml);
    assert_eq!((parsed.format, parsed.document.nodes[2].lines.unwrap().first), (Format::Xml, 2));
}

/// Found by fuzzing: `decode` takes one mark away, and a file put together of two has another.
#[test]
fn places_stand_where_they_do_behind_any_byte_order_marks() {
    let xml = "<order no='7'><part>Größe ä</part></order>";
    let plain = read(xml);
    for marks in 1..=3 {
        let source = format!("{}{xml}", "\u{feff}".repeat(marks));
        let marked = read(&source);
        // The first is no part of the text that spans count in.
        let text = &source[3..];
        let of = |parsed: &Parsed| parsed.document.nodes.iter().map(|node| node.text.clone()).collect::<Vec<_>>();
        assert_eq!(of(&marked), of(&plain), "{marks}");
        for (node, right) in marked.document.nodes.iter().zip(&plain.document.nodes).skip(1) {
            let words = |span: crate::document::Span, text: &str| {
                text.get(span.start as usize..span.end as usize).map(str::to_owned)
            };
            assert_eq!(node.span.map(|span| words(span, text)), right.span.map(|span| words(span, xml)), "{marks}");
        }
    }
}

#[test]
fn a_bomb_of_entities_stays_small() {
    let mut xml = "<!DOCTYPE x [<!ENTITY a0 \"ha\">".to_owned();
    for n in 1..40 {
        xml.push_str(&format!("<!ENTITY a{n} \"&a{0};&a{0};\">", n - 1));
    }
    xml.push_str("]><x y='&a39;'>&a39;</x>");
    assert_eq!(texts(&xml), ["x y: &a39;", "x: &a39;"]);
}

#[test]
fn long_names_are_cut() {
    let name = "ä".repeat(5_000);
    let xml = format!("<CrossIndustryInvoice><{name}>{}</{name}></CrossIndustryInvoice>", "<a>1</a>".repeat(5_000));
    let longest = texts(&xml).iter().map(String::len).max();
    assert!(longest < Some(200), "{longest:?}");
    let deep = format!("<CrossIndustryInvoice>{}5", "<abcdefghijklmnopqrstuvwxyz>".repeat(60));
    let last = texts(&deep).pop().unwrap();
    assert!(last.len() < 310 && last.starts_with("abc") && last.ends_with("xyz: 5"), "{last}");
}

/// Pieces that make up an invoice, put together in any order.
const PIECES: [&str; 30] = [
    "<CrossIndustryInvoice>",
    "<Invoice xmlns='urn:oasis:names:specification:ubl:schema:xsd:Invoice-2'>",
    "<SupplyChainTradeTransaction>",
    "</SupplyChainTradeTransaction>",
    "<IncludedSupplyChainTradeLineItem>",
    "</IncludedSupplyChainTradeLineItem>",
    "<ApplicableHeaderTradeSettlement>",
    "<ApplicableTradeTax>",
    "<SellerTradeParty>",
    "<SpecifiedTaxRegistration>",
    "<ID schemeID='VA'>",
    "</ID>",
    "<InvoiceLine>",
    "</InvoiceLine>",
    "<TaxTotal><TaxSubtotal>",
    "<Price/>",
    "<AllowanceCharge>",
    "<DateTimeString format='102'>20261130",
    "<DateTimeString format='102'>2026113é",
    "<AttachmentBinaryObject filename='a.txt'>QQ==",
    "<AttachmentBinaryObject>%%%",
    "<LineTotalAmount currencyID='EUR'>5.00",
    "</a></b>",
    "<![CDATA[ x ]]>",
    "<!-- - -->",
    "<!DOCTYPE x [",
    "]>",
    "&amp;&#x41;&#0;&x;&",
    "text \u{301}é漢",
    "<a b=\"<\" c d='&lt;'>",
];

proptest! {
    #[test]
    fn any_xml_is_read(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40)) {
        let xml = format!("<CrossIndustryInvoice>{}", pieces.concat());
        for text in [pieces.concat(), xml] {
            // What is read does not matter here, only that it ends.
            let _ = parse("a.xml", text.as_bytes(), &mut NoProgress);
        }
    }

    #[test]
    fn any_bytes_after_an_invoices_begin_are_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut invoice = b"<CrossIndustryInvoice><ExchangedDocument><ID>".to_vec();
        invoice.extend(bytes);
        let _ = parse("a.xml", &invoice, &mut NoProgress);
    }
}
