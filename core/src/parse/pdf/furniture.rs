//! Running heads, running feet and page numbers: what stands at the edge of many pages and says nothing of its own.

use super::{aslant::Aslant, lines::Segment, sheet::Sheet};
use std::collections::{BTreeMap, BTreeSet};

/// Furniture stands within this part of the page from its top or bottom edge.
const EDGE: f32 = 0.12;
/// The head of a single page stands within this distance of its edge, in points.
const HEAD: f32 = 64.0;
/// As many pages must show a text for it to be a running head.
const MIN_PAGES: usize = 3;
/// Texts beside one another in a running head: at the left, in the middle, at the right.
const MAX_TEXTS: usize = 3;
/// A second line of furniture follows the first within this many ems.
const NEXT_LINE: f32 = 2.2;

/// Moves furniture out of the segments of every sheet.
pub(super) fn set_aside(sheets: &mut [Sheet]) {
    set_watermarks_aside(sheets);
    let mut n_pages: BTreeMap<Key, usize> = BTreeMap::new();
    for sheet in sheets.iter() {
        let mut seen: Vec<Key> = Vec::new();
        for at_top in [true, false] {
            for index in edge_rows(sheet, at_top).into_iter().flatten() {
                let key = key(at_top, &sheet.segments[index]);
                if !seen.contains(&key) {
                    seen.push(key);
                }
            }
        }
        for key in seen {
            *n_pages.entry(key).or_default() += 1;
        }
    }
    let n_sheets = sheets.len();
    let enough = MIN_PAGES.min(n_sheets.max(2));
    for sheet in sheets {
        let mut aside: Vec<usize> = Vec::new();
        for at_top in [false, true] {
            let foot_indices = aside.clone();
            for row in edge_rows(sheet, at_top) {
                let repeats = |&index: &usize| {
                    let text = &sheet.segments[index].text;
                    let n = n_pages.get(&key(at_top, &sheet.segments[index])).copied().unwrap_or(0);
                    let counts = n_sheets > 1 || !at_top && (text == "1" || text.contains(char::is_whitespace));
                    // Two pages may begin with the same heading; where they have a foot, they have a head too.
                    let sure = n_sheets >= MIN_PAGES || !at_top || !foot_indices.is_empty();
                    n >= enough && sure && n * 50 >= n_sheets || counts && is_page_number(text)
                };
                // On a single page nothing repeats; what is set like its foot is its head.
                let foot =
                    foot_indices.first().map(|&index| &sheet.segments[index]).filter(|_| at_top && n_sheets == 1);
                let as_foot = |&index: &usize| {
                    let segment = &sheet.segments[index];
                    let at_edge = segment.bbox.y1 < HEAD;
                    foot.is_some_and(|foot| {
                        at_edge && (foot.size - segment.size).abs() < 0.1 && foot.style == segment.style
                    })
                };
                let furniture: Vec<usize> =
                    row.iter().copied().filter(|index| repeats(index) || as_foot(index)).collect();
                // A row of more texts is a table's: its figures look like page numbers, and like one another.
                let says = |&index: &usize| sheet.segments[index].text.contains(char::is_alphabetic);
                let is_cells = row.len() > MAX_TEXTS && !(furniture.len() == row.len() && row.iter().any(says));
                // A row counts as a whole, so that a changing chapter title between two fixed texts goes with them.
                if furniture.is_empty() || is_cells {
                    break;
                }
                aside.extend(row);
            }
        }
        let aside: BTreeSet<usize> = aside.into_iter().collect();
        // Where the file itself marks furniture, it is believed, unless it marks everything.
        let n_marked = sheet.segments.iter().filter(|segment| segment.artifact).count();
        let believed = n_marked * 2 < sheet.segments.len();
        let (furniture, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut sheet.segments)
            .into_iter()
            .enumerate()
            .partition(|(index, segment)| aside.contains(index) || believed && segment.artifact);
        sheet.furniture = furniture.into_iter().map(|(_, segment)| segment).collect();
        sheet.segments = kept.into_iter().map(|(_, segment)| segment).collect();
    }
}

/// Tells watermarks: what runs aslant and is said on many pages, or is set much larger than any text.
fn set_watermarks_aside(sheets: &mut [Sheet]) {
    /// In points.
    const LARGE: f32 = 36.0;
    let said = |aslant: &Aslant| -> String {
        let texts = aslant.segments.iter().map(|segment| normal(&segment.text));
        texts.collect::<Vec<_>>().join(" ")
    };
    let mut n_sheets: BTreeMap<String, usize> = BTreeMap::new();
    for sheet in sheets.iter() {
        let texts: BTreeSet<String> = sheet.aslant.iter().map(|(aslant, _)| said(aslant)).collect();
        for text in texts {
            *n_sheets.entry(text).or_default() += 1;
        }
    }
    for (aslant, is_watermark) in sheets.iter_mut().flat_map(|sheet| &mut sheet.aslant) {
        let is_large = aslant.segments.iter().all(|segment| segment.size >= LARGE);
        *is_watermark = is_large || n_sheets.get(&said(aslant)).is_some_and(|n| *n >= MIN_PAGES);
    }
}

/// What furniture is known by: at which edge, how large, and what it says. A title may say the same as the heads.
type Key = (bool, i32, String);

fn key(at_top: bool, segment: &Segment) -> Key {
    (at_top, segment.size.clamp(0.0, 1e4).round() as i32, normal(&segment.text))
}

/// Indices of the segments in the first (or last) two rows at an edge, outermost row first.
fn edge_rows(sheet: &Sheet, at_top: bool) -> Vec<Vec<usize>> {
    let height = sheet.frame_height();
    let in_zone = |segment: &Segment| {
        if at_top { segment.bbox.y1 <= EDGE * height } else { segment.bbox.y0 >= (1.0 - EDGE) * height }
    };
    let mut indices: Vec<usize> = (0..sheet.segments.len()).filter(|&i| in_zone(&sheet.segments[i])).collect();
    // Distance from the edge, growing inwards.
    let depth = |index: usize| if at_top { sheet.segments[index].v } else { height - sheet.segments[index].v };
    indices.sort_by(|&a, &b| depth(a).total_cmp(&depth(b)));
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for index in indices {
        let size = sheet.segments[index].size;
        let last = rows.last().and_then(|row| row.first()).map(|&first| depth(first));
        match last {
            Some(last) if depth(index) - last <= 0.4 * size => {
                if let Some(row) = rows.last_mut() {
                    row.push(index);
                }
            }
            Some(last) if rows.len() == 2 || depth(index) - last > NEXT_LINE * size => break,
            _ => rows.push(vec![index]),
        }
    }
    rows
}

/// Digits and case do not matter: "Page 3" and "PAGE 12" are one.
fn normal(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if is_roman(word) {
            normal.push('#');
            continue;
        }
        for character in word.chars() {
            if character.is_ascii_digit() {
                if !normal.ends_with('#') {
                    normal.push('#');
                }
            } else {
                normal.extend(character.to_lowercase());
            }
        }
    }
    normal
}

fn is_roman(word: &str) -> bool {
    !word.is_empty() && word.len() <= 7 && word.chars().all(|c| matches!(c, 'i' | 'v' | 'x' | 'l' | 'c'))
}

/// "12", "iv", "- 3 -", "3 / 18", "Page 3 of 10", "Seite 3 von 10".
fn is_page_number(text: &str) -> bool {
    const WORDS: [&str; 14] =
        ["page", "of", "seite", "von", "p", "pg", "s", "sur", "página", "pagina", "pág", "de", "di", "blatt"];
    // "1." beside a text is the number of its heading.
    if text.ends_with('.') {
        return false;
    }
    let words = text.split(|c: char| c.is_whitespace() || "/|-–—.:".contains(c)).filter(|word| !word.is_empty());
    let mut n_numbers = 0;
    for word in words {
        if word.len() <= 4 && word.chars().all(|c| c.is_ascii_digit()) || is_roman(word) {
            n_numbers += 1;
        } else if !WORDS.contains(&word.to_lowercase().as_str()) {
            return false;
        }
    }
    matches!(n_numbers, 1 | 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_numbers() {
        for text in ["12", "iv", "- 3 -", "3 / 18", "Page 3 of 10", "Seite 4"] {
            assert!(is_page_number(text), "{text}");
        }
        for text in ["12 mm", "Chapter 3", "2026-11-30", "", "M6", "1 2 3", "1."] {
            assert!(!is_page_number(text), "{text}");
        }
    }

    #[test]
    fn counting_ignores_numbers() {
        assert_eq!(normal("Pump P100  – Page 3"), normal("Pump P100 – Page 12"));
        assert_ne!(normal("Pump"), normal("Valve"));
    }
}
