//! A sidecar process of the test's own, on a port of its own, which can be killed to take the network away.

use anyhow::{Context, Result, bail};
use std::{
    fs::File,
    net::{Ipv4Addr, TcpListener},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// A running `millwright serve`.
#[derive(Debug)]
pub struct Sidecar {
    child: Child,
    port: u16,
    _no_models: Option<TempDir>,
}

impl Sidecar {
    /// Serves a folder on a free port and returns once it answers. What it prints goes to `log`. It has no models.
    ///
    /// # Errors
    /// When the binary is missing, ends early, or does not answer within 20 seconds.
    pub fn start(binary: &Path, bundle: &Path, log: &Path) -> Result<Self> {
        let none = tempfile::tempdir()?;
        let mut sidecar = Self::start_with_models(binary, bundle, none.path(), log)?;
        sidecar._no_models = Some(none);
        Ok(sidecar)
    }

    /// The same with the models of a folder. It gets no others: the machine's own folder and package index are none of a
    /// test's business.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn start_with_models(binary: &Path, bundle: &Path, models: &Path, log: &Path) -> Result<Self> {
        let port = free_port()?;
        let printed = File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
        let child = Command::new(binary)
            .args(["serve", "--port", &port.to_string(), "--app"])
            .arg(bundle)
            .env("MILLWRIGHT_LIBRARY", log.with_extension("library"))
            .env("MILLWRIGHT_MODELS", models)
            // Nothing listens on the port of the protocol "discard".
            .env("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
            .stdin(Stdio::null())
            .stdout(printed.try_clone()?)
            .stderr(printed)
            .spawn()
            .with_context(|| format!("cannot start {}", binary.display()))?;
        let mut sidecar = Self { child, port, _no_models: None };
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            if let Some(status) = sidecar.child.try_wait()? {
                bail!("the sidecar ended with {status}; see {}", log.display());
            }
            let health = format!("{}/api/health", sidecar.origin());
            if ureq::get(&health).config().timeout_global(Some(Duration::from_secs(1))).build().call().is_ok() {
                return Ok(sidecar);
            }
            if Instant::now() > deadline {
                bail!("the sidecar does not answer at {health}; see {}", log.display());
            }
            thread::sleep(Duration::from_millis(25));
        }
    }

    /// Where it serves, without a slash at the end. Storage in the browser belongs to it.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Ends it at once, as a pulled cable would.
    ///
    /// # Errors
    /// When the process cannot be ended.
    pub fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Sidecar {
    fn drop(&mut self) {
        // Already dead is as good.
        let _ = self.kill();
    }
}

/// A port that was free a moment ago.
fn free_port() -> Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}
