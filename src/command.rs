//! The command that runs links and prints what came out.

mod advise;
mod data;
mod options;
mod print;
mod progress;

use std::{
    process::ExitCode,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use data::{Data, File};
use options::{Form, Options};
use tail_lab::{
    sim::Meter,
    study::{Problem, Setup, Study},
};

/// A link, what was wrong with it, the studies that it comes to, and the parts of their runs that are in.
struct Job {
    setup: Setup,
    problems: Vec<Problem>,
    studies: Vec<Study>,
    /// By study, then by replication.
    parts: Mutex<Vec<Vec<Option<Meter>>>>,
}

pub(crate) fn main() -> ExitCode {
    let options = match Options::read(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(code) => return code,
    };
    let data: Result<Vec<Data>, String> = options.files.iter().map(File::read).collect();
    let data = match data {
        Ok(data) => data,
        Err(why) => {
            print::complain(&why);
            return ExitCode::FAILURE;
        }
    };
    let laws: Vec<_> = data.iter().map(|it| Arc::clone(&it.law)).collect();
    let setups = options.setups(&laws);
    if !data.is_empty() && setups.is_empty() {
        print::print(&data.iter().map(Data::told).collect::<Vec<_>>().join("\n\n"));
        return ExitCode::SUCCESS;
    }
    if setups.is_empty() {
        print::complain(&options::usage());
        return ExitCode::from(2);
    }
    if options.sweeps_nothing(&setups) {
        for (_, problems) in &setups {
            print::complain_of(problems);
        }
        return ExitCode::from(2);
    }
    if !data.is_empty()
        && let Some(told) = setups.iter().find_map(|it| it.0.study.deadline_of_data())
    {
        print::complain(&told);
    }
    if let Some(asked) = options.advised() {
        for (setup, problems) in setups {
            print::complain_of(&problems);
            advise::advise(&setup.study, asked, options.form, &problems);
        }
        return ExitCode::SUCCESS;
    }
    run(&setups.into_iter().map(Job::new).collect::<Vec<_>>(), options.form);
    ExitCode::SUCCESS
}

impl Job {
    fn new((setup, mut problems): (Setup, Vec<Problem>)) -> Job {
        let idle = setup.sweep.iter().flat_map(|it| it.idle(&setup.study));
        problems.extend(idle.map(|(field, text)| Problem { key: field.key.to_owned(), text }));
        print::complain_of(&problems);
        let studies = match (&setup.sweep, &setup.pinned) {
            (Some(sweep), _) => sweep.points(&setup.study).into_iter().map(|it| it.study).collect(),
            (None, Some(pinned)) => vec![pinned.clone(), setup.study.clone()],
            (None, None) => vec![setup.study.clone()],
        };
        let parts = |it: &Study| (0..it.replications()).map(|_| None).collect();
        let parts = Mutex::new(studies.iter().map(parts).collect());
        Job { setup, problems, studies, parts }
    }
}

/// Every replication of every study is a task; cores take them in order, and a link's results are printed when it is
/// the next in line and complete.
fn run(jobs: &[Job], form: Form) {
    let mut tasks: Vec<(&Job, usize, u32)> = Vec::new();
    for job in jobs {
        for (at, study) in job.studies.iter().enumerate() {
            tasks.extend((0..study.replications()).map(|it| (job, at, it)));
        }
    }
    let printer = Mutex::new(print::Printer::new(form));
    on_all_cores(&tasks, |_, (job, at, replication)| {
        let part = job.studies[*at].finish_one(*replication);
        lock(&job.parts)[*at][*replication as usize] = Some(part);
        lock(&printer).print_ready(jobs);
    });
}

/// Acts on every task, with its place; cores take them in order.
fn on_all_cores<T: Sync>(tasks: &[T], act: impl Fn(usize, &T) + Sync) {
    let next = AtomicUsize::new(0);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(at) else { break };
                    act(at, task);
                }
            });
        }
    });
}

/// A lock is poisoned only when a study panicked, which ends the command anyway.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
