//! Handing the model for scans to a reader that met one, out of the browser's own storage and past the engine's memory.

use super::{Reader, Unread};
use crate::{channel::set, engine::models};
use js_sys::{Array, Object};
use millwright_core::models::Role;
use wasm_bindgen::JsValue;

impl Reader {
    /// Hands over the model where one is kept, or the word that there is none: the file is then read without.
    pub(super) async fn hand_over_model(&mut self) -> Result<(), Unread> {
        let message = Object::new();
        let moved = Array::new();
        set(&message, "model", &JsValue::TRUE);
        if let Some((store, model)) = models::kept(Role::ReadsScans).await {
            for file in &model.files {
                // A part that cannot be read back is as good as no model: the notice on the document says what to do.
                if let Ok(bytes) = store.load(file).await {
                    set(&message, &file.part, &bytes);
                    moved.push(&bytes);
                }
            }
        }
        if let Some(running) = &mut self.running {
            running.has_model = moved.length() > 0;
        }
        self.tell(&message, &moved, 0)
    }

    /// Nothing is left to read: a reader that holds a model gives its memory back.
    pub(in crate::engine) fn rest(&mut self) {
        if self.running.as_ref().is_some_and(|running| running.has_model) {
            self.running = None;
        }
    }
}
