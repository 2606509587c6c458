//! Linking over several files.

use crate::fixture::{check, collect_relations};

#[test]
fn functions_fall_back_to_global_ones_and_to_those_of_php() {
    check(
        "//- a.php\n<?php\nnamespace A;\nfunction f() {}\nf(); g(); strlen(''); \\f(); B\\h(); nothing();\n\
         //- b.php\n<?php\nfunction f() {}\nfunction g() {}\n",
        "a.php:4 f -> a.php:f@3 [scoped]\n\
         a.php:4 g -> b.php:g@3 [scoped]\n\
         a.php:4 strlen -> ext php.strlen\n\
         a.php:4 (…) -> b.php:f@2 [scoped]\n\
         a.php:4 (…) -> ext A\\B.h\n\
         a.php:4 nothing -> ? unknown name",
    );
}

#[test]
fn what_magic_methods_answer_is_unknown() {
    check(
        "//- a.php\n<?php\nclass A { function __call($n, $a) {} }\nclass B extends A {}\n\
         class C { function ghost() {} }\n(new B)->ghost();\nB::phantom();\n$x->ghost();\n",
        "a.php:5 (…) -> a.php:B@3 [scoped]\n\
         a.php:5 ghost -> ? no such member\n\
         a.php:6 phantom -> ? no such member\n\
         a.php:7 ghost -> ? unknown receiver type",
    );
}

#[test]
fn methods_may_come_from_outside() {
    check(
        "//- a.php\n<?php\nnamespace A;\nuse Vendor\\Base;\nclass B extends Base { function m() { $this->up(); parent::m(); } }\n\
         class E extends \\Exception {}\n(new E('x'))->getMessage();\n\\Vendor\\Tool::make();\nMissing::make();\n",
        "a.php:4 up -> ext Vendor.Base.up\n\
         a.php:4 m -> ext Vendor.Base.m\n\
         a.php:6 (…) -> a.php:E@5 [scoped]\n\
         a.php:6 getMessage -> ext php.Exception.getMessage\n\
         a.php:7 make -> ext Vendor.Tool.make\n\
         a.php:8 make -> ? unknown receiver type",
    );
}

#[test]
fn methods_override_those_of_traits_classes_and_interfaces() {
    let found = collect_relations(
        "//- a.php\n<?php\ninterface I { function m(); }\ntrait T { function t() {} }\n\
         class A { function m() {} }\nclass B extends A implements I { use T; function t() {} }\n",
    );
    assert_eq!(
        found,
        [
            "a.php:A.m@4 overrides a.php:I.m@2",
            "a.php:B.t@5 overrides a.php:T.t@3",
            "a.php:B@5 embeds a.php:T@3",
            "a.php:B@5 extends a.php:A@4",
            "a.php:B@5 implements a.php:I@2",
        ]
    );
}

#[test]
fn a_variable_of_another_function_is_another() {
    check(
        "//- a.php\n<?php\nclass A { function m() {} }\n$x = new A();\nfunction f() { $x->m(); }\n\
         $f = function () { $x->m(); };\n$g = fn () => $x->m();\n",
        "a.php:3 (…) -> a.php:A@2 [scoped]\n\
         a.php:4 m -> ? unknown receiver type\n\
         a.php:5 m -> ? unknown receiver type\n\
         a.php:6 m -> a.php:A.m@2 [typed]",
    );
}
