//! Style sheets: which style is a heading, a title or program text.

use crate::parse::style_name::{self, Role};
use std::collections::BTreeMap;

/// More styles than this no document has.
const MAX_STYLES: usize = 10_000;

/// What the styles of paragraphs say, by their numbers.
#[derive(Default)]
pub(super) struct Styles {
    roles: BTreeMap<i32, Role>,
    /// The style that is being described.
    open: Option<(i32, Option<u8>)>,
}

impl Styles {
    /// `\s3` within the style sheet.
    pub(super) fn open(&mut self, number: i32) {
        self.open = Some((number, None));
    }

    /// `\outlinelevel0` within it.
    pub(super) fn outline(&mut self, level: i32) {
        if let Some((_, known)) = &mut self.open {
            *known = u8::try_from(level).ok().filter(|level| *level < 9);
        }
    }

    /// The name of a style ends its description.
    pub(super) fn close(&mut self, name: &str) {
        let Some((number, level)) = self.open.take() else { return };
        let name = name.trim().trim_end_matches(';').to_lowercase();
        let role = style_name::role(&name).or(level.map(|level| Role::Heading(level + 1)));
        if let Some(role) = role.filter(|_| self.roles.len() < MAX_STYLES) {
            self.roles.insert(number, role);
        }
    }

    /// What a style makes of its paragraphs.
    pub(super) fn role(&self, number: i32) -> Option<&Role> {
        self.roles.get(&number)
    }
}
