//! Edits of whole definitions (added, removed and moved) that other files may refer to by name.

use super::change::{
    extension, one_file_edit, random_source_file, random_word_range, split_lines, words,
};
use super::{Edit, Edits};

/// Definitions at the top level of a file, by language; `NAME` is the name.
fn sample_definitions(extension: &str) -> &'static [&'static str] {
    match extension {
        "ts" => &[
            "export function NAME(x: Square) { return x.scale(1); }",
            "export class NAME { area() { return 1; } first() { return make('n'); } }",
            "export class NAME extends Square { scale(by: number) { return super.scale(by); } }",
            "export const NAME = helper;",
            "export interface NAME { area(): number }",
            "export type NAME = Square;",
            "function NAME() { return 1; }",
        ],
        "js" => &[
            "function NAME(x) { return pad(x); }",
            "exports.NAME = function () { return 1; };",
        ],
        "py" => &[
            "def NAME(order):\n    return order.total()",
            "def NAME(action):\n    return action()",
            "class NAME(Item):\n    def total(self, count):\n        return 1",
            "class NAME:\n    def apply(self, order):\n        return self\n    def load(self):\n        return NAME()",
            "NAME = make_rule('n')",
            "if True:\n    def NAME():\n        return 2",
        ],
        "go" => &[
            "func NAME(s string) int { return len(s) }",
            "func (s *Store) NAME() *Store { return s }",
            "func (i *Item) NAME() int { return 1 }",
            "func (r *runner) NAME() int { return 1 }",
            "type NAME struct{ cost int }",
            "type NAME interface { Price() int }",
            "type NAME interface { NAME() int }",
            "type NAME = Item",
            "var NAME = 3",
        ],
        "rs" => &[
            "pub fn NAME() -> u32 { 3 }",
            "pub struct NAME { side: u32 }",
            "impl Square { pub fn NAME(&self) -> u32 { self.area() } }",
            "pub trait NAME { fn area(&self) -> u32 { 1 } }",
            "pub enum NAME { First, Second(u32) }",
            "pub const NAME: u32 = 2;",
            "pub mod NAME { pub fn start() {} }",
        ],
        "java" => &[
            "class NAME { int price() { return 1; } }",
            "class NAME extends Item { NAME(String n) { super(n); } }",
            "interface NAME { int price(); }",
            "enum NAME { FIRST, SECOND }",
        ],
        "c" | "h" => &[
            "int NAME(void) { return total(3); }",
            "static int NAME(struct item *self) { return self->price(self); }",
            "int NAME(int x);",
            "struct NAME { int (*price)(struct item *self); };",
            "typedef struct item NAME;",
            "#define NAME(x) use(x)",
            "#define NAME item_price",
            "struct item NAME = { .price = item_price };",
            "extern struct item *NAME;",
        ],
        "cc" | "hpp" => &[
            "inline int NAME(const shop::Item& item) { return item.price(); }",
            "int NAME(const shop::Item& item);",
            "namespace shop { int NAME(const Item& item) { return total(item); } }",
            "namespace shop { int Item::NAME() const { return cost; } }",
            "int shop::Discount::NAME() const { return 3; }",
            "class NAME : public shop::Item { using Item::Item; int price() const override { return 1; } };",
            "struct NAME { int price() { return 1; } ~NAME() {} };",
            "template <typename T> int NAME(T x) { return x.price(); }",
            "using NAME = shop::Item;",
            "namespace NAME = shop;",
            "using namespace shop;",
            "using shop::NAME;",
            "inline namespace NAME { inline int total(int x) { return x; } }",
            "shop::Item operator+(const shop::Item& a, int) { return a; }",
            "#define NAME(x) total(x)",
            "#define NAME namespace shop {",
            "extern shop::Item NAME;",
            "enum NAME { SMALL, LARGE };",
        ],
        "php" => &[
            "function NAME($x) { return helper($x); }",
            "class NAME extends Item { public function price(): int { return 1; } }",
            "class NAME { use Named; public function price(): int { return 2; } }",
            "interface NAME { public function price(): int; }",
            "trait NAME { public function title(): string { return 't'; } }",
            "enum NAME { case First; public function price(): int { return 3; } }",
            "const NAME = 2;",
            "class Store { public function NAME(): Item { return Item::of('s'); } }",
            "define('NAME', 4);",
        ],
        "sh" | "bats" => &[
            "NAME() {\n  log \"$1\"\n}",
            "function NAME { total 2; }",
            "if true; then\n  NAME() { helper; }\nfi",
            "NAME() {\n  total() { NAME; }\n}",
            "alias NAME='log b'",
            "NAME=3",
            "readonly NAME=4",
            "@test \"NAME\" {\n  run total 1\n}",
            "NAME",
            "trap 'NAME; log' EXIT",
        ],
        _ => &[],
    }
}

/// Members inside a class.
fn sample_members(extension: &str) -> &'static [&'static str] {
    match extension {
        "ts" => &[
            "NAME() { return this; }",
            "NAME = make('f');",
            "static NAME(x: Square) { return x; }",
        ],
        "py" => &[
            "def NAME(self):\n    return self",
            "def NAME(self):\n    self.kept = make_rule('k')\n    return self.kept",
            "NAME = 3",
        ],
        "rs" => &["pub fn NAME(&self) -> u32 { 1 }", "fn NAME() -> u32 { 2 }"],
        "go" => &["NAME string", "NAME() int"],
        "java" => &[
            "int NAME() { return 1; }",
            "static Item NAME = null;",
            "Item NAME(String s) { return null; }",
            "class NAME { int price() { return 2; } }",
        ],
        "c" | "h" => &["int (*NAME)(struct item *self);", "struct item *NAME;"],
        "cc" | "hpp" => &[
            "int NAME() const { return 1; }",
            "int NAME(int x);",
            "static int NAME(const shop::Item& item) { return item.price(); }",
            "shop::Item* NAME;",
            "virtual int NAME() const { return 2; }",
            "bool operator!=(const shop::Item& other) const { return true; }",
            "explicit operator bool() const { return false; }",
            "friend int NAME(const shop::Item& a, int b) { return b; }",
            "using shop::Item::NAME;",
        ],
        "php" => &[
            "public function NAME() { return $this; }",
            "public static function NAME(Item $x): Item { return $x; }",
            "public ?Item $NAME = null;",
            "private function NAME(): static { return $this->label(); }",
            "const NAME = 3;",
            "use NAME;",
            "abstract public function NAME(): Store;",
        ],
        _ => &[],
    }
}

/// A name that some file of the language contains, or a new one.
fn random_name(edits: &mut Edits, end: &str) -> Option<String> {
    if edits.random.below(3) == 0 {
        return Some(format!("fresh{}", edits.random.below(3)));
    }
    let alike = |(path, _): &(&String, &String)| extension(path) == end;
    let all: Vec<(&String, &String)> = edits.tree.iter().filter(alike).collect();
    let (_, text) = edits.random.pick(&all)?;
    Some(edits.random.pick(&words(text))?.to_string())
}

/// Adds a definition with a name that other files may already mention.
pub(super) fn add_named_definition(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    let name = random_name(edits, extension(&path))?;
    let more = edits.random.pick(sample_definitions(extension(&path)))?;
    let more = more.replace("NAME", &name);
    one_file_edit("named definition", &path, format!("{text}\n{more}\n"))
}

fn opens_class(line: &str) -> bool {
    let line = line.trim();
    let starts = [
        "class ",
        "export class ",
        "impl",
        "pub trait ",
        "public class ",
        "type ",
        "interface ",
        "struct ",
        "trait ",
    ];
    let starts = starts.iter().any(|start| line.starts_with(start));
    starts && line.ends_with(['{', ':'])
}

/// Adds a member to a class, with a name that other files may already mention.
pub(super) fn add_named_member(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    let mut all = split_lines(&text);
    let places: Vec<usize> = (0..all.len()).filter(|at| opens_class(&all[*at])).collect();
    let at = *edits.random.pick(&places)?;
    let name = random_name(edits, extension(&path))?;
    let more = edits
        .random
        .pick(sample_members(extension(&path)))?
        .replace("NAME", &name);
    let indent = all[at].len() - all[at].trim_start().len() + 4;
    let more: String = more
        .lines()
        .map(|line| format!("{:indent$}{line}\n", ""))
        .collect();
    all.insert(at + 1, more);
    one_file_edit("named member", &path, all.concat())
}

/// The lines of a definition: from a line that opens a body to its end.
fn random_definition_range(edits: &mut Edits, all: &[String]) -> Option<(usize, usize)> {
    let indent = |line: &String| line.len() - line.trim_start().len();
    let opens = |at: &usize| {
        let line = all[*at].trim_end();
        let one_line = line.ends_with('}') && line.contains('{') && line.contains('(');
        line.ends_with(['{', ':']) || one_line
    };
    let places: Vec<usize> = (0..all.len()).filter(opens).collect();
    let from = *edits.random.pick(&places)?;
    if all[from].trim_end().ends_with('}') {
        return Some((from, from + 1));
    }
    let inside = |line: &String| line.trim().is_empty() || indent(line) > indent(&all[from]);
    let count = all[from + 1..]
        .iter()
        .take_while(|line| inside(line))
        .count();
    let closes = all
        .get(from + 1 + count)
        .is_some_and(|l| l.trim_start().starts_with('}'));
    Some((from, from + 1 + count + usize::from(closes)))
}

/// Deletes a whole definition.
pub(super) fn delete_definition(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    let mut all = split_lines(&text);
    let (from, to) = random_definition_range(edits, &all)?;
    all.drain(from..to);
    one_file_edit("definition gone", &path, all.concat())
}

/// Moves a whole definition to another file of the language.
pub(super) fn move_definition(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    let (to, end) = random_source_file(edits)?;
    if to == path || extension(&to) != extension(&path) {
        return None;
    }
    let mut all = split_lines(&text);
    let (from, until) = random_definition_range(edits, &all)?;
    let moved: String = all.drain(from..until).collect();
    Some(Edit {
        description: format!("definition moved: {path} to {to}"),
        changes: vec![
            (path, Some(all.concat())),
            (to, Some(format!("{end}\n{moved}"))),
        ],
    })
}

/// Imports, by language.
fn sample_imports(extension: &str) -> &'static [&'static str] {
    match extension {
        "ts" => &[
            "import { Square } from './shapes';",
            "import { make as made } from './store';",
            "import * as all from '@lib/shapes';",
            "import { helper } from '@lib/store';",
            "import './shapes';",
            "import fs from 'fs';",
        ],
        "js" => &[
            "const format = require('./format');",
            "const os = require('os');",
        ],
        "py" => &[
            "import os",
            "import shop.rules",
            "from shop.models import Item",
            "from shop.rules import make_rule",
            "from shop.rules import make_rule as build",
            "from shop import rules",
            "from pathlib import Path",
            "from shop.models import *",
        ],
        "go" => &[
            "import \"fmt\"",
            "import \"example.com/shop/model\"",
            "import st \"example.com/shop/store\"",
            "import . \"example.com/shop/model\"",
        ],
        "rs" => &[
            "use std::fmt::Debug;",
            "use crate::shape::Square;",
            "use super::*;",
        ],
        "java" => &["import java.util.List;", "import java.util.*;"],
        "php" => &[
            "use Shop\\Item;",
            "use Shop\\Item as Store;",
            "use Shop\\{Named, Discount};",
            "use function Shop\\total;",
            "use function Shop\\total as helper;",
            "use const Shop\\LIMIT;",
            "require_once __DIR__ . '/Item.php';",
        ],
        "c" | "h" => &[
            "#include <stdio.h>",
            "#include \"util.h\"",
            "#include \"shop/item.h\"",
        ],
        "cc" | "hpp" => &[
            "#include <vector>",
            "#include \"shop/item.hpp\"",
            "#include \"shop/store.hpp\"",
            "#include \"macros.hpp\"",
        ],
        "sh" | "bats" => &[
            ". \"$(dirname \"$0\")/log.sh\"",
            "source \"$LIB/lib/cart.sh\"",
            "source lib/log.sh",
            ". /etc/profile",
            "source \"$2\"",
            "load helper",
            "bash bin/shop.sh",
        ],
        _ => &[],
    }
}

fn is_import(line: &str) -> bool {
    let starts = [
        "import ",
        "from ",
        "use ",
        "pub use ",
        "const format = require",
        "#include ",
        ". ",
        "source ",
        "load ",
    ];
    starts.iter().any(|start| line.starts_with(start))
}

/// Adds an import, from a list or from another file, or deletes one.
pub(super) fn change_import(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    let mut all = split_lines(&text);
    if edits.random.below(3) == 0 {
        let places: Vec<usize> = (0..all.len()).filter(|at| is_import(&all[*at])).collect();
        all.remove(*edits.random.pick(&places)?);
        return one_file_edit("import gone", &path, all.concat());
    }
    let (other, theirs) = random_source_file(edits)?;
    let known: Vec<String> = split_lines(&theirs)
        .into_iter()
        .filter(|l| is_import(l))
        .collect();
    let same = extension(&other) == extension(&path);
    let line = match edits.random.pick(&known).filter(|_| same) {
        Some(line) => line.trim_end().to_owned(),
        None => (*edits.random.pick(sample_imports(extension(&path)))?).to_owned(),
    };
    let first = if extension(&path) == "php" {
        ["namespace ", "<?php"].as_slice()
    } else {
        &["package "]
    };
    let mut first = first.iter();
    let clause = first.find_map(|start| all.iter().position(|l| l.starts_with(start)));
    all.insert(clause.map_or(0, |at| at + 1), format!("{line}\n"));
    one_file_edit("import", &path, all.concat())
}

/// Renames a definition where it is defined, or everywhere in its file.
pub(super) fn rename_in_file(edits: &mut Edits) -> Option<Edit> {
    let (path, text) = random_source_file(edits)?;
    let by = random_name(edits, extension(&path))?;
    let (from, to) = random_word_range(&text, &mut edits.random)?;
    let old = text[from..to].to_owned();
    one_file_edit("renamed in one file", &path, text.replace(&old, &by))
}
