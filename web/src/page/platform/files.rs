//! Files from pickers, drops and memory, with the names under which the library will hold them; and saving one.

use super::has;
use futures_channel::oneshot;
use leptos::prelude::*;
use std::{cell::RefCell, rc::Rc};
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use web_sys::{
    Blob, DataTransfer, File, FileList, FilePropertyBag, FileSystemDirectoryEntry, FileSystemEntry,
    FileSystemFileEntry, HtmlAnchorElement, Url,
};

/// A file and its name: a relative path with `/` where a folder was chosen.
#[derive(Clone, Debug)]
pub(crate) struct NamedFile {
    /// The name.
    pub(crate) name: String,
    /// The file.
    pub(crate) file: File,
}

/// The files of a picker.
pub(crate) fn picked(files: Option<FileList>) -> Vec<NamedFile> {
    let Some(files) = files else { return Vec::new() };
    (0..files.length()).filter_map(|at| files.get(at)).map(named).collect()
}

fn named(file: File) -> NamedFile {
    let path = js_sys::Reflect::get(&file, &JsValue::from_str("webkitRelativePath"));
    let path = path.ok().and_then(|path| path.as_string()).filter(|path| !path.is_empty());
    NamedFile { name: path.unwrap_or_else(|| file.name()), file }
}

/// A file made from text that comes with the app.
pub(crate) fn made(name: &str, text: &str, media_type: &str) -> Option<NamedFile> {
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    let options = FilePropertyBag::new();
    options.set_type(media_type);
    let file = File::new_with_str_sequence_and_options(&parts, name, &options).ok()?;
    Some(NamedFile { name: name.to_owned(), file })
}

/// What was dropped: the files, folders gone through, and the names of those that could not be reached.
#[derive(Debug, Default)]
pub(crate) struct Dropped {
    /// The files.
    pub(crate) files: Vec<NamedFile>,
    /// What could not be reached.
    pub(crate) unreachable: Vec<String>,
}

/// Begins to collect what was dropped. The part that a browser only allows during the event itself happens before this
/// returns; folders are gone through in the future it gives.
pub(crate) fn dropped(transfer: &DataTransfer) -> impl Future<Output = Dropped> + use<> {
    let items = transfer.items();
    let mut entries = Vec::new();
    let mut collected = Dropped::default();
    for item in (0..items.length()).filter_map(|at| items.get(at)).filter(|item| item.kind() == "file") {
        let entry = has(&item, "webkitGetAsEntry").then(|| item.webkit_get_as_entry().ok().flatten()).flatten();
        match (entry, item.get_as_file()) {
            (Some(entry), _) => entries.push(entry),
            (None, Ok(Some(file))) => collected.files.push(named(file)),
            (None, _) => {}
        }
    }
    async move {
        // A stack, not recursion: folders may be nested as deep as they like.
        while let Some(entry) = entries.pop() {
            let path = entry.full_path().trim_start_matches('/').to_owned();
            let reached = if entry.is_directory() {
                children(entry.unchecked_into()).await.map(|mut children| entries.append(&mut children))
            } else {
                file(entry.unchecked_into())
                    .await
                    .map(|file| collected.files.push(NamedFile { name: path.clone(), file }))
            };
            if reached.is_none() {
                collected.unreachable.push(path);
            }
        }
        collected.files.sort_by(|a, b| a.name.cmp(&b.name));
        collected
    }
}

async fn children(folder: FileSystemDirectoryEntry) -> Option<Vec<FileSystemEntry>> {
    let reader = folder.create_reader();
    let mut all = Vec::new();
    // A reader gives its entries in portions and ends with an empty one.
    loop {
        let portion =
            called_back(|found, failed| reader.read_entries_with_callback_and_callback(found, failed).is_ok()).await?;
        let portion: js_sys::Array = portion.dyn_into().ok()?;
        if portion.length() == 0 {
            return Some(all);
        }
        all.extend(portion.iter().map(JsValue::unchecked_into::<FileSystemEntry>));
    }
}

async fn file(entry: FileSystemFileEntry) -> Option<File> {
    let file = called_back(|found, failed| {
        entry.file_with_callback_and_callback(found, failed);
        true
    });
    file.await?.dyn_into().ok()
}

/// Awaits a function of the old style that calls back on success or failure; `None` on failure.
async fn called_back(begin: impl FnOnce(&js_sys::Function, &js_sys::Function) -> bool) -> Option<JsValue> {
    let (tell, told) = oneshot::channel::<Option<JsValue>>();
    let tell = Rc::new(RefCell::new(Some(tell)));
    let answer = |tell: Rc<RefCell<Option<oneshot::Sender<Option<JsValue>>>>>, value| {
        if let Some(tell) = tell.borrow_mut().take() {
            // Nobody listens any more: nothing is left to tell.
            let _ = tell.send(value);
        }
    };
    let also = Rc::clone(&tell);
    let found = Closure::<dyn FnMut(JsValue)>::new(move |value| answer(Rc::clone(&tell), Some(value)));
    let failed = Closure::<dyn FnMut(JsValue)>::new(move |_| answer(Rc::clone(&also), None));
    if !begin(found.as_ref().unchecked_ref(), failed.as_ref().unchecked_ref()) {
        return None;
    }
    told.await.ok().flatten()
}

/// Lets the browser save bytes under the last part of a name.
pub(crate) fn save(name: &str, blob: &Blob) {
    let Ok(url) = Url::create_object_url_with_blob(blob) else { return };
    if let Some(link) = document().create_element("a").ok().and_then(|link| link.dyn_into::<HtmlAnchorElement>().ok()) {
        link.set_href(&url);
        link.set_download(name.rsplit('/').next().unwrap_or(name));
        link.click();
    }
    // The download reads the address after this returns.
    set_timeout(
        move || {
            let _ = Url::revoke_object_url(&url);
        },
        std::time::Duration::from_secs(60),
    );
}
