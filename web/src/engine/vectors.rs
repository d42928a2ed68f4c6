//! Vectors: which model makes them, who makes those of passages ([`passages`]) and of questions ([`questions`]), and what is
//! told of it. One tab makes the vectors of passages, the one that writes; every tab those of its own questions.
//!
//! Finding by words never waits for any of it. Not for what a vector is (core), nor for keeping models ([`crate::models`]).

mod embedder;
mod passages;
mod questions;

use super::{
    Engine,
    cancel::Cancellation,
    news::Burst,
    shelf::{Shelf, Urgency},
    worker::Program,
};
use crate::models::ModelStore;
use embedder::{Embedder, Unmade};
use millwright_core::{
    models::{Catalogue, Model, ModelIdentity, Role},
    protocol::{Event, Failure, FailureKind, RequestId, VectorsState, VectorsWork},
};
pub(super) use questions::Asked;
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};
use wasm_bindgen_futures::spawn_local;

/// What the engine knows of vectors.
pub(super) struct Vectors {
    program: Program,
    desk: questions::Desk,
    pool: passages::Pool,
    /// Loading a model holds all of it in the browser's memory for a moment, so one is loaded at a time.
    loading: Shelf<()>,
    models: Cell<Models>,
    /// Whether the library is mostly English, and of how many chunks that was said.
    is_english: Cell<Option<(bool, u32)>>,
    /// The model that somebody wants the vectors made anew with.
    wanted: Cell<Option<&'static Model>>,
    work: RefCell<VectorsWork>,
    is_paused: Cell<bool>,
    /// The stored vectors are in memory.
    is_loaded: Cell<bool>,
    is_running: Cell<bool>,
    is_run_wanted: Cell<bool>,
    /// Asked when there is something to tell of it.
    told: Rc<Burst>,
}

/// The models that matter here.
#[derive(Clone, Copy, Default)]
struct Models {
    used: Option<&'static Model>,
    other: Option<&'static Model>,
    fitting: Option<&'static Model>,
}

impl Vectors {
    /// Nothing is known yet; `tell` is to tell the page how it stands.
    pub(super) fn new(tell: impl FnMut() + 'static) -> Self {
        let loading = Shelf::new();
        loading.put(());
        Self {
            program: Program::default(),
            desk: questions::Desk::default(),
            pool: passages::Pool::default(),
            loading,
            models: Cell::default(),
            is_english: Cell::new(None),
            wanted: Cell::new(None),
            work: RefCell::default(),
            is_paused: Cell::new(false),
            is_loaded: Cell::new(false),
            is_running: Cell::new(false),
            is_run_wanted: Cell::new(false),
            told: Burst::new(tell),
        }
    }

    /// Asks for the vector of a question.
    pub(super) fn ask(&self, question: &str) -> Asked {
        self.desk.ask(question)
    }

    /// The library is another one now, or the same opened anew.
    pub(super) fn reopened(&self) {
        self.pool.stop();
        self.desk.close();
        self.is_loaded.set(false);
        self.is_english.set(None);
    }

    fn work(&self, work: VectorsWork) {
        self.work.replace(work);
        self.told.ask();
    }

    fn fail(&self, failure: Failure) {
        web_sys::console::warn_1(&format!("vectors: {failure}").into());
        self.work(VectorsWork::Failed(failure));
    }

    async fn load(&self, model: &'static Model, cancellation: &Cancellation) -> Result<Embedder, Unmade> {
        let turn = self.loading.take(Urgency::Idle).await;
        if cancellation.is_cancelled() {
            return Err(Unmade::Cancelled);
        }
        let embedder = Embedder::start(&self.program, model, cancellation).await;
        drop(turn);
        embedder
    }

    /// Whether the library's vectors are this model's.
    async fn is_of(&self, engine: &Engine, identity: &ModelIdentity) -> bool {
        let library = engine.library(Urgency::Click).await;
        library.is_ok_and(|library| library.vectors_model() == Some(identity))
    }

    /// A group was stored: it is searched from now on.
    fn stored(&self, engine: &Rc<Engine>, model: &'static Model) {
        self.desk.open(engine, model);
        engine.tabs.tell_changed();
        self.told.ask();
    }
}

/// Sees to it that everything is made that can be: called whenever documents, models or roles may have changed.
pub(super) fn go_on(engine: &Rc<Engine>) {
    engine.vectors.is_run_wanted.set(true);
    if engine.vectors.is_running.replace(true) {
        return;
    }
    let engine = Rc::clone(engine);
    spawn_local(async move {
        while engine.vectors.is_run_wanted.replace(false) {
            match run(&engine).await {
                Ok(()) => {}
                Err(Unmade::Cancelled) => engine.vectors.work(VectorsWork::None),
                Err(Unmade::Failed(failure)) => engine.vectors.fail(failure),
            }
        }
        engine.vectors.is_running.set(false);
    });
}

/// Takes in what another tab did: vectors that it stored, or a model that came or went there.
pub(super) fn follow(engine: &Rc<Engine>) {
    if !engine.is_writer.get() {
        engine.vectors.is_loaded.set(false);
    }
    go_on(engine);
}

async fn run(engine: &Rc<Engine>) -> Result<(), Unmade> {
    let vectors = &engine.vectors;
    look(engine).await?;
    let n_done = engine.library(Urgency::Idle).await?.n_embedded().n_done;
    match vectors.models.get().used {
        Some(model) if n_done > 0 => vectors.desk.open(engine, model),
        _ => vectors.desk.close(),
    }
    let is_stopped = vectors.is_paused.get() || matches!(*vectors.work.borrow(), VectorsWork::Failed(_));
    if let (Some(model), true, false) = (vectors.models.get().used, engine.is_writer.get(), is_stopped) {
        passages::make(engine, model).await?;
    }
    if !matches!(*vectors.work.borrow(), VectorsWork::Failed(_)) {
        vectors.work(if vectors.is_paused.get() { VectorsWork::Paused } else { VectorsWork::None });
    }
    Ok(())
}

/// Looks at what is there: stored vectors, models, languages.
async fn look(engine: &Rc<Engine>) -> Result<(), Unmade> {
    let vectors = &engine.vectors;
    let (made_with, is_english) = {
        let mut library = engine.library(Urgency::Idle).await?;
        if !vectors.is_loaded.replace(true) {
            library.load_vectors().await.map_err(Failure::from)?;
        }
        let embedded = library.n_embedded();
        let made_with = library.vectors_model().filter(|_| embedded.n_done > 0).cloned();
        // Looking reads some hundred chunks: it is done again when the library has become another.
        let is_about = |n_chunks: u32| n_chunks / 2 <= embedded.n_chunks && embedded.n_chunks / 2 <= n_chunks;
        let is_english = match vectors.is_english.get() {
            Some((is_english, n_chunks)) if is_about(n_chunks) => is_english,
            _ => {
                let is_english = library.is_mostly_english().await.map_err(Failure::from)?;
                vectors.is_english.set(Some((is_english, embedded.n_chunks)));
                is_english
            }
        };
        (made_with, is_english)
    };
    let known = || Catalogue::shipped().for_role(Role::Embeds);
    // The first is the English one; who comes after it knows more languages.
    let fitting = if is_english { known().next() } else { known().nth(1).or(known().next()) };
    let store = ModelStore::open().await.ok();
    let kept: Vec<&'static Model> =
        known().filter(|model| store.as_ref().is_some_and(|store| store.kept(model).is_whole)).collect();
    let find = |wanted: Option<&Model>| kept.iter().copied().find(|model| wanted.is_some_and(|it| it.id == model.id));
    let (used, other) = match &made_with {
        Some(made_with) => {
            let made = |model: &&&'static Model| {
                model.id == made_with.id && model.part("weights").is_some_and(|file| file.sha256 == made_with.sha256)
            };
            let used = kept.iter().find(made).copied();
            (used, kept.iter().copied().find(|model| used.is_none_or(|used| used.id != model.id)))
        }
        None => (find(vectors.wanted.get()).or(find(fitting)).or(kept.first().copied()), None),
    };
    vectors.models.set(Models { used, other, fitting });
    vectors.told.ask();
    Ok(())
}

/// How it stands.
pub(super) async fn state(engine: &Engine) -> Result<VectorsState, Failure> {
    let library = engine.library(Urgency::Click).await?;
    let embedded = library.n_embedded();
    let made_with = library.vectors_model().filter(|_| embedded.n_done > 0).map(|model| model.id.clone());
    let Models { used, other, fitting } = engine.vectors.models.get();
    let id = |model: Option<&'static Model>| model.map(|model| model.id.clone());
    Ok(VectorsState {
        n_done: embedded.n_done,
        n_chunks: embedded.n_chunks,
        made_with,
        model: id(used),
        other: id(other),
        fitting: id(fitting),
        work: engine.vectors.work.borrow().clone(),
        millis_per_chunk: engine.vectors.pool.millis_per_chunk(),
    })
}

/// Tells the page how it stands.
pub(super) async fn tell(engine: &Engine) {
    if let Ok(state) = state(engine).await {
        engine.tell(RequestId::UNASKED, &Event::Vectors(state));
    }
}

/// Stops making vectors of passages, or goes on with it.
pub(super) fn pause(engine: &Rc<Engine>, is_paused: bool) -> Result<(), Failure> {
    engine.may_write()?;
    engine.vectors.is_paused.set(is_paused);
    if is_paused {
        engine.vectors.pool.stop();
    }
    engine.vectors.work(if is_paused { VectorsWork::Paused } else { VectorsWork::None });
    go_on(engine);
    Ok(())
}

/// Removes the vectors that another model made, and has them made anew.
pub(super) async fn remake(engine: &Rc<Engine>, model: &str) -> Result<(), Failure> {
    let model = Catalogue::shipped().for_role(Role::Embeds).find(|known| known.id == model);
    let model = model.ok_or_else(|| Failure {
        error: "This version of Millwright knows no such embedding model.".to_owned(),
        error_type: FailureKind::NotFound,
    })?;
    engine.may_write()?;
    {
        let mut library = engine.library(Urgency::Click).await?;
        // With the library in hand: nothing of the former model comes in after this.
        engine.vectors.pool.stop();
        engine.vectors.desk.close();
        library.forget_vectors().await?;
    }
    engine.vectors.wanted.set(Some(model));
    engine.vectors.is_paused.set(false);
    engine.vectors.work(VectorsWork::None);
    engine.tabs.tell_changed();
    go_on(engine);
    Ok(())
}

/// A model came or went.
pub(super) fn models_changed(engine: &Rc<Engine>) {
    engine.vectors.pool.stop();
    if matches!(*engine.vectors.work.borrow(), VectorsWork::Failed(_)) {
        engine.vectors.work.replace(VectorsWork::None);
    }
    engine.tabs.tell_changed();
    go_on(engine);
}
