//! Fixtures of several files in one text, and what linking makes of them.

use base::Language;
use linker::{FileId, GDef, ImportTarget, Langs, Manifest, Outcome, Repo, link_file};
use std::sync::Arc;
use syntax::facts::*;

/// Links a fixture and compares its call sites with what is expected.
///
/// A fixture is text with a heading `//- path` before each file; files of no known language are
/// manifests. One line of the result for each call site, sorted by file, line and column:
/// `caller.py:3 foo -> lib.py:Foo.bar [typed]`, `-> ext requests.get`, `-> ? unknown name`, `-> nothing`.
pub(crate) fn check(fixture: &str, expected: &str) {
    let got = calls(fixture);
    let expected = expected.trim();
    assert!(got == expected, "expected:\n{expected}\n\ngot:\n{got}\n");
}

/// What linking makes of the call sites of a fixture.
pub(crate) fn calls(fixture: &str) -> String {
    let repo = repo(fixture);
    let langs = Langs::new(&repo);
    let mut lines = Vec::new();
    for (id, file) in repo.files() {
        let linked = link_file(&repo, &langs, id);
        for (site, outcome) in file.facts.calls.iter().zip(&linked.calls) {
            if site.kind != CallKind::Literal {
                let text = line(&repo, id, site, outcome);
                lines.push((id, site.line, site.column, text));
            }
        }
    }
    lines.sort();
    let lines: Vec<String> = lines.into_iter().map(|l| l.3).collect();
    lines.join("\n")
}

/// The relations of a fixture's definitions, sorted: `a.go:T implements a.go:I`.
#[allow(dead_code, reason = "not every language's tests ask")]
pub(crate) fn relations(fixture: &str) -> Vec<String> {
    let repo = repo(fixture);
    let langs = Langs::new(&repo);
    let mut lines = Vec::new();
    for (id, _) in repo.files() {
        for relation in link_file(&repo, &langs, id).relations {
            let (from, to) = (show(&repo, relation.from), show(&repo, relation.to));
            lines.push(format!("{from} {} {to}", relation.kind.as_str()));
        }
    }
    lines.sort();
    lines
}

/// The repository that a fixture describes.
pub(crate) fn repo(fixture: &str) -> Repo {
    let mut files: Vec<(Arc<str>, Arc<FileFacts>)> = Vec::new();
    let mut manifests = Vec::new();
    for section in fixture.split("//- ").skip(1) {
        let (path, text) = section.split_once('\n').unwrap_or((section, ""));
        let path: Arc<str> = path.trim().into();
        match Language::of_path(&path) {
            Some(language) => {
                files.push((path, Arc::new(syntax::extract(language, text))));
            }
            None => manifests.push(Manifest {
                path,
                text: text.into(),
            }),
        }
    }
    files.sort_by(|a, b| a.0.cmp(&b.0));
    Repo::new(files, manifests)
}

fn line(repo: &Repo, file: FileId, site: &CallSite, outcome: &Outcome) -> String {
    let path = &repo.file(file).path;
    let name = called_name(repo.facts(file), site.expr);
    let target = match outcome {
        Outcome::Targets(defs, tier) => {
            let mut shown: Vec<String> = defs.iter().map(|d| show(repo, *d)).collect();
            shown.sort();
            format!("{} [{}]", shown.join(", "), tier.as_str())
        }
        Outcome::External(external) if external.symbol.is_empty() => {
            format!("ext {}", external.package)
        }
        Outcome::External(external) => format!("ext {}.{}", external.package, external.symbol),
        Outcome::Unresolved(reason) => format!("? {}", reason.as_str()),
        Outcome::Nothing => "nothing".to_owned(),
    };
    format!("{path}:{} {name} -> {target}", site.line)
}

fn show(repo: &Repo, def: GDef) -> String {
    format!("{}:{}", repo.file(def.file).path, repo.qualified_name(def))
}

fn called_name(facts: &FileFacts, expr: ExprId) -> String {
    match facts.expr(expr) {
        Expr::Call { callee, .. } => called_name(facts, *callee),
        Expr::New { class, .. } => called_name(facts, *class),
        Expr::Name { name, .. } | Expr::Member { name, .. } | Expr::Scoped { name, .. } => {
            facts.name(*name).to_owned()
        }
        Expr::Super(_) => "super".to_owned(),
        _ => "(…)".to_owned(),
    }
}

/// What the imports of a fixture's files lead to, in order: `a.java:2 -> b.java:B, ext org.lib`.
#[allow(dead_code, reason = "not every language's tests ask")]
pub(crate) fn imports(fixture: &str) -> String {
    let repo = repo(fixture);
    let langs = Langs::new(&repo);
    let mut lines = Vec::new();
    for (id, file) in repo.files() {
        let linked = link_file(&repo, &langs, id);
        for (import, target) in file.facts.imports.iter().zip(&linked.imports) {
            let target = match target {
                ImportTarget::File(file) => repo.file(*file).path.to_string(),
                ImportTarget::Defs(defs) => {
                    let shown: Vec<String> = defs.iter().map(|d| show(&repo, *d)).collect();
                    shown.join(", ")
                }
                ImportTarget::External(external) => format!("ext {}", external.package),
                ImportTarget::Unresolved => "?".to_owned(),
            };
            lines.push(format!("{}:{} -> {target}", file.path, import.line));
        }
    }
    lines.join("\n")
}
