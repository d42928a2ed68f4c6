//! `millwright draw`: the pages of a PDF with a box around every part of its tree, so that anyone can see what was
//! understood. Not for showing text as text: that is `millwright parse`.

mod canvas;
mod kinds;

use super::{CommandError, count, read_file};
use crate::{
    EXIT_INTERRUPTED, EXIT_OK,
    cli::DrawArgs,
    files::base_name,
    interrupt::Interrupt,
    models::ocr,
    output::Output,
    reader::{self, PATIENCE, ReaderError},
};
use canvas::Canvas;
use kinds::Look;
use millwright_core::{
    document::{Document, file_stem},
    host::Progress,
    parse::{self, Format, PagePictures, ParseError, ParseOptions, scan::Picture},
    protocol::{Failure, FailureKind},
};
use serde::Serialize;
use std::{collections::BTreeSet, fs, path::PathBuf, sync::Arc};

/// Pages that are drawn when nobody says which.
const MAX_PAGES: u32 = 50;

/// The JSON document.
#[derive(Serialize)]
struct Report {
    pictures: Vec<PathBuf>,
}

pub(super) fn run(args: &DrawArgs, output: &mut Output) -> Result<u8, CommandError> {
    let bytes = Arc::new(read_file(&args.file)?);
    let name = base_name(&args.file);
    let interrupt = Interrupt::listen().map_err(|error| Failure {
        error: format!("Ctrl-C cannot be listened for: {error}"),
        error_type: FailureKind::Internal,
    })?;
    let failure = |error: &str, error_type| Failure { error: error.to_owned(), error_type };
    let wanted = args.pages.as_deref().map(pages).transpose().map_err(|why| failure(&why, FailureKind::BadRequest))?;
    let dpi = f32::from(args.dpi);
    let options = ParseOptions { scans: ocr::reader(None), ..ParseOptions::default() };
    let stem = file_stem(&name).to_owned();
    // Drawing runs under the same guard as reading: both are given other people's files.
    let work = move |progress: &mut dyn Progress| {
        let parsed = parse::parse_with(&name, &bytes, &options, progress)?;
        if parsed.format != Format::Pdf {
            return Ok(None);
        }
        let pictures = PagePictures::open(&bytes, &options)?;
        let all = 1..=pictures.n_pages();
        let numbers: Vec<u32> = match wanted {
            Some(wanted) => all.filter(|number| wanted.contains(number)).collect(),
            None => all.take(MAX_PAGES as usize).collect(),
        };
        let mut drawn = Vec::new();
        for (index, &number) in numbers.iter().enumerate() {
            if progress.report(index as u32, numbers.len() as u32).is_break() {
                return Err(ParseError::Cancelled);
            }
            let Some((picture, scale)) = pictures.draw(number, dpi) else { continue };
            drawn.push((number, draw(&parsed.document, number, &picture, scale)));
        }
        Ok(Some(drawn))
    };
    let drawn = match reader::read(work, PATIENCE, &interrupt, |done, total| {
        output.status(&format!("{done} of {total}"));
    }) {
        Ok(Some(drawn)) => drawn,
        Ok(None) => return Err(failure("Only the pages of a PDF can be drawn.", FailureKind::BadRequest).into()),
        Err(ReaderError::Parse(ParseError::Cancelled)) => return Ok(EXIT_INTERRUPTED),
        Err(error) => return Err(Failure::from(&error).into()),
    };
    let mut report = Report { pictures: Vec::new() };
    let unwritable = |path: &PathBuf, error: &dyn std::fmt::Display| {
        failure(&format!("{} cannot be written: {error}", path.display()), FailureKind::Internal)
    };
    fs::create_dir_all(&args.out).map_err(|error| unwritable(&args.out, &error))?;
    for (number, canvas) in drawn {
        let path = args.out.join(format!("{stem}-{number:03}.png"));
        let png = canvas.png().map_err(|error| unwritable(&path, &error))?;
        fs::write(&path, png).map_err(|error| unwritable(&path, &error))?;
        report.pictures.push(path);
    }
    if report.pictures.is_empty() {
        return Err(
            failure("None of these pages is there, or they are too large to be drawn.", FailureKind::NotFound).into()
        );
    }
    let pictures = count(report.pictures.len(), "picture", "pictures");
    output.line(&format!("{pictures} in {}", args.out.display()));
    output.json(&report);
    Ok(EXIT_OK)
}

/// A page with the boxes of the nodes on it, the outer ones first.
fn draw(document: &Document, page: u32, picture: &Picture, scale: f32) -> Canvas {
    let mut canvas = Canvas::of(picture);
    for node in &document.nodes {
        let Some(Look { color, label, wide }) = kinds::look(node) else { continue };
        for place in node.boxes.iter().filter(|place| place.page == page) {
            let [x0, y0, x1, y1] =
                [place.bbox.x0, place.bbox.y0, place.bbox.x1, place.bbox.y1].map(|at| (at * scale) as i64);
            let grown = if wide { 3 } else { 1 };
            canvas.frame(x0 - grown, y0 - grown, x1 + grown, y1 + grown, if wide { 2 } else { 1 }, color);
            canvas.label(x0 - grown, y0 - grown, &label, color);
        }
    }
    canvas
}

/// `1-3`, `2,5,9-12`.
fn pages(text: &str) -> Result<BTreeSet<u32>, String> {
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|number| (1..=100_000).contains(number));
    let mut all = BTreeSet::new();
    for part in text.split(',') {
        let range = match part.split_once('-') {
            Some((from, to)) => number(from).zip(number(to)),
            None => number(part).map(|page| (page, page)),
        };
        let (from, to) = range.filter(|(from, to)| from <= to).ok_or_else(|| {
            format!("{} are no pages. Pages are given as in 1-3 or 2,5,9-12.", crate::output::printable(part))
        })?;
        all.extend(from..=to);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_lists_and_ranges() {
        assert_eq!(pages("2, 5,9-11").unwrap().into_iter().collect::<Vec<_>>(), [2, 5, 9, 10, 11]);
        for wrong in ["", "0", "3-1", "a", "1-", "-2", "1--2"] {
            assert!(pages(wrong).is_err(), "{wrong}");
        }
    }
}
