//! Everything that must pass, what fails fastest first.

use crate::build::{Profile, build};
use crate::setup;
use crate::shell::{cargo, program, run};
use anyhow::Result;
use std::time::{Duration, Instant};

/// Which tests to run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    All,
    Native,
    Browser,
}

/// Stops at the first failure; the last line says what passed and how long each took.
pub(crate) fn test(part: Part) -> Result<()> {
    let start = Instant::now();
    let mut stages = Vec::new();
    setup::wasm_target()?;
    if part != Part::Browser {
        setup::checkers()?;
        stages.extend(native());
    }
    if part != Part::Native {
        let setup::Browser { chromium } = setup::browser()?;
        stages.push(Stage::new("build", || build(Profile::Release, true)));
        stages.push(Stage::new("browser", move || {
            run(program("node").arg("tests/browser/run.mjs").env("CHROMIUM", &chromium))
        }));
    }
    let mut report = Report { set_up: start.elapsed(), passed: Vec::new() };
    for (index, stage) in stages.iter().enumerate() {
        println!("\n== {} ==", stage.name);
        let start = Instant::now();
        if let Err(problem) = (stage.check)() {
            let rest: Vec<_> = stages[index + 1..].iter().map(|it| it.name).collect();
            println!("\n{}", report.failure(stage.name, &rest));
            return Err(problem);
        }
        report.passed.push((stage.name, start.elapsed()));
    }
    println!("\n{}", report.success());
    Ok(())
}

struct Stage {
    name: &'static str,
    check: Box<dyn Fn() -> Result<()>>,
}

impl Stage {
    fn new(name: &'static str, check: impl Fn() -> Result<()> + 'static) -> Self {
        Self { name, check: Box::new(check) }
    }
}

fn native() -> Vec<Stage> {
    let cargo_stage = |name, words: &'static str| {
        Stage::new(name, move || {
            run(cargo().env("RUSTDOCFLAGS", "-D warnings").args(words.split(' ')))
        })
    };
    vec![
        cargo_stage("format", "fmt --all --check"),
        cargo_stage("tests", "test --locked"),
        cargo_stage("tests of xtask", "test --locked --package xtask"),
        cargo_stage("lints", "clippy --locked --workspace --all-targets -- -D warnings"),
        cargo_stage(
            "lints for wasm",
            "clippy --locked --target wasm32-unknown-unknown --package tail-lab-page -- -D warnings",
        ),
        cargo_stage("documentation", "doc --locked --no-deps --document-private-items"),
    ]
}

struct Report {
    set_up: Duration,
    passed: Vec<(&'static str, Duration)>,
}

impl Report {
    fn success(&self) -> String {
        let total = self.set_up + self.passed.iter().map(|(_, it)| *it).sum::<Duration>();
        format!("passed in {}: {}", seconds(total), self.stages())
    }

    fn failure(&self, name: &str, rest: &[&str]) -> String {
        let rest =
            if rest.is_empty() { String::new() } else { format!("; not run: {}", rest.join(", ")) };
        format!("failed: {name}; passed: {}{rest}", self.stages())
    }

    fn stages(&self) -> String {
        let stages = self.passed.iter().map(|(name, it)| format!(", {name} {}", seconds(*it)));
        format!("set-up {}{}", seconds(self.set_up), stages.collect::<String>())
    }
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_tells_what_passed_and_what_did_not() {
        let second = Duration::from_secs(1);
        let report =
            Report { set_up: second / 2, passed: vec![("format", second), ("tests", second * 20)] };
        assert_eq!(report.success(), "passed in 21.5 s: set-up 0.5 s, format 1.0 s, tests 20.0 s");
        assert_eq!(
            report.failure("lints", &["build", "browser"]),
            "failed: lints; passed: set-up 0.5 s, format 1.0 s, tests 20.0 s; not run: build, browser"
        );
        assert_eq!(
            report.failure("browser", &[]),
            "failed: browser; passed: set-up 0.5 s, format 1.0 s, tests 20.0 s"
        );
    }
}
