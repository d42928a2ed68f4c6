//! The same fifty questions natively and in the browser: same passages, same order, same scores.

use anyhow::{Result, ensure};
use millwright_core::document::DocumentId;
use millwright_tests::{
    corpus::{Numbers, TestFile, corpus, write_files},
    library::NativeLibrary,
    person::story,
    questions::QUESTIONS,
};
use std::{collections::BTreeSet, fmt::Write as _, time::Duration};

/// How many passages of each answer are compared.
const DEPTH: u32 = 20;

/// The folder that the browser's names begin with.
const FOLDER: &str = "factory";

#[test]
fn fifty_questions_natively_and_in_the_browser() -> Result<()> {
    let mut files: Vec<TestFile> =
        corpus()?.into_iter().map(|file| TestFile::new(format!("{FOLDER}/{}", file.name), file.bytes)).collect();
    let native = NativeLibrary::of(&files)?;
    story("agreement", |person| {
        // The browser gets them in another order and in batches, with an old edition of one and a stranger that is
        // deleted again: what a library has been through must not show in a ranking.
        Numbers::new(2).shuffle(&mut files);
        person.open()?;
        let stranger = TestFile::new(format!("{FOLDER}/stranger.md"), "# KP-210\n\nSeal of the pump, error:9.\n");
        let old = TestFile::new(files[0].name.clone(), "An old edition that speaks of the pump KP-210.");
        let mut batches: Vec<Vec<TestFile>> = vec![vec![stranger, old]];
        batches.extend(files.chunks(23).map(<[TestFile]>::to_vec));
        for batch in batches {
            let folder = tempfile::tempdir()?;
            write_files(folder.path(), &batch)?;
            person.add_folder(folder.path().join(FOLDER), Duration::from_secs(120))?;
            ensure!(person.failures()?.is_empty(), "{:?}", person.failures()?);
        }
        person.delete(&format!("{FOLDER}/stranger.md"))?;
        person.await_gone("undo")?;
        person.await_documents("the corpus", |documents| documents.len() == files.len())?;

        let mut differences = String::new();
        let mut documents = BTreeSet::new();
        for question in QUESTIONS {
            let here: Vec<_> = native
                .find(question, DEPTH)?
                .into_iter()
                .map(|passage| (passage.chunk.to_string(), format!("{:.4}", passage.score)))
                .collect();
            let there: Vec<_> =
                person.ask(question)?.into_iter().map(|seen| (seen.chunk, format!("{:.4}", seen.score))).collect();
            documents.extend(here.iter().map(|(chunk, _)| chunk.split(':').next().map(str::to_owned)));
            if here != there {
                let place = here.iter().zip(&there).position(|(a, b)| a != b).unwrap_or(here.len().min(there.len()));
                let _ = writeln!(
                    differences,
                    "{question:?}, {} and {} passages, from rank {}: native {:?}, browser {:?}",
                    here.len(),
                    there.len(),
                    place + 1,
                    here.get(place),
                    there.get(place)
                );
            }
        }
        ensure!(differences.is_empty(), "not the same:\n{differences}");
        ensure!(documents.len() > 30, "the questions reach only {} documents", documents.len());
        let known: BTreeSet<_> = files.iter().map(|file| Some(DocumentId::of(&file.bytes).to_string())).collect();
        ensure!(documents.is_subset(&known), "ids are those of the bytes");
        Ok(())
    })
}
