//! The page side: as many workers as there are cores to spare, one question at a time.

use std::{cell::RefCell, rc::Rc};

use gloo_timers::callback::Interval;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure, prelude::wasm_bindgen};
use web_sys::{
    Blob, BlobPropertyBag, ErrorEvent, Event, MessageEvent, Url, Worker, WorkerOptions, WorkerType,
};

use super::{Ask, Part, Tell, decode, encode};

/// What the pool is to work on.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub job: u32,
    pub link: String,
    pub replications: u32,
}

/// Workers that run this same, already compiled, module.
#[derive(Clone)]
pub struct Pool(Rc<RefCell<Inner>>);

struct Inner {
    slots: Vec<Slot>,
    /// The address of `LOADER`, and of the script that it imports.
    loader: String,
    glue: String,
    question: Option<Question>,
    /// The next replication that nobody was asked for.
    next: u32,
    replay: Option<(u32, String, f64)>,
    paused: bool,
    /// Workers started so far, so that a message of one that was replaced is told from its successor's.
    started: u32,
    /// Workers in a row that were lost before they were ready.
    stillborn: u32,
    tell: Rc<dyn Fn(Tell)>,
}

struct Slot {
    serial: u32,
    worker: Worker,
    ready: bool,
    /// Replications that it was asked for and has not finished.
    running: Vec<u32>,
    replaying: bool,
    /// Looks of the watch since it said something while it had work.
    silent: u32,
    on_message: Closure<dyn FnMut(MessageEvent)>,
    on_error: Closure<dyn FnMut(Event)>,
}

#[wasm_bindgen]
extern "C" {
    /// Where the script lies that belongs to this module, whatever its name and the site's path.
    #[wasm_bindgen(thread_local_v2, js_namespace = ["import", "meta"], js_name = url)]
    static GLUE_URL: String;
}

/// What a worker runs at first: it takes the address of the script and the compiled module, so that it neither
/// fetches nor compiles anything.
const LOADER: &str = "onmessage = async (event) => {
  onmessage = null;
  const [script, compiled] = event.data;
  try {
    const glue = await import(script);
    await glue.default({ module_or_path: compiled });
  } catch (problem) {
    // Outside of the promise, so that the page hears of it as an error.
    setTimeout(() => { throw problem; });
  }
};";

/// Whether a worker still does something is looked at this often; parts come ten times as often.
const WATCH_MS: u32 = 2_000;
/// After so many looks a silent worker is given up.
const SILENT_MAX: u32 = 5;
/// After so many workers that did not even start, no more are tried.
const STILLBORN_MAX: u32 = 3;

impl Pool {
    /// What workers say is handed to `tell` as it comes.
    pub fn new(workers: u32, tell: Rc<dyn Fn(Tell)>) -> Pool {
        let pool = Pool(Rc::new(RefCell::new(Inner {
            slots: Vec::new(),
            loader: loader().unwrap_or_default(),
            glue: GLUE_URL.with(Clone::clone),
            question: None,
            next: 0,
            replay: None,
            paused: false,
            started: 0,
            stillborn: 0,
            tell,
        })));
        pool.set_workers(workers);
        let watched = Rc::downgrade(&pool.0);
        let watch = Interval::new(WATCH_MS, move || {
            if let Some(pool) = watched.upgrade() {
                Pool(pool).watch();
            }
        });
        // The page has one pool, as long as it lives.
        watch.forget();
        pool
    }

    pub fn workers(&self) -> usize {
        self.0.borrow().slots.len()
    }

    /// Starts over with another number of workers. What was asked has to be asked again.
    pub fn set_workers(&self, workers: u32) {
        let mut inner = self.0.borrow_mut();
        inner.slots.iter().for_each(|it| it.worker.terminate());
        inner.slots.clear();
        inner.question = None;
        inner.stillborn = 0;
        for _ in 0..workers {
            if let Some(slot) = self.started(&mut inner) {
                inner.slots.push(slot);
            }
        }
    }

    /// Works on this question from now on, and on no other.
    pub fn ask(&self, question: Option<Question>) {
        let mut inner = self.0.borrow_mut();
        for slot in &mut inner.slots {
            if !slot.running.is_empty() {
                slot.running.clear();
                slot.post(&Ask::Stop);
            }
        }
        inner.question = question;
        inner.next = 0;
        inner.hand_out();
        let nobody = inner.slots.is_empty();
        let failed = inner.question.take_if(|_| nobody);
        drop(inner);
        if let Some(Question { job, .. }) = failed {
            self.tell(Tell::Failed { job, reason: "No worker could be started.".to_owned() });
        }
    }

    /// Finds a request at a percentile of a link.
    pub fn replay(&self, job: u32, link: String, share: f64) {
        let mut inner = self.0.borrow_mut();
        inner.replay = Some((job, link, share));
        inner.hand_out();
    }

    pub fn pause(&self, paused: bool) {
        let mut inner = self.0.borrow_mut();
        inner.paused = paused;
        let ask = if paused { Ask::Pause } else { Ask::Resume };
        inner.slots.iter().filter(|it| it.ready).for_each(|it| it.post(&ask));
    }

    /// Ends a worker as a crash would.
    pub fn kill(&self, worker: usize) {
        let serial = self.0.borrow().slots.get(worker).map(|it| it.serial);
        if let Some(serial) = serial {
            self.lost(serial, "It was ended.");
        }
    }

    fn tell(&self, tell: Tell) {
        // Not while the pool is borrowed: whoever listens may ask something new.
        let listener = Rc::clone(&self.0.borrow().tell);
        listener(tell);
    }

    fn started(&self, inner: &mut Inner) -> Option<Slot> {
        inner.started += 1;
        let serial = inner.started;
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(&inner.loader, &options).ok()?;
        let pool = Rc::downgrade(&self.0);
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(pool) = pool.upgrade() {
                Pool(pool).heard(serial, &event.data());
            }
        });
        let pool = Rc::downgrade(&self.0);
        let on_error = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            // It is dealt with here, so it is no error of the page.
            event.prevent_default();
            let reason = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message);
            if let Some(pool) = pool.upgrade() {
                Pool(pool).lost(serial, &reason.unwrap_or_default());
            }
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        worker.set_onmessageerror(Some(on_error.as_ref().unchecked_ref()));
        let first = Array::of2(&JsValue::from_str(&inner.glue), &wasm_bindgen::module());
        worker.post_message(&first).ok()?;
        Some(Slot {
            serial,
            worker,
            ready: false,
            running: Vec::new(),
            replaying: false,
            silent: 0,
            on_message,
            on_error,
        })
    }

    fn heard(&self, serial: u32, data: &JsValue) {
        let mut inner = self.0.borrow_mut();
        let Some(at) = inner.slots.iter().position(|it| it.serial == serial) else { return };
        if data.is_null() {
            inner.stillborn = 0;
            inner.slots[at].ready = true;
            if inner.paused {
                inner.slots[at].post(&Ask::Pause);
            }
            inner.hand_out();
            return;
        }
        inner.slots[at].silent = 0;
        let Some(tell) = decode::<Tell>(&Uint8Array::new(data).to_vec()) else { return };
        match &tell {
            Tell::Part(Part { job, replication, done, .. }) => {
                // A part of what nobody waits for any more.
                if inner.question.as_ref().is_none_or(|it| it.job != *job) {
                    return;
                }
                if *done {
                    inner.slots[at].running.retain(|it| it != replication);
                    inner.hand_out();
                }
            }
            Tell::Replayed { .. } => {
                inner.slots[at].replaying = false;
                inner.hand_out();
            }
            Tell::Failed { .. } => {}
        }
        drop(inner);
        self.tell(tell);
    }

    /// Replaces a worker. What it was working on is lost, and with it the question.
    fn lost(&self, serial: u32, reason: &str) {
        let mut inner = self.0.borrow_mut();
        let Some(at) = inner.slots.iter().position(|it| it.serial == serial) else { return };
        let slot = inner.slots.remove(at);
        slot.worker.terminate();
        slot.worker.set_onmessage(None);
        slot.worker.set_onerror(None);
        slot.worker.set_onmessageerror(None);
        if !slot.ready {
            inner.stillborn += 1;
        }
        if inner.stillborn < STILLBORN_MAX
            && let Some(fresh) = self.started(&mut inner)
        {
            inner.slots.insert(at, fresh);
        }
        let over = !slot.running.is_empty() || inner.slots.is_empty();
        let failed = inner.question.take_if(|_| over);
        if failed.is_some() {
            for other in inner.slots.iter_mut().filter(|it| !it.running.is_empty()) {
                other.running.clear();
                other.post(&Ask::Stop);
            }
        }
        drop(inner);
        // The closure that is running may be one of the slot's own.
        gloo_timers::callback::Timeout::new(0, move || drop((slot.on_message, slot.on_error)))
            .forget();
        if let Some(Question { job, .. }) = failed {
            self.tell(Tell::Failed { job, reason: reason.to_owned() });
        }
    }

    fn watch(&self) {
        let mut inner = self.0.borrow_mut();
        if inner.paused {
            return;
        }
        for slot in &mut inner.slots {
            let busy = !slot.ready || slot.replaying || !slot.running.is_empty();
            slot.silent = if busy { slot.silent + 1 } else { 0 };
        }
        let silent = inner.slots.iter().find(|it| SILENT_MAX < it.silent).map(|it| it.serial);
        drop(inner);
        if let Some(serial) = silent {
            self.lost(serial, "It did not answer.");
        }
    }
}

impl Inner {
    /// Gives work to whoever has none, or, while there is plenty, has only the one it is at: so nobody waits for
    /// the page to notice that a replication is finished.
    fn hand_out(&mut self) {
        if let Some((job, link, share)) = self.replay.take() {
            let idlest = self
                .slots
                .iter_mut()
                .filter(|it| it.ready && !it.replaying)
                .min_by_key(|it| it.running.len());
            match idlest {
                Some(slot) => {
                    slot.replaying = true;
                    slot.post(&Ask::Replay { job, link, share });
                }
                None => self.replay = Some((job, link, share)),
            }
        }
        let Some(question) = &self.question else { return };
        for busy in 0..2 {
            for at in 0..self.slots.len() {
                let plenty = self.slots.len() as u32 <= question.replications - self.next;
                let slot = &mut self.slots[at];
                let wanted = slot.ready && slot.running.len() == busy && (busy == 0 || plenty);
                if wanted && self.next < question.replications {
                    slot.running.push(self.next);
                    slot.post(&Ask::Run {
                        job: question.job,
                        link: question.link.clone(),
                        replication: self.next,
                    });
                    self.next += 1;
                }
            }
        }
    }
}

impl Slot {
    fn post(&self, ask: &Ask) {
        let bytes = Uint8Array::from(encode(ask).as_slice());
        let buffer = bytes.buffer();
        // A worker that cannot be posted to is found out by the watch.
        let _ = self.worker.post_message_with_transfer(&bytes, &Array::of1(&buffer));
    }
}

fn loader() -> Option<String> {
    let options = BlobPropertyBag::new();
    options.set_type("text/javascript");
    let text = Array::of1(&JsValue::from_str(LOADER));
    let blob = Blob::new_with_str_sequence_and_options(&text, &options).ok()?;
    Url::create_object_url_with_blob(&blob).ok()
}
