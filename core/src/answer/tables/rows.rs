//! Which rows of a table a question is about, and how one is told.

use super::{Row, Table, locate_row};
use crate::{
    answer::{
        compose::Composer,
        evidence::{Source, Stretch},
    },
    grade::Terms,
    protocol::{Role, Support},
    text::Language,
};
use std::ops::Range;

/// Rows that fit equally well are all told, up to so many.
const MAX_ROWS_TOLD: usize = 8;
/// A row with more filled columns is told by its key and the columns that were asked for.
const MAX_WHOLE_COLUMNS: usize = 8;

/// The rows that have most of a question's terms, of those which the row itself has to have: the names of columns count for
/// none. Empty where no row has any.
pub(in crate::answer) fn best_rows<'t>(table: &'t Table, terms: &Terms, language: Language) -> Vec<&'t Row> {
    let worth = |row: &Row| {
        let texts: Vec<&str> = row.cells.iter().map(|cell| cell.text.as_str()).chain(row.group.as_deref()).collect();
        let text = texts.join(" | ");
        let named = terms.find(&text, language).set() | labelled(table, row, terms, language);
        (terms.worth(named), terms.named_share(named))
    };
    let scored: Vec<((f32, f32), &Row)> =
        table.rows.iter().filter(|row| !row.is_hidden).map(|row| (worth(row), row)).collect();
    let most = scored.iter().map(|((worth, _), _)| *worth).fold(0.0_f32, f32::max);
    if most <= 0.0 {
        return Vec::new();
    }
    let best = scored.into_iter().filter(|((worth, _), _)| *worth >= most).map(|(_, row)| row);
    best.take(MAX_ROWS_TOLD + 1).collect()
}

/// Terms like `error:9` that a row has by the name of its first column: "Error Code", row 9.
fn labelled(table: &Table, row: &Row, terms: &Terms, language: Language) -> u64 {
    let (Some(column), Some(cell)) = (table.columns.first(), row.cells.first()) else { return 0 };
    let labels = crate::lexical::analysis::words(column, language);
    let told: Vec<String> =
        labels.iter().map(|label| format!("{} {}", &column[label.start..label.end], cell.text)).collect();
    terms.find(&told.join("; "), language).set() & !terms.find(column, language).set()
}

/// Tells a row as `column: value` pairs, with what names its columns cited, too.
pub(in crate::answer) fn say_row(
    part: u32,
    stretch: &Stretch,
    table: &Table,
    row: &Row,
    asked: Option<&Terms>,
    composer: &mut Composer,
) -> bool {
    let Some((source, range)) = locate_row(stretch, row) else { return false };
    let filled: Vec<usize> = (0..row.cells.len()).filter(|at| !row.cells[*at].text.is_empty()).collect();
    let is_asked = |at: &usize| {
        let name = table.columns.get(*at).map_or("", String::as_str);
        asked.is_some_and(|terms| terms.find(name, Language::English).set() != 0)
    };
    let columns: Vec<usize> = if filled.len() > MAX_WHOLE_COLUMNS && filled.iter().any(is_asked) {
        filled.iter().copied().enumerate().filter(|(n, at)| *n < 2 || is_asked(at)).map(|(_, at)| at).collect()
    } else {
        filled
    };
    let pair = |at: &usize| {
        let value = &row.cells[*at].text;
        match table.columns.get(*at).filter(|name| !name.is_empty()) {
            Some(name) => format!("{name}: {value}"),
            None => value.clone(),
        }
    };
    let mut text: String = columns.iter().map(pair).collect::<Vec<_>>().join("; ");
    if let Some(group) = &row.group {
        text = format!("{group}; {text}");
    }
    let mut sources: Vec<(Source<'_>, Vec<Range<usize>>)> = vec![(source, vec![range.clone()])];
    // Where the chunk is a table, what names columns and rows stands in lines of its own.
    let names = columns.iter().filter_map(|at| table.columns.get(*at)).flat_map(|name| name.split(" / "));
    let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    sources[0].1.extend(naming_lines(source.text, &names, row.group.as_deref(), &range));
    composer.say(part, Role::Row, text, Support::Quoted, &sources);
    true
}

/// The lines before a row that name its columns, and the one that names its group.
fn naming_lines(text: &str, names: &[&str], group: Option<&str>, row: &Range<usize>) -> Vec<Range<usize>> {
    let mut at = 0;
    let mut lines: Vec<Range<usize>> = Vec::new();
    for line in text.split_inclusive('\n') {
        let range = at..at + line.trim_end_matches('\n').len();
        at += line.len();
        if range.start >= row.start {
            break;
        }
        let is_group = group == Some(line.trim());
        let cells: Vec<&str> = line.trim_end().split(" | ").collect();
        let names_columns = cells.len() > 1 && names.iter().any(|name| cells.contains(name));
        if is_group || names_columns {
            lines.push(range);
        }
    }
    lines
}
