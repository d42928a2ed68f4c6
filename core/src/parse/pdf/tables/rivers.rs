//! Where columns part: stretches of white that run down through many lines.
//!
//! The white-space method of Nurminen's thesis ("Algorithmic extraction of data in tables in PDF documents", Tampere 2013)
//! and of Kieninger's T-Recs, on the gaps between words: a river is where the lines that have text on both sides leave
//! room, and hardly any runs through.

use super::text::{Token, is_figure};

/// A gap this wide, in ems, parts columns; narrower ones neither part nor join.
pub(super) const CLEAR_GAP: f32 = 0.7;
/// A gap this wide, in ems, may part columns where other lines say that there is a river.
pub(super) const WEAK_GAP: f32 = 0.22;
/// Of the lines with several texts as many may run through a river, as one in so many.
const STRAYS: usize = 10;
/// So many words before a place may reach over it.
const REACH: usize = 4;
/// More gaps are a drawing.
const MAX_GAPS: usize = 3_000;

/// What one line is at one place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// Text on both sides and room between.
    Clear,
    /// Text on both sides and a blank between.
    Weak,
    /// Text.
    Crossed,
    /// No text on one side.
    Beside,
}

/// White between two columns, from where to where.
pub(super) type River = (f32, f32);

/// The rivers of a table with these columns.
pub(super) fn of_columns(columns: &[(f32, f32)]) -> Vec<River> {
    columns.windows(2).map(|pair| (pair[0].1.min(pair[1].0), pair[1].0.max(pair[0].1))).collect()
}

/// The middle of a river.
pub(super) fn middle(river: River) -> f32 {
    (river.0 + river.1) / 2.0
}

/// What parts the columns of these lines, from the left. O(words log gaps + rivers · lines · log words).
pub(super) fn rivers(lines: &[&[Token]]) -> Vec<River> {
    let mut ends: Vec<f32> = Vec::new();
    let mut singles = vec![true; lines.len()];
    for (line, single) in lines.iter().zip(&mut singles) {
        for pair in line.windows(2) {
            if gap(pair) >= CLEAR_GAP * pair[0].size.max(pair[1].size) {
                ends.extend([pair[0].u1, pair[1].u0]);
                *single = false;
            }
        }
    }
    ends.extend(
        lines.iter().flat_map(|line| [line.first().map(|token| token.u0), line.last().map(|token| token.u1)]).flatten(),
    );
    ends.sort_by(f32::total_cmp);
    ends.extend(weak_ends(lines, &ends));
    ends.sort_by(f32::total_cmp);
    ends.dedup_by(|next, kept| *next - *kept < 0.05);
    if ends.len() > MAX_GAPS {
        return Vec::new();
    }
    let n_several = singles.iter().filter(|single| !**single).count();
    // Stretches in which every place is a river, with how many lines leave room at best and where.
    let mut rivers: Vec<Stretch> = Vec::new();
    let mut running = false;
    let places: Vec<f32> = ends.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect();
    for (pair, count) in ends.windows(2).zip(counts(lines, &singles, &places)) {
        let (from, to) = (pair[0], pair[1]);
        let Count { clear: n_clear, strays: n_strays, singles: n_singles } = count;
        let flows = n_clear >= 2 && n_strays * STRAYS <= n_several && n_clear > n_singles + n_strays;
        let clearness = n_clear.saturating_sub(n_singles + n_strays);
        if flows {
            match rivers.last_mut() {
                Some(river) if running => river.widen(from, to, clearness),
                _ => rivers.push(Stretch { clearness, best: (from, to) }),
            }
        }
        running = flows;
    }
    merge(lines, rivers).into_iter().map(|stretch| stretch.best).collect()
}

/// How many lines leave room at a place, how many with several texts run through it, and how many with one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    clear: usize,
    strays: usize,
    singles: usize,
}

/// The same at each of these ascending places. Between two words a line is one thing up to where the words reach and
/// another beyond, so it is enough to note where that begins and ends: a page of scattered words has a thousand gaps and
/// a hundred lines, and is looked at again from every line.
fn counts(lines: &[&[Token]], singles: &[bool], places: &[f32]) -> Vec<Count> {
    let mut changes = vec![[0_i32; 3]; places.len() + 1];
    let first_from = |u: f32| places.partition_point(|place| *place < u);
    for (line, single) in lines.iter().zip(singles) {
        let crossed = if *single { 2 } else { 1 };
        for (index, before) in line.iter().enumerate() {
            let after = line.get(index + 1);
            let from = first_from(before.u0);
            let to = after.map_or(places.len(), |after| first_from(after.u0)).max(from);
            let reach = line[index.saturating_sub(REACH - 1)..=index].iter().fold(f32::MIN, |u1, t| u1.max(t.u1));
            let through = first_from(reach).clamp(from, to);
            let mut add = |what: usize, from: usize, to: usize| {
                changes[from][what] += 1;
                changes[to][what] -= 1;
            };
            add(crossed, from, through);
            match after.map(|after| between(before, after)) {
                Some(At::Clear) => add(0, through, to),
                Some(At::Crossed) => add(crossed, through, to),
                Some(At::Weak | At::Beside) | None => {}
            }
        }
    }
    let sums = changes.iter().scan([0_i32; 3], |sums, change| {
        sums.iter_mut().zip(change).for_each(|(sum, change)| *sum += change);
        Some(sums.map(|sum| usize::try_from(sum).unwrap_or(0)))
    });
    sums.map(|[clear, strays, singles]| Count { clear, strays, singles }).collect()
}

/// Where words end before a blank that is followed by what begins at one of `known` places, sorted: a text that nearly
/// fills its column leaves the least room.
fn weak_ends(lines: &[&[Token]], known: &[f32]) -> Vec<f32> {
    let is_known = |at: f32| {
        let from = known.partition_point(|end| *end < at - 0.5);
        known.get(from).is_some_and(|end| *end <= at + 0.5)
    };
    let pairs = lines.iter().flat_map(|line| line.windows(2));
    let weak = pairs.filter(|pair| {
        let size = pair[0].size.max(pair[1].size);
        (WEAK_GAP * size..CLEAR_GAP * size).contains(&gap(pair)) && is_known(pair[1].u0)
    });
    weak.map(|pair| pair[0].u1).collect()
}

struct Stretch {
    /// Lines that leave room, less those that run through.
    clearness: usize,
    /// Where most lines leave room.
    best: (f32, f32),
}

impl Stretch {
    fn widen(&mut self, from: f32, to: f32, clearness: usize) {
        if clearness > self.clearness {
            self.clearness = clearness;
            self.best = (from, to);
        } else if clearness == self.clearness && from - self.best.1 < 0.01 {
            self.best.1 = to;
        }
    }
}

/// Rivers with next to nothing between them are one: a stray word makes no column.
fn merge(lines: &[&[Token]], rivers: Vec<Stretch>) -> Vec<Stretch> {
    let mut merged: Vec<Stretch> = Vec::new();
    for river in rivers {
        let Some(last) = merged.last_mut() else {
            merged.push(river);
            continue;
        };
        let between = |line: &&&[Token]| {
            let from = line.partition_point(|t| t.u0 < last.best.0 - 0.1);
            let mut words = line[from..].iter().take_while(|t| t.u0 < river.best.0);
            words.any(|t| t.u1 <= river.best.1 + 0.1 && t.u1 > last.best.1)
        };
        let n_between = lines.iter().filter(between).count();
        // Words that nowhere stand clear of those before them make no column of their own.
        let stands_clear = |line: &&[Token]| {
            matches!(at(line, middle(last.best)), At::Clear | At::Beside)
                || line.iter().any(|token| token.u0 > last.best.0 && token.u1 < river.best.1 && is_figure(&token.text))
        };
        if n_between >= 2 && !lines.iter().filter(between).any(stands_clear) {
            *last = river;
        } else if n_between >= 2 {
            merged.push(river);
        } else if river.clearness > last.clearness {
            *last = river;
        }
    }
    merged
}

fn gap(pair: &[Token]) -> f32 {
    pair[1].u0 - pair[0].u1
}

fn at(line: &[Token], x: f32) -> At {
    let right = line.partition_point(|token| token.u0 <= x);
    let (Some(before), after) = (right.checked_sub(1).and_then(|before| line.get(before)), line.get(right)) else {
        return At::Beside;
    };
    // An earlier word may reach further than the last.
    if line[..right].iter().rev().take(REACH).any(|token| token.u1 > x) {
        return At::Crossed;
    }
    after.map_or(At::Beside, |after| between(before, after))
}

/// What a line is between two words that follow each other.
fn between(before: &Token, after: &Token) -> At {
    let gap = after.u0 - before.u1;
    let size = before.size.max(after.size);
    if gap >= CLEAR_GAP * size {
        At::Clear
    } else if gap >= WEAK_GAP * size {
        At::Weak
    } else {
        At::Crossed
    }
}

/// Words of one line in one column or over several.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The first and the last column.
    pub(super) first: usize,
    pub(super) last: usize,
    /// The first word, and one past the last.
    pub(super) from: usize,
    pub(super) to: usize,
}

/// The words of a line parted at the rivers that it leaves room at. Names stand wider than what they name: a gap counts
/// where it has any part of a river.
pub(super) fn part(line: &[Token], rivers: &[River]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let several = line.windows(2).any(|pair| gap(pair) >= CLEAR_GAP * pair[0].size.max(pair[1].size));
    let column = |u: f32| rivers.partition_point(|river| middle(*river) < u);
    let (mut start, mut least) = (0, 0);
    for index in 1..=line.len() {
        let here = match line.get(index) {
            None => Some((usize::MAX, usize::MAX)),
            Some(after) => {
                let before = &line[index - 1];
                let gap = after.u0 - before.u1;
                let size = before.size.max(after.size);
                let slack = 0.1 * size;
                let overlaps = |river: &River| river.1 >= before.u1 - slack && river.0 <= after.u0 + slack;
                // A word that stands in a river itself does not part its neighbours twice.
                let ahead = rivers.get(least..).unwrap_or_default();
                let first = ahead.iter().position(overlaps).map(|index| index + least);
                let last = ahead.iter().rposition(overlaps).map(|index| index + least);
                let figure = is_figure(&after.text) != is_figure(&before.text) || is_figure(&after.text);
                let wide = gap >= CLEAR_GAP * size || several && figure && gap >= WEAK_GAP * size;
                first.zip(last).filter(|_| wide)
            }
        };
        if let Some((first_river, last_river)) = here {
            let (u0, u1) = (line[start].u0, line[index - 1].u1);
            let slack = 0.15 * line[start].size;
            let first = column(u0 + slack).min(first_river).max(least);
            let last = column(u1 - slack).min(first_river).max(first);
            parts.push(Part { first, last, from: start, to: index });
            start = index;
            least = last_river.saturating_add(1);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line(words: &[(f32, f32)]) -> Vec<Token> {
        let mut line: Vec<Token> = words
            .iter()
            .map(|(u0, width)| Token { text: "w".into(), u0: *u0, u1: u0 + width, v: 0.0, size: 10.0, bold: false })
            .collect();
        line.sort_by(|a, b| a.u0.total_cmp(&b.u0));
        line
    }

    proptest! {
        #[test]
        fn places_are_counted_as_if_each_line_were_looked_at(
            words in prop::collection::vec(prop::collection::vec((0_u8..60, 0_u8..20), 0..8), 1..8),
            mut places in prop::collection::vec(0_u8..80, 0..20),
        ) {
            let scaled = |words: &Vec<(u8, u8)>| {
                let words: Vec<(f32, f32)> = words.iter().map(|(u, w)| (f32::from(*u) * 3.0, f32::from(*w) * 3.0)).collect();
                line(&words)
            };
            let lines: Vec<Vec<Token>> = words.iter().map(scaled).collect();
            let lines: Vec<&[Token]> = lines.iter().map(Vec::as_slice).collect();
            let singles: Vec<bool> = lines.iter().map(|line| line.len() % 2 == 0).collect();
            places.sort_unstable();
            let places: Vec<f32> = places.into_iter().map(|place| f32::from(place) * 3.0).collect();
            let counts = counts(&lines, &singles, &places);
            for (place, count) in places.iter().zip(counts) {
                let of = |wanted: At, single: Option<bool>| {
                    let is = |(line, is_single): &(&&[Token], &bool)| {
                        at(line, *place) == wanted && single.is_none_or(|single| single == **is_single)
                    };
                    lines.iter().zip(&singles).filter(is).count()
                };
                let expected = Count {
                    clear: of(At::Clear, None),
                    strays: of(At::Crossed, Some(false)),
                    singles: of(At::Crossed, Some(true)),
                };
                prop_assert_eq!(count, expected, "at {}", place);
            }
        }
    }
}
