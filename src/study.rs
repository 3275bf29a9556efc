//! A study is what a link names: a scenario, its values and a seed. Whatever it shows follows from these.

mod advise;
mod compare;
mod link;
mod measure;
mod output;
mod settled;
mod setup;
mod sweep;

use std::sync::{Arc, OnceLock};

use crate::{
    format::given,
    measured::Measured,
    report::{Figure, Film, Footage, Measure, Quantity, Replay, Sentence, Traffic},
    scenario::{Entry, Exact, Given, Preset, Row, RunSeed, SCENARIOS, Seen},
    schema::Effect,
    sim::{Meter, Outcome, Plan, Running},
    special::round_to_digits,
};

pub use advise::{
    Advice, Aim, Gain, IN_TIME, Inquiry, Trial, asked_of_calls, borne, budget, fan_out_within,
    limits, share_of_calls,
};
pub use compare::{Difference, Side, differences};
pub use link::{Problem, SEED_MAX};
pub use measure::SHARES;
pub use output::{
    advised_csv, advised_json, advised_table, compared_csv, compared_json, compared_table,
    csv_header, csv_row, in_json, json, swept_table, text_table,
};
pub use settled::{Settled, problems_of_run};
pub use setup::Setup;
pub use sweep::{POINTS_MAX, POINTS_MIN, SIDE_MAX, Sweep, SweepAxis, SweepPoint, coarse_first};

#[derive(Clone)]
pub struct Study {
    pub scenario: &'static Entry,
    /// In the order of the scenario's fields, each in its range.
    pub values: Vec<f64>,
    pub seed: u64,
    /// What was measured elsewhere, for scenarios that have a use for it.
    pub data: Option<Arc<Measured>>,
}

impl PartialEq for Study {
    fn eq(&self, other: &Study) -> bool {
        std::ptr::eq(self.scenario, other.scenario)
            && self.values == other.values
            && self.seed == other.seed
            && self.data == other.data
    }
}

/// As its link, which is all there is to it.
impl std::fmt::Debug for Study {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.link())
    }
}

impl Study {
    /// The scenario with its defaults.
    pub fn new(scenario: &'static Entry) -> Study {
        Study { scenario, values: (scenario.defaults)(), seed: 1, data: None }
    }

    pub fn value(&self, key: &str) -> Option<f64> {
        let at = self.scenario.fields.iter().position(|it| it.key == key)?;
        Some(self.values[at])
    }

    /// The same with one value, brought into its range.
    #[must_use]
    pub fn with(&self, key: &str, value: f64) -> Study {
        let mut study = self.clone();
        if let Some(at) = self.scenario.fields.iter().position(|it| it.key == key) {
            study.values[at] = self.scenario.fields[at].kind.clamp(value);
        }
        study
    }

    /// Whether the other differs at most in what is drawn from the same run.
    pub fn same_run(&self, other: &Study) -> bool {
        self.seed == other.seed && self.same_but(other, &[Effect::Drawing])
    }

    /// Whether the other is the same system, watched for longer or from another seed.
    pub fn same_system(&self, other: &Study) -> bool {
        self.same_but(other, &[Effect::Length])
    }

    fn same_but(&self, other: &Study, ignored: &[Effect]) -> bool {
        let fields = self.scenario.fields.iter().enumerate();
        std::ptr::eq(self.scenario, other.scenario)
            && self.data == other.data
            && fields
                .filter(|(_, it)| !ignored.contains(&it.effect))
                .all(|(at, _)| self.values[at] == other.values[at])
    }

    /// Into how many runs it is cut.
    pub fn replications(&self) -> u32 {
        self.scenario.replications
    }

    /// How many requests are measured over all runs.
    pub fn requests(&self) -> u64 {
        (self.scenario.requests)(self.given())
    }

    pub fn start(&self, replication: u32) -> Box<dyn Running> {
        (self.scenario.start)(self.given(), &self.run_seed(replication))
    }

    fn run_seed(&self, replication: u32) -> RunSeed {
        let whole = Plan { requests: self.requests(), sections: self.replications() };
        let before = if replication == 0 { 0 } else { whole.section_end(replication - 1) };
        let plan = Plan {
            requests: whole.section_end(replication) - before,
            sections: self.scenario.sections,
        };
        RunSeed { seed: self.seed, replication, plan }
    }

    pub fn empty_meter(&self) -> Meter {
        self.scenario.meter(0)
    }

    /// Runs one replication to its end.
    pub fn finish_one(&self, replication: u32) -> Meter {
        let mut run = self.start(replication);
        while run.advance(1 << 20) == Outcome::Paused {}
        run.take_meter()
    }

    /// Runs to the end. Workers do the same in slices.
    pub fn finish(&self) -> Meter {
        let mut total = self.empty_meter();
        for replication in 0..self.replications() {
            total.merge(self.finish_one(replication));
        }
        total
    }

    pub fn exact(&self) -> Exact {
        (self.scenario.exact)(self.given())
    }

    /// With the percentiles of all measures worked out, so that they travel with it.
    pub fn exact_in_full(&self) -> Exact {
        let exact = self.exact();
        self.measures(None, &exact);
        exact
    }

    /// Why there are no percentiles, in a sentence: by the settings, or because queues were seen to grow.
    pub fn unstable(&self, meter: Option<&Meter>) -> Option<String> {
        if let Some(reason) = (self.scenario.unstable)(self.given()) {
            return Some(reason);
        }
        let (growth, meter) = self.scenario.growth.zip(meter)?;
        let reason = if growth.has_stopped(meter) {
            "The queues grew until the run was stopped: more work came, copies and all, than the servers could do."
        } else if growth.is_seen(meter) {
            "The queues were still growing when the run ended: the load is too high, copies and all, or the warm-up \
             too short."
        } else {
            return None;
        };
        Some(reason.to_owned())
    }

    /// Every measure, in the order of tables and files.
    pub fn measures(&self, meter: Option<&Meter>, exact: &Exact) -> Vec<Measure> {
        measure::measures(self, meter, exact)
    }

    pub fn sentence(&self, seen: &Seen) -> Sentence {
        (self.scenario.sentence)(self.given(), seen)
    }

    pub fn figures(&self, seen: &Seen) -> Vec<Figure> {
        (self.scenario.figures)(self.given(), seen)
    }

    pub fn notes(&self) -> Vec<String> {
        let mut notes = (self.scenario.notes)(self.given());
        if self.data.is_some() {
            notes.push(
                "Error bars are those of the simulation, which takes the data for the whole truth. That another hour \
                 would have given other data comes on top: where few of the file's answers are slow, that is much \
                 more."
                    .to_owned(),
            );
        }
        notes
    }

    pub fn replay(&self, share: f64) -> Option<Replay> {
        (self.scenario.replay)(self.given(), self.seed, share)
    }

    /// What happened at the servers of its first run for a while.
    pub fn film(&self) -> Option<Film> {
        (self.scenario.film)(self.given(), &self.run_seed(0))
    }

    /// What was on its way between the machines of its first run for a while.
    pub fn traffic(&self) -> Option<Traffic> {
        (self.scenario.traffic)(self.given(), &self.run_seed(0))
    }

    /// Whatever there is to watch.
    pub fn footage(&self) -> Option<Footage> {
        let servers = || self.film().map(Footage::Servers);
        self.traffic().map(Footage::Messages).or_else(servers)
    }

    pub fn deadline_ms(&self) -> Option<f64> {
        (self.scenario.deadline_ms)(self.given())
    }

    /// With measured data in the place of a law, and nothing added to them; none where the scenario has no use for any.
    ///
    /// The deadline becomes the p99 of the data, or the longest that they know: a scale of their own.
    pub fn with_data(&self, data: Arc<Measured>) -> Option<Study> {
        let key = self.scenario.measured?;
        let (late_ms, _) = late_by(&data);
        let study = Study { data: Some(data), ..self.clone() };
        Some(study.changed(&format!("{key}=measured&outlier_rate=0&deadline_ms={late_ms}")))
    }

    /// That the deadline is the one which the data suggest, in a sentence, if it is.
    pub fn deadline_of_data(&self) -> Option<String> {
        let (late_ms, what) = late_by(self.data.as_ref()?);
        let deadline = self.deadline_ms().filter(|it| self.wants_data() && *it == late_ms)?;
        let deadline = given(Quantity::Latency, deadline);
        Some(format!("The deadline goes by the data: a request is late after {deadline}, {what}."))
    }

    /// How long answers may take that the data know of, in milliseconds; for ever where there are none.
    pub fn known_up_to(&self) -> f64 {
        (self.scenario.known_up_to)(self.given())
    }

    fn given(&self) -> Given<'_> {
        Given { values: &self.values, data: self.data.as_ref() }
    }

    /// The study of a preset.
    pub fn of_preset(scenario: &'static Entry, preset: &Preset) -> Study {
        Study::new(scenario).changed(preset.changes)
    }

    /// The study of one row of a preset's table.
    pub fn of_row(scenario: &'static Entry, preset: &Preset, row: &Row) -> Study {
        Study::of_preset(scenario, preset).changed(row.changes)
    }

    /// The preset whose settings these are.
    pub fn preset(&self) -> Option<&'static Preset> {
        self.scenario
            .presets
            .iter()
            .find(|it| self.same_system(&Study::of_preset(self.scenario, it)))
    }

    /// What was published for measures at these settings.
    fn published(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let rows = published_rows().iter().filter(|(study, _)| self.same_system(study));
        rows.filter_map(|(_, row)| Some((row.measure, row.published?)))
    }

    /// The scenario that a key names.
    pub fn scenario_of(key: &str) -> Option<&'static Entry> {
        SCENARIOS.iter().find(|it| it.key == key)
    }
}

/// After how many milliseconds a request is late by measured data, and what of them that is.
fn late_by(data: &Measured) -> (f64, &'static str) {
    let (late_ms, what) = match data.quantile_ms(0.99) {
        Some(late_ms) => (late_ms, "about their p99"),
        None => (data.longest_ms(), "about the longest time that they know"),
    };
    (round_to_digits(late_ms, 2), what)
}

/// Every row of every preset that has a published figure, with its study; opened once.
fn published_rows() -> &'static [(Study, &'static Row)] {
    static ROWS: OnceLock<Vec<(Study, &'static Row)>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let presets = SCENARIOS
            .iter()
            .flat_map(|scenario| scenario.presets.iter().map(move |it| (scenario, it)));
        let rows = presets.flat_map(|(scenario, preset)| {
            let rows = preset.rows.iter().filter(|it| it.published.is_some());
            rows.map(move |row| (Study::of_row(scenario, preset, row), row))
        });
        rows.collect()
    })
}
