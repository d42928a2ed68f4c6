//! The vectors of passages: several embedders side by side, in the background, a group of chunks at a time. Each group that
//! is made is stored at once, so that a closed tab loses at most what is under way.

use super::embedder::Unmade;
use crate::{
    channel::worker_scope,
    clock,
    engine::{Engine, cancel::Cancellation, shelf::Urgency},
};
use futures_util::future::join_all;
use millwright_core::{
    document::DocumentId,
    index::{CHUNKS_PER_GROUP, VectorGroup},
    models::Model,
    protocol::{Failure, VectorsWork},
};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    rc::Rc,
};

/// The most that run side by side: each holds a model.
const MAX_LANES: u32 = 4;

/// What one chunk takes where nothing was measured yet: near the 30 ms of the English model on one busy core of an AMD EPYC.
const USUAL_MILLIS: u32 = 40;

/// What is known of those that run.
#[derive(Default)]
pub(super) struct Pool {
    /// Groups that are being made.
    busy: RefCell<BTreeSet<(DocumentId, u32)>>,
    /// What stops them.
    stopping: RefCell<Cancellation>,
    n_made: Cell<u32>,
    /// When the first began, in this run or the last.
    since_millis: Cell<f64>,
    millis_per_chunk: Cell<Option<u32>>,
}

impl Pool {
    /// Stops all of them: what they are at is made again some time.
    pub(super) fn stop(&self) {
        self.stopping.replace(Cancellation::default()).cancel();
    }

    /// How long a chunk takes.
    pub(super) fn millis_per_chunk(&self) -> u32 {
        self.millis_per_chunk.get().unwrap_or_else(|| USUAL_MILLIS / n_lanes().max(1))
    }

    fn count(&self, n_chunks: usize) {
        self.n_made.set(self.n_made.get() + n_chunks as u32);
        let millis = (clock::millis() - self.since_millis.get()) / f64::from(self.n_made.get().max(1));
        self.millis_per_chunk.set(Some(millis.ceil().max(1.0) as u32));
    }
}

fn n_lanes() -> u32 {
    let n_cores = worker_scope().map_or(2.0, |scope| scope.navigator().hardware_concurrency());
    (n_cores as u32 / 2).clamp(1, MAX_LANES)
}

/// Makes what lacks until nothing does, or it is stopped.
pub(super) async fn make(engine: &Rc<Engine>, model: &'static Model) -> Result<(), Unmade> {
    let stopping = engine.vectors.pool.stopping.borrow().clone();
    let embedded = engine.library(Urgency::Idle).await?.n_embedded();
    let n_groups = (embedded.n_chunks - embedded.n_done.min(embedded.n_chunks)).div_ceil(CHUNKS_PER_GROUP as u32);
    if n_groups == 0 {
        return Ok(());
    }
    engine.vectors.pool.n_made.set(0);
    engine.vectors.work(VectorsWork::Loading);
    let lanes = (0..n_lanes().min(n_groups)).map(|_| lane(engine, model, &stopping));
    // One that fails leaves its share to the others.
    let ended = join_all(lanes).await;
    engine.vectors.pool.busy.borrow_mut().clear();
    ended.into_iter().find(Result::is_err).unwrap_or(Ok(()))
}

async fn lane(engine: &Rc<Engine>, model: &'static Model, stopping: &Cancellation) -> Result<(), Unmade> {
    let pool = &engine.vectors.pool;
    let mut embedder = engine.vectors.load(model, stopping).await?;
    {
        let mut library = engine.library(Urgency::Idle).await?;
        if stopping.is_cancelled() {
            return Err(Unmade::Cancelled);
        }
        library.use_model(embedder.identity()).await.map_err(Failure::from)?;
    }
    if pool.n_made.get() == 0 {
        pool.since_millis.set(clock::millis());
    }
    engine.vectors.work(VectorsWork::Making);
    while let Some(group) = next(engine).await? {
        let codes = embedder.passages(&group.texts, stopping).await?;
        let mut library = engine.library(Urgency::Ingestion).await?;
        // Asked with the library in hand: who stops this, to make them anew with another model, had it before.
        if stopping.is_cancelled() {
            return Err(Unmade::Cancelled);
        }
        library.commit_vectors(vec![group.embedded(codes)]).await.map_err(Failure::from)?;
        drop(library);
        pool.busy.borrow_mut().remove(&(group.document.clone(), group.group));
        pool.count(group.texts.len());
        engine.vectors.stored(engine, model);
    }
    Ok(())
}

/// The next group that nobody is at.
async fn next(engine: &Engine) -> Result<Option<VectorGroup>, Unmade> {
    let library = engine.library(Urgency::Idle).await?;
    let pool = &engine.vectors.pool;
    let n_busy = pool.busy.borrow().len();
    let groups = library.without_vectors(n_busy + 1).await.map_err(Failure::from)?;
    let mut busy = pool.busy.borrow_mut();
    let free = groups.into_iter().find(|group| !busy.contains(&(group.document.clone(), group.group)));
    if let Some(group) = &free {
        busy.insert((group.document.clone(), group.group));
    }
    Ok(free)
}
