//! Advice on hedges agrees with a sweep by brute force, and says so when there is none to give.

use std::sync::Arc;

use expect_test::expect_file;
use tail_lab::{
    format::reading,
    import::TimeUnit,
    report::{Measure, Quantity},
    sim::Meter,
    study::{
        Advice, Aim, Inquiry, Side, Study, advised_csv, advised_json, budget, differences,
        fan_out_within, share_of_calls,
    },
};

use crate::common::{exact, near, study};

/// Budget as it is typed, link, and what is said.
const ADVICE: &str = include_str!("../golden/advice.txt");

/// Asks until there is nothing left to try, by theory alone.
fn advice(study: &Study, budget: f64) -> Advice {
    asked(study, budget, Aim::P999).advice()
}

fn asked(study: &Study, budget: f64, aim: Aim) -> Inquiry {
    let known = |study: &Study| study.measures(None, &study.exact());
    let mut inquiry = Inquiry::new(study, budget, aim).unwrap();
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
    for (link, budget, aim) in [
        ("fan-out&fan_out=1000&outlier_rate=0.001", 0.05, Aim::P999),
        ("fan-out&fan_out=1000&outlier_rate=0.001", 0.3, Aim::P999),
        (
            "fan-out&fan_out=10&outlier_rate=0.001&outlier=exponential&outlier_ms=100",
            0.02,
            Aim::P999,
        ),
        ("fan-out", 0.05, Aim::P99),
        ("fan-out&deadline_ms=60", 0.05, Aim::Over),
    ] {
        let study = study(link);
        let (measure, _) = aim.of(&study).unwrap();
        let advised = asked(&study, budget, aim).advice();
        let Advice::Hedge(advised) = advised else { panic!("{link}: no hedge") };
        let delays = (0..500).map(|it| 5.0 * libm::pow(40.0, f64::from(it) / 499.0));
        let best = delays
            .map(|it| study.changed("hedge=after").with("hedge_ms", it))
            .filter(|it| exact(it, "extra") <= budget)
            .map(|it| exact(&it, &measure))
            .fold(f64::INFINITY, f64::min);
        assert!(advised.cost <= budget, "{link}: {}", advised.cost);
        let found = advised.gain.with;
        assert!(found <= 1.01 * best, "{link}: {found} against {best}");
        near(found, exact(&advised.study, &measure), 1e-12);
        near(advised.gain.without, exact(&study, &measure), 1e-12);
    }
}

/// Where theory does not know hedged calls, paired runs tell, queues and all.
#[test]
fn runs_advise_where_theory_does_not() {
    let study =
        study("replicas&load=0.2&background=0&requests=60000&outlier_rate=0.01&outlier_factor=20");
    let mut inquiry = Inquiry::new(&study, 0.1, Aim::P999).unwrap();
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
    assert!(advised.cost <= 0.1 && advised.gain.change.1 < 0.0, "{advised:?}");
    let off_ms = of_off.iter().find(|it| it.name == "request.p99.9").unwrap().simulated.unwrap();
    assert!(advised.gain.with < 0.8 * off_ms, "{advised:?} against {off_ms}");
}

#[test]
fn no_hedge_is_advised_where_none_helps_or_none_is_paid_for() {
    // No answer is ever slow, and a second copy of an answer that takes as long as any comes too late.
    let constant = study("fan-out&fan_out=100&outlier_rate=0&spread=0");
    assert!(matches!(advice(&constant, 0.1), Advice::DoNotHedge { .. }));
    // One copy in ten thousand calls cannot help a request of a hundred.
    let dear = study("fan-out&fan_out=100&outlier_rate=0.01");
    assert!(matches!(advice(&dear, 1e-6), Advice::DoNotHedge { nearest: None }));
    assert!(Inquiry::new(&study("bursts"), 0.1, Aim::P999).is_none());
}

/// The p99.9 of a fan-out of a hundred is of two slow answers, which copies hardly help; most requests have one.
#[test]
fn what_a_hedge_does_beside_the_late_percentile_is_said() {
    let study = study("fan-out");
    let inquiry = asked(&study, 0.05, Aim::P999);
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
    let rare = asked(&self::study("fan-out&fan_out=1000&outlier_rate=0.001"), 0.05, Aim::P999);
    assert!(!rare.told().contains("hardly"), "{}", rare.told());
}

/// A hedge brings down what it was asked for, and says what becomes of the rest.
#[test]
fn what_is_to_be_lowest_can_be_chosen() {
    let study = study("fan-out&deadline_ms=60");
    let delay = |aim| match asked(&study, 0.05, aim).advice() {
        Advice::Hedge(it) => it.delay_ms,
        other => panic!("{other:?}"),
    };
    assert!(delay(Aim::P99) != delay(Aim::P999), "each has a best delay of its own");
    let p99 = asked(&study, 0.05, Aim::P99).told();
    for words in [": the p99 is ", "The p50 ", "the p99.9 ", "the share over 60\u{202f}ms "] {
        assert!(p99.contains(words), "{p99}: no {words}");
    }
    let over = asked(&study, 0.05, Aim::Over).told();
    for words in [": the share over 60\u{202f}ms falls from ", "The p50 ", "the p99 ", "the p99.9 "]
    {
        assert!(over.contains(words), "{over}: no {words}");
    }
    // Nobody is late whatever is done: of all delays the one that costs least is named, and not advised.
    let idle =
        asked(&study.with("outlier_rate", 0.0).with("deadline_ms", 10_000.0), 0.05, Aim::Over);
    assert!(idle.told().starts_with("Do not hedge for the share over 10"), "{}", idle.told());
}

#[test]
fn programs_read_what_people_do() {
    let inquiry = asked(&study("fan-out"), 0.05, Aim::P99);
    let Advice::Hedge(advised) = inquiry.advice() else { panic!("{:?}", inquiry.advice()) };
    let json = advised_json(&inquiry, None, &[]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["advice"], "hedge");
    assert_eq!(json["lowest"], "p99");
    assert_eq!(json["text"], inquiry.told());
    assert_eq!(json["hedged"], advised.study.link());
    let trials = json["trials"].as_array().expect("trials");
    assert_eq!(trials.len(), inquiry.trials().len());
    let found = trials.iter().find(|it| it["link"] == advised.study.link()).expect("the trial");
    assert_eq!(found["extra_load"], advised.cost);
    assert_eq!(found["measures"][0]["name"], "request.p99");
    assert_eq!(found["measures"][0]["with"], advised.gain.with);
    let csv = advised_csv(&inquiry);
    let rows: Vec<Vec<&str>> = csv.lines().map(|it| it.split(',').collect()).collect();
    assert_eq!(rows.len(), 1 + 4 * inquiry.trials().len(), "p99, p50, p99.9 and the share");
    assert!(rows.iter().all(|it| it.len() == rows[0].len()));
    let nothing = asked(&study("replicas&load=0.9&background=0.5"), 0.05, Aim::P99);
    assert!(advised_json(&nothing, None, &[]).contains(r#""advice":"unknown""#));
}

/// Of so many answers, each a millisecond slower than the one before.
fn measured(answers: u32, link: &str) -> Study {
    let lines: Vec<String> = (1..=answers).map(|it| it.to_string()).collect();
    let imported = tail_lab::import::read(lines.join("\n").as_bytes()).expect("a file");
    let law = imported.series[0].in_unit(TimeUnit::Milliseconds).law().expect("a law");
    let study = Study::open_with(link, Some(Arc::new(law))).0;
    assert!(study.data.is_some());
    study
}

#[test]
fn what_can_be_asked_for_instead_is_said() {
    let study = measured(900, "fan-out&fan_out=3&deadline_ms=700");
    let told = asked(&study, 0.05, Aim::P999).told();
    for words in
        ["do not reach the p99.9", "The p99 or the share over 700\u{202f}ms can be asked for"]
    {
        assert!(told.contains(words), "{told}: no {words}");
    }
    for aim in [Aim::P99, Aim::Over] {
        assert!(!matches!(asked(&study, 0.05, aim).advice(), Advice::Unknown), "{aim:?}");
    }
    let far = asked(&study.with("deadline_ms", 9_000.0), 0.05, Aim::Over).told();
    for words in ["do not reach the deadline", "The p99 can be asked for instead."] {
        assert!(far.contains(words), "{far}: no {words}");
    }
}

#[test]
fn why_nothing_can_be_said_is_said() {
    // Of a hundred calls some are slower than anything in a file of five hundred.
    let measured = measured(500, "fan-out");
    let overloaded = study("replicas&load=0.9&background=0.5");
    for (study, words) in [(measured, "do not reach the p99.9"), (overloaded, "More work comes")] {
        let told = asked(&study, 0.05, Aim::P999).told();
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
        let budget_share = self::budget(budget).unwrap();
        let mut inquiry = Inquiry::new(&study, budget_share, Aim::P999).unwrap();
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
