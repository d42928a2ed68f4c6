//! XLS: Excel's workbooks from 5.0 to 2003 (MS-XLS), records in a stream of a compound file.
//!
//! Not for the texts of formulas, which are stored as code: their values are.

mod records;
mod sheet;

use super::{
    MAX_SHEETS, MAX_TEXT_BYTES, SheetInfo, Workbook,
    bytes::Fields,
    grid::Look,
    styles::{MAX_STYLES, Styles},
};
use crate::parse::{ParseError, compound::Compound, protected::rc4};
use records::{Record, Records, Texts, shared_strings};
use std::collections::{BTreeMap, BTreeSet};

/// What the sheets of a workbook share.
struct Shared {
    styles: Styles,
    strings: Vec<String>,
    texts: Texts,
}

/// Where a sheet begins, and what is said of it in front.
struct SheetPlace {
    offset: usize,
    info: SheetInfo,
    /// Neither a chart nor a macro.
    has_cells: bool,
}

/// Reads all sheets.
///
/// # Errors
/// [`ParseError::Damaged`], [`ParseError::Password`] or [`ParseError::WrongPassword`], and [`ParseError::Cancelled`].
pub(super) fn read(bytes: &[u8], password: Option<&str>, workbook: &mut Workbook<'_>) -> Result<(), ParseError> {
    let damaged = |detail: &str| ParseError::Damaged { detail: detail.to_owned() };
    let file = Compound::open(bytes).ok_or_else(|| damaged("its directory cannot be read"))?;
    let stream = file.stream("Workbook").or_else(|| file.stream("Book"));
    let mut stream = stream.ok_or_else(|| damaged("its workbook is missing"))?;
    rc4::decrypt(&mut stream, password)?;
    workbook.unpacked(stream.len());
    let (shared, places) = globals(&stream, workbook)?;
    let mut offsets = BTreeSet::new();
    for place in places {
        // Two sheets never begin at one place.
        if place.has_cells && offsets.insert(place.offset) {
            sheet::read(&stream, place, &shared, workbook)?;
        }
    }
    Ok(())
}

/// The records in front of the sheets.
fn globals(stream: &[u8], workbook: &mut Workbook<'_>) -> Result<(Shared, Vec<SheetPlace>), ParseError> {
    let mut texts = Texts { is_wide: true, encoding: encoding_rs::WINDOWS_1252 };
    let (mut strings, mut places, mut codes) = (Vec::new(), Vec::new(), BTreeMap::new());
    let (mut fonts, mut formats, mut is_1904) = (Vec::new(), Vec::new(), false);
    for record in Records::new(stream, 0) {
        let mut fields = Fields::new(record.bytes);
        match record.kind {
            // The beginning says the version: 0x600 is Excel 97.
            0x809 => texts.is_wide = fields.u16() >= Some(0x600),
            0x42 => texts.set_code_page(fields.u16().unwrap_or(1252)),
            0x22 => is_1904 = fields.u16() == Some(1),
            0x31 if fonts.len() < MAX_STYLES => fonts.push(is_bold(fields)),
            0x41e => {
                if let Some(id) = fields.u16()
                    && let Some(code) = texts.read(&mut fields, !texts.is_wide)
                {
                    codes.insert(u32::from(id), code);
                }
            }
            0xe0 if formats.len() < MAX_STYLES => formats.extend(style(fields, texts.is_wide)),
            0x85 if places.len() < MAX_SHEETS => places.extend(place(fields, texts)),
            0xfc => {
                let is_read;
                (strings, is_read) = shared_strings(&record, MAX_TEXT_BYTES);
                if !is_read {
                    workbook.damaged.push("the list of texts".to_owned());
                }
            }
            0x0a => break,
            _ => {}
        }
    }
    let bold = |font: u16| {
        // There is no font 4.
        let at = usize::from(if font > 4 { font - 1 } else { font });
        fonts.get(at).copied().unwrap_or(false)
    };
    let cells = formats.iter().map(|(format, font, look)| (u32::from(*format), Look { bold: bold(*font), ..*look }));
    let mut styles = Styles::collect(&codes, cells);
    styles.is_1904 = is_1904;
    Ok((Shared { styles, strings, texts }, places))
}

fn is_bold(mut fields: Fields<'_>) -> bool {
    fields.take(6).and_then(|_| fields.u16()).is_some_and(|weight| weight >= 600)
}

/// Format, font, and the look without the font's.
fn style(mut fields: Fields<'_>, is_wide: bool) -> Option<(u16, u16, Look)> {
    let (font, format) = (fields.u16()?, fields.u16()?);
    let mut look = Look::default();
    if is_wide {
        fields.take(6)?;
        look.framed = fields.u32()? & 0xffff != 0;
        let pattern = fields.u32()? >> 26;
        let ground = fields.u16()? & 0x7f;
        // White and the window's own ground are no colour.
        look.filled = pattern > 1 || (pattern == 1 && !matches!(ground, 1 | 9 | 64));
    }
    Some((format, font, look))
}

fn place(mut fields: Fields<'_>, texts: Texts) -> Option<SheetPlace> {
    let (offset, state, kind) = (fields.u32()? as usize, fields.u8()?, fields.u8()?);
    let name = texts.read(&mut fields, true)?;
    Some(SheetPlace { offset, info: SheetInfo { name, is_hidden: state & 3 != 0 }, has_cells: kind == 0 })
}
