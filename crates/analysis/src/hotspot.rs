//! Hotspots: files that change often and are complex, where work and bugs gather (Tornhill, "Your Code
//! as a Crime Scene", 2015). Score = change frequency × complexity.

use serde::Serialize;

/// What is known of a file.
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
    /// How often it changed, each change weighted; not negative.
    pub frequency: f64,
}

/// A file's place among the hotspots.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hotspot {
    /// Its path.
    pub file_path: String,
    /// 0–1, 1 for the hottest of the repository.
    pub score: f64,
    /// Commits that changed it.
    pub commits: usize,
    /// How often it changed, each change weighted.
    pub frequency: f64,
    /// Sum of the cyclomatic complexity of its functions.
    pub complexity: u32,
    /// Lines.
    pub lines: u32,
}

/// All files with a score above 0, hottest first, then by path.
///
/// The product is brought to 0–1 by its square root over the greatest one's: change and size both
/// have long tails, and without the root all but a few files would stand at 0.
pub fn hotspots(files: &[FileMeasure<'_>]) -> Vec<Hotspot> {
    let heat = |f: &FileMeasure<'_>| (f.frequency.max(0.0) * f64::from(f.complexity)).sqrt();
    let most = files.iter().map(heat).fold(0.0, f64::max);
    if most <= 0.0 {
        return Vec::new();
    }
    let mut all: Vec<Hotspot> = files
        .iter()
        .map(|f| Hotspot {
            file_path: f.path.to_owned(),
            score: heat(f) / most,
            commits: f.commits,
            frequency: f.frequency,
            complexity: f.complexity,
            lines: f.lines,
        })
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
    fn nothing_changed_is_no_hotspot() {
        assert!(hotspots(&[]).is_empty());
        assert!(hotspots(&[file("a", 3, 0.0)]).is_empty());
    }
}
