//! Form fields and what was filled in, with and without an appearance.

use super::{Part, annotations, date, hidden, is_hidden, pages, place, subtype, text};
use crate::{
    document::{BBox, NodeKind},
    parse::{
        ParseError,
        pdf::{inflation, strings},
    },
    text::collapse_whitespace,
};
use hayro_syntax::{
    Pdf,
    object::{Array, Dict, Name, Object},
};
use std::collections::{BTreeMap, BTreeSet};

/// Fields within fields.
const MAX_DEPTH: usize = 32;
/// Fields of one file.
const MAX_FIELDS: usize = 50_000;
/// A value that is a stream of its own may unpack to this.
const MAX_VALUE_BYTES: usize = 1 << 20;
/// What a ticked box is called where its name says nothing.
const YES: [&str; 12] = ["yes", "on", "true", "1", "x", "checked", "ja", "oui", "si", "sí", "ok", "0"];

/// Flags of fields (ISO 32000-2, tables 227 to 230).
mod flag {
    pub(super) const PASSWORD: u32 = 1 << 13;
    pub(super) const RADIO: u32 = 1 << 15;
    pub(super) const PUSH_BUTTON: u32 = 1 << 16;
}

/// All fields in the order of the pages, then those that stand on none and were filled in; and whether the file has a
/// form of another make (XFA) that shows more than these.
///
/// # Errors
/// [`ParseError::Cancelled`].
pub(super) fn read(
    pdf: &Pdf,
    tick: &mut dyn FnMut() -> Result<(), ParseError>,
) -> Result<(Vec<Part>, bool), ParseError> {
    let mut fields: Vec<Field<'_>> = Vec::new();
    let mut known: BTreeMap<(u32, i32), usize> = BTreeMap::new();
    for (number, page) in pages(pdf) {
        tick()?;
        for widget in annotations(page).filter(|annotation| subtype(annotation).as_deref() == Some("Widget")) {
            let chain = chain(widget.clone());
            let id = terminal(&chain).obj_id().map(|id| (id.obj_number, id.gen_number));
            let index = match id.and_then(|id| known.get(&id)) {
                Some(index) => *index,
                None if fields.len() >= MAX_FIELDS => continue,
                None => {
                    fields.push(Field { chain, page: Some(number), ..Field::default() });
                    known.extend(id.map(|id| (id, fields.len() - 1)));
                    fields.len() - 1
                }
            };
            if let Some(field) = fields.get_mut(index) {
                field.take_widget(&widget, place(page, &widget).filter(|_| field.page == Some(number)));
            }
        }
    }
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
    let form = catalog.as_ref().and_then(|catalog| catalog.get::<Dict<'_>>("AcroForm"));
    let n_shown = fields.len();
    if let Some(form) = &form {
        unplaced(form, &known, &mut fields);
    }
    let by_program = catalog.as_ref().and_then(|catalog| catalog.get::<bool>("NeedsRendering")).unwrap_or(false);
    let only_by_program = form.is_some_and(|form| form.contains_key("XFA") && (by_program || fields.is_empty()));
    let n_pages = u32::try_from(pdf.pages().len().min(super::super::MAX_PAGES)).unwrap_or(u32::MAX).max(1);
    let parts = fields.iter().enumerate().filter_map(|(index, field)| {
        let (name, value) = (field.name(), field.value()?);
        // An empty field that nobody sees says nothing.
        if value.is_empty() && (index >= n_shown || name.is_empty()) {
            return None;
        }
        let text = match (name.as_str(), value.as_str()) {
            ("", value) => value.to_owned(),
            (name, "") => format!("{name}:"),
            (name, value) => format!("{name}: {value}"),
        };
        let facts = if field.n_widgets > 0 && field.n_hidden == field.n_widgets { vec![hidden()] } else { Vec::new() };
        let page = field.page.unwrap_or(n_pages);
        Some(Part { kind: NodeKind::FormField, text, facts, page, bbox: field.bbox })
    });
    Ok((parts.collect(), only_by_program))
}

/// Whether a field's value is read, so that its appearance, which shows the same, must not be.
pub(super) fn is_read(widget: &Dict<'_>) -> bool {
    let field = Field { chain: chain(widget.clone()), ..Field::default() };
    match field.kind().as_deref() {
        // What a box shows is a letter of a font of ticks.
        Some("Btn") => field.flags() & flag::PUSH_BUTTON == 0,
        Some("Tx" | "Ch") => field.value().is_some_and(|value| !value.is_empty()),
        _ => false,
    }
}

/// A field with the annotations that show it.
#[derive(Default)]
struct Field<'a> {
    /// From the annotation or the field itself to the outermost field around it.
    chain: Vec<Dict<'a>>,
    page: Option<u32>,
    bbox: Option<BBox>,
    n_widgets: u32,
    n_hidden: u32,
    /// What its boxes are called when they are ticked.
    on: BTreeSet<String>,
    /// What its boxes say they are.
    is: Option<String>,
}

impl<'a> Field<'a> {
    fn take_widget(&mut self, widget: &Dict<'a>, bbox: Option<BBox>) {
        self.n_widgets += 1;
        self.n_hidden += u32::from(is_hidden(widget));
        self.bbox = match (self.bbox, bbox) {
            (Some(so_far), Some(bbox)) => Some(so_far.union(bbox)),
            (so_far, bbox) => so_far.or(bbox),
        };
        let states = widget.get::<Dict<'_>>("AP").and_then(|appearances| appearances.get::<Object<'_>>("N"));
        if let Some(Object::Dict(states)) = states {
            self.on.extend(states.keys().map(|name| strings::decode(name.as_ref())).filter(|state| state != "Off"));
        }
        let is = widget.get::<Name<'_>>("AS").map(|name| strings::decode(name.as_ref()));
        self.is = self.is.take().or(is.filter(|state| state != "Off"));
    }

    fn inherited(&self, key: &str) -> Option<Object<'a>> {
        self.chain.iter().find_map(|dict| dict.get::<Object<'a>>(key))
    }

    fn kind(&self) -> Option<String> {
        Some(self.inherited("FT")?.into_name()?.as_str().to_owned())
    }

    fn flags(&self) -> u32 {
        self.chain.iter().find_map(|dict| dict.get::<u32>("Ff")).unwrap_or(0)
    }

    /// What a person is told it is for, or the name that programs call it by.
    fn name(&self) -> String {
        let told = self.chain.iter().map(|dict| text(dict, "TU")).find(|told| !told.is_empty());
        let name = told.unwrap_or_else(|| {
            let parts = self.chain.iter().rev().map(|dict| text(dict, "T")).filter(|part| !part.is_empty());
            // `form1[0].page1[0].name[0]`: the numbers are the program's own.
            parts.map(|part| part.replace("[0]", "")).collect::<Vec<_>>().join(".")
        });
        name.trim_end_matches([':', ' ']).to_owned()
    }

    /// The name that programs call it by within the field around it.
    fn own_name(&self) -> String {
        self.chain.first().map(|_| text(terminal(&self.chain), "T")).unwrap_or_default()
    }

    /// What was filled in, empty for nothing; `None` where the field takes nothing.
    fn value(&self) -> Option<String> {
        let value = self.inherited("V");
        match self.kind().as_deref() {
            Some("Btn") if self.flags() & flag::PUSH_BUTTON != 0 => None,
            Some("Btn") => Some(self.state(value)),
            Some("Sig") => Some(signature(value)),
            Some("Ch") => Some(self.chosen(value)),
            _ if self.flags() & flag::PASSWORD != 0 => Some(String::new()),
            _ => Some(value.map(|value| plain(&value)).unwrap_or_default()),
        }
    }

    /// `yes` or `no` for a box by itself, otherwise what was chosen.
    fn state(&self, value: Option<Object<'a>>) -> String {
        let state = value.map(|value| plain(&value)).filter(|state| !state.is_empty()).or_else(|| self.is.clone());
        let state = state.filter(|state| state != "Off");
        let alone = self.flags() & flag::RADIO == 0 && self.on.len() <= 1;
        let Some(state) = state else { return if alone { "no".to_owned() } else { String::new() } };
        // Where several boxes have one name, the states are numbers and the names stand in a list.
        let options = self.options();
        if let Some((_, shown)) = state.parse::<usize>().ok().and_then(|index| options.get(index)) {
            return shown.clone();
        }
        let plain_yes = YES.contains(&state.to_lowercase().as_str()) || state == self.own_name();
        if alone && plain_yes { "yes".to_owned() } else { state }
    }

    /// What was chosen from a list, as it is shown there.
    fn chosen(&self, value: Option<Object<'a>>) -> String {
        let options = self.options();
        let shown = |exported: String| {
            let option = options.iter().find(|(of, _)| *of == exported);
            option.map_or(exported, |(_, shown)| shown.clone())
        };
        match value {
            Some(Object::Array(all)) => {
                let all = all.iter::<Object<'_>>().take(1_000).map(|one| shown(plain(&one)));
                all.filter(|one| !one.is_empty()).collect::<Vec<_>>().join(", ")
            }
            Some(one) => shown(plain(&one)),
            None => String::new(),
        }
    }

    /// What can be chosen: exported and shown.
    fn options(&self) -> Vec<(String, String)> {
        let Some(Object::Array(all)) = self.inherited("Opt") else { return Vec::new() };
        let pair = |option: Object<'a>| match option {
            Object::Array(pair) => {
                let mut texts = pair.iter::<Object<'_>>().map(|text| plain(&text));
                let exported = texts.next().unwrap_or_default();
                (exported.clone(), texts.next().unwrap_or(exported))
            }
            one => (plain(&one), plain(&one)),
        };
        all.iter::<Object<'a>>().take(10_000).map(pair).collect()
    }
}

/// A text, name or number, or a text that is a stream of its own.
fn plain(value: &Object<'_>) -> String {
    match value {
        Object::String(text) => strings::decode(text),
        Object::Name(name) => strings::decode(name.as_ref()),
        Object::Number(number) => number.as_f64().to_string(),
        Object::Stream(stream) if inflation::stays_within(stream, MAX_VALUE_BYTES) => {
            stream.decoded_data().map(|bytes| strings::decode(&bytes)).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// Who signed, when and why.
fn signature(value: Option<Object<'_>>) -> String {
    let Some(Object::Dict(value)) = value else { return String::new() };
    let mut says = "signed".to_owned();
    for (lead, key) in [(" by ", "Name"), (" in ", "Location")] {
        let part = text(&value, key);
        if !part.is_empty() {
            says.push_str(lead);
            says.push_str(&part);
        }
    }
    if let Some(when) = date(&text(&value, "M")) {
        says.push_str(" on ");
        says.push_str(&when);
    }
    let why = text(&value, "Reason");
    if !why.is_empty() {
        says.push_str(": ");
        says.push_str(&why);
    }
    collapse_whitespace(&says)
}

/// A field or its annotation and the fields around it, innermost first.
fn chain(innermost: Dict<'_>) -> Vec<Dict<'_>> {
    std::iter::successors(Some(innermost), |dict| dict.get::<Dict<'_>>("Parent")).take(MAX_DEPTH).collect()
}

/// The field that an annotation shows: itself where it has a name, else the nearest around it that has.
fn terminal<'c, 'a>(chain: &'c [Dict<'a>]) -> &'c Dict<'a> {
    chain.iter().find(|dict| dict.contains_key("T")).unwrap_or(&chain[0])
}

/// Adds the fields of the form's own tree that no page shows.
fn unplaced<'a>(form: &Dict<'a>, known: &BTreeMap<(u32, i32), usize>, fields: &mut Vec<Field<'a>>) {
    let mut seen = BTreeSet::new();
    let children = |dict: &Dict<'a>, key: &str| -> Vec<Dict<'a>> {
        let mut all: Vec<_> =
            dict.get::<Array<'a>>(key).iter().flat_map(|all| all.iter::<Dict<'a>>()).take(MAX_FIELDS).collect();
        // The next to be read is the last.
        all.reverse();
        all
    };
    let mut pending = children(form, "Fields");
    while let Some(field) = pending.pop() {
        let Some(id) = field.obj_id().map(|id| (id.obj_number, id.gen_number)) else { continue };
        if !seen.insert(id) || known.contains_key(&id) || fields.len() >= MAX_FIELDS || pending.len() >= MAX_FIELDS {
            continue;
        }
        let kids: Vec<Dict<'a>> = children(&field, "Kids");
        if kids.iter().any(|kid| kid.contains_key("T")) {
            pending.extend(kids);
        } else if field.contains_key("V") {
            fields.push(Field { chain: chain(field), ..Field::default() });
        }
    }
}
