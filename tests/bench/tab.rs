//! The rows in the tab: every library in a worker of a fresh browser, then opened again in another browser process.

use crate::table::Row;
use anyhow::{Context, Result, bail};
use millwright_tests::webdriver::Browser;
use serde_json::{Value, json};
use std::time::Duration;

/// How long one step of one library may take.
const PATIENCE: Duration = Duration::from_secs(900);

/// Measures a library over one size: its row and its answers.
pub(crate) fn measure(origin: &str, library: &str, label: &str, n_chunks: usize) -> Result<(Row, Vec<Vec<u32>>)> {
    let profile = tempfile::tempdir()?;
    let built = step(profile.path(), origin, json!({ "library": library, "step": "build", "size": n_chunks }))?;
    // Another process over the same profile: nothing is left in memory, as after switching the machine on.
    let opened = step(profile.path(), origin, json!({ "library": library, "step": "open" }))?;
    let number = |report: &Value, name: &str| {
        report[name].as_f64().with_context(|| format!("{label} reported no {name}: {report:.300}"))
    };
    let row = Row::of(
        label,
        number(&built, "buildMillis")?,
        number(&built, "bytes")? as usize,
        (number(&built, "p50Millis")?, number(&built, "p95Millis")?),
        Some(number(&opened, "firstAnswerMillis")?),
    );
    let answers = serde_json::from_value(built["answers"].clone()).context("answers are lists of numbers")?;
    Ok((row, answers))
}

/// Reads the site's files in a worker: for each group its title, the least milliseconds and the number of nodes.
pub(crate) fn read(origin: &str) -> Result<Vec<(String, f64, usize)>> {
    let profile = tempfile::tempdir()?;
    let report = step(profile.path(), origin, json!({ "library": "millwright", "step": "read" }))?;
    let groups = report["groups"].as_array().context("no groups were read")?;
    let group = |group: &Value| {
        let title = group["title"].as_str().context("no title")?.to_owned();
        let millis = group["millis"].as_f64().context("no time")?;
        let n_nodes = group["nodes"].as_u64().context("no nodes")?;
        Ok((title, millis, usize::try_from(n_nodes)?))
    };
    groups.iter().map(group).collect()
}

pub(crate) fn step(profile: &std::path::Path, origin: &str, step: Value) -> Result<Value> {
    let browser = Browser::start(profile)?;
    browser.goto(&format!("{origin}/"))?;
    browser.run("measure(arguments[0])", std::slice::from_ref(&step))?;
    let report = browser.until(&step.to_string(), PATIENCE, || {
        let report = browser.run("return window.report", &[])?;
        Ok((!report.is_null()).then_some(report))
    })?;
    match report["error"].as_str() {
        Some(error) => bail!("{step}: {error}"),
        None => Ok(report),
    }
}
