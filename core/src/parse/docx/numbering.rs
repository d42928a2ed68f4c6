//! Numbers of lists and headings as Word prints them: multi-level forms, restarts, overrides.

use crate::parse::{markup::Element, numerals};
use std::collections::{BTreeMap, BTreeSet};

/// Word has nine levels.
const N_LEVELS: usize = 9;
/// What is printed around the numbers of every item of a level; Word takes 255.
const MAX_TEXT_CHARS: usize = 255;

/// How one level counts and prints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Level {
    form: Box<str>,
    /// `%1.%2)`.
    text: Box<str>,
    start: u32,
    /// The level (from 1) at whose every number this one begins anew; 0 never. By default every higher one.
    restart: Option<usize>,
    /// Higher levels are printed in figures whatever their own form.
    legal: bool,
    /// The paragraph style that is numbered at this level.
    style: Option<Box<str>>,
    indent: Option<i32>,
}

/// A numbering as the document's paragraphs name it.
#[derive(Clone, Debug, Default)]
struct Number {
    scheme: u32,
    /// Levels that this numbering begins at another number.
    starts: BTreeMap<usize, u32>,
    /// Levels that it prints in another way.
    levels: BTreeMap<usize, Level>,
}

/// All numberings of a document, and how far each has counted.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    schemes: BTreeMap<u32, Vec<Level>>,
    numbers: BTreeMap<u32, Number>,
    counters: BTreeMap<u32, [Option<u32>; N_LEVELS]>,
    /// Numberings whose own beginning was used.
    started: BTreeSet<(u32, usize)>,
}

/// A paragraph's number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Marker {
    /// As printed, `2.1`; empty for bullets.
    pub(super) text: String,
    /// It counts, rather than just marks.
    pub(super) ordered: bool,
    /// How far its text stands from the margin, in twentieths of a point.
    pub(super) indent: Option<i32>,
}

impl Numbering {
    /// Reads `word/numbering.xml`; `style_number` gives the numbering of a style.
    pub(super) fn read(root: &Element, style_number: impl Fn(&str) -> Option<u32>) -> Self {
        let mut schemes = BTreeMap::new();
        let mut linked: Vec<(u32, Box<str>)> = Vec::new();
        for scheme in root.all("w:abstractNum") {
            let Some(id) = number(scheme.attribute("w:abstractNumId")) else { continue };
            if let Some(style) = scheme.value("w:numStyleLink", "w:val") {
                linked.push((id, style.into()));
            }
            let mut levels = vec![Level::default(); N_LEVELS];
            for level in scheme.all("w:lvl") {
                if let Some(own) = level_index(level).and_then(|at| levels.get_mut(at)) {
                    *own = Level::read(level);
                }
            }
            schemes.insert(id, levels);
        }
        let numbers: BTreeMap<u32, Number> = root.all("w:num").filter_map(read_number).collect();
        // A scheme may only say in which style the real one is found.
        for (id, style) in linked {
            let target = style_number(&style).and_then(|number| numbers.get(&number));
            if let Some(levels) = target.and_then(|number| schemes.get(&number.scheme)).cloned() {
                schemes.insert(id, levels);
            }
        }
        Self { schemes, numbers, ..Self::default() }
    }

    /// The level of a numbering that is meant for a paragraph style.
    pub(super) fn level_of_style(&self, number: u32, style: &str) -> Option<usize> {
        let levels = self.schemes.get(&self.numbers.get(&number)?.scheme)?;
        levels.iter().position(|level| level.style.as_deref() == Some(style))
    }

    /// Counts one paragraph further and gives its marker; `None` for a numbering that does not exist.
    pub(super) fn next(&mut self, number: u32, level: usize) -> Option<Marker> {
        let own = self.numbers.get(&number)?;
        let levels = self.schemes.get(&own.scheme)?;
        let level = level.min(N_LEVELS - 1);
        let get = |at: usize| own.levels.get(&at).or_else(|| levels.get(at));
        let this = get(level)?;
        if &*this.form == "bullet" {
            return Some(Marker { text: String::new(), ordered: false, indent: this.indent });
        }
        let counters = self.counters.entry(own.scheme).or_default();
        let begins = own.starts.get(&level).filter(|_| self.started.insert((number, level)));
        counters[level] = Some(match (begins, counters[level]) {
            (Some(start), _) => *start,
            (None, Some(before)) => before.saturating_add(1),
            (None, None) => own.starts.get(&level).copied().unwrap_or(this.start),
        });
        for (deeper, counter) in counters.iter_mut().enumerate().skip(level + 1) {
            let restart = get(deeper).and_then(|deeper| deeper.restart).unwrap_or(deeper);
            if level < restart {
                *counter = None;
            }
        }
        let mut text = String::new();
        let mut pattern = this.text.chars().peekable();
        while let Some(character) = pattern.next() {
            match (character, pattern.peek().and_then(|next| next.to_digit(10))) {
                ('%', Some(digit @ 1..=9)) => {
                    pattern.next();
                    let at = digit as usize - 1;
                    let Some(shown) = get(at) else { continue };
                    let count = counters[at].unwrap_or(shown.start);
                    let form = if this.legal && at < level { "decimal" } else { &shown.form };
                    text.push_str(&numerals::printed(count, form));
                }
                _ => text.push(character),
            }
        }
        Some(Marker { text: text.trim().to_owned(), ordered: &*this.form != "none", indent: this.indent })
    }
}

impl Level {
    fn read(level: &Element) -> Self {
        // Forms newer than 2007 stand in an alternative.
        let form = level.child("w:numFmt").or_else(|| level.find("w:numFmt"));
        let form = form.and_then(|form| form.attribute("w:val")).unwrap_or("decimal");
        Self {
            form: form.into(),
            text: level.value("w:lvlText", "w:val").unwrap_or_default().chars().take(MAX_TEXT_CHARS).collect(),
            start: number(level.value("w:start", "w:val")).unwrap_or(0),
            restart: number(level.value("w:lvlRestart", "w:val")).map(|level| level as usize),
            legal: level.child("w:isLgl").is_some(),
            style: level.value("w:pStyle", "w:val").map(Into::into),
            indent: level.child("w:pPr").and_then(super::styles::indent),
        }
    }
}

fn read_number(element: &Element) -> Option<(u32, Number)> {
    let id = number(element.attribute("w:numId"))?;
    let mut own = Number { scheme: number(element.value("w:abstractNumId", "w:val"))?, ..Number::default() };
    for change in element.all("w:lvlOverride") {
        let Some(at) = level_index(change).filter(|at| *at < N_LEVELS) else { continue };
        if let Some(level) = change.child("w:lvl") {
            own.levels.insert(at, Level::read(level));
        }
        if let Some(start) = number(change.value("w:startOverride", "w:val")) {
            own.starts.insert(at, start);
        }
    }
    Some((id, own))
}

fn level_index(element: &Element) -> Option<usize> {
    number(element.attribute("w:ilvl")).map(|level| level as usize)
}

fn number(text: Option<&str>) -> Option<u32> {
    text.and_then(|text| text.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::{super::names, *};
    use crate::parse::markup;

    fn numbering(inside: &str) -> Numbering {
        let namespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
        let xml = format!(r#"<w:numbering xmlns:w="{namespace}">{inside}</w:numbering>"#);
        Numbering::read(&markup::root(&xml, names::prefixes).unwrap(), |style| (style == "Linked").then_some(1))
    }

    fn level(at: usize, form: &str, text: &str, more: &str) -> String {
        format!(
            r#"<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/>{more}</w:lvl>"#
        )
    }

    fn printed(numbering: &mut Numbering, steps: &[(u32, usize)]) -> Vec<String> {
        steps.iter().map(|(number, level)| numbering.next(*number, *level).unwrap().text).collect()
    }

    fn three_levels() -> String {
        let levels = level(0, "decimal", "%1.", "")
            + &level(1, "lowerLetter", "%1.%2)", "")
            + &level(2, "upperRoman", "%1.%2.%3", "<w:isLgl/>");
        format!(
            r#"<w:abstractNum w:abstractNumId="7">{levels}</w:abstractNum>
            <w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>
            <w:num w:numId="2"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>"#
        )
    }

    #[test]
    fn levels_count_and_begin_anew() {
        let mut numbering = numbering(&three_levels());
        let steps = [(1, 0), (1, 1), (1, 1), (1, 2), (1, 0), (1, 1)];
        assert_eq!(printed(&mut numbering, &steps), ["1.", "1.a)", "1.b)", "1.2.I", "2.", "2.a)"]);
    }

    #[test]
    fn a_level_before_its_parent_shows_where_the_parent_begins() {
        assert_eq!(printed(&mut numbering(&three_levels()), &[(1, 1)]), ["1.a)"]);
    }

    #[test]
    fn another_beginning_counts_once_and_a_scheme_counts_on() {
        let mut numbering = numbering(&three_levels());
        assert_eq!(printed(&mut numbering, &[(1, 0), (2, 0), (2, 0), (1, 0)]), ["1.", "5.", "6.", "7."]);
    }

    #[test]
    fn bullets_print_nothing_and_unknown_numbers_are_none() {
        let bullet = level(0, "bullet", "\u{f0b7}", r#"<w:pPr><w:ind w:left="720"/></w:pPr>"#);
        let mut numbering = numbering(&format!(
            r#"<w:abstractNum w:abstractNumId="0">{bullet}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
            <w:num w:numId="3"><w:abstractNumId w:val="99"/></w:num>"#
        ));
        let marker = numbering.next(1, 0).unwrap();
        assert_eq!((marker.text.as_str(), marker.ordered, marker.indent), ("", false, Some(720)));
        assert_eq!((numbering.next(3, 0), numbering.next(8, 0)), (None, None));
        assert!(numbering.next(1, 4_000_000_000).is_some());
    }

    #[test]
    fn a_level_may_never_begin_anew() {
        let levels = level(0, "upperLetter", "%1", "") + &level(1, "decimal", "%2", r#"<w:lvlRestart w:val="0"/>"#);
        let mut numbering = numbering(&format!(
            r#"<w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>"#
        ));
        assert_eq!(printed(&mut numbering, &[(1, 0), (1, 1), (1, 0), (1, 1)]), ["A", "1", "B", "2"]);
    }

    #[test]
    fn schemes_may_link_to_a_style() {
        let mut numbering = numbering(&format!(
            r#"<w:abstractNum w:abstractNumId="8"><w:numStyleLink w:val="Linked"/></w:abstractNum>
            <w:num w:numId="9"><w:abstractNumId w:val="8"/></w:num>{}"#,
            three_levels()
        ));
        assert_eq!(printed(&mut numbering, &[(9, 0)]), ["1."]);
    }
}
