package source

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
)

// Constants are what the code compares a parameter with where it reads it: at places of the form file:line, from the
// root of the module. What is read into a variable is followed within its function, what is read into a field of
// another struct in its package, and what a function of the module is called with in that. The texts are without their
// quotes. A test that compares it with one text only holds a default; with several it says what there is. names are
// what the parameter is called, as batch.overflow and RATE_KEY: of several values that functions on one line are called
// with, it is the one of that name.
func (m *Module) Constants(sites []string, names ...string) []string {
	out, _, _ := m.compared(sites, names)
	return out
}

// Open tells whether the code compares it with more there than [Module.Constants] knows: with what another module has a
// name for, or with a list that is added to.
func (m *Module) Open(sites []string, names ...string) bool {
	_, open, _ := m.compared(sites, names)
	return open
}

// Away tells whether it is handed on there to code that is not the module's own, but for what only writes it: that may
// know more words.
func (m *Module) Away(sites []string, names ...string) bool {
	_, _, away := m.compared(sites, names)
	return away
}

func (m *Module) compared(sites, names []string) (out []string, open, away bool) {
	for p := range m.sites(sites) {
		if p.in == nil {
			continue
		}
		c := p.comparing(names)
		for d := range p.declared() {
			ast.Inspect(d, c.names)
			ast.Inspect(d, c.compared)
			c.followed(d)
		}
		c.handedOn()
		open, away = open || c.open, away || c.away && !isTest(p.file) // what a test does with it is no use of it
		slices.Sort(c.constants)
		if c.constants = slices.Compact(c.constants); len(c.constants) > 1 || !isTest(p.file) {
			out = append(out, c.constants...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), open, away
}

// handedOn looks for what the fields are compared with that have the parameter from here, and whether they go on to
// other code.
func (c *comparing) handedOn() {
	if len(c.fields) == 0 {
		return
	}
	for _, f := range c.sources() {
		there := comparing{site: c.of(f), folder: c.folder, fields: c.fields, elsewhere: true}
		ast.Inspect(f, there.compared)
		c.constants, c.open = append(c.constants, there.constants...), c.open || there.open
		further := comparing{site: c.of(f), folder: c.folder, fields: c.fields, elsewhere: true, depth: deepest - 1}
		further.followed(f)
		c.away = c.away || further.away
	}
}

func (c *comparing) compared(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			for _, s := range sides(n) {
				if c.about(s.of) {
					c.against(s.with)
				}
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
		if b, is := n.(*ast.BinaryExpr); is && b.Op == token.EQL && slices.ContainsFunc(sides(b), func(s side) bool { return isItem(s.of) && c.about(s.with) }) {
			c.items(list)
		}
		return true
	})
}

// written is what a variable of a package is given where it is declared, with what is known of that package; anything
// else is itself. Nil of one that is added to.
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
					return spec.Values[i], &comparing{site: c.of(f), folder: c.folder}
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
	folder := c.module.below(imported(c.in, name.Name))
	if folder == "" {
		return nil
	}
	return &comparing{site: c.of(nil), folder: folder}
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

// against adds what the parameter is compared with alone: that it is compared with a variable says nothing of what
// there is.
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

// word is the text of a constant, of this package or of another one of the module, or one that is written out, as it is
// or as a value of a type; false if it is not known.
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
		if c.folder == "" {
			return "", false
		}
		text, is := c.module.constantsOf(c.folder)[e.Name]
		return text, is
	case *ast.SelectorExpr:
		if there := c.imports(e.X); there != nil {
			return there.word(e.Sel)
		}
	}
	return "", false
}

// constantsOf are the texts that have names in the package of a folder, by these.
func (m *Module) constantsOf(folder string) map[string]string {
	return m.constants.get(folder, func(folder string) map[string]string { return constants(m.program(folder)) })
}

// constants are the texts that have names in a package, by these: what is written out, as it is or as a value of a
// type, and other names of that.
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
	for name := range others {
		if text, is := follow(name, others, out); is {
			out[name] = text
		}
	}
	return out
}

// follow is the text of a name that is another name of one, through as many as there are; false if it has none.
func follow(name string, others, texts map[string]string) (string, bool) {
	for range len(others) {
		if text, is := texts[others[name]]; is {
			return text, true
		}
		name = others[name]
	}
	return "", false
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
