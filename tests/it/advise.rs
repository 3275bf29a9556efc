//! Advice on hedges agrees with a sweep by brute force, and says so when there is none to give.

use std::sync::Arc;

use expect_test::expect_file;
use tail_lab::{
    format::reading,
    import::TimeUnit,
    report::{Measure, Quantity},
    sim::Meter,
    study::{Advice, Inquiry, Side, Study, budget, differences, fan_out_within, share_of_calls},
};

use crate::common::{exact, near, study};

/// Budget as it is typed, link, and what is said.
const ADVICE: &str = include_str!("../golden/advice.txt");

/// Asks until there is nothing left to try, by theory alone.
fn advice(study: &Study, budget: f64) -> Advice {
    asked(study, budget).advice()
}

fn asked(study: &Study, budget: f64) -> Inquiry {
    let known = |study: &Study| study.measures(None, &study.exact());
    let mut inquiry = Inquiry::new(study, budget).unwrap();
    let off = inquiry.off.clone();
    let of_off = known(&off);
    let mut trials = inquiry.first(&of_off);
    while !trials.is_empty() {
        for it in trials {
            let of_it = known(&it);
            let side = |study, measures| Side { study, meter: None, measures };
            let found = differences(side(&off, &of_off), side(&it, &of_it));
            inquiry.learn(&it, &of_it, &of_off, &found);
        }
        trials = inquiry.further();
    }
    inquiry
}

/// Runs it to its end.
fn ran(study: &Study) -> (Meter, Vec<Measure>) {
    let meter = study.finish();
    let measures = study.measures(Some(&meter), &study.exact());
    (meter, measures)
}

#[test]
fn the_delay_is_as_good_as_the_best_of_five_hundred() {
    for (link, budget) in [
        ("fan-out&fan_out=1000&outlier_rate=0.001", 0.05),
        ("fan-out&fan_out=1000&outlier_rate=0.001", 0.3),
        ("fan-out&fan_out=10&outlier_rate=0.001&outlier=exponential&outlier_ms=100", 0.02),
    ] {
        let study = study(link);
        let Advice::Hedge(advised) = advice(&study, budget) else { panic!("{link}: no hedge") };
        let delays = (0..500).map(|it| 5.0 * libm::pow(40.0, f64::from(it) / 499.0));
        let best = delays
            .map(|it| study.changed("hedge=after").with("hedge_ms", it))
            .filter(|it| exact(it, "extra") <= budget)
            .map(|it| exact(&it, "request.p99.9"))
            .fold(f64::INFINITY, f64::min);
        assert!(advised.cost <= budget, "{link}: {}", advised.cost);
        assert!(advised.late_ms <= 1.01 * best, "{link}: {} against {best}", advised.late_ms);
        near(advised.late_ms, exact(&advised.study, "request.p99.9"), 1e-12);
    }
}

/// Where theory does not know hedged calls, paired runs tell, queues and all.
#[test]
fn runs_advise_where_theory_does_not() {
    let study =
        study("replicas&load=0.2&background=0&requests=60000&outlier_rate=0.01&outlier_factor=20");
    let mut inquiry = Inquiry::new(&study, 0.1).unwrap();
    assert!(!inquiry.says_theory());
    let off = inquiry.off.clone();
    let (meter, of_off) = ran(&off);
    for it in inquiry.first(&of_off) {
        let (trial, of_it) = ran(&it);
        let a = Side { study: &off, meter: Some(&meter), measures: &of_off };
        let b = Side { study: &it, meter: Some(&trial), measures: &of_it };
        inquiry.learn(&it, &of_it, &of_off, &differences(a, b));
    }
    let Advice::Hedge(advised) = inquiry.advice() else { panic!("{:?}", inquiry.advice()) };
    assert!(advised.cost <= 0.1 && advised.change_ms.1 < 0.0, "{advised:?}");
    let off_ms = of_off.iter().find(|it| it.name == "request.p99.9").unwrap().simulated.unwrap();
    assert!(advised.late_ms < 0.8 * off_ms, "{} against {off_ms}", advised.late_ms);
}

#[test]
fn no_hedge_is_advised_where_none_helps_or_none_is_paid_for() {
    // No answer is ever slow, and a second copy of an answer that takes as long as any comes too late.
    let constant = study("fan-out&fan_out=100&outlier_rate=0&spread=0");
    assert!(matches!(advice(&constant, 0.1), Advice::DoNotHedge { .. }));
    // One copy in ten thousand calls cannot help a request of a hundred.
    let dear = study("fan-out&fan_out=100&outlier_rate=0.01");
    assert!(matches!(advice(&dear, 1e-6), Advice::DoNotHedge { nearest: None }));
    assert!(Inquiry::new(&study("bursts"), 0.1).is_none());
}

/// The p99.9 of a fan-out of a hundred is of two slow answers, which copies hardly help; most requests have one.
#[test]
fn what_a_hedge_does_beside_the_late_percentile_is_said() {
    let study = study("fan-out");
    let inquiry = asked(&study, 0.05);
    let Advice::Hedge(advised) = inquiry.advice() else { panic!("{:?}", inquiry.advice()) };
    let names = ["request.p50", "request.p99", "over"];
    for (gain, name) in std::iter::zip(&advised.beside, names) {
        near(gain.without, exact(&study, name), 1e-12);
        near(gain.with, exact(&advised.study, name), 1e-12);
    }
    assert_eq!(advised.beside.len(), names.len());
    let told = inquiry.told();
    let ms = |study: &Study| {
        let p99 = Some(exact(study, "request.p99"));
        reading(Quantity::Latency, p99, None, None).value.to_string()
    };
    let fall = format!("the p99 falls from {} to {}", ms(&study), ms(&advised.study));
    for words in ["The p99.9 hardly moves", fall.as_str(), "the share over 1\u{202f}s falls from"] {
        assert!(told.contains(words), "{told}: no {words}");
    }
    // Where the late percentile itself moves, nobody need be told that others do too.
    let rare = asked(&self::study("fan-out&fan_out=1000&outlier_rate=0.001"), 0.05);
    assert!(!rare.told().contains("hardly"), "{}", rare.told());
}

#[test]
fn why_nothing_can_be_said_is_said() {
    // Of a hundred calls some are slower than anything in a file of five hundred.
    let lines: Vec<String> = (1..=500).map(|it| it.to_string()).collect();
    let imported = tail_lab::import::read(lines.join("\n").as_bytes()).expect("a file");
    let law = imported.series[0].in_unit(TimeUnit::Milliseconds).law().expect("a law");
    let measured = Study::open_with("fan-out", Some(Arc::new(law))).0;
    assert!(measured.data.is_some());
    let overloaded = study("replicas&load=0.9&background=0.5");
    for (study, words) in [(measured, "do not reach the p99.9"), (overloaded, "More work comes")] {
        let told = asked(&study, 0.05).told();
        assert!(told.starts_with("Nothing can be said. ") && told.contains(words), "{told}");
    }
}

#[test]
fn a_deadline_asks_so_much_of_calls() {
    near(share_of_calls(0.99, 100), 0.999_899_5, 1e-7);
    assert_eq!(share_of_calls(0.99, 1), 0.99);
    // One answer in ten thousand takes over a second: 1 - .9999^n = .01 at n = 100.5.
    let study = study("fan-out&outlier_rate=0.0001&deadline_ms=1000&spread=0&typical_ms=1");
    assert_eq!(fan_out_within(&study, 0.99), Some(100));
    // Not even one call is in time.
    assert_eq!(fan_out_within(&study.with("outlier_rate", 0.5), 0.99), None);
}

/// What is said of replicas, whose hedges only runs know, word for word; the page says the same.
#[test]
fn advice_on_replicas_is_kept_word_for_word() {
    let told = ADVICE.lines().map(|line| {
        let [budget, link, _] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}: no budget, link and sentence")
        };
        let study = study(link);
        let mut inquiry = Inquiry::new(&study, self::budget(budget).unwrap()).unwrap();
        assert!(!inquiry.says_theory());
        let off = inquiry.off.clone();
        let (meter, of_off) = ran(&off);
        let mut trials = inquiry.first(&of_off);
        while !trials.is_empty() {
            for it in trials {
                let (trial, of_it) = ran(&it);
                let a = Side { study: &off, meter: Some(&meter), measures: &of_off };
                let b = Side { study: &it, meter: Some(&trial), measures: &of_it };
                inquiry.learn(&it, &of_it, &of_off, &differences(a, b));
            }
            trials = inquiry.further();
        }
        format!("{budget}\t{link}\t{}\n", inquiry.told())
    });
    expect_file!["../golden/advice.txt"].assert_eq(&told.collect::<String>());
}
