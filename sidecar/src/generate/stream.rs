//! A text on its way: pieces as they come, from whichever model. Ends itself where a stop is reached or the model goes in
//! circles, and tells the model to stop when nobody listens any more.

use super::repetition::Repetition;
use millwright_core::host::generator::{Finish, GenerateError, Generation, Usage};
use std::collections::VecDeque;
use tokio::sync::mpsc::UnboundedReceiver;

/// What comes out of a [`Stream`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// So much of the messages was read.
    Read {
        /// Tokens that are in the model's memory.
        done_tokens: u32,
        /// Tokens of all messages.
        total_tokens: u32,
    },
    /// Text.
    Text(String),
    /// The end.
    Done {
        /// Why.
        finish: Finish,
        /// What it took.
        usage: Usage,
    },
    /// The end, unforeseen.
    Failed(GenerateError),
}

/// A text on its way. Dropping it stops the model within a token.
pub struct Stream {
    pieces: UnboundedReceiver<Piece>,
    cancel: Option<Box<dyn FnOnce() + Send>>,
    stops: Vec<String>,
    /// Text that may be the beginning of a stop.
    held: String,
    repetition: Repetition,
    usage: Usage,
    /// What is handed out before more is taken in.
    ready: VecDeque<Piece>,
    has_ended: bool,
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Stream")
            .field("usage", &self.usage)
            .field("has_ended", &self.has_ended)
            .finish_non_exhaustive()
    }
}

impl Stream {
    /// The pieces of `generation`; `cancel` is called where they are not wanted to their end.
    pub(super) fn new(
        generation: &Generation,
        pieces: UnboundedReceiver<Piece>,
        cancel: impl FnOnce() + Send + 'static,
    ) -> Self {
        Self {
            pieces,
            cancel: Some(Box::new(cancel)),
            stops: generation.stop.iter().filter(|stop| !stop.is_empty()).cloned().collect(),
            held: String::new(),
            repetition: Repetition::default(),
            usage: Usage::default(),
            ready: VecDeque::new(),
            has_ended: false,
        }
    }

    /// The next piece; `None` after [`Piece::Done`] or [`Piece::Failed`]. Loses nothing when it is dropped while waiting.
    pub async fn next(&mut self) -> Option<Piece> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Some(piece);
            }
            if self.has_ended {
                return None;
            }
            let piece = self.pieces.recv().await.unwrap_or_else(|| {
                let why = "it ended without a word".to_owned();
                Piece::Failed(GenerateError::Crashed { why })
            });
            self.take(piece);
        }
    }

    fn take(&mut self, piece: Piece) {
        match piece {
            Piece::Read { total_tokens, .. } => {
                self.usage.prompt_tokens = total_tokens;
                self.ready.push_back(piece);
            }
            Piece::Text(text) => self.take_text(&text),
            Piece::Done { finish, usage } => {
                let held = std::mem::take(&mut self.held);
                self.hand_out(held);
                // A server that counts nothing leaves what was counted here.
                let usage = if usage == Usage::default() { self.usage } else { usage };
                self.ready.push_back(Piece::Done { finish, usage });
                self.has_ended = true;
                self.cancel = None;
            }
            Piece::Failed(_) => {
                let held = std::mem::take(&mut self.held);
                self.hand_out(held);
                self.ready.push_back(piece);
                self.has_ended = true;
                self.cancel = None;
            }
        }
    }

    fn take_text(&mut self, text: &str) {
        self.usage.generated_tokens += 1;
        let repeats = self.repetition.hears(text);
        self.held.push_str(text);
        if let Some(end) = self.stops.iter().filter_map(|stop| self.held.find(stop.as_str())).min() {
            let mut text = std::mem::take(&mut self.held);
            text.truncate(end);
            self.hand_out(text);
            self.end(Finish::Ended);
            return;
        }
        let keep = self.stops.iter().map(|stop| beginning(&self.held, stop)).max().unwrap_or(0);
        let kept = self.held.split_off(self.held.len() - keep);
        let text = std::mem::replace(&mut self.held, kept);
        self.hand_out(text);
        if repeats {
            self.end(Finish::Repeating);
        }
    }

    fn hand_out(&mut self, text: String) {
        if !text.is_empty() {
            self.ready.push_back(Piece::Text(text));
        }
    }

    /// Ends it from this side.
    fn end(&mut self, finish: Finish) {
        self.ready.push_back(Piece::Done { finish, usage: self.usage });
        self.has_ended = true;
        self.stop();
    }

    fn stop(&mut self) {
        if let Some(cancel) = self.cancel.take() {
            cancel();
        }
    }

    /// What it took so far.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.usage
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Bytes at the end of `text` that are a beginning of `stop`, but not all of it.
fn beginning(text: &str, stop: &str) -> usize {
    let ends = stop.char_indices().map(|(at, _)| at).filter(|&at| at > 0);
    ends.filter(|&end| text.ends_with(&stop[..end])).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use millwright_core::host::generator::Task;
    use std::sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    };
    use tokio::sync::mpsc;

    /// What comes out of these pieces with these stops, why it ended, and whether the model was told to stop.
    fn run(pieces: &[&str], stops: &[&str]) -> (Vec<String>, Option<Finish>, bool) {
        let stop = stops.iter().map(|&stop| stop.to_owned()).collect();
        let generation = Generation { stop, ..Generation::new(Task::Answer, Vec::new()) };
        let (sender, receiver) = mpsc::unbounded_channel();
        let cancelled = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&cancelled);
        let mut stream = Stream::new(&generation, receiver, move || flag.store(true, Ordering::Relaxed));
        for &piece in pieces {
            let _ = sender.send(Piece::Text(piece.to_owned()));
        }
        let _ = sender.send(Piece::Done { finish: Finish::Length, usage: Usage::default() });
        let (mut texts, mut finished) = (Vec::new(), None);
        while let Some(piece) = pollster::block_on(stream.next()) {
            match piece {
                Piece::Text(text) => texts.push(text),
                Piece::Done { finish, .. } => finished = Some(finish),
                Piece::Read { .. } | Piece::Failed(_) => {}
            }
        }
        drop(stream);
        (texts, finished, cancelled.load(Ordering::Relaxed))
    }

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn pieces_come_as_they_are() {
        assert_eq!(run(&["a", "b"], &[]), (strings(&["a", "b"]), Some(Finish::Length), false));
    }

    #[test]
    fn a_stop_ends_it_even_in_parts_and_is_not_shown() {
        assert_eq!(run(&["one E", "N", "D two"], &["END"]), (strings(&["one "]), Some(Finish::Ended), true));
        // What only looked like one is shown after all.
        assert_eq!(run(&["one E", "N", "D"], &["ENDE"]), (strings(&["one ", "END"]), Some(Finish::Length), false));
    }

    #[test]
    fn circles_end_it() {
        let (texts, finish, cancelled) = run(&["again and "; 200], &[]);
        assert!(texts.len() < 50 && finish == Some(Finish::Repeating) && cancelled, "{} {finish:?}", texts.len());
    }

    #[test]
    fn dropping_it_tells_the_model() {
        let (_sender, receiver) = mpsc::unbounded_channel();
        let cancelled = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&cancelled);
        let generation = Generation::new(Task::Answer, Vec::new());
        drop(Stream::new(&generation, receiver, move || flag.store(true, Ordering::Relaxed)));
        assert!(cancelled.load(Ordering::Relaxed));
    }
}
