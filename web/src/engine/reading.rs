//! The engine's hold on a reader: hands it a file, waits for what comes of it, and ends it when it stalls or is not wanted.
//! A dead reader is replaced when the next file comes.

mod scans;

use super::{
    cancel::Cancellation,
    worker::{Hired, Program, START_MILLIS, Silence},
};
use crate::channel::{self, attached_buffer, field, set, text_field};
use js_sys::{Array, ArrayBuffer, Object, Uint8Array};
use millwright_core::{
    document::DocumentId,
    index::Prepared,
    protocol::{Failure, FailureKind, IngestStage, Password, ReadSoFar, Unit},
};
use std::rc::Rc;
use wasm_bindgen::JsValue;

/// A reader that says nothing for so long has hung.
const STALL_MILLIS: i32 = 20_000;

/// The same of one that reads scans: finding the lines of a page is one long step.
const SCAN_STALL_MILLIS: i32 = 120_000;

/// After a file of this size a reader is ended: WebAssembly memory grows and never shrinks.
const RECYCLE_BYTES: u32 = 64 << 20;

/// Why a file was not read.
pub(super) enum Unread {
    /// The user stopped it.
    Cancelled,
    /// There is nobody to read it, which says nothing of the file.
    NoReader(Failure),
    /// It could not be.
    Failed(Failure),
}

/// What a reader tells on its way.
pub(super) enum News {
    /// How far it is.
    Progress {
        /// Whether it reads what is written or what is on a picture.
        stage: IngestStage,
        /// Units done.
        done: u32,
        /// Units in all, 0 while unknown.
        total: u32,
        /// What is counted.
        unit: Unit,
    },
    /// The document of the first pages.
    Draft(Box<Prepared>, ReadSoFar),
    /// The file was read; what was read is being indexed.
    Indexing,
}

/// A reader worker, started when first needed.
pub(super) struct Reader {
    running: Option<Running>,
    program: Program,
}

struct Running {
    worker: Hired,
    is_up: bool,
    has_model: bool,
    n_bytes_read: u32,
}

impl Reader {
    /// One that is not started yet.
    pub(super) fn new(program: &Program) -> Self {
        Self { running: None, program: Rc::clone(program) }
    }

    /// Hands a file over; it moves there. Returns what it is by content.
    pub(super) async fn take(
        &mut self,
        name: &str,
        bytes: &ArrayBuffer,
        password: Option<&Password>,
        cancellation: &Cancellation,
    ) -> Result<DocumentId, Unread> {
        if self.running.is_none() {
            let worker = Hired::start(channel::READER_NAME, &self.program)
                .map_err(|exception| unstarted(name, &channel::exception_text(&exception)))?;
            self.running = Some(Running { worker, is_up: false, has_model: false, n_bytes_read: 0 });
        }
        if self.running.as_ref().is_some_and(|running| !running.is_up) {
            self.await_up(name, cancellation).await?;
        }
        let message = Object::new();
        set(&message, "name", &JsValue::from_str(name));
        set(&message, "bytes", bytes);
        if let Some(Password(password)) = password {
            set(&message, "password", &JsValue::from_str(password));
        }
        self.tell(&message, &Array::of1(bytes), bytes.byte_length())?;
        let said = self.next(name, cancellation).await?;
        match text_field(&said, "id").as_deref().and_then(DocumentId::parse) {
            Some(id) => Ok(id),
            None => Err(self.misunderstood(name)),
        }
    }

    /// Forgets the file that was handed over.
    pub(super) fn forget(&mut self) {
        let message = Object::new();
        set(&message, "drop", &JsValue::TRUE);
        // A reader that cannot be told is replaced at the next file.
        let _ = self.tell(&message, &Array::new(), 0);
    }

    /// Has the file that was handed over read. Returns what to commit and the original's bytes.
    pub(super) async fn read(
        &mut self,
        name: &str,
        cancellation: &Cancellation,
        mut on_news: impl AsyncFnMut(News),
    ) -> Result<(Prepared, Vec<u8>), Unread> {
        let message = Object::new();
        set(&message, "go", &JsValue::TRUE);
        self.tell(&message, &Array::new(), 0)?;
        loop {
            let said = self.next(name, cancellation).await?;
            let whole = attached_buffer(&said, "prepared").zip(attached_buffer(&said, "original"));
            if let Some((prepared, original)) = whole {
                self.recycle();
                return match Prepared::from_bytes(&Uint8Array::new(&prepared).to_vec()) {
                    Some(prepared) => Ok((prepared, Uint8Array::new(&original).to_vec())),
                    None => Err(self.misunderstood(name)),
                };
            }
            if let Some(failure) = channel::unpack::<Failure>(&said) {
                self.recycle();
                return Err(Unread::Failed(failure));
            }
            if field(&said, "needs_model").is_some() {
                self.hand_over_model().await?;
                continue;
            }
            match news(&said) {
                Some(news) => on_news(news).await,
                None => return Err(self.misunderstood(name)),
            }
        }
    }

    /// Waits until a new reader listens, and sees that it is of this build.
    async fn await_up(&mut self, name: &str, cancellation: &Cancellation) -> Result<(), Unread> {
        let up = self.hear(cancellation, START_MILLIS).await.map_err(|silence| {
            // Should it be to blame, the next one is fetched.
            self.program.take();
            match silence {
                Silence::Cancelled => Unread::Cancelled,
                Silence::Died(detail) => unstarted(name, &detail),
                Silence::Stalled => unstarted(name, &format!("it did not come within {} seconds", START_MILLIS / 1000)),
            }
        })?;
        if text_field(&up, "up").as_deref() != Some(channel::BUILD) {
            self.running = None;
            return Err(Unread::NoReader(Failure {
                error: "Millwright was updated while this page was open. Reload the page and add the file again."
                    .to_owned(),
                error_type: FailureKind::VersionMismatch,
            }));
        }
        if let Some(running) = &mut self.running {
            running.is_up = true;
        }
        self.program.replace(field(&up, "program"));
        Ok(())
    }

    /// What the reader says next about a file.
    async fn next(&mut self, name: &str, cancellation: &Cancellation) -> Result<JsValue, Unread> {
        let has_model = self.running.as_ref().is_some_and(|running| running.has_model);
        let patience_millis = if has_model { SCAN_STALL_MILLIS } else { STALL_MILLIS };
        self.hear(cancellation, patience_millis).await.map_err(|silence| match silence {
            Silence::Cancelled => Unread::Cancelled,
            Silence::Died(detail) => crashed(name, &detail),
            Silence::Stalled => stalled(name, patience_millis),
        })
    }

    /// What the reader says next. When it dies, stalls or is not wanted any more, it is ended.
    async fn hear(&mut self, cancellation: &Cancellation, patience_millis: i32) -> Result<JsValue, Silence> {
        let Some(running) = &mut self.running else { return Err(Silence::Died("it is gone".to_owned())) };
        let outcome = running.worker.hear(cancellation, patience_millis).await;
        if outcome.is_err() {
            self.running = None;
        }
        outcome
    }

    fn tell(&mut self, message: &Object, moved: &Array, n_bytes: u32) -> Result<(), Unread> {
        let Some(running) = &mut self.running else {
            return Err(internal("The reader is gone. Add the file again.".to_owned()));
        };
        running.n_bytes_read = running.n_bytes_read.max(n_bytes);
        running.worker.tell(message, moved).map_err(|exception| {
            self.running = None;
            internal(format!("The file could not be handed to the reader ({}).", channel::exception_text(&exception)))
        })
    }

    fn recycle(&mut self) {
        if self.running.as_ref().is_some_and(|running| running.n_bytes_read > RECYCLE_BYTES) {
            self.running = None;
        }
    }

    fn misunderstood(&mut self, name: &str) -> Unread {
        self.running = None;
        crashed(name, "it answered something unexpected")
    }
}

fn news(said: &JsValue) -> Option<News> {
    if field(said, "indexing").is_some() {
        return Some(News::Indexing);
    }
    let (done, total) = (count(said, "done")?, count(said, "total")?);
    if let Some(draft) = attached_buffer(said, "draft") {
        let prepared = Prepared::from_bytes(&Uint8Array::new(&draft).to_vec())?;
        return Some(News::Draft(Box::new(prepared), ReadSoFar { n_pages_read: done, n_pages: total }));
    }
    let in_pages = field(said, "pages")?.as_bool()?;
    let is_scan = field(said, "scan").is_some_and(|is_scan| is_scan.is_truthy());
    let stage = if is_scan { IngestStage::Recognising } else { IngestStage::Parsing };
    Some(News::Progress { stage, done, total, unit: if in_pages { Unit::Pages } else { Unit::Parts } })
}

fn count(message: &JsValue, name: &str) -> Option<u32> {
    field(message, name)?.as_f64().map(|number| number as u32)
}

fn crashed(name: &str, detail: &str) -> Unread {
    Unread::Failed(Failure {
        error: format!(
            "Reading {name} crashed the reader ({detail}). The other files go on; this one is not in the library."
        ),
        error_type: FailureKind::ReaderFailed,
    })
}

fn unstarted(name: &str, detail: &str) -> Unread {
    Unread::NoReader(Failure {
        error: format!(
            "What reads files could not be started ({detail}), so {name} is not in the library. If the network is off, switch it on once, so that this part of Millwright can be fetched; then reload the page and add the file again."
        ),
        error_type: FailureKind::ReaderFailed,
    })
}

fn stalled(name: &str, patience_millis: i32) -> Unread {
    Unread::Failed(Failure {
        error: format!(
            "Reading {name} made no progress for {} seconds and was given up. The other files go on; this one is not in the library.",
            patience_millis / 1000
        ),
        error_type: FailureKind::ReaderFailed,
    })
}

fn internal(error: String) -> Unread {
    Unread::Failed(Failure { error, error_type: FailureKind::Internal })
}
