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
        (&["--advise", "5%", "--lowest", "p50", QUICK], "--lowest is one of p99.9, p99, over."),
        (&["--lowest", "p99", QUICK], "--advise asks for it"),
        (&["--sweep", "foo=1..2", QUICK], "Fan-out has no such setting"),
        (&["--sweep", "fan_out=1..9:lots", QUICK], "lots is neither a number of points"),
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
fn advice_is_printed_for_people_and_for_programs() {
    let words = |form| [&["--advise", "5%", "--lowest", "p99", QUICK][..], form].concat();
    let table = check(&words(&[]), 0, "");
    assert!(table.contains("\ndelay, p99, less than without, extra load\n"), "{table}");
    let json: serde_json::Value =
        serde_json::from_str(&check(&words(&["--json"]), 0, "")).expect("one object");
    assert!(table.contains(json["text"].as_str().expect("words")), "{table}");
    assert!(check(&words(&["--csv"]), 0, "").starts_with("link,delay [ms],extra load,measure,"));
    // Nobody looks on: nothing is said of how far it is.
    let simulated = ["--advise", "5%", "replicas&requests=2000&warm_up=100"];
    assert_eq!(String::from_utf8_lossy(&run(&simulated).stderr), "");
}

#[test]
fn that_what_is_swept_does_nothing_is_said() {
    let idle = "hedge_ms does nothing here: it matters when a hedge is ";
    check(&["--sweep", "hedge_ms=10..500:5", QUICK], 0, idle);
}

#[test]
fn what_of_a_sweep_is_mended_is_said() {
    for (range, says) in [
        ("1..9:0", "was brought to 5 points, the fewest."),
        ("9..1:5", "was turned round, to run from 1 to 9."),
    ] {
        let out = check(&["--sweep", &format!("fan_out={range}"), QUICK], 0, says);
        let points = out.lines().filter(|it| it.starts_with(|it: char| it.is_ascii_digit()));
        assert_eq!(points.count(), 5, "{out}");
    }
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
