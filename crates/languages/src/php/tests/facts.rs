//! Facts of single files.

use base::Language;
use syntax::facts::*;

fn facts(source: &str) -> FileFacts {
    crate::extract(Language::Php, source)
}

/// Imports as `module what as local`.
fn imports(source: &str) -> Vec<String> {
    let facts = facts(source);
    let one = |import: &Import| {
        let what = match import.what {
            Imported::Name(name) => format!("class {}", facts.name(name)),
            Imported::Static(name) => format!("member {}", facts.name(name)),
            other => format!("{other:?}"),
        };
        let local = import.local.map_or("", |local| facts.name(local));
        format!("{} {what} as {local}", facts.name(import.module))
    };
    facts.imports.iter().map(one).collect()
}

#[test]
fn imports_have_whole_names() {
    let found = imports(
        "<?php\nuse A\\B, C as D;\nuse function E\\f;\nuse const E\\{G, H as I};\nuse J\\{K, function l};\n\
         require_once __DIR__ . '/x/y.php';\ninclude dirname(__DIR__, 2) . \"/z.php\";\nrequire $path;\n",
    );
    assert_eq!(
        found,
        [
            "A class B as B",
            " class C as D",
            "E member f as f",
            "E member G as G",
            "E member H as I",
            "J class K as K",
            "J member l as l",
            "./x/y.php SideEffect as ",
            "./../../z.php SideEffect as ",
        ]
    );
}

/// The path of each written supertype of the first type.
fn supers(source: &str) -> Vec<String> {
    let facts = facts(source);
    let class = facts.defs.iter().find(|def| def.kind.is_type());
    let written = class.map_or(&[][..], |class| &class.supers);
    let one = |(ty, kind): &(TypeId, SuperKind)| match facts.ty(*ty) {
        TypeExpr::Named { path, .. } => {
            let path: Vec<&str> = path.iter().map(|name| facts.name(*name)).collect();
            format!("{kind:?} {}", path.join("\\"))
        }
        other => format!("{kind:?} {other:?}"),
    };
    written.iter().map(one).collect()
}

#[test]
fn names_of_classes_are_resolved_where_they_stand() {
    let source = "<?php namespace A\\B; use C\\D; use E as F;\n\
        class X extends D\\G implements F, \\H, namespace\\I, J { use F\\T; }";
    assert_eq!(
        supers(source),
        [
            "Embeds E\\T",
            "Extends C\\D\\G",
            "Implements E",
            "Implements H",
            "Implements A\\B\\I",
            "Implements A\\B\\J",
        ]
    );
}

#[test]
fn types_of_comments_count_where_the_declaration_says_less() {
    let facts = facts(
        "<?php\nclass A {\n/** @var B[] */\nprivate array $all;\n/** @var C */\nprivate D $own;\n\
         /**\n * @param E $e\n * @return static\n */\nfunction m($e, F $f) { return $this; }\n}\n",
    );
    let shown = |ty: Option<TypeId>| match ty.map(|ty| facts.ty(ty)) {
        Some(TypeExpr::Named { path, .. }) => facts.name(path[0]).to_owned(),
        Some(TypeExpr::Array(_)) => "array".to_owned(),
        Some(TypeExpr::SelfType(_)) => "static".to_owned(),
        other => format!("{other:?}"),
    };
    let def = |name: &str| {
        let found = facts.defs.iter().find(|def| facts.name(def.name) == name);
        found.unwrap_or_else(|| panic!("no {name}"))
    };
    assert_eq!(shown(def("all").ty), "array");
    assert_eq!(shown(def("own").ty), "D");
    let callable = def("m").callable.as_deref().unwrap();
    let params: Vec<String> = callable.params.iter().map(|p| shown(p.ty)).collect();
    assert_eq!(params, ["E", "F"]);
    assert_eq!(shown(callable.ret), "static");
}

#[test]
fn tests_are_known_by_phpunit_s_conventions() {
    let facts = facts(
        "<?php class A extends \\PHPUnit\\Framework\\TestCase {\nfunction testOne() {}\n#[Test]\n\
         function two() {}\n/** @test */\nfunction three() {}\nfunction four() {} }",
    );
    let tests = facts
        .defs
        .iter()
        .filter(|def| def.flags.has(DefFlags::TEST));
    let tests: Vec<&str> = tests.map(|def| facts.name(def.name)).collect();
    assert_eq!(tests, ["testOne", "two", "three"]);
}
