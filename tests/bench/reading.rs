//! Reading PDF in the tab beside the same code natively: the printed pages of our own, and a 551-page manual and a dense
//! report where the public data is.

use crate::tab;
use anyhow::{Context, Result};
use millwright_tests::{corpus::TestFile, paths};
use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

/// How often each group is read; the least time counts, as in the tab.
const PASSES: usize = 3;

/// The least part of the native speed that issue 3 promises.
const PROMISED: f64 = 0.5;

/// Files that are measured together.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) title: &'static str,
    pub(crate) files: Vec<TestFile>,
}

/// What is read.
pub(crate) fn groups() -> Result<Vec<Group>> {
    let printed = paths::workspace().join("tests/printed/set");
    let mut pdfs: Vec<PathBuf> = fs::read_dir(&printed)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    pdfs.retain(|path| path.extension().is_some_and(|ending| ending == "pdf"));
    pdfs.sort();
    let files = pdfs.iter().map(|path| file(path)).collect::<Result<_>>()?;
    let mut groups = vec![Group { title: "printed pages of our own", files }];
    if let Some(folder) = paths::public_data("manual_linuxcnc/pdf") {
        let files = vec![file(&folder.join("LinuxCNC_Manual_Pages.pdf"))?];
        groups.push(Group { title: "a manual of 551 pages", files });
    }
    if let Some(folder) = paths::public_data("docling/pdf/sources") {
        let files = vec![file(&folder.join("redp5110_sampled.pdf"))?];
        groups.push(Group { title: "a dense report of 18 pages", files });
    }
    Ok(groups)
}

fn file(path: &Path) -> Result<TestFile> {
    let name = path.file_name().context("a file has a name")?.to_string_lossy();
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(TestFile::new(name.as_ref(), bytes))
}

/// The table of both.
pub(crate) fn measure(groups: &[Group], origin: &str) -> Result<String> {
    let mut table = String::from(
        "| reading PDF | natively | in the tab | its part of the native speed |\n| --- | --: | --: | --: |\n",
    );
    for (group, (title, tab_millis, tab_nodes)) in groups.iter().zip(tab::read(origin)?) {
        let mut native_millis = f64::INFINITY;
        let mut native_nodes = 0;
        for _ in 0..PASSES {
            let began = Instant::now();
            native_nodes = 0;
            for file in &group.files {
                native_nodes += millwright_bench_lexical::read(&file.name, &file.bytes)?;
            }
            native_millis = native_millis.min(began.elapsed().as_secs_f64() * 1000.0);
        }
        let part = native_millis / tab_millis;
        let kept = if part >= PROMISED { "kept" } else { "NOT KEPT" };
        let same = if native_nodes == tab_nodes { "the same nodes" } else { "OTHER NODES" };
        writeln!(
            table,
            "| {title}, {} files | {native_millis:.0} ms | {tab_millis:.0} ms | {part:.2} (promised: {PROMISED}; {kept}; {same}) |",
            group.files.len()
        )?;
    }
    Ok(table)
}
