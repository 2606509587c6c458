package main

import (
	"example.com/forked"
	"example.org/app/cmd"
	"example.org/lib"
	"example.org/lib/v2/store"
	"golang.org/x/text"
)

func Open() {}

func main() {
	lib.Open().Close()   // calls lib/lib.go:Open, lib/lib.go:Lib.Close
	forked.Open()        // calls third/forked/forked.go:Open
	cmd.Open(lib.Open()) // calls app/cmd/cmd.go:Open, lib/lib.go:Open
	store.Open()
	text.Open()
	Open() // calls :Open
}
