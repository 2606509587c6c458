//! Linking over several files.

use crate::fixture::{check, collect_relations};

#[test]
fn labels_are_part_of_a_name_and_what_is_not_known_stays_unresolved() {
    check(
        "//- a.swift\nimport Vendor\nstruct A { func m(_ x: Int) {}; func m(to x: Int) {} }\n\
         func run(_ a: A, _ any: Any) {\n    a.m(1); a.m(to: 2); a.m(by: 3)\n\
         any.ghost(); Widget().draw(); missing()\n    let f = a.m(_:)\n    f(1)\n    \"x\".count.ghost()\n}\n\
         class B: Base { func go() { up(); super.go() } }\n",
        "a.swift:4 m -> a.swift:A.m@2 func m(_ x: Int) [typed]\n\
         a.swift:4 m -> a.swift:A.m@2 func m(to x: Int) [typed]\n\
         a.swift:4 m -> ? no such member\n\
         a.swift:5 ghost -> ? unknown receiver type\n\
         a.swift:5 Widget -> ext Vendor.Widget.init\n\
         a.swift:5 draw -> ext Vendor.Widget.draw\n\
         a.swift:5 missing -> ext Vendor.missing\n\
         a.swift:7 f -> ? dynamic call\n\
         a.swift:8 ghost -> ext Swift.Int.ghost\n\
         a.swift:10 up -> ext Vendor.Base.up\n\
         a.swift:10 go -> ext Vendor.Base.go",
    );
}

#[test]
fn members_implement_what_protocols_require_also_in_extensions() {
    let found = collect_relations(
        "//- a.swift\nprotocol P { func m(); var v: Int { get }; func n(x: Int) }\nextension P { func n(x: Int) {} }\n\
         class A: P { func m() {}; let v = 1; func k() {} }\nclass B: A { override func k() {} }\nstruct S {}\n\
         extension S: P { func m() {}; var v: Int { 1 }; func n(y: Int) {} }\n",
    );
    assert_eq!(
        found,
        [
            "a.swift:A.m@3 overrides a.swift:P.m@1",
            "a.swift:A.v@3 overrides a.swift:P.v@1",
            "a.swift:A@3 extends a.swift:P@1 protocol P",
            "a.swift:B.k@4 overrides a.swift:A.k@3",
            "a.swift:B@4 extends a.swift:A@3",
            "a.swift:P.n@2 func n(x: Int) overrides a.swift:P.n@1 func n(x: Int)",
            "a.swift:S.m@6 overrides a.swift:P.m@1",
            "a.swift:S.v@6 overrides a.swift:P.v@1",
            "a.swift:S@5 struct S implements a.swift:P@1 protocol P",
        ]
    );
}
