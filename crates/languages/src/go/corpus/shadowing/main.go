package main

import (
	"fmt"
	"path"

	"example.org/shadowing/log"
)

type file struct{}

func (f file) Print(s string)       {}
func (f file) Join(s string) string { return s }

// len hides the builtin function in the whole package.
func len(s string) int { return 1 }

func name() string { return "a" }

func hidden(log file, name func() string) {
	log.Print("a") // calls :file.Print
	name()
}

func rebind() {
	log := log.New() // calls log/log.go:New
	log.Print("a")   // calls log/log.go:Logger.Print
	if path := (file{}); true {
		path.Join("b") // calls :file.Join
	}
	path.Join("c", "d")
}

func loops() {
	for i, name := range []func(){func() {}} {
		name()
		_ = i
	}
	name()                            // calls :name
	for name := name(); name != ""; { // calls :name
		fmt.Println(name)
	}
	switch name := name(); { // calls :name
	case name == "":
		fmt.Print(name)
	}
	select {
	case name := <-make(chan file):
		name.Print("a") // calls :file.Print
	}
}

func main() {
	len("a")       // calls :len
	log.Print("b") // calls log/log.go:Print
	type file struct{ *log.Logger }
	file{}.Print("c") // calls log/log.go:Logger.Print
	var fmt file
	fmt.Print("d") // calls log/log.go:Logger.Print
	main := func() {}
	main()
	hidden(global, name) // calls :hidden
	global.Print("e")    // calls :file.Print
	rebind()             // calls :rebind
	loops := loops
	loops() // calls :loops
	print(cap([]int{}))
	new() // calls :new
}

var global = file{}

func new() {}
