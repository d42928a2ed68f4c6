//! The form of several lines together: how a text is cut into lines, what underlines what, which lines run on.

use super::line::Line;

/// Lines that decide whether a file is a log.
const LOG_SAMPLE_LINES: usize = 400;
/// A line at least this long ends because the page's width ended, so that the next one continues it.
const WRAPPED_CHARS: usize = 50;

/// The lines of a text with the byte each begins at, whichever of the three line ends it uses.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let end = if text.contains('\n') { '\n' } else { '\r' };
    let mut start = 0;
    text.split_inclusive(end).map(move |line| {
        let at = start;
        start += line.len();
        (at, line.trim_end_matches(['\n', '\r']))
    })
}

/// Whether most lines are entries of a log.
pub(super) fn is_log(text: &str) -> bool {
    let sample = lines(text).map(|(start, line)| Line::new(line, start)).filter(|line| !line.text.is_empty());
    let (mut n_lines, mut n_entries) = (0usize, 0usize);
    for line in sample.take(LOG_SAMPLE_LINES) {
        n_lines += 1;
        n_entries += usize::from(line.is_log_entry());
    }
    n_entries >= 3 && n_entries * 10 >= n_lines * 6
}

/// The level of a heading whose second line underlines it.
pub(super) fn underlined(lines: &[Line<'_>]) -> Option<u8> {
    let [first, second, ..] = lines else { return None };
    let rule = second.rule()?;
    let (n_chars, n_rule) = (first.text.chars().count(), second.text.len());
    let fits = first.rule().is_none() && n_chars <= 100 && n_rule * 2 >= n_chars && n_rule <= n_chars * 3 + 10;
    // Rules under several columns belong to a table.
    (fits && !first.is_columnar()).then_some(match rule {
        '=' | '#' => 1,
        '-' => 2,
        _ => 3,
    })
}

/// "3.2 Cleaning ........ 14".
pub(super) fn is_contents_line(line: &Line<'_>) -> bool {
    line.leader()
        .is_some_and(|(_, page)| page.len() <= 5 && page.chars().all(|c| c.is_ascii_digit() || "ivxlc-".contains(c)))
}

/// Joins the lines of a paragraph: a full line runs on, a short one was ended on purpose.
pub(super) fn join<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    let mut joined = String::new();
    let mut runs_on = true;
    for line in lines {
        if !joined.is_empty() {
            joined.push(if runs_on { ' ' } else { '\n' });
        }
        for (at, word) in line.split_whitespace().enumerate() {
            if at > 0 {
                joined.push(' ');
            }
            joined.push_str(word);
        }
        runs_on = line.chars().count() >= WRAPPED_CHARS;
    }
    joined
}
