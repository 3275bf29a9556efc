//! Machines, the ways between them, and the messages that are under way at a moment.

mod glyphs;
mod ground;

use super::grid::{MIDDLE, SMALL, words};
use super::marks::{Anchor, Mark, Point, Rect, Stroke, Words};
use super::palette::Role;
use super::scene::{Frame, Plane, Scene};
use super::text;
use crate::format;
use crate::report::{MachineState, Message, NodeKind, Quantity, Scenery, Shape, Stay, Traffic};
use crate::special::sort_by_number;
use ground::Ground;

/// For so many times the usual way of a message a lost one is seen to go.
const FADE: f64 = 2.0;
/// A message; and where there are very many.
const RADIUS: f64 = 4.5;
const RADIUS_SMALL: f64 = 3.0;
const CROWD: usize = 80;
/// Behind a message, so that a still picture tells where it goes.
const TAIL: f64 = 20.0;
/// More are not drawn.
const MESSAGES_MAX: usize = 1_000;
/// What waits at a node is drawn one by one up to so many.
const QUEUE_MAX: usize = 24;
/// Kinds of messages that the key has room for.
const KINDS_MAX: usize = 8;
const SAMPLE: f64 = 12.0;
const BESIDE: f64 = 5.0;
const BETWEEN: f64 = 16.0;
const KEY_BASE: f64 = 12.0;
const KEY_LINE: f64 = 18.0;

/// The machines as they are at a moment, in milliseconds since the film began.
pub fn traffic_at(traffic: &Traffic, ms: f64, frame: Frame) -> Scene {
    let frame = frame.possible();
    let ms = ms.min(traffic.length_ms).max(0.0);
    let scenery = traffic.at(ms, FADE * traffic.pace_ms);
    let mut writer = Writer { frame, marks: Vec::new() };
    writer.put(Some(now_words(traffic, ms, frame)));
    let (key, lines) = key(traffic, writer.left_of_first() - BETWEEN, frame);
    let ground = Ground::new(traffic, KEY_LINE * lines as f64 + 4.0, frame);
    for it in key.1 {
        writer.put(Some(it));
    }
    let mut marks = key.0;
    marks.extend(ground.bands(|it| traffic.state_at(it, ms)));
    marks.extend(ground.links());
    marks.extend(ground.nodes(|it| traffic.state_at(it, ms)));
    // Below the messages, which may pass over them.
    let below = writer.marks.len();
    for it in ground.states(|it| traffic.state_at(it, ms)).into_iter().chain(ground.names()) {
        writer.put(Some(it));
    }
    let named = writer.marks.len();
    marks.extend(writer.marks[below..].iter().cloned());
    let look = Look::new(traffic, &ground, &scenery);
    marks.extend(look.waiting(&scenery, &mut writer));
    marks.extend(look.under_way(&scenery, &mut writer));
    marks.extend(look.lost(&scenery));
    let above = [&writer.marks[..below], &writer.marks[named..]].concat();
    Scene {
        frame,
        title: format!("Messages after {}", format::given(Quantity::Latency, ms)),
        plot: ground.plot,
        marks,
        names: above,
        stops: Vec::new(),
        handle: None,
        plane: Plane::default(),
    }
}

/// Writes words where none are yet.
struct Writer {
    frame: Frame,
    marks: Vec<Mark>,
}

impl Writer {
    fn left_of_first(&self) -> f64 {
        match self.marks.first() {
            Some(Mark::Words(words)) => words.bounds().left,
            _ => self.frame.width,
        }
    }

    /// Whether there was room.
    fn put(&mut self, mark: Option<Mark>) -> bool {
        let Some(Mark::Words(words)) = mark else { return false };
        let bounds = words.bounds();
        let frame =
            Rect { left: 0.0, top: 0.0, right: self.frame.width, bottom: self.frame.height };
        let meets = |it: &Mark| matches!(it, Mark::Words(it) if it.bounds().meets(&bounds));
        let fits =
            !words.text.is_empty() && frame.encloses(&bounds) && !self.marks.iter().any(meets);
        if fits {
            self.marks.push(Mark::Words(words));
        }
        fits
    }
}

/// A message, and which part of its way it has made.
type UnderWay<'a> = &'a (&'a Message, f64);
/// A node and the place beside it, and what is there.
type Queue<'a> = ((u32, Option<u32>), Vec<&'a Stay>);

/// How messages look.
struct Look<'a> {
    traffic: &'a Traffic,
    ground: &'a Ground,
    radius: f64,
}

impl<'a> Look<'a> {
    fn new(traffic: &'a Traffic, ground: &'a Ground, scenery: &Scenery) -> Look<'a> {
        let crowd = CROWD < scenery.under_way.len();
        Look { traffic, ground, radius: if crowd { RADIUS_SMALL } else { RADIUS } }
    }

    fn under_way(&self, scenery: &Scenery, writer: &mut Writer) -> Vec<Mark> {
        let (mut tails, mut dots) = (Vec::new(), Vec::new());
        let is_followed = |it: &Message| it.sender.is_some() && it.sender == self.traffic.followed;
        // Those who are told apart lie above all others.
        let (last, first): (Vec<UnderWay>, Vec<UnderWay>) =
            scenery.under_way.iter().partition(|it| is_followed(it.0));
        for (message, part) in first.into_iter().take(MESSAGES_MAX).chain(last.into_iter().take(1))
        {
            let Some(way) = self.ground.way(message) else { continue };
            let at = way.at(*part);
            let stroke = Stroke { opacity: 0.35, ..Stroke::solid(self.role(message.kind), 2.0) };
            tails.push(Mark::Line { points: way.tail(*part, TAIL), stroke });
            if is_followed(message) {
                dots.push(self.halo(at));
                self.name(message, at, writer);
            }
            dots.extend(self.dot(message.kind, at, self.radius));
        }
        tails.extend(dots);
        tails
    }

    /// What waits or is worked on at nodes, in the order in which it came.
    fn waiting(&self, scenery: &Scenery, writer: &mut Writer) -> Vec<Mark> {
        let (mut marks, mut above) = (Vec::new(), Vec::new());
        let mut queues: Vec<Queue> = Vec::new();
        for stay in scenery.stays.iter().take(MESSAGES_MAX) {
            let key = (stay.node, stay.place);
            match queues.iter_mut().find(|it| it.0 == key) {
                Some(queue) => queue.1.push(stay),
                None => queues.push((key, vec![stay])),
            }
        }
        for ((node, place), mut queue) in queues {
            sort_by_number(&mut queue, |it| f64::from(!it.at_work));
            for (row, stay) in queue.iter().enumerate().take(QUEUE_MAX) {
                let Some(at) = self.ground.slot(node, place, row) else { continue };
                let followed = stay.sender.is_some() && stay.sender == self.traffic.followed;
                let marks = if followed { &mut above } else { &mut marks };
                marks.extend(followed.then(|| self.halo(at)));
                marks.extend(self.dot(stay.kind, at, self.radius.min(4.0)));
            }
            if QUEUE_MAX < queue.len() {
                let count = format::count(queue.len() as u64);
                let at = self.ground.slot(node, place, QUEUE_MAX);
                writer.put(
                    at.map(|it| haloed(count, (it.0, it.1 + MIDDLE), Anchor::Middle, Role::Ink)),
                );
            }
        }
        marks.extend(above);
        marks
    }

    fn lost(&self, scenery: &Scenery) -> Vec<Mark> {
        let cross = |(message, gone): &(&Message, f64)| {
            let at = self.ground.way(message)?.at(1.0);
            let stroke =
                Stroke { opacity: 1.0 - gone.clamp(0.0, 1.0), ..Stroke::solid(Role::Red, 2.5) };
            Some(Mark::Cross { at, radius: 6.0, stroke })
        };
        scenery.lost.iter().filter_map(cross).collect()
    }

    /// Around a message of the one who is followed.
    fn halo(&self, at: Point) -> Mark {
        let radius = self.radius + 4.0;
        Mark::Circle { at, radius, fill: Role::Paper, ring: Role::Ink, ring_width: 1.5 }
    }

    /// Whose message it is, beside it.
    fn name(&self, message: &Message, (x, y): Point, writer: &mut Writer) {
        let Some(sender) = message.sender else { return };
        let name = format!("user {}", format::count(u64::from(sender) + 1));
        let (up, aside) = (self.radius + 8.0, self.radius + 10.0);
        let places = [
            ((x, y - up), Anchor::Middle),
            ((x, y + up + 9.0), Anchor::Middle),
            ((x + aside, y + MIDDLE), Anchor::Start),
            ((x - aside, y + MIDDLE), Anchor::End),
        ];
        for (at, anchor) in places {
            if writer.put(Some(haloed(name.clone(), at, anchor, Role::Ink))) {
                return;
            }
        }
    }

    fn role(&self, kind: u8) -> Role {
        self.traffic.kinds.get(usize::from(kind)).map_or(Role::Grey, |it| Role::from(it.meaning))
    }

    fn dot(&self, kind: u8, at: Point, radius: f64) -> Vec<Mark> {
        let shape = self.traffic.kinds.get(usize::from(kind)).map_or(Shape::Full, |it| it.shape);
        glyphs::message(shape, self.role(kind), at, radius)
    }
}

fn haloed(text: String, at: Point, anchor: Anchor, role: Role) -> Mark {
    let halo = Some(Role::Paper);
    Mark::Words(Words { text, at, anchor, size: SMALL, bold: false, role, halo })
}

/// The time, at the right end of the row above the machines.
fn now_words(traffic: &Traffic, ms: f64, frame: Frame) -> Mark {
    let reading = |ms: f64| format::reading(Quantity::Latency, Some(ms), None, None).to_string();
    let text = if frame.narrow {
        reading(ms)
    } else {
        format!("{} of {}", reading(ms), reading(traffic.length_ms))
    };
    words(text, (frame.width - 12.0, KEY_BASE), Anchor::End, Role::Ink2)
}

type Key = (Vec<Mark>, Vec<Mark>);

/// What the marks mean: samples and words, over two lines at the most, the first of which ends before `until`; and over
/// how many.
fn key(traffic: &Traffic, until: f64, frame: Frame) -> (Key, usize) {
    let has = |kind: usize| traffic.messages.iter().any(|it| usize::from(it.kind) == kind);
    let kinds = traffic.kinds.iter().enumerate().filter(|it| has(it.0)).map(|it| it.1);
    let mut entries: Vec<(Option<Shape>, Role, &str)> = kinds
        .take(KINDS_MAX)
        .map(|it| (Some(it.shape), Role::from(it.meaning), it.name.as_str()))
        .collect();
    if traffic.messages.iter().any(|it| it.lost) {
        entries.push((None, Role::Red, "lost"));
    }
    let (mut key, mut line, mut x) = (Key::default(), 0, 2.0);
    for (shape, role, name) in entries.into_iter().filter(|it| !it.2.is_empty()) {
        let width = SAMPLE + BESIDE + text::width(name, SMALL, false);
        if x + width > if line == 0 { until } else { frame.width - 4.0 } {
            (line, x) = (line + 1, 2.0);
        }
        if 1 < line || frame.width - 4.0 < x + width {
            break;
        }
        let base = KEY_BASE + KEY_LINE * line as f64;
        let middle = (x + SAMPLE / 2.0, base - MIDDLE);
        key.0.extend(match shape {
            Some(shape) => glyphs::message(shape, role, middle, 4.0),
            None => {
                vec![Mark::Cross { at: middle, radius: 4.0, stroke: Stroke::solid(role, 2.0) }]
            }
        });
        key.1.push(words(name.to_owned(), (x + SAMPLE + BESIDE, base), Anchor::Start, Role::Ink3));
        x += width + BETWEEN;
    }
    (key, line.min(1) + 1)
}

/// What is told of a machine that is not up.
fn state_words(state: MachineState) -> Option<(&'static str, Role)> {
    match state {
        MachineState::Up => None,
        MachineState::Closing => Some(("is closing", Role::Ink)),
        MachineState::Out => Some(("taken out", Role::Ink2)),
        MachineState::Crashed => Some(("crashed", Role::Red)),
    }
}

/// Whether it stands for a machine, or part of one.
fn is_machine(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Application | NodeKind::Store)
}
