//! Facts of Go sources.

use crate::fixture::lookup::lookup;
use base::{Language, SymbolKind, Visibility};
use syntax::facts::*;

fn facts(source: &str) -> FileFacts {
    crate::extract(Language::Go, source)
}

fn def_id(facts: &FileFacts, name: &str) -> DefId {
    let all: Vec<String> = (0..facts.defs.len())
        .map(|i| facts.qualified_name(DefId(i as u32)))
        .collect();
    match all.iter().position(|n| n == name) {
        Some(i) => DefId(i as u32),
        None => panic!("no {name} among {all:?}"),
    }
}

fn def<'f>(facts: &'f FileFacts, name: &str) -> &'f Def {
    facts.def(def_id(facts, name))
}

/// A short form of an expression.
fn show(facts: &FileFacts, expr: ExprId) -> String {
    match facts.expr(expr) {
        Expr::Name { name, .. } => facts.name(*name).to_owned(),
        Expr::Member { object, name } => {
            format!("{}.{}", show(facts, *object), facts.name(*name))
        }
        Expr::Call {
            callee,
            args,
            type_args,
        } => {
            let args: Vec<String> = args.iter().map(|a| show(facts, *a)).collect();
            let generic = bracketed(facts, type_args);
            format!("{}{generic}({})", show(facts, *callee), args.join(", "))
        }
        Expr::New { class, .. } => format!("{}{{}}", show(facts, *class)),
        Expr::Cast(value, ty) => format!("({} as {})", show(facts, *value), show_type(facts, *ty)),
        Expr::Part(value, i) => format!("{}#{i}", show(facts, *value)),
        Expr::Key(value) => format!("key({})", show(facts, *value)),
        Expr::Element(value) => format!("element({})", show(facts, *value)),
        Expr::Index { object, index } => {
            format!("{}[{}]", show(facts, *object), show(facts, *index))
        }
        Expr::Literal(primitive) => format!("{primitive:?}"),
        Expr::Function(_) => "func".to_owned(),
        Expr::Operation(left, right) => {
            format!("{} op {}", show(facts, *left), show(facts, *right))
        }
        Expr::Spread(inner) => format!("{}...", show(facts, *inner)),
        Expr::Type(ty) => show_type(facts, *ty),
        _ => "?".to_owned(),
    }
}

fn types(facts: &FileFacts, types: &[TypeId]) -> String {
    let shown: Vec<String> = types.iter().map(|t| show_type(facts, *t)).collect();
    shown.join(", ")
}

fn bracketed(facts: &FileFacts, args: &[TypeId]) -> String {
    match args {
        [] => String::new(),
        _ => format!("[{}]", types(facts, args)),
    }
}

fn show_type(facts: &FileFacts, ty: TypeId) -> String {
    match facts.ty(ty) {
        TypeExpr::Named { path, args, .. } => {
            let path: Vec<&str> = path.iter().map(|n| facts.name(*n)).collect();
            path.join(".") + &bracketed(facts, args)
        }
        TypeExpr::Primitive(primitive) => format!("{primitive:?}"),
        TypeExpr::Array(inner) => format!("[]{}", show_type(facts, *inner)),
        TypeExpr::Map(key, value) => {
            format!(
                "map[{}]{}",
                show_type(facts, *key),
                show_type(facts, *value)
            )
        }
        TypeExpr::Channel(inner) => format!("chan {}", show_type(facts, *inner)),
        TypeExpr::Reference(inner) => format!("*{}", show_type(facts, *inner)),
        TypeExpr::Tuple(all) => format!("({})", types(facts, all)),
        TypeExpr::Anonymous(_) => "struct".to_owned(),
        _ => "?".to_owned(),
    }
}

/// Calls as `owner line:column expression`.
fn calls(facts: &FileFacts) -> Vec<String> {
    let show_call = |call: &CallSite| {
        let owner = call
            .owner
            .map_or("-".to_owned(), |d| facts.qualified_name(d));
        let text = show(facts, call.expr);
        format!("{owner} {}:{} {text}", call.line, call.column)
    };
    let sites = facts.calls.iter().filter(|c| c.kind == CallKind::Call);
    sites.map(show_call).collect()
}

/// The binding of the use of `name` right after the comment `/*marker*/`.
fn bound(source: &str, facts: &FileFacts, marker: &str, name: &str) -> String {
    let comment = format!("/*{marker}*/");
    let place = source
        .find(&comment)
        .expect("the marker stands in the source");
    let at = (place + comment.len()) as u32;
    let (name, scope) = facts
        .exprs
        .iter()
        .find_map(|e| match e {
            Expr::Name {
                name: used,
                scope,
                at: here,
            } if *here == at && facts.name(*used) == name => Some((*used, *scope)),
            _ => None,
        })
        .expect("the name is used behind the marker");
    match lookup(facts, name, scope, at, Namespace::VALUE, true).map(|b| b.to) {
        Some(Bound::Local { ty: Some(ty), .. }) => format!("type {}", show_type(facts, ty)),
        Some(Bound::Local {
            value: Some(value), ..
        }) => format!("value {}", show(facts, value)),
        Some(Bound::Param(def, i)) => format!("param {} {i}", facts.qualified_name(def)),
        Some(Bound::Import(import)) => {
            format!("import {}", facts.name(facts.import(import).module))
        }
        other => format!("{other:?}"),
    }
}

const DEFINITIONS: &str = r#"// Package p.
package p

// Server serves.
// It is safe.
//
// More.
type Server struct {
	// Name of it.
	Name string `json:"name"`
	a, b int // two numbers
	*Base
	pkg.Other
	List[int]
	inner struct{ deep int }
}

type (
	// Handler handles.
	Handler interface {
		Handle(w Writer, args ...string) (n int, err error)
		io.Closer
		private()
	}
	HandlerFunc func(w Writer)
	Same = Server
)

func (s *Server) Serve(l net.Listener) error { return nil }
func (List[T]) Push(x T) {}
func New[T any, U comparable](name string, _ U) (*Server, error) { return nil, nil }
func init() {}
func init() {}
func TestNew(t *testing.T) {}
func Testify(t *testing.T) {}

const (
	A Kind = iota
	B
	// C is third.
	C, d = 1, "x"
)

var x, Y = f()
var _ Handler = (*Server)(nil)
"#;

#[test]
fn structs_have_fields_and_embedded_types() {
    let facts = facts(DEFINITIONS);
    assert_eq!(facts.syntax_errors, 0);
    assert_eq!(facts.package.map(|n| facts.name(n)), Some("p"));
    let server = def(&facts, "Server");
    assert_eq!(server.kind, SymbolKind::Struct);
    assert_eq!(server.doc.as_deref(), Some("Server serves. It is safe."));
    assert_eq!((server.span.start_line, server.span.end_line), (8, 16));
    let (from, to) = server.signature;
    assert_eq!(
        &DEFINITIONS[from as usize..to as usize],
        "type Server struct"
    );
    let embedded: Vec<String> = server
        .supers
        .iter()
        .map(|(t, _)| show_type(&facts, *t))
        .collect();
    assert_eq!(embedded, ["*Base", "pkg.Other", "List[Int]"]);
    for field in ["Name", "a", "b", "Base", "Other", "List", "inner.deep"] {
        let field = def(&facts, &format!("Server.{field}"));
        assert_eq!(field.kind, SymbolKind::Field);
    }
    let documented = |name: &str| def(&facts, name).doc.as_deref();
    assert_eq!(documented("Server.Name"), Some("Name of it."));
    assert_eq!(documented("Server.b"), Some("two numbers"));
    assert_eq!(documented("Server.Base"), None);
    assert_eq!(def(&facts, "Server.a").visibility, Visibility::Package);
}

#[test]
fn interfaces_aliases_and_methods() {
    let facts = facts(DEFINITIONS);
    let handler = def(&facts, "Handler");
    assert_eq!(handler.kind, SymbolKind::Interface);
    assert_eq!(handler.doc.as_deref(), Some("Handler handles."));
    assert_eq!(handler.supers.len(), 1);
    let handle = def(&facts, "Handler.Handle");
    assert!(handle.flags.has(DefFlags::ABSTRACT) && handle.flags.has(DefFlags::EXPORTED));
    let callable = handle.callable.as_ref().expect("a method");
    assert_eq!(callable.params[1].kind, ParamKind::Variadic);
    let ret = callable.ret.map(|r| show_type(&facts, r));
    assert_eq!(ret.as_deref(), Some("(Int, error)"));
    let function = def(&facts, "HandlerFunc");
    assert_eq!(function.kind, SymbolKind::TypeAlias);
    assert!(!function.flags.has(DefFlags::ALIAS));
    assert!(def(&facts, "Same").flags.has(DefFlags::ALIAS));
    let serve = def(&facts, "Server.Serve");
    assert_eq!((serve.kind, serve.parent), (SymbolKind::Method, None));
    assert!(serve.flags.has(DefFlags::BY_REFERENCE));
    assert_eq!(def(&facts, "List.Push").type_params.len(), 1);
    assert_eq!(def(&facts, "New").type_params.len(), 2);
}

#[test]
fn functions_constants_and_variables() {
    let facts = facts(DEFINITIONS);
    let inits = facts.defs.iter().filter(|d| facts.name(d.name) == "init");
    assert_eq!(inits.count(), 2);
    assert!(def(&facts, "TestNew").flags.has(DefFlags::TEST));
    assert!(!def(&facts, "Testify").flags.has(DefFlags::TEST));
    let repeated = def(&facts, "B").ty.map(|t| show_type(&facts, t));
    assert_eq!(repeated.as_deref(), Some("Kind"));
    assert_eq!(def(&facts, "C").doc.as_deref(), Some("C is third."));
    assert_eq!(def(&facts, "C").ty, None);
    let second = def(&facts, "Y").value.map(|v| show(&facts, v));
    assert_eq!(second.as_deref(), Some("f()#1"));
    assert_eq!(calls(&facts), ["x 44:11 f()"]);
}

#[test]
fn imports_bind_the_name_that_the_package_likely_has() {
    let facts = facts(
        r#"package p
import "net/http"
import (
	"github.com/x/y/v2"
	"gopkg.in/yaml.v3"
	"github.com/a/go-b"
	log "github.com/x/zlog"
	. "math"
	_ "embed"
)
"#,
    );
    let shown: Vec<(Option<&str>, &str, Imported)> = facts
        .imports
        .iter()
        .map(|i| (i.local.map(|l| facts.name(l)), facts.name(i.module), i.what))
        .collect();
    assert_eq!(
        shown,
        [
            (Some("http"), "net/http", Imported::Module),
            (Some("y"), "github.com/x/y/v2", Imported::Module),
            (Some("yaml"), "gopkg.in/yaml.v3", Imported::Module),
            (Some("b"), "github.com/a/go-b", Imported::Module),
            (Some("log"), "github.com/x/zlog", Imported::Module),
            (None, "math", Imported::Glob),
            (None, "embed", Imported::SideEffect),
        ]
    );
}

#[test]
fn calls_stand_at_the_called_name_and_know_conversions() {
    let facts = facts(
        r#"package p

type T struct{}
type G[X any] struct{}

func f(m map[string]func(int), handlers []func(int), i int) {
	a.b().c(1, x...)
	T(x)
	pkg.T(x)
	(*T)(nil)
	[]byte(s())
	G[int](x)
	g[int](x)
	pkg.g[int](x)
	handlers[i](x)
	m["k"](x)
	func() { inner() }()
	go run()
	defer v.Close()
	len(count())
	y := append(list(), 1)
	string(x)
	copy(dst, src)
	other[i](x)
	(wrap)(x)
	g[T]()
	pkg.g[pkg.T]()
	m[i]()
	g[*T](x, i)
	print(x)
}
"#,
    );
    assert_eq!(facts.syntax_errors, 0);
    assert_eq!(
        calls(&facts),
        [
            "f 7:3 a.b()",
            "f 7:7 a.b().c(Int, x...)",
            "f 9:5 pkg.T(x)",
            "f 11:8 s()",
            "f 13:1 g[Int](x)",
            "f 14:5 pkg.g[Int](x)",
            "f 15:9 handlers[i](x)",
            "f 16:7 m[String](x)",
            "f 17:10 inner()",
            "f 18:4 run()",
            "f 19:9 v.Close()",
            "f 20:5 count()",
            "f 21:13 list()",
            "f 23:1 copy(dst, src)",
            "f 24:6 other[i](x)",
            "f 25:2 wrap(x)",
            "f 26:1 g[T]()",
            "f 27:5 pkg.g[pkg.T]()",
            "f 28:5 m[i]()",
            "f 29:1 g[*T](x, i)",
            "f 30:1 print(x)",
        ]
    );
}

#[test]
fn a_builtin_that_the_file_declares_is_a_call() {
    let source = "package p\nfunc len(x int) int { return x }\nfunc f() { len(1); cap(x) }\n";
    assert_eq!(calls(&facts(source)), ["f 3:11 len(Int)"]);
}

#[test]
fn short_declarations_shadow_after_their_statement() {
    let source = r#"package p
import "x/user"
func f(err error) {
	user := user.New(/*1*/user)
	_ = /*2*/user
	if v, ok := m[k]; ok {
		user := v
		_ = /*3*/user
	} else {
		_ = /*4*/ok
	}
	_ = /*5*/user
	n, err := user.Get()
	_ = /*6*/err
	_ = /*7*/n
	for k, e := range n { _ = /*8*/k; _ = /*9*/e }
	switch t := e.(type) {
	case *T: _ = /*a*/t
	case int, A: _ = /*b*/t
	default: _ = /*c*/t
	}
	select {
	case msg, more := <-ch: _ = /*d*/msg; _ = /*e*/more
	}
	var w io.Writer = user
	_ = /*f*/w
}
"#;
    let facts = facts(source);
    assert_eq!(facts.syntax_errors, 0);
    for (marker, name, expected) in [
        ("1", "user", "import x/user"),
        ("2", "user", "value user.New(user)"),
        ("3", "user", "value v"),
        ("4", "ok", "value Bool"),
        ("5", "user", "value user.New(user)"),
        ("6", "err", "param f 0"),
        ("7", "n", "value user.Get()#0"),
        ("8", "k", "value key(n)"),
        ("9", "e", "value element(n)"),
        ("a", "t", "type *T"),
        ("b", "t", "value e"),
        ("c", "t", "value e"),
        ("d", "msg", "value element(ch)"),
        ("e", "more", "value Bool"),
        ("f", "w", "type io.Writer"),
    ] {
        assert_eq!(bound(source, &facts, marker, name), expected, "{marker}");
    }
}

#[test]
fn parameters_are_seen_in_the_body_only() {
    let source =
        "package p\nfunc (s *s) f(client client, c client) (err err) { _ = /*1*/client }\n";
    let facts = facts(source);
    assert_eq!(bound(source, &facts, "1", "client"), "param s.f 1");
    for ty in &facts.types {
        if let TypeExpr::Named {
            path, scope, at, ..
        } = ty
        {
            assert!(lookup(&facts, path[0], *scope, *at, Namespace::TYPE, true).is_none());
        }
    }
}

#[test]
fn writes_and_references_leave_locals_out() {
    let facts = facts(
        r#"package p
var count int
var table = map[string]int{}
func f(s *S) *pkg.Type {
	count++
	table["x"] = limit
	s.field, s.other.deep = 1, helper
	local := count
	local = 2
	_ = S{field: local}
	return []S{{field: count}}
}
"#,
    );
    let at = |l: u32, c: u32, text: String| format!("{l}:{c} {text}");
    let writes: Vec<String> = facts
        .writes
        .iter()
        .map(|w| at(w.line, w.column, show(&facts, w.target)))
        .collect();
    assert_eq!(
        writes,
        [
            "5:1 count",
            "6:1 table",
            "7:3 s.field",
            "7:18 s.other.deep",
            "10:7 S{}.field",
            "11:13 (? as S).field",
        ]
    );
    let mut references: Vec<(u32, u32, String)> = facts
        .references
        .iter()
        .map(|r| match r.what {
            RefTarget::Expr(e) => (r.line, r.column, show(&facts, e)),
            RefTarget::Type(t) => (r.line, r.column, show_type(&facts, t)),
        })
        .collect();
    references.sort();
    let references: Vec<String> = references
        .into_iter()
        .map(|(l, c, t)| at(l, c, t))
        .collect();
    assert_eq!(
        references,
        [
            "4:10 S",
            "4:18 pkg.Type",
            "6:14 limit",
            "7:12 s.other",
            "7:28 helper",
            "8:10 count",
            "11:10 S",
            "11:20 count",
        ]
    );
}

#[test]
fn function_literals_own_scopes_but_not_calls() {
    let facts = facts(
        r#"package p
var handler = func(w W) { a() }
func f() {
	http.HandleFunc("/", func(w W, r *R) { w.Write(b()) })
}
"#,
    );
    assert_eq!(
        calls(&facts),
        [
            "handler 2:26 a()",
            "f 4:48 b()",
            "f 4:42 w.Write(b())",
            "f 4:6 http.HandleFunc(String, func)",
        ]
    );
    let literal = facts
        .defs
        .iter()
        .rfind(|d| d.flags.has(DefFlags::ANONYMOUS))
        .expect("a literal");
    let callable = literal.callable.as_ref().expect("a function");
    assert_eq!(callable.params.len(), 2);
    assert!(matches!(callable.argument_of, Some((_, 1))));
}

#[test]
fn complexity_counts_paths_and_else() {
    let facts = facts(
        r#"package p
func f(x int) {
	if x > 0 && x < 9 {
		for range y {
		}
	} else if x < 0 {
	} else {
	}
	switch x {
	case 1:
	case 2:
	default:
	}
}
"#,
    );
    let complexity = def(&facts, "f").complexity;
    // if, &&, for, else if, two cases.
    assert_eq!(complexity.cyclomatic, 7);
    // if 1, && 1, for 2, else if 1, else 1, switch 1.
    assert_eq!(complexity.cognitive, 7);
    assert_eq!(complexity.nesting, 2);
}

#[test]
fn broken_files_give_what_can_be_had() {
    let source = "package p\n\nfunc good() { a() }\n\nfunc bad() {\n\tx := = 3\n\tb()\n}\n\nfunc also() { c() }\n";
    let facts = facts(source);
    assert!(facts.syntax_errors > 0);
    assert_eq!(def(&facts, "good").kind, SymbolKind::Function);
    let called = calls(&facts).join("\n");
    assert!(
        called.contains(" a()") && called.contains(" c()"),
        "{called}"
    );
}

#[test]
fn deep_nesting_ends() {
    // The indexer's threads have stacks of this size.
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    let ended = thread.spawn(deep_sources).expect("a thread").join();
    ended.expect("no panic");
}

fn deep_sources() {
    let deep = 60_000;
    for (open, close) in [
        ("(", ")"),
        ("-", ""),
        ("f(", ")"),
        ("[]T{", "}"),
        ("func() { _ = ", "}"),
    ] {
        let source = format!(
            "package p\nvar x = {}1{}\n",
            open.repeat(deep),
            close.repeat(deep)
        );
        assert_eq!(facts(&source).lines, 2);
    }
    let sum = format!("package p\nvar x = {}f()\n", "\"a\" + ".repeat(20_000));
    let facts = facts(&sum);
    assert_eq!((calls(&facts).len(), facts.too_deep), (1, 0));
}
