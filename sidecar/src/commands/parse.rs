//! `millwright parse`: how a file is read, for looking at, without a library.

use super::{CommandError, count, read_file};
use crate::{
    EXIT_INTERRUPTED, EXIT_OK,
    cli::{ParseArgs, TreeFormat},
    files::base_name,
    interrupt::Interrupt,
    models::ocr,
    output::{Output, printable},
    reader::{self, PATIENCE, ReaderError},
};
use millwright_core::{
    document::outline,
    host::Progress,
    parse::{self, ParseError, ParseOptions, ParseWarningKind, Parsed},
    protocol::{Failure, FailureKind},
};

pub(super) fn run(args: &ParseArgs, output: &mut Output) -> Result<u8, CommandError> {
    let bytes = read_file(&args.file)?;
    let name = base_name(&args.file);
    let interrupt = Interrupt::listen().map_err(|error| Failure {
        error: format!("Ctrl-C cannot be listened for: {error}"),
        error_type: FailureKind::Internal,
    })?;
    let options = ParseOptions { scans: ocr::reader(None), ..args.password.options() };
    let reads_scans = options.scans.is_some();
    let work = move |progress: &mut dyn Progress| parse::parse_with(&name, &bytes, &options, progress);
    let parsed = match reader::read(work, PATIENCE, &interrupt, |_, _| {}) {
        Ok(parsed) => parsed,
        Err(ReaderError::Parse(ParseError::Cancelled)) => return Ok(EXIT_INTERRUPTED),
        Err(error) => return Err(Failure::from(&error).into()),
    };
    if output.is_json() || args.format == TreeFormat::Json {
        output.document(&parsed);
    } else {
        show(&parsed, output);
        if !reads_scans && parsed.warnings.iter().any(|warning| warning.kind == ParseWarningKind::ScanNotRead) {
            output.line(ocr::HOW_TO_GET);
        }
    }
    Ok(EXIT_OK)
}

fn show(parsed: &Parsed, output: &mut Output) {
    for line in outline(&parsed.document).lines() {
        output.line(&printable(line));
    }
    for warning in &parsed.warnings {
        let page = warning.page.map(|page| format!("page {page}: ")).unwrap_or_default();
        output.line(&printable(&format!("warning: {page}{}", warning.message)));
    }
    let nodes = count(parsed.document.nodes.len(), "node", "nodes");
    output.line(&output.dim(&format!("{}, {nodes}", parsed.format.label())));
}
