package pluscal

import "github.com/seatrial/seatrial/spec/syntax"

// statements reads statements up to what closes them, at least one.
func (p *parser) statements() []*statement {
	var code []*statement
	for {
		code = append(code, p.labelled()...)
		if !p.Take(";") {
			break
		}
		if p.Is("}") || p.word("end") || p.word("else") || p.word("elsif") || p.word("or") || p.Peek().Kind == syntax.End {
			break
		}
	}
	return code
}

// deeper counts how deep statements are nested.
func (p *parser) deeper() {
	if p.depth++; p.depth > deepest {
		fail(p.Peek().At, "statements are nested deeper than %d here", deepest)
	}
}

// labelled reads a statement with the label that it may have. In braces it may be several.
func (p *parser) labelled() []*statement {
	p.deeper()
	defer func() { p.depth-- }()
	t, next := p.Peek(), p.PeekAt(1)
	label, modifier := "", byte(0)
	if t.Kind == syntax.Word && !reserved[t.Text] && next.Kind == syntax.Mark && next.Text == ":" {
		if t.Text == "Done" || t.Text == "Error" {
			fail(t.At, "%s is no name for a label: it is what pc is at an end", t.Text)
		}
		p.Next()
		p.Next()
		label = t.Text
		if p.Is("+") || p.Is("-") {
			modifier = p.Next().Text[0]
		}
	}
	var code []*statement
	if p.braces && p.Take("{") {
		code = p.statements()
		p.expect("}", "after these statements")
	} else {
		code = []*statement{{at: p.Peek().At}}
		p.statement(code[0])
	}
	if label != "" {
		if code[0].label != "" {
			fail(code[0].labelAt, "this statement has two labels: take one out")
		}
		code[0].label, code[0].labelAt, code[0].modifier = label, t.At, modifier
	}
	return code
}

// statement reads what a statement does.
func (p *parser) statement(s *statement) {
	t := p.Peek()
	if t.Kind != syntax.Word {
		p.unexpected("a statement is expected")
	}
	if !reserved[t.Text] {
		if next := p.PeekAt(1); next.Kind == syntax.Mark && next.Text == "(" {
			name := p.name("a macro")
			s.do = macroCall{name, list(p, p.expression)}
			return
		}
		s.do = p.assignment()
		return
	}
	p.Next()
	switch t.Text {
	case "skip":
		s.do = skip{}
	case "return":
		s.do = returning{}
	case "goto":
		s.do = jump{p.name("a label").Text}
	case "await", "when":
		s.do = await{p.expression()}
	case "assert":
		s.do = assertion{p.expression()}
	case "print":
		s.do = printing{p.expression()}
	case "call":
		name := p.name("a procedure")
		s.do = call{name, list(p, p.expression)}
	case "if":
		s.do = p.branching()
	case "either":
		s.do = p.choice()
	case "while":
		l := loop{condition: p.condition()}
		l.code = p.nested("do", "while")
		s.do = l
	case "with":
		s.do = p.with()
	default:
		fail(t.At, "unexpected %s; a statement is expected", t.Text)
	}
}

// condition reads what is asked in if and while.
func (p *parser) condition() syntax.Expr {
	if !p.braces {
		return p.expression()
	}
	p.expect("(", "before the condition")
	e := p.expression()
	p.expect(")", "after the condition")
	return e
}

// nested reads the statements within a statement, up to its end.
func (p *parser) nested(begin, what string) []*statement {
	if p.braces {
		return p.labelled()
	}
	p.expect(begin, "in "+what)
	code := p.statements()
	p.expect("end", "after the statements")
	p.expect(what, "after end")
	return code
}

// another takes a word that goes on with a statement, in braces also after a semicolon.
func (p *parser) another(word string) bool {
	if next := p.PeekAt(1); p.braces && p.Is(";") && next.Kind == syntax.Word && next.Text == word {
		p.Next()
	}
	return p.takeWord(word)
}

func (p *parser) branching() any {
	p.deeper()
	defer func() { p.depth-- }()
	b := branching{condition: p.condition()}
	if p.braces {
		b.then = p.labelled()
		if p.another("else") {
			b.or = p.labelled()
		}
		return b
	}
	p.expect("then", "after the condition")
	b.then = p.statements()
	at := p.Peek().At
	switch {
	case p.takeWord("elsif"):
		// What closes the inner one closes this one, too.
		b.or = []*statement{{at: at, do: p.branching()}}
		return b
	case p.takeWord("else"):
		b.or = p.statements()
	}
	p.expect("end", "after the statements")
	p.expect("if", "after end")
	return b
}

func (p *parser) choice() any {
	var c choice
	if p.braces {
		c.branches = append(c.branches, p.labelled())
		for p.another("or") {
			c.branches = append(c.branches, p.labelled())
		}
		return c
	}
	c.branches = append(c.branches, p.statements())
	for p.takeWord("or") {
		c.branches = append(c.branches, p.statements())
	}
	p.expect("end", "after the statements")
	p.expect("either", "after end")
	return c
}

// with reads several bindings as one within the other.
func (p *parser) with() any {
	parentheses := p.braces
	if parentheses {
		p.expect("(", "after with")
	}
	var all []with
	for {
		w := with{name: p.name("the name that is bound")}
		if !p.Take("=") {
			p.expect("\\in", "in with, or =")
			w.among = true
		}
		w.value = p.expression()
		all = append(all, w)
		if !p.Take(",") && !p.Take(";") || parentheses && p.Is(")") || p.word("do") {
			break
		}
	}
	if parentheses {
		p.expect(")", "after what is bound")
	}
	code := p.nested("do", "with")
	for i := len(all) - 1; ; i-- {
		all[i].code = code
		if i == 0 {
			return all[0]
		}
		code = []*statement{{at: all[i].name.At, do: all[i]}}
	}
}

func (p *parser) assignment() any {
	var a assignment
	for {
		t := target{name: p.name("a variable")}
		for !p.Is(":=") {
			switch {
			case p.Take("["):
				args := []syntax.Expr{p.Expression()}
				for p.Take(",") {
					args = append(args, p.Expression())
				}
				p.expect("]", "after an index")
				t.path = append(t.path, syntax.Step{Args: args})
			case p.Take("."):
				t.path = append(t.path, syntax.Step{Field: p.Next().Text})
			default:
				p.unexpected(":= is expected in an assignment")
			}
		}
		p.Next()
		t.value = p.expression()
		a.targets = append(a.targets, t)
		if !p.Take("||") {
			return a
		}
	}
}
