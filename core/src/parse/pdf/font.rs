//! Fonts as far as text needs them: what a code says, how far it advances, and whether it is bold or fixed-pitch.
//!
//! Not for drawing: outlines are never asked for, so no substitute fonts are embedded. A font that the file does not
//! carry is answered with an empty program; widths and characters then come from the font dictionary and the built-in
//! metrics of the standard fonts.

use super::{
    cjk::{self, Coding},
    inflation,
};
use hayro_font::{Font, FontCache, FontGlyph, OutlineGlyph, hayro_cmap::BfString};
use hayro_syntax::object::{Array, Dict, Name, Object, Rect, Stream};
use std::{
    cell::{OnceCell, RefCell},
    collections::BTreeMap,
    rc::Rc,
    sync::Arc,
};
use unicode_normalization::UnicodeNormalization;

/// A TrueType header with no tables: the least that is accepted as a font program.
const EMPTY_PROGRAM: &[u8] = &[0, 1, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0];

/// Letters that one code stands for; a ligature has some three, a sign in Arabic some twenty.
const MAX_LETTERS: usize = 64;
/// Entries of a character map that are read; Unicode has not many more.
const MAX_CHARACTERS: usize = 200_000;
/// Bits of `/Flags` in a font descriptor (ISO 32000-2, table 121).
const FLAG_FIXED_PITCH: u32 = 1;
const FLAG_FORCE_BOLD: u32 = 1 << 18;

/// How text is set, told by font name and descriptor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    /// Bold or heavier.
    pub(super) bold: bool,
    /// Italic or oblique.
    pub(super) italic: bool,
    /// Every character is equally wide: program text.
    pub(super) fixed_pitch: bool,
}

/// One font of the file.
pub(super) struct Face<'a> {
    /// The font behind it.
    pub(super) font: Font<'a>,
    /// How it looks.
    pub(super) style: Style,
    /// What the font size must be multiplied with to get the em in text space: 1 but for Type 3 fonts, whose glyph
    /// space is their own.
    pub(super) em: f64,
    /// What its codes say where no map to Unicode is given.
    coding: Option<Coding>,
    /// One byte is one code, so that an unmapped printable code may be taken for ASCII.
    simple: bool,
    texts: RefCell<BTreeMap<u32, Rc<str>>>,
    /// What the font program itself calls its glyphs; read when the file does not say.
    characters: OnceCell<BTreeMap<u32, char>>,
}

/// The characters that an embedded TrueType or OpenType program draws, by glyph: its character map read backwards.
fn characters(glyph: &OutlineGlyph) -> BTreeMap<u32, char> {
    let mut characters = BTreeMap::new();
    let Some(font) = glyph.font_data().and_then(|font| skrifa::Font::new(font.data, 0)) else { return characters };
    for (codepoint, id) in font.charmap().unicodes().take(MAX_CHARACTERS) {
        if let Some(character) = char::from_u32(codepoint) {
            // The first is the plainest: a blank before a no-break space, a hyphen before a soft one.
            characters.entry(id.to_u32()).or_insert(character);
        }
    }
    characters
}

impl Face<'_> {
    /// What a code says: empty if the file does not tell, otherwise one or more characters, ligatures taken apart.
    pub(super) fn text(&self, code: u32) -> Rc<str> {
        if let Some(text) = self.texts.borrow().get(&code) {
            return text.clone();
        }
        let text: Rc<str> = self.decode(code).into();
        self.texts.borrow_mut().insert(code, text.clone());
        text
    }

    fn decode(&self, code: u32) -> String {
        let glyph = self.font.glyph(self.font.map_code(code), code);
        let unicode = match &glyph {
            FontGlyph::Outline(glyph) => glyph.as_unicode(),
            FontGlyph::Type3(glyph) => glyph.as_unicode(),
        };
        let mut text = String::new();
        match unicode {
            Some(BfString::Char(character)) => push_normal(&mut text, character),
            Some(BfString::String(characters)) => {
                characters.chars().take(MAX_LETTERS).for_each(|c| push_normal(&mut text, c));
            }
            None => {}
        }
        if text.is_empty()
            && let Some(character) = self.coding.as_ref().and_then(|coding| coding.character(code))
        {
            push_normal(&mut text, character);
        }
        if text.is_empty()
            && let FontGlyph::Outline(glyph) = &glyph
        {
            let characters = self.characters.get_or_init(|| characters(glyph));
            if let Some(character) = characters.get(&glyph.glyph_id().to_u32()) {
                push_normal(&mut text, *character);
            }
        }
        if text.is_empty() && self.simple {
            // No name, no map: most such fonts are plain subsets whose codes are ASCII.
            text.extend(char::from_u32(code).filter(|c| c.is_ascii_graphic() || *c == ' '));
        }
        text
    }
}

/// Appends a character as it should be searched and shown: one kind of blank, no ligatures or presentation forms, no
/// control characters; of the private use area only what symbol fonts put there.
fn push_normal(text: &mut String, character: char) {
    match character {
        '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' | '\t' | '\n' | '\r' => {
            text.push(' ')
        }
        '\u{0}'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{FFFD}' => {}
        '\u{FB00}'..='\u{FB06}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' => {
            text.extend(std::iter::once(character).nfkc());
        }
        // Wingdings and Symbol through a Windows symbol encoding: the bullets that lists begin with.
        '\u{F0B7}' | '\u{F06C}' | '\u{F09F}' | '\u{F076}' => text.push('•'),
        '\u{F0A7}' | '\u{F06E}' | '\u{F0A8}' => text.push('▪'),
        '\u{F0D8}' | '\u{F0E0}' => text.push('➢'),
        '\u{F0FC}' | '\u{F0FE}' => text.push('✓'),
        '\u{F020}'..='\u{F07E}' => text.extend(char::from_u32(u32::from(character) - 0xF000)),
        '\u{E000}'..='\u{F8FF}' => {}
        _ => text.push(character),
    }
}

/// The fonts of one file, each loaded once.
pub(super) struct Fonts<'a> {
    cache: FontCache<'a>,
    resolver: hayro_font::FontResolverFn,
    cmaps: hayro_font::CMapResolverFn,
    /// By object number and generation; fonts written in place are loaded each time.
    faces: BTreeMap<(u32, i32), Option<Rc<Face<'a>>>>,
}

impl<'a> Fonts<'a> {
    /// None loaded yet.
    pub(super) fn new() -> Self {
        Self {
            cache: FontCache::new(),
            resolver: Arc::new(|_| Some((Arc::new(EMPTY_PROGRAM), 0))),
            cmaps: Arc::new(cjk::map),
            faces: BTreeMap::new(),
        }
    }

    /// The font that a dictionary describes; `None` if it cannot be understood.
    pub(super) fn face(&mut self, dict: &Dict<'a>) -> Option<Rc<Face<'a>>> {
        let Some(id) = dict.obj_id() else { return self.load(dict) };
        let key = (id.obj_number, id.gen_number);
        if let Some(face) = self.faces.get(&key) {
            return face.clone();
        }
        let face = self.load(dict);
        self.faces.insert(key, face.clone());
        face
    }

    fn load(&self, dict: &Dict<'a>) -> Option<Rc<Face<'a>>> {
        if !has_sane_widths(dict) || !has_sane_streams(dict) {
            return None;
        }
        let font = self.cache.font(dict, &self.resolver, &self.cmaps)?;
        let subtype = dict.get::<Name<'_>>("Subtype");
        let subtype = subtype.as_ref().map_or("", Name::as_str);
        Some(Rc::new(Face {
            font,
            style: style(dict),
            em: if subtype == "Type3" { type3_em(dict) } else { 1.0 },
            coding: Coding::of(dict).filter(|_| subtype == "Type0"),
            simple: subtype != "Type0",
            texts: RefCell::new(BTreeMap::new()),
            characters: OnceCell::new(),
        }))
    }
}

/// Whether the character ids of a composite font's widths are such. The font library fills the ranges that `/W` names
/// one by one, so a range up to four thousand million would never end.
fn has_sane_widths(dict: &Dict<'_>) -> bool {
    const MAX_ID: f64 = 65_535.0;
    let descendants = dict.get::<Array<'_>>("DescendantFonts");
    let descendant = descendants.and_then(|fonts| fonts.iter::<Dict<'_>>().next());
    let arrays = ["W", "W2"].map(|key| descendant.as_ref()?.get::<Array<'_>>(key));
    let mut numbers =
        arrays.iter().flatten().flat_map(|array| array.iter::<Object<'_>>()).filter_map(Object::into_number);
    numbers.all(|number| number.as_f64() <= MAX_ID)
}

/// Whether what a font brings unpacks to no more than fonts have: the font library unpacks it whole.
fn has_sane_streams(dict: &Dict<'_>) -> bool {
    /// The largest fonts, with all Chinese characters, have some 30 MB.
    const MAX_BYTES: usize = 64 << 20;
    let descendants = dict.get::<Array<'_>>("DescendantFonts");
    let descendant = descendants.and_then(|fonts| fonts.iter::<Dict<'_>>().next());
    let own = dict.get::<Dict<'_>>("FontDescriptor");
    let of_descendant = descendant.as_ref().and_then(|dict| dict.get::<Dict<'_>>("FontDescriptor"));
    let dicts = [Some(dict), descendant.as_ref(), own.as_ref(), of_descendant.as_ref()];
    let keys = ["ToUnicode", "Encoding", "CIDToGIDMap", "FontFile", "FontFile2", "FontFile3"];
    let mut streams =
        dicts.into_iter().flatten().flat_map(|dict| keys.iter().filter_map(|key| dict.get::<Stream<'_>>(*key)));
    streams.all(|stream| inflation::stays_within(&stream, MAX_BYTES))
}

/// The em of a Type 3 font in text space per unit of font size: the height of its glyphs, which is what other fonts'
/// sizes mean. Its own matrix may make a size of 1 or of 100 mean ten points.
fn type3_em(dict: &Dict<'_>) -> f64 {
    let matrix = dict.get::<[f64; 6]>("FontMatrix").unwrap_or([0.001, 0.0, 0.0, 0.001, 0.0, 0.0]);
    let height = dict.get::<Rect>("FontBBox").map_or(0.0, |bbox| bbox.height().abs());
    let em = height * matrix[3].abs();
    if em.is_finite() && em > 0.0 { em } else { 1.0 }
}

fn style(dict: &Dict<'_>) -> Style {
    let descendant = dict.get::<Array<'_>>("DescendantFonts").and_then(|fonts| fonts.iter::<Dict<'_>>().next());
    let descriptor = descendant.as_ref().unwrap_or(dict).get::<Dict<'_>>("FontDescriptor").unwrap_or_default();
    let name = dict.get::<Name<'_>>("BaseFont").or_else(|| descriptor.get::<Name<'_>>("FontName"));
    let name = name.as_ref().map_or("", Name::as_str);
    // Subsets are called `ABCDEF+Name`.
    let name = name.split_once('+').map_or(name, |(_, rest)| rest).to_lowercase();
    let flags = descriptor.get::<u32>("Flags").unwrap_or(0);
    let named = |words: &[&str]| words.iter().any(|word| name.contains(word));
    Style {
        bold: named(&["bold", "black", "heavy", "demi", "cmbx", "sfbx", "-bd"])
            || flags & FLAG_FORCE_BOLD != 0
            || descriptor.get::<f32>("FontWeight").is_some_and(|weight| weight >= 600.0),
        italic: named(&["italic", "oblique", "cmti", "cmsl"])
            || descriptor.get::<f32>("ItalicAngle").is_some_and(|angle| angle != 0.0),
        fixed_pitch: named(&["mono", "courier", "consol", "typewriter", "cmtt", "sftt", "menlo", "source code"])
            || flags & FLAG_FIXED_PITCH != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_become_what_is_searched() {
        let normal = |character| {
            let mut text = String::new();
            push_normal(&mut text, character);
            text
        };
        assert_eq!(normal('ﬃ'), "ffi");
        assert_eq!(normal('\u{A0}'), " ");
        assert_eq!(normal('\u{F0B7}'), "•");
        assert_eq!(normal('\u{FFFD}'), "");
        assert_eq!(normal('²'), "²", "a superscript two is not a two");
    }
}
