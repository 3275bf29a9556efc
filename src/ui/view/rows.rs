//! The rows of *published, exact, simulated*.

use crate::{
    format,
    report::{Cell, Measure},
    ui::{
        state::{Stage, State},
        strings::text,
    },
};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub label: &'static str,
    pub published: String,
    pub exact: String,
    pub simulated: String,
    pub margin: String,
    pub difference: String,
    /// Whether the difference is within the margin, in words.
    pub verdict: &'static str,
    /// Whether this row is the page's own study.
    pub here: bool,
}

pub fn rows(state: &State) -> Vec<Row> {
    let declared = state.rows.preset.map_or(&[][..], |it| it.rows);
    let link = state.study.link();
    let pairs = std::iter::zip(declared, &state.rows.studies);
    pairs
        .map(|(row, (_, row_link))| {
            let here = *row_link == link;
            let known = state.rows.of_link(row_link);
            let running = state.rows.run.as_ref().is_some_and(|it| it.study.link() == *row_link);
            // The page's own study is simulated already.
            let live = here && known.is_none_or(|it| it.stage == Stage::Exact);
            let measures = if live { Some(&state.measures) } else { known.map(|it| &it.measures) };
            let measure =
                measures.and_then(|it| it.iter().find(|measure| measure.name == row.measure));
            let failed = known.is_some_and(|it| it.stage == Stage::Failed);
            let waits = if failed {
                text("rows.failed")
            } else if running || live {
                text("rows.running")
            } else {
                format::MISSING
            };
            let published = measure.zip(row.published);
            let published = published.map(|(it, value)| {
                let beside = it.exact.or(it.simulated).unwrap_or(value);
                format::given_beside(it.quantity, value, beside).to_string()
            });
            let base = Row {
                label: row.label,
                published: published.unwrap_or(format::MISSING.to_owned()),
                here,
                ..Row::default()
            };
            measured(base, measure, waits)
        })
        .collect()
}

fn measured(base: Row, measure: Option<&Measure>, waits: &str) -> Row {
    let missing = || format::MISSING.to_owned();
    let Some(measure) = measure else {
        return Row {
            exact: missing(),
            simulated: waits.to_owned(),
            difference: missing(),
            ..base
        };
    };
    let &Measure { quantity, simulated, low, high, exact, .. } = measure;
    let interval = low.zip(high);
    let exact_text = match exact {
        Some(value) => format::cell(&Cell::Number { value, interval: None, quantity }).to_string(),
        None => missing(),
    };
    let reading = simulated.map(|value| format::cell(&Cell::Number { value, interval, quantity }));
    let (simulated_text, margin) = match reading {
        Some(it) => (it.value.to_string(), it.margin),
        None => (waits.to_owned(), String::new()),
    };
    let known = simulated.zip(exact).zip(interval);
    let (difference, verdict) = match known {
        Some(((value, exact), (low, high))) => {
            let by = value - exact;
            let margin = (value - low).max(high - value);
            let within = low <= exact && exact <= high;
            let verdict = if within { text("rows.within") } else { text("rows.beyond") };
            (format::difference(quantity, by, Some(margin), value).value.number, verdict)
        }
        None => (missing(), ""),
    };
    Row { exact: exact_text, simulated: simulated_text, margin, difference, verdict, ..base }
}
