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

/// The middle of a river.
pub(super) fn middle(river: River) -> f32 {
    (river.0 + river.1) / 2.0
}

/// What parts the columns of these lines, from the left. O(gaps · lines · log words), bounded.
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
    for pair in ends.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let middle = (from + to) / 2.0;
        let (mut n_clear, mut n_strays, mut n_singles) = (0, 0, 0);
        for (line, single) in lines.iter().zip(&singles) {
            match at(line, middle) {
                At::Clear => n_clear += 1,
                At::Crossed if *single => n_singles += 1,
                At::Crossed => n_strays += 1,
                At::Weak | At::Beside => {}
            }
        }
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
            line.iter().any(|t| {
                t.u0 >= last.best.0 - 0.1 && t.u1 <= river.best.1 + 0.1 && t.u0 < river.best.0 && t.u1 > last.best.1
            })
        };
        let n_between = lines.iter().filter(between).count();
        // Words that nowhere stand clear of those before them make no column of their own.
        let stands_clear = |line: &&[Token]| {
            matches!(at(line, middle(last.best)), At::Clear | At::Beside)
                || line.iter().any(|token| token.u0 > last.best.0 && token.u1 < river.best.1 && is_figure(&token.text))
        };
        if n_between >= 2 && !lines.iter().filter(between).any(|line| stands_clear(line)) {
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
    if line[..right].iter().rev().take(4).any(|token| token.u1 > x) {
        return At::Crossed;
    }
    let Some(after) = after else { return At::Beside };
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
