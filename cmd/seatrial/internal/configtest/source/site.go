package source

import (
	"go/ast"
	"iter"
	"path/filepath"
	"strconv"
	"strings"
)

// site is a line of a file.
type site struct {
	module *Module
	file   string    // its path
	in     *ast.File // nil if it cannot be read
	line   int
}

// at is a site of the form file:line below a folder; false if it is none.
func (m *Module) at(folder, text string) (site, bool) {
	name, number, _ := strings.Cut(text, ":")
	line, err := strconv.Atoi(number)
	if err != nil || !filepath.IsLocal(name) {
		return site{}, false
	}
	path := filepath.Join(folder, name)
	return site{m, path, m.file(path), line}, true
}

// sites are those of some texts, as [Module.Constants] has them, that are any.
func (m *Module) sites(texts []string) iter.Seq[site] {
	return func(yield func(site) bool) {
		for _, text := range texts {
			if p, is := m.at(m.directory, text); is && !yield(p) {
				return
			}
		}
	}
}

// here tells whether something of the file is on the line.
func (p site) here(n ast.Node) bool {
	return p.module.lineOf(n.Pos()) <= p.line && p.line <= p.module.lineOf(n.End())
}

// begins tells whether it begins there.
func (p site) begins(n ast.Node) bool { return p.module.lineOf(n.Pos()) == p.line }

// declared are the declarations that are on the line.
func (p site) declared() iter.Seq[ast.Decl] {
	return func(yield func(ast.Decl) bool) {
		for _, d := range p.in.Decls {
			if p.here(d) && !yield(d) {
				return
			}
		}
	}
}
