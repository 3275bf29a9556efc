//! What bursts are told in: the sentence that they open with, and the notes below.

use super::{BurstsParams, truth};
use crate::{
    format::{given, percentile, short},
    report::{Aside, Meaning, Quantity, Sentence, number, words},
    scenario::Seen,
    special::round_to_digits,
};

pub(super) fn sentence(params: &BurstsParams, seen: &Seen) -> Sentence {
    let busy = params.pause().busy;
    let hit = seen.best("hit").unwrap_or(0.0);
    let turn = if busy * 1.5 < hit {
        ", although each server is busy only "
    } else {
        "; each server is busy "
    };
    let lead = vec![
        number(Meaning::This, short(Quantity::Share, hit).to_string()),
        words(format!(" of requests meet a burst{turn}")),
        number(Meaning::Other, given(Quantity::Share, round_to_digits(busy, 3)).to_string()),
        words(" of the time."),
    ];
    Sentence {
        lead,
        asides: [other(params, seen), far_tail(params, seen)].into_iter().flatten().collect(),
    }
}

/// What the other arrangement gives, and a way to try it.
fn other(params: &BurstsParams, seen: &Seen) -> Option<Aside> {
    let other = BurstsParams { synchronised: !params.synchronised, ..params.clone() };
    let hit = short(Quantity::Share, truth::hit(&other, params.fan_out)).to_string();
    let late = short(Quantity::Latency, seen.exact.quantile_ms(truth::COUNTERPART, 0.95)?);
    let (start, action, changes) = if params.synchronised {
        ("Each at its own time, it would be ", "Spread them", "synchronised=off")
    } else {
        ("All at once, it would be ", "Synchronise them", "synchronised=on")
    };
    let pieces = vec![
        words(start),
        number(Meaning::Other, hit),
        words(", with a p95 of "),
        number(Meaning::Other, late.to_string()),
        words("."),
    ];
    Some(Aside { pieces, action: Some((action.to_owned(), changes.to_owned())) })
}

/// The percentile from which on synchronising makes things no better.
fn far_tail(params: &BurstsParams, seen: &Seen) -> Option<Aside> {
    let busy = params.pause().busy;
    let share = [0.99, 0.999, 0.9999].into_iter().find(|it| 1.0 - it < 0.5 * busy)?;
    let own = seen.exact.quantile_ms("request", share)?;
    let other = seen.exact.quantile_ms(truth::COUNTERPART, share)?;
    let quiet = seen.exact.quantile_ms(truth::QUIET, share)?;
    let (apart, together) = if params.synchronised { (other, own) } else { (own, other) };
    let text = |ms| short(Quantity::Latency, ms).to_string();
    (2.0 * quiet < together).then(|| Aside {
        pieces: vec![words(format!(
            "The {} stays: {} apart, {} all at once. A burst of this length still hits {} of the time.",
            percentile(share),
            text(apart),
            text(together),
            given(Quantity::Share, round_to_digits(busy, 2)),
        ))],
        action: None,
    })
}

pub(super) fn notes(params: &BurstsParams) -> Vec<String> {
    let law = if params.synchronised {
        "Exact: what is left of the piece, uniform, then the slowest of n log-normal answers, summed numerically."
    } else {
        "Exact: a leaf waits for what is left of a piece, uniform, then takes a log-normal time, which has a closed \
         form; a request is late with 1 − (1 − S(t))ⁿ and meets a burst with 1 − (1 − b)ⁿ."
    };
    let mut notes = vec![
        "A request comes at a random moment. Its servers are any of very many, so that apart their bursts know \
         nothing of each other. Calls do not queue for each other: only background work holds them up."
            .to_owned(),
        "Drawn are the leaves that meet a burst, each by itself, and of the others the slowest, by inverting the n-th \
         power of a uniform number."
            .to_owned(),
        law.to_owned(),
    ];
    if 1.0 <= params.pause().busy {
        notes.push(
            "The bursts fill the whole period: a call always waits for the end of a piece."
                .to_owned(),
        );
    }
    notes
}
