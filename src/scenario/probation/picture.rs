//! What probation is told in: the sentence that it opens with, and the notes below.

use super::{ProbationParams, counts};
use crate::{
    format::{given, short},
    report::{Aside, Meaning, Quantity, Sentence, number, words},
    scenario::Seen,
    special::round_to_digits,
};

pub(super) fn sentence(params: &ProbationParams, seen: &Seen) -> Sentence {
    let servers = params.servers;
    let slow = given(Quantity::Seconds, params.slow_s.min(params.every_s));
    let every = given(Quantity::Seconds, params.every_s);
    let about = if params.never_slow() {
        format!("no machine of {servers} is ever slow")
    } else if servers == 1 {
        format!(
            "the only machine is {} times slower for {slow} of every {every}",
            params.slow_factor
        )
    } else {
        format!(
            "one machine of {servers} is {} times slower for {slow} of every {every}",
            round_to_digits(params.slow_factor, 3)
        )
    };
    let lead = match seen.best("request.p99") {
        Some(late) => vec![
            words("The p99 is "),
            number(Meaning::This, short(Quantity::Latency, late).to_string()),
            words(if params.probation {
                format!(", although {about}.")
            } else {
                format!(": {about}.")
            }),
        ],
        None => vec![words(format!("What becomes of the p99 when {about}?"))],
    };
    Sentence { lead, asides: vec![other(params, seen)] }
}

/// What the intermediary does, and the other choice.
fn other(params: &ProbationParams, seen: &Seen) -> Aside {
    if !params.probation {
        let text = "An intermediary could take it out while it is slow, which leaves less capacity for the rest.";
        let action = ("Take it out".to_owned(), "probation=on".to_owned());
        return Aside { pieces: vec![words(text)], action: Some(action) };
    }
    let pieces = match seen.best("out") {
        Some(out) => vec![
            words("It is out "),
            number(Meaning::Hedge, short(Quantity::Share, out).to_string()),
            words(format!(
                " of the time, slow {}.",
                short(Quantity::Share, if params.never_slow() { 0.0 } else { params.slow_share() })
            )),
        ],
        None => vec![words("It is taken out while it answers slowly.")],
    };
    Aside { pieces, action: Some(("Leave it in".to_owned(), "probation=off".to_owned())) }
}

pub(super) fn notes(params: &ProbationParams) -> Vec<String> {
    let mut notes = vec![
        "Every server has a queue of its own, first come, first served. What comes to the slow machine while it is \
         slow takes longer, whenever it is served. Each run begins at another place of the period."
            .to_owned(),
    ];
    if params.probation {
        notes.push(
            "The intermediary keeps an average of each server's response times, in which a new one weighs a tenth. \
             Every ten service times it takes out the servers whose average is far above the median one's, lets the \
             others in, and sends one shadow request to each that is out; nobody waits for it, but it is served like \
             all others."
                .to_owned(),
        );
        if params.servers <= 2 {
            notes.push(
                "Of so few servers none is ever out: the median is that of the slower one itself."
                    .to_owned(),
            );
        }
    }
    if params.never_slow() && !params.probation && params.load < 1.0 {
        notes.push(
            "Exact: each server is an M/M/1 queue, P(T > t) = exp(−(1 − r) t / s).".to_owned(),
        );
    } else {
        notes.push("No exact curve is known for these settings.".to_owned());
    }
    notes.push(format!("The figure over time has {} steps a period.", counts::STEPS));
    notes
}
