//! A sweep as text: a line for each point.

use super::{aligned, named, number};
use crate::{
    report::Measure,
    scenario::Gauge,
    study::{Study, SweepPoint},
};

/// A table for a terminal: the percentiles of what the scenario is about, and each share, ratio and length.
pub fn swept_table(study: &Study, points: &[(SweepPoint, Vec<Measure>)], keys: &[&str]) -> String {
    let shown = shown(study);
    let head = |it: &str| {
        let measure = points.first().and_then(|(_, all)| all.iter().find(|row| row.name == it));
        measure.map(|it| named(&it.name, it.quantity)).unwrap_or_default()
    };
    let cell = |all: &[Measure], name: &str| {
        let measure = all.iter().find(|it| it.name == name);
        number(measure.and_then(|it| it.simulated.or(it.exact)))
    };
    let mut rows = vec![row(keys.join(", "), shown.iter().map(|it| head(it)))];
    for (point, measures) in points {
        let place = [Some(point.x), point.y].into_iter().flatten();
        let place = place.map(|it| number(Some(it))).collect::<Vec<_>>().join(", ");
        rows.push(row(place, shown.iter().map(|it| cell(measures, it))));
    }
    return format!("{}\n\n{}", study.link(), aligned(&rows));

    fn row(first: String, rest: impl Iterator<Item = String>) -> [String; 1 + COLUMNS] {
        let mut cells = std::iter::once(first).chain(rest);
        std::array::from_fn(|_| cells.next().unwrap_or_default())
    }
}

/// As many measures as a line has room for.
const COLUMNS: usize = 7;

fn shown(study: &Study) -> Vec<String> {
    let mut names = Vec::new();
    for gauge in study.scenario.gauges {
        match gauge {
            Gauge::Latency { name, .. } if names.is_empty() => {
                names.extend(["p50", "p99", "p99.9"].map(|it| format!("{name}.{it}")));
            }
            Gauge::Latency { .. } => {}
            Gauge::Over { name, .. }
            | Gauge::Share { name, .. }
            | Gauge::Ratio { name, .. }
            | Gauge::Length { name, .. } => names.push((*name).to_owned()),
        }
    }
    names.truncate(COLUMNS);
    names
}
