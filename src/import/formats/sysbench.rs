//! sysbench: one percentile in the report, and more with `--histogram`.

use crate::import::{Format, Found, Head, Series, Shape, Text, TimeUnit, Trouble, number::number};

pub(super) const FORMAT: Format =
    Format { key: "sysbench", name: "sysbench", shapes: &[Shape::Report { knows, read }] };

fn knows(head: &Head) -> bool {
    head.any_starts("sysbench ")
        || head.any_starts("Latency histogram (values are in milliseconds)")
}

/// Several runs may stand in one file.
fn read(text: &Text) -> Result<Found, Trouble> {
    let mut runs: Vec<Run> = vec![Run::default()];
    for line in text.lines() {
        let Some(run) = runs.last_mut() else { break };
        let words: Vec<&str> = line.text.split_whitespace().collect();
        let time = |it: &str| number(it.trim_end_matches("ms").trim());
        match words[..] {
            ["sysbench", ..] if run.started() => runs.push(Run::default()),
            ["Number", "of", "threads:", threads] => run.series.concurrency = number(threads),
            // At a rate of its own it waits for nobody.
            ["Target", "transaction", "rate:", ..] => run.series.concurrency = None,
            ["events/s", "(eps):", rate] | ["events", "per", "second:", rate] => {
                run.series.per_second = number(rate);
            }
            ["total", "number", "of", "events:", count] => {
                run.series.count = number(count).filter(|it| 0.0 < *it);
            }
            ["min:", ms] => run.series.min = time(ms),
            ["avg:", ms] => run.series.mean = time(ms),
            ["max:", ms] => run.series.max = time(ms),
            ["approx.", percent, "percentile:", ms] | [percent, "percentile:", ms] => {
                let percent = number(percent.trim_end_matches(|it: char| it.is_ascii_alphabetic()));
                let share = percent.map(|it| it / 100.0).filter(|it| (0.0..1.0).contains(it));
                let pair = share.zip(time(ms));
                let (share, ms) =
                    pair.ok_or_else(|| Trouble::at(&line, "a percentile in milliseconds"))?;
                // 0 is what stands where percentiles are switched off.
                if 0.0 < share && 0.0 < ms {
                    run.series.add(share, ms);
                }
            }
            [ms, bar, .., count] if bar.starts_with('|') => {
                let pair = number(ms).zip(count.parse::<u64>().ok());
                run.counts.push(
                    pair.ok_or_else(|| Trouble::at(&line, "milliseconds, a bar and a count"))?,
                );
            }
            _ => {}
        }
    }
    let list: Vec<Series> = runs.into_iter().filter_map(Run::finish).collect();
    let several = 1 < list.len();
    let named = |(series, at): (Series, usize)| Series {
        name: if several { format!("run {at}") } else { String::new() },
        ..series
    };
    if list.is_empty() {
        return Err(Trouble::new(
            "There are no latencies in the file: expected min, avg, max and a percentile.",
        ));
    }
    Ok(Found::of(list.into_iter().zip(1..).map(named).collect()))
}

#[derive(Default)]
struct Run {
    series: Series,
    counts: Vec<(f64, u64)>,
}

impl Run {
    fn started(&self) -> bool {
        self.series.max.is_some() || !self.counts.is_empty()
    }

    fn finish(self) -> Option<Series> {
        let Run { mut series, counts } = self;
        series.unit = Some(TimeUnit::Milliseconds);
        if !counts.is_empty() {
            let of = Series::of_counts("", &counts);
            (series.points, series.counted) = (of.points, of.counted);
            series.count = series.count.or(of.count);
            series.max = series.max.or(of.max);
            series.min = series.min.or(of.min);
        }
        (!series.is_empty()).then_some(series)
    }
}
