//! Sentences with numbers and names in them.

use crate::page::logic::{
    batch::Tally,
    numbers::{counted, duration, grouped, size},
};
use millwright_core::{
    chunk::ChunkPlace,
    document::WarningGrade,
    index::DocumentRecord,
    parse::ParseWarningKind,
    protocol::{FileOutcome, IngestStage, OtherPlace, Passage, ReadSoFar, StorageState, Unit},
    retrieve::Route,
};

/// The tab's title.
pub(crate) fn page_title(question: &str) -> String {
    let question = question.trim();
    if question.is_empty() { super::PRODUCT.to_owned() } else { format!("{question} – {}", super::PRODUCT) }
}

/// The documents' tab.
pub(crate) fn tab_documents(n: u64) -> String {
    if n == 0 { super::LIBRARY.to_owned() } else { format!("{} {}", super::LIBRARY, grouped(n)) }
}

/// What was found, among how much, how fast.
pub(crate) fn result_line(n_passages: usize, n_chunks: u32, took_micros: u64) -> String {
    let passages = counted(n_passages as u64, "passage", "passages");
    format!("{passages} from {} searched in {}", grouped(u64::from(n_chunks)), duration(took_micros))
}

/// Nothing was found.
pub(crate) fn nothing_found(question: &str) -> String {
    format!("Nothing found for “{}”", question.trim())
}

/// What was searched in vain.
pub(crate) fn searched(n_chunks: u32, n_documents: usize) -> String {
    let documents = counted(n_documents as u64, "document", "documents");
    let passages = counted(u64::from(n_chunks), "passage", "passages");
    format!("Searched {passages} in {documents}. It is not there in these words. You could try this:")
}

/// "Page 12".
pub(crate) fn page_number(page: u32) -> String {
    format!("Page {}", grouped(u64::from(page)))
}

/// "3 documents".
pub(crate) fn n_documents(n: u64) -> String {
    counted(n, "document", "documents")
}

/// "3 selected".
pub(crate) fn n_selected(n: u64) -> String {
    format!("{} selected", grouped(n))
}

/// "2 remarks".
pub(crate) fn n_remarks(n: u64) -> String {
    counted(n, "remark", "remarks")
}

/// What a list says of a document: format, size, pages, passages.
pub(crate) fn document_facts(record: &DocumentRecord) -> Vec<String> {
    let mut facts = vec![record.format.label().to_owned(), size(record.size_bytes)];
    facts.extend(record.n_pages.map(|n| counted(u64::from(n), "page", "pages")));
    facts.push(counted(u64::from(record.n_chunks), "passage", "passages"));
    facts
}

/// What a kind of remark is about.
pub(crate) fn remark_kind(kind: ParseWarningKind) -> &'static str {
    match kind {
        ParseWarningKind::Encoding => "Characters",
        ParseWarningKind::WrongEnding => "Name and content differ",
        ParseWarningKind::NoText => "Pages without text",
        ParseWarningKind::Truncated => "Not read to the end",
        ParseWarningKind::NotRead => "Parts that are not read",
        ParseWarningKind::Hidden => "Hidden in the document",
        ParseWarningKind::ScanNotRead => "Scans",
        ParseWarningKind::ReadFromPicture => "Read from pictures",
        _ => "Damaged parts",
    }
}

/// What to do now about remarks of a kind.
pub(crate) fn remark_advice(kind: ParseWarningKind) -> &'static str {
    match kind {
        ParseWarningKind::Encoding => {
            "Look at words with accents or umlauts. If they are wrong, save the file as UTF-8 and add it again."
        }
        ParseWarningKind::WrongEnding => "Nothing is lost. Give the file the ending of what it is to be rid of this.",
        ParseWarningKind::NoText => {
            "What stands there is a picture or nothing. If it is needed, add a copy whose text can be selected."
        }
        ParseWarningKind::Truncated => "Split the file and add the parts.",
        ParseWarningKind::Hidden => {
            "It is found and marked as hidden wherever it is shown. Ask whoever made the document what it is for."
        }
        ParseWarningKind::ScanNotRead => {
            "Get the reading model under Models, below the list of documents; they are then read by themselves."
        }
        ParseWarningKind::ReadFromPicture => {
            "Click a passage to see the words in their place; the original can be saved."
        }
        ParseWarningKind::NotRead => "Save these parts from the file in a format that is read, and add them.",
        _ => "Open the file in its own program, save it anew and add that.",
    }
}

/// Pages as a link says them: "Page 3", "Pages 7–12".
pub(crate) fn page_run(first: u32, last: u32) -> String {
    if first == last {
        return page_number(first);
    }
    format!("Pages {}–{}", grouped(u64::from(first)), grouped(u64::from(last)))
}

/// "and 12 more".
pub(crate) fn and_more(n: usize) -> String {
    format!("and {} more", grouped(n as u64))
}

/// Where a passage stands: page, or cells of a sheet, or lines; and the attached file it is in.
pub(crate) fn places(passage: &Passage) -> Vec<String> {
    places_of(passage.page, passage.n_pages, &passage.place)
}

/// Where something stands in its document: page of so many, cells or lines.
pub(crate) fn places_of(page: Option<u32>, n_pages: Option<u32>, place: &ChunkPlace) -> Vec<String> {
    let mut places = Vec::new();
    if let Some(page) = page {
        let printed = place.page_label.as_ref().filter(|label| **label != page.to_string());
        let of = n_pages.map(|n_pages| format!(" of {}", grouped(u64::from(n_pages)))).unwrap_or_default();
        places.push(match printed {
            Some(label) => format!("Page {label} ({}{of})", grouped(u64::from(page))),
            None => page_number(page),
        });
    }
    if let Some(address) = place.cell_address() {
        places.push(address);
    } else if let Some(lines) = place.lines.filter(|_| page.is_none()) {
        places.push(if lines.first == lines.last {
            format!("Line {}", grouped(u64::from(lines.first)))
        } else {
            format!("Lines {}–{}", grouped(u64::from(lines.first)), grouped(u64::from(lines.last)))
        });
    }
    places.extend(place.attachment.as_deref().map(attachment));
    places.extend(place.attachment_page.as_ref().map(|page| format!("its page {page}")));
    places
}

/// Why a person looking at the document does not see something, by the words of `facts::HIDDEN`.
pub(crate) fn hidden(why: &str) -> String {
    let why = match why {
        "invisible" => "drawn invisible",
        "white" => "in the colour of the paper",
        "tiny" => "too small to be read",
        "outside" => "outside of the page",
        "sheet" => "in a hidden sheet",
        "row" => "in a hidden row",
        "column" => "in a hidden column",
        "style" => "formatted as hidden",
        other => other,
    };
    format!("Hidden in the document: {why}")
}

/// How sure the reading of a picture is; `None` where it does not say.
pub(crate) fn confidence(confidence: &str) -> Option<String> {
    let share: f32 = confidence.parse().ok()?;
    Some(format!("Read from a picture, {:.0} % sure", share.clamp(0.0, 1.0) * 100.0))
}

/// How much of a document was read.
pub(crate) fn read_so_far(reading: ReadSoFar) -> String {
    let pages = |n| grouped(u64::from(n));
    format!("Still being read: pages 1–{} of {}", pages(reading.n_pages_read), pages(reading.n_pages))
}

/// Which attached file begins.
pub(crate) fn attachment(name: &str) -> String {
    format!("Attachment {name}")
}

/// Whose comment it is.
pub(crate) fn comment_by(author: Option<&str>) -> String {
    author.map_or_else(|| super::COMMENT.to_owned(), |author| format!("{} by {author}", super::COMMENT))
}

/// Documents of an older version are being read anew.
pub(crate) fn renewing(done: u32, total: u32) -> String {
    let done = grouped(u64::from(done));
    let total = counted(u64::from(total), "document", "documents");
    format!(
        "Millwright reads more of your documents than before, so it reads them again: {done} of {total} so far. Those are found already; the others follow."
    )
}

/// The label of a button that stops one file.
pub(crate) fn stop_file(name: &str) -> String {
    format!("Stop {name}")
}

/// What a screen reader adds to the label of a password's field.
pub(crate) fn of_file(name: &str) -> String {
    format!(" of {name}")
}

/// The label of a delete button.
pub(crate) fn delete_document(name: &str) -> String {
    format!("Delete {name}")
}

/// The label of a tick box.
pub(crate) fn select_document(name: &str) -> String {
    format!("Select {name}")
}

/// What was deleted.
pub(crate) fn removed(label: &str) -> String {
    format!("Removed {label}")
}

/// How a warning's grade is called.
pub(crate) fn grade(grade: WarningGrade) -> &'static str {
    match grade {
        WarningGrade::Danger => "Danger",
        WarningGrade::Warning => "Warning",
        WarningGrade::Caution => "Caution",
        WarningGrade::Notice => "Notice",
    }
}

/// What of a dropped folder could not be reached.
pub(crate) fn unreachable(names: &[String]) -> String {
    let first = names.first().map_or("", String::as_str);
    match names.len() {
        0 | 1 => format!("{first} could not be opened. Was it moved or deleted? Drop it again."),
        n => format!("{first} and {} more could not be opened. Were they moved or deleted? Drop them again.", n - 1),
    }
}

/// How far a batch is.
pub(crate) fn reading_files(finished: u64, n_files: u64, is_of_scans: bool) -> String {
    let files = if is_of_scans { counted(n_files, "document", "documents") } else { counted(n_files, "file", "files") };
    let scans = if is_of_scans { " with scans" } else { "" };
    format!("{} of {files}{scans} read", grouped(finished))
}

/// What a file in work is going through.
pub(crate) fn stage(stage: IngestStage, done: u32, total: u32, unit: Unit) -> String {
    let word = match stage {
        IngestStage::Waiting => "Waiting",
        IngestStage::Reading | IngestStage::Parsing => "Reading",
        IngestStage::Recognising => "Reading the scan,",
        IngestStage::Indexing => "Indexing",
        IngestStage::Storing => "Storing",
    };
    match (unit, done, total) {
        (_, _, 0) => word.trim_end_matches(',').to_owned(),
        (_, done, total) if done >= total => format!("{word}: putting it in order"),
        (Unit::Pages, done, total) => {
            format!("{word} page {} of {}", grouped(u64::from(done) + 1), grouped(u64::from(total)))
        }
        (Unit::Parts, done, total) => format!("{word} {} %", u64::from(done) * 100 / u64::from(total)),
    }
}

/// How a file ended, for the whole list.
pub(crate) fn outcome(outcome: &FileOutcome) -> String {
    match outcome {
        FileOutcome::Added { record } => {
            format!("Added, {}", counted(u64::from(record.n_chunks), "passage", "passages"))
        }
        FileOutcome::Replaced { record } => {
            format!("Replaced, {}", counted(u64::from(record.n_chunks), "passage", "passages"))
        }
        FileOutcome::ReadAgain { record } => {
            format!("Read with its scans, {}", counted(u64::from(record.n_chunks), "passage", "passages"))
        }
        FileOutcome::Unchanged => "Unchanged".to_owned(),
        FileOutcome::SameContent { name } => format!("The same as {name}"),
        FileOutcome::Failed(failure) => failure.error.clone(),
        FileOutcome::Cancelled => "Stopped".to_owned(),
    }
}

/// How a batch ended: "296 added, 2 unchanged, 1 could not be read".
pub(crate) fn ingest_summary(tally: Tally) -> String {
    let parts = [
        (tally.added, "added"),
        (tally.replaced, "replaced"),
        (tally.read_again, "read with their scans"),
        (tally.unchanged, "unchanged"),
        (tally.failed, "could not be read"),
        (tally.locked, "locked"),
        (tally.cancelled, "stopped"),
    ];
    let parts: Vec<_> =
        parts.iter().filter(|part| part.0 > 0).map(|(n, how)| format!("{} {how}", grouped(*n))).collect();
    match (parts.is_empty(), tally.unread_scans) {
        (true, _) => "Nothing to add".to_owned(),
        (_, 0) => parts.join(", "),
        (_, n) => {
            format!("{}; {} not read", parts.join(", "), counted(n, "has scans that were", "have scans that were"))
        }
    }
}

/// Whether the room is so scarce that the user should know: more than nine tenths used.
pub(crate) fn is_nearly_full(storage: &StorageState) -> bool {
    matches!((storage.used_bytes, storage.quota_bytes), (Some(used), Some(quota)) if quota > 0 && used > quota / 10 * 9)
}

/// How much room is used and whether the browser will keep it.
pub(crate) fn storage_line(storage: &StorageState) -> String {
    let room = match (storage.used_bytes, storage.quota_bytes) {
        (Some(used), Some(quota)) => format!("{} of {} used. ", size(used), size(quota)),
        (Some(used), None) => format!("{} used. ", size(used)),
        _ => String::new(),
    };
    let kept = match storage {
        StorageState { memory_only: true, .. } => "Not kept: gone when this tab is closed.",
        StorageState { persistent: true, .. } => "Kept on this computer until you delete it.",
        _ => "Kept on this computer, but the browser may clear it when space runs short.",
    };
    room + kept
}

/// Who was asked.
pub(crate) fn route(route: Route) -> &'static str {
    match route {
        Route::Exact => "Exact",
        Route::Lexical => "Words",
        Route::Hybrid => "Words and meaning",
        Route::Mixed => "Names, words and meaning",
    }
}

/// "Also in 2 other places".
pub(crate) fn also_in(n_places: usize) -> String {
    if n_places == 1 { "Also in 1 other place".to_owned() } else { format!("Also in {n_places} other places") }
}

/// One of those places.
pub(crate) fn other_place(also: &OtherPlace) -> String {
    let page = also.page.map(|page| format!("Page {page}"));
    let nearly = also.nearly.then(|| "nearly the same".to_owned());
    [Some(also.name.clone()), page, nearly].into_iter().flatten().collect::<Vec<_>>().join(super::FACT_SEPARATOR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_batch_is_summed_up_in_words() {
        let tally = Tally { added: 296, unchanged: 2, failed: 1, ..Tally::default() };
        assert_eq!(ingest_summary(tally), "296 added, 2 unchanged, 1 could not be read");
        assert_eq!(ingest_summary(Tally::default()), "Nothing to add");
        let tally = Tally { added: 2, unread_scans: 1, ..Tally::default() };
        assert_eq!(ingest_summary(tally), "2 added; 1 has scans that were not read");
    }

    #[test]
    fn progress_counts_pages_or_says_a_share() {
        let stage = |done, total, unit| stage(IngestStage::Parsing, done, total, unit);
        assert_eq!(stage(11, 551, Unit::Pages), "Reading page 12 of 551");
        assert_eq!(super::stage(IngestStage::Recognising, 2, 12, Unit::Pages), "Reading the scan, page 3 of 12");
        assert_eq!(stage(551, 551, Unit::Pages), "Reading: putting it in order");
        assert_eq!(stage(200, 800, Unit::Parts), "Reading 25 %");
        assert_eq!(stage(0, 0, Unit::Parts), "Reading");
    }

    #[test]
    fn storage_is_said_plainly() {
        let state = |persistent, memory_only| StorageState {
            used_bytes: Some(48_000_000),
            quota_bytes: Some(9_600_000_000),
            persistent,
            memory_only,
        };
        assert_eq!(
            storage_line(&state(true, false)),
            "48 MB of 9.6 GB used. Kept on this computer until you delete it."
        );
        assert!(storage_line(&state(false, false)).contains("may clear it"));
        assert!(storage_line(&state(false, true)).contains("gone when this tab is closed"));
        assert!(!is_nearly_full(&state(true, false)));
        assert!(is_nearly_full(&StorageState { used_bytes: Some(95), quota_bytes: Some(100), ..state(true, false) }));
    }
}
