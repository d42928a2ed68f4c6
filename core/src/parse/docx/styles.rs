//! Styles: what a paragraph or run is by the style it has, with everything the style inherits.

use crate::parse::{
    flow::words::Format,
    markup::Element,
    style_name::{self, Role},
};
use std::collections::BTreeMap;

/// Styles that a style is based on, one on another; longer chains, and circles, end here.
const MAX_CHAIN: usize = 24;

/// What `w:rPr` says of a text.
pub(super) fn format(properties: &Element) -> Format {
    let toggle = |name: &str| properties.child(name).map(|element| is_on(element.attribute("w:val")));
    let size = properties.value("w:sz", "w:val").and_then(|size| size.trim_end_matches("pt").parse::<f32>().ok());
    let fonts = properties.child("w:rFonts");
    let font = fonts.and_then(|fonts| fonts.attribute("w:ascii").or_else(|| fonts.attribute("w:hAnsi")));
    let shading = properties.value("w:shd", "w:fill").map(|fill| !is_white(fill) && fill != "auto");
    let marked = properties.value("w:highlight", "w:val").map(|colour| colour != "none" && colour != "white");
    Format {
        bold: toggle("w:b"),
        hidden: toggle("w:vanish"),
        white: properties.value("w:color", "w:val").map(is_white),
        shaded: shading.or(marked),
        // In half points: nobody reads two points.
        tiny: size.map(|half_points| half_points <= 4.0),
        font: font.map(Into::into),
    }
}

/// Whether a property that is there is on: `<w:b/>`, `<w:b w:val="1"/>`.
pub(super) fn is_on(value: Option<&str>) -> bool {
    !matches!(value, Some("0" | "false" | "off" | "none"))
}

fn is_white(colour: &str) -> bool {
    colour.eq_ignore_ascii_case("ffffff")
}

/// A style with what it inherits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) role: Option<Role>,
    /// The number of its numbering, where it has one; 0 takes an inherited one off.
    pub(super) number: Option<u32>,
    /// The level in its numbering.
    pub(super) level: Option<usize>,
    /// Twentieths of a point from the left margin.
    pub(super) indent: Option<i32>,
    pub(super) format: Format,
    /// How a table style draws its first row and first column.
    pub(super) first_row: bool,
    pub(super) first_column: bool,
}

/// All styles of a document, by their ids.
#[derive(Debug, Default)]
pub(super) struct Styles {
    styles: BTreeMap<Box<str>, Style>,
    /// What a paragraph without a style has.
    default_paragraph: Style,
}

impl Styles {
    /// Reads `word/styles.xml`.
    pub(super) fn read(root: &Element) -> Self {
        let raw: BTreeMap<&str, &Element> =
            root.all("w:style").filter_map(|style| Some((style.attribute("w:styleId")?, style))).collect();
        let defaults = root.child("w:docDefaults").and_then(|defaults| defaults.child("w:rPrDefault"));
        let default_format = defaults.and_then(|defaults| defaults.child("w:rPr")).map(format).unwrap_or_default();
        let resolve = |style: &Element| resolved(style, &raw, &default_format);
        let styles = raw.iter().map(|(id, style)| ((*id).into(), resolve(style))).collect();
        let is_default = |style: &&Element| {
            style.attribute("w:type") == Some("paragraph")
                && style.attribute("w:default").is_some_and(|on| is_on(Some(on)))
        };
        let default = root.all("w:style").find(is_default).map(resolve);
        Self {
            styles,
            default_paragraph: default.unwrap_or_else(|| Style { format: default_format.clone(), ..Style::default() }),
        }
    }

    /// The style of a paragraph; the default where none is named or known.
    pub(super) fn paragraph(&self, id: Option<&str>) -> &Style {
        id.and_then(|id| self.styles.get(id)).unwrap_or(&self.default_paragraph)
    }

    /// A style of runs or tables.
    pub(super) fn get(&self, id: &str) -> Option<&Style> {
        self.styles.get(id)
    }
}

/// A style with all that it inherits. O(length of the chain).
fn resolved(style: &Element, raw: &BTreeMap<&str, &Element>, defaults: &Format) -> Style {
    let parent = |style: &&Element| style.value("w:basedOn", "w:val").and_then(|id| raw.get(id)).copied();
    let mut whole = Style::default();
    for style in std::iter::successors(Some(style), parent).take(MAX_CHAIN) {
        let properties = style.child("w:pPr");
        let own = |name: &str| properties.and_then(|properties| properties.value(name, "w:val"));
        let outline = own("w:outlineLvl").and_then(|level| level.parse::<u8>().ok());
        let name = style.value("w:name", "w:val").or_else(|| style.attribute("w:styleId")).unwrap_or_default();
        let by_name = style_name::role(&name.to_lowercase());
        // The ninth level is that of body text.
        let by_outline = outline.filter(|level| *level < 9).map(|level| Role::Heading(level + 1));
        if whole.role.is_none() && style.attribute("w:type") != Some("character") {
            // A contents line or a title may carry an outline level, too: the name says more.
            whole.role = match by_name {
                Some(role @ (Role::Contents | Role::Title | Role::Caption)) => Some(role),
                other => by_outline.or(other),
            };
        }
        let numbering = properties.and_then(|properties| properties.child("w:numPr"));
        if let Some(numbering) = numbering {
            let number = |name: &str| numbering.value(name, "w:val").and_then(|value| value.parse::<u32>().ok());
            whole.number = whole.number.or(number("w:numId"));
            whole.level = whole.level.or(number("w:ilvl").map(|level| level as usize));
        }
        whole.indent = whole.indent.or_else(|| properties.and_then(indent));
        if let Some(properties) = style.child("w:rPr") {
            whole.format = whole.format.over(&format(properties));
        }
        for part in style.all("w:tblStylePr") {
            let stands_out = part.child("w:rPr").is_some_and(|properties| format(properties).bold == Some(true))
                || part.child("w:tcPr").is_some_and(|cell| cell.child("w:shd").is_some());
            match part.attribute("w:type") {
                Some("firstRow") => whole.first_row |= stands_out,
                Some("firstCol") => whole.first_column |= stands_out,
                _ => {}
            }
        }
    }
    whole.format = whole.format.over(defaults);
    whole
}

/// How far a paragraph's first line but one stands from the margin, in twentieths of a point.
pub(super) fn indent(properties: &Element) -> Option<i32> {
    let indent = properties.child("w:ind")?;
    indent.attribute("w:left").or_else(|| indent.attribute("w:start")).and_then(|indent| indent.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::{super::names, *};
    use crate::parse::markup;

    fn styles(inside: &str) -> Styles {
        let namespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
        let xml = format!(r#"<w:styles xmlns:w="{namespace}">{inside}</w:styles>"#);
        Styles::read(&markup::root(&xml, names::prefixes).unwrap())
    }

    #[test]
    fn what_a_style_is_based_on_counts() {
        let styles = styles(
            r#"<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Arial"/></w:rPr></w:rPrDefault></w:docDefaults>
            <w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="Normal"/></w:style>
            <w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 1"/><w:basedOn w:val="N"/>
              <w:pPr><w:numPr><w:numId w:val="4"/></w:numPr></w:pPr><w:rPr><w:b/></w:rPr></w:style>
            <w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Chapter of ours"/><w:basedOn w:val="H"/>
              <w:rPr><w:b w:val="0"/></w:rPr></w:style>
            <w:style w:type="paragraph" w:styleId="Deep"><w:name w:val="Clause"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
            <w:style w:type="paragraph" w:styleId="Body"><w:name w:val="x"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>"#,
        );
        let own = styles.paragraph(Some("Own"));
        assert_eq!((&own.role, own.number, own.format.bold), (&Some(Role::Heading(1)), Some(4), Some(false)));
        assert_eq!(own.format.font.as_deref(), Some("Arial"));
        assert_eq!(styles.paragraph(Some("Deep")).role, Some(Role::Heading(3)));
        assert_eq!(styles.paragraph(Some("Body")).role, None);
        assert_eq!(styles.paragraph(None).role, None);
    }

    #[test]
    fn circles_end() {
        let styles = styles(
            r#"<w:style w:type="paragraph" w:styleId="A"><w:basedOn w:val="B"/></w:style>
            <w:style w:type="paragraph" w:styleId="B"><w:basedOn w:val="A"/></w:style>"#,
        );
        assert_eq!(styles.paragraph(Some("A")).role, None);
    }
}
