//! Where a file contradicts itself, in sentences.

use super::{Series, series::percentile};
use crate::special::sort_by_number;

/// Times are printed with a few digits: what differs by less is rounding.
const ROUNDING: f64 = 0.02;
/// By how much ours may differ from the file's own percentile before it is said.
const OURS_APART: f64 = 0.1;

pub(super) fn check(series: &mut Series) {
    let mut said = Vec::new();
    said.extend(falling(series));
    said.extend(beyond_the_longest(series));
    said.extend(means(series));
    said.extend(little(series));
    said.extend(counts(series));
    said.extend(apart(series));
    series.warnings.extend(said);
}

/// p95 < p90.
fn falling(series: &Series) -> Option<String> {
    let mut own = series.own.clone();
    sort_by_number(&mut own, |it| it.0);
    let pair = own.windows(2).find(|it| it[0].0 < it[1].0 && it[1].1 < it[0].1)?;
    Some(format!(
        "{} is less than {}, which cannot be: it is read as no less.",
        percentile(pair[1].0),
        percentile(pair[0].0)
    ))
}

/// p99 > max.
fn beyond_the_longest(series: &Series) -> Option<String> {
    let max = series.max?;
    let above = |it: &&(f64, f64)| it.0 < 1.0 && max * (1.0 + ROUNDING) < it.1;
    let (share, _) = series.own.iter().find(above)?;
    Some(format!(
        "{} is more than the longest answer, which cannot be: the tool rounds one or the other.",
        percentile(*share)
    ))
}

fn means(series: &Series) -> Option<String> {
    let (mean, max) = (series.mean?, series.max?);
    if max * (1.0 + ROUNDING) < mean {
        return Some("The mean is more than the longest answer, which cannot be.".to_owned());
    }
    let min = series.min?;
    (mean < min * (1.0 - ROUNDING))
        .then(|| "The mean is less than the shortest answer, which cannot be.".to_owned())
}

/// Of clients that each wait for an answer no more are waiting than there are, and they do little else.
fn little(series: &Series) -> Option<String> {
    let (clients, per_second) = (series.concurrency?, series.per_second?);
    let mean_s = series.mean? / 1e3;
    let waiting = per_second * mean_s;
    let odd = clients * 1.3 < waiting || waiting * 3.0 < clients;
    (0.0 < waiting && odd).then(|| {
        format!(
            "By Little's law {waiting:.1} answers were awaited at a time, but there were {clients} clients: the times, \
             the rate or the number of clients mean something else than they seem to."
        )
    })
}

/// The number of samples against the sum of the buckets.
fn counts(series: &Series) -> Option<String> {
    let (count, counted) = (series.count?, series.counted?);
    ((count - counted).abs() > 0.001 * count)
        .then(|| format!("The file says {count} answers, but its buckets hold {counted}."))
}

/// The file's own percentiles against those of its samples.
fn apart(series: &Series) -> Option<String> {
    if series.points.is_empty() {
        return None;
    }
    let apart = |ours: f64, own: f64| (ours / own - 1.0).abs() > OURS_APART;
    let compared = series.compared().into_iter();
    let mut known = compared.filter_map(|it| Some((it.share, it.own?, it.ours?)));
    let (share, own, ours) = known.find(|(_, own, ours)| apart(*ours, *own))?;
    Some(format!(
        "The file's own {} is {}; by the rest of the file, which is used, it is {}.",
        percentile(share),
        rounded(own),
        rounded(ours)
    ))
}

fn rounded(ms: f64) -> String {
    crate::format::short(crate::report::Quantity::Latency, ms).to_string()
}
