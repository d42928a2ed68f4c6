//! Addresses and ways to reach someone, set beside one another: they stand in columns and are no table.

use crate::parse::pdf::rows::Row;

/// Words in what stands over an address.
const ADDRESS: [&str; 16] = [
    "address",
    "adresse",
    "adres",
    "anschrift",
    "dirección",
    "indirizzo",
    "bill to",
    "ship to",
    "sold to",
    "deliver to",
    "empfänger",
    "lieferant",
    "käufer",
    "verkäufer",
    "destinataire",
    "expéditeur",
];
/// What stands before or in a number or an address to reach someone at.
const CONTACT: [&str; 30] = [
    "tel",
    "telefon",
    "phone",
    "téléphone",
    "teléfono",
    "fax",
    "telefax",
    "mobil",
    "mobile",
    "e-mail",
    "email",
    "mail",
    "iban",
    "bic",
    "swift",
    "blz",
    "konto",
    "hrb",
    "ust-id",
    "ustid",
    "siret",
    "kvk",
    "vorstand",
    "aufsichtsrat",
    "bankverbindung",
    "geschäftsführer",
    "handelsregister",
    "amtsgericht",
    "kto",
    "steuernummer",
];

/// Whether rows are addresses under their names, or the ways to reach a company as at the foot of its letters.
pub(super) fn are_contacts(rows: &[Row]) -> bool {
    let are_addresses = rows.iter().take(2).any(|row| {
        let n_names = row.segments.iter().filter(|segment| names_address(&segment.text)).count();
        n_names >= 2 && n_names * 2 >= row.segments.len()
    });
    let segments = || rows.iter().flat_map(|row| &row.segments);
    let n_contacts = segments().filter(|segment| is_contact(&segment.text)).count();
    // Names of fields with their values are a list that may well be shown as one.
    let n_fields = rows.iter().filter(|row| is_field(row)).count();
    are_addresses || n_contacts >= 3 && n_contacts * 4 >= segments().count() && n_fields * 2 < rows.len()
}

fn names_address(text: &str) -> bool {
    let text = text.to_lowercase();
    text.chars().count() <= 40 && ADDRESS.iter().any(|word| text.contains(word))
}

fn is_contact(text: &str) -> bool {
    let text = text.to_lowercase();
    let first = text.split(|c: char| c.is_whitespace() || matches!(c, ':' | '.')).next().unwrap_or_default();
    let first = first.trim_end_matches("-nr");
    CONTACT.contains(&first) || text.contains("www.") || text.contains('@') && !text.contains(' ')
}

/// "Name:  value".
fn is_field(row: &Row) -> bool {
    matches!(row.segments.as_slice(), [name, value] if name.text.ends_with(':') || value.text.starts_with(':'))
}
