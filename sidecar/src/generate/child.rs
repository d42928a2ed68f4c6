//! The child as this program is it: `millwright model-process`, which people do not call. Not for keeping one: that is the
//! supervisor.

use super::choice::Room;
use super::supervisor::ChildCommand;
use std::{
    env,
    ffi::OsString,
    io::Write,
    path::{Path, PathBuf},
};

/// The hidden command.
pub const COMMAND: &str = "model-process";

/// The model runtime as a program beside this one, where this one is built without it: `cargo pkg run` puts it there.
const RUNTIME: &str = "millwright-runtime";

/// The command line of the child for a model.
///
/// # Errors
/// Where no program here can run models; what to do.
pub fn command(model: &Path, room: Room) -> Result<ChildCommand, String> {
    let program = program().ok_or_else(|| {
        "this build of Millwright has no model runtime. `cargo pkg run` builds it beside the app (a quarter of an hour, once; needs cmake and \
         libclang), then load the model again; or use another program's server with --generator URL"
            .to_owned()
    })?;
    let mut arguments = vec![OsString::from(COMMAND), "--model".into(), model.into()];
    for (name, value) in
        [("--context-tokens", room.context_tokens), ("--threads", room.threads), ("--gpu-layers", room.gpu_layers)]
    {
        if let Some(value) = value {
            arguments.extend([OsString::from(name), value.to_string().into()]);
        }
    }
    Ok(ChildCommand { program, arguments, environment: Vec::new() })
}

fn program() -> Option<PathBuf> {
    let this = env::current_exe().ok()?;
    if cfg!(feature = "generate") {
        // A program that was replaced while it runs is still there under this name, and only there.
        let replaced = !this.is_file() && cfg!(target_os = "linux");
        return Some(if replaced { PathBuf::from("/proc/self/exe") } else { this });
    }
    let beside = this.parent()?.join(RUNTIME).with_extension(env::consts::EXE_EXTENSION);
    beside.is_file().then_some(beside)
}

/// Holds a model until the server that started this process is gone; whether the model could be loaded.
#[must_use]
pub fn run(model: &Path, room: Room) -> bool {
    let (input, output) = (std::io::stdin(), std::io::stdout());
    #[cfg(feature = "generate")]
    let load = |on_percent| super::llama::Llama::load(model, room, on_percent);
    #[cfg(not(feature = "generate"))]
    let load = |_: super::worker::OnPercent| {
        let (_, _) = (model, room);
        Err::<NoEngine, String>("this build of Millwright has no model runtime".to_owned())
    };
    super::worker::run(input, output, load)
}

/// Prints how fast the model runtime is by itself, as JSON; whether it could be measured.
#[must_use]
pub fn measure(model: &Path, room: Room) -> bool {
    #[cfg(feature = "generate")]
    let measured = super::llama::bench::bare(model, room);
    #[cfg(not(feature = "generate"))]
    let measured = {
        let (_, _) = (model, room);
        Err::<(), &str>("this build of Millwright has no model runtime")
    };
    let text = match &measured {
        Ok(measures) => serde_json::to_string(measures).unwrap_or_default(),
        Err(error) => error.to_string(),
    };
    let was_said = writeln!(std::io::stdout(), "{text}").is_ok();
    measured.is_ok() && was_said
}

/// What a build without the runtime loads: nothing.
#[cfg(not(feature = "generate"))]
enum NoEngine {}

#[cfg(not(feature = "generate"))]
impl super::worker::Engine for NoEngine {
    fn about(&self) -> super::wire::About {
        match *self {}
    }

    fn warm(&mut self) {
        match *self {}
    }

    fn generate(
        &mut self,
        _generation: &millwright_core::host::generator::Generation,
        _listener: &mut dyn super::worker::Listener,
    ) -> Result<
        (millwright_core::host::generator::Finish, millwright_core::host::generator::Usage),
        millwright_core::host::generator::GenerateError,
    > {
        match *self {}
    }
}
