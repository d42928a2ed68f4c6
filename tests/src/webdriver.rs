//! A headless Chromium driven over the WebDriver protocol, with the DevTools protocol for what that lacks.
//!
//! Synchronous, because a person does one thing after the other. Not for knowing Millwright's page: that is
//! [`crate::person`].

mod driver;

use anyhow::{Context, Result, bail};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use driver::Driver;
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// How long anything on a page may take before a test gives up. Generous: machines are shared and slow.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The name under which WebDriver passes elements in JSON (W3C WebDriver, section 12).
const ELEMENT_KEY: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A key that is not a character, as WebDriver writes it (W3C WebDriver, section 17.4.2).
pub mod key {
    /// Tab.
    pub const TAB: &str = "\u{e004}";
    /// Enter.
    pub const ENTER: &str = "\u{e007}";
    /// Escape.
    pub const ESCAPE: &str = "\u{e00c}";
    /// Delete.
    pub const DELETE: &str = "\u{e017}";
    /// Arrow up.
    pub const UP: &str = "\u{e013}";
    /// Arrow down.
    pub const DOWN: &str = "\u{e015}";
    /// Control, held until [`RELEASE`].
    pub const CONTROL: &str = "\u{e009}";
    /// Shift, held until [`RELEASE`].
    pub const SHIFT: &str = "\u{e008}";
    /// Releases what is held.
    pub const RELEASE: &str = "\u{e000}";
}

/// A tab (WebDriver calls it a window).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tab(String);

/// An element of the page on show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element(String);

/// A line of the browser's console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsoleLine {
    /// `SEVERE`, `WARNING`, `INFO` or `DEBUG`.
    pub level: String,
    /// `javascript` for what nobody caught, `console-api` for what a program wrote, `network`, `security`, …
    pub source: String,
    /// The text with its place.
    pub message: String,
}

/// A running browser. Killed on drop, its profile kept.
#[derive(Debug)]
pub struct Browser {
    driver: Driver,
    console: Vec<ConsoleLine>,
}

impl Browser {
    /// Starts a browser over a profile folder, which holds everything that a page stores.
    ///
    /// # Errors
    /// When chromedriver or the browser does not start.
    pub fn start(profile: &Path) -> Result<Self> {
        Ok(Self { driver: Driver::start(profile)?, console: Vec::new() })
    }

    /// Goes to an address and waits for the load event.
    ///
    /// # Errors
    /// When the page cannot be loaded.
    pub fn goto(&self, address: &str) -> Result<()> {
        self.driver.post("url", &json!({ "url": address })).map(drop)
    }

    /// Loads the page anew.
    ///
    /// # Errors
    /// When the page cannot be loaded.
    pub fn reload(&self) -> Result<()> {
        self.driver.post("refresh", &json!({})).map(drop)
    }

    /// Runs a function body in the page and gives what it returns; promises are awaited, `arguments` are at hand.
    ///
    /// # Errors
    /// When it throws.
    pub fn run(&self, body: &str, arguments: &[Value]) -> Result<Value> {
        self.driver.post("execute/sync", &json!({ "script": body, "args": arguments }))
    }

    /// A command of the DevTools protocol to the tab in front.
    ///
    /// # Errors
    /// When the browser refuses it.
    pub fn devtools(&self, command: &str, parameters: &Value) -> Result<Value> {
        self.driver.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// The elements matching a CSS selector, in document order.
    ///
    /// # Errors
    /// When the selector is invalid.
    pub fn all(&self, selector: &str) -> Result<Vec<Element>> {
        let found = self.driver.post("elements", &json!({ "using": "css selector", "value": selector }))?;
        let elements = found.as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(elements.iter().filter_map(|element| Some(Element(element[ELEMENT_KEY].as_str()?.to_owned()))).collect())
    }

    /// The first element matching a CSS selector, waiting for it to appear.
    ///
    /// # Errors
    /// When it does not appear within [`PATIENCE`].
    pub fn element(&self, selector: &str) -> Result<Element> {
        self.until(selector, PATIENCE, || Ok(self.all(selector)?.into_iter().next()))
    }

    /// Asks again and again until there is an answer.
    ///
    /// # Errors
    /// When asking fails, or there is no answer within the time; `what` then says what was waited for.
    pub fn until<T>(&self, what: &str, patience: Duration, mut ask: impl FnMut() -> Result<Option<T>>) -> Result<T> {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(answer) = ask()? {
                return Ok(answer);
            }
            if Instant::now() > deadline {
                bail!("waited {} s in vain for: {what}", patience.as_secs());
            }
            thread::sleep(Duration::from_millis(40));
        }
    }

    /// Clicks an element as a mouse would: it must be visible and nothing may lie over it.
    ///
    /// # Errors
    /// When it cannot be clicked.
    pub fn click(&self, element: &Element) -> Result<()> {
        self.on(element, "click", &json!({}))
    }

    /// Focuses an element and types; a file input takes paths with line ends between.
    ///
    /// # Errors
    /// When it takes no keys.
    pub fn type_into(&self, element: &Element, text: &str) -> Result<()> {
        self.on(element, "value", &json!({ "text": text }))
    }

    /// Empties a text field.
    ///
    /// # Errors
    /// When it cannot be edited.
    pub fn clear(&self, element: &Element) -> Result<()> {
        self.on(element, "clear", &json!({}))
    }

    /// Presses keys one after the other wherever the focus is. A modifier is held until [`key::RELEASE`].
    ///
    /// # Errors
    /// When the browser refuses them.
    pub fn press(&self, keys: &[&str]) -> Result<()> {
        let mut held = Vec::new();
        let mut actions = Vec::new();
        for key in keys.iter().flat_map(|text| text.split_inclusive(|_: char| true)) {
            match key {
                key::RELEASE => {
                    actions.extend(held.drain(..).map(|held: &str| json!({ "type": "keyUp", "value": held })))
                }
                key::CONTROL | key::SHIFT => {
                    held.push(key);
                    actions.push(json!({ "type": "keyDown", "value": key }));
                }
                key => {
                    actions.push(json!({ "type": "keyDown", "value": key }));
                    actions.push(json!({ "type": "keyUp", "value": key }));
                }
            }
        }
        actions.extend(held.drain(..).map(|held| json!({ "type": "keyUp", "value": held })));
        self.driver
            .post("actions", &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] }))
            .map(drop)
    }

    /// Whether an element is there, visible or not, at this moment.
    ///
    /// # Errors
    /// When the selector is invalid.
    pub fn has(&self, selector: &str) -> Result<bool> {
        Ok(!self.all(selector)?.is_empty())
    }

    /// Sets the size of the visible page in CSS pixels, as a window or a telephone of that size would have it.
    ///
    /// # Errors
    /// When the browser refuses it.
    pub fn resize(&self, width: u32, height: u32) -> Result<()> {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.devtools("Emulation.setDeviceMetricsOverride", &metrics).map(drop)
    }

    /// Chooses the light or the dark scheme.
    ///
    /// # Errors
    /// When the browser refuses it.
    pub fn dark(&self, dark: bool) -> Result<()> {
        let scheme = if dark { "dark" } else { "light" };
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.devtools("Emulation.setEmulatedMedia", &media).map(drop)
    }

    /// Takes a picture of the visible page as a PNG file.
    ///
    /// # Errors
    /// When the browser gives none or the file cannot be written.
    pub fn screenshot(&self, path: PathBuf) -> Result<()> {
        let picture = self.driver.get("screenshot")?;
        let bytes = BASE64_STANDARD.decode(text(&picture)?).context("the picture is not base64")?;
        fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
    }

    /// The tab in front.
    ///
    /// # Errors
    /// When it was closed.
    pub fn tab(&self) -> Result<Tab> {
        Ok(Tab(text(&self.driver.get("window")?)?))
    }

    /// Opens an empty tab and brings it to the front.
    ///
    /// # Errors
    /// When the browser refuses it.
    pub fn open_tab(&mut self) -> Result<Tab> {
        self.gather_console()?;
        let opened = self.driver.post("window/new", &json!({ "type": "tab" }))?;
        let tab = Tab(text(&opened["handle"])?);
        self.switch(&tab)?;
        Ok(tab)
    }

    /// Brings a tab to the front; everything else is about the tab in front.
    ///
    /// # Errors
    /// When it was closed.
    pub fn switch(&mut self, tab: &Tab) -> Result<()> {
        self.gather_console()?;
        self.driver.post("window", &json!({ "handle": tab.0 })).map(drop)
    }

    /// Closes the tab in front and brings another to the front.
    ///
    /// # Errors
    /// When the browser refuses it.
    pub fn close_tab(&mut self, then: &Tab) -> Result<()> {
        self.gather_console()?;
        self.driver.delete("window")?;
        self.driver.post("window", &json!({ "handle": then.0 })).map(drop)
    }

    /// Everything written to the consoles so far.
    ///
    /// # Errors
    /// When the browser does not tell.
    pub fn console(&mut self) -> Result<&[ConsoleLine]> {
        self.gather_console()?;
        Ok(&self.console)
    }

    fn gather_console(&mut self) -> Result<()> {
        let lines = self.driver.post("se/log", &json!({ "type": "browser" }))?;
        for line in lines.as_array().map(Vec::as_slice).unwrap_or_default() {
            let part = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
            self.console.push(ConsoleLine { level: part("level"), source: part("source"), message: part("message") });
        }
        Ok(())
    }

    fn on(&self, element: &Element, command: &str, parameters: &Value) -> Result<()> {
        self.driver.post(&format!("element/{}/{command}", element.0), parameters).map(drop)
    }
}

impl Element {
    /// The element as an argument of [`Browser::run`].
    #[must_use]
    pub fn argument(&self) -> Value {
        json!({ ELEMENT_KEY: self.0 })
    }
}

fn text(value: &Value) -> Result<String> {
    Ok(value.as_str().with_context(|| format!("not text: {value}"))?.to_owned())
}
