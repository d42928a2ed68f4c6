//! How well the candidates do that lie nearest to a candidate: what answers a question stands close together (the cluster
//! hypothesis; van Rijsbergen, "Information Retrieval", 1979; score regularisation: Diaz, Information Retrieval 10, 2007).

use crate::rerank::Passage;

/// How many neighbours are heard.
const N_NEIGHBOURS: usize = 10;

/// By candidate: the mean of what its neighbours came to, as a share of the largest such mean. The nearer a neighbour, the
/// more it counts: by the fourth power of its cosine. One without a vector is taken to be among its like.
/// O(n² · dimensions).
pub(super) fn shares(found: &[f32], passages: &[Passage<'_>]) -> Vec<f32> {
    let n = passages.len();
    let mut cosines = vec![0.0_f32; n * n];
    for a in 0..n {
        for b in 0..a {
            if let (Some(code), Some(other)) = (passages[a].code, passages[b].code) {
                let cosine = code.cosine(other).max(0.0);
                (cosines[a * n + b], cosines[b * n + a]) = (cosine, cosine);
            }
        }
    }
    let mean = |at: usize| {
        let mut nearest: Vec<(f32, usize)> =
            cosines[at * n..(at + 1) * n].iter().copied().zip(0..).filter(|(cosine, _)| *cosine > 0.0).collect();
        nearest.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        nearest.truncate(N_NEIGHBOURS);
        let (mut sum, mut weights) = (0.0, 0.0);
        for (cosine, neighbour) in nearest {
            let weight = (cosine * cosine) * (cosine * cosine);
            sum += weight * found[neighbour];
            weights += weight;
        }
        if weights > 0.0 { sum / weights } else { found[at] }
    };
    let means: Vec<f32> = (0..n).map(mean).collect();
    let largest = means.iter().fold(0.0_f32, |largest, mean| largest.max(*mean));
    means.into_iter().map(|mean| if largest > 0.0 { mean / largest } else { 0.0 }).collect()
}
