//! Printing results in the order of the links, as they become complete.

use std::io::{self, Write as _};

use tail_lab::{
    report::Measure,
    sim::Meter,
    study::{
        Problem, Settled, Side, Study, Sweep, compared_csv, compared_json, compared_table,
        csv_header, csv_row, differences, json, problems_of_run, swept_table, text_table,
    },
};

use super::{Form, Job, lock};

pub(super) struct Printer {
    form: Form,
    /// How many links have been printed.
    printed: usize,
    /// The scenario whose columns were named last.
    columns_of: Option<&'static str>,
}

/// A study that has been run to its end.
struct Finished<'a> {
    study: &'a Study,
    meter: Meter,
    measures: Vec<Measure>,
    settled: Option<Settled>,
}

impl Printer {
    pub(super) fn new(form: Form) -> Printer {
        Printer { form, printed: 0, columns_of: None }
    }

    /// Prints the links that are complete, up to the first that is not.
    pub(super) fn print_ready(&mut self, jobs: &[Job]) {
        while let Some(job) = jobs.get(self.printed) {
            let mut parts = lock(&job.parts);
            if parts.iter().flatten().any(Option::is_none) {
                return;
            }
            let runs = std::iter::zip(&job.studies, parts.drain(..));
            let finished: Vec<Finished> = runs.map(|(study, it)| finish(study, it)).collect();
            self.print_job(job, &finished);
            self.printed += 1;
        }
    }

    fn print_job(&mut self, job: &Job, finished: &[Finished]) {
        let mut problems = job.problems.clone();
        for it in finished {
            let unstable = it.study.unstable(Some(&it.meter));
            for Problem { key, text } in problems_of_run(unstable, it.settled.as_ref()) {
                let key = if finished.len() == 1 { key } else { it.study.link() };
                complain(&format!("{key}: {text}"));
                problems.push(Problem { key, text });
            }
        }
        match (&job.setup.sweep, finished) {
            (None, [a, b]) => self.print_compared(a, b, &problems),
            (Some(sweep), _) if self.form == Form::Table => print(&swept(job, sweep, finished)),
            _ => {
                for it in finished {
                    self.print_one(it, &problems);
                }
            }
        }
    }

    fn print_one(&mut self, it: &Finished, problems: &[Problem]) {
        match self.form {
            Form::Table => {
                print(&text_table(it.study, &it.measures));
                // What is wrong has been said already.
                if let Some(settled) = it.settled.as_ref().filter(|it| it.raise.is_none()) {
                    print(&(settled.all() + "\n"));
                }
            }
            Form::Json => print(&json(it.study, &it.measures, problems)),
            Form::Csv => {
                // Scenarios have columns of their own: each run of them gets its header.
                let scenario = it.study.scenario.key;
                if self.columns_of.replace(scenario) != Some(scenario) {
                    print(&csv_header(it.study, &it.measures));
                }
                print(&csv_row(it.study, &it.measures));
            }
        }
    }

    fn print_compared(&mut self, a: &Finished, b: &Finished, problems: &[Problem]) {
        let found = differences(a.side(), b.side());
        self.columns_of = None;
        print(&match self.form {
            Form::Table => compared_table(a.side(), b.side(), &found),
            Form::Json => compared_json(a.side(), b.side(), &found, problems),
            Form::Csv => compared_csv(a.side(), b.side(), &found),
        });
    }
}

impl Finished<'_> {
    fn side(&self) -> Side<'_> {
        Side { study: self.study, meter: Some(&self.meter), measures: &self.measures }
    }
}

fn finish(study: &Study, parts: Vec<Option<Meter>>) -> Finished<'_> {
    let mut meter = study.empty_meter();
    for part in parts.into_iter().flatten() {
        meter.merge(part);
    }
    let measures = study.measures(Some(&meter), &study.exact());
    let settled = study.settled(Some(&meter));
    Finished { study, meter, measures, settled }
}

fn swept(job: &Job, sweep: &Sweep, finished: &[Finished]) -> String {
    let measures = finished.iter().map(|it| it.measures.clone());
    let points: Vec<_> = std::iter::zip(sweep.points(&job.setup.study), measures).collect();
    let keys: Vec<&str> =
        [Some(&sweep.across), sweep.up.as_ref()].into_iter().flatten().map(|it| it.key).collect();
    swept_table(&job.setup.study, &points, &keys)
}

/// A reader that has gone away, such as `head`, is no error.
pub(super) fn print(text: &str) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// What of a link could not be used.
pub(super) fn complain_of(problems: &[Problem]) {
    for Problem { key, text } in problems {
        complain(&format!("{key} {text}"));
    }
}

pub(super) fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
