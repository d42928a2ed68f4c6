//! Public machine manuals beside the project, and six questions with the words that answer them.

use crate::{
    corpus::{TestFile, write_files},
    paths,
    suite::files_below,
};
use anyhow::Result;
use std::path::PathBuf;
use tempfile::TempDir;

/// The manuals, each a folder of public data.
const PARTS: [&str; 3] = ["manual_grbl", "manual_marlin", "manual_linuxcnc"];

/// A question over the manuals.
#[derive(Clone, Copy, Debug)]
pub struct ManualQuestion {
    /// As a person types it.
    pub question: &'static str,
    /// A passage that holds all words of one of these lines answers it.
    pub answers: &'static [&'static [&'static str]],
}

impl ManualQuestion {
    /// Whether a passage, as it is shown with its title and headings, answers the question. Case and line breaks do not
    /// matter.
    #[must_use]
    pub fn is_answered_by(&self, shown: &str) -> bool {
        let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        self.answers.iter().any(|words| words.iter().all(|word| shown.contains(word)))
    }
}

/// Six questions, as a person at a machine would ask them.
pub const MANUAL_QUESTIONS: [ManualQuestion; 6] = [
    ManualQuestion {
        question: "what does error 9 mean in Grbl",
        answers: &[&["locked out during alarm or jog state"]],
    },
    ManualQuestion { question: "which setting is $110", answers: &[&["110", "maximum rate"], &["110", "max rate"]] },
    ManualQuestion { question: "what does alarm 3 mean", answers: &[&["reset while in motion"]] },
    ManualQuestion {
        question: "how do I home only the Z axis with G28",
        answers: &[&["flag to home the z axis"], &["g28 z "]],
    },
    ManualQuestion {
        question: "what does setting $130 do",
        answers: &[&["130", "maximum travel"], &["130", "max travel"]],
    },
    // Marlin names the file after the code, which the passage shows beside its title.
    ManualQuestion {
        question: "which G-code sets millimetre units",
        answers: &[&["g21", "millimet"], &["g021", "millimet"]],
    },
];

/// A folder for each of the three manuals, holding only what issue 2 asks for; `None` with a loud line where one is not
/// there. Copied, because the originals lie among licences and, for LinuxCNC, other forms of the same text.
///
/// # Errors
/// When a file cannot be copied.
pub fn manual_folders() -> Result<Option<(TempDir, Vec<PathBuf>)>> {
    let Some(files) = manuals()? else { return Ok(None) };
    let folder = tempfile::tempdir()?;
    write_files(folder.path(), &files)?;
    let folders = PARTS.iter().map(|part| folder.path().join(part)).collect();
    Ok(Some((folder, folders)))
}

/// The manuals' files, ascending by name, licences left out; `None` with a loud line where they are not there.
///
/// # Errors
/// When a file cannot be read.
pub fn manuals() -> Result<Option<Vec<TestFile>>> {
    let mut files = Vec::new();
    for part in PARTS {
        let Some(folder) = paths::public_data(part) else { return Ok(None) };
        for mut file in files_below(&folder)? {
            let ending = file.name.rsplit('.').next().unwrap_or_default();
            // Of LinuxCNC only the PDFs.
            if ending == "pdf" || part != "manual_linuxcnc" && ["md", "csv"].contains(&ending) {
                file.name = format!("{part}/{}", file.name);
                files.push(file);
            }
        }
    }
    Ok(Some(files))
}
