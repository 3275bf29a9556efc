//! What several tests need.

use tail_lab::{
    report::Measure,
    scenario::SCENARIOS,
    schema::Kind,
    sim::{Meter, Rng},
    study::Study,
};

/// A link with more settings behind it, which stand in the place of its own.
pub(crate) fn last_of_each(link: &str) -> String {
    let parts: Vec<&str> = link.split('&').collect();
    // The first names the scenario, which may be a setting's name too.
    let key = |part: &str| part.split_once('=').map(|it| it.0.to_owned());
    let again = |at: usize| parts[at + 1..].iter().any(|it| key(it) == key(parts[at]));
    let holds = |at: usize| key(parts[at]).is_none() || !again(at);
    let last: Vec<&str> = (0..parts.len()).filter(|at| holds(*at)).map(|at| parts[at]).collect();
    last.join("&")
}

/// A study whose link must open without problems; what stands further back in it holds.
#[track_caller]
pub(crate) fn study(link: &str) -> Study {
    let (study, problems) = Study::open(&last_of_each(link));
    assert_eq!(problems, [], "{link}");
    study
}

/// The exact value of a measure.
#[track_caller]
pub(crate) fn exact(study: &Study, name: &str) -> f64 {
    let measures = study.measures(None, &study.exact());
    let measure = measures.iter().find(|it| it.name == name);
    measure
        .unwrap_or_else(|| panic!("no {name}"))
        .exact
        .unwrap_or_else(|| panic!("{}: {name} is not known", study.link()))
}

/// The measures of a finished study, by name.
pub(crate) fn measured(study: &Study, meter: &Meter) -> impl Fn(&str) -> Measure + use<> {
    let measures = study.measures(Some(meter), &study.exact());
    move |name| {
        let measure = measures.iter().find(|it| it.name == name);
        measure.unwrap_or_else(|| panic!("no {name}")).clone()
    }
}

/// The simulated value of a measure, with its 95 % interval.
#[track_caller]
pub(crate) fn estimate(study: &Study, meter: &Meter, name: &str) -> (f64, f64, f64) {
    let it = measured(study, meter)(name);
    (it.simulated.unwrap(), it.low.unwrap(), it.high.unwrap())
}

/// The known figure, with how far off it may be, lies within one and a half times the interval of the simulated one:
/// 99.7 %.
#[track_caller]
pub(crate) fn check_known(link: &str, known: &[(&str, f64, f64)]) {
    let study = study(link);
    let meter = study.finish();
    for (name, value, margin) in known {
        let (seen, low, high) = estimate(&study, &meter, name);
        let margin = 0.75 * (high - low) + margin;
        assert!((seen - value).abs() <= margin, "{link}: {name} is {seen} ± {margin}, not {value}");
    }
}

#[track_caller]
pub(crate) fn near(seen: f64, expected: f64, relative: f64) {
    assert!((seen / expected - 1.0).abs() <= relative, "{seen} is not {expected}");
}

/// Data of a server with two kinds of answers: half within 5 ms, a tenth beyond 117 ms, known up to p99.986.
const DATA: &str = "data=1tr8Byn_Dv4kBphd39FmlZvmKlpGs3MvuB";

/// A study drawn from a scenario's own declaration: every value anywhere on its slider, the run's length as given.
pub(crate) fn drawn(scenario: usize, seed: u64, requests: &str) -> Study {
    let mut rng = Rng::stream(seed, 0, 7);
    let mut study = Study::new(&SCENARIOS[scenario]);
    for (at, field) in study.scenario.fields.iter().enumerate() {
        study.values[at] = match field.kind {
            Kind::Choice(choices) => f64::from(rng.below(choices.len() as u32)),
            Kind::Toggle => f64::from(rng.below(2)),
            kind => kind.value_at(rng.unit()),
        };
    }
    study.seed = seed;
    // Data, where they are asked for.
    let is_measured = |key| {
        study
            .scenario
            .fields
            .iter()
            .zip(&study.values)
            .any(|(field, value)| field.key == key && field.kind.print(*value) == "measured")
    };
    if study.scenario.measured.is_some_and(is_measured) {
        study = study.changed(DATA);
    }
    study.changed(&format!("requests={requests}"))
}
