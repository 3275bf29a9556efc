//! Plain numbers: one a line, or one column of a CSV with a header.

use crate::import::{
    Format, Found, Head, Line, Lines, Shape, TimeUnit, Trouble,
    csv::{Row, Table, Titles, fields, separator},
    number::number,
    samples::Samples,
};

pub(super) const FORMAT: Format = Format {
    key: "numbers",
    name: "plain numbers",
    shapes: &[
        Shape::Lines {
            knows: |head| column(head.first()).is_some() && second(head),
            open: open_column,
        },
        Shape::Lines { knows, open: |_| Box::new(Numbers::new()) },
    ],
};

/// Words that a column of latencies is called by.
const WORDS: [&str; 7] = ["latency", "duration", "elapsed", "response", "time", "rtt", "ms"];
/// A file of numbers may have a title, and a text here and there.
const TEXTS_MAX: f64 = 0.5;

fn knows(head: &Head) -> bool {
    let numbers = head.lines.iter().filter(|it| number(it).is_some()).count();
    0 < numbers && head.lines.len() as f64 * (1.0 - TEXTS_MAX) <= numbers as f64
}

/// Whether the second line is a row of the header's length with a number in it.
fn second(head: &Head) -> bool {
    let by = separator(head.first());
    let row = head.lines.get(1).map(|it| fields(it, by)).unwrap_or_default();
    row.len() == fields(head.first(), by).len() && row.iter().any(|it| number(it).is_some())
}

/// The title of the column that holds latencies, and its unit if the title says it.
fn column(header: &str) -> Option<(String, Option<TimeUnit>)> {
    let by = separator(header);
    let titles = Titles::new(header, by);
    if titles.iter().any(|it| number(it).is_some() || it.starts_with(['{', '[', '<'])) {
        return None;
    }
    let found = WORDS.iter().find_map(|word| {
        titles.iter().find(|it| it.contains(word) && !it.contains("stamp") && !it.contains("start"))
    })?;
    Some((found.to_owned(), unit(found)))
}

/// `latency_ms`, `duration (s)`, `elapsed [us]`
fn unit(title: &str) -> Option<TimeUnit> {
    // A micro sign is a letter too.
    let is_between = |it: char| it.is_ascii() && !it.is_ascii_alphanumeric();
    let last = title.split(is_between).rfind(|it| !it.is_empty())?;
    TimeUnit::of(last).filter(|_| last.len() < title.len() && last != "m" && last != "h")
}

fn open_column(head: &Head) -> Box<dyn Lines> {
    let unit = column(head.first()).and_then(|it| it.1);
    let samples = Samples::new(unit.map(|_| TimeUnit::Milliseconds));
    Table::open(head, None, samples, |titles: &Titles, row| {
        let header: Vec<&str> = titles.iter().collect();
        let Some((title, unit)) = column(&header.join(",")) else { return Row::Other };
        match titles.number(row, &title) {
            Some(value) => Row::Sample(String::new(), value * unit.map_or(1.0, TimeUnit::ms)),
            None => Row::Wrong("a number in the column of latencies"),
        }
    })
}

struct Numbers {
    samples: Samples,
    texts: u64,
    first_text: Option<Trouble>,
}

impl Numbers {
    fn new() -> Numbers {
        Numbers { samples: Samples::new(None), texts: 0, first_text: None }
    }
}

impl Lines for Numbers {
    fn line(&mut self, line: &Line) -> Result<(), Trouble> {
        match number(line.text) {
            Some(value) => self.samples.add(String::new(), value),
            None if line.text.starts_with('#') => {}
            None => {
                self.texts += 1;
                self.first_text.get_or_insert_with(|| Trouble::at(line, "a number"));
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Found, Trouble> {
        if self.samples.is_empty() {
            return Err(self
                .first_text
                .unwrap_or_else(|| Trouble::new("There is not one usable number in the file.")));
        }
        let mut found = self.samples.found();
        if let Some(Trouble { why: first, .. }) = self.first_text {
            found.warnings.push(match self.texts {
                1 => format!("One line is no number and was left out: {first}"),
                many => {
                    format!("{many} lines are no numbers and were left out; the first: {first}")
                }
            });
        }
        Ok(found)
    }
}
