//! A corpus written for testing: a small factory's manuals, data sheets, parts lists, logs and invoices, the same to the
//! byte on every machine.
//!
//! Made, not stored, so that sixty documents in five formats cost no space and stay consistent with one another. Ranking
//! over it is compared between machines, so it holds what makes that hard: paragraphs repeated in many documents (ties),
//! identifiers that share parts, numbers in several notations, other encodings than UTF-8.

mod machines;
mod package;
mod pdf;

use crate::paths;
use anyhow::{Context, Result};
use machines::{MACHINES, Machine};
pub use package::{docx, open_document, xlsx};
pub use pdf::{locked_pdf, pdf, pdf_with_drawings, pdf_with_table};
use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

/// A file of the corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestFile {
    /// Its name, a relative path with `/`.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl TestFile {
    /// A file with this content.
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), bytes: bytes.into() }
    }
}

/// The sample pack that ships with the page, then five documents for each of twelve machines.
///
/// # Errors
/// When the sample pack cannot be read.
pub fn corpus() -> Result<Vec<TestFile>> {
    let mut files = samples()?;
    for (number, machine) in MACHINES.iter().enumerate() {
        files.push(manual(machine));
        files.push(parts_list(machine, number));
        files.push(log(machine, number));
        files.push(invoice(machine, number));
        files.push(data_sheet(machine));
    }
    Ok(files)
}

/// The sample pack that ships with the page, ascending by name.
///
/// # Errors
/// When it cannot be read.
pub fn samples() -> Result<Vec<TestFile>> {
    let folder = paths::workspace().join("web/sample");
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("no sample pack at {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // What describes the pack to the page is not part of it.
        if path.is_file() && !name.ends_with(".json") {
            files.push(TestFile { name, bytes: fs::read(&path)? });
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

/// Writes files below a folder and gives their paths in the same order.
///
/// # Errors
/// When one cannot be written.
pub fn write_files(folder: &Path, files: &[TestFile]) -> Result<Vec<PathBuf>> {
    let write = |file: &TestFile| {
        let path = folder.join(&file.name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, &file.bytes).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    };
    files.iter().map(write).collect()
}

/// Numbers that look random and are the same everywhere (SplitMix64, Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Numbers {
    /// A sequence of its own for each seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number below a bound of at least 1. The bias of the remainder does not matter here.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ z >> 31) % bound as u64).unwrap_or_default()
    }

    /// Shuffles (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const CHECKS: [&str; 10] = [
    "Check the oil level in the sight glass; it must stand between the marks.",
    "Listen for grinding noises and feel the bearing housings for heat.",
    "Clean the strainer and look for metal chips in the sediment.",
    "Replace the sealing ring whenever the cover has been opened.",
    "Tighten the foundation bolts crosswise in two passes.",
    "Measure the insulation resistance of each winding against earth.",
    "Drain the condensate and blow out the impulse lines.",
    "Compare the reading of the pressure gauge with that of the transmitter.",
    "Grease the guide rails and wipe off what is too much.",
    "Inspect the power cord for cuts and the plug for burn marks.",
];

const CAUSES: [&str; 8] = [
    "The inlet filter is blocked",
    "The supply voltage is too low",
    "A temperature sensor is broken or not connected",
    "The emergency stop was pressed and not released",
    "The coupling is worn",
    "The setting was changed while the drive was running",
    "Air was drawn in through a leaking flange",
    "The command is not allowed in this state",
];

const REMEDIES: [&str; 8] = [
    "clean it and start again",
    "call an electrician",
    "replace the sensor and acknowledge the fault",
    "turn the button to release it, then press reset",
    "replace the elastic element",
    "stop the drive first",
    "tighten the flange and vent the housing",
    "switch to manual mode",
];

fn manual(machine: &Machine) -> TestFile {
    let Machine { model, kind, torque_nm, gap_mm, hours, .. } = machine;
    let mut numbers = Numbers::new(u64::from(machine.hours) * 31);
    let mut text = format!("---\ntitle: Operating manual {model}\nrevision: {}\n---\n\n", hours % 7 + 1);
    let _ = write!(
        text,
        "# Operating manual {model}\n\nThis manual describes the {kind} {model}.\n\n## Safety\n\n\
         > **WARNING:** Lock out the main switch before opening the guard. Moving parts can crush fingers.\n\n\
         Only trained staff may work on the {kind}.\n\n## Installation\n\n\
         1. Set the machine on a level floor.\n2. Tighten the anchor bolts to {torque_nm} Nm.\n\
         3. Set the gap of the coupling to {gap_mm} mm.\n4. Connect the protective earth before the phases.\n\n\
         ## Maintenance\n\nEvery {hours} operating hours:\n\n"
    );
    for _ in 0..4 {
        let _ = writeln!(text, "- {}", numbers.pick(&CHECKS));
    }
    text.push_str("\n### Schedule\n\n| Interval | Work | Spare part |\n| --- | --- | --- |\n");
    for step in 1..=3 {
        let _ = writeln!(text, "| {} h | {} | {} |", hours * step, numbers.pick(&CHECKS), machine.part(step));
    }
    text.push_str("\n## Faults\n\n| Code | Cause | Remedy |\n| --- | --- | --- |\n");
    for code in 1..=6 {
        let fault = machine.fault(code);
        let _ = writeln!(text, "| {fault} | {} | {} |", numbers.pick(&CAUSES), numbers.pick(&REMEDIES));
    }
    let _ = write!(
        text,
        "\n## Storage\n\nStore the machine dry and free of frost. Turn the shaft by hand once a month.\n\n\
         ```\n$130={}\n$131={}\nerror:{}\n```\n",
        machine.travel_mm,
        machine.travel_mm / 2,
        hours % 40
    );
    TestFile::new(format!("manuals/{model}.md"), text)
}

/// Delimiters and number notations change from list to list, as they do between countries.
fn parts_list(machine: &Machine, number: usize) -> TestFile {
    let delimiter = [",", ";", "\t"][number % 3];
    let point = if delimiter == ";" { "," } else { "." };
    let mut numbers = Numbers::new(number as u64 + 500);
    let mut text = ["Part number", "Description", "Size", "Quantity", "Price"].join(delimiter) + "\r\n";
    let descriptions =
        ["hex bolt", "O-ring", "mechanical seal", "bearing", "filter cartridge", "shaft key", "fuse", "drive belt"];
    for (position, description) in (1_u32..).zip(descriptions) {
        let size = match position % 4 {
            0 => format!("M{}x{}", 4 + numbers.below(5) * 2, 10 + numbers.below(6) * 5),
            1 => format!("{}{point}{} mm", 1 + numbers.below(9), numbers.below(10)),
            2 => format!("{} in", ["1/2", "3/4", "3/8"][numbers.below(3)]),
            _ => format!("DIN {}-{}", 125 + numbers.below(900), numbers.below(9)),
        };
        let quantity = (1 + numbers.below(24)).to_string();
        let price = format!("{}{point}{:02}", 1 + numbers.below(90), numbers.below(100));
        let cells = [machine.part(position), format!("{description} for {}", machine.kind), size, quantity, price];
        text.push_str(&cells.join(delimiter));
        text.push_str("\r\n");
    }
    let name = format!("parts/{}.csv", machine.model);
    // One list comes as old spreadsheet programs on Windows save it.
    if number == 7 { TestFile::new(name, utf16(&text)) } else { TestFile::new(name, text) }
}

fn log(machine: &Machine, number: usize) -> TestFile {
    let mut numbers = Numbers::new(number as u64 + 900);
    let mut text = format!("Maintenance log {} ({})\n\n", machine.model, machine.kind);
    for month in 1..=9 {
        let _ = write!(
            text,
            "2026-{month:02}-{:02}  {} hours. {} Found by {}: {}. Used {}.\n\n",
            1 + numbers.below(28),
            machine.hours * month,
            numbers.pick(&CHECKS),
            numbers.pick(&["Anita", "Boris", "Chen", "Dilip"]),
            numbers.pick(&CAUSES).to_lowercase(),
            machine.part(1 + month % 8)
        );
    }
    TestFile::new(format!("logs/{}.txt", machine.model), text)
}

fn invoice(machine: &Machine, number: usize) -> TestFile {
    let mut numbers = Numbers::new(number as u64 + 1300);
    let id = format!("TF/2026-27/{:03}", number + 1);
    let mut rows = String::new();
    let mut total = 0;
    for position in 1..=3 {
        let (quantity, price) = (1 + numbers.below(9), 100 + numbers.below(9000));
        total += quantity * price;
        let part = machine.part(position);
        let _ = writeln!(rows, "<tr><td>{part}</td><td>{quantity}</td><td>₹ {price}.00</td></tr>");
    }
    let text = format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>Invoice {id}</title></head><body>\
         <nav>Home | Invoices</nav><h1>Invoice {id}</h1><p>Date: 2026-{:02}-14. For: {} {}.</p>\
         <table><tr><th>Part</th><th>Quantity</th><th>Unit price</th></tr>\n{rows}</table>\
         <p>Total ₹ {total}.00, payable within 30 days.</p><script>ignored()</script></body></html>",
        number % 12 + 1,
        machine.kind,
        machine.model
    );
    TestFile::new(format!("invoices/{}.html", id.replace('/', "-")), text)
}

fn data_sheet(machine: &Machine) -> TestFile {
    let Machine { model, kind, torque_nm, gap_mm, travel_mm, .. } = machine;
    let first = format!(
        "Data sheet {model}\n\nThe {model} is a {kind}.\nRated power {} kW at 400 V.\nNoise level {} dB(A).",
        torque_nm / 4,
        60 + torque_nm % 20
    );
    let second = format!("Dimensions\n\nLength {travel_mm} mm.\nCoupling gap {gap_mm} mm.\nMass {} kg.", torque_nm * 3);
    TestFile::new(format!("sheets/{model}.pdf"), pdf(&[&first, &second]))
}

/// UTF-16, little end first, with its mark.
#[must_use]
pub fn utf16(text: &str) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_corpus_is_large_and_the_same_every_time() {
        let files = corpus().unwrap();
        assert!(files.len() >= 60, "{} files", files.len());
        assert_eq!(files, corpus().unwrap());
        let names: BTreeSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names.len(), files.len(), "names are unique");
        let contents: BTreeSet<&[u8]> = files.iter().map(|file| file.bytes.as_slice()).collect();
        assert_eq!(contents.len(), files.len(), "contents are unique");
    }
}
