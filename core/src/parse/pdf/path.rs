//! Painted paths, as far as they are ruling lines or boxes: what tables and framed text are made of.

use super::glyphs::{PageContent, Rule};
use crate::document::BBox;
use hayro_font::kurbo::{Affine, Point};
use hayro_syntax::content::ops::TypedInstruction as Op;

/// Lines of one page that are kept: a form has hundreds, a drawing any number.
const MAX_RULES: usize = 20_000;
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
}

impl Path {
    /// Takes a path operator in; `false` if it is none. Painting puts lines and boxes into `out`.
    pub(super) fn step(&mut self, op: &Op<'_, '_>, ctm: Affine, out: &mut PageContent) -> bool {
        match op {
            Op::MoveTo(p) => self.begin(ctm, p.0.as_f64(), p.1.as_f64()),
            Op::LineTo(p) => self.line(ctm, p.0.as_f64(), p.1.as_f64()),
            Op::CubicTo(p) => self.curve(ctm, p.4.as_f64(), p.5.as_f64()),
            Op::CubicStartTo(p) => self.curve(ctm, p.2.as_f64(), p.3.as_f64()),
            Op::CubicEndTo(p) => self.curve(ctm, p.2.as_f64(), p.3.as_f64()),
            Op::ClosePath(_) => self.close(),
            Op::RectPath(r) => {
                let (x, y, w, h) = (r.0.as_f64(), r.1.as_f64(), r.2.as_f64(), r.3.as_f64());
                self.begin(ctm, x, y);
                self.line(ctm, x + w, y);
                self.line(ctm, x + w, y + h);
                self.line(ctm, x, y + h);
                self.close();
            }
            Op::StrokePath(_) => self.paint(false, true, out),
            Op::CloseAndStrokePath(_) => {
                self.close();
                self.paint(false, true, out);
            }
            Op::FillPathNonZero(_) | Op::FillPathNonZeroCompatibility(_) | Op::FillPathEvenOdd(_) => {
                self.paint(true, false, out);
            }
            Op::FillAndStrokeNonZero(_) | Op::FillAndStrokeEvenOdd(_) => self.paint(true, true, out),
            Op::CloseFillAndStrokeNonZero(_) | Op::CloseFillAndStrokeEvenOdd(_) => {
                self.close();
                self.paint(true, true, out);
            }
            Op::EndPath(_) => self.clear(),
            _ => return false,
        }
        true
    }

    fn begin(&mut self, ctm: Affine, x: f64, y: f64) {
        if self.n_points < MAX_POINTS {
            self.n_points += 1;
            self.subpaths.push(Subpath { points: vec![on_page(ctm, x, y)], ..Subpath::default() });
        }
    }

    fn line(&mut self, ctm: Affine, x: f64, y: f64) {
        if self.n_points < MAX_POINTS
            && let Some(subpath) = self.subpaths.last_mut()
        {
            self.n_points += 1;
            subpath.points.push(on_page(ctm, x, y));
        }
    }

    fn curve(&mut self, ctm: Affine, x: f64, y: f64) {
        self.line(ctm, x, y);
        if let Some(subpath) = self.subpaths.last_mut() {
            subpath.curved = true;
        }
    }

    fn close(&mut self) {
        if let Some(subpath) = self.subpaths.last_mut() {
            subpath.closed = true;
        }
    }

    fn clear(&mut self) {
        self.subpaths.clear();
        self.n_points = 0;
    }

    fn paint(&mut self, fill: bool, stroke: bool, out: &mut PageContent) {
        out.n_paths = out.n_paths.saturating_add(1);
        for subpath in self.subpaths.iter().filter(|subpath| !subpath.curved) {
            if stroke {
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
        self.clear();
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
