//! What the command was asked for.

use std::{
    io::{self, IsTerminal as _, Read as _},
    process::ExitCode,
    sync::Arc,
};

use tail_lab::{
    measured::Measured,
    scenario::SCENARIOS,
    study::{Aim, Problem, Setup, Study, budget},
};

use super::{
    advise::Asked,
    data::File,
    print::{complain, print},
};

/// A and B.
const FILES_MAX: usize = 2;

const USAGE: &str = "\
Runs studies and prints their percentiles.

    tail-lab [--json | --csv] LINK...
    tail-lab [--json | --csv] < LINKS
    tail-lab --compare LINK LINK
    tail-lab --sweep KEY=FROM..TO[:POINTS[:log|:linear]] LINK...

    tail-lab [--json | --csv] --advise SHARE [--lowest p99.9|p99|over] LINK...
    tail-lab --data FILE [--series NUMBER] [--unit UNIT] [LINK...]
    tail-lab --data FILE --data FILE --compare [LINK [LINK]]

A link is what stands behind # in the page's address: fan-out&fan_out=200&hedge=after
Links on standard input stand one a line. Studies run on all cores and are printed in order.
--compare holds the second link against the first, with the interval of the difference.
--sweep runs a link once for each value of a setting.
--advise tells whether hedging pays, and after which delay, within so much extra load: 5% or 0.05.
--lowest says what the delay is to bring down: p99.9, which is usual, p99, or over, the share over the deadline.
--data puts a file of latencies in the place of a law: the output of a load tool, or one number a line. Without links
it tells what the file holds. A unit is needed where the file does not say it. With --compare the second of two files
is held against the first; --series and --unit are then of the file before them.

Any link runs, and what of it could not be used is said: that is no failure. Where an option cannot be used nothing
runs, and the exit status is 2; where a file cannot be used it is 1.
";

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Table,
    Json,
    Csv,
}

pub(super) struct Options {
    /// At most two.
    pub(super) files: Vec<File>,
    pub(super) form: Form,
    compare: bool,
    /// As typed: `fan_out=1..100:20`.
    sweep: Option<String>,
    /// The budget of extra load.
    advise: Option<f64>,
    /// What an advice is to bring down.
    lowest: Option<Aim>,
    links: Vec<String>,
}

impl Options {
    /// The exit code instead, where nothing is to be run.
    pub(super) fn read(mut arguments: impl Iterator<Item = String>) -> Result<Options, ExitCode> {
        let mut options = Options {
            files: Vec::new(),
            form: Form::Table,
            compare: false,
            sweep: None,
            advise: None,
            lowest: None,
            links: Vec::new(),
        };
        let mut wrong: Vec<String> = Vec::new();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--json" => wrong.extend(options.print_as(Form::Json)),
                "--csv" => wrong.extend(options.print_as(Form::Csv)),
                "--compare" => options.compare = true,
                "--sweep" => match arguments.next() {
                    Some(_) if options.sweep.is_some() => {
                        wrong.push("--sweep is of one range.".into());
                    }
                    Some(text) => options.sweep = Some(text),
                    None => {
                        wrong.push("--sweep needs a setting and its range: load=0.1..0.9.".into());
                    }
                },
                "--advise" => match arguments.next().as_deref().and_then(budget) {
                    Some(share) => options.advise = Some(share),
                    None => wrong.push("--advise needs a budget of extra load: 5% or 0.05.".into()),
                },
                "--lowest" => match arguments.next().as_deref().and_then(Aim::of_key) {
                    Some(aim) => options.lowest = Some(aim),
                    None => wrong.push(format!("--lowest is one of {}.", aims())),
                },
                "--data" => wrong.extend(options.add_file(arguments.next())),
                "--series" => options.file().series = arguments.next(),
                "--unit" => options.file().unit = arguments.next(),
                "--help" | "-h" => {
                    print(&usage());
                    return Err(ExitCode::SUCCESS);
                }
                it if it.starts_with("--") => {
                    wrong.push(format!("{it} is not an option of this command."));
                }
                _ => options.links.push(argument),
            }
        }
        wrong.extend(options.files.iter().filter_map(File::wrong));
        if options.links.is_empty() && options.files.is_empty() && !io::stdin().is_terminal() {
            options.links = links_of_standard_input();
        }
        wrong.extend(options.misfit());
        if wrong.is_empty() {
            return Ok(options);
        }
        wrong.push("--help tells what can be asked for.".to_owned());
        for it in &wrong {
            complain(it);
        }
        Err(ExitCode::from(2))
    }

    /// Answers what is wrong, if anything is.
    fn print_as(&mut self, form: Form) -> Option<String> {
        let other = self.form != Form::Table && self.form != form;
        self.form = form;
        other.then(|| "--json and --csv are two ways to print the same: one of them.".to_owned())
    }

    /// Why links, files, comparison and advice do not go together.
    fn misfit(&self) -> Option<String> {
        if self.advise.is_some() && (self.compare || self.sweep.is_some()) {
            return Some(
                "--advise tries studies of its own: neither --compare nor --sweep goes with it."
                    .to_owned(),
            );
        }
        if self.advise.is_none() && self.lowest.is_some() {
            return Some(
                "--lowest says what an advice is to bring down: --advise asks for it.".into(),
            );
        }
        let two_files = self.files.len() == FILES_MAX;
        let pairs = !self.links.is_empty() && self.links.len().is_multiple_of(2);
        if self.compare && !two_files && !pairs {
            return Some("--compare needs two links, or two files.".to_owned());
        }
        (two_files && !self.compare && !self.links.is_empty()).then(|| {
            "Two files are held against each other by --compare, or run one by one.".to_owned()
        })
    }

    /// What advice is asked for.
    pub(super) fn advised(&self) -> Option<Asked> {
        Some((self.advise?, self.lowest.unwrap_or_default()))
    }

    /// Whether what is to be swept is no setting of any of the studies.
    pub(super) fn sweeps_nothing(&self, setups: &[(Setup, Vec<Problem>)]) -> bool {
        self.sweep.is_some() && !self.compare && setups.iter().all(|it| it.0.sweep.is_none())
    }

    /// The file that is spoken of: the last, or one that is yet to be named.
    fn file(&mut self) -> &mut File {
        if self.files.is_empty() {
            self.files.push(File::default());
        }
        let last = self.files.len() - 1;
        &mut self.files[last]
    }

    /// Answers what is wrong, if anything is.
    fn add_file(&mut self, path: Option<String>) -> Option<String> {
        if path.is_none() {
            return Some("--data needs a file.".to_owned());
        }
        if self.file().path.is_none() {
            self.file().path = path;
        } else if self.files.len() < FILES_MAX {
            self.files.push(File { path, ..File::default() });
        } else {
            return Some("--data takes two files at most.".to_owned());
        }
        None
    }

    /// The links, opened, each with what of it could not be used.
    pub(super) fn setups(&self, data: &[Arc<Measured>]) -> Vec<(Setup, Vec<Problem>)> {
        if self.compare {
            // Two files need no link.
            let none = [String::new()];
            let bare = self.links.is_empty() && data.len() == FILES_MAX;
            let links = if bare { &none[..] } else { &self.links };
            return links.chunks(2).map(|it| compared(it, data)).collect();
        }
        let data = data.first();
        let link = |link: &String| match &self.sweep {
            // An equals sign is what stands between key and value everywhere else.
            Some(sweep) => Setup::open_with(
                &format!("{link}&sweep={}", sweep.replacen('=', ":", 1)),
                data.cloned(),
            ),
            None => Setup::open_with(link, data.cloned()),
        };
        self.links.iter().map(link).collect()
    }
}

/// The second study, held against the first; of two files the second is the second study's.
fn compared(links: &[String], data: &[Arc<Measured>]) -> (Setup, Vec<Problem>) {
    let (of_first, of_second) = (data.first(), data.get(1));
    let (first, mut problems) = Study::open_with(&links[0], of_first.cloned());
    let second = links.get(1).unwrap_or(&links[0]);
    let (study, more) = Study::open_with(second, of_first.cloned());
    problems.extend(more.into_iter().filter(|_| 1 < links.len()));
    let mut setup = Setup::new(study);
    // Where the link has none of its own: beside the first file's, so that both are held to one deadline.
    if let (Some(other), true) = (of_second, setup.study.data.as_ref() == of_first) {
        setup.study.data = Some(Arc::clone(other));
    }
    problems.extend(setup.hold_against(first, &links[0]));
    (setup, problems)
}

/// `p99.9, p99, over`
fn aims() -> String {
    Aim::ALL.map(Aim::key).join(", ")
}

pub(super) fn usage() -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use tail_lab::import::TimeUnit;

    fn options(words: &str) -> Options {
        Options::read(words.split(' ').map(str::to_owned)).unwrap_or_else(|_| panic!("{words}"))
    }

    /// A law whose median is so many milliseconds.
    fn law(ms: u32) -> Arc<Measured> {
        let lines: Vec<String> = (1..2 * ms).map(|it| it.to_string()).collect();
        let imported = tail_lab::import::read(lines.join("\n").as_bytes()).expect("a file");
        let series = imported.series[0].in_unit(TimeUnit::Milliseconds);
        Arc::new(series.law().expect("a law"))
    }

    #[test]
    fn what_is_said_of_a_file_stands_behind_it() {
        let options = options("--unit ms --data a --data b --unit s --series 2 --compare");
        let said = options.files.iter().map(|it| (&it.path, &it.unit, &it.series));
        let said: Vec<_> =
            said.map(|it| (it.0.as_deref(), it.1.as_deref(), it.2.as_deref())).collect();
        assert_eq!(said, [(Some("a"), Some("ms"), None), (Some("b"), Some("s"), Some("2"))]);
    }

    #[test]
    fn what_cannot_be_asked_for_runs_nothing() {
        for words in [
            "--advise banana fan-out",
            "--advise 0% fan-out",
            "--advise 300% fan-out",
            "--advise",
            "fan-out --sweep",
            "--compare fan-out",
            "--compare fan-out replicas fan-out",
            "--compare --data a",
            "--data a --data b fan-out",
            "--data a --data b --data c",
            "--data",
            "--unit ms fan-out",
            "--data a --unit hours",
            "--data a --series first",
            "--banana fan-out",
            "--json --csv fan-out",
            "--advise 5% --lowest p50 fan-out",
            "--advise 5% --lowest",
            "--lowest p99 fan-out",
            "--advise 5% --compare fan-out fan-out",
            "--advise 5% --sweep hedge_ms=10..500 fan-out",
            "--sweep fan_out=1..9 --sweep hedge_ms=10..500 fan-out",
        ] {
            assert!(Options::read(words.split(' ').map(str::to_owned)).is_err(), "{words}");
        }
        for (words, advise) in [("5%", 0.05), ("5", 0.05), ("0.05", 0.05), ("1", 0.01)] {
            let asked = options(&format!("--advise {words} fan-out")).advised();
            assert_eq!(asked, Some((advise, Aim::P999)));
        }
        let over = options("--lowest over --advise 5% --json fan-out");
        assert_eq!(over.advised(), Some((0.05, Aim::Over)));
        let sweeps_nothing = |words: &str| {
            let options = options(words);
            options.sweeps_nothing(&options.setups(&[]))
        };
        assert!(sweeps_nothing("--sweep nothing=1..2 fan-out replicas"));
        assert!(sweeps_nothing("--sweep fan_out=few fan-out"));
        // In a link, or in one of two, it is said, and the rest runs.
        assert!(!sweeps_nothing("--sweep wait_for=0.5..1 fan-out replicas"));
        assert!(!sweeps_nothing("fan-out&sweep=nothing:1..2"));
    }

    #[test]
    fn two_files_are_held_against_each_other() {
        let laws = [law(20), law(50)];
        for links in ["", " replicas", " fan-out&fan_out=7", " fan-out&fan_out=7 fan-out&fan_out=9"]
        {
            let setups = options(&format!("--data a --data b --compare{links}")).setups(&laws);
            let [(Setup { study, pinned: Some(pinned), .. }, problems)] = &setups[..] else {
                panic!("{links}: {setups:?}")
            };
            assert!(problems.is_empty(), "{links}: {problems:?}");
            assert_eq!([&pinned.data, &study.data], [&Some(law(20)), &Some(law(50))], "{links}");
            assert_eq!(pinned.deadline_ms(), study.deadline_ms(), "{links}: one deadline for both");
        }
    }
}
