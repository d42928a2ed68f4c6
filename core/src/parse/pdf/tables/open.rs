//! Tables with lines above, below and between some of their rows, and none between their columns: as in books and
//! reports. The lines tell where the table is, white space its columns.

use super::{Table, aligned, contacts::are_contacts, loose};
use crate::{
    document::BBox,
    parse::admonition,
    parse::pdf::{
        contents,
        glyphs::Rule,
        labels,
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
/// A single text that is longer and fills the width is a sentence, in characters.
const MAX_NAME: usize = 50;
/// More lines on a page are a drawing.
const MAX_RULES: usize = 400;
/// So many shorter runs of lines are tried where a longer one is no table.
const MAX_TRIES: usize = 12;
/// Rows of a table follow one another within so many ems.
const LARGEST_STEP: f32 = 4.6;
/// Rows above the first line that may belong to a table.
const MAX_ABOVE: usize = 4;
/// Rows beyond the last line follow within so many ems.
const NEXT_ROW: f32 = 2.2;

/// Takes the segments of such tables out of `segments` and returns the tables, from the top. The edges of `shades` part
/// rows as lines do; `taken` are the places of tables that were found before. With `keep_code` fixed-pitch text between
/// lines is program text.
pub(in crate::parse::pdf) fn open(
    (rules, shades): &(&[Rule], &[BBox]),
    taken: &[BBox],
    keep_code: bool,
    before: Option<&[(f32, f32)]>,
    segments: &mut Vec<Segment>,
) -> Vec<Table> {
    let page_top = segments.iter().map(|segment| segment.v).fold(f32::MAX, f32::min);
    let is_free = |rule: &&Rule| {
        let inside = |bbox: &BBox| {
            rule.at >= bbox.y0 - 2.0 && rule.at <= bbox.y1 + 2.0 && rule.to > bbox.x0 && rule.from < bbox.x1
        };
        rule.horizontal && !taken.iter().any(inside)
    };
    let free: Vec<Rule> = rules.iter().filter(is_free).copied().collect();
    let edge = |at: f32, shade: &BBox| Rule { horizontal: true, at, from: shade.x0, to: shade.x1 };
    let edges = shades.iter().flat_map(|shade| [edge(shade.y0, shade), edge(shade.y1, shade)]);
    let long = joined(free.iter().copied().chain(edges.filter(|rule| is_free(&rule))).collect());
    let mut tables = Vec::new();
    if long.len() > MAX_RULES {
        return tables;
    }
    let mut used = vec![false; long.len()];
    for first in 0..long.len() {
        if used[first] {
            continue;
        }
        let chain = chain(&long, first, segments, taken);
        // Lines of one length may frame several tables, or what is none: the longest run of them that is one counts.
        for n_rules in (1..=chain.len()).rev().take(MAX_TRIES) {
            let (top, bottom) = (long[first], long[chain[n_rules - 1]]);
            let place = Place { top, bottom, n_rules, long: &long, rules: &free, keep_code, before, page_top };
            let Some((table, inside)) = table(&place, segments) else { continue };
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
fn joined(mut sorted: Vec<Rule>) -> Vec<Rule> {
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
fn chain(rules: &[Rule], first: usize, segments: &[Segment], taken: &[BBox]) -> Vec<usize> {
    let mut chain = vec![first];
    for (index, rule) in rules.iter().enumerate().skip(first + 1) {
        let last = rules[chain[chain.len() - 1]];
        let near = NEAR.max(NEAR_PART * (last.to - last.from));
        if (rule.from - last.from).abs() > near || (rule.to - last.to).abs() > near {
            continue;
        }
        let rows = rows_between(segments, last, *rule, rules);
        let holds_table = taken.iter().any(|table| {
            let middle = (table.y0 + table.y1) / 2.0;
            middle > last.at && middle < rule.at && table.x0 < rule.to && table.x1 > rule.from
        });
        if holds_table || !is_tabular(&rows, last) {
            break;
        }
        chain.push(index);
    }
    chain
}

/// Whether the rows between two lines are of a table: most have several texts, and none is a line of prose.
fn is_tabular(rows: &[Row], rule: Rule) -> bool {
    let width = rule.to - rule.from;
    let from_left = |row: &&Row| row.segments.len() > 1 || row.bbox().x0 < rule.from + 0.15 * width;
    let n_from_left = rows.iter().filter(from_left).count();
    let n_several = rows.iter().filter(|row| row.segments.len() > 1).count();
    if rows.iter().filter(|row| contents::is_entry(row)).count() * 2 > rows.len() {
        return false;
    }
    if rows.iter().any(|row| is_sentence(row, rule) || warns(row)) {
        return false;
    }
    rows.is_empty()
        || n_several * 3 >= n_from_left && n_several > 0
        || rows.len() <= 2 && rows.iter().all(|row| row.text().chars().count() < 60)
}

/// Whether a row is a signal word with what it says beside it.
fn warns(row: &Row) -> bool {
    let word = row.segments.first().map_or("", |first| first.text.trim_end_matches([':', '!']));
    row.segments.len() == 2
        && !word.contains(char::is_lowercase)
        && admonition::recognise(&format!("{word}:")).is_some_and(|label| label.alone)
}

/// Whether a row of one text is prose or a caption rather than a name in the table that lines of this length belong to.
fn is_sentence(row: &Row, rule: Rule) -> bool {
    let (text, width) = (row.text(), rule.to - rule.from);
    let from_left = row.bbox().x0 < rule.from + 0.15 * width;
    let wide = row.bbox().x1 - row.bbox().x0 > 0.6 * width;
    row.segments.len() < 2 && (wide && from_left && text.chars().count() > MAX_NAME || labels::caption(&text).is_some())
}

fn is_between(segment: &Segment, top: Rule, bottom: Rule) -> bool {
    let (x, y) = ((segment.bbox.x0 + segment.bbox.x1) / 2.0, segment.v - 0.3 * segment.size);
    y > top.at && y < bottom.at && x > top.from - NEAR && x < top.to + NEAR
}

fn rows_between(segments: &[Segment], top: Rule, bottom: Rule, rules: &[Rule]) -> Vec<Row> {
    let inside: Vec<Segment> = segments.iter().filter(|segment| is_between(segment, top, bottom)).cloned().collect();
    rows::rows(inside, rules)
}

/// Where a table may be.
struct Place<'r> {
    top: Rule,
    bottom: Rule,
    /// How many lines of this length there are from the first to the last.
    n_rules: usize,
    /// The lines that part rows.
    long: &'r [Rule],
    /// All lines.
    rules: &'r [Rule],
    keep_code: bool,
    /// The columns of the table that the page before ended with.
    before: Option<&'r [(f32, f32)]>,
    /// Where the first line of the page stands.
    page_top: f32,
}

/// The table from the first line to the last, with the rows right above and below that belong to it, and the indices of
/// its segments.
fn table(place: &Place<'_>, segments: &[Segment]) -> Option<(Table, Vec<usize>)> {
    let (top, bottom) = (place.top, place.bottom);
    let core = rows_between(segments, top, bottom, place.long);
    let far = |at: f32| Rule { at, ..top };
    let above = rows_between(segments, far(f32::MIN), top, place.long);
    let below = rows_between(segments, bottom, far(f32::MAX), place.long);
    let mut steps: Vec<f32> = core.windows(2).map(|pair| pair[1].v() - pair[0].v()).collect();
    steps.sort_by(f32::total_cmp);
    let usual = steps.get(steps.len() / 2).copied().unwrap_or(0.0);
    let is_near = |row: &Row, step: f32| step < (NEXT_ROW * row.size()).max(1.15 * usual);
    // Where one line parts names from values, the rows next to it tell what its rows look like.
    let around = [above.last(), below.first()].into_iter().flatten();
    let like: Vec<&Row> = if core.is_empty() { around.collect() } else { core.iter().collect() };
    let alike = |row: &Row| like.iter().any(|other| (row.size() / other.size() - 1.0).abs() < 0.15);
    let left = like.iter().filter(|row| row.segments.len() > 1).map(|row| row.bbox().x0).fold(f32::MAX, f32::min);
    let stands_in = |row: &Row| row.segments.len() > 1 || row.bbox().x0 > left + 2.0 * row.size() && is_name(row);
    let n_above = above.iter().rev().take(MAX_ABOVE).scan(top.at, |next, row| {
        let goes = is_near(row, *next - row.v()) && alike(row) && stands_in(row);
        *next = row.v() - row.size();
        goes.then_some(())
    });
    let n_below = below.iter().scan(bottom.at, |last, row| {
        let is_other = is_sentence(row, bottom) || warns(row);
        let goes = is_near(row, row.v() - *last) && alike(row) && stands_in(row) && !is_other;
        *last = row.v();
        goes.then_some(())
    });
    let (n_above, mut n_below) = (n_above.count(), n_below.count());
    // Where the lines frame no more than names, the rest is told as without lines.
    let n_several = core.iter().filter(|row| row.segments.len() > 1).count();
    if n_several < 3 && below.first().is_some_and(|row| row.v() - bottom.at < LARGEST_STEP * row.size()) {
        n_below = n_below.max(aligned::run(&below));
    }
    // As much around the core as goes with it.
    let tries = [(n_above, n_below), (n_above, 0), (1.min(n_above), n_below), (0, n_below), (0, 0)];
    for (n_above, n_below) in tries {
        let mut all: Vec<Row> = above[above.len() - n_above..].to_vec();
        all.extend_from_slice(&core);
        all.extend_from_slice(&below[..n_below]);
        if let Some(first) = all.first_mut() {
            first.ruled_above = false;
        }
        // A line alone parts names from values.
        let framed = place.n_rules > 1 || n_above > 0 && n_below > 1;
        if !framed || !is_likely(&all, place) {
            continue;
        }
        let is_first = |columns: &&[(f32, f32)]| {
            !columns.is_empty() && all.first().is_some_and(|row| row.v() < place.page_top + 1.0)
        };
        let before = place.before.filter(is_first);
        let Ok(mut table) = loose::build(&all, place.rules, before) else { continue };
        let (first, last) = (all.first()?.bbox(), all.last()?.bbox());
        let (y0, y1) = (first.y0.min(top.at), last.y1.max(bottom.at));
        table.bbox = table.bbox.union(BBox { x0: top.from, y0, x1: top.to, y1 });
        let is_inside = |segment: &Segment| is_between(segment, far(y0 - 0.1), far(y1 + 0.1));
        let inside = segments.iter().enumerate().filter(|(_, segment)| is_inside(segment));
        return Some((table, inside.map(|(index, _)| index).collect()));
    }
    None
}

/// Whether rows between lines look like a table, by their number, steps and texts.
fn is_likely(core: &[Row], place: &Place<'_>) -> bool {
    let n_several = core.iter().filter(|row| row.segments.len() > 1).count();
    let broken = |pair: &[Row]| {
        let size = pair[0].size().max(pair[1].size());
        pair[1].v() - pair[0].v() > LARGEST_STEP * size || size > 1.3 * pair[0].size().min(pair[1].size())
    };
    let segments = || core.iter().flat_map(|row| &row.segments);
    let n_characters: usize = segments().map(|segment| segment.text.chars().count()).sum();
    let n_fixed: usize =
        segments().filter(|segment| segment.style.fixed_pitch).map(|segment| segment.text.chars().count()).sum();
    let is_code = place.keep_code && n_fixed * 2 > n_characters;
    let enough = n_several >= 3 || n_several == 2 && place.n_rules >= 3;
    enough && !are_contacts(core) && !is_code && !core.windows(2).any(broken) && n_characters <= 60 * segments().count()
}

/// Whether a line of one text may be a name in a table rather than a sentence, a caption or a heading over it.
fn is_name(row: &Row) -> bool {
    let text = row.text();
    text.chars().count() <= MAX_NAME && !text.ends_with(['.', ':', ';']) && labels::caption(&text).is_none()
}
