//! The kinds of edit.

use super::definitions as whole;
use super::{Edit, Edits, Random, Tree};

/// Number of kinds.
#[cfg(test)]
pub(super) const KINDS: usize = 28;

/// A random edit. A kind that is impossible now is replaced by another.
pub(super) fn random_edit(edits: &mut Edits) -> Edit {
    loop {
        let found = match edits.random.below(39) {
            0 | 1 => insert_statement(edits),
            2 | 3 => insert_comment(edits),
            4 | 5 => replace_word(edits),
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
            16 => truncate_file(edits),
            17 | 18 => change_manifest(edits),
            19 => mark_branch(edits),
            20 => switch_branch(edits),
            21 => switch_to_first(edits),
            22 => add_definition(edits),
            23 => rewrite_unchanged(edits),
            24 => edit_two_files(edits),
            25..=27 => whole::add_named_definition(edits),
            28..=30 => whole::add_named_member(edits),
            31 | 32 => whole::delete_definition(edits),
            33 => whole::move_definition(edits),
            34 => whole::rename_in_file(edits),
            35..=37 => whole::change_import(edits),
            _ => change_number(edits),
        };
        if let Some(edit) = found {
            return edit;
        }
    }
}

pub(super) fn one_file_edit(what: &str, path: &str, text: String) -> Option<Edit> {
    Some(Edit {
        description: format!("{what}: {path}"),
        changes: vec![(path.to_owned(), Some(text))],
    })
}

fn is_manifest(path: &str) -> bool {
    [".json", ".toml", ".mod", ".xml"]
        .iter()
        .any(|end| path.ends_with(end))
}

/// Some source file.
pub(super) fn random_source_file(edits: &mut Edits) -> Option<(String, String)> {
    let all: Vec<(&String, &String)> = edits.tree.iter().filter(|(p, _)| !is_manifest(p)).collect();
    let (path, text) = edits.random.pick(&all)?;
    Some(((*path).clone(), (*text).clone()))
}

pub(super) fn split_lines(text: &str) -> Vec<String> {
    text.split_inclusive('\n').map(str::to_owned).collect()
}

pub(super) fn extension(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or("")
}

fn insert_comment(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    let mark = match extension(&path) {
        "py" | "sh" | "bats" => "#",
        _ => "//",
    };
    let mut all = split_lines(&text);
    let at = edits.random.below(all.len() + 1);
    all.insert(at, format!("{mark} a note\n"));
    one_file_edit("comment", &path, all.concat())
}

/// Statements for bodies, by language.
fn sample_statements(extension: &str) -> &'static [&'static str] {
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
        "c" | "h" => &[
            "total(4);",
            "struct item *more = item_new(\"m\"); more->price(more);",
            "first_item->price = item_price;",
            "int (*local)(int) = total; local(1);",
        ],
        "cc" | "hpp" => &[
            "shop::Item more(\"m\"); more.price();",
            "auto made = shop::Item(\"n\", 2) + shop::Item::free_of_charge(); made.title();",
            "auto twice = [](const shop::Item& item) { return shop::total(item) * 2; };",
            "shop::Store local; local.add(shop::Item(\"x\")); local->price();",
            "shop::Priced* any = new shop::Discount(\"d\"); any->twice(); delete any;",
        ],
        "php" => &[
            "$more = new Item('m'); echo $more->title();",
            "$f = fn ($x) => total($x); $f(new Discount('d'));",
            "if ($x instanceof Item) { echo $x->price(); }",
            "array_map([$this, 'compare'], []);",
            "foreach ([Item::of('f')] as $each) { $each->next()->price(); }",
        ],
        "sh" | "bats" => &[
            "log more",
            "local handler=log; $handler again",
            "inner() { total 1; }; inner",
            "total=3",
            "if log a; then helper; fi",
            "run total 2",
        ],
        _ => &["Some more words about shapes."],
    }
}

/// Inserts a statement after a line that opens a body.
fn insert_statement(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    let mut all = split_lines(&text);
    let opens = |line: &String| line.trim_end().ends_with(['{', ':']);
    let places: Vec<usize> = (0..all.len()).filter(|at| opens(&all[*at])).collect();
    let at = *edits.random.pick(&places)?;
    let next = all.get(at + 1).map_or("", String::as_str);
    let indent: String = next
        .chars()
        .take_while(|c| c.is_whitespace() && *c != '\n')
        .collect();
    let statement = edits.random.pick(sample_statements(extension(&path)))?;
    all.insert(at + 1, format!("{indent}{statement}\n"));
    one_file_edit("statement", &path, all.concat())
}

fn add_definition(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
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
        "c" | "h" => format!("\nint extra{number}(struct item *i) {{ return item_price(i); }}\n"),
        "cc" | "hpp" => format!(
            "\ninline int extra{number}(const shop::Item& item) {{ return total(item, {number}); }}\n"
        ),
        "php" => format!("\nfunction extra{number}(Item $x) {{ return $x->price(); }}\n"),
        "sh" | "bats" => format!("\nextra{number}() {{\n  log \"{number}\"\n}}\n"),
        "java" => format!("\nclass Extra{number} {{ int price() {{ return {number}; }} }}\n"),
        _ => "\n## More\n\nWords.\n".to_owned(),
    };
    one_file_edit("definition", &path, format!("{text}{more}"))
}

pub(super) fn words(text: &str) -> Vec<&str> {
    let is_word = |w: &&str| w.chars().next().is_some_and(char::is_alphabetic) && w.len() > 1;
    let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    parts.filter(is_word).collect()
}

/// Replaces a word by another word of the repository.
fn replace_word(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    let other = random_source_file(edits)?.1;
    let by = edits.random.pick(&words(&other))?.to_string();
    let (from, to) = random_word_range(&text, &mut edits.random)?;
    one_file_edit(
        "word",
        &path,
        format!("{}{by}{}", &text[..from], &text[to..]),
    )
}

pub(super) fn random_word_range(text: &str, random: &mut Random) -> Option<(usize, usize)> {
    let all = words(text);
    let word = random.pick(&all)?;
    let from = word.as_ptr() as usize - text.as_ptr() as usize;
    Some((from, from + word.len()))
}

fn change_number(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    let places: Vec<usize> = text
        .char_indices()
        .filter(|(_, c)| c.is_ascii_digit())
        .map(|(at, _)| at)
        .collect();
    let at = *edits.random.pick(&places)?;
    let digit = edits.random.below(10);
    one_file_edit(
        "number",
        &path,
        format!("{}{digit}{}", &text[..at], &text[at + 1..]),
    )
}

fn delete_line(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    let mut all = split_lines(&text);
    if all.is_empty() {
        return None;
    }
    all.remove(edits.random.below(all.len()));
    one_file_edit("line gone", &path, all.concat())
}

fn repeat_line(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    let mut all = split_lines(&text);
    let line = edits.random.pick(&all)?.clone();
    all.insert(edits.random.below(all.len()), line);
    one_file_edit("line again", &path, all.concat())
}

fn move_lines(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    let mut all = split_lines(&text);
    if all.len() < 4 {
        return None;
    }
    let from = edits.random.below(all.len() - 1);
    let count = 1 + edits.random.below(3.min(all.len() - from));
    let moved: Vec<String> = all.drain(from..from + count).collect();
    let to = edits.random.below(all.len() + 1);
    all.splice(to..to, moved);
    one_file_edit("moved", &path, all.concat())
}

fn rename_everywhere(edits: &mut Edits) -> Option<Edit> {
    let text = random_source_file(edits)?.1;
    let old = edits.random.pick(&words(&text))?.to_string();
    let new = format!("{old}X");
    let changes: Vec<(String, Option<String>)> = edits
        .tree
        .iter()
        .filter(|(path, text)| !is_manifest(path) && text.contains(&old))
        .map(|(path, text)| (path.clone(), Some(text.replace(&old, &new))))
        .collect();
    Some(Edit {
        description: format!("renamed symbol: {old}"),
        changes,
    })
}

fn copy_file(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    let (stem, end) = path.rsplit_once('.')?;
    let number = edits.random.below(3);
    one_file_edit("copied", &format!("{stem}{number}.{end}"), text)
}

fn delete_file(edits: &mut Edits) -> Option<Edit> {
    let (path, _) = random_source_file(edits)?;
    if edits.tree.len() < 4 {
        return None;
    }
    Some(Edit {
        description: format!("deleted: {path}"),
        changes: vec![(path, None)],
    })
}

fn restore_file(edits: &mut Edits) -> Option<Edit> {
    let differ = |(path, text): &(&String, &String)| edits.tree.get(*path) != Some(text);
    let all: Vec<(&String, &String)> = edits.initial_tree.iter().filter(differ).collect();
    let (path, text) = edits.random.pick(&all)?;
    one_file_edit("restored", path, (*text).clone())
}

fn move_file_edit(what: &str, path: String, to: String, text: String, tree: &Tree) -> Option<Edit> {
    if tree.contains_key(&to) || to == path {
        return None;
    }
    Some(Edit {
        description: format!("{what}: {path} to {to}"),
        changes: vec![(path, None), (to, Some(text))],
    })
}

fn rename_file(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    let (other, _) = random_source_file(edits)?;
    let name = path.rsplit('/').next()?;
    let to = match (edits.random.below(2), other.rsplit_once('/')) {
        (0, Some((folder, _))) => format!("{folder}/{name}"),
        _ => {
            let (stem, end) = path.rsplit_once('.')?;
            format!("{stem}_moved.{end}")
        }
    };
    move_file_edit("renamed", path, to, text, &edits.tree)
}

fn rename_case(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let first = name.chars().next()?;
    let other: String = if first.is_uppercase() {
        first.to_lowercase().collect()
    } else {
        first.to_uppercase().collect()
    };
    let slash = if folder.is_empty() { "" } else { "/" };
    let to = format!("{folder}{slash}{other}{}", &name[first.len_utf8()..]);
    move_file_edit("case", path.clone(), to, text, &edits.tree)
}

fn break_syntax(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    let mark = *edits
        .random
        .pick(&["{", "}", "(", ")", "\"", "<<<<<<< HEAD\n", "'''", "/*"])?;
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let at = *edits.random.pick(&places)?;
    one_file_edit(
        "broken",
        &path,
        format!("{}{mark}{}", &text[..at], &text[at..]),
    )
}

/// Cuts a file, like an editor in the middle of a write.
fn truncate_file(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let at = *edits.random.pick(&places)?;
    one_file_edit("half-written", &path, text[..at].to_owned())
}

fn change_manifest(edits: &mut Edits) -> Option<Edit> {
    let all: Vec<String> = edits
        .initial_tree
        .keys()
        .filter(|p| is_manifest(p))
        .cloned()
        .collect();
    let path = edits.random.pick(&all)?.clone();
    let first = edits.initial_tree.get(&path)?.clone();
    let now = edits.tree.get(&path).cloned();
    let (what, text) = match (edits.random.below(4), now) {
        (0, Some(_)) => ("manifest gone", None),
        (1, _) | (_, None) => ("manifest as before", Some(first)),
        (_, Some(now)) => {
            let (from, to) = random_word_range(&now, &mut edits.random)?;
            (
                "manifest",
                Some(format!("{}other{}", &now[..from], &now[to..])),
            )
        }
    };
    Some(Edit {
        description: format!("manifest: {what}, {path}"),
        changes: vec![(path, text)],
    })
}

/// Makes the present state the other branch, and rewrites a file without a change.
fn mark_branch(edits: &mut Edits) -> Option<Edit> {
    edits.branch = edits.tree.clone();
    rewrite_unchanged(edits)
}

fn rewrite_unchanged(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    one_file_edit("saved again", &path, text)
}

fn tree_difference_edit(what: &str, now: &Tree, then: &Tree) -> Option<Edit> {
    let gone = now.keys().filter(|path| !then.contains_key(*path));
    let mut changes: Vec<(String, Option<String>)> = gone.map(|p| (p.clone(), None)).collect();
    let other = then
        .iter()
        .filter(|(path, text)| now.get(*path) != Some(text));
    changes.extend(other.map(|(path, text)| (path.clone(), Some(text.clone()))));
    (!changes.is_empty()).then(|| Edit {
        description: format!("{what}: {} files", changes.len()),
        changes,
    })
}

fn switch_branch(edits: &mut Edits) -> Option<Edit> {
    tree_difference_edit("switched", &edits.tree, &edits.branch)
}

fn switch_to_first(edits: &mut Edits) -> Option<Edit> {
    tree_difference_edit("switched back", &edits.tree, &edits.initial_tree)
}

/// Edits two files at once.
fn edit_two_files(edits: &mut Edits) -> Option<Edit> {
    let (a, b) = (replace_word(edits)?, insert_statement(edits)?);
    if a.changes[0].0 == b.changes[0].0 {
        return None;
    }
    Some(Edit {
        description: format!("several: {} and {}", a.description, b.description),
        changes: a.changes.into_iter().chain(b.changes).collect(),
    })
}
