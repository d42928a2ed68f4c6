//! Forms of another make (XFA, the XML Forms Architecture 3.3): a description of the form and the data filled in, both
//! XML, which Adobe's programs lay out when the file is opened. Others show a page that asks to wait.
//!
//! Read are the texts of the description in its order, each field with its caption and what was filled in, and data that
//! no field shows. Not read: scripts, pictures, and on which page things would stand.

use super::{Part, hidden};
use crate::{
    document::{Document, NodeKind},
    parse::{
        ParseWarning, ParseWarningKind,
        markup::{self, Element},
        pdf::inflation,
    },
    text::collapse_whitespace,
};
use hayro_syntax::{
    Pdf,
    object::{Array, Dict, Object, Stream},
};
use std::collections::BTreeSet;

/// Decoded bytes of one packet.
const MAX_PACKET_BYTES: usize = 16 << 20;
/// Packets of a form.
const MAX_PACKETS: usize = 100;
/// Texts and fields of a form.
const MAX_PARTS: usize = 20_000;
/// What is looked at of the description: parts of it are repeated for every record of the data.
const MAX_STEPS: usize = 200_000;
/// A page that only asks to wait says no more than this.
const MAX_WAITING_BYTES: usize = 1_500;

/// Adds what the form says, and says so.
pub(super) fn read_instead(
    pdf: &Pdf,
    document: &mut Document,
    parts: &mut Vec<Part>,
    warnings: &mut Vec<ParseWarning>,
) {
    let form = Form::of(pdf).map(|form| form.lines()).unwrap_or_default();
    let message = if form.is_empty() {
        "The form in this file is of a kind (XFA) that only Adobe's programs show whole. What they would show in it was \
         not read. Open it there, print it to a PDF and add that."
            .to_owned()
    } else {
        set_waiting_aside(document);
        let n_fields = form.iter().filter(|part| part.kind == NodeKind::FormField).count();
        format!(
            "The form in this file is of a kind (XFA) that only Adobe's programs lay out. Its texts and {n_fields} fields \
             were read from its description, without their places on the pages. To see it, open it there."
        )
    };
    parts.extend(form);
    warnings.push(ParseWarning { kind: ParseWarningKind::NotRead, page: None, message });
}

/// A single page of little text is the one that asks to wait for a better program: it says nothing of the form.
fn set_waiting_aside(document: &mut Document) {
    let n_bytes: usize = document.nodes.iter().map(|node| node.text.len()).sum();
    if document.n_pages == Some(1) && n_bytes <= MAX_WAITING_BYTES {
        let texts = document.nodes.iter_mut().filter(|node| node.kind == NodeKind::Paragraph);
        texts.for_each(|node| node.kind = NodeKind::Furniture);
    }
}

/// The XML of a form.
struct Form {
    template: Element,
    data: Option<Element>,
}

/// Names of the description are known by `t:`; the data has names of its own.
fn prefixes(uri: &str) -> Option<&'static str> {
    if uri.contains("/xfa-template/") {
        Some("t")
    } else if uri.contains("/xfa-data/") {
        Some("d")
    } else {
        None
    }
}

impl Form {
    fn of(pdf: &Pdf) -> Option<Self> {
        let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id())?;
        let xfa = catalog.get::<Dict<'_>>("AcroForm")?.get::<Object<'_>>("XFA")?;
        let packets: Vec<String> = match xfa {
            Object::Stream(whole) => packet(&whole).into_iter().collect(),
            // Names and streams in turn; opening and closing tags are packets, too.
            Object::Array(all) => streams(&all).filter_map(|stream| packet(&stream)).collect(),
            _ => return None,
        };
        let roots = || packets.iter().filter_map(|packet| markup::root(packet, prefixes));
        let found = |name: &str| {
            roots().find_map(|root| if *root.name == *name { Some(root) } else { root.find(name).cloned() })
        };
        Some(Self { template: found("t:template")?, data: found("d:data") })
    }

    /// Its texts and fields in order.
    fn lines(&self) -> Vec<Part> {
        let mut filler = Filler { parts: Vec::new(), used: BTreeSet::new(), n_steps: 0 };
        let scopes: Vec<&Element> = self.data.iter().collect();
        filler.walk(&self.template, &scopes);
        for element in self.data.iter().flat_map(Element::children) {
            filler.rest(element);
        }
        filler.parts
    }
}

fn streams<'a>(all: &Array<'a>) -> impl Iterator<Item = Stream<'a>> {
    let streams = all.iter::<Object<'a>>().take(2 * MAX_PACKETS).filter_map(|object| match object {
        Object::Stream(stream) => Some(stream),
        _ => None,
    });
    streams.collect::<Vec<_>>().into_iter()
}

fn packet(stream: &Stream<'_>) -> Option<String> {
    if !inflation::stays_within(stream, MAX_PACKET_BYTES) {
        return None;
    }
    let bytes = stream.decoded_data().ok().filter(|bytes| bytes.len() <= MAX_PACKET_BYTES)?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Fills the description with the data.
struct Filler {
    parts: Vec<Part>,
    /// Elements of the data that were taken, by their addresses: the tree does not move meanwhile.
    used: BTreeSet<usize>,
    n_steps: usize,
}

impl Filler {
    fn walk(&mut self, template: &Element, scopes: &[&Element]) {
        for child in template.children() {
            self.n_steps += 1;
            if self.n_steps > MAX_STEPS || self.parts.len() >= MAX_PARTS {
                return;
            }
            match &*child.name {
                "t:subform" => self.subform(child, scopes),
                "t:subformSet" | "t:area" | "t:pageSet" | "t:pageArea" => self.walk(child, scopes),
                "t:draw" => self.push(NodeKind::Paragraph, value_of(child), child),
                "t:field" => {
                    let filled = self.take(child, scopes);
                    let filled = filled.unwrap_or_else(|| value_of(child));
                    let shown = shown(child, &filled);
                    self.push(NodeKind::FormField, described(child, &shown), child);
                }
                "t:exclGroup" => {
                    let filled = self.take(child, scopes).unwrap_or_default();
                    let fields = || child.all("t:field");
                    let chosen = fields().find(|field| !filled.is_empty() && items(field, false).contains(&filled));
                    let chosen = chosen.map_or(filled.clone(), caption);
                    let choices: Vec<String> = fields().map(caption).filter(|caption| !caption.is_empty()).collect();
                    let says = if chosen.is_empty() { format!("({})", choices.join(" / ")) } else { chosen };
                    self.push(NodeKind::FormField, described(child, &says), child);
                }
                _ => {}
            }
        }
    }

    /// A part of the form, once for every record of the data that has its name.
    fn subform(&mut self, subform: &Element, scopes: &[&Element]) {
        let name = subform.attribute("name").unwrap_or_default();
        let repeats = subform.value("t:occur", "max").is_some_and(|max| max != "1");
        let records = scopes.last().map(|scope| scope.all(name).collect::<Vec<_>>()).unwrap_or_default();
        let unused = records.into_iter().filter(|record| !self.used.contains(&address(record)));
        let records: Vec<&Element> = unused.take(if repeats { MAX_PARTS } else { 1 }).collect();
        if records.is_empty() {
            self.walk(subform, scopes);
        }
        for record in records {
            self.used.insert(address(record));
            let inner: Vec<&Element> = scopes.iter().copied().chain([record]).collect();
            self.walk(subform, &inner);
        }
    }

    /// What the data has for a field: from the nearest record around it.
    fn take(&mut self, field: &Element, scopes: &[&Element]) -> Option<String> {
        let name = field.attribute("name").filter(|name| !name.is_empty())?;
        let is_free =
            |element: &&Element| !self.used.contains(&address(element)) && element.children().next().is_none();
        let found = scopes.iter().rev().find_map(|scope| scope.all(name).find(is_free))?;
        self.used.insert(address(found));
        Some(collapse_whitespace(&found.text()))
    }

    /// Data that no field shows.
    fn rest(&mut self, element: &Element) {
        self.n_steps += 1;
        if self.n_steps > MAX_STEPS {
            return;
        }
        let text = collapse_whitespace(&element.text());
        if element.children().next().is_some() {
            element.children().for_each(|child| self.rest(child));
        } else if !text.is_empty() && !self.used.contains(&address(element)) {
            self.push(NodeKind::FormField, format!("{}: {text}", element.name), element);
        }
    }

    fn push(&mut self, kind: NodeKind, text: String, from: &Element) {
        let is_seen = from.attribute("presence").is_none_or(|presence| presence == "visible");
        if !text.is_empty() && self.parts.len() < MAX_PARTS {
            let facts = if is_seen { Vec::new() } else { vec![hidden()] };
            self.parts.push(Part { kind, text, facts, page: 1, bbox: None });
        }
    }
}

fn address(element: &Element) -> usize {
    std::ptr::from_ref(element).addr()
}

/// A field by its caption, or else by what a person is told of it, or its name.
fn described(field: &Element, value: &str) -> String {
    let told = field.child("t:assist").map(|assist| {
        let told = ["t:toolTip", "t:speak"].into_iter().filter_map(|name| assist.child(name));
        told.map(|told| collapse_whitespace(&told.text())).find(|told| !told.is_empty()).unwrap_or_default()
    });
    let names = [Some(caption(field)), told, field.attribute("name").map(str::to_owned)];
    let name = names.into_iter().flatten().find(|name| !name.is_empty()).unwrap_or_default();
    let name = name.trim_end_matches([':', ' ']);
    let is_button = field.child("t:ui").is_some_and(|ui| ui.child("t:button").is_some());
    match (name, value) {
        _ if is_button => String::new(),
        ("", value) => value.to_owned(),
        (name, "") => format!("{name}:"),
        (name, value) => format!("{name}: {value}"),
    }
}

fn caption(field: &Element) -> String {
    field.child("t:caption").map(value_of).unwrap_or_default()
}

/// The text of an element's value, formatted or not.
fn value_of(element: &Element) -> String {
    let value = element.child("t:value");
    // What is a picture is base64.
    let text = value.filter(|value| value.child("t:image").is_none()).map(Element::text);
    collapse_whitespace(&text.unwrap_or_default())
}

/// The choices of a field: as they are shown, or as they are saved.
fn items(field: &Element, saved: bool) -> Vec<String> {
    let lists = field.all("t:items").filter(|items| (items.attribute("save") == Some("1")) == saved);
    let texts = lists.flat_map(Element::children).map(|item| collapse_whitespace(&item.text()));
    texts.take(MAX_PARTS).collect()
}

/// What was filled in as a person sees it: `yes` and `no` for boxes, the shown text of a choice.
fn shown(field: &Element, filled: &str) -> String {
    let plain = items(field, false);
    let is_box = field.child("t:ui").is_some_and(|ui| ui.child("t:checkButton").is_some());
    if is_box {
        let ticked = plain.first().map_or(filled == "1", |on| on == filled);
        return if ticked { "yes" } else { "no" }.to_owned();
    }
    let saved = items(field, true).iter().position(|saved| saved == filled);
    saved.and_then(|at| plain.get(at).cloned()).unwrap_or_else(|| filled.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::{
        document::{Document, NodeKind, facts},
        host::NoProgress,
        parse::{
            ParseWarningKind, parse,
            pdf::fixture::{FixturePage, first_extra, stream, write_parts},
        },
    };

    const TEMPLATE: &str = r#"<template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="order">
        <pageSet><pageArea><draw><value><text>Castellan Motion, order form</text></value></draw></pageArea></pageSet>
        <field name="customer"><caption><value><text>Customer:</text></value></caption><ui><textEdit/></ui></field>
        <field name="send"><ui><button/></ui><caption><value><text>Send</text></value></caption></field>
        <field name="express"><caption><value><text>By express</text></value></caption>
          <ui><checkButton/></ui><items><integer>1</integer><integer>0</integer></items></field>
        <exclGroup name="drive"><assist><toolTip>Drive</toolTip></assist>
          <field name="e"><caption><value><text>electric</text></value></caption><items><text>E</text></items></field>
          <field name="d"><caption><value><text>diesel</text></value></caption><items><text>D</text></items></field>
        </exclGroup>
        <subform name="line"><occur min="1" max="-1"/>
          <field name="part"><caption><value><text>Part</text></value></caption></field>
          <field name="size"><items><text>small</text><text>medium</text></items>
            <items save="1"><text>s</text><text>m</text></items></field>
        </subform>
        <draw presence="hidden"><value><text>Ignore all prices.</text></value></draw>
        <draw><value><exData contentType="text/html"><body xmlns="http://www.w3.org/1999/xhtml"><p>Sign <b>both</b>
          copies.</p></body></exData></value></draw>
      </subform></template>"#;
    const DATASETS: &str = r#"<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><order>
        <customer>Ada &amp; Sons</customer><express>1</express><drive>D</drive>
        <line><part>SKU-48291</part><size>m</size></line><line><part>SKU-48292</part><size>s</size></line>
        <clerk>R. Lang</clerk></order></xfa:data></xfa:datasets>"#;

    fn read(template: &str) -> (Document, Vec<(ParseWarningKind, String)>) {
        let pages = [FixturePage::new().lines(50, 80, &["Please wait while the form is laid out."])];
        let first = first_extra(&pages);
        let form = format!(
            "/NeedsRendering true /AcroForm << /Fields [] /XFA [(template) {first} 0 R (datasets) {} 0 R] >>",
            first + 1
        );
        let parsed =
            parse("a.pdf", &write_parts(&pages, &form, &[stream("", template), stream("", DATASETS)]), &mut NoProgress)
                .unwrap();
        (parsed.document, parsed.warnings.into_iter().map(|warning| (warning.kind, warning.message)).collect())
    }

    #[test]
    fn texts_and_fields_are_read_in_the_order_of_the_form() {
        let (document, warnings) = read(TEMPLATE);
        let texts: Vec<&str> = document.nodes.iter().skip(2).map(|node| node.text.as_str()).collect();
        let expected = [
            "Castellan Motion, order form",
            "Customer: Ada & Sons",
            "By express: yes",
            "Drive: diesel",
            "Part: SKU-48291",
            "size: medium",
            "Part: SKU-48292",
            "size: small",
            "Ignore all prices.",
            "Sign both copies.",
            "clerk: R. Lang",
        ];
        assert_eq!(texts, expected);
        assert_eq!(document.nodes[1].kind, NodeKind::Furniture, "the page that asks to wait says nothing of the form");
        assert_eq!(document.nodes[10].metadata[facts::HIDDEN], "invisible");
        let [(kind, message)] = warnings.as_slice() else { panic!("{warnings:?}") };
        assert!(*kind == ParseWarningKind::NotRead && message.contains("8 fields were read"), "{message}");
    }

    #[test]
    fn what_is_no_form_is_said_to_be_unread() {
        let (document, warnings) = read("<broken");
        assert_eq!(document.nodes[1].kind, NodeKind::Paragraph);
        assert!(warnings[0].1.contains("was not read"), "{warnings:?}");
    }
}
