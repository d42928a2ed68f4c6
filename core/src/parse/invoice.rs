//! Electronic invoices: Cross Industry Invoice (Factur-X, ZUGFeRD, XRechnung) and UBL, alone or embedded in a PDF.
//!
//! Names are those of EN 16931 in English whatever the syntax; values are as given, with what their codes mean. Not for
//! judging an invoice: whether its sums are right is nobody's business here.

mod cii;
mod codes;
mod collect;
mod rules;
#[cfg(test)]
mod tests;
mod ubl;
mod write;

use super::{
    ParseError,
    attachment::{Attached, Reading},
    xml::{self, Tree},
};
use crate::document::{Document, DocumentId};
use base64::{Engine as _, engine::general_purpose};
use collect::Collected;
use rules::Syntax;
use std::borrow::Cow;

/// Whether a text is an electronic invoice, by its outermost element.
pub(super) fn is_invoice(text: &str) -> bool {
    xml::root_tag(text).is_some_and(|(name, attributes)| syntax(name, attributes).is_some())
}

/// The syntax of an invoice with this outermost element.
fn syntax(name: &str, attributes: &str) -> Option<&'static Syntax> {
    /// UBL's names are ordinary words: they count only in its namespaces.
    const UBL: &str = "urn:oasis:names:specification:ubl:schema:xsd:";
    /// ZUGFeRD's first draft, which some programs kept writing.
    const DRAFT: &str = "urn:un:unece:uncefact:data:standard:CBFBUY:";
    match name {
        "CrossIndustryInvoice" | "CrossIndustryDocument" => Some(&cii::SYNTAX),
        "Invoice" if attributes.contains(DRAFT) => Some(&cii::SYNTAX),
        "Invoice" | "CreditNote" if attributes.contains(UBL) => Some(&ubl::SYNTAX),
        _ => None,
    }
}

/// Reads an invoice, with the documents that are packed into it.
///
/// # Errors
/// [`ParseError::Cancelled`].
pub(super) fn parse(
    id: DocumentId,
    name: &str,
    source: &str,
    reading: &mut Reading<'_>,
) -> Result<Document, ParseError> {
    let tree = Tree::read(source, reading.warnings, reading.progress)?;
    let syntax = xml::root_tag(source).and_then(|(name, attributes)| syntax(name, attributes)).unwrap_or(&cii::SYNTAX);
    let collected = Collected::of(&tree, syntax);
    let mut document = write::document(id, name, &collected, syntax, reading.warnings);
    // One at a time: together they may be larger than memory.
    let most = reading.nest.bytes_left();
    reading.attach(&mut document, collected.files.iter().map(|file| file.unpack(most)))?;
    Ok(document)
}

/// A document that is packed into an invoice.
#[derive(Debug)]
struct PackedFile {
    name: String,
    description: String,
    base64: String,
}

impl PackedFile {
    fn unpack(&self, most: usize) -> Attached<'_> {
        let letters: String = self.base64.split_ascii_whitespace().collect();
        let bytes = if letters.len() / 4 * 3 > most {
            Err("it is larger than what may be unpacked from one file")
        } else {
            general_purpose::STANDARD.decode(letters).map(Cow::Owned).map_err(|_| "its bytes are damaged")
        };
        Attached { name: &self.name, description: &self.description, bytes }
    }
}
