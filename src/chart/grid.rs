//! Grid, base line, ticks, and the words along the axes.

use super::axis::Projection;
use super::marks::{Anchor, Mark, Rect, Words};
use super::palette::Role;
use super::scene::Frame;
use super::text;
use crate::format;
use crate::report::{AxisScale, Quantity};
use crate::special::{order, round_to_digits, sort_numbers};

/// The size of words along axes and of notes.
pub(super) const SMALL: f64 = 12.0;

/// Labels of one axis do not come closer than this.
const GAP: f64 = 12.0;

/// From the plot to the labels beside it, to the base line of those below it.
const BESIDE: f64 = 8.0;
const BELOW: f64 = 20.0;
const BELOW_HANDLE: f64 = 24.0;

/// Half a digit's height: from the middle of a line of words to its base line.
pub(super) const MIDDLE: f64 = 4.0;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) pixel: f64,
    /// Empty where there is no room.
    pub(super) label: String,
    pub(super) role: Role,
    /// What the label takes along the axis, in pixels.
    span: (f64, f64),
}

/// A tick that must be there, whatever the axis would have chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fixed {
    pub(super) value: f64,
    pub(super) role: Role,
}

/// The ticks of a vertical axis.
pub(super) fn upward(y: &Projection, fixed: &[Fixed]) -> Vec<Tick> {
    // Even steps want air; the steps of a logarithmic scale show its nature by their density.
    let air = if y.scale() == AxisScale::Linear { 40.0 } else { 16.0 };
    let spaced = |ticks: &&Vec<f64>| {
        ticks.windows(2).all(|it| (y.pixel(it[0]) - y.pixel(it[1])).abs() >= air)
    };
    let choices = y.choices();
    let chosen = choices.iter().find(spaced).or(choices.last());
    let span = |tick: &Tick| (tick.pixel - SMALL / 2.0, tick.pixel + SMALL / 2.0);
    sparse(with_fixed(y, chosen.cloned().unwrap_or_default(), fixed, span), y, 2.0, span)
}

/// The ticks of a horizontal axis.
pub(super) fn along(x: &Projection, fixed: &[Fixed], frame: Frame) -> Vec<Tick> {
    let span = |tick: &Tick| {
        let (size, bold) = style(tick.role);
        let width = text::width(&tick.label, size, bold);
        // Held within the frame.
        let left = (tick.pixel - width / 2.0).min(frame.width - 1.0 - width).max(0.0);
        (left, left + width)
    };
    let air = match x.scale() {
        AxisScale::Linear if frame.narrow => 40.0,
        AxisScale::Linear => 56.0,
        _ => 0.0,
    };
    let fits = |ticks: &&Vec<f64>| {
        let ticks = with_fixed(x, (*ticks).clone(), &[], span);
        let apart =
            |it: &[Tick]| it[1].span.0 - it[0].span.1 >= GAP && it[1].pixel - it[0].pixel >= air;
        x.scale() == AxisScale::Nines || ticks.windows(2).all(apart)
    };
    let choices = x.choices();
    let chosen = choices.iter().find(fits).or(choices.last());
    sparse(with_fixed(x, chosen.cloned().unwrap_or_default(), fixed, span), x, GAP, span)
}

/// Ticks with their labels, the fixed ones among them.
fn with_fixed(
    axis: &Projection,
    mut values: Vec<f64>,
    fixed: &[Fixed],
    span: impl Fn(&Tick) -> (f64, f64),
) -> Vec<Tick> {
    let near = |a: f64, b: f64| (axis.pixel(a) - axis.pixel(b)).abs() < 0.5;
    let fixed: Vec<&Fixed> = fixed.iter().filter(|it| axis.is_on(it.value)).collect();
    values.retain(|it| !fixed.iter().any(|other| near(other.value, *it)));
    values.extend(fixed.iter().map(|it| it.value));
    sort_numbers(&mut values);
    values.dedup_by(|a, b| near(*a, *b));
    let role = |value: f64| fixed.iter().find(|it| near(it.value, value)).map(|it| it.role);
    // A limit may be any number, but a label has few digits.
    let rounded = |it: &f64| if it.abs() < 1000.0 { round_to_digits(*it, 4) } else { it.round() };
    let exact = axis.quantity == Quantity::Percentile;
    let told =
        values.iter().map(|it| if role(*it).is_some() && !exact { rounded(it) } else { *it });
    let labels = axis.labels(&told.collect::<Vec<f64>>());
    let tick = |(value, label): (&f64, String)| {
        let role = role(*value).unwrap_or(Role::Ink3);
        let tick = Tick { value: *value, pixel: axis.pixel(*value), label, role, span: (0.0, 0.0) };
        Tick { span: span(&tick), ..tick }
    };
    std::iter::zip(&values, labels).map(tick).collect()
}

/// Takes away labels that come too near to weightier ones; their ticks stay.
fn sparse(
    mut ticks: Vec<Tick>,
    axis: &Projection,
    gap: f64,
    span_of: impl Fn(&Tick) -> (f64, f64),
) -> Vec<Tick> {
    let last = ticks.len().saturating_sub(1);
    let nines = |label: &str| {
        label.strip_prefix('p').is_some_and(|it| it.chars().all(|it| it == '9' || it == '.'))
    };
    let weight = |(at, tick): (usize, &Tick)| match tick {
        it if it.role == Role::Blue => 0.0,
        it if it.role != Role::Ink3 => 1.0,
        it if it.label.contains(format::THIN) => 2.0,
        _ if at == 0 => 3.0,
        it if nines(&it.label) => 4.0,
        _ if at == last => 5.0,
        _ => 6.0,
    };
    let order = order(&ticks.iter().enumerate().map(weight).collect::<Vec<f64>>());
    let mut placed: Vec<usize> = Vec::new();
    for at in order {
        let span = ticks[at].span;
        let touches = |span: (f64, f64), other: usize| {
            let other = ticks[other].span;
            span.0 < other.1 + gap && other.0 < span.1 + gap
        };
        let Some(other) = placed.iter().copied().find(|it| touches(span, *it)) else {
            placed.push(at);
            continue;
        };
        // The unit must not go with the only label that names it.
        if ticks[at].label.contains(format::THIN) && ticks[other].role != Role::Ink3 {
            let label = axis.labels(&[ticks[other].value]).concat();
            let named = Tick { label, ..ticks[other].clone() };
            let named = Tick { span: span_of(&named), ..named };
            if !placed.iter().any(|it| *it != other && touches(named.span, *it)) {
                ticks[other] = named;
            }
        }
        ticks[at].label.clear();
    }
    ticks
}

/// The size and weight of a label: what stands below the handle is as bold as its value.
fn style(role: Role) -> (f64, bool) {
    if role == Role::Blue { (13.0, true) } else { (SMALL, false) }
}

/// The room that the labels of a vertical axis take, up to the plot.
pub(super) fn gutter(ticks: &[Tick], frame_width: f64) -> f64 {
    let widest = ticks.iter().map(|it| text::width(&it.label, SMALL, false)).fold(36.0, f64::max);
    widest.min(frame_width / 4.0).ceil() + BESIDE
}

/// Level grid lines with their labels; the one at the bottom is the base line.
pub(super) fn level(plot: &Rect, ticks: &[Tick]) -> Vec<Mark> {
    let rule = |y: f64, role: Role| Mark::Rule {
        from: (plot.left, y),
        to: (plot.right, y),
        role,
        width: 1.0,
    };
    let mut marks: Vec<Mark> = ticks
        .iter()
        .filter(|it| it.pixel < plot.bottom - 1.0)
        .map(|it| rule(it.pixel, Role::Rule))
        .collect();
    marks.push(rule(plot.bottom, Role::Edge));
    let label = |tick: &Tick| {
        let text = text::fitted(&tick.label, SMALL, false, plot.left - BESIDE);
        words(text, (plot.left - BESIDE, tick.pixel + MIDDLE), Anchor::End, tick.role)
    };
    marks.extend(ticks.iter().filter(|it| !it.label.is_empty()).map(label));
    marks
}

/// Ticks below the plot with their labels.
pub(super) fn below(plot: &Rect, ticks: &[Tick]) -> Vec<Mark> {
    let mark = |it: &Tick| Mark::Rule {
        from: (it.pixel, plot.bottom),
        to: (it.pixel, plot.bottom + 5.0),
        role: Role::Edge,
        width: 1.0,
    };
    let label = |tick: &Tick| {
        let (size, bold) = style(tick.role);
        let down = if bold { BELOW_HANDLE } else { BELOW };
        Mark::Words(Words {
            text: tick.label.clone(),
            at: (f64::midpoint(tick.span.0, tick.span.1), plot.bottom + down),
            anchor: Anchor::Middle,
            size,
            bold,
            role: tick.role,
            halo: None,
        })
    };
    let labelled = ticks.iter().filter(|it| !it.label.is_empty());
    ticks.iter().map(mark).chain(labelled.map(label)).collect()
}

pub(super) fn words(text: String, at: (f64, f64), anchor: Anchor, role: Role) -> Mark {
    Mark::Words(Words { text, at, anchor, size: SMALL, bold: false, role, halo: None })
}
