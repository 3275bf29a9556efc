//! A study swept over one parameter or two: which studies that makes, and which first.

use super::Study;
use crate::format::in_box;
use crate::schema::{Field, Kind, Parsed, Scale};
use crate::special::{round_to_digits, sort_numbers};

/// Values of a parameter from one end to the other.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepAxis {
    /// Of the parameter.
    pub key: &'static str,
    pub from: f64,
    pub to: f64,
    /// At most so many: whole numbers may be fewer.
    pub points: u32,
    /// Whether steps are equal in ratio rather than in size.
    pub log: bool,
}

/// One axis or two, the second upward.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    pub across: SweepAxis,
    pub up: Option<SweepAxis>,
}

/// One study of a sweep, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepPoint {
    pub study: Study,
    pub x: f64,
    /// Nothing where there is one axis.
    pub y: Option<f64>,
}

pub const POINTS_MIN: u32 = 5;
pub const POINTS_MAX: u32 = 60;
/// Points of either axis where there are two.
pub const SIDE_MAX: u32 = 24;
const POINTS: u32 = 16;

impl SweepAxis {
    /// All of a parameter's range, along its own scale; nothing for a parameter that is no number.
    pub fn of(field: &'static Field) -> Option<SweepAxis> {
        let (Kind::Count { scale, .. } | Kind::Share { scale, .. } | Kind::Number { scale, .. }) =
            field.kind
        else {
            return None;
        };
        let (min, to) = field.kind.range();
        let from = if let Scale::LogFrom(least) = scale { least } else { min };
        Some(SweepAxis { key: field.key, from, to, points: POINTS, log: scale != Scale::Linear })
    }

    /// Reads `from..to`, `from..to:points` and `from..to:points:log` or `:linear` for a parameter; either end may be
    /// left out. Of one axis of two there are fewer points. Beside the axis stands what of the text was mended.
    ///
    /// # Errors
    /// Says what was not understood.
    pub fn parse(
        field: &'static Field,
        text: &str,
        most: u32,
    ) -> Result<(SweepAxis, Vec<String>), String> {
        let whole = SweepAxis::of(field)
            .ok_or_else(|| format!("cannot be swept: {} is no number.", field.label))?;
        let mut mended = Vec::new();
        let mut parts = text.split(':');
        let range = parts.next().unwrap_or_default();
        let (from, to) = match range.split_once("..") {
            Some(ends) => ends,
            None if range.trim().is_empty() => ("", ""),
            None => return Err("needs a range such as 1..100.".to_owned()),
        };
        let mut end = |text: &str, otherwise: f64| -> Result<f64, String> {
            let text = text.trim();
            if text.is_empty() {
                return Ok(otherwise);
            }
            let parsed = field.kind.parse(text);
            let Parsed { value, moved } = parsed.map_err(|it| format!("{}.", it.0))?;
            if moved {
                mended.push(format!("was brought from {text} to {}", in_box(field.kind, value)));
            }
            Ok(value)
        };
        let (from, to) = (end(from, whole.from)?, end(to, whole.to)?);
        let mut axis = SweepAxis { from: from.min(to), to: from.max(to), ..whole };
        if to < from {
            let [low, high] = [axis.from, axis.to].map(|it| in_box(field.kind, it));
            mended.push(format!("was turned round, to run from {low} to {high}"));
        }
        for part in parts {
            match part.trim() {
                "log" if axis.from <= 0.0 => {
                    mended.push("has equal steps: no ratio leads up from nothing".to_owned());
                }
                "log" => axis.log = true,
                "linear" => axis.log = false,
                count => {
                    let asked: u64 = count.parse().map_err(|_| {
                        format!("{count} is neither a number of points nor log or linear.")
                    })?;
                    axis.points = asked.clamp(u64::from(POINTS_MIN), u64::from(most)) as u32;
                    if u64::from(axis.points) != asked {
                        let end = if axis.points == most { "most" } else { "fewest" };
                        mended.push(format!("was brought to {} points, the {end}", axis.points));
                    }
                }
            }
        }
        axis.log &= 0.0 < axis.from;
        Ok((axis, mended))
    }

    /// As in links, after the key: `0.1..0.9:16:linear`.
    pub fn print(&self, field: &Field) -> String {
        let scale = if self.log { "log" } else { "linear" };
        let [from, to] = [self.from, self.to].map(|it| field.kind.print(it));
        format!("{from}..{to}:{}:{scale}", self.points)
    }

    /// The values, ascending, each one that the parameter can take.
    pub fn values(&self, kind: Kind) -> Vec<f64> {
        let steps = f64::from(self.points.max(2) - 1);
        let value = |step: u32| {
            let along = f64::from(step) / steps;
            let value = if self.log {
                self.from * libm::pow(self.to / self.from, along)
            } else {
                self.from + along * (self.to - self.from)
            };
            // Links and tables need no more digits than a hand can aim at; the ends are as given.
            match step {
                0 => self.from,
                it if it + 1 == self.points => self.to,
                _ => kind.clamp(round_to_digits(value, 4)),
            }
        };
        let mut values: Vec<f64> = (0..self.points.max(2)).map(value).collect();
        sort_numbers(&mut values);
        values.dedup();
        values
    }
}

impl Sweep {
    /// The settings that are swept and do nothing in a study, each with what is said of it.
    pub fn idle(&self, study: &Study) -> Vec<(&'static Field, String)> {
        let axes = [Some(&self.across), self.up.as_ref()].into_iter().flatten();
        let fields = study.scenario.fields;
        let idle = axes.filter_map(|axis| {
            let field = fields.iter().find(|it| it.key == axis.key)?;
            let when = field.waits_for(fields, &study.values)?;
            Some((field, format!("does nothing here: it matters {when}.")))
        });
        idle.collect()
    }

    /// Every study of the sweep: row by row from the bottom, each from the left.
    pub fn points(&self, study: &Study) -> Vec<SweepPoint> {
        let values = |axis: &SweepAxis| {
            let field = study.scenario.fields.iter().find(|it| it.key == axis.key);
            field.map(|it| axis.values(it.kind)).unwrap_or_default()
        };
        let across = values(&self.across);
        let Some(up) = &self.up else {
            let point =
                |x: &f64| SweepPoint { study: study.with(self.across.key, *x), x: *x, y: None };
            return across.iter().map(point).collect();
        };
        let rows = values(up);
        rows.iter()
            .flat_map(|y| {
                let row = study.with(up.key, *y);
                across.iter().map(move |x| SweepPoint {
                    study: row.with(self.across.key, *x),
                    x: *x,
                    y: Some(*y),
                })
            })
            .collect()
    }
}

/// The order in which so many points are best worked on: both ends, the middle, the middles between, and so on, so
/// that the whole range is seen at once and then refined.
pub fn coarse_first(points: usize) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::with_capacity(points);
    let mut seen = vec![false; points];
    let mut step = points.next_power_of_two();
    while 0 < step {
        for at in (0..points).step_by(step).chain(points.checked_sub(1)) {
            if !std::mem::replace(&mut seen[at], true) {
                order.push(at);
            }
        }
        step /= 2;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Setup;

    #[test]
    fn every_point_comes_once_and_the_ends_first() {
        for points in [0, 1, 2, 5, 16, 17, 60, 600] {
            let mut order = coarse_first(points);
            assert!(order.iter().take(2).all(|it| *it == 0 || it + 1 == points), "{order:?}");
            order.sort_unstable();
            assert_eq!(order, (0..points).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_axis_is_read_and_written() {
        let (study, _) = Study::open("fan-out");
        let field = study.scenario.fields.iter().find(|it| it.key == "fan_out").expect("fan_out");
        let parse = |text: &str| SweepAxis::parse(field, text, POINTS_MAX);
        let (axis, mended) = parse("1..2000:30").expect("an axis");
        assert!(mended.is_empty());
        assert_eq!((axis.from, axis.to, axis.points, axis.log), (1.0, 2000.0, 30, true));
        assert_eq!(parse(&axis.print(field)), Ok((axis.clone(), Vec::new())));
        let values = axis.values(field.kind);
        assert!(values.is_sorted() && values[0] == 1.0 && values.last() == Some(&2000.0));
        assert!(values.len() < 30 && values.iter().all(|it| it.fract() == 0.0), "{values:?}");
        for odd in ["x", "1", "1..x", "1..10:lots", "1..10:5:loud"] {
            assert!(parse(odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn what_does_nothing_is_told() {
        for (link, idle) in [
            ("fan-out&sweep=hedge_ms", &["hedge_ms"][..]),
            ("fan-out&hedge=after&sweep=hedge_ms", &[]),
            ("fan-out&sweep=fan_out,hedge_ms", &["hedge_ms"]),
            ("fan-out&sweep=fan_out", &[]),
        ] {
            let (setup, _) = Setup::open(link);
            let told = setup.sweep.expect(link).idle(&setup.study);
            assert_eq!(told.iter().map(|it| it.0.key).collect::<Vec<_>>(), idle, "{link}");
            assert!(told.iter().all(|it| it.1.contains("it matters when a hedge is ")), "{told:?}");
        }
    }

    #[test]
    fn what_is_mended_is_said() {
        let fields = Study::open("fan-out").0.scenario.fields;
        let field = |key: &str| fields.iter().find(|it| it.key == key).expect("a field");
        for (key, text, points, said) in [
            ("fan_out", "1..100:0", 5, "was brought to 5 points, the fewest"),
            ("fan_out", "1..100:4", 5, "was brought to 5 points, the fewest"),
            ("fan_out", "1..100:5", 5, ""),
            ("fan_out", "1..100:60", 60, ""),
            ("fan_out", "1..100:61", 60, "was brought to 60 points, the most"),
            ("fan_out", "1..100:99999999999", 60, "was brought to 60 points, the most"),
            ("fan_out", "100..1:7", 7, "was turned round, to run from 1 to 100"),
            ("fan_out", "1..1e9:7", 7, "was brought from 1e9 to 10,000"),
            ("outlier_rate", "0..1%:7:log", 7, "has equal steps: no ratio leads up from nothing"),
            ("outlier_rate", "..1%:7", 7, ""),
        ] {
            let (axis, mended) = SweepAxis::parse(field(key), text, POINTS_MAX).expect(text);
            assert_eq!((axis.points, mended.join("; ").as_str()), (points, said), "{text}");
        }
        let (axis, mended) = SweepAxis::parse(field("fan_out"), ":40", SIDE_MAX).expect("an axis");
        assert_eq!(
            (axis.points, mended.join("; ").as_str()),
            (24, "was brought to 24 points, the most")
        );
    }
}
