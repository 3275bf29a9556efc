//! Messages between machines: what is shown is what was simulated, and nothing comes from nowhere.

use std::collections::{BTreeMap, BTreeSet};

use expect_test::{ExpectFile, expect_file};
use tail_lab::{
    chart::{DARK, Frame, LIGHT, Mark, Palette, svg, traffic_at},
    report::{MachineState, Message, Node, NodeKind, Passing, Traffic},
    scenario::{
        RunSeed, SCENARIOS,
        kvs_sessions::{Happened, KvsSessionsParams, Model, Watch, What},
    },
    schema::Params,
    sim::{Instant, Outcome, Plan, Running},
    study::Study,
};

use crate::common::{drawn, study};

const WIDE: Frame = Frame { width: 1040.0, height: 430.0, narrow: false };
const PHONE: Frame = Frame { width: 358.0, height: 440.0, narrow: true };
const RANDOM: &str = "kvs-sessions&balancer=random";
const CRASH: &str = "kvs-sessions&failure=crash";
const HAND_OFF: &str = "kvs-sessions&failure=hand-off";
/// Settings that differ in what is on its way.
const LINKS: [&str; 12] = [
    "kvs-sessions",
    RANDOM,
    "kvs-sessions&topology=central",
    "kvs-sessions&topology=replica&balancer=random",
    "kvs-sessions&topology=sharded",
    CRASH,
    "kvs-sessions&topology=sharded&failure=crash",
    "kvs-sessions&topology=central&failure=crash",
    HAND_OFF,
    "kvs-sessions&topology=sharded&failure=hand-off",
    "kvs-sessions&replication=sync&failure=crash",
    "kvs-sessions&balancer=random&session_token=on",
];

#[track_caller]
fn traffic(link: &str) -> Traffic {
    study(link).traffic().unwrap_or_else(|| panic!("{link} has no traffic"))
}

fn ends<'a>(traffic: &'a Traffic, message: &Message) -> (&'a Node, &'a Node) {
    traffic.ends(message).expect("a message on a link that is not there")
}

/// Where something was from when to when.
struct Leg<'a> {
    from_ms: f64,
    until_ms: f64,
    from: &'a Node,
    to: &'a Node,
    lost: bool,
}

/// What every sender did, in order.
fn legs(traffic: &Traffic) -> BTreeMap<u32, Vec<Leg<'_>>> {
    let mut legs: BTreeMap<u32, Vec<Leg>> = BTreeMap::new();
    for it in &traffic.messages {
        let (from, to) = ends(traffic, it);
        let Message { from_ms, until_ms, lost, .. } = *it;
        let leg = Leg { from_ms, until_ms, from, to, lost };
        if let Some(sender) = it.sender {
            legs.entry(sender).or_default().push(leg);
        }
    }
    for it in &traffic.stays {
        let node = &traffic.nodes[it.node as usize];
        let (from_ms, until_ms) = (it.from_ms, it.until_ms);
        let leg = Leg { from_ms, until_ms, from: node, to: node, lost: false };
        if let Some(sender) = it.sender {
            legs.entry(sender).or_default().push(leg);
        }
    }
    for it in legs.values_mut() {
        it.sort_by(|a, b| a.from_ms.total_cmp(&b.from_ms));
    }
    legs
}

/// What must be true of any.
#[track_caller]
fn holds(traffic: &Traffic, link: &str) {
    assert!(traffic.messages.len() <= 6_000, "{link}: {} messages", traffic.messages.len());
    assert!(traffic.messages.is_sorted_by(|a, b| a.from_ms <= b.from_ms), "{link}");
    for it in &traffic.messages {
        assert!(it.from_ms < it.until_ms && 0.0 < it.until_ms, "{link}: {it:?}");
        assert!(it.from_ms <= traffic.length_ms, "{link}: {it:?}");
        assert!(usize::from(it.kind) < traffic.kinds.len(), "{link}");
        let (from, to) = ends(traffic, it);
        assert_ne!(from, to, "{link}");
        // Copies are nobody's, and go from store to store; requests never do.
        let stores = [from, to].iter().all(|it| it.kind == NodeKind::Store);
        assert_eq!(stores, it.sender.is_none(), "{link}: {it:?}");
    }
    for (sender, legs) in legs(traffic) {
        for pair in legs.windows(2) {
            let [one, next] = [&pair[0], &pair[1]];
            let (end, start) = (one.to, next.from);
            // A lost message may be missed, and a request sent again, before it would have come.
            if one.lost {
                continue;
            }
            assert!(
                one.until_ms <= next.from_ms + 1e-9,
                "{link}: user {sender} is at two places after {} ms",
                next.from_ms
            );
            let fails = !traffic.changes.is_empty();
            // Within a machine an answer takes no time.
            let near = end == start || end.machine().is_some() && end.machine() == start.machine();
            assert!(near || fails, "{link}: user {sender} jumps from {end:?} to {start:?}");
        }
    }
}

#[test]
fn requests_go_from_place_to_place() {
    for link in LINKS {
        let traffic = traffic(link);
        holds(&traffic, link);
        assert!(500 < traffic.messages.len(), "{link}: {}", traffic.messages.len());
        assert_eq!(traffic, study(link).traffic().unwrap(), "{link} twice");
    }
}

#[test]
fn any_settings_hold() {
    for (at, scenario) in SCENARIOS.iter().enumerate() {
        for seed in 0..40 {
            let study = drawn(at, seed, "1000");
            let Some(traffic) = study.traffic() else { break };
            holds(&traffic, &study.link());
            let only = study.footage().is_some() && study.film().is_none();
            assert!(only, "{} has two films", scenario.key);
        }
    }
}

/// The nodes that each sender's requests went to.
fn visited(traffic: &Traffic) -> BTreeMap<u32, BTreeSet<u32>> {
    let mut visited: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for it in &traffic.messages {
        let to = ends(traffic, it).1;
        if let (Some(sender), NodeKind::Application, Some(place)) = (it.sender, to.kind, to.place) {
            visited.entry(sender).or_default().insert(place);
        }
    }
    visited
}

#[test]
fn users_who_are_tied_are_always_at_one_node() {
    for topology in ["central", "replica", "sharded", "co-located"] {
        let visited = visited(&traffic(&format!("kvs-sessions&topology={topology}")));
        assert!(90 < visited.len());
        for (user, nodes) in visited {
            assert_eq!(nodes, BTreeSet::from([user % 4]), "{topology}: user {user}");
        }
    }
    let visited = visited(&traffic(RANDOM));
    assert!(visited.values().any(|it| 2 < it.len()), "anybody may be anywhere");
}

#[test]
fn a_node_that_fails_takes_no_more() {
    for link in LINKS.iter().filter(|it| it.contains("failure")) {
        let traffic = traffic(link);
        let out = |it: &MachineState| matches!(it, MachineState::Out | MachineState::Crashed);
        let change = traffic.changes.iter().find(|it| out(&it.state)).expect("a node fails");
        assert_eq!(change.machine, 3);
        assert!(change.at_ms < traffic.length_ms, "{link}");
        let to_it = |it: &&Message| ends(&traffic, it).1.machine() == Some(3);
        let before = traffic.messages.iter().filter(to_it).filter(|it| it.from_ms < change.at_ms);
        assert!(10 < before.count(), "{link}");
        let after = traffic.messages.iter().filter(to_it).find(|it| change.at_ms <= it.from_ms);
        assert_eq!(after, None, "{link}");
        // Work ends with the machine.
        let late = traffic.stays.iter().find(|it| {
            traffic.nodes[it.node as usize].machine() == Some(3) && change.at_ms < it.until_ms
        });
        assert_eq!(late, None, "{link}");
        let lost = traffic.messages.iter().filter(|it| it.lost);
        for it in lost {
            let crashed = change.state == MachineState::Crashed;
            assert!(crashed && it.from_ms < change.at_ms && change.at_ms < it.until_ms, "{link}");
        }
    }
}

/// While a node is handed over its users wait at the balancer, and nobody else does.
#[test]
fn users_of_a_node_that_closes_wait_at_the_balancer() {
    let traffic = traffic(HAND_OFF);
    let [closing, out] = [0, 1].map(|it| traffic.changes[it]);
    assert_eq!([closing.state, out.state], [MachineState::Closing, MachineState::Out]);
    let parked = traffic
        .stays
        .iter()
        .filter(|it| traffic.nodes[it.node as usize].kind == NodeKind::Balancer);
    let parked: Vec<_> = parked.collect();
    assert!(10 < parked.len(), "{} wait", parked.len());
    for it in parked {
        assert_eq!((it.sender.map(|it| it % 4), it.place), (Some(3), Some(3)));
        assert!(closing.at_ms <= it.from_ms && it.until_ms == out.at_ms, "{it:?}");
    }
}

/// Counts answers in a stretch of a run, and those that miss a write.
struct Counter {
    from_ms: f64,
    until_ms: f64,
    read: Vec<(u32, u32)>,
    answers: usize,
    wrong: usize,
}

impl Watch for Counter {
    fn saw(&mut self, now: Instant, it: &Happened) {
        match it.what {
            What::Read { value } => self.read[it.user as usize] = (it.number, value),
            What::Answered if self.from_ms < now.as_ms() && now.as_ms() <= self.until_ms => {
                let (number, value) = self.read[it.user as usize];
                self.answers += 1;
                self.wrong += usize::from(value != number);
            }
            _ => {}
        }
    }
}

#[test]
fn as_many_answers_come_as_somebody_else_counts() {
    for link in [RANDOM, CRASH, "kvs-sessions&topology=replica&balancer=random"] {
        let (study, traffic) = (study(link), traffic(link));
        let params = KvsSessionsParams::from_values(&study.values);
        let plan = Plan { requests: study.requests() / 8, sections: study.scenario.sections };
        let (from_ms, until_ms) = (traffic.from_ms, traffic.from_ms + traffic.length_ms + 1e-9);
        let counter = Counter { from_ms, until_ms, read: vec![(0, 0); 100], answers: 0, wrong: 0 };
        let seed = RunSeed { seed: study.seed, replication: 0, plan };
        let mut run = Model::start(&params, &seed, counter);
        for _ in 0..200 {
            assert_eq!(run.advance(1 << 10), Outcome::Paused);
        }
        let heard = run.model().watch();
        let kind = |name: &str| traffic.kinds.iter().position(|it| it.name == name).unwrap();
        let come = |name: &str| traffic.come(kind(name), traffic.length_ms);
        let wrong = come("answers that miss a write");
        assert_eq!((come("answers") + wrong, wrong), (heard.answers, heard.wrong), "{link}");
        assert!(390 < heard.answers, "{link}: {} answers", heard.answers);
        assert!(0 < wrong || link == CRASH, "{link}");
    }
}

/// One store for all is two messages away, there and back, for a write and for a read.
#[test]
fn each_topology_has_its_hops() {
    for (topology, hops) in [("central", 6.0), ("co-located", 4.0)] {
        let traffic = traffic(&format!("kvs-sessions&topology={topology}"));
        let sent = traffic.messages.iter().filter(|it| it.sender.is_some()).count() as f64;
        let answers = traffic.come(2, traffic.length_ms) as f64;
        assert!((sent / answers - hops).abs() < 0.1, "{topology}: {}", sent / answers);
    }
    let central = traffic("kvs-sessions&topology=central");
    assert_eq!(central.nodes.iter().filter(|it| it.kind == NodeKind::Store).count(), 1);
    assert!(central.messages.iter().all(|it| it.sender.is_some()), "there is nothing to copy");
}

#[test]
fn steps_go_from_event_to_event() {
    let traffic = traffic(CRASH);
    let (mut ms, mut steps, mut crashes) = (0.0, 0, 0);
    while let Some(next) = traffic.next_ms(ms) {
        assert!(ms < next);
        (ms, steps) = (next, steps + 1);
        crashes += usize::from(matches!(traffic.passing(ms), Some(Passing::Changed(_))));
    }
    assert!(ms <= traffic.length_ms && 1_000 < steps, "{steps} steps");
    assert_eq!(crashes, 1);
}

#[test]
fn what_is_under_way_is_drawn() {
    let traffic = traffic(RANDOM);
    let ms = 0.4 * traffic.length_ms;
    let scene = traffic_at(&traffic, ms, WIDE);
    let tails = scene.marks.iter().filter(|it| match it {
        Mark::Line { stroke, .. } => stroke.width == 2.0 && stroke.opacity < 0.5,
        _ => false,
    });
    assert_eq!(tails.count(), traffic.at(ms, 0.0).under_way.len());
    let crossed = |ms| {
        let scene = traffic_at(&traffic, ms, PHONE);
        scene.marks.iter().filter(|it| matches!(it, Mark::Cross { .. })).count()
    };
    let missed = traffic.messages.iter().find(|it| it.kind == 3 && 1.0 < it.from_ms).unwrap();
    assert!(1 < crossed(missed.from_ms), "the key has one, and the message another");
}

#[test]
fn moments_as_golden_pictures() {
    let check = |study: &Study, after_ms: f64, frame, palette: &Palette, expected: ExpectFile| {
        let traffic = study.traffic().unwrap();
        let change = traffic.changes.first().map_or(0.0, |it| it.at_ms);
        expected.assert_eq(&svg(&traffic_at(&traffic, change + after_ms, frame), palette));
    };
    let golden = |it: &str| format!("{}/tests/golden/traffic-{it}.svg", env!("CARGO_MANIFEST_DIR"));
    let golden = |it: &str| expect_file![golden(it)];
    check(&study("kvs-sessions"), 24.6, WIDE, &LIGHT, golden("tied"));
    check(&study(RANDOM), 24.6, PHONE, &LIGHT, golden("random-phone"));
    check(&study(CRASH), 0.1, WIDE, &DARK, golden("crash-dark"));
    check(&study(HAND_OFF), 12.0, WIDE, &LIGHT, golden("hand-off"));
    check(&study("kvs-sessions&topology=central"), 20.0, WIDE, &LIGHT, golden("central"));
    check(
        &study("kvs-sessions&topology=sharded"),
        20.0,
        PHONE,
        &DARK,
        golden("sharded-phone-dark"),
    );
    let replica = study("kvs-sessions&topology=replica&balancer=random&nodes=8");
    check(&replica, 20.0, WIDE, &LIGHT, golden("replica"));
}
