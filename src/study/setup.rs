//! A whole link: a study, the one that it is held against, what it is swept over, and what an embedding leaves out.
//!
//! `fan-out&hedge=after&a.hedge=off&sweep=hedge_ms:10..500:16:log&hide=seed`: settings that begin with `a.` are those
//! in which the pinned study A differs from the study itself; `a=same` pins one that does not. `show=p99,extra` says
//! which percentiles, and which measure below them, a figure of the sweep shows.

use std::sync::Arc;

use super::{POINTS_MAX, Problem, SIDE_MAX, Study, Sweep, SweepAxis};
use crate::{measured::Measured, scenario::Gauge, special::sorted_by};

#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    pub study: Study,
    /// A, of the same scenario.
    pub pinned: Option<Study>,
    pub sweep: Option<Sweep>,
    /// What a figure of the sweep shows: percentiles of the first latency, and a measure; nothing said is the usual.
    pub shown: Vec<&'static str>,
    /// The keys of controls that are not shown.
    pub hidden: Vec<&'static str>,
    /// Whether the page stands in another.
    pub embedded: bool,
}

/// Before the settings of A.
const OF_A: &str = "a.";

impl Setup {
    pub fn new(study: Study) -> Setup {
        Setup {
            study,
            pinned: None,
            sweep: None,
            shown: Vec::new(),
            hidden: Vec::new(),
            embedded: false,
        }
    }

    /// Never fails: what of the link could not be used is said.
    pub fn open(link: &str) -> (Setup, Vec<Problem>) {
        Setup::open_with(link, None)
    }

    /// The same with measured data, unless the link has its own.
    pub fn open_with(link: &str, data: Option<Arc<Measured>>) -> (Setup, Vec<Problem>) {
        let link = link.trim().trim_start_matches('#');
        let is_own = |part: &&str| {
            let key = part.split('=').next().unwrap_or_default();
            !(key.starts_with(OF_A) || matches!(key, "a" | "sweep" | "show" | "hide" | "embed"))
        };
        let (own, others): (Vec<&str>, Vec<&str>) = link.split('&').partition(is_own);
        // Data before what needs them.
        let others = sorted_by(others, |it| f64::from(!it.starts_with("a.data=")));
        let (study, mut problems) = Study::open_with(&own.join("&"), data);
        let mut setup = Setup::new(study);
        let mut seen = Vec::new();
        for part in others.into_iter().take(OTHERS_MAX) {
            let (key, text) = part.split_once('=').unwrap_or((part, ""));
            if seen.contains(&key) {
                let text = "is there more than once: the last that can be read is used.".to_owned();
                problems.push(Problem { key: super::link::shorten(key), text });
            }
            seen.push(key);
            if let Err(why) = setup.set(key, text) {
                problems.push(Problem { key: super::link::shorten(part), text: why });
            }
        }
        problems.truncate(super::link::PROBLEMS_MAX);
        (setup, problems)
    }

    /// Pins a study as A, known to somebody by this name; or says why it cannot be.
    pub fn hold_against(&mut self, first: Study, name: &str) -> Option<Problem> {
        if std::ptr::eq(first.scenario, self.study.scenario) {
            self.pinned = Some(first);
            return None;
        }
        let text = format!("is not compared: it is no study of {}.", self.study.scenario.title);
        Some(Problem { key: name.to_owned(), text })
    }

    fn set(&mut self, key: &str, text: &str) -> Result<(), String> {
        match key {
            "sweep" => {
                let (sweep, mended) = self.read_sweep(text)?;
                self.sweep = Some(sweep);
                if mended.is_empty() { Ok(()) } else { Err(mended.join("; ") + ".") }
            }
            "show" => self.show(text),
            "hide" => self.hide(text),
            "embed" => {
                self.embedded = text != "off";
                Ok(())
            }
            _ => {
                let pinned = self.pinned.get_or_insert_with(|| self.study.clone());
                match key.strip_prefix(OF_A) {
                    Some(key) => pinned.set(key, &super::link::unescape(text)),
                    None => Ok(()),
                }
            }
        }
    }

    fn show(&mut self, text: &str) -> Result<(), String> {
        let measures = self.study.scenario.gauges.iter().filter_map(Gauge::of_no_latency);
        let known: Vec<&'static str> =
            super::SHARES.iter().map(|it| it.0).chain(measures.map(|it| it.0)).collect();
        let mut strange = None;
        for name in text.split(',').filter(|it| !it.is_empty()) {
            match known.iter().find(|it| **it == name) {
                Some(it) if !self.shown.contains(it) => self.shown.push(it),
                Some(_) => {}
                None => strange = Some(super::link::shorten(name)),
            }
        }
        strange.map_or(Ok(()), |it| Err(format!("shows nothing by the name of {it}.")))
    }

    fn hide(&mut self, text: &str) -> Result<(), String> {
        let fields = self.study.scenario.fields;
        let mut strange = Vec::new();
        for key in text.split(',').filter(|it| !it.is_empty()) {
            match fields.iter().find(|it| it.key == key) {
                Some(field) if !self.hidden.contains(&field.key) => self.hidden.push(field.key),
                Some(_) => {}
                None => strange.push(super::link::shorten(key)),
            }
        }
        match strange.first() {
            None => Ok(()),
            Some(key) => Err(format!("hides nothing by the name of {key}.")),
        }
    }

    /// `load:0.1..0.9:16:linear`, or two of them with a comma between; and what of it was mended.
    fn read_sweep(&self, text: &str) -> Result<(Sweep, Vec<String>), String> {
        let text = super::link::unescape(text);
        let mut parts = text.splitn(3, ',');
        let (across, up) = (parts.next().unwrap_or_default(), parts.next());
        let most = if up.is_some() { SIDE_MAX } else { POINTS_MAX };
        let axis = |text: &str| {
            let (key, range) = text.split_once(':').unwrap_or((text, ""));
            let field = self.study.scenario.fields.iter().find(|it| it.key == key.trim());
            let field = field.ok_or_else(|| {
                format!("is not swept: {} has no such setting.", self.study.scenario.title)
            })?;
            SweepAxis::parse(field, range, most)
        };
        let (across, mut mended) = axis(across)?;
        let Some(up) = up else { return Ok((Sweep { across, up: None }, mended)) };
        let (up, more) = axis(up)?;
        if up.key == across.key {
            return Err("is swept over the same setting twice.".to_owned());
        }
        mended.extend(more);
        if parts.next().is_some() {
            mended.push("is swept over two settings, the most".to_owned());
        }
        Ok((Sweep { across, up: Some(up) }, mended))
    }

    pub fn link(&self) -> String {
        let mut parts = vec![self.study.link()];
        if let Some(pinned) = &self.pinned {
            let unlike = pinned.parts_unlike(&self.study);
            if unlike.is_empty() {
                parts.push("a=same".to_owned());
            }
            parts.extend(unlike.iter().map(|(key, text)| format!("{OF_A}{key}={text}")));
        }
        if let Some(sweep) = &self.sweep {
            let axes = [Some(&sweep.across), sweep.up.as_ref()].into_iter().flatten();
            let axes = axes.filter_map(|axis| {
                let field = self.study.scenario.fields.iter().find(|it| it.key == axis.key)?;
                Some(format!("{}:{}", axis.key, axis.print(field)))
            });
            parts.push(format!("sweep={}", axes.collect::<Vec<_>>().join(",")));
        }
        if !self.shown.is_empty() {
            parts.push(format!("show={}", self.shown.join(",")));
        }
        if !self.hidden.is_empty() {
            parts.push(format!("hide={}", self.hidden.join(",")));
        }
        if self.embedded {
            parts.push("embed=on".to_owned());
        }
        parts.join("&")
    }
}

impl Problem {
    /// What was wrong with the link of a study that is pinned as A.
    #[must_use]
    pub fn of_a(self) -> Problem {
        Problem { key: format!("{OF_A}{}", self.key), ..self }
    }
}

/// More parts than this belong to no link of ours.
const OTHERS_MAX: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setup_comes_back_from_its_link() {
        for link in [
            "fan-out",
            "fan-out&fan_out=200&a=same",
            "fan-out&hedge=after&a.hedge=off&a.seed=3",
            "replicas&load=0.5&seed=2&a.seed=1&sweep=load:0.1..0.9:16:linear",
            "replicas&sweep=load:0.1..0.9:16:linear,delay_ms:1..100:8:log&show=p99,p90,utilisation&hide=load&embed=on",
        ] {
            let (setup, problems) = Setup::open(link);
            assert!(problems.is_empty(), "{link}: {problems:?}");
            assert_eq!(setup.link(), link);
        }
    }

    #[test]
    fn what_cannot_be_used_is_said_and_the_rest_holds() {
        let link =
            "fan-out&fan_out=7&a.fan_out=x&a.nothing=1&sweep=hedge&hide=fan_out,none&a.hedge=after";
        let (setup, problems) = Setup::open(link);
        assert_eq!(problems.len(), 4, "{problems:?}");
        assert_eq!(setup.link(), "fan-out&fan_out=7&a.hedge=after&hide=fan_out");
    }

    #[test]
    fn what_of_a_sweep_is_mended_is_said_and_done() {
        for (sweep, link, said) in [
            ("fan_out:100..1:0", "fan_out:1..100:5:log", &["turned round", "5 points"][..]),
            ("fan_out:1..9:99,load_ms:1..2", "", &["is not swept: Fan-out has no such setting."]),
            (
                "fan_out:1..100:99,hedge_ms:500..10:9,seed",
                "fan_out:1..100:24:log,hedge_ms:10..500:9:log",
                &["24 points, the most", "from 10\u{202f}ms to 500\u{202f}ms", "two settings"],
            ),
        ] {
            let (setup, problems) = Setup::open(&format!("fan-out&sweep={sweep}"));
            let [problem] = &problems[..] else { panic!("{sweep}: {problems:?}") };
            for words in said {
                assert!(problem.text.contains(words), "{sweep}: {}", problem.text);
            }
            let swept = setup.link().split_once("&sweep=").map(|it| it.1.to_owned());
            assert_eq!(swept.unwrap_or_default(), link, "{sweep}");
        }
    }

    #[test]
    fn any_text_opens() {
        let mut rng = crate::sim::Rng::stream(5, 0, 0);
        let words = [
            "fan-out", "&", "=", "a.", "a", "sweep", "hide", ":", "..", ",", "load", "1", "%", "é",
            "embed", "show",
        ];
        for _ in 0..20_000 {
            let count = rng.below(12);
            let text: String = (0..count).map(|_| words[rng.below(16) as usize]).collect();
            let (setup, _) = Setup::open(&text);
            let (again, problems) = Setup::open(&setup.link());
            assert!(problems.is_empty(), "{text}: {problems:?}");
            assert_eq!(again, setup, "{text}");
        }
    }
}
