//! Whole sessions of the page, without a browser: hands act, workers answer, and the state is looked at.

use tail_lab::{
    report::Measure,
    study::{IN_TIME, Study, fan_out_within},
    ui::{
        state::{Action, HistoryEntry, Stage, State, Theme, reduce},
        strings, view,
    },
    worker::{Part, Question, Tell, decode, encode},
};

/// Few requests, so that a session takes no time.
const QUICK: &str = "fan-out&requests=2000";

struct Session(State);

impl Session {
    fn open(link: &str) -> Session {
        Session(State::open(link))
    }

    fn act(&mut self, action: Action) -> &mut Session {
        self.0 = reduce(&self.0, action);
        self
    }

    fn slide(&mut self, key: &str, value: f64) -> &mut Session {
        let field = self.field(key);
        self.act(Action::Slide { field, value })
    }

    fn set(&mut self, key: &str, value: f64) -> &mut Session {
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
    fn answer(&mut self, replication: u32) -> &mut Session {
        let part = part(&self.wanted(), replication as usize);
        self.act(Action::Told(vec![Tell::Part(part)]))
    }

    /// What is wanted is simulated to its end.
    fn finish(&mut self) -> &mut Session {
        let wanted = self.wanted();
        let parts = (0..wanted.tasks.len()).map(|it| Tell::Part(part(&wanted, it)));
        self.act(Action::Told(parts.collect()))
    }

    fn link(&self) -> String {
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

/// As a worker does it.
fn theory(wanted: (u32, String)) -> Tell {
    let (serial, link) = wanted;
    let told =
        Tell::Exact { serial, exact: Some(Study::open(&link).0.exact_in_full()), took_ms: 20.0 };
    // Through the form in which it travels.
    decode(&encode(&told)).unwrap()
}

#[test]
fn slow_exact_values_are_a_workers_while_a_hand_moves() {
    let mut session = Session::open("fan-out&canary=1&request_delay_ms=5&requests=2000");
    session.0.theory.slow = true;
    let exact = |session: &Session| {
        session.0.measures.iter().map(|it| (it.name.clone(), it.exact)).collect::<Vec<_>>()
    };
    let before = exact(&session);
    session.slide("fan_out", 50.0);
    let first = session.0.wanted_exact().unwrap();
    assert_eq!(first.1, session.link());
    assert_eq!(exact(&session), before, "those of a moment ago stand until then");
    // The question is left its moment, and the newest is asked next.
    session.slide("fan_out", 51.0).slide("fan_out", 52.0);
    assert_eq!(session.0.wanted_exact(), Some(first.clone()));
    session.act(Action::Told(vec![theory(first)]));
    assert_ne!(exact(&session), before);
    let second = session.0.wanted_exact().unwrap();
    assert_eq!(second.1, session.link());
    session.act(Action::Told(vec![theory(second)]));
    assert!(session.0.knows_exact());
    let study = session.0.study.clone();
    let digits: Vec<_> =
        study.measures(None, &study.exact()).iter().map(|it| (it.name.clone(), it.exact)).collect();
    assert_eq!(exact(&session), digits, "the digits are the page's own");
    // A hand that rests has them at once, and so has one whose worker is gone.
    session.set("fan_out", 60.0);
    assert!(session.0.knows_exact());
    session.slide("fan_out", 61.0);
    let (serial, _) = session.0.wanted_exact().unwrap();
    session.act(Action::Told(vec![Tell::Exact { serial, exact: None, took_ms: 0.0 }]));
    assert!(session.0.knows_exact() && !session.0.theory.slow);
    assert_ne!(exact(&session), digits);
}

#[test]
fn the_fan_out_that_a_deadline_bears_is_found_once_the_hand_rests() {
    let mut session = Session::open(QUICK);
    assert_eq!(session.0.wanted_bears(), None, "simulation comes first");
    session.finish();
    let link = session.0.wanted_bears().unwrap();
    assert!(view::limits(&session.0).unwrap().1.contains('…'));
    let most = fan_out_within(&Study::open(&link).0, IN_TIME);
    session.act(Action::Told(vec![Tell::Bears { link, most }]));
    let told = view::limits(&session.0).unwrap().1;
    assert!(told.contains(&most.unwrap().to_string()), "{told}");
    assert_eq!(session.0.wanted_bears(), None);
    session.slide("outlier_rate", 0.2).finish();
    assert_eq!(session.0.wanted_bears(), None, "the hand moves");
    session.act(Action::Settle);
    assert!(session.0.wanted_bears().is_some());
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
fn a_request_is_searched_for_once_the_hand_rests() {
    let mut session = Session::open(QUICK);
    session.act(Action::Near(true));
    assert_eq!(session.0.wanted_replay(), None, "nothing is simulated yet");
    session.slide("fan_out", 50.0).answer(0).answer(0);
    assert_eq!(session.0.wanted_replay(), None, "the hand may go on");
    session.act(Action::Settle);
    let (job, link, share) = session.0.wanted_replay().unwrap();
    assert_eq!((link.as_str(), share), ("fan-out&fan_out=50&requests=2000", 0.5));
    let late = Tell::Replayed { job: job - 1, share, replay: None };
    session.act(Action::Told(vec![late]));
    assert!(session.0.wanted_replay().is_some());
    session.act(Action::Told(vec![Tell::Replayed { job, share, replay: None }]));
    assert_eq!(session.0.wanted_replay(), None);
    session.act(Action::Look(0.99));
    assert_eq!(session.0.wanted_replay().unwrap().2, 0.99);
    session.act(Action::Near(false));
    assert_eq!(session.0.wanted_replay(), None, "nobody would see it");
}

#[test]
fn servers_are_filmed_once_for_each_run() {
    let mut session = Session::open("replicas&requests=1000&warm_up=100");
    assert_eq!(session.0.wanted_film(), None, "nobody looks");
    session.act(Action::Near(true));
    session.answer(0);
    let (job, link) = session.0.wanted_film().unwrap();
    assert_eq!(link, "replicas&requests=1000&warm_up=100");
    session.act(Action::Told(vec![Tell::Filmed { job: job + 1, film: None }]));
    assert!(session.0.wanted_film().is_some(), "that was of another run");
    let film = session.0.study.footage();
    session.act(Action::Told(vec![Tell::Filmed { job, film: film.clone() }]));
    assert_eq!(session.0.look.film.as_ref().unwrap().1.as_deref(), film.as_ref());
    session.act(Action::Look(0.99));
    assert_eq!(session.0.wanted_film(), None, "another request is of the same run");
    session.slide("load", 0.2).act(Action::Settle);
    session.answer(0);
    assert_ne!(session.0.wanted_film().unwrap().0, job);
    session.act(Action::Open("fan-out".to_owned()));
    assert_eq!(session.0.look.film, None, "another scenario has other servers");
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
