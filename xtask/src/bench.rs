//! Measures what the budgets are about: the download, the page in Chromium, the kernels.
//!
//! Whatever measures prints one JSON object a line on its standard output, and this is all it has to know of here:
//! `{"name": "first percentiles", "value": 412.5, "unit": "ms", "under": 1000}`, with `under` or `at_least` if there
//! is a budget. Other lines are shown as they are. Programs that measure are `benches/*.rs` (with
//! `harness = false`) and `tests/browser/bench.mjs`, which also runs `benches/peer.js` beside our own. What others
//! make of the same queue is measured by `simpy`.

use crate::build::{Profile, build, dist, read_below};
use crate::setup;
use crate::shell::{cargo, output, program, root, shown};
use crate::simpy;
use crate::site::Files;
use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;

/// Prints a table and writes `target/bench.json`; fails if a budget is not kept.
pub(crate) fn bench() -> Result<()> {
    setup::wasm_target()?;
    let setup::Browser { chromium } = setup::browser()?;
    build(Profile::Release, false)?;
    let mut measures = download()?;
    for kernel in kernels()? {
        measures.extend(lines(&shown(
            cargo().args(["bench", "--quiet", "--locked", "--bench", &kernel]),
        )?));
    }
    let mut page = program("node");
    measures.extend(lines(&shown(page.arg("tests/browser/bench.mjs").env("CHROMIUM", &chromium))?));
    measures.extend(ratios(&measures));
    measures.extend(simpy::measures(&measures));
    write(&measures)?;
    println!("\n{}", table(&measures));
    let missed = measures.iter().filter(|it| !it.is_kept()).count();
    if 0 < missed {
        bail!("{missed} of the budgets are not kept");
    }
    Ok(())
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Measure {
    pub(crate) name: String,
    pub(crate) value: f64,
    unit: String,
    budget: Option<Budget>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Budget {
    Under(f64),
    AtLeast(f64),
}

impl Measure {
    /// Without a budget.
    pub(crate) fn new(name: &str, value: f64, unit: &str) -> Self {
        Self { name: name.to_owned(), value, unit: unit.to_owned(), budget: None }
    }

    fn is_kept(&self) -> bool {
        match self.budget {
            None => true,
            Some(Budget::Under(limit)) => self.value < limit,
            Some(Budget::AtLeast(limit)) => limit <= self.value,
        }
    }

    fn from_json(value: &Value) -> Option<Self> {
        let text = |key| Some(value.get(key)?.as_str()?.to_owned());
        let number = |key| value.get(key)?.as_f64();
        let budget =
            number("under").map(Budget::Under).or_else(|| number("at_least").map(Budget::AtLeast));
        Some(Self { name: text("name")?, value: number("value")?, unit: text("unit")?, budget })
    }

    fn to_json(&self) -> Value {
        let mut value = json!({ "name": self.name, "value": self.value, "unit": self.unit });
        match self.budget {
            Some(Budget::Under(limit)) => value["under"] = limit.into(),
            Some(Budget::AtLeast(limit)) => value["at_least"] = limit.into(),
            None => {}
        }
        value
    }
}

/// The bytes a visitor fetches, by part, compressed as a good host would.
fn download() -> Result<Vec<Measure>> {
    let mut site = Files::new();
    read_below(&dist(), "", &mut site)?;
    let mut parts = BTreeMap::<&str, usize>::new();
    for (path, content) in &site {
        *parts.entry(part(path)).or_default() += compressed(content)?;
    }
    let measure = |name: &str, bytes: usize, budget| Measure {
        name: format!("download, {name}"),
        value: bytes as f64 / 1000.0,
        unit: "kB".into(),
        budget,
    };
    let total = parts.iter().filter(|(part, _)| **part != OTHER).map(|(_, bytes)| bytes).sum();
    let mut measures: Vec<_> =
        parts.into_iter().map(|(part, bytes)| measure(part, bytes, None)).collect();
    measures.push(measure("html, css, js and wasm", total, Some(Budget::Under(250.0))));
    Ok(measures)
}

/// The speed of wasm against native of every kernel that ran both ways, in this one run: on a busy machine only such a
/// ratio says something.
fn ratios(measures: &[Measure]) -> Vec<Measure> {
    let ratio = |native: &Measure| {
        let name = native.name.strip_suffix(", native")?;
        let wasm = measures.iter().find(|it| it.name == format!("{name}, wasm"))?;
        // Of a time, less is faster.
        let faster =
            if native.unit == "ms" { native.value / wasm.value } else { wasm.value / native.value };
        let budget = (native.unit != "ms").then_some(Budget::AtLeast(0.7));
        Some(Measure {
            name: format!("{name}, wasm against native"),
            value: faster,
            unit: "times".into(),
            budget,
        })
    };
    measures.iter().filter_map(ratio).collect()
}

/// Fonts, icons and what is fetched on demand.
const OTHER: &str = "other files";

fn part(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((_, extension @ ("html" | "css" | "js" | "wasm"))) => extension,
        _ => OTHER,
    }
}

/// Brotli's size of a file, or the file's own if that is less.
fn compressed(content: &[u8]) -> Result<usize> {
    const BUFFER: usize = 4096;
    const QUALITY: u32 = 11;
    const WINDOW: u32 = 22;
    let mut writer = brotli::CompressorWriter::new(Vec::new(), BUFFER, QUALITY, WINDOW);
    writer.write_all(content)?;
    Ok(writer.into_inner().len().min(content.len()))
}

/// The native benchmarks there are, by name.
fn kernels() -> Result<Vec<String>> {
    let folder = root().join("benches");
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Files::new();
    read_below(&folder, "", &mut files)?;
    let top =
        |path: &String| Some(path.strip_suffix(".rs").filter(|it| !it.contains('/'))?.to_owned());
    Ok(files.keys().filter_map(top).collect())
}

/// The measures in what a program wrote; what is none is shown.
fn lines(text: &str) -> Vec<Measure> {
    let read = |line: &str| serde_json::from_str(line).ok().as_ref().and_then(Measure::from_json);
    let mut measures = Vec::new();
    for line in text.lines().filter(|it| !it.trim().is_empty()) {
        match read(line) {
            Some(measure) => measures.push(measure),
            None => println!("{line}"),
        }
    }
    measures
}

fn write(measures: &[Measure]) -> Result<()> {
    let commit = output(program("git").args(["rev-parse", "HEAD"]));
    let all: Vec<_> = measures.iter().map(Measure::to_json).collect();
    let text = serde_json::to_string_pretty(&json!({ "commit": commit, "measures": all }))?;
    fs::write(root().join("target/bench.json"), text + "\n").context("target/bench.json")
}

fn table(measures: &[Measure]) -> String {
    let width = measures.iter().map(|it| it.name.chars().count()).max().unwrap_or(0);
    let row = |it: &Measure| {
        let (word, limit) = match it.budget {
            None => return format!("{:width$}  {:>12} {}", it.name, digits(it.value), it.unit),
            Some(Budget::Under(limit)) => ("under", limit),
            Some(Budget::AtLeast(limit)) => ("at least", limit),
        };
        let verdict = if it.is_kept() { "kept" } else { "NOT KEPT" };
        let value = digits(it.value);
        format!("{:width$}  {value:>12} {:8} {word} {}: {verdict}", it.name, it.unit, digits(limit))
    };
    measures.iter().map(row).collect::<Vec<_>>().join("\n")
}

/// Three figures after the point for small numbers, none for large ones.
fn digits(value: f64) -> String {
    let places = match value.abs() {
        it if it < 10.0 => 3,
        it if it < 1000.0 => 1,
        _ => 0,
    };
    let text = format!("{value:.places$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(value: f64, budget: Option<Budget>) -> Measure {
        Measure { name: "first percentiles".into(), value, unit: "ms".into(), budget }
    }

    #[test]
    fn budgets_are_kept_or_not() {
        for (value, budget, kept) in [
            (999.9, Budget::Under(1000.0), true),
            (1000.0, Budget::Under(1000.0), false),
            (0.7, Budget::AtLeast(0.7), true),
            (0.69, Budget::AtLeast(0.7), false),
        ] {
            assert_eq!(measure(value, Some(budget)).is_kept(), kept, "{value} {budget:?}");
        }
        assert!(measure(1e9, None).is_kept());
    }

    #[test]
    fn speeds_and_times_are_compared() {
        let named = |name: &str, value, unit: &str| Measure {
            name: name.into(),
            unit: unit.into(),
            ..measure(value, None)
        };
        let all = [
            named("draws, native", 50.0, "million/s"),
            named("draws, wasm", 40.0, "million/s"),
            named("curve, native", 1.0, "ms"),
            named("curve, wasm", 2.0, "ms"),
            named("alone, native", 1.0, "ms"),
        ];
        let seen: Vec<_> = ratios(&all).iter().map(|it| (it.name.clone(), it.value)).collect();
        assert_eq!(
            seen,
            [
                ("draws, wasm against native".into(), 0.8),
                ("curve, wasm against native".into(), 0.5)
            ]
        );
    }

    #[test]
    fn lines_are_measures_or_words() {
        let text = "warming up\n{\"name\":\"first percentiles\",\"value\":412.5,\"unit\":\"ms\",\"under\":1000}\n\n{\"x\":1}\n";
        assert_eq!(lines(text), [measure(412.5, Some(Budget::Under(1000.0)))]);
    }

    #[test]
    fn what_is_written_reads_the_same() {
        for budget in [None, Some(Budget::Under(2.0)), Some(Budget::AtLeast(0.7))] {
            let measure = measure(1.25, budget);
            assert_eq!(Measure::from_json(&measure.to_json()), Some(measure));
        }
    }

    #[test]
    fn parts_go_by_extension() {
        assert_eq!(
            ["a-0.js", "b.wasm", "index.html", "x/y.css"].map(part),
            ["js", "wasm", "html", "css"]
        );
        assert_eq!(["sans.woff2", "icon.svg", "LICENSE"].map(part), [OTHER; 3]);
    }

    #[test]
    fn compression_never_costs() {
        assert!(compressed(&b"again and again ".repeat(100)).unwrap() < 100);
        assert_eq!(compressed(b"x").unwrap(), 1);
    }

    #[test]
    fn the_table_gives_a_verdict() {
        let table = table(&[
            measure(1200.0, Some(Budget::Under(1000.0))),
            measure(12.34, None),
            measure(0.95, Some(Budget::AtLeast(0.7))),
        ]);
        assert_eq!(
            table,
            "first percentiles          1200 ms       under 1000: NOT KEPT\n\
             first percentiles          12.3 ms\n\
             first percentiles          0.95 ms       at least 0.7: kept"
        );
    }
}
