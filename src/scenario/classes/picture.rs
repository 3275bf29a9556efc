//! What classes are told in: the sentence that they open with, and the notes below.

use super::{
    ClassesParams, Discipline,
    truth::{Formula, formula},
};
use crate::{
    format::{given, short},
    report::{Aside, Meaning, Quantity, Sentence, number, words},
    scenario::Seen,
};

pub(super) fn sentence(params: &ClassesParams, seen: &Seen) -> Sentence {
    let service = given(Quantity::Latency, params.cheap_ms).to_string();
    let lead = match seen.best("cheap.p99") {
        Some(late) => vec![
            words(format!("One in a hundred requests of {service} takes over ")),
            number(Meaning::This, short(Quantity::Latency, late).to_string()),
            words(format!(
                ", because {} of requests take {}.",
                given(Quantity::Share, params.heavy_share),
                given(Quantity::Latency, params.heavy_ms)
            )),
        ],
        None => vec![words(format!(
            "What does a request of {service} wait for, when {} of requests take {}?",
            given(Quantity::Share, params.heavy_share),
            given(Quantity::Latency, params.heavy_ms)
        ))],
    };
    Sentence { lead, asides: heavy(seen).into_iter().chain([other(params)]).collect() }
}

fn heavy(seen: &Seen) -> Option<Aside> {
    let late = short(Quantity::Latency, seen.best("heavy.p99")?).to_string();
    let pieces =
        vec![words("The p99 of the long ones is "), number(Meaning::Other, late), words(".")];
    Some(Aside { pieces, action: None })
}

/// What else the server could do.
fn other(params: &ClassesParams) -> Aside {
    let (text, action, changes) = match params.discipline {
        Discipline::Fifo => (
            "In slices, short requests would be done between the parts of long ones.",
            "Take turns",
            "discipline=slice&slice_ms=1",
        ),
        Discipline::Slice | Discipline::Sharing => (
            "With priority, short requests would go first, but not interrupt.",
            "Short ones first",
            "discipline=priority",
        ),
        Discipline::Priority if params.device_queue == 0 => (
            "Requests that were handed down to a disk's own queue can no longer be overtaken.",
            "Hand down ten",
            "device_queue=10",
        ),
        Discipline::Priority => (
            "What was handed down cannot be overtaken: keep the lower queue short.",
            "Hand down none",
            "device_queue=0",
        ),
    };
    let action = Some((action.to_owned(), changes.to_owned()));
    Aside { pieces: vec![words(text)], action }
}

pub(super) fn notes(params: &ClassesParams) -> Vec<String> {
    let mut notes = vec![
        "Requests come at random, as a Poisson process, and both services always take the same time.".to_owned(),
    ];
    if 1.0 <= params.load {
        notes.push(
            "More work comes than the server can do: its queue grows for as long as one watches, and percentiles tell \
             only how long that was."
                .to_owned(),
        );
        return notes;
    }
    let text = match formula(params) {
        Some(Formula::InOrder) => {
            "Exact: the server is an M/G/1 queue. The mean wait is λ E[S²] / (2 (1 − r)), by Pollaczek and Khinchine; \
             the transform of the wait is inverted numerically for the percentiles."
        }
        Some(Formula::Priority) => {
            "Exact means, by Cobham, for priority that does not interrupt: with R = λ E[S²] / 2 a short request waits \
             R / (1 − r₁) and a long one R / ((1 − r₁) (1 − r)), where r₁ is the load of the short ones."
        }
        Some(Formula::Sharing) => {
            "Exact means: with processor sharing a service of x takes x / (1 − r), whatever the law of services."
        }
        None => "No exact curve is known for these settings.",
    };
    notes.push(text.to_owned());
    if params.discipline == Discipline::Slice && params.slice_ms < params.used_slice_ms() {
        notes.push(format!(
            "The slice is a thousandth of the longest service, {}, which is as good as finer ones.",
            given(Quantity::Latency, params.used_slice_ms())
        ));
    }
    if params.discipline == Discipline::Priority && 0 < params.device_queue {
        notes.push(
            "The device below holds the request at work and those handed down, and serves them in the order in which \
             they came to it."
                .to_owned(),
        );
    }
    notes
}
