package value

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Constants are what the code compares a parameter with where it reads it: at places of the form file:line, from the root of
// a module. What is read into a variable is followed within its function, what is read into a field of another struct in its package, and what a function
// of the module is called with in that. The texts are without their quotes. A test that compares it with one text only holds
// a default; with several it says what there is. names are what the parameter is called, as batch.overflow and RATE_KEY: of several values that functions
// on one line are called with, it is the one of that name.
func Constants(module string, sites []string, names ...string) []string {
	out, _, _ := compared(module, sites, names)
	return out
}

// Open tells whether the code compares it with more there than [Constants] knows: with what another module has a name for, or with a list that is added to.
func Open(module string, sites []string, names ...string) bool {
	_, open, _ := compared(module, sites, names)
	return open
}

// Away tells whether it is handed on there to code that is not the module's own, but for what only writes it: that may know more words.
func Away(module string, sites []string, names ...string) bool {
	_, _, away := compared(module, sites, names)
	return away
}

func compared(module string, sites, names []string) (out []string, open, away bool) {
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
		folder := filepath.Dir(filepath.Join(module, file))
		c := comparing{module: module, in: f, set: set, line: line, called: names, sources: sync.OnceValue(func() []*ast.File { return sources(folder) })}
		for _, d := range f.Decls {
			if set.Position(d.Pos()).Line <= line && line <= set.Position(d.End()).Line {
				ast.Inspect(d, c.names)
				ast.Inspect(d, c.compared)
				c.followed(d, folder)
			}
		}
		c.handedOn(folder)
		open, away = open || c.open, away || c.away && !strings.HasSuffix(file, "_test.go") // what a test does with it is no use of it
		slices.Sort(c.constants)
		if c.constants = slices.Compact(c.constants); len(c.constants) > 1 || !strings.HasSuffix(file, "_test.go") {
			out = append(out, c.constants...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), open, away
}

// Unknown tells whether one value is among several words, and another one is not. Values are texts, or such in JSON.
func Unknown(old, now string, words []string) bool {
	among := func(v string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, strings.TrimSpace(Bare(v))) })
	}
	return len(words) > 1 && among(old) && !among(now)
}

// Recased tells whether a value is one of several words, or of one, in other capitals than before. A program may mind these.
func Recased(old, now string, words []string) bool {
	old, now = Bare(old), strings.TrimSpace(Bare(now))
	return old != now && strings.EqualFold(old, now) && slices.Contains(words, old) && !slices.Contains(words, now)
}

// Bare is a text in JSON as it is; anything else is itself.
func Bare(v string) string {
	var text string
	if json.Unmarshal([]byte(v), &text) == nil {
		return text
	}
	return v
}

// comparing looks for constants in one function.
type comparing struct {
	module    string
	in        *ast.File // whose names of packages are meant
	set       *token.FileSet
	sources   func() []*ast.File    // of the package
	named     map[string]string     // the constants of the package; nil before the first is asked for
	imported  map[string]*comparing // other packages of the module by their names in the file
	line      int
	variables []string // what is assigned on the line
	fields    []string // of structs, which have the parameter from there
	elsewhere bool     // in another function, where only those are known
	called    []string // names of the parameter
	depth     int      // how many functions it has come through
	constants []string
	open      bool // it is compared with more than these
	away      bool // it is handed on to code that is not the module's
}

func (c *comparing) here(e ast.Node) bool {
	return c.set.Position(e.Pos()).Line <= c.line && c.line <= c.set.Position(e.End()).Line
}

// names collects the variables and the fields that the parameter is read into.
func (c *comparing) names(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if !c.here(n) || len(n.Lhs) != 1 {
			break
		}
		if _, literal := n.Rhs[0].(*ast.BasicLit); literal { // as of what counts up to it
			break
		}
		switch to := n.Lhs[0].(type) {
		case *ast.Ident:
			if to.Name != "_" {
				c.variables = append(c.variables, to.Name)
			}
		case *ast.SelectorExpr:
			c.fields = append(c.fields, to.Sel.Name)
		}
	case *ast.CompositeLit: // of another module
		if of, is := n.Type.(*ast.SelectorExpr); is && c.in != nil && c.here(n) {
			name, _ := of.X.(*ast.Ident)
			c.away = c.away || name != nil && below(c.module, imported(c.in, name.Name)) == "" && slices.ContainsFunc(n.Elts, func(e ast.Expr) bool {
				pair, is := e.(*ast.KeyValueExpr)
				return is && c.set.Position(pair.Pos()).Line == c.line && !literally(pair.Value)
			})
		}
	case *ast.KeyValueExpr:
		key, is := n.Key.(*ast.Ident)
		if _, read := n.Value.(*ast.SelectorExpr); is && read && c.here(n) {
			c.fields = append(c.fields, key.Name)
		}
	}
	return true
}

// literally tells whether an expression is a figure or a text as it is.
func literally(e ast.Expr) bool {
	_, is := ast.Unparen(e).(*ast.BasicLit)
	return is
}

// handedOn looks for what the fields are compared with that have the parameter from here, and whether they go on to other code.
func (c *comparing) handedOn(folder string) {
	if len(c.fields) == 0 {
		return
	}
	for _, f := range c.sources() {
		there := comparing{module: c.module, in: f, sources: c.sources, fields: c.fields, elsewhere: true}
		ast.Inspect(f, there.compared)
		c.constants, c.open = append(c.constants, there.constants...), c.open || there.open
		further := comparing{module: c.module, in: f, sources: c.sources, fields: c.fields, elsewhere: true, depth: deepest - 1}
		further.followed(f, folder)
		c.away = c.away || further.away
	}
}

// about says whether an expression is the parameter.
func (c *comparing) about(e ast.Expr) bool {
	e = asWritten(e)
	if name, is := ast.Unparen(e).(*ast.Ident); is {
		return slices.Contains(c.variables, name.Name)
	}
	if c.elsewhere {
		of, is := ast.Unparen(e).(*ast.SelectorExpr)
		return is && slices.Contains(c.fields, of.Sel.Name)
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
				c.against(n.Y)
			}
			if c.about(n.Y) {
				c.against(n.X)
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
	case *ast.CallExpr: // slices.Contains(known, x), known.Has(x)
		f, is := n.Fun.(*ast.SelectorExpr)
		if is && len(n.Args) == 2 && c.about(n.Args[1]) && (f.Sel.Name == "Contains" || f.Sel.Name == "Index") {
			c.items(n.Args[0])
		}
	case *ast.RangeStmt: // a loop over what is known
		c.looped(n)
	}
	return true
}

// looped adds the items of a list if the loop over it compares each with the parameter.
func (c *comparing) looped(n *ast.RangeStmt) {
	list := n.X
	item, is := n.Value.(*ast.Ident)
	if !is {
		return
	}
	isItem := func(e ast.Expr) bool {
		id, is := ast.Unparen(e).(*ast.Ident)
		return is && id.Name == item.Name
	}
	ast.Inspect(n.Body, func(n ast.Node) bool {
		if b, is := n.(*ast.BinaryExpr); is && b.Op == token.EQL && (isItem(b.X) && c.about(b.Y) || isItem(b.Y) && c.about(b.X)) {
			c.items(list)
		}
		return true
	})
}

// written is what a variable of a package is given where it is declared, with what is known of that package; anything else is itself. Nil of one that is added to.
func (c *comparing) written(e ast.Expr) (ast.Expr, *comparing) {
	name, is := ast.Unparen(e).(*ast.Ident)
	if of, far := ast.Unparen(e).(*ast.SelectorExpr); far {
		if there := c.imports(of.X); there != nil {
			return there.written(of.Sel)
		}
	}
	if !is {
		return e, c
	}
	for _, f := range c.sources() {
		for _, d := range f.Decls {
			g, is := d.(*ast.GenDecl)
			if !is || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				spec := s.(*ast.ValueSpec)
				for i, n := range spec.Names {
					if n.Name != name.Name || i >= len(spec.Values) {
						continue
					}
					if c.addedTo(name.Name) {
						return nil, c
					}
					return spec.Values[i], &comparing{module: c.module, in: f, sources: c.sources, named: c.named}
				}
			}
		}
	}
	return e, c
}

// addedTo tells whether the package assigns to a variable, or to what is in it.
func (c *comparing) addedTo(name string) bool {
	found := false
	for _, f := range c.sources() {
		ast.Inspect(f, func(n ast.Node) bool {
			assigned, is := n.(*ast.AssignStmt)
			if !is {
				return true
			}
			for _, to := range assigned.Lhs {
				if of, indexed := to.(*ast.IndexExpr); indexed {
					to = of.X
				}
				id, is := to.(*ast.Ident)
				found = found || is && id.Name == name && assigned.Tok != token.DEFINE
			}
			return true
		})
	}
	return found
}

// imports is what is known of another package of the module, by its name in the file; nil if it is none.
func (c *comparing) imports(e ast.Expr) *comparing {
	name, is := e.(*ast.Ident)
	if !is || c.in == nil {
		return nil
	}
	if there, known := c.imported[name.Name]; known {
		return there
	}
	if c.imported == nil {
		c.imported = map[string]*comparing{}
	}
	c.imported[name.Name] = nil
	if folder := below(c.module, imported(c.in, name.Name)); folder != "" {
		c.imported[name.Name] = &comparing{module: c.module, sources: sync.OnceValue(func() []*ast.File { return sources(folder) })}
	}
	return c.imported[name.Name]
}

// items adds those of a list that is written out.
func (c *comparing) items(e ast.Expr) {
	e, of := c.written(e)
	list, is := e.(*ast.CompositeLit)
	if !is {
		c.open = true
		return
	}
	for _, item := range list.Elts {
		c.take(of, item)
	}
}

// keys adds those of a map that is written out.
func (c *comparing) keys(e ast.Expr) {
	e, of := c.written(e)
	m, is := e.(*ast.CompositeLit)
	if !is {
		c.open = true
		return
	}
	for _, item := range m.Elts {
		if pair, is := item.(*ast.KeyValueExpr); is {
			c.take(of, pair.Key)
		}
	}
}

func (c *comparing) add(e ast.Expr) { c.take(c, e) }

// against adds what the parameter is compared with alone: that it is compared with a variable says nothing of what there is.
func (c *comparing) against(e ast.Expr) {
	of, far := ast.Unparen(e).(*ast.SelectorExpr)
	if far {
		name, is := of.X.(*ast.Ident)
		far = is && c.in != nil && imported(c.in, name.Name) != ""
	}
	if _, is := c.word(e); is || far {
		c.add(e)
	}
}

// take adds a word that stands in a package.
func (c *comparing) take(of *comparing, e ast.Expr) {
	text, is := of.word(e)
	c.open = c.open || !is
	if text != "" {
		c.constants = append(c.constants, text)
	}
}

// word is the text of a constant, of this package or of another one of the module, or one that is written out, as it is or as a value of a type; false if it is not known.
func (c *comparing) word(e ast.Expr) (string, bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return literal(e), true
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			text := literal(e.Args[0])
			return text, text != ""
		}
	case *ast.Ident:
		if e.Name == "true" || e.Name == "false" || e.Name == "nil" {
			return "", true
		}
		if c.named == nil {
			c.named = constants(c.sources())
		}
		text, is := c.named[e.Name]
		return text, is
	case *ast.SelectorExpr:
		if there := c.imports(e.X); there != nil {
			return there.word(e.Sel)
		}
	}
	return "", false
}

// constants are the texts that have names in a package, by these: what is written out, as it is or as a value of a type, and other names of that.
func constants(files []*ast.File) map[string]string {
	out, others := map[string]string{}, map[string]string{}
	for _, f := range files {
		for _, d := range f.Decls {
			g, is := d.(*ast.GenDecl)
			if !is || g.Tok != token.CONST {
				continue
			}
			for _, s := range g.Specs {
				spec := s.(*ast.ValueSpec)
				for i, name := range spec.Names {
					if i >= len(spec.Values) {
						continue
					}
					value := ast.Unparen(spec.Values[i])
					if call, is := value.(*ast.CallExpr); is && len(call.Args) == 1 {
						value = ast.Unparen(call.Args[0])
					}
					switch value := value.(type) {
					case *ast.BasicLit:
						out[name.Name] = literal(value)
					case *ast.Ident:
						others[name.Name] = value.Name
					}
				}
			}
		}
	}
	for name, of := range others {
		if text, is := out[of]; is {
			out[name] = text
		}
	}
	return out
}

// sources are the files of a package, without its tests.
func sources(folder string) []*ast.File {
	var out []*ast.File
	files, _ := filepath.Glob(filepath.Join(folder, "*.go")) // the pattern is well-formed
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err == nil && !strings.HasSuffix(file, "_test.go") {
			out = append(out, f)
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
