//! How well headings are found without bookmarks, measured on public manuals that have some: the bookmarks are the truth.

use super::{Layout, Source, headings, lay_out, outline, password, read_sheets};
use crate::{document::DocumentId, host::NoProgress, parse::ParseOptions};
use std::path::{Path, PathBuf};

/// What a file scored.
struct Score {
    name: String,
    n_bookmarks: usize,
    /// Part of the bookmarks whose headings were found with their help.
    with_bookmarks: f64,
    /// Part of the bookmarks found by form alone.
    recall: f64,
    /// Part of the headings found by form alone that are bookmarks.
    precision: f64,
    /// Part of the headings found by form alone that have their bookmark's level.
    levels: f64,
}

#[test]
fn headings_agree_with_bookmarks() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let mut files = pdfs(&data.join("manual_linuxcnc"));
    files.extend(pdfs(&data.join("docling")));
    files.sort();
    let scores: Vec<Score> = files.iter().filter_map(|file| score(file)).collect();
    if scores.is_empty() {
        eprintln!("SKIPPED: no public manuals beside the project; nothing was measured.");
        return;
    }
    for score in &scores {
        let Score { name, n_bookmarks, with_bookmarks, recall, precision, levels } = score;
        eprintln!(
            "{name}: {n_bookmarks} bookmarks, {with_bookmarks:.3} found with their help; by form alone recall {recall:.3}, \
             precision {precision:.3}, levels {levels:.3}"
        );
    }
    let linuxcnc: Vec<&Score> = scores.iter().filter(|score| score.name.starts_with("LinuxCNC")).collect();
    assert!(linuxcnc.iter().all(|score| score.with_bookmarks >= 0.97), "bookmarks are found in the text");
    assert!(
        linuxcnc.iter().all(|score| score.recall >= 0.95 && score.precision >= 0.6 && score.levels >= 0.95),
        "form tells most headings"
    );
}

#[expect(clippy::disallowed_methods, reason = "a test that measures public files reads them")]
fn score(file: &Path) -> Option<Score> {
    let bytes = std::fs::read(file).ok()?;
    let pdf = password::open(&bytes, None).ok()?;
    let outline = outline::read(&pdf);
    if outline.len() < 10 {
        return None;
    }
    let found = |outline: &[outline::Bookmark]| -> Vec<((u32, String), u8)> {
        let source = Source { pdf: &pdf, id: &DocumentId::of(&bytes), name: "", options: &ParseOptions::default() };
        let sheets = read_sheets(&source, &mut Vec::new(), &mut NoProgress).unwrap();
        let layout = lay_out(sheets, &mut NoProgress).unwrap();
        let Layout { mut placed, body, vocabulary, .. } = layout;
        headings::mark(&mut placed, outline, body, &vocabulary);
        let headings = placed.iter().filter_map(|placed| Some((placed.page, placed.heading.as_ref()?)));
        let found = headings.map(|(page, heading)| ((page, bare(&heading.text)), heading.level));
        found.filter(|((_, text), _)| !text.is_empty()).collect()
    };
    let wanted: Vec<((u32, String), u8)> =
        outline.iter().map(|entry| ((entry.page, bare(&entry.title)), entry.level)).collect();
    type Found = [((u32, String), u8)];
    let part = |of: &Found, among: &Found| {
        let also = |one: &&((u32, String), u8)| among.iter().any(|other| other.0 == one.0);
        of.iter().filter(also).count() as f64 / of.len().max(1) as f64
    };
    let by_form = found(&[]);
    let agreed = by_form.iter().filter_map(|(place, level)| {
        wanted.iter().find(|other| other.0 == *place).map(|(_, wanted)| f64::from(u8::from(level == wanted)))
    });
    let agreed: Vec<f64> = agreed.collect();
    Some(Score {
        name: file.file_name()?.to_string_lossy().into_owned(),
        n_bookmarks: outline.len(),
        with_bookmarks: part(&wanted, &found(&outline)),
        recall: part(&wanted, &by_form),
        precision: part(&by_form, &wanted),
        levels: agreed.iter().sum::<f64>() / agreed.len().max(1) as f64,
    })
}

fn pdfs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|ending| ending == "pdf") {
                found.push(path);
            }
        }
    }
    found
}

/// Letters and digits alone, without number and "Chapter".
fn bare(text: &str) -> String {
    let plain: String = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let plain = plain.strip_prefix("chapter").unwrap_or(&plain);
    plain.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned()
}
