//! What stands beside the study on the page, without a browser: a sweep of it, and advice on hedges.

use tail_lab::{
    report::Trace,
    scenario::Exact,
    study::{Aim, Study, Sweep, SweepAxis},
    ui::{
        state::{Action, State, reduce},
        view,
    },
    worker::{Part, Question, Tell},
};

fn act(state: &mut State, action: Action) {
    *state = reduce(state, action);
}

/// The workers answer the first so many tasks of what is wanted.
fn answer(state: &mut State, wanted: &Question, tasks: usize) {
    let parts = wanted.tasks.iter().take(tasks).map(|task| {
        let study = Study::open(&wanted.links[task.link as usize]).0;
        let meter = study.finish_one(task.replication);
        Tell::Part(Part { job: wanted.job, task: *task, meter, done: true })
    });
    let parts: Vec<Tell> = parts.collect();
    act(state, Action::Told(parts));
}

fn finish(state: &mut State) {
    let wanted = state.wanted().expect("workers are wanted");
    answer(state, &wanted, usize::MAX);
}

fn learn(state: &mut State) {
    while state.unlearnt().is_some() {
        act(state, Action::LearnPoint);
    }
}

/// What cannot happen has no error, however few calls were looked at.
#[test]
fn what_cannot_happen_has_no_error_in_a_sweep() {
    for link in
        [SWEPT, "replicas&requests=2000&warm_up=100&sweep=load:0.1..0.5:5:linear&show=p50,extra"]
    {
        let mut state = State::open(link);
        finish(&mut state);
        // Learnt before it is simulated, and after.
        act(&mut state, Action::LearnPoint);
        finish(&mut state);
        learn(&mut state);
        let lower = view::swept(&state).and_then(|it| it.lower).expect("extra load");
        let dots: Vec<_> = lower.points.iter().map(|it| (it.y, it.interval)).collect();
        assert_eq!(dots, [(0.0, Some((0.0, 0.0))); 5], "{link}");
    }
}

const SWEPT: &str = "fan-out&requests=4000&sweep=fan_out:1..1000:5:log";

#[test]
fn a_sweep_comes_after_the_study_coarse_first_and_is_kept_where_it_holds() {
    let mut state = State::open(SWEPT);
    assert_eq!(state.wanted().expect("the study").links.len(), 1);
    learn(&mut state);
    let figure = view::swept(&state).expect("a figure");
    assert!(figure.points.is_empty() && figure.series.iter().all(|it| it.trace == Trace::Exact));
    assert!(
        figure.series.iter().all(|it| it.points.len() == 5),
        "exact before anything is simulated"
    );
    finish(&mut state);
    let wanted = state.wanted().expect("the sweep");
    let first: Vec<u32> = wanted.tasks.iter().take(5).map(|it| it.link).collect();
    assert_eq!(first, [0, 4, 2, 1, 3], "coarse first");
    assert_eq!(wanted.tasks.len(), 5 * 4);
    answer(&mut state, &wanted, 7);
    let dots = |state: &State| view::swept(state).expect("a figure").points.len();
    assert!(5 <= dots(&state), "every point after one round");
    // Going to a point keeps what is known of all, and the rest is asked for afterwards.
    let changes = view::nearest(&state, 900.0, 0.0).expect("a point");
    assert_eq!(changes, "fan_out=1000");
    act(&mut state, Action::Apply(changes));
    assert_eq!(state.place.link, "fan-out&fan_out=1000&requests=4000&sweep=fan_out:1..1000:5:log");
    finish(&mut state);
    assert_eq!(state.wanted().expect("the rest").tasks.len(), 5 * 4 - 7);
    finish(&mut state);
    assert_eq!(
        view::swept_progress(state.swept.as_ref().expect("a sweep")),
        "5 of 5 points simulated"
    );
    // Another system has other points.
    act(&mut state, Action::Apply("spread=0.5".to_owned()));
    assert_eq!(state.swept.as_ref().expect("a sweep").batch.finished(), 0);
    act(&mut state, Action::Sweep(None));
    assert!(!state.place.link.contains("sweep"));
}

#[test]
fn a_point_has_the_numbers_of_its_own_study() {
    let mut state = State::open("fan-out&requests=4000&sweep=fan_out:1..1000:5:log&seed=3");
    finish(&mut state);
    finish(&mut state);
    let swept = state.swept.as_ref().expect("a sweep");
    let point = &swept.batch.points[3];
    let mut meter = point.study.empty_meter();
    (0..4).for_each(|it| meter.merge(point.study.finish_one(it)));
    let expected = point.study.measures(Some(&meter), &Exact::default());
    let (found, expected): (Vec<_>, Vec<_>) = (
        point.measures.iter().map(|it| it.simulated).collect(),
        expected.iter().map(|it| it.simulated).collect(),
    );
    assert_eq!(found, expected);
}

#[test]
fn that_what_is_swept_does_nothing_is_said() {
    let caption = |link: &str| view::swept(&State::open(link)).expect("a figure").caption;
    let idle = "does nothing here: it matters when a hedge is ";
    assert!(caption("fan-out&sweep=hedge_ms").contains(idle));
    assert!(caption("fan-out&sweep=fan_out,hedge_ms").contains(idle));
    assert!(!caption("fan-out&hedge=after&sweep=hedge_ms").contains(idle));
}

#[test]
fn two_parameters_make_shades() {
    let mut state = State::open(
        "fan-out&requests=2000&sweep=fan_out:1..1000:5:log,outlier_rate:0.001..0.1:6:log",
    );
    learn(&mut state);
    finish(&mut state);
    finish(&mut state);
    let figure = view::swept(&state).expect("a figure");
    let cells = figure.cells.expect("cells");
    assert_eq!((cells.x_edges.len(), cells.y_edges.len(), cells.shades.len()), (6, 7, 30));
    assert!(cells.x_edges.is_sorted() && cells.y_edges.is_sorted());
    // More leaves are never quicker: no column is lighter than the one to its left.
    for at in 0..24 {
        assert!(cells.shades[at] <= cells.shades[at + 6], "{at}");
    }
    assert_eq!(view::nearest(&state, 1.0, 0.99).as_deref(), Some("fan_out=1&outlier_rate=0.1"));
    let axis =
        SweepAxis { points: 5, ..state.swept.as_ref().expect("a sweep").sweep.across.clone() };
    act(&mut state, Action::Sweep(Some(Sweep { across: axis, up: None })));
    assert!(view::swept(&state).expect("a figure").cells.is_none());
}

#[test]
fn advice_is_that_of_the_command_and_can_be_tried() {
    let mut state = State::open("fan-out&requests=2000");
    finish(&mut state);
    act(&mut state, Action::Advise { budget: 0.05, aim: Aim::default() });
    while !state.advising.as_ref().expect("it is asked").over {
        assert!(state.unlearnt().is_some(), "theory knows it all: nothing is simulated");
        act(&mut state, Action::LearnPoint);
    }
    let advising = state.advising.clone().expect("it is asked");
    let said = advising.inquiry.told();
    assert!(said.starts_with("Hedge after 20"), "{said}");
    let study = view::advised(&advising).expect("a study");
    assert!(view::advice_figure(&advising).is_some());
    act(&mut state, Action::Try(study.clone()));
    assert_eq!(state.study, study);
    assert!(!advising.is_stale(&state.study), "hedging is what the advice is on");
    act(&mut state, Action::Apply("fan_out=10".to_owned()));
    assert!(advising.is_stale(&state.study));
}

#[test]
fn what_theory_does_not_say_is_simulated_before_advice_is_given() {
    let mut state = State::open("replicas&requests=2000");
    finish(&mut state);
    act(&mut state, Action::Advise { budget: 0.1, aim: Aim::default() });
    learn(&mut state);
    for round in 0..4 {
        if state.advising.as_ref().expect("it is asked").over {
            assert!(1 < round, "first without hedges, then with");
            return;
        }
        finish(&mut state);
        learn(&mut state);
    }
    panic!("no end of trials");
}

#[test]
fn shades_are_of_one_percentile() {
    let mut state = State::open(
        "fan-out&requests=2000&sweep=fan_out:1..1000:5:log,outlier_rate:0.001..0.1:6:log",
    );
    for share in ["p50", "p50", "p99"] {
        act(&mut state, Action::SweepShare(share));
        assert_eq!(state.swept.as_ref().unwrap().drawn(), [share]);
        let figure = view::swept(&state).unwrap();
        let columns: Vec<&str> = figure.table.columns.iter().map(|it| it.title.as_str()).collect();
        assert_eq!(columns[2..], [share, &format!("{share}, exact")]);
    }
}

#[test]
fn each_of_two_deadlines_is_told() {
    let state = State::open("kvs-load&deadline_ms=7");
    let names: Vec<String> = view::readout(&state).into_iter().map(|it| it.name).collect();
    for name in ["remote, over 7\u{202f}ms", "co-located, over 7\u{202f}ms"] {
        assert!(names.iter().any(|it| it == name), "{names:?}");
    }
}
