//! The same figure of two studies in one: A in grey, under B.

use super::{Axis, Bar, Figure, Label, Mark, Meaning, Point, Series, Table};

/// A figure of B with what the same figure of A says of A itself: its curves and points, as those of the other. What
/// either was held against until then gives way, since grey is A's.
#[must_use]
pub fn compared(figure: &Figure, other: &Figure, names: [&str; 2]) -> Figure {
    let alike = figure.key == other.key
        && figure.cells.is_none()
        && figure.x.quantity == other.x.quantity
        && figure.y.quantity == other.y.quantity
        && figure.x.scale == other.x.scale
        && figure.y.scale == other.y.scale;
    if !alike {
        return figure.clone();
    }
    let [name_a, name_b] = names;
    let own = |it: &&Series| it.meaning == Meaning::This;
    let known = |it: &&Series| !figure.series.iter().any(|own| own.points == it.points);
    let of_a = other.series.iter().filter(own).filter(known);
    let mut series: Vec<Series> =
        of_a.map(|it| Series { meaning: Meaning::Other, ..it.clone() }).collect();
    name(&mut series, Meaning::Other, ["A", name_a]);
    let held = figure.series.iter().filter(|it| it.meaning != Meaning::Other);
    let mut of_b: Vec<Series> = held.cloned().collect();
    if !series.is_empty() {
        name(&mut of_b, Meaning::This, ["B", name_b]);
    }
    series.extend(of_b);
    let rings = other.points.iter().filter(|it| it.meaning == Meaning::This);
    let rings = rings.filter(|it| it.mark == Mark::Dot && it.y.is_finite());
    let ring = |it: &Point| Point {
        meaning: Meaning::Other,
        mark: Mark::Ring,
        label: Label::default(),
        ..it.clone()
    };
    let held = figure.points.iter().filter(|it| it.meaning != Meaning::Other);
    let points = rings.map(ring).chain(held.cloned()).collect();
    Figure {
        x: joined(&figure.x, &other.x),
        y: joined(&figure.y, &other.y),
        series,
        points,
        bars: in_turn(&figure.bars, &other.bars),
        table: beside(&figure.table, &other.table),
        ..figure.clone()
    }
}

/// Each bar of A above that of B.
fn in_turn(b: &[Bar], a: &[Bar]) -> Vec<Bar> {
    let named =
        |letter: &str, it: &Bar| Bar { name: format!("{letter} {}", it.name), ..it.clone() };
    std::iter::zip(a, b).flat_map(|(a, b)| [named("A", a), named("B", b)]).collect()
}

/// Says whose a study's curves are: in words where there is one name to say it with, else by letter.
fn name(series: &mut [Series], meaning: Meaning, [letter, words]: [&str; 2]) {
    let mut named: Vec<&mut Label> = series
        .iter_mut()
        .filter(|it| it.meaning == meaning && !it.label.text.is_empty())
        .map(|it| &mut it.label)
        .collect();
    if let [only] = &mut named[..] {
        only.text = format!("{letter}: {words}");
        letter.clone_into(&mut only.short);
        only.note.clear();
        return;
    }
    for label in named {
        for text in [&mut label.text, &mut label.short] {
            *text = format!("{letter} {text}");
        }
    }
}

fn joined(a: &Axis, b: &Axis) -> Axis {
    Axis { from: a.from.min(b.from), to: a.to.max(b.to), ..a.clone() }
}

/// Two tables with the same rows side by side: those of A are the ones of its own colour. Tables of other rows follow
/// each other nowhere, and that of B stands alone.
fn beside(b: &Table, a: &Table) -> Table {
    let same_rows = b.rows.len() == a.rows.len()
        && std::iter::zip(&b.rows, &a.rows).all(|(b, a)| b.first() == a.first());
    if !same_rows {
        return b.clone();
    }
    let kept = |it: &Table, meaning: Meaning| -> Vec<usize> {
        let columns = it.columns.iter().enumerate();
        columns.filter(|it| it.1.meaning == meaning).map(|it| it.0).collect()
    };
    let from_a = kept(a, Meaning::This);
    let mut table = b.clone();
    for column in &mut table.columns {
        if column.meaning == Meaning::This {
            column.title = format!("B, {}", column.title);
        }
    }
    for at in from_a {
        let column = &a.columns[at];
        let title = format!("A, {}", column.title);
        table.columns.push(super::Column { title, meaning: Meaning::Other });
        for (row, of_a) in std::iter::zip(&mut table.rows, &a.rows) {
            row.extend(of_a.get(at).cloned());
        }
    }
    table
}
