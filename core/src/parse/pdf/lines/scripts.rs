//! Superscripts and subscripts: small characters off the baseline of the text that they belong to.

use super::Atom;
use crate::parse::pdf::labels;

/// Characters smaller than this part of their neighbours may be superscripts or subscripts.
const SCRIPT_SIZE: f32 = 0.85;
/// In longer rows superscripts are not looked for.
const MAX_ROW: usize = 1_000;

/// Moves superscripts and subscripts into the row that they belong to. A raised figure becomes a raised character,
/// because "10" with a raised "3" must not be read as 103.
pub(super) fn attach_scripts(rows: &mut [Vec<Atom>]) {
    for index in 0..rows.len() {
        let mut kept = Vec::new();
        for atom in std::mem::take(&mut rows[index]) {
            if kept.len() > MAX_ROW {
                kept.push(atom);
                continue;
            }
            let neighbours = [index.wrapping_add(1), index.wrapping_sub(1), index.wrapping_add(2)];
            let home = neighbours.into_iter().find_map(|other| {
                let base = rows.get(other)?.iter().take(MAX_ROW).position(|base| is_script_of(&atom, base))?;
                Some((other, base))
            });
            match home {
                Some((other, base)) => {
                    let row = &mut rows[other];
                    // A fraction's parts are no exponents.
                    let is_fraction = row.iter().any(|other| is_stroke_beside(other, &atom));
                    let raised = row[base].v - atom.v > 0.15 * row[base].size && !is_fraction;
                    let mut script = atom;
                    if raised && let Some(text) = raise(&script.text) {
                        script.text = text;
                    }
                    script.v = row[base].v;
                    row.push(script);
                }
                None => kept.push(atom),
            }
        }
        rows[index].extend(kept);
    }
}

/// Whether `other` is the stroke of a fraction that `atom` is the upper or lower part of.
fn is_stroke_beside(other: &Atom, atom: &Atom) -> bool {
    let near = 0.15 * other.size;
    (other.u0 - atom.u1).abs() <= near && other.text.starts_with(['⁄', '/'])
        || (atom.u0 - other.u1).abs() <= near && other.text.ends_with(['⁄', '/'])
}

fn is_script_of(atom: &Atom, base: &Atom) -> bool {
    let up = base.v - atom.v;
    let (after, before) = ((atom.u0 - base.u1) / base.size, (base.u0 - atom.u1) / base.size);
    // Raised before a text: a footnote's number, the upper part of a fraction.
    let leads = up > 0.15 * base.size && (-0.1..=0.6).contains(&before);
    atom.size < SCRIPT_SIZE * base.size
        && (-0.35 * base.size..=0.65 * base.size).contains(&up)
        && ((-0.1..=0.25).contains(&after) || leads)
}

/// A raised text in raised characters. Of letters only a single one: it is an exponent or the mark of a note, whereas
/// "1st" is a word.
fn raise(text: &str) -> Option<String> {
    const PLAIN: &str = "0123456789+-−=()";
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾";
    let mut characters = text.chars();
    if let (Some(letter @ 'a'..='z'), None) = (characters.next(), characters.next()) {
        return labels::raised_letter(letter).map(String::from);
    }
    text.chars().map(|c| RAISED.chars().nth(PLAIN.chars().position(|plain| plain == c)?)).collect()
}
