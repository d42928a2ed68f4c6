//! Light or dark: the system's choice unless the user made one, which is kept.

use leptos::prelude::*;

/// Which appearance the user chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    /// Whatever the system has.
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// Under which key the choice is kept, and which attribute of the root element carries it to the style sheet.
const KEY: &str = "theme";

/// The choice made earlier, which is also put into effect.
pub(crate) fn theme() -> Theme {
    let kept = window().local_storage().ok().flatten().and_then(|storage| storage.get_item(KEY).ok().flatten());
    let theme = match kept.as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::System,
    };
    show(theme);
    theme
}

/// Puts a choice into effect and keeps it where the browser lets us.
pub(crate) fn set_theme(theme: Theme) {
    show(theme);
    if let Ok(Some(storage)) = window().local_storage() {
        let _ = match theme {
            Theme::System => storage.remove_item(KEY),
            Theme::Light => storage.set_item(KEY, "light"),
            Theme::Dark => storage.set_item(KEY, "dark"),
        };
    }
}

/// Whether the page looks dark under a choice.
pub(crate) fn is_dark(theme: Theme) -> bool {
    match theme {
        Theme::Light => false,
        Theme::Dark => true,
        Theme::System => {
            window().match_media("(prefers-color-scheme: dark)").ok().flatten().is_some_and(|query| query.matches())
        }
    }
}

fn show(theme: Theme) {
    let Some(root) = document().document_element() else { return };
    let _ = match theme {
        Theme::System => root.remove_attribute("data-theme"),
        Theme::Light => root.set_attribute("data-theme", "light"),
        Theme::Dark => root.set_attribute("data-theme", "dark"),
    };
}
