//! Six questions over public machine manuals must be answered in the first three passages.

use anyhow::{Result, ensure};
use millwright_tests::{
    library::NativeLibrary,
    manuals::{MANUAL_QUESTIONS, manuals},
};
use std::fmt::Write as _;

#[test]
fn the_manuals_answer_in_the_first_three_passages() -> Result<()> {
    let Some(files) = manuals()? else { return Ok(()) };
    ensure!(files.len() > 300, "only {} files of the manuals are there", files.len());
    let library = NativeLibrary::of(&files)?;
    let mut missed = String::new();
    for asked in MANUAL_QUESTIONS {
        let passages = library.find(asked.question, 10)?;
        let shown: Vec<String> = passages
            .iter()
            .map(|passage| {
                [&passage.name, &passage.title, &passage.heading_path.join(" > "), &passage.text]
                    .map(String::as_str)
                    .join("\n")
            })
            .collect();
        let rank = shown.iter().position(|shown| asked.is_answered_by(shown)).map(|place| place + 1);
        eprintln!("{:?}: answered at rank {rank:?}", asked.question);
        if rank.is_none_or(|rank| rank > 3) {
            let _ = writeln!(missed, "{:?}", asked.question);
            for (passage, shown) in passages.iter().zip(&shown).take(3) {
                let _ = writeln!(missed, "  {:.3} {}: {shown:.300?}", passage.score, passage.name);
            }
        }
    }
    ensure!(missed.is_empty(), "not answered in the first three passages:\n{missed}");
    Ok(())
}
