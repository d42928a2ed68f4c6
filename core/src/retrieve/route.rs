//! Which retrievers a question is put to, by explicit rules, and what stands before all scores.

use super::question::{Named, Question};
use serde::{Deserialize, Serialize};

/// Who is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// The index of identifiers: what has them stands first. Vectors are not asked.
    Exact,
    /// Words and identifiers. Vectors are not asked.
    #[default]
    Lexical,
    /// Words and vectors.
    Hybrid,
    /// Words and vectors, and what has the identifiers stands first.
    Mixed,
}

impl Route {
    /// Whether vectors are asked.
    #[must_use]
    pub fn asks_vectors(self) -> bool {
        matches!(self, Self::Hybrid | Self::Mixed)
    }
}

/// A route and why it was taken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Routing {
    /// Who is asked.
    pub route: Route,
    /// Why, in a sentence for the user.
    pub reason: String,
}

struct Rule {
    holds: fn(&Question) -> bool,
    route: Route,
    reason: fn(&Question) -> String,
}

/// The rules in order: the first that holds decides.
const RULES: [Rule; 6] = [
    Rule {
        holds: |question| question.n_words == 0 && question.named.is_empty() && question.phrases.is_empty(),
        route: Route::Lexical,
        reason: |_| "It names nothing, so the words are taken as they stand.".to_owned(),
    },
    // What is quoted is meant to the letter, which vectors do not know.
    Rule {
        holds: |question| !question.phrases.is_empty(),
        route: Route::Lexical,
        reason: |question| format!("“{}” is asked for word for word.", question.phrases.join("”, “")),
    },
    // "SKU-48291", "what does error 9 mean": one thing is meant, and what lies near it in meaning is another.
    Rule {
        holds: |question| question.n_words == 0 && question.identifiers().next().is_some(),
        route: Route::Exact,
        reason: |question| format!("Only {} is asked for, so what has it stands first.", names(question.identifiers())),
    },
    // "gap 3,5 mm": vectors hardly tell 3.5 from 5.3.
    Rule {
        holds: |question| question.identifiers().next().is_none() && question.is_numeric(),
        route: Route::Lexical,
        reason: |question| format!("It is mostly about figures ({}).", names(question.named.iter())),
    },
    Rule {
        holds: |question| question.identifiers().next().is_some(),
        route: Route::Mixed,
        reason: |question| format!("It has words and names {}.", names(question.identifiers())),
    },
    Rule { holds: |_| true, route: Route::Hybrid, reason: |_| "It is a question in words.".to_owned() },
];

fn names<'q>(named: impl Iterator<Item = &'q Named>) -> String {
    let mut names: Vec<&str> = named.map(|named| named.text.as_str()).collect();
    names.dedup();
    names.join(", ")
}

/// The route of a question. Where there are no vectors to ask, words alone are; the reason says so.
#[must_use]
pub fn route(question: &Question, has_vectors: bool) -> Routing {
    let Some(rule) = RULES.iter().find(|rule| (rule.holds)(question)) else { return Routing::default() };
    let reason = (rule.reason)(question);
    if rule.route.asks_vectors() && !has_vectors {
        return Routing {
            route: Route::Lexical,
            reason: format!("{reason} No vectors are there, so only words are compared."),
        };
    }
    Routing { route: rule.route, reason }
}

/// What vectors are to be asked for; `None` where they are not, and no vector need be made: the route does without, or the
/// question only narrows down.
#[must_use]
pub fn vector_text(question: &Question) -> Option<&str> {
    let subject = question.subject.trim();
    (!subject.is_empty() && route(question, true).route.asks_vectors()).then_some(subject)
}

/// Puts what has the identifiers that were asked for before all that has not, whatever their scores say. `tier` is
/// [`LexicalHit::tier`](crate::lexical::LexicalHit::tier), 0 of what words did not find. The order within a tier stays.
///
/// This is what keeps `SKU-48290`, which every score finds nearly as good, behind `SKU-48291`. O(n log n).
pub fn put_identified_first<T>(candidates: &mut [T], tier: impl Fn(&T) -> u8) {
    candidates.sort_by_key(|candidate| std::cmp::Reverse(tier(candidate)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn routed(question: &str) -> Route {
        route(&Question::parse(question), true).route
    }

    #[test]
    fn every_rule_has_its_questions() {
        for (question, expected) in [
            ("", Route::Lexical),
            ("the of", Route::Lexical),
            ("SKU-48291", Route::Exact),
            ("invoice TF/2026-27/001", Route::Exact),
            ("What does error 9 mean?", Route::Exact),
            ("G28", Route::Exact),
            ("Rechnung Nr. TF/2026-27/001", Route::Exact),
            ("27AAPFU0939F1ZV", Route::Exact),
            ("gap 3,5 mm", Route::Lexical),
            ("\"turn the knob\" slowly", Route::Lexical),
            ("how do I change the seal", Route::Hybrid),
            ("what pressure is allowed at the pump inlet, 3 bar?", Route::Hybrid),
            ("which pump uses seal SKU-48291", Route::Mixed),
            ("who supplied the goods of invoice TF/2026-27/001", Route::Mixed),
        ] {
            assert_eq!(routed(question), expected, "{question}");
        }
    }

    #[test]
    fn a_vector_is_made_only_where_one_is_asked() {
        let text = |question: &str| vector_text(&Question::parse(question)).map(str::to_owned);
        assert_eq!(text("how do I change the seal"), Some("how do I change the seal".to_owned()));
        assert_eq!(text("doc:pump how do I change the seal"), Some("how do I change the seal".to_owned()));
        assert!(text("which pump uses seal SKU-48291").is_some());
        for question in ["SKU-48291", "gap 3,5 mm", "\"turn the knob\" slowly", "doc:pump", ""] {
            assert_eq!(text(question), None, "{question}");
        }
    }

    #[test]
    fn reasons_name_what_decided_and_say_that_vectors_lack() {
        let reason = |question: &str, has_vectors| route(&Question::parse(question), has_vectors).reason;
        assert!(reason("invoice TF/2026-27/001", true).contains("TF/2026-27/001"));
        assert!(reason("gap 3,5 mm", true).contains("3,5 mm"));
        assert!(reason("how do I change the seal", false).contains("No vectors"));
        assert!(!reason("SKU-48291", false).contains("No vectors"), "none were to be asked");
        assert_eq!(route(&Question::parse("how do I change the seal"), false).route, Route::Lexical);
    }

    #[test]
    fn no_score_puts_a_twin_before_what_was_asked() {
        let mut candidates: Vec<(&str, f32, u8)> =
            vec![("twin", 9.0, 0), ("near", 8.0, 0), ("otherwise", 0.2, 1), ("asked", 0.1, 2), ("asked too", 0.05, 2)];
        put_identified_first(&mut candidates, |candidate| candidate.2);
        let names: Vec<&str> = candidates.iter().map(|candidate| candidate.0).collect();
        assert_eq!(names, ["asked", "asked too", "otherwise", "twin", "near"]);
    }

    proptest::proptest! {
        #[test]
        fn tiers_come_before_everything_and_order_stays_within(tiers in proptest::collection::vec(0_u8..4, 0..60)) {
            let mut candidates: Vec<(usize, u8)> = tiers.iter().copied().enumerate().collect();
            put_identified_first(&mut candidates, |candidate| candidate.1);
            for pair in candidates.windows(2) {
                proptest::prop_assert!(pair[0].1 > pair[1].1 || pair[0].1 == pair[1].1 && pair[0].0 < pair[1].0);
            }
        }
    }
}
