//! What numbers look like, as tables.

use super::{
    bare, between, cell, count, difference, given, in_box, kept_together, on_scale, one_in,
    percentile,
};
use super::{given_beside, reading, relative_margin, short, ticks};
use crate::report::AxisScale::{Linear, Log, Nines};
use crate::report::Cell;
use crate::report::Quantity::{
    Count, Latency, Percentile, Plain, Rate, Seconds, Share, Throughput,
};
use crate::schema::{Choice, Kind, Scale, Unit};
use crate::sim::Rng;

/// Narrow spaces are written `_` in the tables, since nobody can see them.
#[track_caller]
fn check(written: impl ToString, expected: &str) {
    assert_eq!(written.to_string().replace('\u{202f}', "_"), expected);
}

#[test]
fn readings() {
    let known = |quantity, value: f64, margin: f64| {
        reading(quantity, Some(value), Some(value - margin), Some(value + margin))
    };
    check(known(Latency, 1009.17, 0.02), "1,009_ms ± 0.02");
    check(known(Latency, 38.62, 0.02), "38.6_ms ± 0.02");
    check(known(Latency, 38.62, 1.3), "38.6_ms ± 1.3");
    check(known(Latency, 38.62, 3.1), "39_ms ± 3");
    check(known(Latency, 1009.17, 118.0), "1,010_ms ± 120");
    check(known(Latency, 9_999.0, 3.0), "9,999_ms ± 3");
    check(known(Latency, 12_345.0, 60.0), "12.3_s ± 0.06");
    check(known(Latency, 0.0853, 0.0004), "85.3_µs ± 0.4");
    check(known(Latency, 0.000_012, 0.000_001), "12.0_ns ± 1.0");
    check(known(Latency, 300_000.0, 900.0), "5.00_min ± 0.015");
    check(known(Latency, 2.0e7, 1e5), "5.56_h ± 0.03");
    check(known(Latency, 4.0e8, 1e7), "4.63_days ± 0.12");
    check(known(Latency, 1.0e12, 1e10), "31.7_years ± 0.3");
    check(known(Share, 0.633_97, 0.0013), "63.4_% ± 0.13");
    check(known(Share, 0.0098, 0.0003), "0.98_% ± 0.03");
    check(known(Share, 0.010_112, 0.000_03), "1.01_% ± 0.003");
    check(known(Share, 0.999_83, 0.000_02), "99.98_% ± 0.002");
    check(known(Share, 0.999_999_98, 1e-9), "over 99.999_%");
    check(known(Share, 0.999_999_98, 1e-4), "100.000_% ± 0.010");
    check(known(Share, 1.25, 0.01), "125_% ± 1.0");
    check(known(Count, 523_000.0, 0.0), "523,000");
    check(known(Plain, 4.567, 0.02), "4.57 ± 0.02");
    check(known(Rate, 12_345.6, 20.0), "12,350_/s ± 20");
    check(known(Throughput, 87.64, 0.2), "87.6_MB/s ± 0.2");
    check(known(Seconds, 42.5, 0.5), "42.5_s ± 0.5");
}

#[test]
fn readings_without_a_margin() {
    check(reading(Latency, None, None, None), "–");
    check(reading(Latency, Some(f64::NAN), None, None), "–");
    check(reading(Latency, Some(f64::INFINITY), None, None), "no limit");
    check(reading(Latency, Some(46.812), None, None), "46.8_ms");
    check(reading(Latency, Some(10.0), None, None), "10.0_ms");
    check(reading(Latency, Some(1016.2), Some(1010.0), None), "1,016_ms ≥ 1,010");
    check(reading(Latency, Some(5_624.0), Some(4_215.4), None), "5,624_ms ≥ 4,215");
    check(reading(Latency, Some(12_345.0), Some(11_040.0), None), "12.3_s ≥ 11");
    check(reading(Share, Some(0.3), Some(0.0), None), "30.0_%");
    check(reading(Share, Some(0.0), Some(0.0), Some(0.0)), "0_%");
    check(reading(Percentile, Some(0.999), None, None), "p99.9");
}

#[test]
fn a_value_in_a_gap_is_an_interval() {
    check(reading(Latency, Some(35.0), Some(34.9), Some(1003.2)), "35 to 1,003_ms");
    check(reading(Latency, Some(1003.0), Some(57.2), Some(1005.0)), "57 to 1,005_ms");
    check(reading(Latency, Some(1000.0), Some(800.0), Some(1001.0)), "800 to 1,001_ms");
    check(reading(Latency, Some(20.0), Some(12.34), Some(35.4)), "12 to 35_ms");
    check(reading(Share, Some(0.0), Some(0.0), Some(0.0038)), "0 to 0.38_%");
    check(reading(Share, Some(0.0001), Some(0.000_05), Some(0.0002)), "0.005 to 0.02_%");
    check(reading(Latency, Some(5.0), Some(0.004), Some(1200.0)), "4.0_µs to 1,200_ms");
    check(between(Latency, f64::NAN, 3.0), "–");
    assert!(reading(Latency, Some(35.0), Some(34.9), Some(1003.2)).between);
}

#[test]
fn cells_show_what_the_margin_allows() {
    let number = |value: f64, margin: Option<f64>, quantity| Cell::Number {
        value,
        interval: margin.map(|it| (value - it, value + it)),
        quantity,
    };
    check(cell(&number(0.633_62, Some(0.0009), Share)), "63.36_% ± 0.09");
    check(cell(&number(1_009.17, Some(0.02), Latency)), "1,009.2_ms ± 0.02");
    check(cell(&number(0.633_968, None, Share)), "63.40_%");
    check(cell(&number(0.181_27, None, Share)), "18.13_%");
    check(cell(&number(14.873, None, Latency)), "14.87_ms");
    check(cell(&Cell::Between { low: 35.0, high: 1003.0, quantity: Latency }), "35 to 1,003_ms");
    check(cell(&Cell::Text("1 in 100, 100 leaves".into())), "1 in 100, 100 leaves");
    check(cell(&Cell::Empty), "–");
}

#[test]
fn differences() {
    check(difference(Latency, -970.02, Some(0.03), 38.6), "−970.0_ms ± 0.03");
    check(difference(Latency, -10.61, Some(0.32), 1015.0), "−10.6_ms ± 0.3");
    check(difference(Share, -0.6242, Some(0.0013), 0.0098), "−62.42_% ± 0.13");
    check(difference(Share, 0.010_11, None, 0.0101), "+1.01_%");
    check(difference(Latency, -0.01, Some(0.03), 38.6), "−0.01_ms ± 0.03");
    check(difference(Latency, 0.000_1, Some(0.03), 38.6), "0.00_ms ± 0.03");
    check(difference(Latency, f64::NAN, Some(0.03), 38.6), "–");
}

#[test]
fn numbers_keep_their_units() {
    check(
        kept_together("after 1 ms, 2 of 3 within 5 %. 7 s"),
        "after 1_ms, 2 of 3 within 5_%. 7_s",
    );
    check(kept_together("No 5 million s, nor a % "), "No 5 million s, nor a % ");
}

#[test]
fn prose() {
    check(short(Share, 0.633_97), "63.4_%");
    check(short(Share, 0.009_95), "1.0_%");
    check(short(Share, 0.0002), "0.02_%");
    check(short(Share, 0.000_123), "0.012_%");
    check(short(Share, 1.0), "100_%");
    check(short(Share, 0.999_8), "99.98_%");
    check(short(Share, 0.999_96), "99.996_%");
    check(short(Share, 0.999_999_98), "over 99.999_%");
    check(short(Share, 0.0), "0_%");
    check(short(Share, 2e-9), "1 in 500,000,000");
    check(short(Latency, 12.34), "12.3_ms");
    check(short(Latency, 1009.2), "1.0_s");
    check(short(Latency, 1234.0), "1.2_s");
    check(short(Latency, 0.085), "85.0_µs");
    check(short(Latency, 999.7), "1.0_s");
    check(short(Count, 523_000.0), "523,000");
    check(short(Plain, 4.567), "4.6");
    check(given(Latency, 1000.0), "1_s");
    check(given(Latency, 30.0), "30_ms");
    check(given(Latency, 20.1), "20.1_ms");
    check(given(Latency, 0.0), "0_ms");
    check(given(Share, 0.01), "1_%");
    check(given(Share, 0.025), "2.5_%");
    check(given(Seconds, 3600.0), "60_min");
    check(count(1_234_567), "1,234,567");
    check(count(999), "999");
}

#[test]
fn percentiles_and_rates_of_accidents() {
    check(percentile(0.5), "p50");
    check(percentile(0.99), "p99");
    check(percentile(0.999_899_5), "p99.98995");
    check(percentile(1.0 - 1e-8), "p99.999999");
    check(percentile(f64::NAN), "–");
    check(one_in(0.01), "1 in 100");
    check(one_in(1e-4), "1 in 10,000");
    check(one_in(1.0 / 9_876.0), "1 in 9,880");
    check(one_in(0.3), "30_%");
    check(given_beside(Latency, 1_800.0, 1_737.0).to_string(), "1,800_ms");
    check(given_beside(Share, 0.63, 0.634).to_string(), "63_%");
    check(relative_margin(1009.0, 1008.9, 1009.1), "± 0.01_%");
    check(relative_margin(50.0, 49.6, 50.3), "± 0.8_%");
    check(relative_margin(0.0, 0.0, 0.0), "–");
}

#[test]
fn axes() {
    #[track_caller]
    fn labels(
        quantity: crate::report::Quantity,
        scale: crate::report::AxisScale,
        at: &[f64],
        expected: &str,
    ) {
        check(ticks(quantity, scale, at).join(" | "), expected);
    }
    labels(Latency, Log, &[5.0, 10.0, 500.0, 1000.0, 2000.0], "5_ms | 10 | 500 | 1_s | 2_s");
    labels(Latency, Log, &[0.01, 0.1, 1.0, 10.0], "10_µs | 100 | 1_ms | 10_ms");
    labels(Latency, Linear, &[0.0, 500.0, 1000.0, 1500.0], "0 | 0.5 | 1 | 1.5_s");
    labels(Latency, Linear, &[0.0, 20.0, 40.0], "0 | 20 | 40_ms");
    labels(Share, Linear, &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0], "0 | 20 | 40 | 60 | 80 | 100_%");
    labels(Share, Log, &[0.01, 0.02, 0.05, 0.1, 0.5], "1 | 2 | 5 | 10 | 50_%");
    labels(Count, Log, &[1.0, 10.0, 1000.0], "1 | 10 | 1,000");
    labels(Percentile, Nines, &[0.5, 0.9, 0.95, 0.9999], "p50 | p90 | p95 | p99.99");
    labels(Seconds, Linear, &[0.0, 1000.0, 2000.0, 3000.0], "0 | 1,000 | 2,000 | 3,000_s");
    labels(Latency, Log, &[1e4, 2e5, 1e6], "10_s | 200 | 1,000");
    labels(Throughput, Linear, &[0.0, 50.0, 100.0], "0 | 50 | 100_MB/s");
    labels(Plain, Linear, &[0.0, 0.1, 0.1 + 0.2], "0 | 0.1 | 0.3");
    labels(Latency, Log, &[], "");
    check(bare(Latency, 1000.0, 50.0), "1,000");
    check(bare(Latency, 2.5, 5000.0), "0.0025");
}

#[test]
fn boxes() {
    let share = Kind::Share { min: 0.0, max: 1.0, scale: Scale::LogFrom(1e-5) };
    let ms = number(Unit::Milliseconds);
    check(in_box(share, 0.01), "1 in 100");
    check(in_box(share, 1e-4), "1 in 10,000");
    check(in_box(share, 0.5), "50_%");
    check(in_box(share, 0.056), "5.6_%");
    check(in_box(share, 0.0), "0_%");
    check(in_box(share, 1.0), "100_%");
    check(in_box(share, 0.007_12), "0.712_%");
    check(in_box(ms, 1000.0), "1,000_ms");
    check(in_box(ms, 12.5), "12.5_ms");
    check(in_box(number(Unit::None), 0.3), "0.3");
    check(in_box(Kind::Count { min: 1, max: 10_000, scale: Scale::Log }, 2000.0), "2,000");
    check(in_box(Kind::Choice(&CHOICES), 1.0), "At percentile");
    check(in_box(Kind::Toggle, 1.0), "On");
    check(on_scale(share, 1e-4), "1 in 10,000");
    check(on_scale(share, 0.5), "half");
    check(on_scale(share, 0.0), "0");
    check(on_scale(ms, 0.01), "10_µs");
    check(on_scale(ms, 10_000.0), "10_s");
    check(on_scale(number(Unit::MegabytesPerSecond), 100.0), "100_MB/s");
}

#[test]
fn boxes_read_back() {
    let mut rng = Rng::stream(7, 0, 0);
    for kind in kinds() {
        let (min, max) = kind.range();
        for _ in 0..2_000 {
            let anywhere = kind.clamp(min + (max - min) * rng.unit() * rng.unit());
            for value in [min, max, anywhere, kind.value_at(rng.unit())] {
                let written = in_box(kind, value);
                for text in [
                    written.number.clone(),
                    written.to_string(),
                    format!("{}{}", written.number, written.unit),
                ] {
                    let parsed =
                        kind.parse(&text).unwrap_or_else(|it| panic!("{kind:?} {text}: {it:?}"));
                    assert_eq!(
                        parsed.value.to_bits(),
                        value.to_bits(),
                        "{kind:?}: {value} as {text}"
                    );
                    assert!(!parsed.moved, "{kind:?}: {value} as {text} was moved");
                }
            }
        }
    }
}

#[test]
fn nothing_is_too_odd_to_be_written() {
    let mut rng = Rng::stream(8, 0, 0);
    let odd = [
        0.0,
        -0.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN_POSITIVE,
        -1e-300,
    ];
    for turn in 0..20_000 {
        let mut any =
            || if turn % 2 == 0 { odd[rng.below(8) as usize] } else { f64::from_bits(rng.bits()) };
        for quantity in [Latency, Share, Count, Percentile, Plain, Rate, Throughput, Seconds] {
            let (value, low, high) = (any(), any(), any());
            let texts = [
                reading(quantity, Some(value), Some(low), Some(high)).to_string(),
                difference(quantity, value, Some(low), high).to_string(),
                short(quantity, value).to_string(),
                given(quantity, value).to_string(),
                relative_margin(value, low, high),
            ];
            for text in texts.iter().chain(&ticks(quantity, Log, &[value, low, high])) {
                assert!(
                    !text.is_empty() && text.chars().count() <= 64,
                    "{quantity:?} {value}: {text}"
                );
                assert!(
                    !text.contains("NaN") && !text.contains("inf"),
                    "{quantity:?} {value}: {text}"
                );
            }
        }
    }
}

const CHOICES: [Choice; 2] = [
    Choice { key: "after", label: "After", short: "After" },
    Choice { key: "percentile", label: "At percentile", short: "At p" },
];

fn number(unit: Unit) -> Kind {
    Kind::Number { min: 0.0, max: 1e6, scale: Scale::LogFrom(1e-3), unit }
}

fn kinds() -> Vec<Kind> {
    let mut kinds = vec![
        Kind::Share { min: 0.0, max: 1.0, scale: Scale::LogFrom(1e-6) },
        Kind::Share { min: 0.1, max: 0.9, scale: Scale::Linear },
        Kind::Share { min: 1e-9, max: 0.5, scale: Scale::Log },
        Kind::Count { min: 0, max: u32::MAX, scale: Scale::Linear },
        Kind::Number { min: 1e-12, max: 1e18, scale: Scale::Log, unit: Unit::None },
        Kind::Number { min: -5.0, max: 5.0, scale: Scale::Linear, unit: Unit::None },
        Kind::Choice(&CHOICES),
        Kind::Toggle,
    ];
    kinds.extend(
        [
            Unit::None,
            Unit::Microseconds,
            Unit::Milliseconds,
            Unit::Seconds,
            Unit::Kilobytes,
            Unit::MegabytesPerSecond,
            Unit::PerSecond,
        ]
        .map(number),
    );
    kinds
}
