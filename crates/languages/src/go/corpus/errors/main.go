package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

type NotFound struct {
	key   string
	cause error
}

func (n *NotFound) Error() string { return "no " + n.Key() } // calls :NotFound.Key
func (n *NotFound) Unwrap() error { return n.cause }
func (n *NotFound) Key() string   { return n.key }

type Temporary interface {
	error
	Temporary() bool
}

var ErrClosed = newError("closed") // calls :newError

func newError(text string) error { return errors.New(text) }

// New is not errors.New.
func New(key string) *NotFound { return &NotFound{key: key} }

func load(key string) (value string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("load: %w", toError(r)) // calls :toError
		}
	}()
	if key == "" {
		return "", New(key) // calls :New
	}
	file, err := os.Open(key)
	if err != nil {
		return "", err
	}
	defer file.Close()
	return key, nil
}

func toError(r any) error {
	if err, ok := r.(error); ok {
		return err
	}
	return errors.New("panic")
}

func handle(err error) string {
	var missing *NotFound
	if errors.As(err, &missing) {
		return missing.Key() // calls :NotFound.Key
	}
	var temporary Temporary
	if errors.As(err, &temporary) && temporary.Temporary() { // calls :Temporary.Temporary
		return temporary.Error()
	}
	if nf, ok := errors.Unwrap(err).(*NotFound); ok {
		return nf.Error() // calls :NotFound.Error
	}
	if errors.Is(err, io.EOF) || errors.Is(err, ErrClosed) {
		return "end"
	}
	switch e := err.(type) {
	case nil:
		return ""
	case *NotFound:
		return e.Unwrap().Error() // calls :NotFound.Unwrap
	case *os.PathError:
		return e.Unwrap().Error()
	}
	return err.Error()
}

func main() {
	if _, err := load("a"); err != nil { // calls :load
		fmt.Println(handle(err)) // calls :handle
	}
	if err := New("b"); err.Key() != "" { // calls :New, :NotFound.Key
		panic(err.Error()) // calls :NotFound.Error
	}
	errors.New("c").Error()
}
