//! Answering a question: who is asked, what is shown, what is not, and why.

use super::{IndexError, Library};
use crate::{
    chunk::Chunk,
    dense::Code,
    document::DocumentId,
    host::{Clock, Storage},
    lexical::{Query, Searcher, analysis},
    models::ModelIdentity,
    protocol::{Considered, Found, OtherPlace, Passage},
    rerank,
    retrieve::{
        self, Candidate, Dense, Explanation, Fate, Question, Route,
        collapse::{self, Fingerprint, Likeness},
        question::NamedKind,
        reranked::{self, Reranked},
        route::{self, Routing},
    },
    text,
};
use std::collections::BTreeSet;

mod again;
mod shortlist;
pub use shortlist::Shortlisted;

#[cfg(test)]
mod tests;

/// Candidates beyond those shown: what says the same as another makes room for them.
const N_SPARE: usize = 32;
/// Candidates where a phrase must stand word for word, which only their text tells.
const N_WITH_PHRASE: usize = 256;
/// At most so many candidates that were not selected are told of.
const MAX_OTHERS: usize = 30;

/// How a question is to be answered.
#[derive(Clone, Copy, Debug, Default)]
pub struct FindOptions<'a> {
    /// How many passages at most.
    pub limit: u32,
    /// The vector of the question's [`subject`](Question::subject), of the model that made the library's
    /// ([`Library::vectors_model`]). Without it, passages are found by their words alone.
    pub vector: Option<&'a Code>,
    /// What was considered and not selected is wanted, too.
    pub explains: bool,
    /// What a reranker said of the [shortlist](Library::shortlist) of the same question.
    pub reranked: Option<&'a Reranked>,
}

/// A question on its way to its answer.
struct Asked {
    question: Question,
    query: Query,
    routing: Routing,
    /// Sentences for the user.
    notices: Vec<String>,
}

impl<S: Storage> Library<S> {
    /// The best passages for a question by its words alone, at most `limit`, in the order of [`Found::passages`].
    ///
    /// # Errors
    /// [`IndexError`] when the store cannot be read; no question is an error.
    pub async fn find(&self, question: &str, limit: u32, clock: &dyn Clock) -> Result<Found, IndexError> {
        self.find_with(question, &FindOptions { limit, ..FindOptions::default() }, clock).await
    }

    /// The best passages for a question, in the order of [`Found::passages`].
    ///
    /// # Errors
    /// [`IndexError`] when the store cannot be read; no question is an error.
    pub async fn find_with(
        &self,
        question: &str,
        options: &FindOptions<'_>,
        clock: &dyn Clock,
    ) -> Result<Found, IndexError> {
        let began_micros = clock.monotonic_micros();
        let searcher = self.searcher();
        let (mut asked, vector) = self.understand(question, options.vector, &searcher)?;
        asked.notices.extend(understood(question, &asked.query, &searcher)?);

        let limit = options.limit as usize;
        let mut candidates = self.ranked(&searcher, &asked, vector, limit).await?;
        if let Some(reranked) = options.reranked {
            reranked::put_in_order(&mut candidates, reranked);
        }
        let mut selection = self.select(&candidates, &asked, options).await?;
        if selection.passages.is_empty() && !asked.query.required.is_empty() {
            asked.notices.push(format!(
                "Nothing has “{}” word for word: found by its words.",
                asked.question.phrases.join("”, “")
            ));
            asked.query.required.clear();
            asked.question.phrases.clear();
            candidates = self.ranked(&searcher, &asked, vector, limit).await?;
            selection = self.select(&candidates, &asked, options).await?;
        }
        asked.notices.extend(unnamed(&asked, &candidates));
        Ok(Found {
            query: question.to_owned(),
            routing: asked.routing,
            passages: selection.passages,
            others: selection.others,
            n_chunks_searched: searcher.n_live(),
            took_micros: clock.monotonic_micros().saturating_sub(began_micros),
            notice: (!asked.notices.is_empty()).then(|| asked.notices.join(" ")),
        })
    }

    /// Takes a question apart, and says whether its vector, if there is one, is asked for.
    fn understand<'v>(
        &self,
        question: &str,
        vector: Option<&'v Code>,
        searcher: &Searcher,
    ) -> Result<(Asked, Option<&'v Code>), IndexError> {
        let parsed = Question::parse(question);
        let vector = vector.filter(|_| self.n_embedded().n_done > 0);
        let routing = route::route(&parsed, vector.is_some());
        let mut query = parsed.query();
        if routing.route == Route::Exact {
            query.ask_names_alone();
        }
        let mut asked = Asked { question: parsed, query, routing, notices: Vec::new() };
        self.narrow_down(&mut asked, searcher)?;
        asked.query = searcher.complete(asked.query)?;
        let vector = vector.filter(|_| asked.routing.route.asks_vectors());
        Ok((asked, vector))
    }

    /// The best candidates for a question: as they were found, and looked at again.
    async fn ranked(
        &self,
        searcher: &Searcher,
        asked: &Asked,
        vector: Option<&Code>,
        limit: usize,
    ) -> Result<Vec<Candidate>, IndexError> {
        let mut candidates = self.candidates(searcher, asked, vector, limit)?;
        self.look_again(&mut candidates, searcher, asked).await?;
        Ok(candidates)
    }

    fn candidates(
        &self,
        searcher: &Searcher,
        asked: &Asked,
        vector: Option<&Code>,
        limit: usize,
    ) -> Result<Vec<Candidate>, IndexError> {
        if limit == 0 {
            return Ok(Vec::new());
        }
        let meant = asked.query.documents.as_ref();
        let admits = |document: &DocumentId| {
            self.is_findable(document) && meant.is_none_or(|documents| documents.contains(document))
        };
        let dense = vector.map(|query| Dense {
            index: self.vectors(),
            query,
            least_cosine: self.vectors_model().map_or(f32::NEG_INFINITY, ModelIdentity::least_cosine),
            admits: &admits,
        });
        let n_spare = if asked.question.phrases.is_empty() { N_SPARE } else { N_WITH_PHRASE };
        Ok(retrieve::candidates(searcher, &asked.query, dense, limit.saturating_add(n_spare).max(rerank::DEPTH))?)
    }

    /// Leaves only the documents that the question means, and says so where there are none.
    fn narrow_down(&self, asked: &mut Asked, searcher: &Searcher) -> Result<(), IndexError> {
        let filters = &asked.question.filters;
        if filters.is_explicit() {
            let admits = |id: &DocumentId| {
                let record = self.record(id).map(|(record, _)| record);
                record.is_some_and(|record| filters.admits(&record.name, &record.title, record.format))
            };
            let mut documents: BTreeSet<DocumentId> = self.findable().filter(|id| admits(id)).cloned().collect();
            for content in &filters.contents {
                let having = searcher.documents_having(&searcher.complete(Query::parse(content))?)?;
                documents.retain(|id| having.contains(id));
            }
            if documents.is_empty() && searcher.n_live() > 0 {
                let filters = [&filters.names, &filters.types, &filters.contents];
                let wanted: Vec<&str> = filters.into_iter().flatten().map(String::as_str).collect();
                let wanted = wanted.join("”, “");
                asked.notices.push(format!("No document fits “{wanted}”. Take that out to search all of them."));
            }
            asked.query.documents = Some(documents);
        } else if !filters.files.is_empty() {
            let is_named = |id: &&DocumentId| {
                self.record(id).is_some_and(|(record, _)| {
                    filters.names_file(&record.name) || record.aliases.iter().any(|alias| filters.names_file(alias))
                })
            };
            let named: BTreeSet<DocumentId> = self.findable().filter(is_named).cloned().collect();
            // A file that is none of the library's may still be one that its documents write of.
            if !named.is_empty() {
                asked.query.documents = Some(named);
            }
        }
        Ok(())
    }

    /// The documents that can be found, those being read among them.
    fn findable(&self) -> impl Iterator<Item = &DocumentId> {
        self.documents.keys().chain(self.drafts.keys()).filter(|id| self.is_findable(id))
    }

    /// Takes the best candidates, each thing that is said once.
    async fn select(
        &self,
        candidates: &[Candidate],
        asked: &Asked,
        options: &FindOptions<'_>,
    ) -> Result<Selection, IndexError> {
        let limit = options.limit as usize;
        // Where only one thing is asked for and is there, all else is not it.
        let only_named =
            asked.routing.route == Route::Exact && candidates.first().is_some_and(|first| first.tier() > 0);
        let mut selection = Selection::default();
        let mut fingerprints: Vec<Fingerprint> = Vec::new();
        for (rank, candidate) in (1..).zip(candidates) {
            let is_full = selection.passages.len() >= limit;
            if is_full && !(options.explains && selection.others.len() < MAX_OTHERS) {
                break;
            }
            let Some((record, reading)) = self.record(&candidate.chunk.document) else { continue };
            let chunk = self.chunk(&candidate.chunk).await?;
            let mut fate = Fate::Selected;
            if is_full {
                fate = Fate::BelowLimit;
            } else if only_named && candidate.tier() == 0 {
                fate = Fate::NotNamed;
            } else if !asked.question.has_phrases(&chunk.text)
                && !asked.question.has_phrases(&chunk.heading_path.join("\n"))
            {
                fate = Fate::NotQuoted;
            } else {
                let fingerprint = Fingerprint::of(&chunk);
                match collapse::first_like(&fingerprints, &fingerprint) {
                    Some((at, likeness)) => {
                        let passage = &mut selection.passages[at];
                        let nearly = likeness == Likeness::Nearly;
                        let (kept, rank) = (passage.chunk.clone(), passage.explanation.rank);
                        passage.also.push(other_place(&chunk, &record.name, nearly));
                        fate = Fate::Same { chunk: kept, nearly, rank };
                    }
                    None => fingerprints.push(fingerprint),
                }
            }
            let explanation = explanation(candidate, &asked.query, rank, fate);
            if explanation.fate != Fate::Selected {
                if options.explains && selection.others.len() < MAX_OTHERS {
                    let Chunk { id: chunk, kind, heading_path, page, .. } = chunk;
                    selection.others.push(Considered {
                        chunk,
                        kind,
                        name: record.name.clone(),
                        heading_path,
                        page,
                        explanation,
                    });
                }
                continue;
            }
            selection.passages.push(Passage {
                marks: asked.query.marks(&chunk.text, chunk.language),
                kind: chunk.kind,
                name: record.name.clone(),
                title: record.title.clone(),
                heading_path: chunk.heading_path,
                page: chunk.page,
                n_pages: record.n_pages,
                node: chunk.node,
                end_node: chunk.end_node,
                text: chunk.text,
                place: chunk.place,
                hidden: chunk.hidden,
                confidence: chunk.confidence,
                reading,
                score: candidate.score,
                also: Vec::new(),
                explanation,
                chunk: chunk.id,
            });
        }
        Ok(selection)
    }
}

#[derive(Default)]
struct Selection {
    passages: Vec<Passage>,
    others: Vec<Considered>,
}

fn other_place(chunk: &Chunk, name: &str, nearly: bool) -> OtherPlace {
    OtherPlace {
        chunk: chunk.id.clone(),
        name: name.to_owned(),
        heading_path: chunk.heading_path.clone(),
        page: chunk.page,
        node: chunk.node,
        end_node: chunk.end_node,
        nearly,
    }
}

/// The record of a candidate.
fn explanation(candidate: &Candidate, query: &Query, rank: u32, fate: Fate) -> Explanation {
    let lexical = candidate.lexical.as_ref();
    let matched = lexical.map_or(0, |hit| hit.matched);
    let has = |at: usize| at < 64 && matched >> at & 1 == 1;
    let terms = |found: bool| {
        let of_kind = query.terms.iter().enumerate().filter(|(at, _)| has(*at) == found);
        let mut terms: Vec<String> = of_kind.map(|(_, term)| analysis::shown(&term.text).to_owned()).collect();
        terms.dedup();
        terms
    };
    Explanation {
        track: "question".to_owned(),
        bm25: lexical.map(|hit| hit.words),
        identifiers: lexical.map(|hit| hit.identifiers),
        proximity: lexical.map(|hit| hit.proximity),
        named: query.has_names().then(|| candidate.tier()),
        lexical_rank: candidate.lexical_rank,
        cosine: candidate.cosine,
        dense_rank: candidate.dense_rank,
        fusion_score: candidate.fusion_rank.map(|_| candidate.score),
        fusion_rank: candidate.fusion_rank,
        rerank_score: candidate.rerank_score,
        matched_terms: terms(true),
        missing_terms: terms(false),
        rank,
        fate,
        ..Explanation::default()
    }
}

/// What to tell somebody about how a question was understood; `None` where it was taken as it stands.
fn understood(question: &str, query: &Query, searcher: &Searcher) -> Result<Option<String>, IndexError> {
    if question.trim().is_empty() || searcher.n_live() == 0 {
        return Ok(None);
    }
    if query.is_empty() {
        return Ok(Some("The question holds only words that occur everywhere. Add what it is about.".to_owned()));
    }
    if let Some(script) = text::script(question)
        && !searcher.has_script(script.first, script.last)?
    {
        let name = script.name;
        return Ok(Some(format!(
            "The question is in {name} script, and no document is. Ask as the documents are written."
        )));
    }
    let mended: Vec<String> =
        query.terms.iter().filter(|term| term.is_mended).map(|term| format!("“{}”", term.word)).collect();
    let words = mended.join(", ");
    Ok((!mended.is_empty()).then(|| format!("No document has {words}: found by words that are spelled alike.")))
}

/// What to tell somebody who asks for something by its name, and nothing has that name.
fn unnamed(asked: &Asked, candidates: &[Candidate]) -> Option<String> {
    let is_missing = asked.query.has_names() && candidates.first().is_none_or(|first| first.tier() == 0);
    let names: Vec<&str> = asked.question.identifiers().map(|named| named.text.as_str()).collect();
    if !is_missing || names.is_empty() {
        return None;
    }
    let wrong = asked.question.identifiers().find(|named| named.kind == NamedKind::WrongGstin);
    let check = wrong.and_then(|named| Some((named, retrieve::question::gstin_check(&named.text)?)));
    let shown = if candidates.is_empty() { "" } else { " What is shown comes near it and is something else." };
    Some(match check {
        Some((named, digit)) => {
            format!(
                "No document has {}, and it is no valid GSTIN: its last character should be {digit}.{shown}",
                named.text
            )
        }
        None => format!("No document has {}.{shown}", names.join(", ")),
    })
}
