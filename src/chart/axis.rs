//! Axes: where a value falls, and which values have ticks.

use crate::format;
use crate::report::{Axis, AxisScale, Quantity};

/// Maps values to pixels along one axis and back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Projection {
    scale: AxisScale,
    pub(super) quantity: Quantity,
    pub(super) from: f64,
    pub(super) to: f64,
    /// The pixels of `from` and `to`.
    pub(super) start: f64,
    pub(super) end: f64,
    /// `from` and `to` on the scale on which ticks are even.
    warped: (f64, f64),
}

/// Values that fall further from the plot than this, in pixels, are as good as infinitely far: a line to them
/// leaves the plot at the same place.
const FAR: f64 = 1e5;

/// The shares that percentile axes may name; further nines follow.
const PERCENTILES: [f64; 4] = [0.5, 0.9, 0.95, 0.99];

impl Projection {
    /// An axis from one pixel to another. An impossible range becomes a possible one.
    pub(super) fn new(axis: &Axis, start: f64, end: f64) -> Projection {
        let (from, to) = possible(axis.scale, axis.from, axis.to);
        let warped = (warp(axis.scale, from), warp(axis.scale, to));
        Projection { scale: axis.scale, quantity: axis.quantity, from, to, start, end, warped }
    }

    /// Where a value falls; not a number if the value is none.
    pub(super) fn pixel(&self, value: f64) -> f64 {
        let (from, to) = self.warped;
        let along = (warp(self.scale, value) - from) / (to - from);
        let pixel = self.start + along * (self.end - self.start);
        // `clamp` leaves what is not a number alone.
        pixel.clamp(self.start.min(self.end) - FAR, self.start.max(self.end) + FAR)
    }

    pub(super) fn value(&self, pixel: f64) -> f64 {
        let along = (pixel - self.start) / (self.end - self.start);
        let (from, to) = self.warped;
        let warped = from + along * (to - from);
        match self.scale {
            AxisScale::Linear => warped,
            AxisScale::Log => libm::pow(10.0, warped),
            AxisScale::Nines => 1.0 - libm::pow(10.0, -warped),
        }
    }

    /// Values for ticks, the most first: each list is a choice when the one before is too dense.
    pub(super) fn choices(&self) -> Vec<Vec<f64>> {
        let mut choices = match self.scale {
            AxisScale::Linear => linear(self.from, self.to),
            AxisScale::Log => logarithmic(self.from, self.to),
            AxisScale::Nines => vec![nines(self.from, self.to)],
        };
        for ticks in &mut choices {
            ticks.retain(|it| self.is_on(*it));
        }
        choices.retain(|it| !it.is_empty());
        // There is no half of what is counted, unless the axis is shorter than one.
        let whole = |it: &Vec<f64>| it.iter().all(|it| it.fract() == 0.0);
        let counts = self.quantity == Quantity::Count && self.scale == AxisScale::Linear;
        if counts && choices.iter().any(whole) {
            choices.retain(whole);
        }
        choices
    }

    pub(super) fn labels(&self, ticks: &[f64]) -> Vec<String> {
        format::ticks(self.quantity, self.scale, ticks)
    }

    pub(super) fn scale(&self) -> AxisScale {
        self.scale
    }

    /// Whether a value falls on the axis; ends missed by a rounding error do.
    pub(super) fn is_on(&self, value: f64) -> bool {
        let (low, high) = (self.start.min(self.end) - 0.01, self.start.max(self.end) + 0.01);
        (low..=high).contains(&self.pixel(value))
    }
}

/// The value whose ticks are evenly spaced.
fn warp(scale: AxisScale, value: f64) -> f64 {
    match scale {
        // `max` would take what is not a number for nothing.
        _ if value.is_nan() => value,
        AxisScale::Linear => value,
        // Nothing lies infinitely far down, and so does what is less.
        AxisScale::Log => libm::log10(value.max(0.0)),
        AxisScale::Nines => -libm::log10((1.0 - value).max(0.0)),
    }
}

/// A range that can be drawn: finite, ascending, and positive where logarithms are taken.
fn possible(scale: AxisScale, from: f64, to: f64) -> (f64, f64) {
    let limit = |it: f64, otherwise: f64| if it.is_finite() { it } else { otherwise };
    match scale {
        AxisScale::Linear => {
            let from = limit(from, 0.0).clamp(-1e15, 1e15);
            let to = limit(to, from + 1.0).clamp(-1e15, 1e15);
            if from < to { (from, to) } else { (from, from + from.abs().max(1.0)) }
        }
        AxisScale::Log => {
            let from = limit(from, 1.0).clamp(1e-15, 1e15);
            let to = limit(to, 10.0 * from).clamp(1e-15, 1e15);
            if from * 1.000_001 < to { (from, to) } else { (from, 10.0 * from) }
        }
        AxisScale::Nines => {
            let from = limit(from, 0.5).clamp(0.0, 0.999_999);
            let to = limit(to, 0.9999).clamp(0.0, 1.0 - 1e-12);
            if from < to { (from, to) } else { (from, 1.0 - (1.0 - from) * 1e-2) }
        }
    }
}

/// Steps of 1, 2 and 5, from tiny ones up.
fn linear(from: f64, to: f64) -> Vec<Vec<f64>> {
    let span = to - from;
    let least = libm::floor(libm::log10(span)) as i32 - 2;
    let step = |at: i32| [1.0, 2.0, 5.0][(at % 3) as usize] * power_of_ten(least + at / 3);
    let ticks = |step: f64| {
        let start = libm::ceil(from / step - 1e-9) as i64;
        let end = libm::floor(to / step + 1e-9) as i64;
        (start..=end).map(|it| it as f64 * step).collect()
    };
    // The finest has a hundred ticks or a little more, the coarsest one or none.
    (1..10).map(step).map(ticks).collect()
}

/// 1, 2 and 5 in each decade, then 1 and 5, then decades, then some of these. On an axis too short for two of
/// them, even steps.
fn logarithmic(from: f64, to: f64) -> Vec<Vec<f64>> {
    let (first, last) = (libm::floor(libm::log10(from)) as i32, libm::ceil(libm::log10(to)) as i32);
    let decades = |every: i32, of: &'static [f64]| {
        let tens = (first..=last).filter(move |it| it.rem_euclid(every) == 0).map(power_of_ten);
        tens.flat_map(|ten| of.iter().map(move |it| it * ten)).collect::<Vec<f64>>()
    };
    let mut choices =
        vec![decades(1, &[1.0, 2.0, 5.0]), decades(1, &[1.0, 5.0]), decades(1, &[1.0])];
    choices.extend([2, 3, 6, 12].map(|every| decades(every, &[1.0])));
    let on_axis = |ticks: &Vec<f64>| ticks.iter().filter(|it| from <= **it && **it <= to).count();
    if on_axis(&choices[0]) < 3 {
        choices = linear(from, to);
    }
    choices
}

/// The median and the nines, with p95 between.
fn nines(from: f64, to: f64) -> Vec<f64> {
    let mut shares = PERCENTILES.to_vec();
    shares.extend((3..13).map(|nines| 1.0 - power_of_ten(-nines)));
    shares.retain(|it| from - 1e-12 <= *it && *it <= to + 1e-13);
    if shares.len() < 2 {
        shares = vec![from, to];
    }
    shares
}

fn power_of_ten(exponent: i32) -> f64 {
    libm::pow(10.0, f64::from(exponent))
}
