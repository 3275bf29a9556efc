//! What hedges are to bring down.

use crate::{format::given, report::Quantity, scenario::Gauge, study::Study};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aim {
    #[default]
    P999,
    P99,
    /// The share of requests beyond the deadline.
    Over,
}

impl Aim {
    pub const ALL: [Aim; 3] = [Aim::P999, Aim::P99, Aim::Over];

    /// As it is typed: `p99.9`.
    pub fn of_key(key: &str) -> Option<Aim> {
        Aim::ALL.into_iter().find(|it| it.key() == key)
    }

    pub fn key(self) -> &'static str {
        match self {
            Aim::P999 => "p99.9",
            Aim::P99 => "p99",
            Aim::Over => "over",
        }
    }

    /// The name of the measure and what it is called in a sentence, `p99` or `share over 1 s`; nothing where there are
    /// no hedges, or no deadline.
    pub fn of(self, study: &Study) -> Option<(String, String)> {
        if self != Aim::Over {
            return Some(percentile(study.scenario.hedging?.latency, self.key()));
        }
        let over = study.scenario.gauges.iter().find_map(|it| match it {
            Gauge::Over { name, .. } => Some((*name).to_owned()),
            _ => None,
        });
        let deadline = given(Quantity::Latency, study.deadline_ms()?);
        Some((over?, format!("share over {deadline}")))
    }

    /// What an advice tells of beside its aim: the usual request, and what else is late.
    pub(super) fn beside(self, study: &Study) -> impl Iterator<Item = (String, String)> {
        let usual = study.scenario.hedging.map(|it| percentile(it.latency, "p50"));
        let others = [Aim::P99, Aim::P999, Aim::Over].into_iter();
        let others = others.filter(move |it| *it != self).filter_map(|it| it.of(study));
        usual.into_iter().chain(others)
    }
}

fn percentile(latency: &str, share: &str) -> (String, String) {
    (format!("{latency}.{share}"), share.to_owned())
}
