//! The parts of a package beside the text: relationships, styles, notes, comments, headers, properties.

use super::{
    inline::{Inline, Stretch},
    names::prefixes,
    numbering::Numbering,
    reader::{Parts, Reader},
    styles::Styles,
};
use crate::{
    document::{DocumentBuilder, DocumentId},
    parse::{
        flow::lines,
        markup::{self, Element},
        package::Package,
        writer::Writer,
    },
    text::collapse_whitespace,
};
use std::collections::BTreeMap;

/// A relationship of the text part.
struct Relationship {
    id: String,
    /// The last part of its type: `styles`, `hyperlink`.
    kind: String,
    /// The part it leads to, or an address.
    target: String,
    external: bool,
}

/// The part with the text, by the package's own relationships.
pub(super) fn main_part(package: &mut Package<'_>) -> String {
    let relationships = relationships(package, "_rels/.rels", "");
    let main = relationships.into_iter().find(|relationship| relationship.kind == "officeDocument");
    main.map(|main| main.target).filter(|main| package.has(main)).unwrap_or_else(|| "word/document.xml".to_owned())
}

fn relationships(package: &mut Package<'_>, part: &str, folder: &str) -> Vec<Relationship> {
    let root = package.optional_text(part).and_then(|xml| markup::root(&xml, prefixes));
    let read = |element: &Element| {
        let external = element.attribute("TargetMode") == Some("External");
        let target = element.attribute("Target")?;
        Some(Relationship {
            id: element.attribute("Id")?.to_owned(),
            kind: element.attribute("Type")?.rsplit('/').next()?.to_owned(),
            target: if external { target.to_owned() } else { resolved(folder, target) },
            external,
        })
    };
    root.iter().flat_map(|root| root.all("rel:Relationship")).filter_map(read).collect()
}

/// A target against the folder of the part that names it: `word` and `../docProps/x.xml` give `docProps/x.xml`.
fn resolved(folder: &str, target: &str) -> String {
    if let Some(absolute) = target.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut path: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            ".." => drop(path.pop()),
            "." | "" => {}
            part => path.push(part),
        }
    }
    path.join("/")
}

/// Reads everything that the text refers to, and the running heads and feet, each once.
pub(super) fn read(package: &mut Package<'_>, main: &str, text: &str) -> (Parts, Numbering, Vec<String>) {
    let (folder, file) = main.rsplit_once('/').unwrap_or(("", main));
    let relationships = relationships(package, &format!("{folder}/_rels/{file}.rels"), folder);
    let mut root = |kind: &str| {
        let target = relationships.iter().find(|relationship| relationship.kind == kind && !relationship.external)?;
        markup::root(&package.optional_text(&target.target)?, prefixes)
    };
    let styles = root("styles").map(|root| Styles::read(&root)).unwrap_or_default();
    let style_number = |id: &str| styles.get(id).and_then(|style| style.number);
    let numbering = root("numbering").map(|root| Numbering::read(&root, style_number)).unwrap_or_default();
    let settings = root("settings");
    let form = |name: &str, default: &str| {
        let form = settings.as_ref().and_then(|settings| settings.child(name)?.value("w:numFmt", "w:val"));
        form.unwrap_or(default).to_owned()
    };
    let mut parts = Parts {
        footnotes: notes(root("footnotes"), "w:footnote"),
        endnotes: notes(root("endnotes"), "w:endnote"),
        comments: notes(root("comments"), "w:comment"),
        foot_form: form("w:footnotePr", "decimal"),
        end_form: form("w:endnotePr", "lowerRoman"),
        knows_pages: text.contains("lastRenderedPageBreak"),
        styles,
        ..Parts::default()
    };
    let mut running = Vec::new();
    for relationship in relationships {
        let Relationship { id, kind, target, external } = relationship;
        match kind.as_str() {
            "hyperlink" => drop(parts.links.insert(id, target)),
            _ if external => {}
            "diagramData" | "chart" => {
                let root = package.optional_text(&target).and_then(|xml| markup::root(&xml, prefixes));
                parts.graphics.extend(root.map(|root| (id, words(&root))));
            }
            "header" | "footer" => {
                running.extend(package.optional_text(&target).and_then(|xml| markup::root(&xml, prefixes)));
            }
            "aFChunk" if !target.to_lowercase().ends_with("docx") => {
                parts.inserted.extend(package.optional_text(&target).map(|page| (id, page)));
            }
            _ => {}
        }
    }
    let furniture = furniture(&running, &mut parts);
    (parts, numbering, furniture)
}

/// Notes or comments by their ids; separators and the like are none.
fn notes(root: Option<Element>, name: &str) -> BTreeMap<String, Element> {
    let notes = root.into_iter().flat_map(|root| root.children().cloned().collect::<Vec<_>>());
    let is_own = |note: &Element| *note.name == *name && matches!(note.attribute("w:type"), None | Some("normal"));
    notes.filter(is_own).filter_map(|note| Some((note.attribute("w:id")?.to_owned(), note))).collect()
}

/// The texts of running heads and feet, each once, a line a paragraph.
fn furniture(roots: &[Element], parts: &mut Parts) -> Vec<String> {
    // A reader of its own: what stands there counts no numbers and turns no pages.
    let mut aside = Writer::new(DocumentId::of(b""), "");
    let mut reader = Reader::new(&mut aside, std::mem::take(parts), Numbering::default());
    let mut texts: Vec<String> = Vec::new();
    for root in roots {
        let mut paragraphs = Vec::new();
        gather(root, &mut paragraphs);
        let text = paragraphs.into_iter().map(|paragraph| {
            let mut inline = Inline::default();
            reader.inline(paragraph, &Stretch::default(), &mut inline);
            reader.close_instructions();
            collapse_whitespace(&lines(&inline.words.text))
        });
        let text = text.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
        if !text.is_empty() && !texts.contains(&text) {
            texts.push(text);
        }
    }
    *parts = std::rc::Rc::try_unwrap(reader.parts).unwrap_or_default();
    texts
}

/// All paragraphs in an element, those of tables and boxes included, each version of an alternative once.
fn gather<'e>(element: &'e Element, paragraphs: &mut Vec<&'e Element>) {
    if &*element.name == "mc:AlternateContent" {
        super::drawing::chosen(element).into_iter().for_each(|chosen| gather(chosen, paragraphs));
        return;
    }
    if &*element.name == "w:p" {
        paragraphs.push(element);
    }
    element.children().for_each(|child| gather(child, paragraphs));
}

/// The words of a diagram or chart: a line a paragraph.
fn words(root: &Element) -> String {
    fn gather(element: &Element, texts: &mut Vec<String>) {
        if &*element.name == "a:p" {
            texts.push(collapse_whitespace(&element.all("a:r").map(Element::text).collect::<String>()));
        } else {
            element.children().for_each(|child| gather(child, texts));
        }
    }
    let mut texts = Vec::new();
    gather(root, &mut texts);
    texts.retain(|text| !text.is_empty());
    texts.join("\n")
}

/// Takes over what the properties say, and returns their title.
pub(super) fn properties(package: &mut Package<'_>, builder: &mut DocumentBuilder) -> Option<String> {
    let root = package.optional_text("docProps/core.xml").and_then(|xml| markup::root(&xml, prefixes))?;
    let property = |name: &str| {
        root.child(name).map(|element| collapse_whitespace(&element.text())).filter(|text| !text.is_empty())
    };
    for (key, name) in [
        ("author", "dc:creator"),
        ("subject", "dc:subject"),
        ("description", "dc:description"),
        ("keywords", "cp:keywords"),
        ("language", "dc:language"),
        ("version", "cp:version"),
        ("created", "dcterms:created"),
        ("modified", "dcterms:modified"),
    ] {
        if let Some(value) = property(name) {
            builder.metadata(key, &value);
        }
    }
    let title = property("dc:title")?;
    builder.metadata("title", &title);
    // What programs put there when nobody was asked.
    let made_up = ["untitled", "document", "microsoft word", "dokument", "unbenannt", "powerpoint", "word document"];
    let lower = title.to_lowercase();
    let is_file = [".dot", ".dotx", ".dotm", ".doc", ".docx"].iter().any(|ending| lower.ends_with(ending));
    (!is_file && !made_up.iter().any(|start| lower.starts_with(start))).then_some(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_relative_to_the_part_that_names_them() {
        assert_eq!(resolved("word", "styles.xml"), "word/styles.xml");
        assert_eq!(resolved("word", "/word/x.xml"), "word/x.xml");
        assert_eq!(resolved("word", "../../../docProps/./x.xml"), "docProps/x.xml");
    }
}
