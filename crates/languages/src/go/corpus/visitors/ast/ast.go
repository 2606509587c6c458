package ast

type Visitor interface {
	Visit(node Node) (w Visitor)
}

type Node interface {
	Pos() int
	exprNode()
}

type base struct{ pos int }

func (b base) Pos() int  { return b.pos }
func (b base) exprNode() {}

type (
	Ident struct {
		base
		Name string
	}

	Call struct {
		base
		Fun  Node
		Args []Node
	}
)

func (c *Call) Pos() int { return c.Fun.Pos() } // calls :Node.Pos

func (i *Ident) IsExported() bool { return i.Pos() > 0 } // calls :base.Pos

// Walk calls itself for what a node holds.
func Walk(v Visitor, node Node) {
	if v = v.Visit(node); v == nil { // calls :Visitor.Visit
		return
	}
	switch n := node.(type) {
	case *Ident:
		n.IsExported() // calls :Ident.IsExported
	case *Call:
		Walk(v, n.Fun) // calls :Walk
		for _, arg := range n.Args {
			Walk(v, arg) // calls :Walk
		}
		n.exprNode() // calls :base.exprNode
	}
	v.Visit(nil) // calls :Visitor.Visit
}

type inspector func(Node) bool

func (f inspector) Visit(node Node) Visitor {
	if f(node) {
		return f
	}
	return nil
}

func Inspect(node Node, f func(Node) bool) {
	Walk(inspector(f), node) // calls :Walk
}
