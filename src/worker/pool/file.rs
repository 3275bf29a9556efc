//! Reading files, each in a worker of its own, which can be ended at any moment.

use std::cell::RefMut;

use js_sys::Array;
use wasm_bindgen::JsValue;
use web_sys::Blob;

use super::{Inner, Pool, Slot, read};
use crate::{import::Trouble, worker::Tell};

/// A worker with the file that it reads, and ends with.
pub(super) struct Reading {
    pub(super) reader: Slot,
    file: u32,
    blob: Blob,
}

impl Pool {
    /// Reads files by their numbers, and none that was handed in before. Their bytes are the workers' to fetch.
    pub fn read_files(&self, files: Vec<(u32, Blob)>) {
        self.keep_reading(&[]);
        for (file, blob) in files {
            let mut inner = self.0.borrow_mut();
            match self.started(&mut inner) {
                Some(reader) => inner.readings.push(Reading { reader, file, blob }),
                None => self.tell_lost(inner, file),
            }
        }
    }

    /// Reads no other files than these any more.
    pub fn keep_reading(&self, files: &[u32]) {
        let mut inner = self.0.borrow_mut();
        let ended = inner.readings.extract_if(.., |it| !files.contains(&it.file));
        ended.for_each(|it| it.reader.end());
    }

    pub(super) fn heard_reader(&self, mut inner: RefMut<Inner>, at: usize, data: &JsValue) {
        if data.is_null() {
            let Reading { reader, file, blob } = &inner.readings[at];
            // Blobs are shared, not copied.
            let _ = reader.worker.post_message(&Array::of2(&JsValue::from(*file), blob));
            return;
        }
        let Some(tell) = read(data) else { return };
        if matches!(tell, Tell::Read { .. }) {
            inner.readings.remove(at).reader.end();
        }
        drop(inner);
        self.tell(tell);
    }

    pub(super) fn lost_reader(&self, mut inner: RefMut<Inner>, at: usize) {
        let Reading { reader, file, .. } = inner.readings.remove(at);
        reader.end();
        self.tell_lost(inner, file);
    }

    fn tell_lost(&self, inner: RefMut<Inner>, file: u32) {
        drop(inner);
        let read = Err(Trouble::new("The worker that read the file has stopped."));
        self.tell(Tell::Read { file, read });
    }
}

impl Inner {
    /// Which of the files a worker reads, if any.
    pub(super) fn reading_of(&self, serial: u32) -> Option<usize> {
        self.readings.iter().position(|it| it.reader.serial == serial)
    }
}
