//! The engine's hold on an embedder: starts it, hands it a model out of the browser's storage, and has texts embedded.

use crate::{
    channel::{self, attached_buffer, field, set, text_field},
    engine::{
        cancel::Cancellation,
        worker::{Hired, Program, START_MILLIS, Silence},
    },
    models::ModelStore,
};
use js_sys::{Array, Object, Uint8Array};
use millwright_core::{
    dense::Code,
    models::{Model, ModelIdentity},
    protocol::{Failure, FailureKind},
};
use wasm_bindgen::JsValue;

/// One that says nothing for so long has hung. A group of long passages takes seconds on a slow machine.
const STALL_MILLIS: i32 = 120_000;

/// Why there is no vector.
pub(super) enum Unmade {
    /// It is not wanted any more.
    Cancelled,
    /// It could not be made.
    Failed(Failure),
}

impl From<Failure> for Unmade {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// An embedder with its model.
pub(super) struct Embedder {
    worker: Hired,
    identity: ModelIdentity,
}

impl Embedder {
    /// Starts one and waits until it has its model.
    pub(super) async fn start(
        program: &Program,
        model: &'static Model,
        cancellation: &Cancellation,
    ) -> Result<Self, Unmade> {
        let started = Hired::start(channel::EMBEDDER_NAME, program);
        let mut worker = started.map_err(|exception| unstarted(&channel::exception_text(&exception)))?;
        let up = worker.hear(cancellation, START_MILLIS).await.map_err(|silence| {
            // Should it be to blame, the next one is fetched.
            program.take();
            match silence {
                Silence::Cancelled => Unmade::Cancelled,
                Silence::Died(detail) => unstarted(&detail).into(),
                Silence::Stalled => {
                    unstarted(&format!("it did not come within {} seconds", START_MILLIS / 1000)).into()
                }
            }
        })?;
        if text_field(&up, "up").as_deref() != Some(channel::BUILD) {
            return Err(Unmade::Failed(Failure {
                error: "Millwright was updated while this page was open. Reload the page.".to_owned(),
                error_type: FailureKind::VersionMismatch,
            }));
        }
        program.replace(field(&up, "program"));
        let (message, moved) = with_model(model).await?;
        worker.tell(&message, &moved).map_err(|exception| broken(&channel::exception_text(&exception)))?;
        drop(moved);
        let said = said_by(&mut worker, cancellation).await?;
        let identity = text_field(&said, "ready").and_then(|identity| serde_json::from_str(&identity).ok());
        let identity = identity.ok_or_else(|| broken("it answered something unexpected"))?;
        Ok(Self { worker, identity })
    }

    /// What the library must know of its vectors.
    pub(super) fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// The vectors of passages, in their order.
    pub(super) async fn passages(
        &mut self,
        texts: &[String],
        cancellation: &Cancellation,
    ) -> Result<Vec<Option<Code>>, Unmade> {
        let message = Object::new();
        set(&message, "passages", &texts.iter().map(|text| JsValue::from_str(text)).collect::<Array>());
        self.codes(&message, texts.len(), cancellation).await
    }

    /// The vector of a question.
    pub(super) async fn question(&mut self, text: &str, cancellation: &Cancellation) -> Result<Option<Code>, Unmade> {
        let message = Object::new();
        set(&message, "question", &JsValue::from_str(text));
        Ok(self.codes(&message, 1, cancellation).await?.pop().flatten())
    }

    async fn codes(
        &mut self,
        message: &Object,
        n_texts: usize,
        cancellation: &Cancellation,
    ) -> Result<Vec<Option<Code>>, Unmade> {
        let told = self.worker.tell(message, &Array::new());
        told.map_err(|exception| broken(&channel::exception_text(&exception)))?;
        let said = said_by(&mut self.worker, cancellation).await?;
        let codes = attached_buffer(&said, "codes").map(|codes| Uint8Array::new(&codes).to_vec());
        let codes: Option<Vec<Option<Code>>> = codes.and_then(|codes| postcard::from_bytes(&codes).ok());
        let codes = codes.filter(|codes| codes.len() == n_texts);
        Ok(codes.ok_or_else(|| broken("it answered something unexpected"))?)
    }
}

/// What it says next, unless that is that it failed.
async fn said_by(worker: &mut Hired, cancellation: &Cancellation) -> Result<JsValue, Unmade> {
    let said = worker.hear(cancellation, STALL_MILLIS).await.map_err(|silence| match silence {
        Silence::Cancelled => Unmade::Cancelled,
        Silence::Died(detail) => broken(&detail).into(),
        Silence::Stalled => broken(&format!("it said nothing for {} seconds", STALL_MILLIS / 1000)).into(),
    })?;
    match text_field(&said, "failed") {
        Some(error) => Err(Unmade::Failed(Failure { error, error_type: FailureKind::Internal })),
        None => Ok(said),
    }
}

/// The message that brings a model, out of the browser's own storage and past the engine's memory.
async fn with_model(model: &'static Model) -> Result<(Object, Array), Failure> {
    let (message, moved) = (Object::new(), Array::new());
    set(&message, "model", &JsValue::from_str(&model.id));
    let store = ModelStore::open().await?;
    for file in &model.files {
        let bytes = store.load(file).await?;
        set(&message, &file.part, &bytes);
        moved.push(&bytes);
    }
    Ok((message, moved))
}

fn unstarted(detail: &str) -> Failure {
    Failure {
        error: format!(
            "What makes vectors could not be started ({detail}), so passages are found by their words alone. If the network is off, switch it on once, so that this part of Millwright can be fetched; then reload the page."
        ),
        error_type: FailureKind::Internal,
    }
}

fn broken(detail: &str) -> Failure {
    Failure {
        error: format!(
            "What makes vectors stopped ({detail}). What is made is kept, and passages are found by their words in any case. Go on with it, or reload the page."
        ),
        error_type: FailureKind::Internal,
    }
}
