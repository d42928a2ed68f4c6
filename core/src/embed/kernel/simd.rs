//! The vector instructions, and with them the only unsafe code of the core.
//!
//! Every kernel here is the same sum: for eight rows of activations and sixteen columns of weights, Σ row[k] · column[k].
//! [`tile`] checks the lengths that the pointers rely on; nothing else is to be trusted by them.
#![expect(unsafe_code, reason = "vector loads go through pointers; `tile` checks their bounds")]

use super::{Instructions, TILE_COLUMNS, TILE_ROWS, Tile};

/// Rows of activations as the kernels read them.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Rows<'a> {
    /// Row after row.
    pub(in super::super) bytes: &'a [i8],
    /// The same in sixteen bits, for the instructions that take those; else empty.
    #[cfg_attr(
        not(target_arch = "wasm32"),
        expect(dead_code, reason = "only browsers without relaxed SIMD read sixteen bits")
    )]
    pub(in super::super) wide: &'a [i16],
    /// Numbers in a row.
    pub(in super::super) n_inputs: usize,
}

/// Sums the products of rows `first..first + TILE_ROWS` with a panel. Only the first `n_rows` sums are wanted; a kernel may
/// leave out the rest.
#[inline]
pub(in super::super) fn tile(
    instructions: Instructions,
    rows: Rows<'_>,
    first: usize,
    n_rows: usize,
    panel: &[u8],
    out: &mut Tile,
) {
    let (start, end) = (first * rows.n_inputs, (first + TILE_ROWS) * rows.n_inputs);
    assert!(rows.bytes.len() >= end && panel.len() == TILE_COLUMNS * rows.n_inputs && rows.n_inputs.is_multiple_of(16));
    let bytes = &rows.bytes[start..end];
    match instructions {
        Instructions::Portable => portable(bytes, rows.n_inputs, n_rows, panel, out),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Instructions::Simd128 => {
            assert!(rows.wide.len() >= end);
            for half in (0..n_rows.min(TILE_ROWS)).step_by(4) {
                // SAFETY: rows `half..half + 4` of the eight lie within `wide`, and the panel has 16 columns; both were
                // checked above. A build with `simd128` runs only where the engine has it.
                unsafe { wasm::pairs(&rows.wide[start..end], half, rows.n_inputs, panel, out) }
            }
        }
        #[cfg(all(target_arch = "wasm32", relaxed_simd))]
        Instructions::RelaxedSimd => {
            for half in (0..n_rows.min(TILE_ROWS)).step_by(4) {
                // SAFETY: as above, with `bytes`.
                unsafe { wasm::fours::<true>(bytes, half, rows.n_inputs, panel, out) }
            }
        }
        #[cfg(all(target_arch = "wasm32", relaxed_simd))]
        Instructions::RelaxedSplit => {
            for half in (0..n_rows.min(TILE_ROWS)).step_by(4) {
                // SAFETY: as above, with `bytes`.
                unsafe { wasm::fours::<false>(bytes, half, rows.n_inputs, panel, out) }
            }
        }
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => {
            for half in (0..n_rows.min(TILE_ROWS)).step_by(4) {
                // SAFETY: bounds as above; `Int8Bert::new` packs for this path only where the processor has AVX2.
                unsafe { x86::avx2(bytes, half, rows.n_inputs, panel, out) }
            }
        }
        #[cfg(target_arch = "x86_64")]
        // SAFETY: bounds as above; `Int8Bert::new` packs for this path only where there is AVX-512 F and VNNI.
        Instructions::Avx512Vnni => unsafe { x86::avx512_vnni(bytes, rows.n_inputs, panel, out) },
    }
}

fn portable(bytes: &[i8], n_inputs: usize, n_rows: usize, panel: &[u8], out: &mut Tile) {
    for (row, sums) in bytes.chunks_exact(n_inputs).zip(out.iter_mut()).take(n_rows) {
        *sums = [0; TILE_COLUMNS];
        for (values, group) in row.as_chunks::<4>().0.iter().zip(panel.as_chunks::<{ 4 * TILE_COLUMNS }>().0) {
            for (sum, weights) in sums.iter_mut().zip(group.as_chunks::<4>().0) {
                let products = values.iter().zip(weights).map(|(value, weight)| i32::from(*value) * i32::from(*weight));
                *sum += products.sum::<i32>();
            }
        }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use super::Tile;
    use std::arch::wasm32::*;

    /// Four rows from `half`, weights in pairs: sixteen-bit products, summed two by two.
    ///
    /// # Safety
    /// `wide` holds eight rows of `n_inputs`, an even number; `panel` holds 16 · `n_inputs` bytes.
    #[inline]
    pub(super) unsafe fn pairs(wide: &[i16], half: usize, n_inputs: usize, panel: &[u8], out: &mut Tile) {
        for side in 0..2 {
            let mut sums = [[i32x4_splat(0); 2]; 4];
            let row = |r: usize| wide.as_ptr().wrapping_add((half + r) * n_inputs);
            let rows = [row(0), row(1), row(2), row(3)];
            let weights = panel.as_ptr().wrapping_add(16 * side);
            for pair in 0..n_inputs / 2 {
                // SAFETY: 32 bytes of the panel belong to each pair, 16 to each side; each row has two numbers a pair.
                unsafe {
                    let packed = v128_load(weights.add(32 * pair).cast());
                    let low = u16x8_extend_low_u8x16(packed);
                    let high = u16x8_extend_high_u8x16(packed);
                    for (sums, row) in sums.iter_mut().zip(rows) {
                        let values = v128_load32_splat(row.add(2 * pair).cast());
                        sums[0] = i32x4_add(sums[0], i32x4_dot_i16x8(values, low));
                        sums[1] = i32x4_add(sums[1], i32x4_dot_i16x8(values, high));
                    }
                }
            }
            store(&sums, half, 8 * side, out);
        }
    }

    /// Four rows from `half`, weights in fours; products and sum in one instruction (`FUSED`) or in three.
    ///
    /// # Safety
    /// `bytes` holds eight rows of `n_inputs`, a multiple of four; `panel` holds 16 · `n_inputs` bytes.
    #[cfg(relaxed_simd)]
    #[target_feature(enable = "relaxed-simd")]
    pub(super) unsafe fn fours<const FUSED: bool>(
        bytes: &[i8],
        half: usize,
        n_inputs: usize,
        panel: &[u8],
        out: &mut Tile,
    ) {
        for side in 0..2 {
            let mut sums = [[i32x4_splat(0); 2]; 4];
            let row = |r: usize| bytes.as_ptr().wrapping_add((half + r) * n_inputs);
            let rows = [row(0), row(1), row(2), row(3)];
            let weights = panel.as_ptr().wrapping_add(32 * side);
            for four in 0..n_inputs / 4 {
                // SAFETY: 64 bytes of the panel belong to each four, 32 to each side; each row has four numbers a four.
                unsafe {
                    let low = v128_load(weights.add(64 * four).cast());
                    let high = v128_load(weights.add(64 * four + 16).cast());
                    for (sums, row) in sums.iter_mut().zip(rows) {
                        let values = v128_load32_splat(row.add(4 * four).cast());
                        sums[0] = dot::<FUSED>(values, low, sums[0]);
                        sums[1] = dot::<FUSED>(values, high, sums[1]);
                    }
                }
            }
            store(&sums, half, 8 * side, out);
        }
    }

    /// Sums of four products each, added to `sum`. One instruction, which engines keep as one on ARM and on Intel since
    /// AVX-VNNI; or three, where engines make five of the one: on older x86.
    #[cfg(relaxed_simd)]
    #[target_feature(enable = "relaxed-simd")]
    #[inline]
    fn dot<const FUSED: bool>(values: v128, weights: v128, sum: v128) -> v128 {
        if FUSED {
            i32x4_relaxed_dot_i8x16_i7x16_add(values, weights, sum)
        } else {
            i32x4_add(sum, i32x4_dot_i16x8(i16x8_relaxed_dot_i8x16_i7x16(values, weights), i16x8_splat(1)))
        }
    }

    #[inline]
    fn store(sums: &[[v128; 2]; 4], half: usize, column: usize, out: &mut Tile) {
        for (sums, out) in sums.iter().zip(&mut out[half..half + 4]) {
            for (sum, out) in sums.iter().zip(out[column..column + 8].as_chunks_mut::<4>().0) {
                *out = [
                    i32x4_extract_lane::<0>(*sum),
                    i32x4_extract_lane::<1>(*sum),
                    i32x4_extract_lane::<2>(*sum),
                    i32x4_extract_lane::<3>(*sum),
                ];
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{TILE_ROWS, Tile};
    use std::arch::x86_64::*;

    /// Four rows from `half`.
    ///
    /// # Safety
    /// The processor has AVX2; `bytes` holds eight rows of `n_inputs`, a multiple of four; `panel` 16 · `n_inputs` bytes.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn avx2(bytes: &[i8], half: usize, n_inputs: usize, panel: &[u8], out: &mut Tile) {
        let mut sums = [[_mm256_setzero_si256(); 2]; 4];
        let ones = _mm256_set1_epi16(1);
        let weights = panel.as_ptr();
        let rows = bytes.as_ptr().wrapping_add(half * n_inputs);
        for four in 0..n_inputs / 4 {
            // SAFETY: 64 bytes of the panel belong to each four; each row has four numbers a four.
            unsafe {
                let low = _mm256_loadu_si256(weights.add(64 * four).cast());
                let high = _mm256_loadu_si256(weights.add(64 * four + 32).cast());
                for (r, sums) in sums.iter_mut().enumerate() {
                    let values = _mm256_set1_epi32(rows.add(r * n_inputs + 4 * four).cast::<i32>().read_unaligned());
                    let products = _mm256_madd_epi16(_mm256_maddubs_epi16(low, values), ones);
                    sums[0] = _mm256_add_epi32(sums[0], products);
                    let products = _mm256_madd_epi16(_mm256_maddubs_epi16(high, values), ones);
                    sums[1] = _mm256_add_epi32(sums[1], products);
                }
            }
        }
        for (sums, out) in sums.iter().zip(&mut out[half..half + 4]) {
            // SAFETY: a row of a tile is 64 bytes.
            unsafe {
                _mm256_storeu_si256(out.as_mut_ptr().cast(), sums[0]);
                _mm256_storeu_si256(out.as_mut_ptr().add(8).cast(), sums[1]);
            }
        }
    }

    /// Eight rows.
    ///
    /// # Safety
    /// The processor has AVX-512 F and VNNI; otherwise as [`avx2`].
    #[target_feature(enable = "avx512f,avx512vnni")]
    pub(super) unsafe fn avx512_vnni(bytes: &[i8], n_inputs: usize, panel: &[u8], out: &mut Tile) {
        let mut sums = [_mm512_setzero_si512(); TILE_ROWS];
        let (weights, rows) = (panel.as_ptr(), bytes.as_ptr());
        for four in 0..n_inputs / 4 {
            // SAFETY: 64 bytes of the panel belong to each four; each row has four numbers a four.
            unsafe {
                let column = _mm512_loadu_si512(weights.add(64 * four).cast());
                for (r, sum) in sums.iter_mut().enumerate() {
                    let values = _mm512_set1_epi32(rows.add(r * n_inputs + 4 * four).cast::<i32>().read_unaligned());
                    *sum = _mm512_dpbusd_epi32(*sum, column, values);
                }
            }
        }
        for (sum, out) in sums.iter().zip(out) {
            // SAFETY: a row of a tile is 64 bytes.
            unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), *sum) }
        }
    }
}
