//! Marks inside a line: what a reader sees of links and references.

/// A text with links and cross references as their words, without marks of type around whole words.
pub(super) fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '[']) {
        let (before, from) = rest.split_at(at);
        shown.push_str(before);
        if let Some((inside, after)) = from.strip_prefix("<<").and_then(|inside| inside.split_once(">>")) {
            // `<<anchor,words>>`: without words the anchor is what is left.
            shown.push_str(inside.split_once(',').map_or(inside, |(_, words)| words).trim());
            rest = after;
        } else if let Some((inside, after)) = from.strip_prefix("[[").and_then(|inside| inside.split_once("]]"))
            && !inside.contains(' ')
        {
            rest = after;
        } else if let Some(inside) = from.strip_prefix('[')
            && let Some((words, after)) = inside.split_once(']')
            && let Some(start) = address(&shown)
        {
            if !words.trim().is_empty() {
                shown.truncate(start);
                shown.push_str(words.trim_matches('"').trim_end_matches('^'));
            }
            rest = after;
        } else {
            shown.push_str(&from[..1]);
            rest = &from[1..];
        }
    }
    shown.push_str(rest);
    shown
}

/// Where the address that a text ends with begins: `link:x`, `https://x`, `xref:x`.
fn address(text: &str) -> Option<usize> {
    let start =
        text.rfind(char::is_whitespace).map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let word = text[start..].trim_start_matches(['(', '"']);
    let is_address =
        ["link:", "xref:", "http://", "https://", "mailto:", "image:"].iter().any(|kind| word.starts_with(kind));
    is_address.then_some(text.len() - word.len())
}
