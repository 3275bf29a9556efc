//! Parameters as data: one declaration gives a typed struct, its controls, its link, its reference page
//! and its tests.
//!
//! ```text
//! params! {
//!     /// What the struct holds.
//!     pub(super) struct FooParams {
//!         @data;    only where measured data may take the place of a law
//!         /// Help, in sentences.
//!         key | old_key: type = default, "Label", "Group", kind, effect
//!             (, suffix "words after the number")? (, when other_key ["its", "values"] "why it waits")?;
//!     }
//! }
//! ```

mod parse;

pub use parse::{Parsed, Rejected};

use std::sync::Arc;

use crate::{measured::Measured, special::round_to_digits};

/// One parameter.
#[derive(Debug)]
pub struct Field {
    /// Its name in links and in CSV; never changes meaning.
    pub key: &'static str,
    /// Older names that links may still use.
    pub aliases: &'static [&'static str],
    pub label: &'static str,
    pub group: &'static str,
    /// Sentences, one a line of the declaration.
    pub help: &'static [&'static str],
    pub kind: Kind,
    pub effect: Effect,
    /// Words after the number: `leaves`.
    pub suffix: &'static str,
    pub when: Option<Condition>,
}

/// What values a parameter takes, and so which control it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A whole number.
    Count {
        min: u32,
        max: u32,
        scale: Scale,
    },
    /// 0 to 1, read and written as a per cent or `1 in 100`.
    Share {
        min: f64,
        max: f64,
        scale: Scale,
    },
    Number {
        min: f64,
        max: f64,
        scale: Scale,
        unit: Unit,
    },
    Choice(&'static [Choice]),
    Toggle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    None,
    Microseconds,
    Milliseconds,
    Seconds,
    Kilobytes,
    MegabytesPerSecond,
    PerSecond,
}

/// How a slider's travel maps to values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    Linear,
    Log,
    /// Zero at the very start, then logarithmic from this value on.
    LogFrom(f64),
}

/// One of a parameter's named values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// As in links.
    pub key: &'static str,
    pub label: &'static str,
    /// Where there is no room.
    pub short: &'static str,
}

/// What a change of the value makes stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Run,
    /// The run too, but only its length: the same system is simulated for longer.
    Length,
    /// Only what is drawn from the same run.
    Drawing,
}

/// A parameter matters only while another has one of these values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    pub key: &'static str,
    pub one_of: &'static [&'static str],
    /// `when a hedge is on`.
    pub reason: &'static str,
}

pub trait Params: Default {
    const FIELDS: &'static [Field];

    /// Takes values in the order of `FIELDS`; they are clamped, so that no model meets one out of range.
    fn from_values(values: &[f64]) -> Self;
    fn to_values(&self) -> Vec<f64>;

    /// With measured data. Most parameters have no use for any.
    #[must_use]
    fn with_data(self, _data: Option<&Arc<Measured>>) -> Self {
        self
    }
}

/// A Rust type that a field may have.
pub trait Scalar {
    fn to_value(&self) -> f64;
    fn from_value(value: f64) -> Self;
}

impl Field {
    /// Whether the field matters, given all values in the order of `fields`.
    pub fn applies(&self, fields: &[Field], values: &[f64]) -> bool {
        self.waits_for(fields, values).is_none()
    }

    /// When the field would matter, if now it does not: `when a hedge is on`.
    pub fn waits_for(&self, fields: &[Field], values: &[f64]) -> Option<&'static str> {
        let condition = self.when.as_ref()?;
        let at = fields.iter().position(|it| it.key == condition.key)?;
        let is = fields[at].kind.print(values[at]);
        if condition.one_of.iter().any(|it| *it == is) {
            return fields[at].waits_for(fields, values);
        }
        Some(condition.reason)
    }

    pub fn help_text(&self) -> String {
        let lines: Vec<&str> = self.help.iter().map(|it| it.trim()).collect();
        lines.join(" ")
    }
}

impl Kind {
    pub fn range(self) -> (f64, f64) {
        match self {
            Kind::Count { min, max, .. } => (f64::from(min), f64::from(max)),
            Kind::Share { min, max, .. } | Kind::Number { min, max, .. } => (min, max),
            Kind::Choice(choices) => (0.0, choices.len() as f64 - 1.0),
            Kind::Toggle => (0.0, 1.0),
        }
    }

    /// The nearest value that the parameter can take. What is not a number becomes the least.
    pub fn clamp(self, value: f64) -> f64 {
        let (min, max) = self.range();
        let value = if value.is_nan() { min } else { value.clamp(min, max) };
        if matches!(self, Kind::Share { .. } | Kind::Number { .. }) { value } else { value.round() }
    }

    /// As in links: `off`, `0.01`, `200`.
    pub fn print(self, value: f64) -> String {
        match self {
            Kind::Choice(choices) => choices[self.clamp(value) as usize].key.to_owned(),
            Kind::Toggle => TOGGLE[self.clamp(value) as usize].key.to_owned(),
            _ => self.clamp(value).to_string(),
        }
    }

    /// The named values, if the parameter has any.
    pub fn choices(self) -> Option<&'static [Choice]> {
        match self {
            Kind::Choice(choices) => Some(choices),
            Kind::Toggle => Some(&TOGGLE),
            _ => None,
        }
    }

    /// Where on a slider's travel, 0 to 1, a value stands.
    pub fn position(self, value: f64) -> f64 {
        let (min, max) = self.range();
        match self.scale() {
            _ if max <= min => 0.0,
            Scale::Linear => (value - min) / (max - min),
            Scale::Log => libm::log(value / min) / libm::log(max / min),
            Scale::LogFrom(least) if value < least => ZERO_END * (value / least),
            Scale::LogFrom(least) => {
                ZERO_END + (1.0 - ZERO_END) * libm::log(value / least) / libm::log(max / least)
            }
        }
        .clamp(0.0, 1.0)
    }

    /// The value at a place on the slider, rounded to what a hand can aim at: three digits.
    pub fn value_at(self, position: f64) -> f64 {
        let (min, max) = self.range();
        let position = position.clamp(0.0, 1.0);
        let value = match self.scale() {
            Scale::Linear => min + position * (max - min),
            Scale::Log => min * libm::exp(position * libm::log(max / min)),
            Scale::LogFrom(least) if position < ZERO_END => {
                if position < ZERO_END / 2.0 {
                    min
                } else {
                    least
                }
            }
            Scale::LogFrom(least) => {
                let along = (position - ZERO_END) / (1.0 - ZERO_END);
                least * libm::exp(along * libm::log(max / least))
            }
        };
        self.clamp(match self.scale() {
            Scale::Linear => round_to_step(value, (max - min) / 1000.0),
            Scale::Log | Scale::LogFrom(_) => round_to_digits(value, 3),
        })
    }

    /// The value one small step up or down, for arrow keys: always a different one, unless at an end.
    pub fn step(self, value: f64, steps: f64) -> f64 {
        let position = self.position(value);
        let moved = |next: &f64| if steps > 0.0 { *next > value } else { *next < value };
        let whole = matches!(self, Kind::Count { .. }).then(|| self.clamp(value + steps.signum()));
        // Rounding may hold a short step back; then a longer one is due, or for counts the next whole number.
        let aims = (1..=10).map(|times| self.value_at(position + f64::from(times) * steps / 100.0));
        aims.take(if whole.is_some() { 1 } else { 10 }).chain(whole).find(moved).unwrap_or(value)
    }

    fn scale(self) -> Scale {
        match self {
            Kind::Count { scale, .. } | Kind::Share { scale, .. } | Kind::Number { scale, .. } => {
                scale
            }
            Kind::Choice(_) | Kind::Toggle => Scale::Linear,
        }
    }
}

impl Unit {
    pub fn symbol(self) -> &'static str {
        match self {
            Unit::None => "",
            Unit::Microseconds => "µs",
            Unit::Milliseconds => "ms",
            Unit::Seconds => "s",
            Unit::Kilobytes => "kB",
            Unit::MegabytesPerSecond => "MB/s",
            Unit::PerSecond => "/s",
        }
    }
}

/// The part of a slider's travel that stands for zero where the rest is logarithmic.
const ZERO_END: f64 = 0.04;

const TOGGLE: [Choice; 2] = [
    Choice { key: "off", label: "Off", short: "Off" },
    Choice { key: "on", label: "On", short: "On" },
];

/// Rounds to a step that is itself brought to a power of ten.
fn round_to_step(value: f64, step: f64) -> f64 {
    let digits = -(libm::floor(libm::log10(step)) as i32);
    let power = libm::pow(10.0, f64::from(digits.abs()));
    if digits >= 0 { (value * power).round() / power } else { (value / power).round() * power }
}

impl Scalar for f64 {
    fn to_value(&self) -> f64 {
        *self
    }

    fn from_value(value: f64) -> f64 {
        value
    }
}

impl Scalar for u32 {
    fn to_value(&self) -> f64 {
        f64::from(*self)
    }

    fn from_value(value: f64) -> u32 {
        value as u32
    }
}

impl Scalar for bool {
    fn to_value(&self) -> f64 {
        f64::from(u8::from(*self))
    }

    fn from_value(value: f64) -> bool {
        value != 0.0
    }
}

#[macro_export]
macro_rules! params {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $name:ident {
            $(@$data:ident;)?
            $(
                $(#[doc = $help:literal])*
                $key:ident $(| $alias:ident)*: $ty:ty = $default:expr,
                    $label:literal, $group:expr, $kind:expr, $effect:ident
                $(, suffix $suffix:literal)? $(, when $other:ident [$($is:literal),+] $reason:literal)?;
            )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        $vis struct $name {
            $($(#[doc = $help])* pub $key: $ty,)*
            $(
                /// What was measured elsewhere.
                pub $data: Option<std::sync::Arc<$crate::measured::Measured>>,
            )?
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($key: $default,)* $($data: None,)? }
            }
        }

        impl $crate::schema::Params for $name {
            const FIELDS: &'static [$crate::schema::Field] = &[$($crate::schema::Field {
                key: stringify!($key),
                aliases: &[$(stringify!($alias)),*],
                label: $label,
                group: $group,
                help: &[$($help),*],
                kind: $kind,
                effect: $crate::schema::Effect::$effect,
                suffix: concat!($($suffix)?),
                when: {
                    #[allow(unused_mut, unused_assignments)]
                    let mut when = None;
                    $(when = Some($crate::schema::Condition {
                        key: stringify!($other),
                        one_of: &[$($is),+],
                        reason: $reason,
                    });)?
                    when
                },
            },)*];

            fn from_values(values: &[f64]) -> Self {
                let mut pairs = std::iter::zip(Self::FIELDS, values).map(|(it, value)| it.kind.clamp(*value));
                $name {
                    $($key: $crate::schema::Scalar::from_value(pairs.next().expect(stringify!($key))),)*
                    $($data: None,)?
                }
            }

            $(
                fn with_data(self, $data: Option<&std::sync::Arc<$crate::measured::Measured>>) -> Self {
                    $name { $data: $data.cloned(), ..self }
                }
            )?

            fn to_values(&self) -> Vec<f64> {
                vec![$($crate::schema::Scalar::to_value(&self.$key),)*]
            }
        }
    };
}

/// An enum whose variants are the named values of a parameter: `Variant = "key" "Label" "Short"`.
#[macro_export]
macro_rules! choices {
    (
        $(#[doc = $doc:literal])*
        $vis:vis enum $name:ident {
            $($(#[doc = $help:literal])* $variant:ident = $key:literal $label:literal $short:literal),+ $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name { $($(#[doc = $help])* $variant),+ }

        impl $name {
            $vis const CHOICES: &'static [$crate::schema::Choice] =
                &[$($crate::schema::Choice { key: $key, label: $label, short: $short }),+];
            const ALL: &'static [$name] = &[$($name::$variant),+];
        }

        impl $crate::schema::Scalar for $name {
            fn to_value(&self) -> f64 {
                f64::from(*self as u8)
            }

            fn from_value(value: f64) -> Self {
                $name::ALL[value as usize]
            }
        }
    };
}
