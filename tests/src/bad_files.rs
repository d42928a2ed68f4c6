//! Files as people really have them: damaged, mislabelled, locked, enormous. Each with what must become of it.

use crate::corpus::{TestFile, locked_pdf, utf16};

/// What must become of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is refused with a message that holds these words.
    Refused(&'static str),
    /// It is taken in, and this finds it.
    Found(&'static str),
}

/// The bad files that are small enough to be made anew for every run.
#[must_use]
pub fn bad_files() -> Vec<(TestFile, Fate)> {
    let wide_row = |cell: &dyn Fn(usize) -> String| (0..10_000).map(cell).collect::<Vec<_>>().join(",");
    let wide = format!("{}\n{}\n", wide_row(&|i| format!("column{i}")), wide_row(&|i| format!("v{i}")));
    let mut invalid = b"Valve list\n\nThe qualvorbex valve is rated for 16 bar. Stray bytes: ".to_vec();
    invalid.extend([0xff, 0xfe, 0x80, 0xc3, 0x28]);
    invalid.extend(b" and the text goes on.\n");
    vec![
        (TestFile::new("empty.md", []), Fate::Refused("empty")),
        (TestFile::new("nul.txt", vec![0; 4096]), Fate::Refused("empty")),
        (TestFile::new("really-a-zip.pdf", zip()), Fate::Refused("ZIP")),
        (TestFile::new("locked.pdf", locked_pdf()), Fate::Refused("password")),
        (TestFile::new("torn.pdf", b"%PDF-1.7\n1 0 obj\n<</Type/Cata".to_vec()), Fate::Refused("damaged")),
        (TestFile::new("stray-bytes.txt", invalid), Fate::Found("qualvorbex")),
        (
            TestFile::new("utf16.txt", utf16("Bearing note\n\nThe zorblatt bearing is greased for life.\n")),
            Fate::Found("zorblatt"),
        ),
        (TestFile::new("wide.csv", wide), Fate::Found("column7777")),
    ]
}

/// An archive of one empty, stored file (APPNOTE 6.3: local header, central directory, end record).
fn zip() -> Vec<u8> {
    let mut bytes = b"PK\x03\x04\x0a".to_vec();
    bytes.resize(26, 0);
    bytes.extend(b"\x01\x00\x00\x00a");
    bytes.extend(b"PK\x01\x02\x0a\x00\x0a");
    bytes.resize(31 + 28, 0);
    bytes.extend(b"\x01");
    bytes.resize(31 + 46, 0);
    bytes.extend(b"a");
    bytes.extend(b"PK\x05\x06\x00\x00\x00\x00\x01\x00\x01\x00\x2f\x00\x00\x00\x1f\x00\x00\x00\x00\x00");
    bytes
}
