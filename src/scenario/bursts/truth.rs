//! The exact laws of bursts.

use std::rc::Rc;

use super::BurstsParams;
use crate::{
    scenario::{Exact, named},
    theory::{Law, Least, LogNormal, Paused, Sum, Table, Traced, any_slow},
};

/// The name of the law of the same request with the other arrangement: apart if this is together.
pub(super) const COUNTERPART: &str = "counterpart";
/// The name of the law of the same request without background work.
pub(super) const QUIET: &str = "quiet";

pub(super) fn exact(params: &BurstsParams) -> Exact {
    let pause = params.pause();
    let other = BurstsParams { synchronised: !params.synchronised, ..params.clone() };
    let quiet = BurstsParams { burst_ms: 0.0, ..params.clone() };
    let (law, mean) = request(params);
    let (quiet_law, quiet_mean) = request(&quiet);
    Exact {
        values: named([
            ("hit", hit(params, params.fan_out)),
            ("over", law.beyond(params.deadline_ms)),
            ("request.mean", mean),
            (QUIET, quiet_mean),
        ]),
        laws: named([("request", law), (COUNTERPART, request(&other).0), (QUIET, quiet_law)]),
        curves: if params.synchronised {
            named([(MOMENTS, by_moment(params, quiet_mean, pause.length_ms))])
        } else {
            named([(MOMENTS, flat(params, mean))])
        },
    }
}

/// The name of the curve of the mean latency by the moment of sending, counted from the start of a piece.
pub(super) const MOMENTS: &str = "moments";

/// The share of requests that meet a burst at one or more of so many leaves.
pub(super) fn hit(params: &BurstsParams, fan_out: u32) -> f64 {
    let busy = params.pause().busy;
    if params.synchronised { busy } else { any_slow(busy, fan_out) }
}

fn request(params: &BurstsParams) -> (Traced<Rc<dyn Law>>, f64) {
    let (of, pause) = (params.fan_out, params.pause());
    let ordinary = LogNormal { median: params.typical_ms, sigma: params.spread };
    if params.synchronised && 0.0 < pause.busy {
        // One wait for all, then the slowest.
        let slowest = Table::of(&Least { law: ordinary, needed: of, of }, 1.0 / 256.0, 0.3);
        let mean = pause.mean() + slowest.mean().unwrap_or(f64::INFINITY);
        return (Traced::new(Rc::new(Sum::new(&slowest, pause))), mean);
    }
    let law = Least { law: Paused { ordinary, pause }, needed: of, of };
    let mean = Table::of(&law, 1.0 / 256.0, 0.3).mean().unwrap_or(f64::INFINITY);
    (Traced::new(Rc::new(law)), mean)
}

/// Together: what is left of the piece, then the slowest answer.
fn by_moment(params: &BurstsParams, quiet_mean: f64, length_ms: f64) -> Vec<(f64, f64)> {
    let window = super::model::Window::of(params);
    let end = window.width_ms - window.lead_ms;
    // A straight line is none on a log axis.
    let steps = 64;
    let passed = (0..=steps).map(|it| f64::from(it) / f64::from(steps) * length_ms);
    let during = passed.map(|it| (it, quiet_mean + length_ms - it));
    let before = [(-window.lead_ms, quiet_mean), (0.0, quiet_mean)];
    before.into_iter().chain(during).chain([(end, quiet_mean)]).collect()
}

/// Apart: a request meets the same at any moment.
fn flat(params: &BurstsParams, mean: f64) -> Vec<(f64, f64)> {
    let window = super::model::Window::of(params);
    vec![(-window.lead_ms, mean), (window.width_ms - window.lead_ms, mean)]
}
