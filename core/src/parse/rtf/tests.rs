//! RTF as it is written by programs.

use crate::parse::{
    Format,
    fixture::{outline, read},
};
use proptest::prelude::*;

const HEAD: &str = "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2 Courier New;}}\
    {\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 heading 1;}{\\s2 \\sbasedon0 heading 2;}}{\\info{\\title Pump}{\\author Eva}}";

fn tree(body: &str) -> String {
    outline(&read("a.rtf", format!("{HEAD}{body}}}").as_bytes()).document)
}

#[test]
fn headings_letters_and_lists() {
    let body = "\\pard\\s1 Safety\\par\\pard\\s2{\\listtext 1.1\\tab}Dangers\\par\\pard Gr\\'f6\\'dfe \\u8364? 5 \\f1 \\'cf\\'f0\\f0 \\emdash\\~ok\\par\
        {\\listtext\\'b7\\tab}\\pard\\ls1 one\\par{\\pntext 2.\\tab}\\pard\\ls2 two\\par";
    assert_eq!(
        tree(body),
        "h1 Safety\n  h2 1.1 Dangers\n    p Größe € 5 Пр— ok\n    ul\n      li one\n    ol\n      li 2. two\n"
    );
}

#[test]
fn tables_with_merged_cells() {
    let row = |shapes: &str, cells: &[&str]| {
        let cells: String = cells.iter().map(|cell| format!("\\pard\\intbl {cell}\\cell")).collect();
        format!("\\trowd{shapes}{cells}\\row")
    };
    let body = [
        row("\\trhdr\\cellx1000\\cellx2000\\cellx3000", &["Part", "Size", "Qty"]),
        row("\\clvmgf\\cellx1000\\clmgf\\cellx2000\\clmrg\\cellx3000", &["Seal", "wide", ""]),
        row("\\clvmrg\\cellx1000\\cellx2000\\cellx3000", &["", "20", "4"]),
    ];
    let expected = "Table\n  tr!\n    th Part\n    th Size\n    th Qty\n  tr\n    td1x2 Seal\n    td2x1 wide\n  tr\n    td 20\n    td 4\np after\n";
    assert_eq!(tree(&format!("{}\\pard after\\par", body.concat())), expected);
}

#[test]
fn fields_notes_hidden_and_deleted_text() {
    let body = "\\pard See {\\field{\\*\\fldinst HYPERLINK \"http://x.y\"}{\\fldrslt the site}}{\\footnote\\pard Only once.}.{\\v secret}{\\deleted gone}\\par\
        {\\header Page 1\\par}{\\*\\unknown nothing}{\\pict\\pngblip 89504e}\\par";
    let shown = tree(body);
    for part in [
        "p See the site[1]. {link: http://x.y}",
        "Footnote [1] Only once.",
        "p secret {hidden: style}",
        "Furniture Page 1",
        "Figure",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains("gone") && !shown.contains("nothing") && !shown.contains("8950"), "{shown}");
}

#[test]
fn what_is_known_and_what_is_missing_is_said() {
    let parsed = read("a.rtf", format!("{HEAD}\\pard Stop\\par").as_bytes());
    assert_eq!(parsed.format, Format::Rtf);
    assert_eq!(parsed.document.metadata.get("author").map(String::as_str), Some("Eva"));
    assert!(parsed.warnings[0].message.contains("breaks off"), "{:?}", parsed.warnings);
    assert_eq!(read("a.rtf", format!("{HEAD}\\pard Stop\\par}}").as_bytes()).warnings, []);
}

proptest! {
    #[test]
    fn any_words_are_read(body in "([{}]|\\\\(par|cell|row|trowd|cellx9|clmrg|clvmrg|intbl|u-9|uc3|'e4|footnote|pict|bin5|s1|ls2|\\*)|[a-z ]){0,80}") {
        let _tree = tree(&body);
    }
}

#[test]
fn depth_is_bounded() {
    let _tree = tree(&format!("{}x{}", "{\\b ".repeat(100_000), "}".repeat(100_000)));
}
