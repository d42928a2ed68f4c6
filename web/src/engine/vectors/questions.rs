//! The vectors of questions: an embedder of their own, which no passages keep busy, and those of the last questions, kept.
//!
//! Who types asks many questions and wants the answer to the last: only the newest waits, the others are let go.

use super::embedder::Unmade;
use crate::engine::{Engine, cancel::Cancellation};
use futures_channel::oneshot;
use futures_util::future::{Either, select};
use millwright_core::{dense::Code, models::Model};
use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    future::poll_fn,
    pin::pin,
    rc::Rc,
    task::{Poll, Waker},
};
use wasm_bindgen_futures::spawn_local;

/// So many questions are remembered: a person goes back and forth between a few.
const N_REMEMBERED: usize = 64;

/// Where questions wait for their vectors.
#[derive(Default)]
pub(super) struct Desk {
    waiting: RefCell<Option<(String, oneshot::Sender<Rc<Code>>)>>,
    waker: RefCell<Option<Waker>>,
    /// The newest last.
    remembered: RefCell<VecDeque<(String, Rc<Code>)>>,
    open: RefCell<Option<Open>>,
    is_ready: Cell<bool>,
}

struct Open {
    model: &'static Model,
    closing: Cancellation,
}

/// What becomes of a question.
pub(in crate::engine) enum Asked {
    /// There is nobody who makes vectors of questions.
    Nobody,
    /// It was asked lately.
    Known(Rc<Code>),
    /// It is being made; by one who is ready, or who has to be loaded first. Nothing comes where a newer question took
    /// its place or making it failed.
    Coming {
        /// What comes.
        vector: oneshot::Receiver<Rc<Code>>,
        /// Whether it takes only a moment.
        is_soon: bool,
    },
}

impl Desk {
    /// Asks for the vector of a question.
    pub(super) fn ask(&self, question: &str) -> Asked {
        let question = question.trim();
        if self.open.borrow().is_none() {
            return Asked::Nobody;
        }
        let mut remembered = self.remembered.borrow_mut();
        if let Some(at) = remembered.iter().position(|(asked, _)| asked == question) {
            let Some(known) = remembered.remove(at) else { return Asked::Nobody };
            let code = Rc::clone(&known.1);
            remembered.push_back(known);
            return Asked::Known(code);
        }
        let (sender, vector) = oneshot::channel();
        self.waiting.replace(Some((question.to_owned(), sender)));
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
        Asked::Coming { vector, is_soon: self.is_ready.get() }
    }

    /// Has an embedder with this model loaded, unless it is.
    pub(super) fn open(&self, engine: &Rc<Engine>, model: &'static Model) {
        if self.open.borrow().as_ref().is_some_and(|open| open.model.id == model.id) {
            return;
        }
        self.close();
        let closing = Cancellation::default();
        self.open.replace(Some(Open { model, closing: closing.clone() }));
        let engine = Rc::clone(engine);
        spawn_local(async move {
            let ended = serve(&engine, model, &closing).await;
            if closing.is_cancelled() {
                return;
            }
            engine.vectors.desk.close();
            if let Err(Unmade::Failed(failure)) = ended {
                engine.vectors.fail(failure);
            }
        });
    }

    /// Ends it and forgets what was asked: who waits gets nothing.
    pub(super) fn close(&self) {
        if let Some(open) = self.open.take() {
            open.closing.cancel();
        }
        self.is_ready.set(false);
        self.waiting.take();
        self.remembered.borrow_mut().clear();
    }

    async fn next(&self) -> (String, oneshot::Sender<Rc<Code>>) {
        poll_fn(|context| match self.waiting.take() {
            Some(waiting) => Poll::Ready(waiting),
            None => {
                self.waker.replace(Some(context.waker().clone()));
                Poll::Pending
            }
        })
        .await
    }

    fn remember(&self, question: String, code: &Rc<Code>) {
        let mut remembered = self.remembered.borrow_mut();
        if remembered.len() >= N_REMEMBERED {
            remembered.pop_front();
        }
        remembered.push_back((question, Rc::clone(code)));
    }
}

/// Makes the vectors of questions, one after the other, until it is closed.
async fn serve(engine: &Rc<Engine>, model: &'static Model, closing: &Cancellation) -> Result<(), Unmade> {
    let desk = &engine.vectors.desk;
    let mut embedder = engine.vectors.load(model, closing).await?;
    if !engine.vectors.is_of(engine, embedder.identity()).await {
        // The passages' vectors are of another arithmetic or file: no question may be compared with them.
        return Ok(());
    }
    desk.is_ready.set(true);
    loop {
        let (question, sender) = match select(pin!(desk.next()), pin!(closing.cancelled())).await {
            Either::Left((asked, _)) => asked,
            Either::Right(_) => return Err(Unmade::Cancelled),
        };
        if let Some(code) = embedder.question(&question, closing).await? {
            let code = Rc::new(code);
            desk.remember(question, &code);
            // Nobody waits any more where a newer question came.
            let _ = sender.send(code);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Asked, Desk, N_REMEMBERED, Open};
    use crate::engine::cancel::Cancellation;
    use millwright_core::{
        dense::Code,
        models::{Catalogue, Role},
    };
    use std::rc::Rc;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn open_desk() -> Desk {
        let desk = Desk::default();
        let model = Catalogue::shipped().for_role(Role::Embeds).next().unwrap();
        desk.open.replace(Some(Open { model, closing: Cancellation::default() }));
        desk
    }

    #[wasm_bindgen_test]
    async fn only_the_newest_question_waits() {
        assert!(matches!(Desk::default().ask("seal"), Asked::Nobody));
        let desk = open_desk();
        let Asked::Coming { vector: older, is_soon: false } = desk.ask("se") else { panic!("nobody is ready") };
        let Asked::Coming { vector: newer, .. } = desk.ask("seal") else { panic!("it is not known") };
        assert!(older.await.is_err(), "a newer one took its place");
        let (question, sender) = desk.next().await;
        assert_eq!(question, "seal");
        assert!(sender.send(Rc::new(Code::of(&[1.0]).unwrap())).is_ok());
        assert!(newer.await.is_ok());
    }

    #[wasm_bindgen_test]
    fn the_last_questions_are_remembered_until_it_is_closed() {
        let desk = open_desk();
        let code = Rc::new(Code::of(&[1.0]).unwrap());
        for n in 0..N_REMEMBERED {
            desk.remember(n.to_string(), &code);
        }
        assert!(matches!(desk.ask(" 0 "), Asked::Known(_)), "and is the newest now");
        desk.remember("one more".to_owned(), &code);
        assert!(matches!(desk.ask("0"), Asked::Known(_)));
        assert!(matches!(desk.ask("1"), Asked::Coming { .. }), "the oldest is forgotten");
        desk.close();
        assert!(matches!(desk.ask("0"), Asked::Nobody));
    }
}
