//! Linking of Python where stubs, decorators and `__getattr__` determine the result of a call.

use crate::fixture::check;

#[test]
fn stubs_in_a_folder_of_their_own_say_what_functions_give() {
    check(
        "//- setup.py
//- query.py
class Query:
    def where(self, *args):
        return build(self, args)
    def run(self):
        pass
def start(name):
    return registry[name]()
//- query-stubs/__init__.pyi
from typing import Self
class Query:
    def where(self, *args) -> Self: ...
    def run(self) -> int: ...
def start(name: str) -> Query: ...
//- typings/tool.pyi
from query import Query
def make() -> Query: ...
//- tool.py
def make():
    return thing()
//- use.py
from query import start
from tool import make
start('a').where(1).run()
make().where(2)
",
        "query.py:3 build -> ? unknown name
query.py:7 (…) -> ? dynamic call
tool.py:2 thing -> ? unknown name
use.py:3 start -> query.py:start@6 [scoped]
use.py:3 where -> query.py:Query.where@2 [typed]
use.py:3 run -> query.py:Query.run@4 [typed]
use.py:4 make -> tool.py:make@1 [scoped]
use.py:4 where -> query.py:Query.where@2 [typed]",
    );
}

#[test]
fn a_decorator_that_gives_an_inner_function_says_what_is_given() {
    check(
        "//- query.py
def copying(method):
    def inner(self, *args):
        clone = Query()
        method(clone, *args)
        return clone
    return inner
def chained(method):
    def inner(self, *args):
        method(self, *args)
        return self
    return inner
def handing_on(method):
    def inner(self, *args):
        result = method(self, *args)
        return result
    return inner
class Query:
    @copying
    def where(self, *args):
        self.args = args
    @chained
    def limit(self, n):
        self.n = n
    @handing_on
    def first(self):
        return Row()
class Row:
    def show(self): pass
class Select(Query):
    def own(self): pass
Query().where(1).limit(2).where(3)
Select().limit(1).own()
Query().first().show()
",
        "query.py:3 Query -> query.py:Query@17 [scoped]
query.py:4 method -> query.py:Query.where@19 [typed]
query.py:9 method -> query.py:Query.limit@22 [typed]
query.py:14 method -> query.py:Query.first@25 [typed]
query.py:18 copying -> query.py:copying@1 [scoped]
query.py:21 chained -> query.py:chained@7 [scoped]
query.py:24 handing_on -> query.py:handing_on@12 [scoped]
query.py:26 Row -> query.py:Row@27 [scoped]
query.py:31 Query -> query.py:Query@17 [scoped]
query.py:31 where -> query.py:Query.where@19 [typed]
query.py:31 limit -> query.py:Query.limit@22 [typed]
query.py:31 where -> query.py:Query.where@19 [typed]
query.py:32 Select -> query.py:Select@29 [scoped]
query.py:32 limit -> query.py:Query.limit@22 [typed]
query.py:32 own -> query.py:Select.own@30 [typed]
query.py:33 Query -> query.py:Query@17 [scoped]
query.py:33 first -> query.py:Query.first@25 [typed]
query.py:33 show -> query.py:Row.show@28 [typed]",
    );
}

#[test]
fn what_getattr_gives_is_the_value_of_other_names() {
    check(
        "//- fn.py
class Call:
    def alias(self, name): pass
class Names:
    def known(self): pass
    def __getattr__(self, name):
        def make(*args):
            return Call()
        return make
fn = Names()
fn.SUM(1).alias('a')
fn.known()
",
        "fn.py:7 Call -> fn.py:Call@1 [scoped]
fn.py:9 Names -> fn.py:Names@3 [scoped]
fn.py:10 SUM -> fn.py:Names.__getattr__.make@6 [typed]
fn.py:10 alias -> fn.py:Call.alias@2 [typed]
fn.py:11 known -> fn.py:Names.known@4 [typed]",
    );
}
