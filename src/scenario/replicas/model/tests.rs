//! What must be so whatever the settings: nothing is lost, nothing happens twice, and memory stays as it is.

use super::{Call, CopyState, Event, Model, OneQueue, ReplicasParams, Short};
use crate::{
    scenario::{
        RunSeed,
        replicas::{Policy, Routing},
    },
    schema::{Kind, Params as _},
    sim::{Outcome, Plan, Rng, Run, Running},
    study::Study,
};

/// Settings anywhere on the sliders.
fn drawn(seed: u64) -> ReplicasParams {
    let mut rng = Rng::stream(seed, 0, 7);
    let value = |kind: Kind| match kind {
        Kind::Choice(choices) => f64::from(rng.below(choices.len() as u32)),
        Kind::Toggle => f64::from(rng.below(2)),
        kind => kind.value_at(rng.unit()),
    };
    let values: Vec<f64> = ReplicasParams::FIELDS.iter().map(|it| it.kind).map(value).collect();
    ReplicasParams::from_values(&values)
}

fn start(params: &ReplicasParams, seed: u64) -> Run<Model> {
    let plan = Plan { requests: u64::MAX, sections: 1 };
    Model::start(params, &RunSeed { seed, replication: 0, plan }, ())
}

/// Lets no more come but what is planned already, and runs until nothing is there.
fn drain(run: &mut Run<Model>) {
    run.change(|it| {
        let streams = &mut it.streams;
        (streams.request_gap_ms, streams.other_gap_ms) = (f64::INFINITY, f64::INFINITY);
    });
    while left(run.model()) != 0 {
        assert_eq!(run.advance(1), Outcome::Paused);
    }
}

fn left(model: &Model) -> usize {
    model.calls.len() + model.requests.len() + model.stations.jobs()
}

#[test]
fn every_request_ends_once_and_no_work_is_lost() {
    let mut met = [0_u64; 4];
    for seed in 0..3_000 {
        let params = drawn(seed);
        let mut run = start(&params, seed);
        run.advance(2_000 + seed);
        drain(&mut run);
        let now = run.now();
        let tally = run.change(|it| it.tally(now));
        assert!(run.model().router.nobody_is_out(), "seed {seed}: the client waits for something");
        assert_eq!(tally.requests_sent, tally.requests_answered, "seed {seed}");
        assert_eq!(tally.calls_sent, tally.calls_answered, "seed {seed}");
        assert_eq!(tally.calls_sent, tally.requests_sent * u64::from(params.fan_out));
        let copies = tally.calls_sent + tally.copies_sent;
        assert_eq!(
            copies,
            tally.served + tally.cancelled + tally.interrupted,
            "seed {seed}: every copy is served, cancelled or interrupted: {tally:?}"
        );
        assert!(tally.copies_sent <= if params.copies() { tally.calls_sent } else { 0 });
        assert_eq!(
            tally.running_ns,
            tally.useful_ns + tally.wasted_ns + tally.others_ns,
            "seed {seed}: all work is useful, wasted or other people's: {tally:?}"
        );
        for (met, seen) in std::iter::zip(
            &mut met,
            [tally.requests_answered, tally.copies_sent, tally.cancelled, tally.interrupted],
        ) {
            *met += seen;
        }
    }
    assert!(met.iter().all(|it| 1_000 < *it), "too little was tried: {met:?}");
}

/// At any moment every copy is served, cancelled, interrupted, or somewhere.
#[test]
fn copies_under_way_are_counted_to_the_last() {
    for seed in 0..300 {
        let mut run = start(&drawn(seed), seed);
        for _ in 0..20 {
            run.advance(97);
            let now = run.now();
            let tally = run.change(|it| it.tally(now));
            let under_way = copies_under_way(run.model());
            let ended = tally.served + tally.cancelled + tally.interrupted;
            assert_eq!(tally.calls_sent + tally.copies_sent, ended + under_way, "seed {seed}");
        }
    }
}

/// Copies that were sent and have neither been served nor cancelled, found one by one; a call that is chosen and
/// not sent yet counts as one.
fn copies_under_way(model: &Model) -> u64 {
    let places = (0..model.calls.most() as u32).map(|it| &model.calls[it]);
    let calls = places.filter(|it| it.serial != Call::FORGOTTEN);
    let out = |state: CopyState, first: bool| match state {
        CopyState::Travelling | CopyState::Unwelcome | CopyState::AtServer(_) => 1,
        CopyState::Unsent | CopyState::Forestalled => u64::from(first),
        CopyState::Answering | CopyState::Gone => 0,
    };
    calls.map(|it| out(it.copies[0].state, true) + out(it.copies[1].state, false)).sum()
}

/// Settings under which calls are sent once, to servers that are chosen blindly.
fn drawn_blind(seed: u64) -> ReplicasParams {
    let drawn = drawn(seed);
    ReplicasParams {
        policy: Policy::Single,
        routing: [Routing::Random, Routing::RoundRobin][seed as usize % 2],
        wait_for: 1.0,
        warm_up: drawn.warm_up % 200,
        ..drawn
    }
}

#[test]
fn the_short_form_measures_the_same_to_the_last_digit() {
    let mut met = 0;
    for seed in 0..250 {
        let drawn = drawn_blind(seed);
        let params = ReplicasParams {
            load: drawn.load / 2.0,
            background: drawn.background / 2.0,
            fan_out: drawn.fan_out % 40 + 1,
            ..drawn
        };
        let run = RunSeed { seed, replication: 0, plan: Plan { requests: 300, sections: 4 } };
        let Some(mut short) = Short::start(&params, &run) else { continue };
        met += 1;
        let mut long = Model::start(&params, &run, ());
        assert!(whole(&mut short) == whole(&mut long), "seed {seed}: {params:?}");
    }
    assert!(150 < met, "too little was tried: {met}");
}

#[test]
fn one_queue_measures_the_same_to_the_last_digit() {
    let mut met = 0;
    for seed in 0..250 {
        let drawn = drawn_blind(seed);
        let params = ReplicasParams {
            load: drawn.load * 0.9,
            background: 0.0,
            servers: 1,
            fan_out: 1,
            hop_ms: 0.0,
            ..drawn
        };
        let run = RunSeed { seed, replication: 3, plan: Plan { requests: 300, sections: 7 } };
        let Some(mut one) = OneQueue::start(&params, &run) else { continue };
        met += 1;
        let mut long = Model::start(&params, &run, ());
        // How it is sliced, and what was taken before the end, make no difference.
        let [sliced, at_once] = [seed, u64::MAX].map(|first| {
            let run: &mut dyn Running = if first == seed { &mut one } else { &mut long };
            let mut meter = run.take_meter();
            run.advance(first);
            meter.merge(run.take_meter());
            assert_eq!(run.advance(u64::MAX), Outcome::Finished);
            meter.merge(run.take_meter());
            postcard::to_allocvec(&meter).expect("a meter has a form")
        });
        assert!(sliced == at_once, "seed {seed}: {params:?}");
    }
    assert!(150 < met, "too little was tried: {met}");
}

fn whole(run: &mut dyn Running) -> Vec<u8> {
    assert_eq!(run.advance(u64::MAX), Outcome::Finished);
    postcard::to_allocvec(&run.take_meter()).expect("a meter has a form")
}

/// The most places that were ever needed for anything.
fn footprint(run: &Run<Model>) -> usize {
    let model = run.model();
    let things = model.calls.most() + model.requests.most() + model.stations.most();
    things + model.timers.most() + run.planned_most()
}

/// Nothing grows with time once the queues have found their length.
#[test]
fn memory_stays_flat() {
    for changes in [
        "policy=tied",
        "policy=hedge&delay_ms=30&load=0.4",
        "policy=duplicate&cancel=interrupt&load=0.3&fan_out=5",
        "routing=board&load=0.5&outlier_rate=0.01",
        "routing=probe&probe_age_ms=20&load=0.4",
    ] {
        let study = Study::open(&format!("replicas&{changes}")).0;
        let mut run = start(&ReplicasParams::from_values(&study.values), 1);
        run.advance(300_000);
        let early = footprint(&run);
        run.advance(1_500_000);
        let late = footprint(&run);
        // The most that was ever there at once still rises now and then; what leaks rises with time.
        assert!(late <= 2 * early, "{changes}: {early} places, then {late}");
    }
}

#[test]
fn a_copy_is_as_small_as_it_should_be() {
    assert!(size_of::<Call>() <= 80);
    assert!(size_of::<Event>() <= 8);
    assert!(size_of::<CopyState>() <= 8);
}
