//! What an invoice's XML says, read by cutting it at its angle brackets, and the XML out of a PDF's raw streams.

use super::collapse;
use std::io::Read as _;

/// What must be read of an invoice.
#[derive(Debug, Default)]
pub(super) struct Truth {
    pub(super) number: String,
    pub(super) seller: String,
    pub(super) buyer: String,
    /// Terms and amounts.
    pub(super) sums: Vec<(&'static str, String)>,
    /// Of every line: columns and values.
    pub(super) lines: Vec<Vec<(&'static str, String)>>,
    /// Every text of an element, but dates, packed files and what only tells the kind of the element around it.
    pub(super) texts: Vec<String>,
}

/// Of invoices whose outermost element is called as in other files: UBL and the first draft of ZUGFeRD.
const NAMESPACES: [&str; 2] = ["names:specification:ubl:schema:xsd:", "uncefact:data:standard:CBFBUY:"];

/// Amounts of the whole invoice: the element, its place and its term.
const SUMS: [(&str, &str, &str); 17] = [
    ("LineTotalAmount", "MonetarySummation", "Sum of Invoice line net amount"),
    ("ChargeTotalAmount", "MonetarySummation", "Sum of charges on document level"),
    ("AllowanceTotalAmount", "MonetarySummation", "Sum of allowances on document level"),
    ("TaxBasisTotalAmount", "MonetarySummation", "Invoice total amount without VAT"),
    ("TaxTotalAmount", "MonetarySummation", "Invoice total VAT amount"),
    ("GrandTotalAmount", "MonetarySummation", "Invoice total amount with VAT"),
    ("TotalPrepaidAmount", "MonetarySummation", "Paid amount"),
    ("RoundingAmount", "MonetarySummation", "Rounding amount"),
    ("DuePayableAmount", "MonetarySummation", "Amount due for payment"),
    ("LineExtensionAmount", "LegalMonetaryTotal", "Sum of Invoice line net amount"),
    ("TaxExclusiveAmount", "LegalMonetaryTotal", "Invoice total amount without VAT"),
    ("TaxInclusiveAmount", "LegalMonetaryTotal", "Invoice total amount with VAT"),
    ("AllowanceTotalAmount", "LegalMonetaryTotal", "Sum of allowances on document level"),
    ("ChargeTotalAmount", "LegalMonetaryTotal", "Sum of charges on document level"),
    ("PrepaidAmount", "LegalMonetaryTotal", "Paid amount"),
    ("PayableAmount", "LegalMonetaryTotal", "Amount due for payment"),
    ("TaxAmount", "TaxTotal", "Invoice total VAT amount"),
];

/// Values of a line: the end of the element's path and its column.
const OF_LINE: [(&str, &str); 13] = [
    ("LineItem/AssociatedDocumentLineDocument/LineID", "Position"),
    ("LineItem/SpecifiedTradeProduct/Name", "Item name"),
    ("LineItem/SpecifiedTradeProduct/SellerAssignedID", "Article number"),
    ("/BilledQuantity", "Quantity"),
    ("/NetPriceProductTradePrice/ChargeAmount", "Item net price"),
    ("MonetarySummation/LineTotalAmount", "Line net amount"),
    ("Line/ID", "Position"),
    ("Line/Item/Name", "Item name"),
    ("Line/Item/SellersItemIdentification/ID", "Article number"),
    ("Line/InvoicedQuantity", "Quantity"),
    ("Line/CreditedQuantity", "Quantity"),
    ("Line/Price/PriceAmount", "Item net price"),
    ("Line/LineExtensionAmount", "Line net amount"),
];

impl Truth {
    /// `None` where it is no Cross Industry Invoice and no invoice in UBL.
    pub(super) fn of(xml: &str) -> Option<Self> {
        let leaves = leaves(xml);
        let root = leaves.first()?.path.split('/').next()?;
        let known = matches!(root, "CrossIndustryInvoice" | "CrossIndustryDocument")
            || matches!(root, "Invoice" | "CreditNote") && NAMESPACES.iter().any(|namespace| xml.contains(namespace));
        if !known {
            return None;
        }
        let mut truth = Self::default();
        let mut last_line = None;
        let ends = |path: &str, ends: &[&str]| ends.iter().any(|end| path.ends_with(end));
        for Leaf { path, text, line, attributes } in &leaves {
            let first_of = |field: &mut String| {
                if field.is_empty() {
                    field.clone_from(text);
                }
            };
            if path.ends_with("BinaryObject") || text.is_empty() {
                continue;
            }
            // What kind an element is of is told by the name of its field; dates are compared nowhere.
            let tells_kind = ends(path, &["AdditionalReferencedDocument/TypeCode", "TaxScheme/ID", "Indicator"]);
            if !attributes.contains("format=") && !tells_kind {
                truth.texts.push(text.clone());
            }
            if let Some(line) = line {
                if last_line != Some(*line) {
                    truth.lines.push(Vec::new());
                    last_line = Some(*line);
                }
                let column = OF_LINE.iter().find(|(end, _)| path.ends_with(end));
                if let (Some((_, column)), Some(values)) = (column, truth.lines.last_mut()) {
                    values.push((column, text.clone()));
                }
                continue;
            }
            let number = format!("{root}/ID");
            match path.as_str() {
                path if ends(path, &["ExchangedDocument/ID"]) || path == number => first_of(&mut truth.number),
                path if ends(
                    path,
                    &["/SellerTradeParty/Name", "SupplierParty/Party/PartyLegalEntity/RegistrationName"],
                ) =>
                {
                    first_of(&mut truth.seller);
                }
                path if ends(
                    path,
                    &["/BuyerTradeParty/Name", "CustomerParty/Party/PartyLegalEntity/RegistrationName"],
                ) =>
                {
                    first_of(&mut truth.buyer);
                }
                path => {
                    let mut names = path.rsplit('/');
                    let (name, around) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
                    let sum = SUMS.iter().find(|(of, within, _)| *of == name && around.ends_with(within));
                    truth.sums.extend(sum.map(|(_, _, term)| (*term, text.clone())));
                }
            }
        }
        Some(truth)
    }
}

/// An element without others in it.
struct Leaf {
    /// Names without prefixes from the outermost down.
    path: String,
    attributes: String,
    text: String,
    /// Which of the invoice's lines it is in.
    line: Option<usize>,
}

fn leaves(xml: &str) -> Vec<Leaf> {
    let mut leaves: Vec<Leaf> = Vec::new();
    let mut open: Vec<(String, String)> = Vec::new();
    let mut n_lines = 0;
    let mut text = String::new();
    // Whether the last tag opened an element.
    let mut opened = false;
    let mut rest = xml;
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let skip = |open: &str, close: &str| -> Option<usize> {
            rest.starts_with(open).then(|| rest.find(close).map_or(rest.len(), |at| at + close.len()))
        };
        if let Some(end) = skip("<!--", "-->").or_else(|| skip("<?", "?>")).or_else(|| skip("<!DOCTYPE", ">")) {
            rest = &rest[end..];
            continue;
        }
        if let Some(end) = skip("<![CDATA[", "]]>") {
            text.push_str(&rest[9..end.saturating_sub(3).max(9)].replace('&', "&amp;"));
            rest = &rest[end..];
            continue;
        }
        let end = rest.find('>').unwrap_or(rest.len() - 1);
        let tag = &rest[1..end];
        rest = &rest[end + 1..];
        if tag.starts_with('/') {
            if opened {
                let path = open.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join("/");
                let is_line = |(name, _): &(String, String)| is_line(name);
                let line = open.iter().any(is_line).then_some(n_lines);
                let attributes = open.last().map(|(_, attributes)| attributes.clone()).unwrap_or_default();
                leaves.push(Leaf { path, attributes, text: collapse(&plain(&text)), line });
            }
            open.pop();
            opened = false;
        } else if !tag.ends_with('/') {
            let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
            let name = name.rsplit(':').next().unwrap_or(name).to_owned();
            n_lines += usize::from(is_line(&name));
            open.push((name, attributes.to_owned()));
            opened = true;
        }
        text.clear();
    }
    leaves
}

fn is_line(name: &str) -> bool {
    matches!(name, "IncludedSupplyChainTradeLineItem" | "InvoiceLine" | "CreditNoteLine")
}

/// References to characters resolved.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut parts = text.split('&');
    plain.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (name, rest) = part.split_once(';').unwrap_or((part, ""));
        let number = name.strip_prefix("#x").map(|hex| u32::from_str_radix(hex, 16));
        let number = number.or_else(|| name.strip_prefix('#').map(str::parse));
        match (name, number) {
            ("amp", _) => plain.push('&'),
            ("lt", _) => plain.push('<'),
            ("gt", _) => plain.push('>'),
            ("quot", _) => plain.push('"'),
            ("apos", _) => plain.push('\''),
            (_, Some(Ok(number))) => plain.extend(char::from_u32(number)),
            _ => plain.push_str(&format!("&{name};")),
        }
        plain.push_str(rest);
    }
    plain
}

/// Every XML of an invoice in a PDF: what stands between `stream` and `endstream`, unpacked where it is packed. The last
/// of the same number counts, as later parts of a file replace earlier ones.
pub(super) fn embedded(pdf: &[u8]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(start) = find(&pdf[at..], b"stream") {
        let mut begin = at + start + b"stream".len();
        if pdf[begin..].starts_with(b"\r\n") {
            begin += 2;
        } else if pdf[begin..].starts_with(b"\n") || pdf[begin..].starts_with(b"\r") {
            begin += 1;
        }
        let end = begin + find(&pdf[begin..], b"endstream").unwrap_or(pdf.len() - begin);
        at = (end + b"endstream".len()).min(pdf.len());
        let raw = &pdf[begin..end];
        let mut bytes = Vec::new();
        // A stream that is cut by the word in its middle is no text anyway.
        if flate2::read::ZlibDecoder::new(raw).take(64 << 20).read_to_end(&mut bytes).is_err() || bytes.is_empty() {
            bytes = raw.to_vec();
        }
        let text = String::from_utf8_lossy(&bytes);
        let head: String = text.trim_start_matches('\u{feff}').chars().take(20_000).collect();
        let is_xml = head.trim_start().starts_with('<');
        if is_xml
            && (head.contains("CrossIndustry") || NAMESPACES.iter().any(|namespace| head.contains(namespace)))
            && !head.contains("<x:xmpmeta")
        {
            found.push(text.into_owned());
        }
    }
    found
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invoice_is_cut_at_its_brackets() {
        let xml = "<?xml version='1.0'?><!-- <ID>0</ID> --><r:CrossIndustryInvoice a='b'><ExchangedDocument><ID>7 &amp; 8</ID>\
                   </ExchangedDocument><IncludedSupplyChainTradeLineItem><SpecifiedTradeProduct><Name><![CDATA[a<b]]></Name>\
                   </SpecifiedTradeProduct></IncludedSupplyChainTradeLineItem></r:CrossIndustryInvoice>";
        let truth = Truth::of(xml).unwrap();
        assert_eq!((truth.number.as_str(), truth.texts.len()), ("7 & 8", 2));
        assert_eq!(truth.lines, [[("Item name", "a<b".to_owned())]]);
        let pdf = [b"1 0 obj << >> stream\n", xml.as_bytes(), b"\nendstream endobj"].concat();
        assert_eq!(embedded(&pdf).len(), 1);
        assert!(Truth::of("<Invoice><ID>1</ID></Invoice>").is_none());
    }
}
