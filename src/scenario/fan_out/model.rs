//! Draws requests one by one: every leaf of each, or, where there are too many, only those that decide.

use std::sync::Arc;

use super::{CALLS, COPIES, FanOut, FanOutParams, LEAF_LATENCY, Outlier, REQUEST_LATENCY, truth};
use crate::{
    scenario::{RunSeed, Scenario, latencies},
    sim::{Dist, Draw, Draws, Duration, Gamma, Meter, Rng},
    special::normal_quantile,
    theory::{Hedged, Inverse, Law, LogNormal, Ordinary, Table},
};

/// How the leaves of a request are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// Each on its own. Nothing exact goes in.
    EveryLeaf,
    /// The answer that the request waits for is drawn as an order statistic, and of the leaves only those that
    /// are still out when a copy is due. The leaf's exact tail goes in.
    Deciding,
}

/// Sees the calls of a request as they are drawn. Watching nothing costs nothing.
pub(super) trait Watch {
    /// Whether it wants to see all calls that are drawn, or the first alone will do.
    const EVERY_CALL: bool = false;

    /// A leaf would answer after `first_ms`.
    fn call(&mut self, _first_ms: f64) {}
    /// A copy of the latest call is sent at `due_ms` and would answer at `answer_ms`, which is of no use if its
    /// replica is slow for the same reason.
    fn copy(&mut self, _due_ms: f64, _answer_ms: f64, _in_vain: bool) {}
}

/// How long the parts of a request took, one after another, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Answer {
    pub canaries: f64,
    pub others: f64,
    pub delay: f64,
}

impl Answer {
    pub(super) fn total_ms(&self) -> f64 {
        self.canaries + self.others + self.delay
    }
}

/// One replication.
#[derive(Clone)]
pub struct Model {
    needed: u32,
    canaries: u32,
    others: u32,
    hedged: Hedged,
    ordinary: Dist,
    /// Ordinary answers drawn from a number up to this are in before a copy is due.
    in_time: f64,
    rate: f64,
    outlier: Dist,
    request_delay: Option<Dist>,
    drawing: Drawing,
    /// For `Drawing::Deciding`.
    inverse: Option<Inverse>,
    /// The chance that a leaf is out when its first copy is due.
    out_at_hedge: f64,
    leaves: Rng,
    copies: Rng,
    requests: Rng,
    answers: Vec<f64>,
}

/// Up to so many leaves each is drawn: at some 5 ns a draw a million requests take half a second.
const EVERY_LEAF_MAX: u32 = 128;
/// With more leaves than this share out when a copy is due, order statistics save nothing.
const OUT_MAX: f64 = 0.25;

impl Drawing {
    pub fn of(params: &FanOutParams) -> Drawing {
        let hedged = truth::hedged(params);
        let out = if hedged.copies == 0 { 0.0 } else { hedged.leaf.beyond(hedged.after) };
        if params.fan_out <= EVERY_LEAF_MAX || OUT_MAX < out {
            Drawing::EveryLeaf
        } else {
            Drawing::Deciding
        }
    }
}

impl Model {
    pub fn start(params: &FanOutParams, run: &RunSeed, drawing: Drawing) -> Draws<Model> {
        let meter = Meter::new(latencies(FanOut::GAUGES), FanOut::COUNTS, run.replication);
        Draws::new(Model::new(params, run.seed, run.replication, drawing), meter, run.plan)
    }

    pub(super) fn new(
        params: &FanOutParams,
        seed: u64,
        replication: u32,
        drawing: Drawing,
    ) -> Model {
        let hedged = truth::hedged(params);
        let (value, shape) = (params.outlier_ms, params.outlier_shape);
        let stream = |purpose| Rng::stream(seed, replication, purpose);
        Model {
            needed: params.needed().saturating_sub(params.canaries()),
            canaries: params.canaries(),
            others: params.fan_out - params.canaries(),
            hedged: hedged.clone(),
            ordinary: match &hedged.leaf.ordinary {
                &Ordinary::LogNormal(LogNormal { median, sigma }) => {
                    Dist::LogNormal { median, sigma }
                }
                Ordinary::Measured(data) => Dist::Measured(Arc::clone(data)),
            },
            in_time: if hedged.copies == 0 {
                1.0
            } else {
                1.0 - hedged.leaf.ordinary.beyond(hedged.after)
            },
            rate: params.outlier_rate,
            outlier: match params.outlier {
                Outlier::Constant => Dist::Constant { value },
                Outlier::Exponential => Dist::Exponential { mean: value },
                Outlier::LogNormal => Dist::LogNormal { median: value, sigma: shape },
                Outlier::Lomax => Dist::Lomax { scale: value, shape },
            },
            request_delay: (params.request_delay_ms > 0.0).then_some(Dist::LogLogistic {
                median: params.request_delay_ms,
                shape: params.request_delay_shape,
            }),
            drawing,
            inverse: (drawing == Drawing::Deciding)
                .then(|| Table::of(&hedged.leaf, 1.0 / 256.0, 0.05).inverse()),
            out_at_hedge: if hedged.copies == 0 { 0.0 } else { hedged.leaf.beyond(hedged.after) },
            leaves: stream(0),
            copies: stream(1),
            requests: stream(2),
            answers: Vec::with_capacity(params.fan_out as usize),
        }
    }

    /// One leaf's answer, without a hedge.
    #[inline]
    fn leaf(&mut self) -> f64 {
        let ordinary = self.ordinary.sample(&mut self.leaves);
        if self.leaves.chance(self.rate) {
            ordinary + self.outlier.sample(&mut self.leaves)
        } else {
            ordinary
        }
    }

    /// A copy's answer: the same law, from a stream of its own, so that hedging leaves the first answers alone.
    fn copy(&mut self) -> f64 {
        let ordinary = self.ordinary.sample(&mut self.copies);
        if self.copies.chance(self.rate) {
            ordinary + self.outlier.sample(&mut self.copies)
        } else {
            ordinary
        }
    }

    /// When a call that would answer at `first` has answered, with its copies.
    #[inline]
    fn with_copies(&mut self, first: f64, watch: &mut impl Watch) -> f64 {
        watch.call(first);
        if self.hedged.copies == 0 || first <= self.hedged.after {
            first
        } else {
            self.copied(first, watch)
        }
    }

    fn copied(&mut self, first: f64, watch: &mut impl Watch) -> f64 {
        let in_vain = self.copies.chance(self.hedged.shared);
        let mut answered = first;
        for copy in 1..=self.hedged.copies {
            let due = f64::from(copy) * self.hedged.after;
            if answered <= due {
                break;
            }
            let answer = due + self.copy();
            watch.copy(due, answer, in_vain);
            if !in_vain {
                answered = answered.min(answer);
            }
        }
        answered
    }

    /// Draws one request.
    #[inline]
    pub(super) fn request(&mut self, watch: &mut impl Watch) -> Answer {
        let mut canaries: f64 = 0.0;
        for _ in 0..self.canaries {
            let first = self.leaf();
            canaries = canaries.max(self.with_copies(first, watch));
        }
        let others = match self.drawing {
            Drawing::EveryLeaf => self.every_leaf(watch),
            Drawing::Deciding => self.deciding(watch),
        };
        let delay = self.request_delay.as_ref().map_or(0.0, |it| it.sample(&mut self.requests));
        Answer { canaries, others, delay }
    }

    /// When enough of the leaves beyond the canaries are in, each of them drawn.
    fn every_leaf(&mut self, watch: &mut impl Watch) -> f64 {
        if self.needed == self.others {
            return self.slowest(watch);
        }
        self.answers.clear();
        for _ in 0..self.others {
            let first = self.leaf();
            let answered = self.with_copies(first, watch);
            self.answers.push(answered);
        }
        nth(&mut self.answers, self.needed)
    }

    /// When the last of the leaves beyond the canaries is in, each of them drawn.
    ///
    /// An ordinary answer that needs no copy rises with the number it is drawn from, so of all these only the
    /// highest number has to be turned into a time.
    fn slowest<W: Watch>(&mut self, watch: &mut W) -> f64 {
        let (mut slowest, mut highest): (f64, f64) = (0.0, 0.0);
        for at in 0..self.others {
            let number = self.leaves.unit();
            let slow = self.leaves.chance(self.rate);
            let seen = W::EVERY_CALL || at == 0;
            if !slow && number <= self.in_time && !seen {
                highest = highest.max(number);
                continue;
            }
            let ordinary = self.ordinary_at(number);
            let first =
                if slow { ordinary + self.outlier.sample(&mut self.leaves) } else { ordinary };
            slowest = slowest.max(self.with_copies(first, watch));
        }
        if highest > 0.0 { slowest.max(self.ordinary_at(highest)) } else { slowest }
    }

    fn ordinary_at(&self, number: f64) -> f64 {
        self.hedged.leaf.ordinary.at(normal_quantile(number))
    }

    /// The same in law, drawing only what decides. Of the calls it shows only those that are copied.
    fn deciding(&mut self, watch: &mut impl Watch) -> f64 {
        let out = self.leaves.binomial(self.others, self.out_at_hedge);
        self.answers.clear();
        for _ in 0..out {
            let tail = self.out_at_hedge * self.leaves.unit();
            // Whatever the table rounds, it is out when a copy is due.
            let first = self.time_of_tail(tail).max(self.hedged.after.next_up());
            let answered = self.with_copies(first, watch);
            self.answers.push(answered);
        }
        let quick = self.others - out;
        if quick < self.needed {
            return nth(&mut self.answers, self.needed - quick);
        }
        if self.needed == 0 {
            return 0.0;
        }
        let share = order_share(self.needed, quick, &mut self.leaves);
        self.time_of_tail(1.0 - share * (1.0 - self.out_at_hedge))
    }

    fn time_of_tail(&self, tail: f64) -> f64 {
        self.inverse.as_ref().map_or(0.0, |it| it.time(tail))
    }
}

/// What the meter wants to know: one leaf a request, and how many copies are sent.
#[derive(Default)]
struct Counted {
    leaf_ms: Option<f64>,
    copies: u64,
}

impl Watch for Counted {
    #[inline]
    fn call(&mut self, first_ms: f64) {
        if self.leaf_ms.is_none() {
            self.leaf_ms = Some(first_ms);
        }
    }

    #[inline]
    fn copy(&mut self, _due_ms: f64, _answer_ms: f64, _in_vain: bool) {
        self.copies += 1;
    }
}

impl Draw for Model {
    fn draw(&mut self, meter: &mut Meter) {
        // The calls that are drawn to decide are not like all others: a leaf of its own stands for them.
        let own_leaf = self.drawing == Drawing::Deciding;
        let mut counted = Counted { leaf_ms: own_leaf.then(|| self.leaf()), copies: 0 };
        let answer = self.request(&mut counted);
        meter.record(LEAF_LATENCY, Duration::from_ms(counted.leaf_ms.unwrap_or(0.0)));
        meter.record(REQUEST_LATENCY, Duration::from_ms(answer.total_ms()));
        meter.count(CALLS, u64::from(self.canaries + self.others));
        meter.count(COPIES, counted.copies);
    }
}

/// The `rank`-th least, from 1; nothing for none.
fn nth(answers: &mut [f64], rank: u32) -> f64 {
    if rank == 0 {
        return 0.0;
    }
    *answers.select_nth_unstable_by(rank as usize - 1, f64::total_cmp).1
}

/// The share below the `rank`-th least of `of` independent answers: Beta(rank, of - rank + 1).
fn order_share(rank: u32, of: u32, rng: &mut Rng) -> f64 {
    if rank == of {
        return libm::exp(libm::log(rng.unit()) / f64::from(of));
    }
    let below = Gamma::new(f64::from(rank), 1.0).sample(rng);
    below / (below + Gamma::new(f64::from(of - rank + 1), 1.0).sample(rng))
}
