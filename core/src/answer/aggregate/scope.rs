//! Which rows a question is about: those that have its words, in their own cells or in what their document says of all of them.

use super::{Row, Stretch, Table, Target};
use crate::{
    answer::understand::{aggregate_words, folded},
    lexical::analysis,
    retrieve::{Question, question::DocumentClass},
    text::Language,
};

/// Words that say only that rows are meant, folded.
const ROWS: [&str; 26] = [
    "item",
    "items",
    "row",
    "rows",
    "line",
    "lines",
    "position",
    "positions",
    "entry",
    "entries",
    "record",
    "records",
    "posten",
    "positionen",
    "zeile",
    "zeilen",
    "table",
    "list",
    "part",
    "parts",
    "component",
    "components",
    "teile",
    "artikel",
    "article",
    "articles",
];
/// Words of a question's frame that are no stop words, folded.
const FRAME: [&str; 66] = [
    "all",
    "every",
    "each",
    "across",
    "contain",
    "contains",
    "contained",
    "listed",
    "there",
    "together",
    "come",
    "comes",
    "cost",
    "costs",
    "use",
    "used",
    "uses",
    "need",
    "needed",
    "ordered",
    "order",
    "bought",
    "sold",
    "supplied",
    "invoiced",
    "billed",
    "charged",
    "supply",
    "paid",
    "document",
    "documents",
    "file",
    "files",
    "whole",
    "entire",
    "calculate",
    "compute",
    "add",
    "up",
    "over",
    "per",
    "alle",
    "aller",
    "allen",
    "insgesamt",
    "gibt",
    "kosten",
    "value",
    "values",
    "amount",
    "what",
    "s",
    "than",
    "have",
    "having",
    "named",
    "called",
    "put",
    "find",
    "under",
    "column",
    "our",
    "overall",
    "altogether",
    "stand",
    "stands",
];
/// Documents that can be counted.
const DOCUMENTS: [&str; 14] = [
    "invoice",
    "invoices",
    "bill",
    "bills",
    "document",
    "documents",
    "file",
    "files",
    "rechnungen",
    "rechnung",
    "boms",
    "bom",
    "orders",
    "receipts",
];

/// A word or identifier of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    /// As indexed: a stem, or an identifier.
    text: String,
    word: String,
    folded: String,
    is_identifier: bool,
    names_class: bool,
}

impl Term {
    pub(super) fn shown(&self) -> &str {
        &self.word
    }

    pub(super) fn is_identifier(&self) -> bool {
        self.is_identifier
    }

    /// The stem, or the identifier.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn is(&self, folded: &[&str]) -> bool {
        folded.contains(&self.folded.as_str())
    }
}

/// What a question is about, without its frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    pub(super) terms: Vec<Term>,
    /// All folded words, for phrases.
    pub(super) folded: String,
}

impl Wanted {
    /// The terms of a question that say something.
    pub(super) fn of(question: &str) -> Self {
        let parsed = Question::parse(question);
        let subject = &parsed.subject;
        let identifiers: Vec<(usize, usize)> = parsed
            .named
            .iter()
            .filter(|named| {
                named.kind.is_identifier()
                    && named.text.contains(|c: char| c.is_ascii_digit())
                    && !named.text.contains(' ')
            })
            .map(|named| (named.start, named.end))
            .collect();
        let mut terms: Vec<Term> = Vec::new();
        for (start, end) in &identifiers {
            let word = &subject[*start..*end];
            for found in analysis::identifiers(word).into_iter().take(1) {
                terms.push(Term {
                    text: found.text,
                    word: word.to_owned(),
                    folded: analysis::fold(word),
                    is_identifier: true,
                    names_class: false,
                });
            }
        }
        let language = crate::text::language(subject).unwrap_or_default();
        for found in analysis::words(subject, Language::English) {
            let word = &subject[found.start..found.end];
            let folded = analysis::fold(word);
            let is_inside = identifiers.iter().any(|(start, end)| found.start < *end && *start < found.end);
            let is_frame = analysis::is_question_word(&folded, Language::English)
                || analysis::is_question_word(&folded, language)
                || analysis::is_stop_word(&folded, language)
                || FRAME.contains(&folded.as_str())
                || word.chars().count() < 2 && word.chars().all(char::is_alphabetic);
            let is_file = parsed.filters.files.iter().any(|file| analysis::fold(file).contains(&folded));
            if !is_inside && !is_frame && !is_file && terms.iter().all(|known| known.text != found.text) {
                let names_class = DocumentClass::of_word(&folded).is_some();
                terms.push(Term { text: found.text, word: word.to_owned(), folded, is_identifier: false, names_class });
            }
        }
        Self { terms, folded: format!(" {} ", folded_text(question)) }
    }

    /// Whether a folded phrase stands in the question.
    pub(super) fn has(&self, phrase: &str) -> bool {
        self.folded.contains(&format!(" {phrase} "))
    }

    /// "How many invoices", "number of documents".
    pub(super) fn counts_documents(&self) -> bool {
        ["how many", "number of", "wie viele", "anzahl der", "anzahl"]
            .iter()
            .any(|lead| DOCUMENTS.iter().any(|noun| self.has(&format!("{lead} {noun}"))))
    }

    /// What rows must have, where documents are counted.
    pub(super) fn all_filters(&self) -> Vec<Term> {
        self.terms.iter().filter(|term| !is_generic(term) && !term.is(&DOCUMENTS)).cloned().collect()
    }

    /// What rows must have: all but the words of the column that is computed with.
    pub(super) fn filters(&self, target: &Target) -> Vec<Term> {
        let is_filter = |term: &&Term| !is_generic(term) && !target.consumes(term);
        self.terms.iter().filter(is_filter).cloned().collect()
    }
}

fn folded_text(question: &str) -> String {
    folded(question).join(" ")
}

fn is_generic(term: &Term) -> bool {
    !term.is_identifier && (term.is(&ROWS) || aggregate_words().any(|word| word == term.folded))
}

/// The rows of a table that are meant.
#[derive(Debug, Default)]
pub(super) struct Selection<'a> {
    pub(super) rows: Vec<&'a Row>,
    pub(super) n_hidden: usize,
    /// No row was left out for its words.
    pub(super) is_whole: bool,
}

/// The rows of a table that have every filter: in their cells where any row of the table has it there, else in what the document
/// says outside its tables.
pub(super) fn select<'a>(stretch: &Stretch, table: &'a Table, filters: &[Term]) -> Selection<'a> {
    let heading = [stretch.name.as_str(), &stretch.title, &table.caption, &stretch.about].join("\n");
    let of_document = Has::of(&heading);
    let rows: Vec<(&Row, Has)> =
        table.rows.iter().filter(|row| !row.is_total).map(|row| (row, Has::of(&row_text(table, row)))).collect();
    let mut at_rows: Vec<&Term> = Vec::new();
    for filter in filters {
        if rows.iter().any(|(_, has)| has.has(filter)) {
            // The document's own number is often in no row, and a word of its title in some.
            if !(of_document.has(filter) && filter.is_identifier) {
                at_rows.push(filter);
            }
        } else if !of_document.has(filter) && !filter.names_class {
            return Selection::default();
        }
    }
    let mut selection = Selection { is_whole: at_rows.is_empty(), ..Selection::default() };
    for (row, has) in rows {
        if at_rows.iter().all(|filter| has.has(filter)) {
            if row.is_hidden {
                selection.n_hidden += 1;
            } else {
                selection.rows.push(row);
            }
        }
    }
    selection
}

fn row_text(table: &Table, row: &Row) -> String {
    let cells = row.cells.iter().enumerate().map(|(at, cell)| {
        // "M8" of a column named "Size" is found as it is; a number under what it numbers, too: "error:9".
        let name = table.columns.get(at).map_or("", String::as_str);
        format!(
            "{}\n{name} {}",
            cell.text,
            if cell.text.chars().all(|c| c.is_ascii_digit()) { cell.text.as_str() } else { "" }
        )
    });
    let group = row.group.clone().unwrap_or_default();
    cells.chain([group]).collect::<Vec<_>>().join("\n")
}

/// The stems and identifiers of a text, sorted.
struct Has {
    words: Vec<String>,
    identifiers: Vec<String>,
}

impl Has {
    fn of(text: &str) -> Self {
        let mut words: Vec<String> =
            analysis::words(text, Language::English).into_iter().map(|term| term.text).collect();
        let mut identifiers: Vec<String> = analysis::identifiers(text).into_iter().map(|term| term.text).collect();
        words.sort();
        identifiers.sort();
        Self { words, identifiers }
    }

    fn has(&self, term: &Term) -> bool {
        let among = if term.is_identifier { &self.identifiers } else { &self.words };
        among.binary_search(&term.text).is_ok()
    }
}
