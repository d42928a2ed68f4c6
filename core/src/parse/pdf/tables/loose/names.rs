//! Names over columns: they wrap, stand closer together than what they name, or over several columns.
//!
//! Not for telling how many rows name the columns ([`super::super::header`]).

use super::Line;
use crate::parse::pdf::{
    glyphs::Rule,
    tables::{
        rivers::{self, Part, River},
        text::{self, Token},
    },
};

/// Lets the names of groups of columns span them: over a rule that does, or where a name stands in the middle of several
/// columns that have names of their own below.
pub(super) fn spread_names(lines: &mut [Line], n_above: usize, extents: &[(f32, f32)], rules: &[Rule]) {
    for at in 0..n_above.min(lines.len().saturating_sub(1)) {
        let (v, next_v) = (lines[at].v, lines[at + 1].v);
        let parts = lines[at].parts.clone();
        for (index, part) in parts.iter().enumerate() {
            let (u0, u1) = lines[at].extent(*part);
            let free_from = index.checked_sub(1).map_or(1, |before| parts[before].last + 1).min(part.first);
            let free_to =
                parts.get(index + 1).map_or(extents.len() - 1, |after| after.first.saturating_sub(1)).max(part.last);
            let under = rules.iter().find(|rule| {
                rule.horizontal && rule.at > v - 1.0 && rule.at < next_v && rule.from <= u0 + 2.0 && rule.to >= u1 - 2.0
            });
            let middle = |from: usize, to: usize| (extents[from].0 + extents[to].1) / 2.0;
            let off = |from: usize, to: usize| ((u0 + u1) / 2.0 - middle(from, to)).abs();
            let ruled = under.and_then(|rule| {
                let is_over = |column: &usize| {
                    let (from, to) = extents[*column];
                    rule.from <= (from + to) / 2.0 && (from + to) / 2.0 <= rule.to
                };
                let mut over = (0..extents.len()).filter(is_over);
                let first = over.next()?;
                Some((first, over.next_back().unwrap_or(first)))
            });
            let spread = match ruled {
                Some((first, last)) if first >= free_from && last <= free_to => {
                    (first.min(part.first), last.max(part.last))
                }
                _ => {
                    // A name that goes on from the line above stands in that one's column.
                    let goes_on = at > 0
                        && lines[at - 1].parts.iter().any(|over| over.first <= part.last && part.first <= over.last);
                    let named_below = |from: usize, to: usize| {
                        let is_name = |line: &&Line| !line.tokens.iter().any(|token| text::is_figure(&token.text));
                        let below = lines.iter().take(n_above + 1).skip(at + 1).filter(is_name);
                        below
                            .filter(|line| {
                                line.parts.iter().filter(|p| p.first >= from && p.last <= to).count() > to - from
                            })
                            .count()
                            > 0
                    };
                    let mut best = (part.first, part.last);
                    for from in free_from..=part.first {
                        for to in part.last..=free_to {
                            let nearer = off(from, to) + 3.0 < off(best.0, best.1)
                                && off(from, to) < 0.12 * (extents[to].1 - extents[from].0) + 2.0;
                            if nearer && !goes_on && named_below(from, to) {
                                best = (from, to);
                            }
                        }
                    }
                    best
                }
            };
            lines[at].parts[index] = Part { first: spread.0, last: spread.1, ..*part };
        }
    }
}

/// Lets a name span the columns that a line below names one by one, where nothing else stands over them and the names of
/// the other columns stand above or beside: "Limits" over "min" and "max".
pub(super) fn spread_over_names(lines: &mut [Line]) {
    const MAX_NAMES: usize = 4;
    let keyed = |line: &Line| line.parts.iter().any(|part| part.first == 0);
    for at in 1..MAX_NAMES.min(lines.len().saturating_sub(1)) {
        let (above, below) = lines.split_at_mut(at);
        let Some(next) = below.first() else { continue };
        let named = !next.tokens.iter().any(|token| text::is_figure(&token.text));
        let single = next.parts.iter().all(|part| part.first == part.last);
        if !named || !single || keyed(next) || !above.iter().any(keyed) {
            continue;
        }
        let names_below = |column: usize| next.parts.iter().any(|part| part.first == column);
        let taken: Vec<(usize, usize)> =
            above.iter().flat_map(|line| &line.parts).map(|part| (part.first, part.last)).collect();
        let is_free = |column: usize| !taken.iter().any(|(first, last)| (*first..=*last).contains(&column));
        for line in above.iter_mut() {
            // A name that wraps has its lines nearer than rows are.
            let apart = next.v - line.v >= 0.75 * line.size.min(next.size);
            // What spans already was told to by a line or by its place.
            let alone =
                |part: &&mut Part| apart && part.first > 0 && part.first == part.last && names_below(part.first);
            for part in line.parts.iter_mut().filter(alone) {
                while names_below(part.last + 1) && is_free(part.last + 1) {
                    part.last += 1;
                }
            }
        }
    }
}

/// Parts words of several columns that stand closer together than columns do, where each part is set as its column is: at
/// its left edge, its right edge or its middle.
pub(super) fn part_close(lines: &mut [Line], rivers: &[River]) {
    let n_columns = rivers.len() + 1;
    let mut edges: Vec<[Vec<f32>; 3]> = vec![[Vec::new(), Vec::new(), Vec::new()]; n_columns];
    for line in lines.iter().filter(|line| line.parts.len() > 1) {
        for part in line.parts.iter().filter(|part| part.first == part.last) {
            let (u0, u1) = line.extent(*part);
            let of = &mut edges[part.first];
            of[0].push(u0);
            of[1].push(u1);
            of[2].push((u0 + u1) / 2.0);
        }
    }
    edges.iter_mut().flatten().for_each(|of| of.sort_by(f32::total_cmp));
    // An edge counts where a third of the column's texts have it.
    let is_usual = |of: &[f32], at: f32| {
        let near = of.partition_point(|edge| *edge <= at + 1.0) - of.partition_point(|edge| *edge < at - 1.0);
        near >= 2 && near * 3 >= of.len()
    };
    for line in lines.iter_mut().filter(|line| line.parts.len() > 1) {
        let mut at = 0;
        while at < line.parts.len() {
            let part = line.parts[at];
            let parted = (part.from + 1..part.to).find_map(|index| {
                let (before, after) = (&line.tokens[index - 1], &line.tokens[index]);
                let separator =
                    rivers.iter().position(|river| river.1 >= before.u1 - 0.5 && river.0 <= after.u0 + 0.5)?;
                let wide = after.u0 - before.u1 >= rivers::WEAK_GAP * before.size;
                let (left, right) =
                    (Part { to: index, last: separator, ..part }, Part { from: index, first: separator + 1, ..part });
                if !wide || left.last < left.first || right.last < right.first {
                    return None;
                }
                let fits = |of: Part, column: usize| {
                    let (u0, u1) = line.extent(of);
                    is_usual(&edges[column][0], u0)
                        || is_usual(&edges[column][1], u1)
                        || is_usual(&edges[column][2], (u0 + u1) / 2.0)
                };
                (fits(left, left.last) && fits(right, right.first)).then_some((left, right))
            });
            if let Some((left, right)) = parted.filter(|_| part.first < part.last) {
                line.parts.splice(at..=at, [left, right]);
            }
            at += 1;
        }
    }
}

/// Parts names that stand close together, where a blank is at every place that parts their columns and the line below does
/// not name the columns one by one.
pub(super) fn part_names(lines: &mut [Line], rivers: &[River], n_above: usize) {
    for at in 0..lines.len() {
        let below: Vec<Part> = lines.get(at + 1).map(|line| line.parts.clone()).unwrap_or_default();
        let line = &mut lines[at];
        // A line of one text is parted only where it names every column.
        let names_all = at <= n_above && line.parts.iter().all(|part| part.first == 0 && part.last == rivers.len());
        if line.parts.len() < 2 && !names_all {
            continue;
        }
        let mut parts = Vec::with_capacity(line.parts.len());
        for part in std::mem::take(&mut line.parts) {
            let named_below =
                below.iter().filter(|other| other.first >= part.first && other.last <= part.last).count() > 1;
            match parted(&line.tokens, part, rivers).filter(|_| part.first < part.last && !named_below) {
                Some(parted) => parts.extend(parted),
                None => parts.push(part),
            }
        }
        line.parts = parts;
    }
}

/// Leaves a name that is wider than its column in the one that most of it stands over, where a name beside it, on this line
/// or on one that overlaps it in height, is in the other.
pub(super) fn settle_wide_names(lines: &mut [Line], rivers: &[River], n_above: usize) {
    for at in 0..(n_above + 1).min(lines.len()) {
        let (v, size) = (lines[at].v, lines[at].size);
        let beside = lines.iter().enumerate().filter(|(index, line)| *index != at && (line.v - v).abs() < 0.75 * size);
        let taken: Vec<usize> = beside
            .flat_map(|(_, line)| line.parts.iter().filter(|part| part.first == part.last).map(|part| part.first))
            .collect();
        for index in 0..lines[at].parts.len() {
            let part = lines[at].parts[index];
            let (u0, u1) = lines[at].extent(part);
            let is_free = |column: &usize| !taken.contains(column);
            if part.first == part.last || (part.first..=part.last).all(|column| is_free(&column)) {
                continue;
            }
            let share = |column: usize| {
                let from =
                    column.checked_sub(1).and_then(|before| rivers.get(before)).map_or(u0, |r| rivers::middle(*r));
                let to = rivers.get(column).map_or(u1, |river| rivers::middle(*river));
                to.min(u1) - from.max(u0)
            };
            let free = (part.first..=part.last).filter(is_free);
            // The first of equals.
            let most = free.reduce(|best, column| if share(column) > share(best) { column } else { best });
            if let Some(column) = most {
                lines[at].parts[index] = Part { first: column, last: column, ..part };
            }
        }
    }
}

/// Words over several columns parted at each of the rivers between them, if they leave a blank there and something stands
/// in each column.
fn parted(tokens: &[Token], part: Part, rivers: &[River]) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut from = part.from;
    for column in part.first..part.last {
        let river = *rivers.get(column)?;
        let gap = |index: &usize| tokens[*index].u0 - tokens[*index - 1].u1;
        let fits = |index: &usize| {
            let (before, after) = (&tokens[*index - 1], &tokens[*index]);
            before.u1 <= river.1 + 0.5 && after.u0 >= river.0 - 0.5 && gap(index) >= rivers::WEAK_GAP * after.size
        };
        // The widest of the blanks in the river, the first of equals.
        let to = (from + 1..part.to)
            .filter(fits)
            .reduce(|best, index| if gap(&index) > gap(&best) { index } else { best })?;
        parts.push(Part { first: column, last: column, from, to });
        from = to;
    }
    parts.push(Part { first: part.last, last: part.last, from, to: part.to });
    Some(parts)
}
