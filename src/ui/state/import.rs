//! A file of latencies on its way into the study. Nothing of it touches the study before it is used.

use std::{rc::Rc, sync::Arc};

use crate::{
    format::shorten,
    import::{Imported, Series, TimeUnit, Trouble},
    scenario::{Entry, SCENARIOS},
    study::Study,
};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Import {
    /// The file that is being read.
    pub reading: Option<ReadingFile>,
    /// The name of the last file, and why it was of no use.
    pub failed: Option<(String, String)>,
    /// What was read, to be looked at and perhaps used.
    pub file: Option<ReadFile>,
    /// The name of the file that was used last.
    pub used: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ReadingFile {
    /// Its number, by which workers know it.
    pub file: u32,
    pub name: String,
    pub taken: u64,
    pub bytes: u64,
}

#[derive(Clone, Debug)]
pub struct ReadFile {
    pub name: String,
    pub imported: Rc<Imported>,
    /// Which of its series is chosen.
    pub series: usize,
    /// Of numbers without one.
    pub unit: TimeUnit,
}

#[derive(Clone, Debug)]
pub enum ImportAction {
    Begin {
        file: u32,
        name: String,
        bytes: u64,
    },
    Cancel,
    Series(usize),
    Unit(TimeUnit),
    /// In the scenario of this key.
    Use(&'static str),
    /// Neither what was read nor what was said of it is wanted any more.
    Close,
}

/// As much of a file's name as is shown.
const NAME_CHARS_MAX: usize = 60;

impl PartialEq for ReadFile {
    fn eq(&self, other: &ReadFile) -> bool {
        Rc::ptr_eq(&self.imported, &other.imported)
            && self.series == other.series
            && self.unit == other.unit
    }
}

impl ReadFile {
    fn of(name: String, imported: Imported) -> ReadFile {
        let unit = imported.series.first().map_or(TimeUnit::Milliseconds, Series::guess);
        ReadFile { name, imported: Rc::new(imported), series: 0, unit }
    }

    /// The chosen series in its unit.
    pub fn chosen(&self) -> Series {
        let series = self.imported.series.get(self.series);
        series.map(|it| it.in_unit(self.unit)).unwrap_or_default()
    }

    /// Whether the file leaves open what its numbers are.
    pub fn asks_unit(&self) -> bool {
        self.imported.series.get(self.series).is_some_and(|it| it.unit.is_none())
    }
}

impl Import {
    /// What to use the file in gives a study, if there is anything to use.
    pub fn act(&mut self, action: ImportAction, study: &Study) -> Option<Study> {
        match action {
            ImportAction::Begin { file, name, bytes } => {
                let name = shorten(&name, NAME_CHARS_MAX);
                self.reading = Some(ReadingFile { file, name, taken: 0, bytes });
                (self.failed, self.used) = (None, None);
            }
            ImportAction::Cancel => self.reading = None,
            ImportAction::Series(at) => {
                if let Some(file) = &mut self.file
                    && let Some(series) = file.imported.series.get(at)
                {
                    (file.series, file.unit) = (at, series.guess());
                }
            }
            ImportAction::Unit(unit) => self.file.iter_mut().for_each(|it| it.unit = unit),
            ImportAction::Use(scenario) => return self.use_in(scenario, study),
            ImportAction::Close => {
                *self = Import { reading: self.reading.take(), ..Import::default() };
            }
        }
        None
    }

    /// Hears how far a file is.
    pub fn reads(&mut self, file: u32, taken: u64) {
        if let Some(reading) = self.reading.as_mut().filter(|it| it.file == file) {
            reading.taken = taken;
        }
    }

    /// Hears what a file is, or that it is of no use: then what was read before stays.
    pub fn has_read(&mut self, file: u32, read: Result<Imported, Trouble>) {
        let Some(ReadingFile { name, .. }) = self.reading.take_if(|it| it.file == file) else {
            return;
        };
        match read {
            Ok(imported) => self.file = Some(ReadFile::of(name, imported)),
            Err(Trouble(why)) => self.failed = Some((name, why)),
        }
    }

    fn use_in(&mut self, scenario: &str, study: &Study) -> Option<Study> {
        let scenario = Study::scenario_of(scenario)?;
        let law = self.file.as_ref()?.chosen().law().ok()?;
        let same = std::ptr::eq(scenario, study.scenario);
        let base = if same { study.clone() } else { Study::new(scenario) };
        let with = base.with_data(Arc::new(law))?;
        self.used = self.file.take().map(|it| it.name);
        Some(with)
    }
}

/// Where measured data have a place: in this scenario, or else in any that has one.
pub fn places(scenario: &'static Entry) -> Vec<&'static Entry> {
    if scenario.measured.is_some() {
        return vec![scenario];
    }
    SCENARIOS.iter().filter(|it| it.measured.is_some()).collect()
}
