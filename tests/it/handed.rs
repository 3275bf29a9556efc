//! Files handed to the page, without a browser: what becomes of the state.

use tail_lab::{
    format::given,
    import::{self, TimeUnit},
    measured::Measured,
    report::Quantity,
    study::{Setup, Side, Study, compared_json, differences, json},
    ui::{
        state::{Action, FILES_MAX, ImportAction, ReadingFile, State, reduce},
        view,
    },
    worker::Tell,
};

const NUMBERS: &str = include_str!("import/numbers/usual.txt");
const WRK2: &str = include_str!("import/wrk2/usual.txt");

struct Page(State);

impl Page {
    fn open(link: &str) -> Page {
        Page(State::open(link))
    }

    fn act(&mut self, action: ImportAction) -> &mut Page {
        self.0 = reduce(&self.0, Action::Import(action));
        self
    }

    fn begin(&mut self, file: u32) -> &mut Page {
        self.begin_all(&[file], 0)
    }

    fn begin_all(&mut self, files: &[u32], left_out: usize) -> &mut Page {
        let files = files.iter().map(|it| handed(*it, format!("{it}.txt"))).collect();
        self.act(ImportAction::Begin { files, left_out })
    }

    /// The worker has read this text.
    fn read(&mut self, file: u32, text: &str) -> &mut Page {
        let tell = Tell::Read { file, read: import::read(text.as_bytes()) };
        self.0 = reduce(&self.0, Action::Told(vec![tell]));
        self
    }

    /// The names of the saved studies that were opened.
    fn opened(&self) -> Vec<&str> {
        self.0.import.opened.iter().map(|it| it.name.as_str()).collect()
    }

    fn data(&self) -> Option<&Measured> {
        self.0.study.data.as_deref()
    }
}

fn handed(file: u32, name: String) -> ReadingFile {
    ReadingFile { file, name, taken: 0, bytes: 100 }
}

#[test]
fn a_file_changes_the_study_when_it_is_used() {
    let mut page = Page::open("fan-out&fan_out=7");
    page.begin(1).read(1, NUMBERS);
    assert_eq!(page.0.study.link(), "fan-out&fan_out=7");
    page.act(ImportAction::Use("fan-out"));
    assert_eq!(page.0.study.value("fan_out"), Some(7.0));
    assert!(page.0.study.wants_data());
    assert_eq!(Study::open(&page.0.place.link), (page.0.study.clone(), Vec::new()));
    assert_eq!(page.0.import.used, ["1.txt"]);
    assert_eq!(page.0.import.files, []);
}

#[test]
fn the_unit_is_what_was_chosen() {
    let median = |unit: Option<TimeUnit>| {
        let mut page = Page::open("replicas");
        page.begin(1).read(1, NUMBERS);
        if let Some(unit) = unit {
            page.act(ImportAction::Unit { file: 1, unit });
        }
        page.act(ImportAction::Use("replicas"));
        page.data().and_then(|it| it.quantile_ms(0.5)).unwrap()
    };
    let guessed = median(None);
    assert!((guessed / 11.75 - 1.0).abs() < 0.01, "{guessed}");
    assert!((median(Some(TimeUnit::Seconds)) / guessed / 1e3 - 1.0).abs() < 1e-3);
}

#[test]
fn another_scenario_opens_where_this_one_has_no_place() {
    let mut page = Page::open("bursts");
    page.begin(1).read(1, NUMBERS).act(ImportAction::Use("bursts"));
    assert!(page.data().is_none());
    assert_eq!(page.0.import.files.len(), 1);
    page.act(ImportAction::Use("fan-out"));
    assert_eq!(page.0.study.scenario.key, "fan-out");
    assert!(page.data().is_some());
}

#[test]
fn what_cannot_be_read_takes_nothing_away() {
    let mut page = Page::open("fan-out");
    page.begin(1).read(1, NUMBERS);
    page.begin(2).read(2, "no latencies\n");
    let why = &page.0.import.failed[0].1;
    assert!(why.starts_with("Line 1: expected"), "{why}");
    assert_eq!(page.0.import.files[0].name, "1.txt");
    assert!(!page.0.import.has_some(), "that was of before");
}

#[test]
fn what_was_called_off_is_not_heard() {
    let mut page = Page::open("fan-out");
    page.begin(1).act(ImportAction::Cancel(1)).read(1, NUMBERS);
    assert_eq!(page.0.import.files, []);
    page.begin(2).read(1, NUMBERS);
    assert_eq!(page.0.import.files, []);
    assert_eq!(page.0.import.reading.len(), 1);
}

#[test]
fn a_name_of_any_length_is_shortened() {
    let mut page = Page::open("fan-out");
    page.act(ImportAction::Begin { files: vec![handed(1, "é".repeat(10_000))], left_out: 0 });
    assert!(page.0.import.reading[0].name.chars().count() <= 60);
}

#[test]
fn a_saved_study_is_opened_as_one() {
    let study = Study::open("replicas&load=0.4&seed=7").0;
    let saved = json(&study, &study.measures(None, &study.exact()), &[]) + "\n";
    let mut page = Page::open("fan-out&fan_out=7");
    page.begin(1).read(1, &saved);
    assert_eq!((&page.0.study, page.opened()), (&study, vec!["1.txt"]));
    assert_eq!(Study::open(&page.0.place.link).0, study);
    assert_eq!((page.0.place.serial, page.0.import.failed.len()), (1, 0));
    page.act(ImportAction::Dismiss);
    assert_eq!(page.0.import.opened, []);
    // What cannot be used of its link is said, as of any link.
    let odd = saved.replace("load=0.4", "load=<img src=x>&typical=zzz");
    page.begin(2).read(2, &odd);
    let told: Vec<&str> = page.0.problems.iter().map(|it| it.key.as_str()).collect();
    assert_eq!(told, ["load=<img src=x>", "typical=zzz"]);
    // Other JSON is none, even with a link in it.
    let shown = page.0.study.clone();
    page.begin(3).read(3, r#"{"link": "fan-out", "scenario": "fan-out"}"#);
    assert_eq!((page.0.import.failed.len(), &page.0.study), (1, &shown));
}

#[test]
fn two_saved_studies_become_a_and_b() {
    let saved = |link: &str| {
        let study = Study::open(link).0;
        json(&study, &study.measures(None, &study.exact()), &[]) + "\n"
    };
    let [a, b] = ["fan-out&fan_out=7&seed=3", "fan-out&hedge=after"];
    // Whichever is read first.
    for order in [[1, 2], [2, 1]] {
        let mut page = Page::open("replicas");
        page.begin_all(&[1, 2], 0);
        for file in order {
            page.read(file, &saved([a, b][file as usize - 1]));
        }
        let pinned = page.0.pinned.as_ref().map(|it| it.study.link());
        assert_eq!((pinned.as_deref(), page.0.study.link().as_str()), (Some(a), b), "{order:?}");
        assert_eq!((page.opened(), page.0.problems.len()), (vec!["1.txt", "2.txt"], 0));
        assert_eq!(page.0.place.serial, 1, "one step back");
        let again = Setup::open(&page.0.place.link).0;
        assert_eq!(again.pinned.map(|it| it.link()).as_deref(), Some(a), "{order:?}");
    }
    // Those of two scenarios cannot be held against each other.
    let mut page = Page::open("replicas");
    page.begin_all(&[1, 2], 0).read(1, &saved("bursts")).read(2, &saved(b));
    assert!(page.0.pinned.is_none());
    assert_eq!((page.opened(), page.0.study.link().as_str()), (vec!["2.txt"], b));
    let told: Vec<String> =
        page.0.problems.iter().map(|it| format!("{} {}", it.key, it.text)).collect();
    assert_eq!(told, ["1.txt is not compared: it is no study of Fan-out."]);
    // What cannot be used of A's link is said of A.
    let odd = saved(a).replace("fan_out=7", "typical=zzz");
    let mut page = Page::open("replicas");
    page.begin_all(&[1, 2], 0).read(1, &odd).read(2, &saved(b));
    assert_eq!(page.0.problems[0].key, "a.typical=zzz");
    // It waits for the other one, until that is called off.
    let mut page = Page::open("replicas");
    page.begin_all(&[1, 2], 0).read(1, &saved(a));
    assert_eq!(page.0.study.link(), "replicas");
    page.act(ImportAction::Cancel(2));
    assert_eq!((page.0.study.link().as_str(), page.opened()), (a, vec!["1.txt"]));
    // One and a file of latencies are what they are.
    let mut page = Page::open("replicas");
    page.begin_all(&[1, 2], 0).read(1, &saved(a)).read(2, NUMBERS);
    assert_eq!((page.0.study.link().as_str(), page.0.import.files.len()), (a, 1));
    assert!(page.0.pinned.is_none());
}

#[test]
fn a_saved_comparison_is_opened_with_a() {
    for (a, b) in
        [("fan-out", "fan-out&fan_out=7&seed=3"), ("fan-out&hedge=after&seed=2", "fan-out")]
    {
        let [a, b] = [a, b].map(|it| Study::open(it).0);
        let measures = [&a, &b].map(|it| it.measures(None, &it.exact()));
        let side = |study, measures| Side { study, meter: None, measures };
        let (of_a, of_b) = (side(&a, &measures[0]), side(&b, &measures[1]));
        let saved = compared_json(of_a, of_b, &differences(of_a, of_b), &[]);
        let mut page = Page::open("bursts");
        page.begin(1).read(1, &saved);
        assert_eq!(page.0.problems, []);
        let link = import::saved_link(&saved).expect("a link");
        assert_eq!(Page::open(&link).0.setup(), page.0.setup());
        let pinned = page.0.pinned.as_ref().map(|it| it.study.clone());
        assert_eq!((pinned, page.0.study), (Some(a), b));
    }
}

#[test]
fn that_the_deadline_goes_by_the_data_is_said() {
    let mut page = Page::open("fan-out");
    assert_eq!(page.0.study.deadline_of_data(), None);
    page.begin(1).read(1, NUMBERS).act(ImportAction::Use("fan-out"));
    let told = page.0.study.deadline_of_data().expect("a sentence");
    let deadline = given(Quantity::Latency, page.0.study.deadline_ms().unwrap()).to_string();
    assert!(told.contains(&deadline), "{told}: no {deadline}");
    assert_eq!(page.0.study.changed("deadline_ms=7").deadline_of_data(), None);
}

#[test]
fn two_files_become_a_and_b() {
    let mut page = Page::open("fan-out&fan_out=7");
    // The second is read first.
    page.begin_all(&[1, 2], 3).read(2, WRK2);
    assert!(page.0.import.waits());
    page.act(ImportAction::Use("fan-out"));
    assert_eq!(page.data(), None, "B does not stand alone before A is there");
    page.read(1, NUMBERS);
    let names: Vec<&str> = page.0.import.files.iter().map(|it| it.name.as_str()).collect();
    assert_eq!((names, page.0.import.left_out), (vec!["1.txt", "2.txt"], 3));
    page.act(ImportAction::Use("fan-out"));
    let pinned = page.0.pinned.as_ref().map(|it| it.study.clone()).expect("A");
    let median = |study: &Study| study.data.as_ref().and_then(|it| it.quantile_ms(0.5)).unwrap();
    assert!((median(&pinned) / 11.75 - 1.0).abs() < 0.01);
    assert!((median(&page.0.study) / 4.003 - 1.0).abs() < 0.01);
    assert_eq!(Study { data: page.0.study.data.clone(), ..pinned.clone() }, page.0.study);
    assert_eq!(page.0.study.value("fan_out"), Some(7.0));
    assert_eq!(page.0.import.used, ["1.txt", "2.txt"]);
    let (setup, problems) = Setup::open(&page.0.place.link);
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!((setup.pinned, setup.study), (Some(pinned.clone()), page.0.study.clone()));
    let [a, b] = view::sides(&pinned, &page.0.study);
    assert!(
        a.starts_with("data with a median of 11.7") || a.starts_with("data with a median of 11.8"),
        "{a}"
    );
    assert!(b.starts_with("data with a median of 4.0"), "{b}");
}

#[test]
fn two_files_lead_to_where_they_have_a_place() {
    let mut page = Page::open("bursts");
    page.begin_all(&[1, 2], 0).read(1, NUMBERS).read(2, WRK2);
    page.act(ImportAction::Use("replicas"));
    let pinned = page.0.pinned.as_ref().expect("A");
    assert_eq!((pinned.study.scenario.key, page.0.study.scenario.key), ("replicas", "replicas"));
}

#[test]
fn one_of_two_can_be_used_alone() {
    for why in ["broken", "called off", "left out"] {
        let mut page = Page::open("fan-out");
        page.begin_all(&[1, 2], 0).read(2, WRK2);
        match why {
            "broken" => page.read(1, "no latencies\n"),
            "called off" => page.act(ImportAction::Cancel(1)),
            _ => page.read(1, NUMBERS).act(ImportAction::LeaveOut(1)),
        };
        assert_eq!(page.0.import.failed.len(), usize::from(why == "broken"));
        page.act(ImportAction::Dismiss);
        assert!(page.0.import.has_some() && page.0.import.failed.is_empty(), "{why}");
        page.act(ImportAction::Use("fan-out"));
        assert!(page.0.pinned.is_none(), "{why}");
        let median = page.data().and_then(|it| it.quantile_ms(0.5)).unwrap();
        assert!((median / 4.003 - 1.0).abs() < 0.01, "{why}: {median}");
    }
}

#[test]
fn a_second_batch_takes_the_place_of_the_first() {
    let mut page = Page::open("fan-out");
    page.begin_all(&[1, 2], 0).read(1, NUMBERS).read(2, WRK2);
    page.begin_all(&[3, 4], 0);
    assert_eq!(page.0.import.files.len(), FILES_MAX, "until something of it is read");
    assert!(!page.0.import.waits());
    page.read(4, NUMBERS);
    assert_eq!(page.0.import.files.iter().map(|it| it.file).collect::<Vec<_>>(), [4]);
}
