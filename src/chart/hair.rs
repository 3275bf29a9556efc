//! The cross-hair: one hairline, and values at the curves instead of a box that would cover them.

use super::labels::{Block, column, washes, words_of};
use super::marks::{Anchor, Mark, Rect};
use super::palette::Role;
use super::scene::{Reading, Scene};

/// From the hairline to the words beside it.
const OFF: f64 = 6.0;

pub(super) fn cross_hair(scene: &Scene, x: f64) -> Vec<Mark> {
    let plot = scene.plot;
    let readings = scene.reading(x);
    let hair =
        Mark::Rule { from: (x, plot.top), to: (x, plot.bottom), role: Role::Ink, width: 1.0 };
    let mut marks = vec![hair];
    let dot = |it: &Reading| Mark::Circle {
        at: (x, it.y),
        radius: 4.0,
        fill: Role::from(it.meaning),
        ring: Role::Paper,
        ring_width: 1.5,
    };
    marks.extend(readings.iter().map(dot));
    let texts: Vec<Block> = readings
        .iter()
        .map(|it| (format!("{} {}", it.label, it.value), Role::from(it.meaning)))
        .map(|(text, role)| Block::line(text.trim(), true, role))
        .collect();
    // Not over the labels of the axes.
    let room = Rect {
        left: plot.left - 4.0,
        top: plot.top - 12.0,
        right: scene.frame.width,
        bottom: plot.bottom,
    };
    let widest = texts.iter().map(|it| it.width).fold(0.0, f64::max);
    let at_left = x - OFF - widest >= plot.left - 4.0;
    let mut words = Beside {
        x,
        at_left,
        room,
        taken: words_of(&scene.marks),
        washes: washes(&scene.marks),
        marks,
    };
    if let Some(name) = scene.x_text(x) {
        words.at_left = x + OFF + 60.0 > scene.frame.width;
        words.put(&Block::line(&name, true, Role::Ink), plot.top + 10.0);
        words.at_left = at_left;
    }
    let wanted = std::iter::zip(&readings, texts).map(|(it, block)| {
        // On the side of the words a curve may climb into them: then they go below it.
        let there = if at_left { x - block.width / 2.0 } else { x + block.width / 2.0 };
        let climbs = scene.height(it, there).is_some_and(|y| y < it.y - 3.0);
        (if climbs { it.y + 15.0 } else { it.y - 13.0 }, block)
    });
    let mut wanted: Vec<(f64, Block)> = wanted.collect();
    wanted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let heights = column(&wanted, (plot.top - 4.0, plot.bottom));
    for ((_, block), y) in std::iter::zip(&wanted, heights) {
        words.put(block, y);
    }
    words.marks
}

/// Words on one side of the hairline, or on the other where there is no room.
struct Beside {
    x: f64,
    at_left: bool,
    room: Rect,
    taken: Vec<Rect>,
    washes: Vec<Rect>,
    marks: Vec<Mark>,
}

impl Beside {
    fn put(&mut self, block: &Block, y: f64) {
        let left = ((self.x - OFF, y), Anchor::End);
        let right = ((self.x + OFF, y), Anchor::Start);
        let places = if self.at_left { [left, right] } else { [right, left] };
        for (at, anchor) in places {
            let bounds = block.bounds(at, anchor);
            let inside = self.room.encloses(&bounds);
            if inside && !self.taken.iter().any(|it| it.meets(&bounds)) {
                self.taken.push(bounds);
                self.marks.extend(block.marks(at, anchor, &self.washes));
                return;
            }
        }
    }
}
