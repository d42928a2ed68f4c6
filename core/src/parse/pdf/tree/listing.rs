//! Program text as it was set.

use crate::parse::pdf::rows::Line;

/// Lines of program text with their indents and blank lines.
pub(super) fn listing(lines: &[Line]) -> String {
    let left = lines.iter().map(|line| line.bbox.x0).fold(f32::MAX, f32::min);
    let mut text = String::new();
    let mut last: Option<&Line> = None;
    for line in lines {
        if let Some(last) = last {
            text.push('\n');
            if line.v - last.v > 1.7 * line.size {
                text.push('\n');
            }
        }
        let n_characters = line.text.chars().count().max(1) as f32;
        let pitch = ((line.bbox.x1 - line.bbox.x0) / n_characters).max(0.1);
        let indent = ((line.bbox.x0 - left) / pitch).round().clamp(0.0, 120.0);
        text.extend(std::iter::repeat_n(' ', indent as usize));
        text.push_str(&line.text);
        last = Some(line);
    }
    text
}
