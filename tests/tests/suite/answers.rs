//! The cases of `tests/suite/answer`: documents, and questions with what their answers say, cite and never say.

use anyhow::{Context, Result, ensure};
use millwright_core::{
    answer::AskOptions,
    host::StoppedClock,
    protocol::{Answer, Support, Turn},
};
use millwright_tests::{library::NativeLibrary, suite};
use std::fmt::Write as _;

/// `question TAB kind TAB what is said, parted by " && " TAB cited file`. What has `!` before it must not be said; `> question`
/// lines are the questions before the next one. Of what is not found the third cell is in the reasons.
#[test]
fn answer_cases() -> Result<()> {
    suite::run("answer", |case| {
        let library = NativeLibrary::of(&case.documents()?)?;
        let mut missed = String::new();
        let mut turns: Vec<Turn> = Vec::new();
        for line in case.text("questions.tsv")?.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(before) = line.strip_prefix("> ") {
                turns.push(Turn { question: before.to_owned(), answer: String::new() });
                continue;
            }
            let mut cells = line.split('\t');
            let (question, kind) = (cells.next().unwrap_or_default(), cells.next().context("no kind")?);
            let (said, file) = (cells.next().unwrap_or_default(), cells.next());
            let options = AskOptions { turns: std::mem::take(&mut turns), ..AskOptions::default() };
            let answer = pollster::block_on(library.library().ask(question, options, &StoppedClock::default()))?;
            is_quoted(&answer).with_context(|| line.to_owned())?;
            let text = format!("{}\n{}", answer.text(), answer.notices.join("\n"));
            let holds =
                |part: &str| part.strip_prefix('!').map_or_else(|| text.contains(part), |not| !text.contains(not));
            let is_cited = file.is_none_or(|file| answer.citations.iter().any(|citation| citation.name == file));
            let is_kind = serde_json::to_value(answer.kind)? == kind;
            if !(is_kind && is_cited && said.split(" && ").all(holds)) {
                let _ = writeln!(missed, "  {line}\n    {:?}: {}", answer.kind, text.replace('\n', "\n    "));
            }
        }
        ensure!(missed.is_empty(), "not answered so:\n{missed}");
        Ok(None)
    })
}

/// Every quotation is of its passage to the letter, and all that is quoted is said by a quotation.
fn is_quoted(answer: &Answer) -> Result<()> {
    for citation in &answer.citations {
        let passage = answer.evidence.iter().find(|passage| passage.chunk == citation.chunk);
        for quote in &citation.quotes {
            let range = quote.start as usize..quote.end as usize;
            let is_there = passage.is_none_or(|passage| passage.text.get(range) == Some(quote.text.as_str()));
            ensure!(is_there, "{:?} is not in {}", quote.text, citation.name);
        }
    }
    for statement in answer.statements.iter().filter(|statement| statement.support == Support::Quoted) {
        let citations = statement.citations.iter().filter_map(|number| answer.citation(*number));
        let quoted: String =
            citations.flat_map(|citation| &citation.quotes).map(|quote| format!("{}\n", quote.text)).collect();
        let is_said = |word: &str| quoted.contains(word.trim_end_matches([';', ':']));
        ensure!(statement.text.split_whitespace().all(is_said), "{:?} is not said by {quoted:?}", statement.text);
    }
    Ok(())
}
