//! The harness itself: a browser that hides what happens on a page would let every other test pass over a broken one.

use anyhow::Result;
use millwright_tests::{
    paths,
    webdriver::{Browser, key},
};

/// A page small enough to know everything about, to check the checker.
const KNOWN_PAGE: &str = "data:text/html,<meta name=viewport content='width=device-width'><input id=a><p id=b></p>\
    <script>a.oninput=()=>b.textContent=a.value;setTimeout(()=>{throw new Error('boom')})</script>";

#[test]
fn the_harness_sees_what_a_page_does() -> Result<()> {
    if paths::bundle()?.is_none() {
        return Ok(());
    }
    let profile = tempfile::tempdir()?;
    let mut browser = Browser::start(profile.path())?;
    browser.goto(KNOWN_PAGE)?;
    browser.type_into(&browser.element("#a")?, "M6")?;
    browser.press(&["x", "20", key::TAB])?;
    assert_eq!(browser.run("return document.getElementById('b').textContent", &[])?, "M6x20");
    browser.resize(390, 844)?;
    assert_eq!(browser.run("return innerWidth", &[])?, 390);
    let first = browser.tab()?;
    browser.open_tab()?;
    browser.close_tab(&first)?;
    // A harness that misses what nobody caught would let every other test pass over a broken page.
    assert!(browser.console()?.iter().any(|line| line.source == "javascript" && line.message.contains("boom")));
    Ok(())
}
