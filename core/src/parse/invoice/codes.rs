//! What the codes in invoices mean, as far as people meet them: UNTDID 1001, 4461 and 5305, UN/ECE recommendation 20.

/// A kind of document (UNTDID 1001).
pub(super) fn document_type(code: &str) -> Option<&'static str> {
    Some(match code {
        "71" => "request for payment",
        "80" => "debit note for goods or services",
        "81" => "credit note for goods or services",
        "84" => "debit note for financial adjustments",
        "204" => "payment valuation",
        "211" => "interim application for payment",
        "261" => "self-billed credit note",
        "325" => "pro forma invoice",
        "326" => "partial invoice",
        "380" => "commercial invoice",
        "381" => "credit note",
        "383" => "debit note",
        "384" => "corrected invoice",
        "386" => "prepayment invoice",
        "389" => "self-billed invoice",
        "393" => "factored invoice",
        "396" => "factored credit note",
        "751" => "invoice information for accounting purposes",
        "875" => "partial construction invoice",
        "876" => "partial final construction invoice",
        "877" => "final construction invoice",
        _ => return None,
    })
}

/// A way to pay (UNTDID 4461).
pub(super) fn payment_means(code: &str) -> Option<&'static str> {
    Some(match code {
        "1" => "not defined",
        "10" => "cash",
        "20" => "cheque",
        "30" => "credit transfer",
        "31" => "debit transfer",
        "42" => "payment to bank account",
        "48" => "bank card",
        "49" => "direct debit",
        "54" => "credit card",
        "55" => "debit card",
        "57" => "standing agreement",
        "58" => "SEPA credit transfer",
        "59" => "SEPA direct debit",
        "68" => "online payment service",
        "97" => "clearing between partners",
        _ => return None,
    })
}

/// A category of value added tax (UNTDID 5305).
pub(super) fn vat_category(code: &str) -> Option<&'static str> {
    Some(match code {
        "S" => "standard rate",
        "AA" => "lower rate",
        "Z" => "zero rated",
        "E" => "exempt from tax",
        "AE" => "reverse charge",
        "K" | "IC" => "intra-community supply",
        "G" => "export",
        "O" => "outside the scope of tax",
        "L" => "IGIC",
        "M" => "IPSI",
        _ => return None,
    })
}

/// A unit (UN/ECE recommendations 20 and 21).
pub(super) fn unit(code: &str) -> Option<&'static str> {
    Some(match code {
        "C62" | "EA" => "one",
        "H87" | "PCE" | "PCB" => "piece",
        "NAR" => "articles",
        "SET" => "set",
        "PR" => "pair",
        "DZN" => "dozen",
        "LS" => "lump sum",
        "P1" => "percent",
        "SEC" => "second",
        "MIN" => "minute",
        "HUR" => "hour",
        "DAY" => "day",
        "WEE" => "week",
        "MON" => "month",
        "ANN" => "year",
        "MGM" => "milligram",
        "GRM" => "gram",
        "KGM" => "kilogram",
        "TNE" => "tonne",
        "MMT" => "millimetre",
        "CMT" => "centimetre",
        "MTR" | "LM" => "metre",
        "KMT" | "KTM" => "kilometre",
        "CMK" => "square centimetre",
        "MTK" => "square metre",
        "MLT" => "millilitre",
        "LTR" => "litre",
        "HLT" => "hectolitre",
        "MTQ" => "cubic metre",
        "KWH" => "kilowatt hour",
        "KWT" => "kilowatt",
        "BX" | "XBX" => "box",
        "CT" | "XCT" => "carton",
        "PK" | "XPK" => "package",
        "PA" | "XPA" => "packet",
        "BG" | "XBG" => "bag",
        "BO" | "XBO" => "bottle",
        "CA" | "XCA" => "can",
        "RO" | "XRO" => "roll",
        "PX" | "XPX" => "pallet",
        _ => return None,
    })
}

/// Whether an amount is added or taken away.
pub(super) fn charge_indicator(value: &str) -> Option<&'static str> {
    match value {
        "true" | "1" => Some("charge"),
        "false" | "0" => Some("allowance"),
        _ => None,
    }
}
