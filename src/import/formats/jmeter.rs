//! `JMeter`'s JTL, as CSV or XML: one sample a row, in whole milliseconds.

use crate::import::{
    Format, Found, Head, Line, Lines, Shape, TimeUnit, Trouble,
    csv::{Row, Table, Titles, fields, separator},
    number::number,
    samples::Samples,
};

pub(super) const FORMAT: Format = Format {
    key: "jmeter",
    name: "JMeter",
    shapes: &[
        Shape::Lines { knows: |head| has_titles(head.first()), open: |head| table(head, None) },
        Shape::Lines {
            knows: |head| head.any_starts("<testResults"),
            open: |_| Box::new(Xml::new()),
        },
        Shape::Lines {
            knows: |head| is_row(head.first()),
            open: |head| table(head, Some(Titles::of(&USUAL))),
        },
    ],
};

/// What it writes if nobody asks for anything else, in older versions without saying so.
const USUAL: [&str; 8] = [
    "timeStamp",
    "elapsed",
    "label",
    "responseCode",
    "responseMessage",
    "threadName",
    "dataType",
    "success",
];
/// A sample that only holds others repeats their times.
const PARENT: &str = "Number of samples in transaction";

fn has_titles(line: &str) -> bool {
    let titles = Titles::new(line, separator(line));
    titles.has("elapsed") && (titles.has("timestamp") || titles.has("label"))
}

/// `1393227741256,1425,GET /,200,OK,..`
fn is_row(line: &str) -> bool {
    let row = fields(line, separator(line));
    let whole = |at: usize, digits: std::ops::RangeInclusive<usize>| {
        row.get(at).is_some_and(|it| {
            digits.contains(&it.len()) && it.bytes().all(|it| it.is_ascii_digit())
        })
    };
    7 <= row.len() && whole(0, 12..=14) && whole(1, 1..=9)
}

fn table(head: &Head, titles: Option<Titles>) -> Box<dyn Lines> {
    Table::open(head, titles, Samples::new(Some(TimeUnit::Milliseconds)), |titles, row| {
        let message = titles.field(row, "responsemessage");
        if message.starts_with(PARENT) || titles.field(row, "elapsed") == "elapsed" {
            return Row::Other;
        }
        match titles.number(row, "elapsed") {
            Some(ms) => Row::Sample(titles.field(row, "label").to_owned(), ms),
            None => Row::Wrong("a number of milliseconds under elapsed"),
        }
    })
}

/// `<httpSample t="102" lb="GET /" rm="OK">`, one a line; samples inside samples are parts of them.
struct Xml {
    samples: Samples,
    depth: u32,
}

impl Xml {
    fn new() -> Xml {
        Xml { samples: Samples::new(Some(TimeUnit::Milliseconds)), depth: 0 }
    }
}

impl Lines for Xml {
    fn line(&mut self, line: &Line) -> Result<(), Trouble> {
        for tag in line.text.split('<').skip(1) {
            let name = tag
                .split(|it: char| !it.is_ascii_alphanumeric() && it != '/')
                .next()
                .unwrap_or_default();
            match name {
                "/sample" | "/httpSample" => self.depth = self.depth.saturating_sub(1),
                "sample" | "httpSample" => {
                    let transaction = attribute(tag, "rm").is_some_and(|it| it.starts_with(PARENT));
                    let inside = 0 < self.depth;
                    if !tag.trim_end().ends_with("/>") && !transaction {
                        self.depth += 1;
                    }
                    if inside || transaction {
                        continue;
                    }
                    let ms = attribute(tag, "t").and_then(number);
                    let ms = ms
                        .ok_or_else(|| Trouble::at(line, "a number of milliseconds as t=\"..\""))?;
                    self.samples.add(attribute(tag, "lb").unwrap_or_default().to_owned(), ms);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Found, Trouble> {
        if self.samples.is_empty() {
            return Err(Trouble::new(
                "There is not one sample in the file: expected <httpSample t=\"..\">.",
            ));
        }
        Ok(self.samples.found())
    }
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    tag[start..].split('"').next()
}
