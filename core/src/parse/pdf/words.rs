//! The words of a PDF and where each stands: what highlighting draws over and what measuring compares.
//!
//! The same characters, words and boxes that the tree is made of, before they are put in order. Not for searching: that
//! goes by the tree's nodes.

use super::{
    MAX_PAGES, aslant, content,
    font::Fonts,
    glyphs::{PageContent, Turn},
    layers::Layers,
    lines, password,
    scans::Scans,
    sheet::Sheet,
    tags::Tags,
};
use crate::{
    document::BBox,
    parse::{ParseError, ParseOptions},
};

/// A word on a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// What it says, as the tree's nodes say it: ligatures taken apart, raised figures raised. A word that is divided at
    /// the end of a line is two.
    pub text: String,
    /// Around its letters, on the upright page.
    pub bbox: BBox,
}

/// The words of every page of a PDF that are seen: on each page those that run as most of its text does, by line from the
/// top, then those that run otherwise. Pages that are pictures are read where the options have a reader for them.
///
/// # Errors
/// [`ParseError::Password`], and [`ParseError::Damaged`] when no page is found.
pub fn page_words(bytes: &[u8], options: &ParseOptions) -> Result<Vec<Vec<Word>>, ParseError> {
    let pdf = password::open(bytes, options.password.as_deref())?;
    let layers = Layers::of(&pdf);
    let tags = Tags::default();
    let mut fonts = Fonts::new();
    let mut effort = content::Effort::of(bytes.len());
    let mut pages = Vec::new();
    let mut scans = Scans::new(options.scans.as_deref());
    for (number, page) in (1..).zip(pdf.pages().iter().take(MAX_PAGES)) {
        let content = content::read_page(page, &mut fonts, &layers, (&tags, number), &mut effort, &mut || Ok(()))?;
        let content = scans.page(number, page, content, &mut || Ok(()))?;
        pages.push(words(&content));
    }
    Ok(pages)
}

fn words(content: &PageContent) -> Vec<Word> {
    let main = Sheet::main_turn(content);
    let mut words = Vec::new();
    for turn in std::iter::once(main).chain(Turn::ALL.into_iter().filter(|other| *other != main)) {
        let rules = if turn == main { Sheet::rules(content, main) } else { Vec::new() };
        for segment in lines::segments(&content.glyphs, turn, None, &rules) {
            words.extend(segment.words.iter().map(|word| Word {
                text: word.text.to_string(),
                bbox: aslant::to_page(
                    BBox { x0: word.u0, x1: word.u1, ..segment.bbox },
                    turn,
                    content.skew,
                    content.width,
                    content.height,
                ),
            }));
        }
    }
    // The words of a line that runs aslant share its box.
    for aslant in content.aslant.iter().filter(|aslant| aslant.hiding.is_none()) {
        let all = aslant.segments.iter().flat_map(|segment| &segment.words);
        words.extend(all.map(|word| Word { text: word.text.to_string(), bbox: aslant.bbox }));
    }
    words
}
