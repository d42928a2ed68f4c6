//! `cargo pkg bench`: our index in the tab beside elasticlunr, minisearch and native tantivy, over the same chunks and
//! questions, in one run on one machine. Times are worth something only as ratios within one run.
//!
//! `--sizes 6500,50000` names the numbers of chunks. Reading PDF in the tab is measured beside the same code natively;
//! `--parsing` measures that alone. Vectors are measured beside a bare kernel and onnxruntime-web, by `--vectors` alone; that
//! needs the model (`millwright models fetch minilm`, or MILLWRIGHT_MODELS) and says so where it is missing.

mod app;
mod corpus;
mod native;
mod reading;
mod site;
mod tab;
mod table;
#[cfg(feature = "dense")]
mod vectors;

use anyhow::{Context, Result, bail};
use millwright_tests::{paths, sidecar::Sidecar};
use std::{env, fs};
use table::Table;

/// In the tab: the name in the worker, the name in the table.
const LIBRARIES: [(&str, &str); 3] = [
    ("millwright", "**Millwright, in the tab**"),
    ("elasticlunr", "elasticlunr 0.9.5, in the tab"),
    ("minisearch", "minisearch 7.2.0, in the tab"),
];

/// What the design promises: BM25 in the tab takes at most this part of elasticlunr's time, by number of chunks.
const PROMISED_RATIOS: [(usize, f64); 2] = [(6_500, 10.0), (50_000, 30.0)];

/// So many chunks are made for what is measured of vectors.
const MOST_VECTORS: usize = 50_000;

fn main() -> Result<()> {
    let Wanted { sizes, parsing, vectors } = wanted()?;
    // Nothing to index: the packages' descriptions are not fetched.
    let n_vectors = if vectors { Some(MOST_VECTORS) } else { None };
    let corpus = sizes.iter().copied().chain(n_vectors).max().map(corpus::corpus).transpose()?;
    let n_chunks = corpus.as_ref().map_or(0, |corpus| corpus.chunks.len());
    let sizes: Vec<usize> = sizes.into_iter().map(|size| size.min(n_chunks)).collect();
    let groups = if parsing { reading::groups()? } else { Vec::new() };
    let site = site::build(corpus.as_ref(), &sizes, &groups)?;
    #[cfg(feature = "dense")]
    let ready = match &corpus {
        Some(corpus) if vectors => vectors::prepare(&site, corpus).unwrap_or_else(|error| {
            eprintln!("NOT MEASURED: everything about vectors: {error:#}");
            None
        }),
        _ => None,
    };
    let log = paths::out("bench")?.join("sidecar.log");
    let sidecar = Sidecar::start(&paths::sidecar_binary()?, &site, &log)?;
    say(&format!("{}\n", machine().context("cannot describe the machine")?));
    if parsing {
        say(&reading::measure(&groups, &sidecar.origin())?);
    }
    if let Some(corpus) = &corpus {
        say(&format!("{}; {} questions\n", corpus.origin, corpus.questions.len()));
        for n_chunks in sizes {
            say(&measure(corpus, n_chunks, &sidecar.origin())?.to_string());
        }
        #[cfg(feature = "dense")]
        if let Some(ready) = &ready {
            say(&vectors::measure(ready, &sidecar.origin())?);
        }
    }
    Ok(())
}

fn measure(corpus: &corpus::Corpus, n_chunks: usize, origin: &str) -> Result<Table> {
    let chunks = &corpus.chunks[..n_chunks];
    let mut rows = Vec::new();
    let mut answers = Vec::new();
    for (library, label) in LIBRARIES {
        let (row, answered) = tab::measure(origin, library, label, n_chunks)?;
        rows.push(row);
        answers.push(answered);
    }
    let (native, native_answers) = native::millwright(corpus, chunks)?;
    let tantivy = native::tantivy(corpus, chunks)?;
    let mut notes = Vec::new();
    let (ours, elasticlunr) = (rows[0].p50_millis, rows[1].p50_millis);
    let promised = PROMISED_RATIOS.iter().find(|(size, _)| *size == n_chunks).map_or_else(String::new, |(_, ratio)| {
        format!(" (promised: 1/{ratio}; {})", if ours * ratio <= elasticlunr { "kept" } else { "NOT KEPT" })
    });
    notes.push(format!(
        "p50 in the tab is 1/{:.0} of elasticlunr's{promised} and {:.1} times native tantivy's.",
        elasticlunr / ours,
        ours / tantivy.p50_millis
    ));
    let n_same = answers[0].iter().zip(&native_answers).filter(|(here, there)| here == there).count();
    notes.push(format!(
        "The tab's ten best are the native ones, in order, for {n_same} of {} questions.",
        native_answers.len()
    ));
    notes.push(app::measure(corpus, chunks)?);
    rows.extend([native, tantivy]);
    Ok(Table { n_chunks, rows, notes })
}

/// What is to be measured.
struct Wanted {
    /// Numbers of chunks for finding by words.
    sizes: Vec<usize>,
    parsing: bool,
    vectors: bool,
}

fn wanted() -> Result<Wanted> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let sizes = PROMISED_RATIOS.iter().map(|(size, _)| *size).collect();
    let all = Wanted { sizes, parsing: true, vectors: cfg!(feature = "dense") };
    let given = match arguments.as_slice() {
        [] => return Ok(all),
        [flag] if flag == "--parsing" => return Ok(Wanted { sizes: Vec::new(), vectors: false, ..all }),
        [flag] if flag == "--vectors" && cfg!(feature = "dense") => {
            return Ok(Wanted { sizes: Vec::new(), parsing: false, ..all });
        }
        [flag, sizes] if flag == "--sizes" => sizes,
        _ => bail!("usage: cargo pkg bench [--parsing | --vectors | --sizes 6500,50000]"),
    };
    let sizes = given.split(',').map(|size| size.parse().with_context(|| format!("{size:?} is no number")));
    Ok(Wanted { sizes: sizes.collect::<Result<_>>()?, ..all })
}

/// The processor and how many cores of it there are.
fn machine() -> Result<String> {
    let cores = std::thread::available_parallelism()?;
    let described = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = described.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    Ok(format!("{} × {}", cores, model.map_or("a processor", |(_, model)| model)))
}

#[expect(clippy::print_stdout, reason = "printing is what this program is for")]
fn say(text: &str) {
    println!("{text}");
}
