//! Heat maps of latency over time: a column for each step, darker where more answers lie.

use crate::{
    report::{Cells, Meaning},
    sim::{Meter, Raster},
};

/// Shades by the least share of a step's answers, darkest first; those with words are in the key.
const SHADES: [(f64, f64, &str); 7] = [
    (0.3, 0.9, ""),
    (0.1, 0.75, "10\u{202f}%"),
    (0.03, 0.6, ""),
    (0.01, 0.46, "1\u{202f}%"),
    (0.003, 0.33, ""),
    (0.001, 0.21, "0.1\u{202f}%"),
    (0.0, 0.1, "less"),
];

/// The cells of the steps between so many edges, and the latencies that they reach from and to; nothing before there
/// are answers.
pub(super) fn latency_cells(
    raster: Raster,
    meter: &Meter,
    x_edges: Vec<f64>,
) -> Option<(Cells, (f64, f64))> {
    let steps = x_edges.len().saturating_sub(1);
    let counts: Vec<Vec<u64>> = (0..steps)
        .map(|step| (0..Raster::BINS).map(|bin| raster.counted(meter, step, bin)).collect())
        .collect();
    let used = |bin: &usize| counts.iter().any(|it| 0 < it[*bin]);
    let first = (0..Raster::BINS).find(used)?;
    let last = (0..Raster::BINS).rev().find(used)?;
    let column = |bins: &Vec<u64>| {
        let total: u64 = bins.iter().sum();
        bins[first..=last].iter().map(|it| shade(*it, total)).collect::<Vec<f64>>()
    };
    let key = SHADES.iter().rev().map(|(_, shade, words)| (*shade, (*words).to_owned()));
    let y_edges: Vec<f64> = (first..=last + 1).map(|it| raster.edge_ms(it)).collect();
    let ends = (y_edges[0], raster.edge_ms(last + 1));
    let shades = counts.iter().flat_map(column).collect();
    let key = key.collect();
    let cells = Cells { meaning: Meaning::This, x_edges, y_edges, shades, key, told: Vec::new() };
    Some((cells, ends))
}

fn shade(count: u64, total: u64) -> f64 {
    let share = count as f64 / total.max(1) as f64;
    let found = SHADES.iter().find(|it| it.0 <= share).filter(|_| 0 < count);
    found.map_or(f64::NAN, |it| it.1)
}

/// How the shades are to be read.
pub(super) const KEY: &str =
    "Darker: more of the requests of that moment, three times as many from shade to shade.";
