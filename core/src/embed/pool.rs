//! One vector for a text: the mean of its tokens' states, of length one.

use super::{Tokens, math};

/// What an [`Encoder`](super::Encoder) makes of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct States {
    /// A row for each token.
    pub values: Vec<f32>,
    /// Numbers in a row.
    pub dims: usize,
}

/// The vector of each text. A text without tokens has a vector of zeros, which is like no other.
#[must_use]
pub fn pool(states: &States, tokens: &Tokens) -> Vec<Vec<f32>> {
    tokens
        .texts()
        .map(|text| {
            let mut vector = vec![0.0; states.dims];
            let rows = states.values.get(text.start * states.dims..text.end * states.dims).unwrap_or(&[]);
            for row in rows.chunks_exact(states.dims.max(1)) {
                vector.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
            }
            // The division by the number of tokens goes out with the length.
            let length = math::reduce_squares(&vector).sqrt();
            if length > 0.0 {
                let factor = 1.0 / length;
                vector.iter_mut().for_each(|x| *x *= factor);
            }
            vector
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_the_direction_of_the_mean() {
        let mut tokens = Tokens::default();
        tokens.push(&[1, 2]);
        tokens.push(&[]);
        let states = States { values: vec![2.0, 0.0, 4.0, 8.0], dims: 2 };
        let vectors = pool(&states, &tokens);
        assert!((vectors[0][0] - 0.6).abs() < 1e-6 && (vectors[0][1] - 0.8).abs() < 1e-6);
        assert_eq!(vectors[1], [0.0, 0.0]);
    }
}
