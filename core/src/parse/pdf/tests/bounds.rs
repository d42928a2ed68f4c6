//! Damage, endless content, and stopping in the middle.

use super::{FixturePage, LEFT, find, outline, read, write};
use crate::{
    host::{Draft, NoProgress, Progress},
    parse::{ParseError, ParseWarningKind, parse},
};
use std::ops::ControlFlow;

#[test]
fn damage_is_survived_where_anything_is_left() {
    let page = FixturePage::new().lines(50, 100, &["Tighten the screws crosswise."]);
    let whole = write(&[page.clone(), page], &[], "");
    // The end is lost: the cross-reference table with it.
    let cut = &whole[..whole.len() * 3 / 4];
    let parsed = parse("manual.pdf", cut, &mut NoProgress).unwrap();
    find(&parsed.document, "Tighten the screws crosswise.");
    assert!(matches!(
        parse("manual.pdf", b"%PDF-1.7\nnothing of use", &mut NoProgress),
        Err(ParseError::Damaged { .. })
    ));
}

#[test]
fn the_caller_can_stop_it() {
    let page = FixturePage::new().lines(50, 100, &["Text."]);
    let bytes = write(&[page.clone(), page.clone(), page], &[], "");
    let mut stop_at_second =
        |done: u32, _: u32| if done >= 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    assert_eq!(parse("manual.pdf", &bytes, &mut stop_at_second), Err(ParseError::Cancelled));
}

#[test]
fn an_endless_page_is_cut() {
    // A form that draws itself twice would take 2^12 runs of it.
    let page = FixturePage::new().lines(50, 100, &["Before."]).raw(&"q 1 0 0 1 0 0 cm Q\n".repeat(1_500_000));
    let parsed = read(&[page]);
    assert_eq!(parsed.warnings.iter().map(|warning| warning.kind).collect::<Vec<_>>(), [ParseWarningKind::Truncated]);
    find(&parsed.document, "Before.");
}

/// Wants a draft after every second page.
#[derive(Default)]
struct Impatient {
    drafts: Vec<Draft>,
    reported: Vec<(u32, u32)>,
}

impl Progress for Impatient {
    fn report(&mut self, done: u32, total: u32) -> ControlFlow<()> {
        self.reported.push((done, total));
        ControlFlow::Continue(())
    }

    fn wants_draft(&mut self, n_pages_read: u32, _: u32) -> bool {
        n_pages_read.is_multiple_of(2)
    }

    fn draft(&mut self, draft: Draft) {
        self.drafts.push(draft);
    }
}

#[test]
fn the_first_pages_are_handed_out_while_the_rest_is_read() {
    let pages: Vec<_> = (1..=6)
        .map(|n| FixturePage::new().text('B', 18, 72, 90, &format!("{n} Part {n}")).lines(72, 130, &LEFT))
        .collect();
    let bytes = write(&pages, &[], "");
    let mut impatient = Impatient::default();
    let whole = parse("manual.pdf", &bytes, &mut impatient).unwrap();
    let drafts: Vec<_> = impatient.drafts.iter().map(|d| (d.n_pages_read, d.n_pages, d.document.n_pages)).collect();
    assert_eq!(drafts, [(2, 6, Some(2)), (4, 6, Some(4))], "none of the whole");
    assert!(outline(&impatient.drafts[1].document).iter().any(|line| line == "H1 4 Part 4"));
    assert_eq!(whole, parse("manual.pdf", &bytes, &mut NoProgress).unwrap(), "a draft leaves no trace in the whole");
    assert!(impatient.reported.iter().skip(1).all(|report| report.1 == 6), "{:?}", impatient.reported);
}
