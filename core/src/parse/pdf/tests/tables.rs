//! Tables of every kind, each on a page of its own.

use super::{FixturePage, find, read};
use crate::document::{Document, NodeKind, facts};

/// The rows of the only table: cells as printed, spans as `text<columns x rows>`, header rows with `#` before them.
fn rows(document: &Document) -> Vec<String> {
    let tables: Vec<_> = document.nodes.iter().filter(|node| node.kind == NodeKind::Table).collect();
    let [table] = tables[..] else { panic!("one table, not {}: {:#?}", tables.len(), super::outline(document)) };
    let rows = document.children(table.id).filter(|node| matches!(node.kind, NodeKind::Row { .. }));
    rows.map(|row| {
        let cells = document.children(row.id).map(|cell| match cell.kind {
            NodeKind::Cell { colspan: 1, rowspan: 1, .. } => cell.text.clone(),
            NodeKind::Cell { colspan, rowspan, .. } => format!("{}<{colspan}x{rowspan}>", cell.text),
            _ => panic!("a row holds cells: {cell:?}"),
        });
        let mark = if row.kind == (NodeKind::Row { header: true }) { "#" } else { "" };
        format!("{mark}{}", cells.collect::<Vec<_>>().join("|"))
    })
    .collect()
}

/// Texts at places, a row of them at each height.
fn set(page: FixturePage, xs: &[i32], rows: &[(i32, &[&str])]) -> FixturePage {
    rows.iter().fold(page, |page, (y, texts)| {
        let filled = xs.iter().zip(*texts).filter(|(_, text)| !text.is_empty());
        filled.fold(page, |page, (x, text)| page.text('H', 10, *x, *y, text))
    })
}

fn across(page: FixturePage, from: i32, to: i32, ys: &[i32]) -> FixturePage {
    ys.iter().fold(page, |page, y| page.rule((from, *y), (to, *y)))
}

fn down(page: FixturePage, from: i32, to: i32, xs: &[i32]) -> FixturePage {
    xs.iter().fold(page, |page, x| page.rule((*x, from), (*x, to)))
}

const PROSE: &str = "The following is read before the machine is switched on, and kept with it as long as it lasts.";

fn page() -> FixturePage {
    FixturePage::new().lines(50, 50, &[PROSE])
}

#[test]
fn rows_that_wrap_between_lines_are_one() {
    let page = set(
        page(),
        &[55, 155],
        &[
            (95, &["Fault", "What to do about it"]),
            (115, &["Pump does not", "Open the upper valve and wait until no"]),
            (127, &["start", "more air comes out of the pipe, then"]),
            (139, &["", "start it again."]),
            (159, &["Pump leaks", "Exchange the seal."]),
        ],
    );
    let page = down(across(page, 50, 350, &[80, 100, 145, 165]), 80, 165, &[50, 150, 350]);
    let expected = [
        "Fault|What to do about it",
        "Pump does not start|Open the upper valve and wait until no more air comes out of the pipe, then start it again.",
        "Pump leaks|Exchange the seal.",
    ];
    assert_eq!(rows(&read(&[page]).document), expected);
}

#[test]
fn rows_between_lines_that_hold_several_are_parted() {
    // Lines around the body, none in it: as in many invoices.
    let page = set(
        page(),
        &[55, 155, 255],
        &[
            (95, &["Part", "Number", "Price"]),
            (115, &["Seal", "48291", "4.10"]),
            (127, &["Valve", "48300", "12.00"]),
            (139, &["Shaft", "51", "80.25"]),
        ],
    );
    let page = down(across(page, 50, 350, &[80, 100, 145]), 80, 145, &[50, 150, 250, 350]);
    let expected = ["#Part|Number|Price", "Seal|48291|4.10", "Valve|48300|12.00", "Shaft|51|80.25"];
    assert_eq!(rows(&read(&[page]).document), expected);
}

#[test]
fn a_line_under_the_names_is_enough() {
    let page = set(
        page(),
        &[55, 200, 300],
        &[
            (95, &["Bolt", "Class", "Torque"]),
            (111, &["M6", "8.8", "10"]),
            (125, &["M8", "8.8", "25"]),
            (139, &["M10", "10.9", "70"]),
        ],
    );
    let expected = ["#Bolt|Class|Torque", "M6|8.8|10", "M8|8.8|25", "M10|10.9|70"];
    let document = read(&[across(page.clone(), 50, 350, &[99])]).document;
    assert_eq!(rows(&document), expected);
    // And with lines over and under all of it.
    assert_eq!(rows(&read(&[across(page, 50, 350, &[80, 99, 145])]).document), expected);
}

#[test]
fn stripes_part_rows_as_lines_do() {
    let shade = |page: FixturePage, y: i32, height: i32| {
        page.raw(&format!("0.9 g 50 {} 300 {height} re f 0 g", 842 - y - height))
    };
    let page = [80, 124, 180].into_iter().zip([16, 28, 16]).fold(page(), |page, (y, height)| shade(page, y, height));
    let page = set(
        page,
        &[55, 155],
        &[
            (92, &["Fault", "What to do about it"]),
            (108, &["Pump does not", "Open the upper valve and wait until no"]),
            (120, &["start", "more air comes out."]),
            (136, &["Pump leaks", "Exchange the seal by a new one of the"]),
            (148, &["", "same size and fill it."]),
            (164, &["Pump hums", "Exchange two of the phases at the"]),
            (176, &["", "terminal box."]),
            (192, &["Pump is hot", "Let it cool."]),
        ],
    );
    let rows = rows(&read(&[page]).document);
    assert_eq!(rows.len(), 5, "{rows:#?}");
    assert_eq!(rows[1], "Pump does not start|Open the upper valve and wait until no more air comes out.");
    assert_eq!(rows[4], "Pump is hot|Let it cool.");
}

#[test]
fn rows_that_wrap_without_lines_are_one() {
    let page = set(
        page(),
        &[50, 150, 400],
        &[
            (90, &["Pump leaks", "The seal is worn: exchange it by a new one of", "10 min"]),
            (102, &["", "the same size.", ""]),
            (120, &["Pump does not", "A phase is missing, or two are exchanged: let", "1 h"]),
            (132, &["start at all", "an electrician look at it.", ""]),
            (150, &["Pump hums", "The bearing is worn.", "2 h"]),
        ],
    );
    let expected = [
        "Pump leaks|The seal is worn: exchange it by a new one of the same size.|10 min",
        "Pump does not start at all|A phase is missing, or two are exchanged: let an electrician look at it.|1 h",
        "Pump hums|The bearing is worn.|2 h",
    ];
    assert_eq!(rows(&read(&[page]).document), expected);
}

#[test]
fn cells_set_in_the_middle_of_their_row_stay_in_it() {
    let page = set(
        page(),
        &[50, 150, 400],
        &[
            (96, &["Pump leaks", "", "10"]),
            (90, &["", "The seal is worn: exchange it by a new one of", ""]),
            (102, &["", "the same size.", ""]),
            (126, &["Pump hums", "", "25"]),
            (120, &["", "The bearing is worn: have it exchanged by the", ""]),
            (132, &["", "maker of the pump.", ""]),
            (150, &["Pump is hot", "Let it cool.", "30"]),
        ],
    );
    let expected = [
        "Pump leaks|The seal is worn: exchange it by a new one of the same size.|10",
        "Pump hums|The bearing is worn: have it exchanged by the maker of the pump.|25",
        "Pump is hot|Let it cool.|30",
    ];
    assert_eq!(rows(&read(&[page]).document), expected);
}

#[test]
fn names_of_groups_of_columns_span_them() {
    let page = set(
        page(),
        &[50, 175, 150, 220, 290],
        &[
            (90, &["", "Torque", "", "", ""]),
            (106, &["Bolt", "", "dry", "oiled", "Class"]),
            (122, &["M6", "", "10.1", "8.4", "8.8"]),
            (136, &["M8", "", "24.6", "20.5", "8.8"]),
            (150, &["M10", "", "48.0", "40.2", "10.9"]),
        ],
    );
    // Lines as in books: over all, under the group's name, under the names, under all.
    let page = across(across(page, 45, 330, &[78, 110, 156]), 145, 250, &[94]);
    let document = read(&[page]).document;
    let expected = [
        "#Bolt<1x2>|Torque<2x1>|Class<1x2>",
        "#dry|oiled",
        "M6|10.1|8.4|8.8",
        "M8|24.6|20.5|8.8",
        "M10|48.0|40.2|10.9",
    ];
    assert_eq!(rows(&document), expected);
    let chunks = crate::chunk::chunk(&document);
    assert!(chunks.iter().any(|chunk| chunk.text.contains("Bolt | Torque | Class")), "{chunks:#?}");
}

#[test]
fn names_of_groups_of_rows_stand_in_the_table() {
    let page = set(
        page(),
        &[50, 200, 300],
        &[
            (90, &["Part", "Number", "Price"]),
            (106, &["Hydraulics", "", ""]),
            (120, &["Seal", "48291", "4.10"]),
            (134, &["Valve", "48300", "12.00"]),
            (148, &["Drive", "", ""]),
            (162, &["Shaft", "51", "80.25"]),
            (176, &["Bearing", "52", "18.00"]),
        ],
    );
    let expected = [
        "#Part|Number|Price",
        "Hydraulics||",
        "Seal|48291|4.10",
        "Valve|48300|12.00",
        "Drive||",
        "Shaft|51|80.25",
        "Bearing|52|18.00",
    ];
    assert_eq!(rows(&read(&[page]).document), expected);
}

#[test]
fn a_table_without_lines_goes_on_under_its_header_on_the_next_page() {
    let part = |page: FixturePage, y: i32, prices: &[(&str, &str)]| {
        let page = set(page, &[50, 150, 300], &[(y, &["Part", "Supplier", "Price"])]).rule((50, y + 4), (350, y + 4));
        let rows = prices.iter().zip(1..);
        rows.fold(page, |page, ((part, price), row)| {
            set(page, &[50, 150, 300], &[(y + 14 * row + 4, &[part, "Maker", price])])
        })
    };
    let first =
        part(page().lines(50, 80, &["Table 3: Prices"]), 100, &[("Seal", "4.10"), ("Valve", "12.00"), ("Nut", "1.00")]);
    let again = FixturePage::new().lines(50, 80, &["Table 3: Prices (continued)"]);
    let second = part(again, 100, &[("Extension piece", "180.25"), ("Bearing", "1.00"), ("Cap", "2.00")]);
    let document = read(&[first, second]).document;
    let expected = [
        "#Part|Supplier|Price",
        "Seal|Maker|4.10",
        "Valve|Maker|12.00",
        "Nut|Maker|1.00",
        "Extension piece|Maker|180.25",
        "Bearing|Maker|1.00",
        "Cap|Maker|2.00",
    ];
    assert_eq!(rows(&document), expected);
    let table = document.nodes.iter().find(|node| node.kind == NodeKind::Table).unwrap();
    assert_eq!(table.text, "Table 3: Prices");
    assert_eq!(table.boxes.iter().map(|place| place.page).collect::<Vec<_>>(), [1, 1, 2], "caption and both parts");
    assert_eq!(find(&document, "Bearing").boxes[0].page, 2);
}

#[test]
fn a_caption_below_is_the_tables_too() {
    let page = set(
        page(),
        &[50, 200],
        &[(90, &["Bolt", "Torque"]), (104, &["M6", "10"]), (118, &["M8", "25"]), (132, &["M10", "48"])],
    );
    let document = read(&[page.lines(50, 156, &["Table 4: Torques of bolts"])]).document;
    let table = document.nodes.iter().find(|node| node.kind == NodeKind::Table).unwrap();
    assert_eq!((table.text.as_str(), table.boxes.len()), ("Table 4: Torques of bolts", 2));
    assert!(!document.nodes.iter().any(|node| node.kind == NodeKind::Caption));
}

#[test]
fn totals_and_units_are_told() {
    let page = set(
        page(),
        &[50, 150, 250, 350],
        &[
            (90, &["Part", "Length (mm)", "Mass [kg]", "Price in EUR"]),
            (106, &["Rail", "200", "1.4", "10.00"]),
            (120, &["Pipe", "350", "0.8", "4.50"]),
            (134, &["Rod", "80", "350 g", "1.20"]),
            (150, &["Total", "630", "2.55", "15.70"]),
        ],
    );
    let document = read(&[across(page, 45, 420, &[78, 94, 138, 156])]).document;
    let unit = |text: &str| find(&document, text).metadata.get(facts::UNIT).map(String::as_str);
    assert_eq!(
        [unit("200"), unit("0.8"), unit("350 g"), unit("4.50")],
        [Some("mm"), Some("kg"), Some("g"), Some("EUR")]
    );
    assert_eq!(unit("Rail"), None, "names have no unit");
    let totals = document.nodes.iter().filter(|node| node.metadata.contains_key(facts::TOTAL));
    let totals: Vec<_> = totals.map(|row| document.children(row.id).next().unwrap().text.clone()).collect();
    assert_eq!(totals, ["Total"]);
}

#[test]
fn names_that_run_upwards_are_in_the_header() {
    let page = set(page(), &[55, 155, 195], &[(175, &["Drive A", "yes", "no"]), (195, &["Drive B", "no", "yes"])]);
    // Upwards from 5 points over the lower line of the header.
    let page = page
        .text('H', 10, 55, 155, "Machine")
        .raw("BT /H 10 Tf 0 1 -1 0 170 687 Tm (Emergency stop) Tj ET")
        .raw("BT /H 10 Tf 0 1 -1 0 205 687 Tm (Light) Tj ET BT /H 10 Tf 0 1 -1 0 217 687 Tm (curtain) Tj ET");
    let page = down(across(page, 50, 230, &[70, 160, 180, 200]), 70, 200, &[50, 150, 190, 230]);
    let document = read(&[page]).document;
    let rows = rows(&document);
    assert_eq!(rows[0].trim_start_matches('#'), "Machine|Emergency stop|Light curtain");
    assert_eq!(rows[1..], ["Drive A|yes|no", "Drive B|no|yes"]);
}

#[test]
fn what_is_no_table_is_none() {
    let none = |page: FixturePage| {
        let document = read(&[page]).document;
        assert!(!document.nodes.iter().any(|node| node.kind == NodeKind::Table), "{:#?}", super::outline(&document));
    };
    let left = super::LEFT;
    let right = super::RIGHT;
    none(FixturePage::new().lines(50, 100, &left).lines(310, 100, &right));
    // Lines over and under the columns of a page do not make them one.
    let framed = across(FixturePage::new().lines(50, 100, &left).lines(310, 100, &right), 50, 560, &[80, 160]);
    none(framed);
    none(FixturePage::new().lines(50, 100, &["ball nut, 59", "ball screw, 59", "CNC, 59", "comp, 60"]).lines(
        310,
        100,
        &["jog, 60", "kinematics, 61", "lead screw, 61", "loop, 62"],
    ));
    none(across(
        FixturePage::new().text('B', 14, 50, 100, "A title between lines").lines(50, 120, &[PROSE, PROSE]),
        50,
        500,
        &[80, 150],
    ));
    let headings = [("4", "Empirical strategies"), ("4.1", "Who is affected by losses"), ("4.1.1", "Model to test it")];
    let headings = headings.into_iter().zip(0..).fold(
        FixturePage::new().lines(50, 200, &[PROSE]),
        |page, ((number, title), row)| {
            page.text('B', 10, 50, 100 + 24 * row, number).text('B', 10, 90, 100 + 24 * row, title)
        },
    );
    none(headings);
    let chart = (0..6).fold(FixturePage::new(), |page, row| {
        let tick = (500 - 100 * row).to_string();
        page.text('H', 10, 50, 100 + 20 * row, &tick).text('H', 10, 300, 100 + 20 * row, &tick)
    });
    none(chart);
    let letter = FixturePage::new()
        .lines(50, 100, &["Works of Pumps Ltd", "Long Street 32", "12345 Town on Sea"])
        .lines(350, 100, &["Our letter of 3 May", "Mrs Smith speaks to you", "by telephone 1234"]);
    none(letter);
}
