//! Puts statements and their citations together: numbers citations, keeps each once.

use super::evidence::Source;
use crate::protocol::{Citation, Quote, Role, Statement, Support};
use std::ops::Range;

/// An answer on its way.
#[derive(Clone, Debug, Default)]
pub(super) struct Composer {
    pub(super) statements: Vec<Statement>,
    pub(super) citations: Vec<Citation>,
}

impl Composer {
    /// Says something that rests on words of a source, unless it was said already. An empty range is no quotation.
    pub(super) fn say(
        &mut self,
        part: u32,
        role: Role,
        text: String,
        support: Support,
        sources: &[(Source<'_>, Vec<Range<usize>>)],
    ) {
        let is_said =
            |statement: &Statement| statement.text == text && (role == Role::Warning || statement.part == part);
        if text.trim().is_empty() || self.statements.iter().any(is_said) {
            return;
        }
        let citations: Vec<u32> = sources.iter().filter_map(|(source, ranges)| self.cite(*source, ranges)).collect();
        if citations.is_empty() {
            return;
        }
        self.statements.push(Statement { text, role, part, citations, support });
    }

    /// Quotes a range of a source as it stands.
    pub(super) fn quote(&mut self, part: u32, role: Role, source: Source<'_>, range: Range<usize>) {
        let Some(text) = source.text.get(range.clone()) else { return };
        self.say(part, role, text.to_owned(), Support::Quoted, &[(source, vec![range])]);
    }

    /// The number of a citation.
    pub(super) fn cite(&mut self, source: Source<'_>, ranges: &[Range<usize>]) -> Option<u32> {
        let mut ranges: Vec<Range<usize>> = ranges.iter().filter(|range| !range.is_empty()).cloned().collect();
        ranges.sort_by_key(|range| (range.start, range.end));
        ranges.dedup();
        let quote = |range: &Range<usize>| {
            let text = source.text.get(range.clone())?.to_owned();
            Some(Quote { start: range.start as u32, end: range.end as u32, text })
        };
        let quotes: Vec<Quote> = ranges.iter().filter_map(quote).collect();
        if quotes.is_empty() {
            return None;
        }
        let known = self.citations.iter().find(|known| known.chunk == *source.chunk && known.quotes == quotes);
        if let Some(known) = known {
            return Some(known.number);
        }
        let number = self.citations.len() as u32 + 1;
        self.citations.push(Citation {
            number,
            chunk: source.chunk.clone(),
            quotes,
            name: source.name.to_owned(),
            heading_path: source.heading_path.to_vec(),
            page: source.page,
            node: source.node,
            end_node: source.end_node,
            place: source.place.clone(),
            hidden: source.hidden.cloned(),
            confidence: source.confidence.cloned(),
        });
        Some(number)
    }

    /// Takes a statement over from another answer, with its citations.
    pub(super) fn keep(&mut self, statement: &Statement, citations: &[Citation]) {
        let mut kept = Vec::new();
        for citation in citations.iter().filter(|citation| statement.citations.contains(&citation.number)) {
            let number = self.citations.len() as u32 + 1;
            self.citations.push(Citation { number, ..citation.clone() });
            kept.push(number);
        }
        self.statements.push(Statement { citations: kept, ..statement.clone() });
    }

    /// Puts warnings before all else of their part, the order within both kept.
    pub(super) fn put_warnings_first(&mut self) {
        self.statements.sort_by_key(|statement| (statement.part, statement.role != Role::Warning));
    }
}
