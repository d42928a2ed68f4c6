//! A parser's warnings as a person reads them: by kind, the same sentence once with all its pages.

use millwright_core::parse::{ParseWarning, ParseWarningKind};

/// Warnings of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// Which kind.
    pub(crate) kind: ParseWarningKind,
    /// Its sentences in order.
    pub(crate) remarks: Vec<Remark>,
}

/// A sentence and where it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remark {
    /// The sentence, without the pages that it begins with.
    pub(crate) message: String,
    /// First and last pages of runs of pages, ascending; empty where it is about the whole document.
    pub(crate) pages: Vec<(u32, u32)>,
}

/// Groups warnings. Kinds stand in the order of their first warning. O(warnings times different sentences).
pub(crate) fn grouped(warnings: &[ParseWarning]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for warning in warnings {
        let at = groups.iter().position(|group| group.kind == warning.kind).unwrap_or_else(|| {
            groups.push(Group { kind: warning.kind, remarks: Vec::new() });
            groups.len() - 1
        });
        let remarks = &mut groups[at].remarks;
        let (pages, message) = parted(warning);
        let at = remarks.iter().position(|remark| remark.message == message).unwrap_or_else(|| {
            remarks.push(Remark { message: message.to_owned(), pages: Vec::new() });
            remarks.len() - 1
        });
        remarks[at].pages.extend(pages);
    }
    for remark in groups.iter_mut().flat_map(|group| &mut group.remarks) {
        remark.pages.sort_unstable();
        remark.pages.dedup_by(|next, before| {
            let touches = next.0 <= before.1 + 1;
            if touches {
                before.1 = before.1.max(next.1);
            }
            touches
        });
    }
    groups
}

/// The pages of a warning and its sentence without them: "Pages 3–5 hold no text." gives 3 to 5 and "hold no text."
fn parted(warning: &ParseWarning) -> (Option<(u32, u32)>, &str) {
    let whole = (warning.page.map(|page| (page, page)), warning.message.as_str());
    let Some(page) = warning.page else { return whole };
    let after = |lead: String| warning.message.strip_prefix(&lead);
    if let Some(rest) = after(format!("Page {page} ")) {
        return (Some((page, page)), rest);
    }
    let run = after(format!("Pages {page}–")).and_then(|rest| rest.split_once(' '));
    match run.and_then(|(last, rest)| Some((last.parse().ok()?, rest))) {
        Some((last, rest)) => (Some((page, last)), rest),
        None => whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn one_sentence_for_many_pages() {
        let no_text = |page| ParseWarning {
            kind: ParseWarningKind::NoText,
            page: Some(page),
            message: "It holds no text.".to_owned(),
        };
        let ending =
            ParseWarning { kind: ParseWarningKind::WrongEnding, page: None, message: "It is a PDF.".to_owned() };
        let groups = grouped(&[no_text(3), no_text(4), ending, no_text(9), no_text(5)]);
        assert_eq!(groups.len(), 2);
        assert_eq!(
            groups[0].remarks,
            [Remark { message: "It holds no text.".to_owned(), pages: vec![(3, 5), (9, 9)] }]
        );
        assert_eq!(groups[1].remarks[0].pages, []);
    }

    #[test]
    fn pages_are_taken_out_of_the_sentence_that_begins_with_them() {
        let of = |page, message: &str| ParseWarning {
            kind: ParseWarningKind::NoText,
            page: Some(page),
            message: message.to_owned(),
        };
        let groups = grouped(&[
            of(2, "Page 2 holds drawings."),
            of(9, "Page 9 holds drawings."),
            of(3, "Pages 3–5 hold no text."),
        ]);
        let told: Vec<_> = groups[0].remarks.iter().map(|r| (r.message.as_str(), r.pages.clone())).collect();
        assert_eq!(told, [("holds drawings.", vec![(2, 2), (9, 9)]), ("hold no text.", vec![(3, 5)])]);
    }
}
