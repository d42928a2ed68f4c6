//! How many layers of a model a graphics card has room for. Not for asking the card: that is the engine.

/// What a model's file says of its size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Layers.
    pub(super) n_layers: u64,
    /// Numbers a token has between layers.
    pub(super) width: u64,
    /// Heads of attention.
    pub(super) n_heads: u64,
    /// Heads whose keys and values are kept.
    pub(super) n_kv_heads: u64,
}

/// Of the free memory, what is left to others and to intermediate results: a part, and at least so much.
const KEPT_FREE_PART: u64 = 10;
const KEPT_FREE_BYTES: u64 = 512 << 20;
/// Keys and values are kept as 16-bit numbers.
const KV_BYTES: u64 = 2;

/// The layers that fit into `free_bytes`, of a file of `file_bytes`, with the memory of `context_tokens` for each. All, and the
/// output with them, is one more than the model has.
pub(super) fn that_fit(free_bytes: u64, file_bytes: u64, context_tokens: u64, shape: Shape) -> u32 {
    let kept = (free_bytes / KEPT_FREE_PART).max(KEPT_FREE_BYTES);
    let usable = free_bytes.saturating_sub(kept);
    let n_parts = shape.n_layers.saturating_add(1);
    // Embeddings and output count as one layer; they are more in small models, where all fits anyway.
    let weights = file_bytes / n_parts;
    let kept_width = shape.width.saturating_mul(shape.n_kv_heads) / shape.n_heads.max(1);
    let memory = context_tokens.saturating_mul(2 * KV_BYTES).saturating_mul(kept_width);
    let fitting = usable / weights.saturating_add(memory).max(1);
    u32::try_from(fitting.min(n_parts)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_go_by_free_memory() {
        // 7B in four bits: 32 layers of 130 MB with 64 MB of keys and values each at 4,096 tokens.
        let shape = Shape { n_layers: 32, width: 4096, n_heads: 32, n_kv_heads: 32 };
        let fit = |free_gib: u64| that_fit(free_gib << 30, 4_300_000_000, 4096, shape);
        assert_eq!((fit(0), fit(24)), (0, 33));
        assert!((10..20).contains(&fit(4)), "{}", fit(4));
        assert!(fit(2) < fit(4) && fit(4) < fit(8));
        let one_head = Shape { n_kv_heads: 4, ..shape };
        assert!(that_fit(4 << 30, 4_300_000_000, 4096, one_head) > fit(4), "fewer keys, more layers");
    }
}
