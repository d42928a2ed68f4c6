//! Fifty questions over the [corpus](crate::corpus), asked natively and in the browser.

/// Questions as people type them: words, identifiers, numbers in several notations, and things that are no questions.
pub const QUESTIONS: [&str; 50] = [
    "how do I replace the mechanical seal of the KP-210",
    "KP-210",
    "KP-215 coupling gap",
    "what torque for the anchor bolts of the lathe",
    "lock out the main switch before opening the guard",
    "\"tighten the foundation bolts\"",
    "TF/2026-27/001",
    "TF/2026-27/01",
    "invoice TF/2026-27/007 total",
    "SKU-48291",
    "48291",
    "SKU-4829",
    "which machine uses SKU-66773",
    "M6x20",
    "M6 x 20 hex bolt",
    "3,5 mm",
    "3.5 mm",
    "coupling gap 0.05 mm",
    "$130",
    "$130=640",
    "error:9",
    "error 20",
    "E-20001",
    "e-20001 cause and remedy",
    "fault E-5003 on the LX7",
    "400 V",
    "11 kV transformer insulation resistance",
    "mass of the hydraulic press",
    "noise level of the compressor",
    "how often do I check the oil level",
    "maintenance every 8000 hours",
    "who found the worn coupling",
    "2026-03",
    "air drawn in through a leaking flange",
    "temperature sensor broken",
    "emergency stop pressed and not released",
    "store dry and free of frost",
    "turn the shaft by hand",
    "power cord cuts plug burn marks",
    "drive belt for six-axis robot",
    "DIN 125",
    "1/2 in",
    "₹ total payable within 30 days",
    "gebrochene Kupplung Größe",
    "pumps pumping pumped",
    "the of and",
    "???",
    "AND OR NOT (pump) +seal -bearing field:value [1 TO 9] *",
    "MV-90/2 milling machine anchor bolts protective earth phases coupling gap storage schedule faults",
    "zzyzx quux",
];

#[cfg(test)]
mod tests {
    #[test]
    fn no_question_is_asked_twice() {
        let distinct: std::collections::BTreeSet<_> = super::QUESTIONS.iter().collect();
        assert_eq!(distinct.len(), super::QUESTIONS.len());
    }
}
