//! Whatever the settings, and however much of a run is in, a study can be told: its sentence, its notes, and figures
//! that a chart can be laid out from.

use tail_lab::{
    chart::{Frame, layout},
    format::reading,
    report::{Figure, Quantity, Series},
    scenario::{SCENARIOS, Seen},
    sim::Meter,
    study::Study,
};

use crate::common::drawn;

const FRAME: Frame = Frame { width: 720.0, height: 400.0, narrow: false };

#[track_caller]
fn told(study: &Study, meter: Option<&Meter>) {
    let exact = study.exact();
    let measures = study.measures(meter, &exact);
    let seen = Seen { meter, measures: &measures, exact: &exact };
    let link = study.link();
    let sentence = study.sentence(&seen);
    let asides = sentence.asides.iter().flat_map(|it| &it.pieces).map(|it| it.text.as_str());
    let mut text = sentence.text() + &asides.collect::<String>() + &study.notes().join(" ");
    for aside in &sentence.asides {
        let Some((_, changes)) = &aside.action else { continue };
        let (_, problems) = Study::open(&format!("{}&{changes}", study.scenario.key));
        assert_eq!(problems, [], "{link}: {changes}");
    }
    let figures = study.figures(&seen);
    // Before anything is simulated there may be nothing to draw, where nothing is known exactly.
    assert!(meter.is_none() || !figures.is_empty(), "{link}: no figure");
    for figure in &figures {
        text += &figure.caption;
        holds(figure, &link);
        layout(figure, FRAME);
    }
    for word in ["NaN", "inf", "\u{221e}"] {
        assert!(!text.contains(word), "{link}: {text}");
    }
}

#[track_caller]
fn holds(figure: &Figure, link: &str) {
    let key = figure.key;
    for axis in [&figure.x, &figure.y] {
        assert!(axis.from < axis.to && axis.to.is_finite(), "{link}: {key}: {axis:?}");
    }
    for Series { points, .. } in &figure.series {
        let xs: Vec<f64> = points.iter().map(|it| it.0).filter(|it| it.is_finite()).collect();
        assert!(xs.is_sorted(), "{link}: {key} goes back");
    }
    let width = figure.table.columns.len();
    assert!(figure.table.rows.iter().all(|it| it.len() == width), "{link}: {key}: {width} columns");
}

#[test]
fn every_preset_is_told() {
    for scenario in SCENARIOS {
        for preset in scenario.presets {
            let study = Study::of_preset(scenario, preset).changed("requests=2000");
            told(&study, None);
            told(&study, Some(&study.finish()));
        }
    }
}

#[test]
fn any_setting_is_told() {
    for scenario in 0..SCENARIOS.len() {
        for seed in 1..=24 {
            let study = short(drawn(scenario, seed, "1000"));
            told(&study, None);
            told(&study, Some(&study.finish_one(0)));
        }
    }
}

/// Of two kinds of request the caption tells the median of each, which lie among the percentiles.
#[test]
fn two_kinds_of_request_are_told_by_their_medians() {
    let (study, _) = Study::open("fan-out&requests=20000");
    let (meter, exact) = (study.finish(), study.exact());
    for meter in [None, Some(&meter)] {
        let measures = study.measures(meter, &exact);
        let seen = Seen { meter, measures: &measures, exact: &exact };
        let figures = study.figures(&seen);
        let figure = figures.iter().find(|it| it.key == "distribution").unwrap();
        // All but a share of .99^100 have met a slow leaf.
        let quick = libm::pow(0.99, 100.0);
        for share in [0.5 * quick, 0.5 * (1.0 + quick)] {
            let ms = exact.quantile_ms("request", share);
            let told = reading(Quantity::Latency, ms, None, None).value.to_string();
            assert!(figure.caption.contains(&told), "{}: no {told}", figure.caption);
        }
        let p50 = seen.best("request.p50").unwrap();
        assert!(p50 < exact.quantile_ms("request", 0.5 * (1.0 + quick)).unwrap());
    }
}

/// With copies there are answers and calls, and a share is said to be one of either.
#[test]
fn with_copies_it_is_said_what_a_share_is_of() {
    let (study, _) = Study::open("fan-out&hedge=after&hedge_ms=50&requests=2000");
    let exact = study.exact();
    let measures = study.measures(None, &exact);
    let seen = Seen { meter: None, measures: &measures, exact: &exact };
    let sentence = study.sentence(&seen).text();
    for words in ["only 0.01\u{202f}% of calls do", "1\u{202f}% of leaf answers are so late"] {
        assert!(sentence.contains(words), "{sentence}: no {words}");
    }
    let caption = &study.figures(&seen)[0].caption;
    assert!(caption.contains("When 1 in 10,000 calls is late"), "{caption}");
    assert!(!caption.contains("leaf answers"), "{caption}");
    let sentence = study.changed("hedge=off").sentence(&seen).text();
    assert!(sentence.contains("1\u{202f}% of leaf answers do."), "{sentence}");
}

/// Without the warm-up that a queue would need.
fn short(study: Study) -> Study {
    if study.value("warm_up").is_some() { study.changed("warm_up=100") } else { study }
}

/// Where more work comes than can be done, the queue's growth stands in place of percentiles.
#[test]
fn queues_that_grow_are_shown_growing() {
    for link in [
        "replicas&load=1.1&background=0&requests=100000&warm_up=100",
        "classes&load=1.1&requests=100000&warm_up=100",
        "probation&load=1.1&requests=100000&warm_up=100",
    ] {
        let (study, _) = Study::open(link);
        let meter = study.finish();
        assert!(study.unstable(Some(&meter)).is_some(), "{link}");
        let exact = study.exact();
        let measures = study.measures(Some(&meter), &exact);
        let seen = Seen { meter: Some(&meter), measures: &measures, exact: &exact };
        let figures = study.figures(&seen);
        assert_eq!(figures[0].key, "growth", "{link}");
        assert!(figures.iter().all(|it| it.key != "percentiles"), "{link}");
        let lengths = &figures[0].series.last().unwrap().points;
        let (first, last) = (lengths[0].1, lengths[lengths.len() - 1].1);
        assert!(2.0 * first < last, "{link}: from {first} to {last}");
    }
}
