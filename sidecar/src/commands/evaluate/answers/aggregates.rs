//! Asks about the rows of [`super::generated`] documents: exact, refused with a reason, or wrong.

use super::{
    generated::{self, Question, Truth},
    library,
};
use crate::{EXIT_OK, cli::AnswersArgs, clock::SystemClock, commands::CommandError, output::Output};
use millwright_core::{
    answer::AskOptions,
    protocol::{Answer, AnswerKind},
};
use serde::Serialize;

/// The seed of the documents that are reported.
const SEED: u64 = 20_261_201;

/// How the questions were answered.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Report {
    n_questions: usize,
    n_exact: usize,
    /// Refused with a reason, and rightly: a value cannot be read, or units are mixed.
    n_refused_rightly: usize,
    /// Refused with a reason, though the rows tell.
    n_refused: usize,
    /// Another number, a number where none can be, or sentences in the place of one.
    n_wrong: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Exact,
    Refused,
    Wrong,
}

pub(super) fn run(args: &AnswersArgs, output: &mut Output) -> Result<u8, CommandError> {
    let (documents, questions) = generated::make(SEED);
    let library = library(&documents, output)?;
    let clock = SystemClock::new();
    let mut report = Report { n_questions: questions.len(), ..Report::default() };
    let mut n_shown = 0;
    for (n, question) in questions.iter().enumerate() {
        if n % 50 == 0 {
            output.status(&format!("question {n} of {}", questions.len()));
        }
        let answer = pollster::block_on(library.ask(&question.text, AskOptions::default(), &clock))?;
        let verdict = judged(question, &answer);
        match verdict {
            Verdict::Exact => report.n_exact += 1,
            Verdict::Refused if question.truth == Truth::Refuse => report.n_refused_rightly += 1,
            Verdict::Refused => report.n_refused += 1,
            Verdict::Wrong => report.n_wrong += 1,
        }
        let is_right = verdict == Verdict::Exact || question.truth == Truth::Refuse && verdict == Verdict::Refused;
        if !is_right && n_shown < args.wrong {
            n_shown += 1;
            output.line(&format!(
                "{verdict:?}: {} {:?}\n  {}\n  {}",
                question.text,
                question.truth,
                answer.text(),
                answer.notices.join(" ")
            ));
        }
    }
    output.json(&report);
    output.line(&format!("generated: {} questions about rows", report.n_questions));
    for (name, n) in [
        ("exact", report.n_exact),
        ("refused, where nothing can be computed", report.n_refused_rightly),
        ("refused, though the rows tell", report.n_refused),
        ("wrong", report.n_wrong),
    ] {
        output.line(&format!("  {name:<42}{n:>8}"));
    }
    Ok(EXIT_OK)
}

fn judged(question: &Question, answer: &Answer) -> Verdict {
    let computed = answer.computations.first();
    match (computed, &question.truth) {
        (None, _) if answer.kind == AnswerKind::NotFound && !answer.notices.is_empty() => Verdict::Refused,
        (None, _) | (Some(_), Truth::Refuse) => Verdict::Wrong,
        (Some(computed), Truth::Value { hundredths, over, unit }) => {
            let is_same = computed.operation == question.operation
                && computed.unit.as_deref() == *unit
                && is_value(&computed.value, *hundredths, *over);
            if is_same { Verdict::Exact } else { Verdict::Wrong }
        }
    }
}

/// Whether a decimal is `hundredths / 100 / over`, exactly or rounded in its last place.
fn is_value(text: &str, hundredths: i64, over: i64) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let Ok(digits) = format!("{whole}{fraction}").parse::<i128>() else { return false };
    let Ok(places) = u32::try_from(fraction.len()) else { return false };
    let Some(scale) = 10_i128.checked_pow(places) else { return false };
    // |digits / scale − hundredths / 100 / over| ≤ 1 / 2 scale
    let difference = digits * 100 * i128::from(over) - i128::from(hundredths) * scale;
    difference.abs() * 2 <= 100 * i128::from(over) && (over > 1 || difference == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_value_itself_is_exact() {
        assert!(is_value("12.50", 1_250, 1) && is_value("12.5", 1_250, 1) && !is_value("12.51", 1_250, 1));
        assert!(is_value("3.3333", 1_000, 3) && !is_value("3.34", 1_000, 3) && !is_value("", 0, 1));
    }
}
