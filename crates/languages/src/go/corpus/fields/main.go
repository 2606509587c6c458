package main

import (
	"net/http"
	"strings"
)

type Request struct {
	header http.Header
	user   *User
	parent *Request
}

func (r *Request) Get(key string) string { return r.header.Get(key) }
func (r *Request) User() *User           { return r.user }

type User struct {
	Name  string
	roles map[string][]Role
	main  struct{ role Role }
}

type Role struct{ name string }

func (r Role) Allows(what string) bool { return r.name == what }

type Handler func(*Request) error

type Command struct {
	Use string
	Run func(r *Request) error
	Sub []*Command
}

func (c *Command) Add(sub *Command) { c.Sub = append(c.Sub, sub) }

// Execute calls what a field holds.
func (c *Command) Execute(r *Request) error { return c.Run(r) } // calls :Command.Run

func Run(r *Request) error { return nil }

func list(r *Request) error { return nil }

var commands = map[string]Handler{
	"list": list,
	"run":  func(r *Request) error { return Run(r) }, // calls :Run
}

func main() {
	root := &Command{Use: "root", Run: Run}
	root.Add(&Command{Run: func(r *Request) error { // calls :Command.Add
		return list(r) // calls :list
	}})
	r := &Request{}
	root.Run(r)            // calls :Command.Run
	root.Sub[0].Run(r)     // calls :Command.Run
	root.Sub[0].Execute(r) // calls :Command.Execute
	commands["list"](r)
	if handler, ok := commands["run"]; ok {
		handler(r)
	}
	r.parent.parent.Get("a") // calls :Request.Get
	r.header.Get("a")
	r.user.roles["a"][0].Allows("x") // calls :Role.Allows
	r.User().main.role.Allows("y")   // calls :Request.User, :Role.Allows
	for name, roles := range r.user.roles {
		strings.ToLower(name)
		for i := range roles {
			roles[i].Allows("z") // calls :Role.Allows
		}
	}
	inline := struct {
		role Role
		run  func() Role
	}{run: func() Role { return Role{} }}
	inline.run().Allows("a") // calls :Role.Allows, :main.run
	inline.role.Allows("b")  // calls :Role.Allows
}
