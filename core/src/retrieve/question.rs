//! What a question is about, told by explicit rules over its text: what it names, what it counts, what it wants to see, and
//! what it leaves out.
//!
//! Any text is a question; nothing here fails. Not for looking anything up: that is [`crate::lexical`].

mod intent;
mod named;
mod syntax;

use crate::{
    lexical::{Query, analysis},
    parse::Format,
    text::{self, Language},
};
pub use intent::Wanted;
pub use named::{Named, NamedKind, gstin_check};
use syntax::Parts;

/// A question longer than this is cut: someone pasted a document.
const MAX_QUESTION_BYTES: usize = 4096;

/// A question, taken apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Question {
    /// What is looked up: the question without what only leaves out or narrows down.
    pub subject: String,
    /// What it names and counts, in order.
    pub named: Vec<Named>,
    /// What must stand so, word for word: the parts in quotation marks.
    pub phrases: Vec<String>,
    /// What must not occur: `-word`.
    pub excluded: Vec<String>,
    /// Which documents are meant.
    pub filters: Filters,
    /// It asks for a row or a value of one: which item, the price of, how many.
    pub is_row_level: bool,
    /// What kind of passage answers it, where it says so.
    pub wanted: Option<Wanted>,
    /// Words that say what it is about: neither its frame, nor parts of what it names.
    pub n_words: usize,
}

/// Which documents a question means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// `doc:pump`: the name or title has this.
    pub names: Vec<String>,
    /// `type:pdf`, `type:invoice`: the ending, the format or the class.
    pub types: Vec<String>,
    /// `date:2026-03-12`, `supplier:Kirloskar`: somewhere in the document stands this.
    pub contents: Vec<String>,
    /// Files that the question names in passing ("in manual X.pdf"). A filter only if there are such documents.
    pub files: Vec<String>,
    /// The class of document that it names in passing ("in the invoice"). Says what is likelier, leaves nothing out.
    pub class: Option<DocumentClass>,
}

/// The classes of documents that questions name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DocumentClass {
    /// An invoice or a bill.
    Invoice,
    /// A manual, a handbook, instructions.
    Manual,
    /// A bill of materials or parts list.
    PartsList,
}

impl DocumentClass {
    /// By what it is called in a question or a name, as folded words.
    const NAMES: [(&'static [&'static str], Self); 3] = [
        (
            &["invoice", "invoices", "bill", "rechnung", "rechnungen", "facture", "factures", "factura", "facturas"],
            Self::Invoice,
        ),
        (
            &["manual", "manuals", "handbook", "handbuch", "anleitung", "manuel", "notice", "guide", "instructions"],
            Self::Manual,
        ),
        (&["bom", "stuckliste", "stucklisten", "nomenclature", "despiece"], Self::PartsList),
    ];

    /// The class that a word names.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        let folded = analysis::fold(word);
        Self::NAMES.iter().find(|(names, _)| names.contains(&folded.as_str())).map(|(_, class)| *class)
    }
}

impl Filters {
    /// Whether the question itself narrows down where to look.
    #[must_use]
    pub fn is_explicit(&self) -> bool {
        !(self.names.is_empty() && self.types.is_empty() && self.contents.is_empty())
    }

    /// Whether a document is among those that names and types leave. O(length of the names).
    #[must_use]
    pub fn admits(&self, name: &str, title: &str, format: Format) -> bool {
        let (name, title) = (folded_words(name), folded_words(title));
        let has = |wanted: &String| {
            let wanted = folded_words(wanted);
            name.contains(&wanted) || title.contains(&wanted)
        };
        let is_of = |wanted: &String| {
            let of_class = DocumentClass::of_word(wanted).is_some_and(|class| {
                let in_name = [&name, &title]
                    .iter()
                    .any(|text| text.split(' ').any(|w| DocumentClass::of_word(w) == Some(class)));
                in_name || class == DocumentClass::Invoice && format == Format::Invoice
            });
            let wanted = folded_words(wanted);
            of_class || name.ends_with(&format!(" {wanted}")) || folded_words(format.label()) == wanted
        };
        self.names.iter().all(has) && self.types.iter().all(is_of)
    }

    /// Whether a document is one of the files that are named in passing.
    #[must_use]
    pub fn names_file(&self, name: &str) -> bool {
        let base = |name: &str| analysis::fold(name.rsplit(['/', '\\']).next().unwrap_or(name));
        self.files.iter().any(|file| base(file) == base(name))
    }
}

/// The folded words of a text, parted by single blanks.
fn folded_words(text: &str) -> String {
    let mut words = Vec::new();
    analysis::for_each_word(text, |start, end| words.push(analysis::fold(&text[start..end])));
    words.join(" ")
}

impl Question {
    /// Takes a question apart. O(n).
    #[must_use]
    pub fn parse(question: &str) -> Self {
        let question = &question[..question.floor_char_boundary(MAX_QUESTION_BYTES)];
        let Parts { subject, phrases, excluded, mut filters } = syntax::parts(question);
        let language = text::language(&subject).unwrap_or_default();
        let folded = folded_words(&subject);
        filters.files = syntax::files(&subject);
        filters.class = intent::class(&folded);
        let named = named::named(&subject, &filters.files);
        let n_words = n_words(&subject, language, &named);
        Self {
            named,
            phrases,
            excluded,
            filters,
            is_row_level: intent::is_row_level(&folded),
            wanted: intent::wanted(&folded),
            n_words,
            subject,
        }
    }

    /// What is looked up for it.
    #[must_use]
    pub fn query(&self) -> Query {
        let mut query = Query::parse(&self.subject);
        self.excluded.iter().for_each(|unwanted| query.exclude(unwanted));
        self.phrases.iter().for_each(|phrase| query.require(phrase));
        query
    }

    /// What it names: codes, numbers of documents, errors. Not what it counts or measures.
    pub fn identifiers(&self) -> impl Iterator<Item = &Named> {
        self.named.iter().filter(|named| named.kind.is_identifier())
    }

    /// How many figures it has that name nothing: amounts, dimensions, dates, numbers.
    #[must_use]
    pub fn n_figures(&self) -> usize {
        self.named.len() - self.identifiers().count()
    }

    /// Whether it is about figures as much as about words.
    #[must_use]
    pub fn is_numeric(&self) -> bool {
        self.n_figures() > 0 && self.n_figures() >= self.n_words
    }

    /// Whether a text has all phrases of the question word for word, apart from case, accents and white space. O(n).
    #[must_use]
    pub fn has_phrases(&self, text: &str) -> bool {
        if self.phrases.is_empty() {
            return true;
        }
        let text = format!(" {} ", folded_words(text));
        self.phrases.iter().all(|phrase| text.contains(&format!(" {} ", folded_words(phrase))))
    }
}

/// Words that say only what kind of thing an identifier is, folded, and what is asked of it in any case.
const LABELS: [&str; 58] = [
    "alarm",
    "article",
    "artikel",
    "articulo",
    "auftrag",
    "batch",
    "bedeutet",
    "bestellung",
    "charge",
    "code",
    "commande",
    "codigo",
    "document",
    "drawing",
    "error",
    "erreur",
    "fault",
    "fehler",
    "factura",
    "facture",
    "gstin",
    "id",
    "info",
    "invoice",
    "item",
    "lot",
    "material",
    "mean",
    "meaning",
    "means",
    "no",
    "nr",
    "number",
    "numero",
    "nummer",
    "order",
    "part",
    "parts",
    "pedido",
    "piece",
    "pieza",
    "po",
    "product",
    "rechnung",
    "ref",
    "reference",
    "referencia",
    "rev",
    "revision",
    "serial",
    "signifie",
    "significa",
    "sku",
    "spare",
    "storung",
    "teil",
    "warning",
    "zeichnung",
];

/// How many words of a question say what it is about.
fn n_words(subject: &str, language: Language, named: &[Named]) -> usize {
    let words = analysis::words(subject, language);
    let of_subject = words.iter().filter(|word| {
        let folded = analysis::fold(&subject[word.start..word.end]);
        let is_frame = [language, Language::English]
            .into_iter()
            .any(|language| analysis::is_question_word(&folded, language) || analysis::is_stop_word(&folded, language));
        !is_frame
            && !LABELS.contains(&folded.as_str())
            && !named.iter().any(|named| named.start < word.end && word.start < named.end)
    });
    // A dimension such as M6x20 is three terms at one place.
    let mut places: Vec<usize> = of_subject.map(|word| word.start).collect();
    places.dedup();
    places.len()
}

#[cfg(test)]
mod tests;
