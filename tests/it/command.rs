//! The command as it is called: what it says where, and the status with which it ends.

use std::{
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use tail_lab::study::{Study, json};

fn run(words: &[&str]) -> Output {
    let command = env!("CARGO_BIN_EXE_tail-lab");
    Command::new(command).args(words).stdin(Stdio::null()).output().expect("the command")
}

#[track_caller]
fn check(words: &[&str], status: i32, says: &str) -> String {
    let Output { status: ended, stdout, stderr } = run(words);
    let [out, said] = [stdout, stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
    assert_eq!(ended.code(), Some(status), "{words:?}: {said}");
    assert!(said.contains(says), "{words:?}: {said}");
    if status != 0 {
        assert_eq!(out, "", "{words:?}: nothing is run");
    }
    out
}

const QUICK: &str = "fan-out&requests=1000";

#[test]
fn a_link_never_fails() {
    let out =
        check(&["fan-out&requests=1000&fan_out=many&nothing=1"], 0, "fan_out=many is not a number");
    assert!(out.contains("request.p99"), "{out}");
}

#[test]
fn an_option_that_cannot_be_used_runs_nothing() {
    for (words, says) in [
        (&["--advise", "banana", QUICK][..], "--advise needs a budget"),
        (&["--sweep", "foo=1..2", QUICK], "Fan-out has no such setting"),
        (&["--compare", QUICK], "--compare needs two links"),
        (&["--banana", QUICK], "--banana is not an option"),
        (&["--unit", "ms", QUICK], "--data names it"),
        (&[], "Runs studies and prints their percentiles."),
    ] {
        check(words, 2, says);
    }
    check(&["--data", "no such file"], 1, "could not be read");
}

#[test]
fn a_saved_study_handed_in_as_data_is_known() {
    let (study, _) = Study::open("replicas&load=0.4");
    let path = file("saved.json", &json(&study, &study.measures(None, &study.exact()), &[]));
    check(&["--data", path.to_str().unwrap()], 1, "is a study that was saved");
    check(&["--data", path.to_str().unwrap(), QUICK], 1, "replicas&load=0.4");
}

#[test]
fn data_say_that_the_deadline_goes_by_them() {
    let path = file("numbers.txt", "10\n11\n12\n".repeat(100).as_str());
    let words = ["--data", path.to_str().unwrap(), "--unit", "ms", QUICK];
    let out = check(&words, 0, "The deadline goes by the data");
    assert!(out.contains("deadline_ms="), "{out}");
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file");
    path
}
