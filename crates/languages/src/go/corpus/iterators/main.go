package main

import (
	"iter"
	"maps"
	"slices"
)

type Node struct {
	value Value
	next  *Node
}

type Value struct{ n int }

func (v Value) Next() Value  { return v }
func (v Value) Show() string { return "" }

type List struct{ head *Node }

// All is a range function of the list.
func (l *List) All() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for node := l.head; node != nil; node = node.Next() { // calls :Node.Next
			if !yield(node.value) {
				return
			}
		}
	}
}

func (l *List) Pairs() iter.Seq2[int, *Node] {
	return func(yield func(int, *Node) bool) { yield(0, l.head) }
}

func (n *Node) Next() *Node  { return n.next }
func (n *Node) Show() string { return n.value.Show() } // calls :Value.Show

type Cursor struct{ list *List }

func (c *Cursor) Next() bool   { return c.Value().n > 0 } // calls :Cursor.Value
func (c *Cursor) Value() Value { return c.list.head.value }

func filter(seq iter.Seq[Value], keep func(Value) bool) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for v := range seq {
			if keep(v) && !yield(v.Next()) { // calls :Value.Next
				return
			}
		}
	}
}

func main() {
	list := &List{}
	for v := range list.All() { // calls :List.All
		v.Show() // calls :Value.Show
	}
	for i, node := range list.Pairs() { // calls :List.Pairs
		node.Show() // calls :Node.Show
		_ = i
	}
	for cursor := (&Cursor{list}); cursor.Next(); { // calls :Cursor.Next
		cursor.Value().Next().Show() // calls :Cursor.Value, :Value.Next, :Value.Show
	}
	for v := range filter(list.All(), func(v Value) bool { return v.Show() == "" }) { // calls :filter, :List.All, :Value.Show
		v.Next() // calls :Value.Next
	}
	next, stop := iter.Pull(list.All()) // calls :List.All
	defer stop()
	first, _ := next()
	first.Show() // calls :Value.Show (missed)
	byName := map[string]*Node{}
	for node := range maps.Values(byName) {
		node.Next() // calls :Node.Next
	}
	slices.Collect(list.All())[0].Show() // calls :List.All, :Value.Show
	for range 3 {
		list.head.Next() // calls :Node.Next
	}
}
