//! `millwright find`: a question in, passages out.

mod candidates;
mod section;

use super::{CommandError, count, embed, grouped, open_library};
use crate::{
    EXIT_OK,
    cli::FindArgs,
    clock::SystemClock,
    output::{Output, WIDTH, excerpt, printable, wrap},
    reranking::Judge,
    store::FileStorage,
    vectors::{Maker, NoMaker},
};
use millwright_core::{
    document::file_stem,
    host::Clock,
    index::{FindOptions, Library, QuestionVectors},
    protocol::{Found, Passage},
    retrieve::{Question, context::Section, route},
};
use serde::Serialize;
use std::path::PathBuf;

/// Lines of a passage that are shown; the page shows the rest.
const EXCERPT_LINES: usize = 8;
const INDENT: &str = "    ";

pub(super) fn run(args: &FindArgs, library: Option<PathBuf>, output: &mut Output) -> Result<u8, CommandError> {
    let question = args.question.join(" ");
    let library = open_library(library, output)?;
    let clock = SystemClock::new();
    let (vectors, notice) = vectors_of(&[question.as_str()], &library);
    let vector = vectors.get(&question);
    let judge = args.rerank.as_deref().map(|id| Judge::load(None, id)).transpose()?;
    let judged = judge.map(|judge| judge.judge(&question, vector, &library, &clock)).transpose()?;
    let options = FindOptions { limit: args.limit, vector, explains: args.explain, reranked: judged.as_ref() };
    let mut found = pollster::block_on(library.find_with(&question, &options, &clock as &dyn Clock))?;
    found.notice = found.notice.or(notice);
    let mut sections = Vec::new();
    if args.context {
        for passage in &found.passages {
            sections.push(pollster::block_on(library.context(&passage.chunk))?);
        }
    }
    output.json(&Answer { found: &found, sections: &sections });
    if found.passages.is_empty() && library.documents().is_empty() {
        output.line("The library is empty. Add documents with: millwright ingest PATH");
        return Ok(EXIT_OK);
    }
    show(&found, &sections, output);
    if args.explain {
        candidates::show(&found, output);
    }
    Ok(EXIT_OK)
}

/// What programs get.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    found: &'a Found,
    /// The sections of the passages, where they were asked for.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    sections: &'a [Section],
}

/// The vectors of those questions that ask for one, where the library has vectors and their model is here; where it should
/// be and cannot be used, why not. The model is loaded once, and only where it is needed.
pub(super) fn vectors_of(questions: &[&str], library: &Library<FileStorage>) -> (QuestionVectors, Option<String>) {
    let parsed: Vec<(&str, Question)> = questions.iter().map(|text| (*text, Question::parse(text))).collect();
    let asking: Vec<(&str, &str)> =
        parsed.iter().filter_map(|(text, question)| Some((*text, route::vector_text(question)?))).collect();
    let mut vectors = QuestionVectors::new();
    if asking.is_empty() || library.n_embedded().n_done == 0 {
        return (vectors, None);
    }
    let why = match Maker::load(library.vectors_model(), None) {
        Ok(maker) if Some(maker.identity()) == library.vectors_model() => {
            let vector = |(text, asked): (&str, &str)| Some((text.to_owned(), maker.question(asked)?));
            vectors.extend(asking.into_iter().filter_map(vector));
            return (vectors, None);
        }
        // Of the same name, but not the same bytes or the same arithmetic.
        Ok(maker) => embed::other_model(&maker.identity().id),
        Err(NoMaker::Absent) => return (vectors, None),
        Err(NoMaker::Other(model)) => embed::other_model(&model),
        Err(NoMaker::Failed(failure)) => failure.error,
    };
    (vectors, Some(format!("Found by words alone. {why}")))
}

fn show(found: &Found, sections: &[Section], output: &mut Output) {
    if let Some(notice) = &found.notice {
        wrap(&printable(notice), WIDTH).iter().for_each(|line| output.line(line));
    }
    for (place, passage) in found.passages.iter().enumerate() {
        show_head(place + 1, passage, output);
        match sections.get(place) {
            Some(section) => section::show(section, &found.query, output),
            None => show_excerpt(passage, output),
        }
        output.line("");
    }
    let n_chunks = grouped(found.n_chunks_searched as usize);
    #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
    let took_millis = found.took_micros as f64 / 1000.0;
    let summary = if found.passages.is_empty() {
        format!("Nothing found in {n_chunks} chunks. Try other words, or fewer.")
    } else {
        let passages = count(found.passages.len(), "passage", "passages");
        format!("{passages} from {n_chunks} chunks in {took_millis:.1} ms")
    };
    output.line(&output.dim(&summary));
}

fn show_head(rank: usize, passage: &Passage, output: &mut Output) {
    let mut place = vec![passage.name.as_str()];
    // What the document calls itself, where neither its name nor the headings say it.
    let is_said = passage.heading_path.contains(&passage.title) || file_stem(&passage.name) == passage.title;
    if !is_said {
        place.push(&passage.title);
    }
    place.extend(passage.heading_path.iter().map(String::as_str));
    let mut place = place.join(" › ");
    for part in places(passage) {
        place.push_str(", ");
        place.push_str(&part);
    }
    for (n, line) in wrap(&printable(&place).replace('\n', " "), WIDTH - INDENT.len()).iter().enumerate() {
        let lead = if n == 0 { format!("{rank:>2}  ") } else { INDENT.to_owned() };
        output.line(&format!("{lead}{line}"));
    }
    for notice in notices(passage) {
        output.line(&format!("{INDENT}[{}]", printable(&notice)));
    }
    for line in also(passage).iter().flat_map(|also| wrap(&printable(also), WIDTH - INDENT.len())) {
        output.line(&output.dim(&format!("{INDENT}{line}")));
    }
}

/// Where else the same is said.
fn also(passage: &Passage) -> Option<String> {
    const MAX_NAMED: usize = 3;
    let places = passage.also.iter().take(MAX_NAMED).map(|also| {
        let page = also.page.map(|page| format!(", page {page}")).unwrap_or_default();
        let nearly = if also.nearly { " (nearly the same)" } else { "" };
        format!("{}{page}{nearly}", also.name)
    });
    let places = places.collect::<Vec<_>>().join("; ");
    let more = if passage.also.len() > MAX_NAMED { "; …" } else { "" };
    let n_places = count(passage.also.len(), "other place", "other places");
    (!passage.also.is_empty()).then(|| format!("also in {n_places}: {places}{more}"))
}

fn show_excerpt(passage: &Passage, output: &mut Output) {
    for line in excerpt(&passage.text, &passage.marks, WIDTH - INDENT.len() - 4, EXCERPT_LINES) {
        let shown: String =
            line.into_iter().map(|(piece, marked)| if marked { output.bold(&piece) } else { piece }).collect();
        output.line(&format!("{INDENT}{shown}"));
    }
}

/// Where a passage stands: page, or cells of a sheet, or lines; and the attached file it is in.
fn places(passage: &Passage) -> Vec<String> {
    let place = &passage.place;
    let mut places = Vec::new();
    places.extend(passage.page.map(|page| {
        let printed = place.page_label.as_ref().filter(|label| **label != page.to_string());
        let of = passage.n_pages.map(|n_pages| format!(" of {n_pages}")).unwrap_or_default();
        printed.map_or(format!("page {page}"), |label| format!("page {} ({page}{of})", printable(label)))
    }));
    if let Some(address) = place.cell_address() {
        places.push(address);
    } else if let Some(lines) = place.lines.filter(|_| passage.page.is_none()) {
        let last = if lines.last > lines.first { format!("–{}", lines.last) } else { String::new() };
        places.push(format!("line {}{last}", lines.first));
    }
    places.extend(place.attachment.as_ref().map(|name| format!("in attachment {name}")));
    places.extend(place.attachment_page.as_ref().map(|page| format!("page {page} of it")));
    places
}

/// What must be said before a passage is read.
fn notices(passage: &Passage) -> Vec<String> {
    let hidden = passage.hidden.as_ref().map(|why| format!("hidden in the document: {why}"));
    let unsure = passage.confidence.as_ref().map(|share| format!("read from a picture, confidence {share}"));
    hidden.into_iter().chain(unsure).collect()
}
