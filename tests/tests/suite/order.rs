//! The order in which pages of public documents are read, pinned for pages that a person looked at and found right.
//!
//! Of each page only a hash is kept, of its words in order without running heads and feet: the documents are none of ours.
//! Where a hash differs, the page must be looked at again (`millwright draw FILE --pages N`) before its pin is changed.

use anyhow::{Context, Result, ensure};
use millwright_core::{
    document::{Document, DocumentId, NodeKind},
    host::NoProgress,
    parse,
};
use millwright_tests::paths::{public_data, workspace};
use std::{collections::BTreeMap, fmt::Write as _, fs};

/// What is kept of a hash.
const N_DIGITS: usize = 16;

#[test]
fn pages_that_were_looked_at_keep_their_order() -> Result<()> {
    let pins = fs::read_to_string(workspace().join("tests/suite/order/pages.tsv")).context("the pins are not there")?;
    let mut pages: BTreeMap<&str, Vec<(u32, &str)>> = BTreeMap::new();
    for line in pins.lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.split('\t');
        let (Some(path), Some(page), Some(hash)) = (parts.next(), parts.next(), parts.next()) else { continue };
        pages.entry(path).or_default().push((page.parse().with_context(|| format!("no page: {line}"))?, hash));
    }
    let n_pins: usize = pages.values().map(Vec::len).sum();
    ensure!(n_pins >= 50, "only {n_pins} pages are pinned");
    let mut differing = String::new();
    for (path, pages) in pages {
        let (folder, file) = path.split_once('/').with_context(|| format!("{path} is in no folder"))?;
        let Some(folder) = public_data(folder) else { continue };
        let bytes = fs::read(folder.join(file)).with_context(|| format!("{path} cannot be read"))?;
        let document = parse::parse(file, &bytes, &mut NoProgress).with_context(|| path.to_owned())?.document;
        for (page, hash) in pages {
            let words = words(&document, page);
            ensure!(!words.is_empty(), "page {page} of {path} has no words");
            let found = DocumentId::of(words.as_bytes());
            let found = found.as_str().get(..N_DIGITS).unwrap_or_default();
            if found != hash {
                let _ = writeln!(differing, "{path}\t{page}\t{found}");
            }
        }
    }
    ensure!(
        differing.is_empty(),
        "pages are read in another order, or with other words, than when they were pinned:\n{differing}"
    );
    Ok(())
}

/// The words that begin on a page in reading order, in lower case, without furniture.
fn words(document: &Document, page: u32) -> String {
    let mut words: Vec<String> = Vec::new();
    for node in document.nodes.iter().filter(|node| node.page == Some(page) && node.kind != NodeKind::Furniture) {
        let of_node = node.text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.extend(of_node.map(str::to_lowercase));
    }
    words.join(" ")
}
