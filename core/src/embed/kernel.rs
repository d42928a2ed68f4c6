//! The product of 8-bit activations with 7-bit weights, exact in whole numbers and so the same on every machine.
//!
//! One side has seven bits because the instruction that decides the race in a browser,
//! `i32x4.relaxed_dot_i8x16_i7x16_add`, is only defined for that; with it every other instruction is exact as well
//! (2 · 128 · 127 fits 16 bits). [`pack`] lays weights out for the way ([`Instructions`]) that a machine goes, [`simd`] holds the
//! instructions, and what is around them (scales, zero points) is [`super::int8`]'s.

pub(super) mod pack;
pub(super) mod simd;

/// How many rows and columns one call computes.
pub(super) const TILE_ROWS: usize = 8;
/// Columns of a panel of weights.
pub(super) const TILE_COLUMNS: usize = 16;

/// The sums of one tile.
pub(super) type Tile = [[i32; TILE_COLUMNS]; TILE_ROWS];

/// The instructions that a product is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// Plain Rust.
    Portable,
    /// Sixteen-bit pairs in 128-bit registers: every browser with SIMD.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
    /// Eight-bit fours in 128-bit registers, in three instructions: browsers with relaxed SIMD on older x86, where it is a
    /// tenth faster.
    #[cfg(all(target_arch = "wasm32", relaxed_simd))]
    RelaxedSplit,
    /// Eight-bit fours in 128-bit registers, in one instruction: browsers with relaxed SIMD.
    #[cfg(all(target_arch = "wasm32", relaxed_simd))]
    RelaxedSimd,
    /// Eight-bit fours in 256-bit registers.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// Eight-bit fours in 512-bit registers, one instruction for product and sum.
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
}

impl Instructions {
    /// The found that this machine (or, in wasm, this build) has, the fastest last.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let mut found = vec![Self::Portable];
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        found.push(Self::Simd128);
        #[cfg(all(target_arch = "wasm32", relaxed_simd))]
        found.extend([Self::RelaxedSplit, Self::RelaxedSimd]);
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx2") {
            found.push(Self::Avx2);
            if std::is_x86_feature_detected!("avx512f") && std::is_x86_feature_detected!("avx512vnni") {
                found.push(Self::Avx512Vnni);
            }
        }
        found
    }

    /// The fastest of them.
    #[must_use]
    pub fn best() -> Self {
        Self::available().last().copied().unwrap_or(Self::Portable)
    }

    /// How many numbers of a row lie together for one instruction.
    pub(super) fn group(self) -> usize {
        match self {
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => 2,
            _ => 4,
        }
    }
}
