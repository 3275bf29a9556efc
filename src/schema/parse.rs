//! Reads what people type: `200`, `1/100`, `1 in 100`, `1%`, `1e-3`, `20ms`, `1 s`, `after`.

use super::{Kind, Unit};

/// A value that could be read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parsed {
    pub value: f64,
    /// Whether it had to be brought into range, or to a whole number.
    pub moved: bool,
}

/// Why a text is no value, in words that follow the key: `is not a number`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected(pub String);

/// Longer texts are no number that anybody typed.
const LENGTH_MAX: usize = 64;

impl Kind {
    /// Reads a text in a link or a number box.
    ///
    /// # Errors
    /// Says in words why the text is no value of this kind.
    pub fn parse(self, text: &str) -> Result<Parsed, Rejected> {
        let text = text.trim();
        if let Some(choices) = self.choices() {
            let found =
                choices.iter().position(|it| it.key == text || it.label.eq_ignore_ascii_case(text));
            let names: Vec<&str> = choices.iter().map(|it| it.key).collect();
            return found
                .map(|it| Parsed { value: it as f64, moved: false })
                .ok_or_else(|| Rejected(format!("is not one of {}", names.join(", "))));
        }
        let (unit, example) = match self {
            Kind::Number { unit, .. } => (unit, "2.5"),
            Kind::Share { .. } => (Unit::None, "1%, 1/100 or 0.01"),
            _ => (Unit::None, "100"),
        };
        let value =
            number(text, unit, matches!(self, Kind::Share { .. })).filter(|it| it.is_finite());
        let value = value.ok_or_else(|| Rejected(format!("is not a number such as {example}")))?;
        let clamped = self.clamp(value);
        Ok(Parsed { value: clamped, moved: clamped != value })
    }
}

fn number(text: &str, unit: Unit, share: bool) -> Option<f64> {
    if text.len() > LENGTH_MAX {
        return None;
    }
    let text = text.replace([',', '\u{2009}', '_'], "").to_lowercase();
    for separator in ["/", " in "] {
        if let Some((over, under)) = text.split_once(separator) {
            let (over, under): (f64, f64) = (over.trim().parse().ok()?, under.trim().parse().ok()?);
            return (share || unit == Unit::None).then_some(over / under);
        }
    }
    let digits_end = text
        .char_indices()
        .find(|(at, it)| !is_numeric(*it, &text[..*at]))
        .map_or(text.len(), |(at, _)| at);
    let value: f64 = text[..digits_end].trim().parse().ok()?;
    let (times, over) = factor(text[digits_end..].trim(), unit, share)?;
    Some(value * times / over)
}

/// Whether a character goes on a number: `e` does only after a digit.
fn is_numeric(it: char, before: &str) -> bool {
    let exponent = it == 'e' && before.ends_with(|last: char| last.is_ascii_digit() || last == '.');
    let sign = (it == '-' || it == '+') && (before.is_empty() || before.ends_with('e'));
    it.is_ascii_digit() || it == '.' || exponent || sign
}

/// What a suffix multiplies by and divides by, in terms of the parameter's own unit. Whole numbers both, so that
/// `95%` is .95 to the last bit.
fn factor(suffix: &str, unit: Unit, share: bool) -> Option<(f64, f64)> {
    let nanoseconds = |suffix: &str| match suffix {
        "ns" => Some(1.0),
        "us" | "µs" | "μs" => Some(1e3),
        "ms" => Some(1e6),
        "s" => Some(1e9),
        "min" | "m" => Some(6e10),
        "h" => Some(3.6e12),
        _ => None,
    };
    let own = match unit {
        Unit::Microseconds => 1e3,
        Unit::Milliseconds => 1e6,
        Unit::Seconds => 1e9,
        _ => 0.0,
    };
    match (suffix, unit) {
        ("", _) => Some((1.0, 1.0)),
        ("%", Unit::None) if share => Some((1.0, 100.0)),
        ("k", Unit::None) if !share => Some((1e3, 1.0)),
        _ if own > 0.0 => {
            nanoseconds(suffix).map(|it| if own < it { (it / own, 1.0) } else { (1.0, own / it) })
        }
        _ => suffix.eq_ignore_ascii_case(unit.symbol()).then_some((1.0, 1.0)),
    }
}
