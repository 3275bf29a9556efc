//! `--advise`: whether hedging pays within a budget of extra load, and after which delay.

use std::sync::Mutex;

use tail_lab::{
    format::short,
    report::{Measure, Quantity},
    sim::Meter,
    study::{Advice, Inquiry, Side, Study, differences, limits},
};

use super::{
    lock, on_all_cores,
    print::{complain, print},
};

/// A study with what is known of it.
struct Known {
    study: Study,
    meter: Option<Meter>,
    measures: Vec<Measure>,
}

pub(super) fn advise(study: &Study, budget: f64) {
    let Some(mut inquiry) = Inquiry::new(study, budget) else {
        complain(&format!("{} has no hedges to advise on.", study.scenario.title));
        return;
    };
    // What is simulated is held against what is simulated: both met the same chance.
    let simulate = !inquiry.says_theory();
    let Some(off) = known_of(&[inquiry.off.clone()], simulate).pop() else { return };
    let mut trials = inquiry.first(&off.measures);
    while !trials.is_empty() {
        for it in known_of(&trials, simulate) {
            let found = differences(off.side(), it.side());
            inquiry.learn(&it.study, &it.measures, &off.measures, &found);
        }
        trials = inquiry.further();
    }
    print(&told(&inquiry));
    if let Some(limits) = limits(study) {
        print(&limits);
    }
}

impl Known {
    fn side(&self) -> Side<'_> {
        Side { study: &self.study, meter: self.meter.as_ref(), measures: &self.measures }
    }
}

/// Works studies out, on all cores, in their order.
fn known_of(studies: &[Study], simulate: bool) -> Vec<Known> {
    let found: Mutex<Vec<Option<Known>>> = Mutex::new(studies.iter().map(|_| None).collect());
    on_all_cores(studies, |at, study| {
        let known = known(study, simulate);
        lock(&found)[at] = Some(known);
    });
    let found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    found.into_iter().flatten().collect()
}

fn known(study: &Study, simulate: bool) -> Known {
    let meter = simulate.then(|| study.finish());
    let measures = study.measures(meter.as_ref(), &study.exact());
    Known { study: study.clone(), meter, measures }
}

fn told(inquiry: &Inquiry) -> String {
    let ms = |it: f64| short(Quantity::Latency, it).to_string();
    let share = |it: f64| short(Quantity::Share, it).to_string();
    let mut text =
        format!("{}\n\ndelay, p99.9, less than without, extra load\n", inquiry.off.link());
    for it in inquiry.trials() {
        let (low, high) = (-it.change_ms.1, -it.change_ms.0);
        let less = if low == high { ms(low) } else { format!("{} to {}", ms(low), ms(high)) };
        text +=
            &[&ms(it.delay_ms), ", ", &ms(it.late_ms), ", ", &less, ", ", &share(it.cost), "\n"]
                .concat();
    }
    let link = match inquiry.advice() {
        Advice::Hedge(it) => format!("\n{}", it.study.link()),
        Advice::DoNotHedge { .. } | Advice::Unknown => String::new(),
    };
    [&text, "\n", &inquiry.told(), &link].concat()
}
