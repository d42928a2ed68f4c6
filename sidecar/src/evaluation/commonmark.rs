//! The examples of the CommonMark specification, each a Markdown text with the HTML it stands for.
//!
//! Both are read, the Markdown by our Markdown reader with all that it knows beyond CommonMark, the HTML by our HTML
//! reader, and an example is exact if both trees say the same: the same kinds of blocks with the same texts, in the same
//! order and inside the same lists, quotations and sections. Emphasis and the addresses of links are no part of a tree,
//! so what only they tell apart is not measured here. HTML cannot say whether a number was followed by a full stop or a
//! bracket: `2)` counts as `2.`.

use super::{Bench, Measure, Outcome};
use millwright_core::{
    document::{Document, NodeKind},
    host::NoProgress,
    parse::{ParseError, parse},
};
use std::{fs, path::Path};

/// The bench over the specification's examples.
pub(super) const COMMONMARK: Bench = Bench { name: "commonmark", run };

fn run(data: &Path, say: &mut dyn FnMut(&str)) -> Outcome {
    let path = data.join("commonmark/spec.txt");
    let Ok(spec) = fs::read_to_string(&path) else {
        return Outcome::Skipped(format!("there is no {}.", path.display()));
    };
    let examples = examples(&spec);
    let mut n_exact = 0;
    for (at, (markdown, html)) in examples.iter().enumerate() {
        let (ours, expected) = (tree("example.md", markdown), tree("example.html", html));
        if ours == expected {
            n_exact += 1;
        } else {
            say(&format!("example {}: {markdown:?}\n    read     {ours:?}\n    expected {expected:?}", at + 1));
        }
    }
    let value = f64::from(n_exact) / examples.len().max(1) as f64;
    let n = format!("{} examples", examples.len());
    Outcome::Measured(vec![Measure { name: "examples read exactly", value, at_least: Some(1.0), n }])
}

/// The examples in order; `→` stands for a tabulator.
fn examples(spec: &str) -> Vec<(String, String)> {
    let fence = "`".repeat(32);
    let opening = format!("{fence} example\n");
    let inside = spec.split(&opening).skip(1).filter_map(|rest| rest.split(&fence).next());
    let parts = inside.filter_map(|example| {
        let (markdown, html) =
            example.strip_prefix(".\n").map(|html| ("", html)).or_else(|| example.split_once("\n.\n"))?;
        Some((format!("{markdown}\n").replace('→', "\t"), html.replace('→', "\t")))
    });
    parts.collect()
}

/// A tree as lines: depth, kind and text of every node.
fn tree(name: &str, text: &str) -> Vec<String> {
    match parse(name, text.as_bytes(), &mut NoProgress) {
        Ok(parsed) => outline(&parsed.document),
        Err(ParseError::Empty) => Vec::new(),
        Err(error) => vec![error.to_string()],
    }
}

fn outline(document: &Document) -> Vec<String> {
    let mut depths: Vec<usize> = Vec::new();
    let mut lines = Vec::new();
    for node in &document.nodes {
        let depth = node.parent.map_or(0, |parent| depths[parent.index()] + 1);
        depths.push(depth);
        // The file's own name is no title.
        if node.kind == NodeKind::Document && node.text.is_empty() {
            continue;
        }
        let mut text = node.text.clone();
        let n_digits = text.bytes().take_while(u8::is_ascii_digit).count();
        if node.kind == NodeKind::ListItem && n_digits > 0 && text[n_digits..].starts_with(')') {
            text.replace_range(n_digits..=n_digits, ".");
        }
        lines.push(format!("{depth} {:?} {text}", node.kind));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_cut_out() {
        let fence = "`".repeat(32);
        let spec =
            format!("text\n{fence} example\n# a→b\n.\n<h1>a→b</h1>\n{fence}\n{fence} example\n.\n<p></p>\n{fence}\n");
        let examples = examples(&spec);
        assert_eq!(examples[0], ("# a\tb\n".to_owned(), "<h1>a\tb</h1>\n".to_owned()));
        assert_eq!(examples[1].1, "<p></p>\n");
        assert_eq!(tree("example.md", "* a\n> b"), tree("example.html", "<ul><li>a</li></ul><blockquote><p>b"));
        assert_ne!(tree("example.md", "* a"), tree("example.html", "<ol><li>a</ol>"));
    }
}
