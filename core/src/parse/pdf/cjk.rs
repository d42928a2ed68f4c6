//! East Asian text by the character maps that PDF files name and do not bring.
//!
//! The maps themselves would be half a megabyte. Most of them only say that codes are Shift-JIS, GBK, Big5, KS X 1001 or
//! UTF-16, which are decoded here anyway; and the character collections of Adobe count characters, in the main, in the
//! order of those standards. Not covered: the rarer half of Adobe-CNS1, the Chinese characters of Adobe-Korea1, and
//! variants; a font that shows mostly such characters is reported as unreadable.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS};
use hayro_font::hayro_cmap::CMapName;
use hayro_syntax::object::{Array, Dict, Name, String as PdfString};
use std::{cell::OnceCell, collections::BTreeMap};

/// How a font's codes say characters, where no map to Unicode is given.
#[derive(Debug)]
pub(super) struct Coding {
    kind: Kind,
    /// The characters of a collection by number, once they were asked for.
    collection: OnceCell<BTreeMap<u32, char>>,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// The code is the character's number in UTF-16, one unit or two.
    Utf16,
    /// The code's bytes are text in this encoding.
    Bytes(&'static Encoding),
    /// Row and cell of JIS X 0208: EUC-JP without its high bits.
    Jis,
    /// The code counts the characters of a collection.
    Collection(&'static [Run]),
}

/// Characters that a collection counts in the order of a standard.
#[derive(Debug)]
struct Run {
    /// The number of the first.
    first_id: u32,
    /// Its code.
    first: u16,
    /// The code of the last.
    last: u16,
    encoding: &'static Encoding,
}

const fn run(first_id: u32, first: u16, last: u16, encoding: &'static Encoding) -> Run {
    Run { first_id, first, last, encoding }
}

/// Adobe-Japan1: half-width letters, then JIS X 0208 without its row of box drawing.
const JAPAN1: &[Run] = &[
    run(1, 0x20, 0x7E, SHIFT_JIS),
    run(231, 0x20, 0x7E, SHIFT_JIS),
    run(327, 0xA1, 0xDF, SHIFT_JIS),
    run(633, 0xA1A1, 0xA7F1, EUC_JP),
    run(1125, 0xB0A1, 0xF4A4, EUC_JP),
];
/// Adobe-GB1: GB 2312.
const GB1: &[Run] = &[
    run(1, 0x20, 0x7E, GBK),
    run(96, 0xA1A1, 0xA1FE, GBK),
    run(190, 0xA2B1, 0xA2E2, GBK),
    run(262, 0xA3A1, 0xA3FE, GBK),
    run(356, 0xA4A1, 0xA4F3, GBK),
    run(439, 0xA5A1, 0xA5F6, GBK),
    run(525, 0xA6A1, 0xA6B8, GBK),
    run(602, 0xA7A1, 0xA7C1, GBK),
    run(814, 0x20, 0x7E, GBK),
    run(940, 0xB0A1, 0xD7F9, GBK),
    run(4695, 0xD8A1, 0xF7FE, GBK),
];
/// Adobe-CNS1: the symbols and the frequent characters of Big5, which it orders a little otherwise.
const CNS1: &[Run] = &[
    run(1, 0x20, 0x7E, BIG5),
    run(99, 0xA140, 0xA158, BIG5),
    run(128, 0xA15D, 0xA1F5, BIG5),
    run(249, 0xA1F8, 0xA3BF, BIG5),
    run(595, 0xA440, 0xACFD, BIG5),
    run(2007, 0xAD40, 0xAFCF, BIG5),
    run(2431, 0xACFE, 0xACFE, BIG5),
    run(2432, 0xAFD0, 0xBBC7, BIG5),
    run(4308, 0xBE52, 0xBE52, BIG5),
    run(4309, 0xBBC8, 0xBE51, BIG5),
    run(4696, 0xBE53, 0xC1AA, BIG5),
    run(5221, 0xC2CB, 0xC2CB, BIG5),
    run(5222, 0xC1AB, 0xC2CA, BIG5),
    run(5411, 0xC2CC, 0xC360, BIG5),
    run(5495, 0xC456, 0xC456, BIG5),
    run(5496, 0xC361, 0xC3B8, BIG5),
    run(5550, 0xC3BA, 0xC3BA, BIG5),
    run(5551, 0xC3B9, 0xC3B9, BIG5),
    run(5552, 0xC3BB, 0xC455, BIG5),
    run(5642, 0xC457, 0xC67E, BIG5),
];
/// Adobe-Korea1: the syllables of KS X 1001.
const KOREA1: &[Run] = &[
    run(1, 0x20, 0x7E, EUC_KR),
    run(101, 0xA1A1, 0xA1FE, EUC_KR),
    run(1086, 0xB0A1, 0xC8FE, EUC_KR),
    run(8094, 0x20, 0x7E, EUC_KR),
];

impl Coding {
    /// How the codes of a composite font say characters, as far as its dictionary names a known map or collection.
    pub(super) fn of(dict: &Dict<'_>) -> Option<Self> {
        Kind::of(dict).map(Self::new)
    }

    fn new(kind: Kind) -> Self {
        Self { kind, collection: OnceCell::new() }
    }

    /// What a code says. O(log n), but for the first code of a collection.
    pub(super) fn character(&self, code: u32) -> Option<char> {
        match self.kind {
            Kind::Utf16 => match u16::try_from(code) {
                Ok(unit) => char::from_u32(u32::from(unit)),
                Err(_) => {
                    let units = [(code >> 16) as u16, (code & 0xFFFF) as u16];
                    char::decode_utf16(units).next()?.ok()
                }
            },
            Kind::Bytes(encoding) => decode(encoding, code),
            Kind::Jis => decode(EUC_JP, code | 0x8080),
            Kind::Collection(runs) => self.collection.get_or_init(|| characters(runs)).get(&code).copied(),
        }
    }
}

/// The characters of a collection by number.
fn characters(runs: &[Run]) -> BTreeMap<u32, char> {
    let of_run = |run: &Run| {
        // The standards have 94 places a row; the encodings put others of their own between.
        let encoding = run.encoding;
        let counts = move |code: &u32| encoding == BIG5 || *code < 0x100 || code & 0xFF >= 0xA1;
        let codes = (u32::from(run.first)..=u32::from(run.last)).filter(counts);
        (run.first_id..).zip(codes.filter_map(move |code| decode(encoding, code)))
    };
    // Where runs overlap the later one begins anew.
    runs.iter().flat_map(of_run).collect()
}

impl Kind {
    fn of(dict: &Dict<'_>) -> Option<Self> {
        let encoding = dict.get::<Name<'_>>("Encoding")?;
        let name = encoding.as_str();
        if name.starts_with("Identity") {
            let descendant = dict.get::<Array<'_>>("DescendantFonts")?.iter::<Dict<'_>>().next()?;
            let ordering = descendant.get::<Dict<'_>>("CIDSystemInfo")?.get::<PdfString<'_>>("Ordering")?;
            return Some(Self::Collection(match ordering.as_bytes() {
                b"Japan1" => JAPAN1,
                b"GB1" => GB1,
                b"CNS1" => CNS1,
                b"Korea1" => KOREA1,
                _ => return None,
            }));
        }
        Some(match name.strip_suffix("-H").or_else(|| name.strip_suffix("-V")).unwrap_or(name) {
            "H" | "V" => Self::Jis,
            "EUC" => Self::Bytes(EUC_JP),
            name if name.starts_with("Uni") => Self::Utf16,
            name if name.contains("RKSJ") => Self::Bytes(SHIFT_JIS),
            name if name.starts_with("GB") => Self::Bytes(GBK),
            name if name.starts_with("KSC") => Self::Bytes(EUC_KR),
            name if name.contains("B5") => Self::Bytes(BIG5),
            _ => return None,
        })
    }
}

fn decode(encoding: &'static Encoding, code: u32) -> Option<char> {
    let bytes = [(code >> 8) as u8, (code & 0xFF) as u8];
    let bytes = if code < 0x100 { &bytes[1..] } else { &bytes };
    let (text, has_errors) = encoding.decode_without_bom_handling(bytes);
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(character), None) if !has_errors && !('\u{E000}'..='\u{F8FF}').contains(&character) => Some(character),
        _ => None,
    }
}

/// Writes a character map that only parts codes and gives each a number of its own: which glyph it is does not matter,
/// and the numbers of letters are those that fonts give the width of half an em.
macro_rules! map {
    ($mode:literal, $ranges:literal) => {
        Some(
            concat!(
                "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Known def\n/WMode ",
                $mode,
                " def\n",
                $ranges,
                "endcmap\n"
            )
            .as_bytes(),
        )
    };
}

/// The map of a name, for the font library.
pub(super) fn map(name: CMapName<'_>) -> Option<&'static [u8]> {
    let name = std::str::from_utf8(name.to_bytes()).ok()?;
    let vertical = name == "V" || name.ends_with("-V");
    match name.strip_suffix("-H").or_else(|| name.strip_suffix("-V")).unwrap_or(name) {
        "H" if !vertical => map!("0", "1 begincidrange\n<2121> <7e7e> 10000\nendcidrange\n"),
        "V" => map!("1", "1 begincidrange\n<2121> <7e7e> 10000\nendcidrange\n"),
        name if name.ends_with("UCS2") && name.starts_with("Adobe") => None,
        name if name.starts_with("Uni") => {
            if vertical {
                map!(
                    "1",
                    "3 begincidrange\n<0000> <d7ff> 0\n<e000> <ffff> 57344\n<d800dc00> <dbffdfff> 65536\nendcidrange\n"
                )
            } else {
                map!(
                    "0",
                    "3 begincidrange\n<0000> <d7ff> 0\n<e000> <ffff> 57344\n<d800dc00> <dbffdfff> 65536\nendcidrange\n"
                )
            }
        }
        name if name.contains("RKSJ") => {
            if vertical {
                map!(
                    "1",
                    "4 begincidrange\n<20> <7e> 231\n<a1> <df> 327\n<8140> <9ffc> 10000\n<e040> <fcfc> 20000\nendcidrange\n"
                )
            } else {
                map!(
                    "0",
                    "4 begincidrange\n<20> <7e> 231\n<a1> <df> 327\n<8140> <9ffc> 10000\n<e040> <fcfc> 20000\nendcidrange\n"
                )
            }
        }
        name if name.starts_with("GB") => {
            if vertical {
                map!("1", "2 begincidrange\n<20> <7e> 814\n<8140> <fefe> 10000\nendcidrange\n")
            } else {
                map!("0", "2 begincidrange\n<20> <7e> 814\n<8140> <fefe> 10000\nendcidrange\n")
            }
        }
        name if name.starts_with("KSC") => {
            if vertical {
                map!("1", "2 begincidrange\n<20> <7e> 8094\n<8141> <fefe> 10000\nendcidrange\n")
            } else {
                map!("0", "2 begincidrange\n<20> <7e> 8094\n<8141> <fefe> 10000\nendcidrange\n")
            }
        }
        name if name.contains("B5") => {
            if vertical {
                map!("1", "2 begincidrange\n<20> <7e> 13648\n<8140> <fefe> 15000\nendcidrange\n")
            } else {
                map!("0", "2 begincidrange\n<20> <7e> 13648\n<8140> <fefe> 15000\nendcidrange\n")
            }
        }
        "EUC" => {
            if vertical {
                map!("1", "2 begincidrange\n<20> <7e> 231\n<a1a1> <fefe> 10000\nendcidrange\n")
            } else {
                map!("0", "2 begincidrange\n<20> <7e> 231\n<a1a1> <fefe> 10000\nendcidrange\n")
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_count_as_their_standards_do() {
        let characters = |runs, ids: &[u32]| -> String {
            let coding = Coding::new(Kind::Collection(runs));
            ids.iter().filter_map(|id| coding.character(*id)).collect()
        };
        // The first kana, the first character of each level, the last.
        assert_eq!(characters(JAPAN1, &[34, 843, 1125, 4090, 7477]), "Aあ亜弌瑤");
        assert_eq!(characters(GB1, &[34, 940, 4695]), "A啊亍");
        assert_eq!(characters(CNS1, &[595, 5995]), "一籲");
        assert_eq!(characters(KOREA1, &[1086, 3435]), "가힝");
    }

    #[test]
    fn codes_are_text() {
        assert_eq!(Coding::new(Kind::Bytes(SHIFT_JIS)).character(0x88C0), Some('安'));
        assert_eq!(Coding::new(Kind::Jis).character(0x3021), Some('亜'));
        assert_eq!(Coding::new(Kind::Utf16).character(0xD842_DFB7), Some('𠮷'));
        assert_eq!(Coding::new(Kind::Utf16).character(0xD842), None);
    }
}
