//! Whatever a figure holds, and however little room it has, its chart is whole: nothing outside the frame, no words
//! over other words, and no more marks than can be told apart.

mod chance;

use tail_lab::chart::{
    Frame, LIGHT, Mark, Rect, Scene, Way, Words, film_at, layout, strip, strip_until, svg,
    traffic_at,
};
use tail_lab::report::Point;
use tail_lab::sim::Rng;

use crate::figures;
use chance::Chance;

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
