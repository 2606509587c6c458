//! Keeping an answer small: what is farthest from the question goes first, and is counted.

use serde_json::Value;

/// Characters of an answer: about 1,900 tokens at four characters each.
pub(crate) const CHARACTERS: usize = 7_600;

/// Shortens the lists of an answer, the deepest first and each from its end, until it fits; says
/// how many entries went in `truncated`.
pub(crate) fn fit(mut answer: Value, characters: usize) -> Value {
    let mut size = answer.to_string().len();
    if size <= characters {
        return answer;
    }
    // Room for the remark itself.
    let wanted = characters.saturating_sub(32);
    let mut removed = 0;
    for depth in (0..=deepest(&answer)).rev() {
        while size > wanted {
            let Some((entries, length)) = cut_longest(&mut answer, depth) else {
                break;
            };
            removed += entries;
            size = size.saturating_sub(length + 1);
        }
    }
    if let Value::Object(fields) = &mut answer {
        let before = fields.get("truncated").and_then(Value::as_u64).unwrap_or(0);
        let all = before + removed as u64;
        fields.insert("truncated".to_owned(), Value::from(format!("{all} more")));
    }
    answer
}

/// Whether a value is a list whose entries can go one by one.
fn is_list(value: &Value) -> bool {
    matches!(value, Value::Array(items) if items.first().is_some_and(|i| i.is_object() || i.is_array() || i.is_string()))
}

/// How many lists lie within each other at most.
fn deepest(value: &Value) -> usize {
    let within = match value {
        Value::Array(items) => items.iter().map(deepest).max(),
        Value::Object(fields) => fields.values().map(deepest).max(),
        _ => None,
    };
    within.unwrap_or(0) + usize::from(is_list(value))
}

/// Takes the last entry from the longest list that lies `depth` lists deep; gives how many entries
/// went, those within it included, and their length.
fn cut_longest(answer: &mut Value, depth: usize) -> Option<(usize, usize)> {
    let (_, path) = longest(answer, depth, 0, &mut Vec::new())?;
    let mut list = answer;
    for step in path {
        list = match step {
            Step::Field(name) => list.get_mut(&name)?,
            Step::Item(at) => list.get_mut(at)?,
        };
    }
    let last = list.as_array_mut()?.pop()?;
    Some((1 + entries(&last), last.to_string().len()))
}

#[derive(Clone)]
enum Step {
    Field(String),
    Item(usize),
}

/// The longest list at that depth and the way to it.
fn longest(
    value: &Value,
    depth: usize,
    at: usize,
    path: &mut Vec<Step>,
) -> Option<(usize, Vec<Step>)> {
    let list = is_list(value);
    if list && at + 1 == depth {
        let length = value.as_array().map_or(0, Vec::len);
        return Some((length, path.clone()));
    }
    let below = at + usize::from(list);
    let mut best: Option<(usize, Vec<Step>)> = None;
    let mut look = |step: Step, inner: &Value, path: &mut Vec<Step>| {
        path.push(step);
        if let Some(found) = longest(inner, depth, below, path)
            && best.as_ref().is_none_or(|b| found.0 >= b.0)
        {
            best = Some(found);
        }
        path.pop();
    };
    match value {
        Value::Array(items) => {
            for (i, inner) in items.iter().enumerate() {
                look(Step::Item(i), inner, path);
            }
        }
        Value::Object(fields) => {
            for (name, inner) in fields {
                look(Step::Field(name.clone()), inner, path);
            }
        }
        _ => {}
    }
    best
}

/// Entries of the lists within a value.
fn entries(value: &Value) -> usize {
    let within: usize = match value {
        Value::Array(items) => items.iter().map(entries).sum(),
        Value::Object(fields) => fields.values().map(entries).sum(),
        _ => 0,
    };
    within
        + if is_list(value) {
            value.as_array().map_or(0, Vec::len)
        } else {
            0
        }
}

#[cfg(test)]
mod tests {
    use super::fit;
    use serde_json::{Value, json};

    #[test]
    fn small_answers_stay_as_they_are() {
        let answer = json!({"results": [{"a": 1}], "total": 1});
        assert_eq!(fit(answer.clone(), 100), answer);
    }

    #[test]
    fn flat_lists_lose_their_end() {
        let rows: Vec<Value> = (0..100).map(|n| json!({"n": n})).collect();
        let answer = fit(json!({"results": rows}), 200);
        assert!(answer.to_string().len() <= 200);
        let kept = answer["results"].as_array().unwrap().len();
        assert!(kept > 10);
        assert_eq!(answer["results"][0]["n"], 0);
        assert_eq!(answer["truncated"], format!("{} more", 100 - kept));
    }

    #[test]
    fn the_deepest_level_goes_first() {
        let leaf = |n: usize| json!({"name": format!("leaf{n}"), "callers": []});
        let branch =
            |n: usize| json!({"name": n, "callers": (0..20).map(leaf).collect::<Vec<_>>()});
        let answer = fit(
            json!({"paths": [{"callers": (0..4).map(branch).collect::<Vec<_>>()}]}),
            600,
        );
        assert!(answer.to_string().len() <= 600);
        let branches = answer["paths"][0]["callers"].as_array().unwrap();
        assert_eq!(branches.len(), 4);
        assert!(
            branches
                .iter()
                .all(|b| b["callers"].as_array().unwrap().len() < 20)
        );
    }

    #[test]
    fn earlier_cuts_are_counted_too() {
        let rows: Vec<Value> = (0..50).map(|n| json!({"n": n})).collect();
        let answer = fit(json!({"results": rows, "truncated": 7}), 100);
        let kept = answer["results"].as_array().unwrap().len();
        assert_eq!(answer["truncated"], format!("{} more", 57 - kept));
    }
}
