//! Digits: how many, and with which marks between them.

use crate::special::round_to_digits;

/// Beyond this a number is written with an exponent: nobody counts its commas.
const GROUPED_MAX: f64 = 1e15;

/// The most decimals that are ever written.
const DECIMALS_MAX: i32 = 12;

/// The power of ten of the first digit, once rounded to three: 9.996 counts as 10.
pub(super) fn exponent(value: f64) -> i32 {
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    libm::floor(libm::log10(round_to_digits(value, 3).abs())) as i32
}

/// The decimals that make so many significant digits; negative where whole digits are to be rounded away.
pub(super) fn decimals_for(value: f64, digits: i32) -> i32 {
    digits - 1 - exponent(value)
}

/// One significant digit, or two where the first is 1, since rounding that would say too little.
pub(super) fn margin_decimals(margin: f64) -> i32 {
    let decimals = decimals_for(margin, 2);
    let two = round_to_digits(margin, 2) * power_of_ten(decimals);
    let decimals = if two < 19.5 { decimals } else { decimals_for(round_to_digits(margin, 1), 1) };
    decimals.clamp(-DECIMALS_MAX, DECIMALS_MAX)
}

/// With so many decimals, and commas between thousands. A negative count rounds to tens, hundreds, ...
pub(super) fn fixed(value: f64, decimals: i32) -> String {
    if !value.is_finite() {
        return super::MISSING.to_owned();
    }
    if value.abs() >= GROUPED_MAX {
        return format!("{value:.2e}").replace('-', "−");
    }
    let (value, decimals) = if decimals < 0 {
        let power = power_of_ten(-decimals);
        ((value / power).round() * power, 0)
    } else {
        (value, decimals.min(DECIMALS_MAX))
    };
    let text = plain(value.abs(), decimals as usize);
    let nothing = !text.contains(|it: char| ('1'..='9').contains(&it));
    let sign = if value < 0.0 && !nothing { "−" } else { "" };
    format!("{sign}{}", grouped(&text))
}

/// Digits alone. Whole numbers, as most of an axis are, go the short way: floating-point ones are written with care.
fn plain(value: f64, decimals: usize) -> String {
    if value.trunc() != value {
        return format!("{value:.decimals$}");
    }
    let mut text = (value as u64).to_string();
    if 0 < decimals {
        text.push('.');
        text.extend(std::iter::repeat_n('0', decimals));
    }
    text
}

/// The same without zeros at the end.
pub(super) fn trimmed(value: f64, decimals: i32) -> String {
    let text = fixed(value, decimals);
    if text.contains('.') && !text.contains('e') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Commas between the thousands of an unsigned number.
pub(super) fn grouped(text: &str) -> String {
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut grouped = String::with_capacity(text.len() + whole.len() / 3);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + rest
}

fn power_of_ten(exponent: i32) -> f64 {
    libm::pow(10.0, f64::from(exponent))
}
