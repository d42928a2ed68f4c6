//! Reads the competition's `*-str.xml`: tables, their regions on pages, their cells. Not an XML reader: the files have
//! elements, attributes and the five entities, nothing else.

use super::grid::{Cell, Grid};

/// The tables of one file, one for each region.
pub(super) fn read(xml: &str) -> Vec<Grid> {
    let mut grids: Vec<Grid> = Vec::new();
    let mut cell: Option<Cell> = None;
    for tag in xml.split('<').skip(1) {
        let Some((tag, text)) = tag.split_once('>') else { continue };
        let number = |name: &str| attribute(tag, name).and_then(|value| value.trim().parse::<usize>().ok());
        match tag.split(|c: char| c.is_whitespace() || c == '/').next().unwrap_or_default() {
            "region" => {
                let page = number("page").and_then(|page| u32::try_from(page).ok()).unwrap_or(0);
                grids.push(Grid { page, cells: Vec::new() });
            }
            "cell" => {
                let (row, column) = (number("start-row").unwrap_or(0), number("start-col").unwrap_or(0));
                let last_row = number("end-row").unwrap_or(row).max(row);
                let last_column = number("end-col").unwrap_or(column).max(column);
                cell = Some(Cell { row, column, last_row, last_column, text: String::new() });
            }
            "content" => {
                if let Some(mut cell) = cell.take()
                    && let Some(grid) = grids.last_mut()
                {
                    cell.text = unescape(text);
                    grid.cells.push(cell);
                }
            }
            _ => {}
        }
    }
    grids
}

fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let at = tag.find(&format!(" {name}="))?;
    let value = tag.get(at + name.len() + 2..)?;
    let quote = value.chars().next()?;
    value.get(1..)?.split(quote).next()
}

fn unescape(text: &str) -> String {
    const ENTITIES: [(&str, &str); 5] =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    ENTITIES.iter().fold(text.to_owned(), |text, (entity, character)| text.replace(entity, character))
}
