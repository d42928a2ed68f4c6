//! Questions as people ask them.

use super::*;

fn named(question: &str) -> Vec<(NamedKind, String)> {
    Question::parse(question).named.into_iter().map(|named| (named.kind, named.text)).collect()
}

#[test]
fn what_a_question_names_is_told_apart() {
    for (question, expected) in [
        ("What is on invoice TF/2026-27/001?", vec![(NamedKind::Code, "TF/2026-27/001")]),
        ("price of sku 48291", vec![(NamedKind::Label, "sku 48291")]),
        ("G28 or G 29", vec![(NamedKind::Code, "G28"), (NamedKind::Code, "G 29")]),
        ("what does error 9 mean", vec![(NamedKind::Label, "error 9")]),
        ("who is 27AAPFU0939F1ZV", vec![(NamedKind::Gstin, "27AAPFU0939F1ZV")]),
        ("who is 27AAPFU0939F1ZX", vec![(NamedKind::WrongGstin, "27AAPFU0939F1ZX")]),
        ("paid ₹1,23,456.00", vec![(NamedKind::Amount, "1,23,456.00")]),
        (
            "1.234,56 € or EUR 500 or $1,200.50",
            vec![(NamedKind::Amount, "1.234,56"), (NamedKind::Amount, "EUR 500"), (NamedKind::Amount, "$1,200.50")],
        ),
        ("setting $130", vec![(NamedKind::Code, "$130")]),
        ("gap of 3,5 mm at 24V", vec![(NamedKind::Dimension, "3,5 mm"), (NamedKind::Dimension, "24V")]),
        ("invoices of 12.03.2026", vec![(NamedKind::Date, "12.03.2026")]),
        ("invoices of 12 March 2026", vec![(NamedKind::Date, "12 March 2026")]),
        ("Rechnung vom 12. März 2026", vec![(NamedKind::Date, "12. März 2026")]),
        ("top speed in 9 of 10 cases", vec![(NamedKind::Number, "9"), (NamedKind::Number, "10")]),
        ("how do I home the Z axis", vec![]),
    ] {
        let expected: Vec<_> = expected.into_iter().map(|(kind, text)| (kind, text.to_owned())).collect();
        assert_eq!(named(question), expected, "{question}");
    }
}

#[test]
fn figures_and_rows_are_noticed() {
    assert!(Question::parse("gap 3,5 mm").is_numeric());
    assert!(!Question::parse("what pressure is allowed at the pump inlet, 3 bar?").is_numeric());
    for question in [
        "Which item has the highest price?",
        "price of the pump",
        "how many bolts",
        "Welche Position ist die teuerste?",
        "Wie viele Schrauben?",
        "prix de la pompe",
        "combien de vis",
        "precio del motor",
        "¿Cuántos tornillos?",
    ] {
        assert!(Question::parse(question).is_row_level, "{question}");
    }
    assert!(!Question::parse("how do I change the seal").is_row_level);
}

#[test]
fn what_is_wanted_is_noticed() {
    for (question, wanted) in [
        ("How do I change the seal?", Some(Wanted::Procedure)),
        ("Wie kann ich die Dichtung wechseln?", Some(Wanted::Procedure)),
        ("Comment changer le joint ?", Some(Wanted::Procedure)),
        ("table of torques", Some(Wanted::Table)),
        ("What safety warnings apply to the blade?", Some(Wanted::Warning)),
        ("Welche Gefahren gibt es?", Some(Wanted::Warning)),
        ("What is backlash?", Some(Wanted::Definition)),
        ("¿Qué significa G28?", Some(Wanted::Definition)),
        ("seal of the pump", None),
    ] {
        assert_eq!(Question::parse(question).wanted, wanted, "{question}");
    }
}

#[test]
fn what_narrows_down_is_not_looked_up() {
    let question =
        Question::parse("seal doc:pump type:pdf supplier:\"Tata Steel\" -valve -\"hot water\" \"exact words\"");
    assert_eq!(question.subject, "seal exact words");
    assert_eq!(question.filters.names, ["pump"]);
    assert_eq!(question.filters.types, ["pdf"]);
    assert_eq!(question.filters.contents, ["Tata Steel"]);
    assert_eq!(question.excluded, ["valve", "hot water"]);
    assert_eq!(question.phrases, ["exact words"]);
    assert!(question.filters.is_explicit());
}

#[test]
fn what_only_looks_like_syntax_is_looked_up() {
    for question in
        ["at -5 °C", "what does -r do", "SKU - 48291", "error:9", "a 3\" pipe, 4\" long", "note: turn it", "doc:"]
    {
        let parsed = Question::parse(question);
        assert_eq!(parsed.subject, question);
        assert!(parsed.excluded.is_empty() && parsed.phrases.is_empty() && !parsed.filters.is_explicit(), "{question}");
    }
}

#[test]
fn documents_are_named_in_passing() {
    let filters = Question::parse("what torque does manual P-100.pdf say").filters;
    assert!(filters.names_file("pumps/p-100.PDF") && !filters.names_file("P-101.pdf"));
    assert!(!filters.is_explicit());
    assert_eq!(Question::parse("the total in the invoice").filters.class, Some(DocumentClass::Invoice));
    assert_eq!(Question::parse("Was steht in der Rechnung?").filters.class, Some(DocumentClass::Invoice));
    assert_eq!(Question::parse("turn it manually").filters.class, None);
}

#[test]
fn filters_admit_by_name_title_and_kind() {
    let admits =
        |question: &str, name: &str, title: &str, format| Question::parse(question).filters.admits(name, title, format);
    assert!(admits("x doc:p-100", "pumps/P-100 manual.pdf", "", Format::Pdf));
    assert!(admits("x doc:\"centrifugal pump\"", "a.pdf", "Centrifugal Pump P-100", Format::Pdf));
    assert!(!admits("x doc:valve", "pumps/P-100.pdf", "Pump", Format::Pdf));
    assert!(admits("x type:pdf", "a.pdf", "", Format::Pdf) && !admits("x type:pdf", "a.md", "", Format::Markdown));
    assert!(admits("x type:invoice", "a.xml", "", Format::Invoice));
    assert!(admits("x type:invoice", "2026/Rechnung 12.pdf", "", Format::Pdf));
    assert!(!admits("x type:invoice", "2026/Manual.pdf", "", Format::Pdf));
}

#[test]
fn a_phrase_is_found_word_for_word() {
    let question = Question::parse("\"turn the Knob\"");
    assert!(question.has_phrases("Then turn\nthe knob, slowly."));
    assert!(!question.has_phrases("Turn the other knob."));
    assert!(!question.has_phrases("return the knob"));
}

proptest::proptest! {
    #[test]
    fn any_text_is_a_question(text in "[\\PC]{0,80}") {
        let question = Question::parse(&text);
        for named in &question.named {
            proptest::prop_assert_eq!(question.subject.get(named.start..named.end), Some(named.text.as_str()));
        }
        let _ = question.query();
    }

    #[test]
    fn any_use_of_the_syntax_is_a_question(text in "(doc:|type:|-|\"|“|”|a|9|,| |₹|é|:){0,40}") {
        let question = Question::parse(&text);
        let _ = (question.query(), question.has_phrases(&text), question.filters.admits(&text, &text, Format::Pdf));
    }
}
