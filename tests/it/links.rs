//! Links: short, kept for ever, and open whatever stands in them.

use expect_test::{Expect, expect};
use tail_lab::{
    scenario::SCENARIOS,
    sim::Rng,
    study::{Setup, Study},
};

use crate::common::drawn;

#[track_caller]
fn check(link: &str, expect: Expect) {
    let (study, problems) = Study::open(link);
    let lines = problems.iter().map(|it| format!("\n{} {}", it.key, it.text));
    expect.assert_eq(&format!("{}{}", study.link(), lines.collect::<String>()));
    assert_eq!(Study::open(&study.link()).0, study);
}

#[test]
fn defaults_are_left_out() {
    check("fan-out&fan_out=100&outlier_rate=0.02", expect!["fan-out&outlier_rate=0.02"]);
    check("#fan-out&fan_out=200&hedge=after", expect!["fan-out&fan_out=200&hedge=after"]);
    check("", expect!["fan-out"]);
    check("fan_out=7", expect!["fan-out&fan_out=7"]);
}

#[test]
fn values_are_read_as_people_write_them() {
    check(
        "fan-out&outlier_rate=1/1000&typical_ms=20us&deadline_ms=0.5s&wait_for=95%25&fan_out=1,500",
        expect![
            "fan-out&fan_out=1500&wait_for=0.95&typical_ms=0.02&outlier_rate=0.001&deadline_ms=500"
        ],
    );
    check(
        "fan-out&outlier_rate=1e-3&wait_for=95%",
        expect!["fan-out&wait_for=0.95&outlier_rate=0.001"],
    );
}

#[test]
fn what_cannot_be_used_is_named() {
    check(
        "fan-out&fan_out=1e99&spread=NaN&typical_ms=-1&hedge=later&<script>=1&seed=-1&spread=inf",
        expect![[r"
            fan-out&fan_out=10000&typical_ms=0.01
            fan_out=1e99 was brought to 10,000.
            spread=NaN is not a number such as 2.5: 0.3 is used.
            typical_ms=-1 was brought to 0.01 ms.
            hedge=later is not one of off, after, percentile: off is used.
            <script>=1 is not a setting of Fan-out.
            seed=-1 is not a whole number up to 2^53; the seed stays 1.
            spread=inf is not a number such as 2.5: 0.3 is used.
            spread is there more than once: 0.3 is used."]],
    );
}

#[test]
fn of_a_setting_that_is_there_twice_the_last_holds() {
    check(
        "fan-out&fan_out=10&seed=3&fan_out=20&seed=4&fan_out=30",
        expect![[r"
            fan-out&fan_out=30&seed=4
            seed is there more than once: 4 is used.
            fan_out is there more than once: 30 is used."]],
    );
    // What cannot be read takes nothing away.
    check(
        "fan_out=10&fan_out=many",
        expect![[r"
            fan-out&fan_out=10
            fan_out=many is not a number such as 100: 10 is used.
            fan_out is there more than once: 10 is used."]],
    );
    let (setup, problems) = Setup::open("fan-out&a.fan_out=2&a.fan_out=3&a=same");
    assert_eq!(setup.link(), "fan-out&a.fan_out=3");
    assert_eq!(problems.len(), 1, "{problems:?}");
}

#[test]
fn an_unknown_scenario_opens_the_first() {
    check(
        "nothing&fan_out=3",
        expect![[r"
        fan-out&fan_out=3
        nothing is no scenario; this is Fan-out."]],
    );
}

#[test]
fn ten_megabytes_open() {
    let link = format!("fan-out&fan_out=3&{}", "x=1&".repeat(2_500_000));
    let (study, problems) = Study::open(&link);
    assert_eq!(study.link(), "fan-out&fan_out=3");
    assert!(problems.len() <= 20);
    assert_eq!(problems[0].text, "is too long; its end was not read.");
}

#[test]
fn any_bytes_open() {
    let mut rng = Rng::stream(1, 0, 0);
    // Pieces that mean something, so that more than the first check is met.
    let pieces: Vec<&str> = SCENARIOS.iter().flat_map(|it| it.fields).map(|it| it.key).collect();
    let pieces = [
        &pieces[..],
        &["fan-out", "&", "=", "%", "%00", "1e", "-", ".", "9", "ms", "seed", "#", "1/", "é"],
    ]
    .concat();
    for _ in 0..100_000 {
        let mut bytes = Vec::new();
        for _ in 0..rng.below(24) {
            if rng.chance(0.3) {
                bytes.push(rng.bits() as u8);
            } else {
                bytes.extend(pieces[rng.below(pieces.len() as u32) as usize].as_bytes());
            }
        }
        let link = String::from_utf8_lossy(&bytes);
        let (study, _) = Study::open(&link);
        assert_eq!(Study::open(&study.link()), (study, Vec::new()), "{link:?}");
    }
}

#[test]
fn every_study_is_its_link() {
    for scenario in 0..SCENARIOS.len() {
        for seed in 0..500 {
            let study = drawn(scenario, seed, "1000");
            assert_eq!(Study::open(&study.link()), (study.clone(), Vec::new()), "{}", study.link());
        }
    }
}
