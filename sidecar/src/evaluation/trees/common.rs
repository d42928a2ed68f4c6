//! What both trees' texts go through, and the longest common subsequence.

use super::Block;

/// Blanks of every kind collapsed, invisible characters left out.
pub(super) fn collapse(text: &str) -> String {
    let shown: String = text.chars().filter(|c| !is_invisible(*c)).collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Without any blank.
pub(super) fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !is_invisible(*c)).collect()
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// The longest common subsequence of our blocks and the accepted ones, as pairs of their places. O(n · m).
pub(super) fn subsequence(ours: &[Block], accepted: &[Block]) -> Vec<(usize, usize)> {
    let width = accepted.len() + 1;
    // length[i][j]: of the blocks from i and j on.
    let mut length = vec![0_u32; (ours.len() + 1) * width];
    let mut same = vec![false; ours.len() * accepted.len()];
    for i in (0..ours.len()).rev() {
        for j in (0..accepted.len()).rev() {
            let is_same = ours[i].is(&accepted[j]);
            same[i * accepted.len() + j] = is_same;
            length[i * width + j] = if is_same {
                length[(i + 1) * width + j + 1] + 1
            } else {
                length[(i + 1) * width + j].max(length[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < ours.len() && j < accepted.len() {
        if same[i * accepted.len() + j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if length[(i + 1) * width + j] >= length[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::{super::Class, *};

    fn blocks(texts: &[&str]) -> Vec<Block> {
        texts.iter().map(|text| Block::new(Class::Text, text)).collect()
    }

    #[test]
    fn order_matters() {
        let pairs = subsequence(&blocks(&["a", "x", "b", "c"]), &blocks(&["a", "c", "b", "c", "d"]));
        assert_eq!(pairs, [(0, 0), (2, 2), (3, 3)]);
        assert_eq!(subsequence(&blocks(&["b", "a"]), &blocks(&["a", "b"])).len(), 1);
    }
}
