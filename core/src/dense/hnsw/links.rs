//! The graph of an [`Hnsw`](super::Hnsw): the crate instant-distance makes it, and here it is walked.
//!
//! The crate's own walk is not used: how thorough it is stays fixed from the building on, and it cannot leave out what
//! is not asked for.

use super::HnswError;
use crate::dense::{
    flat::{Flat, Row},
    kernel,
};
use instant_distance::Builder;
use serde::{Deserialize, Serialize, Serializer};
use std::{cmp::Reverse, collections::BinaryHeap};

/// Links of a node in the upper layers; the lowest has twice as many. The crate's, and fixed there.
const M: usize = 32;
/// Where a node has fewer links.
const NONE: u32 = u32::MAX;
/// How many nodes the building looks at around each new one (`efConstruction`).
const EF_CONSTRUCTION: usize = 100;
/// The crate's order of insertion follows from this alone.
const SEED: u64 = 0;

/// Neighbours in layers: every node is in the lowest, fewer and fewer are in those above it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Links {
    /// By node: its row.
    #[serde(skip)]
    order: Vec<u32>,
    /// By node: its neighbours, nearest first.
    lowest: Vec<[[u32; M]; 2]>,
    /// From below to above; a layer has the nodes up to some number.
    upper: Vec<Vec<[u32; M]>>,
}

impl Links {
    /// The graph over all rows of an index. The same rows give the same graph on every machine.
    /// O(rows · log rows) with a large constant: about a millisecond a row.
    pub(super) fn over(flat: &Flat) -> Result<Self, HnswError> {
        let n = flat.rows().len();
        if n == 0 || n >= NONE as usize {
            return Ok(Self::default());
        }
        let order = order(n);
        let (high, stride) = flat.high();
        let plane = Plane { high, stride, rows: flat.rows() };
        alone()?;
        let points = places(n).into_iter().map(|place| Point { plane, row: order[place as usize] });
        let (hnsw, _) = builder().ef_construction(EF_CONSTRUCTION).build_hnsw(points.collect());
        // How the crate's own serialisation names its parts.
        #[derive(Deserialize)]
        struct Built {
            _ef_search: usize,
            _points: Vec<()>,
            zero: Vec<[[u32; M]; 2]>,
            layers: Vec<Vec<[u32; M]>>,
        }
        let unreadable = |error: postcard::Error| HnswError::Graph(error.to_string());
        let bytes = postcard::to_stdvec(&hnsw).map_err(unreadable)?;
        drop(hnsw);
        let built: Built = postcard::from_bytes(&bytes).map_err(unreadable)?;
        let links = Self { order, lowest: built.zero, upper: built.layers };
        links.checked(n).ok_or_else(|| HnswError::Graph("its links lead nowhere".to_owned()))
    }

    /// Whether it leads nowhere.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.lowest.is_empty()
    }

    /// Completes what was stored, unless it is not of so many rows or leads out of them.
    pub(super) fn checked(mut self, n_rows: usize) -> Option<Self> {
        let leads = |link: &u32| *link == NONE || (*link as usize) < n_rows;
        let fits = self.lowest.len() == n_rows
            && self.lowest.iter().flatten().flatten().all(leads)
            && self.upper.iter().all(|layer| layer.len() <= n_rows && layer.iter().flatten().all(leads));
        if self.order.len() != n_rows {
            self.order = order(n_rows);
        }
        fits.then_some(self)
    }

    /// The admitted rows nearest to a question, at most `ef`, in no order: the more, the surer that the nearest of all
    /// are among them. `None` once more than `max_visited` rows were looked at: then the admitted ones are too few to
    /// be found by following links.
    pub(super) fn nearest(
        &self,
        ef: usize,
        max_visited: usize,
        look: impl Fn(usize) -> f32,
        admits: impl Fn(usize) -> bool,
    ) -> Option<Vec<usize>> {
        let row = |node: u32| self.order[node as usize] as usize;
        let mut best: BinaryHeap<Reverse<Near>> = BinaryHeap::with_capacity(ef + 1);
        if self.order.is_empty() {
            return Some(Vec::new());
        }
        let mut entry = Near { score: look(row(0)), node: Reverse(0) };
        for layer in self.upper.iter().rev() {
            while let Some(links) = layer.get(entry.node.0 as usize) {
                let near = links.iter().take_while(|link| **link != NONE);
                let nearest = near.map(|link| Near { score: look(row(*link)), node: Reverse(*link) }).max();
                match nearest.filter(|nearest| *nearest > entry) {
                    Some(nearest) => entry = nearest,
                    None => break,
                }
            }
        }
        let mut visited = vec![false; self.order.len()];
        let mut n_visited = 1;
        visited[entry.node.0 as usize] = true;
        let mut open = BinaryHeap::from([entry]);
        let mut keep = |near: Near| {
            if admits(row(near.node.0)) {
                best.push(Reverse(near));
                if best.len() > ef {
                    best.pop();
                }
            }
            (best.len() == ef).then(|| best.peek().map(|worst| worst.0)).flatten()
        };
        let mut worst = keep(entry);
        while let Some(next) = open.pop() {
            if worst.is_some_and(|worst| next < worst) {
                break;
            }
            let links = self.lowest[next.node.0 as usize].iter().flatten();
            for link in links.take_while(|link| **link != NONE) {
                if std::mem::replace(&mut visited[*link as usize], true) {
                    continue;
                }
                n_visited += 1;
                let near = Near { score: look(row(*link)), node: Reverse(*link) };
                if worst.is_none_or(|worst| near > worst) {
                    open.push(near);
                    worst = keep(near);
                }
            }
            if n_visited > max_visited {
                return None;
            }
        }
        Some(best.into_iter().map(|near| row(near.0.node.0)).collect())
    }
}

/// A node and how near it looks; nodes earlier in the order are nearer among equals.
#[derive(Clone, Copy, Debug)]
struct Near {
    score: f32,
    node: Reverse<u32>,
}

impl PartialEq for Near {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Near {}

impl Ord for Near {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.score.total_cmp(&other.score).then(self.node.cmp(&other.node))
    }
}

impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The upper bytes of all rows.
#[derive(Clone, Copy)]
struct Plane<'a> {
    high: &'a [i8],
    stride: usize,
    rows: &'a [Row],
}

/// A row as instant-distance wants a point.
#[derive(Clone)]
struct Point<'a> {
    plane: Plane<'a>,
    row: u32,
}

impl instant_distance::Point for Point<'_> {
    /// Symmetric and the same on every machine: a product of whole numbers, scaled.
    fn distance(&self, other: &Self) -> f32 {
        let Plane { high, stride, rows } = self.plane;
        let [a, b] = [self.row as usize, other.row as usize];
        let dot = kernel::dot_rows(&high[a * stride..][..stride], &high[b * stride..][..stride]);
        -(dot as f32 * (rows[a].scale * rows[b].scale))
    }
}

impl Serialize for Point<'_> {
    /// Nothing: a node is known by its place.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

/// In which order rows are inserted: shuffled, for those of a document stand together and would crowd the upper layers.
fn order(n: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by_cached_key(|row| (mix(u64::from(*row)), *row));
    order
}

/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).
fn mix(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Without the crate's heuristic, which chooses links for their directions: at 64 links a node it finds no more in vectors
/// of text, and building takes eight times as long.
fn builder() -> Builder {
    Builder::default().seed(SEED).select_heuristic(None)
}

/// By point handed to the crate: where it inserts it. The crate shuffles by its seed, but not the same on machines of 32
/// and 64 bits; points of no distance show how, so that the shuffle can be undone.
fn places(n: usize) -> Vec<u32> {
    #[derive(Clone)]
    struct Anywhere;
    impl instant_distance::Point for Anywhere {
        fn distance(&self, _: &Self) -> f32 {
            0.0
        }
    }
    let (_, places) = builder().ef_construction(1).build_hnsw(vec![Anywhere; n]);
    places.into_iter().map(|place| place.into_inner()).collect()
}

/// Sees to it that what the crate does in parallel is done by this thread alone, one after the other: in parallel the graph
/// depends on who comes first. The pool of one stays with the thread, and is some hundred bytes.
fn alone() -> Result<(), HnswError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    // A thread that is in a pool already, in its own from the last time for instance, cannot make one.
    if pool.is_err() && rayon::current_num_threads() != 1 {
        return Err(HnswError::Threads);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense::{
        Code, VectorIndex,
        hnsw::tests::{document, vectors},
    };

    #[test]
    fn links_lead_to_the_nearest_without_looking_at_all() {
        let vectors = vectors(1500);
        let mut flat = Flat::new(vectors[0].len());
        let codes: Vec<(u32, Code)> = (0..).zip(vectors.iter().map(|vector| Code::of(vector).unwrap())).collect();
        flat.insert(&document(0), &codes);
        let links = Links::over(&flat).unwrap();
        let (mut n_right, mut n_looks) = (0, 0);
        for (_, query) in codes.iter().step_by(30) {
            let padded = flat.looking(query);
            let looks = std::cell::Cell::new(0);
            let look = |row| {
                looks.set(looks.get() + 1);
                flat.look(&padded, row)
            };
            let found = links.nearest(16, usize::MAX, look, |_| true).unwrap();
            let best = flat.search(query, 10, &|_| true);
            n_right += best.iter().filter(|hit| found.contains(&(hit.chunk.ordinal as usize))).count();
            n_looks += looks.get();
        }
        assert!(n_right >= 490, "{n_right} of 500 found");
        assert!(n_looks < 50 * 900, "{n_looks} looks at 50 times 1500 rows");
        let nothing = links.nearest(32, 100, |row| flat.look(&flat.looking(&codes[0].1), row), |_| false);
        assert_eq!(nothing, None, "gives up");
    }

    #[test]
    fn the_order_is_the_same_on_every_machine_and_the_crates_shuffle_is_undone() {
        assert_eq!(order(8), [2, 4, 6, 5, 1, 7, 0, 3]);
        let mut sorted = places(50);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<u32>>());
        assert_ne!(places(50), sorted);
    }
}
