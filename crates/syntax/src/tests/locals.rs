//! Sites that concern only local names are dropped, by the scope rules that all languages share.

use super::walk::facts;
use crate::facts::*;

/// The names of kept reads, with their lines, and those of kept writes.
fn kept(source: &str) -> (Vec<String>, Vec<String>) {
    let facts = facts(source);
    let name = |expr: ExprId| match facts.expr(expr) {
        Expr::Name { name, .. } => facts.name(*name).to_owned(),
        other => format!("{other:?}"),
    };
    let reads = facts.references.iter().map(|site| {
        let what = match site.what {
            RefTarget::Expr(expr) => name(expr),
            RefTarget::Type(ty) => match facts.ty(ty) {
                TypeExpr::Named { path, .. } => format!("type {}", facts.name(path[0])),
                other => format!("{other:?}"),
            },
        };
        format!("{what}@{}", site.line)
    });
    let writes = facts
        .writes
        .iter()
        .map(|site| format!("{}@{}", name(site.target), site.line));
    (reads.collect(), writes.collect())
}

#[test]
fn parameters_and_locals_are_dropped_and_the_rest_stays() {
    let (reads, writes) = kept(
        "const shared = 1;
function f(p) {
  let own = shared;
  own = p;
  shared = own;
  return own;
}
shared;
unknown;
",
    );
    assert_eq!(reads, ["shared@3", "shared@8", "unknown@9"]);
    assert_eq!(writes, ["shared@5"]);
}

#[test]
fn a_local_is_one_behind_its_declaration_alone() {
    let (reads, _) = kept(
        "const x = 1;
function f() {
  x;
  let x = x;
  x;
}
",
    );
    assert_eq!(reads, ["x@3", "x@4"]);
}

#[test]
fn blocks_end() {
    let (reads, _) = kept(
        "const x = 1;
function f() {
  { let x = 2; x; { x; } }
  x;
}
",
    );
    assert_eq!(reads, ["x@4"]);
}

#[test]
fn inner_functions_see_the_locals_around_them() {
    let (reads, writes) = kept(
        "function f(a) {
  let b = 1;
  function g(c) { a; b; c; d; b = 2; e = 3; }
}
const d = 1;
",
    );
    assert_eq!(reads, ["d@3"]);
    assert_eq!(writes, ["e@3"]);
}

#[test]
fn type_parameters_are_dropped_and_types_stay() {
    let (reads, _) = kept(
        "class Box {}
function f<T>(a: T, b: Box, c: Unknown) {}
function g(a: T) {}
",
    );
    assert_eq!(reads, ["type Box@2", "type Unknown@2", "type T@3"]);
}

#[test]
fn definitions_in_functions_are_no_locals() {
    let (reads, _) = kept("function f() { function g() {} g; }\n");
    assert_eq!(reads, ["g@1"]);
}

#[test]
fn many_bindings_and_uses_take_linear_time() {
    // Each use finds its binding by binary search, not one by one.
    let source = format!(
        "function f() {{\n{}}}\n",
        "let x = 1; x; other;\n".repeat(20_000)
    );
    let facts = facts(&source);
    assert_eq!(facts.references.len(), 20_000);
    assert_eq!(facts.bindings.len(), 20_001);
}

#[test]
fn bodies_of_functions_see_the_locals_of_the_whole_file() {
    use crate::builder::Builder;
    let source = "x x x x";
    let tree = super::walk::tree(source);
    let node = tree.root_node();
    let mut b = Builder::new(base::Language::Lua, source, &|| false);
    let name = b.intern_name("x");
    let read = |b: &mut Builder<'_>| {
        let scope = b.current_scope();
        let expr = b.add_expr(Expr::Name { name, scope, at: 2 });
        b.add_reference(RefTarget::Expr(expr), node);
        expr
    };
    let at_top = read(&mut b);
    b.open_scope(ScopeKind::Block, None);
    let in_block = read(&mut b);
    b.close_scope();
    b.open_scope(ScopeKind::Function, None);
    read(&mut b);
    b.open_scope(ScopeKind::Block, None);
    read(&mut b);
    b.close_scope();
    b.close_scope();
    let to = Bound::Local {
        ty: None,
        value: None,
    };
    b.bind_in(FILE_SCOPE, name, Namespace::VALUE, 6, to);
    let facts = b.finish();
    let kept: Vec<RefTarget> = facts.references.iter().map(|r| r.what).collect();
    assert_eq!(kept, [RefTarget::Expr(at_top), RefTarget::Expr(in_block)]);
}
