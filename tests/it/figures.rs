//! Figures for the tests of charts: the fan-out of a hundred leaves, of which one answer in a hundred takes a
//! second longer, from its closed forms.

use tail_lab::format;
use tail_lab::report::{
    Attempt, Axis, AxisScale, Bound, Cells, End, Figure, Here, Label, Lane, Mark, Meaning, Panel,
    Point, Quantity, Replay, Series, Side, Size, Span, SpanKind, Tally, Trace,
};
use tail_lab::sim::{Dist, Rng};
use tail_lab::special::normal_tail;

const LEAVES: f64 = 100.0;
const SLOW: f64 = 0.01;
const DELAY_MS: f64 = 1000.0;
const LEAF: Dist = Dist::LogNormal { median: 10.0, sigma: 0.3 };

/// P(a leaf's answer takes longer).
fn leaf_beyond(ms: f64) -> f64 {
    leaf_of(SLOW, ms)
}

/// The same where another share of answers is slow.
fn leaf_of(slow: f64, ms: f64) -> f64 {
    let fast = |ms: f64| if ms <= 0.0 { 1.0 } else { normal_tail(libm::log(ms / 10.0) / 0.3) };
    (1.0 - slow) * fast(ms) + slow * fast(ms - DELAY_MS)
}

/// The same with a second copy sent after a while.
fn hedged_beyond(ms: f64, after_ms: f64) -> f64 {
    leaf_beyond(ms) * if ms <= after_ms { 1.0 } else { leaf_beyond(ms - after_ms) }
}

/// P(the slowest of some takes longer), given one's.
fn any(beyond: f64, leaves: f64) -> f64 {
    -libm::expm1(leaves * libm::log1p(-beyond))
}

/// The value that a share of answers stays within, by halving on a logarithmic scale.
fn quantile(beyond: impl Fn(f64) -> f64, share: f64) -> f64 {
    let (mut low, mut high) = (0.01_f64, 1e5_f64);
    for _ in 0..200 {
        let middle = (low * high).sqrt();
        if beyond(middle) > 1.0 - share { low = middle } else { high = middle }
    }
    (low * high).sqrt()
}

fn axis(name: &str, scale: AxisScale, quantity: Quantity, from: f64, to: f64) -> Axis {
    Axis { name: name.into(), scale, quantity, from, to }
}

fn series(meaning: Meaning, trace: Trace, label: Label, points: Vec<(f64, f64)>) -> Series {
    Series { meaning, trace, label, points }
}

fn dot(x: f64, y: f64) -> Point {
    Point { meaning: Meaning::This, mark: Mark::Dot, x, y, interval: None, label: Label::default() }
}

fn diamond(x: f64, y: f64, share: &str) -> Point {
    let note = format!("published {share}");
    let label = Label::default().note(note).short(share);
    Point { meaning: Meaning::Ink, mark: Mark::Diamond, label, ..dot(x, y) }
}

/// The paper's figure: requests that take over a second, against the leaves that each waits for.
pub(crate) fn over_against_leaves() -> Figure {
    let leaves: Vec<f64> = (0..=220).map(|it| libm::pow(2000.0, f64::from(it) / 220.0)).collect();
    let curve = |beyond: f64| leaves.iter().map(|n| (*n, any(beyond, *n))).collect::<Vec<_>>();
    let hedged = hedged_beyond(1000.0, 30.0);
    let over = any(leaf_beyond(1000.0), LEAVES);
    let same = Label::new("1 in 100, with a hedge").note("the same line:").short("");
    Figure {
        key: "over-against-leaves",
        title: "The more leaves, the likelier that one of them is late".into(),
        caption: String::new(),
        size: Size::Main,
        x: axis(
            "leaves a request waits for, log scale",
            AxisScale::Log,
            Quantity::Count,
            1.0,
            2000.0,
        ),
        y: axis("requests that take over 1\u{202f}s", AxisScale::Linear, Quantity::Share, 0.0, 1.0),
        series: vec![
            series(Meaning::Hedge, Trace::Wash, same, curve(hedged)),
            series(Meaning::Reference, Trace::Exact, Label::new("1 in 10,000"), curve(1e-4)),
            series(Meaning::Reference, Trace::Exact, Label::new("1 in 1,000"), curve(1e-3)),
            series(
                Meaning::This,
                Trace::ExactAlone,
                Label::new("1 leaf answer in 100").note("is slow: this study").short("1 in 100"),
                curve(leaf_beyond(1000.0)),
            ),
        ],
        points: vec![
            diamond(100.0, 0.63, "63\u{202f}%"),
            dot(100.0, over),
            diamond(2000.0, 0.18, "18\u{202f}%"),
        ],
        here: Some(Here {
            x: LEAVES,
            y: over,
            key: "fan_out",
            value: format::short(Quantity::Share, over).to_string(),
            note: format!("simulated ± 0.13, exact {:.2}", 100.0 * over),
        }),
        ..Figure::default()
    }
}

const PERCENTILES: [f64; 6] = [0.5, 0.9, 0.95, 0.99, 0.999, 0.9999];

fn shares() -> Vec<f64> {
    let (from, to) = (libm::log10(0.5), -4.0);
    (0..=400).map(|it| 1.0 - libm::pow(10.0, from + (to - from) * f64::from(it) / 400.0)).collect()
}

fn percentile_curve(beyond: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    shares().into_iter().map(|it| (it, quantile(&beyond, it))).collect()
}

fn percentile_axes() -> (Axis, Axis) {
    (
        axis("", AxisScale::Nines, Quantity::Percentile, 0.5, 0.9999),
        axis("latency, log scale", AxisScale::Log, Quantity::Latency, 5.0, 3000.0),
    )
}

fn deadline(upright: bool) -> Bound {
    let label = if upright { String::new() } else { "deadline 1\u{202f}s".into() };
    Bound { upright, at: 1000.0, label }
}

/// Latency against percentile: one leaf, a request, a hedged one.
pub(crate) fn percentiles() -> Figure {
    let request = |ms: f64| any(leaf_beyond(ms), LEAVES);
    let exact = percentile_curve(request);
    let (x, y) = percentile_axes();
    let hedged = |ms: f64| any(hedged_beyond(ms, 30.0), LEAVES);
    Figure {
        key: "percentiles",
        title: "What the percentiles say".into(),
        caption: String::new(),
        size: Size::Pair,
        x,
        y,
        series: vec![
            series(
                Meaning::Other,
                Trace::Simulated,
                Label::new("one leaf").side(Side::Below),
                percentile_curve(leaf_beyond),
            ),
            series(
                Meaning::Hedge,
                Trace::Exact,
                Label::new("hedged after 30\u{202f}ms").short("hedged").side(Side::Above),
                percentile_curve(hedged),
            ),
            series(
                Meaning::This,
                Trace::Simulated,
                Label::new("a request: the slowest of 100 leaves")
                    .short("request")
                    .side(Side::Above),
                exact.clone(),
            ),
            series(Meaning::This, Trace::ExactOver, Label::default(), exact),
        ],
        points: PERCENTILES.iter().map(|it| dot(*it, quantile(request, *it))).collect(),
        bounds: vec![deadline(false)],
        ..Figure::default()
    }
}

/// A without a hedge, B with one: p99 of B lies in a gap.
pub(crate) fn percentiles_compared() -> Figure {
    let plain = |ms: f64| any(leaf_beyond(ms), LEAVES);
    let hedged = |ms: f64| any(hedged_beyond(ms, 30.0), LEAVES);
    let (x, y) = percentile_axes();
    let ring = |it: &f64| Point {
        meaning: Meaning::Other,
        mark: Mark::Ring,
        ..dot(*it, quantile(plain, *it))
    };
    let mut points: Vec<Point> = PERCENTILES.iter().map(ring).collect();
    points.extend(
        PERCENTILES.iter().filter(|it| **it != 0.99).map(|it| dot(*it, quantile(hedged, *it))),
    );
    points.push(Point {
        interval: Some((57.0, 1005.0)),
        label: Label::default().note("p99 lies in the gap:\n57 to 1,005\u{202f}ms"),
        ..dot(0.99, f64::NAN)
    });
    let label = |text: &str, side: Side| Label::new(text).side(side);
    Figure {
        key: "percentiles-compared",
        series: vec![
            series(
                Meaning::Other,
                Trace::Simulated,
                label("A: every call sent once", Side::Above),
                percentile_curve(plain),
            ),
            series(
                Meaning::This,
                Trace::Simulated,
                label("B: second copy after 30\u{202f}ms", Side::Above),
                percentile_curve(hedged),
            ),
            series(Meaning::This, Trace::ExactOver, Label::default(), percentile_curve(hedged)),
        ],
        x,
        y,
        points,
        bounds: vec![deadline(false)],
        ..percentiles()
    }
}

/// Shares in bins of a twentieth of a decade, with an edge on the second.
fn bins(beyond: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    let edge = |it: i32| 1000.0 * libm::pow(10.0, f64::from(it) / 20.0);
    (-46..=6).map(|it| (edge(it), beyond(edge(it)) - beyond(edge(it + 1)))).collect()
}

/// The distribution of latency.
pub(crate) fn distribution() -> Figure {
    let request = |ms: f64| any(leaf_beyond(ms), LEAVES);
    let slow = bins(request).into_iter().find(|it| it.0 > 999.0).unwrap().1;
    let word = |x: f64, y: f64, label: Label| Point { mark: Mark::Word, label, ..dot(x, y) };
    Figure {
        key: "distribution",
        title: "Two kinds of request".into(),
        x: axis("", AxisScale::Log, Quantity::Latency, 5.0, 2000.0),
        y: axis(
            "share in each twentieth of a decade",
            AxisScale::Linear,
            Quantity::Share,
            0.0,
            0.7,
        ),
        series: vec![
            series(
                Meaning::Other,
                Trace::Steps,
                Label::new("one leaf").side(Side::Above),
                bins(leaf_beyond),
            ),
            series(
                Meaning::Hedge,
                Trace::ExactSteps,
                Label::new("hedged").side(Side::Above),
                bins(|ms| any(hedged_beyond(ms, 30.0), LEAVES)),
            ),
            series(Meaning::This, Trace::Steps, Label::default(), bins(request)),
        ],
        points: vec![
            word(
                1000.0,
                slow,
                Label::new("63.4\u{202f}% of requests").note("and 1\u{202f}% of leaf answers"),
            ),
            word(21.0, 0.125, Label::new("36.6\u{202f}% of requests")),
        ],
        bounds: vec![deadline(true)],
        ..percentiles()
    }
}

/// Latency over a minute, in the middle third of which every answer takes five times longer.
pub(crate) fn heat() -> Figure {
    let y_edges: Vec<f64> = (0..=28).map(|it| 4.0 * libm::exp2(f64::from(it) / 4.0)).collect();
    let between = |second: u32, from: f64, to: f64| {
        let slow = if (20..40).contains(&second) { 5.0 } else { 1.0 };
        leaf_beyond(from / slow) - leaf_beyond(to / slow)
    };
    let shade = |it: f64| match it {
        it if it < 1e-4 => f64::NAN,
        it => (1.0 + libm::log10(it) / 4.0).max(0.1),
    };
    let column = |it: u32| y_edges.windows(2).map(move |y| shade(between(it, y[0], y[1])));
    Figure {
        key: "heat",
        title: "A slow third".into(),
        size: Size::Main,
        x: axis("sent after", AxisScale::Linear, Quantity::Seconds, 0.0, 60.0),
        y: axis("latency, log scale", AxisScale::Log, Quantity::Latency, 4.0, y_edges[28]),
        cells: Some(Cells {
            meaning: Meaning::This,
            x_edges: (0..=60).map(f64::from).collect(),
            shades: (0..60).flat_map(column).collect(),
            y_edges: y_edges.clone(),
            key: [(0.25, "0.1\u{202f}%"), (0.5, "1\u{202f}%"), (0.75, "10\u{202f}%")]
                .map(|(shade, words)| (shade, words.to_owned()))
                .into(),
            told: Vec::new(),
        }),
        series: vec![series(
            Meaning::Ink,
            Trace::Simulated,
            Label::new("median").side(Side::Above),
            vec![(0.0, 10.0), (20.0, 10.0), (20.0, 50.0), (40.0, 50.0), (40.0, 10.0), (60.0, 10.0)],
        )],
        points: Vec::new(),
        bounds: Vec::new(),
        here: None,
        ..percentiles()
    }
}

/// The p99 of a request over fan-out and outliers, which can be read cell by cell.
pub(crate) fn shades() -> Figure {
    let (leaves, rates) = ([1.0, 4.0, 16.0, 64.0, 256.0], [0.001, 0.003, 0.01, 0.03]);
    let places = || leaves.iter().flat_map(|x| rates.iter().map(move |y| (*x, *y)));
    let late = |(x, y): (f64, f64)| quantile(|ms| any(leaf_of(y, ms), x), 0.99);
    let latency = |ms: f64| format::short(Quantity::Latency, ms);
    let told = places().map(|(x, y)| {
        let rate = format::given(Quantity::Share, y);
        (format!("Leaves {x}, slow answers {rate}"), format!("p99 {}", latency(late((x, y)))))
    });
    let shade = |it: (f64, f64)| (libm::log10(late(it) / 10.0) / 2.1).clamp(0.1, 0.9);
    Figure {
        key: "shades",
        title: "Against leaves and outliers".into(),
        x: axis("leaves, log scale", AxisScale::Log, Quantity::Count, 0.5, 512.0),
        y: axis("outliers, log scale", AxisScale::Log, Quantity::Share, 0.0006, 0.06),
        cells: Some(Cells {
            meaning: Meaning::This,
            x_edges: vec![0.5, 2.0, 8.0, 32.0, 128.0, 512.0],
            y_edges: vec![0.0006, 0.0018, 0.0055, 0.018, 0.06],
            shades: places().map(shade).collect(),
            key: [0.3, 0.9]
                .map(|it| (it, latency(10.0 * libm::pow(10.0, 2.1 * it)).to_string()))
                .into(),
            told: told.collect(),
        }),
        points: vec![Point { meaning: Meaning::Ink, mark: Mark::Ring, ..dot(64.0, 0.01) }],
        ..Figure::default()
    }
}

/// Percentiles of a request against the hedge's delay, and what it costs below them.
pub(crate) fn sweep() -> Figure {
    let delays: Vec<f64> =
        (0..=120).map(|it| 10.0 * libm::pow(50.0, f64::from(it) / 120.0)).collect();
    let at = |share: f64| {
        let value = move |after: f64| quantile(|ms| any(hedged_beyond(ms, after), LEAVES), share);
        delays.iter().map(|it| (*it, value(*it))).collect::<Vec<_>>()
    };
    let dots = [10.0, 15.0, 20.0, 30.0, 50.0, 100.0, 200.0, 500.0];
    let mut points = Vec::new();
    for share in [0.5, 0.99, 0.999] {
        let value = |after: f64| quantile(|ms| any(hedged_beyond(ms, after), LEAVES), share);
        points.extend(dots.iter().map(|it| dot(*it, value(*it))));
    }
    let cost = |points: &[f64]| points.iter().map(|it| (*it, leaf_beyond(*it))).collect::<Vec<_>>();
    let name = |share: &str, side: Side| Label::new(share).side(side);
    let hopeless = "one copy cannot save it:\n1 call in 10,000 is slow twice";
    Figure {
        key: "against-hedge-delay",
        title: "Against the hedge delay".into(),
        size: Size::Main,
        x: axis("hedge delay, log scale", AxisScale::Log, Quantity::Latency, 10.0, 500.0),
        y: axis("latency of a request, log scale", AxisScale::Log, Quantity::Latency, 10.0, 2000.0),
        series: vec![
            series(Meaning::This, Trace::Exact, name("p50", Side::Below), at(0.5)),
            series(Meaning::This, Trace::Exact, name("p99", Side::Above), at(0.99)),
            series(Meaning::This, Trace::Exact, name("p99.9", Side::End).note(hopeless), at(0.999)),
        ],
        points,
        bounds: vec![Bound { label: String::new(), ..deadline(false) }],
        here: Some(Here {
            x: 30.0,
            y: f64::NAN,
            key: "hedge_ms",
            value: String::new(),
            note: String::new(),
        }),
        lower: Some(Panel {
            y: axis("extra leaf calls, log scale", AxisScale::Log, Quantity::Share, 0.007, 0.6),
            series: vec![
                series(
                    Meaning::Reference,
                    Trace::Exact,
                    Label::default()
                        .note("budget 2\u{202f}%: 20.1\u{202f}ms is the shortest delay within it")
                        .side(Side::Above),
                    vec![(10.0, 0.02), (20.1, 0.02)],
                ),
                series(
                    Meaning::Hedge,
                    Trace::Exact,
                    Label::new("extra calls").note("never below 1\u{202f}%"),
                    cost(&delays),
                ),
            ],
            points: cost(&dots)
                .into_iter()
                .map(|(x, y)| Point { meaning: Meaning::Hedge, ..dot(x, y) })
                .collect(),
        }),
        ..percentiles()
    }
}

fn attempt(sent_ms: f64, spans: &[(SpanKind, f64)], end: End) -> Attempt {
    let spans = spans.iter().map(|(kind, until_ms)| Span { kind: *kind, until_ms: *until_ms });
    Attempt { sent_ms, spans: spans.collect(), end }
}

fn lane(number: u32, straggler: bool, attempts: Vec<Attempt>) -> Lane {
    Lane { number, name: None, straggler, attempts }
}

/// A request that waits for so many calls, one of which is slow.
pub(crate) fn one_slow_call(calls: u32) -> Replay {
    let mut rng = Rng::stream(37, 0, 0);
    let call = |number: u32| {
        let ms = if number == 37 { 1009.2 } else { LEAF.sample(&mut rng) };
        lane(number, number == 37, vec![attempt(0.0, &[(SpanKind::Service, ms)], End::Answered)])
    };
    let lanes: Vec<Lane> = (1..=calls).map(call).collect();
    let quick = lanes.iter().filter(|it| !it.straggler).map(|it| it.attempts[0].spans[0].until_ms);
    let at_ms = quick.fold(0.0, f64::max);
    let tally = Some(Tally { answered: calls - 1, of: calls, at_ms });
    let latency_ms = 1009.2;
    Replay {
        percentile: 0.5,
        latency_ms,
        answered_ms: latency_ms,
        lanes,
        tally,
        ..Replay::default()
    }
}

/// The same with a second copy of the slow call, which answers first.
pub(crate) fn one_hedged_call() -> Replay {
    let mut replay = one_slow_call(100);
    let slow = replay.lanes.iter_mut().find(|it| it.straggler).unwrap();
    slow.attempts = vec![
        attempt(0.0, &[(SpanKind::Service, 41.3)], End::Cancelled),
        attempt(30.0, &[(SpanKind::Service, 41.3)], End::Answered),
    ];
    Replay { latency_ms: 41.3, answered_ms: 41.3, ..replay }
}

/// A dozen calls through a network and queues, each sent twice, the loser cancelled or too late.
pub(crate) fn tied_calls() -> Replay {
    let mut rng = Rng::stream(5, 0, 0);
    let mut slowest = (0.0, 0);
    let mut lanes = Vec::new();
    for number in 1..=12 {
        let mut times = || {
            let sent = 0.4 + 0.3 * rng.unit();
            let started = sent + 6.0 * rng.exponential();
            (sent, started, started + 4.0 * rng.exponential() + 1.0)
        };
        let (first, second) = (times(), times());
        let (won, lost) = if first.2 < second.2 { (first, second) } else { (second, first) };
        let spans = |it: (f64, f64, f64), until: f64| {
            let steps =
                [(SpanKind::Hop, it.0), (SpanKind::Waiting, it.1), (SpanKind::Service, it.2)];
            let mut spans: Vec<(SpanKind, f64)> = Vec::new();
            for (kind, end) in steps {
                if spans.last().is_none_or(|it| it.1 < until) {
                    spans.push((kind, end.min(until)));
                }
            }
            spans
        };
        let cancelled = won.1 + 0.5 < lost.1;
        let ends = [
            (won, won.2, End::Answered),
            if cancelled {
                (lost, won.1 + 0.5, End::Cancelled)
            } else {
                (lost, lost.2, End::Unused)
            },
        ];
        let order = if first.2 < second.2 { [0, 1] } else { [1, 0] };
        let attempts = order.map(|at| attempt(0.0, &spans(ends[at].0, ends[at].1), ends[at].2));
        lanes.push(lane(number, false, attempts.to_vec()));
        if won.2 > slowest.0 {
            slowest = (won.2, lanes.len() - 1);
        }
    }
    lanes[slowest.1].straggler = true;
    Replay {
        percentile: 0.99,
        latency_ms: slowest.0 + 0.5,
        answered_ms: slowest.0,
        lanes,
        ..Replay::default()
    }
}
