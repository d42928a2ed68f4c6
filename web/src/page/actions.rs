//! What can be done on the page. Each is a method of [`Page`](super::state::Page) that changes signals and talks to the engine.
//!
//! Not for views; and not for deciding anything that could be decided in [`super::logic`].

mod asking;
mod connecting;
mod ingesting;
mod keeping;
mod models;
mod navigating;
mod reading;

pub(super) use models::model_row_id;
