//! The inner loop of a scan: the product of a question's codes and a row's, eight bits by eight.

/// Rows are padded to a multiple of this many components.
pub(super) const STEP: usize = 32;
/// Eight-bit numbers in a register of a browser.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
const LANES: usize = 16;

/// Sum of the products. Both have the same length, a multiple of [`STEP`]; at most 65,536 components, else it could
/// overflow (each product is at most 128²).
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) fn dot(query: &[i16], row: &[i8]) -> i32 {
    use core::arch::wasm32::{
        i16x8, i16x8_extend_high_i8x16, i16x8_extend_low_i8x16, i32x4_add, i32x4_dot_i16x8, i32x4_splat,
    };
    let (mut low, mut high) = (i32x4_splat(0), i32x4_splat(0));
    for (q, r) in query.as_chunks::<LANES>().0.iter().zip(row.as_chunks::<LANES>().0) {
        let row = bytes(r);
        let q_low = i16x8(q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7]);
        let q_high = i16x8(q[8], q[9], q[10], q[11], q[12], q[13], q[14], q[15]);
        low = i32x4_add(low, i32x4_dot_i16x8(i16x8_extend_low_i8x16(row), q_low));
        high = i32x4_add(high, i32x4_dot_i16x8(i16x8_extend_high_i8x16(row), q_high));
    }
    sum(i32x4_add(low, high))
}

/// Sum of the products.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(super) fn dot(query: &[i16], row: &[i8]) -> i32 {
    products(query, row, |code| code)
}

/// The same of two rows.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) fn dot_rows(a: &[i8], b: &[i8]) -> i32 {
    use core::arch::wasm32::{
        i16x8_extend_high_i8x16, i16x8_extend_low_i8x16, i32x4_add, i32x4_dot_i16x8, i32x4_splat,
    };
    let (mut low, mut high) = (i32x4_splat(0), i32x4_splat(0));
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        let (a, b) = (bytes(a), bytes(b));
        low = i32x4_add(low, i32x4_dot_i16x8(i16x8_extend_low_i8x16(a), i16x8_extend_low_i8x16(b)));
        high = i32x4_add(high, i32x4_dot_i16x8(i16x8_extend_high_i8x16(a), i16x8_extend_high_i8x16(b)));
    }
    sum(i32x4_add(low, high))
}

/// The same of two rows.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(super) fn dot_rows(a: &[i8], b: &[i8]) -> i32 {
    products(a, b, i16::from)
}

/// Plain Rust in a form of which compilers make vector code: sums of fixed length, and the widening from eight bits to
/// sixteen in sight. Twice as fast as one long sum.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
fn products<A: Copy>(a: &[A], b: &[i8], widen: impl Fn(A) -> i16) -> i32 {
    let part = |(a, b): (&[A; STEP], &[i8; STEP])| {
        let mut sum = 0;
        for at in 0..STEP {
            sum += i32::from(widen(a[at])) * i32::from(i16::from(b[at]));
        }
        sum
    };
    a.as_chunks::<STEP>().0.iter().zip(b.as_chunks::<STEP>().0).map(part).sum()
}

/// Naming every lane is how a vector is loaded without unsafe code; it compiles to one load.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn bytes(r: &[i8; LANES]) -> core::arch::wasm32::v128 {
    core::arch::wasm32::i8x16(
        r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9], r[10], r[11], r[12], r[13], r[14], r[15],
    )
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn sum(lanes: core::arch::wasm32::v128) -> i32 {
    use core::arch::wasm32::i32x4_extract_lane;
    i32x4_extract_lane::<0>(lanes)
        + i32x4_extract_lane::<1>(lanes)
        + i32x4_extract_lane::<2>(lanes)
        + i32x4_extract_lane::<3>(lanes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_every_product() {
        let query: Vec<i16> = (0..96).map(|at| at * 5 % 255 - 127).collect();
        let row: Vec<i8> = (0..96).map(|at| (at * 37 % 255 - 127) as i8).collect();
        let mut expected = 0;
        for at in 0..96 {
            expected += i32::from(query[at]) * i32::from(row[at]);
        }
        assert_eq!(dot(&query, &row), expected);
        assert_eq!(dot(&[127; 384], &[-127; 384]), -127 * 127 * 384);
        let other: Vec<i8> = query.iter().map(|code| *code as i8).collect();
        assert_eq!((dot_rows(&other, &row), dot_rows(&row, &other)), (expected, expected));
    }
}
