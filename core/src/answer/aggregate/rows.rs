//! The values of a column: each read exactly, in the one writing that the column has, with one unit; or why not.

use super::Chosen;
use crate::answer::{
    amount::{Decimal, Writing, written},
    tables::Table,
};

/// A value of a row.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) number: Decimal,
    unit: Option<String>,
}

/// Reads the values of the chosen rows.
///
/// # Errors
/// Which row cannot be read, as a sentence.
pub(super) fn values(chosen: &[Chosen<'_>]) -> Result<Vec<Value>, String> {
    let mut values = Vec::with_capacity(chosen.len());
    let mut known: Option<(*const Table, Option<Writing>)> = None;
    for one in chosen {
        let Some(column) = one.column else { return Err("No column was found to compute with.".to_owned()) };
        let table: *const Table = one.table;
        let writing = match known {
            Some((same, writing)) if same == table => writing,
            _ => {
                let writing = writing_of(one.table, column);
                known = Some((table, writing));
                writing
            }
        };
        values.push(value(one, column, writing)?);
    }
    Ok(values)
}

/// Which writing a column has: by itself, else by the other numbers of its table.
fn writing_of(table: &Table, column: usize) -> Option<Writing> {
    let of_column = tells(table, |at| at == column);
    let told = if of_column == (false, false) { tells(table, |_| true) } else { of_column };
    match told {
        (true, false) => Some(Writing::Point),
        (false, true) => Some(Writing::Comma),
        _ => None,
    }
}

/// Whether any cell can only be meant with a decimal point, and any only with a comma.
fn tells(table: &Table, is_meant: impl Fn(usize) -> bool) -> (bool, bool) {
    let mut told = (false, false);
    for row in &table.rows {
        let cells = row.cells.iter().enumerate().filter(|(at, _)| is_meant(*at));
        for writing in cells.filter_map(|(_, cell)| written(&cell.text)?.tells()) {
            match writing {
                Writing::Point => told.0 = true,
                Writing::Comma => told.1 = true,
            }
        }
    }
    told
}

fn value(one: &Chosen<'_>, column: usize, writing: Option<Writing>) -> Result<Value, String> {
    let cell = one.row.cells.get(column);
    let text = cell.map_or("", |cell| cell.text.trim());
    let key = one.row.cells.iter().map(|cell| cell.text.trim()).find(|text| !text.is_empty()).unwrap_or("?");
    let row = format!("the row “{key}” of {}", one.stretch.name);
    let name = one.table.columns.get(column).map_or("value", String::as_str);
    if text.is_empty() {
        return Err(format!("Nothing was computed: {row} has no {name}."));
    }
    let unreadable =
        || format!("Nothing was computed: the {name} of {row} is “{text}”, which cannot be read as one number.");
    let read = written(text).ok_or_else(unreadable)?;
    let unit = read.unit.map(str::to_owned).or_else(|| cell.and_then(|cell| cell.unit.clone()));
    // A workbook keeps the number itself.
    if let Some(stored) = cell.and_then(|cell| cell.value.as_deref())
        && let Some(number) = written(stored).and_then(|stored| stored.value(Writing::Point))
    {
        return Ok(Value { number, unit });
    }
    let number = match writing {
        Some(writing) => read.value(writing).ok_or_else(unreadable)?,
        None if read.is_ambiguous() => {
            return Err(format!(
                "Nothing was computed: the {name} of {row} is “{text}”, which can be read in two ways, and no other value of the column tells which is meant."
            ));
        }
        None => read.value(Writing::Point).or_else(|| read.value(Writing::Comma)).ok_or_else(unreadable)?,
    };
    Ok(Value { number, unit })
}

/// The one unit of all values; `None` where none has any.
///
/// # Errors
/// Which units are mixed, as a sentence.
pub(super) fn unit(chosen: &[Chosen<'_>], values: &[Value]) -> Result<Option<String>, String> {
    let mut units: Vec<(Option<String>, usize)> = Vec::new();
    for (one, value) in chosen.iter().zip(values) {
        let in_header = || {
            one.column
                .and_then(|column| one.table.columns.get(column))
                .and_then(|name| crate::parse::unit::in_header(name))
        };
        let unit = value.unit.clone().or_else(in_header).or_else(|| beside(one)).map(|unit| normal(&unit));
        match units.iter_mut().find(|(known, _)| *known == unit) {
            Some((_, n)) => *n += 1,
            None => units.push((unit, 1)),
        }
    }
    match units.as_slice() {
        [] => Ok(None),
        [(unit, _)] => Ok(unit.clone()),
        _ => {
            let told: Vec<String> = units
                .iter()
                .map(|(unit, n)| {
                    format!("{} in {n} {}", unit.as_deref().unwrap_or("none"), if *n == 1 { "row" } else { "rows" })
                })
                .collect();
            Err(format!("Nothing was computed: the rows have different units ({}).", told.join(", ")))
        }
    }
}

/// What a column of units or currencies says beside the value.
fn beside(one: &Chosen<'_>) -> Option<String> {
    let column = one.column?;
    let name = one.table.columns.get(column)?.to_lowercase();
    let is_money =
        ["price", "amount", "total", "value", "cost", "preis", "betrag", "rate"].iter().any(|word| name.contains(word));
    let is_measure = ["qty", "quantity", "menge"].iter().any(|word| name.contains(word));
    let names: &[&str] = if is_money {
        &["currency", "währung", "curr", "cur"]
    } else if is_measure {
        &["unit", "uom", "einheit", "units", "u/m"]
    } else {
        return None;
    };
    let at = one.table.columns.iter().position(|column| names.contains(&column.trim().to_lowercase().as_str()))?;
    one.row.cells.get(at).map(|cell| cell.text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// One writing of a unit: currencies by their code, measures as they are.
fn normal(unit: &str) -> String {
    let unit = unit.trim().trim_end_matches('.');
    let code = crate::parse::unit::currency(unit, "").to_owned();
    match unit.to_lowercase().as_str() {
        "pcs" | "pc" | "pce" | "nos" | "no" | "ea" | "each" | "stk" | "stück" | "st" | "pieces" | "piece" | "units" => {
            "pcs".to_owned()
        }
        "rs" | "inr" => "INR".to_owned(),
        "us$" | "usd" => "USD".to_owned(),
        "eur" | "euro" => "EUR".to_owned(),
        _ => code,
    }
}
