//! Every number shown passes here, so that it has one unit, one form, and no digit that it has not earned.
//!
//! Knows only what kind of quantity or parameter a number is (`report`, `schema`).
//!
//! | for | function |
//! |---|---|
//! | a value with its ±, in a readout or a table | [`reading`], [`cell`] |
//! | a value in a sentence, a label, a caption | [`short`] |
//! | a number that somebody chose: a deadline, a delay | [`given`] |
//! | A against B | [`difference`] |
//! | an axis | [`ticks`], [`bare`] |
//! | number boxes and slider scales | [`in_box`], [`on_scale`] |
//! | a text that was written by hand | [`kept_together`] |

mod boxes;
mod digits;
mod units;

#[cfg(test)]
mod tests;

pub use boxes::{in_box, on_scale};
pub use units::kept_together;

use crate::report::{AxisScale, Cell, Quantity};
use crate::special::round_to_digits;
use digits::{decimals_for, exponent, fixed, margin_decimals, trimmed};
use units::{Fit, Scaled};

/// Between a number and its unit, which never stand on two lines.
pub const THIN: char = '\u{202f}';

/// What is shown where nothing is known.
pub const MISSING: &str = "–";

/// A number as it is shown. The two parts are apart because a readout sets the unit smaller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub number: String,
    /// Empty where there is none.
    pub unit: &'static str,
}

/// A value and how far it may be off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    pub value: Written,
    /// In the value's unit: `± 0.02`. Empty while it is not known, and where `value` is itself an interval.
    pub margin: String,
    /// Whether `value` is an interval: `35 to 1,003`.
    pub between: bool,
}

/// Beyond this a share is told in words, unless so little is missing, in per cent, that it is the whole.
const MANY_NINES: f64 = 0.999_99;
const WHOLE: f64 = 1e-7;

/// What rounding leaves, relative to a value.
const ROUNDING: f64 = 1e-9;

/// Enough of a text of somebody else to know it again.
pub fn shorten(text: &str, chars_max: usize) -> String {
    if text.chars().count() <= chars_max {
        return text.to_owned();
    }
    text.chars().take(chars_max - 1).chain(['…']).collect()
}

/// A value with its 95 % interval: never more digits than the ± allows, nor more than are read at a glance.
/// What is known only to lie between two distant values is written as these; where there is no telling how high it may
/// be, its low end stands for the ±.
pub fn reading(
    quantity: Quantity,
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
) -> Reading {
    let reading = measured(quantity, value, low.zip(high), 3);
    match (value, low, high) {
        (Some(value), Some(low), None) if value.is_finite() && 0.0 < low && low < value => {
            let low = low * units::scaled(quantity, value, Fit::Readout).factor;
            let low = trimmed(low, decimals_for(low, 3).max(0));
            Reading { margin: format!("≥ {low}"), ..reading }
        }
        _ => reading,
    }
}

/// A value in a table, where there is room for every digit that the ± allows.
pub fn cell(cell: &Cell) -> Reading {
    match cell {
        Cell::Text(text) => plain(text.clone()),
        Cell::Number { value, interval, quantity } => {
            measured(*quantity, Some(*value), *interval, if interval.is_some() { 5 } else { 4 })
        }
        Cell::Between { low, high, quantity } => between(*quantity, *low, *high),
        Cell::Empty => plain(MISSING.to_owned()),
    }
}

/// Any value from `low` to `high`.
pub fn between(quantity: Quantity, low: f64, high: f64) -> Reading {
    if !low.is_finite() || !high.is_finite() {
        return plain(MISSING.to_owned());
    }
    let to = units::scaled(quantity, high, Fit::Readout);
    let from = low * to.factor;
    let end = |value: f64| trimmed(value, (1 - exponent(value)).max(0));
    // A low end that would be nothing in the unit of the high one keeps its own.
    let from = if 0.0 < from && from < 0.01 && quantity == Quantity::Latency {
        short(quantity, low).to_string()
    } else {
        end(from)
    };
    let number = format!("{from} to {}", end(to.value));
    Reading { value: Written { number, unit: to.unit }, margin: String::new(), between: true }
}

/// How much more B has than A, in the unit in which `beside` is written: `−970.0` and `± 0.03`.
pub fn difference(quantity: Quantity, by: f64, margin: Option<f64>, beside: f64) -> Reading {
    if !by.is_finite() {
        return plain(MISSING.to_owned());
    }
    let Scaled { factor, unit, .. } = units::scaled(quantity, beside, Fit::Readout);
    let (by, margin) = (by * factor, margin.filter(|it| it.is_finite()).map(|it| it * factor));
    let decimals = match margin {
        Some(margin) if margin > 0.0 => margin_decimals(margin).min(decimals_for(by, 4).max(0)),
        _ => decimals_for(by, 3).max(0),
    };
    let text = fixed(by, decimals);
    let nothing = !text.contains(|it: char| ('1'..='9').contains(&it));
    let number = if by > 0.0 && !nothing { format!("+{text}") } else { text };
    Reading {
        value: Written { number, unit },
        margin: margin.map_or_else(String::new, plus_minus),
        between: false,
    }
}

/// A measured value in prose: `63.4 %`, `1.0 %`, `0.02 %`, `12.3 ms`, `1.2 s`.
pub fn short(quantity: Quantity, value: f64) -> Written {
    if let Some(words) = in_words(quantity, value) {
        return words;
    }
    if let Some(words) = nearly_all(quantity, value, value) {
        return words;
    }
    let scaled = units::scaled(quantity, value, Fit::Prose);
    let number = match exponent(round_to_digits(scaled.value, 2)) {
        _ if quantity == Quantity::Count || scaled.value == 0.0 => fixed(scaled.value, 0),
        // Trailing zeros far behind the point would only look precise.
        small if small < 0 => trimmed(scaled.value, 1 - small),
        0 | 1 => fixed(scaled.value, near_whole(quantity, value).max(1)),
        _ => fixed(scaled.value, near_whole(quantity, value)),
    };
    Written { number, unit: scaled.unit }
}

/// A number that somebody chose, with the digits it was given: `1 s`, `30 ms`, `2.5 %`.
pub fn given(quantity: Quantity, value: f64) -> Written {
    if let Some(words) = in_words(quantity, value) {
        return words;
    }
    let scaled = units::scaled(quantity, value, Fit::Prose);
    Written {
        number: trimmed(scaled.value, decimals_for(scaled.value, 6).max(0)),
        unit: scaled.unit,
    }
}

/// A value without its unit, in the one that `beside` is written in.
pub fn bare(quantity: Quantity, value: f64, beside: f64) -> String {
    let value = value * units::scaled(quantity, beside, Fit::Prose).factor;
    trimmed(value, decimals_for(value, 6).max(0))
}

/// `523,000`.
pub fn count(count: u64) -> String {
    digits::grouped(&count.to_string())
}

/// The name of a percentile: .9998995 is `p99.98995`.
pub fn percentile(share: f64) -> String {
    if share.is_finite() { format!("p{}", trimmed(share * 100.0, 10)) } else { MISSING.to_owned() }
}

/// What somebody chose or published, in the unit in which `beside` is read: `1,800 ms` beside `1,737 ms`.
pub fn given_beside(quantity: Quantity, value: f64, beside: f64) -> Written {
    if let Some(words) = in_words(quantity, value) {
        return words;
    }
    let Scaled { factor, unit, .. } = units::scaled(quantity, beside, Fit::Readout);
    let value = value * factor;
    Written { number: trimmed(value, decimals_for(value, 6).max(0)), unit }
}

/// A share as a rate of accidents: `1 in 10,000`; per cent where that says more.
pub fn one_in(share: f64) -> String {
    if !(0.0 < share && share <= 0.1) {
        return given(Quantity::Share, share).to_string();
    }
    let times = 1.0 / share;
    format!("1 in {}", trimmed(times, decimals_for(times, 3).min(0)))
}

/// How far a value may be off, relative to itself: `± 0.8 %`.
pub fn relative_margin(value: f64, low: f64, high: f64) -> String {
    let margin = (value - low).max(high - value) / value.abs() * 100.0;
    if margin.is_finite() {
        format!("{}{THIN}%", plus_minus(margin.max(0.0)))
    } else {
        MISSING.to_owned()
    }
}

/// The labels of an axis. The unit stands once: at the first tick of a logarithmic axis, at the last of a
/// linear one or of shares; ticks in another unit (`1 s` after `500`) always carry theirs.
pub fn ticks(quantity: Quantity, scale: AxisScale, ticks: &[f64]) -> Vec<String> {
    let Some((first, last)) = ticks.first().zip(ticks.last()) else { return Vec::new() };
    if quantity == Quantity::Percentile {
        return ticks.iter().map(|it| percentile(*it)).collect();
    }
    let timed = matches!(quantity, Quantity::Latency | Quantity::Seconds);
    let mixed = timed && scale == AxisScale::Log;
    let at_last = !mixed;
    let one = if mixed { *first } else { last.abs().max(first.abs()) };
    let one = units::scaled(quantity, one, Fit::Axis);
    let at = if at_last { ticks.len() - 1 } else { 0 };
    let label = |(index, value): (usize, &f64)| {
        let own = if mixed { units::scaled(quantity, *value, Fit::Axis) } else { one };
        let number = trimmed(value * own.factor, decimals_for(value * own.factor, 6).max(0));
        if own.unit.is_empty() || (own.unit == one.unit && index != at) {
            number
        } else {
            format!("{number}{THIN}{}", own.unit)
        }
    };
    ticks.iter().enumerate().map(label).collect()
}

impl std::fmt::Display for Written {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.unit.is_empty() {
            f.write_str(&self.number)
        } else {
            write!(f, "{}{THIN}{}", self.number, self.unit)
        }
    }
}

impl std::fmt::Display for Reading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.value)?;
        if self.margin.is_empty() { Ok(()) } else { write!(f, " {}", self.margin) }
    }
}

/// A value with at most so many significant digits, though the whole part of a number stays whole.
fn measured(
    quantity: Quantity,
    value: Option<f64>,
    interval: Option<(f64, f64)>,
    digits: i32,
) -> Reading {
    let Some(value) = value else { return plain(MISSING.to_owned()) };
    if let Some(value) = in_words(quantity, value) {
        return Reading { value, ..Reading::default() };
    }
    let interval = interval.filter(|(low, high)| low.is_finite() && high.is_finite());
    if let Some(words) = nearly_all(quantity, value, interval.map_or(value, |it| it.0)) {
        return Reading { value: words, ..Reading::default() };
    }
    if let Some((low, high)) = interval.filter(|it| is_wide(value, *it)) {
        return between(quantity, low, high);
    }
    let Scaled { value: shown, factor, unit } = units::scaled(quantity, value, Fit::Readout);
    let decimals = decimals_for(shown, digits).max(near_whole(quantity, value)).max(0);
    let margin = interval.map(|(low, high)| (value - low).max(high - value) * factor);
    // What sums leave in their last bits is no error of the value.
    let margin = margin.filter(|it| *it > ROUNDING * shown.abs());
    let number = match margin {
        Some(margin) => fixed(shown, decimals.min(margin_decimals(margin))),
        None if quantity == Quantity::Count || shown == 0.0 => fixed(shown, 0),
        None => fixed(shown, decimals),
    };
    let margin = margin.map_or_else(String::new, plus_minus);
    Reading { value: Written { number, unit }, margin, between: false }
}

/// Whether an interval says more than a value and a ±: wider than half the value, or lopsided over a gap.
fn is_wide(value: f64, (low, high): (f64, f64)) -> bool {
    let (below, above) = ((value - low).max(0.0), (high - value).max(0.0));
    let (wide, gap) = (0.5 * value.abs(), 0.05 * value.abs());
    let lopsided = below.max(above) > 3.0 * below.min(above);
    below + above > wide || (lopsided && below + above > gap)
}

/// A margin with one significant digit, or two where the first is 1.
fn plus_minus(margin: f64) -> String {
    format!("± {}", fixed(margin, margin_decimals(margin)))
}

/// The decimals that a share needs so as not to be rounded to the whole: .9998 is `99.98 %`, not `100 %`.
fn near_whole(quantity: Quantity, value: f64) -> i32 {
    let rest = (1.0 - value) * 100.0;
    if quantity == Quantity::Share && WHOLE < rest && rest < 10.0 {
        decimals_for(rest, 1).clamp(1, 3)
    } else {
        0
    }
}

/// A share of which nobody would count the nines: `over 99.999 %`, where it is known to be that much at the least.
fn nearly_all(quantity: Quantity, value: f64, low: f64) -> Option<Written> {
    let known = quantity == Quantity::Share && MANY_NINES < low.min(value);
    let whole = (1.0 - value).abs() * 100.0 <= WHOLE;
    let words = || Written { number: "over 99.999".to_owned(), unit: "%" };
    (known && value < 1.0 && !whole).then(words)
}

/// Values that have no digits.
fn in_words(quantity: Quantity, value: f64) -> Option<Written> {
    let words = |text: &str| Some(Written { number: text.to_owned(), unit: "" });
    match quantity {
        _ if value.is_nan() => words(MISSING),
        _ if value.is_infinite() => words("no limit"),
        Quantity::Percentile => words(&percentile(value)),
        // Further zeros would have to be counted.
        Quantity::Share if 0.0 < value && value < 1e-6 => words(&one_in(value)),
        _ => None,
    }
}

fn plain(number: String) -> Reading {
    Reading { value: Written { number, unit: "" }, ..Reading::default() }
}
