//! Files of latencies on their way into the study, one or two at a time. Nothing of them touches the study before they
//! are used: then one becomes its law, and of two the first is pinned as A and the second becomes the study.

use std::{rc::Rc, sync::Arc};

use crate::{
    format::shorten,
    import::{Imported, Series, TimeUnit, Trouble},
    measured::Measured,
    scenario::{Entry, SCENARIOS},
    study::Study,
};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Import {
    /// The files that are being read, in the order in which they were handed in.
    pub reading: Vec<ReadingFile>,
    /// The names of files that were of no use, and why.
    pub failed: Vec<(String, String)>,
    /// What was read, to be looked at and perhaps used, in the order in which it was handed in.
    pub files: Vec<ReadFile>,
    /// How many more files were handed in than are taken.
    pub left_out: usize,
    /// The names of the files that were used last.
    pub used: Vec<String>,
    /// Those of the files handed in last that were no files of latencies, but saved studies, and were opened.
    pub opened: Vec<Saved>,
    /// Such as are still to be opened, together with one that is being read.
    saved: Vec<Saved>,
    /// The number of the first of those that were handed in last.
    first: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ReadingFile {
    /// Its number, by which workers know it: files that are handed in later have greater ones.
    pub file: u32,
    pub name: String,
    pub taken: u64,
    pub bytes: u64,
}

/// A study in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The file's number.
    file: u32,
    pub name: String,
    pub link: String,
}

#[derive(Clone, Debug)]
pub struct ReadFile {
    /// Its number.
    pub file: u32,
    pub name: String,
    pub imported: Rc<Imported>,
    /// Which of its series is chosen.
    pub series: usize,
    /// Of numbers without one.
    pub unit: TimeUnit,
}

#[derive(Clone, Debug)]
pub enum ImportAction {
    /// Files are handed in, at most `FILES_MAX` and so many more that are left out.
    Begin {
        files: Vec<ReadingFile>,
        left_out: usize,
    },
    /// The file of this number is read no further.
    Cancel(u32),
    /// Another series of a file is chosen.
    Series {
        file: u32,
        at: usize,
    },
    Unit {
        file: u32,
        unit: TimeUnit,
    },
    /// One of two is not wanted.
    LeaveOut(u32),
    /// In the scenario of this key.
    Use(&'static str),
    /// What was said of files is not wanted any more.
    Dismiss,
    /// Nor is what was read.
    Close,
}

/// A and B.
pub const FILES_MAX: usize = 2;

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
    fn of(file: u32, name: String, imported: Imported) -> ReadFile {
        let unit = imported.series.first().map_or(TimeUnit::Milliseconds, Series::guess);
        ReadFile { file, name, imported: Rc::new(imported), series: 0, unit }
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

    fn law(&self) -> Option<Arc<Measured>> {
        self.chosen().law().ok().map(Arc::new)
    }
}

impl Import {
    /// What to use files in gives a study, if there is anything to use, and of two files another one to pin as A.
    pub fn act(&mut self, action: ImportAction, study: &Study) -> Option<(Study, Option<Study>)> {
        match action {
            ImportAction::Begin { files, left_out } => self.begin(files, left_out),
            ImportAction::Cancel(file) => self.reading.retain(|it| it.file != file),
            ImportAction::Series { file, at } => {
                if let Some(file) = self.files.iter_mut().find(|it| it.file == file)
                    && let Some(series) = file.imported.series.get(at)
                {
                    (file.series, file.unit) = (at, series.guess());
                }
            }
            ImportAction::Unit { file, unit } => {
                if let Some(file) = self.files.iter_mut().find(|it| it.file == file) {
                    file.unit = unit;
                }
            }
            ImportAction::LeaveOut(file) => self.files.retain(|it| it.file != file),
            ImportAction::Use(scenario) => return self.use_in(scenario, study),
            ImportAction::Dismiss => {
                (self.failed, self.used, self.left_out) = (Vec::new(), Vec::new(), 0);
                self.opened.clear();
            }
            ImportAction::Close => {
                let reading = std::mem::take(&mut self.reading);
                let saved = std::mem::take(&mut self.saved);
                *self = Import { reading, saved, first: self.first, ..Import::default() };
            }
        }
        None
    }

    /// What was read before stays until something of these is.
    fn begin(&mut self, mut files: Vec<ReadingFile>, left_out: usize) {
        let Some(first) = files.first() else { return };
        self.first = first.file;
        for it in &mut files {
            it.name = shorten(&it.name, NAME_CHARS_MAX);
        }
        (self.reading, self.left_out) = (files, left_out);
        (self.failed, self.used) = (Vec::new(), Vec::new());
        (self.saved, self.opened) = (Vec::new(), Vec::new());
    }

    /// Hears how far a file is.
    pub fn reads(&mut self, file: u32, taken: u64) {
        if let Some(reading) = self.reading.iter_mut().find(|it| it.file == file) {
            reading.taken = taken;
        }
    }

    /// Hears what a file is, or that it is of no use: then what was read before stays.
    pub fn has_read(&mut self, file: u32, read: Result<Imported, Trouble>) {
        let Some(at) = self.reading.iter().position(|it| it.file == file) else { return };
        let ReadingFile { name, .. } = self.reading.remove(at);
        match read {
            Ok(imported) => {
                self.files.retain(|it| self.first <= it.file);
                let at = self.files.partition_point(|it| it.file < file);
                self.files.insert(at, ReadFile::of(file, name, imported));
            }
            Err(Trouble { study: Some(link), .. }) => {
                let at = self.saved.partition_point(|it| it.file < file);
                self.saved.insert(at, Saved { file, name, link });
            }
            Err(Trouble { why, study: None }) => self.failed.push((name, why)),
        }
    }

    /// Whether there are saved studies to be opened now: as soon as all that was handed in with them is read.
    pub fn opens(&mut self) -> bool {
        let opens = self.reading.is_empty() && !self.saved.is_empty();
        if opens {
            self.opened = std::mem::take(&mut self.saved);
        }
        opens
    }

    /// Whether something was read of those that were handed in last.
    pub fn has_some(&self) -> bool {
        self.files.iter().any(|it| self.first <= it.file)
    }

    /// Whether one of two is still being read, and the other one is to wait for it.
    pub fn waits(&self) -> bool {
        self.has_some() && !self.reading.is_empty()
    }

    fn use_in(&mut self, scenario: &str, study: &Study) -> Option<(Study, Option<Study>)> {
        if self.waits() {
            return None;
        }
        let scenario = Study::scenario_of(scenario)?;
        let same = std::ptr::eq(scenario, study.scenario);
        let base = if same { study.clone() } else { Study::new(scenario) };
        let with = base.with_data(self.files.first()?.law()?)?;
        let used = match self.files.get(1) {
            // But for its data B is A, so that both are held to one deadline.
            Some(second) => (Study { data: Some(second.law()?), ..with.clone() }, Some(with)),
            None => (with, None),
        };
        self.used = self.files.drain(..).map(|it| it.name).collect();
        Some(used)
    }
}

/// Where measured data have a place: in this scenario, or else in any that has one.
pub fn places(scenario: &'static Entry) -> Vec<&'static Entry> {
    if scenario.measured.is_some() {
        return vec![scenario];
    }
    SCENARIOS.iter().filter(|it| it.measured.is_some()).collect()
}
