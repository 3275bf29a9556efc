//! A store under load: the figures that it must give, exact against simulated, and what holds whatever the settings.

use tail_lab::{report::SpanKind, scenario::SCENARIOS, sim::Evidence, study::Study};

use crate::{
    common::{drawn, exact, measured, near, study},
    simulated::finish_in_parallel,
    storage::check,
};

#[test]
fn published_means() {
    let study = study("kvs-load");
    near(exact(&study, "remote.sweep"), 16.79, 5e-4);
    near(exact(&study, "local.sweep"), 4.317, 5e-4);
    let value = measured(&study, &study.finish());
    for (name, published) in [("remote.sweep", 16.79), ("local.sweep", 4.32)] {
        let it = value(name);
        let half = 0.5 * (it.high.unwrap() - it.low.unwrap());
        assert_eq!(it.published, Some(published));
        assert!((it.simulated.unwrap() - published).abs() < 1.5 * half + 5e-3, "{it:?}");
    }
}

/// 800 (a + b P) / c, whatever the round trip.
#[test]
fn a_busy_store_hides_the_round_trip() {
    for pipeline in 1..=10 {
        let p = f64::from(pipeline);
        let link = format!("kvs-load&pipeline={pipeline}");
        near(exact(&study(&link), "remote.mean"), 0.8 * (12.0 + 1.635 * p), 1e-9);
        near(exact(&study(&link), "local.mean"), 0.2 * (8.0 + 2.47 * p), 1e-9);
        let shorter = study(&format!("{link}&rtt_us=20"));
        near(exact(&shorter, "remote.mean"), 0.8 * (12.0 + 1.635 * p), 1e-9);
    }
}

#[test]
fn one_connection_shows_the_hop() {
    let study = study("kvs-load&threads=1&connections=1&requests=100000");
    near(exact(&study, "remote.mean"), 0.213_635, 1e-9);
    near(exact(&study, "local.mean"), 0.030_47, 1e-9);
    let value = measured(&study, &study.finish());
    for (name, known) in [("remote.mean", 0.21), ("local.mean", 0.03)] {
        let it = value(name);
        assert!((it.simulated.unwrap() - known).abs() < 0.005, "{it:?}");
    }
}

/// Thirty settings drawn from the declaration.
fn thirty() -> Vec<Study> {
    let at = SCENARIOS.iter().position(|it| it.key == "kvs-load").unwrap();
    (1..=30).map(|seed| drawn(at, seed, "40000").changed("warm_up=20000")).collect()
}

#[test]
fn the_laws_are_those_of_the_simulation() {
    check(&finish_in_parallel(thirty()), 300);
}

#[test]
fn percentiles_are_those_of_the_simulation() {
    for changes in ["", "&connections=2&pipeline=5", "&rtt_us=10000&server_threads=3&rtt_jitter=0"]
    {
        let study = study(&format!("kvs-load&requests=200000{changes}"));
        let value = measured(&study, &study.finish());
        for store in ["remote", "local"] {
            for share in ["p50", "p90", "p99"] {
                let it = value(&format!("{store}.{share}"));
                let half = 0.5 * (it.high.unwrap() - it.low.unwrap());
                let error = (it.simulated.unwrap() - it.exact.unwrap()).abs();
                assert!(error < 2.2 * half + 1e-3 * it.exact.unwrap(), "{changes}: {it:?}");
            }
        }
    }
}

/// L = λ W: there are as many batches as there are connections.
#[test]
fn littles_law() {
    for (study, meter) in finish_in_parallel(thirty()[..10].to_vec()) {
        let clients = study.value("threads").unwrap() * study.value("connections").unwrap();
        let value = measured(&study, &meter);
        for store in ["remote", "local"] {
            let value = |name: &str| value(&format!("{store}.{name}"));
            let (rate, mean) = (value("rate"), value("mean"));
            let batches = rate.simulated.unwrap() / study.value("pipeline").unwrap();
            let inside = batches * mean.simulated.unwrap() / 1e3;
            let spread = |it: &tail_lab::report::Measure| {
                (it.high.unwrap() - it.low.unwrap()) / it.simulated.unwrap()
            };
            let edge = 16.0 * clients / study.requests() as f64;
            assert!(
                (inside / clients - 1.0).abs()
                    < 0.75 * (spread(&mean) + spread(&rate)) + edge + 1e-4,
                "{}: {store}: {inside} of {clients}",
                study.link()
            );
        }
    }
}

#[test]
fn both_stores_meet_the_same_luck() {
    let same = "kvs-load&requests=20000&local_threads=1&local_batch_us=12&local_command_us=1.635\
                &local_rtt_us=200";
    let study = study(same);
    let meter = study.finish();
    let mean = |latency| meter.mean_ms(latency, Evidence::Correlated).value;
    assert_eq!(mean(0), mean(1));
}

#[test]
fn four_threads_across_the_network_would_do() {
    let four = study("kvs-load&server_threads=4&pipeline=10");
    assert!(exact(&four, "remote.sweep") < 5.0);
    assert!(exact(&four, "remote.p99") < 10.0);
    let said = study("kvs-load");
    let known = said.exact();
    let measures = said.measures(None, &known);
    let seen = tail_lab::scenario::Seen { meter: None, measures: &measures, exact: &known };
    let sentence = said.sentence(&seen);
    let why: String = sentence.asides[0].pieces.iter().map(|it| it.text.as_str()).collect();
    assert!(why.contains("capacity explains it"), "{why}");
}

/// One batch goes there, waits, is served and comes back, and takes as long as its percentile says.
#[test]
fn one_batch_is_followed_there_and_back() {
    for changes in ["", "&pipeline=10", "&threads=1&connections=1", "&rtt_us=0"] {
        let study = study(&format!("kvs-load{changes}"));
        for share in [0.5, 0.99] {
            let replay = study.replay(share).unwrap();
            let law = study.exact();
            let known = law.quantile_ms("remote", share).unwrap();
            assert!((replay.latency_ms / known - 1.0).abs() < 0.1, "{changes}: {known} {replay:?}");
            let spans = &replay.lanes[0].attempts[0].spans;
            assert!(spans.is_sorted_by(|a, b| a.until_ms < b.until_ms), "{changes}: {replay:?}");
            assert_eq!(spans.last().unwrap().until_ms, replay.latency_ms);
            let kinds: Vec<SpanKind> = spans.iter().map(|it| it.kind).collect();
            use SpanKind::{Hop, Service, Waiting};
            let expected: &[SpanKind] = match changes {
                "&threads=1&connections=1" => &[Hop, Service, Hop],
                "&rtt_us=0" => &[Waiting, Service],
                _ => &[Hop, Waiting, Service, Hop],
            };
            assert_eq!(kinds, expected, "{changes}");
            assert_eq!(Some(replay), study.replay(share));
        }
    }
}

/// All connections begin at once: with more of them than the warm-up counts, a store would be measured half empty.
#[test]
fn many_connections_are_waited_for() {
    let study = study("kvs-load&threads=64&connections=200&requests=200000");
    let value = measured(&study, &study.finish());
    for name in ["remote.mean", "local.mean", "remote.rate", "local.rate", "remote.sweep"] {
        let it = value(name);
        let (seen, known) = (it.simulated.unwrap(), it.exact.unwrap());
        assert!((seen / known - 1.0).abs() < 0.02, "{it:?}");
    }
}
