//! Figures, replays, films and traffic by chance, odd ones among them.

use tail_lab::{
    chart::Frame,
    report::{
        Attempt, Axis, AxisScale, Bar, BarPart, Bound, Cells, Change, End, Figure, Film, FilmEvent,
        Happening, Here, JobKind, Label, Lane, Link, MachineState, Mark as PointMark, Meaning,
        Message, MessageKind, Node, NodeKind, Panel, Point, Quantity, Replay, Series, Shape, Side,
        Size, Span, SpanKind, Stay, Tally, Trace, Traffic,
    },
    sim::Rng,
};

/// Figures and replays that nobody would think of.
pub(super) struct Chance(pub(super) Rng);

impl Chance {
    pub(super) fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.0.below(of.len() as u32) as usize]
    }

    pub(super) fn value(&mut self) -> f64 {
        let ordinary = 1000.0 * self.0.unit() * self.0.unit();
        let odd =
            [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, -3.0, 1e300, -1e300, 1e-300];
        match self.0.below(20) {
            0 => self.one_of(&odd),
            1 => libm::pow(10.0, 40.0 * self.0.unit() - 20.0),
            2 => 1.0 - libm::pow(10.0, -6.0 * self.0.unit()),
            3..=8 => self.0.unit(),
            _ => ordinary,
        }
    }

    pub(super) fn frame(&mut self) -> Frame {
        let sides = [0.0, 90.0, 160.0, 358.0, 500.0, 1040.0, 1600.0, f64::NAN];
        Frame {
            width: self.one_of(&sides),
            height: self.one_of(&sides[..6]),
            narrow: self.0.chance(0.4),
        }
    }

    pub(super) fn text(&mut self) -> String {
        let words = [
            "a request",
            "1 in 10,000",
            "hedged after 30\u{202f}ms",
            "百のうち一つ",
            "<&>",
            "",
            "p99.9",
            "W",
        ];
        let count = self.one_of(&[0, 1, 1, 1, 2, 3, 40]);
        (0..count).map(|_| self.one_of(&words)).collect::<Vec<_>>().join(" ").trim().to_owned()
    }

    pub(super) fn label(&mut self) -> Label {
        let side = self.one_of(&[Side::End, Side::Above, Side::Below]);
        let note = format!("{}\n{}", self.text(), self.text());
        let note = if self.0.chance(0.6) { String::new() } else { note.trim().to_owned() };
        Label::new(self.text()).short(self.text()).note(note).side(side)
    }

    pub(super) fn axis(&mut self) -> Axis {
        let scale = self.one_of(&[AxisScale::Linear, AxisScale::Log, AxisScale::Nines]);
        let quantity = self.one_of(&[
            Quantity::Latency,
            Quantity::Share,
            Quantity::Count,
            Quantity::Percentile,
            Quantity::Plain,
            Quantity::Rate,
            Quantity::Throughput,
            Quantity::Seconds,
        ]);
        let (from, to) = match (self.0.below(3), scale) {
            (0, _) => (self.value(), self.value()),
            (_, AxisScale::Linear) => (0.0, self.value()),
            (_, AxisScale::Log) => (1.0, 1.0 + 1000.0 * self.0.unit()),
            (_, AxisScale::Nines) => (0.5, 0.9999),
        };
        Axis { name: self.text(), scale, quantity, from, to }
    }

    pub(super) fn meaning(&mut self) -> Meaning {
        self.one_of(&[
            Meaning::This,
            Meaning::Other,
            Meaning::Hedge,
            Meaning::Deadline,
            Meaning::Reference,
            Meaning::Ink,
        ])
    }

    pub(super) fn series(&mut self) -> Vec<Series> {
        let count = self.one_of(&[0, 1, 2, 3, 5, 80]);
        (0..count).map(|_| self.one_series()).collect()
    }

    pub(super) fn one_series(&mut self) -> Series {
        let traces = [
            Trace::Simulated,
            Trace::Exact,
            Trace::ExactOver,
            Trace::ExactAlone,
            Trace::Steps,
            Trace::ExactSteps,
            Trace::Wash,
        ];
        let count = self.one_of(&[0, 1, 2, 30, 400]);
        let mut points: Vec<(f64, f64)> =
            (0..count).map(|_| (self.value(), self.value())).collect();
        if self.0.chance(0.8) {
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        Series { meaning: self.meaning(), trace: self.one_of(&traces), label: self.label(), points }
    }

    pub(super) fn points(&mut self) -> Vec<Point> {
        let count = self.one_of(&[0, 1, 5, 50, 300]);
        let marks = [PointMark::Dot, PointMark::Ring, PointMark::Diamond, PointMark::Word];
        let point = |_| Point {
            meaning: self.meaning(),
            mark: self.one_of(&marks),
            x: self.value(),
            y: self.value(),
            interval: self.0.chance(0.3).then(|| (self.value(), self.value())),
            label: if self.0.chance(0.5) { self.label() } else { Label::default() },
        };
        (0..count).map(point).collect()
    }

    /// Edges in any order, and too few or too many shades for them.
    pub(super) fn cells(&mut self) -> Cells {
        let columns: usize = self.one_of(&[0, 1, 5, 300]);
        let rows: usize = self.one_of(&[0, 1, 5, 100]);
        let count = (columns * rows + self.one_of(&[0, 1, 1])).saturating_sub(1);
        let count_told = columns.saturating_sub(1) * rows.saturating_sub(1);
        Cells {
            meaning: self.meaning(),
            told: (0..count_told).map(|_| (self.text(), self.text())).collect(),
            x_edges: (0..columns).map(|_| self.value()).collect(),
            y_edges: (0..rows).map(|_| self.value()).collect(),
            shades: (0..count).map(|_| self.value()).collect(),
            key: (0..self.one_of(&[0, 1, 4, 30])).map(|_| (self.value(), self.text())).collect(),
        }
    }

    pub(super) fn bars(&mut self) -> Vec<Bar> {
        let bars: usize = self.one_of(&[1, 2, 30]);
        let mut part = || BarPart {
            meaning: self.meaning(),
            name: self.text(),
            length: self.value(),
            told: self.text(),
        };
        let mut parts = |_| [part(), part(), part()].into_iter().collect();
        let parts: Vec<Vec<BarPart>> = (0..bars).map(&mut parts).collect();
        let bar = |parts| Bar { name: self.text(), note: self.text(), parts };
        parts.into_iter().map(bar).collect()
    }

    pub(super) fn figure(&mut self) -> Figure {
        let bound = |chance: &mut Chance| Bound {
            upright: chance.0.chance(0.5),
            at: chance.value(),
            label: chance.text(),
        };
        let count = self.one_of(&[0, 1, 2, 30]);
        let bounds = (0..count).map(|_| bound(self)).collect();
        let here = self.0.chance(0.6).then(|| Here {
            x: self.value(),
            y: self.value(),
            key: "fan_out",
            value: self.text(),
            note: self.text(),
        });
        let lower = self.0.chance(0.3).then(|| Panel {
            y: self.axis(),
            series: self.series(),
            points: self.points(),
        });
        Figure {
            key: "any",
            title: self.text(),
            caption: String::new(),
            size: self.one_of(&[Size::Main, Size::Pair]),
            x: self.axis(),
            y: self.axis(),
            cells: self.0.chance(0.3).then(|| self.cells()),
            bars: if self.0.chance(0.2) { self.bars() } else { Vec::new() },
            series: self.series(),
            points: self.points(),
            bounds,
            here,
            lower,
            ..Figure::default()
        }
    }

    pub(super) fn film(&mut self) -> Film {
        let servers = self.one_of(&[0, 1, 2, 6, 7, 40, 100, 1_000_000]);
        let shown = servers.clamp(1, 100);
        let odd = self.0.chance(0.2);
        let kinds = (0..self.one_of(&[0, 1, 3, 9]))
            .map(|_| JobKind { meaning: self.meaning(), name: self.text() });
        let kinds = kinds.collect();
        let mut at_ms = 0.0;
        let mut event = |chance: &mut Chance| {
            at_ms += if odd { chance.value() } else { chance.0.exponential() };
            let whats = [
                Happening::Joined,
                Happening::Joined,
                Happening::Joined,
                Happening::Started,
                Happening::SetAside,
                Happening::Finished,
                Happening::Cancelled,
                Happening::ServerOut,
                Happening::ServerIn,
            ];
            let server = if odd { chance.0.below(200) } else { chance.0.below(shown) };
            FilmEvent {
                at_ms,
                server: if chance.0.chance(0.3) { 0 } else { server },
                job: chance.0.below(2_000),
                kind: chance.0.below(4) as u8,
                what: chance.one_of(&whats),
            }
        };
        let count = self.one_of(&[0, 1, 30, 3_000]);
        let events: Vec<FilmEvent> = (0..count).map(|_| event(self)).collect();
        Film {
            servers,
            of: servers,
            from_ms: self.value(),
            length_ms: if odd { self.value() } else { at_ms },
            at_once: self.0.chance(0.2),
            kinds,
            events,
        }
    }

    pub(super) fn traffic(&mut self) -> Traffic {
        let odd = self.0.chance(0.2);
        let places = self.one_of(&[1, 2, 4, 16, 60, 1_000]);
        let count = self.one_of(&[0, 1, 5, 40, 200]);
        let node = |it: &mut Chance| Node {
            kind: it.one_of(&NodeKind::ALL),
            name: it.text(),
            place: it.0.chance(0.8).then(|| it.0.below(places)),
            count: it.0.below(300),
        };
        let nodes: Vec<Node> = (0..count).map(|_| node(self)).collect();
        let most = if odd { 1_000 } else { count.max(1) };
        let link = |it: &mut Chance| {
            let through = it.0.chance(0.3).then(|| it.0.below(most));
            Link { from: it.0.below(most), to: it.0.below(most), through }
        };
        let links = (0..self.one_of(&[0, 1, 20, 500])).map(|_| link(self)).collect();
        let shapes = [Shape::Full, Shape::Hollow, Shape::Diamond, Shape::Crossed];
        let kind = |it: &mut Chance| {
            let (meaning, shape) = (it.meaning(), it.one_of(&shapes));
            MessageKind { meaning, shape, one: it.text(), name: it.text() }
        };
        let kinds = (0..self.one_of(&[0, 1, 5, 12])).map(|_| kind(self)).collect();
        let mut at_ms = -2.0;
        let mut moment = |it: &mut Chance| {
            at_ms += if odd { it.value() } else { 0.2 * it.0.exponential() };
            (at_ms, at_ms + if odd { it.value() } else { 3.0 * it.0.exponential() })
        };
        let message = |it: &mut Chance, (from_ms, until_ms): (f64, f64)| Message {
            link: it.0.below(400),
            back: it.0.chance(0.5),
            kind: it.0.below(6) as u8,
            sender: it.0.chance(0.8).then(|| it.0.below(100)),
            from_ms,
            until_ms,
            lost: it.0.chance(0.1),
        };
        let many = 0..self.one_of(&[0, 1, 300, 3_000]);
        let times: Vec<(f64, f64)> = many.map(|_| moment(self)).collect();
        let length_ms = times.last().map_or(1.0, |it| it.0);
        let messages = times.iter().map(|it| message(self, *it)).collect();
        let stay = |it: &mut Chance, (from_ms, until_ms): (f64, f64)| Stay {
            node: it.0.below(most),
            place: it.0.chance(0.2).then(|| it.0.below(100)),
            kind: it.0.below(6) as u8,
            sender: it.0.chance(0.8).then(|| it.0.below(100)),
            from_ms,
            until_ms,
            at_work: it.0.chance(0.5),
        };
        let stays = times.iter().map(|it| stay(self, *it)).collect();
        let states = [MachineState::Closing, MachineState::Out, MachineState::Crashed];
        let change = |it: &mut Chance, at_ms: f64| Change {
            at_ms,
            machine: it.0.below(8),
            state: it.one_of(&states),
        };
        Traffic {
            from_ms: self.value(),
            length_ms,
            pace_ms: if odd { self.value() } else { 1.0 },
            nodes,
            links,
            kinds,
            messages,
            stays,
            changes: times.iter().step_by(100).map(|it| change(self, it.0)).collect(),
            followed: self.0.chance(0.8).then(|| self.0.below(100)),
        }
    }

    pub(super) fn replay(&mut self) -> Replay {
        let count = self.one_of(&[0, 1, 2, 12, 100, 121, 500]);
        let straggler = self.0.below(count + 1);
        let kinds =
            [SpanKind::Hop, SpanKind::Waiting, SpanKind::Service, SpanKind::Held, SpanKind::Slow];
        let ends = [End::Answered, End::Answered, End::Unused, End::Cancelled];
        let odd = self.0.chance(0.2);
        let time =
            |chance: &mut Chance| if odd { chance.value() } else { 20.0 * chance.0.exponential() };
        let attempt = |chance: &mut Chance| {
            let sent_ms = if chance.0.chance(0.7) { 0.0 } else { time(chance) };
            let mut until_ms = sent_ms;
            let spans = (0..chance.0.below(4)).map(|_| {
                until_ms += time(chance);
                Span { kind: chance.one_of(&kinds), until_ms }
            });
            let spans = spans.collect();
            Attempt { sent_ms, spans, end: chance.one_of(&ends) }
        };
        let lanes: Vec<Lane> = (1..=count)
            .map(|number| {
                let copies = self.one_of(&[1, 1, 1, 2, 3, 0]);
                let attempts = (0..copies).map(|_| attempt(self)).collect();
                let name = self.0.chance(0.2).then(|| self.text());
                Lane { number, name, straggler: number == straggler, attempts }
            })
            .collect();
        let latency_ms = 100.0 * self.value();
        Replay {
            percentile: 0.99,
            latency_ms,
            answered_ms: self.value(),
            lanes,
            more: self.one_of(&[0, 0, 1_900]),
            tally: self.0.chance(0.5).then(|| Tally { answered: 99, of: 100, at_ms: self.value() }),
            held: self.one_of(&["", "behind a very long one"]).to_owned(),
            ..Replay::default()
        }
    }
}
