//! A language for tests alone: linking without any grammar. `parse` holds its syntax, `lang` its semantics.

mod lang;
mod lex;
mod parse;

use crate::call::LinkOutcome;
use crate::eval::Eval;
use crate::repo::{FileId, GlobalDef, Manifest, Repo};
use crate::ty::Ty;
use crate::{ImportTarget, LinkedFile, link_file};
use base::Language;
use base::facts::*;
pub(crate) use lang::make;
pub(crate) use parse::facts;
use std::sync::Arc;

/// The repository that a fixture describes: `//- path` before each file.
pub(crate) fn repo(fixture: &str) -> Repo {
    let mut files: Vec<(Arc<str>, Arc<FileFacts>)> = Vec::new();
    let mut manifests = Vec::new();
    for testkit::FixtureFile { path, text } in testkit::parse_fixture(fixture) {
        let path: Arc<str> = path.into();
        match Language::from_path(&path) {
            Some(language) => files.push((path, Arc::new(facts(language, text)))),
            None => manifests.push(Manifest {
                path,
                text: text.into(),
            }),
        }
    }
    files.sort_by(|a, b| a.0.cmp(&b.0));
    Repo::new(files, manifests)
}

/// The semantics of the languages of a repository.
pub(crate) fn langs(repo: &Repo) -> crate::Langs {
    crate::Langs::new(repo, make)
}

/// Links a fixture and compares its calls with the expected ones, one line each.
pub(crate) fn check(fixture: &str, expected: &str) {
    compare(&calls(fixture), expected);
}

/// Compares texts line by line, and shows the differences.
pub(crate) fn compare(got: &str, expected: &str) {
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    let expected = expected.join("\n");
    assert!(
        got == expected,
        "expected:\n{expected}\n\nbut there is:\n{got}\n"
    );
}

/// Where the calls of a fixture lead.
pub(crate) fn calls(fixture: &str) -> String {
    let repo = repo(fixture);
    let langs = langs(&repo);
    let mut lines = Vec::new();
    for (id, _) in repo.files() {
        lines.extend(call_lines(&repo, id, &link_file(&repo, &langs, id)));
    }
    lines.join("\n")
}

/// Where the calls of a file lead, in order of line and column: `a.lua:3 f -> b.lua:C.f@7 [typed]`.
pub(crate) fn call_lines(repo: &Repo, file: FileId, linked: &LinkedFile) -> Vec<String> {
    let facts = repo.facts(file);
    let mut lines: Vec<((u32, u32), String)> = Vec::new();
    for (site, outcome) in facts.calls.iter().zip(&linked.calls) {
        let name = facts.called_name(site.expr);
        let name = name.map_or("(…)", |name| facts.name(name));
        let path = &repo.file(file).path;
        let text = format!("{path}:{} {name} -> {}", site.line, show(repo, outcome));
        lines.push(((site.line, site.column), text));
    }
    lines.sort_by_key(|(at, _)| *at);
    lines.into_iter().map(|(_, text)| text).collect()
}

/// The targets of the references and writes of a fixture.
pub(crate) fn mentions(fixture: &str) -> String {
    let repo = repo(fixture);
    let langs = langs(&repo);
    let mut lines = Vec::new();
    for (id, file) in repo.files() {
        let linked = link_file(&repo, &langs, id);
        let reads = file.facts.references.iter().zip(&linked.references);
        for (site, outcome) in reads {
            lines.push(format!("{} reads {}", site.line, show(&repo, outcome)));
        }
        for (site, outcome) in file.facts.writes.iter().zip(&linked.writes) {
            lines.push(format!("{} writes {}", site.line, show(&repo, outcome)));
        }
    }
    lines.join("\n")
}

/// The targets of the imports of a fixture.
pub(crate) fn imports(fixture: &str) -> String {
    let repo = repo(fixture);
    let langs = langs(&repo);
    let mut lines = Vec::new();
    for (id, file) in repo.files() {
        let linked = link_file(&repo, &langs, id);
        for (import, target) in file.facts.imports.iter().zip(&linked.imports) {
            let shown = match target {
                ImportTarget::File(file) => repo.file(*file).path.to_string(),
                ImportTarget::Defs(defs) => shown_defs(&repo, defs),
                ImportTarget::External(external) => {
                    format!("ext {}:{}", external.package, external.symbol)
                }
                ImportTarget::Unresolved => "?".to_owned(),
            };
            lines.push(format!("{}:{} -> {shown}", file.path, import.line));
        }
    }
    lines.join("\n")
}

/// The relations of a fixture's definitions.
pub(crate) fn relations(fixture: &str) -> String {
    let repo = repo(fixture);
    let langs = langs(&repo);
    let mut lines = Vec::new();
    for (id, _) in repo.files() {
        for relation in link_file(&repo, &langs, id).relations {
            let (from, to) = (def(&repo, relation.from), def(&repo, relation.to));
            lines.push(format!("{from} {} {to}", relation.kind.as_str()));
        }
    }
    lines.join("\n")
}

/// The type of the variable of that name at the top level of `a.lua`, written out.
pub(crate) fn type_of(fixture: &str, name: &str) -> String {
    let repo = repo(fixture);
    let langs = langs(&repo);
    let file = repo.file_at("a.lua").expect("a.lua");
    let sym = repo.find_sym(name).expect("the name");
    let found = repo.top_level_named(file, sym).next();
    let mut ev = Eval::new(&repo, &langs, file);
    ev.begin_site(file);
    let ty = ev.type_of_def(found.expect("the variable"));
    show_type(&repo, &ty)
}

/// A type as text.
pub(crate) fn show_type(repo: &Repo, ty: &Ty) -> String {
    let all = |args: &[Ty]| -> String {
        let shown: Vec<String> = args.iter().map(|ty| show_type(repo, ty)).collect();
        shown.join(", ")
    };
    let with = |name: String, args: &[Ty]| match args {
        [] => name,
        args => format!("{name}<{}>", all(args)),
    };
    match ty {
        Ty::Unknown => "?".to_owned(),
        Ty::Instance(def, args) => with(repo.qualified_name(*def), args),
        Ty::Class(def, args) => with(format!("class {}", repo.qualified_name(*def)), args),
        Ty::Function(defs, _) => format!("fn {}", repo.qualified_name(defs[0])),
        Ty::Super(def) => format!("super {}", repo.qualified_name(*def)),
        Ty::Module(module) => format!("module {}", repo.file(FileId(module.index)).path),
        Ty::Object(..) => "object".to_owned(),
        Ty::External(external) => format!("ext {}", external.symbol),
        Ty::ExternalInstance(external, args) => with(external.symbol.to_string(), args),
        Ty::Tuple(parts) => format!("({})", all(parts)),
        Ty::Callable(params, ret) => format!("fn({}) -> {}", all(params), show_type(repo, ret)),
        Ty::ClassOf(ty) => format!("class of {}", show_type(repo, ty)),
        Ty::Param(def, n) if *n == crate::ty::SELF => {
            format!("Self of {}", repo.qualified_name(*def))
        }
        Ty::Param(def, n) => {
            let param = repo.def(*def).type_params[*n as usize].name;
            repo.facts(def.file).name(param).to_owned()
        }
        Ty::Union(parts) => {
            let shown: Vec<String> = parts.iter().map(|ty| show_type(repo, ty)).collect();
            shown.join(" | ")
        }
        Ty::Null => "null".to_owned(),
    }
}

/// An outcome as text.
pub(crate) fn show(repo: &Repo, outcome: &LinkOutcome) -> String {
    match outcome {
        LinkOutcome::Targets(defs, tier) => {
            format!("{} [{}]", shown_defs(repo, defs), tier.as_str())
        }
        LinkOutcome::External(external) => {
            format!("ext {}:{}", external.package, external.symbol)
        }
        LinkOutcome::Unresolved(reason) => format!("? {}", reason.as_str()),
        LinkOutcome::Nothing => "nothing".to_owned(),
    }
}

fn shown_defs(repo: &Repo, defs: &[GlobalDef]) -> String {
    let shown: Vec<String> = defs.iter().map(|d| def(repo, *d)).collect();
    shown.join(", ")
}

/// A definition as text: `a.lua:C.f@3`.
pub(crate) fn def(repo: &Repo, def: GlobalDef) -> String {
    let line = repo.def(def).name_line;
    let path = &repo.file(def.file).path;
    format!("{path}:{}@{line}", repo.qualified_name(def))
}
