//! Tables with lines above, below and between some of their rows, and none between their columns: as in books and
//! reports. The lines tell where the table is, white space its columns.

use super::{Table, loose};
use crate::{
    document::BBox,
    parse::pdf::{
        contents,
        glyphs::Rule,
        lines::Segment,
        rows::{self, Row},
    },
};

/// Shorter lines stand under single names, in points.
const MIN_LENGTH: f32 = 60.0;
/// Lines of one table begin and end as near as this to one another, in points, or as a part of their length.
const NEAR: f32 = 8.0;
const NEAR_PART: f32 = 0.06;
/// Parts of a line are as near as this, in points.
const BREAK: f32 = 14.0;
/// More lines on a page are a drawing.
const MAX_RULES: usize = 400;
/// So many shorter runs of lines are tried where a longer one is no table.
const MAX_TRIES: usize = 12;
/// Rows of a table follow one another within so many ems.
const LARGEST_STEP: f32 = 4.6;
/// Rows beyond the last line follow within so many ems.
const NEXT_ROW: f32 = 1.9;

/// Takes the segments of such tables out of `segments` and returns the tables, from the top. `taken` are the places of
/// tables that were found before.
pub(in crate::parse::pdf) fn open(rules: &[Rule], taken: &[BBox], segments: &mut Vec<Segment>) -> Vec<Table> {
    let is_free = |rule: &&Rule| {
        let inside = |bbox: &BBox| {
            rule.at >= bbox.y0 - 2.0 && rule.at <= bbox.y1 + 2.0 && rule.to > bbox.x0 && rule.from < bbox.x1
        };
        rule.horizontal && !taken.iter().any(inside)
    };
    let free: Vec<Rule> = rules.iter().filter(is_free).copied().collect();
    let long = joined(&free);
    let mut tables = Vec::new();
    if long.len() > MAX_RULES {
        return tables;
    }
    let mut used = vec![false; long.len()];
    for first in 0..long.len() {
        if used[first] {
            continue;
        }
        let chain = chain(&long, first, segments, &free);
        // Lines of one length may frame several tables, or what is none: the longest run of them that is one counts.
        for n_rules in (2..=chain.len()).rev().take(MAX_TRIES) {
            let (top, bottom) = (long[first], long[chain[n_rules - 1]]);
            let Some((table, inside)) = table(top, bottom, n_rules, segments, &free) else { continue };
            chain[..n_rules].iter().for_each(|at| used[*at] = true);
            let mut index = 0;
            segments.retain(|_| {
                index += 1;
                !inside.contains(&(index - 1))
            });
            tables.push(table);
            break;
        }
    }
    tables
}

/// Lines of one height that nearly touch, as one, from the top; the short ones left out.
fn joined(rules: &[Rule]) -> Vec<Rule> {
    let mut sorted = rules.to_vec();
    sorted.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.from.total_cmp(&b.from)));
    let mut joined: Vec<Rule> = Vec::new();
    for rule in sorted {
        let same = joined.iter_mut().rev().take_while(|last| rule.at - last.at <= 1.5);
        match same.into_iter().find(|last| rule.from <= last.to + BREAK && rule.to >= last.from - BREAK) {
            Some(last) => {
                last.from = last.from.min(rule.from);
                last.to = last.to.max(rule.to);
            }
            None => joined.push(rule),
        }
    }
    joined.retain(|rule| rule.to - rule.from >= MIN_LENGTH);
    joined
}

/// The lines that go on with the table that the first may begin, as indices.
fn chain(rules: &[Rule], first: usize, segments: &[Segment], all: &[Rule]) -> Vec<usize> {
    let mut chain = vec![first];
    for (index, rule) in rules.iter().enumerate().skip(first + 1) {
        let last = rules[chain[chain.len() - 1]];
        let near = NEAR.max(NEAR_PART * (last.to - last.from));
        if (rule.from - last.from).abs() > near || (rule.to - last.to).abs() > near {
            continue;
        }
        let rows = rows_between(segments, last, *rule, all);
        if !is_tabular(&rows) {
            break;
        }
        chain.push(index);
    }
    chain
}

/// Whether the rows between two lines are of a table: most have several texts, and none is a line of prose.
fn is_tabular(rows: &[Row]) -> bool {
    let n_several = rows.iter().filter(|row| row.segments.len() > 1).count();
    if rows.iter().filter(|row| contents::is_entry(row)).count() * 2 > rows.len() {
        return false;
    }
    rows.is_empty()
        || n_several * 5 >= rows.len() * 2
        || rows.len() <= 2 && rows.iter().all(|row| row.text().chars().count() < 60)
}

fn is_between(segment: &Segment, top: Rule, bottom: Rule) -> bool {
    let (x, y) = ((segment.bbox.x0 + segment.bbox.x1) / 2.0, segment.v - 0.3 * segment.size);
    y > top.at && y < bottom.at && x > top.from - NEAR && x < top.to + NEAR
}

fn rows_between(segments: &[Segment], top: Rule, bottom: Rule, rules: &[Rule]) -> Vec<Row> {
    let inside: Vec<Segment> = segments.iter().filter(|segment| is_between(segment, top, bottom)).cloned().collect();
    rows::rows(inside, rules)
}

/// The table from the first line to the last, with the rows right above and below that stand in its columns, and the
/// indices of its segments.
fn table(top: Rule, bottom: Rule, n_rules: usize, segments: &[Segment], rules: &[Rule]) -> Option<(Table, Vec<usize>)> {
    let core = rows_between(segments, top, bottom, rules);
    let n_several = core.iter().filter(|row| row.segments.len() > 1).count();
    if n_several < 2 || n_several < 3 && n_rules < 3 {
        return None;
    }
    let broken = |pair: &[Row]| {
        let size = pair[0].size().max(pair[1].size());
        pair[1].v() - pair[0].v() > LARGEST_STEP * size || size > 1.3 * pair[0].size().min(pair[1].size())
    };
    let n_characters: usize = core.iter().map(|row| row.text().chars().count()).sum();
    let n_texts: usize = core.iter().map(|row| row.segments.len()).sum();
    if core.windows(2).any(broken) || n_characters > 60 * n_texts {
        return None;
    }
    let far = |at: f32| Rule { at, ..top };
    let above = rows_between(segments, far(f32::MIN), top, rules);
    let below = rows_between(segments, bottom, far(f32::MAX), rules);
    let n_above = above.iter().rev().scan(top.at, |next, row| {
        let goes = *next - row.v() < NEXT_ROW * row.size() && row.segments.len() > 1 && fits(row, &core);
        *next = row.v() - row.size();
        goes.then_some(())
    });
    let n_above = n_above.take(3).count();
    let n_below = below.iter().scan(bottom.at, |last, row| {
        let goes = row.v() - *last < NEXT_ROW * row.size() && row.segments.len() > 1 && fits(row, &core);
        *last = row.v();
        goes.then_some(())
    });
    let n_below = n_below.count();
    let mut all: Vec<Row> = above[above.len() - n_above..].to_vec();
    // The line over the first row of the core is part of the table now.
    let n_core = core.len();
    all.extend(core);
    all.extend_from_slice(&below[..n_below]);
    let ys = (all.first()?.v(), all.last()?.v());
    if n_above == 0
        && let Some(first) = all.first_mut()
    {
        first.ruled_above = false;
    }
    let mut table = loose::build(&all, rules).ok()?;
    let reach = |y: f32| if n_core == 0 { y } else { top.at.min(y) };
    table.bbox =
        table.bbox.union(BBox { x0: top.from, y0: reach(table.bbox.y0), x1: top.to, y1: bottom.at.max(table.bbox.y1) });
    let (from, to) = (far(ys.0.min(top.at) - 0.1), far(bottom.at.max(ys.1) + 0.1));
    let from = Rule { at: if n_above > 0 { ys.0 - 3.0 } else { from.at }, ..from };
    let inside = segments
        .iter()
        .enumerate()
        .filter(|(_, segment)| is_between(segment, Rule { at: from.at.min(top.at), ..from }, to))
        .map(|(index, _)| index);
    Some((table, inside.collect()))
}

/// Whether each text of a row stands over or under a column of the rows of a table and under no two.
fn fits(row: &Row, core: &[Row]) -> bool {
    let over = |segment: &Segment| {
        let several = core.iter().filter(|row| row.segments.len() > 1);
        let hits = several.map(|row| {
            row.segments.iter().filter(|s| s.bbox.x0 < segment.bbox.x1 && segment.bbox.x0 < s.bbox.x1).count()
        });
        let (mut n_one, mut n_more) = (0, 0);
        for n in hits {
            n_one += usize::from(n <= 1);
            n_more += usize::from(n > 1);
        }
        n_one >= n_more
    };
    row.segments.iter().all(over)
}
