//! The chromedriver process and one session with it: WebDriver's requests and answers, nothing about pages.

use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value, json};
use std::{
    env,
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    thread,
    time::Duration,
};
use ureq::Agent;

/// What a headless browser in a container needs: no sandbox, no GPU, no talk with its maker.
const BROWSER_FLAGS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1280,800",
];

/// A chromedriver with one session. Both end on drop.
#[derive(Debug)]
pub(super) struct Driver {
    child: Child,
    agent: Agent,
    /// `http://127.0.0.1:PORT/session/ID`, or without the session while there is none.
    base: String,
    in_session: bool,
}

impl Driver {
    /// Starts chromedriver on a port that it chooses, and a browser over a profile folder.
    pub(super) fn start(profile: &Path) -> Result<Self> {
        let program = env::var_os("CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into());
        let mut child = Command::new(&program)
            .args(["--port=0", "--log-level=WARNING"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {} (Debian: chromium-driver)", program.display()))?;
        let printed = child.stdout.take().context("chromedriver has no output")?;
        // A page may load a 13 MB manual or wait for an index; the waiting that matters has its own bounds.
        let config = Agent::config_builder().timeout_global(Some(Duration::from_secs(180))).http_status_as_error(false);
        let mut driver = Self { child, agent: config.build().new_agent(), base: String::new(), in_session: false };
        driver.base = format!("http://127.0.0.1:{}", announced_port(printed)?);
        driver.open_session(profile)?;
        Ok(driver)
    }

    fn open_session(&mut self, profile: &Path) -> Result<()> {
        let mut flags: Vec<String> = BROWSER_FLAGS.iter().map(|flag| (*flag).to_owned()).collect();
        flags.push(format!("--user-data-dir={}", profile.display()));
        let mut options = json!({ "args": flags });
        if let Ok(binary) = env::var("CHROMIUM") {
            options["binary"] = json!(binary);
        }
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL" },
            "timeouts": { "script": 120_000, "pageLoad": 120_000 },
        } } });
        let session = self.post("session", &capabilities)?;
        let id = session["sessionId"].as_str().context("chromedriver opened no session")?;
        self.base = format!("{}/session/{id}", self.base);
        self.in_session = true;
        Ok(())
    }

    /// Sends a command with parameters.
    pub(super) fn post(&self, command: &str, parameters: &Value) -> Result<Value> {
        let mut answer = self
            .agent
            .post(format!("{}/{command}", self.base))
            .send_json(parameters)
            .with_context(|| format!("chromedriver does not answer {command}"))?;
        read(command, answer.body_mut())
    }

    /// Sends a command that only asks.
    pub(super) fn get(&self, command: &str) -> Result<Value> {
        let mut answer = self
            .agent
            .get(format!("{}/{command}", self.base))
            .call()
            .with_context(|| format!("chromedriver does not answer {command}"))?;
        read(command, answer.body_mut())
    }

    /// Sends a command that ends something.
    pub(super) fn delete(&self, command: &str) -> Result<Value> {
        let address = if command.is_empty() { self.base.clone() } else { format!("{}/{command}", self.base) };
        let mut answer =
            self.agent.delete(address).call().with_context(|| format!("chromedriver does not answer {command}"))?;
        read(command, answer.body_mut())
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Ending the session ends the browser; killing chromedriver alone would leave it running.
        if self.in_session {
            let _ = self.delete("");
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Takes an answer apart: `value` holds what was asked for, or what went wrong.
fn read(command: &str, body: &mut ureq::Body) -> Result<Value> {
    let mut answer: Value = body
        .with_config()
        .limit(256 << 20)
        .read_json()
        .with_context(|| format!("chromedriver's answer to {command} is not JSON"))?;
    let value = answer["value"].take();
    match value["error"].as_str() {
        Some(error) if value.get("stacktrace").is_some() => {
            let message = value["message"].as_str().unwrap_or_default();
            Err(anyhow!("{command}: {error}: {message}"))
        }
        _ => Ok(value),
    }
}

/// Reads the port from chromedriver's greeting, and goes on reading so that it never waits for a full pipe.
fn announced_port(printed: ChildStdout) -> Result<u16> {
    let mut printed = BufReader::new(printed);
    let mut line = String::new();
    loop {
        line.clear();
        if printed.read_line(&mut line)? == 0 {
            bail!("chromedriver ended before it was up");
        }
        let Some((_, port)) = line.split_once("started successfully on port ") else { continue };
        let port = port.trim().trim_end_matches('.').parse().context("chromedriver announced no port")?;
        thread::spawn(move || {
            let mut sink = [0; 4096];
            while printed.read(&mut sink).is_ok_and(|n_bytes| n_bytes > 0) {}
        });
        return Ok(port);
    }
}
