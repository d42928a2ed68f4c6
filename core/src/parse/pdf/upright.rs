//! How a page lies when a person looks at it: turned upright, cut to what is shown of it, in points.
//!
//! One place for what every reader of places needs, so that boxes of text, remarks and pictures agree.

use hayro_font::kurbo::Affine;
use hayro_syntax::{object::Dict, page::Page};

/// A page's unit is at most this many points: PDF readers show no larger pages.
const MAX_UNIT: f64 = 75_000.0;

/// A page as it is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Upright {
    /// From the page's own coordinates to points from the top left of the upright page.
    pub(super) transform: Affine,
    /// In points.
    pub(super) width: f32,
    /// In points.
    pub(super) height: f32,
    /// Points in a unit of the page's own coordinates: 1, but for pages too large for that (ISO 32000-2, 14.11.2).
    #[cfg(feature = "scan")]
    pub(super) unit: f32,
}

impl Upright {
    /// How a page is shown.
    pub(super) fn of(page: &Page<'_>) -> Self {
        let unit = unit(page.raw());
        let (width, height) = page.render_dimensions();
        let transform = Affine::scale(unit) * Affine::new(page.initial_transform(true).as_coeffs());
        Self {
            transform,
            width: width * unit as f32,
            height: height * unit as f32,
            #[cfg(feature = "scan")]
            unit: unit as f32,
        }
    }
}

fn unit(page: &Dict<'_>) -> f64 {
    let unit = page.get::<f64>("UserUnit").unwrap_or(1.0);
    if unit.is_finite() && unit > 0.0 && unit <= MAX_UNIT { unit } else { 1.0 }
}
