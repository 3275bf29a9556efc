//! Two studies and their differences as text.

use serde::Serialize;

use super::{Document, Measure, Problem, aligned, document, in_json, interval, named, number};
use crate::study::{Difference, Side};

#[derive(Serialize)]
struct Compared<'a> {
    a: Document<'a>,
    b: Document<'a>,
    differences: Vec<DifferenceRow<'a>>,
}

#[derive(Serialize)]
struct DifferenceRow<'a> {
    name: &'a str,
    unit: &'a str,
    /// B less A.
    simulated: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    exact: Option<f64>,
}

/// One object, on one line.
pub fn compared_json(a: Side, b: Side, found: &[Difference], problems: &[Problem]) -> String {
    let compared = Compared {
        a: document(a.study, a.measures, &[]),
        b: document(b.study, b.measures, problems),
        differences: found.iter().map(row).collect(),
    };
    return in_json(&compared);

    fn row(it: &Difference) -> DifferenceRow<'_> {
        DifferenceRow {
            name: &it.name,
            unit: it.quantity.unit(),
            simulated: it.value,
            low: it.low,
            high: it.high,
            exact: it.exact,
        }
    }
}

/// A line for each measure, below a header.
pub fn compared_csv(a: Side, b: Side, found: &[Difference]) -> String {
    let head = "measure,unit,A,A low,A high,B,B low,B high,difference,difference low,difference high,difference exact";
    let mut lines = vec![head.to_owned()];
    for ((a, b), it) in std::iter::zip(std::iter::zip(a.measures, b.measures), found) {
        let side = |it: &Measure| [it.simulated, it.low, it.high];
        let numbers =
            side(a).into_iter().chain(side(b)).chain([it.value, it.low, it.high, it.exact]);
        let cells = numbers.map(|it| it.map(|it| it.to_string()).unwrap_or_default());
        let names = [it.name.clone(), it.quantity.unit().to_owned()];
        lines.push(names.into_iter().chain(cells).collect::<Vec<_>>().join(","));
    }
    lines.join("\n")
}

/// A table for a terminal.
pub fn compared_table(a: Side, b: Side, found: &[Difference]) -> String {
    let mut rows = vec![["", "A", "B", "B - A", "95 % interval", "exact"].map(str::to_owned)];
    for ((a, b), it) in std::iter::zip(std::iter::zip(a.measures, b.measures), found) {
        rows.push([
            named(&it.name, it.quantity),
            number(a.simulated),
            number(b.simulated),
            number(it.value),
            interval(it.low, it.high),
            number(it.exact),
        ]);
    }
    format!("A  {}\nB  {}\n\n{}", a.study.link(), b.study.link(), aligned(&rows))
}
