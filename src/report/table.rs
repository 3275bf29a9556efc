//! Tables that are shown, read aloud, and written as CSV.

use super::{Meaning, Quantity};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    pub title: String,
    pub meaning: Meaning,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Text(String),
    /// A number with its 95 % interval, if it has one.
    Number {
        value: f64,
        interval: Option<(f64, f64)>,
        quantity: Quantity,
    },
    /// A quantile that lies in a gap of the data: any value between is right.
    Between {
        low: f64,
        high: f64,
        quantity: Quantity,
    },
    /// Not known, or not said.
    Empty,
}

impl Table {
    /// Numbers with all their digits, an interval as two columns beside them where the column has any.
    pub fn csv(&self) -> String {
        let wide: Vec<bool> = (0..self.columns.len())
            .map(|at| self.rows.iter().filter_map(|it| it.get(at)).any(Cell::has_ends))
            .collect();
        let mut heads = Vec::new();
        for (column, wide) in std::iter::zip(&self.columns, &wide) {
            heads.push(quoted(&column.title));
            if *wide {
                heads.extend(["low", "high"].map(|it| quoted(&format!("{} {it}", column.title))));
            }
        }
        let mut lines = vec![heads.join(",")];
        for row in &self.rows {
            let cells = std::iter::zip(row, &wide).flat_map(|(it, wide)| it.csv(*wide));
            lines.push(cells.collect::<Vec<String>>().join(","));
        }
        lines.join("\n") + "\n"
    }
}

impl Column {
    pub fn new(title: impl Into<String>) -> Column {
        Column { title: title.into(), meaning: Meaning::Ink }
    }
}

impl Cell {
    pub fn number(quantity: Quantity, value: Option<f64>) -> Cell {
        value.map_or(Cell::Empty, |value| Cell::Number { value, interval: None, quantity })
    }

    /// Whether it has a low and a high end.
    fn has_ends(&self) -> bool {
        matches!(self, Cell::Number { interval: Some(_), .. } | Cell::Between { .. })
    }

    fn csv(&self, wide: bool) -> Vec<String> {
        let (value, ends) = match self {
            Cell::Text(text) => (quoted(text), None),
            Cell::Number { value, interval, .. } => (value.to_string(), *interval),
            Cell::Between { low, high, .. } => (String::new(), Some((*low, *high))),
            Cell::Empty => (String::new(), None),
        };
        let mut cells = vec![value];
        if wide {
            let end = |it: Option<f64>| it.map(|it| it.to_string()).unwrap_or_default();
            cells.extend([end(ends.map(|it| it.0)), end(ends.map(|it| it.1))]);
        }
        cells
    }
}

/// As a cell of a CSV file: in quotes where it has to be.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_has_ends_only_where_there_are_any() {
        let number =
            |value, interval| Cell::Number { value, interval, quantity: Quantity::Latency };
        let table = Table {
            columns: ["percentile", "one, alone", "a request"].map(Column::new).into(),
            rows: vec![
                vec![Cell::Text("p50".into()), number(10.0, None), number(1.5, Some((1.0, 2.0)))],
                vec![
                    Cell::Text("a \"b\"".into()),
                    Cell::Empty,
                    Cell::Between { low: 35.0, high: 1003.0, quantity: Quantity::Latency },
                ],
            ],
        };
        let expected = "percentile,\"one, alone\",a request,a request low,a request high\n\
                        p50,10,1.5,1,2\n\"a \"\"b\"\"\",,,35,1003\n";
        assert_eq!(table.csv(), expected);
    }
}
