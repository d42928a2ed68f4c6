//! The text of a message: what was written, and what it answers as quotations.

use super::super::{
    MAX_NODES, ParseError,
    attachment::{Reading, append, graft},
    html, plain,
    writer::Writer,
};
use crate::document::{Document, NodeId, NodeKind};

/// Lines that part a message from the one it answers or forwards, in the words of usual programs.
const ORIGINAL: [&str; 10] = [
    "original message",
    "forwarded message",
    "original appointment",
    "ursprüngliche nachricht",
    "weitergeleitete nachricht",
    "message d'origine",
    "message transféré",
    "mensaje original",
    "mensaje reenviado",
    "messaggio originale",
];

/// Adds a text in HTML.
pub(super) fn html(document: &mut Document, source: &str) {
    let mut writer = Writer::new(document.id.clone(), &document.name);
    html::fragment(&mut writer, source);
    add(document, writer.finish());
}

/// Adds a plain text.
///
/// # Errors
/// [`ParseError::Cancelled`].
pub(super) fn text(document: &mut Document, source: &str, reading: &mut Reading<'_>) -> Result<(), ParseError> {
    for piece in pieces(source) {
        match piece {
            Piece::Written(text) => {
                let (id, name) = (document.id.clone(), document.name.clone());
                let inner = plain::parse(id, &name, &text, reading.warnings, reading.progress)?;
                add(document, inner);
            }
            Piece::Quoted(text) if document.nodes.len() < MAX_NODES => {
                append(document, NodeId::ROOT, NodeKind::Quote, &text);
            }
            Piece::Quoted(_) => {}
        }
    }
    Ok(())
}

fn add(document: &mut Document, inner: Document) {
    let room = MAX_NODES.saturating_sub(document.nodes.len());
    graft(document, NodeId::ROOT, inner, room);
}

#[derive(Debug, PartialEq)]
enum Piece {
    Written(String),
    /// Without the marks in front of its lines; paragraphs parted by line breaks.
    Quoted(String),
}

/// What was written and what is quoted, in order. A line that begins with `>` is quoted, as is everything below a line
/// that says that the original follows.
fn pieces(source: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut original = false;
    let mut gap = false;
    for line in source.lines() {
        original |= is_divider(line);
        let bare = line.trim_start();
        let quoted = original || bare.starts_with('>');
        if bare.trim_end().is_empty() && !original {
            gap = true;
            if let Some(Piece::Written(text)) = pieces.last_mut() {
                text.push('\n');
            }
            continue;
        }
        if !quoted {
            match pieces.last_mut() {
                Some(Piece::Written(text)) => text.push_str(line),
                _ => pieces.push(Piece::Written(line.to_owned())),
            }
            if let Some(Piece::Written(text)) = pieces.last_mut() {
                text.push('\n');
            }
        } else {
            let inner = bare.trim_start_matches(['>', ' ']).trim_end();
            match pieces.last_mut() {
                // Lines of one paragraph are one; an empty line between them parts them.
                Some(Piece::Quoted(text)) if inner.is_empty() || gap => text.push('\n'),
                Some(Piece::Quoted(text)) => {
                    if !text.is_empty() && !text.ends_with('\n') {
                        text.push(' ');
                    }
                }
                _ => pieces.push(Piece::Quoted(String::new())),
            }
            if let Some(Piece::Quoted(text)) = pieces.last_mut() {
                text.push_str(inner);
            }
        }
        gap = false;
    }
    for piece in &mut pieces {
        if let Piece::Quoted(text) = piece {
            let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            *text = lines.join("\n");
        }
    }
    pieces.retain(|piece| match piece {
        Piece::Written(text) | Piece::Quoted(text) => !text.trim().is_empty(),
    });
    pieces
}

/// `-----Original Message-----`, however many dashes.
fn is_divider(line: &str) -> bool {
    let line = line.trim();
    let inner = line.trim_matches(|c: char| c == '-' || c == '_' || c == ' ');
    line.starts_with("--") && ORIGINAL.contains(&inner.trim_end_matches(':').to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_answered_is_told_from_the_answer() {
        let text = "Yes, two.\n\nOn Monday Ada wrote:\n> How many seals\n> are left?\n>\n> > Please count them.\n\nRegards\n\
                    --- Original Message ---\nFrom: Ada\n\nCount.";
        let quoted = |text: &str| Piece::Quoted(text.to_owned());
        let expected = [
            Piece::Written("Yes, two.\n\nOn Monday Ada wrote:\n".to_owned()),
            quoted("How many seals are left?\nPlease count them."),
            Piece::Written("Regards\n".to_owned()),
            quoted("--- Original Message --- From: Ada\nCount."),
        ];
        assert_eq!(pieces(text), expected);
    }
}
