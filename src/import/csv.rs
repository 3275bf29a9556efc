//! Rows of comma-separated files, a line at a time: quotes, several lines in one field, and headers.

use super::{Found, Head, Line, Lines, Trouble, number::number, samples::Samples, text::shorten};

/// What a format makes of a row.
pub(super) enum Row {
    /// A label, which may be empty, and milliseconds.
    Sample(String, f64),
    /// Of no concern.
    Other,
    /// What was expected in its place.
    Wrong(&'static str),
}

/// The titles of the columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Titles {
    titles: Vec<String>,
}

/// Reads rows that are one sample each.
pub(super) struct Table {
    separator: char,
    titles: Titles,
    pick: fn(&Titles, &[String]) -> Row,
    samples: Samples,
    /// A row whose quotes are still open, and the number of its first line.
    open: Option<(usize, String)>,
    /// Rows that were not as expected.
    wrong: u64,
    first_wrong: Option<Trouble>,
}

/// A row that is longer has lost a quote.
const ROW_MAX: usize = 1 << 16;

impl Titles {
    pub(super) fn new(row: &str, separator: char) -> Titles {
        let titles =
            fields(row, separator).iter().map(|it| it.trim().to_ascii_lowercase()).collect();
        Titles { titles }
    }

    pub(super) fn of(titles: &[&str]) -> Titles {
        Titles { titles: titles.iter().map(|it| (*it).to_ascii_lowercase()).collect() }
    }

    pub(super) fn has(&self, title: &str) -> bool {
        self.titles.iter().any(|it| it == title)
    }

    /// The field under a title; empty if there is none.
    pub(super) fn field<'a>(&self, row: &'a [String], title: &str) -> &'a str {
        let at = self.titles.iter().position(|it| it == title);
        at.and_then(|it| row.get(it)).map_or("", |it| it.trim())
    }

    pub(super) fn number(&self, row: &[String], title: &str) -> Option<f64> {
        number(self.field(row, title))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.titles.iter().map(String::as_str)
    }
}

impl Table {
    /// `titles` are those of the file if its first line is no header.
    pub(super) fn open(
        head: &Head,
        titles: Option<Titles>,
        samples: Samples,
        pick: fn(&Titles, &[String]) -> Row,
    ) -> Box<dyn Lines> {
        let separator = separator(head.first());
        Box::new(Table {
            separator,
            titles: titles.unwrap_or_default(),
            pick,
            samples,
            open: None,
            wrong: 0,
            first_wrong: None,
        })
    }

    fn row(&mut self, number: usize, row: &str) {
        if self.titles.titles.is_empty() {
            self.titles = Titles::new(row, self.separator);
            return;
        }
        match (self.pick)(&self.titles, &fields(row, self.separator)) {
            Row::Sample(label, ms) => self.samples.add(label, ms),
            Row::Other => {}
            Row::Wrong(expected) => {
                self.wrong += 1;
                let line = Line { number, text: row };
                self.first_wrong.get_or_insert_with(|| Trouble::at(&line, expected));
            }
        }
    }
}

impl Lines for Table {
    fn line(&mut self, line: &Line) -> Result<(), Trouble> {
        let (number, row) = match self.open.take() {
            None => (line.number, line.text.to_owned()),
            Some((number, start)) => (number, format!("{start}\n{}", line.text)),
        };
        if row.matches('"').count() % 2 == 0 {
            self.row(number, &row);
        } else if row.len() < ROW_MAX {
            self.open = Some((number, row));
        } else {
            return Err(Trouble::new(format!(
                "Line {number}: expected a closing quote, found none in “{}”.",
                shorten(&row)
            )));
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Found, Trouble> {
        let Table { samples, wrong, first_wrong, open, .. } = *self;
        if samples.is_empty() {
            return Err(first_wrong.unwrap_or_else(|| {
                Trouble::new(
                    "There is not one sample in the file: expected a row for each request.",
                )
            }));
        }
        let mut found = samples.found();
        if let (Some(Trouble { why: first, .. }), true) = (first_wrong, 0 < wrong) {
            found.warnings.push(format!("{wrong} rows could not be used; the first: {first}"));
        }
        if let Some((number, _)) = open {
            found.warnings.push(format!("The row that starts at line {number} has no end."));
        }
        Ok(found)
    }
}

/// What parts the fields of a header: the one of the usual three that it has most of.
pub(super) fn separator(header: &str) -> char {
    let count = |it: char| header.matches(it).count();
    [',', '\t', ';'].into_iter().rev().max_by_key(|it| count(*it)).unwrap_or(',')
}

/// The fields of a row. Quotes go, doubled ones stay one.
pub(super) fn fields(row: &str, separator: char) -> Vec<String> {
    const FIELDS_MAX: usize = 1_000;
    let mut fields = vec![String::new()];
    let (mut quoted, mut rest) = (false, row.chars().peekable());
    while let Some(it) = rest.next() {
        let Some(field) = fields.last_mut() else { break };
        match it {
            '"' if quoted && rest.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => quoted = !quoted,
            _ if it == separator && !quoted => {
                if fields.len() == FIELDS_MAX {
                    break;
                }
                fields.push(String::new());
            }
            _ => field.push(it),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_separators_and_quotes() {
        assert_eq!(fields("a,\"b,\"\"c\",", ','), ["a", "b,\"c", ""]);
        assert_eq!(fields("a\tb c", '\t'), ["a", "b c"]);
        assert_eq!(separator("a;b;c,d"), ';');
        assert_eq!(separator("a"), ',');
    }
}
