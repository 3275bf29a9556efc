//! Whole sessions of the page, without a browser: hands act, workers answer, and the state is looked at.

use tail_lab::{
    report::Measure,
    study::Study,
    ui::{
        state::{Action, HistoryEntry, Stage, State, Theme, reduce},
        strings, view,
    },
    worker::{Part, Question, Tell},
};

/// Few requests, so that a session takes no time.
pub(crate) const QUICK: &str = "fan-out&requests=2000";

pub(crate) struct Session(pub(crate) State);

impl Session {
    pub(crate) fn open(link: &str) -> Session {
        Session(State::open(link))
    }

    pub(crate) fn act(&mut self, action: Action) -> &mut Session {
        self.0 = reduce(&self.0, action);
        self
    }

    pub(crate) fn slide(&mut self, key: &str, value: f64) -> &mut Session {
        let field = self.field(key);
        self.act(Action::Slide { field, value })
    }

    pub(crate) fn set(&mut self, key: &str, value: f64) -> &mut Session {
        let field = self.field(key);
        self.act(Action::Set { field, value })
    }

    fn field(&self, key: &str) -> usize {
        self.0.study.scenario.fields.iter().position(|it| it.key == key).unwrap()
    }

    fn wanted(&self) -> Question {
        self.0.wanted().expect("workers are wanted")
    }

    /// One replication of what is wanted is simulated.
    pub(crate) fn answer(&mut self, replication: u32) -> &mut Session {
        let part = part(&self.wanted(), replication as usize);
        self.act(Action::Told(vec![Tell::Part(part)]))
    }

    /// What is wanted is simulated to its end.
    pub(crate) fn finish(&mut self) -> &mut Session {
        let wanted = self.wanted();
        let parts = (0..wanted.tasks.len()).map(|it| Tell::Part(part(&wanted, it)));
        self.act(Action::Told(parts.collect()))
    }

    pub(crate) fn link(&self) -> String {
        self.0.study.link()
    }

    fn measure(&self, name: &str) -> &Measure {
        self.0.measures.iter().find(|it| it.name == name).unwrap()
    }

    fn place(&self) -> (&str, HistoryEntry, u32) {
        (&self.0.place.link, self.0.place.entry, self.0.place.serial)
    }
}

fn part(wanted: &Question, at: usize) -> Part {
    let task = wanted.tasks[at];
    let study = Study::open(&wanted.links[task.link as usize]).0;
    Part { job: wanted.job, task, meter: study.finish_one(task.replication), done: true }
}

#[test]
fn a_link_opens_and_its_problems_are_said_until_dismissed() {
    let mut session = Session::open("fan-out&fan_out=1e9&hedge=later");
    assert_eq!(session.link(), "fan-out&fan_out=10000");
    assert_eq!(session.0.problems.len(), 2);
    assert_eq!(session.wanted().links[0], "fan-out&fan_out=10000");
    assert_eq!(session.place().2, 0, "the address is left as it was found");
    session.act(Action::Dismiss);
    assert!(session.0.problems.is_empty());
}

#[test]
fn exact_values_follow_the_hand_at_once() {
    let mut session = Session::open(QUICK);
    for (fan_out, share) in [(1.0, 0.01), (100.0, 0.63397), (10_000.0, 1.0)] {
        session.slide("fan_out", fan_out);
        let over = session.measure("over");
        assert!((over.exact.unwrap() - share).abs() < 1e-4, "{fan_out}: {over:?}");
        assert_eq!(over.simulated, None);
        let shown = &view::readout(&session.0)[0];
        assert_eq!(shown.below, "exact, simulating");
    }
}

#[test]
fn a_drag_is_one_step_back() {
    let mut session = Session::open(QUICK);
    session.slide("fan_out", 200.0);
    assert_eq!(session.place(), ("fan-out&fan_out=200&requests=2000", HistoryEntry::Fresh, 1));
    session.slide("fan_out", 300.0).slide("fan_out", 400.0);
    assert_eq!(session.place(), ("fan-out&fan_out=400&requests=2000", HistoryEntry::Same, 3));
    session.act(Action::Settle).slide("fan_out", 500.0);
    assert_eq!(session.place(), ("fan-out&fan_out=500&requests=2000", HistoryEntry::Fresh, 4));
    session.slide("spread", 0.5);
    assert_eq!(session.place().1, HistoryEntry::Fresh, "another slider is another drag");
}

#[test]
fn going_back_restores_the_study_and_leaves_the_address_alone() {
    let mut session = Session::open(QUICK);
    session.slide("fan_out", 200.0).act(Action::Settle);
    let serial = session.place().2;
    session.act(Action::Open(QUICK.to_owned()));
    assert_eq!(session.link(), QUICK);
    assert_eq!(session.place().2, serial);
    assert_eq!(session.wanted().links[0], QUICK);
}

#[test]
fn the_digits_are_those_of_the_command_whatever_the_order_of_parts() {
    let (study, _) = Study::open(QUICK);
    let expected = study.measures(Some(&study.finish()), &study.exact());
    let mut session = Session::open(QUICK);
    for replication in (0..session.0.study.replications()).rev() {
        assert!(!session.0.run.finished());
        session.answer(replication);
    }
    assert!(session.0.run.finished());
    assert_eq!(session.0.run.recorded(), 2000);
    assert_eq!(*session.0.measures, expected);
    let progress = view::progress(&session.0);
    assert_eq!((progress.share, progress.going), (1.0, false));
    assert!(progress.text.starts_with("2,000 requests · p99 ± "), "{}", progress.text);
}

#[test]
fn what_an_older_question_brings_is_not_heard() {
    let mut session = Session::open(QUICK);
    let old = session.wanted();
    session.set("fan_out", 10.0);
    assert_ne!(session.wanted().job, old.job);
    session.act(Action::Told(vec![
        Tell::Part(part(&old, 0)),
        Tell::Failed { job: old.job, reason: String::new() },
    ]));
    assert!(!session.0.has_data());
    assert!(!session.0.run.failed);
}

#[test]
fn a_moving_hand_leaves_each_question_its_moment() {
    let mut session = Session::open(QUICK);
    session.answer(0);
    session.slide("fan_out", 50.0);
    let first = session.wanted();
    assert_eq!(first.links[0], "fan-out&fan_out=50&requests=2000");
    session.slide("fan_out", 40.0).slide("fan_out", 30.0);
    assert_eq!(session.wanted(), first, "it has not answered yet");
    assert!(session.0.is_stale());
    session.answer(0);
    assert_eq!(session.wanted().links[0], "fan-out&fan_out=30&requests=2000");
    assert!(!session.0.is_stale() && !session.0.has_data());
    // What the question of a moment ago brought can still be shown where nothing is known exactly.
    assert!(session.0.held.iter().any(|it| it.name == "over" && it.simulated.is_some()));
}

#[test]
fn a_deadline_is_drawn_from_the_same_run() {
    let mut session = Session::open(QUICK);
    session.answer(0);
    let wanted = session.wanted();
    session.slide("deadline_ms", 15.0);
    assert_eq!(session.wanted(), wanted);
    assert!(session.0.has_data());
    assert!(session.measure("over").simulated.unwrap() > 0.9);
    assert_eq!(view::readout(&session.0)[6].name, "over 15\u{202f}ms");
}

#[test]
fn a_lost_worker_is_said_and_the_exact_values_stay() {
    let mut session = Session::open(QUICK);
    session.answer(0);
    let job = session.wanted().job;
    session.act(Action::Told(vec![Tell::Failed { job, reason: "unreachable".to_owned() }]));
    assert!(session.0.run.failed);
    assert!(session.measure("over").exact.is_some());
    session.act(Action::RunAgain);
    assert!(!session.0.run.failed);
    assert!(session.wanted().job > job);
    session.finish();
    assert!(session.0.run.finished());
}

#[test]
fn rows_are_simulated_when_there_is_nothing_better_to_do() {
    let mut session = Session::open("fan-out");
    assert_eq!(session.0.rows.studies.len(), 3);
    for _ in 0..3 {
        session.act(Action::Learn);
    }
    assert!(session.0.rows.unknown().is_none());
    let exact: Vec<_> = view::rows(&session.0).into_iter().map(|it| it.exact).collect();
    assert_eq!(exact, ["63.40\u{202f}%", "63.23\u{202f}%", "18.13\u{202f}%"]);
    assert_eq!(session.wanted().links[0], "fan-out", "the study comes first");
    // A run of a thousand requests stands for the million, which would take long here.
    session.set("requests", 1000.0).finish();
    let row = session.wanted();
    assert_eq!(row.links[0], "fan-out");
    let part = part(&Question::of(row.job, "fan-out&requests=1000".to_owned(), 1), 0);
    session.act(Action::Told(vec![Tell::Part(Part { done: false, ..part })]));
    assert_eq!(session.wanted().job, row.job);
    session.slide("fan_out", 50.0);
    assert_eq!(
        session.wanted().links[0],
        "fan-out&fan_out=50&requests=1000",
        "the hand comes first"
    );
    assert!(session.0.rows.run.is_none());
}

#[test]
fn a_row_whose_worker_was_lost_is_not_tried_again() {
    let mut session = Session::open("fan-out&requests=1000");
    session.finish();
    let row = session.wanted();
    session.act(Action::Told(vec![Tell::Failed { job: row.job, reason: String::new() }]));
    let known = session.0.rows.of_link(&row.links[0]).unwrap();
    assert_eq!(known.stage, Stage::Failed);
    assert_eq!(view::rows(&session.0)[0].simulated, "stopped");
    assert_ne!(session.wanted().links[0], row.links[0]);
    assert!(!session.0.run.failed);
}

#[test]
fn presets_are_pressed_until_the_first_change_and_their_table_stays() {
    let mut session = Session::open("fan-out");
    let presets = session.0.study.scenario.presets;
    let at = presets.iter().position(|it| it.name == "Quorum writes").unwrap();
    session.act(Action::Preset(at));
    assert_eq!(session.0.study.preset().unwrap().name, "Quorum writes");
    assert_eq!(view::rows(&session.0).len(), presets[at].rows.len());
    session.slide("spread", 0.4).act(Action::Settle);
    assert!(session.0.study.preset().is_none());
    assert_eq!(session.0.rows.preset.unwrap().name, "Quorum writes");
    session.act(Action::ResetAll);
    assert_eq!(session.link(), "fan-out");
    assert_eq!(session.0.rows.preset.unwrap().name, presets[0].name);
}

#[test]
fn words_to_press_make_their_changes() {
    let mut session = Session::open(QUICK);
    session.act(Action::Apply("hedge=after&hedge_ms=30".to_owned()));
    assert_eq!(session.link(), "fan-out&hedge=after&hedge_ms=30&requests=2000");
    assert_eq!(session.place().1, HistoryEntry::Fresh);
    let field = session.field("hedge");
    session.act(Action::Reset(field));
    assert_eq!(session.link(), "fan-out&hedge_ms=30&requests=2000");
}

#[test]
fn where_queues_grow_for_ever_there_are_no_percentiles_and_the_page_says_why() {
    let mut session = Session::open("replicas&requests=1000");
    assert_eq!(session.0.unstable, None);
    session.set("load", 0.95);
    assert!(session.0.unstable.is_some());
    let shown = &view::readout(&session.0)[0];
    assert_eq!((shown.value.as_str(), shown.below.as_str()), ("–", "no limit"));
}

#[test]
fn pausing_and_themes_change_nothing_else() {
    let mut session = Session::open(QUICK);
    let before = session.wanted();
    session.act(Action::TogglePause).act(Action::Theme(Theme::Dark));
    assert!(session.0.paused);
    assert_eq!(session.wanted(), before);
    assert_eq!(view::readout(&session.0)[0].below, "exact, paused");
    session.act(Action::TogglePause);
    assert!(!session.0.paused);
}

#[test]
fn another_seed_is_another_run_of_the_same_system() {
    let mut session = Session::open(QUICK);
    let exact = session.0.exact.clone();
    session.act(Action::Seed(7));
    assert_eq!(session.link(), "fan-out&requests=2000&seed=7");
    assert!(std::rc::Rc::ptr_eq(&session.0.exact, &exact), "what is exact does not depend on it");
    assert_eq!(session.wanted().links[0], "fan-out&requests=2000&seed=7");
}

/// Every key that is looked up has a text, and every text is looked up.
#[test]
fn strings_are_all_there_and_all_used() {
    let keys: Vec<&str> = strings::lines(strings::english()).map(|it| it.0).collect();
    let mut unique = keys.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), keys.len(), "a key stands twice");
    let sources: String = super::tidy::sources("src/ui").into_iter().map(|it| it.1).collect();
    for key in &keys {
        assert!(sources.contains(&format!("\"{key}\"")), "{key} is used nowhere");
    }
    for call in ["text(\"", "fill(\""] {
        for (at, _) in sources.match_indices(call) {
            // Not the end of another function's name.
            if !sources[..at].ends_with(|it: char| it.is_alphanumeric() || it == '_') {
                let key = sources[at + call.len()..].split('"').next().unwrap();
                assert!(keys.contains(&key), "{key} has no text");
            }
        }
    }
}

#[test]
fn what_is_pinned_keeps_its_numbers_and_nothing_is_run_again() {
    let mut session = Session::open(QUICK);
    session.finish();
    session.act(Action::Pin);
    assert_eq!(session.place(), ("fan-out&requests=2000&a=same", HistoryEntry::Fresh, 1));
    let pinned = session.0.pinned.clone().expect("A");
    assert!(pinned.run.finished());
    assert_eq!(pinned.measures, session.0.measures);
    assert!(pinned.differences.iter().all(|it| it.value.is_none_or(|it| it == 0.0)));
    session.set("hedge", 1.0);
    assert_eq!(session.place().0, "fan-out&hedge=after&requests=2000&a.hedge=off");
    session.finish();
    let pinned = session.0.pinned.clone().expect("A");
    let found = pinned.differences.iter().find(|it| it.name == "over").expect("over");
    assert!(found.high.is_some_and(|it| it < -0.5), "{found:?}");
    let over = view::readout(&session.0).into_iter().find(|it| it.key).expect("over");
    let [of_a, by, margin] = over.beside.expect("A's");
    assert!(
        of_a.ends_with('%') && by.starts_with('\u{2212}') && margin.starts_with('±'),
        "{of_a} {by} {margin}"
    );
}

#[test]
fn a_pinned_link_runs_b_then_a_and_swaps_without_a_run() {
    let link = "fan-out&hedge=after&requests=2000&a.hedge=off";
    let mut session = Session::open(link);
    let pinned = |session: &Session| session.0.pinned.clone().expect("A");
    assert_eq!(pinned(&session).study.link(), QUICK);
    assert_eq!(session.wanted().links[0], "fan-out&hedge=after&requests=2000");
    session.finish();
    assert_eq!(session.wanted().links[0], QUICK, "A comes after B");
    session.answer(0);
    session.set("hedge_ms", 20.0);
    assert!(session.wanted().links[0].contains("hedge_ms=20"), "the hand comes first");
    assert!(pinned(&session).run.meter.is_none(), "what was begun begins anew");
    session.act(Action::Open(link.to_owned())).finish().finish();
    let (a, b) = (pinned(&session).measures, session.0.measures.clone());
    session.act(Action::Swap);
    assert_eq!(session.place().0, "fan-out&requests=2000&a.hedge=after");
    assert!(session.0.run.finished() && pinned(&session).run.finished());
    assert_eq!((pinned(&session).measures, session.0.measures.clone()), (b, a));
    session.act(Action::Unpin);
    assert_eq!(session.place().0, QUICK);
    session.act(Action::Open(link.to_owned()));
    session.act(Action::Open("replicas&hide=load&embed=on".to_owned()));
    assert!(session.0.pinned.is_none() && session.0.hidden == ["load"] && session.0.embedded);
    assert_eq!(session.place().0, "replicas&hide=load&embed=on");
}
