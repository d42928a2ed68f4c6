//! What answers promise: what was named first, each thing once, only where it was meant, and why.

use super::*;
use crate::{
    chunk::ChunkId,
    host::{MemoryStorage, NoProgress, StoppedClock, now},
    index::prepare,
    retrieve::{Column, context::Section},
};

fn library(files: &[(&str, &str)]) -> Library<MemoryStorage> {
    let mut library = now(Library::open(MemoryStorage::default())).unwrap();
    for (name, text) in files {
        let prepared = prepare(name, text.as_bytes(), &mut NoProgress).unwrap();
        now(library.commit(prepared, text.as_bytes(), 7)).unwrap();
    }
    library
}

fn ask(library: &Library<MemoryStorage>, question: &str) -> Found {
    let options = FindOptions { limit: 10, explains: true, ..FindOptions::default() };
    now(library.find_with(question, &options, &StoppedClock(0))).unwrap()
}

fn names(found: &Found) -> Vec<&str> {
    found.passages.iter().map(|passage| passage.name.as_str()).collect()
}

/// Parts whose numbers differ in a figure or two; the one that is asked for has the fewest of the words asked with it.
fn twins() -> Library<MemoryStorage> {
    let mut csv = "Part,Name,Stock\n".to_owned();
    for n in 0..1_000 {
        let number = 48_000 + n;
        let name = if number == 48_291 { "Fastener" } else { "Zinc plated bolt, zinc plated, bolt of steel" };
        csv.push_str(&format!("SKU-{number},\"{name}\",{}\n", n % 7));
    }
    library(&[("parts.csv", &csv), ("bolts.md", "# Bolts\n\nA zinc plated bolt of any SKU is kept dry.\n")])
}

#[test]
fn what_is_named_is_first_among_a_thousand_near_twins() {
    let library = twins();
    for question in [
        "SKU-48291",
        "sku-48291",
        "SKU 48291",
        "sku 48291",
        "sku48291",
        "SKU/48291",
        "SKU_48291",
        "SKU\u{2011}48291",
        "SKU\u{2013}48291",
        "SKU\u{2212}48291",
        "what is SKU-48291?",
        "stock of the zinc plated bolt SKU-48291",
        "Is the zinc plated steel bolt SKU 48291 in stock, or which bolt is?",
        "zinc plated bolts: sku48291",
    ] {
        let found = ask(&library, question);
        assert!(found.passages[0].text.contains("SKU-48291"), "{question}: {}", found.passages[0].text);
        assert!(found.passages[0].explanation.named > Some(0), "{question}");
    }
    let alone = ask(&library, "SKU-48291");
    assert_eq!((alone.routing.route, alone.passages.len()), (Route::Exact, 1), "its twins are not it");
    assert!(alone.others.iter().all(|other| other.explanation.fate == Fate::NotNamed) && !alone.others.is_empty());
}

#[test]
fn documents_in_other_writings_have_what_is_named() {
    let library = library(&[
        ("a.txt", "Ordered: one SKU 48291 for the press."),
        ("b.txt", "Ordered: one SKU\u{2013}48292 for the press."),
        ("c.txt", "Ordered: one sku48293 for the press."),
        ("d.txt", "Invoice TF/2026\u{2011}27/001 for the press."),
        ("e.txt", "Paid on 12 March 2026 for the press."),
        ("f.txt", "Paid on 21.03.2026 for the press, Rs. 1,23,456.00 in all."),
    ]);
    for (question, name) in [
        ("SKU-48291", "a.txt"),
        ("SKU-48292", "b.txt"),
        ("SKU-48293", "c.txt"),
        ("TF-2026-27-001", "d.txt"),
        ("tf 2026-27 001", "d.txt"),
        ("paid on 12.03.2026", "e.txt"),
        ("paid on 2026-03-21", "f.txt"),
        ("paid 123456", "f.txt"),
    ] {
        assert_eq!(names(&ask(&library, question))[0], name, "{question}");
    }
}

#[test]
fn a_name_that_nothing_has_is_said() {
    let library = twins();
    let found = ask(&library, "SKU-99999");
    assert!(found.notice.unwrap().contains("No document has SKU-99999"));
    assert!(ask(&library, "SKU-48291").notice.is_none());
    let wrong = ask(&library, "27AAPFU0939F1ZX").notice.unwrap();
    assert!(wrong.contains("no valid GSTIN") && wrong.contains("should be V"), "{wrong}");
}

const SEAL: &str =
    "Close both valves and let the pressure out before the cover of the pump is taken off for a new seal.";

#[test]
fn what_is_said_twice_is_shown_once_with_all_its_places() {
    let library = library(&[
        ("rev-a.md", &format!("# Seal\n\n{SEAL}\n")),
        ("rev-b.md", &format!("# Seal ring\n\n{}\n", SEAL.replace("Close", "CLOSE"))),
        ("rev-c.md", "# Seal\n\nThe seal of the pump costs money.\n"),
    ]);
    let found = ask(&library, "pump seal valves pressure");
    assert_eq!(found.passages.len(), 2);
    let places: Vec<(&str, bool)> =
        found.passages[0].also.iter().map(|also| (also.name.as_str(), also.nearly)).collect();
    assert_eq!(places.len(), 1);
    assert!(names(&found)[0] != places[0].0 && !places[0].1);
    let fates: Vec<&Fate> = found.others.iter().map(|other| &other.explanation.fate).collect();
    assert!(matches!(fates.as_slice(), [Fate::Same { rank: 1, nearly: false, .. }]), "{fates:?}");
}

#[test]
fn questions_can_be_for_some_documents_alone() {
    let library = library(&[
        ("pumps/P-100.md", "# Pump manual\n\nThe seal is changed every year.\n"),
        ("valves/V-7.txt", "The seal is changed every month. Supplier: Tata Steel. Dated 12.03.2026.\n"),
        ("invoice 12.txt", "One seal, changed price.\n"),
    ]);
    for (question, expected) in [
        ("seal doc:p-100", vec!["pumps/P-100.md"]),
        ("seal doc:\"pump manual\"", vec!["pumps/P-100.md"]),
        ("seal type:md", vec!["pumps/P-100.md"]),
        ("seal type:invoice", vec!["invoice 12.txt"]),
        ("seal supplier:\"Tata Steel\"", vec!["valves/V-7.txt"]),
        ("seal date:2026-03-12", vec!["valves/V-7.txt"]),
        ("when is the seal changed in V-7.txt", vec!["valves/V-7.txt"]),
        ("seal -price -month", vec!["pumps/P-100.md"]),
        ("\"seal is changed every month\"", vec!["valves/V-7.txt"]),
        ("seal doc:nowhere", vec![]),
    ] {
        assert_eq!(names(&ask(&library, question)), expected, "{question}");
    }
    assert!(ask(&library, "seal doc:nowhere").notice.unwrap().contains("No document fits “nowhere”"));
    assert_eq!(ask(&library, "seal in missing.pdf").passages.len(), 3, "no filter, for there is no such document");
    let unquoted = ask(&library, "\"changed seal\"");
    assert!(unquoted.notice.unwrap().contains("word for word") && unquoted.passages.len() == 3);
}

#[test]
fn every_candidate_has_its_record() {
    let text: String =
        (0..40).map(|n| format!("# Part {n}\n\nThe seal of part {n} is number {n} of the seals.\n\n")).collect();
    let library = library(&[("parts.md", &text)]);
    let found = ask(&library, "seal of the part");
    assert_eq!((found.passages.len(), found.others.len()), (10, MAX_OTHERS));
    let ranks: Vec<u32> = found
        .passages
        .iter()
        .map(|p| p.explanation.rank)
        .chain(found.others.iter().map(|o| o.explanation.rank))
        .collect();
    assert_eq!(ranks, (1..=40).collect::<Vec<u32>>());
    assert!(found.others.iter().all(|other| other.explanation.fate == Fate::BelowLimit));
    let row = found.passages[0].explained();
    for column in [Column::Track, Column::Source, Column::Kind, Column::Headings, Column::Bm25, Column::LexicalRank] {
        assert!(row.cell(column).is_some_and(|cell| !cell.is_empty()), "{column:?}");
    }
    assert_eq!(row.cell(Column::Cosine), None, "no vectors were asked");
    assert!(found.routing.reason.contains("No vectors"));
    assert!(now(library.find("seal", 10, &StoppedClock(0))).unwrap().others.is_empty(), "only where it is wanted");
}

#[test]
fn a_passage_comes_with_its_section() {
    let library = library(&[(
        "pump.md",
        "# Care\n\nBefore all else.\n\n## Torques\n\n| Bolt | Nm |\n| --- | --- |\n| M6 | 10 |\n\nTighten crosswise.\n\n## Oil\n\nOil.\n",
    )]);
    let context = |question: &str| -> Section {
        let found = ask(&library, question);
        now(library.context(&found.passages[0].chunk)).unwrap()
    };
    let section = context("tighten crosswise");
    assert_eq!(section.heading_path, ["Torques"], "the title is not among them");
    let texts: Vec<&str> = section.blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(texts, ["Torques", "Bolt | Nm", "M6 | 10", "Tighten crosswise."]);
    assert!(section.is_whole && section.blocks[3].is_passage && !section.blocks[2].is_passage);
    let missing = ChunkId { document: library.documents()[0].id.clone(), ordinal: 999 };
    assert_eq!(now(library.context(&missing)).unwrap_err(), IndexError::NotFound);
}
