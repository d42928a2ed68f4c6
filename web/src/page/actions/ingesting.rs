//! Adding files: hands a batch to the engine and keeps its state up to date.

use super::super::{
    logic::{batch::Batch, labels},
    platform::NamedFile,
    state::{Kept, Page, Pane, Sent},
    texts,
};
use leptos::prelude::*;
use millwright_core::protocol::{Event, Password, Request};
use send_wrapper::SendWrapper;

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
        let sources = Kept::Files(SendWrapper::new(files.clone()));
        let key = self.begin_batch(|key| Batch::new(key, names.clone()), sources);
        if self.asking.question.with_untracked(String::is_empty) {
            self.pane.set(Pane::Documents);
        }
        self.ingest(key, None, names, files, None);
    }

    /// Shows a new batch; its key.
    pub(super) fn begin_batch(self, batch: impl FnOnce(u32) -> Batch, sources: Kept) -> u32 {
        let key = self.batches.with_untracked(|batches| batches.iter().map(|batch| batch.key).max().unwrap_or(0) + 1);
        self.batches.update(|batches| {
            // What went well needs no further notice; what failed or waits stays until it is dismissed.
            batches.retain(|batch| !batch.is_over() || batch.tally().unsettled() > 0);
            batches.push(batch(key));
        });
        self.sources.update_value(|held| held.push((key, sources)));
        self.forget_sources();
        key
    }

    /// Gives a locked file's password and has it read with it. The password is kept nowhere.
    pub(crate) fn unlock(self, key: u32, file: u32, password: String) {
        let source = self.sources.with_value(|held| held.iter().find(|held| held.0 == key).map(|held| held.1.clone()));
        let name = self
            .batches
            .try_update(|batches| {
                let batch = batches.iter_mut().find(|batch| batch.key == key)?;
                batch.unlock(file).then(|| batch.name(file).map(str::to_owned)).flatten()
            })
            .flatten();
        let (only, at, password) = (Some(file), file as usize, Some(Password(password)));
        match (name, source) {
            (Some(name), Some(Kept::Files(files))) => {
                let files = files.get(at).cloned().into_iter().collect();
                self.ingest(key, only, vec![name], files, password);
            }
            (Some(_), Some(Kept::Documents(documents))) => {
                let documents = documents.get(at).cloned().into_iter().collect();
                self.send_scans(key, only, documents, password);
            }
            _ => {}
        }
    }

    /// Leaves a locked file out.
    pub(crate) fn skip(self, key: u32, file: u32) {
        self.update_batch(key, |batch| batch.skip(file));
    }

    /// Hands files to the engine: those of a whole batch, or the one that `only` names.
    fn ingest(
        self,
        key: u32,
        only: Option<u32>,
        names: Vec<String>,
        files: Vec<web_sys::File>,
        password: Option<Password>,
    ) {
        let on_event = move |event| self.hear_batch(key, only, event);
        let request = Request::Ingest { names, password };
        let request = self.client.with_value(|client| client.request(request, files, on_event));
        self.requests.update_value(|requests| requests.push(Sent { key, only, request }));
    }

    fn update_batch(self, key: u32, change: impl FnOnce(&mut Batch)) {
        self.batches.update(|batches| {
            if let Some(batch) = batches.iter_mut().find(|batch| batch.key == key) {
                change(batch);
            }
        });
    }

    pub(super) fn hear_batch(self, key: u32, only: Option<u32>, event: Event) {
        let is_over = matches!(event, Event::Done | Event::Failed(_));
        let file_of = move |file: u32| only.unwrap_or(file);
        self.update_batch(key, |batch| match event {
            Event::FileProgress { file, stage, done, total, unit } => {
                batch.progress(file_of(file), stage, done, total, unit);
            }
            Event::FileDone { file, outcome } => batch.finish(file_of(file), outcome),
            Event::Done => batch.close(only, None),
            Event::Failed(failure) => batch.close(only, Some(&failure)),
            _ => {}
        });
        if is_over {
            self.requests.update_value(|requests| requests.retain(|sent| sent.key != key || sent.only != only));
            self.refresh();
        }
    }

    /// Stops a batch, or one file of it; what is already in the library stays.
    pub(crate) fn cancel(self, key: u32, file: Option<u32>) {
        if file.is_none() {
            self.update_batch(key, |batch| batch.is_cancelling = true);
        }
        let requests: Vec<Request> = self.requests.with_value(|requests| {
            let of_batch = requests.iter().filter(|sent| sent.key == key);
            let cancel = |sent: &Sent| match (sent.only, file) {
                (Some(only), Some(file)) => {
                    (only == file).then_some(Request::Cancel { request: sent.request, file: Some(0) })
                }
                _ => Some(Request::Cancel { request: sent.request, file }),
            };
            of_batch.filter_map(cancel).collect()
        });
        requests.into_iter().for_each(|request| self.send(request, |_| {}));
    }

    /// Takes a finished batch off the page.
    pub(crate) fn dismiss_batch(self, key: u32) {
        self.batches.update(|batches| batches.retain(|batch| batch.key != key || !batch.is_over()));
        self.forget_sources();
    }

    /// Lets go of the files of batches that are not on the page any more.
    fn forget_sources(self) {
        let keys: Vec<u32> = self.batches.with_untracked(|batches| batches.iter().map(|batch| batch.key).collect());
        self.sources.update_value(|held| held.retain(|(key, _)| keys.contains(key)));
    }
}
