//! Where messages stand in a rendered chat template. The template is rendered with placeholders in place of texts, so that
//! it alone is read for control tokens and nothing that a document says becomes one. Not for the template itself.

/// A part of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    /// The template's own text.
    Template(&'a str),
    /// The text of the message of this place.
    Message(usize),
}

/// What stands for the text of a message. No template has these characters, and none takes them for space to trim.
pub(super) fn placeholder(place: usize) -> String {
    format!("\u{2}{place}\u{3}")
}

/// The parts of a rendered template with `n_messages` placeholders; `None` where one is missing or out of order.
pub(super) fn parts(rendered: &str, n_messages: usize) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut rest = rendered;
    for place in 0..n_messages {
        let (before, after) = rest.split_once(&placeholder(place))?;
        if !before.is_empty() {
            parts.push(Part::Template(before));
        }
        parts.push(Part::Message(place));
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(Part::Template(rest));
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_stand_between_the_template() {
        let rendered = format!("<|system|>{}<|user|>{}<|assistant|>", placeholder(0), placeholder(1));
        let expected = [
            Part::Template("<|system|>"),
            Part::Message(0),
            Part::Template("<|user|>"),
            Part::Message(1),
            Part::Template("<|assistant|>"),
        ];
        assert_eq!(parts(&rendered, 2).as_deref(), Some(&expected[..]));
        assert_eq!(parts(&rendered, 3), None, "a message that the template leaves out");
        assert_eq!(parts(&format!("{}{}", placeholder(1), placeholder(0)), 2), None);
    }

    #[test]
    fn eleven_is_not_one() {
        let rendered: String = (0..12).map(placeholder).collect();
        assert_eq!(parts(&rendered, 12).map(|parts| parts.len()), Some(12));
    }
}
