//! Models: which this browser keeps, getting one from the sidecar or from files that a person chose, removing one.
//!
//! Nothing here happens unless somebody asks for it. Not for using models: readers are handed their bytes
//! ([`super::reading`]), and not for storing them ([`crate::models`]).

mod picked;
mod served;

use super::{Engine, cancel::Cancellation, vectors};
use crate::models::{ModelStore, n_parts};
use millwright_core::{
    models::{Catalogue, Model, ModelFile, Role},
    protocol::{Event, Failure, FailureKind, ModelStage, Request, RequestId},
};
use std::rc::Rc;
use web_sys::File;

/// Why getting a model ended early.
enum Ungot {
    /// The user stopped it. What came is kept.
    Cancelled,
    /// It cannot be had.
    Failed(Failure),
}

impl From<Failure> for Ungot {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// Getting one model: whom to tell, and what stops it.
struct Getting<'a> {
    engine: &'a Engine,
    id: RequestId,
    model: &'static Model,
    cancellation: Cancellation,
}

impl Getting<'_> {
    fn tell(&self, stage: ModelStage, done_bytes: u64, total_bytes: u64) {
        self.engine.tell(self.id, &Event::ModelProgress { stage, done_bytes, total_bytes });
    }

    fn check(&self) -> Result<(), Ungot> {
        if self.cancellation.is_cancelled() { Err(Ungot::Cancelled) } else { Ok(()) }
    }

    /// Takes the hashes of the files that are there and were not looked at. The names of those that have another.
    async fn seal(&self, store: &mut ModelStore) -> Result<Vec<&'static str>, Ungot> {
        let total = self.model.size_bytes();
        let mut done = 0;
        let mut wrong = Vec::new();
        for file in &self.model.files {
            let is_there = (0..n_parts(file)).all(|part| store.has_part(file, part));
            if !store.is_sealed(file) && is_there {
                self.check()?;
                let sealed = store.seal(file, |n_bytes| {
                    done += n_bytes;
                    self.tell(ModelStage::Checking, done, total);
                });
                if !sealed.await? {
                    wrong.push(file.name.as_str());
                }
            }
        }
        Ok(wrong)
    }
}

/// Answers a request about models.
pub(super) async fn answer(engine: Rc<Engine>, id: RequestId, request: Request, files: Vec<File>) {
    let is_change = request != Request::Models;
    let result = match request {
        Request::GetModel { model } => get(&engine, id, &model, None).await,
        Request::TakeModel { model } => get(&engine, id, &model, Some(files)).await,
        Request::RemoveModel { model } => remove(&model).await,
        _ => list().await,
    };
    let event = result.unwrap_or_else(|ungot| match ungot {
        Ungot::Cancelled => Event::Done,
        Ungot::Failed(failure) => Event::Failed(failure),
    });
    engine.end(id, &event);
    if is_change {
        vectors::models_changed(&engine);
    }
}

async fn list() -> Result<Event, Ungot> {
    let models = &Catalogue::shipped().models;
    // Without a store none are kept; the reason is told to whoever wants one.
    let store = ModelStore::open().await.ok();
    let nothing = |model: &Model| millwright_core::protocol::KeptModel {
        model: model.id.clone(),
        kept_bytes: 0,
        is_whole: false,
    };
    let kept = models.iter().map(|model| store.as_ref().map_or_else(|| nothing(model), |store| store.kept(model)));
    Ok(Event::Models { models: kept.collect() })
}

async fn get(engine: &Engine, id: RequestId, model: &str, files: Option<Vec<File>>) -> Result<Event, Ungot> {
    let getting = Getting { engine, id, model: named(model)?, cancellation: Cancellation::default() };
    engine.cancellations.borrow_mut().insert(id, vec![getting.cancellation.clone()]);
    let mut store = ModelStore::open().await?;
    match files {
        Some(files) => picked::take(&getting, &mut store, &files).await?,
        None => served::take(&getting, &mut store).await?,
    }
    Ok(Event::Done)
}

async fn remove(model: &str) -> Result<Event, Ungot> {
    ModelStore::open().await?.remove(named(model)?).await;
    Ok(Event::Done)
}

fn named(model: &str) -> Result<&'static Model, Failure> {
    Catalogue::shipped().model(model).ok_or_else(|| Failure {
        error: format!("This version of Millwright knows no model called {model}."),
        error_type: FailureKind::NotFound,
    })
}

/// The model for this, if it is kept whole, with the store that it is in.
pub(super) async fn kept(role: Role) -> Option<(ModelStore, &'static Model)> {
    let store = ModelStore::open().await.ok()?;
    let model = Catalogue::shipped().for_role(role).find(|model| store.kept(model).is_whole)?;
    Some((store, model))
}

/// The names of files, in a sentence.
fn names(files: impl Iterator<Item = &'static ModelFile>) -> String {
    files.map(|file| file.name.as_str()).collect::<Vec<_>>().join(", ")
}
