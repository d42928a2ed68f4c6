//! `millwright ingest`: files and folders into the library, one after the other, each whole or not at all.

use super::{CommandError, code_of, count, embed, grouped, open_library, read_file};
use crate::{
    EXIT_INTERRUPTED,
    cli::IngestArgs,
    clock::SystemClock,
    files::{self, Source},
    interrupt::Interrupt,
    models::ocr,
    output::{Output, WIDTH, printable, wrap},
    reader::{self, PATIENCE, ReaderError},
    store::FileStorage,
    vectors::{Maker, NoMaker},
};
use millwright_core::{
    document::DocumentId,
    host::{Clock, Progress},
    index::{self, DocumentRecord, IndexError, Known, Library},
    parse::{ParseError, ParseOptions},
    protocol::{Failure, FailureKind, FileOutcome},
};
use serde::Serialize;
use std::{path::PathBuf, sync::Arc};

/// Column at which names begin, after the longest outcome.
const NAME_COLUMN: usize = 12;

/// The JSON document.
#[derive(Serialize)]
struct Report {
    files: Vec<FileReport>,
    summary: Summary,
    /// `None` where no model makes any.
    vectors: Option<embed::Vectors>,
}

#[derive(Serialize)]
struct FileReport {
    /// The name in the library. Not `name`: that is the other document's where the content is already there.
    file: String,
    /// Where it was found.
    path: PathBuf,
    #[serde(flatten)]
    outcome: FileOutcome,
}

#[derive(Default, Serialize)]
struct Summary {
    n_added: usize,
    n_replaced: usize,
    n_read_again: usize,
    n_unchanged: usize,
    n_same_content: usize,
    n_failed: usize,
    n_cancelled: usize,
    n_documents_in_library: usize,
    n_chunks_in_library: usize,
}

pub(super) fn run(args: &IngestArgs, library: Option<PathBuf>, output: &mut Output) -> Result<u8, CommandError> {
    let interrupt = Interrupt::listen().map_err(|error| Failure {
        error: format!("Ctrl-C cannot be listened for: {error}"),
        error_type: FailureKind::Internal,
    })?;
    let mut library = open_library(library, output)?;
    let sources = files::collect(&args.paths);
    let mut report = Report { files: Vec::with_capacity(sources.len()), summary: Summary::default(), vectors: None };
    // One reader for all files: loading the model takes longer than reading a page with it.
    let options = ParseOptions { scans: ocr::reader(None), ..args.password.options() };
    let n_sources = sources.len();
    for (place, source) in sources.into_iter().enumerate() {
        let outcome = if interrupt.is_raised() {
            FileOutcome::Cancelled
        } else {
            let lead = format!("{}/{} {}", place + 1, n_sources, printable(&source.name));
            output.status(&lead);
            add(&source, &options, &mut library, &interrupt, &mut |done, total| {
                output.status(&progress(&lead, done, total))
            })
        };
        report.summary.count(&outcome);
        show(&source.name, &outcome, output);
        report.files.push(FileReport { file: source.name, path: source.path, outcome });
    }
    // Merging is a matter of speed alone: what it fails with is no reason to call the files failed.
    while !interrupt.is_raised() && matches!(pollster::block_on(library.maintain()), Ok(true)) {}
    report.vectors = embed(&mut library, &interrupt, output);

    let documents = library.documents();
    report.summary.n_documents_in_library = documents.len();
    report.summary.n_chunks_in_library = documents.iter().map(|record| record.n_chunks as usize).sum();
    if report.files.is_empty() {
        output.line("No files there.");
    }
    output.line(&output.dim(&report.summary.sentence()));
    output.json(&report);
    Ok(if interrupt.is_raised() { EXIT_INTERRUPTED } else { report.summary.code() })
}

/// Makes the vectors that are missing, where a model is here. Everything is found by its words without them, so what goes
/// wrong is told and is no failure of the files.
fn embed(library: &mut Library<FileStorage>, interrupt: &Interrupt, output: &mut Output) -> Option<embed::Vectors> {
    if interrupt.is_raised() || library.n_embedded().n_chunks == 0 {
        return None;
    }
    let made = match Maker::load(library.vectors_model(), None) {
        Ok(maker) => embed::make(&maker, library, interrupt, output).map_err(|error| error.to_string()),
        Err(NoMaker::Absent) => return None,
        Err(NoMaker::Other(model)) => Err(embed::other_model(&model)),
        Err(NoMaker::Failed(failure)) => Err(failure.error),
    };
    match made {
        Ok(vectors) => {
            output.line(&output.dim(&vectors.sentence()));
            Some(vectors)
        }
        Err(why) => {
            let told = wrap(&printable(&format!("No vectors were made. {why}")), WIDTH);
            told.iter().for_each(|line| output.line(line));
            None
        }
    }
}

/// One file, from its path to its outcome.
fn add(
    source: &Source,
    options: &ParseOptions,
    library: &mut Library<FileStorage>,
    interrupt: &Interrupt,
    on_progress: &mut dyn FnMut(u32, u32),
) -> FileOutcome {
    if let Some(problem) = &source.problem {
        return FileOutcome::Failed(problem.clone());
    }
    let bytes = match read_file(&source.path) {
        Ok(bytes) => Arc::new(bytes),
        Err(failure) => return FileOutcome::Failed(failure),
    };
    let id = DocumentId::of(&bytes);
    let stored = match library.check(&source.name, &id) {
        Known::Unchanged if !(options.scans.is_some() && library.has_unread_scans(&id)) => {
            return FileOutcome::Unchanged;
        }
        Known::SameContent { .. } => pollster::block_on(library.add_alias(&source.name, &id)),
        known @ (Known::Unchanged | Known::New | Known::Replaces(_)) => {
            let (name, shared, options) = (source.name.clone(), Arc::clone(&bytes), options.clone());
            let work = move |progress: &mut dyn Progress| index::prepare_with(&name, &shared, &options, progress);
            match reader::read(work, PATIENCE, interrupt, on_progress) {
                Ok(prepared) => {
                    let now_millis = SystemClock::new().now_millis();
                    pollster::block_on(async {
                        match known {
                            Known::Unchanged => library.read_again(prepared).await,
                            _ => library.commit(prepared, &bytes, now_millis).await,
                        }
                    })
                }
                Err(ReaderError::Parse(ParseError::Cancelled)) => return FileOutcome::Cancelled,
                Err(error) => return FileOutcome::Failed((&error).into()),
            }
        }
    };
    stored.unwrap_or_else(|error: IndexError| FileOutcome::Failed(error.into()))
}

fn progress(lead: &str, done: u32, total: u32) -> String {
    match total {
        0 => lead.to_owned(),
        total => format!("{lead}: {} of {}", grouped(done as usize), grouped(total as usize)),
    }
}

fn show(name: &str, outcome: &FileOutcome, output: &mut Output) {
    let (word, mut notes) = match outcome {
        FileOutcome::Added { record } => ("added", record_notes(record)),
        FileOutcome::Replaced { record } => ("replaced", record_notes(record)),
        FileOutcome::ReadAgain { record } => ("read again", record_notes(record)),
        FileOutcome::Unchanged => ("unchanged", vec![]),
        FileOutcome::SameContent { name } => ("same", vec![format!("has the content of {name}")]),
        FileOutcome::Failed(failure) => ("failed", vec![failure.error.clone()]),
        FileOutcome::Cancelled => ("stopped", vec![]),
    };
    output.line(&format!("{word:<NAME_COLUMN$}{}", printable(name)));
    for note in notes.drain(..) {
        for line in wrap(&printable(&note), WIDTH - NAME_COLUMN) {
            output.line(&format!("{:NAME_COLUMN$}{line}", ""));
        }
    }
}

/// What a reader should know of a document that came in; nothing where all is well.
fn record_notes(record: &DocumentRecord) -> Vec<String> {
    let mut notes = Vec::new();
    for warning in &record.warnings {
        let page = warning.page.map(|page| format!("page {page}: ")).unwrap_or_default();
        notes.push(format!("{page}{}", warning.message));
    }
    if record.n_chunks == 0 {
        notes.push("No text was found in it: it is kept, but no question will find it.".to_owned());
    }
    notes
}

impl Summary {
    fn count(&mut self, outcome: &FileOutcome) {
        match outcome {
            FileOutcome::Added { .. } => self.n_added += 1,
            FileOutcome::Replaced { .. } => self.n_replaced += 1,
            FileOutcome::ReadAgain { .. } => self.n_read_again += 1,
            FileOutcome::Unchanged => self.n_unchanged += 1,
            FileOutcome::SameContent { .. } => self.n_same_content += 1,
            FileOutcome::Failed(_) => self.n_failed += 1,
            FileOutcome::Cancelled => self.n_cancelled += 1,
        }
    }

    fn code(&self) -> u8 {
        let n_ok = self.n_added + self.n_replaced + self.n_read_again + self.n_unchanged + self.n_same_content;
        code_of(n_ok, self.n_failed)
    }

    fn sentence(&self) -> String {
        let parts = [
            (self.n_added, "added"),
            (self.n_replaced, "replaced"),
            (self.n_read_again, "read again with their scans"),
            (self.n_unchanged, "unchanged"),
            (self.n_same_content, "with the same content as another"),
            (self.n_failed, "failed"),
            (self.n_cancelled, "not begun or stopped"),
        ];
        let parts: Vec<String> =
            parts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{} {word}", grouped(*n))).collect();
        let done = if parts.is_empty() { String::new() } else { format!("{}. ", parts.join(", ")) };
        format!(
            "{done}The library holds {}, {}.",
            count(self.n_documents_in_library, "document", "documents"),
            count(self.n_chunks_in_library, "chunk", "chunks")
        )
    }
}
