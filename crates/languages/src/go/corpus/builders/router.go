package builders

import "strings"

type Router struct{ routes []*Route }

type Route struct{ path string }

func newRouter() *Router { return &Router{} }

func (r *Router) Handle(path string) *Route {
	route := &Route{path}
	r.routes = append(r.routes, route)
	return route
}

func (r *Router) Close() error { return nil }

func (r *Route) Name(name string) *Route    { return r }
func (r *Route) Methods(m ...string) *Route { return r }

type Query struct{ strings.Builder }

func (q *Query) String() string { return "q" }

// WriteString hides the method of the embedded builder.
func (q *Query) WriteString(s string) { q.Builder.WriteString(s) }

func Example() {
	server, err := New(WithAddr(":80"), WithRouter(func(r *Router) { // calls server.go:New, server.go:WithAddr, server.go:WithRouter
		r.Handle("/a"). // calls :Router.Handle
				Name("a").     // calls :Route.Name
				Methods("GET") // calls :Route.Methods
		r.routes[0].Name("b") // calls :Route.Name
	}))
	if err != nil {
		return
	}
	server.Close() // calls server.go:Server.Close
	server.inner.Close()
	server.router.Handle("/b") // calls :Router.Handle
	Must(New()).Close()        // calls server.go:Must, server.go:New, server.go:Server.Close
	q := &Query{}
	q.Reset()
	q.WriteString("a") // calls :Query.WriteString
}
