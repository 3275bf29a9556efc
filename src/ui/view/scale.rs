//! The marks and numbers below a slider.

use crate::{
    format::on_scale,
    schema::{Kind, Scale},
};

#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// 0 to 1 along the slider.
    pub at: f64,
    /// Empty where there is no room.
    pub label: String,
}

/// The width of a slider, and of a character below it, in pixels.
const TRAVEL: f64 = 256.0;
const CHARACTER: f64 = 6.2;
const GAP: f64 = 10.0;

/// Decades, with numbers where they do not touch. Sliders that are not logarithmic have none.
pub fn ticks(kind: Kind) -> Vec<Tick> {
    let (min, max) = kind.range();
    let from = match kind {
        Kind::Count { scale, .. } | Kind::Share { scale, .. } | Kind::Number { scale, .. } => {
            match scale {
                Scale::Linear => return Vec::new(),
                Scale::Log => min,
                Scale::LogFrom(least) => least,
            }
        }
        Kind::Choice(_) | Kind::Toggle => return Vec::new(),
    };
    let mut values = vec![min];
    let mut exponent = libm::floor(libm::log10(from)) as i32;
    loop {
        let value = libm::pow(10.0, f64::from(exponent));
        exponent += 1;
        // What is nearly at an end would only blur it.
        if max * 0.999 < value {
            break;
        }
        if from * 1.001 < value || (from * 0.999 < value && min < from) {
            values.push(value);
        }
    }
    values.push(max);
    label(kind, &values)
}

/// Labels both ends, then as many of the others, evenly chosen, as fit between.
fn label(kind: Kind, values: &[f64]) -> Vec<Tick> {
    let texts: Vec<String> = values.iter().map(|it| on_scale(kind, *it)).collect();
    let last = values.len() - 1;
    let apart = |left: usize, right: usize| {
        edges(kind, values, &texts, left).1 + GAP <= edges(kind, values, &texts, right).0
    };
    let shown = |every: usize| -> Vec<usize> {
        let between = (1..last).filter(|at| at.is_multiple_of(every) && apart(*at, last));
        std::iter::once(0).chain(between).chain([last]).collect()
    };
    let fits = |every: &usize| shown(*every).windows(2).all(|it| apart(it[0], it[1]));
    let shown = shown((1..=last).find(fits).unwrap_or(last.max(1)));
    let tick = |(at, text): (usize, String)| Tick {
        at: kind.position(values[at]),
        label: if shown.contains(&at) { text } else { String::new() },
    };
    texts.into_iter().enumerate().map(tick).collect()
}

/// From where to where a label reaches: the first starts at its tick, the last ends at its, others stand across.
fn edges(kind: Kind, values: &[f64], texts: &[String], at: usize) -> (f64, f64) {
    let width = texts[at].chars().count() as f64 * CHARACTER;
    let middle = kind.position(values[at]) * TRAVEL;
    if at == 0 {
        (middle, middle + width)
    } else if at == values.len() - 1 {
        (middle - width, middle)
    } else {
        (middle - width / 2.0, middle + width / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{scenario::SCENARIOS, schema::Unit};

    #[track_caller]
    fn check(kind: Kind, expected: &str) {
        let labels: Vec<String> = ticks(kind).into_iter().map(|it| it.label).collect();
        assert_eq!(labels.join("|"), expected);
    }

    #[test]
    fn decades_have_numbers_where_there_is_room() {
        check(Kind::Count { min: 1, max: 10_000, scale: Scale::Log }, "1|10|100|1,000|10,000");
        let ms = |min, max, scale| Kind::Number { min, max, scale, unit: Unit::Milliseconds };
        check(
            ms(0.01, 10_000.0, Scale::Log),
            "10\u{202f}µs||1\u{202f}ms||100\u{202f}ms||10\u{202f}s",
        );
        check(ms(0.0, 10.0, Scale::Linear), "");
        // The last decade would touch the end.
        check(Kind::Count { min: 1, max: 200, scale: Scale::Log }, "1|10||200");
    }

    #[test]
    fn labels_stand_in_order_and_apart_everywhere() {
        for field in SCENARIOS.iter().flat_map(|it| it.fields) {
            let ticks = ticks(field.kind);
            assert!(ticks.is_sorted_by(|a, b| a.at < b.at), "{}: {ticks:?}", field.key);
            if let (Some(first), Some(last)) = (ticks.first(), ticks.last()) {
                assert!(!first.label.is_empty() && !last.label.is_empty(), "{}", field.key);
            }
        }
    }
}
