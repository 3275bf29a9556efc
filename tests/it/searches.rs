//! What a session of the page asks workers to find in one go, and what becomes of the answers.

use tail_lab::{
    study::{IN_TIME, Study, fan_out_within},
    ui::{state::Action, view},
    worker::{Ask, Tell, decode, encode},
};

use crate::reduce::{QUICK, Session};

impl Session {
    fn sought<T>(&self, of: impl Fn(Ask) -> Option<T>) -> Option<T> {
        self.0.searches().into_iter().find_map(of)
    }

    fn wanted_exact(&self) -> Option<(u32, String)> {
        self.sought(
            |it| if let Ask::Exact { serial, link } = it { Some((serial, link)) } else { None },
        )
    }

    fn wanted_bears(&self) -> Option<String> {
        self.sought(|it| if let Ask::Bears { link, .. } = it { Some(link) } else { None })
    }

    fn wanted_replay(&self) -> Option<(u32, String, f64)> {
        self.sought(|it| match it {
            Ask::Replay { job, link, share } => Some((job, link, share)),
            _ => None,
        })
    }

    fn wanted_film(&self) -> Option<(u32, String)> {
        self.sought(|it| if let Ask::Film { job, link } = it { Some((job, link)) } else { None })
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
    let first = session.wanted_exact().unwrap();
    assert_eq!(first.1, session.link());
    assert_eq!(exact(&session), before, "those of a moment ago stand until then");
    // The question is left its moment, and the newest is asked next.
    session.slide("fan_out", 51.0).slide("fan_out", 52.0);
    assert_eq!(session.wanted_exact(), Some(first.clone()));
    session.act(Action::Told(vec![theory(first)]));
    assert_ne!(exact(&session), before);
    let second = session.wanted_exact().unwrap();
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
    let (serial, _) = session.wanted_exact().unwrap();
    session.act(Action::Told(vec![Tell::Exact { serial, exact: None, took_ms: 0.0 }]));
    assert!(session.0.knows_exact() && !session.0.theory.slow);
    assert_ne!(exact(&session), digits);
}

#[test]
fn the_fan_out_that_a_deadline_bears_is_found_once_the_hand_rests() {
    let mut session = Session::open(QUICK);
    assert_eq!(session.wanted_bears(), None, "simulation comes first");
    session.finish();
    let link = session.wanted_bears().unwrap();
    assert!(view::limits(&session.0).unwrap().1.contains('…'));
    let most = fan_out_within(&Study::open(&link).0, IN_TIME);
    session.act(Action::Told(vec![Tell::Bears { link, most }]));
    let told = view::limits(&session.0).unwrap().1;
    assert!(told.contains(&most.unwrap().to_string()), "{told}");
    assert_eq!(session.wanted_bears(), None);
    session.slide("outlier_rate", 0.2).finish();
    assert_eq!(session.wanted_bears(), None, "the hand moves");
    session.act(Action::Settle);
    assert!(session.wanted_bears().is_some());
}

#[test]
fn a_request_is_searched_for_once_the_hand_rests() {
    let mut session = Session::open(QUICK);
    session.act(Action::Near(true));
    assert_eq!(session.wanted_replay(), None, "nothing is simulated yet");
    session.slide("fan_out", 50.0).answer(0).answer(0);
    assert_eq!(session.wanted_replay(), None, "the hand may go on");
    session.act(Action::Settle);
    let (job, link, share) = session.wanted_replay().unwrap();
    assert_eq!((link.as_str(), share), ("fan-out&fan_out=50&requests=2000", 0.5));
    let late = Tell::Replayed { job: job - 1, share, replay: None };
    session.act(Action::Told(vec![late]));
    assert!(session.wanted_replay().is_some());
    session.act(Action::Told(vec![Tell::Replayed { job, share, replay: None }]));
    assert_eq!(session.wanted_replay(), None);
    session.act(Action::Look(0.99));
    assert_eq!(session.wanted_replay().unwrap().2, 0.99);
    session.act(Action::Near(false));
    assert_eq!(session.wanted_replay(), None, "nobody would see it");
}

#[test]
fn servers_are_filmed_once_for_each_run() {
    let mut session = Session::open("replicas&requests=1000&warm_up=100");
    assert_eq!(session.wanted_film(), None, "nobody looks");
    session.act(Action::Near(true));
    session.answer(0);
    let (job, link) = session.wanted_film().unwrap();
    assert_eq!(link, "replicas&requests=1000&warm_up=100");
    session.act(Action::Told(vec![Tell::Filmed { job: job + 1, film: None }]));
    assert!(session.wanted_film().is_some(), "that was of another run");
    let film = session.0.study.footage();
    session.act(Action::Told(vec![Tell::Filmed { job, film: film.clone() }]));
    assert_eq!(session.0.look.film.as_ref().unwrap().1.as_deref(), film.as_ref());
    session.act(Action::Look(0.99));
    assert_eq!(session.wanted_film(), None, "another request is of the same run");
    session.slide("load", 0.2).act(Action::Settle);
    session.answer(0);
    assert_ne!(session.wanted_film().unwrap().0, job);
    session.act(Action::Open("fan-out".to_owned()));
    assert_eq!(session.0.look.film, None, "another scenario has other servers");
}
