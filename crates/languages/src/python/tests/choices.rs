//! Names that branches bind differently, and values that are not what they look like.

use crate::fixture::{check, collect_relations, imports, mentions};

const FILES: &str = "
//- fast.py
def load(x): return x
class Item:
    def weigh(self): return 1
shared = 1
//- slow.py
def load(x): return x
class Item:
    def weigh(self): return 2
    def only(self): return 3
//- compat.py
try:
    from fast import load, Item
except ImportError:
    from slow import load, Item
";

#[test]
fn a_name_that_branches_import_is_one_of_several() {
    check(
        &format!(
            "{FILES}
//- use.py
from compat import load, Item
import compat
def f(item: Item):
    load(1)
    compat.load(2)
    Item().weigh()
    item.weigh()
    item.only()
"
        ),
        "
use.py:4 load -> fast.py:load@1, slow.py:load@1 [scoped]
use.py:5 load -> fast.py:load@1, slow.py:load@1 [scoped]
use.py:6 Item -> fast.py:Item@2, slow.py:Item@2 [scoped]
use.py:6 weigh -> fast.py:Item.weigh@3, slow.py:Item.weigh@3 [typed]
use.py:7 weigh -> fast.py:Item.weigh@3, slow.py:Item.weigh@3 [typed]
use.py:8 only -> slow.py:Item.only@4 [typed]
",
    );
}

#[test]
fn branches_that_define_a_name_give_each() {
    check(
        "
//- a.py
import sys
if sys.platform == 'x':
    def f(): return 1
elif other():
    def f(): return 2
else:
    from b import f
def plain(): return 1
if f():
    def plain(): return 2
def later(): return 1
if f():
    def later(): return 2
def later(): return 3
if sys.version_info < (3,):
    def todays(): return 1
else:
    def todays(): return 2
def g():
    f()
    plain()
    later()
    todays()
f()
//- b.py
def f(): return 3
",
        "
a.py:4 other -> ? unknown name
a.py:9 f -> a.py:f@3 def f(), a.py:f@5 def f(), b.py:f@1 [scoped]
a.py:12 f -> a.py:f@3 def f(), a.py:f@5 def f(), b.py:f@1 [scoped]
a.py:20 f -> a.py:f@3 def f(), a.py:f@5 def f(), b.py:f@1 [scoped]
a.py:21 plain -> a.py:plain@10 def plain(), a.py:plain@8 def plain() [scoped]
a.py:22 later -> a.py:later@14 def later() [scoped]
a.py:23 todays -> a.py:todays@18 def todays() [scoped]
a.py:24 f -> a.py:f@3 def f(), a.py:f@5 def f(), b.py:f@1 [scoped]
",
    );
}

#[test]
fn what_is_not_there_leaves_the_other() {
    check(
        &format!(
            "{FILES}
//- use.py
try:
    from fast import load
except ImportError:
    load = None
Item = None
try:
    from slow import Item
except ImportError:
    pass
try:
    from outside_lib import shared
except ImportError:
    from fast import load as shared
try:
    from slow import load as other
except ImportError:
    other = shared
def f():
    load(1)
    Item().only()
    shared(1)
    other(1)
"
        ),
        "
use.py:19 load -> fast.py:load@1 [scoped]
use.py:20 Item -> slow.py:Item@2 [scoped]
use.py:20 only -> slow.py:Item.only@4 [typed]
use.py:21 shared -> fast.py:load@1 [scoped]
use.py:22 other -> fast.py:load@1, slow.py:load@1 [scoped]
",
    );
}

#[test]
fn members_and_local_names_that_branches_define_are_each() {
    check(
        &format!(
            "{FILES}
//- use.py
import sys
class C:
    if sys.platform == 'x':
        def m(self): return Left()
    else:
        def m(self): return Right()
    if sys.version_info >= (3,):
        def n(self): return 1
    else:
        def n(self): return 2
class Left:
    def go(self): pass
class Right:
    def go(self): pass
def f(c: C, quick):
    if quick:
        from fast import load
    else:
        from slow import load
    load(1)
    c.m().go()
    c.n()
    def inner(): load(2)
"
        ),
        "
use.py:4 Left -> use.py:Left@11 [scoped]
use.py:6 Right -> use.py:Right@13 [scoped]
use.py:20 load -> fast.py:load@1, slow.py:load@1 [scoped]
use.py:21 m -> use.py:C.m@4 def m(self), use.py:C.m@6 def m(self) [typed]
use.py:21 go -> use.py:Left.go@12, use.py:Right.go@14 [typed]
use.py:22 n -> use.py:C.n@8 def n(self) [typed]
use.py:23 load -> fast.py:load@1, slow.py:load@1 [scoped]
",
    );
}

#[test]
fn mentions_imports_and_bases_lead_to_each() {
    let fixture = format!(
        "{FILES}
//- use.py
from compat import load, Item
class Own(Item): pass
def f(call):
    call(load)
def run(job): job()
run(load)
"
    );
    assert_eq!(
        mentions(&fixture),
        "\
compat.py:3 ImportError -> ext builtins.ImportError
use.py:4 load -> fast.py:load@1, slow.py:load@1 [scoped]
use.py:6 load -> fast.py:load@1, slow.py:load@1 [scoped]"
    );
    let calls = crate::fixture::calls(&fixture);
    assert!(
        calls.contains("use.py:5 job -> fast.py:load@1, slow.py:load@1 [typed]"),
        "{calls}"
    );
    assert_eq!(
        imports(&fixture),
        "\
compat.py:2 -> fast.py:load@1
compat.py:2 -> fast.py:Item@2
compat.py:4 -> slow.py:load@1
compat.py:4 -> slow.py:Item@2
use.py:1 -> fast.py:load@1, slow.py:load@1
use.py:1 -> fast.py:Item@2, slow.py:Item@2"
    );
    assert_eq!(
        collect_relations(&fixture),
        [
            "use.py:Own@2 extends fast.py:Item@2",
            "use.py:Own@2 extends slow.py:Item@2",
        ]
    );
}

#[test]
fn what_stands_around_a_rest_is_given_in_order() {
    check(
        "
//- a.py
class A:
    def m(self): pass
class B:
    def m(self): pass
class C:
    def m(self): pass
def f():
    first, *rest, last = A(), B(), B(), C()
    first.m()
    last.m()
    for one in rest: one.m()
",
        "
a.py:8 A -> a.py:A@1 [scoped]
a.py:8 B -> a.py:B@3 [scoped]
a.py:8 B -> a.py:B@3 [scoped]
a.py:8 C -> a.py:C@5 [scoped]
a.py:9 m -> a.py:A.m@2 [typed]
a.py:10 m -> a.py:C.m@6 [typed]
a.py:11 m -> a.py:B.m@4 [typed]
",
    );
}

#[test]
fn a_call_of_what_may_be_outside_leads_to_what_is_inside() {
    check(
        "
//- a.py
try:
    from collections import Ordered
except ImportError:
    class Ordered:
        def __init__(self): pass
class Holder:
    made = Ordered
    def make(self): return self.made()
class Shown:
    @hybrid
    def width(self): pass
    @width.other
    def width(self): pass
",
        "
a.py:8 made -> a.py:Ordered.__init__@5 [typed]
a.py:10 hybrid -> ? unknown name
a.py:12 other -> ? no such member
",
    );
}

#[test]
fn descriptors_and_new_give_what_they_return() {
    check(
        "
//- a.py
class Shown:
    def m(self): pass
class Reads:
    def m(self): pass
    def __get__(self, object, owner):
        if object is None: return self
        return Shown()
class Plain:
    def m(self): pass
class Holder:
    read = Reads()
    plain = Plain()
class Makes:
    def m(self): pass
    def __new__(cls, other):
        if other: return Shown()
        return super().__new__(cls)
class Own:
    def m(self): pass
    def __new__(cls): return super().__new__(cls)
def f(h: Holder):
    h.read.m()
    h.plain.m()
    Makes(1).m()
    Own().m()
",
        "
a.py:7 Shown -> a.py:Shown@1 [scoped]
a.py:11 Reads -> a.py:Reads@3 [scoped]
a.py:12 Plain -> a.py:Plain@8 [scoped]
a.py:16 Shown -> a.py:Shown@1 [scoped]
a.py:17 super -> ext builtins.super
a.py:17 __new__ -> ? no such member
a.py:20 super -> ext builtins.super
a.py:20 __new__ -> ? no such member
a.py:22 m -> a.py:Shown.m@2 [typed]
a.py:23 m -> a.py:Plain.m@9 [typed]
a.py:24 Makes -> a.py:Makes.__new__@15 [scoped]
a.py:24 m -> a.py:Makes.m@14, a.py:Shown.m@2 [typed]
a.py:25 Own -> a.py:Own.__new__@20 [scoped]
a.py:25 m -> a.py:Own.m@19 [typed]
",
    );
}

/// The order of a class with several bases decides which of their methods runs.
#[test]
fn mixins_override_what_follows_them() {
    assert_eq!(
        collect_relations(
            "//- a.py\nclass Base:\n    def setup(self):\n        pass\n\n    def run(self):\n        self.setup()\n\n\
             class MixA:\n    def setup(self):\n        pass\n\nclass MixB:\n    def setup(self):\n        pass\n\n\
             class Both(MixA, MixB, Base):\n    pass\n",
        ),
        [
            "a.py:Both@16 extends a.py:Base@1",
            "a.py:Both@16 extends a.py:MixA@8",
            "a.py:Both@16 extends a.py:MixB@12",
            "a.py:MixA.setup@9 overrides a.py:Base.setup@2",
            "a.py:MixA.setup@9 overrides a.py:MixB.setup@13",
        ]
    );
}

/// The first base has the method of the root, and the search order comes to that of the second base before it.
#[test]
fn what_the_search_order_passes_over_overrides_nothing() {
    let relations = collect_relations(
        "//- a.py\nclass Root:\n    def f(self):\n        pass\n\nclass Left(Root):\n    pass\n\n\
         class Right(Root):\n    def f(self):\n        pass\n\nclass Both(Left, Right):\n    pass\n",
    );
    let overrides: Vec<&str> = relations
        .iter()
        .filter_map(|line| line.contains(" overrides ").then_some(line.as_str()))
        .collect();
    assert_eq!(overrides, ["a.py:Right.f@9 overrides a.py:Root.f@2"]);
}
