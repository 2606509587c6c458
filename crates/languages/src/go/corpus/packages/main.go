package main

import (
	"fmt"
	str "strings"

	. "example.org/packages/geo"
	"example.org/packages/internal/text"
	other "example.org/packages/other/text"
	"example.org/packages/yaml.v3"
)

// Open is not the Open of a package.
func Open() string { return "main" }

func init() {
	Open() // calls :Open
}

func main() {
	fmt.Println(text.Trim(" a ")) // calls internal/text/text.go:Trim
	fmt.Println(str.Trim(" a ", " "))
	fmt.Println(other.Trim(" b "))         // calls other/text/text.go:Trim
	fmt.Println(Distance(Origin(), At(3))) // calls geo/geo.go:Distance, geo/geo.go:Origin, geo/point.go:At
	At(4).Move(1).Print()                  // calls geo/point.go:At, geo/point.go:Point.Move, geo/point.go:Point.Print
	doc := yaml.Open("x")                  // calls yaml.v3/doc.go:Open
	doc.Close()                            // calls yaml.v3/doc.go:Doc.Close
	Open()                                 // calls :Open
	text.Default.Upper("c")                // calls internal/text/text.go:Style.Upper
	println(text.Width)
}
