package stack

type Stack struct{ items []int }

func New(items ...int) *Stack { return &Stack{items} }

func (s *Stack) Push(n int) { s.items = append(s.items, n) }

func (s *Stack) Pop() (int, bool) {
	if s.empty() { // calls :Stack.empty
		return 0, false
	}
	n := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return n, true
}

func (s *Stack) empty() bool { return len(s.items) == 0 }

// Run has the name of a method of testing.T.
func (s *Stack) Run() {}
