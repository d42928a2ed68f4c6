//! Styles of OpenDocument: named ones, and those that the program made for single paragraphs.

use crate::parse::{
    flow::words::Format,
    markup::Element,
    style_name::{self, Role},
};
use std::collections::BTreeMap;

/// Styles that a style has as parents, one of another; longer chains, and circles, end here.
const MAX_CHAIN: usize = 24;
/// What is printed before and after the number of every item of a level.
const MAX_TEXT_CHARS: usize = 255;

/// A style as the file has it.
#[derive(Debug, Default)]
struct Raw {
    parent: Option<Box<str>>,
    /// What its own name says.
    role: Option<Role>,
    list: Option<Box<str>>,
    format: Format,
    framed: Option<bool>,
    new_page: Option<bool>,
    shaded: Option<bool>,
}

/// A style with what it inherits.
#[derive(Debug, Default)]
pub(super) struct Style {
    pub(super) role: Option<Role>,
    /// The style of lists that its paragraphs are in.
    pub(super) list: Option<Box<str>>,
    pub(super) format: Format,
    pub(super) framed: bool,
    pub(super) new_page: bool,
    pub(super) shaded: bool,
}

/// How one level of a list counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Level {
    /// `1`, `a`, `I`; empty for bullets and for levels without a number.
    pub(super) form: Box<str>,
    pub(super) prefix: Box<str>,
    pub(super) suffix: Box<str>,
    /// How many levels are printed, this one included.
    pub(super) n_shown: usize,
    pub(super) start: u32,
}

/// All styles of a document.
#[derive(Debug, Default)]
pub(super) struct Styles {
    styles: BTreeMap<(Box<str>, Box<str>), Raw>,
    lists: BTreeMap<Box<str>, Vec<Level>>,
    /// How headings are numbered.
    pub(super) outline: Vec<Level>,
    default: Format,
}

impl Styles {
    /// Adds the styles in a whole part.
    pub(super) fn add(&mut self, root: &Element) {
        root.children().for_each(|group| self.add_from(group));
    }

    /// Adds the styles in a group of them.
    pub(super) fn add_from(&mut self, group: &Element) {
        if !matches!(&*group.name, "office:styles" | "office:automatic-styles") {
            return;
        }
        for style in group.children() {
            match &*style.name {
                "style:style" => {
                    let key = |name: &str| style.attribute(name).map(Into::into);
                    if let (Some(family), Some(name)) = (key("style:family"), key("style:name")) {
                        self.styles.insert((family, name), raw(style));
                    }
                }
                "style:default-style" if style.attribute("style:family") == Some("paragraph") => {
                    self.default = style.child("style:text-properties").map(format).unwrap_or_default();
                }
                "text:list-style" => {
                    if let Some(name) = style.attribute("style:name") {
                        self.lists.insert(name.into(), levels(style));
                    }
                }
                "text:outline-style" => self.outline = levels(style),
                _ => {}
            }
        }
    }

    /// A style with all that it inherits.
    pub(super) fn get(&self, family: &str, name: Option<&str>) -> Style {
        let get = |name: &str| self.styles.get(&(family.into(), name.into()));
        let first = name.and_then(get);
        let chain = std::iter::successors(first, |style| style.parent.as_deref().and_then(get)).take(MAX_CHAIN);
        let (mut whole, mut framed, mut shaded, mut new_page) = (Style::default(), None, None, None);
        for raw in chain {
            whole.role = whole.role.or_else(|| raw.role.clone());
            whole.list = whole.list.or_else(|| raw.list.clone());
            whole.format = whole.format.over(&raw.format);
            framed = framed.or(raw.framed);
            shaded = shaded.or(raw.shaded);
            new_page = new_page.or(raw.new_page);
        }
        if family == "paragraph" {
            whole.format = whole.format.over(&self.default);
        }
        (whole.framed, whole.shaded, whole.new_page) =
            (framed.unwrap_or(false), shaded.unwrap_or(false), new_page.unwrap_or(false));
        whole
    }

    /// The levels of a style of lists.
    pub(super) fn list(&self, name: &str) -> Option<&[Level]> {
        self.lists.get(name).map(Vec::as_slice)
    }
}

fn raw(style: &Element) -> Raw {
    let name = style.attribute("style:display-name").or_else(|| style.attribute("style:name")).unwrap_or_default();
    let name = name.replace("_20_", " ").to_lowercase();
    let paragraph = style.child("style:paragraph-properties");
    let cell = style.child("style:table-cell-properties");
    let border = paragraph.map(|properties| {
        let drawn = |side: &str| properties.attribute(side).map(|border| border != "none");
        drawn("fo:border").or_else(|| Some(drawn("fo:border-top")? && drawn("fo:border-bottom")?))
    });
    let breaks = paragraph.and_then(|properties| properties.attribute("fo:break-before")).map(|kind| kind == "page");
    let master = style.attribute("style:master-page-name").map(|page| !page.is_empty());
    let ground = cell.or(paragraph).and_then(|properties| properties.attribute("fo:background-color"));
    Raw {
        parent: style.attribute("style:parent-style-name").map(Into::into),
        role: style_name::role(&name),
        list: style.attribute("style:list-style-name").map(Into::into),
        format: style.child("style:text-properties").map(format).unwrap_or_default(),
        framed: border.flatten(),
        new_page: master.or(breaks),
        shaded: ground.map(|colour| colour != "transparent" && !colour.eq_ignore_ascii_case("#ffffff")),
    }
}

fn format(properties: &Element) -> Format {
    let font = properties.attribute("style:font-name").or_else(|| properties.attribute("fo:font-family"));
    let size = properties.attribute("fo:font-size").and_then(|size| size.strip_suffix("pt")?.parse::<f32>().ok());
    let ground = properties.attribute("fo:background-color");
    Format {
        bold: properties
            .attribute("fo:font-weight")
            .map(|weight| weight == "bold" || weight >= "600" && weight.len() == 3),
        hidden: properties.attribute("text:display").map(|display| display == "none"),
        white: properties.attribute("fo:color").map(|colour| colour.eq_ignore_ascii_case("#ffffff")),
        shaded: ground.map(|colour| colour != "transparent" && !colour.eq_ignore_ascii_case("#ffffff")),
        // Two points are what LibreOffice gives to empty lines; nobody reads them.
        tiny: size.map(|points| points <= 2.0),
        font: font.map(Into::into),
    }
}

/// The levels of a list or of headings, in order.
fn levels(style: &Element) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    for level in style.children() {
        let number = |name: &str| level.attribute(name).and_then(|value| value.parse::<u32>().ok());
        // There are ten.
        let Some(at) = number("text:level").map(|level| level as usize).filter(|level| (1..=10).contains(level)) else {
            continue;
        };
        if levels.len() < at {
            levels.resize(at, Level::default());
        }
        let text = |name: &str| level.attribute(name).unwrap_or_default().chars().take(MAX_TEXT_CHARS).collect();
        levels[at - 1] = Level {
            form: text("style:num-format"),
            prefix: text("style:num-prefix"),
            suffix: text("style:num-suffix"),
            n_shown: number("text:display-levels").unwrap_or(1).clamp(1, 10) as usize,
            start: number("text:start-value").unwrap_or(1),
        };
    }
    levels
}
