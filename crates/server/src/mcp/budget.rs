//! Keeping an answer small: what is farthest from the question goes first, and is counted.

use serde_json::{Value, json};
use std::collections::BinaryHeap;

/// Characters of an answer: about 1,900 tokens at four characters each.
pub(crate) const CHARACTERS: usize = 7_600;

/// Characters of what says how many went from a list.
const MARK: usize = 16;

/// Shortens the lists of an answer, the deepest first and each from its end, until it fits. Each
/// list ends with how many went from it, and `truncated` says how many went in all.
pub(crate) fn truncate_to_fit(mut answer: Value, characters: usize) -> Value {
    let mut size = answer.to_string().len();
    if size <= characters {
        return answer;
    }
    // Room for the remark itself.
    let wanted = characters.saturating_sub(32);
    let mut removed = 0;
    for depth in (1..=max_list_depth(&answer)).rev() {
        if size > wanted {
            let mut lists = Vec::new();
            collect_lists_at_depth(&mut answer, depth, &mut lists);
            removed += shorten_lists(lists, &mut size, wanted);
        }
    }
    if let Value::Object(fields) = &mut answer {
        let before = fields.get("truncated").and_then(Value::as_u64).unwrap_or(0);
        let all = before + removed as u64;
        fields.insert("truncated".to_owned(), Value::from(format!("{all} more")));
    }
    answer
}

/// Takes last entries, each from the list that is then the longest; gives how many entries went,
/// those within them included.
fn shorten_lists(lists: Vec<&mut Vec<Value>>, size: &mut usize, wanted: usize) -> usize {
    let mut removed = 0;
    let mut heap: BinaryHeap<(usize, usize)> = BinaryHeap::new();
    let mut lists: Vec<(usize, &mut Vec<Value>)> = lists.into_iter().map(|l| (0, l)).collect();
    heap.extend(lists.iter().enumerate().map(|(at, (_, l))| (l.len(), at)));
    while *size > wanted
        && let Some((length, at)) = heap.pop()
    {
        let (gone, list) = &mut lists[at];
        let Some(last) = list.pop() else { continue };
        if *gone == 0 {
            *size += MARK;
        }
        *gone += 1;
        removed += 1 + count_entries(&last);
        *size = size.saturating_sub(last.to_string().len() + 1);
        heap.push((length - 1, at));
    }
    for (gone, list) in lists.into_iter().filter(|(gone, _)| *gone > 0) {
        let text = list.first().is_some_and(Value::is_string);
        list.push(if text {
            Value::from(format!("{gone} more"))
        } else {
            json!({ "more": gone })
        });
    }
    removed
}

/// Every list that lies within `depth - 1` others.
fn collect_lists_at_depth<'a>(
    value: &'a mut Value,
    depth: usize,
    found: &mut Vec<&'a mut Vec<Value>>,
) {
    let list = is_truncatable_list(value);
    match value {
        Value::Array(items) => match depth - usize::from(list) {
            0 => found.push(items),
            below => items
                .iter_mut()
                .for_each(|v| collect_lists_at_depth(v, below, found)),
        },
        Value::Object(fields) => {
            for (_, inner) in fields.iter_mut() {
                collect_lists_at_depth(inner, depth, found);
            }
        }
        _ => {}
    }
}

/// Whether a value is a list whose entries can go one by one.
fn is_truncatable_list(value: &Value) -> bool {
    matches!(value, Value::Array(items) if items.first().is_some_and(|i| i.is_object() || i.is_array() || i.is_string()))
}

/// How many lists lie within each other at most.
fn max_list_depth(value: &Value) -> usize {
    let within = match value {
        Value::Array(items) => items.iter().map(max_list_depth).max(),
        Value::Object(fields) => fields.values().map(max_list_depth).max(),
        _ => None,
    };
    within.unwrap_or(0) + usize::from(is_truncatable_list(value))
}

/// Entries of the lists within a value.
fn count_entries(value: &Value) -> usize {
    let within: usize = match value {
        Value::Array(items) => items.iter().map(count_entries).sum(),
        Value::Object(fields) => fields.values().map(count_entries).sum(),
        _ => 0,
    };
    within
        + if is_truncatable_list(value) {
            value.as_array().map_or(0, Vec::len)
        } else {
            0
        }
}

#[cfg(test)]
mod tests {
    use super::truncate_to_fit;
    use serde_json::{Value, json};

    #[test]
    fn small_answers_stay_as_they_are() {
        let answer = json!({"results": [{"a": 1}], "total": 1});
        assert_eq!(truncate_to_fit(answer.clone(), 100), answer);
    }

    #[test]
    fn flat_lists_lose_their_end() {
        let rows: Vec<Value> = (0..100).map(|n| json!({"n": n})).collect();
        let answer = truncate_to_fit(json!({"results": rows}), 200);
        assert!(answer.to_string().len() <= 200);
        let kept = answer["results"].as_array().unwrap().len() - 1;
        assert!(kept > 10);
        assert_eq!(answer["results"][0]["n"], 0);
        assert_eq!(answer["results"][kept], json!({"more": 100 - kept}));
        assert_eq!(answer["truncated"], format!("{} more", 100 - kept));
    }

    #[test]
    fn the_deepest_level_goes_first() {
        let leaf = |n: usize| json!({"name": format!("leaf{n}"), "callers": []});
        let branch =
            |n: usize| json!({"name": n, "callers": (0..20).map(leaf).collect::<Vec<_>>()});
        let answer = truncate_to_fit(
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
        let answer = truncate_to_fit(json!({"results": rows, "truncated": 7}), 100);
        let kept = answer["results"].as_array().unwrap().len() - 1;
        assert_eq!(answer["truncated"], format!("{} more", 57 - kept));
    }
}
