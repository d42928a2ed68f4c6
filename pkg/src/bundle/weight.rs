//! What a bundle weighs over the wire, and what it may: the shell, which is waited for, and what comes later.

use super::assets::Asset;
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

/// Bytes over the wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weight {
    /// What the first paint and the first answer need.
    pub(super) shell: u64,
    /// What is fetched after that.
    pub(super) later: u64,
}

impl Weight {
    /// Holds it to the budgets.
    ///
    /// # Errors
    /// If either part is above its own.
    pub(super) fn check(self) -> Result<(), PkgError> {
        for (what, is, may) in [
            ("the shell weighs", self.shell, SHELL_BUDGET_BYTES),
            ("what is fetched after the shell weighs", self.later, LATER_BUDGET_BYTES),
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
    let mut part = |is_later: bool, title: String| -> Result<u64, PkgError> {
        let (mut raw, mut wire) = (0, 0);
        for asset in assets.iter().filter(|asset| asset.is_later() == is_later) {
            let size = asset.write_compressed(stage)?;
            rows.push(vec![asset.path.clone(), human_size(asset.bytes.len() as u64), human_size(size)]);
            raw += asset.bytes.len() as u64;
            wire += size;
        }
        rows.push(vec![title, human_size(raw), human_size(wire)]);
        Ok(wire)
    };
    let shell = part(false, format!("shell, version {version}"))?;
    let later = part(true, "later, at the first file".to_owned())?;
    say(&table(&rows));
    Ok(Weight { shell, later })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_held_to_its_own_budget() {
        let full = Weight { shell: SHELL_BUDGET_BYTES, later: LATER_BUDGET_BYTES };
        assert!(full.check().is_ok());
        let heavy = Weight { shell: SHELL_BUDGET_BYTES + 1, later: 0 }.check().unwrap_err().to_string();
        assert!(heavy.contains("the shell"), "{heavy}");
        let heavy = Weight { shell: 0, later: LATER_BUDGET_BYTES + 1 }.check().unwrap_err().to_string();
        assert!(heavy.contains("after the shell"), "{heavy}");
    }
}
