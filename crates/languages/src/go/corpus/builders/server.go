package builders

import (
	"net/http"
	"strings"
	"time"
)

type Option func(*Server)

type Server struct {
	addr    string
	timeout time.Duration
	inner   *http.Server
	router  *Router
}

func WithAddr(addr string) Option {
	return func(s *Server) { s.addr = addr }
}

func WithRouter(build func(*Router)) Option {
	return func(s *Server) {
		s.router = newRouter() // calls router.go:newRouter
		build(s.router)
	}
}

func New(options ...Option) (*Server, error) {
	s := &Server{inner: &http.Server{}}
	for _, option := range options {
		option(s)
	}
	return s, s.check() // calls :Server.check
}

func Must(s *Server, err error) *Server {
	if err != nil {
		panic(err)
	}
	return s
}

func (s *Server) check() error { return nil }

func (s *Server) Close() error {
	s.inner.Close()
	return s.router.Close() // calls router.go:Router.Close
}

func text() string {
	var b strings.Builder
	b.WriteString("a")
	b.Reset()
	q := Query{}
	q.WriteString("b")             // calls router.go:Query.WriteString
	return b.String() + q.String() // calls router.go:Query.String
}
