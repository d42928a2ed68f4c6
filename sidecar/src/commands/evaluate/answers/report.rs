//! Adds up how answers did, and shows it.

use super::Judged;
use crate::{commands::CommandError, output::Output};
use millwright_core::protocol::{Failure, FailureKind};
use serde::Serialize;
use std::{fmt::Write as _, fs, path::Path};

/// How a collection's questions were answered. Shares are `None` where there is nothing to divide by.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Report {
    collection: String,
    n_questions: usize,
    n_answered: usize,
    n_refused: usize,
    /// Answered, and nothing that is cited answers.
    n_wrong: usize,
    /// Of all questions with a known span: what is said has it.
    contains_span: Option<f64>,
    /// Of the answered ones.
    contains_span_answered: Option<f64>,
    /// Of all citations: the passage has the span.
    citation_precision: Option<f64>,
    /// Of all answerable questions: some cited passage has the span.
    citation_recall: Option<f64>,
    /// Of all unanswerable questions: refused.
    unanswerable_refused: Option<f64>,
    /// Of all answerable questions: answered.
    answerable_answered: Option<f64>,
    /// The share of the known answers' words that is said.
    answer_recall: Option<f64>,
    /// Figures said that do not stand in what is cited.
    n_unsupported_figures: usize,
}

#[expect(clippy::cast_precision_loss, reason = "counts of questions")]
fn share(n: usize, of: usize) -> Option<f64> {
    (of > 0).then(|| n as f64 / of as f64)
}

impl Report {
    pub(super) fn new(collection: &str, judged: &[Judged]) -> Self {
        let count = |is_it: &dyn Fn(&Judged) -> bool| judged.iter().filter(|judged| is_it(judged)).count();
        let n_answered = count(&|judged| judged.is_answered);
        let n_with_span = count(&|judged| judged.has_span.is_some());
        let n_has_span = count(&|judged| judged.has_span == Some(true));
        let is_answerable = |judged: &Judged| judged.is_answerable == Some(true);
        let is_unanswerable = |judged: &Judged| judged.is_answerable == Some(false);
        let n_answerable = count(&is_answerable);
        let recalls: Vec<f64> =
            judged.iter().filter(|judged| judged.has_span.is_some()).map(|judged| judged.recall).collect();
        let judged_citations = || judged.iter().filter(|judged| is_answerable(judged));
        Self {
            collection: collection.to_owned(),
            n_questions: judged.len(),
            n_answered,
            n_refused: judged.len() - n_answered,
            n_wrong: count(&|judged| judged.is_wrong()),
            contains_span: share(n_has_span, n_with_span),
            contains_span_answered: share(n_has_span, count(&|judged| judged.is_answered && judged.has_span.is_some())),
            citation_precision: share(
                judged_citations().map(|judged| judged.n_right).sum(),
                judged_citations().map(|judged| judged.n_citations).sum(),
            ),
            citation_recall: share(count(&|judged| is_answerable(judged) && judged.n_right > 0), n_answerable),
            unanswerable_refused: share(
                count(&|judged| is_unanswerable(judged) && !judged.is_answered),
                count(&is_unanswerable),
            ),
            answerable_answered: share(count(&|judged| is_answerable(judged) && judged.is_answered), n_answerable),
            #[expect(clippy::cast_precision_loss, reason = "counts of questions")]
            answer_recall: (!recalls.is_empty()).then(|| recalls.iter().sum::<f64>() / recalls.len() as f64),
            n_unsupported_figures: judged.iter().map(|judged| judged.n_unsupported).sum(),
        }
    }

    pub(super) fn show(&self, output: &mut Output) {
        let shown = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{share:.3}"));
        output.line(&format!("{}: {} questions", self.collection, self.n_questions));
        for (name, value) in [
            ("answered", self.n_answered.to_string()),
            ("refused", self.n_refused.to_string()),
            ("wrong (answered, nothing cited answers)", self.n_wrong.to_string()),
            ("says the known span, of all", shown(self.contains_span)),
            ("says the known span, of the answered", shown(self.contains_span_answered)),
            ("citation precision", shown(self.citation_precision)),
            ("citation recall", shown(self.citation_recall)),
            ("unanswerable refused", shown(self.unanswerable_refused)),
            ("answerable answered", shown(self.answerable_answered)),
            ("words of the known answer said", shown(self.answer_recall)),
            ("figures not in what is cited", self.n_unsupported_figures.to_string()),
        ] {
            output.line(&format!("  {name:<42}{value:>8}"));
        }
    }
}

pub(super) fn write_csv(path: &Path, judged: &[Judged]) -> Result<(), CommandError> {
    let mut csv = "id,kind,answered,answerable,has_span,citations,right,unsupported,coverage,window,named,alignment,missing,support,confidence\n".to_owned();
    for one in judged {
        let signals = one.signals;
        let answerable = one.is_answerable.map_or("", |is| if is { "yes" } else { "no" });
        let has_span = one.has_span.map_or("", |has| if has { "yes" } else { "no" });
        let _ = writeln!(
            csv,
            "{},{},{},{answerable},{has_span},{},{},{},{:.4},{:.4},{:.2},{:.2},{:.4},{:.4},{:.4}",
            one.id.replace(',', " "),
            one.kind,
            one.is_answered,
            one.n_citations,
            one.n_right,
            one.n_unsupported,
            signals.coverage,
            signals.window,
            signals.named,
            signals.alignment,
            signals.missing,
            signals.support(),
            one.confidence,
        );
    }
    fs::write(path, csv).map_err(|error| {
        let error = format!("{} could not be written: {error}. Name a folder that can be written to.", path.display());
        Failure { error, error_type: FailureKind::UnreadableFile }.into()
    })
}
