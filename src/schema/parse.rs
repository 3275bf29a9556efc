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

    /// Reads what is typed into a box, which shows shares in per cent: a plain number that is too large for a share is
    /// one of these, and so is 1 where it would be all, since nobody who writes 5 for 5 % means that by it.
    ///
    /// # Errors
    /// As [`Kind::parse`].
    pub fn parse_typed(self, text: &str) -> Result<Parsed, Rejected> {
        let plain = pointed(text.trim()).parse::<f64>().ok();
        match (self, plain) {
            (Kind::Share { max, .. }, Some(plain))
                if max < plain || (plain == 1.0 && max == 1.0) =>
            {
                self.parse(&format!("{plain}%"))
            }
            _ => self.parse(text),
        }
    }
}

fn number(text: &str, unit: Unit, share: bool) -> Option<f64> {
    if text.len() > LENGTH_MAX {
        return None;
    }
    let text = pointed(text).replace(['\u{202f}', '\u{2009}', '_'], "").to_ascii_lowercase();
    // A unit may have a stroke of its own: `5 MB/s` is no fraction.
    for separator in ["/", " in "].iter().filter(|_| share || unit == Unit::None) {
        if let Some((over, under)) = text.split_once(separator) {
            let (over, under): (f64, f64) = (over.trim().parse().ok()?, under.trim().parse().ok()?);
            return Some(over / under);
        }
    }
    let digits_end = text
        .char_indices()
        .find(|(at, it)| !is_numeric(*it, &text[..*at]))
        .map_or(text.len(), |(at, _)| at);
    let digits = text[..digits_end].trim();
    let value: f64 = digits.parse().ok()?;
    let factor = factor(text[digits_end..].trim(), unit, share)?;
    Some(shifted(digits, factor).unwrap_or(value * factor))
}

/// With a point where the comma stands for one, and no commas between thousands.
fn pointed(text: &str) -> String {
    text.replace(',', if is_decimal(text) { "." } else { "" })
}

/// Whether a text's comma stands for a point, as in `1,5`: not between thousands, as in `1,500`.
fn is_decimal(text: &str) -> bool {
    let Some((before, after)) = text.split_once(',') else { return false };
    let digits = after.chars().take_while(char::is_ascii_digit).count();
    !after.contains([',', '.']) && !before.contains('.') && (digits != 3 || before.trim() == "0")
}

/// The number times a whole power of ten, read as if it had been written so: `5.6%` is the very .056 that
/// `0.056` is, where a multiplication would leave a trace in the last digit.
fn shifted(digits: &str, factor: f64) -> Option<f64> {
    let exponent = libm::log10(factor);
    let whole = (exponent - exponent.round()).abs() < 1e-9;
    if whole && !digits.contains('e') {
        format!("{digits}e{}", exponent.round()).parse().ok()
    } else {
        None
    }
}

/// Whether a character goes on a number: `e` does only after a digit.
fn is_numeric(it: char, before: &str) -> bool {
    let exponent = it == 'e' && before.ends_with(|last: char| last.is_ascii_digit() || last == '.');
    let sign = (it == '-' || it == '+') && (before.is_empty() || before.ends_with('e'));
    it.is_ascii_digit() || it == '.' || exponent || sign
}

/// What a suffix multiplies by, in terms of the parameter's own unit.
fn factor(suffix: &str, unit: Unit, share: bool) -> Option<f64> {
    let to_ms = |suffix: &str| match suffix {
        "ns" => Some(1e-6),
        "us" | "µs" | "μs" => Some(1e-3),
        "ms" => Some(1.0),
        "s" => Some(1e3),
        "min" | "m" => Some(6e4),
        "h" => Some(3.6e6),
        _ => None,
    };
    match (suffix, unit) {
        ("", _) => Some(1.0),
        ("%", Unit::None) if share => Some(0.01),
        ("k", Unit::None) if !share => Some(1e3),
        (_, Unit::Milliseconds) => to_ms(suffix),
        (_, Unit::Microseconds) => to_ms(suffix).map(|it| it * 1e3),
        (_, Unit::Seconds) => to_ms(suffix).map(|it| it / 1e3),
        _ => suffix.eq_ignore_ascii_case(unit.symbol()).then_some(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Scale;

    const SHARE: Kind = Kind::Share { min: 0.0, max: 1.0, scale: Scale::Linear };
    const NUMBER: Kind =
        Kind::Number { min: 0.0, max: 1e6, scale: Scale::Linear, unit: Unit::Milliseconds };

    #[test]
    fn a_comma_is_a_point_or_stands_between_thousands() {
        for (text, value) in [
            ("1,5", 1.5),
            ("0,25", 0.25),
            ("0,125", 0.125),
            ("1,500", 1500.0),
            ("1,234,567", 1e6),
            ("1,5 s", 1500.0),
        ] {
            assert_eq!(NUMBER.parse(text).unwrap().value, value, "{text}");
        }
    }

    #[test]
    fn a_plain_number_beyond_a_share_is_in_per_cent() {
        let typed = |text: &str| SHARE.parse_typed(text).unwrap();
        for (text, value) in [
            ("50", 0.5),
            ("7", 0.07),
            ("0.5", 0.5),
            ("1", 0.01),
            ("100", 1.0),
            ("12.5", 0.125),
            ("50%", 0.5),
        ] {
            assert_eq!(typed(text), Parsed { value, moved: false }, "{text}");
        }
        assert!(typed("120").moved);
        assert_eq!(typed("1,5"), typed("1.5"));
        assert_eq!(typed("1,0"), typed("1"));
        assert_eq!(typed("0,5"), typed("0.5"));
        // A load of 1 is no rarity, and more is one too.
        let load = Kind::Share { min: 0.0, max: 1.2, scale: Scale::Linear };
        assert_eq!(load.parse_typed("1").map(|it| it.value), Ok(1.0));
        assert!(SHARE.parse("50").unwrap().moved, "a link means what it says");
    }
}
