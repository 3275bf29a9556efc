//! Text as people have it: with a byte order mark, colours, carriage returns and indentation, none of which mean
//! anything here.

/// One line, trimmed, with its number in the file, from 1.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    pub number: usize,
    pub text: &'a str,
}

/// The start of a file, to know it by.
#[derive(Clone, Debug)]
pub struct Head {
    /// Trimmed, without the empty ones.
    pub lines: Vec<String>,
}

/// A file as a whole.
#[derive(Clone, Debug)]
pub struct Text {
    clean: String,
}

/// As much of a line as a sentence can show.
const SHOWN: usize = 40;
const ESCAPE: char = '\u{1b}';

impl Line<'_> {
    /// Enough of the line to know it again.
    pub fn start(&self) -> String {
        shorten(self.text)
    }
}

impl Head {
    pub fn new(clean: &str) -> Head {
        let lines = clean.lines().map(str::trim).filter(|it| !it.is_empty());
        Head { lines: lines.take(400).map(str::to_owned).collect() }
    }

    pub fn first(&self) -> &str {
        self.lines.first().map_or("", String::as_str)
    }

    pub fn any(&self, is: impl Fn(&str) -> bool) -> bool {
        self.lines.iter().any(|it| is(it))
    }

    pub fn any_starts(&self, with: &str) -> bool {
        self.any(|it| it.starts_with(with))
    }

    pub fn any_has(&self, what: &str) -> bool {
        self.any(|it| it.contains(what))
    }
}

impl Text {
    pub fn new(clean: String) -> Text {
        Text { clean }
    }

    pub fn all(&self) -> &str {
        &self.clean
    }

    /// Trimmed, without the empty ones.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let lines = self.clean.lines().zip(1..);
        lines
            .map(|(text, number)| Line { number, text: text.trim() })
            .filter(|it| !it.text.is_empty())
    }
}

/// Without byte order marks, terminal colours and other control characters; every end of line is one `\n`.
pub(super) fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(it) = rest.next() {
        match it {
            ESCAPE => skip_escape(&mut rest),
            '\r' => {
                rest.next_if_eq(&'\n');
                clean.push('\n');
            }
            '\n' | '\t' => clean.push(it),
            '\u{feff}' => {}
            _ if it.is_control() => {}
            _ => clean.push(it),
        }
    }
    clean
}

/// `ESC [ 31;1 m`: the letter ends it.
fn skip_escape(rest: &mut std::iter::Peekable<std::str::Chars>) {
    const LENGTH_MAX: usize = 32;
    if rest.next_if_eq(&'[').is_none() {
        return;
    }
    for _ in 0..LENGTH_MAX {
        match rest.next_if(|it| it.is_ascii() && !it.is_ascii_control()) {
            Some('@'..='~') | None => return,
            Some(_) => {}
        }
    }
}

pub(super) fn shorten(text: &str) -> String {
    crate::format::shorten(text, SHOWN)
}
