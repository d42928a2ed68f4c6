//! Warnings and notes: their grade and text, and the section and step they are tied to.

use super::{Faults, Reading, Tally, reading, truth};
use millwright_core::document::{Node, NodeKind, WarningGrade};
use std::collections::BTreeMap;

/// The same words, but for a few, are the same text.
const MIN_ALIKE: f64 = 0.9;

/// Warnings with their grade and text, and those of them that are tied to the right section and step.
pub(super) fn score(reading: &Reading<'_>, truth: &truth::Truth, faults: &mut Faults) -> (Tally, Tally) {
    let mut read: Vec<(&Node, &'static str, Vec<String>)> = reading
        .document
        .nodes
        .iter()
        .filter_map(|node| {
            let grade = grade(&node.kind)?;
            Some((node, grade, words(&reading::subtree_text(reading.document, node.id))))
        })
        .collect();
    let n_read = read.len();
    let mut found = Tally { right: 0, read: n_read, known: truth.warnings.len() };
    let mut tied = found;
    for warning in &truth.warnings {
        let words = words(&format!("{} {}", warning.word, warning.text));
        // The same text may stand in several places; the one on its page is meant.
        let is_it = |(node, grade, tokens): &(&Node, &str, Vec<String>)| {
            *grade == warning.grade && node.page == Some(warning.page) && alike(&words, tokens) >= MIN_ALIKE
        };
        let Some(at) = read.iter().position(is_it) else {
            let nearest = read.iter().max_by(|a, b| alike(&words, &a.2).total_cmp(&alike(&words, &b.2)));
            let instead = nearest.filter(|it| alike(&words, &it.2) > 0.3).map_or_else(
                || holder(reading, &warning.text),
                |(node, grade, tokens)| format!("{grade} on page {:?}: {}", node.page, tokens.join(" ")),
            );
            faults.push(format!(
                "warnings: page {}, {} “{} {}” – {instead}",
                warning.page, warning.grade, warning.word, warning.text
            ));
            continue;
        };
        let (node, _, _) = read.remove(at);
        found.right += 1;
        match loose_end(reading, truth, warning, node) {
            None => tied.right += 1,
            Some(why) => {
                faults.push(format!("warnings: page {}, “{} {:.50}” {why}", warning.page, warning.word, warning.text))
            }
        }
    }
    for (node, grade, tokens) in &read {
        faults.push(format!("warnings: page {:?}, {grade} “{}” is none, or too much", node.page, tokens.join(" ")));
    }
    (found, tied)
}

/// The words of a text without the marks around them: whether "WARNING!" or "⚠ WARNING:" is printed is a matter of looks.
fn words(text: &str) -> Vec<String> {
    let bare = |word: String| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    reading::tokens(text).into_iter().map(bare).filter(|word| !word.is_empty()).collect()
}

fn grade(kind: &NodeKind) -> Option<&'static str> {
    match kind {
        NodeKind::Warning(WarningGrade::Danger) => Some("danger"),
        NodeKind::Warning(WarningGrade::Warning) => Some("warning"),
        NodeKind::Warning(WarningGrade::Caution) => Some("caution"),
        NodeKind::Warning(WarningGrade::Notice) => Some("notice"),
        NodeKind::Note => Some("note"),
        _ => None,
    }
}

/// What a warning should be tied to and is not.
fn loose_end(reading: &Reading<'_>, truth: &truth::Truth, warning: &truth::Warning, node: &Node) -> Option<String> {
    let path = reading.document.heading_path(node.id);
    let section = path.last().map(|heading| reading::line(heading)).unwrap_or_default();
    let known = reading::line(&warning.section);
    // Under no heading the title may be taken for one.
    let titled = known.is_empty() && section == reading::line(&truth.title);
    if section != known && !titled {
        return Some(format!("stands in section “{section}”, not “{known}”"));
    }
    let step = reading::ancestors(reading.document, node).find(|node| node.kind == NodeKind::ListItem);
    let read = step.map(|step| reading::line(&step.text)).unwrap_or_default();
    let known = reading::line(&warning.step);
    let right = if known.is_empty() { read.is_empty() } else { read.contains(&known) };
    (!right).then(|| format!("stands in step “{read}”, not “{known}”"))
}

fn holder(reading: &Reading<'_>, text: &str) -> String {
    let text: String = reading::line(text).chars().take(30).collect();
    let node = reading.document.nodes.iter().find(|node| reading::line(&node.text).contains(&text));
    node.map_or_else(|| "not read".to_owned(), |node| format!("read as {:?} “{:.80}”", node.kind, node.text))
}

/// The part of the words that two texts share: F1 over them.
fn alike(a: &[String], b: &[String]) -> f64 {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    a.iter().for_each(|word| *counts.entry(word).or_default() += 1);
    let mut both = 0;
    for word in b {
        if let Some(n) = counts.get_mut(word.as_str()).filter(|n| **n > 0) {
            *n -= 1;
            both += 1;
        }
    }
    2.0 * f64::from(both) / (a.len() + b.len()).max(1) as f64
}
