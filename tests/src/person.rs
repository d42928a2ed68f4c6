//! A person at Millwright's page: what they do and what they see, in the page's own terms.
//!
//! Not for how a browser is driven ([`crate::webdriver`]) and not for judging: the tests do that.

mod files;
mod seen;

use crate::{
    corpus::write_files,
    paths,
    sidecar::Sidecar,
    suite::files_below,
    webdriver::{Browser, Element, PATIENCE, key},
};
use anyhow::{Context, Result, bail};
pub use files::LineSeen;
pub use seen::PassageSeen;
use seen::{PASSAGES, STORED_KEYS, as_text, passage_seen};
use serde_json::Value;
use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    path::{Path, PathBuf},
    time::Duration,
};
use tempfile::TempDir;

/// A window on a desk and a telephone: the sizes at which pictures are taken.
const SIZES: [(u32, u32); 2] = [(1280, 800), (390, 844)];

/// How often a person clicks again where what they clicked at was just replaced.
const MAX_CLICKS: usize = 5;

/// A person with a browser, and the sidecar that serves them.
#[derive(Debug)]
pub struct Person {
    // In this order: the browser goes before what it talks to, and its profile last.
    browser: Option<Browser>,
    sidecar: Sidecar,
    origin: String,
    profile: TempDir,
    bundle: TempDir,
    story: String,
}

/// Runs a story from an empty profile to its end. A failure leaves a picture and the console in `tests/out/browser`;
/// an exception that nobody caught is a failure whatever else went well. Does nothing, loudly, without a built page.
///
/// # Errors
/// When the story fails.
pub fn story(name: &str, tell: impl FnOnce(&mut Person) -> Result<()>) -> Result<()> {
    run(name, None, tell)
}

/// The same with a sidecar that has the models in this folder; otherwise it has none.
///
/// # Errors
/// When the story fails.
pub fn story_with_models(name: &str, models: &Path, tell: impl FnOnce(&mut Person) -> Result<()>) -> Result<()> {
    run(name, Some(models), tell)
}

fn run(name: &str, models: Option<&Path>, tell: impl FnOnce(&mut Person) -> Result<()>) -> Result<()> {
    let Some(bundle) = paths::bundle()? else { return Ok(()) };
    let folder = paths::out("browser")?;
    // A copy, so that a story may put a new version in its place.
    let copy = tempfile::tempdir()?;
    write_files(copy.path(), &files_below(&bundle)?)?;
    let log = folder.join(format!("{name}-sidecar.log"));
    let binary = paths::sidecar_binary()?;
    let sidecar = match models {
        Some(models) => Sidecar::start_with_models(&binary, copy.path(), models, &log)?,
        None => Sidecar::start(&binary, copy.path(), &log)?,
    };
    let profile = tempfile::tempdir()?;
    let browser = Some(Browser::start(profile.path())?);
    let origin = sidecar.origin();
    let mut person = Person { browser, sidecar, origin, profile, bundle: copy, story: name.to_owned() };
    let told = catch_unwind(AssertUnwindSafe(|| {
        tell(&mut person)?;
        person.complain()
    }));
    if !matches!(told, Ok(Ok(()))) {
        person.leave_evidence();
    }
    told.unwrap_or_else(|panic| resume_unwind(panic))
}

impl Person {
    /// The browser, for what a person would not do.
    ///
    /// # Errors
    /// While it is closed.
    pub fn browser(&mut self) -> Result<&mut Browser> {
        self.browser.as_mut().context("the browser is closed")
    }

    /// Where the page is served; its storage belongs to it.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// This story's own copy of the built page.
    #[must_use]
    pub fn bundle(&self) -> &Path {
        self.bundle.path()
    }

    /// Opens the page in the tab in front and waits until it is usable.
    ///
    /// # Errors
    /// When it does not come up.
    pub fn open(&mut self) -> Result<()> {
        let address = format!("{}/", self.origin);
        self.browser()?.goto(&address)?;
        self.await_ready()
    }

    /// Loads the page anew and waits until it is usable.
    ///
    /// # Errors
    /// When it does not come up.
    pub fn reload(&mut self) -> Result<()> {
        self.browser()?.reload()?;
        self.await_ready()
    }

    /// Waits until the page's engine has listed the library.
    ///
    /// # Errors
    /// When it does not come up.
    pub fn await_ready(&mut self) -> Result<()> {
        self.element("question")?;
        let browser = self.browser()?;
        // The list comes with the first answer of the engine; a new library shows the invitation instead.
        let shown = format!("{}, {}", by_id("document-row"), by_id("empty-state"));
        browser.element(&shown).map(drop).context("the engine does not come up")
    }

    /// Waits until the service worker holds the whole app, so that it works without a network.
    ///
    /// # Errors
    /// When it does not.
    pub fn await_offline_ready(&mut self) -> Result<()> {
        let browser = self.browser()?;
        browser.until("the service worker", PATIENCE, || {
            let active = browser.run(
                "return navigator.serviceWorker.getRegistration().then(r => !!(r && r.active && !r.installing))",
                &[],
            )?;
            Ok((active == true).then_some(()))
        })
    }

    /// Closes the browser and starts it again over the same profile, with no page open.
    ///
    /// # Errors
    /// When it does not start.
    pub fn restart_browser(&mut self) -> Result<()> {
        self.complain()?;
        self.browser = None;
        self.browser = Some(Browser::start(self.profile.path())?);
        Ok(())
    }

    /// Pulls the network cable: the sidecar is gone.
    ///
    /// # Errors
    /// When it cannot be killed.
    pub fn pull_the_network(&mut self) -> Result<()> {
        self.sidecar.kill()
    }

    /// Picks files in the file picker and waits until all are dealt with.
    ///
    /// # Errors
    /// When that takes longer than `patience`.
    pub fn add_files(&mut self, files: &[PathBuf], patience: Duration) -> Result<()> {
        self.pick("file-input", files)?;
        self.await_added(patience)
    }

    /// Picks a folder in the folder picker and waits until all in it is dealt with.
    ///
    /// # Errors
    /// When that takes longer than `patience`.
    pub fn add_folder(&mut self, folder: PathBuf, patience: Duration) -> Result<()> {
        self.pick("folder-input", &[folder])?;
        self.await_added(patience)
    }

    /// Picks files or a folder and does not wait.
    ///
    /// # Errors
    /// When the page has no such picker.
    pub fn pick(&mut self, picker: &str, paths: &[PathBuf]) -> Result<()> {
        // What an earlier batch left to read would be taken for this one's.
        while let Some(old) = self.all("dismiss-batch")?.first() {
            self.browser()?.click(old)?;
        }
        let paths: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
        let input = self.element(picker)?;
        self.browser()?.type_into(&input, &paths.join("\n"))
    }

    /// Waits until nothing is being added any more.
    ///
    /// # Errors
    /// When that takes longer than `patience`.
    pub fn await_added(&mut self, patience: Duration) -> Result<()> {
        let browser = self.browser()?;
        browser.until("all files to be dealt with", patience, || {
            let over = browser.has(&by_id("ingest-summary"))? && !browser.has(&by_id("ingest-progress"))?;
            Ok(over.then_some(()))
        })
    }

    /// What the page says about files that could not be added: name and message.
    ///
    /// # Errors
    /// When the page cannot be read.
    pub fn failures(&mut self) -> Result<Vec<(String, String)>> {
        let rows = self.read(
            "[...document.querySelectorAll('[data-testid=ingest-failure]')].map(e => [e.dataset.name, e.innerText])",
        )?;
        let rows = rows.as_array().context("not a list")?;
        Ok(rows.iter().map(|row| (as_text(&row[0]), as_text(&row[1]))).collect())
    }

    /// The names of the library's documents as listed.
    ///
    /// # Errors
    /// When the page cannot be read.
    pub fn documents(&mut self) -> Result<Vec<String>> {
        let names =
            self.read("[...document.querySelectorAll('[data-testid=document-row]')].map(e => e.dataset.name)")?;
        Ok(names.as_array().context("not a list")?.iter().map(as_text).collect())
    }

    /// Waits until the list of documents is as wanted.
    ///
    /// # Errors
    /// When it does not become so.
    pub fn await_documents(&mut self, what: &str, wanted: impl Fn(&[String]) -> bool) -> Result<Vec<String>> {
        let deadline = std::time::Instant::now() + PATIENCE;
        loop {
            let documents = self.documents()?;
            if wanted(&documents) {
                return Ok(documents);
            }
            if std::time::Instant::now() > deadline {
                bail!("the library does not become {what}: {documents:?}");
            }
            std::thread::sleep(Duration::from_millis(40));
        }
    }

    /// Types a question in place of the last one and gives the passages that answer it.
    ///
    /// # Errors
    /// When no answer comes.
    pub fn ask(&mut self, question: &str) -> Result<Vec<PassageSeen>> {
        let field = self.element("question")?;
        let browser = self.browser()?;
        browser.run("arguments[0].focus(); arguments[0].select()", &[field.argument()])?;
        // Emptied first, so that an old answer to the same question cannot be taken for the new one.
        browser.press(&[key::DELETE])?;
        self.await_gone("result-line")?;
        let browser = self.browser()?;
        // As one insertion, as pasting or an input method does it: one event whatever the characters.
        browser.devtools("Input.insertText", &serde_json::json!({ "text": question }))?;
        self.answer(question)
    }

    /// Waits for the answer to a question that was asked, and gives its passages.
    ///
    /// # Errors
    /// When no answer comes.
    pub fn answer(&mut self, question: &str) -> Result<Vec<PassageSeen>> {
        let browser = self.browser()?;
        let seen = browser.until(&format!("an answer to {question:?}"), PATIENCE, || {
            let seen = browser.run(PASSAGES, &[Value::from(question)])?;
            Ok(seen.as_array().cloned())
        })?;
        seen.iter().map(passage_seen).collect()
    }

    /// Opens a passage on show, from 0, and gives the text that the document's view points at. Passages of a document that
    /// is being read come anew with every part of it, so a click may miss and is then made again, as a person would.
    ///
    /// # Errors
    /// When nothing is pointed at.
    pub fn open_passage(&mut self, place: usize) -> Result<String> {
        for _ in 0..MAX_CLICKS {
            let buttons = self.all("open-passage")?;
            let button = buttons.get(place).with_context(|| format!("no passage at {place}"))?;
            match self.browser()?.click(button) {
                Err(error) if error.to_string().contains("stale element") => {}
                clicked => return clicked.and_then(|()| self.pointed_at()),
            }
        }
        bail!("the passage at {place} came anew with each of {MAX_CLICKS} clicks")
    }

    /// The text that the document's view points at, once it is within the visible page.
    ///
    /// # Errors
    /// When nothing is pointed at.
    pub fn pointed_at(&mut self) -> Result<String> {
        let browser = self.browser()?;
        let seen = "const r = document.querySelector('[data-testid=viewer] [data-testid=viewer-target]')?.getBoundingClientRect();
            return !!r && r.top < innerHeight && r.bottom > 0 && r.height > 0";
        browser.until("the passage's place in the document", PATIENCE, || {
            Ok((browser.run(seen, &[])? == true).then_some(()))
        })?;
        let texts = self
            .read("[...document.querySelectorAll('[data-testid=viewer-target]')].map(e => e.innerText).join('\\n')")?;
        Ok(as_text(&texts))
    }

    /// Deletes a document by the button in its row.
    ///
    /// # Errors
    /// When there is no such row.
    pub fn delete(&mut self, name: &str) -> Result<()> {
        let selector = format!("[data-testid=document-row][data-name={name:?}] [data-testid=delete-document]");
        let button = self.browser()?.element(&selector)?;
        self.browser()?.click(&button)
    }

    /// Clicks what has this test id.
    ///
    /// # Errors
    /// When it is not there or cannot be clicked.
    pub fn click(&mut self, id: &str) -> Result<()> {
        let element = self.element(id)?;
        self.browser()?.click(&element)
    }

    /// The first element with this test id, waiting for it.
    ///
    /// # Errors
    /// When it does not appear.
    pub fn element(&mut self, id: &str) -> Result<Element> {
        self.browser()?.element(&by_id(id))
    }

    /// The elements with this test id at this moment.
    ///
    /// # Errors
    /// When the page cannot be read.
    pub fn all(&mut self, id: &str) -> Result<Vec<Element>> {
        self.browser()?.all(&by_id(id))
    }

    /// Waits until nothing with this test id is there.
    ///
    /// # Errors
    /// When it stays.
    pub fn await_gone(&mut self, id: &str) -> Result<()> {
        let browser = self.browser()?;
        browser.until(&format!("{id} to go"), PATIENCE, || Ok((!browser.has(&by_id(id))?).then_some(())))
    }

    /// The visible text of the first element with this test id, waiting for it.
    ///
    /// # Errors
    /// When it does not appear.
    pub fn text(&mut self, id: &str) -> Result<String> {
        let element = self.element(id)?;
        Ok(as_text(&self.browser()?.run("return arguments[0].innerText", &[element.argument()])?))
    }

    /// The visible text of the first element with this test id, once it is as wanted.
    ///
    /// # Errors
    /// When it does not become so within `patience`.
    pub fn await_text(&mut self, id: &str, patience: Duration, wanted: impl Fn(&str) -> bool) -> Result<String> {
        let expression = format!("return document.querySelector({:?})?.innerText", by_id(id));
        let browser = self.browser()?;
        let mut last = String::new();
        let found = browser.until(&format!("{id} to say something else"), patience, || {
            last = as_text(&browser.run(&expression, &[])?);
            Ok(wanted(&last).then(|| last.clone()))
        });
        found.with_context(|| format!("it says {last:?}"))
    }

    /// The visible text of every element with this test id at this moment.
    ///
    /// # Errors
    /// When the page cannot be read.
    pub fn text_of_all(&mut self, id: &str) -> Result<Vec<String>> {
        let texts = self.read(&format!("[...document.querySelectorAll({:?})].map(e => e.innerText)", by_id(id)))?;
        Ok(texts.as_array().context("not a list")?.iter().map(as_text).collect())
    }

    /// Every key that the page stored, as `database/table/key`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn stored_keys(&mut self) -> Result<Vec<String>> {
        let keys = self.browser()?.run(STORED_KEYS, &[])?;
        Ok(keys.as_array().context("not a list")?.iter().map(as_text).collect())
    }

    /// Presses keys one after the other.
    ///
    /// # Errors
    /// When the browser refuses them.
    pub fn press(&mut self, keys: &[&str]) -> Result<()> {
        self.browser()?.press(keys)
    }

    /// The test id of what has the focus, or its tag.
    ///
    /// # Errors
    /// When the page cannot be read.
    pub fn focused(&mut self) -> Result<String> {
        let focused = self.read("document.activeElement.dataset.testid ?? document.activeElement.tagName")?;
        Ok(as_text(&focused))
    }

    /// Takes pictures of the page at both sizes, for people to look at.
    ///
    /// # Errors
    /// When one cannot be taken.
    pub fn picture(&mut self, name: &str) -> Result<()> {
        let folder = paths::out("browser")?;
        let browser = self.browser()?;
        for (width, height) in SIZES {
            browser.resize(width, height)?;
            // Two frames: one to lay out, one to paint.
            browser.run("return new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))", &[])?;
            browser.screenshot(folder.join(format!("{name}-{width}x{height}.png")))?;
        }
        browser.resize(SIZES[0].0, SIZES[0].1)
    }

    /// Fails if anything was thrown that nobody caught.
    fn complain(&mut self) -> Result<()> {
        let Some(browser) = &mut self.browser else { return Ok(()) };
        let uncaught: Vec<_> = browser
            .console()?
            .iter()
            .filter(|line| {
                line.level == "SEVERE" && line.source == "javascript" || line.message.contains("panicked at")
            })
            .map(|line| line.message.clone())
            .collect();
        if uncaught.is_empty() { Ok(()) } else { bail!("nobody caught: {}", uncaught.join("\n")) }
    }

    fn leave_evidence(&mut self) {
        let story = self.story.clone();
        let Some(browser) = &mut self.browser else { return };
        // The test has failed already; what can be had is had.
        if let Ok(folder) = paths::out("browser") {
            let _ = browser.screenshot(folder.join(format!("{story}-failed.png")));
        }
        for line in browser.console().unwrap_or_default() {
            eprintln!("console: {} {}: {}", line.level, line.source, line.message);
        }
    }

    fn read(&mut self, expression: &str) -> Result<Value> {
        self.browser()?.run(&format!("return {expression}"), &[])
    }
}

fn by_id(id: &str) -> String {
    format!("[data-testid={id}]")
}

/// Selects everything in a text field.
pub const SELECT_ALL: [&str; 3] = [key::CONTROL, "a", key::RELEASE];
