//! What a run brings to its meter: answers, and what lies between them, by steps of the experiment.

use super::{PagesParams, counts};
use crate::sim::{Duration, Instant, Meter, Plan};

/// The measuring of one replication.
pub(super) struct Tally {
    plan: Plan,
    warm_up: u64,
    worst_of: u32,
    run_ns: u64,
    step_ns: u64,
    unlimited: Option<f64>,
    has_light: bool,
    best_limit: u32,
    part: Part,
    began: Instant,
    started: bool,
    step: usize,
    open: Levels<u128>,
    open_ns: u64,
    bin: Bin,
    climbing: bool,
    measurements: usize,
    batches: [Batch; 3],
    /// Answers of this experiment with the heavy page there, and those that were measured.
    here: u64,
    measured_here: u64,
    measured: u64,
}

/// Which experiment is watched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The same without a limit, for comparison over time.
    Other,
    /// The very first of the study, which is shown step by step.
    First,
    Further,
}

/// What holds between two events, or its integral.
#[derive(Clone, Copy, Default)]
pub(super) struct Levels<T> {
    pub limit: T,
    pub waiting: T,
    pub running: T,
    pub light: T,
}

/// A stretch of 10 ms, by its number from the start of the experiment.
#[derive(Clone, Copy, Default)]
struct Bin {
    number: u64,
    /// Whether the light page has answered in it.
    answered: bool,
}

#[derive(Clone, Copy, Default)]
struct Batch {
    answers: u32,
    worst_us: u64,
    best_us: u64,
}

/// Light answers are counted in stretches of this length.
const BIN_NS: u64 = 10_000_000;
const MILLION: f64 = 1e6;

impl Tally {
    pub(super) fn new(params: &PagesParams, plan: Plan) -> Tally {
        let run_ns = 1_000_000_000 * u64::from(params.run_s);
        let progress = params.progress();
        let alone = params.light_clients == 0 && params.think_s == 0.0;
        Tally {
            plan,
            warm_up: u64::from(params.warm_up),
            worst_of: params.worst_of,
            run_ns,
            // Whole stretches, since an experiment takes whole seconds.
            step_ns: run_ns / counts::STEPS as u64,
            unlimited: alone.then(|| progress.at(params.heavy_clients)),
            has_light: 0 < params.light_clients,
            best_limit: progress.best(params.most()),
            part: Part::Further,
            began: Instant::default(),
            started: false,
            step: 0,
            open: Levels::default(),
            open_ns: 0,
            bin: Bin::default(),
            climbing: false,
            measurements: 0,
            batches: [Batch::default(); 3],
            here: 0,
            measured_here: 0,
            measured: 0,
        }
    }

    pub(super) fn begin(&mut self, now: Instant, part: Part) {
        self.part = part;
        self.began = now;
        self.started = false;
        self.step = 0;
        self.bin = Bin::default();
        self.batches = [Batch::default(); 3];
        self.here = 0;
        self.measured_here = 0;
    }

    /// From step to step.
    pub(super) fn step_length(&self) -> Duration {
        Duration::from_ns(self.step_ns)
    }

    /// Whether further steps are to come.
    pub(super) fn steps_left(&self) -> bool {
        self.step < counts::STEPS
    }

    /// Whether all has been measured.
    pub(super) fn done(&self) -> bool {
        self.measured == self.plan.requests
    }

    /// Whether the experiment is over: when its time is, and it has brought more than was spent on its warm-up.
    pub(super) fn over(&self, now: Instant) -> bool {
        let late = self.run_ns <= now.since(self.began).as_ns();
        match self.part {
            Part::Other => late || self.plan.requests <= self.here,
            _ => late && self.warm_up.max(1) <= self.measured_here,
        }
    }

    #[inline]
    pub(super) fn pass(&mut self, ns: u64, levels: &Levels<u32>) {
        let add = |sum: &mut u128, level: u32| *sum += u128::from(ns) * u128::from(level);
        self.open_ns += ns;
        add(&mut self.open.limit, levels.limit);
        add(&mut self.open.waiting, levels.waiting);
        add(&mut self.open.running, levels.running);
        add(&mut self.open.light, levels.light);
    }

    /// The heavy page's clients come.
    pub(super) fn start(&mut self, now: Instant, limit: u32, adapts: bool, meter: &mut Meter) {
        self.pass_bins(now, meter);
        self.flush(limit, meter);
        self.started = true;
        self.climbing = adapts && self.part != Part::Other && limit != self.best_limit;
    }

    /// A step of the experiment is over.
    pub(super) fn tick(&mut self, now: Instant, limit: u32, meter: &mut Meter) {
        self.pass_bins(now, meter);
        self.flush(limit, meter);
        self.step += 1;
    }

    pub(super) fn end(&mut self, now: Instant, limit: u32, meter: &mut Meter) {
        self.pass_bins(now, meter);
        self.flush(limit, meter);
    }

    /// The limit has been another one until now.
    pub(super) fn moved(&mut self, from: u32, to: u32, meter: &mut Meter) {
        self.flush(from, meter);
        let (low, high) = (from.min(to), from.max(to));
        if self.climbing && low <= self.best_limit && self.best_limit <= high {
            self.climbing = false;
            meter.count(counts::CLIMBED, 1);
        }
    }

    /// A measurement of the controller.
    pub(super) fn measurement(&mut self, limit: u32, rate: f64, meter: &mut Meter) {
        if self.part == Part::First && self.measurements < counts::TRAIL {
            meter.count(counts::TRAIL_LIMIT + self.measurements, u64::from(limit));
            meter.count(counts::TRAIL_RATE + self.measurements, (MILLION * rate) as u64);
            self.measurements += 1;
        }
    }

    /// An answer of one of the latencies. `light`: of the light page.
    #[inline]
    pub(super) fn answer(
        &mut self,
        now: Instant,
        latency: usize,
        took: Duration,
        limit: u32,
        meter: &mut Meter,
    ) {
        let light = latency == super::LIGHT_LATENCY;
        if light {
            self.pass_bins(now, meter);
            self.bin.answered = true;
        }
        self.count_in_step(light, meter);
        if self.part == Part::Other {
            self.here += 1;
            return;
        }
        if !self.started {
            meter.count(counts::ALONE, 1);
            self.count_answer(limit, meter);
            return;
        }
        self.here += 1;
        if self.here <= self.warm_up {
            if self.here == self.warm_up {
                self.flush_as(false, limit, meter);
            }
            return;
        }
        meter.record(latency, took);
        meter.count(if light { counts::LIGHT } else { counts::HEAVY }, 1);
        if !light && self.unlimited.is_some() {
            meter.count(counts::HELD_AGAINST, 1);
        }
        self.batch(latency, took.as_ns() / 1_000, meter);
        self.measured_here += 1;
        self.count_answer(limit, meter);
    }

    fn count_answer(&mut self, limit: u32, meter: &mut Meter) {
        meter.count(counts::ANSWERS, 1);
        self.measured += 1;
        if self.measured == self.plan.section_end(meter.section_index()) {
            self.flush(limit, meter);
            meter.close_section();
        }
    }

    fn count_in_step(&self, light: bool, meter: &mut Meter) {
        if self.step < counts::STEPS {
            let first = match (self.part == Part::Other, light) {
                (true, true) => counts::OTHER_LIGHT,
                (true, false) => counts::OTHER_HEAVY,
                (false, true) => counts::STEP_LIGHT,
                (false, false) => counts::STEP_HEAVY,
            };
            meter.count(first + self.step, 1);
        }
    }

    fn batch(&mut self, latency: usize, us: u64, meter: &mut Meter) {
        let batch = &mut self.batches[latency];
        batch.worst_us = batch.worst_us.max(us);
        batch.best_us = if batch.answers == 0 { us } else { batch.best_us.min(us) };
        batch.answers += 1;
        if batch.answers == self.worst_of {
            meter.count(counts::BATCHES + latency, 1);
            meter.count(counts::WORST_US + latency, batch.worst_us);
            meter.count(counts::BEST_US + latency, batch.best_us);
            *batch = Batch::default();
        }
    }

    fn measuring(&self) -> bool {
        self.started && self.warm_up <= self.here
    }

    /// Closes the stretches of 10 ms that are over. All of them lie in one step, at whose end this is called.
    fn pass_bins(&mut self, now: Instant, meter: &mut Meter) {
        let until = now.since(self.began).as_ns() / BIN_NS;
        let closed = until - self.bin.number;
        if closed == 0 {
            return;
        }
        if self.has_light && self.measuring() && self.part != Part::Other {
            meter.count(counts::BINS, closed);
            meter.count(counts::EMPTY, closed - u64::from(self.bin.answered));
        }
        self.bin = Bin { number: until, answered: false };
    }

    fn flush(&mut self, limit: u32, meter: &mut Meter) {
        self.flush_as(self.measuring(), limit, meter);
    }

    /// Brings the time that has passed with one limit to the meter.
    fn flush_as(&mut self, measuring: bool, limit: u32, meter: &mut Meter) {
        let ns = std::mem::take(&mut self.open_ns);
        let sums = std::mem::take(&mut self.open);
        let us = ns / 1_000;
        let whole = |ns: u128| (ns / 1_000) as u64;
        let step = (self.step < counts::STEPS).then_some(self.step);
        if self.part == Part::Other {
            if let Some(step) = step {
                meter.count(counts::OTHER_US + step, us);
            }
            return;
        }
        if measuring {
            meter.count(counts::TIME_US, us);
            meter.count(counts::LIMIT_US, whole(sums.limit));
            let at = (limit as usize).min(counts::LIMITS) - 1;
            meter.count(counts::AT_LIMIT_US + at, us);
            if self.has_light {
                meter.count(counts::BESIDE_US, us);
            }
            if let Some(unlimited) = self.unlimited {
                meter.count(counts::UNLIMITED, (us as f64 * unlimited + 0.5) as u64);
            }
        } else if !self.started {
            meter.count(counts::ALONE_US, us);
        }
        if self.climbing {
            meter.count(counts::CLIMBING_US, us);
        }
        let Some(step) = step else { return };
        meter.count(counts::STEP_US + step, us);
        meter.count(counts::STEP_LIMIT_US + step, whole(sums.limit));
        meter.count(counts::STEP_WAITING_US + step, whole(sums.waiting));
        meter.count(counts::STEP_RUNNING_US + step, whole(sums.running));
        meter.count(counts::STEP_LIGHT_US + step, whole(sums.light));
        if self.part == Part::First {
            meter.count(counts::FIRST_US + step, us);
            meter.count(counts::FIRST_LIMIT_US + step, whole(sums.limit));
        }
    }
}
