//! Values of front matter, as text: numbers, dates and booleans stay as written.

use saphyr_parser::{Event, Parser};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A scalar as written.
    Text(String),
    /// A sequence.
    List(Vec<Value>),
    /// Keys in the order in which they stand.
    Map(Vec<(String, Value)>),
}

/// A top-level key with its value and the lines of both, from 0, the end exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) value: Value,
    pub(super) lines: std::ops::Range<usize>,
}

/// Deeper nesting is no front matter that anybody reads.
const MAX_DEPTH: usize = 32;

impl Value {
    /// The text of a scalar.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Reads a YAML mapping. Aliases become empty text, so that nothing can grow by repetition.
///
/// # Errors
/// What the text is not, in a few words.
pub(super) fn yaml(text: &str) -> Result<Vec<Entry>, String> {
    let mut root: Option<Vec<Entry>> = None;
    let mut open: Vec<Open> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| error.to_string())?;
        let line = span.start.line().saturating_sub(1);
        let finished = match event {
            Event::Scalar(text, ..) => Value::Text(text.into_owned()),
            Event::Alias(_) => Value::Text(String::new()),
            Event::MappingStart(..) if open.is_empty() && root.is_none() => {
                root = Some(Vec::new());
                open.push(Open::Root { key: None });
                continue;
            }
            Event::MappingStart(..) if open.len() < MAX_DEPTH => {
                open.push(Open::Map { pairs: Vec::new(), key: None });
                continue;
            }
            Event::SequenceStart(..) if !open.is_empty() && open.len() < MAX_DEPTH => {
                open.push(Open::List(Vec::new()));
                continue;
            }
            Event::MappingStart(..) | Event::SequenceStart(..) => {
                return Err("not a mapping of a few levels".to_owned());
            }
            Event::MappingEnd | Event::SequenceEnd => match open.pop() {
                Some(Open::Map { pairs, .. }) => Value::Map(pairs),
                Some(Open::List(values)) => Value::List(values),
                Some(Open::Root { .. }) | None => continue,
            },
            Event::DocumentEnd | Event::StreamEnd => break,
            _ => continue,
        };
        match open.last_mut() {
            None => return Err("not a mapping".to_owned()),
            Some(Open::List(values)) => values.push(finished),
            Some(Open::Map { pairs, key }) => match key.take() {
                Some(known) => pairs.push((known, finished)),
                None => *key = Some(flat(finished)),
            },
            Some(Open::Root { key }) => {
                let entries = root.get_or_insert_default();
                match key.take() {
                    Some((known, first)) => {
                        // The end of a block is marked at the line after it, that of a scalar on its own last line.
                        let end = span.end.line().saturating_sub(usize::from(span.end.col() == 0)).max(first + 1);
                        entries.push(Entry { key: known, value: finished, lines: first..end });
                    }
                    None => *key = Some((flat(finished), line)),
                }
            }
        }
    }
    root.ok_or_else(|| "not a mapping".to_owned())
}

/// A collection that is being read.
enum Open {
    Root { key: Option<(String, usize)> },
    Map { pairs: Vec<(String, Value)>, key: Option<String> },
    List(Vec<Value>),
}

/// A key as text, whatever it is.
fn flat(value: Value) -> String {
    match value {
        Value::Text(text) => text,
        Value::List(values) => values.into_iter().map(flat).collect::<Vec<_>>().join(", "),
        Value::Map(pairs) => {
            pairs.into_iter().map(|(key, value)| format!("{key}: {}", flat(value))).collect::<Vec<_>>().join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    #[test]
    fn scalars_stay_as_written() {
        let entries = yaml("since: 1.10\non: true\ncodes: [ G28, 'G29' ]\n").expect("reads");
        assert_eq!(entries[0].value, text("1.10"));
        assert_eq!(entries[1], Entry { key: "on".into(), value: text("true"), lines: 1..2 });
        assert_eq!(entries[2].value, Value::List(vec![text("G28"), text("G29")]));
    }

    #[test]
    fn blocks_know_their_lines() {
        let entries =
            yaml("parameters:\n\n- tag: H\n  description: Hold\n\nnotes: |\n  one\n  two\nlast: x\n").expect("reads");
        assert_eq!(
            entries[0].value,
            Value::List(vec![Value::Map(vec![("tag".into(), text("H")), ("description".into(), text("Hold"))])])
        );
        assert_eq!(entries[1].value, text("one\ntwo\n"));
        assert_eq!(entries.iter().map(|entry| entry.lines.start).collect::<Vec<_>>(), [0, 5, 8]);
    }

    #[test]
    fn what_is_no_mapping_is_refused() {
        assert!(yaml("Just a sentence.").is_err());
        assert!(yaml("a: b: c").is_err());
        assert!(yaml(&format!("a: {}", "[".repeat(100_000))).is_err());
        assert!(yaml(&format!("a: {}", "- ".repeat(10_000))).is_err());
        assert_eq!(yaml("a: &x [1]\nb: *x\n").expect("reads")[1].value, text(""));
    }
}
