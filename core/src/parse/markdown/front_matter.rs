//! Front matter: the facts that stand before a text between two lines of `---` (YAML) or `+++` (TOML).
//!
//! In some manuals the better half of the content stands here (codes, parameters, examples), so all of it becomes nodes
//! that can be read and found, and not only metadata.

use super::{
    inline::plain_text,
    reader::{Place, Reader},
    toml,
    value::{self, Entry, Value},
};
use crate::{
    document::{NodeKind, Span},
    parse::{ParseWarning, ParseWarningKind, span, writer::Writer},
};
use std::ops::Range;

/// Longer than this it is no front matter.
const MAX_BYTES: usize = 1 << 20;
/// A list of short values stands on one line up to this many bytes.
const MAX_LINE_BYTES: usize = 200;
/// Fields that name an item of a list, the most telling first.
const NAME_KEYS: [&str; 8] = ["tag", "name", "id", "key", "title", "label", "term", "parameter"];
/// Fields that say what it is.
const TEXT_KEYS: [&str; 7] = ["description", "desc", "brief", "summary", "text", "pre", "caption"];
/// Fields that hold program text.
const CODE_KEYS: [&str; 5] = ["code", "command", "snippet", "example", "gcode"];

/// Front matter as found.
pub(super) struct Matter {
    /// Its bytes without the fences.
    range: Range<usize>,
    /// Its entries, or what is wrong with it.
    entries: Result<Vec<Entry>, String>,
}

/// Finds front matter and where the text after it begins; `None` where a text merely begins with a rule.
pub(super) fn split(text: &str) -> Option<(Matter, usize)> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next()?;
    let fence = first.trim_end();
    if !matches!(fence, "---" | "+++") {
        return None;
    }
    let start = first.len();
    let mut end = start;
    for line in lines {
        if end > MAX_BYTES {
            return None;
        }
        let bare = line.trim_end();
        if bare == fence || (fence == "---" && bare == "...") {
            let inside = &text[start..end];
            let entries = if inside.trim().is_empty() {
                Ok(Vec::new())
            } else if fence == "---" {
                value::yaml(inside)
            } else {
                toml::read(inside)
            };
            if entries.is_err() && !looks_like_fields(inside) {
                return None;
            }
            return Some((Matter { range: start..end, entries }, end + line.len()));
        }
        end += line.len();
    }
    None
}

/// Whether the first line that says anything is a field: a key, then a colon or an equals sign.
fn looks_like_fields(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    first.and_then(|line| line.split_once([':', '='])).is_some_and(|(key, _)| {
        let key = key.trim();
        !key.is_empty() && key.len() <= 40 && !key.contains(' ')
    })
}

/// Writes front matter: metadata and title, and nodes for everything in it.
pub(super) fn write(writer: &mut Writer, text: &str, matter: &Matter, warnings: &mut Vec<ParseWarning>) {
    let raw = &text[matter.range.clone()];
    match &matter.entries {
        Ok(entries) => {
            let starts = line_starts(raw);
            let at = |line: usize| matter.range.start + starts.get(line).copied().unwrap_or(raw.len());
            for entry in entries {
                let place = span(at(entry.lines.start)..at(entry.lines.end));
                top_level(writer, &entry.key, &entry.value, place);
            }
        }
        Err(problem) => {
            warnings.push(ParseWarning {
                kind: ParseWarningKind::Damaged,
                page: None,
                message: format!("The front matter could not be read ({problem}); it is kept as it stands."),
            });
            for (key, value) in raw.lines().filter_map(|line| line.split_once(':')) {
                let value = value.trim().trim_matches(['"', '\'']);
                if key == "title" && !value.is_empty() {
                    writer.builder().title(value);
                }
            }
            let kind = NodeKind::Code { language: String::new() };
            writer.leaf(kind, raw.trim_end(), Some(span(matter.range.clone())));
        }
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

fn top_level(writer: &mut Writer, key: &str, value: &Value, place: Span) {
    if let Some(line) = one_line(value) {
        if line.is_empty() {
            return;
        }
        if key.eq_ignore_ascii_case("title") {
            writer.builder().title(&line);
        }
        writer.builder().metadata(key, &line);
        writer.leaf(NodeKind::KeyValue, &format!("{key}: {line}"), Some(place));
        return;
    }
    writer.section(2, key, Some(place));
    match value {
        Value::Text(text) => Reader::new(writer, text, Place::Within(place)).read_part(),
        Value::List(values) => list(writer, key, values, place),
        Value::Map(pairs) => {
            for (key, value) in pairs {
                field(writer, key, value, place);
            }
        }
    }
}

/// A scalar of one line, or a list of short ones, as plain text.
fn one_line(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) if !text.trim_end().contains('\n') => Some(plain_text(text.trim())),
        Value::List(values) => {
            let texts: Vec<&str> = values.iter().filter_map(Value::text).collect();
            let short = texts.len() == values.len()
                && texts.iter().all(|text| !text.contains('\n') && text.len() <= 60)
                && texts.iter().map(|text| text.len() + 2).sum::<usize>() <= MAX_LINE_BYTES;
            short.then(|| texts.into_iter().map(plain_text).collect::<Vec<_>>().join(", "))
        }
        _ => None,
    }
}

/// A field inside a container: on one line where it fits, otherwise as a list under its name.
fn field(writer: &mut Writer, key: &str, value: &Value, place: Span) {
    if let Some(line) = one_line(value) {
        if !line.is_empty() {
            writer.leaf(NodeKind::KeyValue, &format!("{key}: {line}"), Some(place));
        }
        return;
    }
    match value {
        Value::Text(text) => Reader::new(writer, text, Place::Within(place)).read_part(),
        Value::List(values) => list(writer, key, values, place),
        Value::Map(pairs) => {
            writer.open_as(NodeKind::List { ordered: false }, "", Some(place));
            writer.open_as(NodeKind::ListItem, key, Some(place));
            for (key, value) in pairs {
                field(writer, key, value, place);
            }
            writer.close();
            writer.close();
        }
    }
}

fn list(writer: &mut Writer, key: &str, values: &[Value], place: Span) {
    writer.open_as(NodeKind::List { ordered: false }, "", Some(place));
    for value in values {
        match (value, one_line(value)) {
            (_, Some(line)) => writer.leaf(NodeKind::ListItem, &line, Some(place)),
            (Value::Map(pairs), None) => item(writer, &singular(key), pairs, place),
            (Value::Text(text), None) => {
                writer.open(NodeKind::ListItem, Some(place));
                Reader::new(writer, text, Place::Within(place)).read_part();
                writer.close();
            }
            (Value::List(values), None) => {
                writer.open_as(NodeKind::ListItem, "", Some(place));
                list(writer, key, values, place);
                writer.close();
            }
        }
    }
    writer.close();
}

/// An item with fields, as a sentence that names it: `parameter Z: Flag to home the Z axis (type: flag)`; code and
/// nested lists stand below.
fn item(writer: &mut Writer, noun: &str, pairs: &[(String, Value)], place: Span) {
    let find = |keys: &[&str]| {
        keys.iter().find_map(|wanted| {
            let at =
                pairs.iter().position(|(key, value)| key == wanted && one_line(value).is_some_and(|l| !l.is_empty()));
            at.filter(|_| !CODE_KEYS.contains(wanted))
        })
    };
    let (name, text) = (find(&NAME_KEYS), find(&TEXT_KEYS));
    let line = |at: Option<usize>| at.and_then(|at| one_line(&pairs[at].1));
    let is_fact = |at: usize, key: &str, value: &Value| {
        Some(at) != name
            && Some(at) != text
            && !CODE_KEYS.contains(&key)
            && one_line(value).is_some_and(|l| l.len() <= 60)
    };
    let facts: Vec<String> = pairs
        .iter()
        .enumerate()
        .filter(|(at, (key, value))| is_fact(*at, key, value))
        .filter_map(|(_, (key, value))| {
            one_line(value).filter(|line| !line.is_empty()).map(|line| format!("{key}: {line}"))
        })
        .collect();
    let mut sentence = line(name).map(|name| format!("{noun} {name}")).unwrap_or_default();
    if let Some(text) = line(text) {
        sentence = if sentence.is_empty() { text } else { format!("{sentence}: {text}") };
    }
    let facts = facts.join(", ");
    if sentence.is_empty() {
        sentence = facts;
    } else if !facts.is_empty() {
        sentence = format!("{sentence} ({facts})");
    }
    writer.open_as(NodeKind::ListItem, &sentence, Some(place));
    for (at, (key, value)) in pairs.iter().enumerate() {
        match value {
            Value::Text(code) if CODE_KEYS.contains(&key.as_str()) => {
                let kind = NodeKind::Code { language: String::new() };
                if !code.trim().is_empty() {
                    writer.leaf(kind, code.trim_end(), Some(place));
                }
            }
            _ if Some(at) == name || Some(at) == text || is_fact(at, key, value) => {}
            other => field(writer, key, other, place),
        }
    }
    writer.close();
}

/// What one thing of a list is called: `parameters` gives `parameter`.
fn singular(key: &str) -> String {
    if let Some(stem) = key.strip_suffix("ies") {
        return format!("{stem}y");
    }
    key.strip_suffix('s').filter(|stem| !stem.ends_with('s')).unwrap_or(key).to_owned()
}
