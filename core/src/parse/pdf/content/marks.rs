//! Marked content: what a file itself says of the text in it.

use crate::parse::pdf::{bidi, glyphs::Glyph, layers::Layers, strings, tags::Role};
use hayro_syntax::{
    object::{Dict, Name, Object, String as PdfString},
    page::Resources,
};

/// The number that ties marked content to the structure tree.
pub(super) fn number(properties: &Object<'_>, resources: &Resources<'_>) -> Option<u32> {
    match properties {
        Object::Dict(dict) => dict.get::<u32>("MCID"),
        Object::Name(name) => resources.properties.get::<Dict<'_>>(name)?.get::<u32>("MCID"),
        _ => None,
    }
}

/// Nested marked-content sequences.
const MAX_MARKS: usize = 10_000;

/// What an open marked-content sequence means for the text in it.
#[derive(Debug)]
pub(super) enum Mark {
    Plain,
    /// Page furniture.
    Artifact,
    /// A layer that is switched off.
    Hidden,
    /// Text to be read instead of the characters from this one on.
    ActualText(usize, String),
}

impl Mark {
    /// What a tag with properties means; `n_glyphs` characters came before it.
    pub(super) fn of(
        tag: &Name<'_>,
        properties: &Object<'_>,
        resources: &Resources<'_>,
        layers: &Layers,
        n_glyphs: usize,
    ) -> Self {
        let actual_text = |dict: &Dict<'_>| match dict.get::<PdfString<'_>>("ActualText") {
            Some(text) => Self::ActualText(n_glyphs, strings::decode(&text)),
            None => Self::Plain,
        };
        match (tag.as_str(), properties) {
            ("Artifact", _) => Self::Artifact,
            ("OC", Object::Name(name)) if layers.hides(&resources.properties, name.as_str()) => Self::Hidden,
            (_, Object::Dict(dict)) => actual_text(dict),
            (_, Object::Name(name)) => {
                resources.properties.get::<Dict<'_>>(name).map_or(Self::Plain, |dict| actual_text(&dict))
            }
            _ => Self::Plain,
        }
    }
}

/// The role of a text and the figure it is part of.
type RoleInFigure = (Role, Option<usize>);

/// The marked-content sequences that are open.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Each with what its text is, its own role or that of the one around it.
    open: Vec<(Mark, Option<RoleInFigure>)>,
    /// How many of them are artifacts, and how many hide.
    n_artifacts: u32,
    n_hiding: u32,
}

impl Marks {
    /// How many are open.
    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    /// The file calls what is shown now furniture.
    pub(super) fn in_artifact(&self) -> bool {
        self.n_artifacts > 0
    }

    /// What is shown now stands on a layer that is switched off.
    pub(super) fn hide(&self) -> bool {
        self.n_hiding > 0
    }

    /// What the file says that the text shown now is.
    pub(super) fn role(&self) -> Option<Role> {
        self.open.last().and_then(|(_, tag)| *tag).map(|(role, _)| role)
    }

    /// The tagged figure that is shown now.
    pub(super) fn figure(&self) -> Option<usize> {
        self.open.last().and_then(|(_, tag)| *tag).and_then(|(_, figure)| figure)
    }

    /// Opens one with what its tag says; `false` if too many are open.
    pub(super) fn begin(&mut self, mark: Mark, tag: Option<RoleInFigure>) -> bool {
        if self.open.len() >= MAX_MARKS {
            return false;
        }
        self.n_artifacts += u32::from(matches!(mark, Mark::Artifact));
        self.n_hiding += u32::from(matches!(mark, Mark::Hidden));
        let around = self.open.last().and_then(|(_, tag)| *tag);
        self.open.push((mark, tag.or(around)));
        true
    }

    /// Closes the innermost; replacement text takes the place of what was shown inside it.
    pub(super) fn end(&mut self, glyphs: &mut Vec<Glyph>) {
        match self.open.pop().map(|(mark, _)| mark) {
            Some(Mark::ActualText(from, text)) => replace(glyphs, from, &text),
            Some(Mark::Artifact) => self.n_artifacts -= 1,
            Some(Mark::Hidden) => self.n_hiding -= 1,
            Some(Mark::Plain) | None => {}
        }
    }
}

fn replace(glyphs: &mut Vec<Glyph>, from: usize, text: &str) {
    let shown = glyphs.get(from..).unwrap_or_default();
    let (Some(&first), Some(last)) = (shown.first(), shown.last()) else { return };
    let one_line = shown.iter().all(|glyph| glyph.turn == first.turn && (glyph.v - first.v).abs() < first.size);
    // Replacement text over several lines would lose its place; what is shown is the better text then.
    if !one_line || last.u1 < first.u0 {
        return;
    }
    let n_characters = text.chars().count();
    let share = (last.u1 - first.u0) / n_characters.max(1) as f32;
    glyphs.truncate(from);
    glyphs.extend(bidi::reorder(text).chars().enumerate().map(|(index, character)| {
        let u0 = first.u0 + share * index as f32;
        Glyph { character, u0, u1: u0 + share, ..first }
    }));
}
