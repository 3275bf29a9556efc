//! Curves: from values to lines that fit the plot, however many values there are.

use super::axis::Projection;
use super::marks::{Mark, Point, Rect, Stroke, Tint};
use super::palette::Role;
use crate::report::{Series, Trace};

/// A curve in pixels.
pub(super) struct Curve {
    /// Unbroken pieces, thinned to what can be told apart, not yet cut off at the plot.
    pub(super) pieces: Vec<Vec<Point>>,
    /// The same within the plot.
    pub(super) inside: Vec<Vec<Point>>,
}

/// Two columns a pixel: finer detail than screens show.
const COLUMNS: f64 = 2.0;

const EXACT: &[f64] = &[7.0, 3.5];
const EXACT_ALONE: &[f64] = &[9.0, 3.5];
const EXACT_OVER: &[f64] = &[4.0, 4.0];

/// The opacity of areas below lines.
const TINT: f64 = 0.13;

impl Curve {
    pub(super) fn new(series: &Series, x: &Projection, y: &Projection, plot: &Rect) -> Curve {
        let points = series.points.iter().map(|(at, value)| (x.pixel(*at), y.pixel(*value)));
        let pieces = if is_steps(series.trace) {
            thinned(outline(points, plot.bottom))
        } else {
            thinned(points)
        };
        let inside = pieces.iter().flat_map(|it| clipped(it, plot)).collect();
        Curve { pieces, inside }
    }

    pub(super) fn marks(&self, series: &Series, plot: &Rect) -> Vec<Mark> {
        let role = Role::from(series.meaning);
        let mut marks = Vec::new();
        if series.trace == Trace::Steps {
            for piece in &self.pieces {
                let into = |(x, y): &Point| {
                    (x.clamp(plot.left, plot.right), y.clamp(plot.top, plot.bottom))
                };
                let points: Vec<Point> = piece.iter().map(into).collect();
                marks.push(Mark::Area { points, tint: Tint { role, opacity: TINT } });
            }
        }
        let stroke = match series.trace {
            Trace::Simulated | Trace::Steps => Stroke::solid(role, 2.5),
            Trace::Exact | Trace::ExactSteps => Stroke::dashed(role, 1.75, EXACT),
            Trace::ExactOver => Stroke::dashed(Role::Ink, 1.0, EXACT_OVER),
            Trace::ExactAlone => Stroke::dashed(role, 2.5, EXACT_ALONE),
            Trace::Wash => Stroke { opacity: 0.18, ..Stroke::solid(role, 9.0) },
        };
        marks.extend(self.inside.iter().map(|it| Mark::Line { points: it.clone(), stroke }));
        marks
    }

    /// The last place of the curve within the plot.
    pub(super) fn end(&self) -> Option<Point> {
        self.inside.last().and_then(|it| it.last()).copied()
    }
}

pub(super) fn is_steps(trace: Trace) -> bool {
    matches!(trace, Trace::Steps | Trace::ExactSteps)
}

/// A histogram's outline: up from the base, level over each bin, down at the end and wherever a height is none.
fn outline(points: impl Iterator<Item = Point>, base: f64) -> impl Iterator<Item = Point> {
    let points: Vec<Point> = points.collect();
    let mut path = Vec::with_capacity(2 * points.len() + 2);
    let mut on = false;
    for pair in points.windows(2) {
        let ((from, y), (to, _)) = (pair[0], pair[1]);
        if from.is_finite() && to.is_finite() && y.is_finite() {
            if !on {
                path.extend([(f64::NAN, f64::NAN), (from, base)]);
            }
            path.extend([(from, y), (to, y)]);
        } else if on {
            path.push((from, base));
        }
        on = y.is_finite();
    }
    if let (true, Some((x, _))) = (on, points.last()) {
        path.push((*x, base));
    }
    path.into_iter()
}

/// Lines through at most four points in each column of pixels: where they enter it, its extremes, where they
/// leave. A point that is not finite ends a line; one that runs backwards is passed over.
fn thinned(points: impl Iterator<Item = Point>) -> Vec<Vec<Point>> {
    let mut pieces: Vec<Vec<Point>> = Vec::new();
    let mut column: Option<Column> = None;
    let mut broken = true;
    for (x, y) in points {
        if !x.is_finite() || !y.is_finite() {
            broken = true;
            continue;
        }
        let at = libm::floor(x * COLUMNS) as i64;
        match &mut column {
            Some(open) if x < open.last.0 => continue,
            // A break within one column cannot be seen.
            Some(open) if open.at == at => open.add((x, y)),
            _ => {
                if let Some(full) = column.take() {
                    full.flush(&mut pieces);
                }
                if broken {
                    pieces.push(Vec::new());
                }
                column = Some(Column::new(at, (x, y)));
            }
        }
        broken = false;
    }
    if let Some(full) = column {
        full.flush(&mut pieces);
    }
    pieces
}

struct Column {
    at: i64,
    first: Point,
    /// In the order in which they came.
    extremes: [Point; 2],
    last: Point,
}

impl Column {
    fn new(at: i64, point: Point) -> Column {
        Column { at, first: point, extremes: [point; 2], last: point }
    }

    fn add(&mut self, point: Point) {
        let [a, b] = self.extremes;
        let (low, high) = (a.1.min(b.1), a.1.max(b.1));
        if point.1 < low {
            self.extremes = [if a.1 > b.1 { a } else { b }, point];
        } else if point.1 > high {
            self.extremes = [if a.1 < b.1 { a } else { b }, point];
        }
        self.last = point;
    }

    fn flush(self, pieces: &mut [Vec<Point>]) {
        let Some(piece) = pieces.last_mut() else { return };
        piece.extend([self.first, self.extremes[0], self.extremes[1], self.last]);
        piece.dedup();
    }
}

/// The parts of a line within a rectangle.
pub(super) fn clipped(line: &[Point], rect: &Rect) -> Vec<Vec<Point>> {
    let mut parts: Vec<Vec<Point>> = Vec::new();
    let mut open = false;
    for pair in line.windows(2) {
        let Some((from, to)) = clipped_segment(pair[0], pair[1], rect) else {
            open = false;
            continue;
        };
        match parts.last_mut().filter(|_| open && from == pair[0]) {
            Some(part) => part.push(to),
            None => parts.push(vec![from, to]),
        }
        open = to == pair[1];
    }
    parts
}

/// Liang and Barsky: the share of a segment, from one end to the other, that lies within.
fn clipped_segment(a: Point, b: Point, rect: &Rect) -> Option<(Point, Point)> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    let sides = [
        (-dx, a.0 - rect.left),
        (dx, rect.right - a.0),
        (-dy, a.1 - rect.top),
        (dy, rect.bottom - a.1),
    ];
    for (outward, room) in sides {
        if outward == 0.0 && room < 0.0 {
            return None;
        }
        if outward < 0.0 {
            enter = enter.max(room / outward);
        } else if outward > 0.0 {
            leave = leave.min(room / outward);
        }
    }
    let along = |share: f64| match share {
        0.0 => a,
        1.0 => b,
        _ => (a.0 + share * dx, a.1 + share * dy),
    };
    (enter <= leave).then(|| (along(enter), along(leave)))
}
