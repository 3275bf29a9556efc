//! Reads a file on the worker's side, piece by piece, so that no more of it than a piece is ever held.

use js_sys::Uint8Array;
use web_sys::{Blob, FileReaderSync};

use crate::import::{Imported, Reader, Trouble};

const PIECE_BYTES: f64 = 1_048_576.0;

/// `told` hears after each piece how many bytes have been taken.
pub(super) fn read(file: &Blob, told: impl Fn(u64)) -> Result<Imported, Trouble> {
    let mut reader = Reader::new();
    let size = file.size();
    let mut start = 0.0;
    while start < size && !reader.has_failed() {
        let end = (start + PIECE_BYTES).min(size);
        let Some(piece) = piece(file, start, end) else {
            return Err(Trouble::new("The browser could not read the file to its end."));
        };
        reader.feed(&piece);
        told(reader.taken());
        start = end;
    }
    reader.finish()
}

fn piece(file: &Blob, start: f64, end: f64) -> Option<Vec<u8>> {
    let slice = file.slice_with_f64_and_f64(start, end).ok()?;
    let buffer = FileReaderSync::new().ok()?.read_as_array_buffer(&slice).ok()?;
    Some(Uint8Array::new(&buffer).to_vec())
}
