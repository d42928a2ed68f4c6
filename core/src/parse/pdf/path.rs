//! Painted paths, as far as they are ruling lines or boxes: what tables and framed text are made of.

use super::{
    glyphs::{PageContent, Rule},
    paint::{Backdrop, Colour, intersection},
    state::State,
};
use crate::document::BBox;
use hayro_font::kurbo::{Affine, Point};
use hayro_syntax::{content::ops::TypedInstruction as Op, object::Number};

/// Lines of one page that are kept: a form has hundreds, a drawing any number.
const MAX_RULES: usize = 20_000;
/// Drawn shapes whose places are kept.
const MAX_DRAWINGS: usize = 1_000;
/// Points of one path that are kept; no table's path has more.
const MAX_POINTS: usize = 20_000;
/// A filled rectangle no thicker than this is a line, in points.
const MAX_LINE_THICKNESS: f32 = 3.0;
/// How far a line may be from horizontal or vertical, in points.
const STRAIGHT: f32 = 0.5;

/// A straight-edged part of a path, in page coordinates.
#[derive(Debug, Default)]
struct Subpath {
    points: Vec<(f32, f32)>,
    closed: bool,
    /// It has curves and is neither line nor box.
    curved: bool,
}

/// The path under construction.
#[derive(Debug, Default)]
pub(super) struct Path {
    subpaths: Vec<Subpath>,
    n_points: usize,
    /// Around all its points, those between which it curves included.
    bounds: Option<BBox>,
    /// It narrows the clip when it ends.
    clips: bool,
}

impl Path {
    /// Takes a path operator in; `false` if it is none. Painting puts lines and boxes into `out` and areas into
    /// `backdrop`; clipping narrows the clip of `state`.
    pub(super) fn step(
        &mut self,
        op: &Op<'_, '_>,
        state: &mut State<'_>,
        out: &mut PageContent,
        backdrop: &mut Backdrop,
    ) -> bool {
        let ctm = state.ctm;
        match op {
            Op::MoveTo(p) => self.begin(ctm, p.0.as_f64(), p.1.as_f64()),
            Op::LineTo(p) => self.line(ctm, p.0.as_f64(), p.1.as_f64()),
            Op::CubicTo(p) => self.curve(ctm, [[p.0, p.1], [p.2, p.3], [p.4, p.5]]),
            Op::CubicStartTo(p) => self.curve(ctm, [[p.0, p.1], [p.0, p.1], [p.2, p.3]]),
            Op::CubicEndTo(p) => self.curve(ctm, [[p.0, p.1], [p.2, p.3], [p.2, p.3]]),
            Op::ClosePath(_) => self.close(),
            Op::RectPath(r) => {
                let (x, y, w, h) = (r.0.as_f64(), r.1.as_f64(), r.2.as_f64(), r.3.as_f64());
                self.begin(ctm, x, y);
                self.line(ctm, x + w, y);
                self.line(ctm, x + w, y + h);
                self.line(ctm, x, y + h);
                self.close();
            }
            Op::ClipNonZero(_) | Op::ClipEvenOdd(_) => self.clips = true,
            Op::StrokePath(_) => self.paint(false, true, state, out, backdrop),
            Op::CloseAndStrokePath(_) => {
                self.close();
                self.paint(false, true, state, out, backdrop);
            }
            Op::FillPathNonZero(_) | Op::FillPathNonZeroCompatibility(_) | Op::FillPathEvenOdd(_) => {
                self.paint(true, false, state, out, backdrop);
            }
            Op::FillAndStrokeNonZero(_) | Op::FillAndStrokeEvenOdd(_) => {
                self.paint(true, true, state, out, backdrop);
            }
            Op::CloseFillAndStrokeNonZero(_) | Op::CloseFillAndStrokeEvenOdd(_) => {
                self.close();
                self.paint(true, true, state, out, backdrop);
            }
            Op::EndPath(_) => self.end(state),
            _ => return false,
        }
        true
    }

    fn begin(&mut self, ctm: Affine, x: f64, y: f64) {
        let point = self.reach(ctm, x, y);
        if self.n_points < MAX_POINTS {
            self.n_points += 1;
            self.subpaths.push(Subpath { points: vec![point], ..Subpath::default() });
        }
    }

    fn line(&mut self, ctm: Affine, x: f64, y: f64) {
        let point = self.reach(ctm, x, y);
        if self.n_points < MAX_POINTS
            && let Some(subpath) = self.subpaths.last_mut()
        {
            self.n_points += 1;
            subpath.points.push(point);
        }
    }

    /// A point on the page; the path's bounds now hold it.
    fn reach(&mut self, ctm: Affine, x: f64, y: f64) -> (f32, f32) {
        let (x, y) = on_page(ctm, x, y);
        let point = BBox { x0: x, y0: y, x1: x, y1: y };
        self.bounds = Some(self.bounds.map_or(point, |bounds| bounds.union(point)));
        (x, y)
    }

    fn curve(&mut self, ctm: Affine, [first, second, end]: [[Number; 2]; 3]) {
        for [x, y] in [first, second] {
            self.reach(ctm, x.as_f64(), y.as_f64());
        }
        self.line(ctm, end[0].as_f64(), end[1].as_f64());
        if let Some(subpath) = self.subpaths.last_mut() {
            subpath.curved = true;
        }
    }

    fn close(&mut self) {
        if let Some(subpath) = self.subpaths.last_mut() {
            subpath.closed = true;
        }
    }

    /// The path is done with; where it was to clip, it does now.
    fn end(&mut self, state: &mut State<'_>) {
        if let Some(bounds) = self.bounds.filter(|_| self.clips) {
            state.paint.clip_to(bounds);
        }
        self.subpaths.clear();
        self.n_points = 0;
        self.clips = false;
        self.bounds = None;
    }

    fn paint(
        &mut self,
        fill: bool,
        stroke: bool,
        state: &mut State<'_>,
        out: &mut PageContent,
        backdrop: &mut Backdrop,
    ) {
        out.n_paths = out.n_paths.saturating_add(1);
        let draws = self.subpaths.iter().any(|path| path.curved || is_slanted(&path.points));
        if let Some(bounds) = self.bounds.filter(|_| draws && out.drawings.len() < MAX_DRAWINGS) {
            out.drawings.push(intersection(bounds, state.paint.clip));
        }
        if fill && let Some(colour) = state.paint.of_area() {
            self.cover(colour, state.paint.clip, backdrop);
        }
        // A thick line may be what a title stands on.
        let half = (state.ctm.determinant().abs().sqrt() as f32) * state.paint.line_width / 2.0;
        if let Some(BBox { x0, y0, x1, y1 }) = self.bounds.filter(|_| stroke && half > MAX_LINE_THICKNESS / 2.0) {
            let area = BBox { x0: x0 - half, y0: y0 - half, x1: x1 + half, y1: y1 + half };
            backdrop.paint(intersection(area, state.paint.clip), None);
        }
        for subpath in self.subpaths.iter().filter(|subpath| !subpath.curved) {
            if stroke {
                if let Some(bbox) = rectangle(&subpath.points)
                    && out.outlines.len() < MAX_RULES
                {
                    out.outlines.push(bbox);
                }
                let closing = subpath.closed.then(|| (subpath.points.last(), subpath.points.first()));
                let edges = subpath.points.windows(2).map(|pair| (pair.first(), pair.last()));
                for (from, to) in edges.chain(closing) {
                    if let (Some(&from), Some(&to)) = (from, to) {
                        push_rule(out, from, to);
                    }
                }
            } else if fill && let Some(bbox) = rectangle(&subpath.points) {
                let (w, h) = (bbox.x1 - bbox.x0, bbox.y1 - bbox.y0);
                let (middle_x, middle_y) = ((bbox.x0 + bbox.x1) / 2.0, (bbox.y0 + bbox.y1) / 2.0);
                if h <= MAX_LINE_THICKNESS && w > h {
                    push_rule(out, (bbox.x0, middle_y), (bbox.x1, middle_y));
                } else if w <= MAX_LINE_THICKNESS && h > w {
                    push_rule(out, (middle_x, bbox.y0), (middle_x, bbox.y1));
                } else if out.boxes.len() < MAX_RULES {
                    out.boxes.push(bbox);
                }
            }
        }
        self.end(state);
    }

    /// Notes what filling covers. Of a shape that is no upright rectangle, and of rectangles inside one another, which
    /// may be frames, only that something is there.
    fn cover(&self, colour: Colour, clip: BBox, backdrop: &mut Backdrop) {
        /// More rectangles at once are not compared with one another.
        const MAX_AT_ONCE: usize = 64;
        let areas: Vec<Option<BBox>> = self.subpaths.iter().map(|path| rectangle(&path.points)).collect();
        let plain = areas.iter().all(Option::is_some) && !self.subpaths.iter().any(|path| path.curved);
        let overlap = |a: &BBox, b: &BBox| a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
        let apart = || {
            let pairs =
                areas.iter().enumerate().flat_map(|(index, a)| areas.iter().skip(index + 1).map(move |b| (a, b)));
            areas.len() <= MAX_AT_ONCE
                && !pairs.into_iter().any(|(a, b)| a.as_ref().zip(b.as_ref()).is_some_and(|(a, b)| overlap(a, b)))
        };
        if plain && apart() {
            areas.into_iter().flatten().for_each(|area| backdrop.paint(intersection(area, clip), colour));
        } else if let Some(bounds) = self.bounds {
            backdrop.paint(intersection(bounds, clip), None);
        }
    }
}

fn on_page(ctm: Affine, x: f64, y: f64) -> (f32, f32) {
    let point = ctm * Point::new(x, y);
    (point.x as f32, point.y as f32)
}

fn push_rule(out: &mut PageContent, from: (f32, f32), to: (f32, f32)) {
    let (dx, dy) = ((to.0 - from.0).abs(), (to.1 - from.1).abs());
    let horizontal = dy <= STRAIGHT && dx > dy;
    let vertical = dx <= STRAIGHT && dy > dx;
    if !(horizontal || vertical) || out.rules.len() >= MAX_RULES {
        return;
    }
    let (at, a, b, limit) = if horizontal {
        ((from.1 + to.1) / 2.0, from.0, to.0, out.width)
    } else {
        ((from.0 + to.0) / 2.0, from.1, to.1, out.height)
    };
    let (from, to) = (a.min(b).max(0.0), a.max(b).min(limit));
    if to > from {
        out.rules.push(Rule { horizontal, at, from, to });
    }
}

/// Whether a subpath has a line that is neither horizontal nor vertical.
fn is_slanted(points: &[(f32, f32)]) -> bool {
    points.windows(2).any(|pair| {
        let [a, b] = pair else { return false };
        (a.0 - b.0).abs() > STRAIGHT && (a.1 - b.1).abs() > STRAIGHT
    })
}

/// The rectangle that a subpath draws, if it is an upright one.
fn rectangle(points: &[(f32, f32)]) -> Option<BBox> {
    let corners = match points {
        [rest @ .., last] if rest.len() == 4 && rest.first() == Some(last) => rest,
        _ => points,
    };
    let [a, b, c, d] = corners else { return None };
    let near = |p: f32, q: f32| (p - q).abs() <= STRAIGHT;
    let upright = near(a.1, b.1) && near(b.0, c.0) && near(c.1, d.1) && near(d.0, a.0)
        || near(a.0, b.0) && near(b.1, c.1) && near(c.0, d.0) && near(d.1, a.1);
    let bbox = BBox { x0: a.0.min(c.0), y0: a.1.min(c.1), x1: a.0.max(c.0), y1: a.1.max(c.1) };
    upright.then_some(bbox)
}
