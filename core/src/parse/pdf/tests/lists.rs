//! Lists of items, tables that only a caption tells of, and what stands in columns and is no table.

use super::{FixturePage, outline, read};
use crate::document::{Document, NodeKind};

const BODY: &str = "It is filled with oil of the grade that the plate on its side names, up to the mark.";

/// Every table as rows of its cells; header rows with `#` before them.
fn tables(document: &Document) -> Vec<Vec<String>> {
    let rows = |table| -> Vec<String> {
        let rows = document.children(table).filter(|node| matches!(node.kind, NodeKind::Row { .. }));
        rows.map(|row| {
            let mark = if row.kind == (NodeKind::Row { header: true }) { "#" } else { "" };
            let cells: Vec<&str> = document.children(row.id).map(|cell| cell.text.as_str()).collect();
            format!("{mark}{}", cells.join("|"))
        })
        .collect()
    };
    document.nodes.iter().filter(|node| node.kind == NodeKind::Table).map(|table| rows(table.id)).collect()
}

/// Texts at places across, a row of them at each height.
fn set(page: FixturePage, xs: &[i32], rows: &[(i32, &[&str])]) -> FixturePage {
    rows.iter().fold(page, |page, (y, texts)| {
        let filled = xs.iter().zip(*texts).filter(|(_, text)| !text.is_empty());
        filled.fold(page, |page, (x, text)| page.text('H', 10, *x, *y, text))
    })
}

const COLUMNS: [i32; 5] = [50, 90, 330, 400, 480];
const NAMES: &[&str] = &["Pos.", "Description", "Quantity", "Unit price", "Amount"];

#[test]
fn one_item_under_its_names_is_a_list() {
    let page = set(
        FixturePage::new().lines(50, 60, &[BODY]),
        &COLUMNS,
        &[
            (100, NAMES),
            (120, &["1", "Shaft seal", "2", "48.10", "96.20"]),
            (133, &["", "Serial number 48291-07"]),
            (146, &["", "Delivered on the second of March"]),
        ],
    );
    let page = page.lines(50, 220, &["Payable within thirty days."]);
    let document = read(&[page]).document;
    let item = "1|Shaft seal Serial number 48291-07 Delivered on the second of March|2|48.10|96.20";
    assert_eq!(tables(&document), [["#Pos.|Description|Quantity|Unit price|Amount", item]]);
    assert!(outline(&document).iter().any(|line| line.contains("Payable within")), "{:#?}", outline(&document));
}

#[test]
fn items_part_where_their_figures_do_and_the_sum_is_a_row() {
    let page = set(
        FixturePage::new().lines(50, 60, &[BODY]),
        &COLUMNS,
        &[
            (100, NAMES),
            (120, &["1", "Shaft seal", "2", "48.10", "96.20"]),
            (133, &["", "set of three"]),
            (180, &["2", "Bearing housing", "1", "300.00", "300.00"]),
            (193, &["", "cast"]),
            (230, &["", "", "", "Total", "396.20"]),
        ],
    );
    let rows = &tables(&read(&[page]).document)[0];
    let expected =
        ["1|Shaft seal set of three|2|48.10|96.20", "2|Bearing housing cast|1|300.00|300.00", "Total|396.20"];
    assert_eq!(rows[1..], expected);
}

#[test]
fn a_list_goes_on_over_the_page_without_its_names() {
    let first: &[(i32, &[&str])] =
        &[(700, NAMES), (720, &["1", "Shaft seal", "2", "48.10", "96.20"]), (733, &["", "set of three"])];
    let rest: &[(i32, &[&str])] =
        &[(90, &["2", "Bearing housing", "1", "300.00", "300.00"]), (110, &["", "", "", "Total", "396.20"])];
    let pages =
        [set(FixturePage::new().lines(50, 60, &[BODY]), &COLUMNS, first), set(FixturePage::new(), &COLUMNS, rest)];
    let document = read(&pages).document;
    let all = tables(&document);
    assert_eq!(all.len(), 1, "{all:#?}");
    assert_eq!(all[0][2..], ["2|Bearing housing|1|300.00|300.00", "Total|396.20"]);
}

#[test]
fn long_texts_under_a_caption_are_cells_and_not_columns() {
    let columns = [50, 170, 350];
    let rows: &[(i32, &[&str])] = &[
        (104, &["Fault", "Cause", "Remedy"]),
        (126, &["", "", "Measure the alignment and exchange"]),
        (132, &["Unusual noise", "Bearing damaged or shafts out"]),
        (138, &["", "", "the bearing on the drive side"]),
        (160, &["Pressure too low", "Suction filter is clogged", "Clean the filter and bleed the housing"]),
        (182, &["Oil leaks out", "The seal of the shaft is worn", "Exchange the seal of the shaft"]),
    ];
    let page = FixturePage::new().lines(50, 50, &[BODY, BODY]).text('H', 9, 50, 84, "Table 1: Faults");
    let page = set(page, &columns, rows).lines(50, 220, &[BODY, BODY]);
    let expected = [
        "Fault|Cause|Remedy",
        "Unusual noise|Bearing damaged or shafts out|Measure the alignment and exchange the bearing on the drive side",
        "Pressure too low|Suction filter is clogged|Clean the filter and bleed the housing",
        "Oil leaks out|The seal of the shaft is worn|Exchange the seal of the shaft",
    ];
    assert_eq!(tables(&read(&[page]).document), [expected]);
}

#[test]
fn addresses_and_contacts_are_no_tables() {
    let addresses: &[(i32, &[&str])] = &[
        (100, &["Invoice address", "Delivery address"]),
        (113, &["Orvel Works Ltd", "Orvel Works Ltd"]),
        (126, &["Mill Road 12", "Gate 4"]),
        (139, &["48291 Brookfield", "48300 Dornbach"]),
    ];
    let contacts: &[(i32, &[&str])] = &[
        (700, &["Orvel Works Ltd", "Tel. 4829 112", "Credit Bank", "HRB 48291"]),
        (712, &["Mill Road 12", "Fax 4829 113", "IBAN 4829 1123", "UST-ID 482911"]),
        (724, &["48291 Brookfield", "info@works.example", "BIC CRED4829", "www.works.example"]),
    ];
    let page = set(FixturePage::new().lines(50, 60, &[BODY]), &[50, 320], addresses).lines(50, 400, &[BODY, BODY]);
    let document = read(&[set(page, &[50, 180, 310, 440], contacts)]).document;
    assert_eq!(tables(&document), Vec::<Vec<String>>::new(), "{:#?}", outline(&document));
}

#[test]
fn a_sidebar_opens_no_section() {
    let narrow = "It is filled with oil of the grade named, up to the mark.";
    let page = FixturePage::new()
        .raw("0.9 g 400 60 160 740 re f 0 g")
        .text('B', 16, 50, 60, "Use")
        .lines(50, 90, &[narrow; 8])
        .text('B', 16, 50, 240, "Order")
        .lines(50, 270, &[narrow; 8])
        .text('B', 10, 410, 80, "At a glance")
        .lines(410, 95, &["Oil, gloves and a lamp", "A cloth without lint", "A tray for three litres", "Two bolts"]);
    let next = FixturePage::new().lines(50, 60, &["What is ordered comes in a week."]);
    let lines = outline(&read(&[page, next]).document);
    let order = lines.iter().position(|line| line == "H1 Order");
    let last = lines.iter().position(|line| line == "  Paragraph What is ordered comes in a week.");
    assert!(order.is_some() && order < last, "{lines:#?}");
    assert!(!lines.iter().any(|line| line.starts_with('H') && line.contains("glance")), "{lines:#?}");
    let glance = lines.iter().position(|line| line.contains("At a glance"));
    assert!(glance.is_some() && glance < order, "{lines:#?}");
}

#[test]
fn a_note_under_a_short_line_interrupts_nothing() {
    let first = FixturePage::new()
        .lines(50, 60, &[BODY, "1. Close the upper valve."])
        .rule((50, 740), (150, 740))
        .text('H', 8, 50, 752, "1Valid from the second of March.");
    let second = FixturePage::new().lines(50, 60, &["2. Open the lower valve."]);
    let document = read(&[first, second]).document;
    let lists = document.nodes.iter().filter(|node| matches!(node.kind, NodeKind::List { .. })).count();
    let notes = document.nodes.iter().filter(|node| node.kind == NodeKind::Footnote).count();
    assert_eq!((lists, notes), (1, 1), "{:#?}", outline(&document));
}

#[test]
fn upright_names_over_lines_name_columns() {
    let upright = |page: FixturePage, (x, text): (i32, &str)| {
        page.raw(&format!("BT /B 10 Tf 0 1 -1 0 {x} {} Tm ({text}) Tj ET", 842 - 138))
    };
    let names = [(204, "8 h"), (254, "50 h"), (304, "250 h"), (354, "1000 h")];
    let page = names.into_iter().fold(FixturePage::new().lines(50, 60, &[BODY]), upright);
    let page = [140, 160, 180, 200].into_iter().fold(page, |page, y| page.rule((50, y), (380, y)));
    let rows: &[(i32, &[&str])] = &[
        (154, &["Shaft seal", "X", "", "X", ""]),
        (174, &["Drain plug", "", "X", "", "X"]),
        (194, &["Guide rail", "X", "X", "X", "X"]),
    ];
    let page = set(page.text('B', 10, 52, 125, "Work"), &[52, 198, 248, 298, 348], rows).lines(50, 240, &[BODY]);
    let expected = ["#Work|8 h|50 h|250 h|1000 h", "Shaft seal|X||X|", "Drain plug||X||X", "Guide rail|X|X|X|X"];
    assert_eq!(tables(&read(&[page]).document), [expected]);
}

#[test]
fn names_printed_twice_over_are_two_tables() {
    let rows: &[(i32, &[&str])] = &[
        (100, &["Shift A", "Pieces", "Scrap", "Shift B", "Pieces", "Scrap"]),
        (114, &["L1", "482", "9.1", "L1", "112", "3.0"]),
        (128, &["L2", "483", "9.2", "L2", "113", "3.1"]),
        (142, &["L3", "484", "9.3", "L3", "114", "3.2"]),
    ];
    let page = set(FixturePage::new().lines(50, 60, &[BODY]), &[50, 120, 190, 300, 370, 440], rows);
    let all = tables(&read(&[page]).document);
    assert_eq!(all.len(), 2, "{all:#?}");
    assert_eq!((all[0][0].as_str(), all[1][3].as_str()), ("#Shift A|Pieces|Scrap", "L3|114|3.2"));
}

#[test]
fn names_of_a_program_are_no_table() {
    let rows: &[(i32, &[&str])] = &[
        (100, &["net pump-on", "pump.run-cmd", "panel.out-04"]),
        (114, &["net pump-off", "pump.stop-cmd", "panel.out-05"]),
        (128, &["net pump-fast", "pump.fast-cmd", "panel.out-06"]),
        (142, &["net pump-slow", "pump.slow-cmd", "panel.out-07"]),
    ];
    let page = set(FixturePage::new().lines(50, 60, &[BODY]), &[50, 180, 320], rows);
    assert_eq!(tables(&read(&[page]).document).len(), 0);
}
