//! Two studies held against each other: the interval of their difference is honest, and narrow.

use tail_lab::{
    report::Measure,
    sim::Meter,
    study::{Side, Study, differences},
};

use crate::common::study;

/// A study that has been run to its end.
struct Ran {
    study: Study,
    meter: Meter,
    measures: Vec<Measure>,
}

fn ran(link: &str) -> Ran {
    let study = study(link);
    let meter = study.finish();
    let measures = study.measures(Some(&meter), &study.exact());
    Ran { study, meter, measures }
}

impl Ran {
    fn side(&self) -> Side<'_> {
        Side { study: &self.study, meter: Some(&self.meter), measures: &self.measures }
    }
}

/// The width of the 95 % interval of one difference.
fn width(a: &Ran, b: &Ran, name: &str) -> f64 {
    let found = differences(a.side(), b.side());
    let it = found.iter().find(|it| it.name == name).expect(name);
    it.high.expect(name) - it.low.expect(name)
}

/// Hedged against sent once: both meet the same arrivals, routes and service times.
#[test]
fn common_chance_narrows_the_difference() {
    let (single, hedge) = ("replicas&requests=200000", "policy=hedge&delay_ms=30");
    let (a, b) = (ran(single), ran(&format!("{single}&{hedge}")));
    let other = ran(&format!("{single}&{hedge}&seed=2"));
    for name in ["request.p50", "request.p90", "request.mean", "utilisation"] {
        let (common, apart) = (width(&a, &b, name), width(&a, &other, name));
        assert!(3.0 * common <= apart, "{name}: {common} against {apart}");
    }
    // Far out, hedges decide, and little is common; but it never does harm.
    assert!(width(&a, &b, "request.p99") <= width(&a, &other, "request.p99"));
}

/// Over 200 seeds, the interval holds the exact difference in 90 to 99 % of the runs.
#[test]
fn the_interval_of_a_difference_covers_it() {
    let names = ["request.p50", "request.p90", "request.mean", "over"];
    let mut covered = [0_u32; 4];
    let seeds = 200_u32;
    for seed in 1..=seeds {
        let single = format!("fan-out&requests=20000&fan_out=100&seed={seed}");
        let (a, b) = (ran(&single), ran(&format!("{single}&fan_out=200")));
        let found = differences(a.side(), b.side());
        for (at, name) in names.iter().enumerate() {
            let it = found.iter().find(|it| it.name == *name).unwrap();
            let (low, high, exact) = (it.low.unwrap(), it.high.unwrap(), it.exact.unwrap());
            covered[at] += u32::from(low <= exact && exact <= high);
        }
    }
    for (name, covered) in std::iter::zip(names, covered) {
        let share = f64::from(covered) / f64::from(seeds);
        assert!((0.9..=0.995).contains(&share), "{name}: {share}");
    }
}

/// A quantile beside a gap may lie on either side of it, and so may the difference.
#[test]
fn a_difference_across_a_gap_says_so() {
    let single = "fan-out&fan_out=1&requests=200000";
    let (a, b) = (ran(single), ran(&format!("{single}&hedge=after&hedge_ms=15")));
    let found = differences(a.side(), b.side());
    let it = found.iter().find(|it| it.name == "request.p99").unwrap();
    let (low, high, exact) = (it.low.unwrap(), it.high.unwrap(), it.exact.unwrap());
    assert!(low <= exact && exact <= high, "{exact} is not within {low} to {high}");
}

#[test]
fn studies_of_two_scenarios_have_no_difference() {
    let (a, b) = (ran("fan-out&requests=1000"), ran("bursts&requests=1000"));
    assert_eq!(differences(a.side(), b.side()), []);
}
