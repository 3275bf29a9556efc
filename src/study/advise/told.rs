//! The advice in words: the late percentile first, then what else a request has of it.

use super::{Advice, Gain, Inquiry, Trial};
use crate::{
    format::{reading, short},
    report::Quantity,
};

/// A percentile that changes by less than this, relative to itself, hardly moves.
const HARDLY: f64 = 0.05;
/// One that becomes so much smaller falls.
const MUCH: f64 = 0.25;

impl Inquiry {
    /// The answer in a sentence or two.
    pub fn told(&self) -> String {
        let share = |it: f64| short(Quantity::Share, it);
        let ms = |it: f64| short(Quantity::Latency, it);
        let budget = share(self.budget);
        match self.advice() {
            Advice::Hedge(it) => {
                let less = -f64::midpoint(it.change_ms.0, it.change_ms.1);
                format!(
                    "Hedge after {}: the p99.9 is {}, {} less than without, at {} of extra load. {}",
                    ms(it.delay_ms),
                    written(Quantity::Latency, it.late_ms),
                    ms(less),
                    share(it.cost),
                    beside(&it, less < HARDLY * it.late_ms),
                )
            }
            Advice::DoNotHedge { nearest: None } => {
                format!("Do not hedge: no delay keeps the extra load within {budget}.")
            }
            Advice::DoNotHedge { nearest: Some(it) } => {
                let found = format!(
                    "within {budget} of extra load, the best delay, {}, does not make it better beyond doubt.",
                    ms(it.delay_ms)
                );
                if it.falls() {
                    format!("The p99.9 is no reason to hedge: {found} {}", beside(&it, true))
                } else {
                    format!("Do not hedge for the p99.9: {found}")
                }
            }
            Advice::Unknown => format!("Nothing can be said. {}", self.hindrance()),
        }
        .trim_end()
        .to_owned()
    }

    /// Why no delay has a late percentile.
    fn hindrance(&self) -> String {
        if let Some(unstable) = self.off.unstable(None) {
            return unstable;
        }
        if self.off.known_up_to().is_finite() {
            return "The data do not reach the p99.9 of a request: a longer file would, or a smaller fan-out."
                .to_owned();
        }
        "Queues were seen to grow, or too few requests are simulated for a p99.9.".to_owned()
    }
}

impl Trial {
    /// Whether anything beside the late percentile becomes much less, beyond doubt.
    fn falls(&self) -> bool {
        self.beside.iter().any(|it| it.change.1 < -MUCH * it.without)
    }
}

/// `The p50 falls from 12 ms to 11 ms, the p99 from 1,020 ms to 50 ms.`
fn beside(trial: &Trial, hardly: bool) -> String {
    let told: Vec<String> = trial.beside.iter().map(gain).collect();
    let Some((last, before)) = told.split_last() else { return String::new() };
    let sentence =
        if before.is_empty() { last.clone() } else { format!("{} and {last}", before.join(", ")) };
    if hardly && trial.falls() {
        return format!("The p99.9 hardly moves, but a request gains all the same: {sentence}.");
    }
    let mut rest = sentence.chars();
    rest.next().into_iter().flat_map(char::to_uppercase).chain(rest).chain(['.']).collect()
}

fn gain(it: &Gain) -> String {
    let Gain { name, quantity, without, with, change } = it;
    let [from, to] = [*without, *with].map(|it| written(*quantity, it));
    if from == to {
        format!("the {name} stays at {from}")
    } else if change.0 <= 0.0 && 0.0 <= change.1 {
        format!("the {name} stays near {from}")
    } else {
        let verb = if with < without { "falls" } else { "rises" };
        format!("the {name} {verb} from {from} to {to}")
    }
}

/// With as many digits as the readout has.
fn written(quantity: Quantity, value: f64) -> String {
    reading(quantity, Some(value), None, None).value.to_string()
}
