//! Against the exact index, and against damage.

use super::*;

const N_DIMENSIONS: usize = 16;

pub(super) fn document(name: u32) -> DocumentId {
    DocumentId::of(&name.to_le_bytes())
}

/// Vectors around a few centres, as text has them, from a fixed sequence.
pub(super) fn vectors(n: usize) -> Vec<Vec<f32>> {
    let mut state = 7_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    let centres: Vec<Vec<f32>> = (0..9).map(|_| (0..N_DIMENSIONS).map(|_| next()).collect()).collect();
    (0..n).map(|at| centres[at % 9].iter().map(|x| x + next()).collect()).collect()
}

/// Three chunks a document.
fn fill(index: &mut dyn VectorIndex, vectors: &[Vec<f32>], names: impl Iterator<Item = u32>) {
    for name in names {
        let own = vectors[name as usize * 3..][..3].iter().map(|vector| Code::of(vector).unwrap());
        index.insert(&document(name), &(0..).zip(own).collect::<Vec<_>>());
    }
}

fn filled(vectors: &[Vec<f32>]) -> (Flat, Hnsw) {
    let (mut flat, mut hnsw) = (Flat::new(N_DIMENSIONS), Hnsw::new(N_DIMENSIONS));
    let n = vectors.len() as u32 / 3;
    fill(&mut flat, vectors, 0..n);
    fill(&mut hnsw, vectors, 0..n);
    (flat, hnsw)
}

fn searches(index: &dyn VectorIndex, vectors: &[Vec<f32>]) -> Vec<Vec<DenseHit>> {
    vectors.iter().step_by(7).map(|vector| index.search(&Code::of(vector).unwrap(), 5, &|_| true)).collect()
}

#[test]
fn it_finds_what_the_exact_index_finds_with_the_same_cosines() {
    let vectors = vectors(300);
    let (flat, mut hnsw) = filled(&vectors);
    assert_eq!(searches(&flat, &vectors), searches(&hnsw, &vectors), "before there is a graph");
    hnsw.rebuild().unwrap();
    assert_eq!((hnsw.len(), hnsw.tail.len(), hnsw.links.is_empty()), (300, 0, false));
    for (exact, found) in searches(&flat, &vectors).iter().zip(searches(&hnsw, &vectors)) {
        for hit in &found {
            let query = &Code::of(&vectors[0]).unwrap();
            assert_eq!(flat.cosine(query, &hit.chunk), hnsw.cosine(query, &hit.chunk));
        }
        assert_eq!(exact, &found);
    }
}

#[test]
fn the_graph_depends_on_what_is_in_it_and_not_on_how_it_came() {
    let vectors = vectors(240);
    let (_, mut straight) = filled(&vectors);
    straight.rebuild().unwrap();
    let mut other = Hnsw::new(N_DIMENSIONS);
    fill(&mut other, &vectors, (20..60).rev());
    other.rebuild().unwrap();
    fill(&mut other, &vectors, (0..30).rev());
    fill(&mut other, &vectors, 60..80);
    other.insert(&document(999), &[(0, Code::of(&vectors[5]).unwrap())]);
    other.remove(&document(999));
    other.rebuild().unwrap();
    assert_eq!(straight.to_bytes().unwrap(), other.to_bytes().unwrap());
}

#[test]
fn what_was_removed_is_not_found_and_what_was_replaced_is_found_as_it_is_now() {
    let vectors = vectors(150);
    let (mut flat, mut hnsw) = filled(&vectors);
    hnsw.rebuild().unwrap();
    for index in [&mut flat as &mut dyn VectorIndex, &mut hnsw] {
        for name in 0..10 {
            index.remove(&document(name));
        }
        index.insert(&document(20), &[(4, Code::of(&vectors[0]).unwrap())]);
        index.insert(&document(3), &[(0, Code::of(&vectors[1]).unwrap())]);
        assert_eq!(index.len(), 150 - 30 - 2 + 1);
    }
    let query = Code::of(&vectors[0]).unwrap();
    let gone = ChunkId { document: document(0), ordinal: 0 };
    assert_eq!((hnsw.cosine(&query, &gone), hnsw.is_stale()), (None, false));
    assert_eq!(searches(&flat, &vectors), searches(&hnsw, &vectors));
    let only = |id: &DocumentId| *id == document(30);
    assert_eq!(flat.search(&query, 9, &only), hnsw.search(&query, 9, &only));
    hnsw.remove(&document(40));
    hnsw.remove(&document(40));
    hnsw.remove(&document(41));
    assert!(hnsw.is_stale());
    hnsw.rebuild().unwrap();
    assert_eq!((hnsw.len(), hnsw.built.len(), hnsw.is_stale()), (113, 113, false));
    assert_eq!(hnsw.search(&Code::of(&[1.0; 8]).unwrap(), 3, &|_| true), [], "other dimensions");
}

#[test]
fn it_is_stored_and_read_back_with_all_that_is_not_settled() {
    let vectors = vectors(150);
    let (_, mut hnsw) = filled(&vectors);
    hnsw.rebuild().unwrap();
    hnsw.remove(&document(7));
    fill(&mut hnsw, &vectors, 9..12);
    let read = Hnsw::from_bytes(&hnsw.to_bytes().unwrap()).unwrap();
    assert_eq!((read.len(), read.is_stale()), (147, hnsw.is_stale()));
    assert_eq!(searches(&hnsw, &vectors), searches(&read, &vectors));
}

#[test]
fn damaged_bytes_are_refused() {
    let (_, mut hnsw) = filled(&vectors(30));
    hnsw.rebuild().unwrap();
    let bytes = hnsw.to_bytes().unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert_eq!(Hnsw::from_bytes(&damaged).err(), Some(HnswError::Damaged));
        assert_eq!(Hnsw::from_bytes(&bytes[..at]).err(), Some(HnswError::Damaged));
    }
}

#[test]
fn nonsense_behind_a_right_checksum_breaks_nothing() {
    let vectors = vectors(18);
    let (_, mut hnsw) = filled(&vectors);
    hnsw.rebuild().unwrap();
    hnsw.remove(&document(2));
    fill(&mut hnsw, &vectors, 4..5);
    let bytes = hnsw.to_bytes().unwrap();
    let stored = &bytes[CHECKSUM_BYTES..];
    let mut n_read = 0;
    for at in 0..stored.len() {
        for mask in [1, 0x80] {
            let mut changed = stored.to_vec();
            changed[at] ^= mask;
            if let Some(mut read) = Hnsw::read(&changed) {
                n_read += 1;
                read.search(&Code::of(&vectors[3]).unwrap(), 5, &|_| true);
                read.links.nearest(8, usize::MAX, |row| row as f32, |_| true);
                read.insert(&document(5), &[(0, Code::of(&vectors[3]).unwrap())]);
            }
        }
    }
    assert!(n_read > 0, "changes of components are no contradiction");
}
