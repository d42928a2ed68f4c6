//! `styles.xml`: how the cells of a workbook look and how their numbers are shown.

use super::super::{
    grid::Look,
    styles::{MAX_STYLES, Styles},
    xml::{Item, Xml},
};
use std::collections::BTreeMap;

/// Reads the part.
pub(super) fn read(text: &str) -> Styles {
    let mut xml = Xml::new(text);
    let mut codes = BTreeMap::new();
    let (mut fonts, mut fills, mut borders) = (Vec::new(), Vec::new(), Vec::new());
    let mut cells: Vec<(u32, [usize; 3])> = Vec::new();
    let mut inside = String::new();
    while let Some(item) = xml.next() {
        let Item::Open(tag) = item else { continue };
        let index = |name: &str| tag.number::<usize>(name).unwrap_or(0);
        match (inside.as_str(), tag.name()) {
            (_, name @ ("numFmts" | "fonts" | "fills" | "borders" | "cellXfs" | "cellStyleXfs" | "dxfs")) => {
                name.clone_into(&mut inside);
            }
            ("numFmts", "numFmt") => {
                if let (Some(id), Some(code)) = (tag.number("numFmtId"), tag.attr("formatCode")) {
                    codes.insert(id, code);
                }
            }
            ("fonts", "font") => fonts.push(false),
            ("fonts", "b") => {
                let is_bold = tag.attr("val").is_none_or(|value| value != "0" && value != "false");
                set_last(&mut fonts, is_bold);
            }
            ("fills", "fill") => fills.push(false),
            ("fills", "patternFill") => {
                let pattern = tag.attr("patternType").unwrap_or_default();
                set_last(&mut fills, !matches!(pattern.as_str(), "" | "none" | "gray125"));
            }
            // White ground is no colour.
            ("fills", "fgColor") if tag.attr("rgb").is_some_and(|rgb| rgb.ends_with("FFFFFF")) => {
                set_last(&mut fills, false);
            }
            ("fills", "gradientFill") => set_last(&mut fills, true),
            ("borders", "border") => borders.push(false),
            ("borders", "left" | "right" | "top" | "bottom" | "start" | "end")
                if tag.attr("style").is_some_and(|style| style != "none") =>
            {
                set_last(&mut borders, true);
            }
            ("cellXfs", "xf") if cells.len() < MAX_STYLES => {
                cells
                    .push((tag.number("numFmtId").unwrap_or(0), [index("fontId"), index("fillId"), index("borderId")]));
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
    Styles::collect(&codes, cells.into_iter().map(|(id, parts)| (id, look(parts))))
}

fn set_last(flags: &mut [bool], value: bool) {
    if let Some(last) = flags.last_mut() {
        *last = value;
    }
}
