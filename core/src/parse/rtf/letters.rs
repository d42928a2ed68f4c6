//! Letters in the encodings of fonts, and those given by their number.

use encoding_rs::{Encoding, WINDOWS_1252};
use std::collections::BTreeMap;

/// The encodings of a document and of its fonts, and bytes that wait for the second half of a letter.
pub(super) struct Letters {
    document: &'static Encoding,
    fonts: BTreeMap<i32, &'static Encoding>,
    waiting: Vec<u8>,
    /// The first half of a pair of UTF-16.
    high: Option<u16>,
}

impl Default for Letters {
    fn default() -> Self {
        Self { document: WINDOWS_1252, fonts: BTreeMap::new(), waiting: Vec::new(), high: None }
    }
}

impl Letters {
    /// `\ansicpg1252`.
    pub(super) fn set_code_page(&mut self, page: i32) {
        self.document = by_code_page(page);
    }

    /// `\f3\fcharset204`.
    pub(super) fn set_font(&mut self, font: i32, charset: i32) {
        let page = match charset {
            128 => 932,
            129 | 130 => 949,
            134 => 936,
            136 => 950,
            161 => 1253,
            162 => 1254,
            163 => 1258,
            177 => 1255,
            178 => 1256,
            186 => 1257,
            204 => 1251,
            222 => 874,
            238 => 1250,
            77 => 10_000,
            _ => return,
        };
        // Real documents have some hundred fonts.
        if self.fonts.len() < 10_000 {
            self.fonts.insert(font, by_code_page(page));
        }
    }

    /// A byte in a font's encoding; it may wait for the next.
    pub(super) fn byte(&mut self, byte: u8, font: i32, into: &mut String) {
        let encoding = self.fonts.get(&font).copied().unwrap_or(self.document);
        self.waiting.push(byte);
        if !encoding.is_single_byte() && self.waiting.len() == 1 && byte >= 0x80 {
            return;
        }
        into.push_str(&encoding.decode_without_bom_handling(&self.waiting).0);
        self.waiting.clear();
    }

    /// A letter by its number, which is negative beyond 32,767; two numbers may be one letter.
    pub(super) fn unit(&mut self, number: i32, into: &mut String) {
        let unit = (number & 0xffff) as u16;
        match (self.high.take(), unit) {
            (None, 0xd800..=0xdbff) => self.high = Some(unit),
            (Some(high), 0xdc00..=0xdfff) => {
                into.extend(char::decode_utf16([high, unit]).map(|c| c.unwrap_or('\u{fffd}')));
            }
            // Symbol fonts have their signs in a private area: bullets, mostly.
            (_, 0xf000..=0xf0ff) => into.push('•'),
            _ => into.extend(char::from_u32(u32::from(unit))),
        }
    }
}

fn by_code_page(page: i32) -> &'static Encoding {
    let label = match page {
        932 => "shift_jis".to_owned(),
        936 => "gbk".to_owned(),
        949 | 1361 => "euc-kr".to_owned(),
        950 => "big5".to_owned(),
        866 => "ibm866".to_owned(),
        65_001 => "utf-8".to_owned(),
        10_000 => "macintosh".to_owned(),
        page => format!("windows-{page}"),
    };
    Encoding::for_label(label.as_bytes()).unwrap_or(WINDOWS_1252)
}
