//! A law as a short text of letters and digits, for links, and whatever text as a law.
//!
//! `1` for this way of writing, then numbers: the first knot, and the way from each knot to the next. A number is
//! digits to the base 32, the lowest first, all but the last marked as going on.

use super::{Knot, Measured};

/// Why a text is no law, in words that follow the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(pub String);

/// A text of the most knots is much shorter.
pub const LENGTH_MAX: usize = 1_200;

const WAY: u8 = b'1';
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const GOES_ON: u32 = 32;

impl Measured {
    /// Some six letters a knot.
    pub fn text(&self) -> String {
        let mut text = String::from(char::from(WAY));
        let first = self.knots[0];
        // The first variate may be negative: its sign goes last.
        push(&mut text, first.variate.unsigned_abs() << 1 | u32::from(first.variate < 0));
        push(&mut text, first.log_ns);
        for pair in self.knots.windows(2) {
            push(&mut text, pair[0].variate.abs_diff(pair[1].variate));
            push(&mut text, pair[1].log_ns - pair[0].log_ns);
        }
        text
    }

    /// # Errors
    /// Says in words why the text is no law.
    pub fn parse(text: &str) -> Result<Measured, Unreadable> {
        let unreadable = |why: &str| Unreadable(why.to_owned());
        if LENGTH_MAX < text.len() {
            return Err(unreadable("is too long for the quantiles of measured data"));
        }
        let Some((&WAY, digits)) = text.as_bytes().split_first() else {
            return Err(unreadable("is not the text of measured data, which starts with a 1"));
        };
        let numbers = numbers(digits).ok_or_else(|| {
            unreadable("is not the text of measured data: some of its letters are wrong or missing")
        })?;
        let pairs: Vec<(i64, i64)> =
            numbers.chunks_exact(2).map(|it| (i64::from(it[0]), i64::from(it[1]))).collect();
        let mut knots: Vec<Knot> = Vec::new();
        let (mut variate, mut log_ns) = (0_i64, 0_i64);
        for (across, up) in pairs {
            let first = if across & 1 == 1 { -(across >> 1) } else { across >> 1 };
            variate += if knots.is_empty() { first } else { across };
            log_ns += up;
            let (Ok(variate), Ok(log_ns)) = (i32::try_from(variate), u32::try_from(log_ns)) else {
                return Err(unreadable("tells of times or shares that do not exist"));
            };
            knots.push(Knot { variate, log_ns });
        }
        let whole = numbers.len() % 2 == 0;
        Measured::of_knots(knots)
            .filter(|_| whole)
            .ok_or_else(|| unreadable("is not a list of ascending quantiles"))
    }
}

fn push(text: &mut String, mut number: u32) {
    loop {
        let (digit, rest) = (number % GOES_ON, number / GOES_ON);
        let mark = if rest == 0 { 0 } else { GOES_ON };
        text.push(char::from(DIGITS[(digit | mark) as usize]));
        if rest == 0 {
            return;
        }
        number = rest;
    }
}

/// None if a letter is none of ours, a number is too large, or the last goes on. Each number is written in one way
/// only: without needless digits.
fn numbers(text: &[u8]) -> Option<Vec<u32>> {
    let (mut numbers, mut number, mut shift) = (Vec::new(), 0_u32, 0);
    for letter in text {
        let digit = DIGITS.iter().position(|it| it == letter)? as u32;
        if 25 < shift {
            return None;
        }
        number |= (digit % GOES_ON) << shift;
        shift += 5;
        if digit < GOES_ON {
            if digit == 0 && 5 < shift {
                return None;
            }
            numbers.push(number);
            (number, shift) = (0, 0);
        }
    }
    (shift == 0).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_and_its_law_are_one() {
        let knot = |(variate, log_ns)| Knot { variate, log_ns };
        for knots in [
            vec![(0, 0)],
            vec![(-30_902, 125_113), (-30_901, 125_113), (0, 170_000), (37_190, 425_956)],
        ] {
            let law = Measured::of_knots(knots.into_iter().map(knot).collect()).unwrap();
            assert_eq!(Measured::parse(&law.text()).as_ref(), Ok(&law), "{}", law.text());
        }
    }

    #[test]
    fn the_most_knots_fit() {
        let knots = (0..64_u32)
            .map(|it| Knot { variate: 2_500 * it.cast_signed() - 80_000, log_ns: 6_000 * it });
        assert_eq!(knots.len(), Measured::KNOTS_MAX);
        let text = Measured::of_knots(knots.collect()).unwrap().text();
        assert!(text.len() < LENGTH_MAX / 2, "{} letters", text.len());
    }

    #[test]
    fn what_is_no_law_says_so() {
        for text in
            ["", "2", "1", "1A", "1AAA", "1é", "1zzzzzzzzzz", "1AAAA", "1AA_", "1AA__________A"]
        {
            assert!(Measured::parse(text).is_err(), "{text}");
        }
        assert_eq!(Measured::parse("1AA").map(|it| it.knots().len()), Ok(1));
    }
}
