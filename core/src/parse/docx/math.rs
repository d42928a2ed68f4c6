//! Equations (OMML) as a line of text: `a^2+b^2=c^2`, `x=(-b±√(b^2-4ac))/(2a)`.
//!
//! The linear form that Word itself shows, with brackets only where a reader needs them. Not for typesetting.

use crate::parse::markup::Element;

/// The equation as one line.
pub(super) fn linear(element: &Element) -> String {
    let mut line = String::new();
    push_all(element, &mut line);
    line.trim().to_owned()
}

fn push_all(element: &Element, line: &mut String) {
    for child in element.children() {
        push(child, line);
    }
}

fn push(element: &Element, line: &mut String) {
    let part = |name: &str| element.child(name).map(linear).unwrap_or_default();
    let property = |name: &str| {
        let properties = element.children().find(|child| child.name.ends_with("Pr"));
        properties
            .and_then(|properties| properties.child(name))
            .map(|value| value.attribute("m:val").unwrap_or_default())
    };
    match &*element.name {
        "m:t" => line.push_str(&element.text()),
        "m:f" => {
            let (above, below) = (part("m:num"), part("m:den"));
            match property("m:type") {
                Some("noBar") => line.push_str(&format!("({above}¦{below})")),
                _ => line.push_str(&format!("{}/{}", grouped(&above), grouped(&below))),
            }
        }
        "m:sSup" => line.push_str(&format!("{}^{}", grouped(&part("m:e")), grouped(&part("m:sup")))),
        "m:sSub" | "m:sSubSup" => {
            line.push_str(&part("m:e"));
            limit(line, '_', &part("m:sub"));
            limit(line, '^', &part("m:sup"));
        }
        "m:sPre" => {
            limit(line, '_', &part("m:sub"));
            limit(line, '^', &part("m:sup"));
            line.push_str(&format!(" {}", part("m:e")));
        }
        "m:rad" => {
            let degree = part("m:deg");
            let degree = if degree.is_empty() { degree } else { format!("[{degree}]") };
            line.push_str(&format!("√{degree}({})", part("m:e")));
        }
        "m:nary" => {
            line.push_str(property("m:chr").unwrap_or("∫"));
            limit(line, '_', &part("m:sub"));
            limit(line, '^', &part("m:sup"));
            line.push(' ');
            line.push_str(&part("m:e"));
        }
        "m:d" => {
            let parts: Vec<String> = element.all("m:e").map(linear).collect();
            line.push_str(property("m:begChr").unwrap_or("("));
            line.push_str(&parts.join(property("m:sepChr").unwrap_or("|")));
            line.push_str(property("m:endChr").unwrap_or(")"));
        }
        "m:func" => {
            let (name, argument) = (part("m:fName"), part("m:e"));
            let gap = if argument.starts_with(['(', '[']) { "" } else { " " };
            line.push_str(&format!("{name}{gap}{argument}"));
        }
        "m:limLow" => {
            line.push_str(&part("m:e"));
            limit(line, '_', &part("m:lim"));
        }
        "m:limUpp" => {
            line.push_str(&part("m:e"));
            limit(line, '^', &part("m:lim"));
        }
        "m:groupChr" => line.push_str(&grouped(&part("m:e"))),
        "m:acc" => {
            let mark = property("m:chr").unwrap_or("\u{302}");
            line.push_str(&part("m:e"));
            line.push_str(mark);
        }
        "m:bar" => line.push_str(&format!("‾{}", grouped(&part("m:e")))),
        "m:m" => {
            let row = |row: &Element| row.all("m:e").map(linear).collect::<Vec<_>>().join(", ");
            let rows: Vec<String> = element.all("m:mr").map(row).collect();
            line.push_str(&format!("[{}]", rows.join("; ")));
        }
        "m:eqArr" => {
            let lines: Vec<String> = element.all("m:e").map(|line| linear(line).replace('&', "")).collect();
            line.push_str(&lines.join("; "));
        }
        name if name.ends_with("Pr") => {}
        _ => push_all(element, line),
    }
}

/// A limit above or below, if there is one.
fn limit(line: &mut String, sign: char, limit: &str) {
    if !limit.is_empty() {
        line.push(sign);
        line.push_str(&grouped(limit));
    }
}

/// In brackets, unless it is one number, one word or already in brackets.
fn grouped(part: &str) -> String {
    let one = part.chars().count() == 1 && !part.contains(['+', '-', '−'])
        || part.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | ','));
    if one || is_bracketed(part) { part.to_owned() } else { format!("({part})") }
}

/// Whether the first bracket is closed by the last.
fn is_bracketed(part: &str) -> bool {
    let mut depth = 0_i32;
    let inside = part.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inside.is_some_and(|inside| {
        inside.chars().all(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth >= 0
        }) && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::{super::names, *};
    use crate::parse::markup;

    fn line(inside: &str) -> String {
        let namespace = "http://schemas.openxmlformats.org/officeDocument/2006/math";
        let xml = format!(r#"<m:oMath xmlns:m="{namespace}">{inside}</m:oMath>"#);
        linear(&markup::root(&xml, names::prefixes).unwrap())
    }

    fn run(text: &str) -> String {
        format!("<m:r><m:t>{text}</m:t></m:r>")
    }

    fn power(base: &str, exponent: &str) -> String {
        format!("<m:sSup><m:e>{}</m:e><m:sup>{}</m:sup></m:sSup>", run(base), run(exponent))
    }

    #[test]
    fn powers_and_fractions() {
        assert_eq!(line(&(power("a", "2") + &run("+") + &power("b", "n+1"))), "a^2+b^(n+1)");
        let fraction = |above: &str, below: &str| format!("<m:f><m:num>{above}</m:num><m:den>{below}</m:den></m:f>");
        let root =
            format!("<m:rad><m:radPr><m:degHide m:val=\"1\"/></m:radPr><m:deg/><m:e>{}</m:e></m:rad>", power("b", "2"));
        assert_eq!(line(&fraction(&(run("-b±") + &root), &run("2a"))), "(-b±√(b^2))/2a");
        assert_eq!(line(&fraction(&run("(a)(b)"), &run("(a+b)"))), "((a)(b))/(a+b)");
    }

    #[test]
    fn sums_limits_and_brackets() {
        let sum = format!(
            r#"<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{}</m:sub><m:sup>{}</m:sup><m:e>{}</m:e></m:nary>"#,
            run("k=0"),
            run("n"),
            run("k")
        );
        assert_eq!(line(&sum), "∑_(k=0)^n k");
        assert_eq!(line("<m:nary><m:sub/><m:sup/><m:e><m:r><m:t>x</m:t></m:r></m:e></m:nary>"), "∫ x");
        let pair = format!(
            r#"<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>{}</m:e><m:e>{}</m:e></m:d>"#,
            run("a"),
            run("b")
        );
        assert_eq!(line(&pair), "[a|b]");
        let before = format!("<m:sPre><m:sub>{}</m:sub><m:sup/><m:e>{}</m:e></m:sPre>", run("+"), run("τ"));
        assert_eq!(line(&(run("s") + &before)), "s_(+) τ");
        let matrix =
            format!("<m:m><m:mr><m:e>{0}</m:e><m:e>{0}</m:e></m:mr><m:mr><m:e>{0}</m:e></m:mr></m:m>", run("1"));
        assert_eq!(line(&matrix), "[1, 1; 1]");
    }
}
