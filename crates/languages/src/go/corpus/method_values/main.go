package main

import "fmt"

type Door struct{ open bool }

func (d *Door) Open() *Door  { d.open = true; return d }
func (d *Door) Close()       { d.open = false }
func (d Door) State() string { return fmt.Sprint(d.open) }

type Opener interface{ Open() *Door }

func Open()         {}
func Close(d *Door) { d.Close() } // calls :Door.Close

func apply(d *Door, f func(*Door)) { f(d) }

func build() *Door { return &Door{} }

func main() {
	d := build()        // calls :build
	defer d.Close()     // calls :Door.Close
	go d.Open().Close() // calls :Door.Open, :Door.Close
	defer func() {
		d.Close() // calls :Door.Close
	}()

	// Method expressions name the method and take the receiver first.
	(*Door).Close(d)            // calls :Door.Close
	fmt.Println(Door.State(*d)) // calls :Door.State
	Opener.Open(d).Close()      // calls :Opener.Open, :Door.Close

	apply(d, (*Door).Close) // calls :apply
	apply(d, Close)         // calls :apply
	open := d.Open
	open().Close() // calls :Door.Close, :Door.Open
	state := Door.State
	state(*d) // calls :Door.State
	table := []func(*Door){(*Door).Close, Close}
	table[0](d)
	for _, f := range table {
		f(d)
	}
	Open()        // calls :Open
	(Open)()      // calls :Open
	(*d).State()  // calls :Door.State
	(&*d).Close() // calls :Door.Close
}
