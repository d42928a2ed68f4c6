//! The reader of scans, as the reader of files has it: none, one that is asked for, or one in memory.
//!
//! Its model is a hundred times the size of most files, and most files have no scans. So a file is first read with
//! somebody who only notices that a scan is there; then the engine is asked for the model, and the file is read again.

use crate::channel::attached_buffer;
use js_sys::Uint8Array;
use millwright_core::parse::{
    ParseError,
    scan::{Picture, ReadScan, Reader, ScanError, Seen},
};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use wasm_bindgen::JsValue;

/// Notices that there is a scan and stops there.
#[derive(Debug, Default)]
pub(super) struct Lookout(AtomicBool);

impl Lookout {
    /// Whether there was one.
    pub(super) fn has_met_one(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl ReadScan for Lookout {
    fn read(&self, _: &Picture, _: &mut dyn FnMut() -> Result<(), ParseError>) -> Result<Seen, ScanError> {
        self.0.store(true, Ordering::Relaxed);
        Err(ScanError::Stopped(ParseError::Cancelled))
    }
}

/// The reader of scans, in memory.
#[derive(Debug)]
pub(super) struct InMemory {
    /// Or why it cannot be used.
    reader: Result<Reader, String>,
    is_reading: AtomicBool,
}

impl InMemory {
    /// Makes it of the model's files beside a message; `None` if they are not there.
    pub(super) fn of(message: &JsValue) -> Option<Arc<Self>> {
        let part = |name| attached_buffer(message, name).map(|bytes| Uint8Array::new(&bytes).to_vec());
        let (detector, recogniser, characters) = (part("detector")?, part("recogniser")?, part("characters")?);
        let reader = Reader::new(detector, recogniser, &String::from_utf8_lossy(&characters));
        let reader = reader.map_err(|error| error.to_string());
        Some(Arc::new(Self { reader, is_reading: AtomicBool::new(false) }))
    }

    /// Whether a page is being read right now.
    pub(super) fn is_reading(&self) -> bool {
        self.is_reading.load(Ordering::Relaxed)
    }
}

impl ReadScan for InMemory {
    fn read(&self, picture: &Picture, tick: &mut dyn FnMut() -> Result<(), ParseError>) -> Result<Seen, ScanError> {
        self.is_reading.store(true, Ordering::Relaxed);
        let seen = match &self.reader {
            Ok(reader) => reader.read(picture, tick),
            Err(why) => Err(ScanError::NoModel(why.clone())),
        };
        self.is_reading.store(false, Ordering::Relaxed);
        seen
    }
}
