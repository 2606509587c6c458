// Command calltruth prints, for every call site of a Go repository, what the type checker says it
// calls: one JSON object a line.
//
// Usage: calltruth DIR > truth.jsonl
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"sort"
)

// site is one line of the output.
type site struct {
	File       string `json:"file"`
	Line       int    `json:"line"`
	Column     int    `json:"column"`
	Name       string `json:"name"`
	TargetFile string `json:"target_file,omitempty"`
	TargetLine int    `json:"target_line,omitempty"`
	Kind       string `json:"kind,omitempty"`
	External   string `json:"external,omitempty"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: calltruth DIR")
		os.Exit(1)
	}
	root, err := filepath.Abs(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	l := newLoader(root)
	if err := l.load(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	sites := l.allSites()
	sort.Slice(sites, func(i, j int) bool {
		a, b := sites[i], sites[j]
		if a.File != b.File {
			return a.File < b.File
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Column < b.Column
	})
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	for _, s := range sites {
		_ = encoder.Encode(s)
	}
	_ = out.Flush()
	fmt.Fprintf(os.Stderr, "%d sites, %d type errors passed over\n", len(sites), l.errors)
}

func (l *loader) allSites() []site {
	var sites []site
	for _, dir := range l.dirs {
		if files := append(append([]*ast.File{}, dir.plain...), dir.test...); len(files) > 0 {
			sites = append(sites, l.sites(dir.importPath, files)...)
		}
		if len(dir.external) > 0 {
			sites = append(sites, l.sites(dir.importPath+"_test", dir.external)...)
		}
	}
	return sites
}

// sites checks a package with its tests and reads the call sites of its files.
func (l *loader) sites(importPath string, files []*ast.File) []site {
	info := &types.Info{
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Types:      map[ast.Expr]types.TypeAndValue{},
	}
	_, _ = l.check(importPath, files, info)
	var sites []site
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if s, ok := l.site(info, call); ok {
					sites = append(sites, s)
				}
			}
			return true
		})
	}
	return sites
}

// site says what a call expression calls; false where nothing certain is known.
func (l *loader) site(info *types.Info, call *ast.CallExpr) (site, bool) {
	fun := unparen(call.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	if info.Types[fun].IsType() {
		return site{}, false
	}
	var name *ast.Ident
	switch f := unparen(fun).(type) {
	case *ast.Ident:
		name = f
	case *ast.SelectorExpr:
		name = f.Sel
	default:
		return site{}, false
	}
	at := l.fset.Position(name.Pos())
	s := site{File: l.relative(at.Filename), Line: at.Line, Column: at.Column - 1, Name: name.Name}
	switch object := info.Uses[name].(type) {
	case *types.Builtin:
		s.External = "builtin." + name.Name
	case *types.Func:
		return l.target(s, object.Origin(), "function")
	case *types.Var:
		return l.target(s, object.Origin(), "value")
	case nil:
		pkg := l.importedPackage(info, fun)
		if pkg == nil || l.byPath[pkg.Path()] != nil {
			return site{}, false
		}
		s.External = pkg.Path() + "." + name.Name
	default:
		return site{}, false
	}
	return s, true
}

// unparen takes parentheses off.
func unparen(e ast.Expr) ast.Expr {
	for {
		p, ok := e.(*ast.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}

// importedPackage is the package p of a selector p.Name.
func (l *loader) importedPackage(info *types.Info, fun ast.Expr) *types.Package {
	selector, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	left, ok := selector.X.(*ast.Ident)
	if !ok {
		return nil
	}
	if name, ok := info.Uses[left].(*types.PkgName); ok {
		return name.Imported()
	}
	return nil
}

func (l *loader) target(s site, object types.Object, kind string) (site, bool) {
	at := l.fset.Position(object.Pos())
	file := l.relative(at.Filename)
	if !at.IsValid() || file == "" {
		if object.Pkg() == nil {
			s.External = "builtin." + object.Name()
		} else {
			s.External = object.Pkg().Path() + "." + object.Name()
		}
		return s, true
	}
	s.TargetFile, s.TargetLine, s.Kind = file, at.Line, kind
	return s, true
}

// relative is the path below the root with forward slashes; empty for files outside.
func (l *loader) relative(name string) string {
	below, err := filepath.Rel(l.root, name)
	if err != nil || below == ".." || len(below) > 2 && below[:3] == "../" {
		return ""
	}
	return filepath.ToSlash(below)
}
