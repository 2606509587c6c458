//! Conditions of the preprocessor: which branches a usual build on Linux excludes. Nothing else is decided: a branch of
//! unknown condition is read like any other.

use crate::outline::Walker;
use base::Language;
use base::list::{self, WordList};
use std::sync::LazyLock;
use syntax::facts::NameId;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The condition of a definition that a usual build excludes.
pub(crate) const ABSENT: &str = "absent";
pub(crate) const OPEN: &str = "open";
/// The condition of a C++ definition that a build includes if no switch is given.
pub(crate) const DEFAULT: &str = "default";
/// The condition of a macro that is only defined if it was not defined before.
pub(crate) const UNLESS: &str = "unless";
/// Most bytes of a condition that are read.
const MOST: usize = 1_000;
/// Deepest nesting of a condition that is read.
const MOST_NESTING: u32 = 16;

/// Reads what stands in a function.
pub(crate) type ReadInside = for<'t> fn(&mut Walker<'_, '_>, Node<'t>);

/// Reads the branches of `#if` or `#ifdef`.
pub(crate) fn branches(walker: &mut Walker<'_, '_>, node: Node<'_>, inside: ReadInside) -> bool {
    let mut next = Some(node);
    let mut has_taken = false;
    let is_cpp = walker.b.facts().language == Language::Cpp;
    // Whether an earlier branch is the one of a build without switches.
    let mut has_default = false;
    // Whether all earlier branches are decided.
    let mut is_decided = true;
    while let Some(branch) = next {
        let is_taken = is_taken(walker, branch);
        let guarded = guard(walker, branch);
        let condition = match is_taken {
            _ if has_taken => Some(ABSENT),
            Some(false) => Some(ABSENT),
            Some(true) if is_decided => None,
            Some(true) | None => {
                let is_default = is_cpp && !has_default && is_taken_by_default(walker, branch);
                has_default |= is_default;
                let which = if is_default { DEFAULT } else { OPEN };
                Some(which).filter(|_| guarded.is_none())
            }
        };
        read_branch(walker, branch, (condition, guarded), inside);
        has_taken |= is_taken == Some(true);
        is_decided &= is_taken.is_some();
        next = branch.field("alternative");
    }
    true
}

/// The definition `#define A` that directly follows `#ifndef A`: an include guard, or a macro that is only defined if
/// it was not defined before.
fn guard<'t>(walker: &Walker<'_, '_>, branch: Node<'t>) -> Option<Node<'t>> {
    let word = branch.child(0).map_or("", |word| word.kind());
    let (head, name) = match word {
        "#ifndef" => {
            let name = branch.field("name")?;
            (name, walker.b.text(name))
        }
        "#if" => {
            let condition = branch.field("condition")?;
            let text = walker.b.text(condition).strip_prefix('!')?.trim_start();
            let name = text.strip_prefix("defined")?.trim();
            (condition, name.trim_matches(['(', ')', ' ']))
        }
        _ => return None,
    };
    let mut after = head.next_named_sibling()?;
    while after.kind_name() == "comment" {
        after = after.next_named_sibling()?;
    }
    let is_define = matches!(after.kind_name(), "preproc_def" | "preproc_function_def");
    let defined = after.field("name").filter(|_| is_define)?;
    (walker.b.text(defined) == name).then_some(after)
}

fn read_branch(
    walker: &mut Walker<'_, '_>,
    branch: Node<'_>,
    (condition, guarded): (Option<&str>, Option<Node<'_>>),
    inside: ReadInside,
) {
    let is_absent = is_condition(walker, ABSENT);
    let outer = condition.filter(|_| !is_absent);
    // What a switch around it decides on, it decides on.
    let is_open = is_condition(walker, OPEN);
    let outer = outer.map(|inner| {
        if is_open && inner == DEFAULT {
            OPEN
        } else {
            inner
        }
    });
    let outer = outer.map(|condition| set(walker, condition));
    let skipped = ["condition", "name", "alternative"].map(|field| branch.field(field));
    if walker.b.enter_level() {
        let is_local = walker.is_local();
        for child in children_with_comments(branch) {
            if skipped.contains(&Some(child)) {
                continue;
            }
            let unless = (guarded == Some(child) && walker.b.condition().is_none())
                .then(|| set(walker, UNLESS));
            if is_local {
                inside(walker, child);
            } else {
                walker.visit(child);
            }
            if let Some(outer) = unless {
                walker.b.set_condition(outer);
            }
        }
        walker.b.leave_level();
    }
    if let Some(outer) = outer {
        walker.b.set_condition(outer);
    }
}

/// Sets the condition of definitions from here on; returns the previous one.
fn set(walker: &mut Walker<'_, '_>, condition: &str) -> Option<NameId> {
    let name = walker.b.intern_owned_name(condition);
    walker.b.set_condition(Some(name))
}

/// Whether definitions here have that condition.
fn is_condition(walker: &Walker<'_, '_>, which: &str) -> bool {
    let condition = walker.b.condition();
    condition.is_some_and(|name| walker.b.facts().name(name) == which)
}

fn children_with_comments<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// Whether a branch is taken; `None` if unknown.
fn is_taken(walker: &Walker<'_, '_>, branch: Node<'_>) -> Option<bool> {
    let is_cpp = walker.b.facts().language == Language::Cpp;
    let is_given = UnknownMacros::Open;
    match branch.kind_name() {
        "preproc_else" => Some(true),
        "preproc_ifdef" | "preproc_elifdef" => {
            let is_defined = is_defined(walker.b.text(branch.field("name")?), is_cpp);
            let word = branch.child(0).map(|word| word.kind());
            let is_negated = word.is_some_and(|word| word.ends_with("ndef"));
            is_defined.map(|defined| defined != is_negated)
        }
        _ => {
            let text = walker.b.text(branch.field("condition")?);
            let read = syntax::builder::head(text, MOST);
            Condition {
                rest: read,
                is_cpp,
                others: is_given,
            }
            .either(0)
        }
    }
}

/// Whether a branch is taken if no macro is given but the known ones.
fn is_taken_by_default(walker: &Walker<'_, '_>, branch: Node<'_>) -> bool {
    match branch.kind_name() {
        "preproc_else" => true,
        "preproc_ifdef" | "preproc_elifdef" => {
            let word = branch.child(0).map_or("", |word| word.kind());
            let name = branch.field("name").map_or("", |name| walker.b.text(name));
            word.ends_with("ndef") && !may_be_configured(name)
        }
        _ => {
            let text = branch.field("condition").map_or("", |it| walker.b.text(it));
            let mut condition = Condition {
                rest: syntax::builder::head(text, MOST),
                is_cpp: true,
                others: UnknownMacros::Not,
            };
            condition.either(0) == Some(true)
        }
    }
}

/// Whether builds detect by themselves whether a macro is given.
fn may_be_configured(name: &str) -> bool {
    name.starts_with("HAVE_") || name.contains("_HAVE_") || name.contains("_HAS_")
}

/// How unknown macros count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UnknownMacros {
    Open,
    Not,
}

/// Words of the names of macros that only compilers for other systems define.
static OTHER_SYSTEMS: WordList = LazyLock::new(|| {
    list::words(list::section(include_str!("../systems.txt"), "macros")).collect()
});

/// The same of words that mean other things as well.
static SYSTEMS_BY_NAME: WordList = LazyLock::new(|| {
    list::words(list::section(
        include_str!("../systems.txt"),
        "macros by name",
    ))
    .collect()
});

/// Words behind which they name systems.
static FOR_SYSTEMS: WordList = LazyLock::new(|| {
    list::words(list::section(
        include_str!("../systems.txt"),
        "words for systems",
    ))
    .collect()
});

/// Whether a macro's name says that it is of another system: by a word of its own, not by a part of one.
fn is_of_other_system(name: &str) -> bool {
    let words: Vec<&str> = name.split('_').filter(|word| !word.is_empty()).collect();
    if words.iter().any(|word| OTHER_SYSTEMS.contains(word)) {
        return true;
    }
    let is_named = |word: &&str| SYSTEMS_BY_NAME.contains(word);
    match words.as_slice() {
        [word] => is_named(word),
        // `__APPLE_CC__`, `HAVE_WINDOWS_H`, `SDL_PLATFORM_WINDOWS`.
        [word, "CC"] | ["HAVE", word, "H"] => is_named(word),
        words => words
            .windows(2)
            .any(|two| FOR_SYSTEMS.contains(&two[0]) && is_named(&two[1])),
    }
}

/// Whether a macro is defined in a usual build.
fn is_defined(name: &str, is_cpp: bool) -> Option<bool> {
    if name == "__cplusplus" {
        return Some(is_cpp);
    }
    // What a compiler of this time says that it knows.
    if is_cpp && name.starts_with("__cpp_") {
        return Some(true);
    }
    // Assertions are checked.
    if name == "NDEBUG" || is_of_other_system(name) {
        return Some(false);
    }
    // Switches that disable something are off, and so are those for debugging.
    let is_off = |part: &str| matches!(part, "DISABLE" | "DISABLED" | "DEBUG");
    if name.starts_with("NO_") || name.split('_').any(is_off) {
        return Some(false);
    }
    let known = [
        "__linux__",
        "__linux",
        "linux",
        "__unix__",
        "__unix",
        "__GNUC__",
    ];
    known.contains(&name).then_some(true)
}

/// A parser of a condition.
struct Condition<'s> {
    rest: &'s str,
    is_cpp: bool,
    others: UnknownMacros,
}

impl<'s> Condition<'s> {
    fn take(&mut self, sign: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn either(&mut self, nesting: u32) -> Option<bool> {
        let mut found = self.both(nesting);
        while self.take("||") {
            let other = self.both(nesting);
            found = match (found, other) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            };
        }
        found
    }

    fn both(&mut self, nesting: u32) -> Option<bool> {
        let mut found = self.operand(nesting);
        while self.take("&&") {
            let other = self.operand(nesting);
            found = match (found, other) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
        }
        found
    }

    fn operand(&mut self, nesting: u32) -> Option<bool> {
        if nesting > MOST_NESTING {
            self.rest = "";
            return None;
        }
        let before = self.rest.trim_start();
        let found = if self.take("!") && !self.rest.starts_with('=') {
            return self.operand(nesting + 1).map(|is_taken| !is_taken);
        } else if self.take("(") {
            let inner = self.either(nesting + 1);
            self.take(")");
            inner
        } else {
            self.word()
        };
        let rest = self.rest.trim_start();
        let is_version = before.starts_with("__GNUC__") || before.starts_with("__cplusplus");
        if self.skip_comparison() {
            let compared = &rest[..rest.len() - self.rest.len()];
            let is_zero = self.others == UnknownMacros::Not && found == Some(false);
            return match () {
                // Compilers are recent.
                () if is_version && self.is_cpp => at_least(compared),
                // What is not given is zero.
                () if is_zero => at_least(compared).map(|is_large| !is_large),
                () => byte_order(compared),
            };
        }
        found
    }

    /// `defined(A)`, `defined A`, `A`, `0`, `A(x)`.
    fn word(&mut self) -> Option<bool> {
        let word = self.take_word();
        match word {
            "defined" => {
                let in_parentheses = self.take("(");
                let name = self.take_word();
                if in_parentheses {
                    self.take(")");
                }
                self.is_defined(name)
            }
            "0" => Some(false),
            "1" => Some(true),
            "" => {
                // An unknown character: the rest cannot be evaluated.
                self.rest = "";
                None
            }
            name => {
                if self.take("(") {
                    self.skip_parentheses();
                    return None;
                }
                // An undefined name counts as zero; a defined one may have any value.
                self.is_defined(name).filter(|defined| !defined)
            }
        }
    }

    fn is_defined(&self, name: &str) -> Option<bool> {
        let known = is_defined(name, self.is_cpp);
        let is_open = known.is_none() && !may_be_configured(name);
        known.or((is_open && self.others == UnknownMacros::Not).then_some(false))
    }

    fn take_word(&mut self) -> &'s str {
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    fn skip_parentheses(&mut self) {
        let mut open = 1;
        for (at, c) in self.rest.char_indices() {
            match c {
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
            if open == 0 {
                self.rest = &self.rest[at + 1..];
                return;
            }
        }
        self.rest = "";
    }

    /// Skips a comparison or a calculation.
    fn skip_comparison(&mut self) -> bool {
        self.rest = self.rest.trim_start();
        let goes_on = |rest: &str| {
            !(rest.is_empty()
                || rest.starts_with("&&")
                || rest.starts_with("||")
                || rest.starts_with(')'))
        };
        let mut skipped = false;
        while goes_on(self.rest) {
            skipped = true;
            let first = self.rest.chars().next().map_or(1, char::len_utf8);
            let is_open = self.rest.starts_with('(');
            self.rest = &self.rest[first..];
            if is_open {
                self.skip_parentheses();
            }
        }
        skipped
    }
}

/// `>= 4`, `< 4`: whether a large number satisfies a comparison.
fn at_least(compared: &str) -> Option<bool> {
    let is_number = |rest: &str| {
        let rest = rest.trim_start_matches('=').trim();
        !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let large = compared.strip_prefix('>').filter(|rest| is_number(rest));
    let small = compared.strip_prefix('<').filter(|rest| is_number(rest));
    match (large, small) {
        (Some(_), _) => Some(true),
        (_, Some(_)) => Some(false),
        _ => None,
    }
}

/// `//- BIG_ENDIAN`: false for the processors of usual builds.
fn byte_order(compared: &str) -> Option<bool> {
    let with = compared.strip_prefix("==")?;
    let is = |order: &str| with.contains(order).then_some(order == "LITTLE_ENDIAN");
    is("BIG_ENDIAN").or(is("LITTLE_ENDIAN"))
}

#[cfg(test)]
mod tests {
    use super::{Condition, UnknownMacros};

    #[test]
    fn conditions_are_known_where_they_name_systems() {
        let is_taken = |text: &str| {
            Condition {
                rest: text,
                is_cpp: false,
                others: UnknownMacros::Open,
            }
            .either(0)
        };
        for text in [
            "0",
            "_WIN32",
            "defined(_WIN32)",
            "defined(__APPLE__) && X",
            "!1",
            "NO_MMAP",
            "defined(LIB_DISABLE_THREADS)",
            "LIB_DEBUG",
            "defined(__MINGW32__)",
            "_MSC_VER",
            "defined(USE_WIN32_THREADS)",
            "TARGET_OS_MAC",
            "SDL_PLATFORM_WINDOWS",
            "HAVE_WINDOWS_H",
            "__sun",
        ] {
            assert_eq!(is_taken(text), Some(false), "{text}");
        }
        // What has such a word among others is no other system.
        for text in [
            "defined(MULTI_WINDOWS)",
            "MAX_OPEN_WINDOWS",
            "USE_MAC",
            "HAVE_SUNRISE",
            "DARWINIAN",
        ] {
            assert_eq!(is_taken(text), None, "{text}");
        }
        for text in [
            "1",
            "!defined(_WIN32)",
            "defined __linux__ || X",
            "!(0 || defined(_WIN32))",
        ] {
            assert_eq!(is_taken(text), Some(true), "{text}");
        }
        for text in [
            "X",
            "X > 3",
            "defined(X) && 1",
            "__GNUC__ >= 4",
            "f(1) && X",
            "0 < X",
            "",
            "(",
        ] {
            assert_eq!(is_taken(text), None, "{text}");
        }
        assert_eq!(is_taken("__BYTE_ORDER == __BIG_ENDIAN && X"), Some(false));
        assert_eq!(is_taken("BYTE_ORDER == LITTLE_ENDIAN"), Some(true));
        // `0 < X` is not zero, and the text after it is still read.
        assert_eq!(is_taken("(0 < X) && 0"), Some(false));
    }
}
