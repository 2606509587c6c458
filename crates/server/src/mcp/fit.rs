//! Cuts an answer to a budget: small parts stay whole, and large ones share the rest.

use serde_json::Value;
use std::collections::BTreeMap;

/// The least characters that an entry of a list gets. Where there are too many entries for that, the last
/// ones are left out.
const LEAST: usize = 200;

/// The names of fields that were cut, with the number of entries left out of each.
pub(super) type Cuts = BTreeMap<String, usize>;

/// Cuts `value`, the field of that name, to about `budget` characters.
pub(super) fn fit(name: &str, value: &mut Value, budget: usize, cuts: &mut Cuts) {
    if json_length(value) <= budget {
        return;
    }
    match value {
        Value::String(text) => {
            truncate(text, budget.saturating_sub(2));
            cuts.entry(name.to_owned()).or_default();
        }
        Value::Array(items) => fit_list(name, items, budget, cuts),
        Value::Object(fields) => {
            let names: usize = fields.keys().map(|name| name.len() + 4).sum();
            let costs: Vec<usize> = fields.values().map(json_length).collect();
            let level = fair_level(&costs, budget.saturating_sub(names + 2));
            for (name, field) in fields.iter_mut() {
                fit(name, field, level, cuts);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn fit_list(name: &str, items: &mut Vec<Value>, budget: usize, cuts: &mut Cuts) {
    let costs: Vec<usize> = items.iter().map(|item| json_length(item) + 1).collect();
    let level = fair_level(&costs, budget.saturating_sub(2)).max(LEAST);
    let mut kept = 0;
    let mut used = 2;
    for item in items.iter_mut() {
        // One character is for the comma after the item.
        fit(name, item, level - 1, cuts);
        used += json_length(item) + 1;
        if used > budget && kept > 0 {
            break;
        }
        kept += 1;
    }
    let more = items.len() - kept;
    if more > 0 {
        items.truncate(kept);
        *cuts.entry(name.to_owned()).or_default() += more;
    }
}

/// The cuts in words; none where nothing was cut.
pub(super) fn describe(cuts: &Cuts) -> Option<String> {
    let parts = cuts.iter().map(|(name, more)| match more {
        0 => name.clone(),
        more => format!("{name} ({more} more)"),
    });
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty()).then(|| format!("cut to fit: {}", parts.join(", ")))
}

/// The most characters that each part may take so that all together take at most `budget`. Smaller parts
/// stay whole.
fn fair_level(costs: &[usize], budget: usize) -> usize {
    let mut costs = costs.to_vec();
    costs.sort_unstable();
    let mut left = budget;
    for (at, cost) in costs.iter().enumerate() {
        let share = left / (costs.len() - at);
        if *cost > share {
            return share;
        }
        left -= cost;
    }
    usize::MAX
}

/// The approximate characters that a value takes as JSON.
fn json_length(value: &Value) -> usize {
    match value {
        Value::String(text) => text.chars().map(cost_of_char).sum::<usize>() + 2,
        Value::Array(items) => {
            items
                .iter()
                .map(|item| json_length(item) + 1)
                .sum::<usize>()
                + 2
        }
        Value::Object(fields) => {
            let fields = fields.iter();
            fields
                .map(|(name, field)| name.len() + 4 + json_length(field))
                .sum::<usize>()
                + 2
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string().len(),
    }
}

/// The characters that a character takes in JSON: it is written as it is, or as an escape.
fn cost_of_char(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' => 2,
        c if c.is_control() || guard::text::is_hidden(c) => 8,
        _ => 1,
    }
}

fn truncate(text: &mut String, budget: usize) {
    let mut used = 0;
    let end = text.char_indices().find_map(|(at, c)| {
        used += cost_of_char(c);
        (used > budget).then_some(at)
    });
    if let Some(end) = end {
        text.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fitted(mut value: Value, budget: usize) -> (Value, Cuts) {
        let mut cuts = Cuts::new();
        fit("all", &mut value, budget, &mut cuts);
        (value, cuts)
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        let value = json!({"id": "x", "tags": ["a", "b"], "count": 3, "none": null});
        assert_eq!(fitted(value.clone(), 1_000), (value, Cuts::new()));
    }

    #[test]
    fn small_parts_stay_whole_and_large_ones_share_the_rest() {
        let long = |text: &str| text.repeat(100_000);
        let value =
            json!({"id": "x", "solution": long("s"), "problem": long("\u{1}"), "tags": ["a"]});
        let (value, cuts) = fitted(value, 10_000);
        assert_eq!((&value["id"], &value["tags"]), (&json!("x"), &json!(["a"])));
        let length = |name: &str| value[name].as_str().unwrap().len();
        assert!((4_500..5_000).contains(&length("solution")));
        assert!((500..650).contains(&length("problem")), "escapes count");
        assert_eq!(describe(&cuts).unwrap(), "cut to fit: problem, solution");
        assert!(value.to_string().len() <= 10_000);
    }

    #[test]
    fn few_entries_share_and_of_many_the_last_are_left_out() {
        let few: Vec<String> = (0..100)
            .map(|n| format!("E{n} {}", "w ".repeat(32_000)))
            .collect();
        let (value, cuts) = fitted(json!({"error_messages": few, "id": "x"}), 60_000);
        assert_eq!(value["error_messages"].as_array().unwrap().len(), 100);
        assert!(value.to_string().len() <= 60_000);
        assert_eq!(cuts["error_messages"], 0);
        let many: Vec<String> = (0..10_000).map(|n| format!("tag-{n}")).collect();
        let (value, cuts) = fitted(json!({"tags": many}), 1_000);
        let shown = value["tags"].as_array().unwrap();
        assert!(shown.len() > 50 && shown[0] == "tag-0", "{value}");
        assert_eq!(cuts["tags"], 10_000 - shown.len());
        assert!(value.to_string().len() <= 1_000);
    }
}
