//! Numbers as lists and footnotes print them: letters, Roman figures, signs.

/// Bijective letters as word processors count: a, …, z, aa, bb, ….
pub(crate) fn letters(number: u32) -> String {
    let Some(before) = number.checked_sub(1) else { return String::new() };
    let letter = char::from(b'a' + (before % 26) as u8);
    // Nobody counts further in letters; a hostile start would make a text of it.
    let times = (before / 26 + 1).min(20) as usize;
    std::iter::repeat_n(letter, times).collect()
}

/// Roman figures in small letters; decimal figures beyond 4999 and for 0.
pub(crate) fn roman(number: u32) -> String {
    const DIGITS: [(u32, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    if !(1..5000).contains(&number) {
        return number.to_string();
    }
    let (mut rest, mut roman) = (number, String::new());
    for (value, digit) in DIGITS {
        while rest >= value {
            rest -= value;
            roman.push_str(digit);
        }
    }
    roman
}

/// A number in a form as Office Open XML names it; decimal figures where the form is not known.
pub(crate) fn printed(number: u32, form: &str) -> String {
    match form {
        "none" => String::new(),
        "lowerLetter" => letters(number),
        "upperLetter" => letters(number).to_uppercase(),
        "lowerRoman" => roman(number),
        "upperRoman" => roman(number).to_uppercase(),
        "decimalZero" => format!("{number:02}"),
        "ordinal" => format!("{number}{}", ordinal_ending(number)),
        "chicago" => "*†‡§".chars().nth(number.saturating_sub(1) as usize % 4).map(String::from).unwrap_or_default(),
        "decimalEnclosedCircle" | "decimalEnclosedCircleChinese" if (1..=20).contains(&number) => {
            char::from_u32(0x245f + number).map(String::from).unwrap_or_default()
        }
        "russianLower" | "russianUpper" => {
            let letters: Vec<char> = "абвгдежзиклмнопрстуфхцчшщыэюя".chars().collect();
            let letter = letters[number.saturating_sub(1) as usize % letters.len()].to_string();
            if form == "russianUpper" { letter.to_uppercase() } else { letter }
        }
        "hindiNumbers" => {
            number.to_string().bytes().filter_map(|b| char::from_u32(0x966 + u32::from(b - b'0'))).collect()
        }
        _ => number.to_string(),
    }
}

fn ordinal_ending(number: u32) -> &'static str {
    match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        let forms = ["decimal", "lowerLetter", "upperRoman", "decimalZero", "ordinal", "decimalEnclosedCircle", "none"];
        assert_eq!(forms.map(|form| printed(4, form)), ["4", "d", "IV", "04", "4th", "④", ""]);
        assert_eq!(printed(28, "upperLetter"), "BB");
        assert_eq!(printed(0, "lowerLetter") + &printed(0, "lowerRoman"), "0");
        assert_eq!(printed(1994, "lowerRoman"), "mcmxciv");
        assert_eq!(printed(112, "ordinal"), "112th");
        assert_eq!(printed(12, "hindiNumbers"), "१२");
        assert!(printed(u32::MAX, "lowerLetter").len() < 30);
    }
}
