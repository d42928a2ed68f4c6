//! The ways of ranking, each by the functions that the product ranks with.

use super::second::Second;
use crate::collections::{Collection, CollectionDocument};
use millwright_core::{
    chunk::ChunkId,
    dense::{Code, Flat, VectorIndex},
    document::DocumentId,
    eval::ScoredRun,
    host::NoProgress,
    lexical::{Query, Searcher, Segment, SegmentError, SegmentText, build},
    models::ModelIdentity,
    rerank::{self, Reranker},
    retrieve::{self, Candidate, Dense, Question, route},
    text::{self, Language},
};
use std::collections::BTreeMap;

pub(super) const DENSE: &str = "dense";
pub(super) const BM25: &str = "BM25";
pub(super) const FUSION: &str = "fusion";

/// Vectors of documents and queries, by their places in the collection.
pub(in crate::commands) struct Vectors {
    pub(super) documents: Vec<Option<Code>>,
    pub(super) queries: Vec<Option<Code>>,
}

/// A collection, findable: each document is one chunk under its title.
pub(in crate::commands) struct Index<'a> {
    searcher: Searcher,
    /// The documents, and what each is written in.
    documents: BTreeMap<DocumentId, (&'a CollectionDocument, Language)>,
    /// In the order of the collection.
    ids: Vec<DocumentId>,
    /// The vectors, and those of the queries.
    dense: Option<(Flat, Vec<Option<Code>>)>,
    /// What the model of the vectors says of texts that have nothing to do with one another.
    least_cosine: f32,
}

impl<'a> Index<'a> {
    pub(in crate::commands) fn new(collection: &'a Collection) -> Result<Self, SegmentError> {
        let mut documents = BTreeMap::new();
        let mut texts = Vec::with_capacity(collection.documents.len());
        let mut ids = Vec::with_capacity(collection.documents.len());
        for document in &collection.documents {
            let id = DocumentId::of(document.id.as_bytes());
            let language = text::language(&document.text).unwrap_or_default();
            documents.insert(id.clone(), (document, language));
            ids.push(id.clone());
            let id = ChunkId { document: id, ordinal: 0 };
            texts.push(SegmentText { id, context: &document.title, body: &document.text, labels: "", language });
        }
        let searcher = Searcher::new(vec![Segment::open(&build(&texts)?)?], |_, _| true);
        Ok(Self { searcher, documents, ids, dense: None, least_cosine: f32::NEG_INFINITY })
    }

    pub(in crate::commands) fn add_vectors(&mut self, vectors: Vectors, model: &ModelIdentity) {
        let mut flat = Flat::new(model.dims);
        for (id, code) in self.ids.iter().zip(vectors.documents) {
            if let Some(code) = code {
                flat.insert(id, &[(0, code)]);
            }
        }
        self.dense = Some((flat, vectors.queries));
        self.least_cosine = model.least_cosine();
    }

    pub(super) fn searcher(&self) -> &Searcher {
        &self.searcher
    }

    /// A document and what it is written in.
    pub(in crate::commands) fn document(&self, id: &DocumentId) -> Option<(&'a CollectionDocument, Language)> {
        self.documents.get(id).copied()
    }

    pub(super) fn code(&self, chunk: &ChunkId) -> Option<Code> {
        self.dense.as_ref().and_then(|(flat, _)| flat.code(chunk))
    }

    /// What is looked up for a question.
    fn query(&self, question: &Question) -> Result<Query, SegmentError> {
        self.searcher.complete(question.query())
    }

    /// The candidates for the `at`th question of the collection as the product finds them; by words alone where it asks no
    /// vectors, or there are none.
    fn candidates(
        &self,
        at: usize,
        question: &Question,
        query: &Query,
        depth: usize,
    ) -> Result<Vec<Candidate>, SegmentError> {
        let asks_vectors = route::vector_text(question).is_some();
        let vectors = self.dense.as_ref().filter(|_| asks_vectors);
        let dense = vectors.and_then(|(index, queries)| {
            let query = queries.get(at)?.as_ref()?;
            Some(Dense { index, query, least_cosine: self.least_cosine, admits: &|_| true })
        });
        retrieve::candidates(&self.searcher, query, dense, depth)
    }

    /// The best candidates for the `at`th question, as a reranker sees them.
    pub(in crate::commands) fn second(&self, at: usize, question: &str) -> Result<Second<'a>, SegmentError> {
        let question = Question::parse(question);
        let query = self.query(&question)?;
        let candidates = self.candidates(at, &question, &query, rerank::DEPTH)?;
        Second::new(self, question, query, candidates)
    }

    fn named(&self, found: impl Iterator<Item = (ChunkId, f32)>) -> Vec<(String, f32)> {
        found.filter_map(|(id, score)| Some((self.documents.get(&id.document)?.0.id.clone(), score))).collect()
    }
}

/// Ranks every query in every way there is.
pub(super) fn rank(
    index: &Index<'_>,
    collection: &Collection,
    rerankers: &[Box<dyn Reranker>],
    depth: usize,
) -> Result<Vec<(&'static str, ScoredRun)>, SegmentError> {
    let (mut dense_run, mut lexical_run, mut fused_run) = <(ScoredRun, ScoredRun, ScoredRun)>::default();
    let mut reranked: Vec<(&'static str, ScoredRun)> =
        rerankers.iter().map(|reranker| (reranker.name(), ScoredRun::new())).collect();
    for (at, (qid, question)) in collection.queries.iter().enumerate() {
        let parsed = Question::parse(question);
        let query = index.query(&parsed)?;
        let lexical = retrieve::candidates(&index.searcher, &query, None, depth)?;
        lexical_run.insert(qid.clone(), index.named(lexical.into_iter().map(|found| (found.chunk, found.score))));
        let code = index.dense.as_ref().and_then(|(flat, queries)| Some((flat, queries.get(at)?.as_ref()?)));
        if let Some((flat, code)) = code {
            let near = flat.search(code, depth, &|_| true).into_iter();
            dense_run.insert(qid.clone(), index.named(near.map(|hit| (hit.chunk, hit.cosine))));
        }
        let candidates = index.candidates(at, &parsed, &query, depth)?;
        if !rerankers.is_empty() {
            let second = Second::new(index, parsed, query, candidates.clone())?;
            for (reranker, (_, run)) in rerankers.iter().zip(&mut reranked) {
                run.insert(qid.clone(), index.named(again(reranker.as_ref(), &second, &candidates)));
            }
        }
        if code.is_some() {
            fused_run.insert(qid.clone(), index.named(candidates.into_iter().map(|found| (found.chunk, found.score))));
        }
    }
    let mut runs = match index.dense {
        Some(_) => vec![(DENSE, dense_run), (BM25, lexical_run), (FUSION, fused_run)],
        None => vec![(BM25, lexical_run)],
    };
    runs.append(&mut reranked);
    Ok(runs)
}

/// The candidates in a reranker's order. What scores say holds within what was named alone, so places stand for them.
fn again<'c>(
    reranker: &dyn Reranker,
    second: &Second<'_>,
    candidates: &'c [Candidate],
) -> impl Iterator<Item = (ChunkId, f32)> + use<'c> {
    let scores = second.ask(|asked, passages| {
        reranker.score(asked, passages.get(..rerank::DEPTH).unwrap_or(passages), &mut NoProgress)
    });
    let tier = |at: usize| candidates.get(at).map_or(0, Candidate::tier);
    let order = rerank::order(candidates.len(), &scores.unwrap_or_default(), tier);
    let n = candidates.len();
    order
        .into_iter()
        .enumerate()
        .filter_map(move |(place, at)| Some((candidates.get(at)?.chunk.clone(), (n - place) as f32)))
}
