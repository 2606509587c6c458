//! Complete call graphs of small Python programs (PyCG's benchmark): edges from caller to callee by name.

use super::corpus::Corpus;
use anyhow::{Context, Result};
use base::SymbolKind;
use linker::{FileId, GlobalDef, LinkOutcome};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;
use syntax::facts::CallKind;

#[derive(Deserialize)]
struct Case {
    repo: String,
    case: String,
    edges: Vec<(String, String)>,
}

type Edges = BTreeSet<(String, String)>;

/// Measures every case whose repository is among the checkouts.
pub fn evaluate_cases(cases: &Path, corpus: &Path, show: bool) -> Result<()> {
    let text = std::fs::read_to_string(cases).with_context(|| cases.display().to_string())?;
    let (mut right, mut wrong, mut missing, mut skipped) = (0, 0, 0, 0);
    let (mut complete, mut sound) = (0, 0);
    for line in text.lines() {
        let case: Case = serde_json::from_str(line)?;
        let root = corpus
            .join(case.repo.replace('/', "+"))
            .join("micro-benchmark/snippets")
            .join(&case.case);
        if !root.is_dir() {
            skipped += 1;
            continue;
        }
        let ours = edges(&Corpus::link(&root));
        let truth = inside(&case, &root);
        let extra: Vec<_> = ours.difference(&truth).collect();
        let absent: Vec<_> = truth.difference(&ours).collect();
        right += ours.intersection(&truth).count();
        wrong += extra.len();
        missing += absent.len();
        complete += usize::from(absent.is_empty());
        sound += usize::from(extra.is_empty());
        if show && !(extra.is_empty() && absent.is_empty()) {
            println!("{}", case.case);
            extra
                .iter()
                .for_each(|(a, b)| println!("  wrong    {a} -> {b}"));
            absent
                .iter()
                .for_each(|(a, b)| println!("  missing  {a} -> {b}"));
        }
    }
    let share = |yes: usize, no: usize| yes as f64 / (yes + no).max(1) as f64;
    println!(
        "python micro: precision {:.3} recall {:.3} ({right} right, {wrong} wrong, {missing} missing); \
         cases without a wrong edge {sound}, without a missing one {complete}, skipped {skipped}",
        share(right, wrong),
        share(right, missing),
    );
    Ok(())
}

/// The truth's edges between named functions of the program itself.
fn inside(case: &Case, root: &Path) -> Edges {
    let own = |name: &str| {
        let first = name.split('.').next().unwrap_or(name);
        !name.contains('<')
            && (root.join(first).is_dir() || root.join(format!("{first}.py")).is_file())
    };
    let edges = case.edges.iter().cloned();
    edges.filter(|(a, b)| own(a) && own(b)).collect()
}

fn edges(corpus: &Corpus) -> Edges {
    let mut found = Edges::new();
    for (id, file) in corpus.repo.files() {
        for (site, outcome) in file
            .facts
            .calls
            .iter()
            .zip(&corpus.linked[id.0 as usize].calls)
        {
            let LinkOutcome::Targets(targets, _) = outcome else {
                continue;
            };
            if site.kind == CallKind::Literal {
                continue;
            }
            // The truth names lambdas by number, so it is judged without them.
            let owner = site.owner.map(|def| GlobalDef { file: id, def });
            if owner.is_some_and(|owner| is_lambda(corpus, owner)) {
                continue;
            }
            let caller = match site.owner {
                Some(def) => caller(corpus, GlobalDef { file: id, def }),
                None => module(corpus, id),
            };
            let called = targets
                .iter()
                .filter(|t| is_function(corpus, **t) && !is_lambda(corpus, **t));
            found.extend(called.map(|t| (caller.clone(), name(corpus, *t))));
        }
    }
    found
}

/// Whether a definition is a lambda with the name of its variable.
fn is_lambda(corpus: &Corpus, def: GlobalDef) -> bool {
    let def = corpus.repo.def(def);
    def.kind == SymbolKind::Function && def.signature_text.contains("lambda")
}

/// Whether a definition is a function. Calling a class without its own constructor runs no function.
fn is_function(corpus: &Corpus, def: GlobalDef) -> bool {
    matches!(
        corpus.repo.def(def).kind,
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor
    )
}

/// The function that runs a definition's body: for classes and variables, the enclosing function.
fn caller(corpus: &Corpus, def: GlobalDef) -> String {
    match corpus.repo.def(def).parent {
        _ if is_function(corpus, def) => name(corpus, def),
        Some(parent) => caller(
            corpus,
            GlobalDef {
                file: def.file,
                def: parent,
            },
        ),
        None => module(corpus, def.file),
    }
}

fn module(corpus: &Corpus, file: FileId) -> String {
    let path = &corpus.repo.file(file).path;
    let path = path.strip_suffix(".py").unwrap_or(path);
    path.strip_suffix("/__init__")
        .unwrap_or(path)
        .replace('/', ".")
}

/// Dotted name with the module, as the benchmark writes it.
fn name(corpus: &Corpus, def: GlobalDef) -> String {
    format!(
        "{}.{}",
        module(corpus, def.file),
        corpus.repo.qualified_name(def)
    )
}
