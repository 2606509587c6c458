//! The kinds of edit.

use super::definitions as whole;
use super::{Edit, Edits, Random, Tree};

/// How many kinds there are.
#[cfg(test)]
pub(super) const KINDS: usize = 28;

/// One edit: kinds that make no sense now give way to another.
pub(super) fn next(edits: &mut Edits) -> Edit {
    loop {
        let found = match edits.random.below(39) {
            0 | 1 => insert_statement(edits),
            2 | 3 => insert_comment(edits),
            4 | 5 => swap_word(edits),
            6 => delete_line(edits),
            7 => repeat_line(edits),
            8 => move_lines(edits),
            9 => rename_everywhere(edits),
            10 => copy_file(edits),
            11 => delete_file(edits),
            12 => restore_file(edits),
            13 => rename_file(edits),
            14 => rename_case(edits),
            15 => break_syntax(edits),
            16 => cut_short(edits),
            17 | 18 => change_manifest(edits),
            19 => remember(edits),
            20 => switch(edits),
            21 => switch_back(edits),
            22 => add_definition(edits),
            23 => rewrite_same(edits),
            24 => several(edits),
            25..=27 => whole::named_definition(edits),
            28..=30 => whole::named_member(edits),
            31 | 32 => whole::definition_gone(edits),
            33 => whole::definition_moved(edits),
            34 => whole::renamed_here(edits),
            35..=37 => whole::import_changes(edits),
            _ => change_number(edits),
        };
        if let Some(edit) = found {
            return edit;
        }
    }
}

pub(super) fn one(what: &str, path: &str, text: String) -> Option<Edit> {
    Some(Edit {
        what: format!("{what}: {path}"),
        changes: vec![(path.to_owned(), Some(text))],
    })
}

fn is_manifest(path: &str) -> bool {
    [".json", ".toml", ".mod", ".xml"]
        .iter()
        .any(|end| path.ends_with(end))
}

/// Some source file.
pub(super) fn source(edits: &mut Edits) -> Option<(String, String)> {
    let all: Vec<(&String, &String)> = edits.tree.iter().filter(|(p, _)| !is_manifest(p)).collect();
    let (path, text) = edits.random.pick(&all)?;
    Some(((*path).clone(), (*text).clone()))
}

pub(super) fn lines(text: &str) -> Vec<String> {
    text.split_inclusive('\n').map(str::to_owned).collect()
}

pub(super) fn extension(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or("")
}

fn insert_comment(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = source(edits)?;
    let mark = if extension(&path) == "py" { "#" } else { "//" };
    let mut all = lines(&text);
    let at = edits.random.below(all.len() + 1);
    all.insert(at, format!("{mark} a note\n"));
    one("comment", &path, all.concat())
}

/// Statements that stand in bodies, by language.
fn statements(extension: &str) -> &'static [&'static str] {
    match extension {
        "ts" | "js" => &[
            "const f = (x: any) => x.area();",
            "make('more');",
            "function inner() { return make('y').first(); }",
            "const local = helper;",
            "[1].map((n) => { return n; });",
        ],
        "py" => &[
            "value = make_rule('m').apply(None)",
            "action = lambda order: order.total()",
            "retry(check)",
            "Item('q', 4).total(1)",
            "self.cache = Item('c', 5)",
        ],
        "go" => &[
            "helper(\"again\")",
            "func() { clean(\"x\") }()",
            "extra := func(s string) int { return len(s) }; _ = extra",
            "_ = total",
        ],
        "rs" => &[
            "let more = Square::unit().area();",
            "let twice = |s: &Square| s.area() * 2;",
            "fn inner() -> u32 { 3 }",
            "power(2);",
        ],
        "java" => &[
            "Item more = Item.of(\"m\"); more.price();",
            "Runnable r = () -> { new Item(\"r\").title(); };",
            "new Object() { int price() { return 1; } }.price();",
        ],
        _ => &["Some more words about shapes."],
    }
}

/// A statement behind a line that opens a body.
fn insert_statement(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = source(edits)?;
    let mut all = lines(&text);
    let opens = |line: &String| line.trim_end().ends_with(['{', ':']);
    let places: Vec<usize> = (0..all.len()).filter(|at| opens(&all[*at])).collect();
    let at = *edits.random.pick(&places)?;
    let next = all.get(at + 1).map_or("", String::as_str);
    let indent: String = next
        .chars()
        .take_while(|c| c.is_whitespace() && *c != '\n')
        .collect();
    let statement = edits.random.pick(statements(extension(&path)))?;
    all.insert(at + 1, format!("{indent}{statement}\n"));
    one("statement", &path, all.concat())
}

fn add_definition(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = source(edits)?;
    let number = edits.random.below(4);
    let more = match extension(&path) {
        "ts" => {
            format!("export function extra{number}(x: Square) {{ return x.scale({number}); }}\n")
        }
        "js" => format!("exports.extra{number} = function () {{ return pad('{number}'); }};\n"),
        "py" => format!(
            "\ndef extra{number}(action):\n    return action()\n\nclass More{number}(Item):\n    pass\n"
        ),
        "go" => format!("\nfunc extra{number}(s string) int {{ return len(s) }}\n"),
        "rs" => format!("\npub fn extra{number}(s: &Square) -> u32 {{ s.area() }}\n"),
        "java" => format!("\nclass Extra{number} {{ int price() {{ return {number}; }} }}\n"),
        _ => "\n## More\n\nWords.\n".to_owned(),
    };
    one("definition", &path, format!("{text}{more}"))
}

pub(super) fn words(text: &str) -> Vec<&str> {
    let is_word = |w: &&str| w.chars().next().is_some_and(char::is_alphabetic) && w.len() > 1;
    let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    parts.filter(is_word).collect()
}

/// Puts one word of the repository in the place of another.
fn swap_word(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = source(edits)?;
    let other = source(edits)?.1;
    let by = edits.random.pick(&words(&other))?.to_string();
    let (from, to) = place_of_word(&text, &mut edits.random)?;
    one(
        "word",
        &path,
        format!("{}{by}{}", &text[..from], &text[to..]),
    )
}

pub(super) fn place_of_word(text: &str, random: &mut Random) -> Option<(usize, usize)> {
    let all = words(text);
    let word = random.pick(&all)?;
    let from = word.as_ptr() as usize - text.as_ptr() as usize;
    Some((from, from + word.len()))
}

fn change_number(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = source(edits)?;
    let places: Vec<usize> = text
        .char_indices()
        .filter(|(_, c)| c.is_ascii_digit())
        .map(|(at, _)| at)
        .collect();
    let at = *edits.random.pick(&places)?;
    let digit = edits.random.below(10);
    one(
        "number",
        &path,
        format!("{}{digit}{}", &text[..at], &text[at + 1..]),
    )
}

fn delete_line(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = source(edits)?;
    let mut all = lines(&text);
    if all.is_empty() {
        return None;
    }
    all.remove(edits.random.below(all.len()));
    one("line gone", &path, all.concat())
}

fn repeat_line(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = source(edits)?;
    let mut all = lines(&text);
    let line = edits.random.pick(&all)?.clone();
    all.insert(edits.random.below(all.len()), line);
    one("line again", &path, all.concat())
}

fn move_lines(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = source(edits)?;
    let mut all = lines(&text);
    if all.len() < 4 {
        return None;
    }
    let from = edits.random.below(all.len() - 1);
    let count = 1 + edits.random.below(3.min(all.len() - from));
    let moved: Vec<String> = all.drain(from..from + count).collect();
    let to = edits.random.below(all.len() + 1);
    all.splice(to..to, moved);
    one("moved", &path, all.concat())
}

fn rename_everywhere(edits: &mut Edits) -> Option<Edit> {
    let text = source(edits)?.1;
    let old = edits.random.pick(&words(&text))?.to_string();
    let new = format!("{old}X");
    let changes: Vec<(String, Option<String>)> = edits
        .tree
        .iter()
        .filter(|(path, text)| !is_manifest(path) && text.contains(&old))
        .map(|(path, text)| (path.clone(), Some(text.replace(&old, &new))))
        .collect();
    Some(Edit {
        what: format!("renamed symbol: {old}"),
        changes,
    })
}

fn copy_file(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = source(edits)?;
    let (stem, end) = path.rsplit_once('.')?;
    let number = edits.random.below(3);
    one("copied", &format!("{stem}{number}.{end}"), text)
}

fn delete_file(edits: &mut Edits) -> Option<Edit> {
    let (path, _) = source(edits)?;
    if edits.tree.len() < 4 {
        return None;
    }
    Some(Edit {
        what: format!("deleted: {path}"),
        changes: vec![(path, None)],
    })
}

fn restore_file(edits: &mut Edits) -> Option<Edit> {
    let differ = |(path, text): &(&String, &String)| edits.tree.get(*path) != Some(text);
    let all: Vec<(&String, &String)> = edits.first.iter().filter(differ).collect();
    let (path, text) = edits.random.pick(&all)?;
    one("restored", path, (*text).clone())
}

fn moved_to(what: &str, path: String, to: String, text: String, tree: &Tree) -> Option<Edit> {
    if tree.contains_key(&to) || to == path {
        return None;
    }
    Some(Edit {
        what: format!("{what}: {path} to {to}"),
        changes: vec![(path, None), (to, Some(text))],
    })
}

fn rename_file(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = source(edits)?;
    let (other, _) = source(edits)?;
    let name = path.rsplit('/').next()?;
    let to = match (edits.random.below(2), other.rsplit_once('/')) {
        (0, Some((folder, _))) => format!("{folder}/{name}"),
        _ => {
            let (stem, end) = path.rsplit_once('.')?;
            format!("{stem}_moved.{end}")
        }
    };
    moved_to("renamed", path, to, text, &edits.tree)
}

fn rename_case(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = source(edits)?;
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let first = name.chars().next()?;
    let other: String = if first.is_uppercase() {
        first.to_lowercase().collect()
    } else {
        first.to_uppercase().collect()
    };
    let slash = if folder.is_empty() { "" } else { "/" };
    let to = format!("{folder}{slash}{other}{}", &name[first.len_utf8()..]);
    moved_to("case", path.clone(), to, text, &edits.tree)
}

fn break_syntax(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = source(edits)?;
    let mark = *edits
        .random
        .pick(&["{", "}", "(", ")", "\"", "<<<<<<< HEAD\n", "'''", "/*"])?;
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let at = *edits.random.pick(&places)?;
    one(
        "broken",
        &path,
        format!("{}{mark}{}", &text[..at], &text[at..]),
    )
}

/// As a file stands while an editor is writing it.
fn cut_short(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = source(edits)?;
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let at = *edits.random.pick(&places)?;
    one("half-written", &path, text[..at].to_owned())
}

fn change_manifest(edits: &mut Edits) -> Option<Edit> {
    let all: Vec<String> = edits
        .first
        .keys()
        .filter(|p| is_manifest(p))
        .cloned()
        .collect();
    let path = edits.random.pick(&all)?.clone();
    let first = edits.first.get(&path)?.clone();
    let now = edits.tree.get(&path).cloned();
    let (what, text) = match (edits.random.below(4), now) {
        (0, Some(_)) => ("manifest gone", None),
        (1, _) | (_, None) => ("manifest as before", Some(first)),
        (_, Some(now)) => {
            let (from, to) = place_of_word(&now, &mut edits.random)?;
            (
                "manifest",
                Some(format!("{}other{}", &now[..from], &now[to..])),
            )
        }
    };
    Some(Edit {
        what: format!("manifest: {what}, {path}"),
        changes: vec![(path, text)],
    })
}

/// What is there now is the other branch from here on; written again without a change.
fn remember(edits: &mut Edits) -> Option<Edit> {
    edits.branch = edits.tree.clone();
    rewrite_same(edits)
}

fn rewrite_same(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = source(edits)?;
    one("saved again", &path, text)
}

fn to_tree(what: &str, now: &Tree, then: &Tree) -> Option<Edit> {
    let gone = now.keys().filter(|path| !then.contains_key(*path));
    let mut changes: Vec<(String, Option<String>)> = gone.map(|p| (p.clone(), None)).collect();
    let other = then
        .iter()
        .filter(|(path, text)| now.get(*path) != Some(text));
    changes.extend(other.map(|(path, text)| (path.clone(), Some(text.clone()))));
    (!changes.is_empty()).then(|| Edit {
        what: format!("{what}: {} files", changes.len()),
        changes,
    })
}

fn switch(edits: &mut Edits) -> Option<Edit> {
    to_tree("switched", &edits.tree, &edits.branch)
}

fn switch_back(edits: &mut Edits) -> Option<Edit> {
    to_tree("switched back", &edits.tree, &edits.first)
}

/// Two files at once.
fn several(edits: &mut Edits) -> Option<Edit> {
    let (a, b) = (swap_word(edits)?, insert_statement(edits)?);
    if a.changes[0].0 == b.changes[0].0 {
        return None;
    }
    Some(Edit {
        what: format!("several: {} and {}", a.what, b.what),
        changes: a.changes.into_iter().chain(b.changes).collect(),
    })
}
