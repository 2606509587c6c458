//! The value of a fragment, before it is known whether it fits.

/// The weights of the formula, as designed.
const RELEVANCE: f64 = 0.4;
const HOTSPOT: f64 = 0.3;
const NEARNESS: f64 = 0.3;

/// `0.4 · relevance + 0.3 · hotspot + 0.3 / distance`: relevance and hotspot 0–1, distance in hops
/// of the graph, 1 for results of the query itself.
pub fn priority(relevance: f64, hotspot: f64, distance: u32) -> f64 {
    RELEVANCE * relevance.clamp(0.0, 1.0)
        + HOTSPOT * hotspot.clamp(0.0, 1.0)
        + NEARNESS / f64::from(distance.max(1))
}

#[cfg(test)]
mod tests {
    use super::priority;

    #[test]
    fn sc_sp_002_priority_calculation() {
        let (a, b) = (priority(0.9, 0.8, 1), priority(0.7, 0.5, 2));
        assert!((a - 0.90).abs() < 1e-9, "{a}");
        assert!((b - 0.58).abs() < 1e-9, "{b}");
        assert!(a > b);
    }

    #[test]
    fn values_out_of_range_count_as_the_nearest_in_it() {
        assert_eq!(priority(7.0, -1.0, 0), priority(1.0, 0.0, 1));
    }
}
