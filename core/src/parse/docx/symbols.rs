//! Characters of fonts that have signs where others have letters: Symbol, Wingdings and the like.
//!
//! Not a complete table: signs that carry meaning in documents are here, ornaments are left out.

/// Adobe's Symbol encoding from 0x20.
const SYMBOL_LOW: &str =
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼";
/// The same from 0xA0.
const SYMBOL_HIGH: &str =
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭";

const WINGDINGS: &[(u32, char)] = &[
    (0x21, '✏'),
    (0x22, '✂'),
    (0x28, '☎'),
    (0x29, '✆'),
    (0x2a, '✉'),
    (0x36, '⌛'),
    (0x4a, '☺'),
    (0x4c, '☹'),
    (0x4e, '☠'),
    (0x46, '☞'),
    (0x6c, '●'),
    (0x6d, '❍'),
    (0x6e, '■'),
    (0x6f, '□'),
    (0x71, '❑'),
    (0x72, '❒'),
    (0x75, '◆'),
    (0x76, '❖'),
    (0x9f, '•'),
    (0xa1, '○'),
    (0xa7, '▪'),
    (0xa8, '◻'),
    (0xd5, '⌫'),
    (0xd8, '➢'),
    (0xdf, '←'),
    (0xe0, '→'),
    (0xe1, '↑'),
    (0xe2, '↓'),
    (0xe8, '➔'),
    (0xef, '⇦'),
    (0xf0, '⇨'),
    (0xf1, '⇧'),
    (0xf2, '⇩'),
    (0xf3, '⇔'),
    (0xfb, '✗'),
    (0xfc, '✓'),
    (0xfd, '☒'),
    (0xfe, '☑'),
];

const WINGDINGS_2: &[(u32, char)] =
    &[(0x4f, '✗'), (0x50, '✓'), (0x51, '☒'), (0x52, '☑'), (0x53, '☒'), (0x54, '☒'), (0x97, '●'), (0xa3, '□')];

const WEBDINGS: &[(u32, char)] = &[(0x61, '✔'), (0x72, '✘'), (0x69, 'ℹ'), (0x73, '❓'), (0x7e, '⚡'), (0xea, '⚠')];

/// The character that a font of signs shows for a code, `None` where it is not known or the font has letters.
pub(super) fn character(font: &str, code: u32) -> Option<char> {
    // Word stores them in the area for private use, F000 to F0FF.
    let code = if (0xf000..=0xf0ff).contains(&code) { code - 0xf000 } else { code };
    let listed = |signs: &[(u32, char)]| signs.iter().find(|(known, _)| *known == code).map(|(_, sign)| *sign);
    match font.to_lowercase().as_str() {
        "symbol" => match code {
            0x20..0xa0 => SYMBOL_LOW.chars().nth(code as usize - 0x20),
            0xa0..=0xff => SYMBOL_HIGH.chars().nth(code as usize - 0xa0),
            _ => None,
        },
        "wingdings" => listed(WINGDINGS),
        "wingdings 2" => listed(WINGDINGS_2),
        "webdings" => listed(WEBDINGS),
        _ => None,
    }
}

/// A text in a font: codes for private use become the signs that are meant, unknown ones are left out.
pub(super) fn shown(text: &str, font: Option<&str>) -> String {
    let private = |c: char| ('\u{f000}'..='\u{f0ff}').contains(&c);
    if !text.contains(private) {
        return text.to_owned();
    }
    let sign = |c: char| if private(c) { character(font.unwrap_or("symbol"), u32::from(c)) } else { Some(c) };
    text.chars().filter_map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_known_fonts() {
        assert_eq!(character("Symbol", 0xf0b0), Some('°'));
        assert_eq!(character("Symbol", 0x57), Some('Ω'));
        assert_eq!(character("Symbol", 0xf06d), Some('μ'));
        assert_eq!(character("Symbol", 0xfe), Some('⎭'));
        assert_eq!(character("Wingdings", 0xf0fc), Some('✓'));
        assert_eq!(character("Arial", 0x41), None);
        assert_eq!(shown("5 \u{f06d}m \u{f0ff}", Some("Symbol")), "5 μm ");
    }
}
