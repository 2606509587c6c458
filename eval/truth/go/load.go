package main

import (
	"bufio"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
)

// dirFiles are the parsed Go files of one directory, split the way the go command splits them.
type dirFiles struct {
	importPath string
	plain      []*ast.File
	test       []*ast.File
	external   []*ast.File
}

// loader type-checks a repository without its dependencies.
type loader struct {
	root    string
	fset    *token.FileSet
	dirs    []*dirFiles
	byPath  map[string]*dirFiles
	checked map[string]*types.Package
	running map[string]bool
	std     types.Importer
	fakes   map[string]*types.Package
	errors  int
}

func newLoader(root string) *loader {
	fset := token.NewFileSet()
	return &loader{
		root:    root,
		fset:    fset,
		byPath:  map[string]*dirFiles{},
		checked: map[string]*types.Package{},
		running: map[string]bool{},
		std:     importer.ForCompiler(fset, "source", nil),
		fakes:   map[string]*types.Package{},
	}
}

// modulePath reads the module line of a go.mod file; empty if there is none.
func modulePath(file string) string {
	in, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) >= 2 && words[0] == "module" {
			return strings.Trim(words[1], `"`)
		}
	}
	return ""
}

// load parses every package of every module below the root.
func (l *loader) load() error {
	modules := map[string]string{}
	return filepath.WalkDir(l.root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil
		}
		name := d.Name()
		if p != l.root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
			name == "vendor" || name == "testdata" || name == "node_modules") {
			return filepath.SkipDir
		}
		importPath := modulePath(filepath.Join(p, "go.mod"))
		if importPath == "" {
			if up, ok := modules[filepath.Dir(p)]; ok && p != l.root {
				importPath = path.Join(up, name)
			} else {
				importPath = "repository"
			}
		}
		modules[p] = importPath
		l.loadDir(p, importPath)
		return nil
	})
}

func (l *loader) loadDir(dir, importPath string) {
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	sort.Strings(names)
	files := &dirFiles{importPath: importPath}
	for _, name := range names {
		base := filepath.Base(name)
		if ok, err := build.Default.MatchFile(dir, base); err != nil || !ok {
			continue
		}
		file, _ := parser.ParseFile(l.fset, name, nil, parser.SkipObjectResolution)
		if file == nil {
			continue
		}
		switch {
		case !strings.HasSuffix(base, "_test.go"):
			files.plain = append(files.plain, file)
		case strings.HasSuffix(file.Name.Name, "_test"):
			files.external = append(files.external, file)
		default:
			files.test = append(files.test, file)
		}
	}
	if len(files.plain)+len(files.test)+len(files.external) > 0 {
		l.dirs = append(l.dirs, files)
		l.byPath[importPath] = files
	}
}

// Import implements types.Importer: packages of the repository from their sources, the standard
// library from its own, and an empty package for whatever is not there.
func (l *loader) Import(importPath string) (*types.Package, error) {
	if importPath == "unsafe" {
		return types.Unsafe, nil
	}
	if done := l.checked[importPath]; done != nil {
		return done, nil
	}
	if files := l.byPath[importPath]; files != nil && !l.running[importPath] {
		l.running[importPath] = true
		done, _ := l.check(importPath, files.plain, nil)
		l.checked[importPath] = done
		return done, nil
	}
	if !strings.Contains(strings.SplitN(importPath, "/", 2)[0], ".") {
		if pkg, err := l.std.Import(importPath); err == nil && pkg != nil {
			return pkg, nil
		}
	}
	return l.fake(importPath), nil
}

// fake is a package of which nothing is known but its path.
func (l *loader) fake(importPath string) *types.Package {
	if pkg := l.fakes[importPath]; pkg != nil {
		return pkg
	}
	parts := strings.Split(importPath, "/")
	name := parts[len(parts)-1]
	if len(parts) > 1 && len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = parts[len(parts)-2]
	}
	if at := strings.Index(name, ".v"); at > 0 {
		name = name[:at]
	}
	name = strings.TrimPrefix(strings.TrimSuffix(name, "-go"), "go-")
	pkg := types.NewPackage(importPath, strings.ReplaceAll(name, "-", "_"))
	pkg.MarkComplete()
	l.fakes[importPath] = pkg
	return pkg
}

// check type-checks files as one package and goes on after errors.
func (l *loader) check(importPath string, files []*ast.File, info *types.Info) (*types.Package, error) {
	config := types.Config{
		Importer:    l,
		FakeImportC: true,
		Error:       func(error) { l.errors++ },
	}
	return config.Check(importPath, l.fset, files, info)
}
