//! The disciplines against theory, and every operation against a plain list.

use std::collections::VecDeque;

use super::*;
use crate::{
    sim::{Agenda, Rng},
    theory::queue::{ErlangC, blocked, cobham_waits, sharing_mean},
};

/// An open queue: Poisson arrivals, and for each a class and a work in mean services.
struct Open {
    shape: Shape,
    rate: f64,
    job: fn(&mut Rng) -> (u32, f64),
}

#[derive(Clone, Copy, Default)]
struct Seen {
    jobs: f64,
    response: f64,
    work: f64,
}

const CLASSES: usize = 2;
const RUNS: u32 = 16;
const JOBS: u32 = 40_000;

#[derive(Clone, Copy)]
enum Event {
    Arrival,
    Wake(Ticket),
}

fn fifo(servers: u32) -> Shape {
    Shape { stations: 1, servers, capacity: u32::MAX, discipline: Discipline::Fifo }
}

fn disciplined(discipline: Discipline) -> Shape {
    Shape { discipline, ..fifo(1) }
}

fn exponential(rng: &mut Rng) -> (u32, f64) {
    (0, rng.exponential())
}

impl Open {
    /// What jobs of each class saw, and the share of jobs that were refused.
    fn run(&self, run: u32) -> ([Seen; CLASSES], f64) {
        let mut rng = Rng::stream(20, run, 0);
        let mut agenda = Agenda::default();
        let mut stations = Stations::new(self.shape);
        let mut seen = [Seen::default(); CLASSES];
        let (mut arrived, mut refused) = (0, 0);
        agenda.plan(Duration::default(), Event::Arrival);
        while let Some(event) = agenda.next() {
            let now = agenda.now();
            let wake = match event {
                Event::Arrival => {
                    if arrived == JOBS {
                        continue;
                    }
                    arrived += 1;
                    agenda.plan(Duration::from_ms(rng.exponential() / self.rate), Event::Arrival);
                    let (class, work) = (self.job)(&mut rng);
                    let work = Duration::from_ms(work);
                    match stations.arrive(now, 0, class, work, (class, now, work)) {
                        Arrival::Starts(_, wake) => Some(wake),
                        Arrival::Waits(_) => None,
                        Arrival::Refused => {
                            refused += 1;
                            None
                        }
                    }
                }
                Event::Wake(ticket) => {
                    let woken = stations.wake(now, ticket);
                    if let Some((class, since, work)) = woken.finished {
                        let it = &mut seen[class as usize];
                        it.jobs += 1.0;
                        it.response += now.since(since).as_ms();
                        it.work += work.as_ms();
                    }
                    woken.wake
                }
            };
            if let Some(wake) = wake {
                agenda.plan(wake.delay, Event::Wake(wake.ticket));
            }
        }
        assert_eq!(stations.jobs(), 0, "a job was left behind");
        let served: f64 = seen.iter().map(|it| it.work).sum();
        let ran = stations.take_usage(agenda.now()).running_ns as f64 / 1e6;
        assert!((ran - served).abs() < 1e-6 * served, "{ran} of running for {served} of work");
        (seen, f64::from(refused) / f64::from(JOBS))
    }

    #[track_caller]
    fn check(&self, what: &str, expected: f64, of: impl Fn(&([Seen; CLASSES], f64)) -> f64) {
        let runs: Vec<f64> = (0..RUNS).map(|it| of(&self.run(it))).collect();
        let n = f64::from(RUNS);
        let mean = runs.iter().sum::<f64>() / n;
        let squares: f64 = runs.iter().map(|it| (it - mean) * (it - mean)).sum();
        let error = (squares / (n * (n - 1.0))).sqrt();
        assert!((mean - expected).abs() < 4.0 * error, "{what}: {mean} ± {error}, not {expected}");
        // An error bar that says nothing would pass everything.
        assert!(error < 0.04 * expected, "{what}: {mean} ± {error}");
    }
}

fn response(class: usize) -> impl Fn(&([Seen; CLASSES], f64)) -> f64 {
    move |(seen, _)| seen[class].response / seen[class].jobs
}

#[test]
fn one_queue_for_several_servers() {
    for (servers, load) in [(1, 0.5), (2, 0.8), (10, 0.8)] {
        let open = Open { shape: fifo(servers), rate: load * f64::from(servers), job: exponential };
        let expected = ErlangC { servers, load }.mean();
        open.check(&format!("M/M/{servers}"), expected, response(0));
    }
}

#[test]
fn constant_services_wait_half_as_long() {
    let open = Open { shape: fifo(1), rate: 0.8, job: |_| (0, 1.0) };
    open.check("M/D/1", 1.0 + 2.0, response(0));
}

#[test]
fn priority_is_as_cobham_says() {
    let open = Open {
        shape: disciplined(Discipline::Priority { classes: 2 }),
        rate: 0.8,
        job: |rng| (u32::from(!rng.chance(0.375)), rng.exponential()),
    };
    let waits = cobham_waits(&[(0.3, 1.0, 2.0), (0.5, 1.0, 2.0)]);
    open.check("first class", 1.0 + waits[0], response(0));
    open.check("second class", 1.0 + waits[1], response(1));
}

/// One in ten jobs is ten times longer.
fn long_and_short(rng: &mut Rng) -> (u32, f64) {
    if rng.chance(0.1) { (1, 10.0) } else { (0, 1.0) }
}

#[test]
fn sharing_slows_every_job_alike() {
    let open =
        Open { shape: disciplined(Discipline::Sharing), rate: 0.6 / 1.9, job: long_and_short };
    open.check("short jobs", sharing_mean(1.0, 0.6), response(0));
    open.check("long jobs", sharing_mean(10.0, 0.6), response(1));
}

/// With exponential services it does not matter to the mean who runs, so long as as many servers do.
#[test]
fn sharing_of_two_servers_has_the_mean_of_their_queue() {
    let shape = Shape { discipline: Discipline::Sharing, ..fifo(2) };
    let open = Open { shape, rate: 1.4, job: exponential };
    open.check("two shared", ErlangC { servers: 2, load: 0.7 }.mean(), response(0));
}

#[test]
fn short_slices_are_like_sharing_and_long_ones_like_fifo() {
    let sliced = |slice_ms| Open {
        shape: disciplined(Discipline::Slice(Duration::from_ms(slice_ms))),
        rate: 0.6 / 1.9,
        job: long_and_short,
    };
    // A tenth of a short job.
    sliced(0.1).check("long jobs", sharing_mean(10.0, 0.6), response(1));
    let (long_slices, _) = sliced(1e3).run(0);
    let (fifo, _) = Open { shape: fifo(1), rate: 0.6 / 1.9, job: long_and_short }.run(0);
    assert_eq!(long_slices[0].response, fifo[0].response);
}

#[test]
fn a_full_station_refuses() {
    let shape = Shape { capacity: 10, ..fifo(1) };
    let open = Open { shape, rate: 0.8, job: exponential };
    open.check("M/M/1/10", blocked(10, 0.8), |(_, refused)| *refused);
}

/// Arrivals, cancellations, interruptions and wakes in any order, beside a list that does the same the slow way.
#[test]
fn cancellations_leave_the_others_in_order() {
    for seed in 0..500 {
        let mut rng = Rng::stream(seed, 0, 0);
        let mut stations = Stations::new(fifo(1));
        let mut waiting: VecDeque<(u32, Job)> = VecDeque::new();
        let mut running: Option<(u32, Job)> = None;
        let mut wakes: VecDeque<(Instant, Ticket, Option<u32>)> = VecDeque::new();
        let mut now = Instant::default();
        for tag in 0..300 {
            now = now + Duration::from_ns(1);
            match rng.below(5) {
                0 | 1 => match stations.arrive(now, 0, 0, Duration::from_ns(9), tag) {
                    Arrival::Starts(job, wake) => {
                        assert!(running.is_none() && waiting.is_empty());
                        running = Some((tag, job));
                        wakes.push_back((now + wake.delay, wake.ticket, Some(tag)));
                    }
                    Arrival::Waits(job) => waiting.push_back((tag, job)),
                    Arrival::Refused => panic!("there is room"),
                },
                2 if !waiting.is_empty() => {
                    let at = rng.below(waiting.len() as u32) as usize;
                    let (_, job) = waiting.remove(at).unwrap();
                    assert_eq!(stations.cancel(now, job), Cancelled::Removed);
                }
                3 if running.is_some() => {
                    let (_, job) = running.take().unwrap();
                    assert_eq!(stations.cancel(now, job), Cancelled::Running);
                    let (left, woken) = stations.stop(now, job);
                    let stopped = wakes.back_mut().unwrap();
                    assert_eq!(left, stopped.0.since(now));
                    stopped.2 = None;
                    start(woken, now, &mut waiting, &mut running, &mut wakes);
                }
                _ => {}
            }
            while let Some((_, ticket, tag)) = wakes.front().copied().filter(|it| it.0 <= now) {
                wakes.pop_front();
                let woken = stations.wake(now, ticket);
                assert_eq!(woken.finished, tag);
                if tag.is_some() {
                    running = None;
                    start(woken, now, &mut waiting, &mut running, &mut wakes);
                }
            }
            let jobs = waiting.len() + usize::from(running.is_some());
            assert_eq!(stations.length(0) as usize, jobs, "seed {seed}");
        }
    }

    fn start(
        woken: Woken<u32>,
        now: Instant,
        waiting: &mut VecDeque<(u32, Job)>,
        running: &mut Option<(u32, Job)>,
        wakes: &mut VecDeque<(Instant, Ticket, Option<u32>)>,
    ) {
        let next = waiting.pop_front();
        assert_eq!(woken.started, next.map(|it| it.0));
        if let Some(wake) = woken.wake {
            wakes.push_back((now + wake.delay, wake.ticket, woken.started));
        }
        *running = next;
    }
}

#[test]
fn a_job_that_shared_leaves_what_it_had_not_done() {
    let mut stations = Stations::new(disciplined(Discipline::Sharing));
    let at = |ms: f64| Instant::default() + Duration::from_ms(ms);
    let work = Duration::from_ms(10.0);
    let Arrival::Starts(first, _) = stations.arrive(at(0.0), 0, 0, work, 'a') else { panic!() };
    let Arrival::Starts(_, wake) = stations.arrive(at(4.0), 0, 0, work, 'b') else { panic!() };
    // Six left for the first at half the speed.
    assert_eq!(wake.delay, Duration::from_ms(12.0));
    let (left, woken) = stations.stop(at(8.0), first);
    assert_eq!(left, Duration::from_ms(4.0));
    // The second has eight left, and the server to itself.
    let next = woken.wake.unwrap();
    assert_eq!(next.delay, Duration::from_ms(8.0));
    // The ticket from before is out of date.
    assert_eq!(stations.wake(at(16.0 - 1.0), wake.ticket), Woken::NOTHING);
    assert_eq!(stations.wake(at(16.0), next.ticket).finished, Some('b'));
    assert_eq!(stations.jobs(), 0);
}
