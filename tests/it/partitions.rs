//! Partitions and hot items: known figures, what moving must keep, and the share of overloads.

use tail_lab::{
    scenario::{Seen, partitions::Machines},
    sim::Rng,
    study::{Study, text_table},
    ui::{strings, view},
};

use crate::{
    common::{estimate, exact, near, study},
    reduce::Session,
};

/// The simulated value of a measure, with its 95 % interval.
#[track_caller]
fn simulated(link: &str, name: &str) -> (f64, f64, f64) {
    let study = study(link);
    estimate(&study, &study.finish(), name)
}

/// Within three times the interval, which is more than 99.99 %, and what the known figure was rounded to.
#[track_caller]
fn check(link: &str, name: &str, known: f64, rounding: f64) {
    let (value, low, high) = simulated(link, name);
    let margin = 1.5 * (high - low) + rounding;
    assert!((value - known).abs() <= margin, "{link}: {name} is {value} ± {margin}, not {known}");
}

#[test]
fn steps_and_recovery() {
    for (partitions, step, recovery) in
        [(1, 1.0, 1.0), (5, 0.2, 0.2), (20, 0.05, 0.1), (100, 0.01, 0.06)]
    {
        let link = format!("partitions&partitions={partitions}&requests=1000");
        near(exact(&study(&link), "step"), step, 1e-12);
        near(exact(&study(&link), "recovery"), recovery, 1e-12);
        for changes in ["", "&failure=on"] {
            let link = format!("{link}{changes}");
            near(simulated(&link, "step").0, step, 1e-12);
            near(simulated(&link, "recovery").0, recovery, 1e-12);
        }
    }
}

#[test]
fn the_largest_load() {
    for (partitions, dealt, dealt_rounding, moved, moved_rounding) in [
        (1, 2.37, 0.005, 2.37, 0.005),
        (5, 1.53, 0.005, 1.06, 0.005),
        (20, 1.25, 0.005, 1.009, 0.0005),
        (100, 1.10, 0.005, 1.001, 0.0005),
    ] {
        let link = format!("partitions&items=1&partitions={partitions}&requests=50000");
        check(&link, "imbalance", dealt, dealt_rounding);
        check(&link, "imbalance.rebalanced", moved, moved_rounding);
    }
}

#[test]
fn equal_partitions_are_even() {
    let even = "partitions&skew=0&requests=1000";
    near(simulated(even, "imbalance").0, 1.0, 1e-5);
    // Twenty go to nineteen machines: one has two more than the others had.
    let failed = format!("{even}&failure=on");
    near(simulated(&failed, "imbalance").0, exact(&study(&failed), "imbalance"), 1e-5);
}

#[test]
fn hot_items_overload_a_machine_unless_copied() {
    let (share, low, high) = simulated("partitions", "overloaded.any");
    assert!(0.7 < low && high < 0.95, "{share} from {low} to {high}");
    let (share, _, high) = simulated("partitions&hot_items=10", "overloaded.any");
    assert!(share < 0.01 && high < 0.02, "{share}");
    check("partitions&hot_items=10&seed=2", "request.p99", 67.0, 0.5);
}

/// With one machine's worth of load on each of very many equal items and partitions, it is M/M/1.
#[test]
fn an_even_load_is_the_queue_of_one_machine() {
    let link = "partitions&skew=0&zipf=0&items=100000&machines=2&requests=100000";
    for (name, share) in [("request.p50", 0.5), ("request.p99", 0.01)] {
        check(link, name, -10.0 * libm::log(share), 0.01);
    }
}

/// Times of requests to overloaded machines grow for as long as one looks: a percentile among them, or whose interval
/// reaches them, has no value, and more requests would not give it one.
#[test]
fn a_percentile_among_overloaded_machines_has_no_value() {
    let study = study("partitions");
    let meter = study.finish();
    let (met, low, high) = estimate(&study, &meter, "overloaded.requests");
    assert!(low < 0.1 && 0.1 < high, "the p90 is no longer the one in doubt: {met}");
    let measures = study.measures(Some(&meter), &study.exact());
    let percentiles = measures.iter().filter(|it| it.name.starts_with("request.p"));
    let (known, endless): (Vec<_>, Vec<_>) = percentiles.partition(|it| !it.endless);
    assert_eq!(known.iter().map(|it| it.label.as_str()).collect::<Vec<_>>(), ["p50"]);
    assert!(known[0].low.is_some() && known[0].high.is_some());
    assert!(endless.iter().all(|it| it.simulated.is_none() && it.low.is_none()), "{endless:?}");
    assert!(text_table(&study, &measures).contains("no limit"));
    // Few requests are another reason.
    let few = self::study("partitions&hot_items=100&extra_copies=10&load=0.1&requests=1000");
    let measures = few.measures(Some(&few.finish()), &few.exact());
    let last = measures.iter().find(|it| it.name == "request.p99.99").unwrap();
    assert_eq!((last.simulated, last.endless), (None, false));
}

/// The page says why, and not that there are too few requests.
#[test]
fn the_readout_says_that_there_is_no_limit() {
    let mut session = Session::open("partitions&requests=20000");
    session.finish();
    let figures = view::readout(&session.0);
    let below = |name: &str| figures.iter().find(|it| it.name == name).unwrap().below.as_str();
    assert_eq!(below("p99"), strings::text("readout.unstable"));
    assert!(below("p50").starts_with('±'), "{}", below("p50"));
}

/// By default 9.9 % of requests, give or take .2 %, meet an overloaded machine: the p90 may have a value or not.
#[test]
fn that_a_percentile_is_too_near_to_what_has_no_limit_is_said() {
    for (link, near) in [
        ("partitions", Some(("p90", 0.1))),
        ("partitions&load=0.3", Some(("p99.9", 0.001))),
        ("partitions&load=0.6", None),
        ("partitions&load=0.9", None),
        ("partitions&hot_items=10", None),
    ] {
        let study = study(link);
        let (meter, exact) = (study.finish(), study.exact());
        let measures = study.measures(Some(&meter), &exact);
        let seen = Seen { meter: Some(&meter), measures: &measures, exact: &exact };
        let asides = study.sentence(&seen).asides;
        let told: String =
            asides.iter().flat_map(|it| &it.pieces).map(|it| it.text.as_str()).collect();
        let said = told.split_once("and the ").and_then(|it| it.1.split_once(" is too near"));
        assert_eq!(said.map(|it| it.0), near.map(|it| it.0), "{link}: {told}");
        let met = measures.iter().find(|it| it.name == "overloaded.requests").unwrap();
        let (low, high) = (met.low.unwrap(), met.high.unwrap());
        assert!(near.is_none_or(|(_, beyond)| low < beyond && beyond < high), "{met:?}");
    }
}

#[test]
fn too_much_for_all_has_no_percentiles() {
    let study = study("partitions&load=1.2&skew=0&zipf=0&items=100000&requests=2000");
    let measures = study.measures(Some(&study.finish()), &study.exact());
    let of = |name: &str| measures.iter().find(|it| it.name == name).unwrap();
    assert_eq!(of("overloaded").simulated, Some(1.0));
    assert_eq!(of("over").simulated, Some(1.0));
    for name in ["request.p50", "request.p99", "request.mean"] {
        assert_eq!(of(name).simulated, None, "{name}");
    }
}

#[test]
fn moving_keeps_the_load_and_never_makes_it_worse() {
    let mut rng = Rng::stream(5, 0, 0);
    for _ in 0..200 {
        let (machines, partitions, skew) = (2 + rng.below(30), 1 + rng.below(40), 2.0 * rng.unit());
        let mut load = |_| libm::exp(skew * rng.normal());
        let dealt = (0..machines).map(|_| (0..partitions).map(&mut load).collect()).collect();
        let mut machines = Machines::new(dealt);
        let (sum, before) = (machines.loads().iter().sum::<f64>(), machines.imbalance());
        assert!(machines.rebalance() < 20_000);
        near(machines.loads().iter().sum::<f64>(), sum, 1e-9);
        assert!(machines.imbalance() <= before + 1e-12);
        // It ends where nothing helps any more.
        assert_eq!(machines.rebalance(), 0);
    }
}

#[test]
fn whether_partitions_move_changes_nothing_else() {
    let (on, off) =
        (study("partitions&requests=5000"), study("partitions&requests=5000&rebalance=off"));
    let values = |it: &Study| {
        let measures = it.measures(Some(&it.finish()), &it.exact());
        ["imbalance", "imbalance.rebalanced"]
            .map(|name| measures.iter().find(|it| it.name == name).unwrap().simulated)
    };
    assert_eq!(values(&on), values(&off));
}

#[test]
fn a_machine_at_its_very_capacity_is_overloaded() {
    let link = "partitions&machines=2&partitions=1&failure=on&requests=20000";
    assert_eq!(simulated(link, "overloaded.any").0, 1.0);
}
