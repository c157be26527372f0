package source

import (
	"go/ast"
	"iter"
	"path/filepath"
	"strconv"
	"strings"
)

// place is a line of a file.
type place struct {
	module *Module
	file   string    // its path
	in     *ast.File // nil if it cannot be read
	line   int
}

// at is a place of the form file:line below a folder; false if it is none.
func (m *Module) at(folder, site string) (place, bool) {
	name, number, _ := strings.Cut(site, ":")
	line, err := strconv.Atoi(number)
	if err != nil || !filepath.IsLocal(name) {
		return place{}, false
	}
	path := filepath.Join(folder, name)
	return place{m, path, m.file(path), line}, true
}

// places are those of some sites, as [Module.Constants] has them, that are any.
func (m *Module) places(sites []string) iter.Seq[place] {
	return func(yield func(place) bool) {
		for _, site := range sites {
			if p, is := m.at(m.directory, site); is && !yield(p) {
				return
			}
		}
	}
}

// here tells whether something of the file is on the line.
func (p place) here(n ast.Node) bool {
	return p.module.lineOf(n.Pos()) <= p.line && p.line <= p.module.lineOf(n.End())
}

// begins tells whether it begins there.
func (p place) begins(n ast.Node) bool { return p.module.lineOf(n.Pos()) == p.line }

// declared are the declarations that are on the line.
func (p place) declared() iter.Seq[ast.Decl] {
	return func(yield func(ast.Decl) bool) {
		for _, d := range p.in.Decls {
			if p.here(d) && !yield(d) {
				return
			}
		}
	}
}
