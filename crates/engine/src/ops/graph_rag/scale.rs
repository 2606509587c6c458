//! The scale of relevance, and the effect of search order.
//!
//! Search gives a chunk's relevance on a scale where noise ends at [`MIN_RELEVANCE`] (0.1), measured on questions that a
//! repository can and cannot answer. In a context noise ends at 0.3, its default for the least relevance. So the scale is
//! stretched: 0.1 becomes 0.3, and 0 and 1 stay.

use super::tuning::GraphRagTuning;
use search::rank::MIN_RELEVANCE;

/// Converts from the scale of search to that of a context.
pub(super) fn search_to_context_scale(relevance: f64, tuning: &GraphRagTuning) -> f64 {
    let (least, noise) = (f64::from(MIN_RELEVANCE), tuning.noise);
    if relevance < least {
        return (relevance / least * noise).max(0.0);
    }
    (noise + (relevance - least) / (1.0 - least) * (1.0 - noise)).min(1.0)
}

/// Converts from the scale of a context to that of search.
pub(super) fn context_to_search_scale(relevance: f64, tuning: &GraphRagTuning) -> f64 {
    let (least, noise) = (f64::from(MIN_RELEVANCE), tuning.noise);
    if relevance < noise {
        return (relevance / noise * least).max(0.0);
    }
    (least + (relevance - noise) / (1.0 - noise) * (1.0 - least)).min(1.0)
}

/// The relevance of a neighbour in the graph: the relevance inherited from the anchor, raised or lowered by its own match with
/// the query.
pub(super) fn combine_relevance(inherited: f64, own: Option<f64>, tuning: &GraphRagTuning) -> f64 {
    let kept = tuning.kept * inherited;
    match own {
        Some(own) => kept.max((1.0 - tuning.own) * inherited + tuning.own * own),
        None => kept,
    }
}

/// Relevances of chunks in the order of search, changed so that they fall with that order. Search orders by more than relevance
/// (rules, the file as a whole), and the priority must not undo that. Neighbours that rise are levelled to their mean (isotonic
/// regression), which keeps the sum.
fn isotonic_relevances(relevances: &[f64]) -> Vec<f64> {
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for relevance in relevances {
        let mut block = (*relevance, 1);
        while let Some((sum, count)) = blocks.last().copied() {
            if sum / count as f64 > block.0 / block.1 as f64 {
                break;
            }
            blocks.pop();
            block = (sum + block.0, count + block.1);
        }
        blocks.push(block);
    }
    let each = |(sum, count): &(f64, usize)| vec![sum / *count as f64; *count];
    blocks.iter().flat_map(each).collect()
}

/// Relevances of anchors in the order of search: levelled, then lowered with each place, so that hot files do not undo the
/// order. None falls below `least` through its place alone.
pub(super) fn decreasing_relevances(
    relevances: &[f64],
    least: f64,
    tuning: &GraphRagTuning,
) -> Vec<f64> {
    let levelled = isotonic_relevances(relevances).into_iter().enumerate();
    let each = |(place, relevance): (usize, f64)| {
        let places = place.min(tuning.place_most) as f64;
        let lowered = relevance * (1.0 - tuning.place_slope * places);
        lowered.max(relevance.min(least))
    };
    levelled.map(each).collect()
}

/// The effect of a file's heat on a fragment: heat alone makes nothing relevant.
pub(super) fn weighted_hotspot(heat: f64, relevance: f64) -> f64 {
    heat * relevance * relevance
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }

    #[test]
    fn the_ends_of_noise_meet_and_the_way_back_is_the_same() {
        let tuning = GraphRagTuning::default();
        for (search, context) in [(0.0, 0.0), (0.1, 0.3), (1.0, 1.0), (0.55, 0.65)] {
            near(search_to_context_scale(search, &tuning), context);
            near(context_to_search_scale(context, &tuning), search);
        }
    }

    #[test]
    fn relevance_falls_with_the_order_of_search() {
        let levelled = isotonic_relevances(&[0.9, 0.4, 0.8, 0.3, 0.5, 0.1]);
        for (a, b) in levelled.iter().zip([0.9, 0.6, 0.6, 0.4, 0.4, 0.1]) {
            near(*a, b);
        }
        assert!(super::isotonic_relevances(&[]).is_empty());
    }

    #[test]
    fn equals_keep_their_places_and_none_is_lost_by_its_place() {
        let tuning = GraphRagTuning::default();
        let all = decreasing_relevances(&[0.8, 0.8, 0.31, 0.2], 0.3, &tuning);
        for (a, b) in all.iter().zip([0.8, 0.76, 0.3, 0.2]) {
            near(*a, b);
        }
        let many = decreasing_relevances(&[0.9; 40], 0.3, &tuning);
        near(many[39], 0.45);
    }

    #[test]
    fn a_hot_file_does_not_make_up_for_relevance() {
        let worth = |relevance, heat| {
            search::prune::priority(relevance, weighted_hotspot(heat, relevance), 1)
        };
        assert!(worth(0.9, 0.0) > worth(0.5, 1.0));
        assert!(worth(0.9, 1.0) > worth(0.95, 0.2));
    }

    #[test]
    fn an_unrelated_neighbour_falls_below_noise() {
        let combine =
            |inherited, own| combine_relevance(inherited, Some(own), &GraphRagTuning::default());
        // A logger that five functions call, reached from an anchor of high relevance.
        assert!(combine(0.29, 0.1) < 0.3);
        assert!(combine(0.54, 0.0) > 0.4);
        assert!(combine(0.3, 0.7) > 0.45);
    }
}
