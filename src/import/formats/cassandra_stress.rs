//! cassandra-stress: the results of one or several runs, by kind of operation.

use crate::import::{Format, Found, Head, Series, Shape, Text, TimeUnit, Trouble, number::number};

pub(super) const FORMAT: Format = Format {
    key: "cassandra-stress",
    name: "cassandra-stress",
    shapes: &[Shape::Report { knows, read }],
};

fn knows(head: &Head) -> bool {
    head.any(|it| it.to_ascii_lowercase().starts_with("latency 99th percentile"))
        || (head.any_starts("Running") && head.any_has("threadCount"))
        || head.any(|it| it.starts_with("Op rate") && it.contains("op/s"))
}

fn read(text: &Text) -> Result<Found, Trouble> {
    let mut list: Vec<Series> = Vec::new();
    let (mut first, mut runs) = (0, 0);
    for line in text.lines() {
        let Some((title, values)) = line.text.split_once(':') else { continue };
        let title = title.trim().to_ascii_lowercase();
        if title == "op rate" {
            runs += 1;
            first = list.len();
        }
        let Some(what) = what(&title) else { continue };
        for (name, value) in values_of(values) {
            let value = value
                .or_else(|| values.contains("NaN").then_some(f64::NAN))
                .ok_or_else(|| Trouble::at(&line, "a time such as 4,399.8 ms"))?;
            let name = if 1 < runs { format!("run {runs} {name}").trim().to_owned() } else { name };
            let at = list[first..].iter().position(|it| it.name == name);
            let at = at.map_or_else(
                || {
                    list.push(Series::named(name, TimeUnit::Milliseconds));
                    list.len() - 1
                },
                |it| first + it,
            );
            set(&mut list[at], &what, value);
        }
    }
    list.retain(|it| !it.is_empty());
    if list.is_empty() {
        return Err(Trouble::new(
            "There are no results in the file: expected lines such as Latency 99th percentile.",
        ));
    }
    Ok(Found::of(list))
}

enum What {
    Share(f64),
    Mean,
    Max,
    Count,
    Rate,
}

fn what(title: &str) -> Option<What> {
    Some(match title {
        "op rate" => What::Rate,
        "latency mean" => What::Mean,
        "latency median" => What::Share(0.5),
        "latency max" => What::Max,
        "total partitions" | "total operations" => What::Count,
        _ => {
            let percent = title.strip_prefix("latency ")?.strip_suffix("percentile")?;
            let percent = number(percent.trim().trim_end_matches("th"))?;
            What::Share(percent / 100.0).valid()?
        }
    })
}

impl What {
    fn valid(self) -> Option<What> {
        match self {
            What::Share(share) if !(0.0..1.0).contains(&share) => None,
            it => Some(it),
        }
    }
}

fn set(series: &mut Series, what: &What, value: f64) {
    let value = Some(value).filter(|it| it.is_finite());
    match *what {
        What::Share(share) => series.own.extend(value.map(|it| (share, it))),
        What::Mean => series.mean = value,
        What::Max => series.max = value,
        What::Count => series.count = value.filter(|it| 0.0 < *it),
        What::Rate => series.per_second = value,
    }
}

/// `4.7 ms [READ: 4.7 ms, WRITE: 3,120.5 ms]`: all together, and by kind where there are several.
fn values_of(text: &str) -> Vec<(String, Option<f64>)> {
    let first = |it: &str| it.split_whitespace().next().and_then(number);
    let (all, kinds) = text.split_once('[').unwrap_or((text, ""));
    let mut values = vec![(String::new(), first(all))];
    let kinds: Vec<&str> = kinds.trim_end().trim_end_matches(']').split(", ").collect();
    if 1 < kinds.len() {
        let pairs = kinds.iter().filter_map(|it| it.split_once(':'));
        values.extend(pairs.map(|it| (it.0.trim().to_owned(), first(it.1))));
    }
    values
}
