//! The worker side: works in slices, so that a newer question is seen at once.

use std::{cell::RefCell, collections::VecDeque, rc::Rc};

use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use web_sys::{
    Blob, DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort, Performance,
};

use super::{Ask, Part, Task, Tell, decode, encode, pause_ms, reading::read};
use crate::{
    sim::{Outcome, Running},
    study::{Study, fan_out_within},
};

/// How long a slice should take, in milliseconds.
const SLICE_MS: f64 = 4.0;
/// When the first part of a question is due after it was asked, so that the page can show it 50 ms after a change.
const FIRST_PART_MS: f64 = 10.0;
/// So long it is put off while there are not so many answers, which a p99 takes: the run warms up.
const FIRST_PART_LAST_MS: f64 = 100.0;
const FIRST_PART_ANSWERS: u64 = 1_000;
/// A first slice is short, whatever the model.
const STEPS_FIRST: u64 = 16;

struct Worker {
    scope: DedicatedWorkerGlobalScope,
    clock: Performance,
    /// Posting here ends the present task and has the next slice called, without the 4 ms that a timer waits.
    wake: MessagePort,
    waking: bool,
    paused: bool,
    /// Questions that are answered in one go.
    searches: VecDeque<Ask>,
    runs: VecDeque<Request>,
    current: Option<Current>,
    pace: Pace,
}

/// What replications of a job have in common.
#[derive(Clone, Copy)]
struct Pace {
    job: u32,
    /// When the first of them was asked for.
    asked_at: f64,
    /// Steps of the last slice.
    steps: u64,
}

struct Request {
    job: u32,
    link: String,
    task: Task,
    asked_at: f64,
}

struct Current {
    request: Request,
    run: Box<dyn Running>,
    /// When the next part is due.
    due_at: f64,
}

/// Serves the page that started this worker, until it ends it.
pub fn serve(scope: DedicatedWorkerGlobalScope) {
    std::panic::set_hook(Box::new(|it| web_sys::console::error_1(&it.to_string().into())));
    let (Some(clock), Ok(channel)) = (scope.performance(), MessageChannel::new()) else { return };
    let worker = Rc::new(RefCell::new(Worker {
        scope: scope.clone(),
        clock,
        wake: channel.port2(),
        waking: false,
        paused: false,
        searches: VecDeque::new(),
        runs: VecDeque::new(),
        current: None,
        pace: Pace { job: 0, asked_at: 0.0, steps: STEPS_FIRST },
    }));
    let slice = Rc::clone(&worker);
    let on_wake = Closure::<dyn FnMut()>::new(move || slice.borrow_mut().slice());
    channel.port1().set_onmessage(Some(on_wake.as_ref().unchecked_ref()));
    on_wake.forget();
    let on_ask = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let data = event.data();
        if let Some(named) = data.dyn_ref::<Array>() {
            return worker.borrow().read(named);
        }
        let bytes = Uint8Array::new(&data).to_vec();
        if let Some(ask) = decode(&bytes) {
            worker.borrow_mut().take(ask);
        }
    });
    scope.set_onmessage(Some(on_ask.as_ref().unchecked_ref()));
    on_ask.forget();
    // An empty message says that this worker is ready.
    let _ = scope.post_message(&JsValue::NULL);
}

impl Worker {
    fn take(&mut self, ask: Ask) {
        match ask {
            Ask::Run { job, link, task } => {
                let asked_at = self.clock.now();
                self.runs.push_back(Request { job, link, task, asked_at });
            }
            Ask::Replay { .. } | Ask::Film { .. } | Ask::Exact { .. } | Ask::Bears { .. } => {
                self.searches.push_back(ask);
            }
            Ask::Pause => self.paused = true,
            Ask::Resume => self.paused = false,
            Ask::Stop => {
                self.runs.clear();
                self.current = None;
            }
        }
        self.wake();
    }

    /// Reads a file, which comes with its number, in one go: this worker was started for it.
    fn read(&self, named: &Array) {
        let file = named.get(0).as_f64().unwrap_or_default() as u32;
        if let Ok(blob) = named.get(1).dyn_into::<Blob>() {
            let read = read(&blob, |taken| self.tell(&Tell::Reading { file, taken }));
            self.tell(&Tell::Read { file, read });
        }
    }

    fn wake(&mut self) {
        let idle = self.searches.is_empty() && self.runs.is_empty() && self.current.is_none();
        if !self.waking && !self.paused && !idle {
            self.waking = self.wake.post_message(&JsValue::NULL).is_ok();
        }
    }

    /// One turn of work; then whatever the page said meanwhile is heard.
    fn slice(&mut self) {
        self.waking = false;
        if self.paused {
            return;
        }
        if let Some(ask) = self.searches.pop_front() {
            self.search(ask);
        } else if let Some(current) = self.current.take().or_else(|| self.start()) {
            self.current = self.advance(current);
        }
        self.wake();
    }

    fn search(&self, ask: Ask) {
        match ask {
            Ask::Replay { job, link, share } => {
                let replay = Study::open(&link).0.replay(share);
                self.tell(&Tell::Replayed { job, share, replay });
            }
            Ask::Film { job, link } => {
                let film = Study::open(&link).0.footage();
                self.tell(&Tell::Filmed { job, film });
            }
            Ask::Exact { serial, link } => {
                let start = self.clock.now();
                let exact = Some(Study::open(&link).0.exact_in_full());
                self.tell(&Tell::Exact { serial, exact, took_ms: self.clock.now() - start });
            }
            Ask::Bears { link, share } => {
                let most = fan_out_within(&Study::open(&link).0, share);
                self.tell(&Tell::Bears { link, most });
            }
            Ask::Run { .. } | Ask::Pause | Ask::Resume | Ask::Stop => {}
        }
    }

    fn start(&mut self) -> Option<Current> {
        let request = self.runs.pop_front()?;
        let run = Study::open(&request.link).0.start(request.task.replication);
        let now = self.clock.now();
        let due_at = if self.pace.job == request.job {
            now + pause_ms(now - self.pace.asked_at)
        } else {
            self.pace = Pace { job: request.job, asked_at: request.asked_at, steps: STEPS_FIRST };
            request.asked_at + FIRST_PART_MS
        };
        Some(Current { request, run, due_at })
    }

    /// Nothing, once the replication is finished.
    fn advance(&mut self, mut current: Current) -> Option<Current> {
        let start = self.clock.now();
        let done = current.run.advance(self.pace.steps) == Outcome::Finished;
        let now = self.clock.now();
        let asked_ms = now - self.pace.asked_at;
        let waits = asked_ms < FIRST_PART_LAST_MS && current.run.answers() < FIRST_PART_ANSWERS;
        if done || (current.due_at <= now && !waits) {
            self.tell(&Tell::Part(Part {
                job: current.request.job,
                task: current.request.task,
                meter: current.run.take_meter(),
                done,
            }));
            current.due_at = now + pause_ms(asked_ms);
        }
        self.pace.steps = paced(self.pace.steps, now - start);
        (!done).then_some(current)
    }

    fn tell(&self, tell: &Tell) {
        let bytes = Uint8Array::from(encode(tell).as_slice());
        let buffer = bytes.buffer();
        // Moved, not copied.
        let _ = self.scope.post_message_with_transfer(&bytes, &Array::of1(&buffer));
    }
}

/// The steps of the next slice, given how long the last one took.
fn paced(steps: u64, took_ms: f64) -> u64 {
    if took_ms < SLICE_MS / 2.0 {
        (steps * 2).min(1 << 24)
    } else if SLICE_MS * 1.5 < took_ms {
        (steps / 2).max(1)
    } else {
        steps
    }
}
