//! Headings of manuals in PDF against the bookmarks that their writers left in them.
//!
//! A bookmark is found where a section with its title begins on the very page it leads to; titles are compared by their
//! letters and digits, without number and "Chapter". Each bookmark and each section counts once. Bookmarks stop at some
//! depth, which says nothing of headings below it: sections deeper than the deepest bookmark of the file are not judged.
//! All others that are no bookmark are false. It is measured once with the bookmarks hidden from the reader, so that
//! headings are told by their form alone, and once as files are read.

use super::{Bench, Measure, Outcome};
use millwright_core::{
    document::{Document, NodeKind},
    host::NoProgress,
    parse::{self, Bookmark, ParseOptions},
};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Fewer bookmarks are no outline of a text.
const MIN_BOOKMARKS: usize = 10;
/// Titles that are listed of each kind of mistake in a file.
const MAX_LISTED: usize = 40;

/// See the module.
pub(super) const HEADINGS: Bench = Bench { name: "manual_linuxcnc", run };

/// A title on a page: the page, and the title by its letters and digits.
type Place = (u32, String);

/// How sections and bookmarks of one or more files agree.
#[derive(Clone, Debug, Default)]
struct Score {
    n_bookmarks: usize,
    n_sections: usize,
    n_agreed: usize,
    /// Of those that agree, those of the same level.
    n_levels: usize,
    missed: Vec<(u32, String)>,
    wrong: Vec<(u32, String)>,
}

impl Score {
    fn add(&mut self, other: &Self) {
        self.n_bookmarks += other.n_bookmarks;
        self.n_sections += other.n_sections;
        self.n_agreed += other.n_agreed;
        self.n_levels += other.n_levels;
    }

    fn precision(&self) -> f64 {
        rate(self.n_agreed, self.n_sections)
    }

    fn recall(&self) -> f64 {
        rate(self.n_agreed, self.n_bookmarks)
    }

    fn levels(&self) -> f64 {
        rate(self.n_levels, self.n_agreed)
    }
}

fn rate(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn run(data: &Path, line: &mut dyn FnMut(&str)) -> Outcome {
    let folder = data.join("manual_linuxcnc/pdf");
    let files = pdfs(&folder);
    if files.is_empty() {
        return Outcome::Skipped(format!("no manuals are in {}.", folder.display()));
    }
    let (mut by_form, mut as_read) = (Score::default(), Score::default());
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let scores = fs::read(&file).map_err(|error| error.to_string()).and_then(|bytes| {
            let wanted = parse::bookmarks(&bytes, &ParseOptions::default()).map_err(|error| error.to_string())?;
            let score = |ignore_bookmarks| {
                let options = ParseOptions { ignore_bookmarks, ..ParseOptions::default() };
                let parsed = parse::parse_with(&name, &bytes, &options, &mut NoProgress);
                parsed.map(|parsed| score(&parsed.document, &wanted)).map_err(|error| error.to_string())
            };
            (wanted.len() >= MIN_BOOKMARKS).then(|| Ok::<_, String>([score(true)?, score(false)?])).transpose()
        });
        match scores {
            Ok(Some([form, read])) => {
                line(&format!(
                    "  {name}: {} bookmarks; by form alone precision {:.3}, recall {:.3}, levels {:.3}; with bookmarks \
                     {:.3}, {:.3}, {:.3}",
                    form.n_bookmarks,
                    form.precision(),
                    form.recall(),
                    form.levels(),
                    read.precision(),
                    read.recall(),
                    read.levels()
                ));
                list(line, "no bookmark", &form.wrong);
                list(line, "missed", &form.missed);
                list(line, "with bookmarks no bookmark", &read.wrong);
                list(line, "with bookmarks missed", &read.missed);
                by_form.add(&form);
                as_read.add(&read);
            }
            Ok(None) => line(&format!("  {name}: too few bookmarks")),
            Err(why) => return Outcome::Skipped(format!("{name} could not be read: {why}")),
        }
    }
    let measure =
        |name, value, at_least, of: usize, things: &str| Measure { name, value, at_least, n: format!("{of} {things}") };
    Outcome::Measured(vec![
        measure("headings by form: precision", by_form.precision(), Some(0.95), by_form.n_sections, "sections"),
        measure("headings by form: recall", by_form.recall(), Some(0.95), by_form.n_bookmarks, "bookmarks"),
        measure("headings by form: levels", by_form.levels(), None, by_form.n_agreed, "headings"),
        measure("headings as read: precision", as_read.precision(), Some(0.95), as_read.n_sections, "sections"),
        measure("headings as read: recall", as_read.recall(), Some(0.95), as_read.n_bookmarks, "bookmarks"),
    ])
}

fn list(line: &mut dyn FnMut(&str), what: &str, places: &[(u32, String)]) {
    for (page, title) in places.iter().take(MAX_LISTED) {
        line(&format!("    {what}: page {page}, {title}"));
    }
    if places.len() > MAX_LISTED {
        line(&format!("    {what}: {} more", places.len() - MAX_LISTED));
    }
}

fn score(document: &Document, bookmarks: &[Bookmark]) -> Score {
    let deepest = bookmarks.iter().map(|bookmark| bookmark.level).max().unwrap_or(0);
    let mut wanted: BTreeMap<Place, Vec<&Bookmark>> = BTreeMap::new();
    for bookmark in bookmarks.iter().rev() {
        wanted.entry((bookmark.page, bare(&bookmark.title))).or_default().push(bookmark);
    }
    let mut score = Score { n_bookmarks: bookmarks.len(), ..Score::default() };
    for node in &document.nodes {
        let NodeKind::Section { level } = node.kind else { continue };
        let page = node.page.unwrap_or(0);
        match wanted.get_mut(&(page, bare(&node.text))).and_then(Vec::pop) {
            Some(bookmark) => {
                score.n_sections += 1;
                score.n_agreed += 1;
                score.n_levels += usize::from(bookmark.level == level);
            }
            None if level <= deepest => {
                score.n_sections += 1;
                score.wrong.push((page, format!("{level} {}", node.text)));
            }
            None => {}
        }
    }
    let missed = wanted.into_values().flatten();
    score.missed = missed.map(|bookmark| (bookmark.page, format!("{} {}", bookmark.level, bookmark.title))).collect();
    score
}

fn pdfs(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "pdf")).collect();
    files.sort();
    files
}

/// A title by its letters and digits, in lower case, without its number and "Chapter".
fn bare(title: &str) -> String {
    let plain: String = title.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let plain = plain.strip_prefix("chapter").unwrap_or(&plain);
    plain.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use millwright_core::document::{DocumentBuilder, DocumentId};

    #[test]
    fn each_counts_once_and_deeper_ones_not_at_all() {
        let mut builder = DocumentBuilder::new(DocumentId::of(b"x"), "x.pdf");
        builder.page(3);
        for (level, heading) in [(1, "1 Care"), (2, "Oil"), (2, "Oil"), (3, "Grades"), (2, "Made up")] {
            builder.section(level, heading);
        }
        let bookmark = |title: &str, level, page| Bookmark { title: title.to_owned(), level, page };
        let bookmarks = [bookmark("Care", 1, 3), bookmark("Oil", 1, 3), bookmark("Parts", 2, 3), bookmark("Oil", 2, 4)];
        let score = score(&builder.finish(), &bookmarks);
        assert_eq!((score.n_agreed, score.n_levels, score.n_sections, score.n_bookmarks), (2, 1, 4, 4));
        assert_eq!((score.wrong.len(), score.missed.len()), (2, 2));
    }
}
