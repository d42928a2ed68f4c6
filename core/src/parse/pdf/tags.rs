//! What a tagged file says its content is (ISO 32000-2, 14.7 and 14.8): headings, items, captions, notes, the texts that
//! stand for figures, by the marked content they hold.
//!
//! Tags are evidence, not truth: many programs write them carelessly. Which of them are believed is told where they are
//! used, by how much of the text has any and by whether they agree with how it is set. Not used: the order of the tree
//! (the page's own is better where both are known) and its tables (lines and places find them as well).

use super::{strings, upright::Upright};
use crate::document::BBox;
use hayro_font::kurbo;
use hayro_syntax::{
    Pdf,
    object::{Dict, Name, Object, Rect, Stream, String as PdfString},
};
use std::collections::BTreeMap;

/// Elements of the tree that are read.
const MAX_ELEMENTS: usize = 500_000;
/// Elements within elements.
const MAX_DEPTH: usize = 200;
/// Figures with a text.
const MAX_FIGURES: usize = 20_000;
/// A role may be mapped to one that is mapped.
const MAX_MAPPINGS: usize = 16;

/// What a tagged text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// Nothing in particular.
    Text,
    /// A heading; its level, from 1, where the tag has one.
    Heading(Option<u8>),
    /// What stands before an item: a bullet, a number.
    Label,
    /// An item.
    Item,
    /// A cell of a table.
    Cell,
    /// The caption of a figure or table.
    Caption,
    /// Text in a figure.
    Figure,
    /// A footnote or endnote.
    Note,
    /// Program text.
    Code,
    /// A quotation.
    Quote,
    /// A formula.
    Formula,
    /// An entry of a table of contents or of an index.
    Contents,
    /// Page furniture.
    Artifact,
}

impl Role {
    /// What a standard structure type means; `None` for those that only group or set off what is in them.
    fn of(kind: &str) -> Option<Self> {
        Some(match kind {
            "H" | "Title" => Self::Heading(None),
            "H1" => Self::Heading(Some(1)),
            "H2" => Self::Heading(Some(2)),
            "H3" => Self::Heading(Some(3)),
            "H4" => Self::Heading(Some(4)),
            "H5" => Self::Heading(Some(5)),
            "H6" => Self::Heading(Some(6)),
            "P" => Self::Text,
            "Lbl" => Self::Label,
            "LI" | "LBody" => Self::Item,
            "TH" | "TD" => Self::Cell,
            "Caption" => Self::Caption,
            "Figure" => Self::Figure,
            "Note" | "FENote" => Self::Note,
            "Code" => Self::Code,
            "BlockQuote" => Self::Quote,
            "Formula" => Self::Formula,
            "TOC" | "TOCI" | "Index" => Self::Contents,
            "Artifact" => Self::Artifact,
            _ => return None,
        })
    }

    /// What something in an element of this role is. A paragraph in an item is the item's text; a number in a note is not
    /// an item's.
    fn within(self, inner: Option<Self>) -> Self {
        let Some(inner) = inner else { return self };
        match (self, inner) {
            (Self::Artifact, _) => self,
            (_, Self::Text) => self,
            (Self::Cell | Self::Contents | Self::Note, Self::Heading(_) | Self::Label | Self::Item) => self,
            (Self::Figure, Self::Heading(_)) => self,
            _ => inner,
        }
    }
}

/// What one sequence of marked content belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) role: Role,
    /// The figure it is part of, by its place among them.
    pub(super) figure: Option<usize>,
    /// What is to be read instead of what it shows.
    pub(super) actual_text: Option<String>,
}

/// A figure and the text that stands for it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Figure {
    pub(super) text: String,
    /// From 1.
    pub(super) page: u32,
    /// Where the file says that it stands, on the upright page.
    pub(super) bbox: Option<BBox>,
}

/// Marked content: page from 1, the stream that shows it unless that is the page's own, its number there.
type Key = (u32, Option<(u32, i32)>, u32);

/// The tags of a file; none where it has no structure tree.
#[derive(Debug, Default)]
pub(super) struct Tags {
    by_content: BTreeMap<Key, Tag>,
    /// Figures that have a text.
    pub(super) figures: Vec<Figure>,
}

/// An element that waits to be read, with what is known from those around it.
#[derive(Clone)]
struct Pending<'a> {
    object: Object<'a>,
    page: Option<u32>,
    role: Role,
    figure: Option<usize>,
    actual_text: Option<String>,
    depth: usize,
}

impl Tags {
    /// Those of a file.
    pub(super) fn of(pdf: &Pdf) -> Self {
        let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
        let Some(root) = catalog.and_then(|catalog| catalog.get::<Dict<'_>>("StructTreeRoot")) else {
            return Self::default();
        };
        let reader = Reader {
            pages: (1..)
                .zip(pdf.pages().iter())
                .filter_map(|(number, page)| Some((key(page.raw())?, (number, Upright::of(page)))))
                .collect(),
            roles: root.get::<Dict<'_>>("RoleMap").unwrap_or_default(),
            tags: Self::default(),
        };
        reader.read(&root)
    }

    /// Takes in where the pictures of figures stand on a page, unless the file itself says where the figures do.
    pub(super) fn show(&mut self, page: u32, pictures: &[(usize, BBox)]) {
        for (index, place) in pictures {
            let Some(figure) = self.figures.get_mut(*index) else { continue };
            if figure.bbox.is_none() || figure.page == 0 {
                (figure.page, figure.bbox) = (page, Some(*place));
            }
        }
    }

    /// What a sequence of marked content belongs to.
    pub(super) fn tag(&self, page: u32, stream: Option<(u32, i32)>, number: u32) -> Option<&Tag> {
        self.by_content.get(&(page, stream, number))
    }
}

struct Reader<'a> {
    pages: BTreeMap<(u32, i32), (u32, Upright)>,
    roles: Dict<'a>,
    tags: Tags,
}

impl<'a> Reader<'a> {
    fn read(mut self, root: &Dict<'a>) -> Tags {
        let mut n_elements = 0;
        let Some(object) = root.get::<Object<'a>>("K") else { return self.tags };
        // The next to be read is the last.
        let mut pending =
            vec![Pending { object, page: None, role: Role::Text, figure: None, actual_text: None, depth: 0 }];
        while let Some(next) = pending.pop() {
            n_elements += 1;
            if n_elements > MAX_ELEMENTS || pending.len() > MAX_ELEMENTS {
                break;
            }
            match &next.object {
                Object::Array(kids) => {
                    let kids = kids.iter::<Object<'a>>().take(MAX_ELEMENTS);
                    let mut kids: Vec<_> = kids.map(|object| Pending { object, ..next.clone() }).collect();
                    // Text that replaces several pieces would have to be cut.
                    if kids.len() > 1 {
                        kids.iter_mut().for_each(|kid| kid.actual_text = None);
                    }
                    kids.reverse();
                    pending.append(&mut kids);
                }
                Object::Number(number) => {
                    if let Some(page) = next.page {
                        self.holds((page, None, number.as_f64() as u32), &next);
                    }
                }
                Object::Dict(dict) => {
                    let dict = dict.clone();
                    pending.extend(self.element(&dict, next));
                }
                _ => {}
            }
        }
        self.tags
    }

    fn holds(&mut self, key: Key, by: &Pending<'a>) {
        let tag = Tag { role: by.role, figure: by.figure, actual_text: by.actual_text.clone() };
        self.tags.by_content.insert(key, tag);
    }

    /// Takes a dictionary in; what stands in it waits, if it is an element.
    fn element(&mut self, dict: &Dict<'a>, around: Pending<'a>) -> Option<Pending<'a>> {
        let page = dict.get::<Dict<'a>>("Pg").and_then(|page| self.pages.get(&key(&page)?)).map(|(number, _)| *number);
        let page = page.or(around.page);
        if let Some(number) = dict.get::<u32>("MCID") {
            let stream = dict.get::<Stream<'a>>("Stm").map(|stream| stream.obj_id());
            let stream = stream.map(|id| (id.obj_number, id.gen_number));
            self.holds((page?, stream, number), &around);
            return None;
        }
        // A tree that holds itself ends here, too.
        if around.depth >= MAX_DEPTH {
            return None;
        }
        let kind = self.kind(dict)?;
        let role = Role::of(&kind);
        let text = |key: &str| dict.get::<PdfString<'_>>(key).map(|text| strings::decode(&text));
        let alt = text("Alt").filter(|alt| !alt.is_empty());
        let mut figure = around.figure;
        if let (Some(Role::Figure | Role::Formula), Some(alt)) = (role, alt)
            && self.tags.figures.len() < MAX_FIGURES
        {
            figure = Some(self.tags.figures.len());
            let bbox = page.and_then(|page| self.place(dict, page));
            self.tags.figures.push(Figure { text: alt, page: page.unwrap_or(0), bbox });
        }
        Some(Pending {
            object: dict.get::<Object<'a>>("K")?,
            page,
            role: around.role.within(role),
            figure,
            actual_text: text("ActualText").or(around.actual_text),
            depth: around.depth + 1,
        })
    }

    /// The structure type, as the standard calls it where the file has its own name.
    fn kind(&self, dict: &Dict<'a>) -> Option<String> {
        let mut kind = dict.get::<Name<'_>>("S")?.as_str().to_owned();
        for _ in 0..MAX_MAPPINGS {
            // A standard name needs no mapping, and files map some to themselves.
            if Role::of(&kind).is_some() {
                break;
            }
            let Some(mapped) = self.roles.get::<Name<'_>>(kind.as_bytes()) else { break };
            kind = mapped.as_str().to_owned();
        }
        Some(kind)
    }

    /// The box that the attributes of an element give it.
    fn place(&self, dict: &Dict<'a>, page: u32) -> Option<BBox> {
        let attributes = match dict.get::<Object<'a>>("A")? {
            Object::Dict(one) => vec![one],
            Object::Array(all) => all.iter::<Dict<'a>>().take(20).collect(),
            _ => return None,
        };
        let rect = attributes.iter().find_map(|attributes| attributes.get::<Rect>("BBox"))?;
        let (_, upright) = self.pages.values().find(|(number, _)| *number == page)?;
        let shown = upright.transform.transform_rect_bbox(kurbo::Rect::new(rect.x0, rect.y0, rect.x1, rect.y1));
        let sane = [shown.x0, shown.y0, shown.x1, shown.y1].iter().all(|n| n.is_finite() && n.abs() < 1e6);
        sane.then_some(BBox { x0: shown.x0 as f32, y0: shown.y0 as f32, x1: shown.x1 as f32, y1: shown.y1 as f32 })
    }
}

fn key(dict: &Dict<'_>) -> Option<(u32, i32)> {
    dict.obj_id().map(|id| (id.obj_number, id.gen_number))
}
