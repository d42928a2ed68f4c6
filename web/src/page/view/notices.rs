//! What must be said of a passage or a part of a document before it is read.

use super::icon::{Glyph, Icon};
use crate::page::texts;
use leptos::prelude::*;

/// Why a person looking at the document does not see it, if so, and whatever else there is to say, a line each. `of` is
/// what it is said of; it begins the lines' test ids.
pub(super) fn notices(of: &str, hidden: Option<&str>, others: impl IntoIterator<Item = String>) -> AnyView {
    let hidden = hidden.map(|why| {
        view! {
            <p class="notice notice-hidden" data-testid=format!("{of}-hidden")>
                <Icon glyph=Glyph::Hidden />
                {texts::hidden(why)}
            </p>
        }
    });
    let others = others.into_iter().map(|words| {
        view! {
            <p class="notice" data-testid=format!("{of}-notice")>
                <Icon glyph=Glyph::Info />
                {words}
            </p>
        }
    });
    view! {
        {hidden}
        {others.collect_view()}
    }
    .into_any()
}
