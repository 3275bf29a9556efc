//! `--advise`: whether hedging pays within a budget of extra load, and after which delay.

use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

use tail_lab::{
    report::Measure,
    sim::Meter,
    study::{
        Aim, Inquiry, Problem, Side, Study, advised_csv, advised_json, advised_table, differences,
        limits,
    },
};

use super::{
    Form, lock, on_all_cores,
    print::{complain, print},
    progress::Progress,
};

/// A study with what is known of it.
struct Known {
    study: Study,
    meter: Option<Meter>,
    measures: Vec<Measure>,
}

/// The extra load that is allowed, and what is to come down for it.
pub(super) type Asked = (f64, Aim);

pub(super) fn advise(study: &Study, (budget, aim): Asked, form: Form, problems: &[Problem]) {
    let Some(mut inquiry) = Inquiry::new(study, budget, aim) else {
        complain(&format!("{} has no hedges to advise on.", study.scenario.title));
        return;
    };
    inquire(&mut inquiry);
    let limits = limits(study);
    let limits = limits.as_deref();
    print(&match form {
        Form::Table => advised_table(&inquiry, limits),
        Form::Json => advised_json(&inquiry, limits, problems),
        Form::Csv => advised_csv(&inquiry),
    });
}

/// Asks until there is nothing left to try.
fn inquire(inquiry: &mut Inquiry) {
    let progress = Progress::on_terminal();
    // What is simulated is held against what is simulated: both met the same chance.
    let simulate = !inquiry.says_theory();
    let say = |done: usize| progress.say(&format!("simulating without hedges: {done} %"));
    let Some(off) = known_of(std::slice::from_ref(&inquiry.off), simulate, say).pop() else {
        return;
    };
    let mut trials = inquiry.first(&off.measures);
    while !trials.is_empty() {
        let (tried, next) = (inquiry.trials().len(), trials.len());
        let say = |done: usize| {
            progress.say(&format!("delays tried: {tried}, simulating {next} more: {done} %"));
        };
        for it in known_of(&trials, simulate, say) {
            let found = differences(off.side(), it.side());
            inquiry.learn(&it.study, &it.measures, &off.measures, &found);
        }
        trials = inquiry.further();
    }
}

impl Known {
    fn side(&self) -> Side<'_> {
        Side { study: &self.study, meter: self.meter.as_ref(), measures: &self.measures }
    }
}

/// Works studies out, on all cores, in their order, and says how many per cent of what is simulated are done.
fn known_of(studies: &[Study], simulate: bool, say: impl Fn(usize) + Sync) -> Vec<Known> {
    let meters: Vec<Option<Meter>> = if simulate {
        simulated(studies, say).into_iter().map(Some).collect()
    } else {
        studies.iter().map(|_| None).collect()
    };
    let tasks: Vec<(&Study, Option<Meter>)> = std::iter::zip(studies, meters).collect();
    let measures = Mutex::new(vec![Vec::new(); tasks.len()]);
    on_all_cores(&tasks, |at, (study, meter)| {
        let found = study.measures(meter.as_ref(), &study.exact());
        lock(&measures)[at] = found;
    });
    let measures = measures.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    std::iter::zip(tasks, measures)
        .map(|((study, meter), measures)| Known { study: study.clone(), meter, measures })
        .collect()
}

/// Every replication is a task, so that no core waits for another to end a long study.
fn simulated(studies: &[Study], say: impl Fn(usize) + Sync) -> Vec<Meter> {
    let tasks = studies.iter().enumerate();
    let tasks = tasks.flat_map(|(at, study)| (0..study.replications()).map(move |it| (at, it)));
    let tasks: Vec<(usize, u32)> = tasks.collect();
    let meters = Mutex::new(studies.iter().map(Study::empty_meter).collect::<Vec<_>>());
    let done = AtomicUsize::new(0);
    say(0);
    on_all_cores(&tasks, |_, (at, replication)| {
        let part = studies[*at].finish_one(*replication);
        // Meters add up to the same in any order.
        lock(&meters)[*at].merge(part);
        say(100 * (1 + done.fetch_add(1, Ordering::Relaxed)) / tasks.len());
    });
    meters.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}
