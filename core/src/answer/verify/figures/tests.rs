//! What must be word for word, and what may be written in another way.

use super::*;

fn holds(claim: &str, passage: &str) -> bool {
    missing(claim, passage, passage).is_empty()
}

#[test]
fn numbers_units_and_dates_may_be_written_in_another_way() {
    for (claim, passage) in [
        ("It takes 3.5 mm.", "Gap: 3,5 mm"),
        ("It takes 1,234.50 EUR.", "Total 1.234,50 €"),
        ("Tighten to 25 newton metres.", "Tighten to 25 Nm."),
        ("It stands 60 degrees Celsius.", "Up to 60 °C."),
        ("Between 5 mm and 10 mm.", "Gap 5–10 mm."),
        ("Paid on 12 March 2026.", "Date: 2026-03-12"),
        ("Paid on 12.03.2026.", "Date: 12 March 2026"),
        ("It has three bolts.", "It has 3 bolts."),
        ("SKU 48291 is a gasket.", "SKU-48291: gasket"),
        ("It weighs 25kg.", "Weight: 25 kg"),
        ("Stored at -20 °C.", "Stored at −20 °C."),
        ("The torque is 25 Nm.", "Bolt | Torque (Nm)\nM8 | 25"),
        ("About 10 percent.", "About 10 %."),
        ("Efficiency is 50%.", "Efficiency is 50 per cent."),
        ("It costs $1,200.", "Price: USD 1200"),
    ] {
        assert!(holds(claim, passage), "{claim} / {passage}: {:?}", missing(claim, passage, passage));
    }
}

#[test]
fn what_is_not_there_is_named() {
    for (claim, passage, problem) in [
        ("It takes 26 Nm.", "It takes 25 Nm.", Problem::Figure("26 Nm".into())),
        ("It takes 25 lb.", "It takes 25 kg.", Problem::Unit("25 lb".into())),
        ("It takes 2.5 mm.", "It takes 25 mm.", Problem::Figure("2.5 mm".into())),
        ("Use SKU-48290.", "Use SKU-48291.", Problem::Code("SKU-48290".into())),
        ("Use an M6 bolt.", "Use an M8 bolt.", Problem::Code("M6".into())),
        ("Paid on 13 March 2026.", "Paid on 12 March 2026.", Problem::Date("13 March 2026".into())),
        ("It came from Bosch.", "It came from Siemens.", Problem::Name("Bosch".into())),
        ("It has four bolts.", "It has 3 bolts.", Problem::Figure("four".into())),
        ("Stored at 20 °C.", "Stored at -20 °C.", Problem::Figure("20 °C".into())),
        ("It takes 5 MPa.", "It takes 5 kPa.", Problem::Unit("5 MPa".into())),
    ] {
        assert!(
            missing(claim, passage, passage).contains(&problem),
            "{claim} / {passage}: {:?}",
            missing(claim, passage, passage)
        );
    }
}

#[test]
fn a_number_stays_with_its_thing() {
    let bolts = "M6 bolts are tightened to 10 Nm and M8 bolts to 25 Nm.";
    let screws = "The steel screw takes 25 Nm and the brass screw 15 Nm.";
    let after = "Use 25 Nm for steel and 15 Nm for brass.";
    let ordered = "M6 and M8 bolts take 10 and 25 Nm respectively.";
    for (claim, passage) in [
        ("M8 bolts are tightened to 25 Nm.", bolts),
        ("M6 bolts are tightened to 10 Nm.", bolts),
        ("The brass screw takes 15 Nm.", screws),
        ("The steel screw takes 25 Nm.", screws),
        ("Brass takes 15 Nm.", after),
        ("Steel takes 25 Nm.", after),
        ("M8 bolts take 25 Nm.", ordered),
        ("M6 bolts take 10 Nm.", ordered),
        ("The steel screw takes 25 Nm and the brass screw 15 Nm.", screws),
    ] {
        assert_eq!(misbound(claim, passage), None, "{claim} / {passage}");
    }
    for (claim, passage) in [
        ("M8 bolts are tightened to 10 Nm.", bolts),
        ("M6 bolts are tightened to 25 Nm.", bolts),
        ("The brass screw takes 25 Nm.", screws),
        ("The steel screw takes 15 Nm.", screws),
        ("Brass takes 25 Nm.", after),
        ("Steel takes 15 Nm.", after),
        ("M8 bolts take 10 Nm.", ordered),
        ("The steel screw takes 15 Nm and the brass screw 25 Nm.", screws),
    ] {
        assert!(misbound(claim, passage).is_some(), "{claim} / {passage}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_can_be_compared(claim in "\\PC{0,80}", passage in "\\PC{0,120}") {
        let _ = missing(&claim, &passage, &passage);
        let _ = misbound(&claim, &passage);
    }

    #[test]
    fn what_a_text_says_itself_is_there(text in "([A-Za-z]{2,6} ){1,4}[0-9]{1,4} (mm|kg|Nm|bar)") {
        proptest::prop_assert!(missing(&text, &text, &text).is_empty());
    }
}
