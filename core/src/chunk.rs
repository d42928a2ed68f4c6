//! Cuts a tree into chunks: the pieces that are searched and shown.
//!
//! A view over the tree, never the primary form: a chunk names its nodes and can be made again at any time.
//! Code and warnings are never split; tables only between rows, with the header repeated. What a person looking at the
//! document does not see is searched, too, but in chunks of its own that say so.

mod cutter;
mod place;
mod repeats;
mod table;

use crate::{
    document::{Document, DocumentId, NodeId, Span},
    text::{Language, language},
};
pub use place::ChunkPlace;
pub(crate) use repeats::Repeats;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Running text is gathered into chunks of at most this many words, where paragraphs allow: about 256 tokens of a
/// BERT vocabulary, which is what small embedding models read.
pub const MAX_TEXT_WORDS: u32 = 180;

/// Identifies a chunk: its document and its place in it. Orders by document id, then place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ChunkId {
    /// The document.
    pub document: DocumentId,
    /// From 0 in reading order.
    pub ordinal: u32,
}

impl fmt::Display for ChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.document, self.ordinal)
    }
}

/// What a chunk is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ChunkKind {
    /// Paragraphs, lists, notes and quotes of one section.
    Text,
    /// A whole table, or a run of its rows with the header repeated: a line a row, cells parted by ` | `.
    Table,
    /// One row of a data table: `column: value` pairs parted by `; `.
    Row,
    /// Code or terminal output.
    Code,
    /// A safety warning.
    Warning,
}

/// A searchable piece of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// Its document and place.
    pub id: ChunkId,
    /// What it is made of.
    pub kind: ChunkKind,
    /// The first node whose text it holds: where a reader is taken.
    pub node: NodeId,
    /// One past the last node it covers.
    pub end_node: NodeId,
    /// The headings above it, outermost first.
    pub heading_path: Vec<String>,
    /// Its text as shown.
    pub text: String,
    /// The page it begins on, from 1.
    pub page: Option<u32>,
    /// The range of the decoded source, for text formats.
    pub span: Option<Span>,
    /// Where else it stands, as a person would look it up.
    pub place: ChunkPlace,
    /// Why a person looking at the document does not see it, where that is so (see [`crate::document::facts::HIDDEN`]):
    /// all of it, since hidden text is never gathered together with visible text.
    pub hidden: Option<String>,
    /// The least confidence with which any of it was read from a picture, 0 to 1, two digits.
    pub confidence: Option<String>,
    /// Words in `text`, by [`crate::text::count_words`].
    pub n_words: u32,
    /// What it is written in: its own language where that shows, else the document's.
    pub language: Language,
    /// What the rows of a table are looked up by: the name of its first column and the first cell of each row.
    pub row_keys: Vec<(String, String)>,
}

/// Cuts a document into chunks in reading order. Furniture is left out. O(nodes times depth).
#[must_use]
pub fn chunk(document: &Document) -> Vec<Chunk> {
    let mut chunks = cutter::Cutter::new(document).cut();
    tell_languages(&mut chunks);
    chunks
}

/// Manuals often say the same in several languages, one after the other.
fn tell_languages(chunks: &mut [Chunk]) {
    let own: Vec<Option<Language>> = chunks.iter().map(|chunk| language(&chunk.text)).collect();
    let mut n_words = [0_u32; Language::ALL.len()];
    for (chunk, own) in chunks.iter().zip(&own) {
        if let Some(at) = own.and_then(|own| Language::ALL.iter().position(|language| *language == own)) {
            n_words[at] += chunk.n_words;
        }
    }
    let most = Language::ALL.iter().zip(n_words).rev().max_by_key(|(_, n_words)| *n_words);
    let of_document = most.filter(|(_, n_words)| *n_words > 0).map_or_else(Language::default, |(most, _)| *most);
    for (chunk, own) in chunks.iter_mut().zip(own) {
        chunk.language = own.unwrap_or(of_document);
    }
}

#[cfg(test)]
mod place_tests;
#[cfg(test)]
mod repeats_tests;
#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{DocumentBuilder, NodeKind, WarningGrade};

    fn cell(builder: &mut DocumentBuilder, text: &str) {
        builder.leaf(NodeKind::Cell { header: false, colspan: 1, rowspan: 1 }, text);
    }

    fn row(builder: &mut DocumentBuilder, header: bool, cells: &[&str]) {
        builder.open(NodeKind::Row { header }, "");
        for text in cells {
            cell(builder, text);
        }
        builder.close();
    }

    fn shapes(builder: DocumentBuilder) -> Vec<(ChunkKind, String, String)> {
        let chunks = chunk(&builder.finish());
        for (at, chunk) in chunks.iter().enumerate() {
            assert_eq!(chunk.id.ordinal as usize, at);
            assert!(chunk.node < chunk.end_node);
        }
        chunks.into_iter().map(|chunk| (chunk.kind, chunk.heading_path.join(" > "), chunk.text)).collect()
    }

    fn new() -> DocumentBuilder {
        DocumentBuilder::new(DocumentId::of(b"x"), "pump.md")
    }

    #[test]
    fn a_section_is_a_chunk_with_its_headings() {
        let mut builder = new();
        builder.section(1, "Care");
        builder.leaf(NodeKind::Paragraph, "Keep it clean.");
        builder.open(NodeKind::List { ordered: true }, "");
        builder.leaf(NodeKind::ListItem, "1. Stop.");
        builder.leaf(NodeKind::ListItem, "2. Wipe.");
        builder.close();
        builder.leaf(NodeKind::Furniture, "Page 3");
        builder.section(2, "Oil");
        builder.leaf(NodeKind::Paragraph, "Change it.");
        let text = |path: &str, text: &str| (ChunkKind::Text, path.to_owned(), text.to_owned());
        assert_eq!(
            shapes(builder),
            [text("Care", "Keep it clean.\n1. Stop.\n2. Wipe."), text("Care > Oil", "Change it."),]
        );
    }

    #[test]
    fn a_chunk_is_in_its_own_language_or_the_documents() {
        let mut builder = new();
        for (heading, text) in [
            ("Care", "Keep the pump clean and check the oil before it is started."),
            ("Pflege", "Die Pumpe ist sauber zu halten, und das Öl ist vor dem Start zu prüfen."),
            ("M6x20", "Welle, Dichtung, Lager"),
            ("Wartung", "Das Lager ist einmal im Jahr zu schmieren, wenn die Pumpe nicht läuft."),
        ] {
            builder.section(1, heading);
            builder.leaf(NodeKind::Paragraph, text);
        }
        let languages: Vec<Language> = chunk(&builder.finish()).into_iter().map(|chunk| chunk.language).collect();
        assert_eq!(languages, [Language::English, Language::German, Language::German, Language::German]);
        let mut builder = new();
        builder.leaf(NodeKind::Paragraph, "M6x20, 12 pcs");
        assert_eq!(chunk(&builder.finish())[0].language, Language::English);
    }

    #[test]
    fn warnings_and_code_stand_alone_and_whole() {
        let mut builder = new();
        builder.section(1, "Care");
        builder.leaf(NodeKind::Paragraph, "Before.");
        builder.open(NodeKind::Warning(WarningGrade::Danger), "");
        builder.leaf(NodeKind::Paragraph, "High voltage.");
        builder.leaf(NodeKind::Paragraph, "Disconnect first.");
        builder.close();
        builder.leaf(NodeKind::Code { language: String::new() }, &"G1 X10\n".repeat(300));
        let shapes = shapes(builder);
        let kinds: Vec<_> = shapes.iter().map(|(kind, ..)| *kind).collect();
        assert_eq!(kinds, [ChunkKind::Text, ChunkKind::Warning, ChunkKind::Code]);
        assert_eq!(shapes[1].2, "High voltage.\nDisconnect first.");
        assert_eq!(shapes[2].2.lines().count(), 300);
    }

    #[test]
    fn a_small_table_is_one_chunk_and_a_data_table_a_chunk_a_row() {
        let mut builder = new();
        builder.open(NodeKind::Table, "Torques");
        row(&mut builder, true, &["Bolt", "Torque"]);
        row(&mut builder, false, &["M6", "10 Nm"]);
        builder.close();
        let whole = chunk(&builder.finish());
        let [table] = whole.as_slice() else { panic!("{whole:?}") };
        assert_eq!((table.kind, table.text.as_str()), (ChunkKind::Table, "Torques\nBolt | Torque\nM6 | 10 Nm"));
        assert_eq!((table.node, table.end_node), (NodeId(1), NodeId(8)), "it is shown as a table, header and all");

        let mut builder = new();
        builder.open(NodeKind::Table, "");
        row(&mut builder, true, &["Code", "Meaning"]);
        for n in 0..200 {
            row(&mut builder, false, &[&n.to_string(), "something is wrong here", ""]);
        }
        builder.close();
        let shapes = shapes(builder);
        assert_eq!(shapes.len(), 200);
        assert_eq!(shapes[9], (ChunkKind::Row, String::new(), "Code: 9; Meaning: something is wrong here".to_owned()));
    }

    fn span(builder: &mut DocumentBuilder, text: &str, colspan: u16, rowspan: u16) {
        builder.leaf(NodeKind::Cell { header: false, colspan, rowspan }, text);
    }

    #[test]
    fn a_row_has_the_names_of_all_header_rows_its_group_and_what_spans_down_to_it() {
        let mut builder = new();
        builder.open(NodeKind::Table, "");
        builder.open(NodeKind::Row { header: true }, "");
        span(&mut builder, "Size", 1, 2);
        span(&mut builder, "Torque", 2, 1);
        builder.close();
        row(&mut builder, true, &["Nm", "lb-ft"]);
        for group in ["Steel", "Brass"] {
            builder.open(NodeKind::Row { header: false }, "");
            span(&mut builder, group, 3, 1);
            builder.close();
            for n in 0..30 {
                builder.open(NodeKind::Row { header: false }, "");
                span(&mut builder, &format!("M{n}"), 1, 2);
                span(&mut builder, "dry, as it comes from the box", 1, 1);
                span(&mut builder, "7", 1, 1);
                builder.close();
                row(&mut builder, false, &["oiled", "5"]);
            }
        }
        row(&mut builder, false, &["All at 20 °C", "", ""]);
        builder.close();
        let shapes = shapes(builder);
        let texts: Vec<&str> = shapes.iter().map(|(_, _, text)| text.as_str()).collect();
        assert_eq!(shapes.len(), 121, "no chunk for a group alone");
        assert_eq!(texts[0], "Steel; Size: M0; Torque / Nm: dry, as it comes from the box; Torque / lb-ft: 7");
        assert_eq!(texts[61], "Brass; Size: M0; Torque / Nm: oiled; Torque / lb-ft: 5");
        assert_eq!(texts[120], "All at 20 °C", "a name without rows is not lost");
    }

    #[test]
    fn groups_stay_with_their_rows_where_a_table_is_cut() {
        let mut builder = new();
        builder.open(NodeKind::Table, "");
        row(&mut builder, false, &["Fault", "Remedy"]);
        for group in ["Mechanics", "Electrics"] {
            row(&mut builder, false, &[group, ""]);
            for n in 0..8 {
                row(&mut builder, false, &[&format!("F{n}"), &"turn it off and on again with care ".repeat(3)]);
            }
        }
        builder.close();
        let shapes = shapes(builder);
        assert!(
            shapes.len() > 2
                && shapes.iter().skip(1).all(|(_, _, text)| text.starts_with("Mechanics")
                    || text.starts_with("Electrics")
                    || text.contains("Electrics\nF0")),
            "{shapes:#?}"
        );
    }

    #[test]
    fn long_text_is_cut_between_paragraphs_and_sentences() {
        let mut builder = new();
        let sentence = "The pump is checked every week by the technician on duty. ";
        builder.leaf(NodeKind::Paragraph, &sentence.repeat(100));
        builder.leaf(NodeKind::Paragraph, sentence.trim());
        let shapes = shapes(builder);
        assert!(shapes.len() >= 6);
        for (_, _, text) in &shapes {
            assert!(text.ends_with('.'), "cut inside a sentence: {text}");
            assert!(crate::text::count_words(text) <= MAX_TEXT_WORDS);
        }
        let words: u32 = shapes.iter().map(|(_, _, text)| crate::text::count_words(text)).sum();
        assert_eq!(words, 101 * 11, "nothing is lost");
    }

    #[test]
    fn a_heading_without_text_can_be_found() {
        let mut builder = new();
        builder.section(1, "Spare parts on request");
        assert_eq!(shapes(builder), [(ChunkKind::Text, String::new(), "Spare parts on request".to_owned())]);
    }
}
