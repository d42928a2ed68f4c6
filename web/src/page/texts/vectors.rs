//! What is said of finding by meaning: how far it is, what it lacks, and how the passages on show were found.

use crate::page::logic::{
    joining::{FoundBy, Joining},
    numbers::{counted, grouped, size},
};
use millwright_core::{
    models::{Catalogue, Model},
    protocol::VectorsState,
};

pub(crate) const VECTORS: &str = "Meaning search";
pub(crate) const VECTORS_PAUSE: &str = "Pause";
pub(crate) const VECTORS_GO_ON: &str = "Go on";
pub(crate) const VECTORS_SHOW_MODEL: &str = "See the model";
pub(crate) const HELD_SHOW: &str = "Show it";
pub(crate) const FITS_BETTER: &str = "Most of your documents are not English, and this is the model for them.";
pub(crate) const FITS_WORSE: &str =
    "It is for English, and most of your documents are not. The other embedding model in this list is for them.";

/// How a model is called, by its id.
pub(crate) fn model_title(id: &str) -> String {
    Catalogue::shipped().model(id).map_or_else(|| id.to_owned(), |model| model.title.clone())
}

/// "Meaning search: 1,240 of 6,500 passages".
pub(crate) fn vectors_line(state: &VectorsState) -> String {
    if state.n_done >= state.n_chunks {
        return format!("{VECTORS}: all {} passages", grouped(u64::from(state.n_chunks)));
    }
    format!("{VECTORS}: {} of {} passages", grouped(u64::from(state.n_done)), grouped(u64::from(state.n_chunks)))
}

/// "about 3 minutes".
pub(crate) fn about(n_chunks: u32, millis_per_chunk: u32) -> String {
    let seconds = u64::from(n_chunks) * u64::from(millis_per_chunk) / 1000;
    match seconds {
        0..=50 => "less than a minute".to_owned(),
        // Rounded: it is a guess, and should not look like more.
        51..=5399 => format!("about {}", counted((seconds + 30) / 60, "minute", "minutes")),
        _ => format!("about {}", counted((seconds + 1800) / 3600, "hour", "hours")),
    }
}

/// How long the rest takes.
pub(crate) fn vectors_left(state: &VectorsState) -> String {
    format!("{} left", about(state.n_chunks.saturating_sub(state.n_done), state.millis_per_chunk))
}

/// The vectors are another model's: what that means and what can be done.
pub(crate) fn made_with_another(made_with: &str, other: Option<&str>, state: &VectorsState) -> String {
    let made_with_title = model_title(made_with);
    match other {
        // The same model in another version, or its file.
        Some(other) if other == made_with => format!(
            "The passages' vectors were made with another version of {made_with_title} and cannot be compared with this one's. Make them anew ({}); until then passages are found by their words.",
            about(state.n_chunks, state.millis_per_chunk)
        ),
        Some(other) => format!(
            "The passages' vectors were made with {made_with_title}. Rebuild them with {} ({}), or get {made_with_title} again; until then passages are found by their words.",
            model_title(other),
            about(state.n_chunks, state.millis_per_chunk)
        ),
        None => format!(
            "The passages' vectors were made with {made_with_title}, which is not here any more. Get it again under Models; until then passages are found by their words."
        ),
    }
}

/// Another model could make them, while the one that did is here and in use.
pub(crate) fn could_be_remade(made_with: &str, model: &Model, state: &VectorsState) -> String {
    format!(
        "The passages' vectors were made with {}. Rebuilding them with {} takes {}.",
        model_title(made_with),
        model.title,
        about(state.n_chunks, state.millis_per_chunk)
    )
}

/// The label of the button.
pub(crate) fn remake_with(model: &str) -> String {
    format!("Rebuild with {}", model_title(model))
}

/// How the passages on show were found, and what would find more.
pub(crate) fn how_found(
    found_by: FoundBy,
    joining: Joining,
    state: Option<&VectorsState>,
    missing: Option<&Model>,
) -> String {
    match joining {
        Joining::Awaited => {
            return "Found by their words. Meaning search is being loaded and joins in a moment.".to_owned();
        }
        Joining::Held => return "Found by their words. Meaning search has come to another order.".to_owned(),
        Joining::Joined | Joining::Whole => {}
    }
    let Some(state) = state else { return String::new() };
    let by_words = if found_by == FoundBy::Nothing { "Searched by words" } else { "Found by their words" };
    let so_far = (state.n_done < state.n_chunks && state.n_done > 0).then(|| {
        format!(
            " So far {} of {} passages are searched by meaning.",
            grouped(u64::from(state.n_done)),
            grouped(u64::from(state.n_chunks))
        )
    });
    let so_far = so_far.unwrap_or_default();
    if found_by == FoundBy::Meaning {
        let how = if joining == Joining::Joined {
            "Found by their words and, since a moment later, by their meaning; that changed the order."
        } else {
            "Found by their words and their meaning."
        };
        return format!("{how}{so_far}");
    }
    match (&state.made_with, &state.model, missing) {
        (Some(made_with), None, _) => made_with_another(made_with, state.other.as_deref(), state),
        (None, None, Some(model)) => format!(
            "{by_words} alone. With the model {} ({}), what is said in other words is found, too.",
            model.title,
            size(model.size_bytes())
        ),
        _ => format!("{by_words}.{so_far}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use millwright_core::models::Role;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn state(n_done: u32) -> VectorsState {
        VectorsState { n_done, n_chunks: 6500, millis_per_chunk: 40, ..VectorsState::default() }
    }

    #[test]
    fn how_far_it_is_is_said_in_numbers() {
        assert_eq!(vectors_line(&state(1240)), "Meaning search: 1,240 of 6,500 passages");
        assert_eq!(vectors_line(&state(6500)), "Meaning search: all 6,500 passages");
        assert_eq!(vectors_left(&state(0)), "about 4 minutes left");
        assert_eq!(vectors_left(&state(6499)), "less than a minute left");
        assert_eq!(about(650_000, 40), "about 7 hours");
    }

    #[test]
    fn what_is_missing_and_what_it_would_add_is_said() {
        let model = Catalogue::shipped().for_role(Role::Embeds).next();
        let title = &model.unwrap().title;
        let bare = how_found(FoundBy::Words, Joining::Whole, Some(&state(0)), model);
        assert!(bare.contains(title) && bare.contains("MB") && bare.contains("in other words"), "{bare}");
        let nothing = how_found(FoundBy::Nothing, Joining::Whole, Some(&state(0)), model);
        assert!(nothing.starts_with("Searched by words alone."), "nothing was found: {nothing}");
        let kept = VectorsState { model: model.map(|model| model.id.clone()), ..state(1240) };
        assert!(how_found(FoundBy::Meaning, Joining::Whole, Some(&kept), None).contains("1,240 of 6,500"));
        assert!(how_found(FoundBy::Meaning, Joining::Joined, Some(&kept), None).contains("changed the order"));
        let foreign = VectorsState { made_with: Some("e5-small".to_owned()), other: kept.model, ..state(6500) };
        let refused = how_found(FoundBy::Words, Joining::Whole, Some(&foreign), None);
        assert!(refused.contains(&format!("Rebuild them with {title} (about 4 minutes)")), "{refused}");
    }
}
