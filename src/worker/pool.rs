//! The page side: as many workers as there are cores to spare, one question at a time.

mod aside;
mod file;

use std::{
    cell::{RefCell, RefMut},
    rc::Rc,
};

use gloo_timers::callback::{Interval, Timeout};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure, prelude::wasm_bindgen};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, ErrorEvent, Event, MessageEvent, Response, Url, Worker};

use super::{Ask, Question, Task, Tell, decode, encode};
use aside::Aside;
use file::Reading;

/// Workers that run this same, already compiled, module.
#[derive(Clone)]
pub struct Pool(Rc<RefCell<Inner>>);

struct Inner {
    slots: Vec<Slot>,
    /// The address of `LOADER`.
    loader: String,
    /// The script that it imports, and its address; nothing until that has been looked at.
    glue: Option<(Option<String>, String)>,
    question: Option<Question>,
    /// The first of its tasks that nobody was asked for.
    next: usize,
    /// Searches for requests to replay, and films servers. That takes its time, which no other worker should spend.
    scout: Aside,
    /// Works out what is exactly known, where that would hold up the page.
    theorist: Aside,
    /// Files that are being read.
    readings: Vec<Reading>,
    paused: bool,
    /// Workers started so far, so that a message of one that was replaced is told from its successor's.
    started: u32,
    /// Workers in a row that were lost before they were ready.
    stillborn: u32,
    tell: Listener,
}

/// Hears what workers say, and whether nothing more is to come of what they were asked.
pub type Listener = Rc<dyn Fn(Tell, bool)>;

struct Slot {
    serial: u32,
    worker: Worker,
    ready: bool,
    /// Replications that it was asked for and has not finished.
    running: Vec<Task>,
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

/// What a worker runs at first: it takes the script and the compiled module, so that it neither fetches nor compiles
/// anything. Of a page that was opened from a disk a worker can import only what it has made itself, and it cannot be
/// a module at first.
const LOADER: &str = "onmessage = async (event) => {
  onmessage = null;
  const [script, address, compiled] = event.data;
  const copy = script && URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  try {
    const glue = await import(copy ?? address);
    await glue.default({ module_or_path: compiled });
  } catch (problem) {
    // Outside of the promise, so that the page hears of it as an error.
    setTimeout(() => { throw problem; });
  }
};";

/// Whether a worker still does something is looked at this often; parts come twice as often at the least.
const WATCH_MS: u32 = 2_000;
/// After so many looks a silent worker is given up.
const SILENT_MAX: u32 = 5;
/// After so many workers that did not even start, no more are tried.
const STILLBORN_MAX: u32 = 3;

impl Pool {
    /// What workers say is handed to `tell` as it comes.
    pub fn new(workers: u32, tell: Listener) -> Pool {
        let pool = Pool(Rc::new(RefCell::new(Inner {
            slots: Vec::new(),
            loader: address_of(LOADER).unwrap_or_default(),
            glue: None,
            question: None,
            next: 0,
            scout: Aside::default(),
            theorist: Aside::default(),
            readings: Vec::new(),
            paused: false,
            started: 0,
            stillborn: 0,
            tell,
        })));
        pool.set_workers(workers);
        let starting = pool.clone();
        wasm_bindgen_futures::spawn_local(async move {
            let address = GLUE_URL.with(Clone::clone);
            // Kept in memory, so that workers can be started later without asking anybody for it: by then the
            // network may be gone, or another version be where this one came from.
            let script = read_text(&address).await;
            let mut inner = starting.0.borrow_mut();
            inner.glue = Some((script, address));
            let aside = [&inner.scout.slot, &inner.theorist.slot].into_iter().flatten();
            let aside = aside.chain(inner.readings.iter().map(|it| &it.reader));
            inner.slots.iter().chain(aside).for_each(|it| inner.load(&it.worker));
        });
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
        inner.slots.drain(..).for_each(Slot::end);
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
        let (listener, last) = {
            let inner = self.0.borrow();
            (Rc::clone(&inner.tell), inner.slots.iter().all(|it| it.running.is_empty()))
        };
        listener(tell, last);
    }

    fn started(&self, inner: &mut Inner) -> Option<Slot> {
        inner.started += 1;
        let serial = inner.started;
        let worker = Worker::new(&inner.loader).ok()?;
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
        inner.load(&worker);
        Some(Slot {
            serial,
            worker,
            ready: false,
            running: Vec::new(),
            silent: 0,
            on_message,
            on_error,
        })
    }

    fn heard(&self, serial: u32, data: &JsValue) {
        let mut inner = self.0.borrow_mut();
        if let Some(office) = inner.office(serial) {
            return self.heard_aside(inner, office, data);
        }
        if let Some(at) = inner.reading_of(serial) {
            return self.heard_reader(inner, at, data);
        }
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
        let Some(Tell::Part(part)) = read(data) else { return };
        // A part of what nobody waits for any more.
        if inner.question.as_ref().is_none_or(|it| it.job != part.job) {
            return;
        }
        if part.done {
            inner.slots[at].running.retain(|it| *it != part.task);
            inner.hand_out();
        }
        drop(inner);
        self.tell(Tell::Part(part));
    }

    /// Replaces a worker. What it was working on is lost, and with it the question.
    fn lost(&self, serial: u32, reason: &str) {
        let mut inner = self.0.borrow_mut();
        if let Some(office) = inner.office(serial) {
            return self.lost_aside(inner, office);
        }
        if let Some(at) = inner.reading_of(serial) {
            return self.lost_reader(inner, at);
        }
        let Some(at) = inner.slots.iter().position(|it| it.serial == serial) else { return };
        let slot = inner.slots.remove(at);
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
        slot.end();
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
            let busy = !slot.ready || !slot.running.is_empty();
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
    /// Has a worker load the program, once it is known from where.
    fn load(&self, worker: &Worker) {
        if let Some((script, address)) = &self.glue {
            let script = script.as_deref().map_or(JsValue::NULL, JsValue::from_str);
            let first = Array::of3(&script, &JsValue::from_str(address), &wasm_bindgen::module());
            // A worker that cannot be posted to is found out by the watch.
            let _ = worker.post_message(&first);
        }
    }

    /// Gives work to whoever has none, or, while there is plenty, has only the one it is at: so nobody waits for
    /// the page to notice that a replication is finished.
    fn hand_out(&mut self) {
        let Some(question) = &self.question else { return };
        for busy in 0..2 {
            for at in 0..self.slots.len() {
                let plenty = self.slots.len() <= question.tasks.len() - self.next;
                let slot = &mut self.slots[at];
                let wanted = slot.ready && slot.running.len() == busy && (busy == 0 || plenty);
                if let Some(task) = question.tasks.get(self.next).filter(|_| wanted) {
                    slot.running.push(*task);
                    slot.post(&Ask::Run {
                        job: question.job,
                        link: question.links[task.link as usize].clone(),
                        task: *task,
                    });
                    self.next += 1;
                }
            }
        }
    }
}

impl Slot {
    fn end(self) {
        self.worker.terminate();
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.set_onmessageerror(None);
        // The closure that is running may be one of its own.
        Timeout::new(0, move || drop((self.on_message, self.on_error))).forget();
    }

    fn post(&self, ask: &Ask) {
        let bytes = Uint8Array::from(encode(ask).as_slice());
        let buffer = bytes.buffer();
        // A worker that cannot be posted to is found out by the watch.
        let _ = self.worker.post_message_with_transfer(&bytes, &Array::of1(&buffer));
    }
}

fn read(data: &JsValue) -> Option<Tell> {
    decode(&Uint8Array::new(data).to_vec())
}

async fn read_text(address: &str) -> Option<String> {
    let answer = JsFuture::from(web_sys::window()?.fetch_with_str(address)).await.ok()?;
    let answer: Response = answer.dyn_into().ok()?;
    if !answer.ok() {
        return None;
    }
    JsFuture::from(answer.text().ok()?).await.ok()?.as_string()
}

/// Where a script can be loaded from as long as the page lives.
fn address_of(script: &str) -> Option<String> {
    let options = BlobPropertyBag::new();
    options.set_type("text/javascript");
    let text = Array::of1(&JsValue::from_str(script));
    let blob = Blob::new_with_str_sequence_and_options(&text, &options).ok()?;
    Url::create_object_url_with_blob(&blob).ok()
}
