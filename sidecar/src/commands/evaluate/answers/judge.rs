//! Compares one answer with what is known of its question.

use crate::collections::questions::Case;
use millwright_core::{
    grade::Signals,
    protocol::{Answer, AnswerKind, Support},
};

/// An answer, compared.
#[derive(Clone, Debug, Default)]
pub(super) struct Judged {
    pub(super) id: String,
    pub(super) question: String,
    pub(super) said: String,
    pub(super) kind: String,
    pub(super) is_answered: bool,
    pub(super) is_answerable: Option<bool>,
    /// What it says has the span; `None` where no span is known.
    pub(super) has_span: Option<bool>,
    pub(super) n_citations: usize,
    /// Citations whose passage has the span, or is of a document that answers where no span is known.
    pub(super) n_right: usize,
    /// The share of the known answer's words that it says.
    pub(super) recall: f64,
    /// Figures that it says and that do not stand in what it cites.
    pub(super) n_unsupported: usize,
    pub(super) signals: Signals,
    pub(super) confidence: f32,
}

impl Judged {
    /// It says something, and nothing that it cites answers.
    pub(super) fn is_wrong(&self) -> bool {
        self.is_answered && (self.is_answerable == Some(false) || self.n_right == 0)
    }
}

/// Compares.
pub(super) fn judge(case: &Case, answer: &Answer, signals: Option<Signals>) -> Judged {
    let said = answer.text();
    let spans: Vec<String> = case.spans.iter().map(|span| plain(span)).collect();
    let has = |text: &str| {
        let text = plain(text);
        spans.iter().any(|span| text.contains(span.as_str()))
    };
    let text_of =
        |chunk| answer.evidence.iter().find(|passage| passage.chunk == chunk).map(|passage| passage.text.clone());
    let is_right = |citation: &&millwright_core::protocol::Citation| {
        let is_of_document = case.documents.contains(&citation.name);
        // A long answer is nowhere word for word: there the section counts.
        if spans.is_empty() || spans.iter().all(|span| span.split(' ').count() > 12) {
            return is_of_document;
        }
        let quoted = || citation.quotes.iter().map(|quote| quote.text.as_str()).collect::<Vec<_>>().join(" ");
        has(&text_of(citation.chunk.clone()).unwrap_or_else(quoted))
    };
    let is_answered = !matches!(answer.kind, AnswerKind::NotFound | AnswerKind::Failed);
    Judged {
        id: case.id.clone(),
        question: case.question.clone(),
        kind: format!("{:?}", answer.kind),
        is_answered,
        is_answerable: case.is_answerable,
        has_span: (!spans.is_empty()).then(|| has(&said)),
        n_citations: answer.citations.len(),
        n_right: answer.citations.iter().filter(is_right).count(),
        recall: spans.first().map_or(0.0, |span| recall(span, &plain(&said))),
        n_unsupported: unsupported(answer),
        signals: signals.unwrap_or_default(),
        confidence: answer.confidence.score,
        said,
    }
}

/// Lower case, without punctuation at the edges of words, single blanks.
fn plain(text: &str) -> String {
    let words = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '%' | '$' | '°')).to_lowercase());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[expect(clippy::cast_precision_loss, reason = "few words")]
fn recall(known: &str, said: &str) -> f64 {
    let words: Vec<&str> = known.split(' ').collect();
    let said: Vec<&str> = said.split(' ').collect();
    let n_said = words.iter().filter(|word| said.contains(word)).count();
    n_said as f64 / words.len().max(1) as f64
}

/// Runs of figures of statements that none of their quotations has, but for what was computed.
fn unsupported(answer: &Answer) -> usize {
    let of_statement = |statement: &millwright_core::protocol::Statement| {
        if statement.support == Support::Computed {
            return 0;
        }
        let citations = statement.citations.iter().filter_map(|number| answer.citation(*number));
        let quoted: String =
            citations.flat_map(|citation| citation.quotes.iter()).map(|quote| format!("{} ", quote.text)).collect();
        let known = figures(&quoted);
        figures(&statement.text).into_iter().filter(|figure| !known.contains(figure)).count()
    };
    answer.statements.iter().map(of_statement).sum()
}

/// Words with a figure in them, without punctuation around.
fn figures(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ';' | '|' | '(' | ')'));
    let trimmed = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase());
    trimmed.filter(|word| word.contains(|c: char| c.is_ascii_digit())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_compared_without_their_punctuation() {
        assert_eq!(plain("  The “Pump”, 3.5 bar. "), "the pump 3.5 bar");
        assert!((recall("the red pump", "a red pump runs") - 2.0 / 3.0).abs() < 1e-9);
        assert_eq!(figures("Torque: 25 Nm; M8 (rev. 2)"), ["25", "m8", "2"]);
    }
}
