//! Formulas in two notations: docling writes LaTeX, Millwright a line of Unicode. Compared are the letters, figures and
//! signs in order, without what either notation needs to group them.

/// LaTeX commands and the characters they print.
const PRINTED: &[(&str, &str)] = &[
    ("alpha", "α"),
    ("beta", "β"),
    ("bigcup", "⋃"),
    ("bigwedge", "⋀"),
    ("cap", "∩"),
    ("cdot", "⋅"),
    ("epsilon", "ϵ"),
    ("iiint", "∭"),
    ("iint", "∬"),
    ("infty", "∞"),
    ("int", "∫"),
    ("oiiint", "∰"),
    ("oiint", "∯"),
    ("oint", "∮"),
    ("overbrace", ""),
    ("pi", "π"),
    ("pm", "±"),
    ("prod", "∏"),
    ("sum", "∑"),
    ("textellipsis", "…"),
    ("times", "×"),
    ("to", "→"),
    ("rightarrow", "→"),
    ("in", "∈"),
    ("leq", "≤"),
    ("geq", "≥"),
    ("neq", "≠"),
    ("mathrm", ""),
];

/// Commands whose names are printed.
const NAMED: &[&str] = &["sin", "cos", "tan", "lim", "log", "ln", "max", "min", "exp"];

/// LaTeX to the characters it prints; commands that only arrange are dropped.
pub(super) fn plain(latex: &str) -> String {
    let mut printed = String::new();
    let mut rest = latex;
    while let Some(at) = rest.find('\\') {
        printed.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        rest = after;
        match PRINTED.iter().find(|(command, _)| *command == name) {
            Some((_, character)) => printed.push_str(character),
            None if NAMED.contains(&name) => printed.push_str(name),
            // \genfrac{}{}{0pt}{}: delimiters, thickness and style.
            None if name == "genfrac" => rest = rest.strip_prefix("{}{}{0pt}{}").unwrap_or(rest),
            // \\overset{above}{base}: a line has the base first.
            None if name == "overset" || name == "underset" => {
                if let Some((limit, after)) = group(rest) {
                    let (base, after) = group(after).unwrap_or(("", after));
                    printed.push_str(&plain(base));
                    printed.push_str(&plain(limit));
                    rest = after;
                }
            }
            None if name.is_empty() => {
                let mut characters = rest.chars();
                printed.extend(characters.next());
                rest = characters.as_str();
            }
            None => {}
        }
    }
    printed + rest
}

/// What stands in the braces that a text begins with, and what follows them.
fn group(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return text.get(1..at).map(|inside| (inside, &text[at + 1..])).filter(|_| character == '}');
        }
    }
    None
}

/// Without blanks and brackets, superscript and fraction signs.
pub(super) fn reduce(text: &str) -> String {
    let grouping = |c: char| c.is_whitespace() || "{}()[]_^/⁄|&\u{200b}\u{2061}\u{2062}〖〗▒⏟⏞┬┴¦".contains(c);
    let same = |c| match c {
        '·' | '∙' => '⋅',
        '−' | '–' => '-',
        'ε' | '𝜖' => 'ϵ',
        c => c,
    };
    text.chars().filter(|c| !grouping(*c)).map(same).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_meet() {
        let same = |latex: &str, line: &str| assert_eq!(reduce(&plain(latex)), reduce(line));
        same(r"\left(1+x\right)^{n}=1+\frac{nx}{1!}+ \text{ \textellipsis }", "(1+x)^n=1+nx/1!+…");
        same(r"\sum_{n=1}^{ \infty }a_{n} \pi", "∑_(n=1)^∞ a_n π");
        same(r"\genfrac{}{}{0pt}{}{n}{k}", "n¦k");
        same(r"\sin(\frac{n \pi x}{L})", "sin(nπx/L)");
        same(r"\overset{n\ terms}{\overbrace{a+b}}+c", "(a+b)^(n terms)+c");
        assert_ne!(reduce(&plain(r"x^{2}")), reduce("x^3"));
    }
}
