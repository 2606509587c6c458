//! Facts of Lua sources.

use crate::extract;
use base::facts::*;
use base::{Language, SymbolKind};

fn facts(source: &str) -> FileFacts {
    let facts = extract(Language::Lua, source);
    assert_eq!(facts.syntax_errors, 0, "{source}");
    facts
}

/// Definitions that have a name, as `kind qualified name`.
fn defs(facts: &FileFacts) -> Vec<String> {
    let named = facts
        .defs
        .iter()
        .zip(0..)
        .filter(|(d, _)| !d.flags.has(DefFlags::ANONYMOUS));
    named
        .map(|(def, at)| format!("{} {}", def.kind.as_str(), facts.qualified_name(DefId(at))))
        .collect()
}

#[test]
fn functions_and_tables_are_definitions() {
    let facts = facts(
        "local M = {}\nlocal limit = 3\nlocal function help(a, ...) end\nfunction M.new() end\n\
         function M:run(x) end\nM.stop = function() end\nlocal late = function() end\nfunction global() end\nreturn M\n",
    );
    assert_eq!(
        defs(&facts),
        [
            "class M",
            "variable limit",
            "function help",
            "function M.new",
            "method M.run",
            "function M.stop",
            "function late",
            "function global",
        ]
    );
    let run = facts.def(DefId(4));
    let params = &run.callable.as_ref().unwrap().params;
    let kinds: Vec<ParamKind> = params.iter().map(|p| p.kind).collect();
    assert_eq!(kinds, [ParamKind::Receiver, ParamKind::Optional]);
    assert!(matches!(
        facts.exports[..],
        [Export {
            what: Exported::Whole(_),
            ..
        }]
    ));
}

#[test]
fn a_table_without_methods_is_a_namespace_and_a_constructor_holds_members() {
    let facts = facts("local util = { trim = function(s) return s end, size = 3 }\nreturn util\n");
    assert_eq!(defs(&facts), ["namespace util", "function util.trim"]);
}

#[test]
fn documentation_stands_directly_above() {
    let facts = facts(
        "--- Adds.\n-- Two numbers.\nlocal function add(a, b) return a + b end\n\n-- apart\n\nlocal function sub() end\n",
    );
    assert_eq!(facts.defs[0].doc.as_deref(), Some("Adds. Two numbers."));
    assert_eq!(facts.defs[1].doc, None);
    assert_eq!(
        facts.defs[0].signature_text.as_ref(),
        "local function add(a, b)"
    );
}

#[test]
fn requires_are_imports_and_no_calls() {
    let facts = facts(
        "local a = require(\"x.a\")\nrequire 'y'\nrequire(\"z\").go()\nlocal b = require(name)\n",
    );
    let imports: Vec<(&str, Option<&str>)> = facts
        .imports
        .iter()
        .map(|i| (facts.name(i.module), i.local.map(|l| facts.name(l))))
        .collect();
    assert_eq!(imports, [("x.a", Some("a")), ("y", None), ("z", None)]);
    // A computed name is a call.
    assert_eq!(facts.calls.len(), 2);
}

#[test]
fn branches_count_as_complexity() {
    let facts = facts(
        "local function f(a)\n  if a then\n    for i = 1, 2 do g() end\n  elseif a and b then\n    h()\n  else\n    k()\n  end\nend\n",
    );
    assert_eq!(facts.defs[0].complexity.cyclomatic, 5);
    assert_eq!(facts.defs[0].kind, SymbolKind::Function);
}
