package stack

import "testing"

func helper(t *testing.T, items ...int) *Stack {
	t.Helper()
	s := New(items...)            // calls stack.go:New
	t.Cleanup(func() { s.Run() }) // calls stack.go:Stack.Run
	return s
}

func TestPop(t *testing.T) {
	tests := []struct {
		name  string
		stack *Stack
		check func(*Stack) bool
		want  int
	}{
		{name: "one", stack: helper(t, 1), want: 1},                                   // calls :helper
		{name: "none", stack: New(), check: func(s *Stack) bool { return s.empty() }}, // calls stack.go:New, stack.go:Stack.empty
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := tt.stack.Pop() // calls stack.go:Stack.Pop
			if !ok || got != tt.want {
				t.Errorf("got %d", got)
			}
			if tt.check != nil {
				tt.check(tt.stack) // calls :TestPop.check
			}
		})
	}
}

func BenchmarkPush(b *testing.B) {
	s := New() // calls stack.go:New
	for i := 0; i < b.N; i++ {
		s.Push(i) // calls stack.go:Stack.Push
	}
	b.Run("x", func(b *testing.B) { s.Run() }) // calls stack.go:Stack.Run
}
