//! Sessions: the mean that is known exactly, and single requests followed over their ways.

use tail_lab::{report::SpanKind, scenario::SCENARIOS};

use crate::{
    common::{drawn, study},
    kvs_sessions::{check, measured, named},
};

/// The mean latency of a closed network, by mean value analysis (Reiser and Lavenberg, J. ACM 27, 1980): `clients`
/// think and travel for `delay_ms`, and visit each store so often. Stores are exponential, so it is exact.
fn mean_by_analysis(
    clients: u32,
    think_ms: f64,
    travel_ms: f64,
    visits: &[f64],
    store_ms: f64,
) -> f64 {
    let mut lengths = vec![0.0; visits.len()];
    let mut latency = 0.0;
    for clients in 1..=clients {
        let stays: Vec<f64> = std::iter::zip(visits, &lengths)
            .map(|(it, length)| it * store_ms * (1.0 + length))
            .collect();
        latency = travel_ms + stays.iter().sum::<f64>();
        let rate = f64::from(clients) / (think_ms + latency);
        lengths = stays.iter().map(|it| rate * it).collect();
    }
    latency
}

/// The exact mean that the page shows.
#[track_caller]
fn exact_mean(link: &str) -> Option<f64> {
    let study = study(link);
    named(&study.measures(None, &study.exact()), "request.mean").exact
}

#[test]
fn mean_latencies_by_mean_value_analysis() {
    let (hop, calls) = (0.25, 2.0 * 0.03);
    let rows: [(&str, f64, Vec<f64>); 5] = [
        ("&topology=central", 6.0, vec![2.0]),
        ("&topology=central&store_ms=0.05", 6.0, vec![2.0]),
        ("&topology=replica&balancer=random", 2.0 + 2.0 * 0.75, vec![1.25, 0.25, 0.25, 0.25]),
        ("&balancer=random", 2.0, vec![0.5; 4]),
        ("&balancer=random&store_ms=0.2", 2.0, vec![0.5; 4]),
    ];
    for (changes, hops, visits) in rows {
        let store_ms = study(&format!("kvs-sessions{changes}")).value("store_ms").unwrap();
        let mean = mean_by_analysis(100, 10.0, hops * hop + calls, &visits, store_ms);
        let known = exact_mean(&format!("kvs-sessions{changes}")).unwrap();
        assert!((known / mean - 1.0).abs() < 1e-12, "{changes}: {known} is not {mean}");
        check(changes, &[("request.mean", known, 2e-4 * known)]);
    }
    // Users who are tied share a store with those of their node only.
    let tied = mean_by_analysis(25, 10.0, 2.0 * hop + calls, &[2.0], 0.02);
    let known = exact_mean("kvs-sessions").unwrap();
    assert!((known / tied - 1.0).abs() < 1e-12, "{known} is not {tied}");
    check("", &[("request.mean", known, 2e-4 * known)]);
    // 28 of 100 users share the first shard, 24 each of the others; three quarters find theirs elsewhere.
    let travel = (2.0 + 4.0 * 0.75) * hop + calls;
    let shard = |users: u32| f64::from(users) * mean_by_analysis(users, 10.0, travel, &[2.0], 0.02);
    let sharded = (shard(28) + 3.0 * shard(24)) / 100.0;
    let known = exact_mean("kvs-sessions&topology=sharded&balancer=random").unwrap();
    assert!((known / sharded - 1.0).abs() < 1e-12, "{known} is not {sharded}");
    for changes in ["", "&balancer=random", "&store_ms=0.2", "&store_ms=0.2&balancer=random"] {
        let changes = format!("&topology=sharded{changes}");
        let known = exact_mean(&format!("kvs-sessions{changes}")).unwrap();
        check(&changes, &[("request.mean", known, 2e-4 * known)]);
    }
}

/// Wherever a mean is said to be exact, settings drawn from the declaration give it.
#[test]
fn exact_means_of_any_settings() {
    let at = SCENARIOS.iter().position(|it| it.key == "kvs-sessions").unwrap();
    let (mut known, mut far, mut outside) = (0, 0, Vec::new());
    for seed in 1..=120 {
        let study = drawn(at, seed, "200000").changed("failure=none&replication=async");
        let each = (20_000.0 / study.value("clients").unwrap()).clamp(10.0, 1_000.0).round();
        let study = study.changed(&format!("requests_each={each}"));
        let measures = study.measures(Some(&study.finish()), &study.exact());
        let it = named(&measures, "request.mean");
        let (Some(exact), Some(seen)) = (it.exact, it.simulated) else { continue };
        let (Some(low), Some(high)) = (it.low, it.high) else { continue };
        known += 1;
        let error = (seen - exact).abs() / (0.5 * (high - low));
        far += usize::from(1.0 < error);
        if 2.0 < error {
            outside.push(format!("{}: {it:?}", study.link()));
        }
    }
    assert!(40 < known, "{known}");
    assert!(far * 100 <= 12 * known, "{far} of {known}");
    assert!(outside.is_empty(), "{} of {known}: {outside:#?}", outside.len());
}

#[test]
fn means_that_are_not_known() {
    for changes in [
        "&failure=crash",
        "&replication=sync",
        "&balancer=random&session_token=on",
        "&topology=replica",
        "&store_ms=10&think_ms=0.1&requests_each=10",
    ] {
        assert_eq!(exact_mean(&format!("kvs-sessions{changes}")), None, "{changes}");
    }
    // Who is tied to the only copy that he writes never waits for another.
    assert_eq!(exact_mean("kvs-sessions&session_token=on"), exact_mean("kvs-sessions"));
}

/// One request of the simulation takes as long as its percentile, and its parts follow each other.
#[test]
fn one_request_is_followed_over_its_ways() {
    for (changes, hops) in [("", 4), ("&topology=central", 6), ("&topology=sharded", 6)] {
        let study = study(&format!("kvs-sessions{changes}"));
        let measures = measured(&format!("kvs-sessions&requests=100000{changes}"));
        for (share, name) in [(0.5, "request.p50"), (0.99, "request.p99")] {
            let replay = study.replay(share).unwrap();
            let usual = named(&measures, name).simulated.unwrap();
            assert!((replay.latency_ms / usual - 1.0).abs() < 0.1, "{changes}: {replay:?}");
            let names: Vec<_> = replay.lanes.iter().map(|it| it.name.as_deref()).collect();
            assert_eq!(names, [Some("the write"), Some("the read")]);
            let (mut until_ms, mut on_network) = (0.0, 0);
            for lane in &replay.lanes {
                let [attempt] = &lane.attempts[..] else { panic!("{lane:?}") };
                assert!((attempt.sent_ms - until_ms).abs() < 1e-6, "{changes}: {replay:?}");
                for span in &attempt.spans {
                    assert!(until_ms < span.until_ms, "{changes}: {replay:?}");
                    until_ms = span.until_ms;
                    on_network += usize::from(span.kind == SpanKind::Hop);
                }
                assert!(attempt.spans.iter().any(|it| it.kind == SpanKind::Service));
            }
            assert!((until_ms - replay.latency_ms).abs() < 1e-6, "{changes}: {replay:?}");
            assert!(on_network <= hops, "{changes}: {on_network} on the network");
        }
        assert_eq!(study.replay(0.99), study.replay(0.99));
    }
    // Who is parked while a node is handed over waits before anything else.
    let replay = study("kvs-sessions&failure=hand-off").replay(0.999).unwrap();
    assert!(5.0 < replay.latency_ms, "{} ms", replay.latency_ms);
    assert_eq!(replay.lanes[0].attempts[0].spans[0].kind, SpanKind::Waiting);
}
