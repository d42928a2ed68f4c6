//! Tables without lines: rows of short texts that begin at the same places one under the other.
//!
//! Not for what the rows say ([`super::loose`]), only for where such a table begins and ends among the lines of a region.

use super::{Table, captioned::is_caption, contacts::are_contacts, loose, text::is_figure};
use crate::document::BBox;
use crate::parse::pdf::{contents, glyphs::Rule, labels, rows::Row};

/// Fewer rows of several cells are chance.
const MIN_ROWS: usize = 3;
/// The largest step from line to line, in ems, and between two rows of several cells or parted by a line.
const STEP: f32 = 2.6;
const WIDE_STEP: f32 = 4.6;
/// And from a line that names groups of columns to the next.
const LEAD_STEP: f32 = 3.0;
/// Rows that failed to be a table are only looked at once where there are as many.
const LONG_RUN: usize = 20;
/// A single text that names a group is no longer than this, in characters.
const MAX_NAME: usize = 60;
/// A single text that is longer and fills the table's width is a sentence.
const PROSE: usize = 45;
/// Lines over the first row of several cells that name groups of columns.
const MAX_LEAD: usize = 3;

/// The longest table that begins with the first of `rows` and how many rows it takes; without a table, how many rows
/// were seen not to be one. O(rows · cells).
/// With `captioned` a caption over the first of the rows, or under the last, says that they are one.
/// `before` are the columns of the table that the page before ended with, where these are the first rows.
pub(in crate::parse::pdf) fn aligned(
    rows: &[Row],
    rules: &[Rule],
    captioned: bool,
    before: Option<&[(f32, f32)]>,
) -> (Option<Table>, usize) {
    let n_lead = rows.iter().take(MAX_LEAD + 1).take_while(|row| row.segments.len() < 2).count();
    if n_lead > MAX_LEAD || n_lead >= rows.len() || !leads(&rows[..n_lead], &rows[n_lead..]) {
        return (None, 1);
    }
    let n_run = run(&rows[n_lead..]);
    let mut n_rows = n_lead + n_run;
    let mut n_seen = 1;
    // What has other columns further down is another table.
    let is_captioned = |n_rows: usize| captioned || rows.get(n_rows).is_some_and(is_caption);
    while n_rows > n_lead + 1 && is_likely(&rows[n_lead..n_rows], is_captioned(n_rows)) {
        match loose::build(&rows[..n_rows], rules, before) {
            Ok(table) => return (Some(table), n_rows),
            Err(fewer) => {
                n_rows = fewer.min(n_rows - 1);
                if n_run >= LONG_RUN {
                    n_seen = n_seen.max(n_rows);
                }
            }
        }
    }
    (None, n_seen)
}

/// Whether rows look like a table, by number, evidence and length of their texts. A caption is as good as any evidence.
fn is_likely(body: &[Row], captioned: bool) -> bool {
    let n_columns = body.iter().map(|row| row.segments.len()).max().unwrap_or(0);
    let n_full = body.iter().filter(|row| row.segments.len() > 1).count();
    let n_characters: usize = body.iter().flat_map(|row| &row.segments).map(|s| s.text.chars().count()).sum();
    let n_cells: usize = body.iter().map(|row| row.segments.len()).sum();
    let n_figures = body.iter().flat_map(|row| &row.segments).filter(|segment| is_figure(&segment.text)).count();
    let few = n_full < MIN_ROWS && !(n_full == 2 && n_columns >= 3 && n_figures * 3 >= n_cells);
    // A few lines of words alone may be spread out by chance.
    let has_number =
        |row: &&Row| row.segments.iter().any(|segment| segment.text.contains(|c: char| c.is_ascii_digit()));
    let n_numbered = body.iter().filter(has_number).count();
    let vague = n_full <= MIN_ROWS && n_numbered * 3 < n_full && !body.iter().skip(1).any(|row| row.ruled_above);
    // Two short columns are a table where the second holds values, or the first ends like the names of fields.
    let is_pair = |row: &&Row| match row.segments.as_slice() {
        [name, value] => {
            let is_code = !name.text.contains(' ') && name.text.chars().count() <= 12;
            is_code || is_figure(&value.text) || name.text.ends_with(':') || value.text.starts_with(':')
        }
        _ => false,
    };
    let ruled = body.iter().skip(1).any(|row| row.ruled_above);
    let is_loose = n_columns == 2 && n_full < 5 && !ruled && body.iter().filter(is_pair).count() * 2 < n_full;
    // The two axes of a chart, and numbered headings with room after their numbers.
    let n_axes = body.iter().filter(|row| is_axis(row)).count();
    let is_chart = n_axes >= MIN_ROWS && n_axes * 2 >= body.len();
    let headings = body.iter().filter(|row| row.segments.first().is_some_and(|first| is_section_number(&first.text)));
    let is_outline = n_columns == 2
        && headings.count() * 2 > body.len()
        && body.iter().any(|row| {
            row.segments.iter().any(|segment| segment.style.bold)
                || row.size() > 1.04 * body[0].size()
                || body[0].size() > 1.04 * row.size()
        });
    let n_listed = body.iter().flat_map(|row| &row.segments).filter(|segment| is_index_entry(&segment.text)).count();
    !(few
        || !captioned && (vague || is_loose)
        || is_chart
        || is_outline
        || n_columns < 2
        || !captioned && (are_contacts(body) || is_running(body) || !ruled && is_code(body))
        || n_full * if captioned { 3 } else { 2 } < body.len()
        || n_characters > 60 * n_cells
        || n_listed * 2 > n_cells)
}

/// Whether two columns are running text beside something: most lines of the second go on with a sentence.
fn is_running(body: &[Row]) -> bool {
    const LONG: usize = 35;
    let pairs = || body.iter().filter(|row| row.segments.len() == 2).filter_map(|row| row.segments.last());
    let n_pairs = pairs().count();
    let n_characters: usize = pairs().map(|segment| segment.text.chars().count()).sum();
    let n_going_on = pairs().filter(|segment| segment.text.starts_with(char::is_lowercase)).count();
    n_pairs * 2 > body.len() && n_characters > LONG * n_pairs && n_going_on * 2 >= n_pairs
}

/// Whether most texts are names as programs have them, without a row in bold that says what they are.
fn is_code(body: &[Row]) -> bool {
    let is_identifier = |word: &str| {
        let mut parts = word.split(['.', '_', '-', '−', '–', '‐']);
        let named = word.starts_with(|c: char| c.is_ascii_lowercase());
        named
            && parts.clone().count() > 1
            && parts.all(|part| part.chars().all(|c| c.is_ascii_alphanumeric()) && !part.is_empty())
    };
    let names_one = |text: &str| text.starts_with('#') || text.split_whitespace().any(is_identifier);
    let texts = || body.iter().flat_map(|row| &row.segments).filter(|segment| !is_figure(&segment.text));
    let is_headed = body.first().is_some_and(|row| row.segments.iter().all(|segment| segment.style.bold));
    !is_headed && texts().filter(|segment| names_one(&segment.text)).count() * 10 >= texts().count() * 7
}

/// Whether a row says the same figure twice and nothing else.
fn is_axis(row: &Row) -> bool {
    let Some((first, rest)) = row.segments.split_first() else { return false };
    !rest.is_empty() && is_figure(&first.text) && rest.iter().all(|segment| segment.text == first.text)
}

/// "4", "4.1", "4.1.1".
fn is_section_number(text: &str) -> bool {
    let parts = text.trim_end_matches('.').split('.');
    parts.clone().count() <= 4
        && parts.into_iter().all(|part| !part.is_empty() && part.len() <= 2 && part.chars().all(|c| c.is_ascii_digit()))
}

/// "ball screw, 59", "GUI, 58, 60": an entry of an index.
fn is_index_entry(text: &str) -> bool {
    let is_folio = |part: &str| {
        !part.trim().is_empty()
            && part.trim().chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '–' | 'f' | 'i' | 'v' | 'x'))
    };
    text.rsplit_once(", ").is_some_and(|(name, folio)| is_folio(folio) && name.chars().any(char::is_alphabetic))
}

/// Whether lines with one text each name groups of columns of the table below: close over it, and not over its first
/// column.
fn leads(lead: &[Row], below: &[Row]) -> bool {
    let mut next_v = below.first().map_or(0.0, Row::v);
    let several = || below.iter().take(4).filter(|row| row.segments.len() > 1);
    let (left, right) =
        several().fold((f32::MAX, f32::MIN), |(left, right), row| (left.min(row.bbox().x0), right.max(row.bbox().x1)));
    let n_columns = several().map(|row| row.segments.len()).max().unwrap_or(0);
    for row in lead.iter().rev() {
        let (bbox, size) = (row.bbox(), row.size());
        let inside = bbox.x0 > left + 2.0 * size && bbox.x1 <= right + 2.0 * size;
        // Of two columns the second alone may be named.
        let second = || several().all(|row| row.segments.first().is_some_and(|first| first.bbox.x1 < bbox.x0));
        let is_group = inside && (n_columns >= 3 || second()) && is_name(row);
        if next_v - row.v() > LEAD_STEP * size || !is_group && !heads(row, below) {
            return false;
        }
        next_v = row.v();
    }
    true
}

/// Whether a line whose words stand close names the columns below: words of it begin or end where those do.
fn heads(row: &Row, below: &[Row]) -> bool {
    const NEAR: f32 = 1.5;
    let several = || below.iter().take(6).filter(|row| row.segments.len() > 1).flat_map(|row| &row.segments);
    let usual = |edge: &dyn Fn(&BBox) -> f32, at: f32| {
        several().filter(|segment| (edge(&segment.bbox) - at).abs() < NEAR).count() >= 2
    };
    let words = || row.segments.iter().flat_map(|segment| &segment.words);
    let n_heads = words().filter(|word| usual(&|bbox| bbox.x0, word.u0) || usual(&|bbox| bbox.x1, word.u1)).count();
    let n_columns = below.iter().take(6).map(|row| row.segments.len()).max().unwrap_or(0);
    n_heads >= 2 && n_heads * 2 >= n_columns && words().count() <= 3 * n_columns && words().all(|w| !is_figure(&w.text))
}

/// Whether a line of one text may be a name in a table rather than a sentence, a caption or a heading over it.
fn is_name(row: &Row) -> bool {
    let text = row.text();
    text.chars().count() <= MAX_NAME && !text.ends_with(['.', ':', ';']) && labels::caption(&text).is_none()
}

/// How many rows follow one another evenly, with several texts each, or with one that may belong to a table.
pub(super) fn run(rows: &[Row]) -> usize {
    let mut n_taken = 0;
    let (mut left, mut right) = (f32::MAX, f32::MIN);
    for (index, row) in rows.iter().enumerate() {
        let size = row.size();
        if contents::n_entries(&rows[index..]) > 0 {
            break;
        }
        if let Some(before) = index.checked_sub(1).and_then(|before| rows.get(before)) {
            // A table is set evenly; a larger step ends it.
            let cells = row.segments.len().min(before.segments.len());
            let most = if row.ruled_above || cells > 1 { WIDE_STEP } else { STEP };
            if row.v() - before.v() > most * size.max(before.size()) || (size / before.size() - 1.0).abs() > 0.25 {
                break;
            }
        }
        let bbox = row.bbox();
        if row.segments.len() < 2 {
            let is_prose = row.text().chars().count() > PROSE
                && bbox.x1 - bbox.x0 > 0.6 * (right - left)
                && bbox.x0 < left + 2.0 * size;
            // A row of names may be shorter than what it names.
            let next = rows.iter().skip(index + 1).take(3).filter(|next| next.segments.len() > 1 && index < 4);
            let (left, right) =
                next.map(Row::bbox).fold((left, right), |(left, right), next| (left.min(next.x0), right.max(next.x1)));
            // What begins where a column does stands in it, however wide.
            let column = |row: &Row| row.segments.iter().skip(1).any(|segment| (segment.bbox.x0 - bbox.x0).abs() < 1.5);
            let in_column = rows[..index].iter().filter(|row| column(row)).count() > 1;
            let sticks_out = !in_column && (bbox.x0 < left - 2.0 * size || bbox.x1 > right + 2.0 * size);
            let captioned = labels::caption(&row.text()).is_some();
            let goes_on = rows.iter().skip(index + 1).take(3).any(|next| next.segments.len() > 1);
            if index == 0 || is_prose || sticks_out || captioned || !goes_on && bbox.x0 <= left + 2.0 * size {
                break;
            }
        }
        (left, right) = (left.min(bbox.x0), right.max(bbox.x1));
        n_taken = index + 1;
    }
    n_taken = even(&rows[..n_taken]);
    // Trailing lines under the first column alone are text that follows.
    while n_taken > 0
        && rows[n_taken - 1].segments.len() < 2
        && rows[n_taken - 1].bbox().x0 <= left + rows[n_taken - 1].size()
    {
        n_taken -= 1;
    }
    n_taken
}

/// How many of the rows are set evenly: a far larger step ends the table, or parts a running head from it.
fn even(rows: &[Row]) -> usize {
    const FAR: f32 = 2.5;
    const FAR_FROM_FIRST: f32 = 1.8;
    let mut steps: Vec<f32> = rows.windows(2).map(|pair| pair[1].v() - pair[0].v()).collect();
    let in_order = steps.clone();
    steps.sort_by(f32::total_cmp);
    let usual = steps.get(steps.len() / 2).copied().unwrap_or(0.0);
    let is_far = |(index, step): (usize, &f32)| {
        let size = rows.get(index).map_or(0.0, Row::size);
        *step > if index == 0 { FAR_FROM_FIRST } else { FAR } * usual && *step > STEP * size
    };
    in_order.iter().enumerate().position(is_far).map_or(rows.len(), |index| index + 1)
}
