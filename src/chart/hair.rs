//! The cross-hair: one hairline, and values at the curves instead of a box that would cover them.

use super::labels::{Block, Placer};
use super::marks::{Anchor, Mark, Point, Rect};
use super::palette::Role;
use super::scene::{Reading, Scene};
use crate::special::sorted_by;

/// From the hairline to the words beside it.
const OFF: f64 = 6.0;

/// More values than this are no answer.
const WORDS_MAX: usize = 12;

/// From a curve up and down to its value, the nearest first.
const STEPS: [f64; 7] = [8.5, 14.0, 20.0, 30.0, 42.0, 56.0, 72.0];

pub(super) fn cross_hair(scene: &Scene, x: f64) -> Vec<Mark> {
    let plot = scene.plot;
    let readings = scene.reading(x);
    let hair =
        Mark::Rule { from: (x, plot.top), to: (x, plot.bottom), role: Role::Ink, width: 1.0 };
    let mut marks = vec![hair];
    // Not over the labels of the axes.
    let room = Rect {
        left: plot.left - 4.0,
        top: plot.top - 12.0,
        right: scene.frame.width,
        bottom: plot.bottom,
    };
    let mut placer = Placer::new(room, &scene.marks);
    for (pieces, rect) in scene.curves() {
        placer.avoid_line(pieces, rect);
    }
    for it in &readings {
        placer.avoid(Rect { left: x, top: it.y, right: x, bottom: it.y }.grown(3.0));
        marks.push(Mark::Circle {
            at: (x, it.y),
            radius: 4.0,
            fill: Role::from(it.meaning),
            ring: Role::Paper,
            ring_width: 1.5,
        });
    }
    if let Some(name) = scene.x_text(x) {
        let block = Block::line(&name, true, Role::Ink);
        let heights = [10.0, 28.0, 46.0, 64.0].map(|it| plot.top + it);
        let spots: Vec<_> = heights.iter().flat_map(|y| [(x, *y, false), (x, *y, true)]).collect();
        placer.first(&block, &beside(&spots));
    }
    if let Some(handle) = scene.handle.filter(|it| (it.x - x).abs() > OFF) {
        placer.avoid_line(&[vec![(handle.x, plot.top), (handle.x, plot.bottom)]], &plot);
    }
    // Where curves crowd at an edge, the outermost is named first, so that names keep the order of the curves.
    let inward = |it: &&Reading| (it.y - plot.top).min(plot.bottom - it.y);
    let order = sorted_by(readings.iter().collect(), inward);
    for it in order.into_iter().take(WORDS_MAX) {
        let text = named(it);
        let block = Block::line(&text, true, Role::from(it.meaning));
        let over = |off: f64| it.y - off - block.below();
        let under = |off: f64| it.y + off + block.above();
        let near = STEPS.iter().flat_map(|off| {
            [
                (x, over(*off), true),
                (x, under(*off), true),
                (x, over(*off), false),
                (x, under(*off), false),
            ]
        });
        let spots = beside(&near.collect::<Vec<_>>());
        placer.least_crossed(&block, &spots, usize::MAX);
    }
    marks.extend(placer.marks);
    marks
}

/// Places to the left of the hairline, where `true`, or to the right.
fn beside(spots: &[(f64, f64, bool)]) -> Vec<(Point, Anchor)> {
    let spot = |(x, y, left): &(f64, f64, bool)| {
        if *left { ((x - OFF, *y), Anchor::End) } else { ((x + OFF, *y), Anchor::Start) }
    };
    spots.iter().map(spot).collect()
}

/// A curve's name and value; a name that ends in a number is set off from it.
fn named(reading: &Reading) -> String {
    let Reading { label, value, .. } = reading;
    match label.chars().last() {
        None => value.clone(),
        Some(last) if last.is_ascii_digit() => format!("{label}: {value}"),
        Some(_) => format!("{label} {value}"),
    }
}
