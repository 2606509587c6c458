//! The value of each tuned number. Everything is measured again with the number at its neutral value, and the difference is
//! printed as a row of a Markdown table.

use anyhow::Result;
use base::tuning::{NONE, Table, Tuned};
use std::io::Write;

/// Measures a feature with the default numbers, then once without each number, or without each of `only` if it names any.
/// `measure` returns one figure per column.
pub fn print<T: Table>(
    columns: &[&str],
    only: &[String],
    mut measure: impl FnMut(&T) -> Result<Vec<f64>>,
) -> Result<()> {
    let full = measure(&T::default())?;
    let numbers = chosen_numbers::<T>(only);
    print!("{}", head(columns, &full));
    for number in &numbers {
        let costs = if is_neutral(number) {
            vec![0.0; full.len()]
        } else {
            let without = measure(&T::without(number))?;
            without.iter().zip(&full).map(|(w, f)| w - f).collect()
        };
        println!("{}", row(number, &costs, &full));
        std::io::stdout().flush()?;
    }
    Ok(())
}

/// Prints a table of figures that were measured together: with all numbers, and without each.
pub fn print_all(columns: &[&str], full: &[f64], (numbers, without): (&[Tuned], &[Vec<f64>])) {
    print!("{}", head(columns, full));
    for (number, figures) in numbers.iter().zip(without) {
        let costs: Vec<f64> = figures.iter().zip(full).map(|(w, f)| w - f).collect();
        println!("{}", row(number, &costs, full));
    }
}

/// The named numbers of a table, or all if none is named.
pub fn chosen_numbers<T: Table>(only: &[String]) -> Vec<Tuned> {
    let mut numbers = T::numbers();
    numbers.retain(|number| only.is_empty() || only.contains(&number.name));
    numbers
}

/// Whether the default value is already neutral.
pub fn is_neutral(number: &Tuned) -> bool {
    number.value == number.neutral
}

fn head(columns: &[&str], full: &[f64]) -> String {
    let figures = columns.iter().zip(full);
    let figures: Vec<String> = figures
        .map(|(c, f)| format!("{c} {}", figure(*f)))
        .collect();
    let columns = columns.join(" | ");
    let lines = "| --- ".repeat(full.len());
    format!(
        "\nWith all numbers: {}.\n\n| number | value | neutral | what it weighs | {columns} |\n| --- | --- | --- | --- {lines}|\n",
        figures.join(", ")
    )
}

fn row(number: &Tuned, costs: &[f64], full: &[f64]) -> String {
    let costs = costs.iter().zip(full);
    let costs: Vec<String> = costs
        .map(|(cost, full)| difference(*cost, is_count(*full)))
        .collect();
    format!("{} {} |", described(number), costs.join(" | "))
}

/// The first cells of a number's row: its name, value and description.
fn described(number: &Tuned) -> String {
    format!(
        "| `{}` | {} | {} | {} |",
        number.name,
        shown(number.value),
        shown(number.neutral),
        number.what
    )
}

fn shown(value: f64) -> String {
    if value.abs() >= NONE {
        "none".to_owned()
    } else {
        format!("{value}")
    }
}

/// Whether a figure is a count; a share is at most 1.
fn is_count(figure: f64) -> bool {
    figure > 1.0
}

fn figure(value: f64) -> String {
    if is_count(value) {
        format!("{value:.0}")
    } else {
        format!("{value:.3}")
    }
}

/// A difference: of shares to three decimal places, of counts as a whole number.
fn difference(value: f64, is_count: bool) -> String {
    let (text, least) = if is_count {
        (format!("{value:+.0}"), 0.5)
    } else {
        (format!("{value:+.3}"), 5e-4)
    };
    if value.abs() < least {
        return "0".to_owned();
    }
    text.replace("+0.", "+.")
        .replace("-0.", "−.")
        .replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every row of a table in docs/tuning.md, below the heading of its feature.
    fn documented(feature: &str) -> Vec<String> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/tuning.md");
        let text = std::fs::read_to_string(path).unwrap();
        let (_, rest) = text.split_once(&format!("\n## {feature}\n")).unwrap();
        let section = rest.split("\n## ").next().unwrap();
        let rows = section.lines().filter(|l| l.starts_with("| `"));
        rows.map(str::to_owned).collect()
    }

    fn compare<T: Table>(feature: &str) {
        let rows = documented(feature);
        let numbers = T::numbers();
        let wanted: Vec<String> = numbers.iter().map(described).collect();
        for (row, wanted) in rows.iter().zip(&wanted) {
            assert!(row.starts_with(wanted.as_str()), "{row}\n{wanted}");
        }
        assert_eq!(rows.len(), wanted.len(), "{feature}");
    }

    #[test]
    fn the_page_has_every_number_with_its_value() {
        compare::<search::rank::Tuning>("Ranking");
        compare::<search::NameTuning>("Names");
        compare::<engine::GraphRagTuning>("Context within a budget");
        compare::<engine::HookTuning>("Prompt hook");
        compare::<analysis::bug_locate::Tuning>("Bug location");
        compare::<analysis::OrphanTuning>("Orphans");
        compare::<analysis::pattern::PatternTuning>("Patterns");
        compare::<solution::Tuning>("Solved problems");
    }

    #[test]
    fn differences_are_short() {
        for (value, is_count, text) in [
            (0.012, false, "+.012"),
            (-0.1234, false, "−.123"),
            (0.0004, false, "0"),
            (1.0, false, "+1.000"),
            (-7.2, true, "−7"),
            (1.0, true, "+1"),
            (-0.429, true, "0"),
        ] {
            assert_eq!(difference(value, is_count), text);
        }
    }
}
