//! Whether a run was warmed up for long enough: how its sections begin against how they go on.

use super::Meter;
use crate::special::student_t;

/// The mean of a latency in the first section of every run, against the later half.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settling {
    pub first_ms: f64,
    pub later_ms: f64,
    /// The 99 % interval of the first over the later mean.
    pub low: f64,
    pub high: f64,
}

impl Settling {
    /// Whether the difference is more than chance would make.
    pub fn has_trend(&self) -> bool {
        !(self.low..=self.high).contains(&1.0)
    }
}

/// With fewer runs their spread says too little.
const RUNS_MIN: usize = 3;
/// Of sections of a run.
const SECTIONS_MIN: u32 = 4;

impl Meter {
    /// Nothing until every one of so many runs is in with all of its sections.
    ///
    /// Runs know nothing of each other, so that they are what the interval is made from. Logarithms of the sections'
    /// means are compared, since the means themselves are skewed, and like with like: the first section of each run
    /// with the average of those in the later half. When nothing has a trend all sections are alike, so that the spread
    /// over runs is pooled, of single sections over the sections and of halves over the halves; degrees of freedom by
    /// Satterthwaite (Biometrics Bulletin 2, 1946). What a section knows of a later one of its run only narrows the
    /// difference, so that the interval is rather too wide than too narrow.
    pub fn settling(&self, latency: usize, runs: u32, sections: u32) -> Option<Settling> {
        if sections < SECTIONS_MIN || (runs as usize) < RUNS_MIN {
            return None;
        }
        let mut logs = vec![Vec::new(); runs as usize];
        let (mut first, mut later) = ((0.0, 0.0), (0.0, 0.0));
        for ((run, section), it) in self.keyed_sections() {
            let (sum, count) = it.total(latency);
            logs.get_mut(run as usize)?.push(libm::log(sum / count));
            let of = if section == 0 { &mut first } else { &mut later };
            if section == 0 || sections / 2 <= section {
                *of = (of.0 + sum, of.1 + count);
            }
        }
        let whole =
            |it: &Vec<f64>| it.len() == sections as usize && it.iter().all(|it| it.is_finite());
        if !logs.iter().all(whole) {
            return None;
        }
        let half = (sections / 2) as usize;
        let column = |at: usize| logs.iter().map(|it| it[at]).collect::<Vec<f64>>();
        let halves = [0..half, half..sections as usize]
            .map(|range| logs.iter().map(|it| mean(&it[range.clone()])).collect::<Vec<f64>>());
        let single =
            mean(&(0..sections as usize).map(|it| variance(&column(it))).collect::<Vec<f64>>());
        let joined = mean(&halves.each_ref().map(|it| variance(it)));
        let less_one = f64::from(runs - 1);
        let degrees = (single + joined) * (single + joined)
            / (single * single / (f64::from(sections) * less_one)
                + joined * joined / (2.0 * less_one));
        let difference = mean(&column(0)) - mean(&halves[1]);
        let error = ((single + joined) / f64::from(runs)).sqrt();
        let margin = if 0.0 < error { student_t(0.01, degrees as u32) * error } else { 0.0 };
        Some(Settling {
            first_ms: 1e-6 * first.0 / first.1,
            later_ms: 1e-6 * later.0 / later.1,
            low: libm::exp(difference - margin),
            high: libm::exp(difference + margin),
        })
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|it| (it - mean) * (it - mean)).sum::<f64>() / (values.len() - 1) as f64
}
