package defined

import (
	"net/http"
	"sort"
	"time"
)

type Celsius float64

func (c Celsius) Fahrenheit() Fahrenheit { return Fahrenheit(c*9/5 + 32) }

type Fahrenheit float64

func (f Fahrenheit) Celsius() Celsius { return Celsius((f - 32) * 5 / 9) }

type Degree = Celsius

type Users []*User

type User struct{ name string }

func (u *User) Len() int { return len(u.name) }

func (u Users) Len() int           { return len(u) }
func (u Users) Less(a, b int) bool { return u[a].Len() < u[b].Len() } // calls :User.Len
func (u Users) Swap(a, b int)      { u[a], u[b] = u[b], u[a] }
func (u Users) Sorted() Users {
	sort.Sort(u)
	return u
}

type Table map[string]Users

func (t Table) Get(key string) Users { return t[key] }

type HandlerFunc func(name string) *User

func (f HandlerFunc) Serve(name string) *User { return f(name) }

type Handler interface{ Serve(name string) *User }

type Span time.Duration

func (s Span) Seconds() float64 { return time.Duration(s).Seconds() }

// Header has no methods of http.Header.
type Header http.Header

func (h Header) Get(key string) string { return http.Header(h).Get(key) }
