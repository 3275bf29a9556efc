//! The words of a figure, the most important first: what it says here, its limits, its curves and marks.

use super::curves::is_steps;
use super::dots;
use super::grid::MIDDLE;
use super::labels::{Block, Placer, column};
use super::layout::{END_OFF, Plot, Sheet, has_column};
use super::marks::{Anchor, Mark, Point, Rect};
use super::palette::Role;
use crate::report::{self, Bound, Series, Side, Trace};
use crate::special::{sort_by_number, sorted_by};

/// More words than this are never read.
const LABELS_MAX: usize = 100;
const CURVES_MAX: usize = 12;

/// The names to draw, given all that is drawn below them.
pub(super) fn name(sheet: &Sheet, marks: &[Mark]) -> Vec<Mark> {
    let room = Rect { left: 0.0, top: 0.0, right: sheet.frame.width, bottom: sheet.frame.height };
    let mut placer = Placer::new(room, marks);
    let mut first_curve = Vec::new();
    let mut curves = 0;
    for plot in &sheet.plots {
        first_curve.push(curves);
        curves += plot.curves.len();
        for curve in &plot.curves {
            placer.avoid_curve(curve, &plot.rect);
        }
        let covers = plot.points.iter().filter_map(|it| dots::cover(it, &sheet.x, &plot.y));
        covers.take(LABELS_MAX).for_each(|it| placer.avoid(it));
        // Nothing is struck through by the axis.
        placer.avoid(Rect { top: plot.rect.bottom, ..plot.rect });
    }
    for (line, plot) in sheet.limits() {
        placer.avoid_line(&[line], &plot);
    }
    if let Some(handle) = sheet.handle() {
        let at = Rect { left: handle.x, top: handle.y, right: handle.x, bottom: handle.y };
        placer.avoid(at.grown(10.0));
        placer.avoid(Rect {
            left: handle.x - 1.0,
            top: sheet.here_y(),
            right: handle.x + 1.0,
            bottom: handle.y,
        });
    }
    here(sheet, &mut placer);
    for (plot, first) in std::iter::zip(&sheet.plots, first_curve) {
        let rest = ends(sheet, plot, &mut placer);
        points(sheet, plot, &mut placer);
        // The study's own curve is drawn last, and named first.
        for at in rest.into_iter().rev().take(CURVES_MAX) {
            curve(sheet, plot, at, first + at, &mut placer);
        }
        // A limit's word has many places to choose from.
        let level = plot.bounds.iter().copied().filter(|it| !it.upright);
        for bound in sheet.figure.bounds.iter().filter(|it| it.upright).chain(level) {
            limit(sheet, plot, bound, &mut placer);
        }
        words(sheet, plot, &mut placer);
    }
    placer.marks
}

/// The large value at *you are here*: to the upper left, where a rising curve leaves room, or wherever there is some.
fn here(sheet: &Sheet, placer: &mut Placer) {
    let (Some(here), Some(handle)) = (&sheet.figure.here, sheet.handle()) else { return };
    if here.value.is_empty() {
        return;
    }
    let note =
        if sheet.frame.narrow { here.note.split(", ").next().unwrap_or("") } else { &here.note };
    let block = Block::of_value(&here.value, note, Role::Blue);
    let (x, y) = (handle.x, sheet.here_y());
    let mut spots = Vec::new();
    for up in [14.0, 24.0, 36.0, 52.0, 70.0, 90.0, -26.0, -44.0, -64.0] {
        spots.push(((x - 16.0, y - up), Anchor::End));
        spots.push(((x + 16.0, y - up), Anchor::Start));
    }
    let plot = sheet.plots[0].rect;
    spots.retain(|(at, anchor)| {
        let bounds = block.bounds(*at, *anchor);
        bounds.top >= plot.top - 4.0 && bounds.bottom <= plot.bottom - 2.0
    });
    placer.least_crossed(&block, &spots, usize::MAX);
}

/// A limit's word: beside its line, this side of the wash.
fn limit(sheet: &Sheet, plot: &Plot, bound: &Bound, placer: &mut Placer) {
    let Rect { left, top, right, bottom } = plot.rect;
    if bound.label.is_empty() {
        return;
    }
    let block = Block::line(&bound.label, false, Role::Red);
    let mut spots: Vec<(Point, Anchor)> = Vec::new();
    if bound.upright {
        let x = sheet.x.pixel(bound.at);
        if !sheet.x.is_on(bound.at) {
            return;
        }
        for down in 0..((bottom - top) / 16.0) as usize {
            let y = top + 10.0 + 16.0 * down as f64;
            spots.extend([((x - 8.0, y), Anchor::End), ((x + 8.0, y), Anchor::Start)]);
        }
    } else {
        let y = plot.y.pixel(bound.at);
        if !plot.y.is_on(bound.at) {
            return;
        }
        for y in [y + 16.0, y - 7.0] {
            let steps = ((right - left - block.width - 8.0) / 8.0).max(0.0) as usize;
            // From the middle to the left, then to the right: ends are where curves have their names.
            let starts = (0..steps).map(|it| left + 8.0 + 8.0 * it as f64);
            let middle = left + (right - left) * 0.3;
            let starts = sorted_by(starts.collect(), |it: &f64| (it - middle).abs());
            spots.extend(starts.into_iter().map(|it| ((it, y), Anchor::Start)));
        }
    }
    placer.first(&block, &spots);
}

/// Labels at the right end of the plot. Gives back the curves that have still to be named elsewhere.
fn ends(sheet: &Sheet, plot: &Plot, placer: &mut Placer) -> Vec<usize> {
    let mut rest = Vec::new();
    // A height, how to order equal ones, the words, and the curve that they name.
    let mut items: Vec<(f64, f64, Block, Option<usize>)> = Vec::new();
    for (at, series) in plot.series.iter().enumerate() {
        let Some(block) = block_of(series, sheet) else { continue };
        let end = plot.curves[at].end().filter(|it| it.0 > plot.rect.right - 2.0);
        match end {
            Some((_, y)) if has_column(sheet.frame) && series.label.side == Side::End => {
                let rank = if series.trace == Trace::Wash { 9.0 } else { 0.0 };
                items.push((y, rank, block, Some(at)));
            }
            _ => rest.push(at),
        }
    }
    if items.is_empty() {
        return rest;
    }
    for point in plot.points.iter().filter(|it| at_right_end(it, sheet, plot)) {
        if let Some(block) = Block::of_point(point, sheet.frame.narrow) {
            items.push((plot.y.pixel(point.y), 6.0, block, None));
        }
    }
    let items = sorted_by(items, |it| it.0 + it.1);
    let blocks: Vec<(f64, Block)> = items.iter().map(|it| (it.0, it.2.clone())).collect();
    let room = (plot.rect.top - 12.0, plot.rect.bottom + 12.0);
    let heights = column(&blocks, room);
    for ((wanted, _, block, series), y) in items.into_iter().zip(heights) {
        let near = (y - wanted).abs() < 60.0;
        let done = near && placer.first(&block, &[((plot.rect.right + END_OFF, y), Anchor::Start)]);
        if let (false, Some(at)) = (done, series) {
            rest.push(at);
        }
    }
    sort_by_number(&mut rest, |it| *it as f64);
    rest
}

/// A curve's name above it or below it, where it is alone, or at its end; if need be in its short form.
fn curve(sheet: &Sheet, plot: &Plot, at: usize, own: usize, placer: &mut Placer) {
    let series = &plot.series[at];
    let Some(block) = block_of(series, sheet) else { return };
    let short = report::Label { text: series.label.short.clone(), ..report::Label::default() };
    let short = Block::of(&short, Role::from(series.meaning), false);
    let from_right = series.label.side == Side::End;
    let sides = if series.label.side == Side::Below { [false, true] } else { [true, false] };
    for block in std::iter::once(block).chain(short) {
        let done = if is_steps(series.trace) {
            at_peak(&block, own, &plot.rect, placer)
        } else {
            sides.iter().any(|above| placer.beside(&block, own, &plot.rect, *above, from_right))
                || at_end(&block, plot.curves[at].end(), sheet, placer)
        };
        if done {
            return;
        }
    }
}

/// A histogram's name: over its highest bin, or beside it.
fn at_peak(block: &Block, own: usize, plot: &Rect, placer: &mut Placer) -> bool {
    let Some((x, y)) = placer.peak(own) else { return false };
    let over = |up: f64| y - up - block.below();
    let mut spots = vec![((x, over(8.0)), Anchor::Middle)];
    for up in [8.0, 22.0] {
        spots.extend([((x - 6.0, over(up)), Anchor::Start), ((x + 6.0, over(up)), Anchor::End)]);
    }
    for along in [10.0, 16.0, 24.0, 36.0, 52.0] {
        for down in [0.0, 8.0, 20.0] {
            let at = y + down + block.above();
            spots.extend([((x + along, at), Anchor::Start), ((x - along, at), Anchor::End)]);
        }
    }
    let room = plot.grown(4.0);
    spots.retain(|(at, anchor)| room.encloses(&block.bounds(*at, *anchor)));
    // A hair's breadth, as of a limit's line, may be crossed.
    placer.least_crossed(block, &spots, 3)
}

/// A name at the end of a curve: beyond it if it ends within the plot, else over its last stretch.
fn at_end(block: &Block, end: Option<Point>, sheet: &Sheet, placer: &mut Placer) -> bool {
    let Some((x, y)) = end else { return false };
    let over = ((x + 12.0).min(sheet.frame.width - 3.0), y - 12.0 - block.below());
    let mut spots = Vec::new();
    for along in [12.0, 36.0, 72.0, 108.0] {
        for up in [-MIDDLE, 16.0, -24.0] {
            spots.push(((x + along, y - up), Anchor::Start));
        }
    }
    spots.push((over, Anchor::End));
    spots.retain(|(at, anchor)| block.bounds(*at, *anchor).right <= sheet.frame.width - 2.0);
    placer.first(block, &spots)
}

/// The words of single marks, beside them.
fn points(sheet: &Sheet, plot: &Plot, placer: &mut Placer) {
    for (point, block) in labelled(sheet, plot).filter(|it| it.0.mark != report::Mark::Word) {
        if at_right_end(point, sheet, plot) && has_column(sheet.frame) {
            continue;
        }
        let middle = match point.interval {
            Some((low, high)) if point.y.is_nan() => {
                f64::midpoint(plot.y.pixel(low), plot.y.pixel(high))
            }
            _ => plot.y.pixel(point.y),
        };
        let (x, y) = (sheet.x.pixel(point.x), middle);
        let over = y - 12.0 - block.below();
        let spots = [
            ((x + 14.0, y + 22.0), Anchor::Start),
            ((x + 13.0, y + MIDDLE), Anchor::Start),
            ((x - 13.0, y + MIDDLE), Anchor::End),
            ((x - 10.0, over), Anchor::End),
            ((x - 10.0, y + 22.0), Anchor::End),
            ((x + 10.0, over), Anchor::Start),
        ];
        placer.first(&block, &spots);
    }
}

/// Words without a mark.
fn words(sheet: &Sheet, plot: &Plot, placer: &mut Placer) {
    for (point, block) in labelled(sheet, plot).filter(|it| it.0.mark == report::Mark::Word) {
        let at = (sheet.x.pixel(point.x), plot.y.pixel(point.y));
        if at.1.is_finite() {
            word(&block, at, Role::from(point.meaning), placer);
        }
    }
}

fn labelled<'a>(
    sheet: &'a Sheet,
    plot: &'a Plot,
) -> impl Iterator<Item = (&'a report::Point, Block)> {
    let block = |it: &&'a report::Point| {
        let block = Block::of_point(it, sheet.frame.narrow);
        block.map(|block| (*it, block))
    };
    plot.points.iter().filter_map(block).take(LABELS_MAX)
}

/// Words at a place without a mark: beside it, or above it and tied to it.
fn word(block: &Block, (x, y): Point, role: Role, placer: &mut Placer) {
    let below = block.below();
    let level = y + block.above();
    let spots = [
        ((x - 10.0, level), Anchor::End),
        ((x + 10.0, level), Anchor::Start),
        ((x, y - 8.0 - below), Anchor::Middle),
    ];
    if placer.first(block, &spots) {
        return;
    }
    for up in [28.0, 44.0, 60.0, 80.0, 110.0] {
        let at = y - up - below;
        let spots = [
            ((x, at), Anchor::Middle),
            ((x + 24.0, at), Anchor::End),
            ((x - 24.0, at), Anchor::Start),
        ];
        if placer.first(block, &spots) {
            let tie =
                Mark::Rule { from: (x, at + below + 3.0), to: (x, y - 4.0), role, width: 1.0 };
            placer.marks.push(tie);
            return;
        }
    }
}

fn at_right_end(point: &report::Point, sheet: &Sheet, plot: &Plot) -> bool {
    point.label.side == Side::End && sheet.x.pixel(point.x) > plot.rect.right - 2.0
}

fn block_of(series: &Series, sheet: &Sheet) -> Option<Block> {
    let role = Role::from(series.meaning);
    match series.trace {
        Trace::Wash => Block::of_band(&series.label, role, sheet.frame.narrow),
        _ => Block::of(&series.label, role, sheet.frame.narrow),
    }
}
