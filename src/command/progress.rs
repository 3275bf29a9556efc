//! How far something long is: one line on standard error that is written over, where a person looks on.

use std::{
    io::{self, IsTerminal as _, Write},
    sync::Mutex,
};

use super::lock;

/// Goes back to the line's beginning and empties it.
const AFRESH: &str = "\r\x1b[K";

pub(super) struct Progress<W: Write> {
    /// Nothing where nobody looks on.
    line: Option<Mutex<Line<W>>>,
}

struct Line<W> {
    out: W,
    said: String,
}

impl Progress<io::Stderr> {
    /// Says nothing where standard error is no terminal.
    pub(super) fn on_terminal() -> Self {
        Progress::to(io::stderr(), io::stderr().is_terminal())
    }
}

impl<W: Write> Progress<W> {
    fn to(out: W, shown: bool) -> Self {
        Progress { line: shown.then(|| Mutex::new(Line { out, said: String::new() })) }
    }

    /// In the place of what was said before.
    pub(super) fn say(&self, text: &str) {
        let Some(line) = &self.line else { return };
        let mut line = lock(line);
        if line.said != text {
            text.clone_into(&mut line.said);
            line.write(text);
        }
    }
}

impl<W: Write> Line<W> {
    /// A terminal that has gone away is no error.
    fn write(&mut self, text: &str) {
        let _ = write!(self.out, "{AFRESH}{text}");
        let _ = self.out.flush();
    }
}

/// What is printed next begins on an empty line.
impl<W: Write> Drop for Progress<W> {
    fn drop(&mut self) {
        if let Some(line) = &self.line {
            let mut line = lock(line);
            if !line.said.is_empty() {
                line.write("");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(shown: bool) -> String {
        let mut out = Vec::new();
        let progress = Progress::to(&mut out, shown);
        for it in ["0 %", "0 %", "50 %"] {
            progress.say(it);
        }
        drop(progress);
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn one_line_is_written_over_and_taken_away_where_somebody_looks_on() {
        assert_eq!(said(true), "\r\x1b[K0 %\r\x1b[K50 %\r\x1b[K");
        assert_eq!(said(false), "");
    }
}
