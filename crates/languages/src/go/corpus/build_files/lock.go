package build

type Lock struct{ path string }

// Take leads to the files that a Linux build without tags takes.
func Take(path string) *Lock {
	lock := open(path) // calls lock_unix.go:open
	lock.acquire()     // calls lock_unix.go:Lock.acquire
	lock.Touch()       // calls :Lock.Touch
	return lock
}

func (l *Lock) Touch() {
	debug("touch") // calls debug_off.go:debug
}
