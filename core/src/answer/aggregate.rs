//! How many, how much, least, most and mean over the rows of tables: computed exactly, with the rows that were used, or refused
//! with the reason.
//!
//! What is not certain is refused: a value that cannot be read, two units, two tables that could be meant.

mod columns;
mod rows;
mod scope;

use super::{
    amount::{Decimal, Writing},
    compose::Composer,
    evidence::{Source, Stretch},
    tables::{self, Row, Table},
};
use crate::protocol::{AskedPart, Computation, QuestionType, Role, Support};
use columns::{Target, target};
use rows::{Value, values};
use scope::Wanted;
use std::{cmp::Ordering, ops::Range};

/// Rows cited one by one, at most.
const MAX_CITED: usize = 100;
/// Terms of a formula that are shown.
const MAX_TERMS: usize = 12;
/// Places that a mean has more than its values.
const MEAN_DIGITS: u32 = 4;
/// Rows that share the least or the most and are told.
const MAX_EXTREMES: usize = 5;

/// How a computation ended.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It was done; the statements are said.
    Computed { computations: Vec<Computation>, notices: Vec<String> },
    /// It was meant and cannot be done: why, as a sentence.
    Refused(String),
    /// No table fits: it is no question about rows.
    None,
}

/// A row with the table and document that it is of.
#[derive(Clone, Copy)]
struct Chosen<'a> {
    stretch: &'a Stretch,
    table: &'a Table,
    row: &'a Row,
    column: Option<usize>,
}

/// Computes what a part of a question asks over the tables of documents, and says it.
pub(super) fn compute(at: u32, part: &AskedPart, stretches: &[Stretch], composer: &mut Composer) -> Outcome {
    let wanted = Wanted::of(&part.text);
    let meant = wanted.of_class(stretches);
    let tables: Vec<(&Stretch, Vec<Table>)> = meant.iter().map(|stretch| (*stretch, Table::all(stretch))).collect();
    if let Some(outcome) = documents(at, part, &wanted, &tables, composer) {
        return outcome;
    }
    let all: Vec<&Table> = tables.iter().flat_map(|(_, tables)| tables.iter()).collect();
    let Some(target) = target(part.question_type, &wanted, &all) else { return Outcome::None };
    let filters = wanted.filters(&target);
    let in_rows = scope::in_rows(&all, &filters);
    let mut chosen: Vec<Chosen<'_>> = Vec::new();
    let mut n_hidden = 0;
    let mut totals: Vec<(&Table, &Row, usize)> = Vec::new();
    let mut is_whole = true;
    for (stretch, tables) in &tables {
        let mut signatures: Vec<&[String]> = Vec::new();
        for table in tables {
            let Some(column) = target.column(table) else { continue };
            let selection = scope::select(stretch, table, &filters, &in_rows);
            n_hidden += selection.n_hidden;
            if selection.rows.is_empty() {
                continue;
            }
            is_whole &= selection.is_whole;
            if !signatures.contains(&table.columns.as_slice()) {
                signatures.push(&table.columns);
            }
            totals.extend(table.rows.iter().filter(|row| row.is_total).filter_map(|row| Some((table, row, column?))));
            chosen.extend(selection.rows.into_iter().map(|row| Chosen { stretch, table, row, column }));
        }
        if signatures.len() > 1 {
            return Outcome::Refused(format!(
                "{} has several tables that could be meant, with different columns. Say which one: by its caption, or a word that stands in its rows.",
                stretch.name
            ));
        }
    }
    let mut gaps: Vec<&str> = meant.iter().filter_map(|stretch| stretch.gap.as_deref()).collect();
    gaps.truncate(3);
    if chosen.is_empty() {
        // Counting and comparing are asked of prose, too; a sum is of rows.
        let is_of_rows = matches!(part.question_type, QuestionType::Sum | QuestionType::Average) && !target.is_weak;
        let words = filters.iter().map(scope::Term::shown).collect::<Vec<_>>().join("”, “");
        return if is_of_rows && !words.is_empty() {
            Outcome::Refused(format!("No row has “{words}” in a table with {}. Nothing was computed.", target.told()))
        } else {
            Outcome::None
        };
    }
    if !gaps.is_empty() && !filters.iter().any(scope::Term::is_identifier) {
        return Outcome::Refused(format!("Nothing was computed, because not all rows are known. {}", gaps.join(" ")));
    }
    let result = match part.question_type {
        QuestionType::Count if !target.adds_up => count(at, &target, &chosen, composer),
        operation => numbers(at, operation, &target, &chosen, composer),
    };
    match result {
        Ok((computation, mut notices)) => {
            if n_hidden > 0 {
                notices.push(format!("{n_hidden} hidden rows were left out."));
            }
            if part.question_type == QuestionType::Sum && is_whole {
                notices.extend(own_totals(&totals, &computation));
            }
            notices.extend(gaps.iter().map(|gap| (*gap).to_owned()));
            Outcome::Computed { computations: vec![computation], notices }
        }
        Err(reason) => Outcome::Refused(reason),
    }
}

/// "How many invoices": documents are counted, not rows.
fn documents(
    at: u32,
    part: &AskedPart,
    wanted: &Wanted,
    tables: &[(&Stretch, Vec<Table>)],
    composer: &mut Composer,
) -> Option<Outcome> {
    if part.question_type != QuestionType::Count || !wanted.counts_documents() {
        return None;
    }
    let filters = wanted.all_filters();
    let all: Vec<&Table> = tables.iter().flat_map(|(_, tables)| tables.iter()).collect();
    let in_rows = scope::in_rows(&all, &filters);
    let fits = |stretch: &Stretch, tables: &[Table]| {
        tables.iter().any(|table| !scope::select(stretch, table, &filters, &in_rows).rows.is_empty())
    };
    let fitting: Vec<&(&Stretch, Vec<Table>)> =
        tables.iter().filter(|(stretch, tables)| fits(stretch, tables)).collect();
    if fitting.is_empty() {
        return None;
    }
    let mut sources: Vec<(Source<'_>, Vec<Range<usize>>)> = Vec::new();
    for (stretch, tables) in fitting.iter().take(MAX_CITED) {
        let row =
            tables.iter().find_map(|table| scope::select(stretch, table, &filters, &in_rows).rows.first().copied());
        sources
            .extend(row.and_then(|row| tables::locate_row(stretch, row)).map(|(source, range)| (source, vec![range])));
    }
    let n = fitting.len() as u32;
    let noun = if n == 1 { "document" } else { "documents" };
    composer.say(at, Role::Computed, format!("{n} {noun}"), Support::Computed, &sources);
    let names: Vec<&str> = fitting.iter().take(MAX_TERMS).map(|(stretch, _)| stretch.name.as_str()).collect();
    let more = if fitting.len() > MAX_TERMS { ", …" } else { "" };
    let computation = Computation {
        operation: QuestionType::Count,
        value: n.to_string(),
        unit: None,
        formula: format!("{}{more}", names.join(", ")),
        column: None,
        n_rows_used: n,
        n_rows: n,
        n_documents_used: n,
        n_documents: n,
    };
    Some(Outcome::Computed { computations: vec![computation], notices: Vec::new() })
}

type Done = Result<(Computation, Vec<String>), String>;

/// Counts rows, or the different values of a column.
fn count(at: u32, target: &Target, chosen: &[Chosen<'_>], composer: &mut Composer) -> Done {
    let mut notices = Vec::new();
    let (n, formula, column) = if target.is_rows() {
        (chosen.len(), format!("{} rows counted", chosen.len()), None)
    } else {
        let mut seen: Vec<String> = Vec::new();
        for one in chosen {
            let cell = one.column.and_then(|column| one.row.cells.get(column)).map_or("", |cell| cell.text.trim());
            if cell.is_empty() {
                return Err(format!(
                    "A row of {} names none of what is counted ({}). Nothing was counted.",
                    one.stretch.name,
                    target.told()
                ));
            }
            let folded = cell.to_lowercase();
            if !seen.contains(&folded) {
                seen.push(folded);
            }
        }
        notices.push(format!("Different values of “{}” were counted, not rows.", target.told()));
        (seen.len(), format!("{} different in {} rows", seen.len(), chosen.len()), Some(target.told()))
    };
    let computation = computation(QuestionType::Count, n.to_string(), None, formula, column, chosen);
    say(at, target, &computation, chosen, &mut notices, composer);
    Ok((computation, notices))
}

/// Adds up, compares or averages the values of a column.
fn numbers(at: u32, operation: QuestionType, target: &Target, chosen: &[Chosen<'_>], composer: &mut Composer) -> Done {
    let values = values(chosen)?;
    let unit = rows::unit(chosen, &values)?;
    let mut notices = Vec::new();
    let too_large = || "The numbers are too large to add up exactly.".to_owned();
    let sum =
        || values.iter().try_fold(Decimal::default(), |sum, value: &Value| sum.add(value.number)).ok_or_else(too_large);
    let column = Some(target.told());
    let told = |values: &[Value], sign: &str| {
        let shown = |value: &Value| value.number.to_string();
        if values.len() <= MAX_TERMS {
            return values.iter().map(shown).collect::<Vec<_>>().join(sign);
        }
        let half = MAX_TERMS / 2;
        let (first, last) = (&values[..half], &values[values.len() - half..]);
        let join = |values: &[Value]| values.iter().map(shown).collect::<Vec<_>>().join(sign);
        format!("{}{sign}…{sign}{}", join(first), join(last))
    };
    let (value, formula, extremes): (Decimal, String, Vec<usize>) = match operation {
        QuestionType::Average => {
            let (mean, is_exact) = sum()?.divided(values.len() as u32, MEAN_DIGITS).ok_or_else(too_large)?;
            let sign = if is_exact { "=" } else { "≈" };
            (mean, format!("({}) / {} {sign} {mean}", told(&values, " + "), values.len()), Vec::new())
        }
        QuestionType::Minimum | QuestionType::Maximum => {
            let better = if operation == QuestionType::Minimum { Ordering::Less } else { Ordering::Greater };
            let mut best = 0;
            for (at, value) in values.iter().enumerate() {
                if value.number.compare(values[best].number).ok_or_else(too_large)? == better {
                    best = at;
                }
            }
            let number = values[best].number;
            let alike = |value: &Value| value.number.compare(number) == Some(Ordering::Equal);
            let extremes = values.iter().enumerate().filter(|(_, value)| alike(value)).map(|(at, _)| at).collect();
            let name = if operation == QuestionType::Minimum { "min" } else { "max" };
            (number, format!("{name}({}) = {number}", told(&values, ", ")), extremes)
        }
        _ => {
            let sum = sum()?;
            (sum, format!("{} = {sum}", told(&values, " + ")), Vec::new())
        }
    };
    let computation = computation(operation, value.to_string(), unit, formula, column, chosen);
    say(at, target, &computation, chosen, &mut notices, composer);
    if extremes.len() > 1 {
        notices.push(format!("{} rows share this value.", extremes.len()));
    }
    for one in extremes.iter().take(MAX_EXTREMES).filter_map(|at| chosen.get(*at)) {
        tables::say_row(at, one.stretch, one.table, one.row, None, composer);
    }
    Ok((computation, notices))
}

fn computation(
    operation: QuestionType,
    value: String,
    unit: Option<String>,
    formula: String,
    column: Option<String>,
    chosen: &[Chosen<'_>],
) -> Computation {
    let mut documents: Vec<&str> = chosen.iter().map(|one| one.stretch.name.as_str()).collect();
    documents.dedup();
    let (n_rows, n_documents) = (chosen.len() as u32, documents.len() as u32);
    Computation {
        operation,
        value,
        unit,
        formula,
        column,
        n_rows_used: n_rows,
        n_rows,
        n_documents_used: n_documents,
        n_documents,
    }
}

/// Says what was computed, with the rows that it rests on.
fn say(
    at: u32,
    target: &Target,
    computation: &Computation,
    chosen: &[Chosen<'_>],
    notices: &mut Vec<String>,
    composer: &mut Composer,
) {
    let sources: Vec<(Source<'_>, Vec<Range<usize>>)> = chosen
        .iter()
        .take(MAX_CITED)
        .filter_map(|one| tables::locate_row(one.stretch, one.row))
        .map(|(source, range)| (source, vec![range]))
        .collect();
    if chosen.len() > MAX_CITED {
        notices.push(format!("The first {MAX_CITED} of the {} rows are cited.", chosen.len()));
    }
    let unit = computation.unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
    let name = match computation.operation {
        QuestionType::Count if target.is_rows() => "Rows".to_owned(),
        QuestionType::Count if target.adds_up => format!("{}, in all", target.told()),
        QuestionType::Count => format!("Different values of {}", target.told()),
        QuestionType::Minimum => format!("Least {}", target.told()),
        QuestionType::Maximum => format!("Greatest {}", target.told()),
        QuestionType::Average => format!("Mean {}", target.told()),
        _ => format!("{}, in all", target.told()),
    };
    let text = format!("{name}: {}{unit} ({})", computation.value, computation.coverage());
    composer.say(at, Role::Computed, text, Support::Computed, &sources);
}

/// What the documents themselves say that the rows come to, where it is something else.
fn own_totals(totals: &[(&Table, &Row, usize)], computation: &Computation) -> Option<String> {
    let [(_, row, column)] = totals else { return None };
    let cell = row.cells.get(*column).map(|cell| cell.text.as_str()).filter(|text| !text.is_empty())?;
    let written = super::amount::written(cell)?;
    let same = [Writing::Point, Writing::Comma].into_iter().filter_map(|writing| written.value(writing));
    let own = super::amount::written(&computation.value)?.value(Writing::Point)?;
    let agrees = same.into_iter().any(|value| value.compare(own) == Some(Ordering::Equal));
    (!agrees).then(|| format!("The document's own total is {cell}."))
}
