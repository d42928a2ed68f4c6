//! Whole invoices in, trees out.

use crate::{
    document::{Document, NodeKind, facts},
    host::NoProgress,
    parse::{Format, ParseWarningKind, Parsed, parse},
};

/// One of each kind of field, in Cross Industry Invoice.
const CII: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!-- of the pump works -->
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="r" xmlns:udt="u">
 <rsm:ExchangedDocument>
  <ram:ID>R-2026/117</ram:ID><ram:TypeCode>380</ram:TypeCode>
  <ram:IssueDateTime><udt:DateTimeString format="102">20261130</udt:DateTimeString></ram:IssueDateTime>
  <ram:IncludedNote><ram:Content>Delivered by rail.
   Gate 4 &amp; 5.</ram:Content></ram:IncludedNote>
 </rsm:ExchangedDocument>
 <rsm:SupplyChainTradeTransaction>
  <ram:IncludedSupplyChainTradeLineItem>
   <ram:AssociatedDocumentLineDocument><ram:LineID>10</ram:LineID></ram:AssociatedDocumentLineDocument>
   <ram:SpecifiedTradeProduct><ram:SellerAssignedID>SEAL-48</ram:SellerAssignedID><ram:Name>Shaft seal</ram:Name>
    <ram:ApplicableProductCharacteristic><ram:Description>Material</ram:Description><ram:Value>FKM</ram:Value></ram:ApplicableProductCharacteristic>
    <ram:BatchID>B7</ram:BatchID></ram:SpecifiedTradeProduct>
   <ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>12.50</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
   <ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="H87">4</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
   <ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>19</ram:RateApplicablePercent></ram:ApplicableTradeTax>
    <ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>50.00</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>
  </ram:IncludedSupplyChainTradeLineItem>
  <ram:ApplicableHeaderTradeAgreement>
   <ram:SellerTradeParty><ram:Name>Pump Works</ram:Name><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE111111125</ram:ID></ram:SpecifiedTaxRegistration></ram:SellerTradeParty>
   <ram:BuyerTradeParty><ram:Name>Water Board</ram:Name></ram:BuyerTradeParty>
   <ram:AdditionalReferencedDocument><ram:IssuerAssignedID>list.csv</ram:IssuerAssignedID><ram:TypeCode>916</ram:TypeCode>
    <ram:AttachmentBinaryObject mimeCode="text/csv" filename="list.csv">UGFydCxRdHkKU2VhbCw0Ck51dCw4Cg==</ram:AttachmentBinaryObject></ram:AdditionalReferencedDocument>
  </ram:ApplicableHeaderTradeAgreement>
  <ram:ApplicableHeaderTradeSettlement>
   <ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
   <ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>58</ram:TypeCode><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>DE02120300000000202051</ram:IBANID></ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans>
   <ram:ApplicableTradeTax><ram:CalculatedAmount>9.50</ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode><ram:BasisAmount>50.00</ram:BasisAmount><ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>19</ram:RateApplicablePercent></ram:ApplicableTradeTax>
   <ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:TaxTotalAmount currencyID="EUR">9.50</ram:TaxTotalAmount><ram:GrandTotalAmount>59.50</ram:GrandTotalAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation>
   <ram:Weather>rain</ram:Weather>
  </ram:ApplicableHeaderTradeSettlement>
 </rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>"#;

const UBL: &str = r#"<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2" xmlns:cac="a" xmlns:cbc="b">
 <cbc:ID>C-9</cbc:ID><cbc:IssueDate>2026-11-30</cbc:IssueDate><cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>
 <cbc:DocumentCurrencyCode>CHF</cbc:DocumentCurrencyCode>
 <cac:AccountingSupplierParty><cac:Party>
  <cac:PartyTaxScheme><cbc:CompanyID>CHE-1</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>
  <cac:PartyLegalEntity><cbc:RegistrationName>Pump Works</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty>
 <cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:Amount currencyID="CHF">2.00</cbc:Amount></cac:AllowanceCharge>
 <cac:LegalMonetaryTotal><cbc:PayableAmount currencyID="CHF">7.70</cbc:PayableAmount></cac:LegalMonetaryTotal>
 <cac:CreditNoteLine><cbc:ID>1</cbc:ID><cbc:CreditedQuantity unitCode="HUR">2</cbc:CreditedQuantity><cac:Item><cbc:Name>Fitting</cbc:Name></cac:Item></cac:CreditNoteLine>
</CreditNote>"#;

fn read(name: &str, xml: &str) -> Parsed {
    parse(name, xml.as_bytes(), &mut NoProgress).unwrap()
}

/// Every text with the headings above it, cells of a row in one line.
fn texts(document: &Document) -> Vec<String> {
    let mut texts = Vec::new();
    for node in document.nodes.iter().skip(1) {
        let path = document.heading_path(node.id).join(" > ");
        match node.kind {
            NodeKind::Section { .. } | NodeKind::Table | NodeKind::Cell { .. } => {}
            NodeKind::Row { .. } => {
                let cells: Vec<&str> = document.children(node.id).map(|cell| cell.text.as_str()).collect();
                texts.push(format!("{path} | {}", cells.join(" | ")));
            }
            _ => texts.push(format!("{path} | {}", node.text)),
        }
    }
    texts
}

#[test]
fn an_invoice_is_read_by_the_terms_of_the_standard() {
    let parsed = read("invoice.xml", CII);
    assert_eq!((parsed.format, parsed.document.title()), (Format::Invoice, "Commercial invoice R-2026/117"));
    assert_eq!(parsed.warnings, []);
    let expected = [
        " | Invoice number: R-2026/117",
        " | Invoice type code: 380 (commercial invoice)",
        " | Invoice issue date: 2026-11-30",
        " | Invoice currency code: EUR",
        "Seller | Seller name: Pump Works",
        "Seller | Seller VAT identifier: DE111111125",
        "Buyer | Buyer name: Water Board",
        "References | Supporting document reference: list.csv",
        "Invoice lines | Position | Article number | Item name | Item attributes | Quantity | Unit | Item net price (EUR) | VAT category | VAT rate (%) | Line net amount (EUR)",
        "Invoice lines | 10 | SEAL-48 | Shaft seal | Material: FKM | 4 | H87 (piece) | 12.50 | S (standard rate) | 19 | 50.00",
        "VAT breakdown | VAT category | VAT rate (%) | Taxable amount (EUR) | VAT amount (EUR)",
        "VAT breakdown | S (standard rate) | 19 | 50.00 | 9.50",
        "Document totals | Invoice total VAT amount: 9.50 EUR",
        "Document totals | Invoice total amount with VAT: 59.50 EUR",
        "Payment | Payment means type code: 58 (SEPA credit transfer)",
        "Payment | Payment account identifier (IBAN): DE02120300000000202051",
        "Notes | Delivered by rail.\nGate 4 & 5.",
        "Further fields | Invoice lines, row 1: SpecifiedTradeProduct/BatchID: B7",
        "Further fields | SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/Weather: rain",
        "list.csv | Part | Qty",
        "list.csv | Seal | 4",
        "list.csv | Nut | 8",
    ];
    assert_eq!(texts(&parsed.document), expected);
    let total = parsed.document.nodes.iter().find(|node| node.text.contains("59.50")).unwrap();
    assert_eq!((total.metadata[facts::UNIT].as_str(), total.lines.unwrap().first), ("EUR", 31));
}

#[test]
fn names_of_the_first_version_mean_the_same() {
    let old = CII
        .replace("rsm:CrossIndustryInvoice ", "rsm:CrossIndustryDocument ")
        .replace("rsm:CrossIndustryInvoice>", "rsm:CrossIndustryDocument>")
        .replace("rsm:ExchangedDocument>", "rsm:HeaderExchangedDocument>")
        .replace("rsm:SupplyChainTradeTransaction>", "rsm:SpecifiedSupplyChainTradeTransaction>")
        .replace("ApplicableHeaderTrade", "ApplicableSupplyChainTrade")
        .replace("SpecifiedLineTrade", "SpecifiedSupplyChainTrade")
        .replace("SettlementHeaderMonetary", "SettlementMonetary")
        .replace("SettlementLineMonetary", "SettlementMonetary")
        .replace("RateApplicablePercent", "ApplicablePercent");
    let expected = texts(&read("new.xml", CII).document);
    assert_eq!(texts(&read("old.xml", &old).document), expected);
    // The draft before it had another name outside, and dates without an element of their own.
    let draft = old
        .replace("rsm:CrossIndustryDocument", "rsm:Invoice")
        .replace(
            "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
            "urn:un:unece:uncefact:data:standard:CBFBUY:5",
        )
        .replace("<ram:IssueDateTime><udt:DateTimeString format=\"102\">", "<ram:IssueDateTime format=\"102\">")
        .replace("</udt:DateTimeString>", "");
    assert_eq!(texts(&read("draft.xml", &draft).document), expected);
}

#[test]
fn a_credit_note_in_ubl() {
    let parsed = read("note.xml", UBL);
    assert_eq!((parsed.format, parsed.document.title()), (Format::Invoice, "Credit note C-9"));
    let expected = [
        " | Invoice number: C-9",
        " | Invoice type code: 381 (credit note)",
        " | Invoice issue date: 2026-11-30",
        " | Invoice currency code: CHF",
        "Seller | Seller name: Pump Works",
        "Seller | Seller VAT identifier: CHE-1",
        "Invoice lines | Position | Item name | Quantity | Unit",
        "Invoice lines | 1 | Fitting | 2 | HUR (hour)",
        "Document level allowances and charges | Kind | Amount (CHF)",
        "Document level allowances and charges | false (allowance) | 2.00",
        "Document totals | Amount due for payment: 7.70 CHF",
    ];
    assert_eq!(texts(&parsed.document), expected);
}

#[test]
fn only_an_invoice_is_one() {
    let format = |name: &str, text: &str| read(name, text).format;
    assert_eq!(format("a.xml", "<Invoice><ID>5</ID></Invoice>"), Format::Xml);
    assert_eq!(format("a.txt", "<Invoice> is the name of an element."), Format::Text);
    assert_eq!(format("a.txt", CII), Format::Invoice);
    assert_eq!(format("a.xml", &format!("<!DOCTYPE x [<!ENTITY a '>'>]>{UBL}")), Format::Invoice);
}

#[test]
fn entities_are_never_expanded() {
    let hostile = CII
        .replace(
            "<!-- of the pump works -->",
            "<!DOCTYPE x [<!ENTITY a \"boom\"><!ENTITY f SYSTEM \"file:///etc/passwd\"><!ENTITY b \"&a;&a;&a;\">]>",
        )
        .replace("Water Board", "&a;&b;&f;&#65;&lt;");
    let texts = texts(&read("invoice.xml", &hostile).document);
    assert!(texts.contains(&"Buyer | Buyer name: &a;&b;&f;A<".to_owned()), "{texts:#?}");
}

#[test]
fn a_broken_invoice_is_read_up_to_there() {
    let cut = &CII[..CII.find("<ram:BuyerTradeParty>").unwrap()];
    let parsed = read("invoice.xml", cut);
    assert_eq!(parsed.warnings[0].kind, ParseWarningKind::Damaged);
    assert!(texts(&parsed.document).contains(&"Seller | Seller name: Pump Works".to_owned()));
}

#[test]
fn elements_nested_without_end_are_read() {
    let deep = format!("{}5{}", "<a>".repeat(30_000), "</a>".repeat(30_000));
    let parsed = read("invoice.xml", &CII.replace("rain", &deep));
    assert!(texts(&parsed.document).iter().any(|text| text.ends_with(": 5")));
}
