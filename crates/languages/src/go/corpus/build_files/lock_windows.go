package build

func open(path string) *Lock {
	clean(path) // calls :clean
	return &Lock{path}
}

func clean(path string) {}

func (l *Lock) acquire() {
	open(l.path).Touch() // calls :open, lock.go:Lock.Touch
}
