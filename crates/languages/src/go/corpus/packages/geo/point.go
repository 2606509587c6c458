package geo

import "fmt"

type Point struct{ X float64 }

func At(x float64) Point { return Point{X: x} }

func offset() float64 { return 0 }

func (p Point) Move(by float64) Point {
	p.X += by
	return p
}

func (p Point) Print() {
	fmt.Println(p.X)
	Print(p) // calls :Print
}

func Print(p Point) { _ = p }
