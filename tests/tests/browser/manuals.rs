//! Six questions over public machine manuals in the browser, online and offline.

use anyhow::{Result, ensure};
use millwright_tests::{
    manuals::{MANUAL_QUESTIONS, manual_folders},
    person::{Person, story},
};
use std::time::{Duration, Instant};

/// How long a thousand pages may take to come in on a slow, shared machine.
const LONG: Duration = Duration::from_secs(600);

#[test]
fn the_manuals_answer_online_and_offline() -> Result<()> {
    let Some((_copies, folders)) = manual_folders()? else { return Ok(()) };
    story("manuals", |person| {
        person.open()?;
        for folder in folders {
            let started = Instant::now();
            let name = folder.display().to_string();
            person.add_folder(folder, LONG)?;
            eprintln!("{name}: {} in {:.1} s", person.text("ingest-summary")?, started.elapsed().as_secs_f32());
            ensure!(person.failures()?.is_empty(), "{:?}", person.failures()?);
        }
        six_questions(person, "online")?;
        person.picture("manuals")?;
        person.await_offline_ready()?;
        person.pull_the_network()?;
        person.restart_browser()?;
        let started = Instant::now();
        person.open()?;
        six_questions(person, "offline")?;
        eprintln!("opened and six questions answered offline in {:.1} s", started.elapsed().as_secs_f32());
        Ok(())
    })
}

fn six_questions(person: &mut Person, when: &str) -> Result<()> {
    let mut missed = String::new();
    for asked in MANUAL_QUESTIONS {
        let passages = person.ask(asked.question)?;
        let rank = passages.iter().position(|seen| asked.is_answered_by(&seen.text)).map(|place| place + 1);
        eprintln!("{when}, {:?}: answered at rank {rank:?}", asked.question);
        if rank.is_none_or(|rank| rank > 3) {
            missed.push_str(asked.question);
            passages
                .iter()
                .take(3)
                .for_each(|seen| missed.push_str(&format!("\n  {}: {:.300?}", seen.name, seen.text)));
        }
    }
    ensure!(missed.is_empty(), "{when}, not answered in the first three passages:\n{missed}");
    Ok(())
}
