//! Rows of marks: decorators of definitions and how errors are handled; properties of definitions and files; and that
//! edits keep both correct.

use crate::common::state;
use ingest::{IndexOptions, update};
use std::collections::BTreeMap;
use store::sqlite::SqliteStore;
use store::{GraphStore, NodeFlags};
use testkit::Repo;

const FLAGS: [(u32, &str); 10] = [
    (NodeFlags::INHERITS, "inherits"),
    (NodeFlags::OVERRIDES, "overrides"),
    (NodeFlags::DECLARED, "declared"),
    (NodeFlags::ENTRY, "entry"),
    (NodeFlags::DEFAULT_EXPORT, "default"),
    (NodeFlags::GROUPED, "grouped"),
    (NodeFlags::TYPE_ONLY, "types"),
    (NodeFlags::FROM_MACRO, "macro"),
    (NodeFlags::BLANK, "blank"),
    (NodeFlags::OWN_NAME, "own-name"),
];

fn options(repo: &Repo) -> IndexOptions {
    IndexOptions::new(repo.path(), &repo.path().join(".devbooks"))
}

/// Marks as `path name kind name(detail) lines`, then nodes with properties as `path name: properties`.
fn rows(repo: &Repo) -> String {
    let store = SqliteStore::open_read_only(&options(repo).db_path).unwrap();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut flags = Vec::new();
    let read = store.for_each_node(&mut |node| {
        let name = node.qualified_name.unwrap_or(node.symbol);
        let shown = match node.kind.as_str() {
            "file" => node.file_path,
            _ => format!("{} {name}", node.file_path),
        };
        let set = FLAGS.iter().filter(|(bit, _)| node.flags.contains(*bit));
        let set: String = set.map(|(_, word)| format!(" {word}")).collect();
        if !set.is_empty() {
            flags.push(format!("{shown}:{set}"));
        }
        names.insert(node.id, shown);
    });
    read.unwrap();
    let mut marks = Vec::new();
    let read = store.for_each_mark(&mut |mark| {
        // The tests of contracts cover these.
        if mark.kind.is_remote() {
            return;
        }
        let lines: Vec<String> = mark.lines.iter().map(u32::to_string).collect();
        let detail = match mark.detail {
            "" => String::new(),
            detail => format!("({detail})"),
        };
        marks.push(format!(
            "{} {:?} {}{detail} @{}",
            names[mark.source_id],
            mark.kind,
            mark.name,
            lines.join(",")
        ));
    });
    read.unwrap();
    marks.sort();
    flags.sort();
    marks.extend(flags);
    marks.join("\n")
}

fn check(fixture: &str, expected: &str) {
    let repo = Repo::new(fixture);
    update(&options(&repo), &()).unwrap();
    let got = rows(&repo);
    let expected = expected.trim();
    assert!(got == expected, "expected:\n{expected}\n\ngot:\n{got}\n");
}

#[test]
fn python() {
    check(
        r"//- a.py
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    Alias = int
    class Types: pass
class Plain(object): pass
class Meta(metaclass=M): pass
class Sub(Plain, x.Y):
    @property
    def p(self): pass
@app.route('/x', methods=['GET'], **more)
@(odd)
def view():
    try:
        f()
    except (A, B) as err:
        raise Bad(
            1
        ) from err
    except C:
        def inner():
            raise Bad(2)
        raise m.Worse(3)
    except:
        raise
    raise Bad(4)
//- b.py

//- c.py
if __name__ == '__main__':
    pass
//- d.py
#!/usr/bin/env python
from __future__ import annotations, division
",
        "
a.py Catch  @19
a.py Catch err @15
a.py CatchAll  @23
a.py Rethrow Bad @16
a.py RethrowWithoutCause m.Worse @22
a.py Sub.p Decorator property @8
a.py Throw Bad @21,25
a.py view Decorator  @11
a.py view Decorator app.route('/x', methods=['GET']) @10
d.py PostponedAnnotations  @2
a.py Alias: types
a.py Meta: inherits
a.py Sub: inherits
a.py Types: types
b.py: blank
c.py: entry
d.py: entry
",
    );
}

#[test]
fn typescript() {
    check(
        "//- a.ts\n@Component({ selector: 'x' })\nexport default class A extends B<C> {\n  @Input('name') field = 1;\n\
  @HostListener('click', ['$event'])\n  override run() {\n    try { f(); } catch (error) { throw new Error('x'); }\n\
    try { f(); } catch { throw new m.Own(); }\n    try { f(); } catch ({ code }) { throw code; }\n  }\n}\n\
declare function outside(): void;\nexport interface I extends J {}\nclass K<T extends object> {}\n\
function over(a: number): void;\nfunction over(a: any) {}\n\
(a as any).run = function ran() {};\nconst bound = function inner() {};\n",
        "
a.ts A Decorator Component @1
a.ts A.field Decorator Input('name') @3
a.ts A.run Decorator HostListener('click', ['$event']) @4
a.ts Catch  @8
a.ts Catch error @6
a.ts CatchAll  @7
a.ts Throw Error @6
a.ts Throw m.Own @7
a.ts A.run: overrides
a.ts A: inherits default
a.ts I: inherits
a.ts outside: declared
a.ts ran: own-name
",
    );
}

#[test]
fn go() {
    check(
        "//- go.mod\nmodule x\n//- a.go\npackage main\nconst alone = 1\nconst (\n\ta = 1\n\tb = 2\n)\nvar (\n\tc = 3\n)\n\
func assembly()\n\n//export called\nfunc called() {}\n\n// called too\nfunc plain() error {\n\
\tif err := f(); err != nil {\n\t\treturn err\n\t}\n\tif err != nil {\n\t\treturn fmt.Errorf(\"x: %w\", err)\n\t}\n\
\tif err != nil {\n\t\tlog(err)\n\t\treturn nil\n\t}\n\tif err == io.EOF || errors.Is(err, other) {\n\
\t\treturn fmt.Errorf(\"x: %v\", err)\n\t}\n\treturn fmt.Errorf(\"x\")\n}\n//- lib/b.go\npackage lib\n",
        "
a.go CompareByIs  @27
a.go CompareByOperator  @27
a.go Flatten  @28
a.go ReturnPlain  @18
a.go ReturnWrapped  @21
a.go Wrap  @21
a.go a: grouped
a.go assembly: declared
a.go b: grouped
a.go c: grouped
a.go called: entry
a.go: entry
",
    );
}

#[test]
fn rust() {
    check(
        "//- Cargo.toml\n[package]\nname = \"x\"\n//- src/lib.rs\n#![allow(dead_code)]\n/// Doc.\n#[derive(Debug)]\n\
#[serde(rename = \"s\", default)]\npub struct S {\n    #[arg(long)]\n    pub field: u8,\n}\nimpl Clone for S {\n    fn clone(&self) -> S { S { field: 1 } }\n}\n\
impl S {\n    #[tokio::main]\n    fn own(&self) { a().unwrap(); b().expect(\"why\"); c().context(format!(\"x\")); }\n}\n\
extern \"C\" { static OUTSIDE: u8; }\nmacro_rules! make { () => { fn made() {} } }\nmake!();\n\
#[cfg(test)]\nmod tests {\n    fn t() { a().unwrap(); }\n}\nfn last() { d().with_context(|| 1).unwrap(); }\n",
        "
src/lib.rs ContextFormat  @14
src/lib.rs ContextLazy  @23
src/lib.rs Expect  @14
src/lib.rs S Decorator derive @3
src/lib.rs S Decorator serde(\"s\") @4
src/lib.rs S.field Decorator arg @6
src/lib.rs S.own Decorator tokio::main @13
src/lib.rs Unwrap  @14,23
src/lib.rs S.clone: overrides
src/lib.rs made: macro
",
    );
}

#[test]
fn java() {
    check(
        "//- a/A.java\npackage a;\n@Service(\"x\")\nclass A extends B {\n    @Inject private C c;\n    @Override\n    @RequestMapping(value = \"/x\", method = GET)\n    public void run() {\n\
        try { f(); } catch (IOException e) {\n            throw new Bad(\"x\", e);\n        } catch (Bad ignored) {\n            throw new Worse<>(1);\n        }\n        throw new Bad();\n    }\n\
    public static void main(String[] args) {}\n}\ninterface I extends J {}\n",
        "
a/A.java A Decorator Service(\"x\") @2
a/A.java A.c Decorator Inject @4
a/A.java A.run Decorator RequestMapping(value = \"/x\", method = GET) @6
a/A.java Catch e @8
a/A.java Catch ignored @10
a/A.java Rethrow Bad @9
a/A.java RethrowWithoutCause Worse @11
a/A.java Throw Bad @13
a/A.java A.main: entry
a/A.java A.run: overrides
a/A.java A: inherits
a/A.java I: inherits
",
    );
}

#[test]
fn an_update_says_what_a_new_index_says() {
    let repo = Repo::new(
        "//- a.py\n@app.task(bind=True)\ndef f():\n    try:\n        g()\n    except E as e:\n        raise X(1)\ndef g(): pass\n//- b.py\nx = 1\n",
    );
    let options = options(&repo);
    update(&options, &()).unwrap();
    for (path, text) in [
        (
            "a.py",
            "@app.task(bind=False)\ndef f():\n    try:\n        g()\n    except E as e:\n        raise X(1) from e\ndef g(): pass\n",
        ),
        ("a.py", "def f():\n    g()\n@cached\ndef g(): pass\n"),
        ("b.py", "#!/usr/bin/env python\nx = 1\n"),
        ("a.py", "\n"),
    ] {
        repo.write(path, text);
        update(&options, &()).unwrap();
        let other = Repo::new("");
        for path in ["a.py", "b.py"] {
            other.write(
                path,
                &std::fs::read_to_string(repo.file_path(path)).unwrap(),
            );
        }
        let anew = self::options(&other);
        update(&anew, &()).unwrap();
        assert_eq!(rows(&repo), rows(&other), "{path}: {text}");
        assert!(!state::graph(&options.db_path).is_empty());
    }
}
