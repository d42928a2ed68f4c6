//! The ways of ranking, each by the functions that the product ranks with.

use crate::collections::Collection;
use millwright_core::{
    chunk::ChunkId,
    dense::{Code, Flat, VectorIndex},
    document::DocumentId,
    eval::ScoredRun,
    lexical::{Searcher, Segment, SegmentError, SegmentText, build},
    models::{Catalogue, ModelIdentity},
    retrieve::{self, Dense, Question, route},
    text,
};
use std::collections::BTreeMap;

pub(super) const DENSE: &str = "dense";
pub(super) const BM25: &str = "BM25";
pub(super) const FUSION: &str = "fusion";

/// Vectors of documents and queries, by their places in the collection.
pub(super) struct Vectors {
    pub(super) documents: Vec<Option<Code>>,
    pub(super) queries: Vec<Option<Code>>,
}

/// A collection, findable: each document is one chunk under its title.
pub(super) struct Index<'a> {
    searcher: Searcher,
    /// The names that judgements use.
    names: BTreeMap<DocumentId, &'a str>,
    /// In the order of the collection.
    ids: Vec<DocumentId>,
    /// The vectors, and those of the queries.
    dense: Option<(Flat, Vec<Option<Code>>)>,
    /// What the model of the vectors says of texts that have nothing to do with one another.
    least_cosine: f32,
}

impl<'a> Index<'a> {
    pub(super) fn new(collection: &'a Collection) -> Result<Self, SegmentError> {
        let mut names: BTreeMap<DocumentId, &str> = BTreeMap::new();
        let mut texts = Vec::with_capacity(collection.documents.len());
        let mut ids = Vec::with_capacity(collection.documents.len());
        for document in &collection.documents {
            let id = DocumentId::of(document.id.as_bytes());
            names.insert(id.clone(), &document.id);
            ids.push(id.clone());
            let id = ChunkId { document: id, ordinal: 0 };
            let language = text::language(&document.text).unwrap_or_default();
            texts.push(SegmentText { id, context: &document.title, body: &document.text, labels: "", language });
        }
        let searcher = Searcher::new(vec![Segment::open(&build(&texts)?)?], |_, _| true);
        Ok(Self { searcher, names, ids, dense: None, least_cosine: f32::NEG_INFINITY })
    }

    pub(super) fn add_vectors(&mut self, vectors: Vectors, model: &ModelIdentity) {
        let mut flat = Flat::new(model.dims);
        for (id, code) in self.ids.iter().zip(vectors.documents) {
            if let Some(code) = code {
                flat.insert(id, &[(0, code)]);
            }
        }
        self.dense = Some((flat, vectors.queries));
        self.least_cosine =
            Catalogue::shipped().model(&model.id).and_then(|model| model.least_cosine).unwrap_or(f32::NEG_INFINITY);
    }

    fn named(&self, found: impl Iterator<Item = (ChunkId, f32)>) -> Vec<(String, f32)> {
        found.filter_map(|(id, score)| Some(((*self.names.get(&id.document)?).to_owned(), score))).collect()
    }
}

/// Ranks every query in every way there is.
pub(super) fn rank(
    index: &Index<'_>,
    collection: &Collection,
    depth: usize,
) -> Result<Vec<(&'static str, ScoredRun)>, SegmentError> {
    let (mut dense_run, mut lexical_run, mut fused_run) = <(ScoredRun, ScoredRun, ScoredRun)>::default();
    for (at, (qid, question)) in collection.queries.iter().enumerate() {
        let parsed = Question::parse(question);
        let query = index.searcher.complete(parsed.query())?;
        let lexical = retrieve::candidates(&index.searcher, &query, None, depth)?;
        lexical_run.insert(qid.clone(), index.named(lexical.into_iter().map(|found| (found.chunk, found.score))));
        let Some((flat, queries)) = &index.dense else { continue };
        let Some(code) = queries.get(at).and_then(Option::as_ref) else { continue };
        let near = flat.search(code, depth, &|_| true).into_iter();
        dense_run.insert(qid.clone(), index.named(near.map(|hit| (hit.chunk, hit.cosine))));
        let asks_vectors = route::vector_text(&parsed).is_some();
        let admits = |_: &DocumentId| true;
        let dense = Dense { index: flat, query: code, least_cosine: index.least_cosine, admits: &admits };
        let dense = asks_vectors.then_some(dense);
        let fused = retrieve::candidates(&index.searcher, &query, dense, depth)?;
        fused_run.insert(qid.clone(), index.named(fused.into_iter().map(|found| (found.chunk, found.score))));
    }
    if index.dense.is_none() {
        return Ok(vec![(BM25, lexical_run)]);
    }
    Ok(vec![(DENSE, dense_run), (BM25, lexical_run), (FUSION, fused_run)])
}
