//! Where pages link to: the smallest node under a link is told.

use super::{annotations, pages, place, subtype};
use crate::{
    document::{BBox, Document, NodeKind, facts},
    parse::{
        ParseError,
        pdf::{outline::Targets, strings},
    },
};
use hayro_syntax::{
    Pdf,
    object::{Dict, Name, Object, String as PdfString},
};
use std::collections::BTreeMap;

/// Links of one file that are followed up.
const MAX_LINKS: usize = 50_000;
/// Links of one node: more stand in a list that is nothing but links.
const MAX_PER_NODE: usize = 20;
/// A link's rectangle may stand out from the text it covers by this much, in points.
const SLACK: f32 = 2.0;

/// Marks the nodes that links cover with [`facts::LINK`], several of one node parted by blanks.
///
/// # Errors
/// [`ParseError::Cancelled`].
pub(super) fn mark(
    pdf: &Pdf,
    document: &mut Document,
    tick: &mut dyn FnMut() -> Result<(), ParseError>,
) -> Result<(), ParseError> {
    let mut links = Vec::new();
    let mut targets = None;
    for (number, page) in pages(pdf) {
        tick()?;
        for annotation in annotations(page).filter(|annotation| subtype(annotation).as_deref() == Some("Link")) {
            if links.len() >= MAX_LINKS {
                break;
            }
            let Some(bbox) = place(page, &annotation) else { continue };
            let target = outer(&annotation).or_else(|| {
                let targets = targets.get_or_insert_with(|| Targets::of(pdf));
                Some(format!("#page={}", targets.page_of(&annotation)?))
            });
            links.extend(target.map(|target| (number, bbox, target)));
        }
    }
    if links.is_empty() {
        return Ok(());
    }
    let mut on_page: BTreeMap<u32, Vec<(usize, BBox)>> = BTreeMap::new();
    for (index, node) in document.nodes.iter().enumerate() {
        for place in &node.boxes {
            on_page.entry(place.page).or_default().push((index, place.bbox));
        }
    }
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (number, (page, bbox, target)) in links.into_iter().enumerate() {
        if number.is_multiple_of(1_000) {
            tick()?;
        }
        let (x, y) = ((bbox.x0 + bbox.x1) / 2.0, (bbox.y0 + bbox.y1) / 2.0);
        let covers =
            |of: &BBox| (of.x0 - SLACK..=of.x1 + SLACK).contains(&x) && (of.y0 - SLACK..=of.y1 + SLACK).contains(&y);
        let area = |of: &BBox| (of.x1 - of.x0).max(0.0) * (of.y1 - of.y0).max(0.0);
        let under = on_page.get(&page).into_iter().flatten().filter(|(_, of)| covers(of));
        let Some((node, _)) = under.min_by(|(_, a), (_, b)| area(a).total_cmp(&area(b))) else { continue };
        // A table of contents leads everywhere.
        let contents = document.nodes.get(*node).is_some_and(|node| node.kind == NodeKind::Furniture);
        let of_node = found.entry(*node).or_default();
        if !(contents && target.starts_with('#')) && of_node.len() < MAX_PER_NODE && !of_node.contains(&target) {
            of_node.push(target);
        }
    }
    for (node, targets) in found {
        if let Some(node) = document.nodes.get_mut(node).filter(|_| !targets.is_empty()) {
            node.metadata.insert(facts::LINK.to_owned(), targets.join(" "));
        }
    }
    Ok(())
}

/// The address of a link that leads out of the file.
fn outer(annotation: &Dict<'_>) -> Option<String> {
    let action = annotation.get::<Dict<'_>>("A")?;
    let kind = action.get::<Name<'_>>("S")?;
    let address = match kind.as_str() {
        "URI" => strings::decode(&action.get::<PdfString<'_>>("URI")?),
        "GoToR" => match action.get::<Object<'_>>("F")? {
            Object::String(name) => strings::decode(&name),
            Object::Dict(file) => {
                ["UF", "F"].iter().find_map(|key| Some(strings::decode(&file.get::<PdfString<'_>>(*key)?)))?
            }
            _ => return None,
        },
        _ => return None,
    };
    let address = address.replace(' ', "%20");
    // What would run instead of leading somewhere is no address.
    let runs = ["javascript:", "vbscript:", "data:"]
        .iter()
        .any(|scheme| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    (!address.is_empty() && !runs).then_some(address)
}
