//! Which column is computed with: the one that the question names, or the one of the kind that it asks for.

use super::{
    Table,
    scope::{Term, Wanted},
};
use crate::{answer::amount::written, lexical::analysis, protocol::QuestionType, text::Language};

/// A kind of column: the words that name it in tables, and those by which questions mean it; folded.
struct Kind {
    names: &'static [&'static str],
    asked: &'static [&'static str],
}

const QUANTITY: Kind = Kind {
    names: &[
        "qty",
        "quantity",
        "quantities",
        "menge",
        "anzahl",
        "stuck",
        "stk",
        "stuckzahl",
        "pcs",
        "pieces",
        "nos",
        "count",
        "quantite",
        "cantidad",
    ],
    asked: &[
        "qty",
        "quantity",
        "quantities",
        "pieces",
        "pcs",
        "units",
        "menge",
        "stuck",
        "stuckzahl",
        "quantite",
        "cantidad",
    ],
};
const UNIT_PRICE: Kind = Kind {
    names: &[
        "unit price",
        "price",
        "rate",
        "unit cost",
        "price each",
        "price per unit",
        "einzelpreis",
        "preis",
        "stuckpreis",
        "prix unitaire",
        "precio",
        "precio unitario",
        "list price",
        "cost",
    ],
    asked: &[
        "price",
        "prices",
        "unit price",
        "unit prices",
        "rate",
        "cheapest",
        "expensive",
        "unit cost",
        "preis",
        "einzelpreis",
        "gunstigste",
        "billigste",
        "teuerste",
        "teuersten",
        "prix",
        "precio",
        "cher",
        "caro",
        "barato",
    ],
};
const LINE_TOTAL: Kind = Kind {
    names: &[
        "amount",
        "total",
        "line total",
        "net amount",
        "net",
        "total price",
        "total amount",
        "value",
        "sum",
        "gesamtpreis",
        "betrag",
        "gesamt",
        "summe",
        "montant",
        "importe",
        "total cost",
        "extended price",
        "line amount",
        "net value",
        "taxable value",
    ],
    asked: &[
        "amount",
        "value",
        "cost",
        "price",
        "total",
        "sum",
        "worth",
        "betrag",
        "gesamtpreis",
        "kosten",
        "montant",
        "importe",
        "summe",
        "gesamtbetrag",
    ],
};
const WEIGHT: Kind = Kind {
    names: &["weight", "mass", "gewicht", "poids", "peso"],
    asked: &["weight", "mass", "lightest", "heaviest", "gewicht"],
};
const LENGTH: Kind =
    Kind { names: &["length", "lange", "longueur"], asked: &["length", "longest", "shortest", "lange"] };
const KINDS: [Kind; 5] = [QUANTITY, UNIT_PRICE, LINE_TOTAL, WEIGHT, LENGTH];

/// Columns whose numbers are names, folded.
const NAMES_ONLY: [&str; 20] = [
    "pos",
    "position",
    "no",
    "nr",
    "item",
    "item no",
    "line",
    "part number",
    "part no",
    "code",
    "id",
    "sku",
    "hsn",
    "hsn code",
    "sac",
    "date",
    "year",
    "page",
    "rev",
    "artikelnummer",
];

/// What is computed with.
#[derive(Clone, Debug)]
pub(super) struct Target {
    kind: What,
    /// Values are added up, though it was asked how many.
    pub(super) adds_up: bool,
    /// The question itself names no column.
    pub(super) is_weak: bool,
    told: String,
}

#[derive(Clone, Debug)]
enum What {
    Rows,
    /// The column whose folded name is one of these.
    Named(Vec<String>),
}

impl Target {
    /// Whether rows are counted.
    pub(super) fn is_rows(&self) -> bool {
        matches!(self.kind, What::Rows)
    }

    /// The name of the column, as the first table has it.
    pub(super) fn told(&self) -> String {
        self.told.clone()
    }

    /// Its column in a table: `None` where the table has none, `Some(None)` where rows are counted.
    #[expect(clippy::option_option, reason = "a table may fit without a column")]
    pub(super) fn column(&self, table: &Table) -> Option<Option<usize>> {
        match &self.kind {
            What::Rows => {
                (table.columns.len() > 1 || table.rows.first().is_some_and(|row| row.cells.len() > 1)).then_some(None)
            }
            What::Named(names) => table.columns.iter().position(|name| names.contains(&plain(name))).map(Some),
        }
    }

    /// Whether a word of the question is used up by naming the column.
    pub(super) fn consumes(&self, term: &Term) -> bool {
        if term.is_identifier() {
            return false;
        }
        let What::Named(names) = &self.kind else { return false };
        let is_in_name = names.iter().any(|name| stems(name).iter().any(|stem| stem == term.text()));
        let is_asked = KINDS.iter().any(|kind| {
            let is_of = names.iter().any(|name| kind.names.contains(&name.as_str()));
            is_of && kind.asked.iter().any(|phrase| phrase.split(' ').any(|word| term.is(&[word])))
        });
        is_in_name || is_asked
    }
}

/// A column's name without its unit, folded.
fn plain(name: &str) -> String {
    let cut = name.find(['(', '[']).map_or(name, |at| &name[..at]);
    let folded = crate::answer::understand::folded(cut).join(" ");
    folded.strip_suffix(" in").map(str::to_owned).unwrap_or(folded)
}

fn stems(name: &str) -> Vec<String> {
    analysis::words(name, Language::English).into_iter().map(|term| term.text).collect()
}

/// What a question computes with; `None` where no table has it.
pub(super) fn target(operation: QuestionType, wanted: &Wanted, tables: &[&Table]) -> Option<Target> {
    let mut names: Vec<(String, String)> = Vec::new();
    for table in tables {
        for (at, name) in table.columns.iter().enumerate() {
            let plain = plain(name);
            if !plain.is_empty()
                && names.iter().all(|(known, _)| *known != plain)
                && (operation == QuestionType::Count || is_numeric(table, at))
            {
                names.push((plain, name.clone()));
            }
        }
    }
    if operation == QuestionType::Count {
        return Some(counted(wanted, &names));
    }
    let numeric: Vec<&(String, String)> =
        names.iter().filter(|(plain, _)| !NAMES_ONLY.contains(&plain.as_str())).collect();
    let named = |chosen: Vec<&(String, String)>, is_weak: bool| {
        let told = chosen.first().map(|(_, name)| name.clone())?;
        let names = chosen.into_iter().map(|(plain, _)| plain.clone()).collect();
        Some(Target { kind: What::Named(names), adds_up: false, is_weak, told })
    };
    // Named word for word: the longest name counts.
    let mut whole: Vec<&(String, String)> =
        numeric.iter().copied().filter(|(plain, _)| wanted.has(plain) || has_stems(wanted, plain)).collect();
    whole.sort_by_key(|(plain, _)| std::cmp::Reverse(plain.split(' ').count()));
    let of_kind = |kind: &Kind| -> Vec<&(String, String)> {
        numeric.iter().copied().filter(|(plain, _)| kind.names.contains(&plain.as_str())).collect()
    };
    let asks_for = |kind: &Kind| kind.asked.iter().any(|phrase| wanted.has(phrase));
    if operation == QuestionType::Sum {
        // What unit prices add up to means nothing.
        let is_price = |plain: &str| UNIT_PRICE.names.contains(&plain) && !LINE_TOTAL.names.contains(&plain);
        whole.retain(|(plain, _)| !is_price(plain));
    }
    if let Some(first) = whole.first() {
        let n_words = first.0.split(' ').count();
        // The word "total" alone names the column only where nothing else is.
        let is_total_alone = whole.len() > 1 && first.0 == "total";
        let best: Vec<&(String, String)> = whole
            .iter()
            .copied()
            .filter(|(plain, _)| plain.split(' ').count() == n_words && (!is_total_alone || plain != "total"))
            .collect();
        return named(best, false);
    }
    let order: &[Kind] = if operation == QuestionType::Sum { &[QUANTITY, LINE_TOTAL, WEIGHT, LENGTH] } else { &KINDS };
    for kind in order.iter().filter(|kind| asks_for(kind)) {
        let columns = of_kind(kind);
        if !columns.is_empty() {
            return named(columns, operation != QuestionType::Sum);
        }
    }
    None
}

/// What is counted: rows, or what a column of quantities adds up to, or the different values of a named column.
fn counted(wanted: &Wanted, names: &[(String, String)]) -> Target {
    let rows = Target { kind: What::Rows, adds_up: false, is_weak: true, told: "rows".to_owned() };
    let quantity: Vec<&(String, String)> =
        names.iter().filter(|(plain, _)| QUANTITY.names.contains(&plain.as_str())).collect();
    let asks_pieces = [
        "how many pieces",
        "how many units",
        "how many pcs",
        "number of pieces",
        "number of units",
        "wie viele stuck",
        "anzahl stuck",
    ]
    .iter()
    .any(|phrase| wanted.has(phrase));
    if asks_pieces && let Some(first) = quantity.first() {
        let names = quantity.iter().map(|(plain, _)| plain.clone()).collect();
        return Target { kind: What::Named(names), adds_up: true, is_weak: false, told: first.1.clone() };
    }
    let different = [
        "how many different",
        "how many distinct",
        "number of different",
        "number of distinct",
        "wie viele verschiedene",
    ]
    .iter()
    .any(|phrase| wanted.has(phrase));
    let is_asked = |plain: &str| {
        let lead = [
            "how many",
            "number of",
            "wie viele",
            "anzahl der",
            "how many different",
            "how many distinct",
            "number of different",
            "number of distinct",
            "wie viele verschiedene",
        ];
        // The noun right after the lead is what is counted.
        let after = lead
            .iter()
            .filter_map(|lead| wanted.folded.split_once(&format!(" {lead} ")))
            .map(|(_, rest)| rest.split(' ').next().unwrap_or_default().to_owned());
        let stems_of = stems(plain);
        let mut after = after;
        after.any(|noun| stems_of.len() == 1 && stems(&noun).first() == stems_of.first())
    };
    if let Some((plain, name)) =
        names.iter().find(|(plain, _)| is_asked(plain) && !QUANTITY.names.contains(&plain.as_str()))
        && (different
            || !matches!(
                plain.as_str(),
                "item" | "part" | "position" | "line" | "article" | "component" | "product" | "material"
            ))
    {
        return Target { kind: What::Named(vec![plain.clone()]), adds_up: false, is_weak: false, told: name.clone() };
    }
    rows
}

fn has_stems(wanted: &Wanted, plain: &str) -> bool {
    let stems = stems(plain);
    let asked: Vec<String> =
        analysis::words(&wanted.folded, Language::English).into_iter().map(|term| term.text).collect();
    // In the order of the name, one after the other.
    !stems.is_empty() && asked.windows(stems.len()).any(|window| window == stems.as_slice())
}

/// Whether a column holds numbers: at least half of its filled cells.
fn is_numeric(table: &Table, column: usize) -> bool {
    let cells = table
        .rows
        .iter()
        .filter(|row| !row.is_total)
        .filter_map(|row| row.cells.get(column))
        .filter(|cell| !cell.text.is_empty());
    let (n_all, n_numbers) =
        cells.fold((0, 0), |(n_all, n), cell| (n_all + 1, n + usize::from(written(&cell.text).is_some())));
    n_all > 0 && n_numbers * 2 >= n_all
}
