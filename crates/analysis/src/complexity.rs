//! Complexity of functions: paths, breaks in the flow, nesting, length, parameters, and the limits that they exceed.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A function as it was measured.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct FunctionMeasure {
    /// Its name, dotted within its file.
    pub symbol: String,
    /// Kind of symbol.
    pub kind: String,
    /// Its file.
    pub file_path: String,
    /// First line.
    pub line: u32,
    /// Last line.
    pub line_end: u32,
    /// Lines.
    pub lines: u32,
    /// Decision points + 1 (McCabe 1976).
    pub cyclomatic: u32,
    /// Breaks in the linear flow, weighted by nesting (Campbell 2018).
    pub cognitive: u32,
    /// Greatest nesting of control structures.
    pub nesting: u32,
    /// Parameters, the receiver not counted.
    pub parameters: u32,
    /// Names of the measures that are over their limit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub over: Vec<String>,
}

/// Measure to sort by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ComplexitySort {
    /// Paths.
    Cyclomatic,
    /// Breaks in the flow.
    #[default]
    Cognitive,
    /// Length.
    Lines,
    /// Nesting.
    Nesting,
    /// Parameters.
    Parameters,
}

/// Limits of the measures: greater values are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComplexityLimits {
    /// McCabe's own limit is 10.
    pub cyclomatic: u32,
    /// The usual limit is 15.
    pub cognitive: u32,
    /// Lines of a function.
    pub lines: u32,
    /// Control structures inside each other.
    pub nesting: u32,
    /// Parameters.
    pub parameters: u32,
}

impl Default for ComplexityLimits {
    fn default() -> Self {
        ComplexityLimits {
            cyclomatic: 10,
            cognitive: 15,
            lines: 60,
            nesting: 4,
            parameters: 6,
        }
    }
}

/// A file as the sum of its functions.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct FileComplexity {
    /// The file.
    pub file_path: String,
    /// Functions in it.
    pub functions: usize,
    /// Functions over a limit.
    pub over: usize,
    /// Sum of their paths.
    pub cyclomatic: u32,
    /// Greatest value of a function.
    pub max_cyclomatic: u32,
    /// Sum of their breaks.
    pub cognitive: u32,
    /// Greatest value of a function.
    pub max_cognitive: u32,
    /// The longest function.
    pub max_lines: u32,
    /// The deepest nesting.
    pub max_nesting: u32,
    /// The most parameters.
    pub max_parameters: u32,
}

impl ComplexitySort {
    fn sort_key(self, f: &FunctionMeasure) -> u32 {
        match self {
            ComplexitySort::Cyclomatic => f.cyclomatic,
            ComplexitySort::Cognitive => f.cognitive,
            ComplexitySort::Lines => f.lines,
            ComplexitySort::Nesting => f.nesting,
            ComplexitySort::Parameters => f.parameters,
        }
    }

    fn file_sort_key(self, f: &FileComplexity) -> u32 {
        match self {
            ComplexitySort::Cyclomatic => f.cyclomatic,
            ComplexitySort::Cognitive => f.cognitive,
            ComplexitySort::Lines => f.max_lines,
            ComplexitySort::Nesting => f.max_nesting,
            ComplexitySort::Parameters => f.max_parameters,
        }
    }
}

impl ComplexityLimits {
    /// Names of the measures that are over their limit.
    fn exceeded_measures(&self, f: &FunctionMeasure) -> Vec<String> {
        let all = [
            ("cyclomatic", f.cyclomatic, self.cyclomatic),
            ("cognitive", f.cognitive, self.cognitive),
            ("lines", f.lines, self.lines),
            ("nesting", f.nesting, self.nesting),
            ("parameters", f.parameters, self.parameters),
        ];
        let over = all.iter().filter(|(_, is, most)| is > most);
        over.map(|(name, ..)| (*name).to_owned()).collect()
    }
}

/// Marks the functions that are over a limit, and sorts: the greatest first, then by the other measures and by place.
pub fn mark_and_sort(
    mut functions: Vec<FunctionMeasure>,
    limits: &ComplexityLimits,
    sort: ComplexitySort,
) -> Vec<FunctionMeasure> {
    for function in &mut functions {
        function.over = limits.exceeded_measures(function);
    }
    let weight = |f: &FunctionMeasure| (sort.sort_key(f), f.cognitive, f.cyclomatic, f.lines);
    functions.sort_by(|a, b| {
        let order = weight(b).cmp(&weight(a));
        let place = |f: &FunctionMeasure| (f.line, f.line_end);
        order
            .then_with(|| a.file_path.cmp(&b.file_path))
            .then_with(|| (place(a), &a.symbol).cmp(&(place(b), &b.symbol)))
    });
    functions
}

/// Files by the functions in them, in the same order.
pub fn sum_by_file(functions: &[FunctionMeasure], sort: ComplexitySort) -> Vec<FileComplexity> {
    let mut all: BTreeMap<&str, FileComplexity> = BTreeMap::new();
    for f in functions {
        let file = all.entry(&f.file_path).or_insert_with(|| FileComplexity {
            file_path: f.file_path.clone(),
            ..FileComplexity::default()
        });
        file.functions += 1;
        file.over += usize::from(!f.over.is_empty());
        file.cyclomatic += f.cyclomatic;
        file.cognitive += f.cognitive;
        file.max_cyclomatic = file.max_cyclomatic.max(f.cyclomatic);
        file.max_cognitive = file.max_cognitive.max(f.cognitive);
        file.max_lines = file.max_lines.max(f.lines);
        file.max_nesting = file.max_nesting.max(f.nesting);
        file.max_parameters = file.max_parameters.max(f.parameters);
    }
    let mut files: Vec<FileComplexity> = all.into_values().collect();
    files.sort_by(|a, b| {
        let weight = |f: &FileComplexity| (sort.file_sort_key(f), f.cognitive, f.cyclomatic);
        let order = weight(b).cmp(&weight(a));
        order.then_with(|| a.file_path.cmp(&b.file_path))
    });
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(name: &str, file: &str, measures: [u32; 5]) -> FunctionMeasure {
        let [cyclomatic, cognitive, lines, nesting, parameters] = measures;
        FunctionMeasure {
            symbol: name.to_owned(),
            file_path: file.to_owned(),
            lines,
            cyclomatic,
            cognitive,
            nesting,
            parameters,
            ..FunctionMeasure::default()
        }
    }

    #[test]
    fn the_worst_stands_first_and_what_is_over_is_named() {
        let all = vec![
            function("long", "b.py", [3, 2, 200, 1, 0]),
            function("tangled", "a.py", [11, 40, 30, 5, 2]),
            function("wide", "a.py", [1, 0, 3, 0, 9]),
            function("fine", "a.py", [10, 15, 60, 4, 6]),
        ];
        let limits = ComplexityLimits::default();
        let found = mark_and_sort(all, &limits, ComplexitySort::Cognitive);
        let shown: Vec<String> = found
            .iter()
            .map(|f| format!("{}: {}", f.symbol, f.over.join(" ")))
            .collect();
        assert_eq!(
            shown,
            [
                "tangled: cyclomatic cognitive nesting",
                "fine: ",
                "long: lines",
                "wide: parameters"
            ]
        );
        let files = sum_by_file(&found, ComplexitySort::Lines);
        assert_eq!(files[0].file_path, "b.py");
        let a = &files[1];
        assert_eq!((a.functions, a.over, a.cyclomatic), (3, 2, 22));
        assert_eq!((a.max_cognitive, a.max_parameters), (40, 9));
        let longest = mark_and_sort(found, &limits, ComplexitySort::Lines);
        assert_eq!(longest[0].symbol, "long");
    }
}
