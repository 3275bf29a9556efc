//! One request, call by call: the strip.

use super::marks::{Mark, Rect, Stroke};
use super::palette::Role;
use super::scene::{Frame, Plane, Scene};
use crate::report::Replay;

/// The strip in its last state.
pub fn strip(replay: &Replay, deadline_ms: f64, frame: Frame) -> Scene {
    strip_until(replay, deadline_ms, f64::INFINITY, frame)
}

/// The strip as it stands at a moment, for playing it.
pub fn strip_until(replay: &Replay, deadline_ms: f64, until_ms: f64, frame: Frame) -> Scene {
    let frame = frame.possible();
    let plot =
        Rect { left: 0.0, top: 18.0, right: frame.width - 16.0, bottom: frame.height - 40.0 };
    let most = replay.latency_ms.max(deadline_ms);
    let marks = replay.lanes.iter().enumerate().map(|(at, lane)| {
        let y = plot.top + 3.0 * at as f64;
        let end = lane.attempts.iter().filter_map(|it| it.spans.last()).map(|it| it.until_ms);
        let end = end.fold(0.0, f64::max).min(until_ms) / most * plot.width();
        Mark::Line { points: vec![(0.0, y), (end, y)], stroke: Stroke::solid(Role::Grey, 2.0) }
    });
    Scene {
        frame,
        title: String::new(),
        plot,
        marks: marks.collect(),
        names: Vec::new(),
        stops: Vec::new(),
        handle: None,
        plane: Plane::default(),
    }
}
