//! The advice in words: its aim first, then what else a request has of it.

use super::{Advice, Aim, Gain, Inquiry, Trial};
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
        let aim = self.aim_in_words();
        match self.advice() {
            Advice::Hedge(it) => {
                let Gain { quantity, with, change, .. } = it.gain;
                let less = -f64::midpoint(change.0, change.1);
                let brings = match quantity {
                    Quantity::Latency => format!(
                        "the {aim} is {}, {} less than without",
                        written(quantity, with),
                        ms(less)
                    ),
                    // So many per cent less could be of the share itself.
                    _ => gain(&it.gain),
                };
                format!(
                    "Hedge after {}: {brings}, at {} of extra load. {}",
                    ms(it.delay_ms),
                    share(it.cost),
                    beside(&it, less < HARDLY * with),
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
                    format!("The {aim} is no reason to hedge: {found} {}", beside(&it, true))
                } else {
                    format!("Do not hedge for the {aim}: {found}")
                }
            }
            Advice::Unknown => format!("Nothing can be said. {}", self.hindrance()),
        }
        .trim_end()
        .to_owned()
    }

    /// What is to come down, as in a sentence.
    pub fn aim_in_words(&self) -> String {
        self.aim.of(&self.off).map(|it| it.1).unwrap_or_default()
    }

    /// Why the aim is not known at any delay, and what is.
    fn hindrance(&self) -> String {
        if let Some(unstable) = self.off.unstable(None) {
            return unstable;
        }
        let aim = self.aim_in_words();
        let why = match self.aim {
            Aim::Over if self.off.known_up_to().is_finite() => {
                "The data do not reach the deadline: a longer file would, or an earlier deadline."
                    .to_owned()
            }
            _ if self.off.known_up_to().is_finite() => format!(
                "The data do not reach the {aim} of a request: a longer file would, or a smaller fan-out."
            ),
            _ => {
                format!("Queues were seen to grow, or too few requests are simulated for a {aim}.")
            }
        };
        let others = self.others.iter().filter_map(|it| it.of(&self.off));
        let others: Vec<String> = others.map(|it| format!("the {}", it.1)).collect();
        if others.is_empty() {
            return why;
        }
        format!("{why} {} can be asked for instead.", capital(&others.join(" or ")))
    }
}

impl Trial {
    /// Whether anything beside the aim becomes much less, beyond doubt.
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
        let aim = &trial.gain.name;
        return format!("The {aim} hardly moves, but a request gains all the same: {sentence}.");
    }
    capital(&sentence) + "."
}

fn capital(sentence: &str) -> String {
    let mut rest = sentence.chars();
    rest.next().into_iter().flat_map(char::to_uppercase).chain(rest).collect()
}

fn gain(it: &Gain) -> String {
    let Gain { name, quantity, without, with, change, .. } = it;
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
