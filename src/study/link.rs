//! Links: a study as text, and whatever text as a study.
//!
//! `fan-out&fan_out=200&hedge=after`: the scenario's key, then what differs from the defaults, in the order of
//! the declaration. Keys never change their meaning and defaults never change, so a link opens for ever.

use std::sync::Arc;

use super::Study;
use crate::{
    format::in_box,
    measured::{Measured, Unreadable},
    scenario::SCENARIOS,
    schema::{Kind, Parsed, Rejected},
};

/// Something in a link that could not be used as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// As it stood, such as `fan_out=1e9`, shortened.
    pub key: String,
    /// What became of it, in words that follow: `was brought to 10,000.`
    pub text: String,
}

/// Seeds are whole numbers that every format keeps exactly.
pub const SEED_MAX: u64 = (1 << 53) - 1;

/// The key of measured data.
const DATA: &str = "data";
/// The value of the field that they take the place of.
const MEASURED: &str = "measured";

/// A study needs far less; what is longer is not read.
const BYTES_MAX: usize = 16 * 1024;
/// More problems would help nobody.
pub(super) const PROBLEMS_MAX: usize = 20;

impl Study {
    /// Only what differs from the defaults, so that links stay short.
    pub fn link(&self) -> String {
        let unlike = self.parts_unlike(&Study::new(self.scenario));
        let parts = unlike.into_iter().map(|(key, text)| format!("&{key}={text}"));
        parts.fold(self.scenario.key.to_owned(), |link, it| link + &it)
    }

    /// The settings, by key, in which this study differs from another of the same scenario.
    pub(super) fn parts_unlike(&self, other: &Study) -> Vec<(&'static str, String)> {
        let fields = self.scenario.fields.iter().enumerate();
        let mut parts: Vec<(&'static str, String)> = fields
            .filter(|(at, _)| self.values[*at] != other.values[*at])
            .map(|(at, field)| (field.key, field.kind.print(self.values[at])))
            .collect();
        if self.seed != other.seed {
            parts.push(("seed", self.seed.to_string()));
        }
        let data = self.data.as_ref().filter(|_| self.data != other.data);
        parts.extend(data.map(|it| (DATA, it.text())));
        parts
    }

    /// Never fails: every text opens a study, and what of it could not be used is said.
    pub fn open(link: &str) -> (Study, Vec<Problem>) {
        Study::open_with(link, None)
    }

    /// The same with measured data, unless the link has its own. What the link says stands above what the data suggest.
    pub fn open_with(link: &str, data: Option<Arc<Measured>>) -> (Study, Vec<Problem>) {
        let mut problems = Vec::new();
        let mut end = link.len().min(BYTES_MAX);
        while !link.is_char_boundary(end) {
            end -= 1;
        }
        if end < link.len() {
            problems.push(Problem {
                key: "The link".to_owned(),
                text: "is too long; its end was not read.".to_owned(),
            });
        }
        let mut parts = link[..end]
            .trim()
            .trim_start_matches('#')
            .split('&')
            .filter(|it| !it.is_empty())
            .peekable();
        let mut scenario = &SCENARIOS[0];
        // A link may start with a setting: then it is one of the first scenario.
        if let Some(first) = parts.next_if(|it| !it.contains('=')) {
            match Study::scenario_of(&unescape(first)) {
                Some(found) => scenario = found,
                None => problems.push(Problem {
                    key: shorten(first),
                    text: format!("is no scenario; this is {}.", scenario.title),
                }),
            }
        }
        let mut study = Study::new(scenario);
        if let Some(data) = data {
            match study.with_data(data) {
                Some(with) => study = with,
                None => problems.push(Problem {
                    key: "The data".to_owned(),
                    text: format!("have no place in {}.", scenario.title),
                }),
            }
        }
        let mut seen = Vec::new();
        for part in data_first(parts) {
            let problem = study.set_part(part);
            if problems.len() < PROBLEMS_MAX {
                problems.extend(problem);
            }
            seen.extend(study.known_key(part));
        }
        problems.extend(study.repeated(&seen));
        problems.truncate(PROBLEMS_MAX);
        (study, problems)
    }

    /// The key that a part of a link sets, by its present name.
    fn known_key(&self, part: &str) -> Option<&'static str> {
        let key = unescape(part.split('=').next().unwrap_or_default());
        let mut fields = self.scenario.fields.iter();
        let field = fields.find(|it| it.key == key || it.aliases.contains(&key.as_str()));
        let others = ["seed", DATA].into_iter().find(|it| *it == key);
        field.map(|it| it.key).or(others)
    }

    /// Which keys were set more than once, and what holds of them.
    fn repeated(&self, keys: &[&'static str]) -> Vec<Problem> {
        let again =
            |at: usize, key: &str| keys[..at].contains(&key) && !keys[at + 1..].contains(&key);
        let twice = keys.iter().enumerate().filter(|(at, key)| again(*at, key));
        let problem = |(_, key): (usize, &&'static str)| {
            let fields = self.scenario.fields.iter().position(|it| it.key == *key);
            let holds = match fields {
                Some(at) => written(self.scenario.fields[at].kind, self.values[at]),
                None if *key == DATA => "the last that can be read".to_owned(),
                None => self.seed.to_string(),
            };
            Problem {
                key: (*key).to_owned(),
                text: format!("is there more than once: {holds} is used."),
            }
        };
        twice.map(problem).collect()
    }

    /// The study with changes made, written as in a link. What cannot be used changes nothing.
    #[must_use]
    pub fn changed(&self, changes: &str) -> Study {
        let mut study = self.clone();
        for part in data_first(changes.split('&').filter(|it| !it.is_empty())) {
            study.set_part(part);
        }
        study
    }

    fn set_part(&mut self, part: &str) -> Option<Problem> {
        let (key, text) = part.split_once('=').unwrap_or((part, ""));
        let problem = self.set(&unescape(key), &unescape(text)).err()?;
        Some(Problem { key: shorten(part), text: problem })
    }

    /// Sets one value from a text.
    ///
    /// # Errors
    /// Says in words what became of a text that could not be used as it was; the value is then the nearest that
    /// could, or stays.
    pub fn set(&mut self, key: &str, text: &str) -> Result<(), String> {
        if key == "seed" {
            let parsed = text.trim().parse().ok().filter(|it| *it <= SEED_MAX);
            self.seed = parsed.ok_or_else(|| {
                format!("is not a whole number up to 2^53; the seed stays {}.", self.seed)
            })?;
            return Ok(());
        }
        if key == DATA && self.scenario.measured.is_some() {
            let data = Measured::parse(text.trim());
            self.data =
                Some(Arc::new(data.map_err(|Unreadable(why)| format!("{why}; it is left out."))?));
            return Ok(());
        }
        let mut fields = self.scenario.fields.iter();
        let Some(at) = fields.position(|it| it.key == key || it.aliases.contains(&key)) else {
            return Err(format!("is not a setting of {}.", self.scenario.title));
        };
        let kind = self.scenario.fields[at].kind;
        match kind.parse(text) {
            Ok(Parsed { value, .. }) if self.lacks_data(key, kind, value) => {
                Err(format!("has no data to go by: {} is used.", written(kind, self.values[at])))
            }
            Ok(Parsed { value, moved }) => {
                self.values[at] = value;
                if moved {
                    Err(format!("was brought to {}.", written(kind, value)))
                } else {
                    Ok(())
                }
            }
            Err(Rejected(why)) => {
                Err(format!("{why}: {} is used.", written(kind, self.values[at])))
            }
        }
    }

    /// Whether measured data are to take the place of a law; perhaps there are none.
    pub fn wants_data(&self) -> bool {
        let mut set = std::iter::zip(self.scenario.fields, &self.values);
        set.any(|(field, value)| self.takes_data(field.key, field.kind, *value))
    }

    /// Whether a value asks for measured data where there are none.
    pub fn lacks_data(&self, key: &str, kind: Kind, value: f64) -> bool {
        self.data.is_none() && self.takes_data(key, kind, value)
    }

    fn takes_data(&self, key: &str, kind: Kind, value: f64) -> bool {
        self.scenario.measured == Some(key) && kind.print(value) == MEASURED
    }
}

/// Data before what needs them.
fn data_first<'a>(parts: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    let is_data = |it: &&str| it.split_once('=').is_some_and(|it| it.0 == DATA);
    let (data, others): (Vec<&str>, Vec<&str>) = parts.partition(is_data);
    data.into_iter().chain(others)
}

/// A value in a sentence: named ones as in links, since this is what was to be typed.
fn written(kind: Kind, value: f64) -> String {
    if kind.choices().is_some() { kind.print(value) } else { in_box(kind, value).to_string() }
}

/// Undoes percent escapes, which some programs put into links. What is no escape stays: `1%` is a value.
pub(super) fn unescape(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|it| std::str::from_utf8(it).ok());
        match hex.and_then(|it| u8::from_str_radix(it, 16).ok()) {
            Some(byte) if bytes[at] == b'%' => {
                plain.push(byte);
                at += 3;
            }
            _ => {
                plain.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// Enough of a text to know it again.
pub(super) fn shorten(text: &str) -> String {
    const CHARS_MAX: usize = 40;
    crate::format::shorten(&unescape(text), CHARS_MAX)
}
