//! Linking of Python fixtures.

use crate::fixture::check;

#[test]
fn modules_are_found_by_every_form_of_import() {
    check(
        "//- setup.cfg
[options]
package_dir =
  = src
//- src/pkg/__init__.py
from .core import run as start
from .names import *
from . import deep
//- src/pkg/core.py
def run(): pass
//- src/pkg/names.py
__all__ = ['shown']
def shown(): pass
def hidden(): pass
//- src/pkg/deep/__init__.py
//- src/pkg/deep/leaf.py
from ..core import run
from ... import nothing
def leaf():
    run()
    nothing()
//- src/space/tool.py
def tool(): pass
//- tests/helper.py
def help_out(): pass
//- tests/test_all.py
import pkg
import pkg.deep.leaf
import pkg.core as c
import space.tool
from helper import help_out
from pkg import start, shown, hidden
def test_all():
    pkg.start()
    pkg.deep.leaf.leaf()
    c.run()
    space.tool.tool()
    help_out()
    start()
    shown()
    hidden()
    import requests.api
    requests.api.get()
    len([])
    missing()
",
        "src/pkg/deep/leaf.py:4 run -> src/pkg/core.py:run@1 [scoped]
src/pkg/deep/leaf.py:5 nothing -> ? unresolved import
tests/test_all.py:8 start -> src/pkg/core.py:run@1 [scoped]
tests/test_all.py:9 leaf -> src/pkg/deep/leaf.py:leaf@3 [scoped]
tests/test_all.py:10 run -> src/pkg/core.py:run@1 [scoped]
tests/test_all.py:11 tool -> src/space/tool.py:tool@1 [scoped]
tests/test_all.py:12 help_out -> tests/helper.py:help_out@1 [scoped]
tests/test_all.py:13 start -> src/pkg/core.py:run@1 [scoped]
tests/test_all.py:14 shown -> src/pkg/names.py:shown@2 [scoped]
tests/test_all.py:15 hidden -> ? unresolved import
tests/test_all.py:17 get -> ext requests.api.get
tests/test_all.py:18 len -> ext builtins.len
tests/test_all.py:19 missing -> ? unknown name",
    );
}

#[test]
fn star_imports_in_a_circle_end() {
    check(
        "//- a.py
from b import *
def one(): two()
//- b.py
from a import *
def two():
    one()
    nowhere()
",
        "a.py:2 two -> b.py:two@2 [scoped]
b.py:3 one -> a.py:one@2 [scoped]
b.py:4 nowhere -> ? unknown name",
    );
}

#[test]
fn the_module_wins_over_its_stub() {
    check(
        "//- a.py
def f(): pass
//- a.pyi
def f() -> int: ...
def only_typed() -> int: ...
//- b.py
import a
a.f()
a.only_typed()
",
        "b.py:2 f -> a.py:f@1 [scoped]
b.py:3 only_typed -> a.pyi:only_typed@2 [scoped]",
    );
}

#[test]
fn classes_have_constructors_ancestors_and_a_method_order() {
    check(
        "//- m.py
class Top:
    def __init__(self): self.who()
    def who(self): pass
class Left(Top):
    def who(self): super().who()
class Right(Top):
    def who(self): pass
    @classmethod
    def make(cls): return cls()
class Both(Left, Right):
    def go(self):
        self.who()
        super().who()
class Error(Exception): pass
def use():
    b = Both()
    b.go()
    Both.make().go()
    raise Error()
",
        "m.py:2 who -> m.py:Top.who@3 [typed]
m.py:5 super -> ext builtins.super
m.py:5 who -> m.py:Top.who@3 [typed]
m.py:8 classmethod -> ext builtins.classmethod
m.py:9 cls -> m.py:Top.__init__@2 [typed]
m.py:12 who -> m.py:Left.who@5 [typed]
m.py:13 super -> ext builtins.super
m.py:13 who -> m.py:Left.who@5 [typed]
m.py:16 Both -> m.py:Top.__init__@2 [scoped]
m.py:17 go -> m.py:Both.go@11 [typed]
m.py:18 make -> m.py:Right.make@9 [scoped]
m.py:18 go -> m.py:Both.go@11 [typed]
m.py:19 Error -> m.py:Error@14 [scoped]",
    );
}

#[test]
fn attributes_take_their_types_from_assignments_and_annotations() {
    check(
        "//- m.py
from dataclasses import dataclass, field
class Engine:
    def start(self): return self
    def stop(self): pass
@dataclass
class Car:
    engine: Engine
    spares: 'list[Engine]' = field(default_factory=list)
class Garage:
    shared = Engine()
    def __init__(self, engine: Engine, other=None):
        self.engine = engine
        self.car = Car(engine)
        self.late = None
    def open(self):
        self.late = Engine()
    @property
    def main(self): return self.car.engine
    def run(self, f):
        self.engine.start().stop()
        self.car.engine.stop()
        self.late.stop()
        self.shared.stop()
        self.main.stop()
        for spare in self.car.spares: spare.stop()
        self.unknown.stop()
        f()
",
        "m.py:5 dataclass -> ext dataclasses.dataclass
m.py:8 field -> ext dataclasses.field
m.py:10 Engine -> m.py:Engine@2 [scoped]
m.py:13 Car -> m.py:Car@6 [scoped]
m.py:16 Engine -> m.py:Engine@2 [scoped]
m.py:17 property -> ext builtins.property
m.py:20 start -> m.py:Engine.start@3 [typed]
m.py:20 stop -> m.py:Engine.stop@4 [typed]
m.py:21 stop -> m.py:Engine.stop@4 [typed]
m.py:22 stop -> m.py:Engine.stop@4 [typed]
m.py:23 stop -> m.py:Engine.stop@4 [typed]
m.py:24 stop -> m.py:Engine.stop@4 [typed]
m.py:25 stop -> m.py:Engine.stop@4 [typed]
m.py:26 stop -> ? unknown receiver type
m.py:27 f -> ? dynamic call",
    );
}

#[test]
fn containers_generics_and_context_managers_pass_types_on() {
    check(
        "//- m.py
from __future__ import annotations
import contextlib
from typing import Generic, Iterator, Optional, TypeVar
T = TypeVar('T')
class Item:
    def use(self) -> str: ...
class Box(Generic[T]):
    def __init__(self, item: T): self.item = item
    def get(self) -> T: return self.item
class ItemBox(Box[Item]): pass
def first(items: list[T]) -> T: ...
@contextlib.contextmanager
def opened() -> Iterator[Item]: yield Item()
class Lock:
    def __enter__(self): return self
    def held(self): pass
async def fetch() -> Item: ...
async def use(box: Box[Item], sub: ItemBox, table: dict[str, Item], maybe: Optional[Item]):
    box.get().use()
    sub.get().use()
    Box(Item()).get().use()
    first([Item()]).use()
    for key, item in table.items(): item.use()
    [x.use() for x in table.values()]
    maybe.use().upper()
    with opened() as o, Lock() as l:
        o.use()
        l.held()
    (await fetch()).use()
    sorted(table.values(), key=lambda i: i.use())
    n, (a, b) = 1, (Item(), 2)
    a.use()
",
        "m.py:4 TypeVar -> ext typing.TypeVar
m.py:12 contextmanager -> ext contextlib.contextmanager
m.py:13 Item -> m.py:Item@5 [scoped]
m.py:19 get -> m.py:Box.get@9 [typed]
m.py:19 use -> m.py:Item.use@6 [typed]
m.py:20 get -> m.py:Box.get@9 [typed]
m.py:20 use -> m.py:Item.use@6 [typed]
m.py:21 Box -> m.py:Box.__init__@8 [scoped]
m.py:21 Item -> m.py:Item@5 [scoped]
m.py:21 get -> m.py:Box.get@9 [typed]
m.py:21 use -> m.py:Item.use@6 [typed]
m.py:22 first -> m.py:first@11 [scoped]
m.py:22 Item -> m.py:Item@5 [scoped]
m.py:22 use -> m.py:Item.use@6 [typed]
m.py:23 items -> ext builtins.dict.items
m.py:23 use -> m.py:Item.use@6 [typed]
m.py:24 use -> m.py:Item.use@6 [typed]
m.py:24 values -> ext builtins.dict.values
m.py:25 use -> m.py:Item.use@6 [typed]
m.py:25 upper -> ext builtins.str.upper
m.py:26 opened -> m.py:opened@13 [scoped]
m.py:26 Lock -> m.py:Lock@14 [scoped]
m.py:27 use -> m.py:Item.use@6 [typed]
m.py:28 held -> m.py:Lock.held@16 [typed]
m.py:29 fetch -> m.py:fetch@17 [scoped]
m.py:29 use -> m.py:Item.use@6 [typed]
m.py:30 sorted -> ext builtins.sorted
m.py:30 values -> ext builtins.dict.values
m.py:30 use -> m.py:Item.use@6 [typed]
m.py:31 Item -> m.py:Item@5 [scoped]
m.py:32 use -> m.py:Item.use@6 [typed]",
    );
}

#[test]
fn names_mean_what_was_bound_last() {
    check(
        "//- m.py
import sys
class A:
    def f(self): pass
class B:
    def f(self): pass
def pick(x, flag):
    v = A()
    v.f()
    if flag:
        v = B()
    v.f()
    if isinstance(x, A):
        x.f()
    else:
        x.f()
def again(): pass
def again(): pass
def use():
    again()
    alias()
    handler()
    shadowed = A
    shadowed()
alias = again
try:
    from fast import handler
except ImportError:
    def handler(): pass
def shadowed(): pass
class C:
    def again(self): again()
    table = again
",
        "m.py:7 A -> m.py:A@2 [scoped]
m.py:8 f -> m.py:A.f@3 [typed]
m.py:10 B -> m.py:B@4 [scoped]
m.py:11 f -> m.py:A.f@3, m.py:B.f@5 [typed]
m.py:12 isinstance -> ext builtins.isinstance
m.py:13 f -> m.py:A.f@3 [typed]
m.py:15 f -> ? unknown receiver type
m.py:19 again -> m.py:again@17 def again() [scoped]
m.py:20 alias -> m.py:again@17 def again() [scoped]
m.py:21 handler -> m.py:handler@28 [scoped]
m.py:23 shadowed -> m.py:A@2 [typed]
m.py:31 again -> m.py:again@17 def again() [scoped]",
    );
}

#[test]
fn decorators_are_called_and_leave_the_function_what_it_is() {
    check(
        "//- m.py
import functools
def plain(f): return f
def made(n):
    def inner(f):
        @functools.wraps(f)
        def wrapper(*args): return f(*args)
        return wrapper
    return inner
@plain
@made(1)
def target(): pass
class K:
    @staticmethod
    def s(): pass
    @functools.lru_cache
    def m(self): self.s()
    def __call__(self): self.m()
target()
K()()
part = functools.partial(target, 1)
",
        "m.py:5 wraps -> ext functools.wraps
m.py:6 f -> ? dynamic call
m.py:9 plain -> m.py:plain@2 [scoped]
m.py:10 made -> m.py:made@3 [scoped]
m.py:13 staticmethod -> ext builtins.staticmethod
m.py:15 lru_cache -> ext functools.lru_cache
m.py:16 s -> m.py:K.s@14 [typed]
m.py:17 m -> m.py:K.m@16 [typed]
m.py:18 target -> m.py:target@11 [scoped]
m.py:19 K -> m.py:K@12 [scoped]
m.py:19 K -> m.py:K.__call__@17 [typed]
m.py:20 partial -> ext functools.partial",
    );
}

#[test]
fn ancestors_in_a_circle_end() {
    let mut fixture = String::from("//- m.py\n");
    for i in 0..30 {
        let (a, b) = ((i + 1) % 30, (i + 2) % 30);
        fixture += &format!("class C{i}(C{a}, C{b}): pass\n");
    }
    fixture += "class Own(C0):\n    def f(self): self.g(); self.f()\n";
    check(
        &fixture,
        "m.py:32 g -> ? too complex
m.py:32 f -> m.py:Own.f@32 [typed]",
    );
}

#[test]
fn a_method_of_unknown_receiver_is_told_by_a_name_of_its_own_that_imports_reach() {
    check(
        "//- engine.py
class Engine:
    def ignite_all(self): pass
    def close(self): pass
    def twice(self): pass
class Other:
    def twice(self): pass
//- far.py
def far(x): x.ignite_all()
//- near.py
import engine
def near(x):
    x.ignite_all()
    x.close()
    x.twice()
//- tests/conftest.py
import engine
//- tests/test_it.py
def test_it(thing): thing.ignite_all()
",
        "far.py:1 ignite_all -> ? unknown receiver type
near.py:3 ignite_all -> engine.py:Engine.ignite_all@2 [named]
near.py:4 close -> ? unknown receiver type
near.py:5 twice -> ? unknown receiver type
tests/test_it.py:1 ignite_all -> engine.py:Engine.ignite_all@2 [named]",
    );
}

#[test]
fn a_call_of_a_parameter_leads_to_what_callers_pass() {
    check(
        r#"
//- lib.py
def apply(f, *args, last=None):
    g = f
    g(args)
    last()
def twice(h): apply(h)
def typed(f: int): f()
def untold(f): f()
class Box:
    def __init__(self, make): self.made = make()
    def each(self, visit): visit(self)
    def hand(self, to, what): to(what)
def decorator(f):
    def inner(): return f()
    return inner
def factory(name):
    def inner(f): return f(name)
    return inner
//- use.py
from lib import *
import lib
def one(x): pass
def two(): pass
class Made: pass
@decorator
def three(): pass
@factory("n")
def four(name): pass
apply(one, last=two)
lib.twice(two)
typed(one)
untold(1)
box = Box(Made)
box.each(one)
box.hand(box.each, two)
apply(*[one])
"#,
        "
lib.py:3 g -> use.py:one@3, use.py:two@4 [typed]
lib.py:4 last -> use.py:two@4 [typed]
lib.py:5 apply -> lib.py:apply@1 [scoped]
lib.py:6 f -> ext builtins.int
lib.py:7 f -> ? dynamic call
lib.py:9 make -> use.py:Made@5 [typed]
lib.py:10 visit -> use.py:one@3, use.py:two@4 [typed]
lib.py:11 to -> lib.py:Box.each@10 [typed]
lib.py:13 f -> use.py:three@7 [typed]
lib.py:16 f -> ? dynamic call
use.py:6 decorator -> lib.py:decorator@12 [scoped]
use.py:8 factory -> lib.py:factory@15 [scoped]
use.py:10 apply -> lib.py:apply@1 [scoped]
use.py:11 twice -> lib.py:twice@5 [scoped]
use.py:12 typed -> lib.py:typed@6 [scoped]
use.py:13 untold -> lib.py:untold@7 [scoped]
use.py:14 Box -> lib.py:Box.__init__@9 [scoped]
use.py:15 each -> lib.py:Box.each@10 [typed]
use.py:16 hand -> lib.py:Box.hand@11 [typed]
use.py:17 apply -> lib.py:apply@1 [scoped]
",
    );
}

#[test]
fn imported_type_variables_and_overloads_say_what_a_call_gives() {
    check(
        "//- app/kinds.py
from typing import TypeVar
class Widget:
    def show(self): pass
W = TypeVar('W', bound=Widget)
T = TypeVar('T')
//- app/dom.py
from __future__ import annotations
from typing import Generic, Iterator, overload
from .kinds import T, W, Widget
class Query(Generic[W]):
    def first(self) -> W: ...
    def __iter__(self) -> Iterator[W]: ...
class Node:
    @overload
    def one(self, selector: str) -> Widget: ...
    @overload
    def one(self, selector: type[W]) -> W: ...
    @overload
    def one(self, selector: str, expected: type[W]) -> W: ...
    def one(self, selector, expected=None) -> W | Widget: ...
    def query(self, selector: type[W]) -> Query[W]: ...
    def same(self, value: T) -> T: ...
    def any(self, cls: type[W]) -> None:
        cls().show()
//- app/use.py
from .dom import Node
from .kinds import Widget
class Table(Widget):
    def add(self): pass
def use(node: Node):
    node.one(Table).add()
    node.one('#t', Table).add()
    node.one('#t').show()
    node.one('#t').add()
    node.query(Table).first().add()
    for t in node.query(Table): t.add()
    node.same(Table()).add()
",
        "app/dom.py:8 overload -> ext typing.overload
app/dom.py:10 overload -> ext typing.overload
app/dom.py:12 overload -> ext typing.overload
app/dom.py:18 cls -> ? dynamic call
app/dom.py:18 show -> app/kinds.py:Widget.show@3 [typed]
app/kinds.py:4 TypeVar -> ext typing.TypeVar
app/kinds.py:5 TypeVar -> ext typing.TypeVar
app/use.py:6 one -> app/dom.py:Node.one@14 def one(self, selector, expected=None) -> W | Widget [typed]
app/use.py:6 add -> app/use.py:Table.add@4 [typed]
app/use.py:7 one -> app/dom.py:Node.one@14 def one(self, selector, expected=None) -> W | Widget [typed]
app/use.py:7 add -> app/use.py:Table.add@4 [typed]
app/use.py:8 one -> app/dom.py:Node.one@14 def one(self, selector, expected=None) -> W | Widget [typed]
app/use.py:8 show -> app/kinds.py:Widget.show@3 [typed]
app/use.py:9 one -> app/dom.py:Node.one@14 def one(self, selector, expected=None) -> W | Widget [typed]
app/use.py:9 add -> ? no such member
app/use.py:10 query -> app/dom.py:Node.query@15 [typed]
app/use.py:10 first -> app/dom.py:Query.first@5 [typed]
app/use.py:10 add -> app/use.py:Table.add@4 [typed]
app/use.py:11 query -> app/dom.py:Node.query@15 [typed]
app/use.py:11 add -> app/use.py:Table.add@4 [typed]
app/use.py:12 same -> app/dom.py:Node.same@16 [typed]
app/use.py:12 Table -> app/use.py:Table@3 [scoped]
app/use.py:12 add -> app/use.py:Table.add@4 [typed]
",
    );
}

#[test]
fn a_class_that_is_called_as_one_of_typing_is_that_class() {
    check(
        "//- a.py
import typing
from typing import overload
class Text:
    def wrap(self): return self
class Reader:
    @overload
    def read(self) -> Text: ...
    @overload
    def read(self, size: int) -> int: ...
    def read(self, size=None):
        return size
def f(r: Reader, t: typing.Text):
    r.read().wrap()
    r.read(1).wrap()
    t.wrap()
",
        "a.py:6 overload -> ext typing.overload
a.py:8 overload -> ext typing.overload
a.py:13 read -> a.py:Reader.read@10 def read(self, size=None) [typed]
a.py:13 wrap -> a.py:Text.wrap@4 [typed]
a.py:14 read -> a.py:Reader.read@10 def read(self, size=None) [typed]
a.py:14 wrap -> ext builtins.int.wrap
a.py:15 wrap -> ext builtins.str.wrap
",
    );
}

#[test]
fn two_underscores_make_a_name_the_class_s_own() {
    check(
        "//- a.py
class A:
    def __init__(self): self.__x = Part()
    def __p(self): pass
    def own(self):
        self.__p()
        self.__x.go()
        def inner(): self.__p()
        A.__p(self)
class Part:
    def go(self): pass
class Sub(A):
    def run(self):
        self.__p()
        self._A__p()
        self.__init__()
class _Low(A):
    def __q(self): pass
    def run(self, other: 'Deep'):
        self.__q()
        other.__q()
class Deep(_Low):
    def __q(self): pass
",
        "a.py:2 Part -> a.py:Part@9 [scoped]
a.py:5 _A__p -> a.py:A.__p@3 [typed]
a.py:6 go -> a.py:Part.go@10 [typed]
a.py:7 _A__p -> a.py:A.__p@3 [typed]
a.py:8 _A__p -> a.py:A.__p@3 [scoped]
a.py:13 _Sub__p -> ? no such member
a.py:14 _A__p -> a.py:A.__p@3 [typed]
a.py:15 __init__ -> a.py:A.__init__@2 [typed]
a.py:19 _Low__q -> a.py:_Low.__q@17 [typed]
a.py:20 _Low__q -> a.py:_Low.__q@17 [typed]",
    );
}

#[test]
fn a_body_that_was_interrupted_may_have_assigned() {
    check(
        r##"//- a.py
class A:
    def m(self): pass
class B:
    def m(self): pass
def f():
    x = A()
    try:
        x = B()
    except ValueError:
        x.m()
    except OSError:
        x = A()
    except KeyError:
        x.m()
    else:
        x.m()
    finally:
        x.m()
    x.m()
def g(c):
    x = A()
    if c == 1:
        x = B()
    elif c == 2:
        x.m()
    elif c == 3:
        x = B()
    else:
        x.m()
"##,
        "a.py:6 A -> a.py:A@1 [scoped]
a.py:8 B -> a.py:B@3 [scoped]
a.py:10 m -> a.py:A.m@2 [typed]
a.py:12 A -> a.py:A@1 [scoped]
a.py:14 m -> a.py:A.m@2 [typed]
a.py:16 m -> a.py:B.m@4 [typed]
a.py:18 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:19 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:21 A -> a.py:A@1 [scoped]
a.py:23 B -> a.py:B@3 [scoped]
a.py:25 m -> a.py:A.m@2 [typed]
a.py:27 B -> a.py:B@3 [scoped]
a.py:29 m -> a.py:A.m@2 [typed]",
    );
}

#[test]
fn what_a_nested_function_assigns_is_seen_around_it() {
    check(
        r##"//- a.py
class A:
    def m(self): pass
class B:
    def m(self): pass
def f():
    x = A()
    def g():
        nonlocal x
        x = B()
    g()
    x.m()
def h():
    x = None
    def g():
        nonlocal x
        x = B()
    g()
    x.m()
def typed():
    x: A | None = None
    def g():
        def deep():
            nonlocal x
            x = B()
        deep()
    x.m()
    g()
    x.m()
def below():
    def g():
        nonlocal x
        x = B()
    x = A()
    g()
    x.m()
def below_none():
    def g():
        def deep():
            nonlocal x
            x = B()
        deep()
    x = None
    g()
    x.m()
"##,
        "a.py:6 A -> a.py:A@1 [scoped]
a.py:9 B -> a.py:B@3 [scoped]
a.py:10 g -> a.py:f.g@7 [scoped]
a.py:11 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:16 B -> a.py:B@3 [scoped]
a.py:17 g -> a.py:h.g@14 [scoped]
a.py:18 m -> a.py:B.m@4 [typed]
a.py:24 B -> a.py:B@3 [scoped]
a.py:25 deep -> a.py:typed.g.deep@22 [scoped]
a.py:26 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:27 g -> a.py:typed.g@21 [scoped]
a.py:28 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:32 B -> a.py:B@3 [scoped]
a.py:33 A -> a.py:A@1 [scoped]
a.py:34 g -> a.py:below.g@30 [scoped]
a.py:35 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:40 B -> a.py:B@3 [scoped]
a.py:41 deep -> a.py:below_none.g.deep@38 [scoped]
a.py:43 g -> a.py:below_none.g@37 [scoped]
a.py:44 m -> a.py:B.m@4 [typed]",
    );
}

#[test]
fn a_dictionary_holds_what_is_put_into_it_later() {
    check(
        r##"//- a.py
class A:
    def m(self): pass
class B:
    def m(self): pass
top = {"x": A()}
top["y"] = B()
top["x"].m()
empty = {}
def fill():
    empty[1] = A()
def read():
    empty[2].m()
def f():
    t = {"x": A()}
    kept = {"x": A()}
    t["x"] = B()
    t["x"].m()
    kept["x"].m()
class C:
    def __init__(self):
        self.parts = {"x": A()}
    def add(self, name):
        self.parts[name] = B()
    def run(self):
        self.parts["x"].m()
"##,
        "a.py:5 A -> a.py:A@1 [scoped]
a.py:6 B -> a.py:B@3 [scoped]
a.py:7 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:10 A -> a.py:A@1 [scoped]
a.py:12 m -> a.py:A.m@2 [typed]
a.py:14 A -> a.py:A@1 [scoped]
a.py:15 A -> a.py:A@1 [scoped]
a.py:16 B -> a.py:B@3 [scoped]
a.py:17 m -> a.py:A.m@2, a.py:B.m@4 [typed]
a.py:18 m -> a.py:A.m@2 [typed]
a.py:21 A -> a.py:A@1 [scoped]
a.py:23 B -> a.py:B@3 [scoped]
a.py:25 m -> a.py:A.m@2, a.py:B.m@4 [typed]",
    );
}

#[test]
fn an_operator_gives_what_its_method_gives() {
    check(
        "//- a.py
class Delta:
    def show(self): pass
class Point:
    def show(self): pass
    def __sub__(self, other) -> 'Delta': return Delta()
class Vec:
    def show(self): pass
    def __add__(self, other) -> 'Vec': return Vec()
    def __mul__(self, other) -> 'Delta': return Delta()
class Sum:
    def show(self): pass
    def __add__(self, other): return self
    def __rmul__(self, other) -> 'Delta': return Delta()
    def __neg__(self): return self
def f(p: Point, v: Vec, s: Sum):
    (p - p).show()
    (v + v).show()
    (s + s).show()
    (-s).show()
    (2 * s).show()
",
        "a.py:5 Delta -> a.py:Delta@1 [scoped]
a.py:8 Vec -> a.py:Vec@6 [scoped]
a.py:9 Delta -> a.py:Delta@1 [scoped]
a.py:13 Delta -> a.py:Delta@1 [scoped]
a.py:16 show -> a.py:Delta.show@2 [typed]
a.py:17 show -> a.py:Delta.show@2, a.py:Vec.show@7 [typed]
a.py:18 show -> a.py:Sum.show@11 [typed]
a.py:19 show -> a.py:Sum.show@11 [typed]
a.py:20 show -> a.py:Delta.show@2 [typed]
",
    );
}
