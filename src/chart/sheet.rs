//! A scene for a file, where nothing around it says what it shows: with its heading, its caption, and a margin.

use super::marks::{Anchor, Mark, Point, Rect, Words};
use super::palette::Role;
use super::scene::{Frame, Scene};
use super::text;

/// On all sides, in CSS pixels.
const MARGIN: f64 = 24.0;
/// Between words and chart.
const GAP: f64 = 14.0;
/// Size and height of a line: of the heading, and of the caption.
const HEADING: (f64, f64) = (18.0, 24.0);
const CAPTION: (f64, f64) = (13.0, 19.0);

/// To look at, not to be read by a pointer.
#[must_use]
pub fn on_sheet(scene: &Scene, heading: &str, caption: &str) -> Scene {
    let mut top = MARGIN;
    let mut words = |text: &str, (size, height): (f64, f64), bold: bool, role: Role| {
        let lines = lines(text, size, bold, scene.frame.width);
        let lines = lines.into_iter().map(|text| {
            let at = (MARGIN, top + text::ASCENT * size);
            top += height;
            Mark::Words(Words { text, at, anchor: Anchor::Start, size, bold, role, halo: None })
        });
        lines.collect::<Vec<Mark>>()
    };
    let heading = words(heading, HEADING, true, Role::Ink);
    let caption = words(caption, CAPTION, false, Role::Ink2);
    let by = (MARGIN, top + GAP);
    let frame = Frame {
        width: scene.frame.width + 2.0 * MARGIN,
        height: by.1 + scene.frame.height + MARGIN,
        ..scene.frame
    };
    let moved = |it: &Mark| moved(it, by);
    let marks = heading.into_iter().chain(caption).chain(scene.marks.iter().map(moved));
    Scene {
        frame,
        title: scene.title.clone(),
        plot: rect_moved(&scene.plot, by),
        marks: marks.collect(),
        names: scene.names.iter().map(moved).collect(),
        stops: Vec::new(),
        handle: None,
        plane: super::scene::Plane::default(),
    }
}

/// A text in lines that are no wider than the room, unless a single word is.
fn lines(text: &str, size: f64, bold: bool, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|it| !it.is_empty()) {
        let longer = lines.last().map(|it| format!("{it} {word}"));
        match (longer, lines.last_mut()) {
            (Some(longer), Some(last)) if text::width(&longer, size, bold) <= room => {
                *last = longer;
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn moved(mark: &Mark, by: Point) -> Mark {
    let to = |it: &Point| (it.0 + by.0, it.1 + by.1);
    let all = |points: &[Point]| points.iter().map(to).collect();
    let mut mark = mark.clone();
    match &mut mark {
        Mark::Line { points, .. } | Mark::Area { points, .. } => *points = all(points),
        Mark::Rule { from, to: end, .. } => (*from, *end) = (to(from), to(end)),
        Mark::Rectangle { rect, .. } => *rect = rect_moved(rect, by),
        Mark::Circle { at, .. }
        | Mark::Diamond { at, .. }
        | Mark::Cross { at, .. }
        | Mark::Words(Words { at, .. }) => *at = to(at),
    }
    mark
}

fn rect_moved(rect: &Rect, (x, y): Point) -> Rect {
    Rect { left: rect.left + x, top: rect.top + y, right: rect.right + x, bottom: rect.bottom + y }
}
