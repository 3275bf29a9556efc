//! What number boxes and slider scales say of a parameter's value.

use super::digits::{grouped, trimmed};
use super::{THIN, Written, given, one_in};
use crate::report::Quantity;
use crate::schema::{Kind, Unit};

/// The value in a number box. Typed back, with its unit or without, it is the same value.
///
/// A share carries its `%` within the number: `5 %` without it would be five.
pub fn in_box(kind: Kind, value: f64) -> Written {
    let value = kind.clamp(value);
    match kind {
        Kind::Choice(choices) => bare(choices[value as usize].label),
        Kind::Toggle => bare(kind.choices().map_or("", |it| it[value as usize].label)),
        Kind::Count { .. } => bare(&plain_number(value)),
        Kind::Number { unit, .. } => Written { number: plain_number(value), unit: unit.symbol() },
        Kind::Share { .. } => {
            let reads_back = |text: &String| kind.parse(text).is_ok_and(|it| it.value == value);
            let forms = share_forms(value);
            let form = forms.into_iter().find(reads_back);
            bare(&form.unwrap_or_else(|| value.to_string()))
        }
    }
}

/// The value below a slider: `10 µs`, `1 in 10,000`, `half`, `1,000`.
pub fn on_scale(kind: Kind, value: f64) -> String {
    match kind {
        Kind::Share { .. } if value == 0.0 => "0".to_owned(),
        Kind::Share { .. } if value == 0.5 => "half".to_owned(),
        Kind::Share { .. } => one_in(value),
        Kind::Number { unit, .. } => match unit {
            _ if value == 0.0 => "0".to_owned(),
            Unit::Microseconds => given(Quantity::Latency, value / 1e3).to_string(),
            Unit::Milliseconds => given(Quantity::Latency, value).to_string(),
            Unit::Seconds => given(Quantity::Seconds, value).to_string(),
            _ => in_box(kind, value).to_string(),
        },
        _ => in_box(kind, value).to_string(),
    }
}

/// How a share may be written, the best first.
fn share_forms(share: f64) -> Vec<String> {
    let mut forms = Vec::new();
    let times = (1.0 / share).round();
    if 10.0 <= times && times <= 1e9 {
        forms.push(format!("1 in {}", plain_number(times)));
    }
    forms.extend((0..=12).map(|decimals| format!("{}{THIN}%", trimmed(share * 100.0, decimals))));
    forms
}

/// All its digits.
fn plain_number(value: f64) -> String {
    let text = value.abs().to_string();
    // A box holds no more; the form with an exponent is shorter and reads back as well.
    let text = if text.len() > 18 { format!("{:e}", value.abs()) } else { grouped(&text) };
    if value < 0.0 { format!("-{text}") } else { text }
}

fn bare(number: &str) -> Written {
    Written { number: number.to_owned(), unit: "" }
}
