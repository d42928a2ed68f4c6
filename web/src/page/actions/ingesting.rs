//! Adding files: hands a batch to the engine and keeps its state up to date.

use super::super::{
    logic::{batch::Batch, labels},
    platform::NamedFile,
    state::{Page, Pane},
    texts,
};
use leptos::prelude::*;
use millwright_core::protocol::{Event, FailureKind, Request};

impl Page {
    /// Why files cannot be added or deleted now, `None` where they can.
    pub(crate) fn obstacle(self) -> Option<&'static str> {
        if self.machine.is_writer.get() { None } else { Some(texts::WRITER_ELSEWHERE_SHORT) }
    }

    /// Adds files. Those that systems leave behind in folders are left out.
    pub(crate) fn add_files(self, files: Vec<NamedFile>) {
        if let Some(reason) = untrack(|| self.obstacle()) {
            self.say(reason);
            return;
        }
        let files: Vec<_> = files.into_iter().filter(|file| !labels::is_clutter(&file.name)).collect();
        if files.is_empty() {
            self.say(texts::NOTHING_TO_ADD);
            return;
        }
        let (names, files): (Vec<_>, Vec<_>) = files.into_iter().map(|file| (file.name, file.file)).unzip();
        let key = self.batches.with_untracked(|batches| batches.iter().map(|batch| batch.key).max().unwrap_or(0) + 1);
        self.batches.update(|batches| {
            // What went well needs no further notice; what failed stays until it is dismissed.
            batches.retain(|batch| !batch.is_over || batch.tally().failed > 0);
            batches.push(Batch::new(key, names.clone()));
        });
        if self.asking.question.with_untracked(String::is_empty) {
            self.pane.set(Pane::Documents);
        }
        let on_event = move |event| self.hear_batch(key, event);
        let request = self.client.with_value(|client| client.request(Request::Ingest { names }, files, on_event));
        self.requests.update_value(|requests| requests.push((key, request)));
    }

    fn hear_batch(self, key: u32, event: Event) {
        let mut is_full = false;
        let is_over = matches!(event, Event::Done | Event::Failed(_));
        self.batches.update(|batches| {
            let Some(batch) = batches.iter_mut().find(|batch| batch.key == key) else { return };
            match event {
                Event::FileProgress { file, stage, done, total } => batch.progress(file, stage, done, total),
                Event::FileDone { file, outcome } => batch.finish(file, outcome),
                Event::Done => batch.close(None),
                Event::Failed(failure) => {
                    is_full = failure.error_type == FailureKind::StorageFull;
                    batch.close(Some(&failure));
                }
                _ => {}
            }
        });
        if is_over {
            self.requests.update_value(|requests| requests.retain(|request| request.0 != key));
            self.refresh();
        }
        if is_full {
            self.machine.notice.set(Some(texts::STORAGE_FULL.to_owned()));
        }
    }

    /// Stops a batch; what is already in the library stays.
    pub(crate) fn cancel_batch(self, key: u32) {
        let Some(request) = self.requests.with_value(|requests| requests.iter().find(|r| r.0 == key).map(|r| r.1))
        else {
            return;
        };
        self.batches.update(|batches| {
            if let Some(batch) = batches.iter_mut().find(|batch| batch.key == key) {
                batch.is_cancelling = true;
            }
        });
        self.send(Request::Cancel { request }, |_| {});
    }

    /// Takes a finished batch off the page.
    pub(crate) fn dismiss_batch(self, key: u32) {
        self.batches.update(|batches| batches.retain(|batch| batch.key != key || !batch.is_over));
    }
}
