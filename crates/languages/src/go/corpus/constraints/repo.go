package constraints

import (
	"encoding/json"
	"fmt"
)

type Model interface {
	ID() string
}

// Ptr says that a pointer to T decodes itself.
type Ptr[T any] interface {
	*T
	Decode(data []byte) error
	Model
}

type Repo[M Model] struct {
	all   map[string]M
	hooks []Hook[M]
	inner *Tree[string, M]
}

type Hook[M any] func(M) M

type Tree[K comparable, V any] struct {
	left, right *Tree[K, V]
	value       V
	less        func(a, b K) bool
}

func (t *Tree[K, V]) Get(key K) (V, bool) {
	if t.left != nil {
		return t.left.Get(key) // calls :Tree.Get
	}
	return t.value, t.less(key, key) // calls :Tree.less
}

func (r *Repo[M]) Save(m M) M {
	for _, hook := range r.hooks {
		m = hook(m)
	}
	r.all[m.ID()] = m // calls :Model.ID
	return m
}

func (r *Repo[M]) Find(id string) (M, error) {
	if m, ok := r.inner.Get(id); ok { // calls :Tree.Get
		m.ID() // calls :Model.ID
		return m, nil
	}
	var none M
	return none, fmt.Errorf("no %s", id)
}

func load[T any, P Ptr[T]](data []byte) P {
	p := P(new(T))
	p.Decode(data) // calls :Ptr.Decode
	p.ID()         // calls :Model.ID
	return p
}

func decode[T fmt.Stringer](data []byte) (t T) {
	json.Unmarshal(data, &t)
	t.String()
	return t
}
