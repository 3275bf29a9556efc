//! Counts by steps of time: what figures over time are drawn from.

use super::Seen;

/// One count over another in each step between the edges, and the last edge; a step without a count breaks the line.
///
/// `part` gives both counts of a step.
pub(super) fn ratios(
    seen: &Seen,
    edges: impl Iterator<Item = f64>,
    scale: f64,
    part: impl Fn(usize) -> (usize, usize),
) -> Vec<(f64, f64)> {
    let Some(meter) = seen.meter else { return Vec::new() };
    let edges: Vec<f64> = edges.collect();
    let steps = edges.len().saturating_sub(1);
    let ratio = |step: usize| {
        let (over, under) = part(step);
        match meter.counted(under) {
            0 => f64::NAN,
            total => scale * meter.counted(over) as f64 / total as f64,
        }
    };
    let at = |(at, edge): (usize, &f64)| (*edge, if at == steps { 0.0 } else { ratio(at) });
    edges.iter().enumerate().map(at).collect()
}
