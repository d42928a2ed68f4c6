//! Encrypted documents, made here and by other programs.

use super::*;
use crate::{
    host::NoProgress,
    parse::{Format, ParseOptions, Parsed, compound::fixture::compound, package::fixture::package, parse_with},
};

/// An ODS that LibreOffice wrote with the password `pump 7ü`, and a DOCX that msoffcrypto-tool locked with it.
const WRITTEN: [(&str, &[u8]); 2] =
    [("locked.docx", include_bytes!("fixtures/locked.docx")), ("locked.ods", include_bytes!("fixtures/locked.ods"))];

fn read(name: &str, bytes: &[u8], password: Option<&str>) -> Result<Parsed, ParseError> {
    let options = ParseOptions { password: password.map(str::to_owned), ..ParseOptions::default() };
    parse_with(name, bytes, &options, &mut NoProgress)
}

#[test]
fn what_others_locked_opens_with_its_password_alone() {
    for (name, bytes) in WRITTEN {
        assert_eq!(read(name, bytes, None), Err(ParseError::Password), "{name}");
        assert_eq!(read(name, bytes, Some("pump 7u")), Err(ParseError::WrongPassword), "{name}");
        let parsed = read(name, bytes, Some("pump 7ü")).expect("opened");
        let texts: Vec<&str> = parsed.document.nodes.iter().map(|node| node.text.as_str()).collect();
        assert!(texts.contains(&"SKU-48412"), "{texts:?}");
        // The name is of the file as it lies there, not of what is in it.
        assert_eq!(parsed.document.id, crate::document::DocumentId::of(bytes));
    }
}

#[test]
fn a_document_of_office_2007_opens() {
    let text = "<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body><w:p><w:r>\
                <w:t>Close the valve.</w:t></w:r></w:p></w:body></w:document>";
    let inner = package(&[("[Content_Types].xml", ""), ("word/document.xml", text)]);
    let (info, encrypted) = standard::fixture("Secret", &inner);
    let bytes = compound(&[("EncryptionInfo", &info), ("EncryptedPackage", &encrypted)]);
    assert_eq!(read("a.docx", &bytes, None), Err(ParseError::Password));
    assert_eq!(read("a.docx", &bytes, Some("secret")), Err(ParseError::WrongPassword));
    let parsed = read("a.docx", &bytes, Some("Secret")).expect("opened");
    assert_eq!(parsed.format, Format::Docx);
    assert_eq!(parsed.document.nodes[1].text, "Close the valve.");
    assert_eq!(parsed.warnings, []);
}

#[test]
fn other_ways_and_endless_spinning_are_refused() {
    let bytes = compound(&[("EncryptionInfo", &[9, 0, 9, 0, 0, 0, 0, 0]), ("EncryptedPackage", &[0; 32])]);
    assert!(matches!(read("a.docx", &bytes, Some("x")), Err(ParseError::Unsupported { .. })));
    let lock = |spins: &str| {
        let lock = "cipherAlgorithm=\"AES\" cipherChaining=\"ChainingModeCBC\" keyBits=\"256\" hashAlgorithm=\"SHA512\" saltValue=\"AAAA\"";
        format!(
            "<e xmlns=\"x\"><keyData {lock}/><encryptedKey {lock} spinCount=\"{spins}\" encryptedVerifierHashInput=\"\" encryptedVerifierHashValue=\"\" encryptedKeyValue=\"\"/></e>"
        )
    };
    assert!(agile::Agile::read(lock("100000").as_bytes()).is_some());
    assert!(agile::Agile::read(lock("4000000000").as_bytes()).is_none());
}
