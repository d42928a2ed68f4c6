//! Text over a real socket, by a child process that follows a script in place of a model: all but llama.cpp itself.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod chat;
mod hostile;
mod loading;
#[cfg(feature = "generate")]
mod real;
mod scripted;
mod served;
