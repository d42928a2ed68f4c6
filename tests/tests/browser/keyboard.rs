//! The whole way by keyboard alone.

use anyhow::{Result, ensure};
use millwright_tests::{
    person::{SELECT_ALL, story},
    webdriver::{PATIENCE, key},
};

/// More presses of Tab than a way through the page can need.
const MANY: usize = 40;

#[test]
fn from_the_question_to_the_passage_and_back() -> Result<()> {
    story("keyboard", |person| {
        person.open()?;
        // The samples, reached with Tab and chosen with Enter.
        let mut n_presses = 0;
        while person.focused()? != "sample-button" {
            person.press(&[key::TAB])?;
            n_presses += 1;
            ensure!(n_presses < MANY, "Tab never reaches the samples");
        }
        person.press(&[key::ENTER])?;
        person.await_added(PATIENCE)?;

        person.press(&["/"])?;
        ensure!(person.focused()? == "question", "/ goes to the question");
        person.press(&SELECT_ALL)?;
        person.press(&["mechanical seal"])?;
        let passages = person.answer("mechanical seal")?;
        ensure!(passages.len() > 1, "{passages:?}");
        person.press(&[key::DOWN])?;
        ensure!(person.focused()? == "open-passage", "arrow down goes to the first passage");
        person.press(&[key::DOWN, key::UP, key::ENTER])?;
        ensure!(!person.pointed_at()?.is_empty(), "Enter opens the passage");
        person.press(&[key::ESCAPE])?;
        person.await_gone("viewer")?;
        ensure!(person.focused()? == "open-passage", "Escape goes back to where one was: {}", person.focused()?);
        Ok(())
    })
}
