//! Segments that stand on one line, and the markers that lines may begin with.

use super::{bidi, font::Style, glyphs::Rule, lines::Segment, tags::Role};
use crate::document::BBox;

/// All segments on one line of a region.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// From the left; never empty.
    pub(super) segments: Vec<Segment>,
    /// A ruling line runs over it, between it and the row before.
    pub(super) ruled_above: bool,
}

impl Row {
    /// The baseline.
    pub(super) fn v(&self) -> f32 {
        self.segments.first().map_or(0.0, |segment| segment.v)
    }

    /// The size of its first text.
    pub(super) fn size(&self) -> f32 {
        self.segments.first().map_or(1.0, |segment| segment.size.max(0.1))
    }

    /// Its texts with blanks between them.
    pub(super) fn text(&self) -> String {
        let mut texts: Vec<&str> = self.segments.iter().map(|segment| segment.text.as_str()).collect();
        if texts.iter().filter(|text| bidi::runs_rtl(text)).count() * 2 > texts.len() {
            texts.reverse();
        }
        texts.join(" ")
    }

    /// From the left end of its first text to the right end of its last.
    pub(super) fn bbox(&self) -> BBox {
        let around = self.segments.iter().map(|segment| segment.bbox).reduce(BBox::union);
        around.unwrap_or(BBox { x0: 0.0, y0: 0.0, x1: 0.0, y1: 0.0 })
    }

    /// It as a line of running text.
    pub(super) fn line(&self) -> Line {
        let all = |set: fn(&Style) -> bool| self.segments.iter().all(|segment| set(&segment.style));
        let style = Style {
            bold: all(|style| style.bold),
            italic: all(|style| style.italic),
            fixed_pitch: all(|style| style.fixed_pitch),
        };
        let n_segments = self.segments.len();
        let second = self.segments.get(1).map(|segment| segment.bbox.x0);
        let role = self.segments.iter().map(|segment| segment.role).reduce(|a, b| a.filter(|_| a == b)).flatten();
        Line { text: self.text(), bbox: self.bbox(), v: self.v(), size: self.size(), style, n_segments, second, role }
    }
}

/// A line of a block.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// As printed.
    pub(super) text: String,
    /// Around it.
    pub(super) bbox: BBox,
    /// Its baseline.
    pub(super) v: f32,
    /// Its em.
    pub(super) size: f32,
    /// How it is set.
    pub(super) style: Style,
    /// Parts with wide gaps between them.
    pub(super) n_segments: usize,
    /// Where the second of these parts begins.
    pub(super) second: Option<f32>,
    /// What the file's tags say that all of it is part of.
    pub(super) role: Option<Role>,
}

/// Segments by line, from the top; a marker stands with the text that it marks. O(n log n + rows · rules).
pub(super) fn rows(mut segments: Vec<Segment>, rules: &[Rule]) -> Vec<Row> {
    segments.sort_by(|a, b| a.v.total_cmp(&b.v).then(a.bbox.x0.total_cmp(&b.bbox.x0)));
    let mut rows: Vec<Row> = Vec::new();
    for segment in segments {
        match rows.last_mut() {
            Some(row) if segment.v - row.v() <= 0.3 * segment.size.min(row.size()) => row.segments.push(segment),
            _ => rows.push(Row { segments: vec![segment], ruled_above: false }),
        }
    }
    let mut above = f32::MIN;
    for row in &mut rows {
        row.segments.sort_by(|a, b| a.bbox.x0.total_cmp(&b.bbox.x0));
        join_marker(&mut row.segments);
        let (bbox, v) = (row.bbox(), row.v());
        row.ruled_above = rules.iter().any(|rule| {
            let over = rule.to.min(bbox.x1) - rule.from.max(bbox.x0);
            rule.horizontal && rule.at > above && rule.at < v - 0.3 * row.size() && over >= 0.6 * (bbox.x1 - bbox.x0)
        });
        above = v;
    }
    rows
}

fn join_marker(segments: &mut Vec<Segment>) {
    let marks = segments.first().is_some_and(|first| is_marker(&first.text));
    if !marks || segments.len() < 2 {
        return;
    }
    let text = segments.remove(1);
    if let Some(marker) = segments.first_mut() {
        marker.text = format!("{} {}", marker.text, text.text);
        marker.words.extend(text.words);
        marker.bbox = marker.bbox.union(text.bbox);
        marker.style = text.style;
        marker.size = text.size;
    }
}

/// A list marker at the beginning of a line, as printed: a bullet, "1.", "b)", "(3)", "iv.", "Step 3:".
pub(super) fn marker(text: &str) -> Option<&str> {
    if let Some(end) = step_end(text) {
        return (!text[end..].trim().is_empty()).then(|| &text[..end]);
    }
    let end = text.find(char::is_whitespace)?;
    let (first, rest) = text.split_at(end);
    (is_marker(first) && !rest.trim().is_empty()).then_some(first)
}

/// Where "Step 3:", "Schritt 12." and the like end at the beginning of a text.
fn step_end(text: &str) -> Option<usize> {
    const STEPS: [&str; 8] = ["step", "schritt", "étape", "etape", "paso", "passo", "stap", "steg"];
    let (word, rest) = text.split_once(' ')?;
    if !word.starts_with(char::is_uppercase) || !STEPS.contains(&word.to_lowercase().as_str()) {
        return None;
    }
    let n_digits = rest.chars().take_while(char::is_ascii_digit).count();
    let number_end = word.len() + 1 + n_digits;
    let after = text.get(number_end..)?;
    // French sets a blank before the colon.
    let mark = after.trim_start().starts_with([':', '.', ')', '–']) || after.is_empty();
    let blanks = after.len() - after.trim_start().len();
    let mark_length = after.trim_start().chars().next().map_or(0, char::len_utf8);
    (matches!(n_digits, 1..=3) && mark).then_some(number_end + if after.is_empty() { 0 } else { blanks + mark_length })
}

/// Whether a text is a list marker.
fn is_marker(word: &str) -> bool {
    if is_bullet(word) || step_end(word) == Some(word.len()) {
        return true;
    }
    let word = word.strip_prefix('(').unwrap_or(word);
    let Some(number) = word.strip_suffix(['.', ')']) else { return false };
    let n_characters = number.chars().count();
    let digits = n_characters <= 3 && number.chars().all(|c| c.is_ascii_digit());
    let letter = n_characters == 1 && number.chars().all(|c| c.is_ascii_alphabetic());
    let roman = n_characters <= 5 && number.chars().all(|c| matches!(c, 'i' | 'v' | 'x'));
    n_characters > 0 && (digits || letter || roman)
}

/// Whether a word is a bullet.
pub(super) fn is_bullet(word: &str) -> bool {
    const BULLETS: &str = "•‣◦▪▫■□●○◆◇➢➤►▶✓✔·∙–—-−*⁃❑❖";
    let mut characters = word.chars();
    matches!((characters.next(), characters.next()), (Some(first), None) if BULLETS.contains(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers() {
        for text in ["1. Close it", "b) open", "• oil", "(3) x", "iv. y", "- z", "Step 3: Close it", "Étape 2 : Fermer"]
        {
            assert!(marker(text).is_some(), "{text}");
        }
        for text in ["1.5 mm", "Step 3 is the last", "Step 3:", "2026. Not", "word. x", "•", "3 bolts"] {
            assert!(marker(text).is_none(), "{text}");
        }
    }
}
