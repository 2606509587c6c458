//! Work grows with the source: a source twice as long takes about twice as many steps at most, in parsing, in
//! collecting facts and in linking, for every language and whatever it contains.

mod go_java;
mod names;

use base::Language;
use base::facts::Expr;
use go_java::{GO, JAVA};
use ingest::emit::{FileNodes, assign_file_keys, assign_nodes, build_file_rows};
use linker::{Manifest, Repo, link_file};
use names::NAMES;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

/// Stack of the indexing threads.
const STACK: usize = 64 << 20;

/// The longest time for a fixture on a busy machine; after it, the test counts as hanging.
const HANGS: Duration = Duration::from_secs(300);

/// Sections `//- path` of a number of pieces.
type Fixture = (&'static str, fn(usize) -> String);

/// Steps of the parser, of reading the tree and of linking, and the number of resulting facts and rows.
fn work(text: &str) -> u64 {
    let mut steps = 0;
    let mut files: Vec<(Arc<str>, Arc<syntax::FileFacts>)> = Vec::new();
    let mut manifests = Vec::new();
    for testkit::FixtureFile { path, text: source } in testkit::parse_fixture(text) {
        let Some(language) = Language::from_path(path) else {
            manifests.push(Manifest {
                path: path.into(),
                text: source.into(),
            });
            continue;
        };
        let (facts, taken) = languages::extract_counted(language, source);
        let names: usize = facts.names.iter().map(|n| n.len()).sum();
        let rows = facts.exprs.len() + facts.types.len() + facts.defs.len() + facts.calls.len();
        let parts = facts.exprs.iter().map(|expr| match expr {
            Expr::Either(parts) | Expr::Tuple(parts) | Expr::List(parts) => parts.len(),
            _ => 0,
        });
        let rows = rows + parts.sum::<usize>();
        steps += taken + (names + rows + facts.bindings.len() + facts.imports.len()) as u64;
        files.push((Arc::from(path), Arc::new(facts)));
    }
    files.sort_by(|a, b| a.0.cmp(&b.0));
    let repo = Repo::new(files, manifests);
    let langs = languages::tables(&repo);
    let keys = assign_file_keys(repo.files().map(|(_, file)| &*file.path));
    let nodes = keys.iter().zip(repo.files());
    let nodes = nodes.map(|(key, (_, file))| assign_nodes(*key, &file.facts));
    let nodes: Vec<FileNodes> = nodes.collect();
    for (id, _) in repo.files() {
        let linked = link_file(&repo, &langs, id);
        let graph = build_file_rows(&repo, &&nodes[..], id, &linked).graph;
        let rows = graph.nodes.len() + graph.edges.len() + graph.relations.len();
        steps += linked.steps + (rows + graph.externals.len()) as u64;
    }
    steps
}

fn work_apart(name: &'static str, text: String) -> u64 {
    let (send, receive) = mpsc::channel();
    let thread = std::thread::Builder::new().stack_size(STACK);
    thread.spawn(move || send.send(work(&text))).unwrap();
    let done = receive.recv_timeout(HANGS);
    done.unwrap_or_else(|_| panic!("{name} hangs or panics"))
}

fn grows_with_the_source(fixtures: &[Fixture], pieces: usize) {
    let mut failed = String::new();
    for (name, fixture) in fixtures {
        let (once, twice) = (fixture(pieces), fixture(2 * pieces));
        let length = twice.len() as f64 / once.len() as f64;
        let (once, twice) = (work_apart(name, once), work_apart(name, twice));
        // Twice the pieces can be more than twice the text. The fixed allowance of a file is not growth.
        let most = 1.3 * length.max(2.0) * once as f64 + 30_000.0;
        if twice as f64 > most {
            writeln!(failed, "{name}: {once} steps, {twice} for twice as much").unwrap();
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

/// A piece for each number.
fn each(pieces: usize, piece: impl Fn(usize) -> String) -> String {
    (0..pieces).map(piece).collect()
}

fn nested(before: &str, open: &str, inner: &str, close: &str, after: &str, depth: usize) -> String {
    let (open, close) = (open.repeat(depth), close.repeat(depth));
    format!("{before}{open}{inner}{close}{after}")
}

const RUST: &[Fixture] = &[
    ("functions", |n| {
        format!(
            "//- a.rs\n{}",
            each(n, |i| format!("fn f{i}() {{ f{}(); }}\n", i + 1))
        )
    }),
    ("path of a call", |n| {
        format!("//- a.rs\nfn f() {{ {}b(); }}", "a::".repeat(n))
    }),
    ("path of a type", |n| {
        format!("//- a.rs\nfn f(x: {}B) {{ x.c(); }}", "a::".repeat(n))
    }),
    ("path of an import", |n| {
        format!("//- a.rs\nuse {}b;\nfn f() {{ b(); }}", "a::".repeat(n))
    }),
    ("long prefix", |n| {
        format!(
            "//- a.rs\nuse {}{{{}}};",
            "a::".repeat(n),
            each(n, |i| format!("b{i}, "))
        )
    }),
    ("prefixes", |n| {
        format!("//- a.rs\nuse {};", nested("", "a::{b, ", "c", "}", "", n))
    }),
    ("method chain", |n| {
        format!("//- a.rs\nfn f() {{ x{}; }}", ".b()".repeat(n))
    }),
    ("field chain", |n| {
        format!("//- a.rs\nfn f() {{ x{}(); }}", ".b".repeat(n))
    }),
    ("calls in calls", |n| {
        format!(
            "//- a.rs\nfn f() {{ {}; }}",
            nested("", "f(", "", ")", "", n)
        )
    }),
    ("macros in macros", |n| {
        format!(
            "//- a.rs\nfn f() {{ {}; }}",
            nested("", "a!(", "", ")", "", n)
        )
    }),
    ("macro items in macro items", |n| {
        format!("//- a.rs\n{}", nested("", "a!{ fn f() {} ", "", "}", "", n))
    }),
    ("macro calls", |n| {
        format!(
            "//- a.rs\nmacro_rules! m {{ () => {{ fn g() {{}} }} }}\n{}",
            "m!();\n".repeat(n)
        )
    }),
    ("closures", |n| {
        format!(
            "//- a.rs\nfn f() {{ {}; }}",
            nested("", "g(|x| ", "x.h()", ")", "", n)
        )
    }),
    ("generics", |n| {
        format!(
            "//- a.rs\nfn f(x: {}) {{ x.g(); }}",
            nested("", "A<", "B", ">", "", n)
        )
    }),
    ("pairs of pairs", |n| {
        format!(
            "//- a.rs\nstruct S; fn f() {{ let a0 = S; {} }}",
            each(n, |i| format!(
                "let a{} = (a{i}, a{i}); a{}.0.m();\n",
                i + 1,
                i + 1
            ))
        )
    }),
    ("wide pairs", |n| {
        format!(
            "//- a.rs\nstruct S; fn f() {{ let a0 = S; {} }}",
            each(n, |i| format!(
                "let a{} = (a{i}, a{i}, a{i}, a{i}, a{i}, a{i}, a{i}, a{i}); h(a{}).m();\n",
                i + 1,
                i + 1
            ))
        )
    }),
    ("one name again and again", |n| {
        format!(
            "//- a.rs\nfn f() {{ let x = S::new(); {} }}",
            "let x = x.a(x);\n".repeat(n)
        )
    }),
    ("one function again and again", |n| {
        format!(
            "//- a.rs\n{}fn g() {{ {} }}",
            "fn f() {}\n".repeat(n),
            "f();".repeat(n)
        )
    }),
    ("functions that call their name", |n| {
        format!("//- a.rs\n{}", "fn f() { f() }\n".repeat(n))
    }),
    ("one name imported again and again", |n| {
        format!(
            "//- a.rs\nmod a {{ pub fn b() {{}} }}\n{}fn f() {{ {} }}",
            "use a::b;\n".repeat(n),
            "b();\n".repeat(n)
        )
    }),
    ("one type again and again", |n| {
        format!(
            "//- a.rs\n{}",
            "struct S; impl S { fn f() { S::f() } }\n".repeat(n)
        )
    }),
    ("one static again and again", |n| {
        format!("//- a.rs\n{}", "static X: S = X.f();\n".repeat(n))
    }),
    ("one macro again and again", |n| {
        format!(
            "//- a.rs\n{}fn f() {{ {} }}",
            "macro_rules! m { () => {} }\n".repeat(n),
            "m!();\n".repeat(n)
        )
    }),
    ("impls of one type", |n| {
        format!(
            "//- a.rs\nstruct S;\n{}",
            each(n, |i| format!(
                "impl S {{ fn f{i}(&self) {{ self.f{}() }} }}\n",
                i + 1
            ))
        )
    }),
    ("impls for a type outside", |n| {
        format!(
            "//- a.rs\n{}fn g(s: String) {{ {} }}",
            each(n, |i| format!(
                "trait T{i} {{ fn f{i}(&self); }} impl T{i} for String {{ fn f{i}(&self) {{}} }}\n"
            )),
            each(n, |i| format!("s.f{i}();\n"))
        )
    }),
    ("impls for all types", |n| {
        format!(
            "//- a.rs\nstruct S; {}fn g(s: S) {{ {} }}",
            each(n, |i| format!(
                "trait T{i} {{ fn f{i}(&self) {{}} }} impl<X: Clone> T{i} for X {{}}\n"
            )),
            each(n, |i| format!("s.f{i}(); s.z();\n"))
        )
    }),
    ("one method again and again", |n| {
        format!(
            "//- a.rs\nstruct S;\n{}fn g(s: S) {{ {} }}",
            "impl S { fn f(&self) {} }\n".repeat(n),
            "s.f();".repeat(n)
        )
    }),
    ("circle of re-exports", |n| {
        format!(
            "//- a.rs\n{}fn f() {{ {} }}",
            each(n, |i| format!(
                "mod m{i} {{ pub use super::m{}::*; }}\n",
                (i + 1) % n
            )),
            each(n, |i| format!("m{i}::x();\n"))
        )
    }),
    ("re-exports of all by all", |n| {
        let n = (n as f64).sqrt() as usize;
        let globs = each(n, |i| format!("pub use super::m{i}::*; "));
        format!(
            "//- a.rs\n{}fn f() {{ {} }}",
            each(n, |i| format!("mod m{i} {{ {globs} }}\n")),
            each(n, |i| format!("m{i}::x(); y{i}();\n"))
        )
    }),
    ("rings of globs over files", |n| {
        format!(
            "//- Cargo.toml\n[package]\nname = \"a\"\n//- src/lib.rs\n{}fn hidden() {{}}\n{}",
            each(n, |i| format!("mod m{i};\n")),
            each(n, |i| format!(
                "//- src/m{i}.rs\npub use super::m{}::*; pub use crate::m{}::*; pub fn f{i}() {{ x(); y{i}(); f{}(); }}\n",
                (i + 1) % n,
                (i * 7 + 3) % n,
                (i + n / 2) % n
            ))
        )
    }),
    ("rings of globs whose paths lead through globs", |n| {
        format!(
            "//- Cargo.toml\n[package]\nname = \"a\"\n//- src/lib.rs\n{}fn hidden() {{}}\n{}",
            each(n, |i| format!("mod m{i};\n")),
            each(n, |i| format!(
                "//- src/m{i}.rs\npub use crate::*; pub use m{}::*; pub use m{}::*; pub fn f{i}() {{ x(); y{i}(); f{}(); }}\n",
                (i + 1) % n,
                (i * 7 + 3) % n,
                (i + n / 2) % n
            ))
        )
    }),
    ("circle of aliases", |n| {
        format!(
            "//- a.rs\n{}fn f() {{ {} }}",
            each(n, |i| format!("type A{i} = A{};\n", (i + 1) % n)),
            each(n, |i| format!("A{i}::x();\n"))
        )
    }),
    ("aliases through themselves", |n| {
        format!(
            "//- a.rs\n{}",
            each(n, |i| format!(
                "type A{i} = A{i}::X; use A{i}::y as y{i}; fn f{i}() {{ y{i}(); }}\n"
            ))
        )
    }),
    ("circle of traits", |n| {
        format!(
            "//- a.rs\n{}",
            each(n, |i| format!(
                "trait T{i}: T{} {{ fn f{i}(&self) {{ self.x(); }} }}\n",
                (i + 1) % n
            ))
        )
    }),
    ("bounds of each other", |n| {
        format!(
            "//- a.rs\nfn f<{}>(x: T0) {{ x.a(); }}",
            each(n, |i| format!(
                "T{i}: Iterator<Item = T{}> + Into<T{}>, ",
                (i + 1) % n,
                (i + 2) % n
            ))
        )
    }),
    ("impls", |n| {
        format!(
            "//- a.rs\nstruct S; trait T {{ fn a(&self); }}\n{}fn f(s: S) {{ {} }}",
            each(n, |i| format!(
                "impl<X> T for X where X: U{i} {{ fn a{i}(&self) {{}} }}\n"
            )),
            each(n, |i| format!("s.a{i}();"))
        )
    }),
    ("traits derefs", |n| {
        format!(
            "//- a.rs\n{}fn f(s: S0) {{ s.x(); }}",
            each(n, |i| format!(
                "struct S{i}; impl Deref for S{i} {{ type Target = S{}; }}\n",
                (i + 1) % n
            ))
        )
    }),
];

const PYTHON: &[Fixture] = &[
    ("namesakes that many files import", |n| {
        let files = each(n, |i| format!("//- u{i}.py\nfrom h import f\n"));
        format!("//- h.py\n{}{files}", "def f(): pass\n".repeat(n))
    }),
    ("classes with those before them as bases", |n| {
        let bases = |i: usize| each(i.min(4), |b| format!("C{}, ", i - 1 - b));
        format!(
            "//- a.py\n{}{}",
            each(n, |i| format!("class C{i}({}): pass\n", bases(i))),
            each(n, |i| format!("def f{i}(x: C{}): x.m{i}()\n", n - 1))
        )
    }),
    ("classes with many bases", |n| {
        let bases = |i: usize| each(i.min(60), |b| format!("C{}, ", i - 1 - b));
        format!(
            "//- a.py\n{}def f(x: C{}): x.m()\n",
            each(n, |i| format!("class C{i}({}): pass\n", bases(i))),
            n - 1
        )
    }),
    ("functions", |n| {
        format!(
            "//- a.py\n{}",
            each(n, |i| format!("def f{i}():\n    f{}()\n", i + 1))
        )
    }),
    ("dotted import", |n| {
        format!("//- a.py\nimport {}b\nb.c()\n", "a.".repeat(n))
    }),
    ("attribute chain", |n| {
        format!("//- a.py\nimport a\na{}()\n", ".b".repeat(n))
    }),
    ("call chain", |n| {
        format!("//- a.py\nimport a\na{}\n", ".b()".repeat(n))
    }),
    ("calls in calls", |n| {
        format!("//- a.py\n{}\n", nested("", "f(", "", ")", "", n))
    }),
    ("sum", |n| format!("//- a.py\nx = a{}\n", " + a".repeat(n))),
    ("lambdas", |n| {
        format!(
            "//- a.py\nx = {}\n",
            nested("", "f(lambda x: ", "x.a()", ")", "", n)
        )
    }),
    ("subscripts", |n| {
        format!(
            "//- a.py\ndef f(x: {}): x.a()\n",
            nested("", "A[", "B", "]", "", n)
        )
    }),
    ("strings in strings", |n| {
        format!("//- a.py\nx = {}\n", nested("", "f'{g(", "1", ")}'", "", n))
    }),
    ("elif", |n| {
        format!("//- a.py\nif a: pass\n{}", "elif a: f()\n".repeat(n))
    }),
    ("names that one of many branches changes", |n| {
        format!(
            "//- a.py\ndef f():\n{} if a:\n{}{}",
            each(n, |i| format!(" x{i} = g()\n")),
            each(n, |i| format!("  x{i} = h()\n")),
            " elif b: pass\n".repeat(n)
        )
    }),
    ("branches that change one name each", |n| {
        format!(
            "//- a.py\ndef f():\n{} match g():\n{}",
            each(n, |i| format!(" x{i} = g()\n")),
            each(n, |i| format!("  case {i}: x{i} = h()\n"))
        )
    }),
    ("handlers that change one name each", |n| {
        format!(
            "//- a.py\ndef f():\n{} try: g()\n{}",
            each(n, |i| format!(" x{i} = g()\n")),
            each(n, |i| format!(" except E{i} as e: x{i} = e\n"))
        )
    }),
    ("names in nested branches", |n| {
        let names = |v| each(n, |i| format!("x{i}={v};"));
        format!(
            "//- a.py\ndef f():\n {}\n{}{}{}\n",
            names("g()"),
            each(n / 8, |i| format!("{}if a:\n", " ".repeat(i + 1))),
            " ".repeat(n / 8 + 1),
            names("h()")
        )
    }),
    ("pairs of pairs", |n| {
        format!(
            "//- a.py\na0 = S()\n{}",
            each(n, |i| format!(
                "a{} = (a{i}, a{i})\na{}[0].m()\n",
                i + 1,
                i + 1
            ))
        )
    }),
    ("lists of lists", |n| {
        format!(
            "//- a.py\na0 = S()\n{}",
            each(n, |i| format!(
                "a{} = [a{i}, a{i}]\nf(a{}).m()\n",
                i + 1,
                i + 1
            ))
        )
    }),
    ("one name again and again", |n| {
        format!("//- a.py\nx = f()\n{}", "x = x.a(x)\n".repeat(n))
    }),
    ("one function again and again", |n| {
        format!(
            "//- a.py\n{}{}",
            "def f(): pass\n".repeat(n),
            "f()\n".repeat(n)
        )
    }),
    ("functions that call their name", |n| {
        format!("//- a.py\n{}", "def f(): f()\n".repeat(n))
    }),
    ("one class again and again", |n| {
        format!("//- a.py\n{}", "class A:\n  def f(self): A()\n".repeat(n))
    }),
    ("one function decorated again and again", |n| {
        format!(
            "//- a.py\ndef d(f): return f()\n{}",
            "@d\ndef g(): g()\n".repeat(n)
        )
    }),
    ("one name of another module", |n| {
        format!(
            "//- p/a.py\n{}//- p/b.py\n{}",
            "def f(): pass\n".repeat(n),
            "from .a import f\nf()\n".repeat(n)
        )
    }),
    ("functions passed for one parameter", |n| {
        format!(
            "//- a.py\ndef run(f):\n{}{}",
            "  f()\n".repeat(n),
            each(n, |i| format!("def g{i}(): pass\nrun(g{i})\n"))
        )
    }),
    ("stars and names", |n| {
        format!(
            "//- p/a.py\n{}{}",
            each(n, |i| format!("from .m{i} import *\n")),
            each(n, |i| format!("f{i}()\n"))
        )
    }),
    ("chain of bases", |n| {
        format!(
            "//- a.py\n{}",
            each(n, |i| format!(
                "class A{}(A{i}):\n    def f(self): self.x()\n",
                i + 1
            ))
        )
    }),
    ("circle of bases", |n| {
        format!(
            "//- a.py\n{}",
            each(n, |i| format!(
                "class A{i}(A{}):\n    def f(self): self.x()\n",
                (i + 1) % n
            ))
        )
    }),
    ("layers of bases", |n| {
        format!(
            "//- a.py\nclass A0: pass\nclass B0: pass\n{}",
            each(n, |i| format!(
                "class A{}(A{i}, B{i}): pass\nclass B{}(A{i}, B{i}): pass\nA{}().x()\n",
                i + 1,
                i + 1,
                i + 1
            ))
        )
    }),
    ("many bases", |n| {
        format!(
            "//- a.py\nclass A({}): pass\n{}",
            each(n, |i| format!("B{i}, ")),
            each(n, |i| format!(
                "class B{i}: pass\nclass C{i}(A): pass\nC{i}().x()\n"
            ))
        )
    }),
    ("decorators", |n| {
        format!(
            "//- a.py\ndef d(f): return f\n{}def g(): pass\ng()\n",
            "@d\n".repeat(n)
        )
    }),
    ("circle of stars", |n| {
        each(n, |i| {
            format!("//- p/m{i}.py\nfrom .m{} import *\nx{i}()\n", (i + 1) % n)
        })
    }),
    ("stars of all by all", |n| {
        let n = (n as f64).sqrt() as usize;
        let stars = each(n, |i| format!("from .m{i} import *\n"));
        each(n, |i| format!("//- p/m{i}.py\n{stars}x{i}()\n"))
    }),
    ("functions passed on", |n| {
        format!(
            "//- a.py\n{}",
            each(n, |i| format!(
                "def f{i}(g):\n    g(f{i})\n    f{}(g)\n",
                (i + 1) % n
            ))
        )
    }),
    ("results of each other", |n| {
        format!(
            "//- a.py\n{}",
            each(n, |i| format!("def f{i}(): return f{}().a\n", (i + 1) % n))
        )
    }),
];

const TYPESCRIPT: &[Fixture] = &[
    ("functions", |n| {
        format!(
            "//- a.ts\n{}",
            each(n, |i| format!("function f{i}() {{ f{}(); }}\n", i + 1))
        )
    }),
    ("one variable assigned again and again", |n| {
        format!(
            "//- a.ts\nfunction f() {{ let x; {} }}",
            "x = g(); x.m();\n".repeat(n)
        )
    }),
    ("one variable with a type assigned again and again", |n| {
        format!(
            "//- a.ts\nclass A {{}} class B {{}}\nfunction f() {{ let x: A | B = new A(); {} }}",
            "x = new B(); x.m();\n".repeat(n)
        )
    }),
    ("assignments in nested conditions", |n| {
        format!(
            "//- a.ts\nclass A {{}}\nfunction f(x: any, y: any) {{ {} }}",
            nested(
                "",
                "if (x instanceof A) {\n",
                &"x = y;\n".repeat(n),
                "}",
                "",
                n / 8
            )
        )
    }),
    ("assignments in nested blocks", |n| {
        format!(
            "//- a.ts\nclass A {{}} class B {{}}\nfunction f(y: any) {{ let x: A | B = y; {} }}",
            nested(
                "",
                "{ x = new A();\n",
                &"x = y;\n".repeat(n),
                "}",
                "",
                n / 8
            )
        )
    }),
    ("member chain", |n| {
        format!("//- a.ts\nx{}();", ".b".repeat(n))
    }),
    ("call chain", |n| {
        format!("//- a.ts\nx{};", ".b()".repeat(n))
    }),
    ("optional chain", |n| {
        format!("//- a.ts\nx{}();", "?.b!".repeat(n))
    }),
    ("calls in calls", |n| {
        format!("//- a.ts\n{};", nested("", "f(", "", ")", "", n))
    }),
    ("callbacks", |n| {
        format!(
            "//- a.ts\nfunction f<T>(x: (t: T) => T): T {{ return x(null!); }}\n{};",
            nested("", "f(x => ", "x.a()", ")", "", n)
        )
    }),
    ("sum", |n| format!("//- a.ts\nx = a{};", " + a".repeat(n))),
    ("generics", |n| {
        format!(
            "//- a.ts\nfunction f(x: {}) {{ x.g(); }}",
            nested("", "A<", "B", ">", "", n)
        )
    }),
    ("templates", |n| {
        format!("//- a.ts\nx = {};", nested("", "`${f(", "1", ")}`", "", n))
    }),
    ("elements", |n| {
        format!(
            "//- a.tsx\nx = {};",
            nested("", "<A b={c()}>", "", "</A>", "", n)
        )
    }),
    ("else if", |n| {
        format!("//- a.ts\nif (a) {{}} {}", "else if (a) { f(); }".repeat(n))
    }),
    ("types in comments", |n| {
        format!(
            "//- a.js\n{}",
            each(n, |i| format!(
                "/** @param {{{}}} x */ function f{i}(x) {{}}\n",
                nested("", "(", "string", ")", "", 40)
            ))
        )
    }),
    ("functions in comments", |n| {
        format!(
            "//- a.js\n{}",
            each(n, |i| format!(
                "/** @param {{{}}} x */ function f{i}(x) {{}}\n",
                nested("", "((", "A", ") => B)", "", 10)
            ))
        )
    }),
    ("members in comments", |n| {
        format!(
            "//- a.js\n{}",
            each(n, |i| format!(
                "/** @type {{{}}} */ const x{i} = y;\n",
                nested("", "{a: (b: ", "A", ") => B}", "", 10)
            ))
        )
    }),
    ("circle of stars", |n| {
        each(n, |i| {
            format!(
                "//- m{i}.ts\nexport * from './m{}';\nimport {{ x{i} }} from './m{i}'; x{i}();\n",
                (i + 1) % n
            )
        })
    }),
    ("stars of all by all", |n| {
        let n = (n as f64).sqrt() as usize;
        let stars = each(n, |i| format!("export * from './m{i}';\n"));
        each(n, |i| {
            format!("//- m{i}.ts\n{stars}import {{ x{i} }} from './m{i}'; x{i}();\n")
        })
    }),
    ("circle of names", |n| {
        each(n, |i| {
            format!(
                "//- m{i}.ts\nexport {{ x }} from './m{}';\nimport {{ x as y }} from './m{i}'; y();\n",
                (i + 1) % n
            )
        })
    }),
    ("circle of classes", |n| {
        format!(
            "//- a.ts\n{}",
            each(n, |i| format!(
                "class A{i} extends A{} {{ f() {{ this.x(); }} }}\n",
                (i + 1) % n
            ))
        )
    }),
    ("layers of interfaces", |n| {
        format!(
            "//- a.ts\ninterface A0 {{}}\ninterface B0 {{}}\n{}",
            each(n, |i| format!(
                "interface A{} extends A{i}, B{i} {{}}\ninterface B{} extends A{i}, B{i} {{}}\ndeclare let x{i}: A{}; x{i}.y();\n",
                i + 1,
                i + 1,
                i + 1
            ))
        )
    }),
    ("bounds of each other", |n| {
        format!(
            "//- a.ts\nfunction f<{}>(x: T0) {{ x.a(); }}",
            each(n, |i| format!(
                "T{i} extends T{} | T{}, ",
                (i + 1) % n,
                (i + 2) % n
            ))
        )
    }),
    ("unions of unions", |n| {
        format!(
            "//- a.ts\n{}",
            each(n, |i| format!(
                "class C{i} {{}}\ntype A{} = A{i} | [A{i}] | C{i};\nfunction f{i}(x: A{}) {{ x.m(); }}\n",
                i + 1,
                i + 1
            ))
        )
    }),
    ("pairs of pairs", |n| {
        format!(
            "//- a.ts\nclass S {{}}\nconst a0 = new S();\n{}",
            each(n, |i| format!(
                "const a{} = [a{i}, a{i}] as [typeof a{i}, typeof a{i}]; a{}[0].m();\n",
                i + 1,
                i + 1
            ))
        )
    }),
    ("defaults of parameters", |n| {
        format!(
            "//- a.ts\nclass A<{}> {{ m() {{}} }}\n{}",
            each(n, |i| format!("T{i} = A<T{}>, ", i.saturating_sub(1))),
            each(n, |i| format!("function f{i}(x: A) {{ x.m(); }}\n"))
        )
    }),
    ("one function again and again", |n| {
        format!(
            "//- a.ts\n{}{}",
            "function f() {}\n".repeat(n),
            "f();\n".repeat(n)
        )
    }),
    ("functions that call their name", |n| {
        format!("//- a.ts\n{}", "function f() { f() }\n".repeat(n))
    }),
    ("one variable again and again", |n| {
        format!("//- a.js\n{}", "var x = x.f();\n".repeat(n))
    }),
    ("one class again and again", |n| {
        format!("//- a.ts\n{}", "class A { f() { new A() } }\n".repeat(n))
    }),
    ("one namespace again and again", |n| {
        format!(
            "//- a.ts\n{}",
            "namespace A { export function f() { A.f() } }\n".repeat(n)
        )
    }),
    ("types beside a function of their name", |n| {
        format!(
            "//- a.ts\n{}function f() {{}}\n{}",
            "interface f {}\n".repeat(n),
            "f();\n".repeat(n)
        )
    }),
    ("overloads", |n| {
        format!(
            "//- a.ts\n{}function f(a: any) {{}}\n{}",
            each(n, |i| format!("function f(a: A{i}): void;\n")),
            "f(x);\n".repeat(n)
        )
    }),
    ("chain of stars", |n| {
        each(n, |i| {
            format!(
                "//- m{i:05}.ts\nexport * from './m{:05}';\nimport {{ x }} from './m00000'; x();\n",
                i + 1
            )
        })
    }),
    ("stars and names", |n| {
        format!(
            "//- a.ts\n{}//- b.ts\nimport {{ {} }} from './a';\n{}",
            each(n, |i| format!("export * from './m{i}';\n")),
            each(n, |i| format!("f{i}, ")),
            each(n, |i| format!("f{i}();\n//- m{i}.ts\n"))
        )
    }),
    ("paths and imports", |n| {
        format!(
            "//- tsconfig.json\n{{\"compilerOptions\": {{\"paths\": {{{}\"b\": []}}}}}}\n//- a.ts\n{}",
            each(n, |i| format!("\"a{i}/*\": [\"./b{i}/*\"], ")),
            each(n, |i| format!("import {{ x{i} }} from 'c{i}/y';\n"))
        )
    }),
    ("targets and imports", |n| {
        format!(
            "//- tsconfig.json\n{{\"compilerOptions\": {{\"paths\": {{\"*\": [{}\"b\"]}}}}}}\n//- a.ts\n{}",
            each(n, |i| format!("\"./b{i}/*\", ")),
            each(n, |i| format!("import {{ x{i} }} from 'c{i}/y';\n"))
        )
    }),
    ("objects", |n| {
        format!(
            "//- a.ts\nconst o = {{ {} }};\n{}",
            each(n, |i| format!("a{i}() {{}}, ")),
            each(n, |i| format!("o.a{i}();\n"))
        )
    }),
    ("spread objects", |n| {
        format!(
            "//- a.ts\nconst o0 = {{}};\n{}",
            each(n, |i| format!(
                "const o{} = {{ ...o{i}, ...o{i} }}; o{}.x();\n",
                i + 1,
                i + 1
            ))
        )
    }),
    ("namespaces", |n| {
        format!(
            "//- a.ts\n{}{}.f();",
            nested(
                "",
                "namespace a { export ",
                "function f() {}",
                "}",
                "",
                n.min(500)
            ),
            vec!["a"; n].join(".")
        )
    }),
];

#[test]
fn rust() {
    grows_with_the_source(RUST, PIECES);
}

#[test]
fn python() {
    grows_with_the_source(PYTHON, PIECES);
}

#[test]
fn typescript() {
    grows_with_the_source(TYPESCRIPT, PIECES);
}

#[test]
fn go() {
    grows_with_the_source(GO, PIECES);
}

#[test]
fn java() {
    grows_with_the_source(JAVA, PIECES);
}

#[test]
fn languages_by_name() {
    grows_with_the_source(NAMES, PIECES);
}

/// Enough pieces that unlimited work would take several times as much for twice as many.
const PIECES: usize = 300;
