//! Latency files of load tools, as the law of one leaf or one server.
//!
//! A file is known by its content, never by its name. What comes out is what was read, in words and numbers: the tool,
//! the unit or the question which it is, how many samples, the file's own percentiles beside ours, and where the file
//! contradicts itself. Or it is one sentence that names the line and what was expected there. Nothing here can fail
//! otherwise, whatever the bytes.
//!
//! To add a format: one file in `formats`, one line in `FORMATS`.

mod check;
mod csv;
mod formats;
mod json;
mod number;
mod reader;
mod samples;
mod saved;
mod series;
mod text;
mod told;

pub use formats::FORMATS;
pub use reader::Reader;
pub use saved::saved_link;
pub use series::{Compared, Series, TimeUnit, percentile};

use serde::{Deserialize, Serialize};

use text::{Head, Line, Text};

/// What a file is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Imported {
    /// Which of the formats it is.
    #[serde(with = "formats::by_key")]
    pub format: &'static Format,
    /// At least one; the first is the one that most people will want.
    pub series: Vec<Series>,
    /// What is doubtful about the file as a whole, in sentences.
    pub warnings: Vec<String>,
}

/// Why a file gives no law.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// One sentence.
    pub why: String,
    /// The link of a study, where that is what was saved in it.
    pub study: Option<String>,
}

/// A tool, or a format that several write.
#[derive(Debug)]
pub struct Format {
    /// A word for folders of tests and for programs.
    pub key: &'static str,
    /// As people call it.
    pub name: &'static str,
    /// The ways in which it writes latencies.
    pub shapes: &'static [Shape],
}

/// One way in which a tool writes latencies: how to know it, and how to read it.
#[derive(Debug)]
pub enum Shape {
    /// A line at a time, however many there are.
    Lines { knows: fn(&Head) -> bool, open: fn(&Head) -> Box<dyn Lines> },
    /// A report, as a whole.
    Report { knows: fn(&Head) -> bool, read: fn(&Text) -> Result<Found, Trouble> },
    /// One JSON document.
    Document {
        knows: fn(&serde_json::Value) -> bool,
        read: fn(&serde_json::Value) -> Result<Found, Trouble>,
    },
}

/// Takes a file line by line.
pub trait Lines {
    /// # Errors
    /// Says what was expected of the line in place of what it holds.
    fn line(&mut self, line: &Line) -> Result<(), Trouble>;

    /// # Errors
    /// Says what is missing.
    fn finish(self: Box<Self>) -> Result<Found, Trouble>;
}

/// What a format has found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    pub series: Vec<Series>,
    pub warnings: Vec<String>,
}

/// Reads a whole file.
///
/// # Errors
/// In one sentence, the line and what was expected there.
pub fn read(bytes: &[u8]) -> Result<Imported, Trouble> {
    let mut reader = Reader::new();
    reader.feed(bytes);
    reader.finish()
}

impl Trouble {
    fn at(line: &Line, expected: &str) -> Trouble {
        Trouble::new(format!(
            "Line {}: expected {expected}, found “{}”.",
            line.number,
            line.start()
        ))
    }

    pub fn new(why: impl Into<String>) -> Trouble {
        Trouble { why: why.into(), study: None }
    }
}

impl Found {
    fn of(series: Vec<Series>) -> Found {
        Found { series, warnings: Vec::new() }
    }
}
