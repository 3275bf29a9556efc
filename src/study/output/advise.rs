//! An advice on hedges as text for people and for programs: what is advised, and every delay that was tried.

use serde::Serialize;

use super::{Problem, ProblemRow, in_json};
use crate::{
    format::short,
    report::Quantity,
    study::{Advice, Gain, Inquiry, Trial},
};

#[derive(Serialize)]
struct Advised<'a> {
    /// Without hedges: what everything is held against.
    link: String,
    scenario: &'a str,
    budget: f64,
    lowest: &'a str,
    advice: &'a str,
    /// The study that is advised.
    hedged: Option<String>,
    text: String,
    /// What the deadline asks of calls.
    limits: Option<&'a str>,
    trials: Vec<TrialRow<'a>>,
    problems: Vec<ProblemRow<'a>>,
}

#[derive(Serialize)]
struct TrialRow<'a> {
    link: String,
    delay_ms: f64,
    extra_load: f64,
    /// What is to be lowest first.
    measures: Vec<GainRow<'a>>,
}

#[derive(Serialize)]
struct GainRow<'a> {
    name: &'a str,
    unit: &'a str,
    without: f64,
    with: f64,
    /// The interval of the difference.
    low: f64,
    high: f64,
}

/// One object, on one line, with what the deadline asks of calls.
pub fn advised_json(inquiry: &Inquiry, limits: Option<&str>, problems: &[Problem]) -> String {
    let advice = inquiry.advice();
    return in_json(&Advised {
        link: inquiry.off.link(),
        scenario: inquiry.off.scenario.key,
        budget: inquiry.budget,
        lowest: inquiry.aim.key(),
        advice: match advice {
            Advice::Hedge(_) => "hedge",
            Advice::DoNotHedge { .. } => "do not hedge",
            Advice::Unknown => "unknown",
        },
        hedged: hedged(&advice),
        text: inquiry.told(),
        limits,
        trials: inquiry.trials().iter().map(row).collect(),
        problems: problems.iter().map(|it| ProblemRow { key: &it.key, text: &it.text }).collect(),
    });

    fn row(it: &Trial) -> TrialRow<'_> {
        TrialRow {
            link: it.study.link(),
            delay_ms: it.delay_ms,
            extra_load: it.cost,
            measures: gains(it).map(gain).collect(),
        }
    }

    fn gain(it: &Gain) -> GainRow<'_> {
        GainRow {
            name: &it.measure,
            unit: it.quantity.unit(),
            without: it.without,
            with: it.with,
            low: it.change.0,
            high: it.change.1,
        }
    }
}

/// A line for each delay and each measure, below a header.
pub fn advised_csv(inquiry: &Inquiry) -> String {
    let head =
        "link,delay [ms],extra load,measure,unit,without,with,difference low,difference high";
    let mut lines = vec![head.to_owned()];
    for trial in inquiry.trials() {
        let cost = [trial.delay_ms, trial.cost].map(|it| it.to_string());
        for it in gains(trial) {
            let names = [it.measure.clone(), it.quantity.unit().to_owned()];
            let values = [it.without, it.with, it.change.0, it.change.1].map(|it| it.to_string());
            let cells = [trial.study.link()].into_iter().chain(cost.clone()).chain(names);
            lines.push(cells.chain(values).collect::<Vec<_>>().join(","));
        }
    }
    lines.join("\n")
}

/// For a terminal: the trials, the sentences, the link of what is advised, and what the deadline asks of calls.
pub fn advised_table(inquiry: &Inquiry, limits: Option<&str>) -> String {
    let ms = |it: f64| short(Quantity::Latency, it).to_string();
    let mut lines = vec![
        inquiry.off.link(),
        String::new(),
        format!("delay, {}, less than without, extra load", inquiry.aim_in_words()),
    ];
    for it in inquiry.trials() {
        let Gain { quantity, with, change, .. } = it.gain;
        let value = |it: f64| short(quantity, it).to_string();
        let (low, high) = (-change.1, -change.0);
        let less =
            if low == high { value(low) } else { format!("{} to {}", value(low), value(high)) };
        let cost = short(Quantity::Share, it.cost).to_string();
        lines.push([ms(it.delay_ms), value(with), less, cost].join(", "));
    }
    lines.extend([String::new(), inquiry.told()]);
    lines.extend(hedged(&inquiry.advice()));
    lines.extend(limits.map(str::to_owned));
    lines.join("\n")
}

fn hedged(advice: &Advice) -> Option<String> {
    match advice {
        Advice::Hedge(it) => Some(it.study.link()),
        Advice::DoNotHedge { .. } | Advice::Unknown => None,
    }
}

fn gains(trial: &Trial) -> impl Iterator<Item = &Gain> {
    [&trial.gain].into_iter().chain(&trial.beside)
}
