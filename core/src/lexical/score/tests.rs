//! What scores promise: exact identifiers, and bits that do not depend on segments.

use super::*;
use crate::{
    lexical::{SegmentText, build, merge},
    text::Language,
};
use std::panic::AssertUnwindSafe;

fn id(document: &str, ordinal: u32) -> ChunkId {
    ChunkId { document: DocumentId::of(document.as_bytes()), ordinal }
}

fn segment(texts: &[(ChunkId, &str)]) -> Segment {
    let texts: Vec<_> = texts
        .iter()
        .map(|(id, body)| SegmentText { id: id.clone(), context: "", body, labels: "", language: Language::English })
        .collect();
    Segment::open(&build(&texts).unwrap()).unwrap()
}

const TEXTS: [(&str, &str); 6] = [
    ("a", "Error 9: G-code commands are locked out during alarm or jog state (error:9)."),
    ("b", "Bolt SKU-48291, M6x20, zinc plated."),
    ("c", "Bolt SKU-48290, M6x20, zinc plated."),
    ("d", "Invoice TF/2026-27/001 of pump parts."),
    ("e", "Set the gap to 3,5 mm and the travel to $130 millimetres."),
    ("f", "The travel speed of pumps is 9 m per minute; pumps run hot."),
];

fn all(searcher: &Searcher, question: &str) -> Vec<(ChunkId, u32)> {
    let query = searcher.complete(Query::parse(question)).unwrap();
    let hits = searcher.search(&query, 10).unwrap();
    hits.into_iter().map(|hit| (hit.chunk, hit.score.to_bits())).collect()
}

fn one_segment() -> Searcher {
    let texts: Vec<_> = TEXTS.iter().map(|(name, body)| (id(name, 0), *body)).collect();
    Searcher::new(vec![segment(&texts)], |_, _| true)
}

#[test]
fn weights_are_those_that_scores_are_made_of() {
    let searcher = one_segment();
    for question in ["travel speed of pumps", "SKU-48291", "error 9", "the bolt of nobody", "trav"] {
        let query = searcher.complete(Query::parse(question)).unwrap();
        let found = searcher.search_also(&query, 10, []).unwrap();
        let weights = searcher.weights(&query).unwrap();
        assert_eq!(most(&query, &weights).to_bits(), found.most.to_bits(), "{question}");
    }
}

#[test]
fn identifiers_are_found_exactly() {
    let searcher = one_segment();
    for (question, first) in [
        ("TF/2026-27/001", "d"),
        ("SKU-48291", "b"),
        ("sku-48290", "c"),
        ("$130", "e"),
        ("3,5 mm", "e"),
        ("3.5mm", "e"),
        ("error:9", "a"),
        ("what does error 9 mean", "a"),
    ] {
        assert_eq!(all(&searcher, question)[0].0, id(first, 0), "{question}");
    }
    let near_twins: Vec<_> = all(&searcher, "M6x20").into_iter().map(|(chunk, _)| chunk).collect();
    assert_eq!(near_twins.len(), 2);
    assert!(near_twins.is_sorted(), "equal scores order by chunk id");
}

#[test]
fn segmentation_and_dead_chunks_do_not_change_a_bit() {
    let whole = one_segment();
    let parts: Vec<Segment> = TEXTS.iter().rev().map(|(name, body)| segment(&[(id(name, 0), *body)])).collect();
    let split = Searcher::new(parts.clone(), |_, _| true);
    let dead = segment(&[(id("x", 0), "pumps pumps error 9 travel"), (id("y", 0), "zinc plated bolt bolt")]);
    let with_dead = Searcher::new([vec![dead.clone()], parts.clone()].concat(), |at, _| at != 0);
    let sources: Vec<&Segment> = [&dead].into_iter().chain(&parts).collect();
    let keep = |document: &DocumentId| !dead.documents().contains(document);
    let merged = Segment::open(&merge(&sources, keep).unwrap().unwrap()).unwrap();
    assert_eq!(merged.n_chunks(), TEXTS.len());
    let merged = Searcher::new(vec![merged], |_, _| true);
    for question in ["travel of pumps", "error 9 locked", "bolt zinc M6x20", "the gap $130 3,5 mm pump", "alarm"] {
        let expected = all(&whole, question);
        assert!(!expected.is_empty());
        for (name, searcher) in [("split", &split), ("with dead", &with_dead), ("merged", &merged)] {
            assert_eq!(all(searcher, question), expected, "{name}: {question}");
        }
    }
}

#[test]
fn merging_what_is_dead_leaves_nothing() {
    let dead = segment(&[(id("x", 0), "pumps")]);
    assert_eq!(merge(&[&dead], |_| false).unwrap(), None);
}

#[test]
fn a_word_still_being_typed_finds_what_begins_so() {
    let searcher = one_segment();
    assert_eq!(all(&searcher, "millimet travel")[0].0, id("e", 0));
    let completed = searcher.complete(Query::parse("zin plat pumps")).unwrap();
    let prefixes: Vec<bool> = completed.terms.iter().map(|term| term.is_prefix).collect();
    assert_eq!(prefixes, [true, true, false], "known words stay as they are");
    let hits = searcher.search(&completed, 10).unwrap();
    assert!(hits.iter().any(|hit| hit.chunk == id("b", 0)));
    assert_eq!(completed.marks("Zinc, zone", Language::English), [(0, 4)]);
}

#[test]
fn a_typing_error_finds_the_word_that_was_meant() {
    let searcher = one_segment();
    for (question, first, typed) in [("milimetres", "e", "milimetres"), ("invocie of parts", "d", "invocie")] {
        let query = searcher.complete(Query::parse(question)).unwrap();
        let mended: Vec<&str> =
            query.terms.iter().filter(|term| term.is_mended).map(|term| term.word.as_str()).collect();
        assert_eq!(mended, [typed]);
        assert_eq!(searcher.search(&query, 10).unwrap()[0].chunk, id(first, 0), "{question}");
    }
    for question in ["SKU-48299", "M6x21", "zync", "hydraulics"] {
        let query = searcher.complete(Query::parse(question)).unwrap();
        assert!(
            query.terms.iter().all(|term| !term.is_mended),
            "{question}: numbers and short words are what they are"
        );
    }
}

#[test]
fn every_language_is_found_by_its_own_rules() {
    let texts = [
        ("de", "Die Gleitringdichtungen sind monatlich zu prüfen.", Language::German),
        ("en", "The mechanical seals are checked monthly; colour code grey.", Language::English),
        ("fr", "Les joints sont vérifiés chaque mois.", Language::French),
        ("hi", "हर महीने पंपों की जाँच करें।", Language::Hindi),
    ];
    let texts: Vec<_> = texts
        .iter()
        .map(|(name, body, language)| SegmentText {
            id: id(name, 0),
            context: "",
            body,
            labels: "",
            language: *language,
        })
        .collect();
    let searcher = Searcher::new(vec![Segment::open(&build(&texts).unwrap()).unwrap()], |_, _| true);
    for (question, first) in [
        ("Gleitringdichtung pruefen", "de"),
        ("checking a seal", "en"),
        ("color gray", "en"),
        ("vérifier un joint", "fr"),
        ("पंप", "hi"),
    ] {
        let found = all(&searcher, question);
        assert_eq!((found.len(), found.first().map(|hit| &hit.0)), (1, Some(&id(first, 0))), "{question}");
    }
    assert!(searcher.has_script('\u{900}', '\u{97f}').unwrap());
    assert!(!searcher.has_script('\u{400}', '\u{4ff}').unwrap());
    assert!(!one_segment().has_script('\u{900}', '\u{97f}').unwrap());
}

#[test]
fn words_together_beat_words_apart() {
    let searcher = Searcher::new(
        vec![segment(&[
            (id("1", 0), "oil is checked weekly and the filter is cleaned when the level of dirt is high"),
            (id("2", 0), "the level is checked weekly and the oil filter is cleaned when dirt is high"),
        ])],
        |_, _| true,
    );
    assert_eq!(all(&searcher, "oil filter")[0].0, id("2", 0));
}

#[test]
fn damaged_segments_are_errors() {
    let bytes =
        build(&[SegmentText { id: id("a", 0), context: "", body: "text", labels: "", language: Language::English }])
            .unwrap();
    assert!(Segment::open(&bytes[..bytes.len() / 2]).is_err());
    assert!(Segment::open(b"").is_err());
}

#[test]
fn a_damaged_byte_is_an_error_and_never_a_panic() {
    let texts: Vec<_> = TEXTS.iter().map(|(name, body)| (id(name, 0), *body)).collect();
    let packed: Vec<_> = texts
        .iter()
        .map(|(id, body)| SegmentText { id: id.clone(), context: "", body, labels: "", language: Language::English })
        .collect();
    let packed = build(&packed).unwrap();
    let mut n_refused = 0;
    for at in 0..packed.len() {
        let mut damaged = packed.clone();
        damaged[at] ^= 0xff;
        let Ok(segment) = Segment::open(&damaged) else {
            n_refused += 1;
            continue;
        };
        // What has no checksum, such as a chunk's number, may well be wrong; it must still be served.
        let searcher = Searcher::new(vec![segment.clone()], |_, _| true);
        for question in ["pumps travel bolt zinc", "error 9", "TF/2026-27/001", "millimet"] {
            let query = searcher.complete(Query::parse(question)).unwrap();
            let _ = searcher.search(&query, 10).unwrap();
        }
        let _ = merge(&[&segment], |_| true);
    }
    assert!(n_refused * 2 > packed.len(), "{n_refused} of {} were refused", packed.len());
}

#[test]
fn a_search_that_fails_leaves_nothing_to_the_next() {
    let texts: Vec<_> = TEXTS.iter().map(|(name, body)| (id(name, 0), *body)).collect();
    let (sound, other) = (segment(&texts[3..]), &texts[..3]);
    let packed: Vec<_> = other
        .iter()
        .map(|(id, body)| SegmentText { id: id.clone(), context: "", body, labels: "", language: Language::English })
        .collect();
    let packed = build(&packed).unwrap();
    let guarded = |searcher: &Searcher, question: &str| {
        let search = || searcher.search(&Query::parse(question), 10).ok();
        std::panic::catch_unwind(AssertUnwindSafe(search)).ok().flatten()
    };
    let mut n_met = 0;
    for at in 0..packed.len() {
        let mut damaged = packed.clone();
        damaged[at] ^= 0xff;
        // Without its checksums some damage shows only when a term is read, as a panic within tantivy.
        let open = || Segment::open_trusting(&damaged).ok().map(|d| Searcher::new(vec![sound.clone(), d], |_, _| true));
        let open = || std::panic::catch_unwind(AssertUnwindSafe(open)).ok().flatten();
        let (Some(searcher), Some(fresh)) = (open(), open()) else { continue };
        if guarded(&searcher, "pumps travel bolt zinc").is_none()
            && let Some(expected) = guarded(&fresh, "invoice")
        {
            n_met += 1;
            assert_eq!(guarded(&searcher, "invoice"), Some(expected), "byte {at}");
        }
    }
    assert!(n_met > 0, "no damage was met");
}

#[test]
fn what_another_found_is_scored_as_if_it_were_among_the_best() {
    let searcher = one_segment();
    let query = searcher.complete(Query::parse("travel speed of pump parts")).unwrap();
    let all = searcher.search(&query, 10).unwrap();
    let (best, last) = (&all[0], all.last().unwrap());
    assert!(all.len() > 2);
    let asked = [id("b", 0), last.chunk.clone(), id("nowhere", 0)];
    let found = searcher.search_also(&query, 1, &asked).unwrap();
    assert_eq!(found.hits, [best.clone(), last.clone()], "SKU-48291 has nothing of it");
    assert_eq!(searcher.search_also(&query, 1, [&best.chunk]).unwrap().hits, std::slice::from_ref(best), "only once");
    assert!(found.most > best.words + best.identifiers, "{} {best:?}", found.most);
    let dead = Searcher::new(searcher.segments, |_, document| *document != last.chunk.document);
    assert!(dead.search_also(&query, 1, &asked).unwrap().hits.iter().all(|hit| hit.chunk != last.chunk));
}
