package geo

import "math"

// Distance hides nothing of the package math.
func Distance(a, b Point) float64 {
	return math.Abs(a.X - b.X + offset()) // calls geo/point.go:offset
}

func Origin() Point {
	return At(0) // calls geo/point.go:At
}

func Abs(x float64) float64 { return x }
