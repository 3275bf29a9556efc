//! Single marks: simulated values with their intervals, published ones, those of A.

use std::collections::BTreeSet;

use super::axis::Projection;
use super::marks::{Mark, Rect, Stroke};
use super::palette::Role;
use crate::report::{self, Point};

/// More marks than this cannot be told apart in any chart.
const POINTS_MAX: usize = 4000;

/// A diamond with a dot inside is larger, so as to be seen around it.
const INSIDE: f64 = 7.0;

/// The points that fall within the plot, without those that would hide behind another of their kind.
pub(super) fn within<'a>(points: Vec<&'a Point>, x: &Projection, y: &Projection) -> Vec<&'a Point> {
    let mut seen = BTreeSet::new();
    let on =
        |it: &Point| x.is_on(it.x) && (y.is_on(it.y) || (it.y.is_nan() && it.interval.is_some()));
    let mut fresh = |it: &Point| {
        let pixel = |it: f64| it.round() as i64;
        seen.insert((pixel(x.pixel(it.x)), pixel(y.pixel(it.y)), it.mark as u8, it.meaning as u8))
    };
    points.into_iter().filter(|it| on(it) && fresh(it)).take(POINTS_MAX).collect()
}

pub(super) fn marks(points: &[&Point], x: &Projection, y: &Projection) -> Vec<Mark> {
    let mut marks = Vec::new();
    let dots: Vec<(f64, f64)> = points
        .iter()
        .filter(|it| it.mark == report::Mark::Dot && it.y.is_finite())
        .map(|it| (x.pixel(it.x), y.pixel(it.y)))
        .collect();
    for point in points {
        let role = Role::from(point.meaning);
        let at = (x.pixel(point.x), y.pixel(point.y));
        marks.extend(error_bar(point, at.0, y, role));
        if at.1.is_nan() {
            continue;
        }
        marks.extend(match point.mark {
            report::Mark::Dot => Some(Mark::Circle {
                at,
                radius: 4.0,
                fill: role,
                ring: Role::Paper,
                ring_width: 1.5,
            }),
            report::Mark::Ring => Some(Mark::Circle {
                at,
                radius: 3.5,
                fill: Role::Paper,
                ring: role,
                ring_width: 2.0,
            }),
            report::Mark::Diamond => {
                let near = |it: &(f64, f64)| libm::hypot(it.0 - at.0, it.1 - at.1) < INSIDE;
                let around = dots.iter().any(near);
                let (radius, fill) = if around { (8.5, None) } else { (7.0, Some(Role::Paper)) };
                Some(Mark::Diamond { at, radius, fill, stroke: Stroke::solid(Role::Ink, 1.75) })
            }
            report::Mark::Word => None,
        });
    }
    marks
}

/// An upright bar with caps, if it can be seen beside its dot.
fn error_bar(point: &Point, x: f64, y: &Projection, role: Role) -> Vec<Mark> {
    let Some((low, high)) = point.interval else { return Vec::new() };
    let (top, bottom) = (y.start.min(y.end), y.start.max(y.end));
    let (from, to) = (y.pixel(low).clamp(top, bottom), y.pixel(high).clamp(top, bottom));
    let seen = if point.y.is_nan() { 2.0 } else { 11.0 };
    if (from - to).abs() <= seen || from.is_nan() || to.is_nan() {
        return Vec::new();
    }
    let stroke = Stroke::solid(role, 1.5);
    let line = |from: (f64, f64), to: (f64, f64)| Mark::Line { points: vec![from, to], stroke };
    let cap = |y: f64| line((x - 4.0, y), (x + 4.0, y));
    vec![line((x, from), (x, to)), cap(from), cap(to)]
}

/// What a point's mark covers.
pub(super) fn cover(point: &Point, x: &Projection, y: &Projection) -> Option<Rect> {
    let radius = match point.mark {
        report::Mark::Dot | report::Mark::Ring => 4.0,
        report::Mark::Diamond => 7.0,
        report::Mark::Word => return None,
    };
    let (x, y) = (x.pixel(point.x), y.pixel(point.y));
    y.is_finite().then(|| Rect { left: x, top: y, right: x, bottom: y }.grown(radius))
}
