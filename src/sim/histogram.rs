//! Counts of latencies in buckets of equal relative width, as HDR histograms keep them.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Duration;

/// A histogram of whole nanoseconds whose buckets are 1 in 2^`BITS` wide, relative to their value.
///
/// Counts are whole numbers, so that histograms of several runs add up exactly, in any order. Memory grows
/// with the largest value seen, to 54 * 2^`BITS` counts at the most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram<const BITS: u32> {
    counts: Vec<u64>,
    /// The same by octaves of 2^`BITS` buckets, so that readers pass over the empty ones and sum up few numbers.
    octaves: Vec<u64>,
}

impl<const BITS: u32> Histogram<BITS> {
    /// Below this every nanosecond has its own bucket.
    const EXACT_END: u64 = 1 << (BITS + 1);

    #[inline]
    pub fn record(&mut self, value: Duration) {
        let at = Self::bucket(value.as_ns());
        if self.counts.len() <= at {
            self.grow(at);
        }
        self.counts[at] += 1;
        self.octaves[at >> BITS] += 1;
    }

    pub fn record_all(&mut self, values: &[Duration]) {
        for value in values {
            self.record(*value);
        }
    }

    #[cold]
    fn grow(&mut self, at: usize) {
        // Whole octaves at a time, so that a few growths reach the working size.
        self.octaves.resize((at >> BITS) + 1, 0);
        self.counts.resize(self.octaves.len() << BITS, 0);
    }

    pub fn add(&mut self, other: &Histogram<BITS>) {
        if self.octaves.len() < other.octaves.len() {
            self.grow(other.counts.len() - 1);
        }
        for (octave, count) in other.octaves.iter().enumerate().filter(|(_, count)| **count != 0) {
            self.octaves[octave] += count;
            let octave = octave << BITS..(octave + 1) << BITS;
            for (mine, theirs) in
                std::iter::zip(&mut self.counts[octave.clone()], &other.counts[octave])
            {
                *mine += theirs;
            }
        }
    }

    pub fn total(&self) -> u64 {
        self.octaves.iter().sum()
    }

    /// How many took longer than the longest duration, as which they are recorded: for ever.
    pub fn endless(&self) -> u64 {
        self.counts.get(Self::bucket(Duration::MAX.as_ns())).copied().unwrap_or(0)
    }

    /// The buckets of an octave that hold something, ascending, with their counts.
    fn filled_in(&self, octave: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
        let counts = self.counts[octave << BITS..(octave + 1) << BITS].iter().enumerate();
        counts
            .filter(|(_, count)| **count != 0)
            .map(move |(at, count)| ((octave << BITS) + at, *count))
    }

    /// The buckets that hold something, ascending, with their counts.
    fn filled(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        let octaves = self.octaves.iter().enumerate().filter(|(_, count)| **count != 0);
        octaves.flat_map(|(octave, _)| self.filled_in(octave))
    }

    /// The non-empty buckets, ascending: from, to (exclusive) and count, in milliseconds.
    pub fn buckets_ms(&self) -> impl Iterator<Item = (f64, f64, u64)> + '_ {
        self.filled().map(|(at, count)| {
            let (from, width) = Self::edges(at);
            (from as f64 / 1e6, (from + width) as f64 / 1e6, count)
        })
    }

    /// The value below which `share` of what was recorded lies, in milliseconds; none past the longest duration, as
    /// which all that takes longer is recorded.
    pub fn quantile_ms(&self, share: f64) -> Option<f64> {
        // Rounding may leave the last rank a hair past the last count.
        self.quantiles_ms(&[share.min(1.0 - f64::EPSILON)]).pop().filter(|it| it.is_finite())
    }

    /// The value below which a share of one bucket lies.
    fn inside_ms(&self, at: usize, share: f64) -> f64 {
        if at == Self::bucket(Duration::MAX.as_ns()) {
            return f64::INFINITY;
        }
        let (from, width) = Self::edges(at);
        let lean = self.lean(at);
        // Where the share below is `share`, in the form that is stable for every lean.
        let root = ((1.0 - lean) * (1.0 - lean) + 4.0 * lean * share).sqrt();
        let along = if share == 0.0 { 0.0 } else { 2.0 * share / (1.0 - lean + root) };
        (from as f64 + width as f64 * along) / 1e6
    }

    /// The quantiles at ascending shares, in one pass; infinite past the longest duration.
    pub fn quantiles_ms(&self, shares: &[f64]) -> Vec<f64> {
        let total = self.total() as f64;
        let mut ranks = shares.iter().map(|it| it.clamp(0.0, 1.0) * total).peekable();
        let mut found = Vec::with_capacity(shares.len());
        let mut before = 0.0;
        for (octave, count) in self.octaves.iter().enumerate().filter(|(_, count)| **count != 0) {
            let after = before + *count as f64;
            if ranks.peek().is_some_and(|it| *it <= after) {
                let mut below = before;
                for (at, count) in self.filled_in(octave) {
                    let count = count as f64;
                    while let Some(rank) = ranks.next_if(|it| *it <= below + count) {
                        found.push(self.inside_ms(at, (rank - below).max(0.0) / count));
                    }
                    below += count;
                }
            }
            before = after;
        }
        found
    }

    /// How many lie beyond a value.
    pub fn beyond_ms(&self, value_ms: f64) -> f64 {
        let ns = value_ms.max(0.0) * 1e6;
        let at = Self::bucket(ns as u64);
        if self.counts.len() <= at {
            return 0.0;
        }
        let octave = at >> BITS;
        let above = self.counts[at + 1..(octave + 1) << BITS].iter().sum::<u64>()
            + self.octaves[octave + 1..].iter().sum::<u64>();
        let (from, width) = Self::edges(at);
        let along = ((ns - from as f64) / width as f64).clamp(0.0, 1.0);
        let share_below = along + self.lean(at) * (along * along - along);
        above as f64 + self.counts[at] as f64 * (1.0 - share_below)
    }

    /// How a bucket's inside is filled: from -1, all towards its start, to 1, all towards its end; as a straight
    /// line through the neighbours' densities says, but never past them. Without it the median of a million
    /// answers within half a per cent of each other would be off by more than its error.
    fn lean(&self, at: usize) -> f64 {
        let density = |at: usize| {
            let count = self.counts.get(at).copied().unwrap_or(0);
            count as f64 / Self::edges(at).1 as f64
        };
        let here = density(at);
        let rise = density(at + 1) - here;
        let fall = here - if at == 0 { 0.0 } else { density(at - 1) };
        if here == 0.0 || rise * fall <= 0.0 {
            return 0.0;
        }
        let steepest = rise.abs().min(fall.abs()).min((rise + fall).abs() / 4.0);
        (rise.signum() * steepest / here).clamp(-1.0, 1.0)
    }

    #[inline]
    fn bucket(ns: u64) -> usize {
        // Below EXACT_END the shift is 0 and the bucket is the value itself.
        let shift = (ns | (Self::EXACT_END / 2)).ilog2() - BITS;
        ((u64::from(shift) << BITS) + (ns >> shift)) as usize
    }

    /// The least value of a bucket, and how many values it holds.
    fn edges(at: usize) -> (u64, u64) {
        let at = at as u64;
        if at < Self::EXACT_END {
            return (at, 1);
        }
        let shift = (at >> BITS) - 1;
        ((at - (shift << BITS)) << shift, 1 << shift)
    }
}

/// On the wire only buckets that hold something, as distances and counts: a few kilobytes.
impl<const BITS: u32> Serialize for Histogram<BITS> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pairs = self.filled().scan(0, |last, (at, count)| {
            let distance = (at - *last) as u32;
            *last = at;
            Some((distance, count))
        });
        let pairs: Vec<(u32, u64)> = pairs.collect();
        pairs.serialize(serializer)
    }
}

impl<'de, const BITS: u32> Deserialize<'de> for Histogram<BITS> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut histogram = Histogram::default();
        let mut at = 0;
        for (distance, count) in Vec::<(u32, u64)>::deserialize(deserializer)? {
            at += distance as usize;
            if Self::bucket(u64::MAX) < at {
                return Err(serde::de::Error::custom("a bucket beyond the last"));
            }
            if histogram.counts.len() <= at {
                histogram.grow(at);
            }
            histogram.counts[at] += count;
            histogram.octaves[at >> BITS] += count;
        }
        Ok(histogram)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Fine = Histogram<11>;

    #[test]
    fn every_value_lies_in_its_bucket() {
        for ns in
            (0..20_000).chain((0..64).map(|it| 1 << it)).chain((1..64).map(|it| (1 << it) - 1))
        {
            let (from, width) = Fine::edges(Fine::bucket(ns));
            assert!(from <= ns && ns - from < width, "{ns} is not in {from} + {width}");
            assert!(width == 1 || width <= from >> 11, "{ns}: a bucket of {width} at {from}");
        }
    }

    #[test]
    fn buckets_follow_one_another() {
        for at in 0..100_000 {
            let (from, width) = Fine::edges(at);
            assert_eq!(Fine::edges(at + 1).0, from + width, "after bucket {at}");
        }
    }

    #[test]
    fn the_wire_keeps_everything() {
        let mut histogram = Fine::default();
        for ns in [0, 1, 5, 5, 4_096, 1_000_000, 1_000_000_000_000] {
            histogram.record(Duration::from_ns(ns));
        }
        let bytes = postcard::to_allocvec(&histogram).unwrap();
        let back: Fine = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(back.total(), 7);
        assert!(back.buckets_ms().eq(histogram.buckets_ms()));
    }

    #[test]
    fn what_takes_for_ever_has_no_quantile() {
        let mut histogram = Fine::default();
        for ms in [1.0, 2.0, 3.0, f64::INFINITY] {
            histogram.record(Duration::from_ms(ms));
        }
        assert!(histogram.quantile_ms(0.7).is_some_and(|it| it < 4.0));
        assert_eq!(histogram.quantile_ms(0.9), None);
        assert_eq!((histogram.endless(), Fine::default().endless()), (1, 0));
        assert!((histogram.beyond_ms(1e9) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn quantiles_and_counts_beyond_agree() {
        let mut histogram = Fine::default();
        for us in 1..=100_000 {
            histogram.record(Duration::from_ns(us * 1_000));
        }
        for share in [0.01, 0.5, 0.99, 0.999] {
            let value = histogram.quantile_ms(share).unwrap();
            assert!((value / (share * 100.0) - 1.0).abs() < 2e-4, "{share}: {value}");
            let beyond = histogram.beyond_ms(value) / 100_000.0;
            assert!((beyond - (1.0 - share)).abs() < 1e-9, "{share}: {beyond}");
        }
    }
}
