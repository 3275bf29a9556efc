//! The exact curves against the figures that they must give, digit by digit.
//!
//! Published: Dean and Barroso, The Tail at Scale (2013). The other figures were found independently, by numeric
//! integration.

use crate::common::{exact, study};
use tail_lab::{scenario::SCENARIOS, study::Study, theory::leaf_tail};

const TREE: &str = "fan-out&fan_out=2000&typical_ms=1&spread=0.984\
                    &outlier=exponential&outlier_ms=27.2&outlier_rate=0.00023\
                    &request_delay_ms=6.61&request_delay_shape=2.04";
const KEYS: &str = "fan-out&fan_out=1000&typical_ms=0.188&spread=1.921&outlier_rate=0";

#[track_caller]
fn check(link: &str, name: &str, expected: f64, relative: f64) {
    let seen = exact(&study(link), name);
    let error = seen / expected - 1.0;
    assert!(
        error.abs() <= relative,
        "{link}: {name} is {seen}, not {expected} (off by {:.2} %)",
        100.0 * error
    );
}

#[test]
fn one_in_a_hundred() {
    check("fan-out", "over", 0.6340, 1e-4);
    check("fan-out&outlier_rate=0.0001&fan_out=2000", "over", 0.1813, 2e-4);
    check("fan-out&outlier_rate=0.001&fan_out=1000", "over", 0.6323, 1e-4);
}

#[test]
fn a_large_service_tree() {
    let rows = [
        ("", "leaf.p50", 1.0, 1.00),
        ("", "leaf.p95", 5.0, 5.05),
        ("", "leaf.p99", 10.0, 9.93),
        ("&wait_for=0.95", "request.p50", 12.0, 11.66),
        ("&wait_for=0.95", "request.p95", 32.0, 33.0),
        ("&wait_for=0.95", "request.p99", 70.0, 67.9),
        ("", "request.p50", 40.0, 39.4),
        ("", "request.p95", 87.0, 87.9),
        ("", "request.p99", 140.0, 135.7),
    ];
    for (changes, name, published, known) in rows {
        let link = format!("{TREE}{changes}");
        check(&link, name, published, 0.033);
        check(&link, name, known, 0.005);
    }
}

#[test]
fn independent_leaves_alone_do_not_give_the_table() {
    let link = format!("{TREE}&wait_for=0.95&request_delay_ms=0");
    for (name, known) in [("request.p50", 5.04), ("request.p95", 5.45), ("request.p99", 5.63)] {
        check(&link, name, known, 0.005);
    }
}

#[test]
fn reading_a_thousand_keys() {
    for (name, known) in [("request.p50", 87.7), ("request.p99", 680.0), ("request.p99.9", 1741.0)]
    {
        check(KEYS, name, known, 0.005);
    }
    let hedged = format!("{KEYS}&hedge=after&hedge_ms=10");
    for (name, known) in
        [("request.p50", 14.0), ("request.p99", 41.0), ("request.p99.9", 76.5), ("extra", 0.0193)]
    {
        check(&hedged, name, known, 0.005);
    }
}

#[test]
fn the_delay_of_a_hedge() {
    let rows = [
        (1, 0.193, 71.8),
        (2, 0.109, 72.3),
        (5, 0.044, 73.9),
        (20, 0.0076, 81.9),
        (50, 0.0018, 100.0),
    ];
    for (delay_ms, extra, late) in rows {
        let link = format!("{KEYS}&hedge=after&hedge_ms={delay_ms}");
        check(&link, "request.p99.9", late, 0.005);
        // These are known to two or three digits.
        check(&link, "extra", extra, 0.02);
    }
}

#[test]
fn slowness_that_replicas_share() {
    for (shared, late) in
        [("0", 76.5), ("0.001", 96.3), ("0.01", 240.0), ("0.1", 681.0), ("1", 1741.0)]
    {
        check(&format!("{KEYS}&hedge=after&shared_cause={shared}"), "request.p99.9", late, 0.005);
    }
}

#[test]
fn good_enough() {
    for (share, late) in [("1", 134.0), ("0.999", 84.0), ("0.99", 73.0), ("0.95", 68.0)] {
        // Known from simulation, to two or three digits.
        check(&format!("{TREE}&wait_for={share}"), "request.p99", late, 0.015);
    }
}

#[test]
fn canary() {
    for (name, without, with) in
        [("request.p50", 39.3, 41.0), ("request.p95", 88.1, 89.6), ("request.p99", 134.5, 136.2)]
    {
        check(TREE, name, without, 0.012);
        check(&format!("{TREE}&canary=1"), name, with, 0.012);
    }
}

#[test]
fn quorum_writes() {
    for (link, over) in [
        ("fan_out=3", 2.97e-2),
        ("fan_out=3&wait_for=0.6", 2.98e-4),
        ("fan_out=5&wait_for=0.6", 9.84e-6),
    ] {
        check(&format!("fan-out&{link}"), "over", over, 0.002);
    }
    for (link, late_ms) in [("fan_out=3&wait_for=0.6", 16.0), ("fan_out=5&wait_for=0.6", 15.0)] {
        check(&format!("fan-out&{link}"), "request.p99", late_ms, 0.035);
    }
    for link in ["fan-out&fan_out=3", "fan-out&fan_out=5"] {
        assert!(exact(&study(link), "request.p99") > 1_000.0);
    }
}

#[test]
fn ssd_garbage_collection() {
    let link = "fan-out&fan_out=20&typical_ms=0.1&spread=0.2&outlier_ms=10&outlier_rate=0.002";
    check(link, "request.p99", 10.0, 0.02);
    check(&format!("{link}&hedge=after&hedge_ms=0.3"), "request.p99", 0.4, 0.1);
    // One read in fifty is too many for one copy: both are hit often enough to be the p99.9.
    let often = format!("{link}&hedge=after&hedge_ms=0.3&outlier_rate=0.02");
    assert!(exact(&study(&often), "request.p99.9") > 9.0);
}

#[test]
fn what_each_leaf_must_hold() {
    assert!((1.0 - leaf_tail(0.01, 100, 100) - 0.999_899_50).abs() < 1e-8);
}

#[test]
fn every_published_figure_is_reported_beside_its_study() {
    for scenario in SCENARIOS {
        for preset in scenario.presets {
            for row in preset.rows {
                let study = Study::of_row(scenario, preset, row);
                let measures = study.measures(None, &study.exact());
                let measure = measures.iter().find(|it| it.name == row.measure);
                let measure = measure
                    .unwrap_or_else(|| panic!("{}: no measure {}", preset.name, row.measure));
                if row.published.is_some() {
                    assert_eq!(measure.published, row.published, "{}: {}", preset.name, row.label);
                }
            }
        }
    }
}
