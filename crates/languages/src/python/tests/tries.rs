//! Names behind code that something interrupted, and behind conditions that may be skipped.

use crate::fixture::check;

#[test]
fn a_handler_sees_what_its_try_bound_before_something_raised() {
    check(
        "//- a.py
import b
def f(): pass
def functions(q):
    h = f
    try:
        def h(): pass
        q()
        def h(): pass
    except ValueError:
        h()
    finally:
        h()
    h()
def imports(q):
    from b import k
    try:
        from c import k
        q()
    except ValueError:
        k()
def inside(q):
    v = f
    try:
        try:
            q()
        except KeyError:
            class v:
                def __init__(self): pass
            q()
        finally:
            v()
    except ValueError:
        v()
def left_by_finally(q):
    v = f
    try:
        try:
            q()
        finally:
            def v(): pass
    except ValueError:
        v()
//- b.py
def k(): pass
//- c.py
def k(): pass
",
        "a.py:7 q -> ? dynamic call
a.py:10 h -> a.py:f@2, a.py:functions.h@6 def h() [scoped]
a.py:12 h -> a.py:f@2, a.py:functions.h@6 def h(), a.py:functions.h@8 def h() [scoped]
a.py:13 h -> a.py:f@2, a.py:functions.h@6 def h(), a.py:functions.h@8 def h() [scoped]
a.py:18 q -> ? dynamic call
a.py:20 k -> b.py:k@1, c.py:k@1 [scoped]
a.py:25 q -> ? dynamic call
a.py:29 q -> ? dynamic call
a.py:31 v -> a.py:f@2, a.py:inside.v.__init__@28 [scoped]
a.py:33 v -> a.py:f@2, a.py:inside.v.__init__@28 [scoped]
a.py:38 q -> ? dynamic call
a.py:42 v -> a.py:f@2, a.py:left_by_finally.v@40 [scoped]",
    );
}

#[test]
fn a_handler_of_the_module_sees_what_its_try_defines() {
    check(
        "//- a.py
def f(): pass
g = f
try:
    def g(): pass
    other()
except ValueError:
    g()
def later(): g()
",
        "a.py:5 other -> ? unknown name
a.py:7 g -> a.py:f@1, a.py:g@4 def g() [scoped]
a.py:8 g -> a.py:f@1, a.py:g@4 def g() [scoped]",
    );
}

#[test]
fn a_context_may_swallow_what_its_body_raises() {
    check(
        "//- a.py
from contextlib import contextmanager, suppress
def f(): pass
class Quiet:
    def __enter__(self): return self
    def __exit__(self, *error): return True
class Loud:
    def __enter__(self): return self
    def __exit__(self, *error): return False
@contextmanager
def logged():
    try:
        yield
    except ValueError:
        pass
def known(q):
    v = f
    with suppress(ValueError):
        def v(): pass
        q()
        return
    v()
def own(q):
    v = f
    with Quiet():
        q()
        def v(): pass
    v()
def generated(q):
    v = f
    with logged():
        q()
        def v(): pass
    v()
def loud(q):
    v = f
    with Loud():
        q()
        def v(): pass
    v()
",
        "a.py:9 contextmanager -> ext contextlib.contextmanager
a.py:17 suppress -> ext contextlib.suppress
a.py:19 q -> ? dynamic call
a.py:21 v -> a.py:f@2, a.py:known.v@18 [scoped]
a.py:24 Quiet -> a.py:Quiet@3 [scoped]
a.py:25 q -> ? dynamic call
a.py:27 v -> a.py:f@2, a.py:own.v@26 [scoped]
a.py:30 logged -> a.py:logged@10 [scoped]
a.py:31 q -> ? dynamic call
a.py:33 v -> a.py:f@2, a.py:generated.v@32 [scoped]
a.py:36 Loud -> a.py:Loud@6 [scoped]
a.py:37 q -> ? dynamic call
a.py:39 v -> a.py:loud.v@38 [scoped]",
    );
}

#[test]
fn a_condition_that_is_skipped_binds_nothing() {
    check(
        "//- a.py
def f(): pass
def g(): pass
def later(q):
    v = f
    if q: pass
    elif (v := g): v()
    v()
def both(q):
    v = f
    if q and (v := g): v()
    v()
def either(q):
    v = f
    w = q if q else (v := g)
    v()
def elements(q):
    v = f
    w = [x for x in q if (v := g)]
    v()
def guarded(q):
    v = f
    match [g, g]:
        case 1: v()
        case [_, v] if q: v()
        case _: v()
    v()
",
        "a.py:6 v -> a.py:g@2 [typed]
a.py:7 v -> a.py:f@1, a.py:g@2 [typed]
a.py:10 v -> a.py:g@2 [typed]
a.py:11 v -> a.py:f@1, a.py:g@2 [typed]
a.py:15 v -> a.py:f@1, a.py:g@2 [typed]
a.py:19 v -> a.py:f@1, a.py:g@2 [typed]
a.py:23 v -> a.py:f@1 [typed]
a.py:24 v -> a.py:g@2 [typed]
a.py:25 v -> a.py:f@1, a.py:g@2 [typed]
a.py:26 v -> a.py:f@1, a.py:g@2 [typed]",
    );
}

#[test]
fn a_class_and_a_function_of_one_name_replace_each_other() {
    check(
        "//- a.py
def f():
    def v(): pass
    v()
    class v:
        def __init__(self): pass
    v()
    def v(): pass
    v()
",
        "a.py:3 v -> a.py:f.v@2 def v() [scoped]
a.py:6 v -> a.py:f.v.__init__@5 [scoped]
a.py:8 v -> a.py:f.v@7 def v() [scoped]",
    );
}

#[test]
fn where_one_alternative_is_too_many_functions_the_call_is_ambiguous() {
    check(
        "//- a.py
def f(): pass
def g(): pass
def h(): pass
def i(): pass
def j(): pass
def many(q):
    v = [f, g, h, i, j][q]
    if q:
        def v(): pass
    v()
",
        "a.py:10 v -> ? ambiguous",
    );
}
