//! The first bytes of formats that are not text, so that a refusal can name what the file is.

use super::Format;

/// A picture, program, archive or document by what it begins with.
const SIGNATURES: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF87a", "a GIF picture"),
    (b"GIF89a", "a GIF picture"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"8BPS", "a Photoshop picture"),
    (b"\0\0\x01\0", "an icon"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an XZ archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"MSCF\0\0\0\0", "a Windows cabinet archive"),
    (b"\x7fELF", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\xcf\xfa\xed\xfe", "a program"),
    (b"\xfe\xed\xfa\xcf", "a program"),
    (b"\0asm", "a WebAssembly module"),
    (b"%!PS", "a PostScript document"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\0\x01\0\0Standard Jet DB", "an Access database"),
    (b"\0\x01\0\0Standard ACE DB", "an Access database"),
    (b"PAR1", "a Parquet table"),
    (b"OggS", "an audio or video file"),
    (b"ID3", "an audio file"),
    (b"fLaC", "an audio file"),
    (b"\x1a\x45\xdf\xa3", "a video"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"OTTO\0", "a font"),
    (b"\0\x01\0\0\0", "a font"),
    (b"L\0\0\0\x01\x14\x02\0", "a Windows shortcut"),
];

/// The name, with its article, of a format that is not text; `None` for text, PDF and the unknown.
pub(super) fn known(bytes: &[u8]) -> Option<&'static str> {
    let by_start = || SIGNATURES.iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, name)| *name);
    zip(bytes).or_else(|| ole(bytes)).or_else(|| container(bytes)).or_else(by_start).or_else(|| lettered(bytes))
}

/// The format of a packed or binary file that can be read.
pub(super) fn format(bytes: &[u8]) -> Option<Format> {
    const ZIPPED: &[(&[u8], Format)] = &[
        (b"mimetypeapplication/vnd.oasis.opendocument.text", Format::Odt),
        (b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet", Format::Ods),
        (b"word/document", Format::Docx),
        (b"xl/workbook.bin", Format::Xlsb),
        (b"xl/workbook", Format::Xlsx),
    ];
    const PICTURES: [&[u8]; 4] = [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*"];
    if is_zip(bytes) {
        return inside(bytes, ZIPPED);
    }
    if bytes.starts_with(b"{\\rtf") {
        return Some(Format::Rtf);
    }
    if is_ole(bytes) {
        let workbook: &[(&[u8], Format)] =
            &[(b"W\0o\0r\0k\0b\0o\0o\0k\0", Format::Xls), (b"B\0o\0o\0k\0\0\0", Format::Xls)];
        return inside(bytes, workbook).filter(|_| !is_protected(bytes));
    }
    PICTURES.iter().any(|start| bytes.starts_with(start)).then_some(Format::Picture)
}

/// Whether a PDF begins within the first KiB (some programs write a few bytes before it).
pub(super) fn is_pdf(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(1024)];
    bytes.starts_with(b"%PDF-")
        || (contains(head, b"%PDF-") && (contains(bytes, b" obj") || contains(bytes, b"startxref")))
}

/// Whether undecoded bytes, which are not UTF-16 or UTF-32, are no text: many NULs, or control characters that no text
/// has. Looks at 64 KiB from the beginning and from the middle.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    const WINDOW: usize = 64 << 10;
    // A log whose end was never written out is padded with NULs and still a text.
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let bytes = &bytes[..end];
    let middle = bytes.len() / 2;
    [&bytes[..bytes.len().min(WINDOW)], &bytes[middle..bytes.len().min(middle + WINDOW)]].into_iter().any(|window| {
        let n_nul = window.iter().filter(|byte| **byte == 0).count();
        // Backspace, tab, line ends, form feed and escape do occur in terminal logs and old printouts.
        let n_control = window.iter().filter(|b| matches!(**b, 1..=7 | 11 | 14..=26 | 28..=31 | 127)).count();
        n_nul * 10 > window.len() || (n_control * 50 > window.len() && n_control > 2)
    })
}

/// ZIP files by the names of what is packed in them.
fn zip(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: &[(&[u8], &str)] = &[
        (b"mimetypeapplication/vnd.oasis.opendocument.text", "an OpenDocument text (ODT)"),
        (b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "an OpenDocument spreadsheet (ODS)"),
        (b"mimetypeapplication/vnd.oasis.opendocument.presentation", "an OpenDocument presentation (ODP)"),
        (b"mimetypeapplication/epub+zip", "an EPUB book"),
        (b"word/document", "a Word document (DOCX)"),
        (b"xl/workbook", "an Excel workbook (XLSX)"),
        (b"ppt/presentation", "a PowerPoint presentation (PPTX)"),
        (b"visio/document", "a Visio drawing"),
        (b"Index/Document.iwa", "a Pages, Numbers or Keynote document"),
        (b"AndroidManifest.xml", "an Android app"),
        (b"META-INF/MANIFEST.MF", "a Java archive"),
    ];
    is_zip(bytes).then(|| inside(bytes, KINDS).unwrap_or("a ZIP archive"))
}

fn is_zip(bytes: &[u8]) -> bool {
    [&b"PK\x03\x04"[..], b"PK\x05\x06", b"PK\x07\x08"].iter().any(|start| bytes.starts_with(start))
}

fn is_ole(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
}

/// The name of the stream that holds a document with a password, as the container writes it.
const ENCRYPTED: &[u8] = b"E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0";

/// Whether this is an Office document since 2007 that is encrypted with a password.
pub(crate) fn is_protected(bytes: &[u8]) -> bool {
    is_ole(bytes) && inside(bytes, &[(ENCRYPTED, ())]).is_some()
}

/// The container of Office before 2007 and of protected files since, by the UTF-16 names of its streams.
fn ole(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: &[(&[u8], &str)] = &[
        (b"W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0", "an old Word document (DOC; saved as DOCX it can be read)"),
        (b"W\0o\0r\0k\0b\0o\0o\0k\0", "an old Excel workbook (XLS)"),
        (b"P\0o\0w\0e\0r\0P\0o\0i\0n\0t\0", "an old PowerPoint presentation (PPT)"),
        (b"_\0_\0s\0u\0b\0s\0t\0g\0", "an Outlook message (MSG)"),
    ];
    is_ole(bytes).then(|| inside(bytes, KINDS).unwrap_or("an old Office document"))
}

/// Formats that name themselves some bytes in.
fn container(bytes: &[u8]) -> Option<&'static str> {
    let at = |offset: usize, name: &[u8]| bytes.get(offset..).is_some_and(|rest| rest.starts_with(name));
    if at(0, b"RIFF") {
        return match bytes.get(8..12)? {
            b"WEBP" => Some("a WebP picture"),
            b"WAVE" => Some("an audio file"),
            b"AVI " => Some("a video"),
            _ => None,
        };
    }
    if at(4, b"ftyp") {
        return Some(match bytes.get(8..11)? {
            b"hei" | b"mif" | b"avi" => "a HEIC or AVIF picture",
            b"M4A" => "an audio file",
            _ => "a video",
        });
    }
    at(257, b"ustar").then_some("a TAR archive")
}

/// Formats whose signature is a few letters that a text might begin with too: binary all the same.
fn lettered(bytes: &[u8]) -> Option<&'static str> {
    let name = match bytes {
        [b'M', b'Z', ..] => "a Windows program",
        [b'B', b'M', ..] => "a BMP picture",
        [b'A', b'C', b'1', b'0', ..] => "an AutoCAD drawing (DWG)",
        [0xff, 0xfb | 0xf3 | 0xf2, ..] => "an audio file",
        _ => return None,
    };
    is_binary(bytes).then_some(name)
}

/// Looks for names in the first and the last 256 KiB: local headers stand at the front, directories at either end.
fn inside<T: Copy>(bytes: &[u8], kinds: &[(&[u8], T)]) -> Option<T> {
    const WINDOW: usize = 256 << 10;
    let head = &bytes[..bytes.len().min(WINDOW)];
    let tail = &bytes[bytes.len().saturating_sub(WINDOW)..];
    kinds.iter().find(|(name, _)| contains(head, name) || contains(tail, name)).map(|(_, kind)| *kind)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
