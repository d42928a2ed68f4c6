//! Draws the printed pages, reads the pictures and counts what was read wrong.

use super::{
    super::{Measure, Outcome},
    words::{Word, distance, in_order},
};
use crate::models::ocr;
use flate2::read::GzDecoder;
use millwright_core::parse::{
    PagePictures, ParseOptions,
    scan::{ReadScan, Seen},
};
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

/// Pages that are read.
const N_PAGES: usize = 50;
/// How fine they are drawn.
const DPI: f32 = 200.0;

/// A page of a file with the words that were printed on it.
struct Page {
    file: PathBuf,
    number: u32,
    words: Vec<Word>,
}

/// See [`super::SCANS`].
pub(super) fn run(say: &mut dyn FnMut(&str)) -> Outcome {
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/printed/set");
    let Some(reader) = ocr::reader(None) else {
        return Outcome::Skipped(format!("The reading model is not here. {}", ocr::HOW_TO_GET));
    };
    let mut files: Vec<PathBuf> =
        fs::read_dir(&set).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "pdf"));
    files.sort();
    let pages = pages(&files);
    if pages.is_empty() {
        return Outcome::Skipped(format!("There are no printed pages in {}.", set.display()));
    }
    let (mut n_wrong, mut n_characters) = (0, 0);
    for Page { file, number, words } in &pages {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let Some(read) = read(file, *number, reader.as_ref()) else {
            return Outcome::Skipped(format!("Page {number} of {name} cannot be drawn or read."));
        };
        let (truth, read) = in_order(words, &read);
        let (wrong, length) = (distance(&truth, &read), truth.chars().count());
        say(&format!("{name} page {number}: {:.4} of {length} characters", 1.0 - wrong as f64 / length.max(1) as f64));
        if wrong > 0 {
            differences(&truth, &read).iter().for_each(|difference| say(&format!("    {difference}")));
        }
        n_wrong += wrong;
        n_characters += length;
    }
    let value = 1.0 - n_wrong as f64 / n_characters.max(1) as f64;
    let n = format!("{} pages, {n_characters} characters", pages.len());
    Outcome::Measured(vec![Measure { name: "character accuracy", value, at_least: Some(0.98), n }])
}

/// The words in which two texts differ, as far as they have the same number of words; a few of them.
fn differences(truth: &str, read: &str) -> Vec<String> {
    let (truth, read): (Vec<&str>, Vec<&str>) = (truth.split(' ').collect(), read.split(' ').collect());
    if truth.len() != read.len() {
        return vec![format!("{} words were read as {}", truth.len(), read.len())];
    }
    let pairs = truth.iter().zip(&read).filter(|(truth, read)| truth != read);
    pairs.take(12).map(|(truth, read)| format!("{truth} was read as {read}")).collect()
}

/// Up to so many pages, taken in turn from every file.
fn pages(files: &[PathBuf]) -> Vec<Page> {
    let truths: Vec<(&PathBuf, Vec<Vec<Word>>)> = files.iter().filter_map(|file| Some((file, truth(file)?))).collect();
    let mut pages = Vec::new();
    for index in 0..truths.iter().map(|(_, pages)| pages.len()).max().unwrap_or(0) {
        for (file, of_file) in &truths {
            if let Some(words) = of_file.get(index).filter(|words| !words.is_empty() && pages.len() < N_PAGES) {
                pages.push(Page { file: (*file).clone(), number: index as u32 + 1, words: words.clone() });
            }
        }
    }
    pages.sort_by(|a, b| (&a.file, a.number).cmp(&(&b.file, b.number)));
    pages
}

/// The words that were printed, page by page.
fn truth(file: &Path) -> Option<Vec<Vec<Word>>> {
    let truth = GzDecoder::new(File::open(file.with_extension("json.gz")).ok()?);
    let truth: serde_json::Value = serde_json::from_reader(truth).ok()?;
    let word = |word: &serde_json::Value| {
        let at = |index: usize| word.get(index)?.as_f64().map(|at| at as f32);
        Some(Word { text: word.get(0)?.as_str()?.to_owned(), x0: at(1)?, y0: at(2)?, x1: at(3)?, y1: at(4)? })
    };
    let words =
        |page: &serde_json::Value| -> Option<Vec<Word>> { page.get("words")?.as_array()?.iter().map(word).collect() };
    truth.get("pages")?.as_array()?.iter().map(words).collect()
}

/// Draws a page and reads the picture.
fn read(file: &Path, number: u32, reader: &dyn ReadScan) -> Option<Vec<Word>> {
    let pages = PagePictures::open(&fs::read(file).ok()?, &ParseOptions::default()).ok()?;
    let (picture, scale) = pages.draw(number, DPI)?;
    let seen = reader.read(&picture, &mut || Ok(())).ok()?;
    let size = (picture.width() as f32, picture.height() as f32);
    Some(words(&seen, size).into_iter().map(|word| word.scaled(1.0 / scale)).collect())
}

/// The words of what was seen, on the picture.
fn words(seen: &Seen, (width, height): (f32, f32)) -> Vec<Word> {
    let mut words = Vec::new();
    for line in &seen.lines {
        for word in line.characters.split(|seen| seen.character.is_whitespace()) {
            let (Some(first), Some(last)) = (word.first(), word.last()) else { continue };
            let (u0, u1) = (first.from, last.to);
            let (v0, v1) = (line.baseline - 0.8 * line.size, line.baseline + 0.2 * line.size);
            let (x0, y0, x1, y1) = match line.turn {
                0 => (u0, v0, u1, v1),
                1 => (width - v1, u0, width - v0, u1),
                2 => (width - u1, height - v1, width - u0, height - v0),
                _ => (v0, height - u1, v1, height - u0),
            };
            words.push(Word { text: word.iter().map(|seen| seen.character).collect(), x0, y0, x1, y1 });
        }
    }
    words
}
