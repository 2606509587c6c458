//! Values of names after loops, `try` and `match`.

use crate::fixture::check;

/// Checks functions that start at line 7, after three classes with a method `m`.
#[track_caller]
fn check_functions(functions: &str, expected: &str) {
    let classes = "//- a.py
class A:
    def m(self): pass
class B:
    def m(self): pass
class C:
    def m(self): pass
";
    check(&format!("{classes}{functions}"), expected);
}

#[test]
fn a_break_goes_around_the_else_of_its_loop() {
    check_functions(
        "def search(items, a: A, b: B):
    for i in items:
        if i == 3:
            r = a
            break
    else:
        r = b
    return r.m()
def earlier_value(items, a: A, b: B, c: C):
    r = c
    for i in items:
        if i == 3:
            r = a
            break
    else:
        r.m()
        r = b
    return r.m()
def inside_try(q, a: A, b: B):
    while q:
        try:
            r = a
            break
        except ValueError:
            continue
    else:
        r = b
    return r.m()
def else_leaves(q, a: A):
    for i in q:
        if i: r = a; break
    else:
        return None
    return r.m()
def at_the_head(q, a: A, b: B, c: C):
    while q:
        if q: r = a
        else: break
        r = c
    else:
        r = b
    return r.m()
def nested(q, a: A, b: B, c: C):
    r = c
    for i in q:
        for j in i:
            if j: r = a; break
        else:
            continue
        break
    else:
        r = b
    r.m()
",
        "a.py:14 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:22 m -> a.py:C.m@6 [typed]
a.py:24 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:34 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:40 m -> a.py:A.m@2 [typed]
a.py:48 m -> a.py:B.m@4, a.py:C.m@6 [typed]
a.py:59 m -> a.py:A.m@2, a.py:B.m@4 [typed]",
    );
}

#[test]
fn a_loop_goes_on_from_what_continue_left_and_ends_with_what_break_left() {
    check_functions(
        "def forever(q, a: A, b: B, c: C):
    r = c
    while True:
        r = a
        if q: break
        r = b
    r.m()
def head(q, a: A, b: B):
    r = a
    while True:
        if q: break
        r = b
    r.m()
def goes_on(q, a: A, b: B, c: C):
    r = a
    for x in q:
        if x: continue
        r = b
        if q: continue
        r = c
    r.m()
def returns(q, a: A, b: B):
    r = a
    for x in q:
        r = b
        return r.m()
    r.m()
def variable(q: list[B], a: A):
    r = a
    for r in q:
        r.m()
    r.m()
def function_of_each(q, a: A, b: B):
    def one(): a.m()
    def two(): b.m()
    for x in q:
        if x: f = one; break
    else: f = two
    f()
",
        "a.py:13 m -> a.py:A.m@2 [typed]
a.py:19 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:27 m -> a.py:A.m@2, a.py:B.m@4, a.py:C.m@6 [typed]
a.py:32 m -> a.py:B.m@4 [typed]
a.py:33 m -> a.py:A.m@2 [typed]
a.py:37 m -> a.py:B.m@4 [typed]
a.py:38 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:40 m -> a.py:A.m@2 [typed]
a.py:41 m -> a.py:B.m@4 [typed]
a.py:45 f -> a.py:function_of_each.one@40, a.py:function_of_each.two@41 [typed]",
    );
}

#[test]
fn finally_and_handlers_see_what_any_part_of_the_body_left() {
    check_functions(
        "def handler(q, a: A, b: B, c: C):
    r = a
    try:
        r = b
        q()
        r = c
    except Exception:
        return r.m()
    r.m()
def raised(q, a: A, b: B):
    try:
        if q:
            r = a
            raise ValueError
        r = b
    except ValueError:
        r.m()
    else:
        r.m()
def cleaned_up(q, a: A, b: B, c: C):
    r = a
    try:
        r = b
        return r
    except ValueError:
        r = c
    finally:
        r.m()
    r.m()
def made_by_finally(q, a: A, b: B, c: C):
    r = a
    for x in q:
        try:
            r = b
            break
        finally:
            r = c
    r.m()
def plain(q, a: A, b: B):
    r = a
    try:
        r = b
    finally:
        q()
    r.m()
",
        "a.py:11 q -> ? dynamic call
a.py:14 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:15 m -> a.py:C.m@6 [typed]
a.py:23 m -> a.py:A.m@2 [typed]
a.py:25 m -> a.py:B.m@4 [typed]
a.py:34 m -> a.py:A.m@2, a.py:B.m@4, a.py:C.m@6 [typed]
a.py:35 m -> a.py:C.m@6 [typed]
a.py:44 m -> a.py:A.m@2, a.py:C.m@6 [typed]
a.py:50 q -> ? dynamic call
a.py:51 m -> a.py:B.m@4 [typed]",
    );
}

#[test]
fn a_last_pattern_that_takes_all_leaves_nothing_as_it_was() {
    check_functions(
        "def all(q, a: A, b: B, c: C):
    r = c
    match q:
        case 1: r = a
        case _: r = b
    r.m()
def some(q, a: A, c: C):
    r = c
    match q:
        case 1: r = a
        case None: return
    r.m()
def guarded(q, a: A, c: C):
    r = c
    match q:
        case x if x: r = a
    r.m()
",
        "a.py:12 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:18 m -> a.py:A.m@2, a.py:C.m@6 [typed]
a.py:23 m -> a.py:A.m@2, a.py:C.m@6 [typed]",
    );
}

#[test]
fn what_a_branch_binds_in_an_earlier_run_reaches_the_other_branches() {
    check_functions(
        "def branches(q, a: A, b: B):
    r = a
    for x in q:
        if x == 0: r = b
        elif x == 1: r.m()
        else: r.m()
        r.m()
    r.m()
def unbound(q, a: A, b: B):
    while q:
        if q == 1: r = a
        elif q == 2: r = b
        else: r.m()
def nested(q, a: A, b: B, c: C):
    r = a
    for x in q:
        for y in x:
            if y: r = b
            else: r.m()
        if x: r = c
        else: r.m()
        r.m()
def guarded(q, a: A, b: B, c: C):
    r = a
    while True:
        try:
            if q: r = b
            else: r.m()
        except ValueError:
            r.m()
        else:
            r = c
        finally:
            r.m()
        if q: continue
        elif q == 2: break
        r.m()
    r.m()
def matched(q, a: A, b: B):
    r = a
    for x in q:
        match x:
            case 1: r = b
            case 2: r.m()
def checked(q, a: A, b: B):
    r = a
    for x in q:
        if isinstance(r, C): pass
        r.m()
        r = b
def functions(q):
    def f(): pass
    for x in q:
        if x:
            def f(): return 1
        else: f()
def given_first(q: list[A], b: B):
    for x in q:
        if x: x = b
        else: x.m()
def straight(q, a: A, b: B):
    r = a
    for x in q:
        r = b
        if x: r = a
        else: r.m()
",
        "a.py:11 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:12 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:13 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:14 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:19 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:25 m -> a.py:A.m@2, a.py:B.m@4, a.py:C.m@6 [typed]
a.py:27 m -> a.py:A.m@2, a.py:B.m@4, a.py:C.m@6 [typed]
a.py:28 m -> a.py:A.m@2, a.py:B.m@4, a.py:C.m@6 [typed]
a.py:34 m -> a.py:A.m@2, a.py:B.m@4, a.py:C.m@6 [typed]
a.py:36 m -> a.py:A.m@2, a.py:B.m@4, a.py:C.m@6 [typed]
a.py:40 m -> a.py:A.m@2, a.py:B.m@4, a.py:C.m@6 [typed]
a.py:43 m -> a.py:A.m@2, a.py:B.m@4, a.py:C.m@6 [typed]
a.py:44 m -> a.py:A.m@2, a.py:B.m@4, a.py:C.m@6 [typed]
a.py:50 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:54 isinstance -> ext builtins.isinstance
a.py:55 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:62 f -> a.py:functions.f@58 def f(), a.py:functions.f@61 def f() [typed]
a.py:66 m -> a.py:A.m@2 [typed]
a.py:72 m -> a.py:B.m@4 [typed]",
    );
}

#[test]
fn what_an_earlier_run_of_a_loop_of_the_module_bound_counts() {
    check_functions(
        "r = A()
for x in range(3):
    if x == 1: r = B()
    else: r.m()
import os
while os.x:
    if os.y:
        def f(): return C()
    elif os.z:
        def f(): return A()
    else: f().m()
",
        "a.py:7 A -> a.py:A@1 [scoped]
a.py:8 range -> ext builtins.range
a.py:9 B -> a.py:B@3 [scoped]
a.py:10 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:14 C -> a.py:C@5 [scoped]
a.py:16 A -> a.py:A@1 [scoped]
a.py:17 f -> a.py:f@14 def f(), a.py:f@16 def f() [typed]
a.py:17 m -> a.py:A.m@2, a.py:C.m@6 [typed]",
    );
}

#[test]
fn a_list_has_what_is_added_to_it() {
    check_functions(
        "def f(a: A, b: B, c: C, more: list[C]):
    r = [a]
    r.append(b)
    for x in r: x.m()
    s = [a]
    s.extend(more)
    s[0].m()
    t = [a, a, a, a, b]
    for x in t: x.m()
    u = [a]
    for x in u: x.m()
class D:
    def __init__(self, a: A):
        self.held = [a]
    def add(self, b: B):
        self.held.insert(0, b)
    def all(self):
        for x in self.held: x.m()
",
        "a.py:9 append -> ext builtins.list.append
a.py:10 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:12 extend -> ext builtins.list.extend
a.py:13 m -> a.py:A.m@2, a.py:C.m@6 [typed]
a.py:15 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:17 m -> a.py:A.m@2 [typed]
a.py:22 insert -> ext builtins.list.insert
a.py:24 m -> a.py:A.m@2, a.py:B.m@4 [typed]",
    );
}

#[test]
fn a_field_has_what_is_assigned_to_it_outside_of_its_class() {
    check_functions(
        "class D:
    def __init__(self, a: A):
        self.held = a
        self.kept = a
    def all(self):
        self.held.m()
        self.kept.m()
def f(a: A, b: B):
    d = D(a)
    d.held = b
    d.held.m()
",
        "a.py:12 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:13 m -> a.py:A.m@2 [typed]
a.py:15 D -> a.py:D.__init__@8 [scoped]
a.py:17 m -> a.py:A.m@2, a.py:B.m@4 [typed]",
    );
}
