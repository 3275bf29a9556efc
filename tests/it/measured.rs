//! Measured data in the place of a law: in links, in both scenarios that have a use for them, simulated and exact.

use std::sync::Arc;

use expect_test::{Expect, expect};
use tail_lab::{
    import,
    measured::Measured,
    scenario::SCENARIOS,
    sim::Rng,
    study::{SHARES, Study},
};

use crate::common::study;

/// A log-normal law of median 10 ms, told by its percentiles up to p99.99.
fn data() -> Arc<Measured> {
    let variates = (-40..=37).map(|it| 0.1 * f64::from(it));
    let pairs = variates.map(|it| (tail_lab::special::normal_tail(it), 10.0 * libm::exp(0.3 * it)));
    Arc::new(Measured::of_quantiles(&pairs.collect::<Vec<_>>()).unwrap())
}

fn with_data(link: &str) -> Study {
    let (study, problems) = Study::open_with(link, Some(data()));
    assert_eq!(problems, [], "{link}");
    study
}

#[track_caller]
fn check(link: &str, expect: Expect) {
    let (study, problems) = Study::open(link);
    let lines = problems.iter().map(|it| format!("\n{} {}", it.key, it.text));
    expect.assert_eq(&format!("{}{}", study.link(), lines.collect::<String>()));
    assert_eq!(Study::open(&study.link()), (study, Vec::new()));
}

#[test]
fn a_link_carries_the_data() {
    let study = with_data("fan-out&fan_out=20");
    let link = study.link();
    assert!(
        link.starts_with(
            "fan-out&fan_out=20&typical=measured&outlier_rate=0&deadline_ms=20&data=1"
        ),
        "{link}"
    );
    assert!(link.len() < 1_000, "{} bytes", link.len());
    assert_eq!(Study::open(&link), (study, Vec::new()));
    // What the link says stands above what the data suggest, in any order.
    let own = with_data("fan-out&deadline_ms=50&outlier_rate=1%");
    assert_eq!((own.value("deadline_ms"), own.value("outlier_rate")), (Some(50.0), Some(0.01)));
    let turned: Vec<&str> = link.split('&').skip(1).collect();
    let turned = format!("fan-out&{}", turned.into_iter().rev().collect::<Vec<_>>().join("&"));
    assert_eq!(Study::open(&turned).0.link(), link);
}

#[test]
fn data_that_cannot_be_used_are_named() {
    check(
        "fan-out&typical=measured",
        expect![[r"
        fan-out
        typical=measured has no data to go by: log-normal is used."]],
    );
    check("fan-out&data=1AA&typical=measured", expect!["fan-out&typical=measured&data=1AA"]);
    check(
        "fan-out&data=<script>",
        expect![[r"
        fan-out
        data=<script> is not the text of measured data, which starts with a 1; it is left out."]],
    );
    check(
        "replicas&service=measured&data=1A",
        expect![[r"
        replicas
        data=1A is not a list of ascending quantiles; it is left out.
        service=measured has no data to go by: gamma is used."]],
    );
    check(
        "bursts&data=1AA",
        expect![[r"
        bursts
        data=1AA is not a setting of Bursts."]],
    );
    let (_, problems) = Study::open_with("bursts", Some(data()));
    assert_eq!(problems[0].text, "have no place in Bursts.");
}

#[test]
fn any_data_open() {
    let mut rng = Rng::stream(5, 0, 0);
    let text = data().text();
    for _ in 0..20_000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=rng.below(4) {
            let at = rng.below(bytes.len() as u32) as usize;
            match rng.below(3) {
                0 => bytes[at] = rng.bits() as u8,
                1 => bytes.truncate(at.max(1)),
                _ => bytes[at] = b"ABgh_-1"[rng.below(7) as usize],
            }
        }
        let link = format!("fan-out&typical=measured&data={}", String::from_utf8_lossy(&bytes));
        let (study, _) = Study::open(&link);
        assert_eq!(Study::open(&study.link()), (study, Vec::new()), "{link}");
    }
}

/// Simulated and exact values of a measure that both must know.
#[track_caller]
fn both(study: &Study, name: &str) -> (f64, f64, f64, f64) {
    let measures = study.measures(Some(&study.finish()), &study.exact());
    let it = measures.iter().find(|it| it.name == name).unwrap();
    let values = (it.simulated, it.low, it.high, it.exact);
    let (Some(simulated), Some(low), Some(high), Some(exact)) = values else {
        panic!("{}: {name} is {values:?}", study.link())
    };
    (simulated, low, high, exact)
}

#[test]
fn data_of_a_log_normal_law_give_what_the_law_gives() {
    for link in [
        "fan-out&fan_out=20&requests=200000",
        "fan-out&fan_out=20&requests=200000&outlier_rate=0.02&outlier_ms=50",
        "fan-out&fan_out=20&requests=200000&hedge=after&hedge_ms=12",
        "fan-out&fan_out=1000&requests=20000&wait_for=0.9",
        "fan-out&fan_out=1000&requests=20000&hedge=percentile",
    ] {
        let given = with_data(link);
        let law = study(&format!(
            "{link}&deadline_ms=20&outlier_rate={}",
            given.value("outlier_rate").unwrap()
        ));
        for name in ["request.p50", "request.p90", "leaf.p50", "leaf.p99", "over"] {
            let (simulated, low, high, exact) = both(&given, name);
            let (.., expected) = both(&law, name);
            assert!(
                (exact - expected).abs() <= 0.01 * expected,
                "{link}: {name} is {exact}, not {expected}"
            );
            let margin = (high - low).max(0.004 * exact);
            assert!(
                (simulated - exact).abs() <= 1.5 * margin,
                "{link}: {name} is {simulated}, not {exact}"
            );
        }
    }
}

#[test]
fn servers_queue_as_theory_says() {
    for link in [
        "replicas&load=0.5&background=0&hop_ms=0&requests=400000",
        "replicas&load=0.5&background=0&hop_ms=0&requests=400000&outlier_rate=0.01&outlier_factor=5",
        "replicas&load=0.3&background=0.2&servers=200&requests=200000",
    ] {
        let given = with_data(link);
        assert!(given.link().contains("service=measured"), "{}", given.link());
        for name in ["request.p50", "request.p90", "request.p99", "utilisation"] {
            let (simulated, low, high, exact) = both(&given, name);
            let margin = (high - low).max(0.006 * exact);
            assert!(
                (simulated - exact).abs() < 1.2 * margin,
                "{link}: {name} is {simulated}, not {exact}"
            );
        }
    }
}

#[test]
fn no_percentile_depends_on_what_is_not_known() {
    // Known up to p95: of a hundred leaves nearly always one is beyond.
    let pairs = [(0.5, 10.0), (0.25, 12.0), (0.1, 15.0), (0.05, 20.0)];
    let law = Arc::new(Measured::of_quantiles(&pairs).unwrap());
    for link in [
        "fan-out&fan_out=100&requests=20000",
        "replicas&load=0.2&requests=20000&fan_out=50&servers=1000",
    ] {
        let (study, _) = Study::open_with(link, Some(Arc::clone(&law)));
        let study = study.changed("deadline_ms=100");
        for it in study.measures(Some(&study.finish()), &study.exact()) {
            let unknown =
                it.name.starts_with("request.") || it.label == "mean" || it.name == "over";
            let beyond =
                SHARES.iter().any(|(label, share)| it.name.ends_with(label) && 0.95 < *share);
            if unknown || (it.name.contains(".p") && beyond) {
                assert_eq!((it.simulated, it.exact), (None, None), "{link}: {}", it.name);
            }
        }
    }
    // A second copy saves what one copy alone would leave unknown.
    let (hedged, _) =
        Study::open_with("fan-out&fan_out=1&hedge=after&hedge_ms=20&requests=20000", Some(law));
    let measures = hedged.measures(Some(&hedged.finish()), &hedged.exact());
    let p99 = measures.iter().find(|it| it.name == "request.p99").unwrap();
    assert!(p99.simulated.is_some() && p99.exact.is_some(), "{p99:?}");
    assert!((p99.simulated.unwrap() / p99.exact.unwrap() - 1.0).abs() < 0.1, "{p99:?}");
}

#[test]
fn a_file_becomes_a_study_that_can_be_shown() {
    let bytes = std::fs::read("tests/it/import/wrk2/usual.txt").unwrap();
    let imported = import::read(&bytes).unwrap();
    let law = Arc::new(imported.series[0].law().unwrap());
    for scenario in SCENARIOS.iter().filter(|it| it.measured.is_some()) {
        for changes in
            ["", "deadline_ms=60000", "fan_out=200&servers=2000", "hedge=percentile&policy=hedge"]
        {
            let study = Study::new(scenario).with_data(Arc::clone(&law)).unwrap();
            let study = study.changed("requests=2000&warm_up=100").changed(changes);
            let (meter, exact) = (study.finish(), study.exact());
            let measures = study.measures(Some(&meter), &exact);
            for meter in [None, Some(&meter)] {
                let seen = tail_lab::scenario::Seen { meter, measures: &measures, exact: &exact };
                let text: String =
                    study.sentence(&seen).lead.iter().map(|it| it.text.clone()).collect();
                assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
                for figure in study.figures(&seen) {
                    let finite = |it: &(f64, f64)| it.1 < 1e11;
                    assert!(
                        figure.series.iter().all(|it| it.points.iter().all(finite)),
                        "{} of {}",
                        figure.key,
                        study.link()
                    );
                }
                assert!(study.notes().iter().any(|it| it.contains("measured")));
            }
            for share in [0.5, 0.99] {
                let _ = study.replay(share);
            }
        }
    }
}
