package interfaces

import (
	"fmt"
	"io"
)

type Shape interface {
	Area() float64
	Scale(by float64) Shape
}

type Named interface {
	Shape
	fmt.Stringer
	Title() string
}

type Circle struct{ r float64 }

func (c Circle) Area() float64          { return c.r * c.r }
func (c Circle) Scale(by float64) Shape { return Circle{c.r * by} }
func (c Circle) Grow() Circle           { return c }

type Square struct{ side float64 }

func (s *Square) Area() float64          { return s.side * s.side }
func (s *Square) Scale(by float64) Shape { return &Square{s.side * by} }
func (s *Square) Title() string          { return "square" }
func (s *Square) String() string         { return s.Title() } // calls :Square.Title

type sink struct{ n int }

func (s *sink) Write(p []byte) (int, error) {
	s.n += len(p)
	return len(p), nil
}

func (s *sink) Close() error { return nil }

func newSink() io.WriteCloser { return &sink{} }
