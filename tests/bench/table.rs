//! The table that is printed, and the ratios that were promised.

use std::fmt;

/// One library over one corpus.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    build_millis: f64,
    bytes: usize,
    pub(crate) p50_millis: f64,
    p95_millis: f64,
    first_answer_millis: Option<f64>,
}

impl Row {
    /// A row from the time of each question, ascending and not empty.
    pub(crate) fn new(
        name: &str,
        build_millis: f64,
        bytes: usize,
        timings: Vec<f64>,
        first_answer_millis: Option<f64>,
    ) -> Self {
        let at = |share: f64| timings[((share * timings.len() as f64) as usize).min(timings.len() - 1)];
        Self::of(name, build_millis, bytes, (at(0.5), at(0.95)), first_answer_millis)
    }

    /// A row from what a worker reported.
    pub(crate) fn of(
        name: &str,
        build_millis: f64,
        bytes: usize,
        (p50_millis, p95_millis): (f64, f64),
        first_answer_millis: Option<f64>,
    ) -> Self {
        Self { name: name.to_owned(), build_millis, bytes, p50_millis, p95_millis, first_answer_millis }
    }
}

/// The rows of one size.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) n_chunks: usize,
    pub(crate) rows: Vec<Row>,
    /// Further lines below: agreement, the whole app.
    pub(crate) notes: Vec<String>,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| {} chunks | index build | index size | p50 query | p95 query | cold start to first answer |",
            self.n_chunks
        )?;
        writeln!(f, "| --- | --: | --: | --: | --: | --: |")?;
        for row in &self.rows {
            let cold = row.first_answer_millis.map_or_else(|| "–".to_owned(), |millis| format!("{millis:.0} ms"));
            writeln!(
                f,
                "| {} | {:.2} s | {:.1} MB | {:.3} ms | {:.3} ms | {cold} |",
                row.name,
                row.build_millis / 1000.0,
                row.bytes as f64 / 1e6,
                row.p50_millis,
                row.p95_millis,
            )?;
        }
        for note in &self.notes {
            writeln!(f, "\n{note}")?;
        }
        Ok(())
    }
}
