//! Facts of Python sources.

use crate::extract;
use crate::fixture::lookup::lookup;
use base::{Language, SymbolKind, Visibility};
use syntax::FileFacts;
use syntax::facts::*;

fn read(source: &str) -> FileFacts {
    extract(Language::Python, source)
}

fn find(facts: &FileFacts, qualified: &str) -> DefId {
    let found: Vec<DefId> = defs(facts)
        .filter(|d| facts.qualified_name(*d) == qualified)
        .collect();
    assert!(!found.is_empty(), "no {qualified}");
    found[0]
}

fn defs(facts: &FileFacts) -> impl Iterator<Item = DefId> {
    (0..facts.defs.len() as u32).map(DefId)
}

fn def<'f>(facts: &'f FileFacts, qualified: &str) -> &'f Def {
    facts.def(find(facts, qualified))
}

/// Expressions in a short notation.
fn show(f: &FileFacts, id: ExprId) -> String {
    let all = |ids: &[ExprId]| {
        ids.iter()
            .map(|e| show(f, *e))
            .collect::<Vec<_>>()
            .join(", ")
    };
    match f.expr(id) {
        Expr::Name { name, .. } => f.name(*name).to_owned(),
        Expr::Member { object, name } => format!("{}.{}", show(f, *object), f.name(*name)),
        Expr::Call { callee, args, .. } => format!("{}({})", show(f, *callee), all(args)),
        Expr::Keyword(name, value) => format!("{}={}", f.name(*name), show(f, *value)),
        Expr::Spread(inner) => format!("*{}", show(f, *inner)),
        Expr::Index { object, index } => format!("{}[{}]", show(f, *object), show(f, *index)),
        Expr::Element(inner) => format!("element({})", show(f, *inner)),
        Expr::Part(inner, n) => format!("part({}, {n})", show(f, *inner)),
        Expr::Enter(inner) => format!("enter({})", show(f, *inner)),
        Expr::Await(inner) => format!("await {}", show(f, *inner)),
        Expr::Cast(inner, ty) => format!("{} as {}", show(f, *inner), show_type(f, *ty)),
        Expr::Either(parts) => format!("either({})", all(parts)),
        Expr::Tuple(parts) => format!("tuple({})", all(parts)),
        Expr::List(parts) => format!("list({})", all(parts)),
        Expr::Dict(None) => "dict".to_owned(),
        Expr::Dict(Some((k, v))) => format!("dict({}: {})", show(f, *k), show(f, *v)),
        Expr::Super(class) => format!("super<{}>", f.qualified_name(*class)),
        Expr::Function(def) => format!("fn#{}", f.name(f.def(*def).name)),
        Expr::Literal(p) => format!("{p:?}"),
        Expr::Operation(l, r) => format!("{} op {}", show(f, *l), show(f, *r)),
        Expr::Payload {
            value,
            variant,
            index,
        } => {
            format!(
                "payload({}, {}, {index})",
                show(f, *value),
                show(f, *variant)
            )
        }
        other => format!("{other:?}"),
    }
}

fn show_type(f: &FileFacts, id: TypeId) -> String {
    let all = |ids: &[TypeId]| {
        ids.iter()
            .map(|e| show_type(f, *e))
            .collect::<Vec<_>>()
            .join(", ")
    };
    match f.ty(id) {
        TypeExpr::Named { path, args, .. } => {
            let path: Vec<&str> = path.iter().map(|p| f.name(*p)).collect();
            if args.is_empty() {
                path.join(".")
            } else {
                format!("{}[{}]", path.join("."), all(args))
            }
        }
        TypeExpr::Primitive(p) => format!("{p:?}"),
        TypeExpr::Optional(inner) => format!("{}?", show_type(f, *inner)),
        TypeExpr::Array(inner) => format!("{}[]", show_type(f, *inner)),
        TypeExpr::Union(parts) => format!("({})", all(parts).replace(", ", " | ")),
        TypeExpr::Tuple(parts) => format!("tuple({})", all(parts)),
        TypeExpr::Function { params, ret } => {
            format!(
                "fn({}) -> {}",
                all(params),
                ret.map_or(String::new(), |r| show_type(f, r))
            )
        }
        TypeExpr::SelfType(class) => format!("self<{}>", f.qualified_name(*class)),
        TypeExpr::TypeOf(e) => format!("typeof {}", show(f, *e)),
        other => format!("{other:?}"),
    }
}

fn owner(f: &FileFacts, owner: Option<DefId>) -> String {
    owner.map_or("-".to_owned(), |d| f.qualified_name(d))
}

/// `line:column callee <owner>` of every call.
fn calls(f: &FileFacts) -> Vec<String> {
    f.calls
        .iter()
        .map(|c| {
            let callee = match f.expr(c.expr) {
                Expr::Call { callee, .. } => show(f, *callee),
                _ => format!("@{}", show(f, c.expr)),
            };
            format!("{}:{} {} <{}>", c.line, c.column, callee, owner(f, c.owner))
        })
        .collect()
}

/// The binding of a name at `marker`, in a short notation. `scope` is that of the function `of` (or the straight-line
/// code of the module).
fn bound_at(f: &FileFacts, source: &str, of: Option<&str>, name: &str, marker: &str) -> String {
    let at = source.find(marker).expect("marker") as u32;
    let scope = match of {
        Some(of) => def(f, of).body.expect("body"),
        None => ScopeId(1),
    };
    let id = f.names.iter().position(|n| &**n == name).expect("name");
    let binding = lookup(f, NameId(id as u32), scope, at, Namespace::VALUE, false);
    show_bound(f, binding.map(|b| b.to))
}

fn show_bound(f: &FileFacts, bound: Option<Bound>) -> String {
    match bound {
        None => "nothing".to_owned(),
        Some(Bound::Def(d)) => format!("def {} {}", f.qualified_name(d), f.def(d).name_line),
        Some(Bound::Import(i)) => {
            let import = f.import(i);
            format!("import {} {:?}", f.name(import.module), import.what)
        }
        Some(Bound::Local { ty: Some(ty), .. }) => show_type(f, ty),
        Some(Bound::Local { ty: None, value }) => value.map_or("local".to_owned(), |v| show(f, v)),
        Some(Bound::Param(d, n)) => format!("param {} {n}", f.qualified_name(d)),
        Some(Bound::TypeParam(d, n)) => format!("typeparam {} {n}", f.qualified_name(d)),
        Some(Bound::Either(choice)) => format!("one of {}", f.choice(choice).len()),
    }
}

const CLASSES: &str = r#"
"""Module."""
import abc

LIMIT = 3
_hidden: int = 4
registry = {}


@dataclass(frozen=True)
class Shape(Base[int], abc.ABC, metaclass=Meta):
    """A shape.

    More.
    """
    sides: int = 0
    name: "str | None"

    def __init__(self, owner: Owner, *rest, size=LIMIT, **extra):
        self.owner = owner
        self.parts: list[Part] = []
        self.size = None
        self.sides = 1

    @property
    def area(self) -> float: ...

    @area.setter
    def area(self, value): self.size = value

    @staticmethod
    def make(kind): return Shape(kind)

    @classmethod
    async def load(cls): pass

    @abc.abstractmethod
    def draw(self):
        def inner():
            yield 1
        return inner

    def __private(self): pass

    class Nested:
        pass


square = lambda x: x * x


def test_it():
    local = 1


async def outer(a, /, b, *, c=None):
    class Local:
        def method(self): pass
    return a
"#;

#[test]
fn definitions_have_kinds_places_and_flags() {
    let f = read(CLASSES);
    assert_eq!(f.syntax_errors, 0);
    let rows: Vec<String> = f
        .defs
        .iter()
        .enumerate()
        .map(|(i, d)| {
            let name = f.qualified_name(DefId(i as u32));
            format!(
                "{} {} {}-{}",
                d.kind, name, d.span.start_line, d.span.end_line
            )
        })
        .collect();
    let expected = "constant LIMIT 5-5
variable _hidden 6-6
variable registry 7-7
class Shape 10-46
field Shape.sides 16-16
field Shape.name 17-17
constructor Shape.__init__ 19-23
field Shape.owner 20-20
field Shape.parts 21-21
field Shape.size 22-22
method Shape.area 25-26
method Shape.area 28-29
method Shape.make 31-32
method Shape.load 34-35
method Shape.draw 37-41
function Shape.draw.inner 39-40
method Shape.__private 43-43
class Shape.Nested 45-46
function square 49-49
function test_it 52-53
function outer 56-59
class outer.Local 57-58
method outer.Local.method 58-58";
    assert_eq!(rows.join("\n"), expected);
    let has = |name: &str, flag| def(&f, name).flags.has(flag);
    assert!(has("LIMIT", DefFlags::EXPORTED) && !has("_hidden", DefFlags::EXPORTED));
    assert!(has("Shape.area", DefFlags::GETTER));
    assert!(has("Shape.make", DefFlags::STATIC));
    assert!(has("Shape.load", DefFlags::CLASS_METHOD) && has("Shape.load", DefFlags::ASYNC));
    assert!(has("Shape.draw", DefFlags::ABSTRACT));
    assert!(has("Shape.draw.inner", DefFlags::LOCAL));
    assert!(has("Shape.draw.inner", DefFlags::GENERATOR));
    assert!(has("test_it", DefFlags::TEST) && !has("outer", DefFlags::TEST));
    assert!(has("outer.Local.method", DefFlags::LOCAL));
    assert_eq!(def(&f, "Shape.__private").visibility, Visibility::Private);
    assert_eq!(def(&f, "Shape.__init__").visibility, Visibility::Public);
    assert_eq!(def(&f, "Shape").doc.as_deref(), Some("A shape."));
    assert_eq!(def(&f, "Shape.owner").parent, Some(find(&f, "Shape")));
}

#[test]
fn signatures_run_up_to_the_body() {
    let f = read(CLASSES);
    let text = |name: &str| {
        let (from, to) = def(&f, name).signature;
        &CLASSES[from as usize..to as usize]
    };
    assert_eq!(
        text("Shape"),
        "class Shape(Base[int], abc.ABC, metaclass=Meta)"
    );
    assert_eq!(
        text("Shape.__init__"),
        "def __init__(self, owner: Owner, *rest, size=LIMIT, **extra)"
    );
    assert_eq!(text("Shape.parts"), "self.parts: list[Part] = []");
    let long = format!("TABLE: Table = [{}]\n", "1, ".repeat(100));
    let f = read(&long);
    let (from, to) = def(&f, "TABLE").signature;
    assert_eq!(&long[from as usize..to as usize], "TABLE: Table");
}

#[test]
fn supers_fields_and_parameters_keep_their_types() {
    let f = read(CLASSES);
    let supers: Vec<String> = def(&f, "Shape")
        .supers
        .iter()
        .map(|(ty, _)| show_type(&f, *ty))
        .collect();
    assert_eq!(supers, ["Base[Int]", "abc.ABC"]);
    let ty = |name: &str| def(&f, name).ty.map(|t| show_type(&f, t));
    assert_eq!(ty("Shape.name").as_deref(), Some("String?"));
    assert_eq!(ty("Shape.parts").as_deref(), Some("list[Part]"));
    let value = |name: &str| def(&f, name).value.map(|v| show(&f, v));
    assert_eq!(value("Shape.owner").as_deref(), Some("owner"));
    // `None` gives way to the value that another method assigns.
    assert_eq!(value("Shape.size").as_deref(), Some("value"));
    let params = |name: &str| -> Vec<String> {
        let callable = def(&f, name).callable.as_ref().expect("callable");
        callable
            .params
            .iter()
            .map(|p| format!("{} {:?}", f.name(p.name), p.kind))
            .collect()
    };
    assert_eq!(
        params("Shape.__init__"),
        [
            "self Receiver",
            "owner Plain",
            "rest Variadic",
            "size KeywordOnly",
            "extra Keywords"
        ]
    );
    assert_eq!(params("Shape.make"), ["kind Plain"]);
    assert_eq!(params("Shape.load"), ["cls Receiver"]);
    assert_eq!(params("outer"), ["a Plain", "b Plain", "c KeywordOnly"]);
}

#[test]
fn a_property_keeps_its_name_and_a_field_its_first_place() {
    let f = read(CLASSES);
    let scope = def(&f, "Shape").body.expect("body");
    let area: Vec<String> = f
        .bindings_in_scope(scope)
        .iter()
        .filter(|b| f.name(b.name) == "area")
        .map(|b| show_bound(&f, Some(b.to)))
        .collect();
    assert_eq!(area, ["def Shape.area 26"]);
    // `self.sides = 1` writes to the class's own field.
    let writes: Vec<u32> = f.writes.iter().map(|w| w.line).collect();
    assert_eq!(writes, [23, 29]);
}

#[test]
fn calls_stand_at_the_called_name() {
    let source = "import m
@m.deco
@m.make(1)
def f(x=default()):
    a.b(c()).d(k=g())[0]()
    with open(p()) as h: h.read()
    return f'{show(x)!r:>{width()}}'
class C(base()):
    y = field(default=[z() for z in w()])
    def m(self):
        super().m()
        return (lambda q: q.run())(self)
print('top')
f()()
";
    let f = read(source);
    let expected = "2:3 @m.deco <->
3:3 m.make <->
4:8 default <->
5:8 c <f>
5:6 a.b <f>
5:17 g <f>
5:13 a.b(c()).d <f>
5:21 a.b(c()).d(k=g())[0=Int] <f>
6:14 p <f>
6:9 open <f>
6:27 h.read <f>
7:14 show <f>
7:26 width <f>
8:8 base <->
9:36 w <C>
9:23 z <C>
9:8 field <C>
11:8 super <C.m>
11:16 super<C>.m <C.m>
12:28 q.run <C.m>
12:16 fn#<anonymous> <C.m>
13:0 print <->
14:0 f <->
14:3 f() <->";
    assert_eq!(calls(&f).join("\n"), expected);
}

#[test]
fn functions_bind_their_names_in_order() {
    let source = "x = 1
def f(a, b):
    use_a
    a = A()
    use_b
    for i, (j, k) in b.items():
        use_c
    with a as h: use_d
    first, *rest = b
    use_e
    if (n := len(b)) > 1: use_f
    return [q for q, r in b]
";
    let f = read(source);
    let at = |name: &str, marker: &str| bound_at(&f, source, Some("f"), name, marker);
    assert_eq!(at("a", "use_a"), "param f 0");
    assert_eq!(at("a", "use_b"), "A()");
    assert_eq!(at("i", "use_c"), "part(element(b.items()), 0)");
    assert_eq!(at("k", "use_c"), "part(part(element(b.items()), 1), 1)");
    assert_eq!(at("h", "use_d"), "enter(a)");
    assert_eq!(at("first", "use_e"), "part(b, 0)");
    assert_eq!(at("rest", "use_e"), "list(element(b))");
    assert_eq!(at("n", "use_f"), "len(b)");
    assert_eq!(at("x", "use_a"), "def x 1");
    // The variable of the comprehension is not visible in the function.
    assert_eq!(at("q", "return"), "nothing");
}

#[test]
fn branches_meet() {
    let source = "def f(c):
    x = None
    if c:
        x = A()
        in_if
    elif d:
        in_elif
        x = B()
    else:
        return
    after
    try:
        y = C()
    except Error as e:
        in_except
        y = D()
    after_try
    while c:
        head
        x = x.next()
    done
    def inner():
        nonlocal y
        y = E()
    end
";
    let f = read(source);
    let at = |name: &str, marker: &str| bound_at(&f, source, Some("f"), name, marker);
    assert_eq!(at("x", "in_if"), "A()");
    assert_eq!(at("x", "in_elif"), "Null");
    assert_eq!(at("x", "after"), "either(A(), B())");
    assert_eq!(at("e", "in_except"), "Error");
    assert_eq!(at("y", "after_try"), "either(C(), D())");
    assert_eq!(at("x", "head"), "either(A(), B(), x.next())");
    assert_eq!(at("x", "done"), "either(A(), B(), x.next())");
    assert_eq!(at("y", "end"), "either(C(), D(), E())");
}

#[test]
fn checks_narrow() {
    let source = "def f(x, y, z):
    if isinstance(x, A):
        in_if
    elif isinstance(x, (B, m.C)):
        in_elif
    after_if
    if not isinstance(y, D):
        return None
    after_guard
    assert isinstance(z, E)
    after_assert
    isinstance(x, F) and x.g(in_and)
    after_and
    h(x.h(in_cond) if isinstance(x, H) else 0)
";
    let f = read(source);
    let at = |name: &str, marker: &str| bound_at(&f, source, Some("f"), name, marker);
    assert_eq!(at("x", "in_if"), "A");
    assert_eq!(at("x", "in_elif"), "(B | m.C)");
    assert_eq!(at("x", "after_if"), "param f 0");
    assert_eq!(at("y", "after_guard"), "D");
    assert_eq!(at("z", "after_assert"), "E");
    assert_eq!(at("x", "in_and"), "F");
    assert_eq!(at("x", "after_and"), "param f 0");
    assert_eq!(at("x", "in_cond"), "H");
}

#[test]
fn match_patterns_bind_and_narrow() {
    let source = "def f(s):
    match s:
        case A(x=inner, y=B(z)):
            in_a
        case [first, *others] | (first, others):
            in_list
        case {'k': item} as whole:
            in_dict
        case mod.CONST:
            in_const
        case other:
            in_other
";
    let f = read(source);
    let at = |name: &str, marker: &str| bound_at(&f, source, Some("f"), name, marker);
    assert_eq!(at("s", "in_a"), "A");
    assert_eq!(at("inner", "in_a"), "s as A.x");
    assert_eq!(at("z", "in_a"), "payload(s as A.y, B, 0)");
    assert_eq!(at("first", "in_list"), "part(s, 0)");
    assert_eq!(at("whole", "in_dict"), "s");
    assert_eq!(at("other", "in_other"), "s");
    assert_eq!(at("s", "in_other"), "param f 0");
}

#[test]
fn modules_keep_one_definition_for_each_variable() {
    let source = "import json
try:
    import fast as impl
except ImportError:
    impl = None
handler = first
handler()
handler = second
handler(1)
def set_up():
    global state, handler
    state = State()
    handler = third
state = None
if json:
    def pick(): pass
else:
    def pick(): pass
";
    let f = read(source);
    let at = |name: &str, marker: &str| bound_at(&f, source, None, name, marker);
    assert_eq!(at("handler", "handler()"), "def handler 6");
    assert_eq!(at("handler", "handler(1)"), "second");
    assert_eq!(
        show(&f, def(&f, "handler").value.expect("value")),
        "either(first, second, third)"
    );
    assert_eq!(show(&f, def(&f, "state").value.expect("value")), "State()");
    // A function sees the import, not the fallback.
    let impl_name = f.names.iter().position(|n| &**n == "impl").expect("name");
    let seen = lookup(
        &f,
        NameId(impl_name as u32),
        FILE_SCOPE,
        u32::MAX,
        Namespace::VALUE,
        false,
    );
    assert_eq!(show_bound(&f, seen.map(|b| b.to)), "import fast Module");
    let picks: Vec<bool> = f
        .defs
        .iter()
        .filter(|d| f.name(d.name) == "pick")
        .map(|d| d.flags.has(DefFlags::CONDITIONAL))
        .collect();
    assert_eq!(picks, [true, true]);
    let written: Vec<u32> = f.writes.iter().map(|w| w.line).collect();
    assert_eq!(written, [5, 8, 13]);
    assert_eq!(
        f.defs
            .iter()
            .filter(|d| d.kind == SymbolKind::Variable)
            .count(),
        2
    );
}

#[test]
fn conditions_known_beforehand_choose_a_definition() {
    let source = "import sys
if sys.version_info >= (3, 11) or TYPE_CHECKING:
    from new import thing
    class Result: pass
else:
    def thing(): pass
    class Result: pass
def use():
    here
";
    let f = read(source);
    let at = |name: &str| bound_at(&f, source, Some("use"), name, "here");
    assert!(at("thing").starts_with("import new"));
    assert_eq!(at("Result"), "def Result 4");
}

#[test]
fn imports_of_every_form() {
    let source = "from __future__ import annotations
import a.b.c, d as e
from . import f
from ..g.h import (i, j as k)
from l import *
if TYPE_CHECKING:
    from m import N
def o():
    import p
    importlib.import_module('.q', 'r')
__all__ = ['i', \"k\"] + l.__all__
__all__ += ['f']
__all__.extend(['e'])
";
    let f = read(source);
    let rows: Vec<String> = f
        .imports
        .iter()
        .map(|i| {
            let what = match i.what {
                Imported::Name(name) => format!("Name({})", f.name(name)),
                other => format!("{other:?}"),
            };
            let local = i.local.map_or("-", |l| f.name(l));
            let only = if i.type_only { " types" } else { "" };
            format!("{} {} {what} {local}{only}", i.level, f.name(i.module))
        })
        .collect();
    assert_eq!(
        rows,
        [
            "0 a.b.c Root a",
            "0 a.b.c SideEffect -",
            "0 d Module e",
            "1  Name(f) f",
            "2 g.h Name(i) i",
            "2 g.h Name(j) k",
            "0 l Glob -",
            "0 m Name(N) N types",
            "0 p Module p",
            "1 q Dynamic -",
        ]
    );
    let exports: Vec<&str> = f
        .exports
        .iter()
        .filter_map(|e| e.name.map(|n| f.name(n)))
        .collect();
    assert_eq!(exports, ["i", "k", "f", "e"]);
    assert_eq!(
        bound_at(&f, source, Some("o"), "p", "importlib"),
        "import p Module"
    );
}

#[test]
fn written_types() {
    let cases = [
        ("int", "Int"),
        ("'Foo'", "Foo"),
        ("a.b.Foo[int, 'Bar']", "a.b.Foo[Int, Bar]"),
        ("Optional[Foo]", "Foo?"),
        ("None | Foo", "Foo?"),
        ("typing.Union[Foo, Bar, None]", "(Foo | Bar)?"),
        ("'list[Foo] | Bar'", "(list[Foo] | Bar)"),
        ("Annotated[Foo, Depends(get_db), 'x']", "Foo"),
        ("ClassVar[Dict[str, Foo]]", "Dict[String, Foo]"),
        ("Callable[[Foo, int], Bar]", "fn(Foo, Int) -> Bar"),
        ("Callable[..., Bar]", "fn() -> Bar"),
        ("tuple[Foo, ...]", "Foo[]"),
    ];
    for (text, expected) in cases {
        let f = read(&format!("x: {text} = None\n"));
        let ty = def(&f, "x").ty.map(|t| show_type(&f, t));
        assert_eq!(ty.as_deref(), Some(expected), "{text}");
    }
    let f = read("x: Literal['a, b'] = 'a'\ny: Literal['a'] | Foo = 1\n");
    assert_eq!(def(&f, "x").ty, None);
    let f = read("def f(a: \"m.Foo\") -> Annotated[int, g()]: pass\n");
    let place: Vec<(u32, u32)> = f.references.iter().map(|r| (r.line, r.column)).collect();
    assert!(place.contains(&(1, 12)), "{place:?}");
    assert_eq!(calls(&f), ["1:36 g <f>"]);
}

#[test]
fn type_parameters_old_and_new() {
    let source = "T = TypeVar('T', bound=Base)
class Box(Generic[T]):
    def get(self) -> T: ...
def first(xs: list[T]) -> T: ...
class New[K: Key, *Vs](Parent[K]):
    def m[R](self, k: K) -> R: ...
type Pair[A] = tuple[A, A]
";
    let f = read(source);
    let params = |name: &str| -> Vec<&str> {
        def(&f, name)
            .type_params
            .iter()
            .map(|p| f.name(p.name))
            .collect()
    };
    assert_eq!(params("Box"), ["T"]);
    assert_eq!(params("Box.get"), [] as [&str; 0]);
    assert_eq!(params("first"), ["T"]);
    assert_eq!(params("New"), ["K", "Vs"]);
    assert_eq!(params("New.m"), ["R"]);
    assert_eq!(def(&f, "Pair").kind, SymbolKind::TypeAlias);
    let bound = def(&f, "first").type_params[0].bounds[0];
    assert_eq!(show_type(&f, bound), "Base");
    for (name, expected) in [
        ("Box.get", "typeparam Box 0"),
        ("first", "typeparam first 0"),
        ("New.m", "typeparam New.m 0"),
    ] {
        let ret = def(&f, name)
            .callable
            .as_ref()
            .and_then(|c| c.ret)
            .expect("ret");
        let TypeExpr::Named {
            path, scope, at, ..
        } = f.ty(ret)
        else {
            panic!("{name}: {:?}", f.ty(ret));
        };
        let found = lookup(&f, path[0], *scope, *at, Namespace::TYPE, false);
        assert_eq!(show_bound(&f, found.map(|b| b.to)), expected);
    }
}

#[test]
fn results_are_kept_where_no_type_is_written() {
    let f = read(
        "def a():
    if x: return A()
    return None
def b() -> B: return C()
def c():
    yield D()
    yield from e()
g = lambda n: n.m()
h(lambda n: n.m(), key=lambda v: v)
",
    );
    let shown = |ids: &[ExprId]| ids.iter().map(|e| show(&f, *e)).collect::<Vec<_>>();
    let callable = |name: &str| def(&f, name).callable.as_ref().expect("callable");
    assert_eq!(shown(&callable("a").returns), ["A()"]);
    assert!(callable("b").returns.is_empty());
    assert_eq!(shown(&callable("c").yields), ["D()", "element(e())"]);
    assert_eq!(shown(&callable("g").returns), ["n.m()"]);
    let positions: Vec<u32> = f
        .defs
        .iter()
        .filter(|d| d.flags.has(DefFlags::ANONYMOUS))
        .filter_map(|d| d.callable.as_ref()?.argument_of.map(|(_, i)| i))
        .collect();
    assert_eq!(positions, [0, 1]);
}

#[test]
fn class_scope_is_not_seen_from_methods() {
    let source = "class C:
    limit = 1
    size = limit + 1
    def m(self):
        return limit
";
    let f = read(source);
    assert_eq!(
        bound_at(&f, source, Some("C.m"), "limit", "return"),
        "nothing"
    );
    assert_eq!(
        bound_at(&f, source, Some("C"), "limit", "limit + 1"),
        "def C.limit 2"
    );
}

#[test]
fn references_leave_locals_out() {
    let f = read("import a\nV = 1\ndef f(p):\n    x = V\n    return a.b, p, x, f\n");
    let rows: Vec<String> = f
        .references
        .iter()
        .map(|r| match r.what {
            RefTarget::Expr(e) => format!("{}:{} {}", r.line, r.column, show(&f, e)),
            RefTarget::Type(t) => format!("{}:{} {}", r.line, r.column, show_type(&f, t)),
        })
        .collect();
    assert_eq!(rows, ["4:8 V", "5:11 a", "5:13 a.b", "5:22 f"]);
}

#[test]
fn enums_protocols_and_aliases() {
    let f = read(
        "class Color(enum.Enum):
    RED = 1
    def m(self): pass
class Shape(Protocol):
    x: int
Alias = Union[A, B]
Other: TypeAlias = 'C'
",
    );
    assert_eq!(def(&f, "Color").kind, SymbolKind::Enum);
    assert_eq!(def(&f, "Color.RED").kind, SymbolKind::EnumMember);
    assert_eq!(def(&f, "Shape").kind, SymbolKind::Interface);
    assert_eq!(def(&f, "Shape.x").kind, SymbolKind::Field);
    let ty = |name: &str| def(&f, name).ty.map(|t| show_type(&f, t));
    assert_eq!(ty("Alias").as_deref(), Some("(A | B)"));
    assert_eq!(ty("Other").as_deref(), Some("C"));
    assert_eq!(def(&f, "Other").kind, SymbolKind::TypeAlias);
}

#[test]
fn errors_and_old_syntax_give_what_can_be_had() {
    let f = read(
        "def f():
    print 'x', g(1)
    print >>h(), i()
    exec code
def broken(:
    j()
class C
    def m(self): k()
def after(): l()
",
    );
    assert!(f.syntax_errors > 0);
    let called: Vec<String> = calls(&f);
    for name in ["g", "h", "i", "l"] {
        assert!(
            called.iter().any(|c| c.contains(&format!(" {name} "))),
            "{name}: {called:?}"
        );
    }
    find(&f, "after");
}

#[test]
fn deep_nesting_is_cut_and_long_chains_are_not() {
    let deep = format!("x = {}1{}\n", "(".repeat(5_000), ")".repeat(5_000));
    assert!(
        std::thread::Builder::new()
            .stack_size(64 << 20)
            .spawn(move || read(&deep).too_deep > 0)
            .expect("thread")
            .join()
            .expect("no overflow")
    );
    let sum = format!("x = {}f()\n", "a + ".repeat(5_000));
    let f = read(&sum);
    assert_eq!((f.too_deep, f.calls.len()), (0, 1));
}

#[test]
fn complexity_counts_branches() {
    let f = read(
        "def f(a, b):
    if a and b:
        for x in a:
            if x: pass
    elif b: pass
    else: pass
    return 1 if a else 2
",
    );
    let c = def(&f, "f").complexity;
    assert_eq!((c.cyclomatic, c.cognitive, c.nesting), (7, 10, 3));
}
