//! Takes a file in pieces, finds out what it is, and hands it on: line by line where files are long, as a whole where
//! they are not.

use super::{
    FORMATS, Format, Found, Head, Imported, Line, Lines, Shape, Text, Trouble,
    check::check,
    json, saved,
    text::{clean, shorten},
};

/// Reads a file of any size in bounded memory.
///
/// ```
/// let mut reader = tail_lab::import::Reader::new();
/// for piece in [&b"12\n15\n"[..], b"11\n40\n"] {
///     reader.feed(piece);
/// }
/// let imported = reader.finish().unwrap();
/// assert_eq!(imported.series[0].count, Some(4.0));
/// ```
pub struct Reader {
    state: State,
    /// Bytes taken so far.
    taken: u64,
    /// Bytes that are not yet a whole line.
    rest: Vec<u8>,
    line: usize,
}

enum State {
    /// What it is will be known from its start.
    Start,
    Lines(&'static Format, Box<dyn Lines>),
    /// Cleaned, up to a limit.
    Whole(Option<(&'static Format, Read)>, String),
    Failed(Trouble),
}

type Read = fn(&Text) -> Result<Found, Trouble>;

/// Enough of a file to know it.
const HEAD_BYTES: usize = 1 << 16;
/// A line of a file of samples is much shorter.
const LINE_BYTES_MAX: usize = 1 << 20;
/// Reports and documents are much shorter; what they become in memory is some ten times as large.
const WHOLE_BYTES_MAX: usize = 16 << 20;
/// More series are no list to choose from.
const SERIES_MAX: usize = 200;

impl Default for Reader {
    fn default() -> Reader {
        Reader::new()
    }
}

impl Reader {
    pub fn new() -> Reader {
        Reader { state: State::Start, taken: 0, rest: Vec::new(), line: 0 }
    }

    /// How many bytes have been read, to show how far it is.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// Whether the rest of the file would change nothing any more.
    pub fn has_failed(&self) -> bool {
        matches!(self.state, State::Failed(_))
    }

    /// Takes the next piece of the file, of any size.
    pub fn feed(&mut self, piece: &[u8]) {
        self.taken += piece.len() as u64;
        // A large piece is taken in parts, so that no more than a part is held twice.
        for part in piece.chunks(HEAD_BYTES) {
            if self.has_failed() {
                return;
            }
            self.rest.extend_from_slice(part);
            if matches!(self.state, State::Start) && HEAD_BYTES <= self.rest.len() {
                self.begin();
            }
            self.take_lines(false);
        }
    }

    /// # Errors
    /// In one sentence, the line and what was expected there.
    pub fn finish(mut self) -> Result<Imported, Trouble> {
        if matches!(self.state, State::Start) {
            self.begin();
        }
        self.take_lines(true);
        let (format, found) = match self.state {
            State::Failed(trouble) => return Err(trouble),
            State::Start => return Err(unknown("")),
            State::Lines(format, lines) => (format, lines.finish()?),
            State::Whole(Some((format, read)), text) => (format, read(&Text::new(text))?),
            State::Whole(None, text) => document(&text)?,
        };
        imported(format, found)
    }

    /// Looks at the start of the file.
    fn begin(&mut self) {
        if self.rest.starts_with(&[0xff, 0xfe]) || self.rest.starts_with(&[0xfe, 0xff]) {
            self.state = State::Failed(Trouble::new(
                "Line 1: expected text in UTF-8, found UTF-16; saving it as UTF-8 will do.",
            ));
            return;
        }
        let zeros: usize = self.rest.iter().map(|it| usize::from(*it == 0)).sum();
        if zeros * 100 > self.rest.len() {
            self.state =
                State::Failed(Trouble::new("Line 1: expected text, found a file of another kind."));
            return;
        }
        let text = clean(&String::from_utf8_lossy(&self.rest));
        let head = Head::new(&text);
        for format in FORMATS {
            for shape in format.shapes {
                match *shape {
                    Shape::Lines { knows, open } if knows(&head) => {
                        self.state = State::Lines(format, open(&head));
                        return;
                    }
                    Shape::Report { knows, read } if knows(&head) => {
                        self.state = State::Whole(Some((format, read)), String::new());
                        return;
                    }
                    _ => {}
                }
            }
        }
        self.state = if json::start(&text).is_some() {
            State::Whole(None, String::new())
        } else {
            State::Failed(unknown(head.first()))
        };
    }

    fn take_lines(&mut self, last: bool) {
        if matches!(self.state, State::Start | State::Failed(_)) {
            return;
        }
        let rest = std::mem::take(&mut self.rest);
        // After a lone carriage return a line feed may still come.
        let usable = if last { rest.len() } else { rest.len().saturating_sub(1) };
        let end = if last {
            rest.len()
        } else {
            rest[..usable].iter().rposition(|it| matches!(it, b'\n' | b'\r')).map_or(0, |it| {
                // A line feed that follows belongs to the same end of line.
                if rest[it] == b'\r' && rest[it + 1] == b'\n' { it + 2 } else { it + 1 }
            })
        };
        let text = clean(&String::from_utf8_lossy(&rest[..end]));
        self.rest = rest[end..].to_vec();
        if let Err(trouble) = self.take(&text) {
            self.state = State::Failed(trouble);
        }
        if LINE_BYTES_MAX < self.rest.len() && matches!(self.state, State::Lines(..)) {
            self.state = State::Failed(Trouble::new(format!(
                "Line {}: expected a line of less than a megabyte, found a longer one.",
                self.line + 1
            )));
        }
        if WHOLE_BYTES_MAX < self.rest.len() {
            self.state = State::Failed(too_long());
        }
    }

    fn take(&mut self, text: &str) -> Result<(), Trouble> {
        match &mut self.state {
            State::Lines(_, lines) => {
                for text in text.lines() {
                    self.line += 1;
                    let text = text.trim();
                    if !text.is_empty() {
                        lines.line(&Line { number: self.line, text })?;
                    }
                }
                Ok(())
            }
            State::Whole(_, whole) if whole.len() + text.len() <= WHOLE_BYTES_MAX => {
                whole.push_str(text);
                Ok(())
            }
            State::Whole(..) => Err(too_long()),
            State::Start | State::Failed(_) => Ok(()),
        }
    }
}

fn document(text: &str) -> Result<(&'static Format, Found), Trouble> {
    let value = json::document(text)?;
    for format in FORMATS {
        for shape in format.shapes {
            if let Shape::Document { knows, read } = *shape
                && knows(&value)
            {
                return Ok((format, read(&value)?));
            }
        }
    }
    if let Some(saved) = saved::study(&value) {
        return Err(saved);
    }
    let line = text.lines().map(str::trim).find(|it| !it.is_empty()).unwrap_or_default();
    Err(unknown(line))
}

/// Checked, and with at least one series that has a law.
fn imported(format: &'static Format, found: Found) -> Result<Imported, Trouble> {
    let Found { mut series, mut warnings } = found;
    if SERIES_MAX < series.len() {
        warnings.push(format!("Of {} series the first {SERIES_MAX} are listed.", series.len()));
        series.truncate(SERIES_MAX);
    }
    series.retain(|it| it.law().is_ok());
    if series.is_empty() {
        return Err(Trouble::new(format!(
            "This is a file of {}, but it holds no latencies: expected percentiles or samples of answers.",
            format.name
        )));
    }
    series.iter_mut().for_each(check);
    Ok(Imported { format, series, warnings })
}

fn unknown(first: &str) -> Trouble {
    let found =
        if first.is_empty() { "nothing".to_owned() } else { format!("“{}”", shorten(first)) };
    Trouble::new(format!(
        "Line 1: expected the output of a load tool that is known here, or one number a line, found {found}."
    ))
}

fn too_long() -> Trouble {
    Trouble::new(
        "The file is longer than 16 MB, which no report of this kind is: expected a summary.",
    )
}
