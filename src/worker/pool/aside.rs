//! A worker beside those that simulate: for questions that are answered in one go, which no other should wait for.

use std::{cell::RefMut, mem::discriminant};

use wasm_bindgen::JsValue;

use super::{Inner, Pool, Slot, read};
use crate::worker::{Ask, Tell};

/// Started with its first question.
#[derive(Default)]
pub(super) struct Aside {
    pub slot: Option<Slot>,
    /// What is to be answered, one of a kind.
    wanted: Vec<Wanted>,
}

struct Wanted {
    ask: Ask,
    /// Whether the worker has been told.
    asked: bool,
}

/// Which of the workers beside: theory is wanted at once, and must not wait for a film.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Office {
    Scout,
    Theorist,
}

impl Pool {
    /// Asks for an answer in one go, and for none of the same kind that was asked for before.
    pub fn search(&self, ask: Ask) {
        let mut inner = self.0.borrow_mut();
        let office = Office::of(&ask);
        let aside = inner.aside(office);
        let kind = discriminant(&ask);
        let old = aside.wanted.iter().position(|it| discriminant(&it.ask) == kind);
        let asked = old.is_some_and(|it| aside.wanted.remove(it).asked);
        aside.wanted.push(Wanted { ask, asked: false });
        // A search cannot be called off, so its worker is; the other searches begin again.
        if asked && let Some(slot) = aside.slot.take() {
            slot.end();
            aside.wanted.iter_mut().for_each(|it| it.asked = false);
        }
        if aside.slot.is_none() {
            let slot = self.started(&mut inner);
            inner.aside(office).slot = slot;
        }
        inner.aside(office).send();
        if inner.aside(office).slot.is_none() {
            self.lost_aside(inner, office);
        }
    }

    pub(super) fn heard_aside(&self, mut inner: RefMut<Inner>, office: Office, data: &JsValue) {
        let aside = inner.aside(office);
        if data.is_null() {
            if let Some(slot) = &mut aside.slot {
                slot.ready = true;
            }
            return aside.send();
        }
        let Some(tell) = read(data) else { return };
        aside.wanted.retain(|it| !is_answer(&tell, &it.ask));
        drop(inner);
        self.tell(tell);
    }

    pub(super) fn lost_aside(&self, mut inner: RefMut<Inner>, office: Office) {
        let Aside { slot, wanted } = std::mem::take(inner.aside(office));
        drop(inner);
        if let Some(slot) = slot {
            slot.end();
        }
        wanted.into_iter().filter_map(|it| no_answer(it.ask)).for_each(|it| self.tell(it));
    }
}

impl Inner {
    pub(super) fn aside(&mut self, office: Office) -> &mut Aside {
        match office {
            Office::Scout => &mut self.scout,
            Office::Theorist => &mut self.theorist,
        }
    }

    /// Whose worker this is, if it is one of these.
    pub(super) fn office(&self, serial: u32) -> Option<Office> {
        let is = |aside: &Aside| aside.slot.as_ref().is_some_and(|it| it.serial == serial);
        let scout = is(&self.scout).then_some(Office::Scout);
        scout.or_else(|| is(&self.theorist).then_some(Office::Theorist))
    }
}

impl Aside {
    fn send(&mut self) {
        let Some(slot) = self.slot.as_ref().filter(|it| it.ready) else { return };
        for wanted in self.wanted.iter_mut().filter(|it| !it.asked) {
            wanted.asked = true;
            slot.post(&wanted.ask);
        }
    }
}

impl Office {
    fn of(ask: &Ask) -> Office {
        match ask {
            Ask::Exact { .. } | Ask::Bears { .. } => Office::Theorist,
            _ => Office::Scout,
        }
    }
}

/// Whether this is what was asked for.
fn is_answer(tell: &Tell, ask: &Ask) -> bool {
    matches!(
        (tell, ask),
        (Tell::Replayed { .. }, Ask::Replay { .. })
            | (Tell::Filmed { .. }, Ask::Film { .. })
            | (Tell::Exact { .. }, Ask::Exact { .. })
            | (Tell::Bears { .. }, Ask::Bears { .. })
    )
}

/// What is said of a question whose worker is gone.
fn no_answer(ask: Ask) -> Option<Tell> {
    Some(match ask {
        Ask::Replay { job, share, .. } => Tell::Replayed { job, share, replay: None },
        Ask::Film { job, .. } => Tell::Filmed { job, film: None },
        Ask::Exact { serial, .. } => Tell::Exact { serial, exact: None, took_ms: 0.0 },
        Ask::Bears { link, .. } => Tell::Bears { link, most: None },
        Ask::Run { .. } | Ask::Pause | Ask::Resume | Ask::Stop => return None,
    })
}
