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
    /// It is a name of several words, which stand together.
    is_phrase: bool,
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
    /// The class of documents that is meant.
    class: Option<DocumentClass>,
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
                    is_phrase: false,
                });
            }
        }
        let folded_question = format!(" {} ", folded_text(question));
        let asks_parts = PARTS_LISTS.iter().any(|phrase| folded_question.contains(&format!(" {phrase} ")));
        let mut class = asks_parts.then_some(DocumentClass::PartsList);
        let names = names(subject);
        for (start, end) in &names {
            let folded = folded_text(&subject[*start..*end]);
            terms.push(Term {
                text: folded.clone(),
                word: subject[*start..*end].to_owned(),
                folded,
                is_identifier: false,
                is_phrase: true,
            });
        }
        let language = crate::text::language(subject).unwrap_or_default();
        for found in analysis::words(subject, Language::English) {
            let word = &subject[found.start..found.end];
            let folded = analysis::fold(word);
            let is_inside =
                identifiers.iter().chain(&names).any(|(start, end)| found.start < *end && *start < found.end);
            let is_frame = analysis::is_question_word(&folded, Language::English)
                || analysis::is_question_word(&folded, language)
                || analysis::is_stop_word(&folded, language)
                || FRAME.contains(&folded.as_str())
                || word.chars().count() < 2 && word.chars().all(char::is_alphabetic);
            let is_file = parsed.filters.files.iter().any(|file| analysis::fold(file).contains(&folded));
            if asks_parts && matches!(folded.as_str(), "bill" | "material" | "materials") {
                continue;
            }
            if let Some(of_word) = DocumentClass::of_word(&folded) {
                class = class.or(Some(of_word));
                continue;
            }
            if !is_inside && !is_frame && !is_file && terms.iter().all(|known| known.text != found.text) {
                terms.push(Term {
                    text: found.text,
                    word: word.to_owned(),
                    folded,
                    is_identifier: false,
                    is_phrase: false,
                });
            }
        }
        Self { terms, class, folded: folded_question }
    }

    /// The stretches of the documents that are meant, by their class: where some are of the one that is asked for, those of no
    /// class are none, unless the question names one by its number.
    pub(super) fn of_class<'s>(&self, stretches: &'s [Stretch]) -> Vec<&'s Stretch> {
        let all = || stretches.iter().collect();
        let Some(wanted) = self.class else { return all() };
        let classes: Vec<Option<DocumentClass>> = stretches.iter().map(class_of).collect();
        if !classes.contains(&Some(wanted)) {
            return all();
        }
        let names_one = self.terms.iter().any(Term::is_identifier);
        let is_meant = |class: &Option<DocumentClass>| *class == Some(wanted) || class.is_none() && names_one;
        stretches.iter().zip(&classes).filter(|(_, class)| is_meant(class)).map(|(stretch, _)| stretch).collect()
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

/// What parts lists call themselves, folded.
const PARTS_LISTS: [&str; 6] = ["bill of materials", "bills of materials", "bom", "boms", "parts list", "stuckliste"];
/// A document says at its beginning what it is.
const MAX_CLASS_BYTES: usize = 300;

/// The class of a document, by its name, its title and its first words.
fn class_of(stretch: &Stretch) -> Option<DocumentClass> {
    let about = &stretch.about[..stretch.about.floor_char_boundary(MAX_CLASS_BYTES)];
    let words = folded(&[stretch.name.as_str(), &stretch.title, about].join("\n"));
    let all = format!(" {} ", words.join(" "));
    if PARTS_LISTS.iter().any(|phrase| all.contains(&format!(" {phrase} "))) {
        return Some(DocumentClass::PartsList);
    }
    let of_word =
        |word: &String| if word == "inv" { Some(DocumentClass::Invoice) } else { DocumentClass::of_word(word) };
    words.iter().find_map(of_word)
}

/// Names of several words: runs of words with a capital that stand together, but for the first of the question.
fn names(subject: &str) -> Vec<(usize, usize)> {
    let mut words: Vec<(usize, usize)> = Vec::new();
    analysis::for_each_word(subject, |start, end| words.push((start, end)));
    let is_name = |at: usize| {
        words.get(at).filter(|_| at > 0).is_some_and(|(start, end)| {
            let word = &subject[*start..*end];
            let is_plain = word.chars().all(char::is_alphabetic) && word.chars().count() > 1;
            is_plain && word.starts_with(char::is_uppercase) && DocumentClass::of_word(word).is_none()
        })
    };
    let mut names = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let mut end = at;
        while is_name(end) && (end == at || subject.get(words[end - 1].1..words[end].0) == Some(" ")) {
            end += 1;
        }
        if end > at + 1 {
            names.push((words[at].0, words[end - 1].1));
        }
        at = end.max(at + 1);
    }
    names
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

/// By filter: whether any row of the tables has it.
pub(super) fn in_rows(tables: &[&Table], filters: &[Term]) -> Vec<bool> {
    let mut found = vec![false; filters.len()];
    for row in tables.iter().flat_map(|table| table.rows.iter().map(|row| (*table, row))) {
        let has = Has::of(&row_text(row.0, row.1));
        for (found, filter) in found.iter_mut().zip(filters) {
            *found |= has.has(filter);
        }
    }
    found
}

/// The rows of a table that have every filter: in their cells where any row of the table has it there, else in what the document
/// says outside its tables.
///
/// A plain word that stands in rows of any of the tables (`in_rows`, by filter) is one of rows: that a document speaks of gaskets
/// does not make all of its rows such. Only its name and title say it of all.
pub(super) fn select<'a>(stretch: &Stretch, table: &'a Table, filters: &[Term], in_rows: &[bool]) -> Selection<'a> {
    let stem = crate::document::file_stem(&stretch.name);
    let heading = [stretch.name.as_str(), stem, &stretch.title, &table.caption, &stretch.about].join("\n");
    let of_document = Has::of(&heading);
    let of_title = Has::of(&[stem, &stretch.title, &table.caption].join("\n"));
    let rows: Vec<(&Row, Has)> =
        table.rows.iter().filter(|row| !row.is_total).map(|row| (row, Has::of(&row_text(table, row)))).collect();
    let mut at_rows: Vec<&Term> = Vec::new();
    for (at, filter) in filters.iter().enumerate() {
        let is_of_rows = in_rows.get(at) == Some(&true) && !filter.is_identifier && !filter.is_phrase;
        if rows.iter().any(|(_, has)| has.has(filter)) {
            // The document's own number is often in no row, and a word of its title in some.
            if !(of_document.has(filter) && filter.is_identifier) {
                at_rows.push(filter);
            }
        } else if !of_document.has(filter) || is_of_rows && !of_title.has(filter) {
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
    folded: String,
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
        Self { folded: format!(" {} ", folded_text(text)), words, identifiers }
    }

    fn has(&self, term: &Term) -> bool {
        if term.is_phrase {
            return self.folded.contains(&format!(" {} ", term.text));
        }
        let among = if term.is_identifier { &self.identifiers } else { &self.words };
        among.binary_search(&term.text).is_ok()
    }
}
