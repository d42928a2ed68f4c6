//! Vectors: the core's scan beside the bare kernel, the embedding model beside onnxruntime-web, a whole question, and the
//! memory of what a worker holds. In the tab and natively, in one run.

mod peer;
mod prepare;

use crate::tab;
use anyhow::{Context, Result};
use millwright_bench_dense::{Bare, DIMENSIONS, Scan, mixed};
pub(crate) use prepare::{Ready, prepare};
use serde_json::{Value, json};
use std::{fmt::Write as _, time::Instant};

/// Chunks of the whole question and of the real vectors.
pub(crate) const N_CHUNKS: usize = 6_500;
/// Chunks of the memory, and of the larger scan.
pub(crate) const N_MANY: usize = crate::MOST_VECTORS;

/// What issue 4 promises.
const SCAN_RATIO: f64 = 1.5;
const RECALL: f64 = 0.98;
const ASK_MILLIS: f64 = 60.0;
const WORKER_BYTES: f64 = 600e6;

/// The table of all.
pub(crate) fn measure(ready: &Ready, origin: &str) -> Result<String> {
    let mut table =
        String::from("| vectors | natively | in the tab | beside it in the tab | |\n| --- | --: | --: | --: | --- |\n");
    for size in [N_CHUNKS, N_MANY] {
        let tab = step(origin, json!({ "step": "scan", "size": size }))?;
        let (ours, recall) = (number(&tab, "/ours/p50Millis")?, number(&tab, "/ours/recall")?);
        let bare = number(&tab, "/bare/p50Millis")?;
        let (native, native_bare) = native_scan(ready, size);
        writeln!(
            table,
            "| scan of {size} vectors, p50; recall@10 | {native:.3} ms (bare {native_bare:.3}) | {ours:.3} ms; {recall:.4} | \
             bare int8 kernel {bare:.3} ms; {:.4} | {:.2} times it (promised: {SCAN_RATIO} at {RECALL}; {}) |",
            number(&tab, "/bare/recall")?,
            ours / bare,
            kept(ours <= SCAN_RATIO * bare && recall >= RECALL)
        )?;
    }
    let tab = step(origin, json!({ "step": "encode" }))?;
    let (ours, theirs) = (number(&tab, "/question/ours")?, number(&tab, "/question/theirs")?);
    writeln!(
        table,
        "| embedding a question of 16 tokens, one thread, p50 | {:.2} ms | {ours:.2} ms | onnxruntime-web int8 {theirs:.2} ms | \
         {:.2} times it (promised: 1.0; {}) |",
        native_question(ready)?,
        ours / theirs,
        kept(ours <= theirs)
    )?;
    let (ours, theirs) = (number(&tab, "/passages/ours")?, number(&tab, "/passages/theirs")?);
    let ingest = number(&tab, "/ingest")?;
    writeln!(
        table,
        "| embedding passages, one thread | | {ours:.0} words/s | onnxruntime-web int8 {theirs:.0} words/s | {:.2} times it |",
        ours / theirs
    )?;
    writeln!(
        table,
        "| ingestion with embedding (reading, cutting, indexing, vectors), one thread | | {ingest:.0} words/s | \
         onnxruntime-web, embedding alone, {theirs:.0} words/s | {:.2} times it (promised: 1.0; {}) |",
        ingest / theirs,
        kept(ingest >= theirs)
    )?;
    let tab = step(origin, json!({ "step": "ask" }))?;
    let p50 = number(&tab, "/p50Millis")?;
    let (native, native_p95) = native_ask(ready)?;
    writeln!(
        table,
        "| a question by words and vectors to its passages, {} chunks, p50; p95 | {native:.1}; {native_p95:.1} ms | \
         {p50:.1}; {:.1} ms | | (promised: {ASK_MILLIS} ms; {}) |",
        number(&tab, "/nEmbedded")?,
        number(&tab, "/p95Millis")?,
        kept(p50 <= ASK_MILLIS)
    )?;
    let tab = step(origin, json!({ "step": "hold", "size": N_MANY }))?;
    let bytes = number(&tab, "/bytes")?;
    writeln!(
        table,
        "| memory of a worker that built the library with vectors and holds it with its originals, {} chunks | | {:.0} MB | | \
         (promised: {:.0} MB; {}) |",
        number(&tab, "/nEmbedded")?,
        bytes / 1e6,
        WORKER_BYTES / 1e6,
        kept(bytes <= WORKER_BYTES)
    )?;
    writeln!(
        table,
        "\nThe first {} vectors are the model's of the chunks, those beyond are mixtures of two of them. The bare kernel gives the \
         ten greatest sums of eight-bit products; the core's scan gives exact cosines with ties in order.",
        ready.vectors.len() / DIMENSIONS
    )?;
    Ok(table)
}

fn kept(is_kept: bool) -> &'static str {
    if is_kept { "kept" } else { "NOT KEPT" }
}

fn step(origin: &str, mut step: Value) -> Result<Value> {
    step["worker"] = "dense.js".into();
    let profile = tempfile::tempdir()?;
    tab::step(profile.path(), origin, step)
}

fn number(report: &Value, place: &str) -> Result<f64> {
    report.pointer(place).and_then(Value::as_f64).with_context(|| format!("no {place} in {report:.300}"))
}

/// The middle of the least times of each question, ours and the bare kernel's.
fn native_scan(ready: &Ready, size: usize) -> (f64, f64) {
    const PASSES: usize = 9;
    let vectors = mixed(&ready.vectors, size);
    let (ours, mut bare) = (Scan::build(&vectors), Bare::build(&vectors));
    let questions = ready.questions.as_chunks::<DIMENSIONS>().0;
    let mut least = vec![(f64::INFINITY, f64::INFINITY); questions.len()];
    for _ in 0..PASSES {
        for (question, least) in questions.iter().zip(&mut least) {
            least.0 = least.0.min(millis(|| drop(std::hint::black_box(ours.search(question)))));
        }
        for (question, least) in questions.iter().zip(&mut least) {
            least.1 = least.1.min(millis(|| drop(std::hint::black_box(bare.search(question)))));
        }
    }
    (at(least.iter().map(|least| least.0).collect(), 0.5), at(least.iter().map(|least| least.1).collect(), 0.5))
}

fn native_question(ready: &Ready) -> Result<f64> {
    const PASSES: usize = 120;
    let question = "How do I change the oil of the gearbox when it is cold?";
    let mut times = Vec::new();
    for _ in 0..PASSES {
        let began = Instant::now();
        ready.model.question(question)?;
        times.push(began.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(at(times, 0.5))
}

fn native_ask(ready: &Ready) -> Result<(f64, f64)> {
    const PASSES: usize = 3;
    let mut least = vec![f64::INFINITY; ready.asked.len()];
    for _ in 0..PASSES {
        for (question, least) in ready.asked.iter().zip(&mut least) {
            let began = Instant::now();
            ready.shelf.ask(&ready.model, question, 10)?;
            *least = least.min(began.elapsed().as_secs_f64() * 1000.0);
        }
    }
    Ok((at(least.clone(), 0.5), at(least, 0.95)))
}

fn millis(action: impl FnOnce()) -> f64 {
    let began = Instant::now();
    action();
    began.elapsed().as_secs_f64() * 1000.0
}

fn at(mut times: Vec<f64>, share: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get((share * times.len() as f64) as usize).copied().unwrap_or(f64::NAN)
}
