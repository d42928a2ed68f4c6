//! Template tags of site generators (`{% … %}`, `{{ … }}`) and attribute lists (`{: .wide}`), which say nothing to a
//! reader.

use std::borrow::Cow;

/// Overwrites template tags with blanks, so that every other byte keeps its place. Code keeps its braces.
///
/// Only for texts with front matter: nothing else goes through a site generator, and there `{{ x }}` is content.
pub(super) fn blank(text: &str) -> Cow<'_, str> {
    if !["{%", "{{", "{:"].iter().any(|start| text.contains(start)) {
        return Cow::Borrowed(text);
    }
    let mut blanked = String::with_capacity(text.len());
    let mut fence: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        if fence.is_some() || mark.is_some() {
            blanked.push_str(line);
        } else {
            blank_line(line, &mut blanked);
        }
    }
    Cow::Owned(blanked)
}

/// Tags of one line; a tag that runs over a line end is left, which no generator's documents need.
fn blank_line(line: &str, blanked: &mut String) {
    let mut rest = line;
    // Tags of this kind are no longer closed on the line; they need not be looked for again.
    let mut unclosed: Vec<&'static str> = Vec::new();
    while let Some(at) = rest.find(['{', '`']) {
        let (before, from) = rest.split_at(at);
        blanked.push_str(before);
        let length = if from.starts_with('`') {
            let ticks = from.len() - from.trim_start_matches('`').len();
            let (open, inside) = from.split_at(ticks);
            let length = inside.find(open).map_or(ticks, |close| ticks + close + ticks);
            blanked.push_str(&from[..length]);
            length
        } else if let Some(length) = tag(from, &mut unclosed) {
            blanked.extend(std::iter::repeat_n(' ', length));
            length
        } else {
            blanked.push('{');
            1
        };
        rest = &from[length..];
    }
    blanked.push_str(rest);
}

/// The length in bytes of the tag that a text begins with.
fn tag(text: &str, unclosed: &mut Vec<&'static str>) -> Option<usize> {
    let mut find = |text: &str, close: &'static str| {
        let found = if unclosed.contains(&close) { None } else { text.find(close) };
        if found.is_none() && !unclosed.contains(&close) {
            unclosed.push(close);
        }
        found
    };
    let close = match text.as_bytes() {
        [b'{', b'%', ..] => "%}",
        [b'{', b'{', ..] => "}}",
        // Classes, anchors and attributes of kramdown; "{:.2f}" is none.
        [b'{', b':', ..] => {
            let end = find(text, "}")?;
            let inside = text[2..end].trim_start();
            let named = inside.trim_start_matches(['.', '#']);
            let attribute = named.len() < inside.len() || inside.contains('=');
            return (attribute && named.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(end + 1);
        }
        _ => return None,
    };
    find(&text[2..], close).map(|at| at + 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_become_blanks_of_the_same_length() {
        let text = "See {{ page.x }}ü{% if a %}b{% endif %} `{{ kept }}` {not} {% open\n```\n{{ code }}\n```\n{: .wide #x} {:.2f} {:width=\"9\"}";
        let blanked = blank(text);
        assert_eq!(blanked.len(), text.len());
        assert_eq!(
            blanked.split_whitespace().collect::<Vec<_>>().join(" "),
            "See ü b `{{ kept }}` {not} {% open ``` {{ code }} ``` {:.2f}"
        );
    }
}
