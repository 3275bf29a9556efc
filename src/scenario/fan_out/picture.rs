//! What a fan-out is told in: the sentence that it opens with, and the notes below.

use super::{Drawing, FanOutParams, Hedge, Outlier, truth};
use crate::{
    format::{given, one_in, percentile, short},
    measured::Measured,
    report::{Aside, Meaning, Piece, Quantity, Sentence, number, words},
    scenario::Seen,
    special::round_to_digits,
    theory::{Hedged, Law, leaf_tail},
};

pub(super) fn sentence(params: &FanOutParams, seen: &Seen) -> Sentence {
    if !params.deadline_is_known() {
        return data_end(params);
    }
    let over = seen.best("over").unwrap_or(0.0);
    // With copies a call is late when the first of its answers is.
    let call_over = truth::hedged(params).beyond(params.deadline_ms);
    let answer_over = truth::leaf(params).beyond(params.deadline_ms);
    let deadline = given(Quantity::Latency, params.deadline_ms);
    let turn = if call_over < over { ", although only " } else { ", and " };
    let share = |it: f64| {
        number(Meaning::Other, given(Quantity::Share, round_to_digits(it, 2)).to_string())
    };
    let mut lead = vec![
        number(Meaning::This, short(Quantity::Share, over).to_string()),
        words(" of requests take over "),
        number(Meaning::Deadline, deadline.to_string()),
        words(turn),
        share(call_over),
    ];
    lead.extend(if params.hedge == Hedge::Off {
        vec![words(" of leaf answers do.")]
    } else {
        vec![
            words(" of calls do: "),
            share(answer_over),
            words(" of leaf answers are so late, and a call takes the first answer of its copies."),
        ]
    });
    let asides = [Some(hedge_aside(params, seen)), requirement(params)];
    Sentence { lead, asides: asides.into_iter().flatten().collect() }
}

/// The data end before the deadline.
fn data_end(params: &FanOutParams) -> Sentence {
    let longest = params.measured().map_or(0.0, |it| it.longest_ms());
    let lead = vec![
        words("The data know of answers up to "),
        number(Meaning::Other, short(Quantity::Latency, longest).to_string()),
        words(", so that nobody can say how many requests take over "),
        number(Meaning::Deadline, given(Quantity::Latency, params.deadline_ms).to_string()),
        words("."),
    ];
    let nearer = format!("deadline_ms={}", round_down(longest));
    let action = Some(("A deadline that they reach".to_owned(), nearer));
    Sentence { lead, asides: vec![Aside { pieces: Vec::new(), action }] }
}

/// To two digits.
fn round_down(ms: f64) -> f64 {
    let rounded = round_to_digits(ms, 2);
    if rounded <= ms { rounded } else { round_to_digits(ms * 0.95, 2) }
}

/// What the other policy would give, and a way to try it.
fn hedge_aside(params: &FanOutParams, seen: &Seen) -> Aside {
    let other = truth::counterpart(params);
    let over = seen.exact.value(truth::OTHER_OVER).unwrap_or(0.0);
    let over = number(Meaning::Hedge, short(Quantity::Share, over).to_string());
    let extra = |hedged: &Hedged| {
        number(Meaning::Hedge, short(Quantity::Share, hedged.extra()).to_string())
    };
    if params.hedge == Hedge::Off {
        let delay = given(Quantity::Latency, other.after);
        let pieces = vec![
            words(format!("A second copy sent after {delay} would make it ")),
            over,
            words(", for "),
            extra(&other),
            words(" more calls."),
        ];
        let changes = format!("hedge=after&hedge_ms={}", other.after);
        return Aside { pieces, action: Some(("Try it".to_owned(), changes)) };
    }
    let pieces = vec![
        words("Without copies it would be "),
        over,
        words("; they are "),
        extra(&truth::hedged(params)),
        words(" more calls."),
    ];
    Aside { pieces, action: Some(("Send none".to_owned(), "hedge=off".to_owned())) }
}

/// What each leaf must hold for the request's p99 to meet the deadline, where leaves alone decide.
fn requirement(params: &FanOutParams) -> Option<Aside> {
    if params.canary > 0 || params.request_delay_ms > 0.0 {
        return None;
    }
    let share = 1.0 - round_to_digits(leaf_tail(0.01, params.needed(), params.fan_out), 4);
    let who = if params.hedge == Hedge::Off {
        "each leaf needs its "
    } else {
        "each leaf, hedged, needs its "
    };
    let deadline = given(Quantity::Latency, params.deadline_ms);
    let pieces = vec![
        words(format!("For the p99 of a request to be within {deadline}, {who}")),
        Piece { meaning: Meaning::Ink, text: percentile(share) },
        words(" within it."),
    ];
    Some(Aside { pieces, action: None })
}

pub(super) fn notes(params: &FanOutParams) -> Vec<String> {
    let drawing = match Drawing::of(params) {
        Drawing::EveryLeaf => {
            "Every leaf of every request is drawn; the exact curves are not used for it."
        }
        Drawing::Deciding => {
            "There are too many leaves to draw each. The answer that a request waits for is drawn as an order \
             statistic of the exact leaf, and only the calls that are copied are drawn one by one."
        }
    };
    let join = match (params.needed() == params.fan_out, params.canaries()) {
        (true, 0) => {
            "Exact: a request waits for the slowest of n leaves, P(T > t) = 1 − (1 − S(t))ⁿ."
        }
        (false, 0) => "Exact: the k-th quickest of n leaves, by the incomplete beta function.",
        _ => "Exact: the canaries' law and that of the other leaves, summed numerically.",
    };
    let mut notes = vec![drawing.to_owned(), join.to_owned()];
    if params.hedge != Hedge::Off {
        notes.push(
            "A copy goes to an independent replica and the first answer counts; with the share that shares a cause \
             the replica does not help. Copies cost no queueing here: their load is counted, not felt."
                .to_owned(),
        );
    }
    notes.extend(params.measured().map(|it| data_note(it)));
    notes.extend(gap(params));
    notes.extend(heavy(params));
    notes
}

fn data_note(data: &Measured) -> String {
    format!(
        "The answers of a leaf are those that were measured, as far as they are known: up to {}. {} answers take \
         longer, nobody knows how long. Here they take for ever, so that a percentile that depends on \
         them is not shown.",
        short(Quantity::Latency, data.longest_ms()),
        one_in(data.unknown()),
    )
}

/// A percentile that falls between quick and slow answers has no one value.
fn gap(params: &FanOutParams) -> Option<String> {
    let constant = params.outlier == Outlier::Constant
        && params.outlier_ms > 10.0 * params.typical_ms
        && params.measured().is_none();
    let falls = [0.9, 0.95, 0.99, 0.999, 0.9999]
        .into_iter()
        .find(|it| (1.0 - it - params.outlier_rate).abs() < 1e-9);
    falls.filter(|_| constant).map(|share| {
        format!(
            "{} leaf answers are slow, so the {} of one leaf lies in the gap between quick and slow: any value there \
             is right, and the interval says so.",
            one_in(params.outlier_rate),
            percentile(share)
        )
    })
}

fn heavy(params: &FanOutParams) -> Option<String> {
    let lomax = params.outlier == Outlier::Lomax
        && params.outlier_rate > 0.0
        && params.outlier_shape <= 1.0;
    lomax.then(|| "A Lomax delay of tail index 1 or less has no mean, so none is shown.".to_owned())
}
