//! Draws requests one by one, each at a random moment.

use super::{Bursts, BurstsParams, HITS, MOMENTS, REQUEST_LATENCY, REQUESTS};
use crate::{
    scenario::{RunSeed, Scenario, latencies},
    sim::{Draw, Draws, Duration, Meter, Raster, Rng},
    special::normal_quantile_of_tail,
    theory::Pause,
};

/// One replication.
///
/// The servers of a request are any of very many, so that apart their bursts are independent from request to request.
pub(super) struct Model {
    fan_out: u32,
    typical_ms: f64,
    spread: f64,
    pause: Pause,
    synchronised: bool,
    window: Window,
    raster: Raster,
    answers: Rng,
    moments: Rng,
    bursts: Rng,
}

/// The stretch of the cycle around a piece of work that the figure over time shows, in equal steps.
#[derive(Clone, Copy)]
#[allow(clippy::struct_field_names, reason = "the unit belongs to the name")]
pub(super) struct Window {
    cycle_ms: f64,
    /// Before the piece begins.
    pub lead_ms: f64,
    pub width_ms: f64,
}

/// What a request came to.
#[derive(Clone, Copy)]
pub(super) struct Drawn {
    /// When it was sent, counted from the start of a piece.
    pub(super) since_ms: f64,
    pub(super) latency_ms: f64,
    /// Whether it met a burst.
    pub(super) hit: bool,
}

/// Sees what a request is made of. Runs are watched by nobody, which costs nothing.
pub(super) trait Watch {
    /// So many calls waited for a burst that holds them all, or for none; the slowest of them took so long after that.
    fn slowest(&mut self, _of: u32, _wait_ms: f64, _answer_ms: f64) {}
}

impl Watch for () {}

/// Steps of the window.
pub(super) const STEPS: usize = 30;

pub(super) fn start(params: &BurstsParams, run: &RunSeed) -> Draws<Model> {
    let meter = Meter::new(latencies(Bursts::GAUGES), Bursts::COUNTS, run.replication);
    Draws::new(Model::new(params, run), meter, run.plan)
}

impl Model {
    pub(super) fn new(params: &BurstsParams, run: &RunSeed) -> Model {
        let stream = |purpose| Rng::stream(run.seed, run.replication, purpose);
        Model {
            fan_out: params.fan_out,
            typical_ms: params.typical_ms,
            spread: params.spread,
            pause: params.pause(),
            synchronised: params.synchronised,
            window: Window::of(params),
            raster: params.raster(),
            answers: stream(0),
            moments: stream(1),
            bursts: stream(2),
        }
    }
}

impl Window {
    /// The piece in the middle third, if the cycle is long enough.
    pub(super) fn of(params: &BurstsParams) -> Window {
        let (cycle_ms, length_ms) = (params.cycle_ms(), params.pause().length_ms);
        let length_ms = if length_ms == 0.0 { cycle_ms } else { length_ms };
        let lead_ms = length_ms.min(0.5 * (cycle_ms - length_ms));
        Window { cycle_ms, lead_ms, width_ms: length_ms + 2.0 * lead_ms }
    }

    pub(super) fn step_ms(self) -> f64 {
        self.width_ms / STEPS as f64
    }

    /// The step that a moment lies in, counted from the start of a piece.
    fn step(self, since_ms: f64) -> Option<usize> {
        let moved = since_ms + self.lead_ms;
        let at = if self.cycle_ms <= moved { moved - self.cycle_ms } else { moved };
        (at < self.width_ms).then(|| ((at / self.step_ms()) as usize).min(STEPS - 1))
    }
}

impl Model {
    /// The slowest of so many answers: an answer is drawn by inversion, and the slowest of n is late when a uniform
    /// number exceeds the n-th power of what one answer's would have to exceed.
    fn slowest(&mut self, of: u32) -> f64 {
        if of == 0 {
            return 0.0;
        }
        let tail = -libm::expm1(libm::log(self.answers.unit()) / f64::from(of));
        self.typical_ms * libm::exp(self.spread * normal_quantile_of_tail(tail))
    }

    /// All servers are in the same place of the cycle.
    fn together(&mut self, since_ms: f64, watch: &mut impl Watch) -> (f64, bool) {
        let wait = (self.pause.length_ms - since_ms).max(0.0);
        let slowest = self.slowest(self.fan_out);
        watch.slowest(self.fan_out, wait, slowest);
        (wait + slowest, 0.0 < wait)
    }

    /// Each server is in a place of its own.
    fn apart(&mut self, watch: &mut impl Watch) -> (f64, bool) {
        let held = self.bursts.binomial(self.fan_out, self.pause.busy);
        let mut slowest = self.slowest(self.fan_out - held);
        watch.slowest(self.fan_out - held, 0.0, slowest);
        for _ in 0..held {
            let wait = self.pause.length_ms * self.bursts.unit();
            let answer = self.slowest(1);
            watch.slowest(1, wait, answer);
            slowest = slowest.max(wait + answer);
        }
        (slowest, 0 < held)
    }

    pub(super) fn request(&mut self, watch: &mut impl Watch) -> Drawn {
        let since_ms = self.window.cycle_ms * self.moments.unit();
        let (latency_ms, hit) =
            if self.synchronised { self.together(since_ms, watch) } else { self.apart(watch) };
        Drawn { since_ms, latency_ms, hit }
    }
}

impl Draw for Model {
    fn draw(&mut self, meter: &mut Meter) {
        let Drawn { since_ms, latency_ms, hit } = self.request(&mut ());
        let latency = Duration::from_ms(latency_ms);
        meter.record(REQUEST_LATENCY, latency);
        meter.count(REQUESTS, 1);
        meter.count(HITS, u64::from(hit));
        if let Some(step) = self.window.step(since_ms) {
            meter.count(MOMENTS + 2 * step, 1);
            meter.count(MOMENTS + 2 * step + 1, latency.as_ns() / 1_000);
            self.raster.record(meter, step, latency);
        }
    }
}
