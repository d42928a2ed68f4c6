//! `cargo pkg run`: from a fresh clone to the app in the browser, saying beforehand what it will do and how long.

use crate::{
    bundle,
    console::{human_time, say},
    doctor::{self, DiskNeed},
    error::PkgError,
    process::Program,
    runtime,
    steps::{self, OnFailure, Outcome, Step},
    system::{self, Apt, Port},
    tools, wasm_target,
    workspace::{Profile, Workspace},
};
use std::{
    process::Child,
    thread,
    time::{Duration, Instant},
};

/// How long a server may take to come up. It opens its store before it listens.
const START_LIMIT: Duration = Duration::from_secs(60);

/// What the user asked for.
#[derive(Debug, PartialEq)]
pub(crate) struct RunOptions {
    /// The port to serve on.
    pub(crate) port: u16,
    /// Whether to open a browser.
    pub(crate) open: bool,
}

/// Gets what is missing, builds what changed, serves until it is stopped.
///
/// # Errors
/// If something missing could not be got, a build fails, the port is another program's, or the server ends with a failure.
pub(crate) fn run(options: &RunOptions) -> Result<(), PkgError> {
    let begun = Instant::now();
    let workspace = Workspace::find()?;
    let address = format!("http://127.0.0.1:{}/", options.port);
    // Before minutes of building, not after.
    match system::port(options.port) {
        Port::Free => {}
        Port::Millwright => {
            say(&format!(
                "Millwright is already running at {address}\nTo load a newer build, stop it and run this again."
            ));
            open(options, &address);
            return Ok(());
        }
        Port::Taken => {
            return Err(PkgError::Missing {
                what: format!("port {} is taken by another program", options.port),
                remedy: format!("cargo pkg run --port {}", options.port.checked_add(1).unwrap_or(8080)),
            });
        }
    }
    let steps = plan(&workspace)?;
    let is_first = steps.iter().any(|step| step.minutes.is_some());
    if is_first {
        say("Millwright: this is what will be done, once. Then it starts in seconds.\n");
        say(&steps::announce(&steps));
        if let Some(warning) = doctor::disk_warning(&workspace, DiskNeed::BUILD) {
            say(&warning);
        }
    }
    steps::take(steps, OnFailure::Stop)?;
    let mut server = serve(&workspace, options.port)?;
    say(&format!("\nMillwright is ready after {}:\n\n    {address}\n", human_time(begun.elapsed())));
    say("What you put in stays in the storage of your browser, on this machine.");
    open(options, &address);
    runtime::build_beside(&workspace);
    let status = server.wait().map_err(PkgError::io("waiting for the server"))?;
    if status.success() { Ok(()) } else { Err(PkgError::Failed(format!("the server ended with {status}"))) }
}

/// What has to be done on this machine, in order.
fn plan(workspace: &Workspace) -> Result<Vec<Step<'_>>, PkgError> {
    let mut steps = Vec::new();
    steps.extend(compiler_step());
    steps.extend(wasm_target::step(workspace)?);
    steps.extend(tools::steps(workspace));
    steps.extend(bundle::step(workspace, Profile::Release)?);
    steps.push(sidecar_step(workspace));
    Ok(steps)
}

/// The C compiler, which some of the libraries that we stand on are built with.
fn compiler_step<'a>() -> Option<Step<'a>> {
    if doctor::c_compiler().is_some() {
        return None;
    }
    let packages = ["gcc", "libc6-dev"];
    Some(Step {
        name: "C compiler".into(),
        what: format!("`{}`", Apt::find().line(&packages)),
        minutes: Some(0.5),
        action: Box::new(move || Apt::find().install(&packages).map(|()| Outcome::default())),
    })
}

/// The server, as users run it: it reads scans. Cargo knows best whether it is current, and answers within a second if
/// it is.
pub(crate) fn sidecar_step(workspace: &Workspace) -> Step<'_> {
    let command = ["build", "--release", "--package", "millwright-sidecar", "--features", "embed,scan"];
    Step {
        name: "sidecar".into(),
        what: format!("`cargo {}` (the server and the command line)", command.join(" ")),
        minutes: (!workspace.sidecar(Profile::Release).is_file()).then_some(8.0),
        action: Box::new(move || {
            Program::cargo(&workspace.root).args(command).run()?;
            Ok(Outcome::note(workspace.shown(&workspace.sidecar(Profile::Release))))
        }),
    }
}

/// Starts the server and waits until it answers.
fn serve(workspace: &Workspace, port: u16) -> Result<Child, PkgError> {
    let program = Program::new(workspace.sidecar(Profile::Release), &workspace.root)
        .args(["serve", "--port", &port.to_string(), "--app"])
        .arg(workspace.dist());
    let line = program.line();
    say(&format!("\nStarting `{}`", line.replace(&*workspace.root.to_string_lossy(), ".")));
    let mut server = program.spawn()?;
    let begun = Instant::now();
    while begun.elapsed() < START_LIMIT {
        if system::health(port) == Some(true) {
            return Ok(server);
        }
        if let Some(status) = server.try_wait().map_err(PkgError::io("waiting for the server"))? {
            return Err(PkgError::Program { line, ending: format!("ended with {status} before it served") });
        }
        thread::sleep(Duration::from_millis(50));
    }
    // It is about to be reported as useless; that it may already have ended changes nothing.
    let _ = server.kill();
    let _ = server.wait();
    Err(PkgError::Failed(format!("the server did not answer on port {port} within {}", human_time(START_LIMIT))))
}

fn open(options: &RunOptions, address: &str) {
    if options.open && system::open_browser(address) {
        say("Opening it in your browser.");
    }
}
