//! Numbers and times as tools write them.

use super::TimeUnit;

/// `12.5`, `1e-3`, `4,399.8`, and where it can mean nothing else `12,5`. No infinity, no NaN.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = text.trim().trim_matches('"');
    if text.is_empty() || 64 < text.len() {
        return None;
    }
    let plain = if text.contains(',') { without_commas(text)? } else { text.to_owned() };
    // Rust reads `inf` and `nan`, which are no numbers here.
    let first = plain.trim_start_matches(['-', '+']).chars().next()?;
    let value: f64 = (first.is_ascii_digit() || first == '.').then(|| plain.parse().ok())??;
    value.is_finite().then_some(value)
}

/// Commas part thousands where groups of three follow each; one comma with any other digits after it is a point.
fn without_commas(text: &str) -> Option<String> {
    let whole = text.split('.').next().unwrap_or_default();
    let mut groups = whole.trim_start_matches(['-', '+']).split(',');
    let head = groups.next().unwrap_or_default();
    let thousands = (1..=3).contains(&head.len())
        && head != "0"
        && groups.all(|it| it.len() == 3 && it.bytes().all(|it| it.is_ascii_digit()));
    if thousands {
        return Some(text.replace(',', ""));
    }
    (text.matches(',').count() == 1 && !text.contains('.')).then(|| text.replace(',', "."))
}

/// Milliseconds: `53.31us`, `0.90m`, `1m2.5s`, `36.00s`. A unit must be there.
pub(super) fn span_ms(text: &str) -> Option<f64> {
    let mut rest = text.trim();
    let (mut total, mut any) = (0.0, false);
    while !rest.is_empty() {
        let end = rest.find(|it: char| !it.is_ascii_digit() && it != '.')?;
        let value = number(&rest[..end])?;
        rest = rest[end..].trim_start();
        let stop = rest.find(|it: char| it.is_ascii_digit() || it == '.').unwrap_or(rest.len());
        total += value * TimeUnit::of(rest[..stop].trim())?.ms();
        rest = &rest[stop..];
        any = true;
    }
    any.then_some(total)
}

/// The number before a `%`, as a share.
pub(super) fn share(text: &str) -> Option<f64> {
    let value = number(text.trim().strip_suffix('%')?)?;
    (0.0 <= value && value <= 100.0).then_some(value / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for (text, value) in [
            ("12.5", 12.5),
            ("\"3\"", 3.0),
            ("4,399.8", 4_399.8),
            ("1,234,567", 1_234_567.0),
            ("12,5", 12.5),
            ("0,125", 0.125),
            ("1e-3", 1e-3),
            (".5", 0.5),
            ("-2", -2.0),
        ] {
            assert_eq!(number(text), Some(value), "{text}");
        }
        for text in ["", "-", "nan", "-nan", "inf", "N/A", "1,2,3", "12ms", "1e999", "---"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn times_carry_their_unit() {
        for (text, ms) in [
            ("53.31us", 0.05331),
            ("1m2.5s", 62_500.0),
            ("0.90m", 54_000.0),
            ("2h", 7_200_000.0),
            ("120ns", 0.00012),
            ("5 µs", 0.005),
            ("90.5ms", 90.5),
        ] {
            assert!((span_ms(text).unwrap_or(-1.0) / ms - 1.0).abs() < 1e-12, "{text}");
        }
        for text in ["", "5", "ms", "5 apples", "-nanus", "5ms6"] {
            assert_eq!(span_ms(text), None, "{text}");
        }
    }
}
