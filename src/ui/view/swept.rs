//! A sweep as a figure: dots with intervals over one parameter, or shades over two.

use crate::{
    format::{in_box, reading, short},
    report::{
        Axis, AxisScale, Bound, Cell, Cells, Column, Figure, Here, Label, Mark, Meaning, Measure,
        Panel, Point, Quantity, Series, Size, Table, Trace,
    },
    scenario::Gauge,
    schema::{Field, Kind, Unit},
    special::sort_numbers,
    study::{Study, SweepAxis},
    ui::{
        state::{State, Swept, Tried, costs},
        strings::{fill, text},
    },
};

/// Shades of cells, light to dark.
const SHADES: [f64; 6] = [0.1, 0.25, 0.4, 0.55, 0.72, 0.9];

/// The figure of the sweep, if there is one.
pub fn swept(state: &State) -> Option<Figure> {
    let swept = state.swept.as_ref()?;
    let across = field(&state.study, swept.sweep.across.key)?;
    let up = swept.sweep.up.as_ref().and_then(|it| field(&state.study, it.key));
    let title = match up {
        Some(up) => fill(
            "sweep.title-two",
            &[("x", &parameter(&state.study, across)), ("y", &parameter(&state.study, up))],
        ),
        None => fill("sweep.title", &[("x", &parameter(&state.study, across))]),
    };
    let figure = match &swept.sweep.up {
        Some(axis) => shaded(state, swept, across, up.map(|it| (axis, it))?),
        None => dotted(state, swept, across),
    };
    let idle = swept.sweep.idle(&state.study);
    let idle =
        idle.iter().map(|(field, text)| format!("{} {text} ", parameter(&state.study, field)));
    Some(Figure { title, caption: idle.collect::<String>() + &figure.caption, ..figure })
}

/// How far it is, in words.
pub fn swept_progress(swept: &Swept) -> String {
    let (done, of) = (swept.batch.finished(), swept.batch.points.len());
    fill("sweep.progress", &[("done", &done.to_string()), ("of", &of.to_string())])
}

/// The point that is nearest to a place in the figure, as a change to the study.
pub fn nearest(state: &State, x: f64, up: f64) -> Option<String> {
    let swept = state.swept.as_ref()?;
    let change = |axis: &SweepAxis, value: f64| {
        let field = field(&state.study, axis.key)?;
        let far = |it: &f64| {
            if axis.log {
                libm::log(it.max(f64::MIN_POSITIVE) / value).abs()
            } else {
                (it - value).abs()
            }
        };
        let values = axis.values(field.kind);
        let found = values.into_iter().min_by(|a, b| far(a).total_cmp(&far(b)))?;
        Some(format!("{}={}", axis.key, field.kind.print(found)))
    };
    let across = change(&swept.sweep.across, x)?;
    let Some(axis) = &swept.sweep.up else { return Some(across) };
    let kind = field(&state.study, axis.key)?.kind;
    let edges = edges(&axis.values(kind), axis.log);
    let (from, to) = (*edges.first()?, *edges.last()?);
    let value = if axis.log { from * libm::pow(to / from, up) } else { from + up * (to - from) };
    Some([across, change(axis, value)?].join("&"))
}

/// The name of a parameter, with its group where another has the same.
pub fn parameter(study: &Study, field: &Field) -> String {
    let alike = study.scenario.fields.iter().filter(|it| it.label == field.label).count();
    if alike == 1 {
        return field.label.to_owned();
    }
    fill("sweep.of-group", &[("name", field.label), ("group", field.group)])
}

fn field(study: &Study, key: &str) -> Option<&'static Field> {
    study.scenario.fields.iter().find(|it| it.key == key)
}

/// The first latency, whose percentiles are shown.
fn latency(study: &Study) -> (&'static str, &'static str) {
    let found = study.scenario.gauges.iter().find_map(|it| match it {
        Gauge::Latency { name, label, .. } => Some((*name, *label)),
        _ => None,
    });
    found.unwrap_or_default()
}

fn quantity(kind: Kind) -> Quantity {
    match kind {
        Kind::Count { .. } => Quantity::Count,
        Kind::Share { .. } => Quantity::Share,
        Kind::Number { unit: Unit::Milliseconds, .. } => Quantity::Latency,
        Kind::Number { unit: Unit::Seconds, .. } => Quantity::Seconds,
        Kind::Number { unit: Unit::PerSecond, .. } => Quantity::Rate,
        Kind::Number { unit: Unit::MegabytesPerSecond, .. } => Quantity::Throughput,
        _ => Quantity::Plain,
    }
}

fn axis_of(axis: &SweepAxis, field: &Field, (from, to): (f64, f64)) -> Axis {
    let name =
        if axis.log { fill("sweep.log", &[("name", field.label)]) } else { field.label.to_owned() };
    let scale = if axis.log { AxisScale::Log } else { AxisScale::Linear };
    Axis { name, scale, quantity: quantity(field.kind), from, to }
}

fn measure<'a>(point: &'a Tried, name: &str) -> Option<&'a Measure> {
    point.measures.iter().find(|it| it.name == name)
}

/// One measure along the sweep: its exact curve, or else a line through what is simulated, and its dots.
fn along(swept: &Swept, name: &str, label: &str, meaning: Meaning) -> (Option<Series>, Vec<Point>) {
    let key = swept.sweep.across.key;
    let at = |it: &Tried| it.study.value(key).unwrap_or(f64::NAN);
    let known = swept.batch.points.iter().filter_map(|it| Some((at(it), measure(it, name)?)));
    let exact: Vec<(f64, f64)> = known.clone().filter_map(|(x, it)| Some((x, it.exact?))).collect();
    let simulated = known.clone().filter_map(|(x, it)| Some((x, it.simulated?)));
    let (trace, points) = if exact.is_empty() {
        (Trace::Simulated, simulated.collect())
    } else {
        (Trace::Exact, exact)
    };
    let dots = known.filter_map(|(x, it)| {
        Some(Point {
            meaning,
            mark: Mark::Dot,
            x,
            y: it.simulated?,
            interval: it.low.zip(it.high),
            label: Label::default(),
        })
    });
    let series = Series { meaning, trace, label: Label::new(label), points };
    ((!series.points.is_empty()).then_some(series), dots.collect())
}

fn dotted(state: &State, swept: &Swept, across: &'static Field) -> Figure {
    let axis = &swept.sweep.across;
    let (name, label) = latency(&state.study);
    let (mut series, mut points) = (Vec::new(), Vec::new());
    for share in swept.drawn() {
        let (line, dots) = along(swept, &format!("{name}.{share}"), share, Meaning::This);
        series.extend(line);
        points.extend(dots);
    }
    let values = series.iter().flat_map(|it| &it.points).map(|it| it.1);
    let mut values: Vec<f64> =
        values.chain(points.iter().map(|it| it.y)).filter(|it| 0.0 < *it).collect();
    sort_numbers(&mut values);
    let (low, high) =
        (values.first().copied().unwrap_or(1.0), values.last().copied().unwrap_or(1000.0));
    let deadline = state.study.deadline_ms().filter(|it| low / 2.0 < *it && *it < high * 2.0);
    let bounds = deadline.map(|at| Bound { upright: false, at, label: "deadline".to_owned() });
    let here = state.study.value(axis.key).filter(|it| axis.from <= *it && *it <= axis.to);
    let here = here.map(|x| Here {
        x,
        y: f64::NAN,
        key: axis.key,
        value: String::new(),
        note: String::new(),
    });
    Figure {
        key: "sweep",
        title: String::new(),
        caption: fill("sweep.caption", &[("what", label), ("x", &parameter(&state.study, across))]),
        size: Size::Main,
        x: axis_of(axis, across, (axis.from, axis.to)),
        y: Axis {
            name: fill("sweep.log", &[("name", &fill("sweep.latency", &[("what", label)]))]),
            scale: AxisScale::Log,
            quantity: Quantity::Latency,
            from: low.min(deadline.unwrap_or(low)) / 1.5,
            to: high.max(deadline.unwrap_or(high)) * 1.7,
        },
        series,
        points,
        bounds: bounds.into_iter().collect(),
        here,
        lower: lower(state, swept),
        table: table(state, swept),
        ..Figure::default()
    }
}

/// What it costs, below.
fn lower(state: &State, swept: &Swept) -> Option<Panel> {
    let (name, label) = costs(state.study.scenario).find(|it| Some(it.0) == swept.cost)?;
    let quantity = swept.batch.points.first().and_then(|it| measure(it, name))?.quantity;
    // What is of hedges alone has their colour.
    let meaning =
        if state.study.scenario.hedging.is_some() { Meaning::Hedge } else { Meaning::This };
    let (line, points) = along(swept, name, label, meaning);
    let ends = points.iter().map(|it| it.interval.map_or(it.y, |it| it.1));
    let tops = ends.chain(line.iter().flat_map(|it| &it.points).map(|it| it.1));
    let top = tops.filter(|it| it.is_finite()).fold(0.0, f64::max);
    let to = if top == 0.0 { 1.0 } else { top * 1.15 };
    Some(Panel {
        y: Axis { name: label.to_owned(), scale: AxisScale::Linear, quantity, from: 0.0, to },
        series: line.into_iter().collect(),
        points,
    })
}

fn table(state: &State, swept: &Swept) -> Table {
    let (latency, _) = latency(&state.study);
    let axes = [Some(&swept.sweep.across), swept.sweep.up.as_ref()];
    let axes: Vec<&SweepAxis> = axes.into_iter().flatten().collect();
    let shares = swept.drawn().iter().map(|it| (format!("{latency}.{it}"), *it));
    let cost =
        costs(state.study.scenario).find(|it| Some(it.0) == swept.cost && swept.sweep.up.is_none());
    let shown: Vec<(String, &str)> = shares.chain(cost.map(|it| (it.0.to_owned(), it.1))).collect();
    let mut columns: Vec<Column> = axes
        .iter()
        .map(|it| Column::new(field(&state.study, it.key).map_or(it.key, |it| it.label)))
        .collect();
    for (_, label) in &shown {
        columns.push(Column { title: (*label).to_owned(), meaning: Meaning::This });
        columns.push(Column::new(fill("sweep.exact", &[("name", label)])));
    }
    let row = |point: &Tried| {
        let place = axes.iter().map(|it| {
            let kind = field(&state.study, it.key).map(|it| it.kind);
            kind.map_or(Cell::Empty, |kind| Cell::number(quantity(kind), point.study.value(it.key)))
        });
        let values = shown.iter().flat_map(|(name, _)| {
            let found = measure(point, name);
            let simulated = found.and_then(|it| {
                let interval = it.low.zip(it.high);
                Some(Cell::Number { value: it.simulated?, interval, quantity: it.quantity })
            });
            let exact = found.map(|it| Cell::number(it.quantity, it.exact));
            [simulated.unwrap_or(Cell::Empty), exact.unwrap_or(Cell::Empty)]
        });
        place.chain(values).collect()
    };
    Table { columns, rows: swept.batch.points.iter().map(row).collect() }
}

/// Between neighbours, and as far beyond the first and the last.
fn edges(values: &[f64], log: bool) -> Vec<f64> {
    let [first, .., last] = values else {
        return values.iter().flat_map(|it| [it * 0.9, it * 1.1]).collect();
    };
    let middle = |a: f64, b: f64| if log { (a * b).sqrt() } else { f64::midpoint(a, b) };
    let beyond = |end: f64, inner: f64| if log { end * end / inner } else { 2.0 * end - inner };
    let inner: Vec<f64> = values.windows(2).map(|it| middle(it[0], it[1])).collect();
    let ends = [beyond(*first, inner[0]), beyond(*last, inner[inner.len() - 1])];
    std::iter::once(ends[0]).chain(inner).chain([ends[1]]).collect()
}

fn shaded(
    state: &State,
    swept: &Swept,
    across: &'static Field,
    (axis, up): (&SweepAxis, &'static Field),
) -> Figure {
    let (latency, label) = latency(&state.study);
    let share = swept.drawn().last().copied().unwrap_or("p99");
    let name = format!("{latency}.{share}");
    let columns = swept.sweep.across.values(across.kind);
    let rows = axis.values(up.kind);
    let value = |at: usize| {
        let found = swept.batch.points.get(at).and_then(|it| measure(it, &name));
        found.and_then(|it| it.simulated.or(it.exact)).filter(|it| 0.0 < *it)
    };
    // Points stand row by row, cells column by column.
    let places = || (0..columns.len()).flat_map(|x| (0..rows.len()).map(move |y| (x, y)));
    let values: Vec<Option<f64>> = places().map(|(x, y)| value(y * columns.len() + x)).collect();
    let known = || values.iter().flatten().copied();
    let (low, high) = (known().fold(f64::INFINITY, f64::min), known().fold(0.0, f64::max));
    let step = |it: f64| {
        let along = if low < high { libm::log(it / low) / libm::log(high / low) } else { 0.0 };
        SHADES[((along * SHADES.len() as f64) as usize).min(SHADES.len() - 1)]
    };
    let key = SHADES.iter().enumerate().map(|(at, shade)| {
        let top = low * libm::pow(high / low, (at + 1) as f64 / SHADES.len() as f64);
        let words =
            if at % 2 == 1 { short(Quantity::Latency, top).to_string() } else { String::new() };
        (*shade, words)
    });
    let (x_edges, y_edges) = (edges(&columns, swept.sweep.across.log), edges(&rows, axis.log));
    let ends = |it: &[f64]| (it.first().copied().unwrap_or(0.0), it.last().copied().unwrap_or(1.0));
    let (x_ends, y_ends) = (ends(&x_edges), ends(&y_edges));
    let here = state.study.value(swept.sweep.across.key).zip(state.study.value(axis.key));
    let here = here.map(|(x, y)| Point {
        meaning: Meaning::Ink,
        mark: Mark::Ring,
        x,
        y,
        interval: None,
        label: Label::default(),
    });
    let written = |field: &Field, value: f64| in_box(field.kind, value).to_string();
    let told = |((x, y), value): ((usize, usize), &Option<f64>)| {
        let (x_value, y_value) = (written(across, columns[x]), written(up, rows[y]));
        let (x, y) = (parameter(&state.study, across), parameter(&state.study, up));
        let holes = [("x", &*x), ("x-value", &x_value), ("y", &y), ("y-value", &y_value)];
        let value = value.map_or_else(
            || text("sweep.cell-none").to_owned(),
            |it| reading(Quantity::Latency, Some(it), None, None).to_string(),
        );
        (
            fill("sweep.cell", &holes),
            fill("sweep.cell-value", &[("share", share), ("value", &value)]),
        )
    };
    let found = known().next().is_some();
    let [low, high] =
        [low, high].map(|it| reading(Quantity::Latency, Some(it), None, None).value.to_string());
    let holes = [("share", share), ("what", label), ("low", &low), ("high", &high)];
    Figure {
        key: "sweep",
        title: String::new(),
        caption: fill(if found { "sweep.shades" } else { "sweep.shades-none" }, &holes),
        size: Size::Main,
        x: axis_of(&swept.sweep.across, across, x_ends),
        y: axis_of(axis, up, y_ends),
        cells: found.then(|| Cells {
            meaning: Meaning::This,
            x_edges,
            y_edges,
            shades: values.iter().map(|it| it.map_or(f64::NAN, step)).collect(),
            key: key.collect(),
            told: std::iter::zip(places(), &values).map(told).collect(),
        }),
        points: here.into_iter().collect(),
        table: table(state, swept),
        ..Figure::default()
    }
}
