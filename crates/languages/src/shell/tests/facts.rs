//! Facts of the shell.

use crate::extract;
use crate::fixture::names::{check_sample, names};
use base::Language;
use base::facts::*;

#[test]
fn names_of_the_sample() {
    check_sample(Language::Shell, "shell");
}

/// The modules of the imports of a source, those of run scripts with a `!`.
fn modules(source: &str) -> Vec<String> {
    let facts = extract(Language::Shell, source);
    let imports = facts.imports.iter().map(|import| {
        let mark = if import.what == Imported::Dynamic {
            "!"
        } else {
            ""
        };
        format!("{mark}{}", facts.name(import.module))
    });
    imports.collect()
}

#[test]
fn paths_of_sources_are_read() {
    let source = r#"
. ./a.sh
source "$(dirname "$0")/b.sh"
. "${BASH_SOURCE%/*}/c.sh"
HERE=$(cd -- "$(dirname -- "${BASH_SOURCE[0]:-$0}")" &>/dev/null && pwd)
. "$HERE/../d.sh"
ROOT=$(git rev-parse --show-toplevel)
. "$ROOT/lib/e.sh"
. "$ELSEWHERE/lib/f.sh"
LIB=${ELSEWHERE}/lib
. "$LIB/g.sh"
# shellcheck source=lib/h.sh
. "$(find_it)"
# shellcheck source=/dev/null
. "$1"
. ~/.profile
. /etc/profile
bash "$HERE/run.sh" -x
"$HERE/run.sh"
sh -c 'x.sh'
"#;
    let expected = [
        "./a.sh",
        "./b.sh",
        "./c.sh",
        "./../d.sh",
        "//lib/e.sh",
        "$ELSEWHERE/lib/f.sh",
        "$ELSEWHERE/lib/g.sh",
        "lib/h.sh",
        "$1",
        "~/.profile",
        "/etc/profile",
        "!./run.sh",
        "!./run.sh",
    ];
    assert_eq!(modules(source), expected);
}

#[test]
fn variables_of_the_script_are_definitions() {
    let source =
        "A=1\nexport B=2\nreadonly C=3\nA=4\nf() { local D=1; D=2; E=3; A=5; }\n(G=1)\nH=1 f\n";
    let expected = ["variable A", "variable B", "constant C", "function f"];
    assert_eq!(names(Language::Shell, source), expected);
    let facts = extract(Language::Shell, source);
    let written = facts
        .writes
        .iter()
        .filter_map(|w| facts.called_name(w.target));
    let written: Vec<&str> = written.map(|name| facts.name(name)).collect();
    assert_eq!(written, ["A", "E", "A"]);
}

#[test]
fn tests_of_bats_are_definitions() {
    let source = "@test \"adds one\" {\n  run f\n}\n@test 'no end' {\n  g\n";
    let facts = extract(Language::Shell, source);
    let shown: Vec<(&str, u32, u32)> = facts
        .defs
        .iter()
        .map(|d| (facts.name(d.name), d.span.start_line, d.span.end_line))
        .collect();
    assert_eq!(shown, [("adds one", 1, 3), ("no end", 4, 5)]);
    let owners: Vec<Option<DefId>> = facts.calls.iter().map(|call| call.owner).collect();
    assert_eq!(owners, [Some(DefId(0)), Some(DefId(0)), Some(DefId(1))]);
}

#[test]
fn a_source_ends_before_what_the_scanner_cannot_read() {
    let source = "f() { g; }\nx={1..2}\necho {é}\necho {\u{4e00}}\ng() { f; }\n";
    let facts = extract(Language::Shell, source);
    assert!(facts.parse_gave_up);
    assert_eq!(facts.defs.len(), 2);
    let source = "for x in {1..\u{10ffff}}; do :; done\n";
    assert!(extract(Language::Shell, source).parse_gave_up);
    assert!(!extract(Language::Shell, "echo {1..3} {é} \"{ \u{4e00}\"\n").parse_gave_up);
}
