//! `HdrHistogram`'s interval log, `.hlog`: one compressed histogram a line, in three versions of its encoding.

use std::collections::BTreeMap;

use crate::import::{Format, Found, Head, Line, Lines, Series, Shape, TimeUnit, Trouble};
use crate::special::Listed;

pub(super) const FORMAT: Format = Format {
    key: "hlog",
    name: "HdrHistogram log",
    shapes: &[Shape::Lines { knows, open: |_| Box::new(Log::default()) }],
};

fn knows(head: &Head) -> bool {
    head.any_starts("#[Histogram log format version")
        || head.any(|it| it.starts_with("\"StartTimestamp\","))
}

/// The histograms of each tag, added up.
#[derive(Default)]
struct Log {
    tags: Listed<String, Histogram>,
    nanoseconds: bool,
}

/// Counts by value: the least one of each bucket with how many values it holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Histogram {
    counts: BTreeMap<u64, (u64, u64)>,
}

const TAGS_MAX: usize = 60;
/// A histogram of five digits over all that there is has fewer.
const BUCKETS_MAX: usize = 1 << 22;
/// What a payload may be after inflation.
const INFLATED_MAX: usize = 8 << 20;

impl Lines for Log {
    fn line(&mut self, line: &Line) -> Result<(), Trouble> {
        if line.text.starts_with('#') || line.text.starts_with('"') {
            self.nanoseconds |= line.text.contains("jHiccup");
            return Ok(());
        }
        let (tag, rest) = match line.text.strip_prefix("Tag=").and_then(|it| it.split_once(',')) {
            Some((tag, rest)) => (tag.to_owned(), rest),
            None => (String::new(), line.text),
        };
        let fields: Vec<&str> = rest.split(',').collect();
        let [_, _, _, payload] = fields[..] else {
            return Err(Trouble::at(line, "start, length, maximum and a histogram"));
        };
        let histogram = decode(payload.trim().trim_matches('"')).map_err(|why| {
            Trouble::new(format!("Line {}: expected a compressed histogram, {why}.", line.number))
        })?;
        if self.tags.len() < TAGS_MAX || self.tags.get(&tag).is_some() {
            self.tags.at(tag, Histogram::default).merge(&histogram);
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Found, Trouble> {
        let unit = self.nanoseconds.then_some(TimeUnit::Nanoseconds);
        let several = 1 < self.tags.len();
        let list = self.tags.into_iter().filter(|it| 0 < it.1.total()).map(|(tag, histogram)| {
            let name = if several && tag.is_empty() { "untagged".to_owned() } else { tag };
            let series = Series { name, ..histogram.series() };
            // In its own numbers, unless these are known to be nanoseconds.
            unit.map_or_else(|| series.clone(), |it| series.in_unit(it))
        });
        let list: Vec<Series> = list.collect();
        if list.is_empty() {
            return Err(Trouble::new("There is not one recorded value in the log."));
        }
        Ok(Found::of(list))
    }
}

impl Histogram {
    fn merge(&mut self, other: &Histogram) {
        for (value, (width, count)) in &other.counts {
            let mine = self.counts.entry(*value).or_insert((*width, 0));
            mine.1 = mine.1.saturating_add(*count);
            mine.0 = mine.0.max(*width);
        }
    }

    fn total(&self) -> u64 {
        self.counts.values().fold(0, |sum, it| sum.saturating_add(it.1))
    }

    /// In the numbers of the log, whatever unit they are.
    pub(super) fn series(&self) -> Series {
        let middle =
            |(value, (width, _)): (&u64, &(u64, u64))| *value as f64 + 0.5 * (*width as f64 - 1.0);
        let counts: Vec<(f64, u64)> = self.counts.iter().map(|it| (middle(it), it.1.1)).collect();
        let total: f64 = counts.iter().map(|it| it.1 as f64).sum();
        let mean: f64 = counts.iter().map(|it| it.0 * (it.1 as f64 / total)).sum();
        Series { mean: Some(mean), ..Series::of_counts("", &counts) }
    }
}

/// Reads a payload as it stands in a log: base64 of a cookie, a length and a deflated histogram.
pub(super) fn decode(payload: &str) -> Result<Histogram, &'static str> {
    const V0: u32 = 0x1c84_9309;
    const V1: u32 = 0x1c84_9302;
    const V2: u32 = 0x1c84_9304;
    let bytes = base64(payload).ok_or("found letters that are not base64")?;
    let mut rest = &bytes[..];
    let cookie = take_u32(&mut rest).ok_or("found too few bytes")? & !0xf0;
    take_u32(&mut rest).ok_or("found too few bytes")?;
    if ![V0, V1, V2].contains(&cookie) {
        return Err("found an encoding of another version");
    }
    let inflated = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(rest, INFLATED_MAX)
        .map_err(|_| "found one that cannot be inflated")?;
    histogram(&inflated)
}

fn histogram(bytes: &[u8]) -> Result<Histogram, &'static str> {
    const V0: u32 = 0x1c84_9308;
    const V1: u32 = 0x1c84_9301;
    const V2: u32 = 0x1c84_9303;
    const SHORT: &str = "found one that ends too early";
    let mut rest = bytes;
    let cookie = take_u32(&mut rest).ok_or(SHORT)?;
    let base = cookie & !0xf0;
    let (digits, lowest) = match base {
        V0 => {
            let digits = take_u32(&mut rest).ok_or(SHORT)?;
            let lowest = take_u64(&mut rest).ok_or(SHORT)?;
            // The highest value and the total count follow.
            rest = rest.get(16..).ok_or(SHORT)?;
            (digits, lowest)
        }
        V1 | V2 => {
            let length = take_u32(&mut rest).ok_or(SHORT)? as usize;
            if take_u32(&mut rest).ok_or(SHORT)? != 0 {
                return Err("found one that is shifted, as only automatic ranges are");
            }
            let digits = take_u32(&mut rest).ok_or(SHORT)?;
            let lowest = take_u64(&mut rest).ok_or(SHORT)?;
            // The highest value and the ratio of another unit follow.
            rest = rest.get(16..).ok_or(SHORT)?;
            rest = rest.get(..length).ok_or(SHORT)?;
            (digits, lowest)
        }
        _ => return Err("found an encoding of another version"),
    };
    if 5 < digits {
        return Err("found more digits than five");
    }
    let layout = Layout::new(digits, lowest);
    let word = if base == V2 { 9 } else { ((cookie & 0xf0) >> 4) as usize & 0xe };
    counts(rest, word, &layout)
}

fn counts(mut rest: &[u8], word: usize, layout: &Layout) -> Result<Histogram, &'static str> {
    let (mut at, mut histogram) = (0_usize, Histogram::default());
    while !rest.is_empty() {
        let count = match word {
            9 => zigzag(&mut rest),
            2 | 4 | 8 => fixed(&mut rest, word),
            _ => return Err("found counts of an unknown width"),
        };
        let count = count.ok_or("found one that ends too early")?;
        if let Ok(count) = u64::try_from(count) {
            if 0 < count {
                let (value, width) = layout.bucket(at).ok_or("found a value that is too large")?;
                histogram.counts.insert(value, (width, count));
            }
            at += 1;
        } else {
            // So many empty buckets.
            let empty = usize::try_from(count.unsigned_abs()).unwrap_or(BUCKETS_MAX);
            at = at.saturating_add(empty);
        }
        if BUCKETS_MAX < at {
            return Err("found more buckets than there are");
        }
    }
    Ok(histogram)
}

/// Which values a bucket holds.
struct Layout {
    unit_magnitude: u32,
    half_magnitude: u32,
}

impl Layout {
    fn new(digits: u32, lowest: u64) -> Layout {
        let needed = 2 * 10_u64.pow(digits);
        let magnitude = needed.next_power_of_two().trailing_zeros();
        Layout { unit_magnitude: lowest.max(1).ilog2(), half_magnitude: magnitude.max(1) - 1 }
    }

    /// The least value, and how many.
    fn bucket(&self, at: usize) -> Option<(u64, u64)> {
        let half = 1_u64 << self.half_magnitude;
        let at = at as u64;
        let (shift, inside) = match (at >> self.half_magnitude).checked_sub(1) {
            None => (0, at),
            Some(shift) => (shift, (at & (half - 1)) + half),
        };
        let shift = u32::try_from(shift).ok()?.checked_add(self.unit_magnitude)?;
        let value = inside.checked_shl(shift).filter(|it| it >> shift == inside)?;
        Some((value, 1_u64.checked_shl(shift)?))
    }
}

fn take_u32(rest: &mut &[u8]) -> Option<u32> {
    let (bytes, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(u32::from_be_bytes(*bytes))
}

fn take_u64(rest: &mut &[u8]) -> Option<u64> {
    let (bytes, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(u64::from_be_bytes(*bytes))
}

/// A count of two, four or eight bytes; never negative.
fn fixed(rest: &mut &[u8], word: usize) -> Option<i64> {
    let bytes = rest.get(..word)?;
    *rest = &rest[word..];
    let value = bytes.iter().fold(0_u64, |sum, it| sum << 8 | u64::from(*it));
    i64::try_from(value).ok()
}

/// Seven bits a byte, the lowest first, eight in the ninth, and the sign in the lowest bit.
fn zigzag(rest: &mut &[u8]) -> Option<i64> {
    let mut value = 0_u64;
    for at in 0..9 {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        let bits = if at == 8 { *byte } else { byte & 0x7f };
        value |= u64::from(bits) << (7 * at);
        if at == 8 || byte & 0x80 == 0 {
            break;
        }
    }
    let half = i64::try_from(value >> 1).ok()?;
    Some(if value & 1 == 0 { half } else { !half })
}

fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0);
    for letter in text.trim_end_matches('=').bytes() {
        let six = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(six);
        held += 6;
        if 8 <= held {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    Some(bytes)
}
