package generics

import "cmp"

type Item interface {
	Key() string
}

type List[T any] struct {
	items []T
	next  *List[T]
}

func NewList[T any](items ...T) *List[T] { return &List[T]{items: items} }

func (l *List[T]) Push(item T) *List[T] {
	l.items = append(l.items, item)
	return l
}

func (l *List[T]) First() T { return l.items[0] }

func (l *List[T]) Each(visit func(T)) {
	for _, item := range l.items {
		visit(item)
	}
}

func Map[A, B any](in []A, f func(A) B) []B {
	out := make([]B, 0, len(in))
	for _, a := range in {
		out = append(out, f(a))
	}
	return out
}

func Index[T Item](items []T) map[string]T {
	index := map[string]T{}
	for _, item := range items {
		index[item.Key()] = item // calls :Item.Key
	}
	return index
}

func Max[T cmp.Ordered](a, b T) T {
	if a > b {
		return a
	}
	return b
}

type Pair[K comparable, V any] struct {
	Key   K
	Value V
}

func (p Pair[K, V]) Swap(v V) Pair[K, V] { return Pair[K, V]{p.Key, v} }
