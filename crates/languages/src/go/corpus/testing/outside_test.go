package stack_test

import (
	"testing"

	stack "example.org/testing"
)

type fake struct{ *testing.T }

func (f fake) Errorf(string, ...any) {}

// The helper of this package is not the one of the package under test.
func helper(s *stack.Stack) int {
	n, _ := s.Pop() // calls stack.go:Stack.Pop
	return n
}

func TestOutside(t *testing.T) {
	s := stack.New(1, 2) // calls stack.go:New
	if helper(s) != 2 {  // calls :helper
		fake{t}.Errorf("no") // calls :fake.Errorf
		fake{t}.Fatal("no")
	}
}

func ExampleNew() {
	stack.New(1).Push(2) // calls stack.go:New, stack.go:Stack.Push
}
