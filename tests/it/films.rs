//! Films of servers: what they show is what was simulated, and nothing gets lost on the way.

use expect_test::{ExpectFile, expect_file};
use tail_lab::{
    chart::{DARK, Frame, LIGHT, Mark, Palette, film_at, svg},
    report::{Film, FilmEvent, Happening, Held, HeldState, Meaning},
    scenario::{SCENARIOS, Watched},
    study::Study,
};

use crate::common::{drawn, study};

const STRIP: Frame = Frame { width: 1040.0, height: 290.0, narrow: false };
const PHONE: Frame = Frame { width: 358.0, height: 300.0, narrow: true };
/// Clients that all believe the same board, which is old.
const HERD: &str = "replicas&load=0.6&background=0.1&routing=board&board_ms=100&servers=40";
const COPIES: &str = "replicas&load=0.4&policy=tied&delay_ms=0.5&shared_congestion=0&hop_ms=0.2";

#[track_caller]
fn film(link: &str) -> Film {
    study(link).film().unwrap_or_else(|| panic!("{link} has no film"))
}

/// What must be true of any film.
#[track_caller]
fn holds(film: &Film, link: &str) {
    assert!(film.servers <= film.of && film.servers <= 100, "{link}");
    assert!(film.events.is_sorted_by(|a, b| a.at_ms <= b.at_ms), "{link}");
    assert!(film.events.iter().all(|it| 0.0 <= it.at_ms && it.at_ms <= film.length_ms), "{link}");
    assert!(film.events.iter().all(|it| usize::from(it.kind) < film.kinds.len()), "{link}");
    let mut inside = vec![0; film.servers as usize];
    for (at, event) in film.events.iter().enumerate() {
        match event.what {
            Happening::Joined => inside[event.server as usize] += 1,
            Happening::Finished | Happening::Cancelled => inside[event.server as usize] -= 1,
            _ => {}
        }
        let last = film.events.get(at + 1).is_none_or(|it| event.at_ms < it.at_ms);
        // Every moment would take its time; every seventh, and the first and the last, see as much.
        if !last || (at % 7 != 0 && at + 1 < film.events.len()) {
            continue;
        }
        let moment = film.at(event.at_ms, 0.0);
        assert_eq!(moment.last, Some(*event), "{link}");
        for (server, it) in moment.servers.iter().enumerate() {
            let at_work = it.jobs.iter().filter(|it| it.state == HeldState::AtWork).count();
            let held = it.length();
            assert_eq!(held, inside[server], "{link}: {} ms at {server}", event.at_ms);
            let working = if film.at_once { held } else { held.min(1) };
            assert_eq!(at_work, working, "{link}: {} ms at {server}", event.at_ms);
        }
    }
}

#[test]
fn jobs_are_kept_and_servers_work_on_one_at_a_time() {
    for link in [HERD, COPIES, "replicas", "replicas&load=1.1", "replicas&servers=2000&fan_out=100"]
    {
        let film = film(link);
        holds(&film, link);
        assert!(2_000 <= film.events.len(), "{link}: {} events", film.events.len());
    }
}

#[test]
fn films_of_any_settings_hold() {
    for (at, scenario) in SCENARIOS.iter().enumerate() {
        for seed in 0..3 {
            let study = drawn(at, seed, "1000");
            let Some(film) = study.film() else { continue };
            holds(&film, &study.link());
            assert_eq!(film, study.film().unwrap(), "{} twice", scenario.key);
        }
    }
}

#[test]
fn what_there_is_to_watch_is_declared() {
    for scenario in SCENARIOS {
        let study = Study::new(scenario);
        let found = match (study.film(), study.traffic()) {
            (Some(_), None) => Watched::Servers,
            (None, Some(_)) => Watched::Messages,
            _ => Watched::Nothing,
        };
        assert_eq!(scenario.watched, found, "{}", scenario.key);
    }
}

#[test]
fn a_film_begins_when_the_run_has_warmed_up() {
    let warm = film("replicas&warm_up=5000");
    let cold = film("replicas&warm_up=0");
    assert!(cold.from_ms < 1.0, "{} ms", cold.from_ms);
    // 5,000 requests at 100 servers with a load of .1 and services of 14.5 ms.
    let expected_ms = 5_000.0 * 14.5 / (0.1 * 100.0);
    assert!((warm.from_ms / expected_ms - 1.0).abs() < 0.05, "{} ms", warm.from_ms);
    assert!(0 < warm.at(0.0, 0.0).jobs());
}

/// Tied requests cancel the copy that waits; interrupted ones leave while they are served.
#[test]
fn cancelled_copies_are_seen_to_go() {
    let film = film(COPIES);
    let event = film.events.iter().find(|it| it.what == Happening::Cancelled).unwrap();
    let gone = |ms: f64| {
        let moment = film.at(ms, 1.0);
        let jobs = &moment.servers[event.server as usize].jobs;
        jobs.iter().find(|it| it.job == event.job).map(|it: &Held| it.state)
    };
    assert_eq!(gone(event.at_ms), Some(HeldState::Cancelled { at_ms: event.at_ms }));
    assert_eq!(gone(event.at_ms + 1.5), None);
    let crosses = |ms| {
        let scene = film_at(&film, ms, STRIP);
        scene.marks.iter().filter(|it| matches!(it, Mark::Cross { .. })).count()
    };
    assert!(1 < crosses(event.at_ms), "the key has one, and the queue another");
    let kinds = |meaning| {
        let kind = film.kinds.iter().position(|it| it.meaning == meaning).unwrap();
        film.events.iter().filter(|it| usize::from(it.kind) == kind).count()
    };
    assert!(0 < kinds(Meaning::Hedge) && 0 < kinds(Meaning::This) && 0 < kinds(Meaning::Other));
}

/// While everybody reads the same old board, the servers it calls shortest get all the calls.
#[test]
fn a_herd_follows_an_old_board() {
    let longest = |link: &str| {
        let film = film(link);
        let lengths = film.events.iter().filter_map(|it| film.at(it.at_ms, 0.0).longest());
        lengths.map(|it| it.1).max().unwrap()
    };
    let (herd, fresh) = (longest(HERD), longest(&HERD.replace("board_ms=100", "board_ms=0")));
    assert!(3 * fresh < herd, "{herd} with an old board, {fresh} with a fresh one");
}

/// Taken out for being slow, a machine gets no new requests, and its queue runs empty but for trials.
#[test]
fn a_slow_machine_is_taken_out() {
    let film = film("probation&probation=on");
    holds(&film, "probation");
    // However short the run: the slow machine is slow at some time only.
    assert!(study("probation&requests=1000").film().is_some());
    let slow = |it: &&FilmEvent| it.server == 0 && it.what == Happening::ServerOut;
    let out = film.events.iter().find(slow).unwrap();
    let before = film.at(out.at_ms, 0.0).servers[0].length();
    assert!(5 < before, "{before} before it is taken out");
    let sent = film.events.iter().filter(|it| out.at_ms < it.at_ms && it.server == 0);
    let joined: Vec<u8> =
        sent.filter(|it| it.what == Happening::Joined).map(|it| it.kind).take(5).collect();
    assert_eq!(joined, [1; 5], "only requests that nobody waits for");
}

/// What the disciplines of one server look like.
#[test]
fn short_ones_overtake_only_where_they_may() {
    let seen = |discipline: &str| {
        let link = format!("classes&discipline={discipline}&heavy_share=0.1&heavy_ms=10");
        let film = film(&link);
        holds(&film, &link);
        film
    };
    let overtakes = |film: &Film| {
        let finished = film.events.iter().filter(|it| it.what == Happening::Finished);
        !finished.map(|it| it.job).is_sorted()
    };
    let asides = |film: &Film| film.events.iter().any(|it| it.what == Happening::SetAside);
    assert!(!overtakes(&seen("fifo")));
    assert!(overtakes(&seen("priority")) && !asides(&seen("priority")));
    assert!(overtakes(&seen("slice")) && asides(&seen("slice")));
    assert!(overtakes(&seen("sharing")) && seen("sharing").at_once);
}

#[test]
fn steps_go_from_event_to_event() {
    let film = film("replicas&servers=10");
    let (mut ms, mut steps) = (0.0, 0);
    while let Some(next) = film.next_ms(ms) {
        assert!(ms < next);
        (ms, steps) = (next, steps + 1);
    }
    assert_eq!(ms, film.length_ms);
    assert!(500 < steps, "{steps} steps");
}

#[test]
fn moments_of_films_as_golden_pictures() {
    let check = |study: &Study, share: f64, frame, palette: &Palette, expected: ExpectFile| {
        let film = study.film().unwrap();
        expected.assert_eq(&svg(&film_at(&film, share * film.length_ms, frame), palette));
    };
    check(&study(HERD), 0.5, STRIP, &LIGHT, expect_file!["../golden/film-herd.svg"]);
    check(&study(COPIES), 0.43, STRIP, &DARK, expect_file!["../golden/film-tied-dark.svg"]);
    let slices = study("classes&discipline=slice&heavy_share=0.1&heavy_ms=10&load=0.9");
    check(&slices, 0.5, STRIP, &LIGHT, expect_file!["../golden/film-slices.svg"]);
    let probation = study("probation&probation=on");
    check(&probation, 0.5, STRIP, &LIGHT, expect_file!["../golden/film-probation.svg"]);
    check(&study(COPIES), 0.43, PHONE, &LIGHT, expect_file!["../golden/film-tied-phone.svg"]);
}
