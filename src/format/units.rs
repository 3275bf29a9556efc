//! The unit that fits.

use crate::report::Quantity;
use crate::special::round_to_digits;

/// Where the number stands, and so where one unit gives way to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// Beside its like: `1,009 ms`, since `1 s` would hide what differs.
    Readout,
    /// Alone, in few characters: `1 s`.
    Prose,
    /// On an axis, whose steps are decimal, as minutes are not.
    Axis,
}

/// A raw value in the unit it is shown in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scaled {
    pub(super) value: f64,
    /// What raw values are multiplied by.
    pub(super) factor: f64,
    pub(super) unit: &'static str,
}

/// Each unit of time, how many milliseconds it has, and up to how many milliseconds it serves.
const TIMES: [(&str, f64, f64); 8] = [
    ("ns", 1e-6, 1e-3),
    ("µs", 1e-3, 1.0),
    ("ms", 1.0, 1e3),
    ("s", 1e3, 1.2e5),
    ("min", 6e4, 7.2e6),
    ("h", 3.6e6, 1.728e8),
    ("days", 8.64e7, 6.311_52e10),
    ("years", 3.155_76e10, f64::INFINITY),
];

/// Where seconds stand among them.
const SECONDS: usize = 3;

/// In a readout milliseconds serve up to ten seconds.
const READOUT_MS_MAX: f64 = 1e4;

pub(super) fn scaled(quantity: Quantity, value: f64, fit: Fit) -> Scaled {
    let (factor, unit) = match quantity {
        Quantity::Latency => time(value, fit),
        // Up to ten minutes, as benchmarks are told in them.
        Quantity::Seconds if (1.0..600.0).contains(&round_to_digits(value.abs(), 3)) => (1.0, "s"),
        Quantity::Seconds => {
            // What is timed in seconds starts at nothing more often than at nanoseconds.
            let (per_ms, unit) = time(if value == 0.0 { 1e3 } else { value * 1e3 }, fit);
            (per_ms * 1e3, unit)
        }
        Quantity::Share => (100.0, "%"),
        Quantity::Rate => (1.0, "/s"),
        Quantity::Throughput => (1.0, "MB/s"),
        Quantity::Count | Quantity::Percentile | Quantity::Plain => (1.0, ""),
    };
    Scaled { value: value * factor, factor, unit }
}

/// The factor from milliseconds, and the unit. Nothing at all is `0 ms`.
fn time(ms: f64, fit: Fit) -> (f64, &'static str) {
    let size = round_to_digits(ms.abs(), 3);
    if size == 0.0 || (fit == Fit::Readout && 1.0 <= size && ms.abs() < READOUT_MS_MAX) {
        return (1.0, "ms");
    }
    let times = if fit == Fit::Axis { &TIMES[..=SECONDS] } else { &TIMES[..] };
    let (unit, ms, _) = times.iter().find(|it| size < it.2).unwrap_or(&times[times.len() - 1]);
    // Whole powers of ten are divided exactly; their reciprocals are not exact.
    (1.0 / ms, unit)
}

/// A text in which numbers and their units never stand on two lines.
pub fn kept_together(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for word in text.split(' ') {
        let counted = kept.ends_with(|it: char| it.is_ascii_digit());
        let plain = word.trim_end_matches(|it: char| ".,;:?!)".contains(it));
        let unit = matches!(plain, "%" | "/s" | "MB/s" | "kB" | "MB" | "GB")
            || TIMES.iter().any(|it| it.0 == plain);
        if !kept.is_empty() {
            kept.push(if counted && unit { super::THIN } else { ' ' });
        }
        kept.push_str(word);
    }
    kept
}
