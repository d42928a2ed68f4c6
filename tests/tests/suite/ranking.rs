//! How well it ranks, held: on a small collection of our own to the last query, on public ones by floors.
//!
//! A change of ranking that is meant changes `tests/eval/*.csv` with it: `millwright evaluate ranking --model minilm
//! --collection tests/eval/capper --vectors tests/eval/capper/minilm.vectors --rerank features --out FOLDER`, of which the CSV
//! is kept. What it does to which query is then in the diff. The vectors were made once (`--cache`), so that no model is
//! needed here; they change only with the texts.

use anyhow::{Context, Result, ensure};
use clap::Parser;
use millwright_sidecar::{cli::Cli, commands, output::Output};
use millwright_tests::paths::{model, out, public_data, sidecar_binary, workspace};
use serde_json::Value;
use std::{collections::BTreeMap, env, fs, path::Path, process::Command};

#[test]
fn our_own_collections_are_ranked_as_they_were() -> Result<()> {
    let folder = workspace().join("tests/eval");
    let mut n_collections = 0;
    for entry in fs::read_dir(&folder).context("tests/eval is not there")? {
        let collection = entry?.path();
        if !collection.is_dir() {
            continue;
        }
        n_collections += 1;
        let name = collection.file_name().and_then(|name| name.to_str()).context("a name that is no text")?;
        let made = tempfile::tempdir()?;
        let words = ["millwright", "--json", "evaluate", "ranking", "--rerank", "features", "--model", "minilm"];
        let mut arguments: Vec<&Path> = words.iter().map(Path::new).collect();
        let vectors = collection.join("minilm.vectors");
        arguments.extend([Path::new("--collection"), &collection, Path::new("--vectors"), &vectors]);
        arguments.extend([Path::new("--out"), made.path()]);
        let code = commands::run(Cli::try_parse_from(arguments)?, &mut Output::stdout(true))?;
        ensure!(code == 0, "evaluating {name} failed");
        let now = fs::read_to_string(made.path().join(format!("{name}.csv")))?;
        let kept = fs::read_to_string(folder.join(format!("{name}.csv"))).with_context(|| format!("no {name}.csv"))?;
        let (now, kept): (Vec<&str>, Vec<&str>) = (now.lines().collect(), kept.lines().collect());
        let gone = kept.iter().filter(|line| !now.contains(line)).map(|line| format!("- {line}"));
        let new = now.iter().filter(|line| !kept.contains(line)).map(|line| format!("+ {line}"));
        let differing: Vec<String> = gone.chain(new).collect();
        ensure!(
            now == kept,
            "{name} is ranked otherwise than tests/eval/{name}.csv says. If that is meant, see the head of this file.\n{}",
            differing.join("\n")
        );
    }
    ensure!(n_collections > 0, "tests/eval holds no collection");
    Ok(())
}

/// A collection of the public data, and what its rankings must reach.
struct Floor {
    part: &'static str,
    file: &'static str,
    split: &'static str,
    /// By system: nDCG@10, the share of questions with the right one first, and among the first five.
    least: &'static [(&'static str, [f64; 3])],
}

/// Just under what was measured on 1 December 2026 with minilm; the weights of `features` were learned from all of these but
/// SciFact's test questions, so that these are no figures to quote.
const FLOORS: [Floor; 5] = [
    Floor {
        part: "scifact",
        file: "",
        split: "test",
        least: &[("fusion", [0.728, 0.595, 0.81]), ("features", [0.736, 0.595, 0.82])],
    },
    Floor {
        part: "cranfield",
        file: "",
        split: "test",
        least: &[("fusion", [0.44, 0.355, 0.82]), ("features", [0.452, 0.355, 0.82])],
    },
    Floor {
        part: "vaswani_npl",
        file: "",
        split: "test",
        least: &[("fusion", [0.505, 0.66, 0.9]), ("features", [0.51, 0.66, 0.9])],
    },
    Floor {
        part: "emanuals_qa",
        file: "",
        split: "test",
        least: &[("fusion", [0.9, 0.84, 0.94]), ("features", [0.91, 0.86, 0.96])],
    },
    Floor {
        part: "xquad",
        file: "xquad.en.json",
        split: "test",
        least: &[("fusion", [0.982, 0.96, 0.995]), ("features", [0.981, 0.96, 0.995])],
    },
];

#[test]
fn public_collections_are_ranked_no_worse() -> Result<()> {
    // Minutes for each collection that was never embedded: only for who asks for it.
    if env::var_os("MILLWRIGHT_MODELS").is_none() {
        eprintln!("SKIPPED: floors of ranking with vectors; MILLWRIGHT_MODELS names the folder of models");
        return Ok(());
    }
    let Some(models) = model("minilm")? else { return Ok(()) };
    let binary = sidecar_binary()?;
    if binary.components().any(|part| part.as_os_str() == "debug") {
        eprintln!("SKIPPED: floors of ranking with vectors; a debug build embeds too slowly, build with --release");
        return Ok(());
    }
    let cache = out("vectors")?;
    for floor in &FLOORS {
        let Some(collection) = public_data(floor.part) else { continue };
        let collection = collection.join(floor.file);
        let run = Command::new(&binary)
            .args([
                "--json",
                "evaluate",
                "ranking",
                "--model",
                "minilm",
                "--rerank",
                "features",
                "--split",
                floor.split,
            ])
            .args([Path::new("--collection"), &collection, Path::new("--models"), &models])
            .args([Path::new("--cache"), &cache])
            .output()
            .context("the sidecar cannot be run")?;
        let said = String::from_utf8_lossy(&run.stdout);
        if said.contains("without the cargo feature `embed`") {
            eprintln!("SKIPPED: floors of ranking with vectors; build millwright-sidecar with --features embed");
            return Ok(());
        }
        ensure!(run.status.success(), "{}: {said}", floor.part);
        let report: Value = serde_json::from_str(&said).context("no report")?;
        let systems: BTreeMap<&str, &Value> = report["systems"]
            .as_array()
            .context("no systems")?
            .iter()
            .filter_map(|system| Some((system["name"].as_str()?, system)))
            .collect();
        for (name, least) in floor.least {
            let system = systems.get(name).with_context(|| format!("no system {name}"))?;
            let measures = &system["measures"];
            for (measure, least) in ["ndcg_at_10", "success_at_1", "success_at_5"].into_iter().zip(least) {
                let reached = measures[measure].as_f64().with_context(|| format!("no {measure}"))?;
                ensure!(reached >= *least, "{}: {name} reaches {measure} {reached:.4}, not {least}", floor.part);
            }
        }
    }
    Ok(())
}
