//! Linking of small repositories of shell scripts.

use crate::fixture::{check, imports, mentions};

#[test]
fn commands_call_functions_builtins_and_programs() {
    check(
        r#"
//- a.sh
f() { g; echo; ls -l; gone; }
g() { $1; "x_$y"; }
f | sort
early
early() { :; }
case $1 in a) h() { :; } ;; *) h() { f; } ;; esac
h
//- b.sh
gone() { :; }
"#,
        "
a.sh:1 g -> a.sh:g@2 [scoped]
a.sh:1 echo -> ext shell.echo
a.sh:1 ls -> ext program.ls
a.sh:1 gone -> ? unknown name
a.sh:2 (…) -> ? computed callee
a.sh:2 (…) -> ? computed callee
a.sh:3 f -> a.sh:f@1 [scoped]
a.sh:3 sort -> ext program.sort
a.sh:4 early -> ? unknown name
a.sh:5 : -> ext shell.:
a.sh:6 : -> ext shell.:
a.sh:6 f -> a.sh:f@1 [scoped]
a.sh:7 h -> a.sh:h@6 h(), a.sh:h@6 h() [scoped]
b.sh:1 : -> ext shell.:
",
    );
}

#[test]
fn held_names_are_dynamic_or_known() {
    check(
        r#"
//- a.sh
f() { :; }
one=f
$one a
read -r two
$two
three=$1
"$three"
local_() { local four=f; "$four"; }
"#,
        "
a.sh:1 : -> ext shell.:
a.sh:3 f -> a.sh:f@1 [scoped]
a.sh:4 read -> ext shell.read
a.sh:5 two -> ? dynamic call
a.sh:7 three -> ? dynamic call
a.sh:8 f -> a.sh:f@1 [scoped]
",
    );
}

#[test]
fn several_files_with_a_name_are_ambiguous() {
    check(
        r#"
//- main.sh
. ./a.sh
. ./b.sh
f
g
//- a.sh
f() { :; }
g() { :; }
//- b.sh
. ./c.sh
f() { :; }
//- c.sh
f() { g; }
"#,
        "
a.sh:1 : -> ext shell.:
a.sh:2 : -> ext shell.:
b.sh:1 . -> ext shell..
b.sh:2 : -> ext shell.:
c.sh:1 g -> a.sh:g@2 [scoped]
main.sh:1 . -> ext shell..
main.sh:2 . -> ext shell..
main.sh:3 f -> ? ambiguous
main.sh:4 g -> a.sh:g@2 [scoped]
",
    );
}

#[test]
fn sources_and_run_scripts_are_imports() {
    let found = imports(
        r#"
//- bin/main.sh
. "$(dirname "$0")/../lib/a.sh"
. "$X/lib/b.sh"
. "$X/a.sh"
. /etc/profile
. lib/a.sh
load gone
bash lib/b.sh
//- lib/a.sh
//- lib/b.sh
"#,
    );
    let expected = [
        "bin/main.sh:1 -> lib/a.sh",
        "bin/main.sh:2 -> lib/b.sh",
        "bin/main.sh:3 -> ?",
        "bin/main.sh:4 -> ext /etc/profile",
        "bin/main.sh:5 -> lib/a.sh",
        "bin/main.sh:7 -> lib/b.sh",
    ];
    assert_eq!(found.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn given_functions_and_variables_are_mentioned() {
    let found = mentions(
        r#"
//- a.sh
. ./b.sh
f() { echo "$A $B"; }
A=1
export -f f
complete -F f it
type f
PROMPT_COMMAND='f; f'
//- b.sh
B=2
"#,
    );
    let expected = [
        "a.sh:2 A -> a.sh:A@3 [scoped]",
        "a.sh:2 B -> b.sh:B@1 [scoped]",
        "a.sh:4 f -> a.sh:f@2 [scoped]",
        "a.sh:5 f -> a.sh:f@2 [scoped]",
        "a.sh:6 f -> a.sh:f@2 [scoped]",
        "a.sh:7 f -> a.sh:f@2 [scoped]",
        "a.sh:7 f -> a.sh:f@2 [scoped]",
    ];
    assert_eq!(found.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn another_run_calls_nothing() {
    check(
        r#"
//- a.sh
f() { :; }
run() { :; }
run f
//- b.bash
f() { :; }
run -1 f
"#,
        "
a.sh:1 : -> ext shell.:
a.sh:2 : -> ext shell.:
a.sh:3 run -> a.sh:run@2 [scoped]
a.sh:3 f -> ext program
b.bash:1 : -> ext shell.:
b.bash:2 run -> ? unknown name
b.bash:2 f -> b.bash:f@1 [scoped]
",
    );
}
