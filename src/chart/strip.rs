//! One request, call by call, from send to answer: the strip.

mod key;
mod lanes;
mod scale;
mod whole;

use super::grid::{MIDDLE, words};
use super::labels::{Block, Placer};
use super::marks::{Anchor, Mark, Rect};
use super::palette::Role;
use super::scene::{Frame, Plane, Scene};
use crate::format;
use crate::report::{End, Label, Lane, Quantity, Replay, Tally};
use lanes::Row;
use scale::Scale;

/// The strip in its last state.
pub fn strip(replay: &Replay, deadline_ms: f64, frame: Frame) -> Scene {
    strip_until(replay, deadline_ms, f64::INFINITY, frame)
}

/// The strip as it stands at a moment, for playing it. Scale and lines stay where they are.
pub fn strip_until(replay: &Replay, deadline_ms: f64, now_ms: f64, frame: Frame) -> Scene {
    let frame = frame.possible();
    let (lanes, more) = lanes::shown(replay);
    let entries = key::entries(replay, &lanes);
    let top = if entries.is_empty() { 9.0 } else { 18.0 };
    let plot = Rect { left: 0.0, top, right: frame.width - 16.0, bottom: frame.height - 40.0 };
    let scale = Scale::new(replay, deadline_ms, &plot, frame.narrow);
    let bottom = plot.bottom - if more > 0 { 17.0 } else { 1.0 };
    let rows = lanes::rows(&lanes, &Rect { top: plot.top + 3.0, bottom, ..plot }, frame.narrow);
    let mut marks = scale.ground(&plot);
    marks.extend(scale.words(&plot, frame.width));
    let tally = replay.tally.filter(|it| it.at_ms <= now_ms && it.at_ms.is_finite());
    // The straggler's lines lie above all others.
    let (last, first): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|it| it.lane.straggler);
    marks.extend(first.iter().flat_map(|it| it.marks(&scale, now_ms)));
    if let Some(tally) = tally {
        let x = scale.x(tally.at_ms);
        marks.push(Mark::Rule {
            from: (x, plot.top),
            to: (x, plot.bottom),
            role: Role::Grey,
            width: 1.5,
        });
    }
    marks.extend(last.iter().flat_map(|it| it.marks(&scale, now_ms)));
    marks.extend(whole::marks(replay, &last, &scale, now_ms));
    marks.extend(key::marks(&entries, &rows, &plot));
    if more > 0 {
        let text = format!("{} more below", format::count(more));
        let under = rows.last().map_or(plot.top, |it| it.y);
        marks.push(words(text, (plot.left, under + 14.0), Anchor::Start, Role::Ink2));
    }
    if now_ms.is_finite() {
        let x = scale.x(now_ms);
        marks.push(Mark::Rule {
            from: (x, plot.top),
            to: (x, plot.bottom),
            role: Role::Ink,
            width: 1.0,
        });
    }
    let mut namer = Namer {
        replay,
        frame,
        plot,
        scale: &scale,
        now_ms,
        placer: placer(&rows, &scale, frame, &marks),
    };
    if let Some(tally) = tally {
        let x = namer.scale.x(tally.at_ms);
        namer.placer.avoid_line(&[vec![(x, plot.top), (x, plot.bottom)]], &plot);
    }
    namer.deadline();
    namer.straggler(&last);
    namer.whole(&last);
    if let Some(tally) = tally {
        namer.tally(tally);
    }
    let title = format!("One request: {}", format::given(Quantity::Latency, replay.latency_ms));
    Scene {
        frame,
        title,
        plot,
        marks,
        names: namer.placer.marks,
        stops: Vec::new(),
        handle: None,
        plane: Plane::default(),
    }
}

/// A call in words: `call 7`, or what it is.
fn called(lane: &Lane) -> String {
    let number = || format!("call {}", format::count(lane.number.into()));
    lane.name.clone().filter(|it| !it.is_empty()).unwrap_or_else(number)
}

/// What words keep off: lines, and words that are there.
fn placer(rows: &[Row], scale: &Scale, frame: Frame, marks: &[Mark]) -> Placer {
    let room = Rect { left: 0.0, top: 0.0, right: frame.width, bottom: frame.height };
    let mut placer = Placer::new(room, marks);
    for row in rows {
        placer.avoid(row.cover(scale));
    }
    placer
}

struct Namer<'a> {
    replay: &'a Replay,
    frame: Frame,
    plot: Rect,
    scale: &'a Scale,
    now_ms: f64,
    placer: Placer,
}

impl Namer<'_> {
    fn deadline(&mut self) {
        let Some(x) = self.scale.deadline_x() else { return };
        let block = Block::line("deadline", false, Role::Red);
        let Rect { top, bottom, .. } = self.plot;
        let heights =
            [top + 10.0, bottom - 8.0, top + 26.0, bottom - 24.0, f64::midpoint(top, bottom)];
        let mut places: Vec<_> = heights.iter().map(|y| ((x - 8.0, *y), Anchor::End)).collect();
        places.extend(heights.iter().map(|y| ((x + 8.0, *y), Anchor::Start)));
        self.placer.first(&block, &places);
        let line = Rect { left: x, top, right: x, bottom };
        self.placer.avoid(line.grown(1.0));
    }

    /// Names the call that the request waited for longest, and its copies.
    fn straggler(&mut self, rows: &[&Row]) {
        for row in rows {
            let end = lanes::until_ms(row.attempt);
            let (sent, x) = (self.scale.x(row.attempt.sent_ms), self.scale.x(end));
            if row.copy && row.attempt.sent_ms <= self.now_ms {
                let block = self.copy_block(row);
                let below = |by: f64| row.y + 10.0 + by + block.above();
                let mut places = Vec::new();
                for by in [0.0, 10.0, 24.0, 40.0] {
                    places.push(((sent - 2.0, below(by)), Anchor::Start));
                    places.push(((x, below(by)), Anchor::End));
                }
                self.placer.least_crossed(&block, &places, usize::MAX);
            }
            if end > self.now_ms {
                continue;
            }
            match row.attempt.end {
                End::Answered if !row.copy => self.answer(row, x),
                End::Cancelled => {
                    let which = if row.copy { "copy cancelled" } else { "first call cancelled" };
                    let block = Block::line(which, false, Role::Ink2);
                    let y = row.y + MIDDLE;
                    let places = [
                        ((x + 9.0, y), Anchor::Start),
                        ((x, y - 14.0), Anchor::Middle),
                        ((x - 9.0, y - 14.0), Anchor::End),
                    ];
                    self.placer.least_crossed(&block, &places, usize::MAX);
                }
                _ => {}
            }
        }
    }

    /// Who answered last and what it cost: above its line and below it.
    fn answer(&mut self, row: &Row, x: f64) {
        let end = lanes::until_ms(row.attempt);
        let after = format::reading(Quantity::Latency, Some(end), None, None).value;
        let call = called(row.lane);
        let alone = self.replay.lanes.len() == 1 && self.replay.more == 0;
        let text = if alone {
            format!("answers after {after}")
        } else if self.frame.narrow {
            format!("{call}: {after}")
        } else {
            format!("{call} answers after {after}")
        };
        let name = Block::line(&text, true, Role::Blue);
        let mut places = Vec::new();
        for up in [10.0, 18.0, 32.0, 48.0] {
            let over = row.y - up - name.below();
            let under = row.y + up + name.above();
            places.extend([
                ((x - 14.0, over), Anchor::End),
                ((x - 14.0, under), Anchor::End),
                ((x, over), Anchor::Start),
            ]);
        }
        // Words that would lie on the deadline stand before it.
        if !self.placer.least_crossed(&name, &places, usize::MAX)
            && let Some(line) = self.scale.deadline_x()
        {
            let before = places.iter().map(|((_, y), _)| ((line - 8.0, *y), Anchor::End));
            self.placer.least_crossed(&name, &before.collect::<Vec<_>>(), usize::MAX);
        }
        let others = self
            .replay
            .lanes
            .iter()
            .filter(|it| it.number != row.lane.number)
            .map(lanes::answer_ms);
        let rest = end - others.filter(|it| it.is_finite()).fold(0.0, f64::max);
        let whole = whole::wait_ms(self.replay).is_some();
        if whole || self.frame.narrow || rest < 0.2 * end || self.replay.lanes.len() < 2 {
            return;
        }
        let more = format::reading(Quantity::Latency, Some(rest), None, None).value;
        let note = Block::line(
            &format!("and the request with it: {more} more, for one call"),
            false,
            Role::Ink2,
        );
        let under = |by: f64| ((x - 14.0, row.y + by + note.above()), Anchor::End);
        self.placer.least_crossed(&note, &[under(10.0), under(24.0), under(40.0)], usize::MAX);
    }

    fn copy_block(&self, row: &Row) -> Block {
        let end = lanes::until_ms(row.attempt);
        let sent = format::given(Quantity::Latency, row.attempt.sent_ms);
        let at = format::reading(Quantity::Latency, Some(end), None, None).value;
        let note = match row.attempt.end {
            _ if end > self.now_ms => String::new(),
            // The very value: the answer that all were waiting for.
            End::Answered if end == self.replay.answered_ms && !self.frame.narrow => {
                format!("answers at {at}: the request is done")
            }
            End::Answered => format!("answers at {at}"),
            End::Unused => format!("answers at {at}, too late"),
            End::Cancelled => "cancelled".to_owned(),
        };
        let call = called(row.lane);
        let first = row.lane.attempts.first().map_or(0.0, |it| it.sent_ms);
        let name = if row.attempt.sent_ms == first {
            format!("{call}, copy sent at once")
        } else {
            format!("{call}, copy sent at {sent}")
        };
        let label = Label::new(name).note(note);
        Block::of(&label, Role::Orange, false)
            .unwrap_or_else(|| Block::line("", false, Role::Orange))
    }

    /// How many were in, beside the line at that moment.
    fn tally(&mut self, tally: Tally) {
        let x = self.scale.x(tally.at_ms);
        let name = format!(
            "{} of {} answers in",
            format::count(tally.answered.into()),
            format::count(tally.of.into())
        );
        let after = format::reading(Quantity::Latency, Some(tally.at_ms), None, None).value;
        let label = Label::new(name).note(format!("after {after}"));
        let Some(block) = Block::of(&label, Role::Grey, false) else { return };
        let heights = [0.72, 0.6, 0.84, 0.5, 0.4, 0.3, 0.2, 0.1];
        let y = |share: f64| self.plot.top + share * self.plot.height();
        let mut places: Vec<_> =
            heights.iter().map(|it| ((x + 6.0, y(*it)), Anchor::Start)).collect();
        places.extend(heights.iter().map(|it| ((x - 6.0, y(*it)), Anchor::End)));
        self.placer.first(&block, &places);
    }
}
