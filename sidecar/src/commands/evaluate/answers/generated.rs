//! Invoices and bills of materials of our own, made from a seed, with questions about their rows and what they come to, computed
//! here in whole cents: the same documents and questions every time.
//!
//! Not for measuring: [`super::aggregates`] asks and compares.

use crate::collections::CollectionDocument;
use millwright_core::{chunk::ChunkKind, protocol::QuestionType};
use std::fmt::Write as _;

const N_INVOICES: usize = 48;
const N_BOMS: usize = 24;
pub(super) const N_QUESTIONS: usize = 1_000;

/// What a question comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    /// This sum over so many (one, but for means), in hundredths.
    Value { hundredths: i64, over: i64, unit: Option<&'static str> },
    /// A value cannot be read, or units are mixed: nothing may be computed.
    Refuse,
}

/// A question about rows.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) text: String,
    pub(super) operation: QuestionType,
    pub(super) truth: Truth,
}

struct Item {
    code: String,
    name: &'static str,
    quantity: i64,
    price: i64,
    /// What stands in the place of the price, where it cannot be read.
    unreadable: Option<&'static str>,
}

struct Made {
    /// The number by which questions name it.
    number: String,
    supplier: &'static str,
    currency: &'static str,
    items: Vec<Item>,
    is_invoice: bool,
}

const NAMES: [(&str, &str); 12] = [
    ("Hex bolt M8x20", "bolts"),
    ("Flat washer A8", "washers"),
    ("Ball bearing 6204", "bearings"),
    ("Gasket DN50", "gaskets"),
    ("O-ring 20x2", "O-rings"),
    ("Shaft seal 35x52", "seals"),
    ("Hose clamp", "clamps"),
    ("Cable gland M20", "glands"),
    ("Relay 24VDC", "relays"),
    ("Fuse 10A", "fuses"),
    ("Compression spring", "springs"),
    ("Lock nut M8", "nuts"),
];
const SUPPLIERS: [&str; 6] =
    ["Kestrel Fasteners", "Nordwind Antriebe", "Bharat Bearings", "Lumen Electric", "Oakley Seals", "Tidewater Pumps"];
const CURRENCIES: [&str; 3] = ["EUR", "USD", "INR"];
const UNREADABLE: [&str; 4] = ["n/a", "on request", "", "12-15"];

/// Numbers that look drawn by lot (Knuth's multiplicative generator, MMIX's constants), the same for a seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % below.max(1)
    }
}

/// The documents and questions of a seed.
pub(super) fn make(seed: u64) -> (Vec<CollectionDocument>, Vec<Question>) {
    let mut dice = Dice(seed);
    let mut made = Vec::new();
    let mut documents = Vec::new();
    for n in 0..N_INVOICES + N_BOMS {
        let one = document(n, &mut dice);
        documents.push(written(&one, n, &mut dice));
        made.push(one);
    }
    let mut questions: Vec<Question> = made.iter().flat_map(about_one).collect();
    questions.extend(about_all(&made));
    // Drawn without putting back.
    let mut drawn = Vec::with_capacity(N_QUESTIONS);
    while drawn.len() < N_QUESTIONS && !questions.is_empty() {
        drawn.push(questions.swap_remove(dice.roll(questions.len())));
    }
    (documents, drawn)
}

fn document(n: usize, dice: &mut Dice) -> Made {
    let is_invoice = n < N_INVOICES;
    let mut names: Vec<&'static str> = NAMES.iter().map(|(name, _)| *name).collect();
    let n_items = 3 + dice.roll(8);
    let mut items = Vec::new();
    for _ in 0..n_items {
        let name = names.swap_remove(dice.roll(names.len()));
        let quantity = 1 + i64::try_from(dice.roll(40)).unwrap_or(0);
        let price = 5 + i64::try_from(dice.roll(180_000)).unwrap_or(0);
        items.push(Item {
            code: format!("P-{:05}", 10_000 + dice.roll(89_999)),
            name,
            quantity,
            price,
            unreadable: None,
        });
    }
    // One document in eight has a price that nobody can read.
    if dice.roll(8) == 0 {
        let at = dice.roll(items.len());
        items[at].unreadable = Some(UNREADABLE[dice.roll(UNREADABLE.len())]);
    }
    Made {
        number: if is_invoice { format!("INV-2026-{:04}", 101 + n) } else { format!("BOM-{:04}", 301 + n) },
        supplier: SUPPLIERS[dice.roll(SUPPLIERS.len())],
        currency: CURRENCIES[dice.roll(CURRENCIES.len())],
        items,
        is_invoice,
    }
}

/// A document as a file: Markdown, HTML or CSV; decimal points or commas; with the currency in the header or at each value; with or
/// without a row that sums up.
fn written(made: &Made, n: usize, dice: &mut Dice) -> CollectionDocument {
    let has_comma = made.currency == "EUR" && dice.roll(2) == 0;
    let in_cell = dice.roll(2) == 0;
    let has_total = dice.roll(2) == 0;
    let money = |hundredths: i64| {
        let (whole, cents) = (grouped(hundredths / 100, has_comma), hundredths % 100);
        let sign = if has_comma { ',' } else { '.' };
        let unit = if in_cell { format!(" {}", made.currency) } else { String::new() };
        format!("{whole}{sign}{cents:02}{unit}")
    };
    let of = |name: &str| if in_cell { name.to_owned() } else { format!("{name} ({})", made.currency) };
    let header = [
        "Pos".to_owned(),
        "Part number".to_owned(),
        "Description".to_owned(),
        "Qty".to_owned(),
        of("Unit price"),
        of("Amount"),
    ];
    let mut rows: Vec<[String; 6]> = made
        .items
        .iter()
        .enumerate()
        .map(|(at, item)| {
            let unread = |value: i64| item.unreadable.map_or_else(|| money(value), str::to_owned);
            [
                (at + 1).to_string(),
                item.code.clone(),
                item.name.to_owned(),
                item.quantity.to_string(),
                unread(item.price),
                unread(item.price * item.quantity),
            ]
        })
        .collect();
    if has_total && made.items.iter().all(|item| item.unreadable.is_none()) {
        let total = made.items.iter().map(|item| item.price * item.quantity).sum();
        rows.push(["Total".to_owned(), String::new(), String::new(), String::new(), String::new(), money(total)]);
    }
    let kind = if made.is_invoice { "Invoice" } else { "Bill of materials" };
    let (ending, text) = match dice.roll(if made.is_invoice { 2 } else { 3 }) {
        0 => {
            let mut text = format!(
                "# {kind} {}\n\nSupplier: {}\n\nDate: 2026-0{}-1{}\n\n",
                made.number,
                made.supplier,
                1 + n % 9,
                n % 9
            );
            let _ = writeln!(text, "| {} |\n|{}", header.join(" | "), " --- |".repeat(header.len()));
            rows.iter().for_each(|row| text.push_str(&format!("| {} |\n", row.join(" | "))));
            ("md", text)
        }
        1 => {
            let cells =
                |row: &[String], tag: &str| row.iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect::<String>();
            let body: String = rows.iter().map(|row| format!("<tr>{}</tr>\n", cells(row, "td"))).collect();
            let (number, supplier) = (&made.number, made.supplier);
            let head = cells(&header, "th");
            (
                "html",
                format!(
                    "<html><body><h1>{kind} {number}</h1><p>Supplier: {supplier}</p><table><tr>{head}</tr>\n{body}</table></body></html>"
                ),
            )
        }
        _ => {
            let line = |row: &[String]| row.iter().map(|cell| format!("\"{cell}\"")).collect::<Vec<_>>().join(",");
            let lines: Vec<String> = std::iter::once(line(&header)).chain(rows.iter().map(|row| line(row))).collect();
            ("csv", lines.join("\n"))
        }
    };
    CollectionDocument { id: format!("{}.{ending}", made.number), title: String::new(), text, kind: ChunkKind::Text }
}

fn grouped(whole: i64, has_comma: bool) -> String {
    let sign = if has_comma { "." } else { "," };
    if whole >= 1000 { format!("{}{sign}{:03}", whole / 1000, whole % 1000) } else { whole.to_string() }
}

/// The questions about one document.
fn about_one(made: &Made) -> Vec<Question> {
    use QuestionType::{Average, Count, Maximum, Minimum, Sum};
    let kind = if made.is_invoice { "invoice" } else { "bill of materials" };
    let number = &made.number;
    let is_whole = made.items.iter().all(|item| item.unreadable.is_none());
    let money = |hundredths: i64, over: i64| {
        if is_whole { Truth::Value { hundredths, over, unit: Some(made.currency) } } else { Truth::Refuse }
    };
    let plain = |n: i64| Truth::Value { hundredths: n * 100, over: 1, unit: None };
    let n = i64::try_from(made.items.len()).unwrap_or(0);
    let prices = || made.items.iter().map(|item| item.price);
    let amounts = || made.items.iter().map(|item| item.price * item.quantity);
    let quantities = || made.items.iter().map(|item| item.quantity);
    let most = |values: &mut dyn Iterator<Item = i64>| values.max().unwrap_or(0);
    let least = |values: &mut dyn Iterator<Item = i64>| values.min().unwrap_or(0);
    let question = |text: String, operation: QuestionType, truth: Truth| Question { text, operation, truth };
    let mut questions = vec![
        question(format!("What is the total amount of {kind} {number}?"), Sum, money(amounts().sum(), 1)),
        question(format!("What do all items of {number} cost in total?"), Sum, money(amounts().sum(), 1)),
        question(format!("How many items are on {kind} {number}?"), Count, plain(n)),
        question(format!("How many positions does {number} have?"), Count, plain(n)),
        question(format!("What is the total quantity on {kind} {number}?"), Sum, plain(quantities().sum())),
        question(format!("How many pieces are on {kind} {number} in all?"), Count, plain(quantities().sum())),
        question(format!("What is the highest unit price on {kind} {number}?"), Maximum, money(most(&mut prices()), 1)),
        question(format!("Which item of {number} has the lowest unit price?"), Minimum, money(least(&mut prices()), 1)),
        question(format!("What is the average unit price on {kind} {number}?"), Average, money(prices().sum(), n)),
        question(format!("What is the largest amount on {number}?"), Maximum, money(most(&mut amounts()), 1)),
        question(format!("What is the smallest quantity on {number}?"), Minimum, plain(least(&mut quantities()))),
        question(
            format!("What is the average quantity on {number}?"),
            Average,
            Truth::Value { hundredths: quantities().sum::<i64>() * 100, over: n, unit: None },
        ),
    ];
    for item in &made.items {
        let noun = NAMES.iter().find(|(name, _)| *name == item.name).map_or("", |(_, noun)| *noun);
        let amount = match item.unreadable {
            Some(_) => Truth::Refuse,
            None => Truth::Value { hundredths: item.price * item.quantity, over: 1, unit: Some(made.currency) },
        };
        questions.push(question(format!("What is the total amount of the {noun} on {number}?"), Sum, amount));
        questions.push(question(
            format!("What is the total quantity of {noun} on {kind} {number}?"),
            Sum,
            plain(item.quantity),
        ));
    }
    questions
}

/// The questions about many documents.
fn about_all(made: &[Made]) -> Vec<Question> {
    let mut questions = Vec::new();
    for supplier in SUPPLIERS {
        let theirs: Vec<&Made> = made.iter().filter(|one| one.is_invoice && one.supplier == supplier).collect();
        if theirs.is_empty() {
            continue;
        }
        let n = i64::try_from(theirs.len()).unwrap_or(0);
        questions.push(Question {
            text: format!("How many invoices are from {supplier}?"),
            operation: QuestionType::Count,
            truth: Truth::Value { hundredths: n * 100, over: 1, unit: None },
        });
        let items = || theirs.iter().flat_map(|one| one.items.iter().map(|item| (one.currency, item)));
        let currencies: std::collections::BTreeSet<&str> = items().map(|(currency, _)| currency).collect();
        let is_whole = items().all(|(_, item)| item.unreadable.is_none()) && currencies.len() == 1;
        let total = items().map(|(_, item)| item.price * item.quantity).sum();
        let unit = currencies.first().copied();
        questions.push(Question {
            text: format!("What is the total amount of all invoices from {supplier}?"),
            operation: QuestionType::Sum,
            truth: if is_whole { Truth::Value { hundredths: total, over: 1, unit } } else { Truth::Refuse },
        });
        for (name, noun) in NAMES {
            let quantity: i64 = items().filter(|(_, item)| item.name == name).map(|(_, item)| item.quantity).sum();
            if quantity > 0 {
                questions.push(Question {
                    text: format!("What is the total quantity of {noun} on invoices from {supplier}?"),
                    operation: QuestionType::Sum,
                    truth: Truth::Value { hundredths: quantity * 100, over: 1, unit: None },
                });
            }
        }
    }
    questions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_the_same_documents_and_a_thousand_questions() {
        let (documents, questions) = make(7);
        let (again, _) = make(7);
        assert_eq!(documents, again);
        assert_eq!((documents.len(), questions.len()), (N_INVOICES + N_BOMS, N_QUESTIONS));
        assert!(questions.iter().any(|question| question.truth == Truth::Refuse));
        assert_ne!(documents, make(8).0);
    }
}
