//! The command that runs links and prints what came out.

use std::{
    io::{self, IsTerminal as _, Read as _, Write as _},
    process::ExitCode,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use tail_lab::{
    scenario::SCENARIOS,
    sim::Meter,
    study::{Problem, Study, csv_header, csv_row, json, text_table},
};

const USAGE: &str = "\
Runs studies and prints their percentiles.

    tail-lab [--json | --csv] LINK...
    tail-lab [--json | --csv] < LINKS

A link is what stands behind # in the page's address: fan-out&fan_out=200&hedge=after
Links on standard input stand one a line. Studies run on all cores and are printed in order.
";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Table,
    Json,
    Csv,
}

/// A study, what was wrong with its link, and the parts of its run that are in.
struct Job {
    study: Study,
    problems: Vec<Problem>,
    parts: Mutex<Vec<Option<Meter>>>,
}

pub(crate) fn main() -> ExitCode {
    let (mut form, mut links) = (Form::Table, Vec::new());
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--json" => form = Form::Json,
            "--csv" => form = Form::Csv,
            "--help" | "-h" => {
                print(&usage());
                return ExitCode::SUCCESS;
            }
            it if it.starts_with("--") => {
                complain(&format!("{it} is not an option of this command."));
            }
            _ => links.push(argument),
        }
    }
    if links.is_empty() && !io::stdin().is_terminal() {
        links = links_of_standard_input();
    }
    if links.is_empty() {
        complain(&usage());
        return ExitCode::from(2);
    }
    run(links.iter().map(|it| job(it)).collect(), form);
    ExitCode::SUCCESS
}

fn usage() -> String {
    let scenarios = SCENARIOS.iter().map(|it| format!("    {:<14} {}\n", it.key, it.summary));
    format!("{USAGE}\nScenarios:\n{}", scenarios.collect::<String>())
}

fn links_of_standard_input() -> Vec<String> {
    let mut bytes = Vec::new();
    if let Err(error) = io::stdin().read_to_end(&mut bytes) {
        complain(&format!("Standard input could not be read to its end: {error}."));
    }
    let text = String::from_utf8_lossy(&bytes);
    text.lines().map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

fn job(link: &str) -> Job {
    let (study, problems) = Study::open(link);
    for Problem { key, text } in &problems {
        complain(&format!("{key} {text}"));
    }
    let parts = Mutex::new((0..study.replications()).map(|_| None).collect());
    Job { study, problems, parts }
}

/// Every replication of every study is a task; cores take them in order, and a study is printed when it is the
/// next in line and complete.
fn run(jobs: Vec<Job>, form: Form) {
    let tasks: Vec<(&Job, u32)> = jobs
        .iter()
        .flat_map(|job| (0..job.study.replications()).map(move |it| (job, it)))
        .collect();
    let next = AtomicUsize::new(0);
    let printed = Mutex::new(0);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some((job, replication)) = tasks.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let part = job.study.finish_one(*replication);
                    lock(&job.parts)[*replication as usize] = Some(part);
                    print_ready(&jobs, form, &mut lock(&printed));
                }
            });
        }
    });
}

/// Prints the studies that are complete, up to the first that is not.
fn print_ready(jobs: &[Job], form: Form, printed: &mut usize) {
    while let Some(job) = jobs.get(*printed) {
        let mut parts = lock(&job.parts);
        if parts.iter().any(Option::is_none) {
            return;
        }
        let mut meter = job.study.empty_meter();
        for part in parts.drain(..).flatten() {
            meter.merge(part);
        }
        let measures = job.study.measures(Some(&meter), &job.study.exact());
        let unstable = job.study.unstable(Some(&meter));
        let unstable = unstable.map(|text| Problem { key: "The run".to_owned(), text });
        let problems: Vec<Problem> = job.problems.iter().cloned().chain(unstable).collect();
        for Problem { key, text } in &problems[job.problems.len()..] {
            complain(&format!("{key}: {text}"));
        }
        let text = match form {
            Form::Table => text_table(&job.study, &measures),
            Form::Json => json(&job.study, &measures, &problems),
            Form::Csv => csv_row(&job.study, &measures),
        };
        // Scenarios have columns of their own: each run of them gets its header.
        let before = printed.checked_sub(1).map(|it| jobs[it].study.scenario.key);
        if form == Form::Csv && before != Some(job.study.scenario.key) {
            print(&csv_header(&job.study, &measures));
        }
        print(&text);
        *printed += 1;
    }
}

/// A lock is poisoned only when a study panicked, which ends the command anyway.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A reader that has gone away, such as `head`, is no error.
fn print(text: &str) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
