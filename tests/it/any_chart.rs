//! Whatever a figure holds, and however little room it has, its chart is whole: nothing outside the frame, no words
//! over other words, and no more marks than can be told apart.

use tail_lab::chart::{
    Frame, LIGHT, Mark, Rect, Scene, Way, Words, film_at, layout, strip, strip_until, svg,
    traffic_at,
};
use tail_lab::report::{
    Attempt, Axis, AxisScale, Bar, BarPart, Bound, Cells, Change, End, Figure, Film, FilmEvent,
    Happening, Here, JobKind, Label, Lane, Link, MachineState, Mark as PointMark, Meaning, Message,
    MessageKind, Node, NodeKind, Panel, Point, Quantity, Replay, Series, Shape, Side, Size, Span,
    SpanKind, Stay, Tally, Trace, Traffic,
};
use tail_lab::sim::Rng;

use crate::figures;

/// As many marks as a full chart may have; a million points must not make more.
const MARKS_MAX: usize = 20_000;
const CORNERS_MAX: usize = 2_000_000;

#[test]
fn any_figure_has_a_chart() {
    for seed in 0..400 {
        let mut chance = Chance(Rng::stream(seed, 0, 0));
        let (figure, frame) = (chance.figure(), chance.frame());
        let scene = layout(&figure, frame);
        holds(&scene, seed);
        for share in [-0.1, 0.3, f64::NAN] {
            holds(&scene.hovered(scene.plot.left + share * scene.plot.width()), seed);
        }
        walks(&scene, seed, &mut chance.0);
        if seed % 10 == 0 {
            assert!(svg(&scene, &LIGHT).ends_with("</svg>\n"), "seed {seed}");
        }
    }
}

/// Wherever one points, and wherever keys lead.
fn walks(scene: &Scene, seed: u64, chance: &mut Rng) {
    let place = |chance: &mut Rng| {
        let along = |from: f64, to: f64, share: f64| from + (1.4 * share - 0.2) * (to - from);
        let Rect { left, top, right, bottom } = scene.plot;
        (along(left, right, chance.unit()), along(top, bottom, chance.unit()))
    };
    let mut at = scene.spot(place(chance));
    const WAYS: [Way; 8] =
        [Way::Left, Way::Right, Way::Up, Way::Down, Way::First, Way::Last, Way::Top, Way::Bottom];
    for _ in 0..12 {
        at = scene.next_stop(at, WAYS[chance.below(8) as usize]).or(at);
        let Some(at) = at else { continue };
        assert!(scene.plot.grown(8.01).holds(at), "seed {seed}: {at:?}");
        assert_eq!(scene.spot(at), Some(at), "seed {seed}: it stays where it is");
        holds(&scene.hovered_at(at), seed);
    }
    holds(&scene.hovered_at((f64::NAN, 0.0)), seed);
}

#[test]
fn any_replay_has_a_strip() {
    for seed in 0..400 {
        let mut chance = Chance(Rng::stream(seed, 0, 1));
        let (replay, deadline, frame) = (chance.replay(), chance.value(), chance.frame());
        holds(&strip(&replay, deadline, frame), seed);
        holds(&strip_until(&replay, deadline, chance.value(), frame), seed);
    }
}

#[test]
fn any_film_has_a_picture() {
    for seed in 0..400 {
        let mut chance = Chance(Rng::stream(seed, 0, 2));
        let (film, frame) = (chance.film(), chance.frame());
        for ms in [chance.value(), 0.0, film.length_ms] {
            holds(&film_at(&film, ms, frame), seed);
        }
    }
}

#[test]
fn any_traffic_has_a_picture() {
    for seed in 0..400 {
        let mut chance = Chance(Rng::stream(seed, 0, 3));
        let (traffic, frame) = (chance.traffic(), chance.frame());
        for ms in [chance.value(), 0.0, 0.5 * traffic.length_ms, traffic.length_ms] {
            holds(&traffic_at(&traffic, ms, frame), seed);
        }
    }
}

#[test]
fn our_figures_hold_at_every_width() {
    let figures = [
        figures::over_against_leaves(),
        figures::percentiles(),
        figures::percentiles_compared(),
        figures::distribution(),
        figures::sweep(),
        figures::heat(),
    ];
    let shades = figures::shades();
    let replays = [figures::one_slow_call(100), figures::one_hedged_call(), figures::tied_calls()];
    for step in 0..60_u32 {
        let width = 240.0 + 20.0 * f64::from(step);
        let frame = Frame { width, height: 280.0 + width / 6.0, narrow: width < 500.0 };
        for figure in &figures {
            let scene = layout(figure, frame);
            holds(&scene, step.into());
            for stop in &scene.stops {
                let hovered = scene.hovered(*stop);
                holds(&hovered, step.into());
                assert!(!scene.reading(*stop).is_empty(), "{}: nothing at {stop}", figure.key);
            }
        }
        let scene = layout(&shades, frame);
        let mut at = None;
        for way in [Way::Up, Way::Bottom].into_iter().chain([Way::Right; 5]).chain([Way::Up; 5]) {
            at = scene.next_stop(at, way);
            holds(&scene.hovered_at(at.expect("a cell")), step.into());
        }
        for replay in &replays {
            holds(&strip(replay, 1000.0, frame), step.into());
        }
    }
}

#[test]
fn a_million_points_are_thinned() {
    let mut chance = Chance(Rng::stream(3, 0, 0));
    let mut figure = figures::percentiles();
    let points = (0..1_000_000)
        .map(|it| (0.5 + 0.4999 * f64::from(it) / 1e6, 5.0 + 100.0 * chance.0.unit()));
    figure.series[0].points = points.collect();
    let point = |x: f64, y: f64| Point { x, y, ..figure.points[0].clone() };
    figure.points = figure.series[0].points.iter().map(|(x, y)| point(*x, *y)).collect();
    let frame = Frame { width: 500.0, height: 330.0, narrow: false };
    let scene = layout(&figure, frame);
    holds(&scene, 0);
    let corners: usize = scene.marks.iter().map(corners).sum();
    assert!(corners < 20_000, "{corners} corners");
}

/// Everything that must be true of a scene.
#[track_caller]
fn holds(scene: &Scene, seed: u64) {
    let Frame { width, height, .. } = scene.frame;
    let frame = Rect { left: 0.0, top: 0.0, right: width, bottom: height };
    let marks: Vec<&Mark> = scene.marks.iter().chain(&scene.names).collect();
    assert!(marks.len() <= MARKS_MAX, "seed {seed}: {} marks", marks.len());
    assert!(marks.iter().map(|it| corners(it)).sum::<usize>() < CORNERS_MAX, "seed {seed}");
    assert!(
        scene.stops.is_sorted() && scene.stops.iter().all(|it| frame.holds((*it, 1.0))),
        "seed {seed}"
    );
    for mark in &marks {
        let bounds = bounds(mark);
        assert!(frame.grown(0.01).encloses(&bounds), "seed {seed}: {mark:?} of {frame:?}");
    }
    let words: Vec<&Words> = marks
        .iter()
        .filter_map(|it| match it {
            Mark::Words(words) => Some(words),
            _ => None,
        })
        .collect();
    for (at, one) in words.iter().enumerate() {
        assert!(!one.text.is_empty(), "seed {seed}: words of nothing at {:?}", one.at);
        for other in &words[at + 1..] {
            let touch = one.bounds().meets(&other.bounds());
            assert!(!touch, "seed {seed}: {one:?} over {other:?}");
        }
    }
}

fn corners(mark: &Mark) -> usize {
    match mark {
        Mark::Line { points, .. } | Mark::Area { points, .. } => points.len(),
        _ => 1,
    }
}

fn bounds(mark: &Mark) -> Rect {
    let around = |x: f64, y: f64, by: f64| Rect { left: x, top: y, right: x, bottom: y }.grown(by);
    let over = |points: &[(f64, f64)]| {
        let first = points.first().copied().unwrap_or_default();
        points.iter().fold(around(first.0, first.1, 0.0), |it, (x, y)| Rect {
            // A value that is no number must not get lost in a comparison.
            left: if x.is_nan() { *x } else { it.left.min(*x) },
            top: if y.is_nan() { *y } else { it.top.min(*y) },
            right: it.right.max(*x),
            bottom: it.bottom.max(*y),
        })
    };
    match mark {
        Mark::Line { points, .. } | Mark::Area { points, .. } => over(points),
        Mark::Rule { from, to, .. } => over(&[*from, *to]),
        Mark::Rectangle { rect, .. } => *rect,
        Mark::Circle { at, radius, .. } => around(at.0, at.1, *radius),
        Mark::Diamond { at, radius, .. } | Mark::Cross { at, radius, .. } => {
            around(at.0, at.1, *radius)
        }
        Mark::Words(words) => words.bounds(),
    }
}

/// Figures and replays that nobody would think of.
struct Chance(Rng);

impl Chance {
    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.0.below(of.len() as u32) as usize]
    }

    fn value(&mut self) -> f64 {
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

    fn frame(&mut self) -> Frame {
        let sides = [0.0, 90.0, 160.0, 358.0, 500.0, 1040.0, 1600.0, f64::NAN];
        Frame {
            width: self.one_of(&sides),
            height: self.one_of(&sides[..6]),
            narrow: self.0.chance(0.4),
        }
    }

    fn text(&mut self) -> String {
        let words = [
            "a request",
            "1 in 10,000",
            "hedged after 30\u{2009}ms",
            "百のうち一つ",
            "<&>",
            "",
            "p99.9",
            "W",
        ];
        let count = self.one_of(&[0, 1, 1, 1, 2, 3, 40]);
        (0..count).map(|_| self.one_of(&words)).collect::<Vec<_>>().join(" ").trim().to_owned()
    }

    fn label(&mut self) -> Label {
        let side = self.one_of(&[Side::End, Side::Above, Side::Below]);
        let note = format!("{}\n{}", self.text(), self.text());
        let note = if self.0.chance(0.6) { String::new() } else { note.trim().to_owned() };
        Label::new(self.text()).short(self.text()).note(note).side(side)
    }

    fn axis(&mut self) -> Axis {
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

    fn meaning(&mut self) -> Meaning {
        self.one_of(&[
            Meaning::This,
            Meaning::Other,
            Meaning::Hedge,
            Meaning::Deadline,
            Meaning::Reference,
            Meaning::Ink,
        ])
    }

    fn series(&mut self) -> Vec<Series> {
        let count = self.one_of(&[0, 1, 2, 3, 5, 80]);
        (0..count).map(|_| self.one_series()).collect()
    }

    fn one_series(&mut self) -> Series {
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

    fn points(&mut self) -> Vec<Point> {
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
    fn cells(&mut self) -> Cells {
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

    fn bars(&mut self) -> Vec<Bar> {
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

    fn figure(&mut self) -> Figure {
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

    fn film(&mut self) -> Film {
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

    fn traffic(&mut self) -> Traffic {
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

    fn replay(&mut self) -> Replay {
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
