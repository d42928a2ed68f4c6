//! Makes one of what says the same: near-duplicate chunks, and chunks of one document. Pure functions over what was found.
//!
//! Two revisions of a manual share most of their paragraphs. Shown once, with where else they stand, they leave room for
//! what differs.

use crate::{
    chunk::{Chunk, ChunkId, ChunkKind},
    document::DocumentId,
    fuse::Hit,
    lexical::analysis,
};
use std::collections::BTreeSet;

/// Words of which a shingle is made.
const SHINGLE_WORDS: usize = 4;
/// Texts are nearly the same if they share this part of their shingles (Broder's resemblance, 1997).
const MIN_RESEMBLANCE: f32 = 0.9;
/// A text of fewer words says something else under another heading ("Turn it clockwise.").
const MIN_WORDS_ALONE: usize = 12;

/// How alike two texts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// The same words in the same order.
    Same,
    /// Nearly all words, and all numbers and identifiers, are the same.
    Nearly,
}

/// What of a chunk is compared.
#[derive(Clone, Debug)]
pub struct Fingerprint {
    kind: ChunkKind,
    heading: String,
    /// Folded words, parted by blanks.
    words: String,
    n_words: usize,
    identifiers: Vec<String>,
    /// The shingles as byte ranges of `words`, ordered by their text, each once.
    shingles: Vec<(u32, u32)>,
}

impl Fingerprint {
    /// Of a chunk. O(n log n).
    #[must_use]
    pub fn of(chunk: &Chunk) -> Self {
        let mut words = String::with_capacity(chunk.text.len());
        let mut places: Vec<(u32, u32)> = Vec::new();
        analysis::for_each_word(&chunk.text, |start, end| {
            if !words.is_empty() {
                words.push(' ');
            }
            let begin = words.len() as u32;
            words.push_str(&analysis::fold(&chunk.text[start..end]));
            places.push((begin, words.len() as u32));
        });
        let shingle = |window: &[(u32, u32)]| Some((window.first()?.0, window.last()?.1));
        let mut shingles: Vec<(u32, u32)> = places.windows(SHINGLE_WORDS).filter_map(shingle).collect();
        let text = |range: &(u32, u32)| &words[range.0 as usize..range.1 as usize];
        shingles.sort_by(|a, b| text(a).cmp(text(b)));
        shingles.dedup_by(|a, b| text(a) == text(b));
        let mut identifiers: Vec<String> =
            analysis::identifiers(&chunk.text).into_iter().map(|identifier| identifier.text).collect();
        identifiers.sort_unstable();
        Self {
            kind: chunk.kind,
            heading: chunk.heading_path.last().map(|heading| analysis::fold(heading)).unwrap_or_default(),
            n_words: places.len(),
            words,
            identifiers,
            shingles,
        }
    }

    /// How alike two chunks are; `None` where they are not. Rows, tables, code and warnings are only ever the same, never
    /// nearly: there one word is the difference. O(n).
    #[must_use]
    pub fn likeness(&self, other: &Self) -> Option<Likeness> {
        let speaks_alone = self.n_words >= MIN_WORDS_ALONE || self.heading == other.heading;
        if self.kind != other.kind || !speaks_alone || self.words.is_empty() || self.identifiers != other.identifiers {
            return None;
        }
        if self.words == other.words {
            return Some(Likeness::Same);
        }
        let is_near = self.kind == ChunkKind::Text && self.resemblance(other) >= MIN_RESEMBLANCE;
        is_near.then_some(Likeness::Nearly)
    }

    fn shingle_texts(&self) -> impl Iterator<Item = &str> {
        self.shingles.iter().map(|(start, end)| &self.words[*start as usize..*end as usize])
    }

    /// The part of both texts' shingles that both have. Exact: both lists are in order.
    fn resemblance(&self, other: &Self) -> f32 {
        let (fewer, more) =
            (self.shingles.len().min(other.shingles.len()), self.shingles.len().max(other.shingles.len()));
        if (fewer as f32) < MIN_RESEMBLANCE * more as f32 || more == 0 {
            return 0.0;
        }
        let (mut ours, mut theirs) = (self.shingle_texts().peekable(), other.shingle_texts().peekable());
        let mut n_both = 0_usize;
        while let (Some(a), Some(b)) = (ours.peek(), theirs.peek()) {
            let order = a.cmp(b);
            n_both += usize::from(order.is_eq());
            if order.is_le() {
                ours.next();
            }
            if order.is_ge() {
                theirs.next();
            }
        }
        n_both as f32 / (self.shingles.len() + other.shingles.len() - n_both) as f32
    }
}

/// Finds the first of `kept` that says the same; what is like it and how.
pub fn first_like<'k>(
    kept: impl IntoIterator<Item = &'k Fingerprint>,
    candidate: &Fingerprint,
) -> Option<(usize, Likeness)> {
    kept.into_iter().enumerate().find_map(|(at, kept)| Some((at, kept.likeness(candidate)?)))
}

/// One ranking of documents of one of chunks, which stands best first: each document where its best chunk does, with that
/// chunk's score. O(n log n).
#[must_use]
pub fn by_document(ranking: &[Hit<ChunkId>]) -> Vec<Hit<DocumentId>> {
    let mut seen: BTreeSet<&DocumentId> = BTreeSet::new();
    let first = ranking.iter().filter(|hit| seen.insert(&hit.id.document));
    first.map(|hit| Hit { id: hit.id.document.clone(), score: hit.score }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chunk::ChunkPlace,
        document::NodeId,
        text::{self, Language},
    };

    fn chunk(kind: ChunkKind, heading: &str, text: &str) -> Fingerprint {
        Fingerprint::of(&Chunk {
            id: ChunkId { document: DocumentId::of(text.as_bytes()), ordinal: 0 },
            kind,
            node: NodeId(1),
            end_node: NodeId(2),
            heading_path: vec![heading.to_owned()],
            text: text.to_owned(),
            page: None,
            span: None,
            place: ChunkPlace::default(),
            hidden: None,
            confidence: None,
            n_words: text::count_words(text),
            language: Language::English,
            row_keys: Vec::new(),
        })
    }

    const LONG: &str = "Before the pump is opened, close both valves and let the pressure out through the drain. Then take \
                        the cover off, clean the seat with a dry cloth and look at the ring: where it is worn, hard or torn, \
                        put in a new one with a thin film of grease. Put the cover back, tighten the bolts crosswise and \
                        open the valves slowly, first on the side of the inlet.";

    #[test]
    fn the_same_in_other_dress_is_the_same() {
        let a = chunk(ChunkKind::Text, "Seal", LONG);
        let b = chunk(ChunkKind::Text, "Changing the seal", &LONG.to_uppercase().replace(' ', "  "));
        assert_eq!(a.likeness(&b), Some(Likeness::Same));
        let c = chunk(ChunkKind::Text, "Seal", &LONG.replace("slowly", "very slowly"));
        assert_eq!(a.likeness(&c), Some(Likeness::Nearly));
        assert_eq!(a.likeness(&chunk(ChunkKind::Text, "Seal", &LONG[..200])), None);
    }

    #[test]
    fn a_figure_makes_all_the_difference() {
        let with = |figure: &str| chunk(ChunkKind::Text, "Seal", &format!("{LONG} Torque: {figure}."));
        assert_eq!(with("48 Nm").likeness(&with("84 Nm")), None);
        assert_eq!(with("SKU-48290").likeness(&with("SKU-48291")), None);
    }

    #[test]
    fn short_texts_speak_only_with_their_heading() {
        let under = |heading: &str| chunk(ChunkKind::Text, heading, "Turn it clockwise.");
        assert_eq!(under("Opening").likeness(&under("Closing")), None);
        assert_eq!(under("Opening").likeness(&under("OPENING")), Some(Likeness::Same));
    }

    #[test]
    fn warnings_and_rows_are_never_nearly_the_same() {
        let warning = |text: &str| chunk(ChunkKind::Warning, "Seal", text);
        assert_eq!(warning(LONG).likeness(&warning(&LONG.replace("slowly", "very slowly"))), None);
        assert_eq!(warning(LONG).likeness(&warning(LONG)), Some(Likeness::Same));
        assert_eq!(warning(LONG).likeness(&chunk(ChunkKind::Text, "Seal", LONG)), None);
    }

    #[test]
    fn the_first_that_is_alike_keeps_it() {
        let kept = [
            chunk(ChunkKind::Text, "a", "Another text that has nothing to do with it at all."),
            chunk(ChunkKind::Text, "b", LONG),
        ];
        assert_eq!(first_like(&kept, &chunk(ChunkKind::Text, "c", LONG)), Some((1, Likeness::Same)));
        assert_eq!(first_like(&kept[..1], &chunk(ChunkKind::Text, "c", LONG)), None);
    }

    #[test]
    fn a_document_stands_where_its_best_chunk_does() {
        let hit = |document: &str, ordinal, score| Hit {
            id: ChunkId { document: DocumentId::of(document.as_bytes()), ordinal },
            score,
        };
        let ranking = [hit("a", 3, 9.0), hit("b", 0, 8.0), hit("a", 1, 7.0), hit("c", 0, 1.0)];
        let scores: Vec<f32> = by_document(&ranking).into_iter().map(|hit| hit.score).collect();
        assert_eq!(scores, [9.0, 8.0, 1.0]);
    }
}
