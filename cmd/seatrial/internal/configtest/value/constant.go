package value

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Constants are what the code compares a parameter with where it reads it: at places of the form file:line, from the root of
// a module. What is read into a variable is followed within its function. The texts are without their quotes. A test that compares it with one text only holds
// a default; with several it says what there is.
func Constants(module string, sites []string) []string {
	var out []string
	for _, site := range sites {
		file, number, has := strings.Cut(site, ":")
		line, err := strconv.Atoi(number)
		if !has || err != nil || !filepath.IsLocal(file) {
			continue
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, filepath.Join(module, file), nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		c := comparing{set: set, line: line, folder: filepath.Dir(filepath.Join(module, file))}
		for _, d := range f.Decls {
			if set.Position(d.Pos()).Line <= line && line <= set.Position(d.End()).Line {
				ast.Inspect(d, c.names)
				ast.Inspect(d, c.compared)
			}
		}
		slices.Sort(c.constants)
		if c.constants = slices.Compact(c.constants); len(c.constants) > 1 || !strings.HasSuffix(file, "_test.go") {
			out = append(out, c.constants...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// comparing looks for constants in one function.
type comparing struct {
	set       *token.FileSet
	folder    string
	named     map[string]string // the constants of the package; nil before the first is asked for
	line      int
	variables []string // what is assigned on the line
	constants []string
}

func (c *comparing) here(e ast.Node) bool {
	return c.set.Position(e.Pos()).Line <= c.line && c.line <= c.set.Position(e.End()).Line
}

// names collects the variables that the parameter is read into.
func (c *comparing) names(n ast.Node) bool {
	if a, is := n.(*ast.AssignStmt); is && c.here(a) && len(a.Lhs) == 1 {
		if name, is := a.Lhs[0].(*ast.Ident); is && name.Name != "_" {
			c.variables = append(c.variables, name.Name)
		}
	}
	return true
}

// about says whether an expression is the parameter.
func (c *comparing) about(e ast.Expr) bool {
	if name, is := ast.Unparen(e).(*ast.Ident); is {
		return slices.Contains(c.variables, name.Name)
	}
	switch ast.Unparen(e).(type) {
	case *ast.SelectorExpr, *ast.CallExpr, *ast.StarExpr:
		return c.here(e)
	}
	return false
}

func (c *comparing) compared(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			if c.about(n.X) {
				c.add(n.Y)
			}
			if c.about(n.Y) {
				c.add(n.X)
			}
		}
	case *ast.SwitchStmt:
		if n.Tag == nil || !c.about(n.Tag) {
			return true
		}
		for _, s := range n.Body.List {
			if clause, is := s.(*ast.CaseClause); is {
				for _, e := range clause.List {
					c.add(e)
				}
			}
		}
	case *ast.IndexExpr: // a map from what is known
		if c.about(n.Index) {
			c.keys(n.X)
		}
	}
	return true
}

func (c *comparing) add(e ast.Expr) {
	if name, is := ast.Unparen(e).(*ast.Ident); is {
		if c.named == nil {
			c.named = constants(c.folder)
		}
		if text := c.named[name.Name]; text != "" {
			c.constants = append(c.constants, text)
		}
	}
	if text := literal(e); text != "" {
		c.constants = append(c.constants, text)
	}
}

// keys adds those of a map that is written out.
func (c *comparing) keys(e ast.Expr) {
	if m, is := e.(*ast.CompositeLit); is {
		for _, item := range m.Elts {
			if pair, is := item.(*ast.KeyValueExpr); is {
				c.add(pair.Key)
			}
		}
	}
}

// constants are the texts that have names in a package, by these.
func constants(folder string) map[string]string {
	out := map[string]string{}
	files, _ := filepath.Glob(filepath.Join(folder, "*.go")) // the pattern is well-formed
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil || strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, d := range f.Decls {
			if g, is := d.(*ast.GenDecl); is && g.Tok == token.CONST {
				for _, s := range g.Specs {
					spec := s.(*ast.ValueSpec)
					for i, name := range spec.Names {
						if i < len(spec.Values) {
							out[name.Name] = literal(spec.Values[i])
						}
					}
				}
			}
		}
	}
	return out
}

// literal is a text that is written out; empty for anything else.
func literal(e ast.Expr) string {
	if l, is := ast.Unparen(e).(*ast.BasicLit); is && l.Kind == token.STRING {
		if text, err := strconv.Unquote(l.Value); err == nil {
			return text
		}
	}
	return ""
}
