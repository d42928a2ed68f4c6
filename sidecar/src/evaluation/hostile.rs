//! Files that were made or found to break readers: bombs, fuzzers' finds, damaged, protected and recursive ones.
//!
//! What is measured is the share of files that do no harm: no panic, no standing still for twenty seconds, no more than
//! a gigabyte of memory. Whether anything can be read of them is not asked. Each file is read as the command line reads
//! it, in a thread of its own under [`crate::reader`]'s guard; a stack that overflows or memory that runs out ends the
//! whole bench, loudly.

use super::{Bench, Measure, Outcome};
use crate::{
    interrupt::Interrupt,
    reader::{PATIENCE, ReaderError, read},
};
use millwright_core::parse;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Apache POI's hostile and protected office files.
pub(super) const POI: Bench = Bench { name: "poi_hostile", run: |data, say| run(&data.join("poi_hostile"), say) };
/// pdf.js' bug files.
pub(super) const PDFJS: Bench = Bench { name: "pdfjs", run: |data, say| run(&data.join("pdfjs"), say) };
/// qpdf's bug files.
pub(super) const QPDF: Bench = Bench { name: "qpdf", run: |data, say| run(&data.join("qpdf"), say) };

/// The most memory that reading one file may take, in KiB.
const MAX_MEMORY_KIB: u64 = 1 << 20;

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    files: usize,
    panics: usize,
    hangs: usize,
    hogs: usize,
    read: usize,
}

fn run(folder: &Path, say: &mut dyn FnMut(&str)) -> Outcome {
    let files = files(folder);
    if files.is_empty() {
        return Outcome::Skipped(format!("there are no files in {}.", folder.display()));
    }
    let mut counts = Counts { files: files.len(), ..Counts::default() };
    let mut most_kib = 0;
    for path in &files {
        let name = path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned();
        let (result, kib) = guarded(path);
        most_kib = most_kib.max(kib.unwrap_or(0));
        let fault = match &result {
            Err(ReaderError::Crashed(_)) => Some(&mut counts.panics),
            Err(ReaderError::StoodStill(_)) => Some(&mut counts.hangs),
            _ if kib.is_some_and(|kib| kib > MAX_MEMORY_KIB) => Some(&mut counts.hogs),
            _ => None,
        };
        let outcome = match &result {
            Ok(n_nodes) => format!("{n_nodes} nodes"),
            Err(error) => error.to_string(),
        };
        let mark = if fault.is_some() { "FAULT " } else { "" };
        say(&format!("{mark}{name}: {outcome} ({} MiB)", kib.unwrap_or(0) >> 10));
        if let Some(fault) = fault {
            *fault += 1;
        }
        counts.read += usize::from(result.is_ok());
    }
    let n_harmless = counts.files - counts.panics - counts.hangs - counts.hogs;
    let n = format!(
        "{} files: {} panics, {} hangs, {} over 1 GiB (most {} MiB); {} read",
        counts.files,
        counts.panics,
        counts.hangs,
        counts.hogs,
        most_kib >> 10,
        counts.read
    );
    let value = n_harmless as f64 / counts.files as f64;
    Outcome::Measured(vec![Measure { name: "files that do no harm", value, at_least: Some(1.0), n }])
}

/// Reads a file under guard: how many nodes came of it, and the most memory that the process held meanwhile, in KiB. What
/// was kept from the files before counts too: the allocator does not give all of it back, and a difference would hide
/// what a file takes of it. The system tells that on Linux alone.
fn guarded(path: &Path) -> (Result<usize, ReaderError>, Option<u64>) {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = fs::read(path).unwrap_or_default();
    let is_reset = fs::write("/proc/self/clear_refs", "5").is_ok();
    let work = move |progress: &mut dyn millwright_core::host::Progress| {
        parse::parse(&name, &bytes, progress).map(|parsed| parsed.document.nodes.len())
    };
    let result = read(work, PATIENCE, &Interrupt::default(), |_, _| {});
    (result, status_kib("VmHWM:").filter(|_| is_reset))
}

fn status_kib(key: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

/// All files of a folder and its folders, by path, without what is told about them.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut folders = vec![root.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name != "SOURCE.txt") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
