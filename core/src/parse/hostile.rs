//! Small files that ask for much: what is written once and shown a thousand times, what refers to itself, what nests
//! without end. Each was found by a fuzz target or by looking for its kind; each must cost no more than an honest file.

use super::{
    fixture::read,
    package::fixture::package,
    pdf::fixture::{FixturePage, first_extra, stream, write_parts},
};
use crate::document::Document;

/// What a tree holds in texts and facts. Every file here has less than 200 KB.
fn n_bytes(document: &Document) -> usize {
    let facts = |facts: &std::collections::BTreeMap<String, String>| facts.values().map(String::len).sum::<usize>();
    document.nodes.iter().map(|node| node.text.len() + facts(&node.metadata)).sum::<usize>() + facts(&document.metadata)
}

/// Far more than an honest file of that size holds, and nothing that a browser tab would notice.
const MOST: usize = 24 << 20;

fn holds(name: &str, bytes: &[u8], word: &str) {
    let parsed = read(name, bytes);
    let n_bytes = n_bytes(&parsed.document);
    assert!(n_bytes < MOST, "{name}: {n_bytes} bytes");
    assert!(parsed.document.nodes.iter().any(|node| node.text.contains(word)), "{name}: {word} is lost");
}

const WORD: &str = r#"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships""#;

fn docx(body: &str, relations: &str, more: &[(&str, &str)]) -> Vec<u8> {
    let document = format!("<w:document {WORD}><w:body>{body}</w:body></w:document>");
    let relations = format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{relations}</Relationships>"
    );
    let mut parts = vec![("word/document.xml", document.as_str()), ("word/_rels/document.xml.rels", &relations)];
    parts.extend(more);
    package(&parts)
}

#[test]
fn a_footnote_that_refers_to_itself_is_told_once() {
    let reference = r#"<w:r><w:footnoteReference w:id="1"/></w:r>"#.repeat(300);
    let notes = format!(
        r#"<w:footnotes {WORD}><w:footnote w:id="1"><w:p><w:r><w:t>told</w:t></w:r>{reference}</w:p></w:footnote></w:footnotes>"#
    );
    let relations = r#"<Relationship Id="n" Type="x/footnotes" Target="footnotes.xml"/>"#;
    let bytes = docx(&format!("<w:p>{reference}</w:p>"), relations, &[("word/footnotes.xml", &notes)]);
    let document = read("a.docx", &bytes).document;
    assert_eq!(document.nodes.iter().filter(|node| node.text.contains("told")).count(), 1);
}

#[test]
fn what_is_referred_to_a_thousand_times_is_told_once() {
    let long = "remarked ".repeat(5_000);
    let comments = format!(
        r#"<w:comments {WORD}><w:comment w:id="1"><w:p><w:r><w:t>{long}</w:t></w:r></w:p></w:comment></w:comments>"#
    );
    let page = format!("<html><body><p>{}</p></body></html>", "inserted ".repeat(5_000));
    let relations = r#"<Relationship Id="c" Type="x/comments" Target="comments.xml"/><Relationship Id="p" Type="x/aFChunk" Target="p.html"/>"#;
    let body =
        r#"<w:p><w:r><w:t>x</w:t><w:commentReference w:id="1"/></w:r></w:p><w:altChunk r:id="p"/>"#.repeat(1_000);
    let bytes = docx(&body, relations, &[("word/comments.xml", &comments), ("word/p.html", &page)]);
    let document = read("a.docx", &bytes).document;
    for word in ["remarked", "inserted"] {
        assert_eq!(document.nodes.iter().filter(|node| node.text.contains(word)).count(), 1, "{word}");
    }
}

#[test]
fn repeated_cells_of_opendocument_stay_few() {
    let names = "xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" \
                 xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\"";
    let cell = format!(
        "<table:table-cell table:number-columns-repeated=\"100\"><text:p>{}</text:p></table:table-cell>",
        "again ".repeat(500)
    );
    let row = format!("<table:table-row table:number-rows-repeated=\"100\">{cell}{cell}</table:table-row>");
    let table = format!("<table:table>{}</table:table>", row.repeat(10));
    for (kind, name) in [("text", "a.odt"), ("spreadsheet", "a.ods")] {
        let content = format!(
            "<office:document-content {names}><office:body><office:{kind}>{table}</office:{kind}></office:body></office:document-content>"
        );
        let media = format!("application/vnd.oasis.opendocument.{kind}");
        holds(name, &package(&[("mimetype", &media), ("content.xml", &content)]), "again");
    }
}

#[test]
fn a_text_that_every_cell_shows_stays_within_what_the_file_can_say() {
    let book = r#"<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>"#;
    let relations = r#"<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/>
        <Relationship Id="r2" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>"#;
    let strings = format!("<sst><si><t>{}</t></si></sst>", "shown ".repeat(5_000));
    let cells = "<row><c t=\"s\"><v>0</v></c></row>".repeat(3_000);
    let links = "<hyperlink ref=\"A1\" r:id=\"far\"/>".repeat(1_000);
    let sheet = format!("<worksheet><sheetData>{cells}</sheetData><hyperlinks>{links}</hyperlinks></worksheet>");
    let address = format!(
        "<Relationships><Relationship Id=\"far\" Type=\"x/hyperlink\" TargetMode=\"External\" Target=\"{}\"/></Relationships>",
        "far".repeat(10_000)
    );
    let bytes = package(&[
        ("xl/workbook.xml", book),
        ("xl/_rels/workbook.xml.rels", relations),
        ("xl/sharedStrings.xml", &strings),
        ("xl/worksheets/sheet1.xml", &sheet),
        ("xl/worksheets/_rels/sheet1.xml.rels", &address),
    ]);
    holds("a.xlsx", &bytes, "shown");
}

#[test]
fn sheets_that_share_a_part_are_read_once() {
    let sheets: String = (0..1_000).map(|n| format!("<sheet name=\"S{n}\" r:id=\"r1\"/>")).collect();
    let book = format!("<workbook><sheets>{sheets}</sheets></workbook>");
    let relations = r#"<Relationships><Relationship Id="r1" Type="x/worksheet" Target="s.xml"/></Relationships>"#;
    let sheet = "<worksheet><sheetData><row><c t=\"inlineStr\"><is><t>once</t></is></c></row></sheetData></worksheet>";
    let bytes = package(&[("xl/workbook.xml", &book), ("xl/_rels/workbook.xml.rels", relations), ("xl/s.xml", sheet)]);
    let document = read("a.xlsx", &bytes).document;
    assert_eq!(document.nodes.iter().filter(|node| node.text.contains("once")).count(), 1);
}

/// The PDF objects of a font whose code 1 stands for a text, as its character map says.
fn font(to_unicode: &str, map: usize) -> [String; 2] {
    let font = format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /ToUnicode {map} 0 R \
         /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /DW 500 >>] >>"
    );
    [font, stream("", &format!("1 beginbfchar <0001> <{to_unicode}> endbfchar"))]
}

#[test]
fn a_code_that_stands_for_a_book_is_a_ligature_at_most() {
    let page = FixturePage::new();
    let number = first_extra(std::slice::from_ref(&page));
    let page = page
        .with(&format!("/Resources << /Font << /L {number} 0 R /H 3 0 R >> >>"))
        .text('H', 10, 50, 100, "Seen.")
        .raw(&format!("BT /L 9 Tf 50 600 Td <{}> Tj ET", "0001".repeat(5_000)));
    let bytes = write_parts(&[page], "", &font(&"0061".repeat(10_000), number + 1));
    holds("a.pdf", &bytes, "");
}

#[test]
fn pages_that_share_what_is_on_them_end() {
    // A hundred pages, each of which draws a form ten times that draws another ten times, and so on.
    let first = first_extra(&vec![FixturePage::new(); 100]);
    let form = |next: usize| {
        let entries = format!(
            "/Type /XObject /Subtype /Form /BBox [0 0 600 900] /Resources << /Font << /H 3 0 R >> /XObject << /X {next} 0 R >> >>"
        );
        stream(&entries, &("q 1 0 0 1 1 1 cm /X Do Q ".repeat(10) + "BT /H 9 Tf 50 600 Td (a) Tj ET"))
    };
    let page = FixturePage::new().with(&format!("/Resources << /XObject << /X {first} 0 R >> >>")).raw("/X Do");
    let forms: Vec<String> = (1..=9).map(|n| form(first + n)).collect();
    let bytes = write_parts(&vec![page; 100], "", &forms);
    let parsed = read("a.pdf", &bytes);
    assert!(n_bytes(&parsed.document) < MOST);
    assert!(!parsed.warnings.is_empty(), "it says that something is missing");
}

#[test]
fn a_signal_word_on_every_line_needs_no_stack() {
    let text = "WARNING\n".repeat(50_000) + "- Stop.\n- Wipe.\n";
    let reading = std::thread::Builder::new().stack_size(512 << 10).spawn(move || read("a.txt", text.as_bytes()));
    let document = reading.expect("a thread").join().expect("no overflow").document;
    assert!(document.nodes.iter().any(|node| node.text.contains("Wipe.")));
}

#[test]
fn what_looks_back_or_ahead_looks_a_short_way() {
    // Each of these took minutes: a megabyte in which every character is compared with all others.
    let tables: String = (0..60_000).map(|n| format!("[[a{n}]]\n")).collect();
    for (name, text) in [
        ("a.csv", format!("{},b\n1,2\n3,4\n", "(".repeat(1 << 20))),
        ("a.md", format!("+++\n{tables}+++\nText.\n")),
        ("b.md", format!("<table>\n{}", "<tr><td>x\n".repeat(50_000))),
        ("c.md", format!("---\na: b\n---\n{}", "{{".repeat(500_000))),
        ("d.md", ":::warning\n".repeat(50_000)),
        ("a.html", format!("<p>{}</p>", "<br><b></b>".repeat(50_000))),
        ("b.html", format!("<table><tr><td>{}<td>x</table>", " ".repeat(500_000) + &"<td> ".repeat(20_000))),
    ] {
        let _read = read(name, text.as_bytes());
    }
}
