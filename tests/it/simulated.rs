//! The simulation against the exact curves, for every preset and for settings drawn from the declaration; and
//! whether the error bars are as wide as they should be.

use crate::common::{drawn, exact, study};
use tail_lab::{
    scenario::{
        Exact, Gauge, RunSeed, SCENARIOS,
        fan_out::{Drawing, FanOutParams, Model},
    },
    schema::Params as _,
    sim::{Evidence, Meter, Outcome, Plan, Running as _},
    study::{SHARES, Study},
    theory::Law as _,
};

/// How many standard errors each count beyond an exact percentile is off.
pub(crate) fn scores(study: &Study, meter: &Meter) -> Vec<(String, f64)> {
    let exact = study.exact();
    let mut scores = Vec::new();
    for gauge in study.scenario.gauges {
        let Gauge::Latency { name, latency, .. } = gauge else { continue };
        let Some(law) = exact.law(name) else { continue };
        for (label, share) in SHARES {
            // A binomial count is near enough to normal from twenty on.
            if meter.recorded(*latency) as f64 * (1.0 - share) < 20.0 {
                continue;
            }
            let Some(ms) = law.quantile(share).filter(|it| 1e-3 < *it && *it < 1e9) else {
                continue;
            };
            scores.push((format!("{name}.{label}"), score(meter, *latency, ms, law.beyond(ms))));
        }
    }
    scores
}

fn score(meter: &Meter, latency: usize, ms: f64, share: f64) -> f64 {
    let total = meter.recorded(latency) as f64;
    let seen = meter.latency(latency).histogram.beyond_ms(ms);
    let spread = (total * share * (1.0 - share)).sqrt();
    // A law that jumps there has nothing beyond in theory, or all: then not one may be on the wrong side.
    if spread < 1e-9 {
        if seen == total * share { 0.0 } else { f64::INFINITY }
    } else {
        (seen - total * share) / spread
    }
}

/// How many standard errors a count of some among all is off.
pub(crate) fn score_of_share(meter: &Meter, over: usize, under: usize, share: f64) -> f64 {
    let total = meter.counted(under) as f64;
    (meter.counted(over) as f64 - total * share) / (total * share * (1.0 - share)).sqrt()
}

/// At most 3 in 100 outside the 99 % interval, none outside the 99.99 % one.
#[track_caller]
pub(crate) fn check(all: &[(String, String, f64)]) {
    let far: Vec<_> = all.iter().filter(|it| it.2.abs() > 3.891).collect();
    assert!(far.is_empty(), "outside the 99.99 % interval: {far:#?}");
    let outside: Vec<_> = all.iter().filter(|it| it.2.abs() > 2.576).collect();
    assert!(
        outside.len() * 100 <= 3 * all.len(),
        "{} of {}: {outside:#?}",
        outside.len(),
        all.len()
    );
}

pub(crate) fn finish_in_parallel(studies: Vec<Study>) -> Vec<(Study, Meter)> {
    let cut = studies.len().div_ceil(2);
    let halves: Vec<Vec<Study>> = studies.chunks(cut.max(1)).map(<[Study]>::to_vec).collect();
    std::thread::scope(|scope| {
        let run = |half: Vec<Study>| {
            move || half.into_iter().map(|it| (it.clone(), it.finish())).collect::<Vec<_>>()
        };
        let threads: Vec<_> = halves.into_iter().map(|half| scope.spawn(run(half))).collect();
        threads.into_iter().flat_map(|it| it.join().unwrap()).collect()
    })
}

#[test]
fn every_preset() {
    let mut studies = Vec::new();
    // Where requests share queues, counts are not binomial.
    for scenario in SCENARIOS.iter().filter(|it| it.evidence == Evidence::Independent) {
        for preset in scenario.presets {
            let rows = preset.rows.iter().map(|it| Study::of_row(scenario, preset, it));
            for study in rows.chain([Study::of_preset(scenario, preset)]) {
                let study = study.changed("requests=50000");
                if !studies.contains(&study) {
                    studies.push(study);
                }
            }
        }
    }
    let mut all = Vec::new();
    for (study, meter) in finish_in_parallel(studies) {
        all.extend(
            scores(&study, &meter).into_iter().map(|(name, score)| (study.link(), name, score)),
        );
    }
    assert!(all.len() > 200);
    check(&all);
}

/// Drawn settings, run for about as long whatever their fan-out.
fn drawn_short(seed: u64) -> Study {
    let study = drawn(0, seed, "1000");
    let leaves = study.value("fan_out").unwrap();
    study.changed(&format!("requests={}", (3e6 / leaves).clamp(2_000.0, 20_000.0).round()))
}

#[test]
fn forty_settings_drawn_from_the_declaration() {
    let mut all = Vec::new();
    let runs = finish_in_parallel((1..=40).map(drawn_short).collect());
    for (study, meter) in &runs {
        all.extend(
            scores(study, meter).into_iter().map(|(name, score)| (study.link(), name, score)),
        );
    }
    assert!(all.len() > 250);
    check(&all);
    for (study, meter) in &runs {
        shares_agree(study, meter);
    }
}

/// Extra copies, and requests past the deadline.
#[track_caller]
fn shares_agree(study: &Study, meter: &Meter) {
    let measures = study.measures(Some(meter), &study.exact());
    for name in ["extra", "over"] {
        let it = measures.iter().find(|it| it.name == name).unwrap();
        if study.known_up_to() < study.deadline_ms().unwrap() && name == "over" {
            assert_eq!((it.simulated, it.exact), (None, None), "{}", study.link());
            continue;
        }
        let (low, high, exact) = (it.low.unwrap(), it.high.unwrap(), it.exact.unwrap());
        // Twice the 95 % interval is more than the 99.99 % one. What was not seen once has no interval: it may still
        // happen as often as five times in so many requests.
        let margin = if low == high { 10.0 / study.requests() as f64 } else { high - low };
        assert!(
            low - margin / 2.0 <= exact + 1e-12 && exact <= high + margin / 2.0 + 1e-12,
            "{}: {it:?}",
            study.link()
        );
    }
}

/// The 95 % intervals of p50, p99 and p99.9 hold the exact value in 90 to 99 % of 200 runs.
#[track_caller]
fn coverage(link: &str) {
    let base = study(link);
    let names = ["request.p50", "request.p99", "request.p99.9"];
    let truths = names.map(|it| exact(&base, it));
    let mut held = [0; 3];
    let studies = (1..=200).map(|seed| base.changed(&format!("seed={seed}"))).collect();
    for (study, meter) in finish_in_parallel(studies) {
        let measures = study.measures(Some(&meter), &Exact::default());
        for (at, name) in names.iter().enumerate() {
            let it = measures.iter().find(|it| it.name == *name).unwrap();
            held[at] += u32::from(it.low.unwrap() <= truths[at] && truths[at] <= it.high.unwrap());
        }
    }
    for (name, held) in std::iter::zip(names, held) {
        assert!(180 <= held && held <= 198, "{link}: {name} was held in {held} of 200 runs");
    }
}

#[test]
fn intervals_hold_what_they_promise() {
    coverage("fan-out&requests=8000&fan_out=4&outlier=exponential&outlier_ms=100");
    coverage("fan-out&requests=8000&fan_out=500&hedge=after&hedge_ms=30");
}

/// Draws the same settings both ways.
#[track_caller]
fn both_ways(changes: &str, requests: u64) {
    let study = study(&format!("fan-out&{changes}"));
    let params = FanOutParams::from_values(&study.values);
    let draw = |drawing, seed| {
        let plan = Plan { requests, sections: 20 };
        let mut run = Model::start(&params, &RunSeed { seed, replication: 0, plan }, drawing);
        assert_eq!(run.advance(u64::MAX), Outcome::Finished);
        run.take_meter()
    };
    let (every, deciding) = (draw(Drawing::EveryLeaf, 1), draw(Drawing::Deciding, 2));
    for share in [0.1, 0.5, 0.9, 0.99] {
        let ms = every.latency(0).histogram.quantile_ms(share).unwrap();
        let total = requests as f64;
        let seen = [&every, &deciding].map(|it| it.latency(0).histogram.beyond_ms(ms) / total);
        let error = (2.0 * share * (1.0 - share) / total).sqrt();
        assert!(
            (seen[0] - seen[1]).abs() < 4.0 * error,
            "{changes}: beyond {ms} ms {seen:?} ± {error}"
        );
    }
    let extra = [&every, &deciding].map(|it| it.ratio(1, 0, 1.0, Evidence::Independent));
    let margin = 2.0 * (extra[0].high.unwrap() - extra[0].low.unwrap());
    assert!(
        (extra[0].value.unwrap() - extra[1].value.unwrap()).abs() <= margin + 1e-12,
        "{changes}: extra {extra:?}"
    );
}

#[test]
fn order_statistics_draw_what_every_leaf_would() {
    both_ways("fan_out=500", 20_000);
    both_ways("fan_out=500&wait_for=0.95&outlier=lomax&outlier_shape=1.5&outlier_ms=20", 20_000);
    both_ways(
        "fan_out=300&hedge=after&hedge_ms=15&hedge_copies=2&outlier=exponential&outlier_ms=100",
        20_000,
    );
    both_ways(
        "fan_out=300&wait_for=0.9&hedge=percentile&hedge_percentile=0.8&shared_cause=0.3&spread=1",
        20_000,
    );
    both_ways("fan_out=200&canary=2&outlier_rate=0.1&request_delay_ms=5", 20_000);
}
