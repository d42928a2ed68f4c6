//! Electronic invoices against what their own XML says: those in `zugferd_corpus`, embedded in PDF files and alone.
//!
//! The XML is found and taken apart here in a way of its own ([`truth`]): streams of the raw file are unpacked one by one,
//! elements are cut out of the text by their angle brackets. An invoice counts as read if its number, seller, buyer, every
//! sum and every line with its quantity, price and total stand where they belong.

mod truth;

use super::{Bench, Measure, Outcome};
use millwright_core::{
    document::{Document, Node, NodeId, NodeKind, facts},
    host::NoProgress,
    parse,
};
use std::path::{Path, PathBuf};
use truth::Truth;

/// See the module.
pub(super) const ZUGFERD: Bench = Bench { name: "zugferd_corpus", run };

#[derive(Debug, Default)]
struct Score {
    n_files: usize,
    n_invoices: usize,
    n_right: usize,
    n_texts: usize,
    n_texts_kept: usize,
}

fn run(data: &Path, line: &mut dyn FnMut(&str)) -> Outcome {
    let folder = data.join("zugferd_corpus");
    let mut files = Vec::new();
    collect(&folder, &mut files);
    files.sort();
    if files.is_empty() {
        return Outcome::Skipped(format!("no invoices are in {}.", folder.display()));
    }
    let (mut embedded, mut alone) = (Score::default(), Score::default());
    for file in &files {
        let Ok(bytes) = std::fs::read(file) else { continue };
        let is_pdf = file.extension().is_some_and(|ending| ending == "pdf");
        let sources = if is_pdf { truth::embedded(&bytes) } else { vec![String::from_utf8_lossy(&bytes).into_owned()] };
        let truths: Vec<Truth> = sources.iter().filter_map(|xml| Truth::of(xml)).collect();
        if truths.is_empty() {
            continue;
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let score = if is_pdf { &mut embedded } else { &mut alone };
        score.n_files += 1;
        let parsed = parse::parse(&name, &bytes, &mut NoProgress);
        for truth in &truths {
            score.n_invoices += 1;
            let Comparison { faults, lost } = match &parsed {
                Ok(parsed) => compare(truth, &parsed.document),
                Err(error) => Comparison { faults: vec![error.to_string()], lost: truth.texts.clone() },
            };
            score.n_right += usize::from(faults.is_empty());
            score.n_texts += truth.texts.len();
            score.n_texts_kept += truth.texts.len() - lost.len();
            let lost = lost.iter().map(|text| format!("the text {text:?} is lost"));
            let faults: Vec<String> = faults.into_iter().chain(lost).collect();
            if !faults.is_empty() {
                line(&format!("  {name}: {}", faults.join("; ")));
            }
        }
    }
    let rate = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    let measure = |name, value, n| Measure { name, value, at_least: Some(1.0), n };
    let n = |score: &Score, of: &str| format!("{} invoices in {} {of}", score.n_invoices, score.n_files);
    let (n_kept, n_texts) = (embedded.n_texts_kept + alone.n_texts_kept, embedded.n_texts + alone.n_texts);
    Outcome::Measured(vec![
        measure("embedded invoices read", rate(embedded.n_right, embedded.n_invoices), n(&embedded, "PDF files")),
        measure("invoices alone read", rate(alone.n_right, alone.n_invoices), n(&alone, "XML files")),
        measure("texts of elements kept", rate(n_kept, n_texts), format!("{n_texts} texts")),
    ])
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "pdf" || ending == "xml") {
            files.push(path);
        }
    }
}

/// How an invoice was read.
#[derive(Debug, Default)]
struct Comparison {
    /// What is wrong, in a few words each.
    faults: Vec<String>,
    /// Texts of elements that are nowhere.
    lost: Vec<String>,
}

/// Compares with the part of the document that is most like it: an invoice may be embedded in several versions.
fn compare(truth: &Truth, document: &Document) -> Comparison {
    let number = format!("Invoice number: {}", truth.number);
    // The whole document, or the sections of embedded files.
    let attached = document.nodes.iter().filter(|node| node.metadata.contains_key(facts::ATTACHMENT));
    let mut parts: Vec<&[Node]> = attached.map(|node| document.subtree(node.id)).collect();
    if parts.is_empty() || document.nodes.iter().any(|node| node.parent == Some(NodeId::ROOT) && node.text == number) {
        parts.push(&document.nodes);
    }
    let parts = parts.into_iter().filter(|nodes| nodes.iter().any(|node| node.text == number));
    let compared = parts.map(|nodes| compare_part(truth, document, nodes));
    compared
        .min_by_key(|compared| (compared.faults.len(), compared.lost.len()))
        .unwrap_or_else(|| Comparison { faults: vec![format!("no {number:?}")], lost: truth.texts.clone() })
}

fn compare_part(truth: &Truth, document: &Document, nodes: &[Node]) -> Comparison {
    let mut faults = Vec::new();
    let says = |text: &str| nodes.iter().any(|node| node.kind == NodeKind::KeyValue && node.text == text);
    let named = |role: &str, name: &str| {
        name.is_empty() || says(&format!("{role} name: {name}")) || says(&format!("{role} trading name: {name}"))
    };
    for (role, name) in [("Seller", &truth.seller), ("Buyer", &truth.buyer)] {
        if !named(role, name) {
            faults.push(format!("{role} {name:?}"));
        }
    }
    for (term, amount) in &truth.sums {
        let begin = format!("{term}: {amount}");
        let right =
            |node: &Node| node.text.strip_prefix(&begin).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        if !nodes.iter().any(right) {
            faults.push(begin);
        }
    }
    faults.extend(compare_lines(truth, document, nodes));
    let texts: Vec<String> = nodes.iter().map(|node| collapse(&node.text)).collect();
    let lost = truth.texts.iter().filter(|text| !texts.iter().any(|of| of.contains(*text)));
    Comparison { faults, lost: lost.cloned().collect() }
}

fn compare_lines(truth: &Truth, document: &Document, nodes: &[Node]) -> Vec<String> {
    let is_lines = |node: &&Node| matches!(node.kind, NodeKind::Section { .. }) && node.text == "Invoice lines";
    let table = nodes.iter().find(is_lines).and_then(|section| document.children(section.id).next());
    let Some(table) = table else {
        return if truth.lines.is_empty() { Vec::new() } else { vec!["no lines".to_owned()] };
    };
    let mut rows = document
        .children(table.id)
        .map(|row| -> Vec<&str> { document.children(row.id).map(|cell| cell.text.as_str()).collect() });
    let header = rows.next().unwrap_or_default();
    let rows: Vec<Vec<&str>> = rows.collect();
    if rows.len() != truth.lines.len() {
        return vec![format!("{} lines, not {}", rows.len(), truth.lines.len())];
    }
    let mut faults = Vec::new();
    for (number, (row, line)) in (1..).zip(rows.iter().zip(&truth.lines)) {
        for (column, wanted) in line {
            let named = |header: &&str| *header == *column || header.starts_with(&format!("{column} ("));
            let cell = header.iter().position(named).and_then(|at| row.get(at));
            // Several values of one column stand side by side, amounts of several currencies with theirs.
            let right = cell.is_some_and(|cell| {
                cell.split("; ").any(|one| {
                    one == wanted || one.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.starts_with(' '))
                }) || *cell == wanted
            });
            if !right {
                faults.push(format!("line {number}: {column} is {cell:?}, not {wanted:?}"));
            }
        }
    }
    faults
}

/// Blanks of every kind collapsed.
fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
