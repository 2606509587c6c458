//! An answer as entries: the items of its long lists, in the order in which a reader needs them.
//!
//! An answer that does not fit comes in pages. A page shows some entries with the objects around them. It never shows a part of a
//! list that looks like the whole: a list of which nothing is shown yet is left out, and an empty one is shown.

use serde_json::{Map, Value};

/// The most characters of a list that is not cut into entries.
const SHORT_LIST: usize = 400;
/// The most characters of a text that is shown whole.
const LONGEST_TEXT: usize = 2_000;
/// The most characters of a part of the answer that is repeated on every page, besides plain values.
const ON_EVERY_PAGE: usize = 300;
/// The number of entries of a list that come before those nested in its first entry.
const BEFORE_NESTED: usize = 8;

/// An answer cut into entries.
pub(crate) struct Entries {
    root: Part,
    all: Vec<Entry>,
    /// The indexes of entries in display order.
    order: Vec<usize>,
}

/// A value whose long lists are taken out.
enum Part {
    /// A value without long lists.
    Plain(Value),
    /// An object, with a long list in at least one field.
    Object(Vec<(String, Part)>),
    /// A long list: indexes of its entries.
    List(Vec<usize>),
}

/// An item of a long list.
struct Entry {
    part: Part,
    /// The entry around it.
    parent: Option<usize>,
    /// The position in display order, which grows with the place in the list and with the depth.
    rank: usize,
}

/// The way in which a page shows an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EntryVisibility {
    No,
    /// Shown on an earlier page, and repeated around an entry of this one.
    Again,
    Whole,
}

/// A page with some entries of an answer.
pub(crate) struct EntryPage {
    /// The answer with only these entries.
    pub(crate) answer: Value,
    /// The number of entries shown so far, with those of earlier pages.
    pub(crate) shown: usize,
    /// The fingerprint of all entries shown so far.
    pub(crate) fingerprint: u64,
    /// The number of entries after them.
    pub(crate) remaining: usize,
}

impl Entries {
    pub(crate) fn new(answer: Value) -> Entries {
        let mut all = Vec::new();
        let root = cut(answer, None, &mut all);
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|entry| all[*entry].rank);
        Entries { root, all, order }
    }

    /// A fingerprint of the first `count` entries in display order, each without the entries in it.
    pub(crate) fn fingerprint(&self, count: usize) -> u64 {
        let entries = self.order.iter().take(count);
        let mut mark = count as u64;
        for entry in entries {
            let mut text = String::new();
            write_part(&self.all[*entry].part, &mut text);
            mark = short_fingerprint(&[&mark.to_le_bytes(), text.as_bytes()]);
        }
        mark
    }

    /// The page after the first `skipped` entries, with as many as fit; at least one.
    pub(crate) fn page(mut self, skipped: usize, characters: usize) -> EntryPage {
        let first = skipped.min(self.order.len());
        let mut shown = vec![EntryVisibility::No; self.all.len()];
        let mut size = size_of(&self.root, first > 0, true);
        let mut last = first;
        while let Some(&entry) = self.order.get(last) {
            let around = self
                .ancestors(entry)
                .filter(|at| shown[*at] == EntryVisibility::No);
            let around: Vec<usize> = around.collect();
            let cost = size_of(&self.all[entry].part, false, false)
                + around
                    .iter()
                    .map(|at| size_of(&self.all[*at].part, true, false))
                    .sum::<usize>();
            if last > first && size + cost > characters {
                break;
            }
            size += cost;
            around
                .into_iter()
                .for_each(|at| shown[at] = EntryVisibility::Again);
            shown[entry] = EntryVisibility::Whole;
            last += 1;
        }
        let fingerprint = self.fingerprint(last);
        let root = std::mem::replace(&mut self.root, Part::Plain(Value::Null));
        let how = if first > 0 {
            EntryVisibility::Again
        } else {
            EntryVisibility::Whole
        };
        let answer = self.render(root, how, &shown, true);
        EntryPage {
            answer,
            shown: last,
            fingerprint,
            remaining: self.order.len() - last,
        }
    }

    fn ancestors(&self, entry: usize) -> impl Iterator<Item = usize> {
        let parent = |at: &usize| self.all[*at].parent;
        std::iter::successors(self.all[entry].parent, parent)
    }

    fn render(
        &mut self,
        part: Part,
        how: EntryVisibility,
        shown: &[EntryVisibility],
        root: bool,
    ) -> Value {
        match part {
            Part::Plain(value) => value,
            Part::List(items) => {
                let items = items
                    .into_iter()
                    .filter(|item| shown[*item] != EntryVisibility::No);
                let items: Vec<usize> = items.collect();
                Value::Array(self.render_all(items, shown))
            }
            Part::Object(fields) => {
                let mut kept = Map::new();
                for (name, part) in fields {
                    let there = match &part {
                        Part::Plain(value) => {
                            how == EntryVisibility::Whole || stands_on_every_page(value, root)
                        }
                        Part::List(items) => {
                            items.iter().any(|item| shown[*item] != EntryVisibility::No)
                        }
                        Part::Object(_) => true,
                    };
                    if there {
                        let value = self.render(part, how, shown, false);
                        let empty = value.as_object().is_some_and(Map::is_empty);
                        if !empty || how == EntryVisibility::Whole {
                            kept.insert(name, value);
                        }
                    }
                }
                Value::Object(kept)
            }
        }
    }

    fn render_all(&mut self, items: Vec<usize>, shown: &[EntryVisibility]) -> Vec<Value> {
        let mut rendered = Vec::with_capacity(items.len());
        for item in items {
            let part = std::mem::replace(&mut self.all[item].part, Part::Plain(Value::Null));
            rendered.push(self.render(part, shown[item], shown, false));
        }
        rendered
    }
}

/// A fingerprint of 32 bits, since a cursor costs tokens.
pub(super) fn short_fingerprint(parts: &[&[u8]]) -> u64 {
    base::fingerprint(parts) & 0xffff_ffff
}

/// Writes a part as text, without the entries in it.
fn write_part(part: &Part, out: &mut String) {
    match part {
        Part::Plain(value) => out.push_str(&value.to_string()),
        Part::List(_) => out.push('['),
        Part::Object(fields) => {
            for (name, part) in fields {
                out.push_str(name);
                out.push(':');
                write_part(part, out);
            }
        }
    }
}

/// Whether a value is repeated when its part is shown again: plain values and short texts, and small parts of the answer itself.
fn stands_on_every_page(value: &Value, root: bool) -> bool {
    match value {
        Value::Array(_) | Value::Object(_) => root && value.to_string().len() <= ON_EVERY_PAGE,
        Value::String(text) => text.len() <= ON_EVERY_PAGE,
        _ => true,
    }
}

/// Takes the long lists out of a value.
fn cut(value: Value, parent: Option<usize>, all: &mut Vec<Entry>) -> Part {
    match value {
        Value::String(text) => Part::Plain(Value::String(shorten(text))),
        Value::Array(items) if is_long(&items) => {
            let above = parent.map_or(0, |parent: usize| all[parent].rank + BEFORE_NESTED);
            let mut numbers = Vec::with_capacity(items.len());
            for (at, item) in items.into_iter().enumerate() {
                let number = all.len();
                numbers.push(number);
                all.push(Entry {
                    part: Part::Plain(Value::Null),
                    parent,
                    rank: above + at + 1,
                });
                // A row stays whole, because its cells belong together.
                all[number].part = match item {
                    Value::Array(cells) => Part::Plain(Value::Array(shorten_cells(cells))),
                    item => cut(item, Some(number), all),
                };
            }
            Part::List(numbers)
        }
        Value::Object(fields) => {
            let fields = fields.into_iter();
            let parts: Vec<(String, Part)> = fields
                .map(|(name, value)| (name, cut(value, parent, all)))
                .collect();
            if parts
                .iter()
                .any(|(_, part)| !matches!(part, Part::Plain(_)))
            {
                return Part::Object(parts);
            }
            let plain = parts.into_iter().filter_map(|(name, part)| match part {
                Part::Plain(value) => Some((name, value)),
                _ => None,
            });
            // An entry keeps its fields apart, so that it can be shown again by its plain ones.
            Part::Plain(Value::Object(plain.collect()))
        }
        value => Part::Plain(value),
    }
}

/// Whether a list is cut into entries. A short one is not.
fn is_long(items: &[Value]) -> bool {
    let mut size = 2;
    for item in items {
        size += item.to_string().len() + 1;
        if size > SHORT_LIST {
            return true;
        }
    }
    false
}

fn shorten_cells(cells: Vec<Value>) -> Vec<Value> {
    let cell = |cell| match cell {
        Value::String(text) => Value::String(shorten(text)),
        cell => cell,
    };
    cells.into_iter().map(cell).collect()
}

/// A text cut to the limit, with the number of characters left out.
fn shorten(mut text: String) -> String {
    if text.len() <= LONGEST_TEXT {
        return text;
    }
    let mut end = LONGEST_TEXT;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let more = text[end..].chars().count();
    text.truncate(end);
    text.push_str(&format!("… ({more} more characters)"));
    text
}

/// The most characters that a part takes without the entries in it; `again` if it was shown before.
fn size_of(part: &Part, again: bool, root: bool) -> usize {
    match part {
        Part::Plain(value) => value.to_string().len() + 1,
        Part::List(_) => 3,
        Part::Object(fields) => {
            let sizes = fields.iter().map(|(name, part)| {
                let there = match part {
                    Part::Plain(value) => !again || stands_on_every_page(value, root),
                    _ => true,
                };
                let size = || name.len() + 4 + size_of(part, again, false);
                if there { size() } else { 0 }
            });
            sizes.sum::<usize>() + 3
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Entries;
    use serde_json::{Value, json};

    /// All pages of an answer, each of which must fit.
    fn pages(answer: &Value, characters: usize) -> Vec<Value> {
        let (mut shown, mut pages) = (0, Vec::new());
        loop {
            let page = Entries::new(answer.clone()).page(shown, characters);
            assert!(
                page.answer.to_string().len() <= characters,
                "{}",
                page.answer
            );
            assert!(page.shown > shown || page.remaining == 0);
            shown = page.shown;
            pages.push(page.answer);
            if page.remaining == 0 {
                return pages;
            }
        }
    }

    fn leaf(n: usize) -> Value {
        json!({"name": format!("leaf{n}"), "edge": {"tier": "typed"}, "callers": []})
    }

    fn branch(n: usize) -> Value {
        json!({"name": format!("branch{n}"), "callers": (0..20).map(leaf).collect::<Vec<_>>()})
    }

    #[test]
    fn small_answers_stay_as_they_are() {
        let answer = json!({"results": [{"a": 1}], "none": [], "total": 1});
        assert_eq!(pages(&answer, 100), [answer]);
    }

    #[test]
    fn every_entry_of_a_tree_comes_once_and_within_what_it_stands_in() {
        let branches: Vec<Value> = (0..6).map(branch).collect();
        let answer =
            json!({"index": {"fresh": true}, "paths": [{"name": "root", "callers": branches}]});
        let pages = pages(&answer, 1_000);
        assert!(pages.len() > 5, "{}", pages.len());
        let mut seen = Vec::new();
        for page in &pages {
            assert_eq!(page["index"]["fresh"], true);
            assert_eq!(page["paths"][0]["name"], "root");
            for branch in page["paths"][0]["callers"].as_array().unwrap() {
                for leaf in branch["callers"].as_array().into_iter().flatten() {
                    assert_eq!(leaf["callers"], json!([]));
                    seen.push(format!("{} {}", branch["name"], leaf["name"]));
                }
            }
        }
        assert_eq!(seen.len(), 120);
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 120);
    }

    #[test]
    fn a_list_that_comes_later_is_not_shown_as_empty() {
        let branches: Vec<Value> = (0..6).map(branch).collect();
        let first = &pages(&json!({"paths": branches}), 600)[0];
        let branches = first["paths"].as_array().unwrap();
        assert_eq!(branches.len(), 6);
        assert!(branches[5].get("callers").is_none(), "{first}");
    }

    #[test]
    fn lists_beside_each_other_begin_on_the_first_page() {
        let many = |name: &str| -> Vec<Value> {
            (0..300)
                .map(|n| json!({"name": format!("{name}{n}")}))
                .collect()
        };
        let steps: Vec<Value> = many("step").drain(..30).collect();
        let answer = json!({"cycles": [{"level": "file", "steps": steps}], "orphans": many("o"), "rules": many("r")});
        let pages = pages(&answer, 2_000);
        assert!(pages[0]["rules"].as_array().unwrap().len() > 5);
        assert_eq!(pages[0]["cycles"][0]["steps"][0]["name"], "step0");
        let orphans = pages.iter().filter_map(|page| page["orphans"].as_array());
        assert_eq!(orphans.map(Vec::len).sum::<usize>(), 300);
    }

    #[test]
    fn rows_stay_whole_and_long_texts_say_what_they_lack() {
        let row = |n: usize| json!([n, "x".repeat(500)]);
        let answer =
            json!({"rows": (0..4).map(row).collect::<Vec<_>>(), "text": "y".repeat(9_000)});
        let pages = pages(&answer, 4_000);
        assert_eq!(pages[0]["rows"][0][1].as_str().unwrap().len(), 500);
        let text = pages[0]["text"].as_str().unwrap();
        assert!(text.ends_with("(7000 more characters)"), "{text}");
    }
}
