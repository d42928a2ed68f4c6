//! Drawings, in either of Word's two languages for them (DrawingML and VML): pictures and boxes with text.

use super::{inline::Object, reader::Parts};
use crate::parse::markup::Element;

/// The version of an alternative that is read: the first that says anything, and never a second.
pub(super) fn chosen(alternative: &Element) -> Option<&Element> {
    let has_content = |branch: &&Element| branch.children().next().is_some();
    alternative.all("mc:Choice").find(has_content).or_else(|| alternative.child("mc:Fallback"))
}

/// The boxes and pictures of a drawing, boxes first.
pub(super) fn objects<'e>(drawing: &'e Element, parts: &Parts, objects: &mut Vec<Object<'e>>) {
    let properties = drawing.find("wp:docPr");
    let described = |element: Option<&Element>| {
        let text = |name: &str| element?.attribute(name).map(str::trim).filter(|text| !text.is_empty());
        text("descr").or_else(|| text("title")).or_else(|| text("alt")).or_else(|| text("o:title")).map(str::to_owned)
    };
    let own = described(properties);
    let mut found = Found::default();
    found.search(drawing);
    objects.extend(found.boxes.iter().map(|text| Object::TextBox(text)));
    let mut rest = found.pictures.as_slice();
    if let [first, more @ ..] = rest {
        // What is said of the whole is said once.
        let first = own.clone().or_else(|| described(Some(first))).or_else(|| described_above(drawing));
        objects.push(Object::Figure(first.unwrap_or_default()));
        rest = more;
    }
    objects.extend(rest.iter().map(|picture| Object::Figure(described(Some(picture)).unwrap_or_default())));
    // What is drawn of lines and shapes is one picture, however many drawings a paragraph has of it.
    let is_drawn = found.has_shape || own.is_some();
    if is_drawn && found.pictures.is_empty() && found.graphics.is_empty() {
        let drawn = Object::Drawn(own.clone().unwrap_or_default());
        if !matches!((objects.last(), &drawn), (Some(Object::Drawn(_)), Object::Drawn(text)) if text.is_empty()) {
            objects.push(drawn);
        }
    }
    for reference in found.graphics {
        let text = parts.graphic(reference).unwrap_or_default();
        let own = own.clone().unwrap_or_default();
        let gap = if own.is_empty() || text.is_empty() { "" } else { "\n" };
        objects.push(Object::Figure(format!("{own}{gap}{text}")));
    }
}

/// VML describes the shape around the picture.
fn described_above(drawing: &Element) -> Option<String> {
    let shape = drawing.children().find(|child| child.name.starts_with("v:"))?;
    shape.attribute("alt").map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// What is found in a drawing.
#[derive(Default)]
struct Found<'e> {
    boxes: Vec<&'e Element>,
    /// The elements that describe them.
    pictures: Vec<&'e Element>,
    /// Diagrams and charts, by the relationship of the part that holds them.
    graphics: Vec<&'e str>,
    /// A line, an arrow or another shape without text.
    has_shape: bool,
}

impl<'e> Found<'e> {
    fn search(&mut self, element: &'e Element) {
        for child in element.children() {
            match &*child.name {
                "w:txbxContent" => self.boxes.push(child),
                "wps:wsp" | "v:line" | "v:rect" | "v:shape" | "v:oval" | "v:roundrect" | "v:polyline"
                    if child.find("w:txbxContent").is_none() && child.find("v:imagedata").is_none() =>
                {
                    self.has_shape |= is_shown(child);
                }
                "pic:pic" => self.pictures.push(child.find("pic:cNvPr").unwrap_or(child)),
                "v:imagedata" => self.pictures.push(child),
                "c:chart" => self.graphics.extend(child.attribute("r:id")),
                "dgm:relIds" => self.graphics.extend(child.attribute("r:dm")),
                "mc:AlternateContent" => {
                    if let Some(chosen) = chosen(child) {
                        self.search(chosen);
                    }
                }
                _ => self.search(child),
            }
        }
    }
}

/// Whether a shape is there to be seen, and more than the rule between two paragraphs.
fn is_shown(shape: &Element) -> bool {
    let is_rule = shape.attribute("o:hr").is_some();
    let style = shape.attribute("style").unwrap_or_default();
    !is_rule && !style.contains("visibility:hidden")
}
