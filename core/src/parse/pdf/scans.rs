//! Pages of a PDF without usable text: what is seen on their pictures takes the place of what their content says.
//!
//! Characters and lines seen on a picture go the same way from here as those of any page. Not for recognising them:
//! that is [`crate::parse::scan`].

use super::{
    font::Style,
    glyphs::{Glyph, PageContent, Rule, Turn},
};
use crate::{
    document::{BBox, Document, facts},
    parse::{
        ParseError, ParseWarning, ParseWarningKind,
        scan::{ReadScan, ScanError, Seen},
    },
};
use hayro_syntax::page::Page;

/// A page with fewer characters, most of it a picture, is a scan with a stamp or a page number.
const FEW_CHARACTERS: usize = 60;
/// How much of a page a picture must cover for that.
const MOST_OF_A_PAGE: f32 = 0.5;

/// The pages of one file that are pictures.
pub(super) struct Scans<'a> {
    reader: Option<&'a dyn ReadScan>,
    #[cfg(feature = "scan")]
    canvas: super::raster::Canvas<'a>,
    #[cfg(not(feature = "scan"))]
    pages: std::marker::PhantomData<&'a ()>,
    words: Vec<SeenWord>,
    read: Vec<u32>,
    without_text: Vec<u32>,
    failed: Option<(u32, String)>,
}

/// A page that came as a picture.
#[derive(Debug)]
pub(crate) struct SeenPage {
    /// Width in points.
    pub(crate) width: f32,
    /// Height in points.
    pub(crate) height: f32,
    /// Pixels of a point.
    pub(crate) scale: f32,
    /// What was seen on it.
    pub(crate) seen: Seen,
}

/// A word that was seen, for what its place is told about the reader's confidence.
struct SeenWord {
    page: u32,
    bbox: BBox,
    confidence: f32,
}

impl<'a> Scans<'a> {
    /// Pages are read with `reader`; without one none are.
    pub(super) fn new(reader: Option<&'a dyn ReadScan>) -> Self {
        Self {
            reader,
            #[cfg(feature = "scan")]
            canvas: super::raster::Canvas::default(),
            #[cfg(not(feature = "scan"))]
            pages: std::marker::PhantomData,
            words: Vec::new(),
            read: Vec::new(),
            without_text: Vec::new(),
            failed: None,
        }
    }

    /// What a page that came as a picture shows.
    pub(super) fn picture_page(&mut self, number: u32, page: &SeenPage) -> PageContent {
        let blank = PageContent { width: page.width, height: page.height, ..PageContent::default() };
        self.take(number, blank, &page.seen, page.scale)
    }

    /// What a page shows: what its content says, or, where that is no usable text, what is seen on it.
    ///
    /// # Errors
    /// Those of `tick`.
    pub(super) fn page(
        &mut self,
        number: u32,
        page: &'a Page<'a>,
        content: PageContent,
        tick: &mut dyn FnMut() -> Result<(), ParseError>,
    ) -> Result<PageContent, ParseError> {
        let Some(reader) = self.reader.filter(|_| is_picture(&content)) else { return Ok(content) };
        let Some((picture, scale)) = self.draw(page) else {
            self.failed.get_or_insert((number, "It is too large to be drawn.".to_owned()));
            return Ok(content);
        };
        match reader.read(&picture, tick) {
            Ok(seen) => Ok(self.take(number, content, &seen, scale)),
            Err(ScanError::Stopped(error)) => Err(error),
            Err(error) => {
                self.failed.get_or_insert((number, error.to_string()));
                Ok(content)
            }
        }
    }

    #[cfg(feature = "scan")]
    fn draw(&self, page: &'a Page<'a>) -> Option<(crate::parse::scan::Picture, f32)> {
        self.canvas.draw(page, super::raster::DPI)
    }

    #[cfg(not(feature = "scan"))]
    #[expect(clippy::unused_self, reason = "as with the feature")]
    fn draw(&self, _page: &'a Page<'a>) -> Option<(crate::parse::scan::Picture, f32)> {
        None
    }

    /// Puts what was seen, at `scale` pixels a point, in the place of a page's content.
    pub(super) fn take(&mut self, number: u32, content: PageContent, seen: &Seen, scale: f32) -> PageContent {
        if seen.lines.is_empty() {
            self.without_text.push(number);
            return content;
        }
        self.read.push(number);
        let (width, height) = (content.width, content.height);
        let mut read = PageContent { width, height, from_picture: true, ..PageContent::default() };
        for line in &seen.lines {
            let turn = Turn(line.turn % 4);
            let style = Style { bold: line.bold, ..Style::default() };
            let mut begins = true;
            let mut words: Vec<(f32, f32, f32, u32)> = Vec::new();
            for seen in &line.characters {
                let (u0, u1) = (seen.from / scale, seen.to / scale);
                let (v, size) = (line.baseline / scale, line.size / scale);
                let character = seen.character;
                if ![u0, u1, v, size].iter().all(|n| n.is_finite() && n.abs() < 1e5) || size <= 0.1 {
                    continue;
                }
                read.glyphs.push(Glyph {
                    character,
                    u0,
                    u1,
                    v,
                    size,
                    style,
                    turn,
                    artifact: false,
                    role: None,
                    begins,
                    hiding: None,
                });
                if character.is_whitespace() {
                    begins = true;
                    continue;
                }
                match words.last_mut().filter(|_| !begins) {
                    Some(word) => *word = (word.0, word.1.max(u1), word.2 + seen.confidence, word.3 + 1),
                    None => words.push((u0, u1, seen.confidence, 1)),
                }
                begins = false;
            }
            let (v, size) = (line.baseline / scale, line.size / scale);
            self.words.extend(words.into_iter().map(|(u0, u1, sum, n)| SeenWord {
                page: number,
                bbox: turn.to_page(BBox { x0: u0, y0: v - 0.8 * size, x1: u1, y1: v + 0.2 * size }, width, height),
                confidence: sum / n as f32,
            }));
        }
        // What nobody sees is not on the picture, and stays what it is.
        read.glyphs.extend(content.glyphs.iter().filter(|glyph| glyph.hiding.is_some()));
        read.rules.extend(seen.rules.iter().map(|rule| Rule {
            horizontal: rule.horizontal,
            at: rule.at / scale,
            from: rule.from / scale,
            to: rule.to / scale,
        }));
        read
    }

    /// Tells of every node on a page that was read from its picture how sure its words are. O(nodes · words of a page).
    pub(super) fn tell_confidence(&self, document: &mut Document) {
        for node in &mut document.nodes {
            let Some(page) = node.page.filter(|page| !node.text.is_empty() && self.read.contains(page)) else {
                continue;
            };
            let from = self.words.partition_point(|word| word.page < page);
            let of_page = self.words[from..].iter().take_while(|word| word.page == page);
            let within = |word: &&SeenWord| {
                let (x, y) = ((word.bbox.x0 + word.bbox.x1) / 2.0, (word.bbox.y0 + word.bbox.y1) / 2.0);
                let holds = |bbox: BBox| (bbox.x0..=bbox.x1).contains(&x) && (bbox.y0..=bbox.y1).contains(&y);
                node.boxes.iter().any(|place| place.page == page && holds(place.bbox))
            };
            let (sum, n) = of_page.filter(within).fold((0.0, 0_u32), |(sum, n), word| (sum + word.confidence, n + 1));
            if n > 0 {
                node.metadata.insert(facts::CONFIDENCE.to_owned(), format!("{:.2}", sum / n as f32));
            }
        }
    }

    /// Adds what a reader should know of the pages that were read from their pictures, or should have been.
    pub(super) fn report(self, warnings: &mut Vec<ParseWarning>) {
        let mut warn =
            |kind, page: u32, message: String| warnings.push(ParseWarning { kind, page: Some(page), message });
        if let Some(first) = self.read.first() {
            let (pages, pictures) = if self.read.len() == 1 {
                (format!("Page {first} is"), "its picture")
            } else {
                (format!("{} pages, the first is page {first}, are", self.read.len()), "their pictures")
            };
            let n_words = self.words.len().max(1) as f32;
            let sure = self.words.iter().map(|word| word.confidence).sum::<f32>() / n_words * 100.0;
            let message = format!(
                "{pages} scanned: the text was read from {pictures}, each word on average {sure:.0} % sure. Compare figures with the original."
            );
            warn(ParseWarningKind::ReadFromPicture, *first, message);
        }
        if let Some(first) = self.without_text.first() {
            let message = if self.without_text.len() == 1 {
                format!("Page {first} is a picture on which no text was found.")
            } else {
                format!(
                    "{} pages, the first is page {first}, are pictures on which no text was found.",
                    self.without_text.len()
                )
            };
            warn(ParseWarningKind::NoText, *first, message);
        }
        if let Some((page, why)) = self.failed {
            warn(ParseWarningKind::NoText, page, format!("Page {page} is a scan and could not be read. {why}"));
        }
    }

    /// Whether a page was looked at as a picture, whatever came out.
    pub(super) fn has_seen(&self, number: u32) -> bool {
        self.read.contains(&number) || self.without_text.contains(&number)
    }
}

/// Whether a page must be read as a picture: it shows something, and no text that could be used.
fn is_picture(content: &PageContent) -> bool {
    let is_shown = |glyph: &&Glyph| glyph.hiding.is_none() && !glyph.character.is_whitespace();
    let n_shown = content.glyphs.iter().filter(is_shown).count();
    let n_unreadable = content.n_unreadable as usize;
    n_shown == 0 && (n_unreadable > 0 || content.n_pictures > 0 || content.n_paths > 0)
        || n_unreadable > n_shown
        || n_shown < FEW_CHARACTERS && picture_share(content) >= MOST_OF_A_PAGE
}

/// How much of a page its pictures cover, from 0 to 1. Scanners cut a page into strips, which add up.
fn picture_share(content: &PageContent) -> f32 {
    let area = |bbox: &BBox| {
        let width = bbox.x1.min(content.width) - bbox.x0.max(0.0);
        let height = bbox.y1.min(content.height) - bbox.y0.max(0.0);
        width.max(0.0) * height.max(0.0)
    };
    let covered: f32 = content.pictures.iter().map(area).sum();
    (covered / (content.width * content.height).max(1.0)).min(1.0)
}
