//! Hotspots: files that change often and are complex, in which work and bugs gather (Tornhill, "Your Code as a Crime Scene",
//! 2015). Score = change frequency × complexity, or a weighted sum of four measures.

use serde::Serialize;

/// Measures of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FileMeasure<'a> {
    /// Its path.
    pub path: &'a str,
    /// Sum of the cyclomatic complexity of its functions.
    pub complexity: u32,
    /// Lines.
    pub lines: u32,
    /// Commits that changed it.
    pub commits: usize,
    /// Number of changes, each weighted; not negative.
    pub frequency: f64,
    /// The largest share (0–1) of its changes in which one other file changed too.
    pub coupling: f64,
    /// Days since it changed last.
    pub days: f64,
}

/// Weights of the measures in a weighted score; together 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HotspotWeights {
    /// Change frequency.
    pub churn: f64,
    /// Complexity.
    pub complexity: f64,
    /// Coupling.
    pub coupling: f64,
    /// Recency of the last change.
    pub age: f64,
}

impl Default for HotspotWeights {
    fn default() -> HotspotWeights {
        HotspotWeights {
            churn: 0.4,
            complexity: 0.3,
            coupling: 0.2,
            age: 0.1,
        }
    }
}

/// Options of the score's formula.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HotspotFormula {
    /// The weighted sum instead of the product.
    pub weights: Option<HotspotWeights>,
    /// Whether the score is multiplied by 1 to 2, more for a later last change.
    pub boost: bool,
    /// Whether the parts of the score are given; the hottest file then has 1, whatever the formula.
    pub normalized: bool,
}

/// Days after which the recency of a change is halved.
const HALF_LIFE: f64 = 30.0;

/// A file's place among the hotspots.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hotspot {
    /// Its path.
    pub file_path: String,
    /// File role, unless people work on the file as source: `test`, `generated`, `vendor`, …. In JSON the field is called
    /// `boundary`, after the operation that finds roles.
    #[serde(rename = "boundary", skip_serializing_if = "Option::is_none")]
    pub role: Option<&'static str>,
    /// 0–1, 1 for the hottest of the repository.
    pub score: f64,
    /// Commits that changed it.
    pub commits: usize,
    /// Number of changes, each weighted.
    pub frequency: f64,
    /// Sum of the cyclomatic complexity of its functions.
    pub complexity: u32,
    /// Lines.
    pub lines: u32,
    /// The measures as 0–1, if they were asked for.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub parts: Option<HotspotParts>,
    /// Files that change together with it, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub coupled: Vec<CoupledFile>,
}

/// Measures of a file, each 0–1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct HotspotParts {
    /// Change frequency, 1 for the most of the repository.
    pub churn_norm: f64,
    /// Complexity, 0–1.
    pub complexity_norm: f64,
    /// The largest share of its changes in which one other file changed too.
    pub coupling: f64,
    /// Recency of the last change: halved every 30 days.
    pub age: f64,
    /// Factor by which the score was multiplied.
    pub recency_factor: f64,
}

/// A file that changes together with another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CoupledFile {
    /// Its path.
    pub file_path: String,
    /// The share of the other's changes that it took part in, 0–1.
    pub share: f64,
}

/// All files with a score above 0, hottest first, then by path; the product of both measures.
///
/// See [`hotspots_by`].
pub fn hotspots(files: &[FileMeasure<'_>]) -> Vec<Hotspot> {
    hotspots_by(files, &HotspotFormula::default())
}

/// All files with a score above 0, hottest first, then by path.
///
/// The product is scaled to 0–1 by its square root over the greatest one's: change and size both have long tails, and without
/// the root nearly all files would be close to 0.
pub fn hotspots_by(files: &[FileMeasure<'_>], formula: &HotspotFormula) -> Vec<Hotspot> {
    let most = |of: &dyn Fn(&FileMeasure<'_>) -> f64| files.iter().map(of).fold(0.0, f64::max);
    let most_churn = most(&|f| f.frequency.max(0.0));
    let most_complex = most(&|f| f64::from(f.complexity));
    if most_churn <= 0.0 || most_complex <= 0.0 {
        return Vec::new();
    }
    let parts = |f: &FileMeasure<'_>| {
        let age = 0.5_f64.powf(f.days.max(0.0) / HALF_LIFE);
        HotspotParts {
            churn_norm: f.frequency.max(0.0) / most_churn,
            complexity_norm: f64::from(f.complexity) / most_complex,
            coupling: f.coupling.clamp(0.0, 1.0),
            age,
            recency_factor: if formula.boost { 1.0 + age } else { 1.0 },
        }
    };
    let heat = |f: &FileMeasure<'_>| {
        let p = parts(f);
        let never = p.churn_norm <= 0.0 || p.complexity_norm <= 0.0;
        let heat = match formula.weights {
            _ if never => 0.0,
            None => (p.churn_norm * p.complexity_norm).sqrt(),
            Some(w) => {
                w.churn * p.churn_norm
                    + w.complexity * p.complexity_norm
                    + w.coupling * p.coupling
                    + w.age * p.age
            }
        };
        heat * p.recency_factor
    };
    let hottest = most(&heat);
    // A sum of shares means something by itself; a product only in comparison with others.
    let scale = if formula.weights.is_some() && !formula.normalized && !formula.boost {
        1.0
    } else {
        hottest.max(f64::MIN_POSITIVE)
    };
    let hotspot = |f: &FileMeasure<'_>| Hotspot {
        file_path: f.path.to_owned(),
        role: None,
        score: heat(f) / scale,
        commits: f.commits,
        frequency: f.frequency,
        complexity: f.complexity,
        lines: f.lines,
        parts: (*formula != HotspotFormula::default()).then(|| parts(f)),
        coupled: Vec::new(),
    };
    let mut all: Vec<Hotspot> = files
        .iter()
        .map(hotspot)
        .filter(|h| h.score > 0.0)
        .collect();
    all.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| a.file_path.cmp(&b.file_path))
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, complexity: u32, frequency: f64) -> FileMeasure<'_> {
        FileMeasure {
            path,
            complexity,
            lines: 10 * complexity,
            commits: frequency.ceil() as usize,
            frequency,
            coupling: 0.0,
            days: 0.0,
        }
    }

    #[test]
    fn change_times_complexity() {
        let found = hotspots(&[
            file("often-simple", 2, 50.0),
            file("often-complex", 100, 16.0),
            file("never", 400, 0.0),
            file("data", 0, 90.0),
            file("seldom-complex", 100, 4.0),
        ]);
        let order: Vec<(&str, f64)> = found
            .iter()
            .map(|h| (h.file_path.as_str(), (h.score * 100.0).round() / 100.0))
            .collect();
        assert_eq!(
            order,
            [
                ("often-complex", 1.0),
                ("seldom-complex", 0.5),
                ("often-simple", 0.25)
            ]
        );
    }

    #[test]
    fn weighted_measures_are_those_of_the_design() {
        let weights = Some(HotspotWeights::default());
        let formula = HotspotFormula {
            weights,
            ..HotspotFormula::default()
        };
        let mut old = file("old", 50, 5.0);
        (old.coupling, old.days) = (0.5, 30.0);
        let files = [file("hot", 100, 10.0), old];
        let found = hotspots_by(&files, &formula);
        let scores: Vec<f64> = found
            .iter()
            .map(|h| (h.score * 1e3).round() / 1e3)
            .collect();
        // 0.4 + 0.3 + 0 + 0.1; 0.2 + 0.15 + 0.1 + 0.05.
        assert_eq!(scores, [0.8, 0.5]);
        let all = HotspotFormula {
            normalized: true,
            boost: true,
            weights,
        };
        let found = hotspots_by(&files, &all);
        assert_eq!(found[0].score, 1.0);
        assert!((found[1].score - 0.5 * 1.5 / (0.8 * 2.0)).abs() < 1e-9);
        assert_eq!(found[1].parts.unwrap().recency_factor, 1.5);
    }

    #[test]
    fn nothing_changed_is_no_hotspot() {
        assert!(hotspots(&[]).is_empty());
        assert!(hotspots(&[file("a", 3, 0.0)]).is_empty());
    }
}
