//! Pages that are pictures: what a reader sees on them becomes the tree, and what nobody read is said.

use super::super::fixture::{FixturePage, write};
use crate::{
    host::NoProgress,
    parse::{ParseOptions, ParseWarningKind, Parsed, parse_with, scan::ReadScan},
};
use std::sync::Arc;

/// A page that is one grey picture.
fn scanned() -> FixturePage {
    FixturePage::new().raw("q 595 0 0 842 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q")
}

fn parsed(pages: &[FixturePage], scans: Option<Arc<dyn ReadScan>>) -> Parsed {
    let options = ParseOptions { scans, ..ParseOptions::default() };
    parse_with("scan.pdf", &write(pages, &[], ""), &options, &mut NoProgress).unwrap()
}

#[test]
fn a_scan_that_nobody_reads_is_said_to_be_one() {
    let parsed = parsed(&[scanned(), scanned()], None);
    assert_eq!(parsed.warnings.len(), 1);
    assert_eq!(parsed.warnings[0].kind, ParseWarningKind::ScanNotRead);
    let message = &parsed.warnings[0].message;
    assert!(message.starts_with("Pages 1–2 hold no text: scans, which were not read."), "{message}");
    assert!(message.contains("reading model"), "it says what to do: {message}");
}

#[cfg(feature = "scan")]
mod read {
    use super::*;
    use crate::document::{NodeKind, facts};
    use crate::parse::{
        ParseError,
        scan::{Picture, ScanError, Seen, SeenCharacter, SeenLine},
    };
    use std::sync::atomic::{AtomicU32, Ordering};

    /// Sees the same on every picture: a heading and two lines, at 200 dpi.
    #[derive(Debug, Default)]
    struct Fake {
        n_read: AtomicU32,
        fails: bool,
    }

    fn line(text: &str, baseline: f32, size: f32, confidence: f32) -> SeenLine {
        let place = |(index, character)| {
            let from = 200.0 + index as f32 * size / 2.0;
            SeenCharacter { character, from, to: from + size / 2.0, confidence }
        };
        let characters = text.chars().enumerate().map(place).collect();
        SeenLine { turn: 0, characters, baseline, size, bold: false }
    }

    impl ReadScan for Fake {
        fn read(&self, picture: &Picture, tick: &mut dyn FnMut() -> Result<(), ParseError>) -> Result<Seen, ScanError> {
            tick()?;
            assert_eq!((picture.width(), picture.height()), (1652, 2338), "A4 at 200 dpi");
            self.n_read.fetch_add(1, Ordering::Relaxed);
            if self.fails {
                return Err(ScanError::NoModel("The model is broken.".to_owned()));
            }
            let lines = vec![
                line("Maintenance", 300.0, 50.0, 0.99),
                line("Close the valve before you open the pump, and wait", 400.0, 28.0, 0.9),
                line("until the pressure has fallen.", 434.0, 28.0, 0.8),
            ];
            Ok(Seen { lines, rules: Vec::new() })
        }
    }

    #[test]
    fn what_is_seen_becomes_the_tree() {
        let reader = Arc::new(Fake::default());
        let text = FixturePage::new().lines(72, 100, &["Text that needs no reader at all, on a page of its own."]);
        let parsed = parsed(&[scanned(), text], Some(reader.clone()));
        assert_eq!(reader.n_read.load(Ordering::Relaxed), 1, "only the page without text is read");
        let nodes = &parsed.document.nodes;
        let paragraph = nodes.iter().find(|node| node.text.starts_with("Close the valve")).unwrap();
        assert_eq!(paragraph.text, "Close the valve before you open the pump, and wait until the pressure has fallen.");
        assert_eq!((&paragraph.kind, paragraph.page), (&NodeKind::Paragraph, Some(1)));
        // The mean over its words: ten at 0.9 and five at 0.8.
        assert_eq!(paragraph.metadata.get(facts::CONFIDENCE).map(String::as_str), Some("0.87"));
        let bbox = paragraph.boxes[0].bbox;
        assert!((bbox.x0 - 72.0).abs() < 0.5 && (bbox.y1 - 158.0).abs() < 3.0, "in points: {bbox:?}");
        assert!(nodes.iter().any(|node| node.text == "Maintenance" && matches!(node.kind, NodeKind::Section { .. })));
        assert!(nodes.iter().all(|node| node.page != Some(2) || !node.metadata.contains_key(facts::CONFIDENCE)));
        let [warning] = &parsed.warnings[..] else { panic!("{:?}", parsed.warnings) };
        assert_eq!((warning.kind, warning.page), (ParseWarningKind::ReadFromPicture, Some(1)));
        assert!(warning.message.contains("87 % sure"), "{}", warning.message);
    }

    #[test]
    fn a_reader_that_fails_leaves_the_page_unread() {
        let parsed = parsed(&[scanned()], Some(Arc::new(Fake { fails: true, ..Fake::default() })));
        let messages: Vec<&str> = parsed.warnings.iter().map(|warning| warning.message.as_str()).collect();
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert!(messages[1].contains("could not be read. The model is broken."), "{messages:?}");
    }

    #[test]
    fn a_page_number_on_a_scan_is_no_text() {
        let reader = Arc::new(Fake::default());
        parsed(&[scanned().lines(300, 800, &["17"])], Some(reader.clone()));
        assert_eq!(reader.n_read.load(Ordering::Relaxed), 1);
    }
}
