//! Latency files: what each format's files give, and that no bytes whatever do harm.
//!
//! Files stand in a folder for each format: usual ones, odd ones, and broken ones that must say so.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use tail_lab::{
    import::{self, FORMATS, Imported, Reader, TimeUnit, Trouble},
    measured::Measured,
    sim::Rng,
};

const FOLDER: &str = "tests/it/import";

/// What must come out, read off the files by hand: share and milliseconds of the first series. Samples from 2 to 21.5
/// in steps of a half have their median at 11.75.
const QUANTILES: &[(&str, &[(f64, f64)])] = &[
    ("wrk/usual.txt", &[(0.5, 5.1), (0.75, 6.9), (0.9, 9.8), (0.99, 21.5)]),
    ("wrk2/usual.txt", &[(0.5, 4.003), (0.9, 9.011), (0.999_023, 40.031)]),
    ("wrk2/odd-summary.txt", &[(0.5, 4.003), (0.9, 9.011)]),
    ("hgrm/usual.hgrm", &[(0.5, 4.003), (0.75, 6.007), (0.9, 9.011)]),
    ("hgrm/odd-repeated.hgrm", &[(0.99, 9.0), (0.999_99, 30.0), (1.0 - 1.0 / 312_500.0, 41.0)]),
    ("hlog/usual.hlog", &[(0.25, 1.0), (0.7, 2.0), (0.945, 5.0), (0.9945, 40.0)]),
    ("vegeta/usual.txt", &[(0.5, 4.2), (0.9, 9.9), (0.95, 14.0), (0.99, 62.0)]),
    ("vegeta/usual.json", &[(0.5, 4.2), (0.9, 9.9), (0.95, 14.0), (0.99, 62.0)]),
    ("vegeta/odd-plot.txt", &[(0.5, 4.2), (0.9, 9.9), (0.99, 62.0)]),
    ("vegeta/odd-histogram.txt", &[(0.2, 2.0), (0.9, 10.0), (0.98, 50.0)]),
    ("k6/usual.json", &[(0.5, 4.1), (0.9, 9.8), (0.95, 13.0)]),
    ("k6/odd-handle-summary.json", &[(0.5, 4.1), (0.99, 62.0)]),
    ("k6/usual.csv", &[(0.5, 11.5)]),
    ("k6/odd-points.json", &[(0.5, 11.5)]),
    ("hey/usual.csv", &[(0.5, 11.75)]),
    ("hey/odd-old.csv", &[(0.5, 11.75)]),
    ("hey/usual.txt", &[(0.1, 2.1), (0.5, 4.2), (0.9, 9.9), (0.99, 62.0)]),
    ("oha/usual.json", &[(0.1, 2.1), (0.5, 4.2), (0.99, 62.0)]),
    ("oha/usual.csv", &[(0.5, 11.75)]),
    ("jmeter/usual.jtl", &[(0.5, 117.5)]),
    ("jmeter/odd-no-header.jtl", &[(0.5, 117.5)]),
    ("jmeter/odd-quotes-and-parents.jtl", &[(0.5, 67.5)]),
    ("jmeter/odd.xml", &[(0.5, 67.5)]),
    ("locust/usual_stats.csv", &[(0.5, 40.0), (0.95, 130.0), (0.99, 590.0)]),
    ("locust/odd.json", &[(0.2, 12.0), (0.6, 20.0), (0.875, 61.0)]),
    ("ghz/usual.json", &[(0.5, 11.75)]),
    ("ghz/usual.csv", &[(0.5, 11.75)]),
    ("ghz/odd-count.json", &[(0.5, 11.8), (0.9, 19.6)]),
    ("ab/usual.txt", &[(0.5, 4.0), (0.95, 14.0), (0.99, 62.0)]),
    ("ab/odd-e.csv", &[(0.5, 6.0), (0.9, 10.0)]),
    ("fio/usual.json", &[(0.5, 0.042), (0.99, 0.62), (0.9999, 0.905)]),
    ("fio/odd-old.json", &[(0.5, 0.042), (0.99, 0.62)]),
    ("fio/odd-bins.json", &[(0.15, 0.02), (0.5, 0.042), (0.84, 0.099)]),
    ("memtier/usual.txt", &[(0.5, 0.415), (0.99, 2.015), (0.999, 6.103)]),
    ("redis-benchmark/usual.csv", &[(0.5, 0.127), (0.95, 0.663), (0.99, 2.079)]),
    ("redis-benchmark/usual.txt", &[(0.51, 0.127), (0.95, 0.663), (0.99, 2.079)]),
    ("prometheus/usual.txt", &[(0.1, 5.0), (0.6, 10.0), (0.9, 100.0), (0.99, 1_000.0)]),
    ("ycsb/usual.txt", &[(0.95, 1.4), (0.99, 6.203)]),
    ("ycsb/odd-buckets.txt", &[(0.3, 1.0), (0.7, 2.0), (0.9, 3.0), (0.995, 8.0)]),
    ("ycsb/odd-point.txt", &[(0.5, 0.4), (0.999, 9.0)]),
    ("sysbench/usual.txt", &[(0.3, 1.044), (0.75, 1.996), (0.94, 5.031)]),
    ("sysbench/odd-old.txt", &[(0.95, 17.73)]),
    ("cassandra-stress/usual.txt", &[(0.5, 0.5), (0.95, 0.8), (0.99, 1.2), (0.999, 4.7)]),
    ("cassandra-stress/odd-lower.txt", &[(0.5, 0.5), (0.99, 1.2)]),
    ("numbers/usual.txt", &[(0.5, 11.75)]),
    ("numbers/odd-commas.txt", &[(0.5, 11.75)]),
    ("numbers/odd-column.csv", &[(0.5, 11.75)]),
];

/// Files of a format, in the order of their names.
fn files(key: &str) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(Path::new(FOLDER).join(key)).unwrap_or_else(|_| panic!("no files for {key}"));
    let mut files: Vec<PathBuf> = entries.map(|it| it.unwrap().path()).collect();
    files.retain(|it| it.file_name().is_some_and(|it| it != "told.txt"));
    files.sort();
    files
}

fn named(path: &Path, start: &str) -> bool {
    path.file_name().unwrap().to_str().unwrap().starts_with(start)
}

#[test]
fn every_format_tells_what_its_files_hold() {
    for format in FORMATS {
        let files = files(format.key);
        let mut told = String::new();
        for path in &files {
            let read = import::read(&fs::read(path).unwrap());
            let name = path.file_name().unwrap().to_str().unwrap();
            let text = match read {
                Ok(imported) => {
                    assert_eq!(imported.format.key, format.key, "{name}");
                    assert!(!named(path, "broken"), "{}/{name} is readable", format.key);
                    imported.told()
                }
                Err(Trouble { why, .. }) => {
                    assert!(named(path, "broken"), "{name}: {why}");
                    assert!(why.ends_with('.'), "no sentence: {why}");
                    why
                }
            };
            let _ = write!(told, "== {name}\n{text}\n\n");
        }
        for start in ["usual", "odd", "broken"] {
            assert!(files.iter().any(|it| named(it, start)), "{}: none is {start}", format.key);
        }
        expect_test::expect_file![format!("import/{}/told.txt", format.key)].assert_eq(&told);
    }
}

#[test]
fn quantiles_are_those_of_the_files() {
    for (path, quantiles) in QUANTILES {
        let imported = import::read(&fs::read(Path::new(FOLDER).join(path)).unwrap()).unwrap();
        let law = imported.series[0].in_unit(TimeUnit::Milliseconds).law().unwrap();
        for (share, ms) in *quantiles {
            let seen =
                law.quantile_ms(*share).unwrap_or_else(|| panic!("{path}: {share} is not known"));
            assert!((seen / ms - 1.0).abs() < 0.005, "{path}: {share} is {seen}, not {ms}");
        }
    }
}

#[test]
fn nothing_is_known_beyond_the_file() {
    for (path, share) in [
        ("wrk/usual.txt", 0.9995),
        ("k6/usual.json", 0.96),
        ("prometheus/usual.txt", 0.991),
        ("hey/usual.csv", 0.99),
        ("oha/usual.json", 0.9999),
        ("sysbench/odd-old.txt", 0.96),
        ("vegeta/odd-plot.txt", 0.999),
    ] {
        let imported = import::read(&fs::read(Path::new(FOLDER).join(path)).unwrap()).unwrap();
        assert_eq!(imported.series[0].law().unwrap().quantile_ms(share), None, "{path}");
    }
}

#[test]
fn pieces_of_any_size_give_the_same() {
    for format in FORMATS {
        for path in files(format.key) {
            let bytes = fs::read(&path).unwrap();
            let whole = import::read(&bytes);
            for size in [1, 7, 1_000] {
                let mut reader = Reader::new();
                bytes.chunks(size).for_each(|it| reader.feed(it));
                assert_eq!(reader.taken(), bytes.len() as u64);
                let told = |it: &Result<Imported, Trouble>| {
                    it.as_ref().map(Imported::told).map_err(Clone::clone)
                };
                assert_eq!(told(&reader.finish()), told(&whole), "{} by {size}", path.display());
            }
        }
    }
}

#[test]
fn a_long_file_is_read_in_bounded_memory() {
    let mut reader = Reader::new();
    reader.feed(
        b"timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success\n",
    );
    // More than the longest report, in more labels than are kept.
    let rows: Vec<String> = (0..40_000)
        .map(|it| {
            format!(
                "{},{},GET /{},200,OK,Thread,text,true\n",
                1_600_000_000_000_u64 + it,
                it % 997,
                it % 211
            )
        })
        .collect();
    let piece = rows.concat();
    for _ in 0..12 {
        reader.feed(piece.as_bytes());
    }
    assert!(16 << 20 < reader.taken());
    let imported = reader.finish().unwrap();
    assert_eq!(imported.series[0].count, Some(480_000.0));
    assert_eq!(imported.series.len(), 61);
    let law = imported.series[0].law().unwrap();
    assert!((law.quantile_ms(0.5).unwrap() - 498.0).abs() < 3.0);
    assert_eq!(law.quantile_ms(0.999_99).map(f64::round), Some(996.0));
    assert!(imported.warnings[0].contains("more than 60 labels"), "{:?}", imported.warnings);
}

#[test]
fn hostile_sizes_end_in_a_sentence() {
    let cases = [
        ("[".repeat(1 << 20), "JSON"),
        (format!("{{\"metrics\":{}", "{\"a\":".repeat(100_000)), "JSON"),
        (format!("1\n2\n3\n{}", "9".repeat(3 << 20)), "megabyte"),
        (format!("{{\"latencyPercentiles\":[{}]}}", "0,".repeat(10 << 20)), "16"),
        ("\0".repeat(100_000), "another kind"),
        (String::new(), "nothing"),
    ];
    for (text, word) in cases {
        let Err(Trouble { why, .. }) = import::read(text.as_bytes()) else {
            panic!("{word}: readable")
        };
        assert!(why.contains(word), "{why}");
    }
}

#[allow(clippy::disallowed_methods, reason = "a bound on time is what is tested")]
/// Reads it, looks at all that can be looked at, and complains if that took long or made no sense.
fn try_out(bytes: &[u8]) {
    let start = Instant::now();
    match import::read(bytes) {
        Ok(imported) => {
            assert!(!imported.series.is_empty());
            // A look at all of it takes as long as the reading.
            if bytes.len().is_multiple_of(16) {
                let _ = imported.told();
            }
            for series in &imported.series {
                let law = series.law().expect("a series has a law");
                assert_eq!(Measured::parse(&law.text()).as_ref(), Ok(&law));
                assert!(law.longest_ms().is_finite());
            }
        }
        Err(Trouble { why, .. }) => {
            assert!(why.ends_with('.') && why.chars().count() < 400, "{why}");
        }
    }
    assert!(start.elapsed() < Duration::from_secs(5), "{} bytes took too long", bytes.len());
}

#[test]
fn cut_anywhere_does_no_harm() {
    for format in FORMATS {
        for path in files(format.key) {
            let bytes = fs::read(&path).unwrap();
            for end in 0..bytes.len().min(1_500) {
                try_out(&bytes[..end]);
            }
        }
    }
}

/// What numbers and structures are made of.
const LETTERS: &[u8] = b"0123456789.,-\"{}[]:% \t\n\rENaInf";

/// Something near a file: bytes changed, pieces dropped, doubled or taken from another file.
fn mutated(rng: &mut Rng, files: &[Vec<u8>]) -> Vec<u8> {
    let pick = |rng: &mut Rng, limit: usize| rng.below(limit.max(1) as u32) as usize;
    let mut bytes = files[pick(rng, files.len())].clone();
    for _ in 0..=rng.below(6) {
        let length = bytes.len();
        let (at, end) = (pick(rng, length), pick(rng, length));
        let (start, end) = (at.min(end), at.max(end).min(at.min(end) + 200).min(length));
        match rng.below(7) {
            0 if at < length => bytes[at] = rng.bits() as u8,
            1 if at < length => bytes[at] = LETTERS[pick(rng, LETTERS.len())],
            2 => drop(bytes.drain(start..end)),
            3 => {
                let piece = bytes[start..end].to_vec();
                bytes.splice(at.min(length)..at.min(length), piece);
            }
            4 => {
                let other = &files[pick(rng, files.len())];
                let from = pick(rng, other.len());
                let piece = other[from..other.len().min(from + 80)].to_vec();
                bytes.splice(at.min(length)..at.min(length), piece);
            }
            5 => {
                const NUMBERS: [&str; 10] = [
                    "1e308",
                    "-1",
                    "0",
                    "99999999999999999999",
                    "1e-300",
                    "-nan",
                    "18446744073709551615",
                    "100",
                    "",
                    "+Inf",
                ];
                let number = NUMBERS[pick(rng, NUMBERS.len())].bytes();
                bytes.splice(start..end.min(start + 3), number);
            }
            _ => bytes.truncate(length - pick(rng, 20).min(length)),
        }
    }
    bytes
}

fn all_files(key: &str) -> Vec<Vec<u8>> {
    files(key).iter().map(|it| fs::read(it).unwrap()).collect()
}

#[test]
fn any_bytes_give_a_value_or_a_sentence() {
    let mut rng = Rng::stream(3, 0, 0);
    for _ in 0..5_000 {
        let length = rng.below(200);
        let bytes: Vec<u8> = (0..length).map(|_| rng.bits() as u8).collect();
        try_out(&bytes);
    }
    for format in FORMATS {
        let files = all_files(format.key);
        for _ in 0..300 {
            try_out(&mutated(&mut rng, &files));
        }
    }
}

/// `INPUTS=1000000 cargo test --release --test it -- --ignored fuzz` takes a while; `INPUTS` is for each format.
#[test]
#[ignore = "takes long: for whoever changes a format"]
fn fuzz() {
    let inputs: u32 =
        std::env::var("INPUTS").ok().and_then(|it| it.parse().ok()).unwrap_or(100_000);
    let only = std::env::var("FORMAT").ok();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(format) = FORMATS.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if only.as_deref().is_some_and(|it| it != format.key) {
                        continue;
                    }
                    let files = all_files(format.key);
                    let seed =
                        std::env::var("SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
                    for it in 0..inputs {
                        // A seed for each, so that one that fails can be made again.
                        let mut rng = Rng::of_one(seed, u64::from(it));
                        let bytes = mutated(&mut rng, &files);
                        let tried = std::panic::catch_unwind(|| try_out(&bytes));
                        assert!(tried.is_ok(), "{}: input {it} of seed {seed}", format.key);
                    }
                }
            });
        }
    });
}
