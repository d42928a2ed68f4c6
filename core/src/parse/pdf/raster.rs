//! Draws pages as pictures: those that must be read as pictures, and any that a person wants to look at.
//!
//! Not for text: what can be had from the content stream is read there.

use super::{inflation, password, upright::Upright};
use crate::parse::{
    ParseError, ParseOptions,
    scan::{MAX_PIXELS, Picture},
};
use hayro::{
    PixmapSettings, RenderCache, RenderSettings, hayro_interpret::InterpreterSettings,
    vello_cpu::color::palette::css::WHITE,
};
use hayro_syntax::{
    Pdf,
    object::{Dict, Name, Stream},
    page::{Page, Resources},
};

/// How fine a page is drawn to be read: what scanners are set to, and what recognisers are trained on.
pub(super) const DPI: f32 = 200.0;
/// A page that would have more pixels is drawn less fine: an A2 sheet at 200 dpi has fewer.
const MAX_DRAWN_PIXELS: f32 = 20_000_000.0;
/// Decoded bytes of all pictures on a page.
const MAX_PICTURE_BYTES: usize = 512 << 20;
/// Nested forms whose pictures are looked at, and things on a page.
const MAX_DEPTH: u32 = 6;
const MAX_OBJECTS: u32 = 20_000;

/// What drawing the pages of one file shares.
#[derive(Default)]
pub(super) struct Canvas<'a>(RenderCache<'a>);

impl<'a> Canvas<'a> {
    /// The page, upright, and how many pixels a point has. `None` where it has no size or holds more than may be drawn.
    pub(super) fn draw(&self, page: &'a Page<'a>, dpi: f32) -> Option<(Picture, f32)> {
        let Upright { width, height, unit, .. } = Upright::of(page);
        let scale = scale(width, height, dpi);
        let side = |points: f32| (1.0..60_000.0).contains(&(points * scale));
        if !(side(width) && side(height) && pictures_fit(page)) {
            return None;
        }
        let pixmap = hayro::render(
            page,
            &self.0,
            &InterpreterSettings::default(),
            &RenderSettings::default(),
            &PixmapSettings { x_scale: scale * unit, y_scale: scale * unit, bg_color: WHITE },
        );
        let (width, height) = (u32::from(pixmap.width()), u32::from(pixmap.height()));
        let rgb = pixmap.data_as_u8_slice().chunks_exact(4).flat_map(|rgba| [rgba[0], rgba[1], rgba[2]]).collect();
        Picture::new(width, height, rgb).map(|picture| (picture, scale))
    }
}

/// Pixels a point for a page of this size in points.
fn scale(width: f32, height: f32, dpi: f32) -> f32 {
    (dpi / 72.0).min((MAX_DRAWN_PIXELS / (width * height).max(1.0)).sqrt())
}

/// Whether the pictures on a page can be decoded within bounds, as far as their dictionaries tell.
fn pictures_fit(page: &Page<'_>) -> bool {
    let mut budget = Budget { n_objects: MAX_OBJECTS, n_bytes: MAX_PICTURE_BYTES };
    budget.holds(page.resources(), 0)
}

struct Budget {
    n_objects: u32,
    n_bytes: usize,
}

impl Budget {
    fn holds(&mut self, resources: &Resources<'_>, depth: u32) -> bool {
        let keys: Vec<Name<'_>> = resources.x_objects.keys().collect();
        for key in keys {
            let Some(left) = self.n_objects.checked_sub(1) else { return false };
            self.n_objects = left;
            let Some(stream) = resources.get_x_object(&key) else { continue };
            let dict = stream.dict();
            let fits = if dict.get::<Name<'_>>("Subtype").is_some_and(|subtype| subtype.as_str() == "Form") {
                let own = dict.get::<Dict<'_>>("Resources").map(Resources::new);
                depth >= MAX_DEPTH || own.is_none_or(|own| self.holds(&own, depth + 1))
            } else {
                self.takes(&stream)
            };
            if !fits {
                return false;
            }
        }
        true
    }

    /// Takes a picture's size, as it says it and as it unpacks, from what is left.
    fn takes(&mut self, stream: &Stream<'_>) -> bool {
        let side = |key: &'static str| stream.dict().get::<u32>(key).map_or(0, u64::from);
        let n_pixels = side("Width").saturating_mul(side("Height"));
        let n_bytes = usize::try_from(n_pixels.saturating_mul(4)).unwrap_or(usize::MAX);
        let Some(left) = self.n_bytes.checked_sub(n_bytes) else { return false };
        self.n_bytes = left;
        n_pixels <= MAX_PIXELS && inflation::stays_within(stream, MAX_PICTURE_BYTES)
    }
}

/// The pages of a PDF as pictures, one by one.
pub struct PagePictures {
    pdf: Pdf,
}

impl PagePictures {
    /// Opens a file.
    ///
    /// # Errors
    /// [`ParseError::Password`], and [`ParseError::Damaged`] when no page is found.
    pub fn open(bytes: &[u8], options: &ParseOptions) -> Result<Self, ParseError> {
        Ok(Self { pdf: password::open(bytes, options.password.as_deref())? })
    }

    /// How many pages it has.
    #[must_use]
    pub fn n_pages(&self) -> u32 {
        u32::try_from(self.pdf.pages().len()).unwrap_or(u32::MAX)
    }

    /// Draws a page, counted from 1, upright on white, at most so fine as `dpi` says; with it the pixels of a point.
    /// `None` where there is no such page or it holds more than may be drawn.
    #[must_use]
    pub fn draw(&self, number: u32, dpi: f32) -> Option<(Picture, f32)> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        Canvas::default().draw(self.pdf.pages().get(index)?, dpi)
    }
}

impl std::fmt::Debug for PagePictures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PagePictures({} pages)", self.n_pages())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::pdf::fixture::{FixturePage, write};

    fn pages(page: FixturePage) -> PagePictures {
        PagePictures::open(&write(&[page], &[], ""), &ParseOptions::default()).unwrap()
    }

    #[test]
    fn a_page_is_drawn_upright_on_white() {
        // A black square of a tenth of an inch at the left, 100 points from the top.
        let pages = pages(FixturePage::new().raw("0 0 0 rg 0 734.8 7.2 7.2 re f"));
        let (picture, scale) = pages.draw(1, 144.0).unwrap();
        assert_eq!((picture.width(), picture.height(), scale), (1190, 1684, 2.0));
        assert_eq!(
            (picture.pixel(5, 205), picture.pixel(5, 190), picture.pixel(50, 205)),
            ([0; 3], [255; 3], [255; 3])
        );
        assert!(pages.draw(2, 144.0).is_none() && pages.draw(0, 144.0).is_none());
    }

    #[test]
    fn a_turned_page_is_drawn_as_it_is_seen() {
        let (picture, _) =
            pages(FixturePage::new().raw("0 0 0 rg 0 0 20 20 re f").with("/Rotate 90")).draw(1, 72.0).unwrap();
        assert_eq!((picture.width(), picture.height()), (842, 595));
        assert_eq!(picture.pixel(5, 5), [0; 3], "the lower left corner is at the top");
    }

    #[test]
    fn a_huge_page_is_drawn_less_fine() {
        assert_eq!(scale(595.0, 842.0, 144.0), 2.0);
        // A0 at 600 dpi would have 550 million pixels.
        let scale = scale(2384.0, 3370.0, 600.0);
        assert!((scale * scale * 2384.0 * 3370.0 - MAX_DRAWN_PIXELS).abs() < 1000.0);
    }
}
