//! Tests of the builder's tables: too many arguments, changed definitions, exports.

use super::walk::tree;
use crate::builder::Builder;
use crate::facts::*;
use base::{Language, SymbolKind, Visibility};

#[test]
fn counts_of_arguments_stay_within_their_number() {
    let tree = tree("f()");
    let node = tree.root_node();
    let mut b = Builder::new(Language::TypeScript, "f()", &|| false);
    let expr = b.add_expr(Expr::Unknown);
    for argc in [0, 3, 65_535, 65_536, 1_000_000] {
        b.add_call(expr, CallKind::Call, argc, node);
    }
    let counts: Vec<u16> = b.finish().calls.iter().map(|c| c.argc).collect();
    assert_eq!(counts, [0, 3, u16::MAX, u16::MAX, u16::MAX]);
}

#[test]
fn a_definition_has_neutral_values_until_it_is_changed() {
    let source = "one two";
    let tree = tree(source);
    let node = tree.root_node();
    let mut b = Builder::new(Language::TypeScript, source, &|| false);
    let name = b.intern_name(&source[..3]);
    let outer = b.add_def(name, SymbolKind::Class, node, node);
    let scope = b.open_def(outer, ScopeKind::Class);
    let field = b.add_def(name, SymbolKind::Field, node, node);
    b.open_owner(field);
    assert_eq!(b.current_owner(), Some(field));
    b.close_owner();
    assert_eq!(b.current_owner(), Some(outer));
    b.close_def();
    assert_eq!(b.current_owner(), None);
    b.def_mut(field).visibility = Visibility::Private;
    b.facts_mut().package = Some(name);
    let facts = b.finish();
    let def = facts.def(outer);
    assert_eq!(
        (def.parent, def.body, def.scope),
        (None, Some(scope), FILE_SCOPE)
    );
    assert_eq!(def.visibility, Visibility::Public);
    assert_eq!(def.flags, DefFlags::default());
    assert!(def.callable.is_none() && def.ty.is_none() && def.value.is_none());
    let def = facts.def(field);
    assert_eq!(
        (def.parent, def.body, def.scope),
        (Some(outer), None, scope)
    );
    assert_eq!(def.visibility, Visibility::Private);
    assert_eq!(facts.package, Some(name));
    assert_eq!(facts.scope(scope).owner, Some(outer));
}

#[test]
fn spans_do_not_go_beyond_the_source() {
    // A tree of a text that is longer than the source it is read with.
    let tree = tree("function f() {}");
    let source = "function";
    let mut b = Builder::new(Language::TypeScript, source, &|| false);
    let name = b.intern_owned_name("f");
    let node = tree.root_node();
    b.add_def(name, SymbolKind::Function, node, node);
    assert_eq!(b.text(node), "");
    let facts = b.finish();
    assert_eq!(facts.defs[0].span.end_byte, source.len() as u32);
    assert_eq!(&*facts.defs[0].signature_text, source);
}

#[test]
fn exports_and_types_keep_their_order() {
    let mut b = Builder::new(Language::TypeScript, "", &|| false);
    let name = b.intern_owned_name("a");
    let one = b.add_type(TypeExpr::Unknown);
    let two = b.add_type(TypeExpr::Array(one));
    b.add_export(Export {
        name: Some(name),
        what: Exported::Local(name),
        line: 2,
    });
    b.add_export(Export {
        name: None,
        what: Exported::Local(name),
        line: 1,
    });
    let facts = b.finish();
    assert_eq!((one, two), (TypeId(0), TypeId(1)));
    assert_eq!(facts.ty(two), &TypeExpr::Array(one));
    let lines: Vec<u32> = facts.exports.iter().map(|e| e.line).collect();
    assert_eq!(lines, [2, 1]);
}
