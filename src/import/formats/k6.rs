//! k6: the exported summary, the data of `handleSummary`, and rows of samples as CSV or JSON lines.

use serde_json::Value;

use crate::import::{
    Format, Found, Head, Line, Lines, Series, Shape, TimeUnit, Trouble,
    csv::{Row, Table, Titles},
    json,
    number::number,
    samples::Samples,
};
use crate::special::sort_by_number;

pub(super) const FORMAT: Format = Format {
    key: "k6",
    name: "k6",
    shapes: &[
        Shape::Lines {
            knows: |head| head.first().starts_with("metric_name,timestamp,"),
            open: rows,
        },
        Shape::Lines { knows: knows_points, open: |_| Box::new(Points::new()) },
        Shape::Document { knows: knows_summary, read: summary },
    ],
};

/// The metric that is the whole of a request, and those that are close to one.
const DURATIONS: [&str; 3] = ["http_req_duration", "grpc_req_duration", "ws_session_duration"];
/// The part of it that did not fail.
const ANSWERED: &str = "expected_response:true";

fn knows_points(head: &Head) -> bool {
    head.first().starts_with('{')
        && head.first().contains("\"metric\"")
        && head.first().contains("\"type\"")
}

fn knows_summary(value: &Value) -> bool {
    json::pairs(value, &["metrics"]).any(|it| trend(it.1).is_some())
}

fn rows(head: &Head) -> Box<dyn Lines> {
    Table::open(head, None, Samples::new(Some(TimeUnit::Milliseconds)), |titles: &Titles, row| {
        if !DURATIONS.contains(&titles.field(row, "metric_name")) {
            return Row::Other;
        }
        let failed = titles.field(row, "expected_response") == "false";
        match titles.number(row, "metric_value") {
            _ if failed => Row::Other,
            Some(ms) => Row::Sample(titles.field(row, "name").to_owned(), ms),
            None => Row::Wrong("a number of milliseconds under metric_value"),
        }
    })
}

/// One JSON object a line.
struct Points {
    samples: Samples,
    failed: u64,
}

impl Points {
    fn new() -> Points {
        Points { samples: Samples::new(Some(TimeUnit::Milliseconds)), failed: 0 }
    }
}

impl Lines for Points {
    fn line(&mut self, line: &Line) -> Result<(), Trouble> {
        if !DURATIONS.iter().any(|it| line.text.contains(it)) {
            return Ok(());
        }
        let expected = "a point of k6 as JSON";
        let value: Value =
            serde_json::from_str(line.text).map_err(|_| Trouble::at(line, expected))?;
        let text = |path: &[&str]| {
            let found = path.iter().try_fold(&value, |it, key| it.get(key));
            found.and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        if text(&["type"]) != "Point" || !DURATIONS.contains(&text(&["metric"]).as_str()) {
            return Ok(());
        }
        if text(&["data", "tags", "expected_response"]) == "false" {
            self.failed += 1;
            return Ok(());
        }
        let ms = json::at(&value, &["data", "value"])
            .ok_or_else(|| Trouble::at(line, "a number of milliseconds as data.value"))?;
        self.samples.add(text(&["data", "tags", "name"]), ms);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Found, Trouble> {
        if self.samples.is_empty() {
            return Err(Trouble::new(format!(
                "There are no points of {} in the file.",
                DURATIONS[0]
            )));
        }
        let mut found = self.samples.found();
        if 0 < self.failed {
            found
                .warnings
                .push(format!("{} requests failed; their times are left out.", self.failed));
        }
        Ok(found)
    }
}

/// The numbers of a trend: beside one another, or one level deeper.
fn trend(metric: &Value) -> Option<&Value> {
    let values = metric.get("values").unwrap_or(metric);
    let is_time = metric.get("contains").is_none_or(|it| it == "time");
    (values.get("avg").is_some() && is_time).then_some(values)
}

fn summary(value: &Value) -> Result<Found, Trouble> {
    let mut found = Found::default();
    let mut list: Vec<(&str, &Value)> =
        json::pairs(value, &["metrics"]).filter_map(|it| Some((it.0, trend(it.1)?))).collect();
    // Whole requests that were answered, whole requests, and then all else that is a time.
    let rank = |name: &str| {
        let duration = DURATIONS.iter().any(|it| name.starts_with(it));
        [!(duration && name.contains(ANSWERED)), !duration, name != DURATIONS[0]]
            .into_iter()
            .fold(0.0, |rank, later| 2.0 * rank + f64::from(later))
    };
    sort_by_number(&mut list, |it| rank(it.0));
    for (name, values) in list {
        let mut series = Series::named(name, TimeUnit::Milliseconds);
        for (key, value) in json::pairs(values, &[]) {
            let percent =
                key.strip_prefix("p(").and_then(|it| it.strip_suffix(')')).and_then(number);
            let share = if key == "med" { Some(0.5) } else { percent.map(|it| it / 100.0) };
            if let (Some(share), Some(ms)) = (share, value.as_f64())
                && (0.0..=1.0).contains(&share)
            {
                series.add(share, ms);
            }
        }
        series.sort();
        let at = |key| json::at(values, &[key]);
        (series.mean, series.min, series.max, series.count) =
            (at("avg"), at("min"), at("max"), at("count"));
        if series.count.is_none() && name == DURATIONS[0] {
            series.count = json::at(value, &["metrics", "http_reqs", "count"])
                .or_else(|| json::at(value, &["metrics", "http_reqs", "values", "count"]));
        }
        found.series.push(series);
    }
    Ok(found)
}
