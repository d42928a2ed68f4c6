//! Whether a file begins as a message does: with header lines and nothing else, up to the first empty line.

/// Longer heads are none; those of mailing lists come to some 20 KiB.
const MAX_HEAD_BYTES: usize = 256 << 10;
/// Who a message comes from or which way.
const SENDERS: [&str; 5] = ["from", "sender", "return-path", "received", "resent-from"];
/// What else almost every message has.
const USUAL: [&str; 9] =
    ["to", "cc", "date", "subject", "message-id", "mime-version", "content-type", "delivered-to", "received"];

/// Whether bytes begin as a message, whatever the file is called: a sender and two more of the usual headers.
pub(in crate::parse) fn begins(bytes: &[u8]) -> bool {
    names(bytes).is_some_and(|names| {
        let is_there = |wanted: &str| names.iter().any(|name| name == wanted);
        SENDERS.iter().any(|sender| is_there(sender)) && USUAL.iter().filter(|usual| is_there(usual)).count() >= 2
    })
}

/// Whether a text that is said to be a message begins with any header of one.
pub(in crate::parse) fn has_headers(text: &str) -> bool {
    names(text.as_bytes())
        .is_some_and(|names| names.iter().any(|name| SENDERS.iter().chain(&USUAL).any(|known| known == name)))
}

/// The names of the header lines in lower case; `None` where other lines stand among them.
fn names(bytes: &[u8]) -> Option<Vec<String>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let head = &bytes[..bytes.len().min(MAX_HEAD_BYTES)];
    let mut names: Vec<String> = Vec::new();
    for (number, line) in head.split(|byte| *byte == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // A mailbox's line between two messages, and folded lines.
        let goes_on = number == 0 && line.starts_with(b"From ")
            || !names.is_empty() && line.starts_with(b" ")
            || !names.is_empty() && line.starts_with(b"\t");
        if goes_on {
            continue;
        }
        if line.is_empty() {
            break;
        }
        let colon = line.iter().position(|byte| *byte == b':').filter(|at| *at > 0)?;
        let name = &line[..colon];
        if !name.iter().all(u8::is_ascii_graphic) {
            return None;
        }
        names.push(String::from_utf8_lossy(name).to_ascii_lowercase());
    }
    Some(names)
}
