package lib

import "example.org/lib/store"

type Lib struct{ Store *store.Store }

func Open() *Lib {
	return &Lib{store.Open()} // calls lib/store/store.go:Open
}

func (l *Lib) Close() {}
