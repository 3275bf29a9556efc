//! Reading a file, in a worker of its own, which can be ended at any moment.

use std::cell::RefMut;

use js_sys::Array;
use wasm_bindgen::JsValue;
use web_sys::Blob;

use super::{Inner, Pool, read};
use crate::{import::Trouble, worker::Tell};

impl Pool {
    /// Reads a file, and none that was handed in before. Its bytes are the worker's to fetch.
    pub fn read_file(&self, file: u32, blob: Blob) {
        self.stop_reading();
        let mut inner = self.0.borrow_mut();
        inner.file = Some((file, blob));
        inner.reader = self.started(&mut inner);
        if inner.reader.is_none() {
            self.lost_reader(inner);
        }
    }

    pub fn stop_reading(&self) {
        let mut inner = self.0.borrow_mut();
        inner.file = None;
        if let Some(reader) = inner.reader.take() {
            reader.end();
        }
    }

    pub(super) fn heard_reader(&self, inner: RefMut<Inner>, data: &JsValue) {
        if data.is_null() {
            return inner.send_file();
        }
        drop(inner);
        let Some(tell) = read(data) else { return };
        if matches!(tell, Tell::Read { .. }) {
            self.stop_reading();
        }
        self.tell(tell);
    }

    pub(super) fn lost_reader(&self, inner: RefMut<Inner>) {
        let file = inner.file.as_ref().map(|it| it.0);
        drop(inner);
        self.stop_reading();
        if let Some(file) = file {
            let read = Err(Trouble("The worker that read the file has stopped.".to_owned()));
            self.tell(Tell::Read { file, read });
        }
    }
}

impl Inner {
    pub(super) fn is_reader(&self, serial: u32) -> bool {
        self.reader.as_ref().is_some_and(|it| it.serial == serial)
    }

    fn send_file(&self) {
        if let (Some(reader), Some((file, blob))) = (&self.reader, &self.file) {
            // Blobs are shared, not copied.
            let _ = reader.worker.post_message(&Array::of2(&JsValue::from(*file), blob));
        }
    }
}
