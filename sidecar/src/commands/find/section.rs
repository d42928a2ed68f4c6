//! A passage in its section, for a terminal.

use super::INDENT;
use crate::output::{Output, WIDTH, printable, wrap};
use millwright_core::{
    document::NodeKind,
    lexical::Query,
    retrieve::context::{Block, Section, sentence_window},
    text,
};

/// A paragraph of more words is shown by the sentences around what was found.
const MAX_BLOCK_WORDS: u32 = 90;
/// Sentences on each side of one that answers.
const N_SENTENCES_AROUND: usize = 1;

pub(super) fn show(section: &Section, question: &str, output: &mut Output) {
    let query = Query::parse(question);
    for block in &section.blocks {
        if block.is_after_gap {
            output.line(&output.dim(&format!("{INDENT}…")));
        }
        for line in wrap(&printable(&shown(block, &query)), WIDTH - INDENT.len() - 2) {
            // What was found stands out even where nothing can be bold.
            let line = format!("{INDENT}{} {line}", if block.is_passage { "│" } else { " " });
            let line = if matches!(block.kind, NodeKind::Section { .. }) { output.bold(&line) } else { line };
            output.line(&line);
        }
    }
    if !section.is_whole {
        output.line(&output.dim(&format!("{INDENT}(a part of its section)")));
    }
}

/// The text of a block, of a long paragraph the sentences that answer.
fn shown(block: &Block, query: &Query) -> String {
    if matches!(block.kind, NodeKind::Code { .. } | NodeKind::Row { .. }) {
        return block.text.clone();
    }
    let language = text::language(&block.text).unwrap_or_default();
    let marks = query.marks(&block.text, language);
    let windows = sentence_window(&block.text, &marks, N_SENTENCES_AROUND, MAX_BLOCK_WORDS);
    let mut shown = String::new();
    let mut end = 0;
    for window in windows {
        shown.push_str(if window.start > end { "… " } else { "" });
        shown.push_str(&block.text[window.clone()]);
        end = window.end;
    }
    if end < block.text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use millwright_core::document::NodeId;

    #[test]
    fn long_paragraphs_are_shown_by_what_answers() {
        let text: String = (0..40).map(|n| format!("Sentence number {n} says a little. ")).collect();
        let kind = NodeKind::Paragraph;
        let block = Block { node: NodeId(1), kind, text, is_passage: true, is_after_gap: false };
        let shown = shown(&block, &Query::parse("20"));
        assert!(shown.starts_with("… Sentence number 19") && shown.ends_with('…') && !shown.contains("22"), "{shown}");
    }
}
