//! E-mails as they were sent (RFC 5322, MIME): who wrote to whom when, the text with what it answers as quotations, and
//! the attachments as sections.
//!
//! Not for mailboxes of many messages nor for Outlook's own format.

mod body;
mod head;
#[cfg(test)]
mod tests;

use super::{
    ParseError, ParseWarningKind,
    attachment::{Attached, Reading},
    decode, plain,
};
use crate::{
    document::{Document, DocumentBuilder, DocumentId, NodeKind},
    text::collapse_whitespace,
};
pub(super) use head::{begins, has_headers};
use mail_parser::{Address, DateTime, Message, MessageParser, MessagePart, MimeHeaders, PartType};
use std::borrow::Cow;

/// Messages in one another, at most: the parser keeps them as a tree, which is taken down by recursion.
const MAX_MESSAGES: usize = 500;

/// Reads a message with everything that is attached to it.
///
/// # Errors
/// [`ParseError::Cancelled`].
pub(super) fn parse(
    id: DocumentId,
    name: &str,
    bytes: &[u8],
    reading: &mut Reading<'_>,
) -> Result<Document, ParseError> {
    let readable = with_readable_head(bytes);
    let message = if n_messages(bytes) > MAX_MESSAGES { None } else { MessageParser::default().parse(&*readable) };
    let Some(message) = message else {
        let message = "The message is not built as e-mails are; it was read as plain text, attachments included.";
        reading.warn(ParseWarningKind::Damaged, message.to_owned());
        let text = decode(bytes, reading.warnings).text;
        return plain::parse(id, name, &text, reading.warnings, reading.progress);
    };
    let mut document = heading(id, name, &message);
    let (loose, files): (Vec<_>, Vec<_>) =
        message.attachments().filter(|part| !is_of_the_text(part)).partition(|part| is_loose(part));
    for part in message.html_bodies().chain(loose) {
        match &part.body {
            PartType::Html(html) => body::html(&mut document, html),
            PartType::Text(text) => body::text(&mut document, text, reading)?,
            _ => {}
        }
    }
    let files: Vec<(String, &MessagePart<'_>)> =
        (1..).zip(files).map(|(number, part)| (called(part, number), part)).collect();
    let files = files.iter().map(|(name, part)| Attached {
        name,
        description: part.content_description().unwrap_or_default(),
        bytes: if part.is_encoding_problem && !is_declared_text(part) {
            Err("it is damaged")
        } else {
            Ok(Cow::Borrowed(part.contents()))
        },
    });
    reading.attach(&mut document, files)?;
    Ok(document)
}

/// The bytes with a head in UTF-8, as the parser takes it to be: old programs wrote letters into it as they came.
fn with_readable_head(bytes: &[u8]) -> Cow<'_, [u8]> {
    let end = |blank: &[u8]| bytes.windows(blank.len()).position(|window| window == blank);
    let end = [end(b"\n\n"), end(b"\r\n\r\n")].into_iter().flatten().min().unwrap_or(bytes.len());
    let (head, rest) = bytes.split_at(end);
    if std::str::from_utf8(head).is_ok() {
        return Cow::Borrowed(bytes);
    }
    // That the encoding was guessed is not worth a warning for a few letters.
    let head = decode(head, &mut Vec::new()).text.into_owned();
    Cow::Owned([head.as_bytes(), rest].concat())
}

/// How often a message may begin in another, counted generously.
fn n_messages(bytes: &[u8]) -> usize {
    let starts = |word: &[u8]| bytes.windows(word.len()).filter(|window| window.eq_ignore_ascii_case(word)).count();
    starts(b"rfc822") + starts(b"digest") + starts(b"/global")
}

/// A document with the title and what the message says of itself.
fn heading(id: DocumentId, name: &str, message: &Message<'_>) -> Document {
    let mut builder = DocumentBuilder::new(id, name);
    let subject = collapse_whitespace(message.subject().unwrap_or_default());
    builder.title(&subject);
    let people = [
        ("From", message.from()),
        ("Reply-To", message.reply_to()),
        ("To", message.to()),
        ("Cc", message.cc()),
        ("Bcc", message.bcc()),
    ];
    let mut fields: Vec<(&str, String)> =
        people.into_iter().filter_map(|(key, of)| Some((key, addresses(of?)))).collect();
    fields.extend(message.date().map(|date| ("Date", shown_date(date))));
    fields.push(("Subject", subject));
    for (key, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
        builder.leaf(NodeKind::KeyValue, &format!("{key}: {value}"));
    }
    if let Some((_, from)) = fields.iter().find(|(key, value)| *key == "From" && !value.is_empty()) {
        builder.metadata("author", from);
    }
    if let Some(id) = message.message_id() {
        builder.metadata("message-id", id);
    }
    builder.finish()
}

/// `Ada Lang <ada@pump.example>, …`.
fn addresses(of: &Address<'_>) -> String {
    let shown = of.iter().filter_map(|one| match (one.name(), one.address()) {
        (Some(name), Some(address)) if name != address => Some(format!("{name} <{address}>")),
        (_, Some(address)) => Some(address.to_owned()),
        (name, None) => name.map(str::to_owned),
    });
    collapse_whitespace(&shown.collect::<Vec<_>>().join(", "))
}

/// `2026-11-30 14:30 +01:00`, as the sender's clock showed it.
fn shown_date(date: &DateTime) -> String {
    let DateTime { year, month, day, hour, minute, tz_hour, tz_minute, .. } = date;
    let sign = if date.tz_before_gmt { '-' } else { '+' };
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02} {sign}{tz_hour:02}:{tz_minute:02}")
}

/// Whether a part is a picture that the text shows where it belongs, as the logo of a letterhead.
fn is_of_the_text(part: &MessagePart<'_>) -> bool {
    let picture = part.content_type().is_some_and(|kind| kind.ctype().eq_ignore_ascii_case("image"));
    let apart = part.content_disposition().is_some_and(|disposition| disposition.is_attachment());
    picture && !apart && part.content_id().is_some()
}

/// Whether a part is a text that goes with the message: neither named nor sent as a file.
fn is_loose(part: &MessagePart<'_>) -> bool {
    let apart = part.content_disposition().is_some_and(|disposition| disposition.is_attachment());
    let text = matches!(part.body, PartType::Html(_) | PartType::Text(_));
    text && !apart && part.attachment_name().is_none() && (!part.is_encoding_problem || is_declared_text(part))
}

/// Whether a part says that it is text: then what could not be unpacked may still be read as it stands.
fn is_declared_text(part: &MessagePart<'_>) -> bool {
    part.content_type().is_none_or(|kind| kind.ctype().eq_ignore_ascii_case("text"))
}

/// An attachment's name; a forwarded message goes by its subject.
fn called(part: &MessagePart<'_>, number: u32) -> String {
    if let Some(name) = part.attachment_name().filter(|name| !name.trim().is_empty()) {
        return name.to_owned();
    }
    if let Some(message) = part.message() {
        let subject = collapse_whitespace(message.subject().unwrap_or_default());
        return if subject.is_empty() { format!("Message {number}.eml") } else { format!("{subject}.eml") };
    }
    format!("Attachment {number}")
}
