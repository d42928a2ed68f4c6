//! PDF files as what stands in them: `%%page` and a content stream, `%%object` and an object, `%%catalog`, `%%trailer` and
//! `%%resources` and entries of these dictionaries, each mark on a line of its own. Nothing is compressed, and offsets
//! are always right; inputs that begin as a PDF does are taken as they are.

use crate::package::split;
use std::io::Read as _;

/// Fonts by the names that programs give them most, of all kinds that there are, and a picture to draw.
const RESOURCES: &str = "/Font << /H 3 0 R /F1 3 0 R /F2 4 0 R /F3 5 0 R /F4 6 0 R /F5 6 0 R /F6 8 0 R /C 4 0 R /TT0 3 0 R \
    /T1_0 5 0 R /C2_0 6 0 R >> /XObject << /X0 9 0 R /Fm0 9 0 R /X1 10 0 R >>";
/// Objects 3 to 10; an input's own begin at 11.
const OBJECTS: [&str; 8] = [
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold /Encoding << /Differences [65 /a /fi /uni00AD /bullet] >> >>",
    "<< /Type /Font /Subtype /TrueType /BaseFont /Arial /FirstChar 32 /LastChar 40 /Widths [1 500 0 -9 9999 2 2 2 2] >>",
    "<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype \
     /CIDFontType2 /BaseFont /A /DW 500 /W [1 [300 400] 5 9 700] >>] /ToUnicode 7 0 R >>",
    "<< /Length 107 >>\nstream\n1 begincodespacerange <0000> <ffff> endcodespacerange 2 beginbfrange <0000> <00ff> <0020> \
     <0100> <01ff> [<05d0>] \nendstream",
    "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [.001 0 0 .001 0 0] /FirstChar 65 /LastChar 66 /Widths \
     [9 9] /CharProcs << /a 9 0 R >> /Encoding << /Differences [65 /a] >> >>",
    "<< /Type /XObject /Subtype /Form /BBox [0 0 99 99] /Length 35 >>\nstream\nBT /H 9 Tf 9 9 Td (form) Tj ET /X0 Do\nendstream",
    "<< /Type /XObject /Subtype /Image /Width 9 /Height 9 /BitsPerComponent 8 /ColorSpace /DeviceGray /Length 0 >>\n\
     stream\n\nendstream",
];
/// The first number of an input's own objects.
const FIRST: usize = 3 + OBJECTS.len();
/// Larger files are no seeds as they are, and longer streams none as pages.
const MAX_SEED_BYTES: usize = 48 << 10;

/// The file of the pieces in an input.
pub(crate) fn write(input: &[u8]) -> Vec<u8> {
    let (mut pages, mut objects, mut texts) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new(), Vec::new()]);
    for piece in split(input) {
        let (name, content) = match piece.iter().position(|byte| *byte == b'\n') {
            Some(end) => (&piece[..end], &piece[end + 1..]),
            None => (&b"page"[..], piece),
        };
        match name {
            b"object" => objects.push(content),
            b"catalog" => texts[0].extend_from_slice(content),
            b"trailer" => texts[1].extend_from_slice(content),
            b"resources" => texts[2].extend_from_slice(content),
            _ => pages.push((name.strip_prefix(b"page").unwrap_or_default(), content)),
        }
    }
    let [catalog, trailer, resources] = texts;
    let first_page = FIRST + objects.len();
    let kids: Vec<String> = (0..pages.len()).map(|at| format!("{} 0 R", first_page + 2 * at)).collect();
    let mut file = File { bytes: b"%PDF-1.7\n".to_vec(), offsets: Vec::new() };
    file.add(&[b"<< /Type /Catalog /Pages 2 0 R ", &catalog, b" >>"]);
    file.add(&[format!("<< /Type /Pages /Count {} /Kids [{}] >>", kids.len(), kids.join(" ")).as_bytes()]);
    OBJECTS.iter().for_each(|object| file.add(&[object.as_bytes()]));
    objects.iter().for_each(|object| file.add(&[object]));
    for (at, (entries, content)) in pages.iter().enumerate() {
        let page =
            format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {} 0 R ", first_page + 2 * at + 1);
        let resources = [b" /Resources << ", RESOURCES.as_bytes(), &resources, b" >> >>"].concat();
        file.add(&[page.as_bytes(), entries, &resources]);
        file.add(&[format!("<< /Length {} >>\nstream\n", content.len()).as_bytes(), content, b"\nendstream"]);
    }
    file.finish(&trailer)
}

struct File {
    bytes: Vec<u8>,
    offsets: Vec<usize>,
}

impl File {
    fn add(&mut self, pieces: &[&[u8]]) {
        self.offsets.push(self.bytes.len());
        self.bytes.extend(format!("{} 0 obj\n", self.offsets.len()).bytes());
        self.bytes.extend(pieces.concat());
        self.bytes.extend(b"\nendobj\n");
    }

    fn finish(mut self, trailer: &[u8]) -> Vec<u8> {
        let start = self.bytes.len();
        self.bytes.extend(format!("xref\n0 {}\n0000000000 65535 f \n", self.offsets.len() + 1).bytes());
        for offset in &self.offsets {
            self.bytes.extend(format!("{offset:010} 00000 n \n").bytes());
        }
        self.bytes.extend(format!("trailer\n<< /Size {} /Root 1 0 R ", self.offsets.len() + 1).bytes());
        self.bytes.extend(trailer);
        self.bytes.extend(format!(" >>\nstartxref\n{start}\n%%EOF\n").bytes());
        self.bytes
    }
}

/// A file as an input: itself where it is small and plain, otherwise its content streams, unpacked, as pages.
pub(crate) fn read(file: &[u8]) -> Vec<u8> {
    if file.len() <= MAX_SEED_BYTES / 4 {
        return file.to_vec();
    }
    let mut input = Vec::new();
    let mut rest = file;
    while let Some(at) = find(rest, b"stream") {
        let after = &rest[at + 6..];
        let content = after.strip_prefix(b"\r\n").or_else(|| after.strip_prefix(b"\n")).unwrap_or(after);
        let Some(end) = find(content, b"endstream") else { break };
        let mut unpacked = Vec::new();
        let limit = MAX_SEED_BYTES as u64;
        let _ = flate2::read::ZlibDecoder::new(&content[..end]).take(limit).read_to_end(&mut unpacked);
        if find(&unpacked, b" Tf").is_some() && input.len() + unpacked.len() <= MAX_SEED_BYTES {
            input.extend_from_slice(b"\n%%page\n");
            input.extend_from_slice(&unpacked);
        }
        rest = &content[end + 9..];
    }
    input
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}
