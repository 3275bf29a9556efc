//! A finished study as text for people and for programs.

mod advise;
mod compare;
mod swept;

use std::{fmt::Write as _, io};

use serde::Serialize;
use serde_json::{
    Map, Value,
    ser::{Formatter, Serializer},
};

use super::{Problem, Study};
use crate::{
    report::{Measure, Quantity},
    schema::Kind,
    special::round_to_digits,
};

pub use advise::{advised_csv, advised_json, advised_table};
pub use compare::{compared_csv, compared_json, compared_table};
pub use swept::swept_table;

#[derive(Serialize)]
struct Document<'a> {
    link: String,
    scenario: &'a str,
    seed: u64,
    requests: u64,
    values: Map<String, Value>,
    measures: Vec<MeasureRow<'a>>,
    problems: Vec<ProblemRow<'a>>,
}

#[derive(Serialize)]
struct MeasureRow<'a> {
    name: &'a str,
    unit: &'a str,
    simulated: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    exact: Option<f64>,
    published: Option<f64>,
}

#[derive(Serialize)]
struct ProblemRow<'a> {
    key: &'a str,
    text: &'a str,
}

/// One object, on one line.
pub fn json(study: &Study, measures: &[Measure], problems: &[Problem]) -> String {
    in_json(&document(study, measures, problems))
}

fn document<'a>(study: &Study, measures: &'a [Measure], problems: &'a [Problem]) -> Document<'a> {
    return Document {
        link: study.link(),
        scenario: study.scenario.key,
        seed: study.seed,
        requests: study.requests(),
        values: values(study),
        measures: measures.iter().map(row).collect(),
        problems: problems.iter().map(|it| ProblemRow { key: &it.key, text: &it.text }).collect(),
    };

    fn row(it: &Measure) -> MeasureRow<'_> {
        MeasureRow {
            name: &it.name,
            unit: it.quantity.unit(),
            simulated: it.simulated,
            low: it.low,
            high: it.high,
            exact: it.exact,
            published: it.published,
        }
    }
}

/// On one line.
pub fn in_json(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    // Into a vector, and of values that all have a form: this cannot fail.
    let _ = value.serialize(&mut Serializer::with_formatter(&mut bytes, Plain));
    String::from_utf8(bytes).unwrap_or_default()
}

/// Writes numbers as all others are written here: that a second way is not in the page makes it 10 kB smaller.
struct Plain;

impl Formatter for Plain {
    fn write_f64<W: io::Write + ?Sized>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        // Documents had zeros where `{:?}` has an exponent already, and are to stay as they were.
        if (1e-5..1e-4).contains(&value.abs()) {
            write!(writer, "{value}")
        } else {
            write!(writer, "{value:?}")
        }
    }
}

/// Numbers as numbers, named values by name.
fn values(study: &Study) -> Map<String, Value> {
    let pairs = std::iter::zip(study.scenario.fields, &study.values).map(|(field, &value)| {
        let value = match field.kind {
            Kind::Choice(_) | Kind::Toggle => Value::from(field.kind.print(value)),
            Kind::Count { .. } => Value::from(value as u64),
            Kind::Share { .. } | Kind::Number { .. } => Value::from(value),
        };
        (field.key.to_owned(), value)
    });
    // One by one: to collect them would bring a sort along.
    let mut values = Map::new();
    pairs.for_each(|(key, value)| drop(values.insert(key, value)));
    values
}

/// The names of the columns of `csv_row`.
pub fn csv_header(study: &Study, measures: &[Measure]) -> String {
    let mut columns = vec!["link".to_owned(), "seed".to_owned()];
    columns.extend(study.scenario.fields.iter().map(|it| it.key.to_owned()));
    for it in measures {
        let unit = it.quantity.unit();
        let name = if unit == "1" || unit == "share" {
            it.name.clone()
        } else {
            format!("{} [{unit}]", it.name)
        };
        columns.extend(
            ["", " low", " high", " exact", " published"].map(|part| format!("{name}{part}")),
        );
    }
    columns.join(",")
}

/// The study and all its measures on one line; what is not known is empty.
pub fn csv_row(study: &Study, measures: &[Measure]) -> String {
    let mut cells = vec![study.link(), study.seed.to_string()];
    cells.extend(
        std::iter::zip(study.scenario.fields, &study.values)
            .map(|(field, value)| field.kind.print(*value)),
    );
    for it in measures {
        let parts = [it.simulated, it.low, it.high, it.exact, it.published];
        cells.extend(parts.map(|part| part.map(|it| it.to_string()).unwrap_or_default()));
    }
    cells.join(",")
}

/// A table for a terminal.
pub fn text_table(study: &Study, measures: &[Measure]) -> String {
    let text = format!("{}\n{} requests, seed {}\n\n", study.link(), study.requests(), study.seed);
    let mut rows =
        vec![["", "simulated", "95 % interval", "exact", "published"].map(str::to_owned)];
    for it in measures {
        let name = named(&it.name, it.quantity);
        let interval = interval(it.low, it.high);
        let simulated = simulated(study, it);
        rows.push([name, simulated, interval, number(it.exact), number(it.published)]);
    }
    text + &aligned(&rows)
}

/// A value, or why there is none where that can be said in a word or two.
fn simulated(study: &Study, it: &Measure) -> String {
    match it.endless {
        true if study.known_up_to().is_finite() => "too little data".to_owned(),
        true => "no limit".to_owned(),
        false => number(it.simulated),
    }
}

fn named(name: &str, quantity: Quantity) -> String {
    format!("{name} [{}]", quantity.unit())
}

fn number(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), |it| round_to_digits(it, 5).to_string())
}

fn interval(low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (Some(_), Some(_)) => format!("{} to {}", number(low), number(high)),
        _ => "–".to_owned(),
    }
}

/// Rows of cells as lines, the first column to the left and all others to the right.
fn aligned<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    let width = |at: usize| rows.iter().map(|it| it[at].chars().count()).max().unwrap_or(0);
    let widths: [usize; COLUMNS] = std::array::from_fn(width);
    let mut text = String::new();
    for row in rows {
        let mut line = format!("{:<width$}", row[0], width = widths[0]);
        for (cell, width) in std::iter::zip(row, widths).skip(1) {
            let _ = write!(line, "  {cell:>width$}");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
