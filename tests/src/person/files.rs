//! What a person does with files on their way in, and what the page says of each.

use super::{Person, as_text, by_id};
use crate::{corpus::TestFile, webdriver::PATIENCE};
use anyhow::{Context, Result};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

/// A file's line in a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineSeen {
    /// The file's name.
    pub name: String,
    /// Where it is: `waiting`, `active`, `locked`, `failed`, `stopped` or `added`.
    pub state: String,
    /// Everything that is written on it.
    pub text: String,
}

/// Drops files as the browser would after a drag: one event with all of them.
const DROP: &str = "
    const transfer = new DataTransfer();
    for (const [name, base64] of arguments[0]) {
        const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
        transfer.items.add(new File([bytes], name));
    }
    for (const kind of ['dragenter', 'dragover', 'drop']) {
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }";

const LINES: &str =
    "[...document.querySelectorAll('.batch-file')].map(e => [e.dataset.name, e.dataset.state, e.innerText])";

impl Person {
    /// Drops files on the page, all together, and does not wait.
    ///
    /// # Errors
    /// When the page cannot be reached.
    pub fn drop_files(&mut self, files: &[TestFile]) -> Result<()> {
        let files: Vec<Value> =
            files.iter().map(|file| json!([file.name, BASE64_STANDARD.encode(&file.bytes)])).collect();
        self.browser()?.run(DROP, &[Value::from(files)]).map(drop)
    }

    /// The lines of the files on their way in, at this moment.
    ///
    /// # Errors
    /// When the page cannot be read.
    pub fn lines(&mut self) -> Result<Vec<LineSeen>> {
        let lines = self.read(LINES)?;
        let line =
            |seen: &Value| LineSeen { name: as_text(&seen[0]), state: as_text(&seen[1]), text: as_text(&seen[2]) };
        Ok(lines.as_array().context("not a list")?.iter().map(line).collect())
    }

    /// Waits until a file's line is as wanted.
    ///
    /// # Errors
    /// When it does not become so.
    pub fn await_line(&mut self, name: &str, wanted: impl Fn(&LineSeen) -> bool) -> Result<LineSeen> {
        let deadline = std::time::Instant::now() + PATIENCE;
        loop {
            let lines = self.lines()?;
            if let Some(line) = lines.iter().find(|line| line.name == name && wanted(line)) {
                return Ok(line.clone());
            }
            anyhow::ensure!(std::time::Instant::now() < deadline, "the line of {name} does not become so: {lines:?}");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    /// Clicks a button in a file's line.
    ///
    /// # Errors
    /// When it is not there.
    pub fn click_in_line(&mut self, name: &str, id: &str) -> Result<()> {
        let button = self.browser()?.element(&format!(".batch-file[data-name={name:?}] {}", by_id(id)))?;
        self.browser()?.click(&button)
    }
}
