//! HTML tables to rows and cells, and tables that only arrange a page.

use super::{
    dom::{Data, Dom, DomId, Visitor},
    text,
};
use crate::{document::NodeKind, parse::writer::Writer};
use std::convert::Infallible;

/// Whether a table only arranges other content: it says so, has a single cell, or, without naming a column, holds
/// headings or forms, or a table in every third cell.
pub(super) fn is_layout(dom: &Dom, table: DomId) -> bool {
    if matches!(dom.attribute(table, "role"), Some("presentation" | "none")) {
        return true;
    }
    let mut survey = Survey { dom, table, n_cells: 0, n_tables: 0, names_columns: false, holds_parts: false };
    // The survey never stops the walk.
    let Ok(()) = dom.walk::<Infallible>(table, &mut survey);
    let Survey { n_cells, n_tables, names_columns, holds_parts, .. } = survey;
    n_cells <= 1 || (!names_columns && (holds_parts || n_tables * 3 >= n_cells))
}

/// Counts what a table holds, without a look into the tables inside it, so that nesting costs nothing.
struct Survey<'d> {
    dom: &'d Dom,
    table: DomId,
    n_cells: usize,
    n_tables: usize,
    names_columns: bool,
    holds_parts: bool,
}

impl Visitor<Infallible> for Survey<'_> {
    fn enter(&mut self, id: DomId) -> Result<bool, Infallible> {
        match self.dom.name(id) {
            "table" if id != self.table => {
                self.n_tables += 1;
                return Ok(false);
            }
            "td" => self.n_cells += 1,
            "th" => {
                self.n_cells += 1;
                self.names_columns = true;
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "pre" | "form" => self.holds_parts = true,
            _ => {}
        }
        Ok(true)
    }

    fn leave(&mut self, _id: DomId) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Writes a table, and after it the tables in its cells: their text stays in the cell, so that the row keeps all it
/// says, and is also a table, whose rows know their own header. What nests deeper is text alone, or a file of nested
/// tables would be repeated at every level. O(n).
pub(super) fn write(writer: &mut Writer, dom: &Dom, table: DomId) {
    for nested in write_one(writer, dom, table) {
        write_one(writer, dom, nested);
    }
}

/// Writes a table and returns those in its cells.
fn write_one(writer: &mut Writer, dom: &Dom, table: DomId) -> Vec<DomId> {
    let mut nested = Vec::new();
    let caption = dom.children(table).find(|id| dom.name(*id) == "caption");
    let caption = caption.map(|id| text::of(dom, id)).unwrap_or_default();
    writer.open_as(NodeKind::Table, &caption, None);
    // A table of nothing but header cells has data in them below the first row.
    let mut in_head = true;
    let has_data = dom.subtree(table).any(|id| dom.name(id) == "td");
    for part in dom.children(table) {
        match dom.name(part) {
            "thead" | "tbody" | "tfoot" => {
                for row in dom.children(part).filter(|id| dom.name(*id) == "tr") {
                    in_head =
                        write_row(writer, dom, row, (in_head, dom.name(part) == "thead"), &mut nested) && has_data;
                }
            }
            "tr" => in_head = write_row(writer, dom, part, (in_head, false), &mut nested) && has_data,
            _ => {}
        }
    }
    writer.close();
    nested
}

/// Writes a row and returns whether the next one may still name columns: only rows above all data do.
/// `heads` are whether it may, and whether the source says that it does.
fn write_row(writer: &mut Writer, dom: &Dom, row: DomId, heads: (bool, bool), nested: &mut Vec<DomId>) -> bool {
    let (in_head, is_head) = heads;
    if writer.is_full() || text::is_hidden(dom, row) {
        return in_head;
    }
    let cells: Vec<DomId> = dom.children(row).filter(|id| matches!(dom.name(*id), "td" | "th")).collect();
    if cells.is_empty() {
        return in_head;
    }
    let names_all = cells.iter().all(|cell| dom.name(*cell) == "th" || is_bold(dom, *cell));
    let header = is_head || (in_head && names_all && cells.len() > 1);
    if let Some(anchor) = dom.attribute(row, "id") {
        writer.anchor(anchor);
    }
    writer.open_as(NodeKind::Row { header }, "", None);
    for cell in cells {
        let span = |name: &str, most: u16| {
            let span = dom.attribute(cell, name).and_then(|value| value.trim().parse::<u16>().ok());
            span.unwrap_or(1).clamp(1, most)
        };
        let kind = NodeKind::Cell {
            header: header || dom.name(cell) == "th",
            // The bounds of the HTML standard.
            colspan: span("colspan", 1000),
            rowspan: span("rowspan", 65_534),
        };
        let (text, mut tables) = text::of_cell(dom, cell);
        nested.append(&mut tables);
        writer.leaf(kind, &text, None);
    }
    writer.close();
    header
}

/// Whether a cell's whole text is bold: how headers look where nobody marked them.
fn is_bold(dom: &Dom, cell: DomId) -> bool {
    let bold = |id: DomId| matches!(dom.name(id), "b" | "strong");
    let mut any = false;
    for id in dom.subtree(cell) {
        if let Data::Text(part) = dom.data(id)
            && !part.trim().is_empty()
        {
            let mut above = std::iter::successors(dom.parent(id), |id| dom.parent(*id)).take_while(|id| *id != cell);
            if !above.any(bold) {
                return false;
            }
            any = true;
        }
    }
    any
}
