//! Latencies by the time step in which they fell: the counts behind a heat map.

use super::{Duration, Meter};

/// Where a meter keeps, for each of a number of steps, how many latencies fell into each of [`Raster::BINS`] bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raster {
    /// The first of its counts in the meter.
    first: usize,
    /// What lies below, in quarters of an octave since one nanosecond.
    below: usize,
}

impl Raster {
    /// Bins of a step. They are quarters of an octave, fourteen octaves in all: from the lowest to 16,384 times it.
    /// The first and the last hold what lies beyond, too.
    pub const BINS: usize = 56;

    /// The lowest bin holds `lowest`.
    pub fn new(first: usize, lowest: Duration) -> Raster {
        Raster { first, below: quarter(lowest) }
    }

    /// The counts that so many steps take.
    pub const fn counts(steps: usize) -> usize {
        steps * Raster::BINS
    }

    #[inline]
    pub fn record(self, meter: &mut Meter, step: usize, latency: Duration) {
        let bin = quarter(latency).saturating_sub(self.below).min(Raster::BINS - 1);
        meter.count(self.first + step * Raster::BINS + bin, 1);
    }

    pub fn counted(self, meter: &Meter, step: usize, bin: usize) -> u64 {
        meter.counted(self.first + step * Raster::BINS + bin)
    }

    /// The least latency of a bin, in milliseconds.
    pub fn edge_ms(self, bin: usize) -> f64 {
        let quarters = self.below + bin;
        let octave = libm::exp2((quarters / 4) as f64);
        octave * (1.0 + 0.25 * (quarters % 4) as f64) / 1e6
    }
}

/// Quarters of an octave, each a fourth of the octave's lower end wide: read from the leading bits alone.
fn quarter(latency: Duration) -> usize {
    // Times four, so that a nanosecond has two bits below its leading one.
    let wide = u128::from(latency.as_ns().max(1)) << 2;
    let octave = wide.ilog2() - 2;
    (4 * octave + (wide >> octave) as u32 - 4) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_latency_lies_between_the_edges_of_its_bin() {
        let raster = Raster::new(3, Duration::from_ns(700));
        for step in 0..2 {
            for ns in (700..2_000_000).step_by(321) {
                let mut meter = Meter::new(0, 3 + Raster::counts(2), 0);
                raster.record(&mut meter, step, Duration::from_ns(ns));
                let bins = (0..Raster::BINS).filter(|it| raster.counted(&meter, step, *it) == 1);
                let [bin] = bins.collect::<Vec<_>>()[..] else {
                    panic!("{ns} is in no bin or two")
                };
                let ms = ns as f64 / 1e6;
                assert!(raster.edge_ms(bin) <= ms && ms < raster.edge_ms(bin + 1), "{ns} in {bin}");
            }
        }
    }

    #[test]
    fn what_lies_beyond_is_in_the_outermost_bins() {
        let raster = Raster::new(0, Duration::from_ns(1_000));
        let mut meter = Meter::new(0, Raster::counts(1), 0);
        for ns in [0, 1, 999, u64::MAX] {
            raster.record(&mut meter, 0, Duration::from_ns(ns));
        }
        assert_eq!(raster.counted(&meter, 0, 0), 3);
        assert_eq!(raster.counted(&meter, 0, Raster::BINS - 1), 1);
    }
}
