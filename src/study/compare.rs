//! Two studies side by side: each measure of A and of B, and their difference with an interval of its own.

use super::{Study, measure::wanted};
use crate::{
    report::{Measure, Quantity},
    sim::{Meter, difference},
};

/// How much more B's measure is than A's.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Of the measure.
    pub name: String,
    pub quantity: Quantity,
    /// `None` while either is not known.
    pub value: Option<f64>,
    /// The 95 % interval of the difference, which is narrower than those of A and B suggest, since both draw the same
    /// chance; an end is `None` while it is not known.
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// What theory says, where it says something of both.
    pub exact: Option<f64>,
}

/// A study with what is known of it.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub study: &'a Study,
    pub meter: Option<&'a Meter>,
    pub measures: &'a [Measure],
}

/// One for each measure, in the order of the measures; none for studies of different scenarios.
pub fn differences(a: Side, b: Side) -> Vec<Difference> {
    if !std::ptr::eq(a.study.scenario, b.study.scenario) {
        return Vec::new();
    }
    let evidence = b.study.scenario.evidence;
    let rows = std::iter::zip(wanted(a.study), wanted(b.study));
    let pairs = std::iter::zip(a.measures, b.measures);
    std::iter::zip(rows, pairs)
        .map(|((of_a, of_b), (known_a, known_b))| {
            // What the measures leave out, such as percentiles of queues that grow, has no difference either.
            let both = known_a.simulated.and(known_b.simulated);
            let meters = both.and(a.meter.zip(b.meter));
            let found = meters.map(|(meter_a, meter_b)| {
                difference((meter_a, of_a.asked), (meter_b, of_b.asked), evidence)
            });
            let found = found.unwrap_or_default();
            let exact = known_a.exact.zip(known_b.exact).map(|(a, b)| b - a);
            Difference {
                name: of_b.name,
                quantity: of_b.quantity,
                value: found.value,
                low: found.low,
                high: found.high,
                exact,
            }
        })
        .collect()
}
