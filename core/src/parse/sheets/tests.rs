//! Workbooks from their XML to their tree.

use super::*;
use crate::{document::outline, host::NoProgress, parse::package::fixture};
use proptest::prelude::*;

/// A package with these parts.
fn package(parts: &[(&str, String)]) -> Vec<u8> {
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, content)| (*name, content.as_str())).collect();
    fixture::package(&parts)
}

const STYLES: &str = r##"<styleSheet><numFmts><numFmt numFmtId="164" formatCode="#,##0.00\ [$€-407]"/></numFmts>
    <fonts><font/><font><b/></font></fonts><fills><fill><patternFill patternType="none"/></fill></fills><borders><border/></borders>
    <cellXfs><xf numFmtId="0"/><xf numFmtId="0" fontId="1"/><xf numFmtId="164"/><xf numFmtId="14"/><xf numFmtId="10"/></cellXfs></styleSheet>"##;

/// A workbook of one sheet with this XML, and whatever parts more.
fn workbook(sheet: &str, more: &[(&'static str, &str)]) -> Vec<u8> {
    let mut parts = vec![
        ("[Content_Types].xml", "<Types/>".to_owned()),
        (
            "xl/workbook.xml",
            "<workbook><sheets><sheet name=\"Parts\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>".to_owned(),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<Relationships><Relationship Id=\"r1\" Type=\"x/worksheet\" Target=\"worksheets/sheet1.xml\"/>\
             <Relationship Id=\"r2\" Type=\"x/styles\" Target=\"/xl/styles.xml\"/>\
             <Relationship Id=\"r3\" Type=\"x/sharedStrings\" Target=\"sharedStrings.xml\"/></Relationships>"
                .to_owned(),
        ),
        ("xl/styles.xml", STYLES.to_owned()),
        ("xl/worksheets/sheet1.xml", sheet.to_owned()),
    ];
    parts.extend(more.iter().map(|(name, content)| (*name, (*content).to_owned())));
    package(&parts)
}

fn read(bytes: &[u8]) -> (Document, Vec<ParseWarning>) {
    let parsed = crate::parse::parse("book.xlsx", bytes, &mut NoProgress).expect("reads");
    (parsed.document, parsed.warnings)
}

/// A row with texts, numbers and styles: `"text"`, `5`, `2:3.5` for style 2.
fn row(number: u32, attributes: &str, cells: &[&str]) -> String {
    let cell = |(column, written): (usize, &&str)| {
        let name = format!("{}{number}", char::from(b'A' + column as u8));
        let (style, value) = written.split_once(':').filter(|(style, _)| style.len() == 1).unwrap_or(("0", written));
        match value.strip_prefix('"') {
            _ if value.is_empty() => String::new(),
            Some(text) => {
                let text = text.trim_end_matches('"');
                format!("<c r=\"{name}\" s=\"{style}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
            }
            None => format!("<c r=\"{name}\" s=\"{style}\"><v>{value}</v></c>"),
        }
    };
    let cells: String = cells.iter().enumerate().map(cell).collect();
    format!("<row r=\"{number}\" {attributes}>{cells}</row>")
}

fn sheet(rows: &[String], after: &str) -> String {
    format!("<worksheet><sheetData>{}</sheetData>{after}</worksheet>", rows.concat())
}

#[test]
fn a_sheet_becomes_its_tables_as_a_person_sees_them() {
    let rows = [
        row(1, "", &["\"Seals for P-100\""]),
        row(3, "", &["1:\"Part\"", "1:\"Length (mm)\"", "1:\"Price\"", "1:\"Since\"", "1:\"Share\""]),
        row(4, "", &["\"Ring\"", "12.5", "2:1234.5", "3:46356", "4:0.125"]),
        row(5, "hidden=\"1\"", &["\"Gasket\"", "7", "2:0.4", "3:46357", "4:1"]),
        "<row r=\"6\"><c r=\"A6\" t=\"inlineStr\"><is><t>Total</t></is></c><c r=\"C6\" s=\"2\"><f>SUM(C4:C5)</f><v>1234.9</v></c>\
         <c r=\"D6\" t=\"e\"><v>#DIV/0!</v></c><c r=\"E6\" t=\"b\"><v>1</v></c></row>"
            .to_owned(),
        row(8, "", &["\"Supplier:\"", "\"ACME\""]),
        row(10, "", &["", "", "\"Tool\"", "\"Size\""]),
        row(11, "", &["", "", "\"Key\"", "8"]),
    ];
    let after = "<mergeCells><mergeCell ref=\"A6:B6\"/></mergeCells><hyperlinks><hyperlink ref=\"A4\" location=\"x!A1\"/></hyperlinks>";
    let rels =
        "<Relationships><Relationship Id=\"a\" Type=\"x/comments\" Target=\"../comments1.xml\"/></Relationships>";
    let comments = "<comments><authors><author>Eva</author></authors><commentList><comment ref=\"B4\" authorId=\"0\"><text><r><t>Eva:</t></r>\
                    <r><t>\nmeasured cold</t></r></text></comment></commentList></comments>";
    let bytes = workbook(
        &sheet(&rows, after),
        &[("xl/worksheets/_rels/sheet1.xml.rels", rels), ("xl/comments1.xml", comments)],
    );
    let (document, warnings) = read(&bytes);
    insta::assert_snapshot!(outline(&document), @r#"
    Document
      Section 1 “Parts” sheet=Parts
        Table “Seals for P-100” A3:E6
          Header A3:E3
            HeaderCell 1x1 “Part” A3
            HeaderCell 1x1 “Length (mm)” B3 unit=mm
            HeaderCell 1x1 “Price” C3
            HeaderCell 1x1 “Since” D3
            HeaderCell 1x1 “Share” E3
          Row A4:E4
            Cell 1x1 “Ring” A4 link=#x!A1
            Cell 1x1 “12.5” B4 unit=mm
            Cell 1x1 “1,234.50 €” C4 unit=EUR
            Cell 1x1 “2026-11-30” D4
            Cell 1x1 “12.50%” E4
          Row A5:E5 hidden=row
            Cell 1x1 “Gasket” A5
            Cell 1x1 “7” B5 unit=mm
            Cell 1x1 “0.40 €” C5 unit=EUR
            Cell 1x1 “2026-12-01” D5
            Cell 1x1 “100.00%” E5
          Row A6:E6 total=yes
            Cell 2x1 “Total” A6:B6
            Cell 1x1 “1,234.90 €” C6 formula=SUM(C4:C5) unit=EUR
            Cell 1x1 “#DIV/0!” D6
            Cell 1x1 “TRUE” E6
        KeyValue “Supplier: ACME” A8:B8
        Table C10:D11
          Header [“Tool” | “Size”] C10:D10
          Row [“Key” | “8”] C11:D11
        Comment “Eva: measured cold” B4 mark=B4
    "#);
    let messages: Vec<&str> = warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(messages, ["Hidden rows or columns were read too, on: “Parts”."]);
}

#[test]
fn what_is_stored_is_kept_where_another_thing_is_shown() {
    let rows = [row(1, "", &["\"Length\"", "\"Price\""]), row(2, "", &["2:1.23456", "2:4.5"])];
    let (document, _) = read(&workbook(&sheet(&rows, ""), &[]));
    let shown = outline(&document);
    assert!(shown.contains("“1.23 €” A2 unit=EUR value=1.23456"), "{shown}");
    assert!(shown.contains("“4.50 €” B2 unit=EUR\n"), "{shown}");
}

#[test]
fn what_the_file_calls_a_table_is_one() {
    let rows = [
        row(1, "", &["\"a\"", "\"b\""]),
        row(2, "", &["\"x\"", "\"y\""]),
        row(3, "", &["\"z\"", "\"w\""]),
        row(4, "", &["\"more\"", "\"below\""]),
    ];
    let rels =
        "<Relationships><Relationship Id=\"a\" Type=\"x/table\" Target=\"../tables/table1.xml\"/></Relationships>";
    let table = "<table displayName=\"Stock\" ref=\"A1:B3\" totalsRowCount=\"1\"/>";
    let bytes =
        workbook(&sheet(&rows, ""), &[("xl/worksheets/_rels/sheet1.xml.rels", rels), ("xl/tables/table1.xml", table)]);
    insta::assert_snapshot!(outline(&read(&bytes).0), @r#"
    Document
      Section 1 “Parts” sheet=Parts
        Table A1:B3 name=Stock
          Header [“a” | “b”] A1:B1
          Row [“x” | “y”] A2:B2
          Row [“z” | “w”] A3:B3 total=yes
        Table A4:B4
          Row [“more” | “below”] A4:B4
    "#);
}

#[test]
fn an_opendocument_sheet_is_read_as_it_was_shown() {
    let content = r#"<office:document-content><office:automatic-styles>
        <style:style style:name="b" style:family="table-cell"><style:text-properties fo:font-weight="bold"/></style:style>
        <style:style style:name="h" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles>
        <office:body><office:spreadsheet><table:table table:name="Prices" table:style-name="h">
        <table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>
        <table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
        <table:table-row><table:table-cell table:style-name="b"><text:p>Part</text:p></table:table-cell><table:table-cell table:style-name="b">
          <text:p>Price</text:p></table:table-cell><table:table-cell table:style-name="b"><text:p>Since</text:p></table:table-cell></table:table-row>
        <table:table-row table:number-rows-repeated="2"><table:table-cell><office:annotation><dc:creator>Eva</dc:creator><text:p>new</text:p></office:annotation>
          <text:p>Seal<text:s text:c="2"/>ring</text:p><text:p>black</text:p></table:table-cell>
          <table:table-cell office:value-type="currency" office:currency="EUR" office:value="3.5" table:formula="of:=SUM([.A1:.A2])"><text:p>3,50 €</text:p></table:table-cell>
          <table:table-cell office:value-type="date" office:date-value="2026-11-30"/></table:table-row>
        <table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
        </table:table></office:spreadsheet></office:body></office:document-content>"#;
    let mimetype = "application/vnd.oasis.opendocument.spreadsheet".to_owned();
    let bytes = package(&[("mimetype", mimetype), ("content.xml", content.to_owned())]);
    let parsed = crate::parse::parse("prices.ods", &bytes, &mut NoProgress).expect("reads");
    insta::assert_snapshot!(outline(&parsed.document), @r#"
    Document
      Section 1 “Prices” hidden=sheet sheet=Prices
        Table A3:C5
          Header A3:C3
            HeaderCell 1x1 “Part” A3
            HeaderCell 1x1 “Price” B3
            HeaderCell 1x1 “Since” C3 hidden=column
          Row A4:C4
            Cell 1x1 “Seal  ring⏎black” A4
            Cell 1x1 “3,50 €” B4 formula=SUM(A1:A2) unit=EUR
            Cell 1x1 “2026-11-30” C4 hidden=column
          Row A5:C5
            Cell 1x1 “Seal  ring⏎black” A5
            Cell 1x1 “3,50 €” B5 formula=SUM(A1:A2) unit=EUR
            Cell 1x1 “2026-11-30” C5 hidden=column
        Comment “Eva: new” A4 mark=A4
    "#);
    assert_eq!(parsed.warnings.len(), 1);
}

#[test]
fn far_and_many_cells_stay_within_bounds() {
    let far = sheet(
        &["<row r=\"1\"><c><v>1</v></c></row><row r=\"1048576\"><c r=\"XFD1048576\"><v>2</v></c></row>".to_owned()],
        "",
    );
    let (document, warnings) = read(&workbook(&far, &[]));
    assert_eq!((document.nodes.len(), warnings.len()), (4, 0));

    let many = "<row><c><v>1</v></c><c><v>2</v></c></row>".repeat(MAX_NODES);
    let (document, warnings) = read(&workbook(&sheet(&[many], ""), &[]));
    assert!(document.nodes.len() <= MAX_NODES);
    assert_eq!(warnings[0].kind, ParseWarningKind::Truncated);

    // One text of a megabyte, shown in a thousand cells.
    let strings = format!("<sst><si><t>{}</t></si></sst>", "x".repeat(1 << 20));
    let cells = "<row><c t=\"s\"><v>0</v></c></row>".repeat(1000);
    let (document, warnings) = read(&workbook(&sheet(&[cells], ""), &[("xl/sharedStrings.xml", &strings)]));
    let n_bytes: usize = document.nodes.iter().map(|node| node.text.capacity()).sum();
    assert!(n_bytes <= MAX_TEXT_BYTES + (1 << 20), "{n_bytes}");
    assert_eq!(warnings[0].kind, ParseWarningKind::Truncated);

    let repeated = "<office:document-content><table:table table:name=\"x\"><table:table-row table:number-rows-repeated=\"1048576\">\
                    <table:table-cell table:number-columns-repeated=\"16384\"><text:p>x</text:p></table:table-cell></table:table-row>\
                    </table:table></office:document-content>";
    let mimetype = "application/vnd.oasis.opendocument.spreadsheet".to_owned();
    let (document, warnings) = read(&package(&[("mimetype", mimetype), ("content.xml", repeated.to_owned())]));
    assert!(document.nodes.len() <= MAX_NODES);
    assert!(warnings.iter().any(|warning| warning.kind == ParseWarningKind::Truncated));
}

#[test]
fn a_missing_sheet_is_said_and_reading_can_be_stopped() {
    let parts =
        [("xl/workbook.xml", "<workbook><sheets><sheet name=\"Gone\" r:id=\"r9\"/></sheets></workbook>".to_owned())];
    let result = crate::parse::parse("book.xlsx", &package(&parts), &mut NoProgress);
    assert!(matches!(result, Err(ParseError::Damaged { .. })), "{result:?}");

    let rows: Vec<String> = (1..3000).map(|number| row(number, "", &["1", "2"])).collect();
    let bytes = workbook(&sheet(&rows, ""), &[]);
    let mut n_reports = 0;
    let mut stop = |_, _| {
        n_reports += 1;
        if n_reports > 3 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    };
    assert_eq!(crate::parse::parse("book.xlsx", &bytes, &mut stop), Err(ParseError::Cancelled));
}

/// Pieces whose combinations reach the corners of worksheets.
const PIECES: [&str; 30] = [
    "<row>",
    "<row r=\"5\" hidden=\"1\">",
    "<row r=\"4294967295\">",
    "</row>",
    "<c>",
    "<c r=\"B2\" t=\"s\">",
    "<c r=\"XFD1048576\" s=\"1\">",
    "<c t=\"inlineStr\">",
    "</c>",
    "<v>1</v>",
    "<v>-1e308</v>",
    "<v>x</v>",
    "<f>SUM(A1)</f>",
    "<is><t>a</t></is>",
    "<is><r><t>Total</t>",
    "<mergeCell ref=\"A1:B2\"/>",
    "<mergeCell ref=\"A1:XFD1048576\"/>",
    "<mergeCell ref=\"B2:A1\"/>",
    "<autoFilter ref=\"A1:C1\"/>",
    "<pane state=\"frozen\" ySplit=\"4e9\"/>",
    "<col min=\"1\" max=\"4294967295\" hidden=\"1\"/>",
    "<col min=\"0\" max=\"0\" hidden=\"1\"/>",
    "<hyperlink ref=\"A1\" location=\"y\"/>",
    "<c t=\"str\"><v>Supplier:</v></c>",
    "<c t=\"e\"><v>#N/A</v></c>",
    "<c t=\"b\"><v>1</v></c>",
    "<c s=\"3\"><v>46356</v></c>",
    "<c t=\"str\"><v>Length (mm)</v></c>",
    "&#0;",
    "<",
];

proptest! {
    #[test]
    fn any_sheet_is_read_or_refused(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..80)) {
        let sheet = format!("<worksheet>{}</worksheet>", pieces.concat());
        let table = format!("<table ref=\"A1:C{}\" headerRowCount=\"{}\"/>", pieces.len() + 1, pieces.len() % 3);
        let rels = "<Relationships><Relationship Id=\"a\" Type=\"x/table\" Target=\"../t.xml\"/></Relationships>";
        let bytes = workbook(&sheet, &[("xl/worksheets/_rels/sheet1.xml.rels", rels), ("xl/t.xml", &table)]);
        if let Ok(parsed) = crate::parse::parse("book.xlsx", &bytes, &mut NoProgress) {
            crate::parse::tests::check(&parsed.document, "");
        }
    }

    #[test]
    fn any_damage_to_a_package_is_survived(at in 0_usize..3000, byte in any::<u8>(), length in 0_usize..3000) {
        let rows = [row(1, "", &["\"Part\"", "\"Qty\""]), row(2, "", &["\"Seal\"", "2"])];
        let mut bytes = workbook(&sheet(&rows, ""), &[]);
        let place = at % bytes.len();
        bytes[place] = byte;
        let _ = crate::parse::parse("book.xlsx", &bytes, &mut NoProgress);
        bytes.truncate(length.min(bytes.len()));
        let _ = crate::parse::parse("book.xlsx", &bytes, &mut NoProgress);
    }
}

/// A record of an XLSB part.
fn record(kind: u32, content: &[u8]) -> Vec<u8> {
    let mut bytes = if kind < 128 { vec![kind as u8] } else { vec![kind as u8 | 0x80, (kind >> 7) as u8] };
    bytes.push(u8::try_from(content.len()).expect("short"));
    bytes.extend(content);
    bytes
}

fn wide(text: &str) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let length = units.len() as u32;
    length.to_le_bytes().into_iter().chain(units.into_iter().flat_map(u16::to_le_bytes)).collect()
}

fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

#[test]
fn a_binary_workbook_is_read() {
    let book = record(156, &[numbers(&[1, 1]), wide("r1"), wide("Old prices")].concat());
    let style = |format: u16| record(47, &[0_u16, format, 0, 0, 0].map(u16::to_le_bytes).concat());
    let styles = [record(617, &[]), style(0), style(14), record(618, &[])].concat();
    let strings = record(19, &[vec![0], wide("Part")].concat());
    let row = |row: u32, is_hidden: bool| {
        record(0, &[numbers(&[row, 0]), vec![0, 0, 0, if is_hidden { 0x10 } else { 0 }, 0]].concat())
    };
    let sheet = [
        record(60, &[numbers(&[2, 2, 0, 0]), vec![1, 0]].concat()),
        row(0, false),
        record(7, &numbers(&[0, 0, 0])),
        record(6, &[numbers(&[1, 0]), wide("Since")].concat()),
        row(1, true),
        record(6, &[numbers(&[0, 0]), wide("Seal")].concat()),
        record(5, &[numbers(&[1, 1]), 46_356_f64.to_le_bytes().to_vec()].concat()),
        record(2, &numbers(&[2, 0, (7 << 2) | 2])),
        row(2, false),
        record(3, &[numbers(&[0, 0]), vec![0x07]].concat()),
        record(4, &[numbers(&[1, 0]), vec![1]].concat()),
        record(130, &[]),
    ]
    .concat();
    let rels = "<Relationships><Relationship Id=\"r1\" Type=\"x/worksheet\" Target=\"worksheets/sheet1.bin\"/>\
                <Relationship Id=\"r2\" Type=\"x/styles\" Target=\"styles.bin\"/>\
                <Relationship Id=\"r3\" Type=\"x/sharedStrings\" Target=\"sharedStrings.bin\"/></Relationships>";
    let parts: [(&str, &[u8]); 5] = [
        ("xl/workbook.bin", &book),
        ("xl/_rels/workbook.bin.rels", rels.as_bytes()),
        ("xl/styles.bin", &styles),
        ("xl/sharedStrings.bin", &strings),
        ("xl/worksheets/sheet1.bin", &sheet),
    ];
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).expect("a part");
        std::io::Write::write_all(&mut writer, content).expect("its content");
    }
    let bytes = writer.finish().expect("a package").into_inner();
    let parsed = crate::parse::parse("old.xlsb", &bytes, &mut NoProgress).expect("reads");
    assert_eq!(parsed.format, Format::Xlsb);
    insta::assert_snapshot!(outline(&parsed.document), @r#"
    Document
      Section 1 “Old prices” hidden=sheet sheet=Old prices
        Table A1:C3
          Header A1:C1
            HeaderCell 1x1 “Part” A1
            HeaderCell 1x1 “Since” B1
            HeaderCell 1x1 C1 hidden=column
          Row A2:C2 hidden=row
            Cell 1x1 “Seal” A2
            Cell 1x1 “2026-11-30” B2
            Cell 1x1 “7” C2 hidden=column
          Row A3:C3
            Cell 1x1 “#DIV/0!” A3
            Cell 1x1 “TRUE” B3
            Cell 1x1 C3 hidden=column
    "#);
}

proptest! {
    #[test]
    fn any_records_are_read_or_refused(records in prop::collection::vec((prop::sample::select(&[0_u32, 1, 2, 5, 6, 7, 60, 62, 151, 161, 176, 494, 130][..]), prop::collection::vec(any::<u8>(), 0..40)), 0..40)) {
        let book = record(156, &[numbers(&[0, 1]), wide("r1"), wide("x")].concat());
        let sheet: Vec<u8> = records.iter().flat_map(|(kind, content)| record(*kind, content)).collect();
        let rels = "<Relationships><Relationship Id=\"r1\" Type=\"x/worksheet\" Target=\"s.bin\"/></Relationships>";
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, content) in [("xl/workbook.bin", book.as_slice()), ("xl/_rels/workbook.bin.rels", rels.as_bytes()), ("xl/s.bin", &sheet)] {
            writer.start_file(name, zip::write::SimpleFileOptions::default()).expect("a part");
            std::io::Write::write_all(&mut writer, content).expect("its content");
        }
        let bytes = writer.finish().expect("a package").into_inner();
        let _ = crate::parse::parse("x.xlsb", &bytes, &mut NoProgress);
    }

    #[test]
    fn any_damage_to_an_old_workbook_is_survived(at in 0_usize..8704, bytes in prop::collection::vec(any::<u8>(), 1..5), length in 0_usize..9000) {
        let mut book = include_bytes!("../../../../tests/suite/parse/xls_workbook/input.xls").to_vec();
        let end = (at + bytes.len()).min(book.len());
        book[at..end].copy_from_slice(&bytes[..end - at]);
        let _ = crate::parse::parse("x.xls", &book, &mut NoProgress);
        book.truncate(length);
        let _ = crate::parse::parse("x.xls", &book, &mut NoProgress);
    }
}
