//! What a bundle weighs over the wire, and what it may: the shell, which is waited for, and what comes later.

use super::assets::{Asset, Part};
use crate::{
    console::{human_size, say, table},
    error::PkgError,
};
use std::path::Path;

/// What the shell may weigh, all of it: the design's number.
pub(super) const SHELL_BUDGET_BYTES: u64 = 3_000_000;

/// What may come later, which the first file waits for: the reader of files. It weighs 3.8 MB, 1.4 of them for scans. A second
/// program for those was weighed and not built: they delay the first page of the first file by less than 0.15 s.
const LATER_BUDGET_BYTES: u64 = 4_000_000;

/// What is for some alone: the embedder in its two builds, of which a browser fetches one. Each weighs 1.2 MB, most of it the
/// tokenizer, which reads any `tokenizer.json`.
const FOR_SOME_BUDGET_BYTES: u64 = 2_600_000;

/// Bytes over the wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weight {
    /// What the first paint and the first answer need.
    pub(super) shell: u64,
    /// What is fetched after that.
    pub(super) later: u64,
    /// What only some fetch, all builds of it.
    pub(super) for_some: u64,
}

impl Weight {
    /// Holds it to the budgets.
    ///
    /// # Errors
    /// If a part is above its own.
    pub(super) fn check(self) -> Result<(), PkgError> {
        for (what, is, may) in [
            ("the shell weighs", self.shell, SHELL_BUDGET_BYTES),
            ("what is fetched after the shell weighs", self.later, LATER_BUDGET_BYTES),
            ("the builds of the embedder weigh", self.for_some, FOR_SOME_BUDGET_BYTES),
        ] {
            if is > may {
                let (is, may) = (human_size(is), human_size(may));
                return Err(PkgError::Failed(format!("{what} {is} over the wire, its budget is {may}")));
            }
        }
        Ok(())
    }
}

/// Writes the compressed copies and prints what every file weighs.
///
/// # Errors
/// If a copy cannot be written.
pub(super) fn weigh(stage: &Path, version: &str, assets: &[Asset]) -> Result<Weight, PkgError> {
    let mut rows = vec![["file", "raw", "over the wire"].map(str::to_owned).to_vec()];
    let mut part = |part: Part, title: String| -> Result<u64, PkgError> {
        let (mut raw, mut wire) = (0, 0);
        for asset in assets.iter().filter(|asset| asset.part() == part) {
            let size = asset.write_compressed(stage)?;
            rows.push(vec![asset.path.clone(), human_size(asset.bytes.len() as u64), human_size(size)]);
            raw += asset.bytes.len() as u64;
            wire += size;
        }
        rows.push(vec![title, human_size(raw), human_size(wire)]);
        Ok(wire)
    };
    let shell = part(Part::Shell, format!("shell, version {version}"))?;
    let later = part(Part::Later, "later, at the first file".to_owned())?;
    let for_some = part(Part::ForSome, "with an embedding model, one of the two builds".to_owned())?;
    say(&table(&rows));
    Ok(Weight { shell, later, for_some })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_held_to_its_own_budget() {
        let full = Weight { shell: SHELL_BUDGET_BYTES, later: LATER_BUDGET_BYTES, for_some: FOR_SOME_BUDGET_BYTES };
        assert!(full.check().is_ok());
        for (heavy, words) in [
            (Weight { shell: SHELL_BUDGET_BYTES + 1, ..full }, "the shell weighs"),
            (Weight { later: LATER_BUDGET_BYTES + 1, ..full }, "after the shell"),
            (Weight { for_some: FOR_SOME_BUDGET_BYTES + 1, ..full }, "the embedder"),
        ] {
            let said = heavy.check().unwrap_err().to_string();
            assert!(said.contains(words), "{said}");
        }
    }
}
