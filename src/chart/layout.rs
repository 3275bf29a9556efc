//! A figure becomes a scene.

use super::axis::Projection;
use super::marks::{Mark, Rect, Stroke};
use super::palette::Role;
use super::scene::{Frame, Plane, Scene};
use crate::report::Figure;

/// Places everything that a figure holds in a frame.
pub fn layout(figure: &Figure, frame: Frame) -> Scene {
    let frame = frame.possible();
    let plot =
        Rect { left: 44.0, top: 32.0, right: frame.width - 18.0, bottom: frame.height - 50.0 };
    let x = Projection::new(&figure.x, plot.left, plot.right);
    let y = Projection::new(&figure.y, plot.bottom, plot.top);
    let line = |it: &crate::report::Series| Mark::Line {
        points: it.points.iter().map(|(at, value)| (x.pixel(*at), y.pixel(*value))).collect(),
        stroke: Stroke::solid(Role::from(it.meaning), 2.5),
    };
    Scene {
        frame,
        title: figure.title.clone(),
        plot,
        marks: figure.series.iter().map(line).collect(),
        names: Vec::new(),
        stops: figure.points.iter().map(|it| x.pixel(it.x)).collect(),
        handle: None,
        plane: Plane { x: Some(x), traces: Vec::new() },
    }
}
