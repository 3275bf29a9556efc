//! Whether the warm-up of a finished study was long enough, in a sentence.

use super::{Problem, Study};
use crate::{
    format::{count, short},
    report::Quantity,
    scenario::Gauge,
    schema::Field,
    sim::{Meter, Settling},
};

/// The key of the parameter by which scenarios are told how long to warm up, where they have to.
const WARM_UP: &str = "warm_up";
/// What is too short is proposed so many times longer, and at least this long.
const TIMES: f64 = 10.0;
const LEAST: f64 = 10_000.0;

/// Where even such trends would not be seen, that none was says nothing.
const UNSEEN: (f64, f64) = (0.8, 1.25);

/// What is seen of a study's warm-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// In a few words.
    pub verdict: &'static str,
    /// The numbers that it is from, and what to do about it.
    pub text: String,
    /// The name of the parameter to raise, if runs were still settling when they were measured.
    pub raise: Option<&'static str>,
    /// The change that does so, as in a link, if its range has room for one.
    pub changes: Option<String>,
}

impl Settled {
    /// As one text.
    pub fn all(&self) -> String {
        [self.verdict, &self.text].join(" ")
    }
}

/// What is wrong with a run, as problems beside those of its link: that it has no percentiles, or was not warmed up.
pub fn problems_of_run(unstable: Option<String>, settled: Option<&Settled>) -> Vec<Problem> {
    let problem = |(key, text): (&str, String)| Problem { key: key.to_owned(), text };
    let unstable = unstable.map(|text| ("The run", text));
    let settling = settled.and_then(|it| Some((it.raise?, it.all())));
    unstable.into_iter().chain(settling).map(problem).collect()
}

impl Study {
    /// Whether it is one of those whose runs have to be warmed up.
    pub fn warms_up(&self) -> bool {
        self.scenario.fields.iter().any(|it| it.key == WARM_UP)
    }

    /// Nothing while runs are not finished, and where there is nothing to warm up or no steady state to tell of.
    pub fn settled(&self, meter: Option<&Meter>) -> Option<Settled> {
        let meter = meter?;
        let field = self.scenario.fields.iter().find(|it| it.key == WARM_UP)?;
        let latency = self.scenario.gauges.iter().find_map(|it| match it {
            Gauge::Latency { latency, label, .. } => Some((*latency, *label)),
            _ => None,
        })?;
        if self.unstable(Some(meter)).is_some() {
            return None;
        }
        let seen = meter.settling(latency.0, self.replications(), self.scenario.sections)?;
        Some(self.told(field, latency.1, &seen))
    }

    fn told(&self, field: &'static Field, what: &str, seen: &Settling) -> Settled {
        let [first, later] =
            [seen.first_ms, seen.later_ms].map(|it| short(Quantity::Latency, it).to_string());
        let means = format!(
            "The mean of {what} is {first} in the first {} of each run, against {later} in the later half: {:.3} to \
             {:.3} times as long (99 % interval).",
            part(self.scenario.sections),
            seen.low,
            seen.high,
        );
        if !seen.has_trend() {
            let verdict = if seen.low < UNSEEN.0 || UNSEEN.1 < seen.high {
                "Whether the warm-up was long enough cannot be told from so few requests."
            } else {
                "The warm-up was long enough for no trend to be seen."
            };
            return Settled { verdict, text: means, raise: None, changes: None };
        }
        let now = self.value(field.key).unwrap_or_default();
        let text = format!(
            "{means} Raise “{}” under “{}”, now {}.",
            field.label,
            field.group,
            count(now as u64),
        );
        let more = field.kind.clamp((TIMES * now).max(LEAST));
        let changes = (now < more).then(|| format!("{}={}", field.key, field.kind.print(more)));
        let verdict = "The warm-up was too short.";
        Settled { verdict, text, raise: Some(field.label), changes }
    }
}

/// One of so many.
fn part(of: u32) -> String {
    match of {
        4 => "quarter".to_owned(),
        8 => "eighth".to_owned(),
        _ => format!("of {of} parts"),
    }
}
