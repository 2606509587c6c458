package cmd

import "example.org/lib"

func Open(l *lib.Lib) {
	l.Close()        // calls lib/lib.go:Lib.Close
	l.Store.Put("a") // calls lib/store/store.go:Store.Put
}
