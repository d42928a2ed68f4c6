//! Pages that are pictures: what a reader of scans is given, and what it gives back.
//!
//! The reader itself (`Reader`, with the cargo feature `scan`) finds lines of text on a picture and recognises their
//! characters. Not for layout: what it sees goes the same way as the characters of a PDF, so that headings, columns and
//! tables come out of a scan too.

#[cfg(feature = "scan")]
mod crop;
#[cfg(feature = "scan")]
mod ctc;
#[cfg(feature = "scan")]
mod detect;
#[cfg(feature = "scan")]
mod ink;
#[cfg(feature = "scan")]
mod model;
#[cfg(feature = "scan")]
mod reader;
#[cfg(feature = "scan")]
mod rectangle;
#[cfg(feature = "scan")]
mod regions;
#[cfg(feature = "scan")]
mod rules;
#[cfg(feature = "scan")]
mod upright;

use super::ParseError;
#[cfg(feature = "scan")]
pub use model::ModelError;
#[cfg(feature = "scan")]
pub use reader::Reader;
use std::fmt;

/// The most pixels of a page or picture that are looked at: an A3 sheet at 600 dpi has fewer, and they take 240 MB.
pub const MAX_PIXELS: u64 = 80_000_000;

/// A picture of a page.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    rgb: Vec<u8>,
}

impl Picture {
    /// A picture of 8 bits for each of red, green and blue, row by row from the top left. `None` unless there are
    /// exactly that many bytes and at most [`MAX_PIXELS`], at least one.
    #[must_use]
    pub fn new(width: u32, height: u32, rgb: Vec<u8>) -> Option<Self> {
        let n_pixels = u64::from(width) * u64::from(height);
        let fits = (1..=MAX_PIXELS).contains(&n_pixels) && rgb.len() as u64 == n_pixels * 3;
        fits.then_some(Self { width, height, rgb })
    }

    /// Width in pixels, at least 1.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels, at least 1.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Red, green and blue of a pixel; of the nearest one where the place is outside.
    #[must_use]
    pub fn pixel(&self, x: i64, y: i64) -> [u8; 3] {
        let clamp = |at: i64, size: u32| at.clamp(0, i64::from(size) - 1) as usize;
        let at = (clamp(y, self.height) * self.width as usize + clamp(x, self.width)) * 3;
        match self.rgb.get(at..at + 3) {
            Some(&[r, g, b]) => [r, g, b],
            _ => [255; 3],
        }
    }

    /// The bytes, as [`new`](Self::new) takes them.
    #[must_use]
    pub fn rgb(&self) -> &[u8] {
        &self.rgb
    }
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({} x {})", self.width, self.height)
    }
}

/// What was seen on a picture. Places are in pixels from the top left of the picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// Lines of text, from the top.
    pub lines: Vec<SeenLine>,
    /// Straight ruling lines.
    pub rules: Vec<SeenRule>,
}

/// A line of text. Its places are in the frame of its turn, the picture turned so that the text runs to the right.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenLine {
    /// Which way the text runs on the picture, in quarter turns clockwise: 0 to the right, 1 downwards.
    pub turn: u8,
    /// Its characters, blanks among them, in the order in which they stand.
    pub characters: Vec<SeenCharacter>,
    /// The baseline.
    pub baseline: f32,
    /// The height of the em.
    pub size: f32,
    /// Its strokes are heavier than those of most text on the page.
    pub bold: bool,
}

/// A character of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeenCharacter {
    /// What it says.
    pub character: char,
    /// Where it begins along the line.
    pub from: f32,
    /// Where it ends, not before `from`.
    pub to: f32,
    /// How sure the reader is, 0 to 1.
    pub confidence: f32,
}

/// A straight ruling line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeenRule {
    /// Which way it runs.
    pub horizontal: bool,
    /// Its y if it is horizontal, else its x.
    pub at: f32,
    /// Where it begins.
    pub from: f32,
    /// Where it ends, not before `from`.
    pub to: f32,
}

/// Why a picture could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScanError {
    /// The caller stopped it.
    #[error(transparent)]
    Stopped(#[from] ParseError),
    /// The reading model is not there, as a full sentence that says what to do.
    #[error("{0}")]
    NoModel(String),
    /// The reading model failed.
    #[error("The reading model failed ({0}).")]
    Failed(String),
}

/// Something that reads the text on a picture.
pub trait ReadScan: fmt::Debug + Send + Sync {
    /// Reads one. `tick` is called between the steps, several times a second on an ordinary machine, and may stop it.
    ///
    /// # Errors
    /// [`ScanError`].
    fn read(&self, picture: &Picture, tick: &mut dyn FnMut() -> Result<(), ParseError>) -> Result<Seen, ScanError>;
}
