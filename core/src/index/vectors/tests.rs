//! Vectors are kept, resumed, refused and forgotten, over a store in memory.

use super::*;
use crate::{
    host::{MemoryStorage, NoProgress, StoppedClock, now},
    index::{FindOptions, Shortlisted, prepare},
    retrieve::Reranked,
};

fn model(id: &str) -> ModelIdentity {
    ModelIdentity {
        id: id.to_owned(),
        sha256: "00".to_owned(),
        dims: 4,
        query_prefix: String::new(),
        passage_prefix: String::new(),
        arithmetic: 1,
    }
}

/// A model that knows what leaks from what is stuck.
fn code(text: &str) -> Option<Code> {
    let has = |words: &[&str]| if words.iter().any(|word| text.contains(word)) { 1.0 } else { 0.0 };
    Code::of(&[has(&["leaks", "drips"]), has(&["stuck", "jammed"]), 0.1, 0.0])
}

fn add(library: &mut Library<MemoryStorage>, name: &str, text: &str, added_millis: u64) -> DocumentId {
    let prepared = prepare(name, text.as_bytes(), &mut NoProgress).unwrap();
    now(library.commit(prepared, text.as_bytes(), added_millis)).unwrap();
    DocumentId::of(text.as_bytes())
}

/// Embeds at most so many groups.
fn embed(library: &mut Library<impl Storage>, n_groups: usize) -> usize {
    let groups = now(library.without_vectors(n_groups)).unwrap();
    let embedded = groups.iter().map(|group| group.embedded(group.texts.iter().map(|text| code(text)).collect()));
    now(library.commit_vectors(embedded.collect())).unwrap();
    groups.len()
}

fn names(library: &Library<MemoryStorage>, question: &str) -> Vec<String> {
    let vector = code(question);
    let options = FindOptions { limit: 5, vector: vector.as_ref(), ..FindOptions::default() };
    let found = now(library.find_with(question, &options, &StoppedClock(0))).unwrap();
    found.passages.into_iter().map(|passage| passage.name).collect()
}

fn library() -> Library<MemoryStorage> {
    let mut library = now(Library::open(MemoryStorage::default())).unwrap();
    add(&mut library, "pump.txt", "The seal of the pump leaks.", 1);
    add(&mut library, "valve.txt", "The valve is stuck.", 2);
    library
}

/// A text of so many chunks, about nothing that the model knows.
fn long_text(n_chunks: usize) -> String {
    let sentence = "The housing is cleaned with a dry cloth and left to itself until the next shift comes in. ";
    (0..n_chunks).map(|n| format!("# Part {n}\n\n{}\n\n", sentence.repeat(9))).collect()
}

#[test]
fn what_shares_no_word_is_found_once_it_has_a_vector() {
    let mut library = library();
    now(library.use_model(&model("small"))).unwrap();
    assert_eq!(names(&library, "why drips it"), [""; 0]);
    assert_eq!(library.n_embedded(), Embedded { n_done: 0, n_chunks: 2 });
    assert_eq!(embed(&mut library, 10), 2);
    assert_eq!(library.n_embedded(), Embedded { n_done: 2, n_chunks: 2 });
    assert_eq!(names(&library, "why drips it")[0], "pump.txt");
    assert_eq!(names(&library, "jammed")[0], "valve.txt");
    assert_eq!(now(library.find("jammed", 5, &StoppedClock(0))).unwrap().passages, [], "words alone find nothing");
}

#[test]
fn what_shares_no_word_and_is_far_away_is_not_found() {
    // The catalogue knows from where on this model's passages have nothing to do with a question.
    for (id, found) in [("minilm", 0), ("unheard of", 2)] {
        let mut library = library();
        now(library.use_model(&model(id))).unwrap();
        embed(&mut library, 10);
        assert_eq!(names(&library, "bananas").len(), found, "{id}");
        assert_eq!(names(&library, "why drips it")[0], "pump.txt", "{id}");
        assert_eq!(names(&library, "is the valve ripe")[0], "valve.txt", "{id}: a word is reason enough");
    }
}

#[test]
fn a_shortlist_is_put_in_order_by_what_was_said_of_it() {
    let mut library = library();
    add(&mut library, "belt.txt", "The seal of the belt.", 3);
    let question = "seal of the pump or belt";
    let before = names(&library, question);
    let shortlist = now(library.shortlist(question, None)).unwrap();
    assert_eq!(shortlist.len(), 2);
    let score = |at: usize, chunk: &Shortlisted| (chunk.chunk.clone(), if at == 1 { 4.0 } else { -9.0 });
    let scores = shortlist.iter().enumerate().map(|(at, chunk)| score(at, chunk)).collect();
    let options = FindOptions { limit: 5, reranked: Some(&Reranked { scores }), ..FindOptions::default() };
    let found = now(library.find_with(question, &options, &StoppedClock(0))).unwrap();
    let after: Vec<&str> = found.passages.iter().map(|passage| passage.name.as_str()).collect();
    assert_eq!(after, [before[1].as_str(), before[0].as_str()]);
    assert_eq!(found.passages[0].explanation.rerank_score, Some(4.0));
    assert_eq!(now(library.shortlist("SKU-48291", None)).unwrap(), [], "what is named needs no judgement");
}

#[test]
fn where_vectors_are_asked_the_best_are_looked_at_again() {
    let mut library = library();
    add(&mut library, "belt.txt", "The belt is new. A pump has a seal. Nothing leaks here.", 3);
    now(library.use_model(&model("small"))).unwrap();
    embed(&mut library, 10);
    let question = "seal of the pump leaks";
    let scores = |vector: Option<&Code>| -> Vec<Option<f32>> {
        let options = FindOptions { limit: 5, vector, ..FindOptions::default() };
        let found = now(library.find_with(question, &options, &StoppedClock(0))).unwrap();
        found.passages.iter().map(|passage| passage.explanation.rerank_score).collect()
    };
    let again = scores(code(question).as_ref());
    assert!(again.len() >= 2 && again.iter().all(Option::is_some), "{again:?}");
    assert!(again.is_sorted_by(|a, b| a >= b), "best first: {again:?}");
    assert!(scores(None).iter().all(Option::is_none), "by words alone nothing is gained");
    assert_eq!(names(&library, question)[0], "pump.txt");
}

#[test]
fn no_vector_puts_a_twin_before_the_code_that_was_asked_for() {
    let mut library = now(Library::open(MemoryStorage::default())).unwrap();
    add(&mut library, "asked.txt", "Seal SKU-48291 lies on the upper shelf.", 1);
    // Nearer by its words as well as by its vector.
    add(&mut library, "twin.txt", "The pump leaks where its seal SKU-48290 sits.", 2);
    now(library.use_model(&model("small"))).unwrap();
    embed(&mut library, 9);
    assert_eq!(names(&library, "where the pump leaks at its seal"), ["twin.txt", "asked.txt"]);
    assert_eq!(names(&library, "where the pump leaks at its seal SKU-48291")[0], "asked.txt");
}

#[test]
fn vectors_survive_reopening_and_a_stopped_run_goes_on_where_it_stopped() {
    let mut library = library();
    let long = add(&mut library, "manual.md", &long_text(100), 3);
    now(library.use_model(&model("small"))).unwrap();
    let first = now(library.without_vectors(1)).unwrap();
    assert_eq!((first[0].document.clone(), first[0].group, first[0].texts.len()), (long.clone(), 0, CHUNKS_PER_GROUP));
    assert!(first[0].texts[1].contains("Part 1"), "{:?}", first[0].texts[1]);
    assert_eq!(embed(&mut library, 2), 2);

    let mut reopened = now(Library::open(library.storage)).unwrap();
    now(reopened.load_vectors()).unwrap();
    assert_eq!(reopened.vectors_model(), Some(&model("small")));
    assert_eq!(reopened.n_embedded().n_done, 2 * CHUNKS_PER_GROUP as u32);
    let next = now(reopened.without_vectors(1)).unwrap();
    assert_eq!((next[0].document.clone(), next[0].group), (long, 2));
    while embed(&mut reopened, 3) > 0 {}
    let Embedded { n_done, n_chunks } = reopened.n_embedded();
    assert!(n_done == n_chunks && n_chunks > 90, "{n_done} of {n_chunks}");
    assert_eq!(reopened.vectors().len(), n_chunks as usize);
    assert_eq!(names(&reopened, "jammed")[0], "valve.txt");
}

#[test]
fn a_follower_takes_in_what_the_writer_stored() {
    let storage = library().storage;
    let mut library = now(Library::open(&storage)).unwrap();
    now(library.use_model(&model("small"))).unwrap();
    embed(&mut library, 1);
    let mut follower = now(Library::open_follower(&storage)).unwrap();
    now(follower.load_vectors()).unwrap();
    assert_eq!(follower.n_embedded().n_done, 1);
    embed(&mut library, 1);
    now(follower.load_vectors()).unwrap();
    assert_eq!(follower.n_embedded().n_done, 2);
}

#[test]
fn another_models_vectors_are_refused_until_they_are_forgotten() {
    let mut library = library();
    now(library.use_model(&model("small"))).unwrap();
    now(library.use_model(&model("other"))).unwrap();
    embed(&mut library, 1);
    let refused = IndexError::OtherModel { found: "other".to_owned(), wanted: "small".to_owned() };
    assert_eq!(now(library.use_model(&model("small"))), Err(refused));
    now(library.forget_vectors()).unwrap();
    assert_eq!(now(library.storage.keys(Table::Vectors)).unwrap(), [""; 0]);
    assert_eq!(library.vectors().len(), 0);
    now(library.use_model(&model("small"))).unwrap();
    assert_eq!(embed(&mut library, 9), 2);
}

#[test]
fn vectors_go_with_their_document() {
    let mut library = library();
    now(library.use_model(&model("small"))).unwrap();
    let waiting = now(library.without_vectors(9)).unwrap();
    embed(&mut library, 9);
    let valve = DocumentId::of(b"The valve is stuck.");
    now(library.trash(std::slice::from_ref(&valve))).unwrap();
    assert_eq!(names(&library, "jammed")[0], "pump.txt", "hidden, not yet gone");
    now(library.purge(std::slice::from_ref(&valve))).unwrap();
    assert_eq!((library.vectors().len(), now(library.storage.keys(Table::Vectors)).unwrap().len()), (1, 1));
    // Vectors that were under way when their document went.
    let late = waiting.iter().map(|group| group.embedded(vec![code("stuck")])).collect();
    now(library.commit_vectors(late)).unwrap();
    assert_eq!((library.vectors().len(), now(library.storage.keys(Table::Vectors)).unwrap().len()), (1, 1));
}

#[test]
fn a_group_of_another_size_or_reading_is_passed_over() {
    let mut library = library();
    now(library.use_model(&model("small"))).unwrap();
    let groups = now(library.without_vectors(1)).unwrap();
    now(library.commit_vectors(vec![groups[0].embedded(vec![code("stuck"), code("stuck")])])).unwrap();
    assert_eq!(library.n_embedded().n_done, 0);
    let prepared = prepare("valve.txt", b"The valve is stuck.", &mut NoProgress).unwrap();
    now(library.read_again(prepared)).unwrap();
    now(library.commit_vectors(vec![groups[0].embedded(vec![code("stuck")])])).unwrap();
    assert_eq!(library.n_embedded().n_done, 0, "its chunks may be others now");
}
