//! The smallest rectangle around a set of points, at any angle. Pure geometry.

/// A rectangle at any angle: a middle, a direction, and half extents along and across it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rectangle {
    /// The middle.
    pub(super) x: f32,
    pub(super) y: f32,
    /// The angle of its long side against the x axis, in radians, in (-π/2, π/2]; y grows downwards.
    pub(super) angle: f32,
    /// Half the long side.
    pub(super) along: f32,
    /// Half the short side.
    pub(super) across: f32,
}

impl Rectangle {
    /// The same rectangle with every side moved out.
    pub(super) fn grown(self, by: f32) -> Self {
        Self { along: self.along + by, across: self.across + by, ..self }
    }

    /// The same rectangle on a picture that is this much larger.
    pub(super) fn scaled(self, by_x: f32, by_y: f32) -> Self {
        // The factors differ by rounding alone, so the angle stays.
        let by = (by_x * by_y).sqrt();
        Self { x: self.x * by_x, y: self.y * by_y, angle: self.angle, along: self.along * by, across: self.across * by }
    }
}

/// The smallest rectangle around points, by turning it along every side of their hull. O(n log n + h²) for a hull of h
/// points. `None` without points.
pub(super) fn smallest_around(points: &mut [(f32, f32)]) -> Option<Rectangle> {
    let hull = hull(points);
    let &first = hull.first()?;
    let next = hull.iter().cycle().skip(1);
    let sides = hull.iter().zip(next).map(|(from, to)| (to.1 - from.1).atan2(to.0 - from.0));
    let best =
        sides.map(|angle| along(&hull, angle)).min_by(|a, b| (a.along * a.across).total_cmp(&(b.along * b.across)));
    let best = best.unwrap_or(Rectangle { x: first.0, y: first.1, angle: 0.0, along: 0.0, across: 0.0 });
    Some(normalised(best))
}

/// The rectangle around a hull whose one side has this angle.
fn along(hull: &[(f32, f32)], angle: f32) -> Rectangle {
    let (sin, cos) = angle.sin_cos();
    let mut bounds = (f32::MAX, f32::MIN, f32::MAX, f32::MIN);
    for (x, y) in hull {
        let (u, v) = (x * cos + y * sin, y * cos - x * sin);
        bounds = (bounds.0.min(u), bounds.1.max(u), bounds.2.min(v), bounds.3.max(v));
    }
    let (u, v) = ((bounds.0 + bounds.1) / 2.0, (bounds.2 + bounds.3) / 2.0);
    Rectangle {
        x: u * cos - v * sin,
        y: u * sin + v * cos,
        angle,
        along: (bounds.1 - bounds.0) / 2.0,
        across: (bounds.3 - bounds.2) / 2.0,
    }
}

/// The long side along, its angle in (-π/2, π/2].
fn normalised(rectangle: Rectangle) -> Rectangle {
    use std::f32::consts::{FRAC_PI_2, PI};
    let mut turned = rectangle;
    if turned.across > turned.along {
        turned.angle += FRAC_PI_2;
        std::mem::swap(&mut turned.along, &mut turned.across);
    }
    while turned.angle > FRAC_PI_2 {
        turned.angle -= PI;
    }
    while turned.angle <= -FRAC_PI_2 {
        turned.angle += PI;
    }
    turned
}

/// The convex hull (Andrew's monotone chain).
fn hull(points: &mut [(f32, f32)]) -> Vec<(f32, f32)> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut lower = half_hull(points.iter());
    let mut upper = half_hull(points.iter().rev());
    // Each half ends where the other begins.
    lower.pop();
    upper.pop();
    lower.extend(upper);
    if lower.is_empty() { points.first().copied().into_iter().collect() } else { lower }
}

fn half_hull<'p>(points: impl Iterator<Item = &'p (f32, f32)>) -> Vec<(f32, f32)> {
    let mut half: Vec<(f32, f32)> = Vec::new();
    for &point in points {
        while let [.., a, b] = half[..] {
            let turns = (b.0 - a.0) * (point.1 - a.1) - (b.1 - a.1) * (point.0 - a.0);
            if turns > 0.0 {
                break;
            }
            half.pop();
        }
        half.push(point);
    }
    half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upright_rectangle_is_found() {
        let mut points = vec![(10.0, 20.0), (50.0, 20.0), (30.0, 25.0), (50.0, 30.0), (10.0, 30.0)];
        let found = smallest_around(&mut points).unwrap();
        assert_eq!((found.x, found.y, found.along, found.across), (30.0, 25.0, 20.0, 5.0));
        assert!(found.angle.abs() < 1e-6);
    }

    #[test]
    fn a_slanted_rectangle_keeps_its_angle() {
        let (sin, cos) = 0.1_f32.sin_cos();
        let corners = [(-40.0, -5.0), (40.0, -5.0), (40.0, 5.0), (-40.0, 5.0)];
        let mut points: Vec<_> =
            corners.iter().map(|(u, v)| (100.0 + u * cos - v * sin, 50.0 + u * sin + v * cos)).collect();
        let found = smallest_around(&mut points).unwrap();
        assert!((found.angle - 0.1).abs() < 1e-4, "{found:?}");
        assert!((found.along - 40.0).abs() < 1e-3 && (found.across - 5.0).abs() < 1e-3, "{found:?}");
    }

    #[test]
    fn a_tall_one_stands_upright() {
        let mut points = vec![(0.0, 0.0), (4.0, 0.0), (4.0, 60.0), (0.0, 60.0)];
        let found = smallest_around(&mut points).unwrap();
        assert!((found.angle - std::f32::consts::FRAC_PI_2).abs() < 1e-5, "{found:?}");
        assert_eq!((found.along, found.across), (30.0, 2.0));
    }

    #[test]
    fn few_points_are_a_point_or_a_line() {
        assert_eq!(smallest_around(&mut []), None);
        let point = smallest_around(&mut [(3.0, 4.0)]).unwrap();
        assert_eq!((point.x, point.y, point.along, point.across), (3.0, 4.0, 0.0, 0.0));
        let line = smallest_around(&mut [(0.0, 0.0), (8.0, 0.0), (4.0, 0.0)]).unwrap();
        assert_eq!((line.x, line.along, line.across), (4.0, 4.0, 0.0));
    }
}
