//! Files handed to the page, without a browser: what becomes of the state.

use tail_lab::{
    import::{self, TimeUnit},
    measured::Measured,
    study::Study,
    ui::state::{Action, ImportAction, State, reduce},
    worker::Tell,
};

const NUMBERS: &str = include_str!("import/numbers/usual.txt");

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
        self.act(ImportAction::Begin { file, name: format!("{file}.txt"), bytes: 100 })
    }

    /// The worker has read this text.
    fn read(&mut self, file: u32, text: &str) -> &mut Page {
        let tell = Tell::Read { file, read: import::read(text.as_bytes()) };
        self.0 = reduce(&self.0, Action::Told(vec![tell]));
        self
    }

    fn data(&self) -> Option<&Measured> {
        self.0.study.data.as_deref()
    }
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
    assert_eq!(page.0.import.used.as_deref(), Some("1.txt"));
    assert_eq!(page.0.import.file, None);
}

#[test]
fn the_unit_is_what_was_chosen() {
    let median = |unit: Option<TimeUnit>| {
        let mut page = Page::open("replicas");
        page.begin(1).read(1, NUMBERS);
        if let Some(unit) = unit {
            page.act(ImportAction::Unit(unit));
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
    assert!(page.0.import.file.is_some());
    page.act(ImportAction::Use("fan-out"));
    assert_eq!(page.0.study.scenario.key, "fan-out");
    assert!(page.data().is_some());
}

#[test]
fn what_cannot_be_read_takes_nothing_away() {
    let mut page = Page::open("fan-out");
    page.begin(1).read(1, NUMBERS);
    page.begin(2).read(2, "no latencies\n");
    let why = &page.0.import.failed.as_ref().unwrap().1;
    assert!(why.starts_with("Line 1: expected"), "{why}");
    assert_eq!(page.0.import.file.as_ref().unwrap().name, "1.txt");
}

#[test]
fn what_was_called_off_is_not_heard() {
    let mut page = Page::open("fan-out");
    page.begin(1).act(ImportAction::Cancel).read(1, NUMBERS);
    assert_eq!(page.0.import.file, None);
    page.begin(2).read(1, NUMBERS);
    assert_eq!(page.0.import.file, None);
    assert!(page.0.import.reading.is_some());
}

#[test]
fn a_name_of_any_length_is_shortened() {
    let mut page = Page::open("fan-out");
    page.act(ImportAction::Begin { file: 1, name: "é".repeat(10_000), bytes: 1 });
    assert!(page.0.import.reading.as_ref().unwrap().name.chars().count() <= 60);
}
