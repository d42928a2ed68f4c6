//! Goes through the elements of an invoice by the tables of its syntax, so that nothing with a text is lost: what no
//! table knows is kept under its path.

use super::{
    PackedFile,
    rules::{ATTRIBUTES, Column, Group, Syntax, What},
};
use crate::{
    parse::xml::{ElementId, Tree},
    text::collapse_whitespace,
};
use std::ops::Range;

/// A field with its value.
#[derive(Debug)]
pub(super) struct Entry {
    /// Where it is shown.
    pub(super) group: Group,
    /// Its name.
    pub(super) term: String,
    /// Its place in the tables, by which the parts that need an order have it.
    pub(super) rank: usize,
    /// Its value.
    pub(super) value: Value,
    /// Where it stands in the source.
    pub(super) place: Range<usize>,
}

/// A value as given, with what is known of it.
#[derive(Debug)]
pub(super) struct Value {
    /// As given, but dates with hyphens and codes with their meaning.
    pub(super) text: String,
    /// What it is.
    pub(super) what: What,
    /// The currency named beside it.
    pub(super) currency: Option<String>,
}

/// A row: values by their column's index.
#[derive(Debug)]
pub(super) struct Row {
    /// In the order of the source.
    pub(super) cells: Vec<(usize, Value)>,
    /// Where it stands in the source.
    pub(super) place: Range<usize>,
}

/// All that an invoice says.
#[derive(Debug, Default)]
pub(super) struct Collected {
    /// In the order of the source.
    pub(super) entries: Vec<Entry>,
    /// The rows of each of the syntax' tables.
    pub(super) tables: Vec<Vec<Row>>,
    /// Free text and where it stands.
    pub(super) notes: Vec<(String, Range<usize>)>,
    /// Packed documents.
    pub(super) files: Vec<PackedFile>,
}

impl Collected {
    /// Of an invoice in this syntax.
    pub(super) fn of(tree: &Tree<'_>, syntax: &'static Syntax) -> Self {
        let tables = syntax.tables.iter().map(|_| Vec::new()).collect();
        let mut walk = Walk { tree, syntax, out: Self { tables, ..Self::default() } };
        if let Some(root) = tree.root() {
            let path = Path::default();
            tree.children(root).for_each(|child| walk.element(child, &path, Scope::Invoice));
        }
        walk.out
    }

    /// The first value of a term.
    pub(super) fn value(&self, term: &str) -> Option<&str> {
        self.entries.iter().find(|entry| entry.term == term).map(|entry| entry.value.text.as_str())
    }
}

/// From below the outermost element, or below a party or row.
#[derive(Clone, Debug, Default)]
struct Path {
    plain: String,
    qualified: String,
}

impl Path {
    fn below(&self, name: &str, qualifier: Option<&str>) -> Self {
        let mut path = self.clone();
        for (part, qualifier) in [(&mut path.plain, None), (&mut path.qualified, qualifier)] {
            if !part.is_empty() {
                part.push('/');
            }
            part.push_str(name);
            if let Some(value) = qualifier {
                part.push('[');
                part.push_str(value);
                part.push(']');
            }
        }
        path
    }

    /// For a field that no table knows: its end, where it is long.
    fn shown(&self) -> &str {
        const MAX_BYTES: usize = 300;
        let start = self.plain.ceil_char_boundary(self.plain.len().saturating_sub(MAX_BYTES));
        let end = &self.plain[start..];
        if start == 0 { end } else { end.split_once('/').map_or(end, |(_, whole)| whole) }
    }

    /// The row of a table for this path, the more exact one first.
    fn find<'t, T>(&self, table: &'t [T], key: impl Fn(&T) -> &'static str) -> Option<(usize, &'t T)> {
        let of = |path: &str| table.iter().enumerate().find(|(_, row)| key(row) == path);
        of(&self.qualified).or_else(|| of(&self.plain))
    }
}

/// Whose facts are being collected.
#[derive(Clone, Copy)]
enum Scope {
    Invoice,
    Party { group: Group, role: &'static str },
    Row { table: usize },
}

/// Where a value belongs.
enum Target {
    Nothing,
    Field { group: Group, term: String, rank: usize, what: What },
    Cell { table: usize, column: usize, what: What },
}

struct Walk<'t, 's> {
    tree: &'t Tree<'s>,
    syntax: &'static Syntax,
    out: Collected,
}

impl Walk<'_, '_> {
    /// `path` is that of the element around it, within the scope.
    fn element(&mut self, id: ElementId, path: &Path, scope: Scope) {
        let element = self.tree.get(id);
        let name = (self.syntax.canonical)(element.name);
        if name == self.syntax.binary {
            self.file(id);
            return;
        }
        let path = if self.syntax.transparent.contains(&name) {
            path.clone()
        } else {
            path.below(name, self.qualifier(id, name).as_deref())
        };
        if let Scope::Invoice = scope {
            if let Some(table) = self.syntax.tables.iter().position(|rule| rule.rows.contains(&path.plain.as_str())) {
                let place = element.place.clone();
                if let Some(rows) = self.out.tables.get_mut(table) {
                    rows.push(Row { cells: Vec::new(), place });
                }
                let path = Path::default();
                self.tree.children(id).for_each(|child| self.element(child, &path, Scope::Row { table }));
                return;
            }
            let party = self.syntax.parties.iter().find(|(of, ..)| *of == path.plain);
            // A party's own path stays in front: some of its fields are known by the whole.
            if let Some((_, group, role)) = party {
                let scope = Scope::Party { group: *group, role };
                self.tree.children(id).for_each(|child| self.element(child, &path, scope));
                return;
            }
        }
        if let (Scope::Row { table }, true) = (scope, self.syntax.pairs.contains(&name)) {
            self.pair(id, table);
            return;
        }
        if !element.text.is_empty() {
            self.leaf(id, &path, scope);
        }
        for attribute in ["unitCode", "name"] {
            let path = Path {
                plain: format!("{}@{attribute}", path.plain),
                qualified: format!("{}@{attribute}", path.qualified),
            };
            if let Some(value) = element.attribute(attribute)
                && self.is_known(&path, scope)
            {
                self.value(id, &value, &path, scope);
            }
        }
        self.tree.children(id).for_each(|child| self.element(child, &path, scope));
    }

    /// What tells this element from others of its name.
    fn qualifier(&self, id: ElementId, name: &str) -> Option<String> {
        let (_, path) = self.syntax.qualifiers.iter().find(|(of, _)| *of == name)?;
        let mut at = id;
        for part in path.split('/') {
            match part.strip_prefix('@') {
                Some(attribute) => return self.tree.get(at).attribute(attribute),
                None => at = self.tree.child(at, part)?,
            }
        }
        Some(self.tree.get(at).text.clone())
    }

    fn is_known(&self, path: &Path, scope: Scope) -> bool {
        match scope {
            Scope::Row { table } => self.columns(table).iter().any(|(of, ..)| *of == path.plain),
            _ => self.syntax.fields.iter().any(|(of, ..)| *of == path.plain),
        }
    }

    fn columns(&self, table: usize) -> &'static [Column] {
        self.syntax.tables.get(table).map_or(&[], |rule| rule.columns)
    }

    fn leaf(&mut self, id: ElementId, path: &Path, scope: Scope) {
        let element = self.tree.get(id);
        let place = element.place.clone();
        if matches!(scope, Scope::Invoice) && self.syntax.notes.contains(&path.plain.as_str()) {
            let lines = element.text.lines().map(collapse_whitespace).filter(|line| !line.is_empty());
            self.out.notes.push((lines.collect::<Vec<_>>().join("\n"), place));
            return;
        }
        let text = match element.attribute("format") {
            Some(format) => date(&element.text, &format),
            None => collapse_whitespace(&element.text),
        };
        self.value(id, &text, path, scope);
    }

    /// Puts a value where the tables say.
    fn value(&mut self, id: ElementId, text: &str, path: &Path, scope: Scope) {
        let element = self.tree.get(id);
        let place = element.place.clone();
        let currency = element.attribute("currencyID").filter(|currency| !currency.is_empty());
        let value = |what| Value { text: shown(text, what), what, currency };
        match self.target(text, path, scope) {
            Target::Nothing => {}
            Target::Field { group, term, rank, what } => {
                self.out.entries.push(Entry { group, term, rank, value: value(what), place });
            }
            Target::Cell { table, column, what } => {
                if let Some(row) = self.out.tables.get_mut(table).and_then(|rows| rows.last_mut()) {
                    row.cells.push((column, value(what)));
                }
            }
        }
    }

    /// Where a value belongs; what no table knows is named by its path.
    fn target(&self, text: &str, path: &Path, scope: Scope) -> Target {
        let named = |term: String| Target::Field { group: Group::Further, term, rank: usize::MAX, what: What::Text };
        let further = || named(path.shown().to_owned());
        if let Scope::Row { table } = scope {
            return match path.find(self.columns(table), |column| column.0) {
                Some((_, (_, "", what))) if says_nothing(text, *what) => Target::Nothing,
                Some((column, (_, header, what))) if !header.is_empty() => Target::Cell { table, column, what: *what },
                _ => {
                    let around = self.syntax.tables.get(table).map_or("", |rule| rule.group.heading());
                    let number = self.out.tables.get(table).map_or(0, Vec::len);
                    named(format!("{around}, row {number}: {}", path.shown()))
                }
            };
        }
        if let Some((rank, (_, group, term, what))) = path.find(self.syntax.fields, |field| field.0) {
            return match *term {
                "" if says_nothing(text, *what) => Target::Nothing,
                "" => further(),
                term => Target::Field { group: *group, term: term.to_owned(), rank, what: *what },
            };
        }
        let Scope::Party { group, role } = scope else { return further() };
        let within = |part: &str| self.within_party(part).to_owned();
        let below = Path { plain: within(&path.plain), qualified: within(&path.qualified) };
        match below.find(self.syntax.party, |column| column.0) {
            Some((_, (_, "", what))) if says_nothing(text, *what) => Target::Nothing,
            Some((rank, (_, term, what))) if !term.is_empty() => {
                Target::Field { group, term: format!("{role} {term}"), rank, what: *what }
            }
            _ => further(),
        }
    }

    /// What of a path stands below the party it leads into.
    fn within_party<'p>(&self, path: &'p str) -> &'p str {
        let below = self.syntax.parties.iter().filter_map(|(of, ..)| path.strip_prefix(of)?.strip_prefix('/'));
        below.min_by_key(|rest| rest.len()).unwrap_or(path)
    }

    /// A name and a value: `Colour: red`.
    fn pair(&mut self, id: ElementId, table: usize) {
        let texts = self.tree.children(id).map(|child| collapse_whitespace(&self.tree.get(child).text));
        let text = texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(": ");
        let column = self.columns(table).iter().position(|(_, header, _)| *header == ATTRIBUTES);
        let row = self.out.tables.get_mut(table).and_then(|rows| rows.last_mut());
        if let (Some(column), Some(row), false) = (column, row, text.is_empty()) {
            row.cells.push((column, Value { text, what: What::Text, currency: None }));
        }
    }

    fn file(&mut self, id: ElementId) {
        let element = self.tree.get(id);
        let name = element.attribute("filename").filter(|name| !name.is_empty());
        self.out.files.push(PackedFile {
            name: name.unwrap_or_else(|| format!("Document {}", self.out.files.len() + 1)),
            description: String::new(),
            base64: element.text.clone(),
        });
    }
}

fn says_nothing(text: &str, what: What) -> bool {
    match what {
        What::Unless(usual) => text == usual,
        // What it says stands in the name of the column beside it.
        _ => true,
    }
}

/// A value with what its code means.
fn shown(text: &str, what: What) -> String {
    match what {
        What::Code(meaning) => match meaning(text) {
            Some(meaning) => format!("{text} ({meaning})"),
            None => text.to_owned(),
        },
        _ => text.to_owned(),
    }
}

/// A date by its format (UNTDID 2379): 102 is `20261130`, 610 is `202611`. As given where it is not of that form.
fn date(text: &str, format: &str) -> String {
    let text = text.trim();
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    match (format, text.len()) {
        ("102", 8) if digits => format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..]),
        ("610", 6) if digits => format!("{}-{}", &text[..4], &text[4..]),
        _ => collapse_whitespace(text),
    }
}
