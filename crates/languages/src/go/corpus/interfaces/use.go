package interfaces

import (
	"io"
	"os"
)

func total(shapes []Shape, named map[string]Named) float64 {
	sum := 0.0
	for _, shape := range shapes {
		sum += shape.Area() // calls shape.go:Shape.Area
	}
	for _, n := range named {
		sum += n.Scale(2).Area() // calls shape.go:Shape.Scale, shape.go:Shape.Area
		_ = n.String()
		_ = n.Title() // calls shape.go:Named.Title
	}
	return sum
}

func inspect(value any) float64 {
	if c, ok := value.(Circle); ok {
		return c.Grow().Area() // calls shape.go:Circle.Grow, shape.go:Circle.Area
	}
	switch v := value.(type) {
	case *Square:
		return v.Scale(2).Area() // calls shape.go:Square.Scale, shape.go:Shape.Area
	case Shape:
		return v.Area() // calls shape.go:Shape.Area
	case io.Closer:
		v.Close()
	case interface{ Title() string }:
		return float64(len(v.Title())) // calls :inspect.Title
	}
	return value.(Named).Area() // calls shape.go:Shape.Area
}

func write() {
	var w io.Writer = &sink{}
	w.Write(nil)
	s := &sink{}
	s.Write(nil)     // calls shape.go:sink.Write
	out := newSink() // calls shape.go:newSink
	out.Close()
	os.Stdout.Write(nil)
	var shape Shape = Circle{1}
	shape.Area()             // calls shape.go:Shape.Area
	shape.(*Square).String() // calls shape.go:Square.String
	Circle{2}.Area()         // calls shape.go:Circle.Area
	(&Square{3}).Area()      // calls shape.go:Square.Area
}
