//go:build unix

package build

import "syscall"

func open(path string) *Lock {
	fd, _ := syscall.Open(path, 0, 0)
	_ = clean(fd) // calls :clean
	return &Lock{path}
}

func clean(fd int) int { return fd }

func (l *Lock) acquire() {
	l.Touch() // calls lock.go:Lock.Touch
}
