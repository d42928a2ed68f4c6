//! Tables in PDF files against the ICDAR-2013 table competition's truth (its EU half, in the folder `tabula_java`).
//!
//! The measures are those of Göbel, Hassan, Oro and Orsi, "ICDAR 2013 Table Competition". Tables are compared page by
//! page; a read table that goes over pages counts as one on each. Read tables are given to true ones of the same page one
//! to one, the most alike first. Strict on both sides: the relations of a true table that was not found are missed, those
//! of a read table that is none are wrong.

mod grid;
mod truth;

use super::{Bench, Measure, Outcome};
use grid::Grid;
use millwright_core::{host::NoProgress, parse};
use std::path::{Path, PathBuf};

/// A true table is found if this part of the words in it and in the read table is in both.
const FOUND: f64 = 0.5;

/// See the module.
pub(super) const TABLES: Bench = Bench { name: "tabula_java", run };

#[derive(Clone, Copy, Debug, Default)]
struct Score {
    n_tables: usize,
    n_found: usize,
    n_exact: usize,
    n_spurious: usize,
    n_true_relations: usize,
    n_read_relations: usize,
    n_right_relations: usize,
}

impl Score {
    fn add(&mut self, other: Self) {
        self.n_tables += other.n_tables;
        self.n_found += other.n_found;
        self.n_exact += other.n_exact;
        self.n_spurious += other.n_spurious;
        self.n_true_relations += other.n_true_relations;
        self.n_read_relations += other.n_read_relations;
        self.n_right_relations += other.n_right_relations;
    }

    fn precision(&self) -> f64 {
        rate(self.n_right_relations, self.n_read_relations)
    }

    fn recall(&self) -> f64 {
        rate(self.n_right_relations, self.n_true_relations)
    }

    fn f1(&self) -> f64 {
        rate(2 * self.n_right_relations, self.n_true_relations + self.n_read_relations)
    }
}

fn rate(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn run(data: &Path, line: &mut dyn FnMut(&str)) -> Outcome {
    let folder = data.join("tabula_java/icdar2013-dataset/competition-dataset-eu");
    let files = truths(&folder);
    if files.is_empty() {
        return Outcome::Skipped(format!("no tables with their truth are in {}.", folder.display()));
    }
    let mut all = Score::default();
    for (pdf, truth) in &files {
        let score = match score(pdf, truth) {
            Ok(score) => score,
            Err(why) => return Outcome::Skipped(why),
        };
        let Score { n_tables, n_found, n_exact, n_spurious, .. } = score;
        let name = pdf.file_name().unwrap_or_default().to_string_lossy();
        line(&format!(
            "  {name:14} found {n_found} of {n_tables}, exact {n_exact}, spurious {n_spurious}; precision {:.3}, recall {:.3}",
            score.precision(),
            score.recall()
        ));
        all.add(score);
    }
    let of_tables = format!("{} tables", all.n_tables);
    let of_relations = format!("{} relations", all.n_true_relations);
    let measure = |name, value, at_least, n: &str| Measure { name, value, at_least, n: n.to_owned() };
    Outcome::Measured(vec![
        measure("tables found", rate(all.n_found, all.n_tables), Some(0.95), &of_tables),
        measure("cell adjacency F1", all.f1(), Some(0.90), &of_relations),
        measure("exact rows and columns", rate(all.n_exact, all.n_tables), Some(0.65), &of_tables),
        measure("cell adjacency precision", all.precision(), None, &format!("{} relations", all.n_read_relations)),
        measure("cell adjacency recall", all.recall(), None, &of_relations),
        measure(
            "share of read tables that are none",
            rate(all.n_spurious, all.n_spurious + all.n_found),
            None,
            "read tables",
        ),
    ])
}

/// The PDF files that have a truth, by name.
fn truths(folder: &Path) -> Vec<(PathBuf, PathBuf)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let with_pdf = |truth: PathBuf| {
        let name = truth.file_name()?.to_str()?.strip_suffix("-str.xml")?.to_owned();
        let pdf = folder.join(format!("{name}.pdf"));
        // One file has two readings as truth; the one of its own name counts.
        pdf.is_file().then_some((pdf, truth))
    };
    let mut files: Vec<(PathBuf, PathBuf)> = entries.filter_map(with_pdf).collect();
    files.sort();
    files
}

fn score(pdf: &Path, truth: &Path) -> Result<Score, String> {
    let bytes =
        |path: &Path| std::fs::read(path).map_err(|error| format!("{} cannot be read: {error}.", path.display()));
    let truth = truth::read(&String::from_utf8_lossy(&bytes(truth)?));
    let name = pdf.file_name().unwrap_or_default().to_string_lossy();
    // A file that cannot be read at all has no tables: that counts, and does not end the bench.
    let read = parse::parse(&name, &bytes(pdf)?, &mut NoProgress);
    let read = read.map(|parsed| grid::of_document(&parsed.document)).unwrap_or_default();
    Ok(compare(&truth, &read))
}

fn compare(truth: &[Grid], read: &[Grid]) -> Score {
    let mut score = Score { n_tables: truth.len(), ..Score::default() };
    score.n_true_relations = truth.iter().map(|grid| grid.relations().len()).sum();
    score.n_read_relations = read.iter().map(|grid| grid.relations().len()).sum();
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (t, grid) in truth.iter().enumerate() {
        for (r, other) in read.iter().enumerate().filter(|(_, other)| other.page == grid.page) {
            pairs.push((grid.likeness(other), t, r));
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut free_truth, mut free_read) = (vec![true; truth.len()], vec![true; read.len()]);
    for (likeness, t, r) in pairs {
        if likeness > 0.0 && free_truth[t] && free_read[r] {
            (free_truth[t], free_read[r]) = (false, false);
            score.n_right_relations += in_both(&truth[t].relations(), &read[r].relations());
            score.n_found += usize::from(likeness >= FOUND);
            score.n_exact += usize::from(likeness >= FOUND && truth[t].shape() == read[r].shape());
        }
    }
    score.n_spurious = free_read.iter().filter(|free| **free).count();
    score
}

/// How many are in both of two sorted lists.
fn in_both<T: Ord>(a: &[T], b: &[T]) -> usize {
    let (mut i, mut j, mut n) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                (i, j) = (i + 1, j + 1);
                n += 1;
            }
        }
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRUTH: &str = r#"<document><table id="1"><region id="1" page="1">
        <cell start-col="0" start-row="0"><bounding-box x1="1"/><content>Part &amp; name</content></cell>
        <cell start-col="1" end-col="2" start-row="0"><content>Torque</content></cell>
        <cell start-col="0" start-row="1"><content>Bolt</content></cell>
        <cell start-col="2" start-row="1"><content>4 Nm</content></cell>
        </region></table></document>"#;

    #[test]
    fn a_table_read_as_it_is_has_every_relation() {
        let truth = truth::read(TRUTH);
        let score = compare(&truth, &truth);
        assert_eq!((score.n_true_relations, score.f1(), score.n_found, score.n_exact), (4, 1.0, 1, 1));
    }

    #[test]
    fn what_is_missed_and_what_is_made_up_both_count() {
        let truth = truth::read(TRUTH);
        assert_eq!(compare(&truth, &[]).recall(), 0.0);
        let made_up = compare(&[], &truth);
        assert_eq!((made_up.precision(), made_up.n_spurious), (0.0, 1));
        let on_another_page = truth::read(&TRUTH.replace("page=\"1\"", "page=\"2\""));
        assert_eq!(compare(&truth, &on_another_page).n_found, 0);
        let one_column_less =
            truth::read(&TRUTH.replace("start-col=\"2\"", "start-col=\"1\"").replace(" end-col=\"2\"", ""));
        let score = compare(&truth, &one_column_less);
        // "Bolt" and "4 Nm" have no empty cell between them any more.
        assert_eq!((score.n_found, score.n_exact, score.n_right_relations), (1, 0, 3));
    }
}
