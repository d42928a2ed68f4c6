//! The bare kernel that the core's scan is measured against: eight bits a component with one fixed step, a score a row, the
//! ten best of the scores. No scales, no ties, no documents, nothing measured again. Whoever wants a scan of vectors in
//! a page writes this; it has unsafe loads, as that program would.

use crate::{DEPTH, DIMENSIONS};

/// One step of a code: components of such vectors are hardly ever beyond a quarter.
const STEPS: f32 = 4.0 * 127.0;

/// Codes, row by row.
#[derive(Debug)]
pub struct Bare {
    codes: Vec<i8>,
    scores: Vec<f32>,
}

impl Bare {
    /// Takes vectors in.
    #[must_use]
    pub fn build(vectors: &[f32]) -> Self {
        let codes: Vec<i8> = vectors.iter().map(code).collect();
        Self { scores: vec![0.0; codes.len() / DIMENSIONS], codes }
    }

    /// The numbers of the nearest.
    pub fn search(&mut self, question: &[f32]) -> Vec<u32> {
        let mut wide = [0_i16; DIMENSIONS];
        for (wide, x) in wide.iter_mut().zip(question) {
            *wide = i16::from(code(x));
        }
        for (score, row) in self.scores.iter_mut().zip(self.codes.as_chunks::<DIMENSIONS>().0) {
            *score = dot(&wide, row) as f32;
        }
        best(&self.scores)
    }
}

fn code(x: &f32) -> i8 {
    (x * STEPS).round().clamp(-127.0, 127.0) as i8
}

/// The ten best by insertion.
fn best(scores: &[f32]) -> Vec<u32> {
    let mut found: Vec<(f32, u32)> = Vec::with_capacity(DEPTH + 1);
    for (score, row) in scores.iter().zip(0..) {
        if found.len() == DEPTH && *score <= found[DEPTH - 1].0 {
            continue;
        }
        let at = found.partition_point(|(other, _)| other >= score);
        found.insert(at, (*score, row));
        found.truncate(DEPTH);
    }
    found.into_iter().map(|(_, row)| row).collect()
}

#[cfg(target_arch = "wasm32")]
#[expect(unsafe_code, reason = "vector loads go through pointers, as in what this stands for")]
fn dot(question: &[i16; DIMENSIONS], row: &[i8; DIMENSIONS]) -> i32 {
    use core::arch::wasm32::*;
    let (mut low, mut high) = (i32x4_splat(0), i32x4_splat(0));
    for at in (0..DIMENSIONS).step_by(16) {
        // SAFETY: both have 384 components, a multiple of 16.
        unsafe {
            let row = v128_load(row.as_ptr().add(at).cast());
            let first = v128_load(question.as_ptr().add(at).cast());
            let second = v128_load(question.as_ptr().add(at + 8).cast());
            low = i32x4_add(low, i32x4_dot_i16x8(i16x8_extend_low_i8x16(row), first));
            high = i32x4_add(high, i32x4_dot_i16x8(i16x8_extend_high_i8x16(row), second));
        }
    }
    let sums = i32x4_add(low, high);
    i32x4_extract_lane::<0>(sums)
        + i32x4_extract_lane::<1>(sums)
        + i32x4_extract_lane::<2>(sums)
        + i32x4_extract_lane::<3>(sums)
}

/// In the form of which the compiler makes vector code.
#[cfg(not(target_arch = "wasm32"))]
fn dot(question: &[i16; DIMENSIONS], row: &[i8; DIMENSIONS]) -> i32 {
    let part = |(q, r): (&[i16; 32], &[i8; 32])| {
        let mut sum = 0;
        for at in 0..32 {
            sum += i32::from(q[at]) * i32::from(i16::from(r[at]));
        }
        sum
    };
    question.as_chunks::<32>().0.iter().zip(row.as_chunks::<32>().0).map(part).sum()
}
