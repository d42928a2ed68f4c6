//! What the measuring of vectors needs: the model, a library with its vectors, and all of it in the folder that the
//! browser is served.

use super::{N_CHUNKS, N_MANY, peer};
use crate::{app, corpus::Corpus, site};
use anyhow::{Context, Result};
use millwright_bench_dense::{Minilm, Shelf};
use millwright_core::models::Hasher;
use millwright_tests::paths;
use std::{fs, path::Path, thread};

/// Passages that the tab embeds, and files that it takes in.
const N_PASSAGES: usize = 96;
const N_FILES: usize = 2;
/// The model's files, as the catalogue calls and names them.
const MODEL: &str = "minilm";
const FILES: [&str; 3] = ["model.safetensors", "config.json", "tokenizer.json"];

/// Everything that is measured natively.
#[derive(Debug)]
pub(crate) struct Ready {
    pub(crate) model: Minilm,
    pub(crate) shelf: Shelf,
    /// Of the shelf's chunks, in the order in which they were asked for.
    pub(crate) vectors: Vec<f32>,
    pub(crate) asked: Vec<String>,
    /// Their vectors.
    pub(crate) questions: Vec<f32>,
}

/// Fills the site; `None` with a loud line where the model is not here.
pub(crate) fn prepare(site: &Path, corpus: &Corpus) -> Result<Option<Ready>> {
    let Some(models) = paths::model(MODEL)? else {
        eprintln!("NOT MEASURED: everything about vectors, for want of the model.");
        return Ok(None);
    };
    let folder = models.join(MODEL);
    let read = |name: &str| fs::read(folder.join(name)).with_context(|| format!("cannot read {name} of {MODEL}"));
    let [weights, measures, tokenizer] = FILES.map(read);
    let model = Minilm::new(weights?, measures?, tokenizer?)?;
    for name in FILES {
        site::copy(&folder.join(name), &site.join(name))?;
    }
    site::copy(&peer::model()?, &site.join(peer::ONNX))?;
    let runtime = peer::runtime()?;
    for name in peer::RUNTIME {
        site::copy(&runtime.join(name), &site.join(name))?;
    }
    let files = |n_chunks: usize| app::files(&corpus.chunks[..n_chunks.min(corpus.chunks.len())]);
    let (some, many) = (files(N_CHUNKS), files(N_MANY));
    let json = |name: &str, texts: &[String]| {
        fs::write(site.join(name), serde_json::to_vec(texts)?).map_err(anyhow::Error::from)
    };
    json("files.json", &some)?;
    json(&format!("files-{N_MANY}.json"), &many)?;
    json("some-files.json", &some[..N_FILES])?;
    let passages: Vec<String> = corpus.chunks.iter().take(N_PASSAGES).map(|chunk| chunk.text.clone()).collect();
    json("passages.json", &passages)?;
    json("questions.json", &corpus.questions)?;
    let mut shelf = Shelf::build(&some)?;
    let vectors = vectors(&model, &mut shelf, &some)?;
    let questions = corpus.questions.iter().map(|question| model.question(question)).collect::<Result<Vec<_>, _>>()?;
    let questions = questions.concat();
    for (name, numbers) in [("vectors.f32", &vectors), ("questions.f32", &questions)] {
        fs::write(site.join(name), bytes_of(numbers))?;
    }
    site::worker(site, "millwright-bench-dense", "dense_core", &["relaxed-simd"])?;
    Ok(Some(Ready { model, shelf, vectors, asked: corpus.questions.clone(), questions }))
}

/// Makes the vectors of a library, or takes those of the last run over the same files.
fn vectors(model: &Minilm, shelf: &mut Shelf, files: &[String]) -> Result<Vec<f32>> {
    let mut hasher = Hasher::default();
    hasher.update(format!("{:?}", model.identity()).as_bytes());
    files.iter().for_each(|file| hasher.update(file.as_bytes()));
    let kept = paths::out("bench/vectors")?.join(hasher.finish());
    let known: Option<Vec<f32>> = fs::read(&kept)
        .ok()
        .map(|bytes| bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect());
    let mut known = known.map(Vec::into_iter);
    if known.is_none() {
        eprintln!("Making the vectors of {N_CHUNKS} chunks; they are kept for the next time ...");
    }
    let n_threads = thread::available_parallelism().map_or(1, usize::from);
    let mut all: Vec<f32> = Vec::new();
    shelf.embed(model.identity(), |groups| {
        let texts: Vec<&str> = groups.iter().flat_map(|group| group.texts.iter().map(String::as_str)).collect();
        let made = match &mut known {
            Some(known) => known.by_ref().take(texts.len() * millwright_bench_dense::DIMENSIONS).collect(),
            None => thread::scope(|scope| {
                let share = |texts: &[&str]| model.passages(texts).unwrap_or_default();
                let workers: Vec<_> = texts
                    .chunks(texts.len().div_ceil(n_threads).max(1))
                    .map(|texts| scope.spawn(move || share(texts)))
                    .collect();
                workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect::<Vec<f32>>()
            }),
        };
        all.extend_from_slice(&made);
        made
    })?;
    fs::write(&kept, bytes_of(&all))?;
    Ok(all)
}

fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
