//! XLSB: Excel's binary workbooks since 2007 (MS-XLSB), the parts of an XLSX as records.
//!
//! Not for the texts of formulas, which are stored as code: their values are.

mod extras;
mod records;
mod sheet;

use super::{
    MAX_SHEETS, MAX_TEXT_BYTES, SheetInfo, Workbook,
    bytes::Fields,
    grid::Look,
    shorten,
    styles::{MAX_STYLES, Styles},
    xlsx::{Relation, relations},
};
use crate::parse::{ParseError, package::Package};
use records::{Records, text};
use std::collections::BTreeMap;

/// What the sheets of a workbook share.
struct Shared {
    styles: Styles,
    strings: Vec<String>,
}

/// Reads all sheets.
///
/// # Errors
/// [`ParseError::Damaged`] and [`ParseError::Cancelled`].
pub(super) fn read(bytes: &[u8], workbook: &mut Workbook<'_>) -> Result<(), ParseError> {
    let mut package = Package::open(bytes)?;
    let main = relations(&mut package, "").into_values().find(|relation| relation.kind == "officeDocument");
    let main = main.map_or_else(|| "xl/workbook.bin".to_owned(), |relation| relation.target);
    let content = package.part(&main)?;
    let content = content.ok_or_else(|| ParseError::Damaged { detail: format!("its part {main} is missing") })?;
    let relations = relations(&mut package, &main);
    let mut common = |kind: &str| part(&mut package, relations.values().find(|relation| relation.kind == kind));
    let styles = common("styles").map(|content| styles(&content)).unwrap_or_default();
    let mut shared = Shared { styles, strings: Vec::new() };
    if let Some(content) = common("sharedStrings") {
        let is_read;
        (shared.strings, is_read) = shared_strings(&content);
        if !is_read {
            workbook.damaged.push("the list of texts".to_owned());
        }
    }
    let mut n_sheets = 0;
    for (kind, bytes) in Records::new(&content) {
        let mut fields = Fields::new(bytes);
        match kind {
            // The workbook's properties.
            153 => shared.styles.is_1904 = fields.u32().is_some_and(|flags| flags & 1 != 0),
            // A sheet.
            156 if n_sheets < MAX_SHEETS => {
                n_sheets += 1;
                let Some((info, id)) = sheet_info(fields) else { continue };
                match relations.get(&id).filter(|relation| relation.kind == "worksheet") {
                    Some(relation) if !workbook.parts.insert(relation.target.clone()) => {
                        workbook.damaged.push(info.name)
                    }
                    Some(relation) => sheet::read(&mut package, relation, &shared, info, workbook)?,
                    None => continue,
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// A part that something refers to; one that cannot be unpacked counts as absent.
fn part(package: &mut Package<'_>, relation: Option<&Relation>) -> Option<Vec<u8>> {
    package.part(&relation?.target).ok().flatten()
}

/// A sheet's name and state, and the id by which its part is found.
fn sheet_info(mut fields: Fields<'_>) -> Option<(SheetInfo, String)> {
    let state = fields.u32()?;
    fields.u32()?;
    let (id, name) = (text(&mut fields)?, text(&mut fields)?);
    Some((SheetInfo { name, is_hidden: state != 0 }, id))
}

fn styles(content: &[u8]) -> Styles {
    let (mut codes, mut fonts, mut fills, mut borders) = (BTreeMap::new(), Vec::new(), Vec::new(), Vec::new());
    let mut cells: Vec<(u32, [usize; 3])> = Vec::new();
    let mut in_cells = false;
    for (kind, bytes) in Records::new(content) {
        let mut fields = Fields::new(bytes);
        match kind {
            44 => {
                if let (Some(id), Some(code)) = (fields.u16(), text(&mut fields)) {
                    codes.insert(u32::from(id), code);
                }
            }
            43 => fonts.push(fields.take(4).and_then(|_| fields.u16()).is_some_and(|weight| weight >= 600)),
            // No pattern, and the two that every file begins with, are no ground.
            45 => fills.push(fields.u32().is_some_and(|pattern| pattern == 1 || (3..17).contains(&pattern))),
            46 => borders.push(bytes.iter().skip(1).step_by(10).take(4).any(|line| *line != 0)),
            617 => in_cells = true,
            618 => in_cells = false,
            47 if in_cells && cells.len() < MAX_STYLES => {
                let mut next = || fields.u16().unwrap_or(0);
                let (_, format) = (next(), next());
                cells.push((u32::from(format), [next(), next(), next()].map(usize::from)));
            }
            _ => {}
        }
    }
    let flag = |flags: &[bool], at: usize| flags.get(at).copied().unwrap_or(false);
    let look = |[font, fill, border]: [usize; 3]| Look {
        bold: flag(&fonts, font),
        filled: flag(&fills, fill),
        framed: flag(&borders, border),
    };
    Styles::collect(&codes, cells.into_iter().map(|(format, parts)| (format, look(parts))))
}

/// The texts that cells refer to by number, and whether all were read.
fn shared_strings(content: &[u8]) -> (Vec<String>, bool) {
    let (mut strings, mut n_bytes) = (Vec::new(), 0);
    for (kind, bytes) in Records::new(content) {
        if kind != 19 {
            continue;
        }
        let mut fields = Fields::new(bytes);
        let mut string = fields.u8().and_then(|_| text(&mut fields)).unwrap_or_default();
        shorten(&mut string);
        n_bytes += string.len() + size_of::<String>();
        if n_bytes > MAX_TEXT_BYTES {
            return (strings, false);
        }
        strings.push(string);
    }
    (strings, true)
}
