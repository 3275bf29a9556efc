//! What partitions are told in: the sentence that they open with, and the notes below.

use super::PartitionsParams;
use crate::{
    format::{count, short},
    report::{Aside, Meaning, Piece, Quantity, Sentence, number, words},
    scenario::Seen,
};

fn best(seen: &Seen, name: &str, quantity: Quantity, meaning: Meaning) -> Option<Piece> {
    Some(number(meaning, short(quantity, seen.best(name)?).to_string()))
}

pub(super) fn sentence(params: &PartitionsParams, seen: &Seen) -> Sentence {
    // By how much more than the mean.
    let more = |name, meaning| {
        let share = (seen.best(name)? - 1.0).max(0.0);
        Some(number(meaning, short(Quantity::Share, share).to_string()))
    };
    let (dealt, moved) = if params.rebalance {
        (Meaning::Other, Meaning::This)
    } else {
        (Meaning::This, Meaning::Other)
    };
    let partitions = count(u64::from(params.partitions));
    let each = if params.partitions == 1 { "partition" } else { "partitions" };
    let lead = match (more("imbalance", dealt), more("imbalance.rebalanced", moved)) {
        (Some(before), Some(after)) => vec![
            words(format!("With {partitions} {each} a machine, the busiest has ")),
            before,
            words(" more to do than the mean; moving partitions brings that to "),
            after,
            words("."),
        ],
        _ => vec![words(format!(
            "Each of {} machines has {partitions} {each}, and a failed one is back in {} of the time.",
            params.machines,
            short(Quantity::Share, params.recovery()),
        ))],
    };
    let asides = [hot_items(params, seen), moving(params)];
    Sentence { lead, asides: asides.into_iter().flatten().collect() }
}

/// What popular items do, and a way to copy them or not.
fn hot_items(params: &PartitionsParams, seen: &Seen) -> Option<Aside> {
    let share = best(seen, "overloaded.any", Quantity::Share, Meaning::This)?;
    let copied = 0 < params.hot_items && 0 < params.extra_copies;
    let (what, action) = if copied {
        let items = if params.hot_items == 1 { "item has" } else { "items have" };
        let text = format!(
            "The {} most wanted {items} copies on {} more machines each: ",
            params.hot_items,
            params.extra_copies.min(params.running() - 1)
        );
        (text, ("Copy none", "hot_items=0"))
    } else {
        let text = "Each item lies on one machine: ".to_owned();
        (text, ("Copy the ten most wanted", "hot_items=10&extra_copies=2"))
    };
    let mut pieces = vec![words(what), share, words(" of placements overload a machine")];
    // Where hardly any request meets one, the percentiles have their values.
    let met = seen.best("overloaded.requests").filter(|it| 1e-4 <= *it);
    match met {
        Some(met) => pieces.extend([
            words(", whose queue grows for ever. That meets "),
            number(Meaning::Deadline, short(Quantity::Share, met).to_string()),
            words(" of requests: a percentile among these has no limit"),
            words(match too_near(seen, met) {
                Some(label) => format!(", and the {label} is too near to them to be told."),
                None => ".".to_owned(),
            }),
        ]),
        None => pieces.push(words(".")),
    }
    Some(Aside { pieces, action: Some((action.0.to_owned(), action.1.to_owned())) })
}

/// The percentile that has no value, although fewer requests than lie beyond it are seen to meet what has no limit: by
/// the error of that share it may have one or not.
fn too_near<'a>(seen: &Seen<'a>, met: f64) -> Option<&'a str> {
    let mut endless = seen.measures.iter().filter(|it| it.endless);
    let found = endless.find(|it| {
        let percentile = it.label.strip_prefix('p').and_then(|it| it.parse::<f64>().ok());
        percentile.is_some_and(|it| met < 1.0 - it / 100.0)
    });
    found.map(|it| it.label.as_str())
}

fn moving(params: &PartitionsParams) -> Option<Aside> {
    (!params.rebalance).then(|| Aside {
        pieces: vec![words("Partitions stay where they were dealt.")],
        action: Some(("Move them".to_owned(), "rebalance=on".to_owned())),
    })
}

pub(super) fn notes(params: &PartitionsParams) -> Vec<String> {
    let mut notes = vec![
        "Each placement is drawn anew and has fifty requests. A machine is an M/M/1 queue: at load r an answer takes \
         an exponential time with mean s / (1 − r), which is drawn as such."
            .to_owned(),
        "A machine's load is what its partitions bring, relative to the mean, times what its items bring, brought to \
         the mean load. That the two multiply is an assumption."
            .to_owned(),
        "Exact: one of P partitions is 1 / P of a machine's load on average, and the M − 1 others take a failed \
         machine's partitions in ceil(P / (M − 1)) / P of the time that one would take. No closed form is known for \
         the largest load."
            .to_owned(),
        "Percentiles are over all placements. Where a machine is overloaded its queue grows for ever: its requests \
         count as later than any deadline, and a percentile among them has no value. A load may come as near to 1 as \
         it likes, so that there is no mean."
            .to_owned(),
    ];
    if 1.0 <= params.load * f64::from(params.machines) / f64::from(params.running()) {
        notes.push("All machines together are asked for more than they can do.".to_owned());
    }
    notes
}
