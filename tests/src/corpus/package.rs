//! Writes office files as simple as they come: packages of XML parts, nothing compressed.

use std::fmt::Write as _;

const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>";
const OPC: &str = "http://schemas.openxmlformats.org/package/2006";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// A workbook with a sheet for each name: its rows from A1 on, the first of them the header.
#[must_use]
pub fn xlsx(sheets: &[(&str, &[&[&str]])]) -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let kind = "application/vnd.openxmlformats-officedocument.spreadsheetml";
    let mut names = String::new();
    let mut relations = String::new();
    let mut types = format!("<Override PartName=\"/xl/workbook.xml\" ContentType=\"{kind}.sheet.main+xml\"/>");
    let mut parts = Vec::new();
    for (number, (name, rows)) in (1..).zip(sheets) {
        let _ = write!(names, "<sheet name=\"{}\" sheetId=\"{number}\" r:id=\"rId{number}\"/>", escaped(name));
        let target = format!("worksheets/sheet{number}.xml");
        let _ = write!(relations, "<Relationship Id=\"rId{number}\" Type=\"{OFFICE}/worksheet\" Target=\"{target}\"/>");
        let _ = write!(types, "<Override PartName=\"/xl/{target}\" ContentType=\"{kind}.worksheet+xml\"/>");
        let mut data = String::new();
        for (row, cells) in (1..).zip(*rows) {
            let _ = write!(data, "<row r=\"{row}\">");
            for (column, cell) in ('A'..='Z').zip(*cells) {
                let reference = format!("{column}{row}");
                if cell.parse::<f64>().is_ok() {
                    let _ = write!(data, "<c r=\"{reference}\"><v>{cell}</v></c>");
                } else {
                    let text = escaped(cell);
                    let _ = write!(data, "<c r=\"{reference}\" t=\"inlineStr\"><is><t>{text}</t></is></c>");
                }
            }
            data.push_str("</row>");
        }
        let sheet = format!("{XML}<worksheet xmlns=\"{main}\"><sheetData>{data}</sheetData></worksheet>");
        parts.push((format!("xl/{target}"), sheet));
    }
    parts.push((
        "xl/workbook.xml".to_owned(),
        format!("{XML}<workbook xmlns=\"{main}\" xmlns:r=\"{OFFICE}\"><sheets>{names}</sheets></workbook>"),
    ));
    let relations = format!("{XML}<Relationships xmlns=\"{OPC}/relationships\">{relations}</Relationships>");
    parts.push(("xl/_rels/workbook.xml.rels".to_owned(), relations));
    open_package("xl/workbook.xml", &types, parts)
}

/// A text document: headings (text beginning with `# `), paragraphs, and after them a table whose first row is its header.
#[must_use]
pub fn docx(paragraphs: &[&str], table: &[&[&str]]) -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    let kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
    let paragraph = |text: &str, style: &str| {
        format!("<w:p><w:pPr>{style}</w:pPr><w:r><w:t xml:space=\"preserve\">{}</w:t></w:r></w:p>", escaped(text))
    };
    let mut body = String::new();
    for text in paragraphs {
        match text.strip_prefix("# ") {
            Some(heading) => body += &paragraph(heading, "<w:outlineLvl w:val=\"0\"/>"),
            None => body += &paragraph(text, ""),
        }
    }
    if !table.is_empty() {
        body.push_str("<w:tbl>");
        for (number, row) in table.iter().enumerate() {
            let header = if number == 0 { "<w:trPr><w:tblHeader/></w:trPr>" } else { "" };
            let cells: String = row.iter().map(|cell| format!("<w:tc>{}</w:tc>", paragraph(cell, ""))).collect();
            let _ = write!(body, "<w:tr>{header}{cells}</w:tr>");
        }
        body.push_str("</w:tbl>");
    }
    let document = format!("{XML}<w:document xmlns:w=\"{main}\"><w:body>{body}</w:body></w:document>");
    let types = format!("<Override PartName=\"/word/document.xml\" ContentType=\"{kind}\"/>");
    open_package("word/document.xml", &types, vec![("word/document.xml".to_owned(), document)])
}

/// An OpenDocument file of a kind (`text`, `spreadsheet`) with this body.
#[must_use]
pub fn open_document(kind: &str, body: &str) -> Vec<u8> {
    let media = format!("application/vnd.oasis.opendocument.{kind}");
    let names = ["office", "text", "table", "manifest"];
    let spaces: String = names
        .iter()
        .map(|name| format!(" xmlns:{name}=\"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0\""))
        .collect();
    let content = format!(
        "{XML}<office:document-content{spaces} office:version=\"1.3\"><office:body><office:{kind}>{body}</office:{kind}>\
         </office:body></office:document-content>"
    );
    let manifest = format!(
        "{XML}<manifest:manifest{spaces} manifest:version=\"1.3\"><manifest:file-entry manifest:full-path=\"/\" \
         manifest:media-type=\"{media}\"/><manifest:file-entry manifest:full-path=\"content.xml\" \
         manifest:media-type=\"text/xml\"/></manifest:manifest>"
    );
    archive(&[
        ("mimetype".to_owned(), media),
        ("content.xml".to_owned(), content),
        ("META-INF/manifest.xml".to_owned(), manifest),
    ])
}

fn open_package(main: &str, types: &str, mut parts: Vec<(String, String)>) -> Vec<u8> {
    let types = format!(
        "{XML}<Types xmlns=\"{OPC}/content-types\">\
         <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/>{types}</Types>"
    );
    let relations = format!(
        "{XML}<Relationships xmlns=\"{OPC}/relationships\">\
         <Relationship Id=\"rId1\" Type=\"{OFFICE}/officeDocument\" Target=\"{main}\"/></Relationships>"
    );
    parts.insert(0, ("_rels/.rels".to_owned(), relations));
    parts.insert(0, ("[Content_Types].xml".to_owned(), types));
    archive(&parts)
}

/// A ZIP archive of stored files (APPNOTE 6.3: local headers, central directory, end record).
fn archive(parts: &[(String, String)]) -> Vec<u8> {
    let mut bytes: Vec<u8> = Vec::new();
    let mut directory: Vec<u8> = Vec::new();
    for (name, text) in parts {
        let at = length(bytes.len());
        // Version 1.0, no flags, stored, no time.
        let mut common = vec![10, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        common.extend(crc32(text.as_bytes()).to_le_bytes());
        common.extend([length(text.len()).to_le_bytes(), length(text.len()).to_le_bytes()].concat());
        common.extend(u16::try_from(name.len()).unwrap_or(u16::MAX).to_le_bytes());
        common.extend([0, 0]);
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&common);
        bytes.extend(name.bytes().chain(text.bytes()));
        directory.extend(b"PK\x01\x02\x0a\x00");
        directory.extend(common);
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.bytes());
    }
    let at = length(bytes.len());
    let n_parts = u16::try_from(parts.len()).unwrap_or(u16::MAX).to_le_bytes();
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\x00\x00\x00\x00");
    bytes.extend([n_parts, n_parts].concat());
    bytes.extend(length(directory.len()).to_le_bytes());
    bytes.extend(at.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

fn length(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The checksum of ZIP and PNG (ISO 3309), bit by bit: the files are small.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
    })
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use millwright_core::{host::NoProgress, parse::parse};

    #[test]
    fn the_checksum_is_the_known_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn what_is_written_is_read() {
        let rows: &[&[&str]] = &[&["Part", "Price"], &["V-7731", "12.5"]];
        let text = "<text:p>The seat of V-7731.</text:p>";
        for (name, bytes) in [
            ("a.xlsx", xlsx(&[("Prices", rows)])),
            ("a.docx", docx(&["# Seats", "Grind them."], rows)),
            ("a.odt", open_document("text", text)),
        ] {
            let parsed = parse(name, &bytes, &mut NoProgress).unwrap();
            assert!(parsed.document.nodes.iter().any(|node| node.text.contains("V-7731")), "{name}");
            assert_eq!(parsed.warnings, [], "{name}");
        }
    }
}
