//! The model runtime, a program beside the sidecar: what it needs to be built, and building it while the app already runs.
//! Not for running it: the sidecar does.

use crate::{
    console::{human_time, say},
    error::PkgError,
    process::{Program, find},
    system::Apt,
    workspace::{Profile, Workspace},
};
use std::{fs, path::PathBuf, thread, time::Instant};

/// Debian's packages with what it is built with.
const PACKAGES: [&str; 3] = ["cmake", "g++", "libclang-dev"];

/// Minutes of one core that a first build takes.
const MINUTES: u32 = 15;

/// What goes without it, and what does not.
pub(crate) const COST: &str = "answers are quoted from the documents, or written by another program's server (`millwright serve --generator URL`)";

/// What is missing to build it, by name.
pub(crate) fn lacking() -> Vec<&'static str> {
    let compiler = ["c++", "g++", "clang++"].iter().any(|name| find(name, &[]).is_some()) || cfg!(windows);
    let parts = [("cmake", find("cmake", &[]).is_some()), ("a C++ compiler", compiler), ("libclang", has_libclang())];
    parts.into_iter().filter(|(_, is_there)| !is_there).map(|(name, _)| name).collect()
}

/// Whether the library is in one of the places where its users look for it.
fn has_libclang() -> bool {
    let told = std::env::var_os("LIBCLANG_PATH").map(PathBuf::from);
    let usual = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/opt/homebrew/opt/llvm/lib", "/usr/local/opt/llvm/lib"];
    let xcode = ["/Library/Developer/CommandLineTools/usr/lib"];
    let roots = told.into_iter().chain(usual.iter().chain(&xcode).map(PathBuf::from));
    roots.into_iter().any(|root| {
        // `/usr/lib/llvm-14/lib`, `/usr/lib/x86_64-linux-gnu`.
        let below: Vec<PathBuf> = folders(&root).into_iter().flat_map(|folder| [folder.join("lib"), folder]).collect();
        std::iter::once(root).chain(below).any(|folder| holds_libclang(&folder))
    })
}

fn folders(root: &std::path::Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(root).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.is_dir()).collect()
}

fn holds_libclang(folder: &std::path::Path) -> bool {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    names.filter_map(|entry| entry.file_name().into_string().ok()).any(|name| is_libclang(&name))
}

/// `libclang.so`, `libclang-14.so.1`, `libclang.dylib`, `libclang.dll`; not `libclang-cpp.so`.
fn is_libclang(name: &str) -> bool {
    let is_library = [".so", ".dylib", ".dll"].iter().any(|ending| name.contains(ending));
    is_library && name.starts_with("libclang") && !name.starts_with("libclang-cpp")
}

/// Builds it in a thread of its own, saying so where it takes long, and saying when it is there or what failed. The app
/// goes on in every case.
pub(crate) fn build_beside(workspace: &Workspace) {
    let workspace = workspace.clone();
    thread::spawn(move || {
        if let Err(error) = build(&workspace) {
            say(&format!("The model runtime is not there: {error}\nThe app goes on without it: {COST}."));
        }
    });
}

fn build(workspace: &Workspace) -> Result<(), PkgError> {
    let is_first = !workspace.runtime(Profile::Release).is_file();
    let lacking = lacking();
    if !lacking.is_empty() {
        let apt = Apt::find();
        if matches!(apt, Apt::Root | Apt::Sudo) {
            say(&format!("Getting {} for the model runtime: `{}`", lacking.join(" and "), apt.line(&PACKAGES)));
        }
        apt.install(&PACKAGES)?;
    }
    let program = command(workspace);
    if is_first {
        say(&format!(
            "The model runtime is being built beside, about {MINUTES} minutes of one core: `{}`. Until then {COST}.",
            program.line()
        ));
    }
    let begun = Instant::now();
    // Its output would stand between what the server says.
    program.capture()?;
    if is_first {
        say(&format!(
            "The model runtime is there after {}. Put a model (*.gguf) into the models folder, or start with --model FILE.",
            human_time(begun.elapsed())
        ));
    }
    Ok(())
}

/// Whoever uses the app meanwhile comes first.
fn command(workspace: &Workspace) -> Program {
    let arguments = [
        "build",
        "--release",
        "--package",
        "millwright-sidecar",
        "--features",
        "embed,scan,generate",
        "--bin",
        "millwright-runtime",
    ];
    let cargo = Program::cargo(&workspace.root);
    let nice = find("nice", &[]).filter(|_| cfg!(unix));
    let program = match nice {
        Some(nice) => Program::new(nice, &workspace.root).args(["-n", "10"]).arg(cargo.program()),
        None => cargo,
    };
    program.args(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_told_from_its_neighbours() {
        for name in ["libclang.so", "libclang-14.so.1", "libclang.so.14", "libclang.dylib", "libclang.dll"] {
            assert!(is_libclang(name), "{name}");
        }
        for name in ["libclang-cpp.so.14", "libclangAST.a", "liblang.so", "libclang.a"] {
            assert!(!is_libclang(name), "{name}");
        }
    }
}
