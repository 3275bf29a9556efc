//! Bursts of background work: known figures, exact against simulated, and what is told of them.

use tail_lab::special::normal_quantile_of_tail;

use crate::{
    common::{exact, near, study},
    simulated::{check, score_of_share, scores},
};

#[test]
fn how_many_requests_meet_a_burst() {
    near(exact(&study("bursts"), "hit"), 1.0 - libm::pow(0.99, 100.0), 1e-12);
    near(exact(&study("bursts"), "hit"), 0.634, 1e-3);
    near(exact(&study("bursts&synchronised=on"), "hit"), 0.01, 1e-12);
    // Pieces change how long one waits, not how often.
    near(exact(&study("bursts&pieces=10"), "hit"), 0.634, 1e-3);
    assert_eq!(exact(&study("bursts&burst_ms=0"), "hit"), 0.0);
    assert_eq!(exact(&study("bursts&burst_ms=10000&period_s=0.1"), "hit"), 1.0);
}

#[test]
fn known_percentiles() {
    // Value and how far off it was known.
    let rows = [
        // The far ones were simulated: the closed form gives 30.5 and 36.0.
        ("bursts&burst_ms=0", [(20.9, 0.1), (26.7, 0.1), (30.3, 0.3), (35.4, 0.6)]),
        ("bursts", [(40.0, 3.0), (105.0, 1.0), (111.0, 1.0), (117.0, 1.0)]),
        ("bursts&synchronised=on", [(21.0, 0.1), (27.2, 0.1), (35.0, 1.0), (112.0, 1.0)]),
    ];
    for (link, values) in rows {
        let study = study(link);
        for (share, (known, margin)) in std::iter::zip(["p50", "p95", "p99", "p99.9"], values) {
            let seen = exact(&study, &format!("request.{share}"));
            assert!((seen - known).abs() <= margin, "{link}: {share} is {seen}, not {known}");
        }
    }
}

#[test]
fn without_bursts_it_is_the_slowest_of_so_many() {
    for (share, name) in [(0.5, "request.p50"), (0.99, "request.p99"), (0.999, "request.p99.9")] {
        let tail = 1.0 - libm::pow(share, 0.01);
        let closed = 10.0 * libm::exp(0.3 * normal_quantile_of_tail(tail));
        near(exact(&study("bursts&burst_ms=0"), name), closed, 1e-6);
        near(exact(&study("bursts&burst_ms=0&synchronised=on"), name), closed, 1e-6);
    }
}

#[test]
fn the_simulation_agrees_over_seeds() {
    let mut all = Vec::new();
    for changes in
        ["", "&synchronised=on", "&burst_ms=3000&fan_out=7&pieces=20&spread=1", "&fan_out=2000"]
    {
        for seed in 1..=5 {
            let study = study(&format!("bursts&requests=20000&seed={seed}{changes}"));
            let meter = study.finish();
            let named = |(name, score)| (study.link(), name, score);
            all.extend(scores(&study, &meter).into_iter().map(named));
            let hit = score_of_share(&meter, 1, 0, exact(&study, "hit"));
            all.push((study.link(), "hit".to_owned(), hit));
        }
    }
    check(&all);
}

#[test]
fn the_mean_by_moment_follows_the_burst() {
    let study = study("bursts&requests=200000&synchronised=on&period_s=1");
    let meter = study.finish();
    let mean = |step: usize| {
        meter.counted(2 + 2 * step + 1) as f64 / meter.counted(2 + 2 * step) as f64 / 1e3
    };
    // Thirty steps over a burst and its length before and after: 10 ms each.
    let quiet = exact(&study, "request.mean") - 0.5 * 0.1 * 100.0;
    near(mean(3), quiet, 0.02);
    near(mean(10), quiet + 95.0, 0.02);
    near(mean(19), quiet + 5.0, 0.02);
    near(mean(25), quiet, 0.02);
}
