//! A figure becomes a scene: room for the plots, axes, curves, marks, and then the words.

use super::axis::Projection;
use super::bars;
use super::cell_map::CellMap;
use super::cells;
use super::curves::Curve;
use super::dots;
use super::grid::{self, Fixed, Tick};
use super::labels::Block;
use super::marks::{Anchor, Mark, Rect, Stroke, Tint};
use super::naming::name;
use super::palette::Role;
use super::scene::{Frame, Handle, Plane, Scene, Traced};
use super::text;
use crate::report::{self, Axis, Bound, Figure, Point, Series, Side, Size, Trace};
use crate::special::sort_numbers;

/// Narrower charts have no column of labels at their right.
const COLUMN_FROM: f64 = 560.0;

/// From the end of a curve to its label.
pub(super) const END_OFF: f64 = 16.0;

/// Between two plots, with the name of the lower one's axis.
const BETWEEN: f64 = 48.0;

/// Figures hold a few of each; what is beyond all use is not drawn, so that nothing takes for ever.
const SERIES_MAX: usize = 64;
const BOUNDS_MAX: usize = 8;

const DOTTED: &[f64] = &[2.0, 3.0];

/// One plot of a figure.
pub(super) struct Plot<'a> {
    pub(super) rect: Rect,
    pub(super) y: Projection,
    axis: &'a Axis,
    ticks: Vec<Tick>,
    pub(super) series: &'a [Series],
    pub(super) points: Vec<&'a Point>,
    pub(super) bounds: Vec<&'a Bound>,
    pub(super) curves: Vec<Curve>,
}

/// Everything that a figure's words are placed around.
pub(super) struct Sheet<'a> {
    pub(super) figure: &'a Figure,
    pub(super) frame: Frame,
    pub(super) x: Projection,
    pub(super) x_ticks: Vec<Tick>,
    pub(super) plots: Vec<Plot<'a>>,
}

/// Places everything that a figure holds in a frame.
pub fn layout(figure: &Figure, frame: Frame) -> Scene {
    if figure.bars.is_empty() {
        scene(figure, frame)
    } else {
        scene(&with_bars_alone(figure), frame)
    }
}

fn scene(figure: &Figure, frame: Frame) -> Scene {
    let sheet = Sheet::new(figure, frame.possible());
    let mut marks = Vec::new();
    for plot in &sheet.plots {
        marks.extend(sheet.ground(plot));
    }
    let ground = marks.len();
    for plot in &sheet.plots {
        let series = std::iter::zip(&plot.curves, plot.series);
        marks.extend(series.flat_map(|(curve, it)| curve.marks(it, &plot.rect)));
    }
    marks.extend(bars::marks(&figure.bars, &sheet.x, &sheet.plots[0].rect));
    marks.extend(sheet.here_line());
    marks.extend(sheet.axis_names());
    for plot in &sheet.plots {
        marks.extend(dots::marks(&plot.points, &sheet.x, &plot.y));
    }
    let names = name(&sheet, &marks);
    // After naming: words lie over a heat map, and need not keep off it.
    marks.splice(ground..ground, sheet.cells());
    Scene {
        frame: sheet.frame,
        title: figure.title.clone(),
        plot: sheet.whole(),
        marks,
        names,
        stops: sheet.stops(),
        handle: sheet.handle(),
        plane: sheet.plane(),
    }
}

impl<'a> Sheet<'a> {
    fn new(figure: &'a Figure, frame: Frame) -> Sheet<'a> {
        let areas = areas(figure, frame);
        let mut plots =
            vec![Plot::new(areas[0], &figure.y, &figure.series, &figure.points, &figure.bounds)];
        if let (Some(lower), Some(area)) = (&figure.lower, areas.get(1)) {
            plots.push(Plot::new(*area, &lower.y, &lower.series, &lower.points, &[]));
        }
        let left = if figure.bars.is_empty() {
            plots.iter().map(|it| grid::gutter(&it.ticks, frame.width)).fold(0.0, f64::max)
        } else {
            plots[0].ticks.clear();
            0.0
        };
        let right = frame.width - margin(figure, frame);
        let x = Projection::new(&figure.x, left, right);
        for plot in &mut plots {
            plot.rect = Rect { left, right, ..plot.rect };
            let curve = |it: &Series| Curve::new(it, &x, &plot.y, &plot.rect);
            plot.curves = plot.series.iter().map(curve).collect();
            plot.points = dots::within(std::mem::take(&mut plot.points), &x, &plot.y);
        }
        let mut fixed: Vec<Fixed> = Vec::new();
        if let Some(here) = &figure.here {
            fixed.push(Fixed { value: here.x, role: Role::Blue });
        }
        let upright = figure.bounds.iter().filter(|it| it.upright).take(BOUNDS_MAX);
        fixed.extend(upright.map(|it| Fixed { value: it.at, role: Role::Red }));
        let x_ticks = grid::along(&x, &fixed, frame);
        Sheet { figure, frame, x, x_ticks, plots }
    }

    /// From the top of the first plot to the bottom of the last.
    pub(super) fn whole(&self) -> Rect {
        let first = self.plots[0].rect;
        Rect {
            bottom: self.plots.iter().map(|it| it.rect.bottom).fold(first.bottom, f64::max),
            ..first
        }
    }

    /// Washes, grid, axis, and the limits.
    fn ground(&self, plot: &Plot) -> Vec<Mark> {
        let mut marks = Vec::new();
        let mut lines = Vec::new();
        let Rect { left, top, right, bottom } = plot.rect;
        let upright = self.figure.bounds.iter().filter(|it| it.upright).take(BOUNDS_MAX);
        let level = plot.bounds.iter().copied().filter(|it| !it.upright);
        for bound in upright.chain(level) {
            let at = if bound.upright { self.x.pixel(bound.at) } else { plot.y.pixel(bound.at) };
            let (from, to, beyond) = if bound.upright {
                let x = at.clamp(left, right);
                ((at, top), (at, bottom), Rect { left: x, ..plot.rect })
            } else {
                let y = at.clamp(top, bottom);
                ((left, at), (right, at), Rect { bottom: y, ..plot.rect })
            };
            if !at.is_nan() && beyond.width() > 0.0 && beyond.height() > 0.0 {
                marks.push(Mark::Rectangle {
                    rect: beyond,
                    tint: Tint { role: Role::RedWash, opacity: 1.0 },
                });
            }
            if plot.rect.holds(from) {
                let stroke = Stroke::dashed(Role::Red, 1.5, DOTTED);
                lines.push(Mark::Line { points: vec![from, to], stroke });
            }
        }
        let mut level = plot.ticks.clone();
        if self.handle().is_some_and(|it| it.x < left + 14.0) {
            // The handle would cover the label at the foot.
            level.retain(|it| it.pixel < self.whole().bottom - 12.0);
        }
        marks.extend(grid::level(&plot.rect, &level));
        if plot.rect.bottom == self.whole().bottom {
            marks.extend(grid::below(&plot.rect, &self.x_ticks));
        }
        marks.extend(lines);
        marks
    }

    fn cells(&self) -> Vec<Mark> {
        let plot = &self.plots[0];
        let cells = self.figure.cells.as_ref();
        cells.map_or_else(Vec::new, |it| cells::marks(it, &self.x, &plot.y, &plot.rect))
    }

    /// The limits' lines, each with its plot.
    pub(super) fn limits(&self) -> Vec<(Vec<(f64, f64)>, Rect)> {
        let mut lines = Vec::new();
        for plot in &self.plots {
            let Rect { left, top, right, bottom } = plot.rect;
            for bound in self.figure.bounds.iter().filter(|it| it.upright).take(BOUNDS_MAX) {
                let x = self.x.pixel(bound.at);
                lines.push((vec![(x, top), (x, bottom)], plot.rect));
            }
            for bound in plot.bounds.iter().filter(|it| !it.upright) {
                let y = plot.y.pixel(bound.at);
                lines.push((vec![(left, y), (right, y)], plot.rect));
            }
        }
        lines.retain(|it| it.1.holds(it.0[0]));
        lines
    }

    fn axis_names(&self) -> Vec<Mark> {
        let room = self.frame.width;
        let mut names = Vec::new();
        for (at, plot) in self.plots.iter().enumerate() {
            let up = if at > 0 || self.figure.size == Size::Pair { 16.0 } else { 20.0 };
            if at == 0 && !self.figure.bars.is_empty() {
                names.extend(bars::key(&self.figure.bars, &plot.rect, plot.rect.top - up));
                continue;
            }
            let (name, role) = (&plot.axis.name, if at > 0 { Role::Ink2 } else { Role::Ink3 });
            let text = text::fitted(name, grid::SMALL, false, room);
            if let (0, false, Some(cells)) = (at, name.is_empty(), &self.figure.cells) {
                let end = text::width(&text, grid::SMALL, false);
                names.extend(cells::key(cells, end, plot.rect.right, plot.rect.top - up));
            }
            names.push(grid::words(text, (0.0, plot.rect.top - up), Anchor::Start, role));
            // The line down from here passes through it.
            if let (true, Some(Mark::Words(words))) = (at > 0, names.last_mut()) {
                words.halo = Some(Role::Paper);
            }
        }
        let whole = self.whole();
        let text = text::fitted(&self.figure.x.name, grid::SMALL, false, whole.right);
        names.push(grid::words(text, (whole.right, whole.bottom + 42.0), Anchor::End, Role::Ink3));
        names.retain(|it| !matches!(it, Mark::Words(words) if words.text.is_empty()));
        names
    }

    /// The handle's middle; nothing while the study stands beyond the axis.
    pub(super) fn handle(&self) -> Option<Handle> {
        let here = self.figure.here.as_ref().filter(|it| self.x.is_on(it.x))?;
        Some(Handle { x: self.x.pixel(here.x), y: self.whole().bottom, key: here.key })
    }

    /// The height at which the value is; the top of the plot if the line is to cross all.
    pub(super) fn here_y(&self) -> f64 {
        let top = self.plots[0].rect.top;
        let y = self.figure.here.as_ref().map_or(f64::NAN, |it| self.plots[0].y.pixel(it.y));
        if y.is_finite() { y.clamp(top, self.plots[0].rect.bottom) } else { top }
    }

    fn here_line(&self) -> Option<Mark> {
        let Handle { x, y, .. } = self.handle()?;
        Some(Mark::Rule { from: (x, self.here_y()), to: (x, y), role: Role::Blue, width: 1.0 })
    }

    /// Bins, or else points and ticks.
    fn stops(&self) -> Vec<f64> {
        let rect = self.plots[0].rect;
        let mut stops: Vec<f64> = Vec::new();
        let histogram = self.plots[0].series.iter().find(|it| it.trace == Trace::Steps);
        if let Some(bins) = histogram {
            let middle =
                |it: &[(f64, f64)]| f64::midpoint(self.x.pixel(it[0].0), self.x.pixel(it[1].0));
            stops.extend(bins.points.windows(2).map(middle));
        } else {
            let points = self.plots.iter().flat_map(|it| &it.points).map(|it| self.x.pixel(it.x));
            stops.extend(points.chain(self.x_ticks.iter().map(|it| it.pixel)));
        }
        stops.retain(|it| rect.left - 0.01 <= *it && *it <= rect.right + 0.01);
        sort_numbers(&mut stops);
        stops.dedup_by(|a, b| (*a - *b).abs() < 2.0);
        stops
    }

    fn plane(&self) -> Plane {
        let mut traces = Vec::new();
        for plot in &self.plots {
            // A line over another says the same again; a band is no curve.
            let told = |it: &Series| !matches!(it.trace, Trace::Wash | Trace::ExactOver);
            for (curve, series) in std::iter::zip(&plot.curves, plot.series).filter(|it| told(it.1))
            {
                traces.push(Traced {
                    meaning: series.meaning,
                    label: if series.label.short.is_empty() {
                        series.label.text.clone()
                    } else {
                        series.label.short.clone()
                    },
                    y: plot.y,
                    rect: plot.rect,
                    pieces: curve.pieces.clone(),
                });
            }
        }
        let plot = &self.plots[0];
        let here = self.figure.points.iter().find(|it| it.mark == report::Mark::Ring);
        let cells = self.figure.cells.as_ref();
        let cells = cells.and_then(|it| CellMap::new(it, (&self.x, &plot.y), &plot.rect, here));
        // Bars say themselves what they come to.
        let x = self.figure.bars.is_empty().then_some(self.x);
        Plane { x, traces, cells }
    }
}

impl<'a> Plot<'a> {
    /// A plot whose height is known; its sides follow from the labels of all plots.
    fn new(
        rect: Rect,
        axis: &'a Axis,
        series: &'a [Series],
        points: &'a [Point],
        bounds: &'a [Bound],
    ) -> Plot<'a> {
        let y = Projection::new(axis, rect.bottom, rect.top);
        let bounds: Vec<&Bound> = bounds.iter().take(BOUNDS_MAX).collect();
        let level = bounds.iter().filter(|it| !it.upright);
        let fixed: Vec<Fixed> = level.map(|it| Fixed { value: it.at, role: Role::Red }).collect();
        let ticks = grid::upward(&y, &fixed);
        let series = &series[..series.len().min(SERIES_MAX)];
        Plot {
            rect,
            y,
            axis,
            ticks,
            series,
            points: points.iter().collect(),
            bounds,
            curves: Vec::new(),
        }
    }
}

/// Bars stand at no height, so that nothing can be drawn beside them.
fn with_bars_alone(figure: &Figure) -> Figure {
    Figure {
        key: figure.key,
        title: figure.title.clone(),
        size: figure.size,
        x: figure.x.clone(),
        bars: figure.bars.clone(),
        ..Figure::default()
    }
}

/// From top to bottom: the plots, with room for names above and ticks below.
fn areas(figure: &Figure, frame: Frame) -> Vec<Rect> {
    let top = match (figure.y.name.is_empty() && figure.bars.is_empty(), figure.size) {
        (true, _) => 12.0,
        (false, Size::Main) => 36.0,
        (false, Size::Pair) => 30.0,
    };
    let bottom = frame.height - if figure.x.name.is_empty() { 38.0 } else { 50.0 };
    let area = |top: f64, bottom: f64| Rect { left: 0.0, top, right: frame.width, bottom };
    if figure.lower.is_none() || bottom - top < 3.0 * BETWEEN {
        return vec![area(top, bottom)];
    }
    let upper = top + (bottom - top - BETWEEN) * 0.66;
    vec![area(top, upper), area(upper + BETWEEN, bottom)]
}

/// The room at the right: for labels at the ends of curves, or for half a mark.
fn margin(figure: &Figure, frame: Frame) -> f64 {
    let least = if frame.narrow { 16.0 } else { 18.0 };
    if !has_column(frame) {
        return least;
    }
    let series =
        figure.series.iter().chain(figure.lower.iter().flat_map(|it| &it.series)).take(SERIES_MAX);
    let at_end = series.filter(|it| it.label.side == Side::End);
    let blocks = at_end.filter_map(|it| Block::of(&it.label, Role::Ink, frame.narrow));
    let widest = blocks.map(|it| it.width).fold(0.0, f64::max);
    if widest == 0.0 { least } else { (widest + END_OFF + 4.0).min(0.28 * frame.width).ceil() }
}

pub(super) fn has_column(frame: Frame) -> bool {
    !frame.narrow && frame.width >= COLUMN_FROM
}
