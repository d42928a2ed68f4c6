//! What stands beside a worksheet in parts of its own: tables, remarks, charts and pictures.

use super::{Relation, relations, rich_text};
use crate::{
    document::CellRange,
    parse::{
        package::Package,
        sheets::{
            grid::{DeclaredTable, Grid, GridComment, GridFigure},
            part, reference, short_name,
            xml::{Item, Xml},
        },
    },
};
use std::collections::{BTreeMap, BTreeSet};

/// Remarks, tables and drawings of one sheet beyond this are left out.
const MAX_EXTRAS: usize = 10_000;

/// The names of those who remarked something, by id.
pub(super) fn people(package: &mut Package<'_>, relations: &BTreeMap<String, Relation>) -> BTreeMap<String, String> {
    let mut people = BTreeMap::new();
    for relation in relations.values().filter(|relation| relation.kind == "person") {
        let Some((text, _)) = part(package, &relation.target) else { continue };
        let mut xml = Xml::new(&text);
        while let Some(tag) = xml.next_open() {
            if let (Some(id), Some(name)) = (tag.attr("id"), tag.attr("displayName")) {
                people.insert(id, short_name(name));
            }
        }
    }
    people
}

/// Adds to a sheet what its parts say.
pub(super) fn add(
    package: &mut Package<'_>,
    relations: &BTreeMap<String, Relation>,
    people: &BTreeMap<String, String>,
    grid: &mut Grid,
) {
    let mut threaded = BTreeSet::new();
    for relation in relations.values().take(MAX_EXTRAS).filter(|relation| relation.kind == "threadedComment") {
        if let Some((text, _)) = part(package, &relation.target) {
            threads(&text, people, grid, &mut threaded);
        }
    }
    for relation in relations.values().take(MAX_EXTRAS) {
        match relation.kind.as_str() {
            "table" => {
                let content = part(package, &relation.target);
                grid.tables.extend(content.and_then(|(text, _)| table(&text)));
            }
            "comments" => {
                if let Some((text, _)) = part(package, &relation.target) {
                    comments(&text, grid, &threaded);
                }
            }
            "drawing" => drawing_part(package, &relation.target, grid),
            _ => {}
        }
    }
}

/// Adds what a drawing shows, in the order of its places.
pub(in super::super) fn drawing_part(package: &mut Package<'_>, name: &str, grid: &mut Grid) {
    if let Some((text, _)) = part(package, name) {
        drawing(package, name, &text, grid);
    }
    grid.figures.sort_by_key(|figure| (figure.cells.first_row, figure.cells.first_column));
}

/// `xl/tables/table1.xml`: where a table stands and which of its rows are header and totals.
fn table(text: &str) -> Option<DeclaredTable> {
    let mut xml = Xml::new(text);
    let tag = std::iter::from_fn(|| xml.next_open()).find(|tag| tag.name() == "table")?;
    Some(DeclaredTable {
        name: tag.attr("displayName").or_else(|| tag.attr("name")).unwrap_or_default(),
        cells: reference::range(&tag.attr("ref")?)?,
        n_header_rows: tag.number("headerRowCount").unwrap_or(1),
        n_total_rows: tag.number("totalsRowCount").unwrap_or(0),
    })
}

/// Remarks in the form of before 2018. Where there is a thread, they only repeat it for older programs.
fn comments(text: &str, grid: &mut Grid, threaded: &BTreeSet<(u32, u32)>) {
    let mut xml = Xml::new(text);
    let mut authors: Vec<String> = Vec::new();
    while let Some(tag) = xml.next_open() {
        match tag.name() {
            "author" => authors.push(short_name(xml.text_inside("author", &[]))),
            "comment" => {
                let place = tag.attr("ref").and_then(|name| reference::cell(&name));
                let author = tag.number::<usize>("authorId").and_then(|at| authors.get(at)).cloned();
                let text = rich_text(&mut xml, "comment");
                let author = author.unwrap_or_default();
                // Excel writes the author's name in bold above the remark.
                let text = text.trim().strip_prefix(&format!("{author}:")).unwrap_or(&text).trim();
                let Some((row, column)) = place.filter(|place| !threaded.contains(place)) else { continue };
                if !text.is_empty() && grid.comments.len() < MAX_EXTRAS {
                    grid.comments.push(GridComment { row, column, author, text: text.to_owned() });
                }
            }
            _ => {}
        }
    }
}

/// Remarks with answers.
fn threads(text: &str, people: &BTreeMap<String, String>, grid: &mut Grid, threaded: &mut BTreeSet<(u32, u32)>) {
    let mut xml = Xml::new(text);
    while let Some(tag) = xml.next_open() {
        if tag.name() != "threadedComment" {
            continue;
        }
        let place = tag.attr("ref").and_then(|name| reference::cell(&name));
        let author = tag.attr("personId").and_then(|id| people.get(&id)).cloned().unwrap_or_default();
        let text = xml.text_inside("threadedComment", &["mentions", "extLst"]);
        let (Some((row, column)), text) = (place, text.trim()) else { continue };
        threaded.insert((row, column));
        if !text.is_empty() && grid.comments.len() < MAX_EXTRAS {
            grid.comments.push(GridComment { row, column, author, text: text.to_owned() });
        }
    }
}

/// Charts with their titles and series, pictures with their alternative texts.
fn drawing(package: &mut Package<'_>, name: &str, text: &str, grid: &mut Grid) {
    let relations = relations(package, name);
    let mut xml = Xml::new(text);
    let mut numbers: Vec<u32> = Vec::new();
    let mut alt = String::new();
    let mut chart = None;
    while let Some(item) = xml.next() {
        match item {
            Item::Open(tag) => match tag.name() {
                "twoCellAnchor" | "oneCellAnchor" | "absoluteAnchor" => {
                    numbers.clear();
                    alt.clear();
                    chart = None;
                }
                name @ ("row" | "col") => {
                    let name = name.to_owned();
                    numbers.extend(xml.text_inside(&name, &[]).trim().parse::<u32>());
                }
                "cNvPr" => alt = tag.attr("descr").or_else(|| tag.attr("title")).unwrap_or_default(),
                "chart" => chart = tag.attr("id").and_then(|id| relations.get(&id)),
                _ => {}
            },
            Item::Close(tag) if tag.name().ends_with("Anchor") && grid.figures.len() < MAX_EXTRAS => {
                let cells = match numbers.as_slice() {
                    [column, row, last_column, last_row, ..] if reference::exists(*last_row, *last_column) => {
                        CellRange {
                            first_row: *row.min(last_row),
                            first_column: *column.min(last_column),
                            last_row: *last_row,
                            last_column: *last_column,
                        }
                    }
                    [column, row, ..] if reference::exists(*row, *column) => CellRange::cell(*row, *column),
                    _ => CellRange::cell(0, 0),
                };
                let charted = chart.and_then(|relation| part(package, &relation.target));
                let (title, series) = charted.map(|(text, _)| chart_text(&text)).unwrap_or_default();
                let text = if alt.trim().is_empty() { series } else { alt.trim().to_owned() };
                grid.figures.push(GridFigure { cells, text, title });
            }
            _ => {}
        }
    }
}

/// The title of a chart, and what its series are called.
fn chart_text(text: &str) -> (String, String) {
    let mut xml = Xml::new(text);
    let (mut title, mut series): (String, Vec<String>) = (String::new(), Vec::new());
    let mut path: Vec<String> = Vec::new();
    while let Some(item) = xml.next() {
        match item {
            Item::Open(tag) if path.len() < 64 => path.push(tag.name().to_owned()),
            Item::Close(tag) => {
                if let Some(at) = path.iter().rposition(|open| open == tag.name()) {
                    path.truncate(at);
                }
            }
            Item::Text(part) => {
                let inside = |name: &str| path.iter().any(|open| open == name);
                let last = path.last().map_or("", String::as_str);
                if inside("title")
                    && !inside("valAx")
                    && !inside("catAx")
                    && !inside("dateAx")
                    && matches!(last, "t" | "v")
                {
                    title.push_str(&part);
                } else if inside("ser") && inside("tx") && last == "v" && series.len() < 64 {
                    series.push(part.trim().to_owned());
                }
            }
            Item::Open(_) => {}
        }
    }
    (title.trim().to_owned(), series.join(", "))
}
