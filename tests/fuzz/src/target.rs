//! The targets: what an input stands for, and what is done with it.

use crate::{check, package, pdf, records, store};
use std::borrow::Cow;

/// What an input of a target stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The file itself.
    Bytes,
    /// The file itself, or pages and objects of a PDF.
    Pdf,
    /// The parts of a package, the kind of which its first part says.
    Parts(&'static [(&'static str, &'static str)]),
    /// The same, with records in its binary parts.
    RecordParts(&'static [(&'static str, &'static str)]),
    /// The records of a workbook's stream in a compound file, or the compound file itself.
    Records,
}

/// What is done with the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    /// It is read and cut into chunks.
    Parse,
    /// It is prepared, taken into a library and searched.
    Index,
    /// Its bytes damage a store.
    Store,
}

/// A way of fuzzing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// What it is called.
    pub(crate) name: &'static str,
    /// The name that the file gets, which decides between text formats.
    file: &'static str,
    /// What an input stands for.
    pub(crate) shape: Shape,
    run: Run,
    /// The endings of files that can be its seeds.
    pub(crate) endings: &'static [&'static str],
}

const DOCX: &[(&str, &str)] = &[("word/document.xml", package::NOTHING)];
const ODT: &[(&str, &str)] = &[("mimetype", "application/vnd.oasis.opendocument.text")];
const ODS: &[(&str, &str)] = &[("mimetype", "application/vnd.oasis.opendocument.spreadsheet")];
const XLSX: &[(&str, &str)] = &[
    ("xl/workbook.xml", r#"<workbook><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>"#),
    ("xl/_rels/workbook.xml.rels", package::WORKBOOK_RELATIONS),
];
const XLSB: &[(&str, &str)] = &[
    (
        "_rels/.rels",
        r#"<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>"#,
    ),
    ("xl/_rels/workbook.bin.rels", package::BINARY_RELATIONS),
];

/// All targets, those that read the most dangerous formats first.
const TARGETS: [Target; 21] = [
    Target { name: "pdf", file: "a.pdf", shape: Shape::Pdf, run: Run::Parse, endings: &["pdf"] },
    Target { name: "xls", file: "a.xls", shape: Shape::Records, run: Run::Parse, endings: &["xls"] },
    Target { name: "xlsb", file: "a.xlsb", shape: Shape::RecordParts(XLSB), run: Run::Parse, endings: &["xlsb"] },
    Target { name: "docx", file: "a.docx", shape: Shape::Parts(DOCX), run: Run::Parse, endings: &["docx", "docm"] },
    Target { name: "odt", file: "a.odt", shape: Shape::Parts(ODT), run: Run::Parse, endings: &["odt"] },
    Target { name: "xlsx", file: "a.xlsx", shape: Shape::Parts(XLSX), run: Run::Parse, endings: &["xlsx", "xlsm"] },
    Target { name: "ods", file: "a.ods", shape: Shape::Parts(ODS), run: Run::Parse, endings: &["ods"] },
    Target { name: "email", file: "a.eml", shape: Shape::Bytes, run: Run::Parse, endings: &["eml"] },
    Target { name: "html", file: "a.html", shape: Shape::Bytes, run: Run::Parse, endings: &["html", "htm"] },
    Target { name: "csv", file: "a.csv", shape: Shape::Bytes, run: Run::Parse, endings: &["csv", "tsv"] },
    Target { name: "markdown", file: "a.md", shape: Shape::Bytes, run: Run::Parse, endings: &["md"] },
    Target { name: "xml", file: "a.xml", shape: Shape::Bytes, run: Run::Parse, endings: &["xml"] },
    Target { name: "rtf", file: "a.rtf", shape: Shape::Bytes, run: Run::Parse, endings: &["rtf"] },
    Target { name: "asciidoc", file: "a.adoc", shape: Shape::Bytes, run: Run::Parse, endings: &["adoc"] },
    Target { name: "rst", file: "a.rst", shape: Shape::Bytes, run: Run::Parse, endings: &["rst"] },
    Target { name: "plain", file: "a.txt", shape: Shape::Bytes, run: Run::Parse, endings: &["txt"] },
    Target {
        name: "picture",
        file: "a.png",
        shape: Shape::Bytes,
        run: Run::Parse,
        endings: &["png", "jpg", "tif", "tiff"],
    },
    Target { name: "compound", file: "a.xls", shape: Shape::Bytes, run: Run::Parse, endings: &["xls"] },
    Target { name: "any", file: "a", shape: Shape::Bytes, run: Run::Parse, endings: &["*"] },
    Target { name: "index", file: "a", shape: Shape::Bytes, run: Run::Index, endings: &["*"] },
    Target { name: "store", file: "a", shape: Shape::Bytes, run: Run::Store, endings: &[] },
];

/// The names of all targets.
pub(crate) fn names() -> String {
    TARGETS.map(|target| target.name).join(", ")
}

impl Target {
    /// The target of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        TARGETS.into_iter().find(|target| target.name == name)
    }

    /// What `any` and `index` do: one of the parsers, by the first byte of the input.
    fn by_first_byte(self, input: &[u8]) -> (Self, &[u8]) {
        if self.run != Run::Index {
            return (self, input);
        }
        let (first, rest) = input.split_first().unwrap_or((&0, input));
        let other = TARGETS[usize::from(*first) % (TARGETS.len() - 2)];
        (Self { run: Run::Index, ..other }, rest)
    }

    /// Does it.
    pub(crate) fn run(self, input: &[u8]) {
        if self.run == Run::Store {
            return store::run(input);
        }
        let (target, input) = self.by_first_byte(input);
        let file = target.shape.file(input);
        if let Some(path) = std::env::var_os("MILLWRIGHT_SHOW") {
            std::fs::write(path, &file).expect("the file to show is written");
        }
        match target.run {
            Run::Index => check::index(target.file, &file),
            Run::Parse | Run::Store => check::parse(target.file, &file),
        }
    }

    /// A file as an input of this target; `None` where it cannot be one.
    pub(crate) fn seed(self, ending: &str, file: &[u8]) -> Option<Vec<u8>> {
        if self.run == Run::Index {
            let at = TARGETS.iter().position(|target| target.endings.contains(&ending))?;
            let input = TARGETS[at].shape.seed(file)?;
            return Some([&[at as u8], input.as_slice()].concat());
        }
        let fits = self.endings.contains(&ending) || self.endings.contains(&"*");
        fits.then(|| self.shape.seed(file)).flatten()
    }
}

impl Shape {
    /// The file that an input stands for.
    fn file(self, input: &[u8]) -> Cow<'_, [u8]> {
        match self {
            Self::Bytes => Cow::Borrowed(input),
            Self::Pdf if input.starts_with(b"%PDF") => Cow::Borrowed(input),
            Self::Pdf => Cow::Owned(pdf::write(input)),
            Self::Parts(defaults) => Cow::Owned(package::write(input, defaults, false)),
            Self::RecordParts(defaults) => Cow::Owned(package::write(input, defaults, true)),
            Self::Records if records::is_compound(input) => Cow::Borrowed(input),
            Self::Records => Cow::Owned(records::compound(&records::short(input))),
        }
    }

    /// The input that stands for a file, as far as it can be told.
    fn seed(self, file: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Bytes => Some(file.to_vec()),
            Self::Pdf => Some(pdf::read(file)),
            Self::Parts(_) => package::read(file, false),
            Self::RecordParts(_) => package::read(file, true),
            Self::Records => records::workbook(file).map(|stream| records::split_short(&stream)),
        }
    }
}
