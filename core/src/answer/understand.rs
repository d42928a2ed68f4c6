//! What a question asks, told by explicit rules: its type, its parts, and what it refers to in the turns before.
//!
//! Never fails: any text is a question. Not for taking names and filters out of it, which is [`crate::retrieve::Question`].

mod follow_up;
mod kinds;
mod split;

use crate::protocol::{AskedPart, Turn};
pub(super) use kinds::aggregate_words;
use kinds::question_type;

/// A question has no more parts than this: one that has is looked up as it stands.
pub const MAX_PARTS: usize = 3;

/// What a question comes to: one to three parts that can each be asked alone.
#[must_use]
pub fn understand(question: &str, turns: &[Turn]) -> Vec<AskedPart> {
    let question = question.trim();
    let mut parts: Vec<AskedPart> = Vec::new();
    for text in split::parts(question) {
        // A later part of the same question refers to the part before it, the first one to the conversation.
        let resolved = match parts.last() {
            Some(before) => follow_up::resolve(&text, std::slice::from_ref(&before.text)),
            None => {
                let before: Vec<String> = turns.iter().map(|turn| turn.question.clone()).collect();
                follow_up::resolve(&text, &before)
            }
        };
        let is_resolved = resolved.is_some();
        let text = resolved.unwrap_or(text);
        parts.push(AskedPart { question_type: question_type(&text), text, is_resolved });
    }
    parts
}

/// The folded words of a text.
pub(super) fn folded(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    crate::lexical::analysis::for_each_word(text, |start, end| {
        words.push(crate::lexical::analysis::fold(&text[start..end]));
    });
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::QuestionType;

    fn texts(question: &str) -> Vec<String> {
        understand(question, &[]).into_iter().map(|part| part.text).collect()
    }

    #[test]
    fn compound_questions_have_parts_that_stand_alone() {
        assert_eq!(texts("How is the pump stopped?"), ["How is the pump stopped?"]);
        assert_eq!(
            texts("What is the torque of the M8 bolts and how often is the oil changed?"),
            ["What is the torque of the M8 bolts", "how often is the oil changed?"]
        );
        assert_eq!(texts("What is the seal made of? How is it changed?").len(), 2);
        assert_eq!(texts("Which nuts and bolts hold the lid and the frame?").len(), 1);
        assert!(texts("What is a? What is b? What is c? What is d?").len() <= MAX_PARTS);
        let parts = understand("How is the shaft seal removed and what is it made of?", &[]);
        assert!(parts[1].is_resolved && parts[1].text.contains("shaft seal"), "{parts:?}");
    }

    #[test]
    fn follow_ups_take_up_what_was_asked_before() {
        let turn = |question: &str| Turn { question: question.to_owned(), answer: String::new() };
        let resolved = |before: &str, question: &str| understand(question, &[turn(before)])[0].text.clone();
        assert_eq!(
            resolved("What is the torque for the M6 bolt?", "and for the M8 version?"),
            "What is the torque for the M8 bolt?"
        );
        assert!(resolved("How is the shaft seal changed?", "How often is it checked?").contains("shaft seal"));
        assert_eq!(
            resolved("How is the seal changed?", "Which oil does the gearbox need?"),
            "Which oil does the gearbox need?"
        );
        assert_eq!(
            resolved("What is the price of SKU-48291?", "What about SKU-48292?"),
            "What is the price of SKU-48292?"
        );
        assert_eq!(understand("it?", &[])[0].text, "it?", "there is nothing to refer to");
    }

    #[test]
    fn types_are_told() {
        for (question, expected) in [
            ("SKU-48291", QuestionType::Identifier),
            ("What does error 9 mean?", QuestionType::Identifier),
            ("How do I change the seal?", QuestionType::Procedure),
            ("What is the difference between G0 and G1?", QuestionType::Comparison),
            ("List all suppliers", QuestionType::List),
            ("How many items are on invoice TF-001?", QuestionType::Count),
            ("What is the total amount of all items?", QuestionType::Sum),
            ("Which part has the lowest price?", QuestionType::Minimum),
            ("What is the average unit price?", QuestionType::Average),
            ("Is the pump suitable for salt water?", QuestionType::YesNo),
            ("What is the price of the gasket?", QuestionType::Row),
            ("Who made the pump?", QuestionType::Fact),
            ("Wie viele Schrauben hat die Pumpe?", QuestionType::Count),
        ] {
            assert_eq!(understand(question, &[])[0].question_type, expected, "{question}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_a_question(question in "\\PC{0,120}", before in "\\PC{0,60}") {
            let turn = Turn { question: before, answer: String::new() };
            let parts = understand(&question, &[turn]);
            proptest::prop_assert!((1..=MAX_PARTS).contains(&parts.len()));
        }
    }
}
