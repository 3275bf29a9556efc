//! Servers and their queues at a moment of a film.

mod ground;

use std::iter;

use super::grid::{SMALL, words};
use super::marks::{Anchor, Mark, Point, Rect, Stroke, Tint};
use super::palette::Role;
use super::scene::{Frame, Plane, Scene};
use super::text;
use crate::format;
use crate::report::{Film, FilmEvent, Held, HeldState, Meaning, Moment, Quantity, Shown};
use ground::{Ground, Place};

/// The part of a film for which a job that was cancelled is seen to go.
const FADE: f64 = 0.01;
/// Behind a server that is sent nothing.
const OUT: f64 = 0.13;
/// More kinds than this have no room in the key.
const KINDS_MAX: usize = 6;
/// A sample in the key, and what is left free beside it and before the next.
const SAMPLE: f64 = 10.0;
const BESIDE: f64 = 6.0;
const BETWEEN: f64 = 16.0;
/// The base line of the words above the servers.
const KEY_BASE: f64 = 12.0;

/// The servers as they are at a moment, in milliseconds since the film began. Servers stay in their places.
pub fn film_at(film: &Film, ms: f64, frame: Frame) -> Scene {
    let frame = frame.possible();
    let ms = ms.min(film.length_ms).max(0.0);
    let fade_ms = FADE * film.length_ms;
    let moment = film.at(ms, fade_ms);
    let ground = Ground::new(moment.servers.len(), frame);
    let look = Look { film, ms, fade_ms, side: ground.side };
    let mut marks = Vec::new();
    for (at, server) in moment.servers.iter().enumerate() {
        let place = ground.place(at);
        if server.out {
            marks.push(Mark::Rectangle { rect: place.room, tint: wash(Role::Grey, OUT) });
        }
        marks.extend(look.jobs(server, &place));
    }
    marks.extend(ground.bases());
    if let Some(event) = moment.last {
        marks.extend(touched(&event, ms, &ground));
    }
    let time = now_words(film, ms, frame);
    let mut names = ground.labels();
    names.extend(longest(&moment, &ground));
    names.extend(ground.lies().then(|| beyond(&moment, &ground)).into_iter().flatten());
    let until = time.as_ref().map_or(frame.width, |it| it.1) - BETWEEN;
    marks.extend(look.key(until));
    names.extend(time.map(|it| it.0));
    Scene {
        frame,
        title: format!("Servers after {}", format::given(Quantity::Latency, ms)),
        plot: ground.plot,
        marks,
        names,
        stops: Vec::new(),
        handle: None,
        plane: Plane::default(),
    }
}

/// How jobs look: filled at work, hollow while they wait; second copies are round, what is not the study's own is
/// barred.
struct Look<'a> {
    film: &'a Film,
    ms: f64,
    fade_ms: f64,
    side: f64,
}

impl Look<'_> {
    fn jobs(&self, server: &Shown, place: &Place) -> Vec<Mark> {
        let at_work = |it: &&Held| it.state == HeldState::AtWork;
        let first = server.jobs.iter().filter(at_work);
        let others = server.jobs.iter().filter(|it| !at_work(it));
        let mut marks = Vec::new();
        for (row, job) in first.chain(others).enumerate() {
            let Some(at) = place.slot(row) else {
                marks.push(place.more());
                break;
            };
            let meaning = self.film.kinds.get(usize::from(job.kind)).map(|it| it.meaning);
            marks.extend(self.job(meaning.unwrap_or(Meaning::Other), job.state, at, self.side));
        }
        marks
    }

    fn job(&self, meaning: Meaning, state: HeldState, at: Point, side: f64) -> Vec<Mark> {
        let role = Role::from(meaning);
        let half = side / 2.0;
        let (x, y) = at;
        let rect = Rect { left: x - half, top: y - half, right: x + half, bottom: y + half };
        let thin = if side < 7.0 { 1.0 } else { 1.5 };
        match state {
            HeldState::Cancelled { at_ms } => {
                let left = 1.0 - (self.ms - at_ms) / self.fade_ms;
                let opacity = if left.is_finite() { left.clamp(0.0, 1.0) } else { 1.0 };
                let stroke = Stroke { opacity, ..Stroke::solid(role, 1.5) };
                vec![
                    Mark::Rectangle { rect, tint: wash(role, 0.2 * opacity) },
                    Mark::Cross { at, radius: 0.8 * half, stroke },
                ]
            }
            _ if meaning == Meaning::Hedge => {
                let fill = if state == HeldState::AtWork { role } else { Role::Paper };
                let radius = half - thin / 2.0;
                vec![Mark::Circle { at, radius, fill, ring: role, ring_width: thin }]
            }
            HeldState::AtWork => {
                let square = Mark::Rectangle { rect, tint: wash(role, 1.0) };
                let barred = meaning == Meaning::Other;
                iter::once(square).chain(barred.then(|| bar(rect, Role::Paper))).collect()
            }
            HeldState::Waiting => {
                let Rect { left, top, right, bottom } = rect.grown(-thin / 2.0);
                let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
                // Beyond the first corner, so that its joint is closed.
                let points = [&corners[..], &corners[..2]].concat();
                let square = Mark::Line { points, stroke: Stroke::solid(role, thin) };
                let barred = meaning == Meaning::Other;
                iter::once(square).chain(barred.then(|| bar(rect, role))).collect()
            }
        }
    }

    /// What the marks mean, in a row that ends before `until`.
    fn key(&self, until: f64) -> Vec<Mark> {
        let has = |kind: usize| self.film.events.iter().any(|it| usize::from(it.kind) == kind);
        let kinds = self.film.kinds.iter().enumerate().filter(|it| has(it.0)).map(|it| it.1);
        let mut entries: Vec<(Meaning, HeldState, &str)> = kinds
            .take(KINDS_MAX)
            .map(|it| (it.meaning, HeldState::AtWork, it.name.as_str()))
            .collect();
        entries.push((Meaning::Ink, HeldState::Waiting, "waiting"));
        if self.film.cancels() {
            let at_ms = self.ms;
            entries.push((Meaning::Ink, HeldState::Cancelled { at_ms }, "cancelled"));
        }
        let (mut x, mut marks) = (2.0, Vec::new());
        for (meaning, state, name) in entries.into_iter().filter(|it| !it.2.is_empty()) {
            let start = x + SAMPLE + BESIDE;
            let end = start + text::width(name, SMALL, false);
            if until < end {
                break;
            }
            let middle = (x + SAMPLE / 2.0, KEY_BASE - 4.5);
            marks.extend(self.job(meaning, state, middle, SAMPLE));
            marks.push(words(name.to_owned(), (start, KEY_BASE), Anchor::Start, Role::Ink3));
            x = end + BETWEEN;
        }
        marks
    }
}

/// Across a square, so that it is not told by its colour alone.
fn bar(rect: Rect, role: Role) -> Mark {
    let y = f64::midpoint(rect.top, rect.bottom);
    Mark::Rule { from: (rect.left, y), to: (rect.right, y), role, width: 1.5 }
}

fn wash(role: Role, opacity: f64) -> Tint {
    Tint { role, opacity }
}

/// A stroke at the server where something has just happened.
fn touched(event: &FilmEvent, ms: f64, ground: &Ground) -> Option<Mark> {
    let now = event.at_ms == ms && 0.0 < ms;
    (now && ground.has(event.server as usize)).then(|| ground.place(event.server as usize).touch())
}

/// The time, at the right end of the row above the servers, and where it begins.
fn now_words(film: &Film, ms: f64, frame: Frame) -> Option<(Mark, f64)> {
    let after = format::reading(Quantity::Latency, Some(ms), None, None).to_string();
    let length = format::reading(Quantity::Latency, Some(film.length_ms), None, None).to_string();
    let text = if frame.narrow { after } else { format!("{after} of {length}") };
    let right = frame.width - 12.0;
    let left = right - text::width(&text, SMALL, false);
    let fits = 0.0 < left && !text.is_empty();
    fits.then(|| (words(text, (right, KEY_BASE), Anchor::End, Role::Ink2), left))
}

/// How long the longest queue is, above it, where queues stand.
fn longest(moment: &Moment, ground: &Ground) -> Option<Mark> {
    let (server, length) = moment.longest().filter(|it| 2 <= it.1)?;
    if ground.lies() {
        return None;
    }
    let at = ground.place(server).above(moment.servers[server].jobs.len());
    Some(words(format::count(length as u64), at, Anchor::Middle, Role::Ink))
}

/// How many jobs each server holds that has more than are drawn, where queues lie.
fn beyond(moment: &Moment, ground: &Ground) -> Vec<Mark> {
    let servers = moment.servers.iter().enumerate();
    let full = servers.filter(|(at, it)| ground.place(*at).slot(it.jobs.len()).is_none());
    let label = |(at, it): (usize, &Shown)| {
        let more = format::count(it.length() as u64);
        words(more, ground.place(at).beside(), Anchor::End, Role::Ink)
    };
    full.map(label).collect()
}
