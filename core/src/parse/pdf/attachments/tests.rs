//! PDFs with files in them.

use super::super::fixture::{FixturePage, first_extra, stream, write_parts};
use crate::{
    document::{Document, NodeId, facts},
    host::NoProgress,
    parse::{ParseWarningKind, Parsed, parse},
};
use flate2::{Compression, write::ZlibEncoder};
use std::io::Write as _;

/// A PDF with these files in its list: names, entries of their streams and contents.
fn holding(files: &[(&str, &str, &str)]) -> Vec<u8> {
    let pages = [FixturePage::new().lines(50, 100, &["The cover sheet of the delivery."])];
    let first = first_extra(&pages);
    let mut objects = Vec::new();
    let mut names = String::new();
    for (index, (name, entries, content)) in files.iter().enumerate() {
        let file = first + 2 * index;
        names.push_str(&format!("({name}) {file} 0 R "));
        objects.push(format!("<< /Type /Filespec /F ({name}) /Desc (Sent along) /EF << /F {} 0 R >> >>", file + 1));
        objects.push(stream(entries, content));
    }
    write_parts(&pages, &format!("/Names << /EmbeddedFiles << /Names [{names}] >> >>"), &objects)
}

fn read(bytes: &[u8]) -> Parsed {
    parse("delivery.pdf", bytes, &mut NoProgress).unwrap()
}

/// What stands in the section of a file.
fn within(document: &Document, name: &str) -> Vec<String> {
    let section = document.nodes.iter().find(|node| node.metadata.get(facts::ATTACHMENT).is_some_and(|of| of == name));
    let section = section.unwrap_or_else(|| panic!("no section of {name}"));
    assert_eq!(section.parent, Some(NodeId::ROOT));
    document.subtree(section.id).iter().map(|node| node.text.clone()).filter(|text| !text.is_empty()).collect()
}

#[test]
fn embedded_files_become_sections() {
    let parsed = read(&holding(&[
        ("parts.csv", "", "Part,Qty\nSeal,4\n"),
        ("notes.md", "", "# Fitting\n\nGrease the seal.\n\n## Tools\n\nNone."),
        ("tool.exe", "", "\x7fELF............"),
    ]));
    let document = &parsed.document;
    assert_eq!(within(document, "parts.csv"), ["parts.csv", "Sent along", "Part", "Qty", "Seal", "4"]);
    assert_eq!(within(document, "notes.md"), ["notes.md: Fitting", "Sent along", "Grease the seal.", "Tools", "None."]);
    assert_eq!(within(document, "tool.exe"), ["tool.exe", "Sent along"]);
    let tools = document.nodes.iter().find(|node| node.text == "None.").unwrap();
    assert_eq!(document.heading_path(tools.id), ["notes.md: Fitting", "Tools"]);
    let messages: Vec<_> = parsed.warnings.iter().map(|warning| (warning.kind, &warning.message[..8])).collect();
    assert_eq!(messages, [(ParseWarningKind::NotRead, "tool.exe")]);
}

/// Pinned and associated, associated with the page, with the whole file, pinned alone.
const FILES: [(&str, &str); 4] = [
    ("list.txt", "Four seals are in the box."),
    ("page.txt", "Of the page."),
    ("whole.txt", "Of the whole."),
    ("pinned.txt", "Pinned alone."),
];

#[test]
fn pinned_and_associated_files_are_found_once() {
    let first = first_extra(&[FixturePage::new(), FixturePage::new()]);
    let file = |n: usize| format!("{} 0 R", first + 2 * n);
    let mut objects = Vec::new();
    for (n, (name, text)) in FILES.iter().enumerate() {
        objects.push(format!("<< /UF ({name}) /EF << /UF {} 0 R >> >>", first + 2 * n + 1));
        objects.push(stream("", text));
    }
    let pinned = |n: usize| format!("/Annots [<< /Subtype /FileAttachment /Rect [10 10 20 20] /FS {} >>]", file(n));
    let pages = [
        FixturePage::new().lines(50, 100, &["See the list."]).with(&format!(
            "{} /AF [{} {}]",
            pinned(0),
            file(0),
            file(1)
        )),
        FixturePage::new().lines(50, 100, &["See the note."]).with(&pinned(3)),
    ];
    let parsed = read(&write_parts(&pages, &format!("/AF [{} {}]", file(0), file(2)), &objects));
    for (name, text) in FILES {
        assert_eq!(within(&parsed.document, name), [name, text]);
        assert_eq!(parsed.document.nodes.iter().filter(|node| node.text == text).count(), 1);
    }
}

#[test]
fn places_in_an_attachment_are_not_places_of_the_document() {
    let inner = holding(&[("parts.csv", "", "Part,Qty\nSeal,4\n")]);
    let parsed = read(&holding(&[("inner.pdf", "", std::str::from_utf8(&inner).unwrap())]));
    let inside: Vec<_> = parsed.document.nodes.iter().filter(|node| node.text.contains("cover sheet")).collect();
    assert_eq!((inside[0].page, inside[0].boxes.len()), (Some(1), 1));
    assert_eq!((inside[1].page, inside[1].boxes.len()), (None, 0));
    assert_eq!(inside[1].metadata[facts::ATTACHMENT_PAGE], "1");
    let seal = parsed.document.nodes.iter().find(|node| node.text == "Seal").unwrap();
    assert_eq!(parsed.document.heading_path(seal.id)[..2], ["inner.pdf", "parts.csv"]);
}

#[test]
fn files_in_files_end() {
    let mut bytes = holding(&[]);
    for _ in 0..6 {
        bytes = holding(&[("next.pdf", "", std::str::from_utf8(&bytes).unwrap())]);
    }
    let parsed = read(&bytes);
    assert_eq!(parsed.warnings.len(), 1);
    assert!(parsed.warnings[0].message.ends_with("3 files deep in others. Save it from the file and add it."));
    assert_eq!(parsed.document.nodes.iter().filter(|node| node.text.contains("cover sheet")).count(), 4);
}

#[test]
fn a_bomb_is_not_unpacked() {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    for _ in 0..64 {
        encoder.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    // As hexadecimal digits, for the fixture's sake.
    let packed: String = encoder.finish().unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
    let entries = "/Filter [/ASCIIHexDecode /FlateDecode]";
    let parsed = read(&holding(&[("bomb.txt", entries, &packed), ("small.txt", "", "A small text.")]));
    assert_eq!(within(&parsed.document, "bomb.txt").len(), 2);
    assert_eq!(within(&parsed.document, "small.txt").len(), 3);
    assert_eq!(parsed.warnings.len(), 1, "{:?}", parsed.warnings);
}

#[test]
fn a_list_that_holds_itself_ends() {
    let first = first_extra(&[FixturePage::new()]);
    let tree = format!("<< /Kids [{first} 0 R {first} 0 R] /Names [(a.txt) {} 0 R] >>", first + 1);
    let objects = [tree, format!("<< /F (a.txt) /EF << /F {} 0 R >> >>", first + 2), stream("", "Text of a.")];
    let bytes = write_parts(&[FixturePage::new()], &format!("/Names << /EmbeddedFiles {first} 0 R >>"), &objects);
    assert_eq!(within(&read(&bytes).document, "a.txt"), ["a.txt", "Text of a."]);
}
