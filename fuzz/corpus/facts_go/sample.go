// Package doc.
package main
import ( "fmt"; m "a.b/c/v2"; . "dot"; _ "side" )
const ( A = iota; B; C string = "x" )
type ( S[T any, K comparable] struct { Emb; *m.Ptr; a, b map[string][]T `tag:"x"`; f func(int) (x, y string) }
 I interface { ~int | ~string; M(a int, b ...string) (n int, err error); Other } ; Al = S[int, string] )
func (s *S[T, K]) M(a int, b ...string) (n int, err error) {
	defer func() { if r := recover(); r != nil { err = fmt.Errorf("%v", r) } }()
	for i, x := range s.a { go s.f(i, x...); L: for { select { case v, ok := <-ch: _ = v.(T); case ch <- 1: break L; default: goto L } } }
	switch t := x.(type) { case *S[int, string]: return t.M(len(b)); case nil, error: fallthrough; default: }
	return Gen[int, string](S[int, string]{Emb: Emb{1}, a: map[string][]int{"k": {1, 2}}}), nil
}
var x, y = f(), func() {}
