//! One request, told: it adds up to its response time, it is at the percentile that was asked for, and it met what it
//! says.

use tail_lab::{
    report::{Replay, SpanKind},
    sim::Meter,
    study::Study,
};

use crate::common::study;

const SHARES: [f64; 4] = [0.5, 0.9, 0.99, 0.999];

#[track_caller]
fn whole(replay: &Replay, link: &str) {
    let stragglers = replay.lanes.iter().filter(|it| it.straggler).count();
    assert_eq!(stragglers, 1, "{link}");
    for lane in &replay.lanes {
        let attempt = &lane.attempts[0];
        let times = attempt.spans.iter().map(|it| it.until_ms);
        let all: Vec<f64> = [attempt.sent_ms].into_iter().chain(times).collect();
        assert!(all.windows(2).all(|it| it[0] < it[1]), "{link}: {attempt:?}");
        let ended = all[all.len() - 1];
        if lane.straggler {
            assert!((ended / replay.latency_ms - 1.0).abs() < 1e-12, "{link}: {ended} {replay:?}");
        } else {
            assert!(ended <= replay.latency_ms, "{link}: {ended}");
        }
        let sum: f64 = attempt.stretches().map(|it| it.1).sum();
        assert!((sum / ended - 1.0).abs() < 1e-9, "{link}: {sum} of {ended}");
    }
    assert!(!replay.met.is_empty(), "{link}");
    for (kind, name) in [(SpanKind::Held, &replay.held), (SpanKind::Slow, &replay.slow)] {
        let attempts = replay.lanes.iter().flat_map(|it| &it.attempts);
        let has = attempts.into_iter().any(|it| 0.0 < it.spent_ms(kind));
        assert!(!has || !name.is_empty(), "{link}: {kind:?} has no name");
    }
}

/// The study's own answers beyond the replay's are the share that was asked for, give or take what some thousand
/// requests leave open.
#[track_caller]
fn near_its_share(study: &Study, meter: &Meter, share: f64, replay: &Replay) {
    let histogram = &meter.latency(0).histogram;
    let total = histogram.total() as f64;
    // Where many answers take equally long, anything between will do.
    let [most, least] =
        [0.999, 1.001].map(|it| histogram.beyond_ms(it * replay.latency_ms) / total);
    let (low, high) = ((1.0 - share) / 4.0, (1.0 - share) * 4.0);
    assert!(low <= most && least <= high, "{}: {share} has {least} to {most} beyond", study.link());
}

const LINKS: [&str; 14] = [
    "bursts",
    "bursts&synchronised=on&burst_ms=2000",
    "bursts&pieces=10&fan_out=2000",
    "bursts&spread=0&fan_out=1",
    "classes",
    "classes&discipline=priority&heavy_share=0.05&device_queue=3",
    "classes&discipline=slice&slice_ms=0.2&cheap_ms=5",
    "classes&discipline=sharing",
    "probation&every_s=10&slow_s=2",
    "probation&every_s=10&slow_s=2&probation=on",
    "probation&slow_s=0",
    "partitions&hot_items=10",
    "partitions&hot_items=20&failure=on&load=0.4",
    "partitions&skew=0&zipf=0&rebalance=off",
];

#[test]
fn replays_are_whole_and_at_their_percentiles() {
    for link in LINKS {
        let study = study(link);
        let requests = if link.starts_with("probation") { "requests=400000" } else { "" };
        let meter = study.changed(requests).finish();
        for share in SHARES {
            let replay =
                study.replay(share).unwrap_or_else(|| panic!("{link} has none at {share}"));
            whole(&replay, link);
            assert_eq!(replay.percentile, share, "{link}");
            near_its_share(&study, &meter, share, &replay);
        }
    }
}

#[test]
fn the_same_request_each_time() {
    for link in LINKS {
        assert_eq!(study(link).replay(0.99), study(link).replay(0.99), "{link}");
        let other = study(&format!("{link}&seed=2")).replay(0.99);
        // Where answers do not spread, a typical one is like another.
        assert!(link.contains("spread=0") || study(link).replay(0.99) != other, "{link}");
    }
}

fn spent(replay: &Replay, kind: SpanKind) -> f64 {
    replay.lanes.iter().flat_map(|it| &it.attempts).map(|it| it.spent_ms(kind)).sum()
}

#[test]
fn bursts_are_met_by_as_many_calls_as_it_says() {
    let replay = study("bursts").replay(0.99).unwrap();
    let held = replay.lanes.iter().filter(|it| 0.0 < it.attempts[0].spent_ms(SpanKind::Held));
    assert!(
        replay.met.starts_with(&format!("{} of its 100 calls met a burst", held.count())),
        "{}",
        replay.met
    );
    assert!(90.0 < replay.latency_ms);
    let straggler = replay.lanes.iter().find(|it| it.straggler).unwrap();
    assert!(60.0 < straggler.attempts[0].spent_ms(SpanKind::Held), "{straggler:?}");
    // Without the burst it would have been an ordinary answer.
    let quiet = study("bursts&burst_ms=0").replay(0.99).unwrap();
    assert_eq!((quiet.met.as_str(), spent(&quiet, SpanKind::Held)), ("It met no burst.", 0.0));
    // All at once, all calls wait equally long.
    let together = study("bursts&synchronised=on").replay(0.999).unwrap();
    let waits: Vec<f64> =
        together.lanes.iter().map(|it| it.attempts[0].spent_ms(SpanKind::Held)).collect();
    assert!(60.0 < waits[0] && waits.iter().all(|it| *it == waits[0]), "{waits:?}");
}

/// All calls together have the law of one: no other check sees those of which the simulation draws only the slowest.
#[test]
fn quick_calls_have_the_law_of_answers() {
    let mut answers = Vec::new();
    for seed in 1..=60 {
        let replay = study(&format!("bursts&seed={seed}")).replay(0.5).unwrap();
        let calls = replay.lanes.iter().map(|it| it.attempts[0].spent_ms(SpanKind::Service));
        answers.extend(calls);
    }
    answers.sort_by(f64::total_cmp);
    // Each replay is a typical one, so that only its slowest call is not like all others.
    for (share, known) in [(0.1, 6.81), (0.5, 10.0), (0.9, 14.69)] {
        let seen = answers[(share * answers.len() as f64) as usize];
        assert!((seen / known - 1.0_f64).abs() < 0.03, "p{share} of {} is {seen}", answers.len());
    }
}

#[test]
fn a_short_request_waits_behind_long_ones() {
    let in_order = study("classes").replay(0.99).unwrap();
    assert!(100.0 < spent(&in_order, SpanKind::Held), "{in_order:?}");
    assert!((spent(&in_order, SpanKind::Service) - 1.0).abs() < 1e-6);
    assert!(in_order.met.contains("behind long ones"), "{}", in_order.met);
    // Going first it waits for the one at work at the most.
    let first = study("classes&discipline=priority").replay(0.999).unwrap();
    assert!((0.0..=100.0).contains(&spent(&first, SpanKind::Held)), "{first:?}");
    // All at once, nobody waits, but all are slow.
    let sharing = study("classes&discipline=sharing").replay(0.99).unwrap();
    assert_eq!(spent(&sharing, SpanKind::Held) + spent(&sharing, SpanKind::Waiting), 0.0);
    assert!(1.0 < spent(&sharing, SpanKind::Slow), "{sharing:?}");
    // In slices, its own work is what it was, up to what can be seen apart.
    let slices = study("classes&discipline=slice&slice_ms=0.2&cheap_ms=5").replay(0.9).unwrap();
    assert!((spent(&slices, SpanKind::Service) / 5.0 - 1.0).abs() < 0.1, "{slices:?}");
    assert_eq!(study("classes&load=1").replay(0.5), None);
}

#[test]
fn the_slow_machine_is_what_late_requests_met() {
    let late = study("probation").replay(0.99).unwrap();
    assert!(late.met.contains("the slow machine"), "{}", late.met);
    assert!(0.0 < spent(&late, SpanKind::Held), "{late:?}");
    let quick = study("probation&slow_s=0").replay(0.99).unwrap();
    assert_eq!(spent(&quick, SpanKind::Held) + spent(&quick, SpanKind::Slow), 0.0);
    assert!(quick.met.starts_with("It came to server "), "{}", quick.met);
    assert_eq!(study("probation&load=1.1").replay(0.5), None);
}

#[test]
fn where_a_machine_is_overloaded_the_slowest_that_ends_is_shown() {
    let replay = study("partitions").replay(0.999).unwrap();
    assert!(replay.met.contains("its queue grows for ever"), "{}", replay.met);
    assert!(0.5 < replay.percentile && replay.percentile < 0.999, "{}", replay.percentile);
    assert!(replay.latency_ms.is_finite());
    whole(&replay, "partitions");
    let typical = study("partitions").replay(0.5).unwrap();
    assert_eq!(typical.percentile, 0.5);
}

/// Given the sum, the service that is drawn has the mean that services have: with one machine's load everywhere.
#[test]
fn services_have_the_mean_that_is_set() {
    let link = "partitions&skew=0&zipf=0&items=2000&load=0.7&service_ms=5";
    let study = study(link);
    let shares = (0..400).map(|it| (f64::from(it) + 0.5) / 400.0);
    let services = shares.map(|it| spent(&study.replay(it).unwrap(), SpanKind::Service));
    let mean = services.sum::<f64>() / 400.0;
    // 400 services of standard deviation 5: 0.25 of error.
    assert!((mean - 5.0).abs() < 0.75, "{mean}");
}
