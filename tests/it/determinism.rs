//! The same link gives the same digits, however it is run.

use expect_test::expect;
use tail_lab::{
    sim::{Evidence, Meter, Outcome},
    study::{Study, json},
};

use crate::common::study;

/// Links whose digits are kept, here and in the browser. A changed digit is a changed study: say why in the log.
const GOLDEN: &str = include_str!("../golden/links.txt");

fn digits(study: &Study, meter: &Meter) -> String {
    json(study, &study.measures(Some(meter), &study.exact()), &[])
}

#[test]
fn golden_links_keep_their_digits() {
    let lines: Vec<String> =
        GOLDEN.lines().map(|link| digits(&study(link), &study(link).finish())).collect();
    expect_test::expect_file!["../golden/digits.jsonl"].assert_eq(&(lines.join("\n") + "\n"));
}

#[test]
fn golden_links_are_canonical() {
    for link in GOLDEN.lines() {
        assert_eq!(study(link).link(), link);
    }
}

#[test]
fn neither_the_slice_nor_the_order_of_runs_matters() {
    for link in GOLDEN.lines().step_by(3) {
        let study = study(link).changed("requests=4000");
        let whole = digits(&study, &study.finish());
        for slice in [1, 7, 1_000] {
            let mut total = study.empty_meter();
            for replication in (0..study.replications()).rev() {
                let mut run = study.start(replication);
                while run.advance(slice) == Outcome::Paused {
                    total.merge(run.take_meter());
                }
                total.merge(run.take_meter());
            }
            assert_eq!(digits(&study, &total), whole, "{link} in slices of {slice}");
        }
    }
}

#[test]
fn meters_survive_the_wire() {
    let study = study("fan-out&requests=5000&hedge=after");
    let meter = study.finish();
    let bytes = postcard::to_allocvec(&meter).unwrap();
    let back: Meter = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(digits(&study, &back), digits(&study, &meter));
}

#[test]
fn a_policy_leaves_the_first_answers_alone() {
    let single = study("fan-out&requests=2000").finish();
    let hedged = study("fan-out&requests=2000&hedge=after&hedge_ms=30").finish();
    // The leaf's own answers come from a stream of their own.
    assert_eq!(
        single.mean_ms(1, Evidence::Independent).value,
        hedged.mean_ms(1, Evidence::Independent).value
    );
    expect!["true"].assert_eq(
        &(hedged.mean_ms(0, Evidence::Independent).value
            < single.mean_ms(0, Evidence::Independent).value)
            .to_string(),
    );
}
