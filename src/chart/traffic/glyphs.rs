//! Small pictures: messages, users, machines and stores.

use crate::chart::marks::{Mark, Point, Rect, Stroke, Tint};
use crate::chart::palette::Role;
use crate::report::Shape;

/// From one user of a group to the next, and how large one is.
const USER_STEP: f64 = 5.5;
const USER: f64 = 1.8;
/// Users in a line, and how many lines at most.
const USERS_LINE: usize = 6;
const USERS_LINES: usize = 5;
/// Corners of half an ellipse.
const CORNERS: usize = 12;

pub(super) fn message(shape: Shape, role: Role, at: Point, radius: f64) -> Vec<Mark> {
    let width = if radius < 4.0 { 1.0 } else { 1.75 };
    let hollow = |radius: f64| Mark::Circle {
        at,
        radius: radius - width / 2.0,
        fill: Role::Paper,
        ring: role,
        ring_width: width,
    };
    match shape {
        Shape::Full => {
            vec![Mark::Circle { at, radius, fill: role, ring: Role::Paper, ring_width: 1.0 }]
        }
        Shape::Hollow => vec![hollow(radius)],
        Shape::Diamond => {
            let stroke = Stroke::solid(Role::Paper, 1.0);
            vec![Mark::Diamond { at, radius: 1.15 * radius, fill: Some(role), stroke }]
        }
        Shape::Crossed => {
            let radius = radius + 1.5;
            let stroke = Stroke::solid(role, width);
            vec![hollow(radius), Mark::Cross { at, radius: 0.5 * radius, stroke }]
        }
    }
}

/// So many users as a field of dots, as far as there is room.
pub(super) fn users(count: u32, (x, y): Point, room: (f64, f64)) -> Vec<Mark> {
    let fits = |room: f64, most: usize| ((room / USER_STEP) as usize).clamp(1, most);
    let (across, down) = (fits(room.0, USERS_LINE), fits(room.1, USERS_LINES));
    let count = (count as usize).min(across * down);
    // As square as may be.
    let square = libm::ceil(libm::sqrt(count as f64)) as usize;
    let across = across.min(square.max(count.div_ceil(down))).max(1);
    let lines = count.div_ceil(across);
    let first = |count: usize| (count.saturating_sub(1) as f64) / 2.0 * USER_STEP;
    let dot = |at: usize| Mark::Circle {
        at: (
            x - first(across) + (at % across) as f64 * USER_STEP,
            y - first(lines) + (at / across) as f64 * USER_STEP,
        ),
        radius: USER,
        fill: Role::Ink3,
        ring: Role::Ink3,
        ring_width: 0.0,
    };
    (0..count).map(dot).collect()
}

/// A machine that runs the application.
pub(super) fn application((x, y): Point, side: f64, role: Role) -> Vec<Mark> {
    let half = side / 2.0;
    let rect = Rect { left: x - half, top: y - half, right: x + half, bottom: y + half };
    let Rect { left, top, right, bottom } = rect;
    let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
    // Beyond the first corner, so that its joint is closed.
    let points = [&corners[..], &corners[..2]].concat();
    vec![
        Mark::Rectangle { rect, tint: Tint { role: Role::Paper, opacity: 1.0 } },
        Mark::Line { points, stroke: Stroke::solid(role, 1.5) },
    ]
}

/// A store: a cylinder.
pub(super) fn store((x, y): Point, side: f64, role: Role) -> Vec<Mark> {
    let (wide, flat, half) = (0.46 * side, 0.15 * side, 0.5 * side);
    let (top, bottom) = (y - half + flat, y + half - flat);
    // From the right over the bottom to the left, or on to the right again.
    let ellipse = |middle: f64, corners: usize| {
        (0..=corners).map(move |it| {
            let angle = std::f64::consts::PI * it as f64 / CORNERS as f64;
            (x + wide * libm::cos(angle), middle + flat * libm::sin(angle))
        })
    };
    let left = [(x - wide, bottom), (x - wide, top)];
    let lid = ellipse(top, 2 * CORNERS).skip(CORNERS);
    let outline: Vec<Point> = ellipse(bottom, CORNERS).chain(left).chain(lid.skip(1)).collect();
    let stroke = Stroke::solid(role, 1.5);
    let mut closed = outline.clone();
    closed.push(outline[0]);
    vec![
        Mark::Area { points: outline, tint: Tint { role: Role::Paper, opacity: 1.0 } },
        Mark::Line { points: closed, stroke },
        Mark::Line { points: ellipse(top, CORNERS).collect(), stroke },
    ]
}
