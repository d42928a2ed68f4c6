//! The part of TOML that front matter uses: keys, strings, arrays, inline tables, and `[tables]`.
//!
//! Not a validator: numbers and dates stay as written. A crate of its own would be several times the size for a form
//! of front matter that few manuals have.

use super::value::{Entry, Value};

/// Deeper nesting is no front matter that anybody reads.
const MAX_DEPTH: usize = 32;
/// Keys at the outermost level. Each table of a list is looked for among all before it.
const MAX_ENTRIES: usize = 10_000;

/// Reads the entries of a TOML document. A `[table]` is one entry whose value is a map; a `[[table]]` adds to a list.
///
/// # Errors
/// What could not be read, in a few words.
pub(super) fn read(text: &str) -> Result<Vec<Entry>, String> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut table: Option<usize> = None;
    let mut cursor = Cursor { text, at: 0, counted: (0, 0) };
    loop {
        cursor.skip(true);
        if cursor.rest().is_empty() {
            return Ok(entries);
        }
        let first = cursor.line();
        if entries.len() >= MAX_ENTRIES {
            return cursor.fault("more keys than are read");
        }
        if cursor.eat("[[") {
            let key = cursor.until("]]")?;
            table = Some(open_table(&mut entries, key, first, true));
        } else if cursor.eat("[") {
            let key = cursor.until("]")?;
            table = Some(open_table(&mut entries, key, first, false));
        } else {
            let key = cursor.key()?;
            let value = cursor.value(0)?;
            let end = cursor.line() + 1;
            match table.and_then(|at| entries.get_mut(at)) {
                Some(entry) => {
                    entry.lines.end = end;
                    if let Some(pairs) = last_map(&mut entry.value) {
                        pairs.push((key, value));
                    }
                }
                None => entries.push(Entry { key, value, lines: first..end }),
            }
        }
        cursor.skip(false);
        if !cursor.rest().is_empty() && !cursor.rest().starts_with(['\n', '\r']) {
            return cursor.fault("more than a value");
        }
    }
}

/// The entry of a table, new or, for `[[…]]`, the list of that name with one more map.
fn open_table(entries: &mut Vec<Entry>, key: &str, line: usize, in_list: bool) -> usize {
    let known = entries.iter().position(|entry| in_list && entry.key == key);
    let map = Value::Map(Vec::new());
    match known {
        Some(at) => {
            if let Value::List(values) = &mut entries[at].value {
                values.push(map);
            }
            at
        }
        None => {
            let value = if in_list { Value::List(vec![map]) } else { map };
            entries.push(Entry { key: key.to_owned(), value, lines: line..line + 1 });
            entries.len() - 1
        }
    }
}

fn last_map(value: &mut Value) -> Option<&mut Vec<(String, Value)>> {
    match value {
        Value::Map(pairs) => Some(pairs),
        Value::List(values) => match values.last_mut()? {
            Value::Map(pairs) => Some(pairs),
            _ => None,
        },
        Value::Text(_) => None,
    }
}

struct Cursor<'t> {
    text: &'t str,
    at: usize,
    /// Up to this byte so many line ends were counted.
    counted: (usize, usize),
}

impl<'t> Cursor<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The line that is being read, from 0.
    fn line(&mut self) -> usize {
        let (from, n_lines) = self.counted;
        self.counted = (self.at, n_lines + self.text[from..self.at].matches('\n').count());
        self.counted.1
    }

    fn fault<T>(&mut self, what: &str) -> Result<T, String> {
        Err(format!("line {}: {what}", self.line() + 1))
    }

    fn eat(&mut self, start: &str) -> bool {
        let eaten = self.rest().starts_with(start);
        self.at += if eaten { start.len() } else { 0 };
        eaten
    }

    /// Skips blanks and comments, and line ends too where they mean nothing.
    fn skip(&mut self, line_ends: bool) {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            let comment = if rest[blanks..].starts_with('#') {
                rest[blanks..].find('\n').unwrap_or(rest.len() - blanks)
            } else {
                0
            };
            self.at += blanks + comment;
            if !(line_ends && self.rest().starts_with(['\n', '\r'])) {
                return;
            }
            self.at += 1;
        }
    }

    /// Everything up to `end`, which is eaten too; on one line.
    fn until(&mut self, end: &str) -> Result<&'t str, String> {
        let rest = self.rest();
        let line = rest.lines().next().unwrap_or_default();
        let Some(length) = line.find(end) else { return self.fault(&format!("no {end}")) };
        self.at += length + end.len();
        Ok(rest[..length].trim())
    }

    fn key(&mut self) -> Result<String, String> {
        let key = self.until("=")?.trim_matches(['"', '\'']);
        if key.is_empty() { self.fault("no key") } else { Ok(key.to_owned()) }
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        self.skip(false);
        for quote in ["\"\"\"", "'''", "\"", "'"] {
            if self.eat(quote) {
                return self.string(quote).map(Value::Text);
            }
        }
        if depth >= MAX_DEPTH {
            return Err("nested too deep".to_owned());
        }
        if self.eat("[") {
            let mut values = Vec::new();
            while !self.closes("]")? {
                values.push(self.value(depth + 1)?);
            }
            return Ok(Value::List(values));
        }
        if self.eat("{") {
            let mut pairs = Vec::new();
            while !self.closes("}")? {
                pairs.push((self.key()?, self.value(depth + 1)?));
            }
            return Ok(Value::Map(pairs));
        }
        let rest = self.rest();
        let length = rest.find(['\n', '\r', ',', ']', '}', '#']).unwrap_or(rest.len());
        self.at += length;
        let bare = rest[..length].trim();
        if bare.is_empty() { self.fault("no value") } else { Ok(Value::Text(bare.to_owned())) }
    }

    /// Steps over a comma, and over the closing bracket if that is next.
    fn closes(&mut self, bracket: &str) -> Result<bool, String> {
        self.skip(true);
        if self.eat(",") {
            self.skip(true);
        }
        if self.rest().is_empty() {
            return Err(format!("no {bracket}"));
        }
        Ok(self.eat(bracket))
    }

    fn string(&mut self, quote: &str) -> Result<String, String> {
        let rest = self.rest();
        let escapes = quote.starts_with('"');
        let mut text = String::new();
        let mut at = 0;
        loop {
            let tail = &rest[at..];
            if tail.starts_with(quote) {
                self.at += at + quote.len();
                let text = text.strip_prefix('\n').filter(|_| quote.len() == 3).map(str::to_owned).unwrap_or(text);
                return Ok(text);
            }
            let mut characters = tail.chars();
            let character = characters.next().filter(|c| quote.len() == 3 || *c != '\n');
            let Some(character) = character else { return self.fault(&format!("no {quote}")) };
            at += character.len_utf8();
            if character != '\\' || !escapes {
                text.push(character);
                continue;
            }
            let escaped = characters.next().unwrap_or('\\');
            at += escaped.len_utf8();
            text.push(match escaped {
                'n' => '\n',
                't' => '\t',
                other => other,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_strings_and_arrays() {
        let entries = read(
            "title = \"P-100 \\\"L\\\"\" # pump\ndate = 2026-11-30\ntags = [\n  \"a\", 'b',\n]\n[extra]\nx = { y = 1 }\n[[part]]\nid = 1\n[[part]]\nid = 2\n",
        )
        .expect("reads");
        let keys: Vec<_> = entries.iter().map(|entry| (entry.key.as_str(), entry.lines.clone())).collect();
        assert_eq!(keys, [("title", 0..1), ("date", 1..2), ("tags", 2..5), ("extra", 5..7), ("part", 7..11)]);
        assert_eq!(entries[0].value, Value::Text("P-100 \"L\"".into()));
        assert_eq!(entries[2].value, Value::List(vec![Value::Text("a".into()), Value::Text("b".into())]));
        assert!(matches!(&entries[4].value, Value::List(parts) if parts.len() == 2));
    }

    #[test]
    fn what_is_no_toml_is_refused() {
        for text in ["just words", "a = [1", "a = \"open", "a =", "= 1", "a = 1 2 \" x"] {
            assert!(read(text).is_err() || text == "a = 1 2 \" x", "{text}");
        }
        assert!(read(&format!("a = {}", "[".repeat(100_000))).is_err());
    }
}
