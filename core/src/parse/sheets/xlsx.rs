//! XLSX and XLSM: Office Open XML workbooks (ECMA-376), their sheets in the order of their tabs.
//!
//! Not for macros, external links and pictures: nothing is run and nothing is fetched.

pub(super) mod extras;
mod sheet;
mod styles;

use super::{
    MAX_SHEETS, MAX_TEXT_BYTES, SheetInfo, Workbook, main_part, part, shorten,
    styles::Styles,
    xml::{Item, Xml},
};
use crate::parse::{ParseError, package::Package};
use std::collections::BTreeMap;

/// What the sheets of a workbook share.
pub(super) struct Shared {
    pub(super) styles: Styles,
    pub(super) strings: Vec<String>,
}

/// What a part refers to.
#[derive(Debug)]
pub(super) struct Relation {
    /// The last word of its type: `worksheet`, `comments`.
    pub(super) kind: String,
    /// A part of the package, or an address where it leads outside.
    pub(super) target: String,
}

/// Reads all sheets.
///
/// # Errors
/// [`ParseError::Damaged`], [`ParseError::Unsupported`] where a password is needed, and [`ParseError::Cancelled`].
pub(super) fn read(bytes: &[u8], workbook: &mut Workbook<'_>) -> Result<(), ParseError> {
    let mut package = Package::open(bytes)?;
    let main = relations(&mut package, "").into_values().find(|relation| relation.kind == "officeDocument");
    let main = main.map_or_else(|| "xl/workbook.xml".to_owned(), |relation| relation.target);
    let (text, _) = main_part(&mut package, &main)?;
    let relations = relations(&mut package, &main);
    let mut common = |kind: &str| {
        let target = &relations.values().find(|relation| relation.kind == kind)?.target;
        part(&mut package, target)
    };
    let mut shared = Shared {
        styles: common("styles").map(|(text, _)| styles::read(&text)).unwrap_or_default(),
        strings: Vec::new(),
    };
    if let Some((text, is_whole)) = common("sharedStrings") {
        let (strings, is_read) = shared_strings(&text);
        shared.strings = strings;
        if !is_whole || !is_read {
            workbook.damaged.push("the list of texts".to_owned());
        }
    }
    let people = extras::people(&mut package, &relations);
    let mut xml = Xml::new(&text);
    let mut n_sheets = 0;
    while let Some(tag) = xml.next_open() {
        match tag.name() {
            "workbookPr" => shared.styles.is_1904 = tag.is_on("date1904"),
            "sheet" if n_sheets < MAX_SHEETS => {
                n_sheets += 1;
                let name = tag.attr("name").unwrap_or_default();
                let is_hidden = tag.attr("state").is_some_and(|state| state != "visible");
                let info = SheetInfo { name, is_hidden };
                let relation = tag.attr("id").and_then(|id| relations.get(&id));
                match relation {
                    Some(relation) if !workbook.parts.insert(relation.target.clone()) => {
                        workbook.damaged.push(info.name)
                    }
                    Some(relation) => sheet::read(&mut package, relation, &shared, &people, info, workbook)?,
                    None => workbook.damaged.push(info.name),
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// What a part (the package itself for "") refers to, by id. Targets are names of parts.
pub(super) fn relations(package: &mut Package<'_>, of: &str) -> BTreeMap<String, Relation> {
    let (folder, file) = of.rsplit_once('/').unwrap_or(("", of));
    let name = if folder.is_empty() { format!("_rels/{file}.rels") } else { format!("{folder}/_rels/{file}.rels") };
    let mut relations = BTreeMap::new();
    let Some((text, _)) = part(package, &name) else { return relations };
    let mut xml = Xml::new(&text);
    while let Some(tag) = xml.next_open() {
        let (Some(id), Some(kind), Some(target)) = (tag.attr("Id"), tag.attr("Type"), tag.attr("Target")) else {
            continue;
        };
        let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
        let is_outside = tag.attr("TargetMode").is_some_and(|mode| mode.eq_ignore_ascii_case("external"));
        let target = if is_outside { target } else { resolved(folder, &target) };
        relations.insert(id, Relation { kind, target });
    }
    relations
}

/// The name of a part that another one in `folder` refers to.
fn resolved(folder: &str, target: &str) -> String {
    let mut names: Vec<&str> =
        if target.starts_with('/') { Vec::new() } else { folder.split('/').filter(|name| !name.is_empty()).collect() };
    for name in target.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    names.join("/")
}

/// The texts that cells refer to by number, and whether all were read. Pronunciation hints are left out.
fn shared_strings(text: &str) -> (Vec<String>, bool) {
    let mut xml = Xml::new(text);
    let mut strings = Vec::new();
    let mut n_bytes = 0;
    while let Some(item) = xml.next() {
        let Item::Open(tag) = item else { continue };
        if tag.name() != "si" {
            continue;
        }
        let string = rich_text(&mut xml, "si");
        // An empty text takes room too.
        n_bytes += string.len() + size_of::<String>();
        if n_bytes > MAX_TEXT_BYTES {
            return (strings, false);
        }
        strings.push(string);
    }
    let is_read = !xml.is_broken;
    (strings, is_read)
}

/// The text of the runs up to the end of the element just opened.
fn rich_text(xml: &mut Xml<'_>, name: &str) -> String {
    let mut text = String::new();
    let (mut in_text, mut n_hints) = (false, 0_u32);
    while let Some(item) = xml.next() {
        match item {
            Item::Open(tag) => match tag.name() {
                "t" => in_text = n_hints == 0,
                "rPh" => n_hints += 1,
                _ => {}
            },
            Item::Close(tag) => match tag.name() {
                "t" => in_text = false,
                "rPh" => n_hints = n_hints.saturating_sub(1),
                closed if closed == name => break,
                _ => {}
            },
            Item::Text(part) if in_text => text.push_str(&part),
            Item::Text(_) => {}
        }
    }
    let mut text = unescaped(text);
    shorten(&mut text);
    text
}

/// `_x000D_` is a character that XML cannot hold.
fn unescaped(text: String) -> String {
    if !text.contains("_x") {
        return text.replace("\r\n", "\n");
    }
    let mut result = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("_x") {
        let code = rest.get(at + 2..at + 6).filter(|_| rest.as_bytes().get(at + 6) == Some(&b'_'));
        let character = code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
        result.push_str(&rest[..at]);
        match character {
            Some(character) => {
                result.push(character);
                rest = &rest[at + 7..];
            }
            None => {
                result.push_str("_x");
                rest = &rest[at + 2..];
            }
        }
    }
    result.push_str(rest);
    result.replace("\r\n", "\n").replace('\r', "\n")
}
