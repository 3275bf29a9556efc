//! Whether to hedge, and when: trials of delays, and what they say within a budget of extra load.

mod aim;
mod told;

pub use aim::Aim;

use std::cmp::Ordering;

use super::{Difference, Study};
use crate::{
    format::given,
    report::{Measure, Quantity},
    scenario::{Cost, Hedging},
    schema::{Kind, Scale},
    special::{round_to_digits, sort_numbers},
};

/// The question, and what has been learnt so far.
#[derive(Clone, Debug)]
pub struct Inquiry {
    hedging: Hedging,
    /// Without hedges: what everything is held against.
    pub off: Study,
    /// The greatest extra load that is worth it, as a share.
    pub budget: f64,
    /// What is to come down.
    pub aim: Aim,
    /// What else could come down, as far as is known without hedges.
    others: Vec<Aim>,
    /// By delay, ascending.
    trials: Vec<Trial>,
    rounds: u32,
}

/// What hedging after one delay comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    pub delay_ms: f64,
    pub study: Study,
    /// What it does to the aim.
    pub gain: Gain,
    /// The extra load, as a share.
    pub cost: f64,
    /// What it does to the other measures of a request.
    pub beside: Vec<Gain>,
}

/// A measure without hedges and with them.
#[derive(Clone, Debug, PartialEq)]
pub struct Gain {
    /// As in tables: `request.p99`, `over`.
    pub measure: String,
    /// As in a sentence: `p99`, `share over 1 s`.
    pub name: String,
    pub quantity: Quantity,
    /// Exact where theory says it.
    pub without: f64,
    pub with: f64,
    /// The interval of the difference, which is negative where hedging pays; both ends are one where theory says it.
    pub change: (f64, f64),
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Advice {
    /// Hedge after the delay of the trial.
    Hedge(Trial),
    /// Nothing within the budget makes the aim better beyond doubt.
    DoNotHedge {
        /// The best within the budget, if any is.
        nearest: Option<Trial>,
    },
    /// Nothing can be said: queues grow, or there are too few answers.
    Unknown,
}

/// The percentiles of a call after which hedges are tried first.
const SHARES: [f64; 12] = [0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.998, 0.999];
/// Delays tried between two neighbours of the best, in each further round.
const BETWEEN: u32 = 6;
/// Further rounds: exact ones are quick, and there is no noise to get lost in.
const ROUNDS_EXACT: u32 = 3;
const ROUNDS_SIMULATED: u32 = 1;
/// What is gained less than this, in milliseconds or as a share, is not gained.
const NOTHING: f64 = 1e-9;

impl Inquiry {
    /// Nothing for a scenario that knows no hedges.
    pub fn new(study: &Study, budget: f64, aim: Aim) -> Option<Inquiry> {
        let hedging = study.scenario.hedging?;
        let off = study.changed(hedging.off);
        Some(Inquiry {
            hedging,
            off,
            budget,
            aim,
            others: Vec::new(),
            trials: Vec::new(),
            rounds: 0,
        })
    }

    /// Whether theory says the aim of hedged calls, so that nothing need be simulated.
    pub fn says_theory(&self) -> bool {
        let hedged = self.off.changed(self.hedging.on);
        self.is_exact(&hedged.measures(None, &hedged.exact()))
    }

    /// Whether the aim is exactly known.
    pub fn is_exact(&self, measures: &[Measure]) -> bool {
        let aim = self.aim.of(&self.off);
        aim.is_some_and(|aim| measures.iter().any(|it| it.name == aim.0 && it.exact.is_some()))
    }

    /// The studies to run first, given what is known without hedges.
    pub fn first(&mut self, off: &[Measure]) -> Vec<Study> {
        let is_known = |aim: &Aim| {
            let measure = aim.of(&self.off);
            let measure = measure.and_then(|aim| off.iter().find(|it| it.name == aim.0));
            measure.is_some_and(|it| it.exact.or(it.simulated).is_some())
        };
        self.others = Aim::ALL.into_iter().filter(|it| *it != self.aim && is_known(it)).collect();
        let exact = self.off.exact();
        let known = |share: f64| {
            let name = super::SHARES.iter().find(|it| it.1 == share)?.0;
            let name = format!("{}.{name}", self.hedging.call);
            off.iter().find(|it| it.name == name)?.simulated
        };
        let delay = |share: &f64| exact.quantile_ms(self.hedging.call, *share).or(known(*share));
        let mut delays: Vec<f64> = SHARES.iter().filter_map(delay).collect();
        // Where only a few percentiles are known, delays between them are tried too.
        while !delays.is_empty() && delays.len() < SHARES.len() {
            let middles = delays.windows(2).map(|it| (it[0] * it[1]).sqrt());
            let middles: Vec<f64> = middles.collect();
            if middles.is_empty() {
                break;
            }
            delays.extend(middles);
            sort_numbers(&mut delays);
        }
        self.studies(delays)
    }

    /// The studies to run next, around the best so far; none when it is good enough.
    pub fn further(&mut self) -> Vec<Study> {
        let exact = self.trials.first().is_some_and(|it| it.gain.change.0 == it.gain.change.1);
        let rounds = if exact { ROUNDS_EXACT } else { ROUNDS_SIMULATED };
        if self.rounds == rounds {
            return Vec::new();
        }
        self.rounds += 1;
        let Some(best) = self.best() else { return Vec::new() };
        let at = self.trials.iter().position(|it| it == best).unwrap_or(0);
        let low = self.trials[at.saturating_sub(1)].delay_ms;
        let high = self.trials[(at + 1).min(self.trials.len() - 1)].delay_ms;
        let along = |it: u32| f64::from(it) / f64::from(2 * BETWEEN);
        let delays = (1..2 * BETWEEN).map(|it| low * libm::pow(high / low, along(it)));
        self.studies(delays.collect())
    }

    /// Those that have not been tried.
    fn studies(&self, delays: Vec<f64>) -> Vec<Study> {
        let hedged = self.off.changed(self.hedging.on);
        let mut studies: Vec<Study> = Vec::new();
        for delay in delays.into_iter().filter(|it| it.is_finite() && 0.0 < *it) {
            let study = hedged.with(self.hedging.delay, round_to_digits(delay, 4));
            let tried = self.trials.iter().map(|it| &it.study);
            if !tried.chain(&studies).any(|it| *it == study) {
                studies.push(study);
            }
        }
        studies
    }

    /// Takes in a trial, with its difference from the study without hedges.
    pub fn learn(
        &mut self,
        study: &Study,
        measures: &[Measure],
        off: &[Measure],
        found: &[Difference],
    ) {
        let Some(delay_ms) = study.value(self.hedging.delay) else { return };
        let of = |all: &[Measure], name: &str| {
            let measure = all.iter().find(|it| it.name == name)?;
            measure.exact.or(measure.simulated)
        };
        let cost = match self.hedging.cost {
            Cost::Measure(name) => of(measures, name),
            // Both by theory or both simulated, so that they err alike.
            Cost::Growth(name) => {
                let find = |all: &[Measure]| all.iter().find(|it| it.name == name).cloned();
                find(measures).zip(find(off)).and_then(|(it, off)| {
                    let pair = it.exact.zip(off.exact).or(it.simulated.zip(off.simulated));
                    pair.map(|(it, off)| it / off - 1.0)
                })
            }
        };
        let gain = |aim| gain(aim, measures, off, found);
        if let (Some(gained), Some(cost)) = (self.aim.of(&self.off).and_then(gain), cost) {
            let beside = self.aim.beside(&self.off).filter_map(gain).collect();
            let trial = Trial { delay_ms, study: study.clone(), gain: gained, cost, beside };
            let at = self.trials.partition_point(|it| it.delay_ms < delay_ms);
            self.trials.insert(at, trial);
        }
    }

    /// By delay, ascending: the curve around the best.
    pub fn trials(&self) -> &[Trial] {
        &self.trials
    }

    /// The lowest within the budget.
    fn best(&self) -> Option<&Trial> {
        let within = self.trials.iter().filter(|it| it.cost <= self.budget);
        // At many delays as few may be late, or nobody: then the one that costs least.
        let by_share = |it: &Trial| (round_to_digits(it.gain.with, 4), it.cost);
        let rank =
            |it: &Trial| if self.aim == Aim::Over { by_share(it) } else { (it.gain.with, 0.0) };
        within.min_by(|a, b| rank(a).partial_cmp(&rank(b)).unwrap_or(Ordering::Equal))
    }

    pub fn advice(&self) -> Advice {
        if self.trials.is_empty() {
            return Advice::Unknown;
        }
        match self.best() {
            // The whole interval of the change has to lie below nothing.
            Some(best) if best.gain.change.1 < -NOTHING => Advice::Hedge(best.clone()),
            nearest => Advice::DoNotHedge { nearest: nearest.cloned() },
        }
    }
}

/// The extra load that somebody allows, as typed: `5%`, `5`, `0.05` or `1/20`. As a share above 0, up to 1.
pub fn budget(text: &str) -> Option<f64> {
    let parsed = Kind::Share { min: 0.0, max: 1.0, scale: Scale::Linear }.parse_typed(text).ok()?;
    Some(parsed.value).filter(|it| 0.0 < *it && !parsed.moved)
}

/// What becomes of a measure, by its name in tables and in a sentence.
fn gain(
    (measure, name): (String, String),
    on: &[Measure],
    off: &[Measure],
    found: &[Difference],
) -> Option<Gain> {
    let of = |all: &[Measure]| all.iter().find(|it| it.name == measure).cloned();
    let (on, off) = (of(on)?, of(off)?);
    // Both by theory or both simulated, so that they err alike.
    let exact = off.exact.zip(on.exact);
    let (without, with) = exact.or(off.simulated.zip(on.simulated))?;
    let found = found.iter().find(|it| it.name == measure)?;
    let change = found.exact.map(|it| (it, it)).or(found.low.zip(found.high))?;
    Some(Gain { measure, name, quantity: on.quantity, without, with, change })
}

/// What a deadline asks of each call, and the fan-out that it bears, in a sentence or two; nothing where there is no
/// deadline or no fan-out.
pub fn limits(study: &Study) -> Option<String> {
    let asked = asked_of_calls(study)?;
    Some(match fan_out_within(study, IN_TIME) {
        Some(most) => format!("{asked} {}", borne(&most.to_string())),
        None => asked,
    })
}

/// What a deadline asks of each call.
pub fn asked_of_calls(study: &Study) -> Option<String> {
    let deadline = given(Quantity::Latency, study.deadline_ms()?);
    let calls = study.value(FAN_OUT)? as u32;
    let share = round_to_digits(100.0 * share_of_calls(IN_TIME, calls), 6);
    Some(format!(
        "At a fan-out of {calls}, 99 % of requests are within {deadline} if {share} % of calls are."
    ))
}

/// How great a fan-out the deadline bears, once it is found.
pub fn borne(most: &str) -> String {
    format!("As it is, a fan-out of {most} still keeps it.")
}

/// The share of its calls that must answer in time for a share of requests to do so, where a request waits for all of
/// so many that know nothing of each other: the n-th root.
pub fn share_of_calls(of_requests: f64, calls: u32) -> f64 {
    libm::exp(libm::log(of_requests) / f64::from(calls.max(1)))
}

/// The greatest fan-out at which a share of requests still meets the deadline by theory; `None` where theory does not
/// say, or where not even one call does.
pub fn fan_out_within(study: &Study, share: f64) -> Option<u32> {
    let field = study.scenario.fields.iter().find(|it| it.key == FAN_OUT)?;
    let (min, max) = field.kind.range();
    let meets = |calls: u32| {
        let over = study.with(FAN_OUT, f64::from(calls)).exact().value("over")?;
        Some(over <= 1.0 - share)
    };
    let (mut low, mut high) = (min as u32, max as u32);
    if !meets(low)? {
        return None;
    }
    // More calls never make a request earlier, so that halving finds the last that holds.
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if meets(middle)? {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    Some(low)
}

/// The share of requests that a deadline is held for.
pub const IN_TIME: f64 = 0.99;

/// The parameter that every scenario with a fan-out has.
const FAN_OUT: &str = "fan_out";
