//! Sessions: known figures, and reads judged by a checker of their own.

use tail_lab::{
    chart::{Frame, Mark, layout},
    report::Measure,
    scenario::{
        RunSeed, SCENARIOS, Seen,
        kvs_sessions::{Happened, KvsSessionsParams, Model, Watch, What},
    },
    schema::Params,
    sim::{Instant, Meter, Outcome, Plan, Running},
    study::Study,
};

use crate::common::{drawn, study};

/// Judges every read from what happened, without a look at the model's own books.
#[derive(Clone, Default)]
struct Checker {
    users: Vec<Told>,
    /// What each store holds of each user, put together from writes and copies.
    stores: Vec<Vec<u32>>,
    /// Reads beyond these do not count.
    each: u32,
    reads: u64,
    violations: u64,
    stale: u64,
    answers: u64,
    crashed: Option<u32>,
    last: Instant,
    /// Time in which users were at something, and the time that there was, up to the first who was done.
    cycles: u64,
    window_ns: u64,
    began: Instant,
    all_at_it: bool,
    latencies_ns: u128,
    /// The first read that is wrong: user, number, value and place.
    first: Option<(u32, u32, u32, u32)>,
}

#[derive(Clone, Default)]
struct Told {
    sent: u32,
    sent_at: Instant,
    wrote: u32,
    most: u32,
    read: Option<u32>,
    /// Increments of it at each store that were made there, and copies of them by place.
    made: Vec<u32>,
    copies: Vec<Vec<u32>>,
}

impl Checker {
    fn new(params: &KvsSessionsParams) -> Checker {
        let stores = params.nodes as usize;
        let told = Told {
            made: vec![0; stores],
            copies: vec![vec![0; stores]; stores],
            ..Told::default()
        };
        Checker {
            users: vec![told; params.clients as usize],
            stores: vec![vec![0; params.clients as usize]; stores],
            each: params.requests_each,
            ..Checker::default()
        }
    }

    fn begin(&mut self, now: Instant) {
        for told in &mut self.users {
            let stores = told.made.len();
            *told = Told {
                made: vec![0; stores],
                copies: vec![vec![0; stores]; stores],
                ..Told::default()
            };
        }
        self.stores.iter_mut().for_each(|it| it.fill(0));
        (self.crashed, self.began, self.all_at_it) = (None, now, true);
    }

    fn answered(&mut self, now: Instant, user: usize, number: u32) {
        let told = &mut self.users[user];
        assert_eq!(told.sent, number);
        let value = told.read.take().expect("answered without a read");
        if self.all_at_it {
            self.cycles += 1;
        }
        if number <= self.each {
            self.answers += 1;
            self.reads += 1;
            // Requests are done one after another: what was sent is what should have been written.
            self.violations += u64::from(value != number);
            self.stale += u64::from(value < told.most);
            self.latencies_ns += u128::from(now.since(told.sent_at).as_ns());
        }
        told.most = told.most.max(value);
        if number == self.each && self.all_at_it {
            self.all_at_it = false;
            self.window_ns += now.since(self.began).as_ns();
        }
    }
}

impl Watch for Checker {
    fn saw(&mut self, now: Instant, it: &Happened) {
        assert!(self.last <= now, "time ran backwards");
        self.last = now;
        let (user, place) = (it.user as usize, it.place as usize);
        match it.what {
            What::Began => self.begin(now),
            What::Sent => {
                let told = &mut self.users[user];
                assert_eq!(told.sent + 1, it.number);
                assert_eq!(told.read, None, "two requests at once");
                (told.sent, told.sent_at) = (it.number, now);
            }
            What::Wrote => {
                assert_ne!(self.crashed, Some(it.place), "a write at a store that is gone");
                self.stores[place][user] += 1;
                self.users[user].wrote += 1;
                self.users[user].made[place] += 1;
            }
            What::Copied { from } => {
                assert_ne!(self.crashed, Some(it.place));
                let told = &mut self.users[user];
                told.copies[from as usize][place] += 1;
                assert!(
                    told.copies[from as usize][place] <= told.made[from as usize],
                    "copied more than was made"
                );
                self.stores[place][user] += 1;
            }
            What::Read { value } => {
                assert_ne!(self.crashed, Some(it.place), "a read at a store that is gone");
                assert_eq!(self.stores[place][user], value, "{it:?}");
                self.users[user].read = Some(value);
                let first = (it.user, it.number, value, it.place);
                self.first = self.first.or((value != it.number).then_some(first));
            }
            What::Moved { from } => self.stores[place][user] = self.stores[from as usize][user],
            What::Answered => self.answered(now, user, it.number),
            What::Crashed => self.crashed = Some(it.place),
        }
    }
}

/// Runs a replication with the checker watching, and holds the meter against it.
#[track_caller]
fn watched(study: &Study, replication: u32) -> (Meter, Checker) {
    let params = KvsSessionsParams::from_values(&study.values);
    let requests = study.requests() / u64::from(study.replications());
    let plan = Plan { requests, sections: study.scenario.sections };
    let run = RunSeed { seed: study.seed, replication, plan };
    let mut run = Model::start(&params, &run, Checker::new(&params));
    while run.advance(1 << 20) == Outcome::Paused {}
    let meter = run.take_meter();
    let checker = run.model().watch().clone();
    let counts = [READS, VIOLATIONS, STALE].map(|it| meter.counted(it));
    assert_eq!(counts, [checker.reads, checker.violations, checker.stale], "{}", study.link());
    assert_eq!(meter.recorded(0), checker.answers);
    assert_eq!(checker.answers, requests, "each request is answered once");
    (meter, checker)
}

/// The counts of the meter.
const READS: usize = 0;
const VIOLATIONS: usize = 1;
const STALE: usize = 2;

#[track_caller]
pub(crate) fn measured(link: &str) -> Vec<Measure> {
    let study = study(link);
    study.measures(Some(&study.finish()), &study.exact())
}

pub(crate) fn named<'a>(measures: &'a [Measure], name: &str) -> &'a Measure {
    measures.iter().find(|it| it.name == name).unwrap()
}

/// A known figure, with how far off it may be itself, lies within one and a half times the interval: 99.7 %.
#[track_caller]
pub(crate) fn check(changes: &str, known: &[(&str, f64, f64)]) {
    let link = format!("kvs-sessions&requests=400000{changes}");
    let measures = measured(&link);
    for (name, value, rounding) in known {
        let it = named(&measures, name);
        let (seen, low, high) = (it.simulated.unwrap(), it.low.unwrap(), it.high.unwrap());
        let margin = 0.75 * (high - low) + rounding;
        assert!((seen - value).abs() <= margin, "{link}: {name} is {seen} ± {margin}, not {value}");
    }
}

#[test]
fn latency_of_a_store_at_every_node() {
    for balancer in ["sticky", "random"] {
        check(
            &format!("&balancer={balancer}"),
            &[("request.p50", 0.58, 0.005), ("request.p99", 0.96, 0.005)],
        );
    }
}

#[test]
fn where_nothing_can_be_missed() {
    for changes in [
        "",
        "&topology=central",
        "&topology=central&balancer=random",
        "&topology=sharded",
        "&topology=sharded&balancer=random",
        "&failure=hand-off",
        "&topology=sharded&failure=hand-off",
        "&failure=crash&replication=sync",
    ] {
        let measures = measured(&format!("kvs-sessions&requests=200000{changes}"));
        for name in ["violations", "stale"] {
            let it = named(&measures, name);
            assert_eq!(
                (it.simulated, it.high, it.exact),
                (Some(0.0), Some(0.0), Some(0.0)),
                "{changes}"
            );
        }
    }
}

#[test]
fn writes_that_are_missed() {
    check("&topology=replica&balancer=random", &[("violations", 0.749, 0.002)]);
    // The known values, to two digits or with their own interval.
    check("&balancer=random", &[("violations", 0.723, 0.005)]);
    for (lag, share, rounding) in
        [("0.5", 0.0021, 0.0005), ("1", 0.031, 0.002), ("5", 0.27, 0.005), ("100", 0.97, 0.008)]
    {
        check(&format!("&balancer=random&lag_ms={lag}"), &[("violations", share, rounding)]);
    }
}

/// The share of reads that miss a write where any node serves any request, for lags so short that only the write
/// before can be missed: the nodes differ, and the flush comes later than the next read, by numeric integration. A
/// message of the request and the batch's hop are taken at their means.
fn missed_for_short_lags(lag_ms: f64) -> f64 {
    let (hop, think) = (0.25, 10.0);
    // From one write to the next request's read: answer and request, and three calls of the store.
    let fixed = 2.0 * hop + 3.0 * (0.03 + 0.0219);
    let period = 2.0 * (lag_ms - hop);
    let steps = 10_000;
    let late = (0..steps).map(|it| {
        let after = hop + period * (f64::from(it) + 0.5) / f64::from(steps) - fixed;
        -libm::expm1(-after.max(0.0) / think)
    });
    0.75 * late.sum::<f64>() / f64::from(steps)
}

#[test]
fn short_lags_by_integration() {
    // With messages that vary there are a few more.
    for (lag, few) in [("1", 1.03), ("2", 1.03)] {
        let near = missed_for_short_lags(lag.parse().unwrap());
        check(
            &format!("&balancer=random&lag_ms={lag}"),
            &[("violations", near, (few - 1.0) * near)],
        );
    }
}

#[test]
fn the_approximation_holds_from_five_milliseconds() {
    for lag_ms in [5.0, 10.0, 20.0, 50.0, 100.0] {
        let near = -libm::expm1(-0.75 * lag_ms / 10.55);
        check(&format!("&balancer=random&lag_ms={lag_ms}"), &[("violations", near, 0.05)]);
    }
}

/// The share of answers that are wrong after a crash: a quarter of the users, for half of their requests, if a write
/// was still unshipped: made since the last tick, of which the crash knows nothing.
fn wrong_after_a_crash(lag_ms: f64) -> f64 {
    let period = 2.0 * (lag_ms - 0.25);
    let steps = 10_000;
    let unshipped = (0..steps).map(|it| {
        let since = period * (f64::from(it) + 0.5) / f64::from(steps);
        // What the node is still at is sent again: a command and a call between processes, on average.
        -libm::expm1(-(since - 0.05 - 0.0219).max(0.0) / 10.6)
    });
    0.125 * unshipped.sum::<f64>() / f64::from(steps)
}

#[test]
fn a_crash() {
    for lag in ["1", "5", "20", "100"] {
        let share = wrong_after_a_crash(lag.parse().unwrap());
        check(&format!("&failure=crash&lag_ms={lag}"), &[("violations", share, 0.01 * share)]);
    }
    for (lag, known) in [("5", 0.037), ("20", 0.09)] {
        check(&format!("&failure=crash&lag_ms={lag}"), &[("violations", known, 0.001)]);
    }
    let [without, with] = ["off", "on"].map(|it| {
        let link = format!("kvs-sessions&failure=crash&session_token={it}");
        named(&measured(&link), "violations").simulated.unwrap()
    });
    assert!(
        (with / without - 1.0).abs() < 0.2,
        "a token does not bring lost writes back: {without} and {with}"
    );
}

#[test]
fn a_node_is_handed_over() {
    check("&failure=hand-off", &[("pause", 31.0, 0.5)]);
    // The last of three ticks that come at random within a period, a hop, and what the node was still at.
    check("&failure=hand-off&lag_ms=200", &[("pause", 0.75 * 399.5 + 0.6, 0.5)]);
}

#[test]
fn a_token_buys_own_reads_with_waiting() {
    let measures = measured("kvs-sessions&balancer=random&session_token=on&requests=200000");
    assert_eq!(named(&measures, "violations").simulated, Some(0.0));
    assert!(20.0 < named(&measures, "request.p99").simulated.unwrap());
    // A copy that takes longer than the token waits is missed all the same.
    let measures =
        measured("kvs-sessions&balancer=random&session_token=on&lag_ms=1000&requests=200000");
    assert!(0.0 < named(&measures, "violations").simulated.unwrap());
    assert!(named(&measures, "request.p99.9").simulated.unwrap() < 502.0);
}

#[test]
fn a_copy_before_the_answer_costs_a_round_trip() {
    let half = |changes: &str| {
        named(&measured(&format!("kvs-sessions{changes}")), "request.mean").simulated.unwrap()
    };
    let cost = half("&replication=sync") - half("");
    // Copies that overtake each other wait for their turn.
    assert!(0.5 <= cost + 1e-3 && cost < 0.52, "{cost}");
}

/// A study drawn from the declaration, small enough to be run.
fn drawn_small(seed: u64, changes: &str) -> Study {
    let at = SCENARIOS.iter().position(|it| it.key == "kvs-sessions").unwrap();
    let study = drawn(at, seed, "1000");
    let clients = study.value("clients").unwrap();
    let each = (20_000.0 / clients).clamp(10.0, study.value("requests_each").unwrap()).round();
    study.changed(&format!("requests_each={each}")).changed(changes)
}

#[test]
fn users_who_are_tied_to_a_node_always_read_their_own_writes() {
    for seed in 1..=60 {
        let study = drawn_small(seed, "topology=co-located&balancer=sticky&failure=none");
        let (_, checker) = watched(&study, 0);
        assert_eq!((checker.violations, checker.stale), (0, 0), "{}", study.link());
    }
}

#[test]
fn every_read_is_judged_alike_by_the_checker() {
    let (mut violations, mut stale, mut always) = (0, 0, 0);
    for seed in 1..=150 {
        let study = drawn_small(seed, "");
        let (_, checker) = watched(&study, u32::from(seed % 2 == 0));
        violations += checker.violations;
        stale += checker.stale;
        if KvsSessionsParams::from_values(&study.values).always_own() {
            assert_eq!((checker.violations, checker.stale), (0, 0), "{}", study.link());
            always += 1;
        }
    }
    assert!(0 < violations && 0 < stale && 40 < always, "{violations} {stale} {always}");
}

#[test]
fn as_many_users_as_there_are() {
    for changes in
        ["", "&topology=central", "&balancer=random&think_ms=1", "&topology=central&store_ms=0.2"]
    {
        let study = study(&format!("kvs-sessions{changes}"));
        let (_, checker) = watched(&study, 0);
        let latency_ms = checker.latencies_ns as f64 / checker.answers as f64 / 1e6;
        let rate = checker.cycles as f64 / (checker.window_ns as f64 / 1e6);
        let users = rate * (latency_ms + study.value("think_ms").unwrap());
        // Little's law, over the time in which all are at it; a thought is exponential.
        let margin = 3.0 / (checker.cycles as f64).sqrt() + 0.002;
        assert!((users / 100.0 - 1.0).abs() < margin, "{changes}: {users} users ± {margin}");
    }
}

#[test]
fn the_first_missed_write_is_told() {
    let study = study("kvs-sessions&balancer=random&requests=10000");
    let exact = study.exact();
    let meter = study.finish();
    let measures = study.measures(Some(&meter), &exact);
    let seen = Seen { meter: Some(&meter), measures: &measures, exact: &exact };
    let figures = study.figures(&seen);
    let it = figures.iter().find(|it| it.key == "first-missed-write").unwrap();
    // As the checker saw it.
    let (_, checker) = watched(&study, 0);
    let (user, number, value, node) = checker.first.unwrap();
    assert!(it.caption.starts_with(&format!("User {} wrote", user + 1)), "{}", it.caption);
    let read = format!("wrote {number} on node {} and read {value} there", node + 1);
    assert!(it.caption.contains(&read), "{}", it.caption);
    // Nodes are counted, and there is none between two.
    let frame = Frame { width: 1040.0, height: 430.0, narrow: false };
    let scene = layout(it, frame);
    let words = scene.marks.iter().chain(&scene.names).filter_map(|it| match it {
        Mark::Words(words) => Some(words.text.as_str()),
        _ => None,
    });
    let words: Vec<&str> = words.collect();
    assert!(words.contains(&"3") && !words.contains(&"3.5"), "{words:?}");
    // Where nothing is missed there is nothing to tell.
    let tied = Study::new(study.scenario).changed("requests=10000");
    let (exact, meter) = (tied.exact(), tied.finish());
    let seen = Seen { meter: Some(&meter), measures: &[], exact: &exact };
    assert!(tied.figures(&seen).iter().all(|it| it.key != "first-missed-write"));
}
