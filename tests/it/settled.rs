//! Whether runs were warmed up for long enough is seen: it is said where they were not, and nothing is said in vain.

use tail_lab::{
    scenario::SCENARIOS,
    sim::Meter,
    study::{Settled, Study},
};

use crate::{
    common::{last_of_each, study},
    reduce::Session,
};

fn settled(link: &str) -> Option<Settled> {
    let study = study(link);
    study.settled(Some(&study.finish()))
}

/// Many servers, busy, that all begin empty.
const COLD: &str = "probation&slow_s=0&load=0.9&servers=50&requests=600000&warm_up=0";

/// What is saved says so, on the page as natively.
#[test]
fn what_is_saved_carries_what_is_wrong() {
    let link = "replicas&load=1.1&background=0&requests=20000&warm_up=100&servers=three";
    let mut session = Session::open(link);
    session.finish();
    let keys: Vec<String> = session.0.all_problems().into_iter().map(|it| it.key).collect();
    assert_eq!(keys, ["servers=three", "The run"]);
}

#[test]
fn too_short_a_warm_up_is_told() {
    for link in [
        COLD,
        "replicas&background=0&load=0.85&servers=200&warm_up=0",
        "storage&clients=200&requests=4000&warm_up=0",
    ] {
        let Some(Settled { verdict, text, raise, changes }) = settled(link) else {
            panic!("{link}: nothing is said")
        };
        assert_eq!(
            (verdict, raise),
            ("The warm-up was too short.", Some("Warm-up")),
            "{link}: {text}"
        );
        assert!(text.contains("Raise “Warm-up” under “Simulation”, now 0."), "{text}");
        let (_, problems) = Study::open(&last_of_each(&format!("{link}&{}", changes.unwrap())));
        assert_eq!(problems, [], "{link}");
    }
}

#[test]
fn what_cannot_be_seen_is_not_called_enough() {
    let queue = "replicas&background=0&service=exponential&servers=1&hop_ms=0&load=0.9";
    let seen = |changes: &str| settled(&format!("{queue}&{changes}")).expect("a verdict").verdict;
    assert!(seen("requests=1000&warm_up=0").ends_with("cannot be told from so few requests."));
    assert!(seen("requests=5000000").starts_with("The warm-up was long enough"));
}

#[test]
fn what_is_proposed_is_enough() {
    let changes = settled(COLD).unwrap().changes.unwrap();
    let long = study(COLD).changed(&changes).changed("warm_up=400000");
    let seen = long.settled(Some(&long.finish())).unwrap();
    assert_eq!(seen.raise, None, "{seen:?}");
}

/// Of the defaults, over a hundred seeds: one in a hundred would be fair.
#[test]
fn enough_of_a_warm_up_is_not_called_too_short() {
    let scenarios = SCENARIOS.iter().map(Study::new).filter(Study::warms_up);
    let keys: Vec<&str> = scenarios.map(|it| it.scenario.key).collect();
    assert_eq!(keys.len(), 6, "{keys:?}");
    for key in keys {
        let requests = if key == "pages" { "" } else { "&requests=20000" };
        let loud = |seed: &u32| {
            let seen = settled(&format!("{key}{requests}&seed={seed}"));
            seen.is_some_and(|it| it.raise.is_some())
        };
        let loud = (1..=100).filter(loud).count();
        assert!(loud <= 5, "{key}: {loud} of 100");
    }
}

/// Only of whole runs, and whatever came first.
#[test]
fn runs_are_waited_for_and_may_come_in_any_order() {
    let study = study(COLD);
    let parts: Vec<Meter> = (0..study.replications()).map(|it| study.finish_one(it)).collect();
    let (mut forth, mut back) = (study.empty_meter(), study.empty_meter());
    assert_eq!(study.settled(Some(&forth)), None);
    for (at, part) in parts.iter().enumerate() {
        forth.merge(part.clone());
        assert_eq!(study.settled(Some(&forth)).is_some(), at + 1 == parts.len());
    }
    parts.into_iter().rev().for_each(|it| back.merge(it));
    assert_eq!(study.settled(Some(&back)), study.settled(Some(&forth)));
}

#[test]
fn nothing_is_said_where_nothing_warms_up_or_queues_grow() {
    for link in ["fan-out&requests=2000", "bursts&requests=2000", "partitions&requests=2000"] {
        assert!(!study(link).warms_up());
        assert_eq!(settled(link), None, "{link}");
    }
    assert_eq!(settled("classes&load=1.1&requests=20000"), None);
}
