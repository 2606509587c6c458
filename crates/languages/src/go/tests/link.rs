//! Linking of Go over small repositories.

use crate::fixture::{check, collect_relations};

#[test]
fn a_workspace_and_replacements_join_modules() {
    check(
        r#"//- go.work
go 1.22
use (
	./app
	./lib
)
replace example.com/fork => ./third/fork
//- app/go.mod
module example.com/app
require example.com/lib v1.0.0
require example.com/local v0.0.0
replace example.com/local => ../third/local
//- app/main.go
package main
import (
	"example.com/fork"
	"example.com/lib/sum"
	"example.com/local"
)
func main() { sum.Of(); fork.Do(); local.Do() }
//- lib/go.mod
module example.com/lib
//- lib/sum/sum.go
package sum
func Of() {}
//- old/lib/go.mod
module example.com/lib
//- old/lib/sum/sum.go
package sum
func Of() {}
//- old/lib/use.go
package lib
import "example.com/lib/sum"
func use() { sum.Of() }
//- third/fork/fork.go
package fork
func Do() {}
//- third/local/local.go
package local
func Do() {}
"#,
        "app/main.go:7 Of -> lib/sum/sum.go:Of@2 [scoped]
app/main.go:7 Do -> third/fork/fork.go:Do@2 [scoped]
app/main.go:7 Do -> third/local/local.go:Do@2 [scoped]
old/lib/use.go:3 Of -> old/lib/sum/sum.go:Of@2 [scoped]",
    );
}

#[test]
fn packages_share_their_scope_over_files() {
    check(
        r#"
//- go.mod
module example.com/app
require github.com/x/lib/v2 v2.1.0
//- main.go
package main
import (
	"fmt"
	"example.com/app/internal/store"
	"github.com/x/lib/v2/sub"
	. "example.com/app/dot"
)
func main() {
	helper()
	store.Open()
	fmt.Println(sub.Do())
	Dotted()
	missing()
	store := 1
	store.Open()
}
//- helper.go
package main
func helper() { main() }
//- helper_test.go
package main_test
func helper() { helper(); main() }
//- internal/store/db.go
package store
func Open() { open() }
//- internal/store/open_linux.go
package store
func open() {}
//- internal/store/open_windows.go
package store
func open() { other() }
func other() {}
//- internal/store/a_open.go
//go:build !linux && !windows

package store
func open() {}
//- dot/dot.go
package dot
func Dotted() {}
"#,
        r#"
helper.go:2 main -> main.go:main@8 [scoped]
helper_test.go:2 helper -> helper_test.go:helper@2 [scoped]
helper_test.go:2 main -> ? unknown name
internal/store/db.go:2 open -> internal/store/open_linux.go:open@2 [scoped]
internal/store/open_windows.go:2 other -> internal/store/open_windows.go:other@3 [scoped]
main.go:9 helper -> helper.go:helper@2 [scoped]
main.go:10 Open -> internal/store/db.go:Open@2 [scoped]
main.go:11 Println -> ext fmt.Println
main.go:11 Do -> ext github.com/x/lib/v2.sub.Do
main.go:12 Dotted -> dot/dot.go:Dotted@2 [scoped]
main.go:13 missing -> ? unknown name
main.go:15 Open -> ext builtin.int.Open
"#,
    );
}

#[test]
fn members_come_through_fields_embedding_and_defined_types() {
    check(
        r#"
//- go.mod
module m
//- types.go
package p
import "sync"
type Base struct{ sync.Mutex; inner Inner }
type Inner struct{}
func (i Inner) Run() {}
func (b *Base) Run() {}
func (b *Base) Stop() {}
type Derived struct {
	*Base
	name string
}
func (d *Derived) Stop() {}
type Runner interface { Run() }
type Stopper interface { Runner; Stop() }
type Func func(x int) *Inner
func (f Func) Apply() { f(1).Run() }
type List []*Derived
func (l List) Each() {
	for _, d := range l { d.Run() }
	l[0].Stop()
}
type Copy Base
type Same = Base
func (s *Same) Extra() {}
//- use.go
package p
func use(d *Derived, s Stopper, fn Func, l List, c Copy, handler func() Inner) {
	d.Run()
	d.Stop()
	d.inner.Run()
	d.Lock()
	s.Run()
	s.Stop()
	fn(2).Run()
	fn.Apply()
	l.Each()
	c.inner.Run()
	d.Base.Extra()
	handler().Run()
	Derived{}.Base.Stop()
	(&Derived{}).Stop()
	x := d.Stop
	x()
	_ = Func(nil)
	s.(*Derived).Run()
	switch t := s.(type) {
	case *Derived: t.Stop()
	case nil: t.Stop()
	}
}
"#,
        r#"
types.go:16 f -> ? dynamic call
types.go:16 Run -> types.go:Inner.Run@5 [typed]
types.go:19 Run -> types.go:Base.Run@6 [typed]
types.go:20 Stop -> types.go:Derived.Stop@12 [typed]
use.go:3 Run -> types.go:Base.Run@6 [typed]
use.go:4 Stop -> types.go:Derived.Stop@12 [typed]
use.go:5 Run -> types.go:Inner.Run@5 [typed]
use.go:6 Lock -> ext sync.Mutex.Lock
use.go:7 Run -> types.go:Runner.Run@13 [typed]
use.go:8 Stop -> types.go:Stopper.Stop@14 [typed]
use.go:9 fn -> ? dynamic call
use.go:9 Run -> types.go:Inner.Run@5 [typed]
use.go:10 Apply -> types.go:Func.Apply@16 [typed]
use.go:11 Each -> types.go:List.Each@18 [typed]
use.go:12 Run -> types.go:Inner.Run@5 [typed]
use.go:13 Extra -> types.go:Same.Extra@24 [typed]
use.go:14 handler -> ? dynamic call
use.go:14 Run -> types.go:Inner.Run@5 [typed]
use.go:15 Stop -> types.go:Base.Stop@7 [typed]
use.go:16 Stop -> types.go:Derived.Stop@12 [typed]
use.go:18 x -> types.go:Derived.Stop@12 [typed]
use.go:19 Func -> types.go:Func@15 [scoped]
use.go:20 Run -> types.go:Base.Run@6 [typed]
use.go:22 Stop -> types.go:Derived.Stop@12 [typed]
use.go:23 Stop -> types.go:Stopper.Stop@14 [typed]
"#,
    );
}

#[test]
fn values_flow_through_results_ranges_channels_and_type_parameters() {
    check(
        r#"
//- go.mod
module m
//- a.go
package p
import ("errors"; "maps"; "slices"; "sync/atomic")
type T struct{ next *T; byName map[string][]T; ch chan T; ptr atomic.Pointer[T] }
func (t T) M() {}
func New() (*T, error) { return nil, errors.New("x") }
type Box[V any] struct{ items []V }
func (b *Box[X]) Get(i int) (X, bool) { return b.items[i], true }
func (b *Box[X]) All() func(yield func(int, X) bool) { return nil }
func Map[A, B any](in []A, f func(A) B) []B { return nil }
func First[A any](in ...A) A { return in[0] }
type Named interface { M() }
func call[N Named](n N) { n.M() }
func f(ts ...T) {
	t, err := New()
	t.M()
	err.Error()
	t.next.next.M()
	for name, group := range t.byName {
		name.M()
		for _, one := range group { one.M() }
	}
	v, ok := <-t.ch
	v.M()
	for w := range t.ch { w.M() }
	ts[0].M()
	ts[1:][0].M()
	b := &Box[T]{}
	x, _ := b.Get(1)
	x.M()
	for _, y := range b.All() { y.M() }
	First(t).M()
	First[T]().M()
	m := make(map[string]*T)
	if z, found := m["a"]; found { z.M() }
	append(ts, T{})[0].M()
	for _, key := range slices.Sorted(maps.Keys(m)) { key.M() }
	for q := range maps.Values(m) { q.M() }
	t.ptr.Load().M()
	func() { t.M() }()
	tests := []struct{ in T; check func(T) }{{in: T{}}}
	for _, tt := range tests { tt.in.M(); tt.check(tt.in) }
	var n Named = t
	n.M()
	Map(ts, func(t T) *Box[T] { return nil })[0].Get(1)
}
"#,
        r#"
a.go:5 New -> ext errors.New
a.go:12 M -> a.go:Named.M@11 [typed]
a.go:14 New -> a.go:New@5 [scoped]
a.go:15 M -> a.go:T.M@4 [typed]
a.go:16 Error -> ext builtin.error.Error
a.go:17 M -> a.go:T.M@4 [typed]
a.go:19 M -> ext builtin.string.M
a.go:20 M -> a.go:T.M@4 [typed]
a.go:23 M -> a.go:T.M@4 [typed]
a.go:24 M -> a.go:T.M@4 [typed]
a.go:25 M -> a.go:T.M@4 [typed]
a.go:26 M -> a.go:T.M@4 [typed]
a.go:28 Get -> a.go:Box.Get@7 [typed]
a.go:29 M -> a.go:T.M@4 [typed]
a.go:30 All -> a.go:Box.All@8 [typed]
a.go:30 M -> a.go:T.M@4 [typed]
a.go:31 First -> a.go:First@10 [scoped]
a.go:31 M -> a.go:T.M@4 [typed]
a.go:32 First -> a.go:First@10 [scoped]
a.go:32 M -> a.go:T.M@4 [typed]
a.go:34 M -> a.go:T.M@4 [typed]
a.go:35 M -> a.go:T.M@4 [typed]
a.go:36 Sorted -> ext slices.Sorted
a.go:36 Keys -> ext maps.Keys
a.go:36 M -> ext builtin.string.M
a.go:37 Values -> ext maps.Values
a.go:37 M -> a.go:T.M@4 [typed]
a.go:38 Load -> ext sync/atomic.Pointer.Load
a.go:38 M -> a.go:T.M@4 [typed]
a.go:39 M -> a.go:T.M@4 [typed]
a.go:41 M -> a.go:T.M@4 [typed]
a.go:41 check -> a.go:f.check@40 [typed]
a.go:43 M -> a.go:Named.M@11 [typed]
a.go:44 Map -> a.go:Map@9 [scoped]
a.go:44 Get -> a.go:Box.Get@7 [typed]
"#,
    );
}

#[test]
fn types_implement_interfaces_by_their_methods() {
    let got = collect_relations(
        r#"
//- go.mod
module m
//- a/a.go
package a
import ("io"; "m/b")
type Store interface { Get(key string) (*b.Item, error); io.Closer }
type Keyed[K any] interface { Key() K }
type hidden interface { secret() }
type Memory struct{}
func (m *Memory) Get(key string) (*b.Item, error) { return nil, nil }
func (m *Memory) Close() error { return nil }
type Wrapped struct { *Memory }
func (w Wrapped) Close() error { return nil }
type Open struct{}
func (o Open) Get(key string) (*b.Item, error) { return nil, nil }
type Other struct{}
func (o Other) Get(key int) (*b.Item, error) { return nil, nil }
func (o Other) Close() error { return nil }
type ID string
func (i ID) Key() ID { return i }
func use(k Keyed[*Memory]) { k.Key().Close() }
//- b/b.go
package b
type Item struct{}
func (Item) secret() {}
"#,
    );
    assert_eq!(
        got,
        [
            "a/a.go:ID.Key@17 overrides a/a.go:Keyed.Key@4",
            "a/a.go:ID@16 implements a/a.go:Keyed@4",
            "a/a.go:Memory.Get@7 overrides a/a.go:Store.Get@3",
            "a/a.go:Memory@6 implements a/a.go:Store@3",
            "a/a.go:Wrapped@9 embeds a/a.go:Memory@6",
            "a/a.go:Wrapped@9 implements a/a.go:Store@3",
        ]
    );
}

#[test]
fn type_parameters_of_interfaces_are_seen_in_their_methods() {
    check(
        r#"
//- go.mod
module m
//- a.go
package a
type Keyed[K any] interface { Key() K }
type T struct{ same struct{ keys Keyed[*T] } }
func (t *T) Close() {}
func use(k Keyed[*T], t T) {
	k.Key().Close()
	t.same.keys.Key().Close()
}
"#,
        r#"
a.go:6 Key -> a.go:Keyed.Key@2 [typed]
a.go:6 Close -> a.go:T.Close@4 [typed]
a.go:7 Key -> a.go:Keyed.Key@2 [typed]
a.go:7 Close -> a.go:T.Close@4 [typed]
"#,
    );
}

#[test]
fn type_parameters_follow_constraints_aliases_and_defined_types() {
    check(
        r#"
//- go.mod
module m
//- g/g.go
package g
import "iter"
type Stream[Res any] interface {
	Recv() (*Res, error)
}
func Values[M ~map[K]V, K comparable, V any](m M) []V { return nil }
func Seq[M ~map[K]V, K comparable, V any](m M) iter.Seq2[K, V] { return nil }
func Pick[S ~[]E, E any](s S) E { return s[0] }
//- a.go
package a
import ("slices"; "m/g")
type T struct{}
func (t *T) M() {}
type Client = g.Stream[T]
type Set map[string]*T
func (s Set) M() {}
type List []*T
func (l List) M() {}
func open() (Client, error) { return nil, nil }
func use(set Set, list List) {
	stream, err := open()
	t, err := stream.Recv()
	t.M()
	for _, v := range g.Values(set) { v.M() }
	for _, v := range g.Seq(set) { v.M() }
	g.Pick(list).M()
	slices.Clone(list).M()
}
"#,
        r#"
a.go:12 open -> a.go:open@10 [scoped]
a.go:13 Recv -> g/g.go:Stream.Recv@4 [typed]
a.go:14 M -> a.go:T.M@4 [typed]
a.go:15 Values -> g/g.go:Values@6 [scoped]
a.go:15 M -> a.go:T.M@4 [typed]
a.go:16 Seq -> g/g.go:Seq@7 [scoped]
a.go:16 M -> a.go:T.M@4 [typed]
a.go:17 Pick -> g/g.go:Pick@8 [scoped]
a.go:17 M -> a.go:T.M@4 [typed]
a.go:18 Clone -> ext slices.Clone
a.go:18 M -> a.go:List.M@9 [typed]
"#,
    );
}

#[test]
fn an_alias_holds_where_it_is_declared() {
    check(
        r#"
//- go.mod
module m
//- a.go
package m
type A struct{}
func (A) Go() {}
type B struct{}
func (B) Go() {}
func each(v any) {
	switch x := v.(type) {
	case B:
		x.Go()
	case A:
		x.Go()
	}
}
func local() {
	type A = B
	A{}.Go()
}
//- c_linux.go
package m
type C = B
//- c_windows.go
package m
type C struct{}
func (C) Run() {}
func (C) Stop() { C{}.Run() }
"#,
        r#"
a.go:9 Go -> a.go:B.Go@5 [typed]
a.go:11 Go -> a.go:A.Go@3 [typed]
a.go:16 Go -> a.go:B.Go@5 [typed]
c_windows.go:4 Run -> c_windows.go:C.Run@3 [typed]
"#,
    );
}

/// An embedded type brings the method, and does not know the interface.
#[test]
fn an_embedded_method_implements_an_interface() {
    assert_eq!(
        collect_relations(
            "//- go.mod\nmodule m\n\
             //- a.go\npackage m\n\ntype Runner interface {\n\tRun()\n\tStop()\n}\n\ntype Base struct{}\n\nfunc (b *Base) Run() {}\n\n\
             type Job struct {\n\t*Base\n}\n\nfunc (j *Job) Stop() {}\n",
        ),
        [
            "a.go:Base.Run@10 overrides a.go:Runner.Run@4",
            "a.go:Job.Stop@16 overrides a.go:Runner.Stop@5",
            "a.go:Job@12 embeds a.go:Base@8",
            "a.go:Job@12 implements a.go:Runner@3",
        ]
    );
}
