//! Rows of imports: the names in each statement, the imported file, and when it takes effect; and that edits keep them
//! correct.

use crate::common::state;
use ingest::{DeltaRequest, IndexOptions, ResidentCell, UpdateMethod, update, update_incremental};
use std::cell::Cell;
use store::sqlite::SqliteStore;
use store::{GraphStore, ImportFlags};
use testkit::Repo;

const MARKS: [(u8, &str); 4] = [
    (ImportFlags::TYPE_ONLY, " types"),
    (ImportFlags::DEFERRED, " later"),
    (ImportFlags::REEXPORT, " passed-on"),
    (ImportFlags::ERASED, " erased"),
];

fn options(repo: &Repo) -> IndexOptions {
    IndexOptions::new(repo.path(), &repo.path().join(".devbooks"))
}

/// The imports of an index as `file:line specifier{names} > target`, with their properties.
fn rows(repo: &Repo) -> String {
    let store = SqliteStore::open_read_only(&options(repo).db_path).unwrap();
    let mut rows = Vec::new();
    let read = store.for_each_import(&mut |i| {
        let marks = MARKS.iter().filter(|(bit, _)| i.flags.has(*bit));
        let marks: String = marks.map(|(_, word)| *word).collect();
        let target = i.target.unwrap_or("-");
        rows.push(format!(
            "{}:{:02} {:?} {}{{{}}} > {target}{marks}",
            i.path, i.line, i.kind, i.specifier, i.names
        ));
    });
    read.unwrap();
    rows.sort();
    rows.join("\n")
}

fn check(fixture: &str, expected: &str) {
    let repo = Repo::new(fixture);
    update(&options(&repo), &()).unwrap();
    let got = rows(&repo);
    let expected = expected.trim();
    assert!(got == expected, "expected:\n{expected}\n\ngot:\n{got}\n");
}

#[test]
fn typescript_names_files_whatever_they_pass_on() {
    check(
        "//- package.json\n{\"name\":\"app\",\"workspaces\":[\"lib\"]}\n\
//- lib/package.json\n{\"name\":\"@x/lib\",\"main\":\"dist/index.js\"}\n\
//- lib/src/index.ts\nexport * from './real';\nexport type { Shape } from './real';\n\
//- lib/src/real.ts\nexport class Real {}\nexport interface Shape { a: number }\nexport function made() {}\n\
//- src/a.ts\nimport { Real, made } from '@x/lib';\nimport {\n  type Real as R,\n  Shape,\n} from '../lib/src/index.js';\n\
import * as all from './b';\nimport './b';\nimport type { B } from './b';\nimport zod, { z } from 'zod';\n\
function f() {\n  const { B } = require('./b');\n  return import('./b');\n}\n\
//- src/b.ts\nexport class B {}\n",
        "
lib/src/index.ts:01 All ./real{} > lib/src/real.ts passed-on
lib/src/index.ts:02 Names ./real{Shape} > lib/src/real.ts types passed-on erased
src/a.ts:01 Names @x/lib{Real,made} > lib/src/index.ts
src/a.ts:03 Names ../lib/src/index.js{Real} > lib/src/index.ts types
src/a.ts:04 Names ../lib/src/index.js{Shape} > lib/src/index.ts erased
src/a.ts:06 Module ./b{all} > src/b.ts
src/a.ts:07 SideEffect ./b{} > src/b.ts
src/a.ts:08 Names ./b{B} > src/b.ts types
src/a.ts:09 Names zod{zod,z} > -
src/a.ts:11 Names ./b{B} > src/b.ts later
src/a.ts:12 Dynamic ./b{} > src/b.ts later
",
    );
}

#[test]
fn python_names_modules_and_what_is_in_packages() {
    check(
        "//- p/__init__.py\nfrom .q import deep\n\
//- p/q.py\ndeep = 1\n\
//- p/r/__init__.py\n\
//- p/r/s.py\nimport os, numpy as np\nimport p.q\nfrom .. import q, deep as d\nfrom typing import TYPE_CHECKING\n\
if TYPE_CHECKING:\n    from p.q import (\n        deep,\n    )\n\
def f():\n    from . import *\n\"\"\"\nimport not_code\n\"\"\"\n",
        "
p/__init__.py:01 Names .q{deep} > p/q.py
p/r/s.py:01 Module numpy{np} > -
p/r/s.py:01 Module os{os} > -
p/r/s.py:02 SideEffect p.q{} > p/q.py
p/r/s.py:03 Names ..{deep} > p/__init__.py
p/r/s.py:03 Names ..{q} > p/q.py
p/r/s.py:04 Names typing{TYPE_CHECKING} > -
p/r/s.py:06 Names p.q{deep} > p/q.py types
p/r/s.py:10 All .{} > p/r/__init__.py later
",
    );
}

#[test]
fn compiled_languages_lead_to_the_files_that_define() {
    check(
        "//- src/q/Linked.java\npackage q;\npublic class Linked {}\n\
//- src/q/Used.java\npackage q;\npublic class Used extends Exception { public static int made(int a) { return a; } public static int made() { return 1; } }\n\
//- src/p/A.java\npackage p;\nimport q.Linked;\nimport q.Used;\nimport static q.Used.made;\nimport java.util.List;\nimport q.*;\n\
/** {@link Linked} of Linked */\nclass A { // Linked\n  String s = \"Linked\"; List<String> l; Other o;\n  void f() throws Used { made(); }\n}\n\
//- src/q/Other.java\npackage q;\npublic class Other {}\n\
//- go.mod\nmodule example.com/m\n\
//- main.go\npackage main\nimport (\n\tx \"example.com/m/lib\"\n\t\"fmt\"\n)\nfunc main() { x.F(); fmt.Println() }\n\
//- lib/lib.go\npackage lib\nfunc F() {}\n\
//- Cargo.toml\n[package]\nname = \"c\"\n\
//- src/lib.rs\nmod m;\npub use m::{f, T};\n\
//- src/m.rs\npub fn f() {}\npub struct T;\n",
        "
main.go:03 Module example.com/m/lib{x} > lib/lib.go
main.go:04 Module fmt{fmt} > -
src/lib.rs:02 Names m{f,T} > src/m.rs passed-on
src/p/A.java:02 Names q{Linked} > src/q/Linked.java types
src/p/A.java:03 Names q{Used} > src/q/Used.java
src/p/A.java:04 Names q.Used{made} > src/q/Used.java
src/p/A.java:05 Names java.util{List} > -
src/p/A.java:06 All q{} > src/q/Other.java
",
    );
}

/// Edits that only change rows of imports, each followed by an update.
#[test]
fn updates_keep_rows_as_a_clean_build_has_them() {
    let repo = Repo::new(
        "//- .git/HEAD\nref\n\
//- a.ts\nimport { T } from './b';\nexport const a = () => new T();\n\
//- b.ts\nexport { T } from './c';\n\
//- c.ts\nexport class T {}\n\
//- P.java\nimport q.U;\nclass P { U u; }\n\
//- q/U.java\npackage q;\npublic class U {}\n\
//- m.py\nimport n\n\
//- n.py\nx = 1\n",
    );
    let residence = ResidentCell::default();
    update(&options(&repo), &()).unwrap();
    let short = Cell::new(0);
    let edit = |path: &str, text: &str, expected: &str| {
        repo.write(path, text);
        let ask = DeltaRequest::default();
        let report = update_incremental(&options(&repo), &residence, ask, &()).unwrap();
        short.set(short.get() + usize::from(report.way == UpdateMethod::Files));
        let clean = tempfile::tempdir().unwrap();
        let theirs = IndexOptions::new(repo.path(), clean.path());
        update(&theirs, &()).unwrap();
        let (ours, theirs) = (options(&repo).db_path, theirs.db_path);
        assert_eq!(state::graph(&ours), state::graph(&theirs), "{path}");
        let rows = rows(&repo);
        assert!(rows.contains(expected), "{expected}\n{rows}");
    };
    edit(
        "a.ts",
        "// Moved.\nimport type { T } from './b';\nexport const a = (t: T) => t;\n",
        "a.ts:02 Names ./b{T} > b.ts types",
    );
    edit(
        "P.java",
        "import q.U;\n/** {@link U} */\nclass P { }\n",
        "P.java:01 Names q{U} > q/U.java types",
    );
    edit(
        "P.java",
        "import q.U;\nclass P { U u; }\n",
        "P.java:01 Names q{U} > q/U.java",
    );
    edit(
        "c.ts",
        "export interface T {}\n",
        "a.ts:02 Names ./b{T} > b.ts types erased",
    );
    edit(
        "m.py",
        "def f():\n    import n\n",
        "m.py:02 Module n{n} > n.py later",
    );
    edit(
        "m.py",
        "def f():\n    import os\n",
        "m.py:02 Module os{os} > -",
    );
    edit("m.py", "import n as os\n", "m.py:01 Module n{os} > n.py");
    assert!(short.get() > 0, "every update linked all files");
    // Another file takes over the name: the definition is where it was, but the named file is not.
    std::fs::remove_file(repo.file_path("b.ts")).unwrap();
    edit(
        "b/index.ts",
        "export { T } from '../c';\n",
        "a.ts:02 Names ./b{T} > b/index.ts types erased",
    );
    std::fs::remove_file(repo.file_path("b/index.ts")).unwrap();
    edit("z.py", "y = 1\n", "a.ts:02 Names ./b{T} > - types");
}
