//! `cargo pkg doctor`: what this machine has, what it lacks, and what each missing thing costs the user.

use crate::{
    browser,
    console::{human_size, say, table},
    error::PkgError,
    process::{Program, find},
    runtime,
    system::{self, Port},
    tools::{self, version_in, version_parts},
    wasm_target,
    workspace::Workspace,
};
use std::path::PathBuf;

/// What something leaves in the target folder when nothing was there before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DiskNeed {
    what: &'static str,
    bytes: u64,
}

impl DiskNeed {
    /// `cargo pkg run`.
    pub(crate) const BUILD: Self = Self { what: "a first build", bytes: 4_000_000_000 };
    /// `cargo pkg check` and `cargo pkg test`; measured 5.6 GB, without the profiles of the browser.
    pub(crate) const TESTS: Self = Self { what: "a first run of checks and tests", bytes: 6_000_000_000 };
}

/// The oldest Node that the benchmark's peers run on.
const NODE_MAJOR: u32 = 18;

/// How bad it is that something is missing.
#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// There.
    There,
    /// Missing, and `cargo pkg run` or `cargo pkg test` gets it.
    Gettable,
    /// Missing, and something optional goes without it.
    Optional,
    /// Missing, and nothing runs without it.
    Needed,
}

/// One line of the report.
struct Finding {
    name: &'static str,
    state: State,
    found: String,
    /// What its absence costs and how to get it.
    cost: String,
}

impl Finding {
    fn there(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, state: State::There, found: found.into(), cost: String::new() }
    }

    fn lacking(name: &'static str, state: State, cost: impl Into<String>) -> Self {
        Self { name, state, found: "missing".into(), cost: cost.into() }
    }
}

/// Prints the report.
///
/// # Errors
/// If running is impossible as things are.
pub(crate) fn doctor(port: u16) -> Result<(), PkgError> {
    let workspace = Workspace::find()?;
    let mut findings = vec![compiler(&workspace), c_toolchain(), target(&workspace)];
    findings.extend([&tools::WASM_BINDGEN, &tools::TRUNK].map(|tool| build_tool(&workspace, tool)));
    findings.extend([disk(&workspace, DiskNeed::BUILD), port_state(port)]);
    findings.extend([driven("Chromium", browser::chromium()), driven("chromedriver", browser::chromedriver())]);
    findings.extend([nextest(), node(), model_runtime()]);
    findings.push(Finding::there("GPU", "not used: parsing, indexing and finding run on the processor"));
    say(&report(&findings));
    let needed: Vec<&str> =
        findings.iter().filter(|finding| finding.state == State::Needed).map(|finding| finding.name).collect();
    if needed.is_empty() {
        say("`cargo pkg run` can run here.");
        return Ok(());
    }
    Err(PkgError::Failed(format!("`cargo pkg run` cannot run here without: {}", needed.join(", "))))
}

fn report(findings: &[Finding]) -> String {
    let rows: Vec<Vec<String>> = findings
        .iter()
        .map(|finding| {
            let state = match finding.state {
                State::There => "ok",
                State::Gettable => "to get",
                State::Optional => "without",
                State::Needed => "NEEDED",
            };
            vec![state.to_owned(), finding.name.to_owned(), finding.found.clone(), finding.cost.clone()]
        })
        .collect();
    table(&rows)
}

fn compiler(workspace: &Workspace) -> Finding {
    let oldest = env!("CARGO_PKG_RUST_VERSION");
    let said = Program::new("rustc", &workspace.root).arg("--version").capture().unwrap_or_default();
    match version_in(&said) {
        Some(version) if version_parts(version) >= version_parts(oldest) => Finding::there("Rust", version),
        Some(version) => {
            let cost = format!("{version} is too old, {oldest} is needed: `rustup update`");
            Finding { found: version.to_owned(), ..Finding::lacking("Rust", State::Needed, cost) }
        }
        None => Finding::lacking("Rust", State::Needed, "nothing can be built"),
    }
}

/// The C compiler's path, if there is one.
pub(crate) fn c_compiler() -> Option<PathBuf> {
    // MSVC is found by rustc itself, not on the PATH.
    ["cc", "gcc", "clang"].iter().find_map(|name| find(name, &[])).or_else(|| cfg!(windows).then(PathBuf::new))
}

fn c_toolchain() -> Finding {
    match c_compiler() {
        Some(path) => Finding::there("C compiler", path.display().to_string()),
        None => {
            let cost = format!("nothing links: {}", system::Apt::find().line(&["gcc", "libc6-dev"]));
            Finding::lacking("C compiler", State::Needed, cost)
        }
    }
}

fn target(workspace: &Workspace) -> Finding {
    match wasm_target::is_present(workspace) {
        Ok(true) => Finding::there("wasm target", wasm_target::TARGET),
        Ok(false) => Finding::lacking("wasm target", State::Gettable, "`cargo pkg run` gets it, half a minute"),
        Err(error) => Finding::lacking("wasm target", State::Needed, error.to_string()),
    }
}

fn build_tool(workspace: &Workspace, tool: &'static tools::Tool) -> Finding {
    match tool.locate(workspace) {
        Some(path) => Finding::there(tool.program, format!("{} {}", tool.version, workspace.shown(&path))),
        None => {
            let cost = format!("{}: `cargo pkg run` builds {}, minutes", tool.purpose, tool.version);
            Finding::lacking(tool.program, State::Gettable, cost)
        }
    }
}

fn disk(workspace: &Workspace, need: DiskNeed) -> Finding {
    match system::free_bytes(&workspace.root) {
        Some(free) if free < need.bytes => {
            let cost = format!("{} takes about {}", need.what, human_size(need.bytes));
            Finding { found: human_size(free), ..Finding::lacking("disk space", State::Optional, cost) }
        }
        Some(free) => Finding::there("disk space", format!("{} free", human_size(free))),
        None => Finding::there("disk space", "this system does not tell"),
    }
}

/// A sentence where the disk may be too small: on a full one builds and tests fail for reasons that they do not name.
pub(crate) fn disk_warning(workspace: &Workspace, need: DiskNeed) -> Option<String> {
    let finding = disk(workspace, need);
    (finding.state != State::There)
        .then(|| format!("  Only {} of disk space are free; {}.", finding.found, finding.cost))
}

fn port_state(port: u16) -> Finding {
    match system::port(port) {
        Port::Free => Finding::there("port", format!("{port} is free")),
        Port::Millwright => Finding::there("port", format!("{port}: Millwright is running")),
        Port::Taken => {
            let cost = "another program has it: `cargo pkg run --port N` serves on another one";
            Finding { found: format!("{port} is taken"), ..Finding::lacking("port", State::Optional, cost) }
        }
    }
}

fn driven(name: &'static str, path: Option<PathBuf>) -> Finding {
    found_or(name, path, State::Gettable, "browser tests and benchmark need it: `cargo pkg test` gets it or says how")
}

fn nextest() -> Finding {
    let cost = "tests run one after another with cargo's own runner";
    found_or("cargo-nextest", find("cargo-nextest", &[]), State::Optional, cost)
}

fn node() -> Finding {
    let cost = "`cargo pkg bench` cannot run the JavaScript peers";
    let Some(path) = find("node", &[]).filter(|_| find("npm", &[]).is_some()) else {
        return Finding::lacking("node and npm", State::Optional, cost);
    };
    let said = Program::new(&path, std::path::Path::new(".")).arg("--version").capture().unwrap_or_default();
    match version_in(&said) {
        Some(version) if version_parts(version)[0] >= NODE_MAJOR => Finding::there("node and npm", version),
        _ => Finding { found: said.trim().to_owned(), ..Finding::lacking("node and npm", State::Optional, cost) },
    }
}

/// What a language model of one's own is built with.
fn model_runtime() -> Finding {
    let lacking = runtime::lacking();
    if lacking.is_empty() {
        return Finding::there("model runtime", "can be built: cmake, libclang and a C++ compiler are there");
    }
    let cost = format!("{} missing, so {}", lacking.join(" and "), runtime::COST);
    Finding { found: "cannot be built".to_owned(), ..Finding::lacking("model runtime", State::Optional, cost) }
}

fn found_or(name: &'static str, path: Option<PathBuf>, state: State, cost: &str) -> Finding {
    match path {
        Some(path) => Finding::there(name, path.display().to_string()),
        None => Finding::lacking(name, state, cost),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_tells_what_a_missing_thing_costs() {
        let findings =
            [Finding::there("Rust", "1.95.0"), Finding::lacking("trunk", State::Gettable, "builds the page")];
        assert_eq!(report(&findings), "  ok      Rust   1.95.0\n  to get  trunk  missing  builds the page\n");
    }
}
