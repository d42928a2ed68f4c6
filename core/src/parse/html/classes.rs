//! What authors say of an element with classes and roles.

use super::dom::{Dom, DomId};
use crate::{document::NodeKind, parse::admonition};

/// What an element's classes or role make of it.
pub(super) fn class_kind(dom: &Dom, id: DomId) -> Option<NodeKind> {
    if dom.attribute(id, "role") == Some("note") {
        return Some(NodeKind::Note);
    }
    let classes = dom.attribute(id, "class")?;
    // "alert alert-danger", "admonition warning": the class that grades stands beside the general one.
    classes.split_whitespace().find_map(admonition::named)
}

pub(super) fn holds_heading(dom: &Dom, id: DomId) -> bool {
    dom.subtree(id).any(|id| matches!(dom.name(id), "h1" | "h2"))
}

/// The language of a listing, from the classes that highlighters use.
pub(super) fn language(dom: &Dom, pre: DomId) -> String {
    let classes = dom.subtree(pre).take(3).filter_map(|id| dom.attribute(id, "class"));
    let mut names = classes.flat_map(str::split_whitespace);
    let language = names.find_map(|class| class.strip_prefix("language-").or_else(|| class.strip_prefix("lang-")));
    language.unwrap_or_default().to_owned()
}
