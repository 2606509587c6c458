package main

import (
	"fmt"

	"example.org/visitors/ast"
)

type printer struct {
	depth int
	ast.Visitor
}

func (p printer) Visit(node ast.Node) ast.Visitor {
	if node == nil {
		return p.Visitor.Visit(node) // calls ast/ast.go:Visitor.Visit
	}
	fmt.Println(p.indent(), node.Pos()) // calls :printer.indent, ast/ast.go:Node.Pos
	return printer{depth: p.depth + 1}
}

func (p printer) indent() string { return "" }

// Walk is not the one of the package.
func Walk(node ast.Node) {}

func main() {
	call := &ast.Call{Fun: &ast.Ident{Name: "f"}}
	ast.Walk(printer{}, call)                    // calls ast/ast.go:Walk
	Walk(call)                                   // calls :Walk
	ast.Inspect(call, func(node ast.Node) bool { // calls ast/ast.go:Inspect
		if id, ok := node.(*ast.Ident); ok && id.IsExported() { // calls ast/ast.go:Ident.IsExported
			return id.Pos() > call.Pos() // calls ast/ast.go:base.Pos, ast/ast.go:Call.Pos
		}
		return call.Fun.Pos() > 0 // calls ast/ast.go:Node.Pos
	})
	var v ast.Visitor = printer{}
	v.Visit(call).Visit(call)        // calls ast/ast.go:Visitor.Visit
	v.(printer).indent()             // calls :printer.indent
	printer{}.Visit(call).Visit(nil) // calls :printer.Visit, ast/ast.go:Visitor.Visit
}
