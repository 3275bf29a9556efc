//! Finds the few knots that tell a long list of quantiles.

use super::{Knot, LOG_NS_MAX, Measured, UNITS, VARIATE_MAX};
use crate::special::{normal_quantile_of_tail, sort_by_number};

/// Where knots tell the list as well as this, no more are needed.
const LOG_ERROR_MAX: f64 = 1e-3;

impl Measured {
    /// From pairs of tail, the share that takes longer, and milliseconds, in any order. A time that is less than that
    /// of a lower share is brought up to it.
    pub fn of_quantiles(pairs: &[(f64, f64)]) -> Option<Measured> {
        let usable = |it: &&(f64, f64)| 0.0 < it.0 && it.0 < 1.0 && 0.0 <= it.1;
        let mut knots: Vec<Knot> = pairs.iter().filter(usable).map(|it| knot(*it)).collect();
        sort_by_number(&mut knots, |it| f64::from(it.log_ns));
        sort_by_number(&mut knots, |it| f64::from(it.variate));
        let mut highest = 0;
        for it in &mut knots {
            highest = it.log_ns.max(highest);
            it.log_ns = highest;
        }
        // Of several at one share the highest stays, which is what the share is within.
        knots.reverse();
        knots.dedup_by_key(|it| it.variate);
        knots.reverse();
        Measured::of_knots(few(&knots))
    }
}

fn knot((tail, ms): (f64, f64)) -> Knot {
    let variate = normal_quantile_of_tail(tail) * UNITS;
    let log_ns = (libm::log((ms * 1e6).max(1.0)) * UNITS).round();
    let limit = f64::from(VARIATE_MAX);
    Knot {
        variate: variate.round().clamp(-limit, limit) as i32,
        log_ns: (log_ns as u32).min(LOG_NS_MAX),
    }
}

/// Both ends, and then ever again the one that is worst told by those chosen.
fn few(knots: &[Knot]) -> Vec<Knot> {
    let Some(last) = knots.len().checked_sub(1) else { return Vec::new() };
    let mut chosen = if last == 0 { vec![0] } else { vec![0, last] };
    // The worst of each gap, by the place of the gap's start.
    let mut gaps: Vec<Option<(usize, f64)>> = vec![worst(knots, 0, last)];
    while chosen.len() < Measured::KNOTS_MAX {
        let candidates = gaps.iter().enumerate().filter_map(|(at, it)| it.map(|it| (at, it)));
        let Some((gap, (knot, error))) = candidates.max_by(|a, b| a.1.1.total_cmp(&b.1.1)) else {
            break;
        };
        if error < LOG_ERROR_MAX * UNITS {
            break;
        }
        chosen.insert(gap + 1, knot);
        gaps[gap] = worst(knots, chosen[gap], knot);
        gaps.insert(gap + 1, worst(knots, knot, chosen[gap + 2]));
    }
    chosen.into_iter().map(|it| knots[it]).collect()
}

/// The knot between two that is farthest from the line through them, and how far.
fn worst(knots: &[Knot], start: usize, end: usize) -> Option<(usize, f64)> {
    let place = |it: Knot| (f64::from(it.variate), f64::from(it.log_ns));
    let ((x0, y0), (x1, y1)) = (place(knots[start]), place(knots[end]));
    let error = |at: usize| {
        let (x, y) = place(knots[at]);
        (y - y0 - (y1 - y0) * (x - x0) / (x1 - x0)).abs()
    };
    (start + 1..end).map(|it| (it, error(it))).max_by(|a, b| a.1.total_cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_is_told_by_few_knots() {
        let tail = |at: u32| f64::from(2 * at + 1) / 20_000.0;
        // Two bumps: most within 10 ms, a tenth about ten times as long.
        let ms =
            |tail: f64| if tail < 0.1 { 100.0 / (tail * 10.0).sqrt() } else { 10.0 / tail.sqrt() };
        let pairs: Vec<(f64, f64)> = (0..10_000).map(|it| (tail(it), ms(tail(it)))).collect();
        let law = Measured::of_quantiles(&pairs).unwrap();
        assert!(law.knots().len() <= Measured::KNOTS_MAX);
        for (tail, ms) in pairs {
            let seen = law.quantile_ms(1.0 - tail).unwrap();
            assert!(
                (seen / ms - 1.0).abs() < 0.003 || (tail - 0.1).abs() < 1e-4,
                "{tail}: {seen} is not {ms}"
            );
        }
    }

    #[test]
    fn what_descends_is_brought_up() {
        let law = Measured::of_quantiles(&[(0.5, 10.0), (0.1, 8.0), (0.01, 20.0)]).unwrap();
        assert!((law.quantile_ms(0.9).unwrap() / 10.0 - 1.0).abs() < 1e-3);
    }

    #[test]
    fn nothing_gives_nothing() {
        assert_eq!(Measured::of_quantiles(&[]), None);
        assert_eq!(Measured::of_quantiles(&[(0.0, 1.0), (f64::NAN, 1.0), (0.5, f64::NAN)]), None);
    }
}
