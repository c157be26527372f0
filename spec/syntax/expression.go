package syntax

// deepest bounds how deep expressions may be nested, and longest how many operators may follow each other, which nests
// what is left of them: far above what people write and far below what the stack holds.
const (
	deepest = 10_000
	longest = 50_000
)

// ParseExpression reads a source that is one expression.
func ParseExpression(source *Source) (e Expr, err error) {
	defer Catch(&err)
	l := &lexer{source: source, text: source.Text, line: 1, column: 1}
	l.run()
	p := NewParser(l.tokens)
	e = p.Expression()
	if p.Peek().Kind != End {
		p.unexpected("the expression was over")
	}
	return e, nil
}

// Catch turns what a Parser panics with, an *Error, into an error. It is deferred.
func Catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Error:
		*err = r
	default:
		panic(r)
	}
}

// Expression reads the longest expression that begins here. What is wrong is a
// panic with an *Error.
func (p *Parser) Expression() Expr { return p.operation(nil, "") }

// limited returns the next token, or an End where the list that is read is over.
func (p *Parser) limited() Token {
	t := p.Peek()
	if len(p.limits) > 0 && t.At.Column <= p.limits[len(p.limits)-1] || p.Stop != nil && p.Stop(t) {
		t.Kind = End
	}
	return t
}

func (p *Parser) ends() bool { return p.limited().Kind == End }

// within reads something in brackets, where the columns of lists around it do not matter.
func within[T any](p *Parser, read func() T) T {
	limits, stop := p.limits, p.Stop
	p.limits, p.Stop = nil, nil
	v := read()
	p.limits, p.Stop = limits, stop
	return v
}

// operation reads operands and operators for as long as they bind tighter than
// outer, the operator before them, if there is one.
func (p *Parser) operation(outer *operator, name string) Expr {
	if p.depth++; p.depth > deepest {
		panic(Errorf(p.Peek().At, "expressions are nested deeper than %d here", deepest))
	}
	around := p.height
	defer func() { p.depth, p.height = p.depth-1, max(around, p.height) }()
	p.height = 0
	left := p.operand(outer, name)
	for {
		t := p.limited()
		if t.Kind != Mark {
			return left
		}
		op, ok := operators[t.Text]
		if !ok || op.fixity == prefix {
			return left
		}
		if outer != nil {
			switch {
			case op.low > outer.high:
			case outer.low > op.high || outer.fixity == prefix || t.Text == name && op.left:
				return left
			default:
				panic(Errorf(t.At, "%s after %s: which binds is not defined; put parentheses", t.Text, name))
			}
		}
		p.Next()
		p.higher(t)
		if op.fixity == postfix {
			left = &Apply{At: At{t.At}, Name: t.Text, Args: []Expr{left}, Infix: true}
			left = p.selections(left)
			continue
		}
		left = join(t, left, p.operation(&op, t.Text))
	}
}

// higher counts how high the tree of an expression is that grows by one more operator.
func (p *Parser) higher(t Token) {
	if p.height++; p.height > longest {
		panic(Errorf(t.At, "more than %d operators follow each other here", longest))
	}
}

// join makes the tree of an operator between two operands.
func join(t Token, left, right Expr) Expr {
	switch t.Text {
	case "/\\", "\\/":
		or := t.Text == "\\/"
		if j, ok := left.(*Junction); ok && j.Or == or {
			j.Items = append(j.Items, right)
			return j
		}
		return &Junction{At: At{left.Position()}, Or: or, Items: []Expr{left, right}}
	case "\\X":
		if product, ok := left.(*Product); ok {
			product.Sets = append(product.Sets, right)
			return product
		}
		return &Product{At: At{t.At}, Sets: []Expr{left, right}}
	}
	return &Apply{At: At{t.At}, Name: t.Text, Args: []Expr{left, right}, Infix: true}
}

// operand reads what stands between operators, with what selects from it. The operator before it, if there is one, is
// outer.
func (p *Parser) operand(outer *operator, before string) Expr {
	t := p.limited()
	if t.Kind == Mark {
		if op, ok := operators[prefixName(t.Text)]; ok && op.fixity == prefix {
			if t.Text == "-" && outer != nil && outer.fixity != prefix && outer.low > op.high {
				panic(Errorf(t.At, "- after %s: which binds is not defined; put parentheses", before))
			}
			p.Next()
			return p.prefixed(t, op)
		}
	}
	if t.Kind == Keyword {
		if op, ok := operators[t.Text]; ok {
			p.Next()
			return p.prefixed(t, op)
		}
	}
	return p.selections(p.primary())
}

func (p *Parser) prefixed(t Token, op operator) Expr {
	name := prefixName(t.Text)
	arg := p.operation(&op, name)
	if n, ok := arg.(*Number); ok && name == "-." && n.Text != "0" && n.Text[0] != '-' {
		return &Number{At: At{t.At}, Text: "-" + n.Text}
	}
	return &Apply{At: At{t.At}, Name: name, Args: []Expr{arg}, Infix: true}
}

// selections reads arguments in brackets and fields, which bind tighter than any operator.
func (p *Parser) selections(e Expr) Expr {
	for !p.ends() {
		switch at := p.Peek().At; {
		case p.Is("["):
			p.higher(p.Next())
			args := within(p, func() []Expr { return list(p, p.Expression) })
			p.expect("]", "after the argument of a function")
			e = &Index{At: At{at}, Function: e, Args: args}
		case p.Is(".") && (p.PeekAt(1).Kind == Word || p.PeekAt(1).Kind == Keyword):
			p.higher(p.Next())
			e = &Dot{At: At{at}, Record: e, Field: p.Next().Text}
		default:
			return e
		}
	}
	return e
}

func (p *Parser) primary() Expr {
	t := p.limited()
	at := At{t.At}
	switch t.Kind {
	case End:
		p.unexpected("an expression is expected")
	case Numeral:
		p.Next()
		return &Number{at, t.Text}
	case Text:
		p.Next()
		return &String{at, t.Text}
	case Word:
		return p.reference()
	case Keyword:
		return p.construct(t)
	}
	switch t.Text {
	case "(":
		p.Next()
		e := within(p, p.Expression)
		p.expect(")", "after an expression in parentheses")
		return parenthesised(e)
	case "{":
		p.Next()
		return within(p, func() Expr { return p.braces(at) })
	case "[":
		p.Next()
		return p.brackets(at)
	case "<<":
		p.Next()
		return p.angles(at)
	case "/\\", "\\/":
		return p.bullets(t)
	case "\\A", "\\E", "\\AA", "\\EE":
		p.Next()
		q := &Quantifier{At: at, Exists: t.Text[1] == 'E', Temporal: len(t.Text) == 3, Bounds: p.bounds(false)}
		p.expect(":", "after what is quantified")
		q.Body = p.Expression()
		return q
	case "WF_", "SF_":
		p.Next()
		f := &Fairness{At: at, Strong: t.Text == "SF_", Subscript: p.subscript(false)}
		p.expect("(", "after the subscript")
		f.Action = within(p, p.Expression)
		p.expect(")", "after the action")
		return f
	case "@":
		p.Next()
		return &Old{at}
	}
	p.unexpected("an expression is expected")
	return nil
}

// parenthesised keeps a product or a junction in parentheses from being joined with what follows.
func parenthesised(e Expr) Expr {
	switch e := e.(type) {
	case *Product:
		return &Parentheses{At: e.At, Body: e}
	case *Apply:
		if e.Name == "\\in" {
			return &Parentheses{At: e.At, Body: e}
		}
	}
	return e
}

// bullets reads a list of a column of /\ or \/.
func (p *Parser) bullets(t Token) Expr {
	j := &Junction{At: At{t.At}, Or: t.Text == "\\/"}
	for {
		next := p.limited()
		if next.Kind != Mark || next.Text != t.Text || next.At.Column != t.At.Column {
			break
		}
		p.Next()
		p.limits = append(p.limits, t.At.Column)
		j.Items = append(j.Items, p.Expression())
		p.limits = p.limits[:len(p.limits)-1]
	}
	if len(j.Items) == 1 {
		return j.Items[0]
	}
	return j
}

// reference reads a name with its arguments, and what it is qualified by.
func (p *Parser) reference() Expr {
	t := p.Next()
	at := At{t.At}
	switch {
	case t.Text == "TRUE" || t.Text == "FALSE":
		return &Boolean{at, t.Text == "TRUE"}
	case !p.ends() && p.Take("::"):
		return &Parentheses{At: at, Label: t.Text, Body: p.Expression()}
	}
	call := Call{At: t.At, Name: t.Text, Args: p.arguments()}
	if call.Args != nil && !p.ends() && p.Take("::") {
		return &Parentheses{At: at, Label: t.Text, Params: named(call.Args), Body: p.Expression()}
	}
	if p.ends() || !p.Is("!") {
		if call.Args == nil {
			return &Ident{at, t.Text}
		}
		return &Apply{At: at, Name: t.Text, Args: call.Args}
	}
	q := &Qualified{At: at}
	for !p.ends() && p.Take("!") {
		q.Prefix = append(q.Prefix, call)
		name := p.Next()
		switch {
		case name.Kind == Word, name.Kind == Numeral, name.Kind == Mark && (name.Text == ":" || Symbol(name.Text)):
		default:
			panic(Errorf(name.At, "a name is expected after !"))
		}
		call = Call{At: name.At, Name: name.Text, Args: p.arguments()}
	}
	q.Name, q.Args = call.Name, call.Args
	return q
}

// named are the names in the parentheses of a label.
func named(args []Expr) (names []Parameter) {
	for _, arg := range args {
		id, ok := arg.(*Ident)
		if !ok {
			panic(Errorf(arg.Position(), "a label has names in its parentheses, which are bound around it"))
		}
		names = append(names, Parameter{Name: Name{id.Place, id.Name}})
	}
	return names
}

// arguments reads (e, …), nil if there is none.
func (p *Parser) arguments() []Expr {
	if p.ends() || !p.Take("(") {
		return nil
	}
	args := within(p, func() []Expr { return list(p, p.argument) })
	p.expect(")", "after arguments")
	return args
}

// argument reads an expression, or an operator that is handed on: a symbol that nothing follows, or one with which no
// expression begins.
func (p *Parser) argument() Expr {
	t := p.Peek()
	op, symbol := operators[t.Text]
	begins := op.fixity == prefix || prefixName(t.Text) != t.Text || t.Text == "/\\" || t.Text == "\\/"
	if symbol && t.Kind != Text && (!begins || p.isAt(1, ",") || p.isAt(1, ")")) {
		p.Next()
		return &Ident{At{t.At}, t.Text}
	}
	return p.Expression()
}

// construct reads what begins with a word of the language.
func (p *Parser) construct(t Token) Expr {
	at := At{t.At}
	switch t.Text {
	case "IF":
		p.Next()
		e := &If{At: at, Test: p.Expression()}
		p.expect("THEN", "after the condition")
		e.Then = p.Expression()
		p.expect("ELSE", "after THEN")
		e.Else = p.Expression()
		return e
	case "CASE":
		p.Next()
		return p.cases(at)
	case "LET":
		p.Next()
		return p.let(at)
	case "CHOOSE":
		p.Next()
		b := p.bound(false)
		p.expect(":", "in CHOOSE")
		return &Choose{At: at, Bound: b, Body: p.Expression()}
	case "LAMBDA":
		p.Next()
		e := &Lambda{At: at, Params: list(p, p.parameter)}
		p.expect(":", "after the parameters")
		e.Body = p.Expression()
		return e
	}
	if soft[t.Text] {
		return p.reference()
	}
	p.unexpected("an expression is expected")
	return nil
}

func (p *Parser) cases(at At) Expr {
	c := &Case{At: at}
	for {
		if p.Take("OTHER") {
			p.expect("->", "after OTHER")
			c.Other = p.Expression()
			return c
		}
		arm := Arm{Test: p.Expression()}
		p.expect("->", "after a condition of CASE")
		arm.Value = p.Expression()
		c.Arms = append(c.Arms, arm)
		if p.ends() || !p.Take("[]") {
			return c
		}
	}
}

func (p *Parser) let(at At) Expr {
	l := &Let{At: at}
	limits := p.limits
	for !p.Is("IN") {
		switch {
		case p.Take("RECURSIVE"):
			l.Units = append(l.Units, &Recursive{list(p, p.parameter)})
		case p.Take("LOCAL"):
		default:
			l.Units = append(l.Units, p.definition(false))
		}
	}
	p.limits = limits
	p.Next()
	l.Body = p.Expression()
	return l
}

// bounds reads x, y \in S, <<a, b>> \in T. In a quantifier names may have no set.
func (p *Parser) bounds(sets bool) []Bound {
	return list(p, func() Bound { return p.bound(sets) })
}

func (p *Parser) bound(set bool) Bound {
	b := Bound{}
	if p.Take("<<") {
		b.Tuple = true
		b.Names = list(p, func() Name { return p.name("in a tuple") })
		p.expect(">>", "after the names")
	} else {
		b.Names = []Name{p.name("that is bound")}
		for p.Is(",") && p.PeekAt(1).Kind == Word && (p.isAt(2, ",") || p.isAt(2, "\\in") || p.isAt(2, ":") || p.isAt(2, "]")) {
			p.Next()
			b.Names = append(b.Names, p.name("that is bound"))
		}
	}
	if set || p.Is("\\in") {
		p.expect("\\in", "after a name that is bound")
		b.Set = p.Expression()
	}
	return b
}

func (p *Parser) braces(at At) Expr {
	if p.Take("}") {
		return &Set{At: at}
	}
	first := p.Expression()
	if p.Take(":") {
		if b, ok := asBound(first); ok {
			f := &Filter{At: at, Bound: b, Body: p.Expression()}
			p.expect("}", "after a set")
			return f
		}
		i := &Image{At: at, Body: first, Bounds: p.bounds(true)}
		p.expect("}", "after a set")
		return i
	}
	s := &Set{At: at, Items: []Expr{first}}
	for p.Take(",") {
		s.Items = append(s.Items, p.Expression())
	}
	p.expect("}", "after a set")
	return s
}

// asBound reads an expression x \in S as a bound.
func asBound(e Expr) (Bound, bool) {
	a, ok := e.(*Apply)
	if !ok || a.Name != "\\in" || !a.Infix {
		return Bound{}, false
	}
	switch left := a.Args[0].(type) {
	case *Ident:
		return Bound{Names: []Name{{left.Place, left.Name}}, Set: a.Args[1]}, true
	case *Tuple:
		b := Bound{Tuple: true, Set: a.Args[1]}
		for _, item := range left.Items {
			name, ok := item.(*Ident)
			if !ok {
				return Bound{}, false
			}
			b.Names = append(b.Names, Name{name.Place, name.Name})
		}
		return b, len(b.Names) > 0
	}
	return Bound{}, false
}

// brackets reads what begins with [: a record, a function, a set of them, EXCEPT, [A]_v.
func (p *Parser) brackets(at At) Expr {
	box := false
	e := within(p, func() Expr {
		named := p.Peek().Kind == Word || p.Peek().Kind == Keyword
		switch {
		case named && p.isAt(1, "|->"):
			r := &Record{At: at, Fields: p.fields("|->")}
			p.expect("]", "after the fields")
			return r
		case named && p.isAt(1, ":"):
			r := &Records{At: at, Fields: p.fields(":")}
			p.expect("]", "after the fields")
			return r
		case p.Peek().Kind == Word && p.isAt(1, ","):
			return p.function(at, p.bounds(true))
		}
		e := p.Expression()
		switch {
		case p.Is("|->") || p.Is(","):
			b, ok := asBound(e)
			if !ok {
				p.unexpected("] or -> is expected")
			}
			bounds := []Bound{b}
			if p.Take(",") {
				bounds = append(bounds, p.bounds(true)...)
			}
			return p.function(at, bounds)
		case p.Take("->"):
			f := &Functions{At: at, Domain: e, Range: p.Expression()}
			p.expect("]", "after a set of functions")
			return f
		case p.Take("EXCEPT"):
			x := &Except{At: at, Function: e, Updates: list(p, p.update)}
			p.expect("]", "after EXCEPT")
			return x
		}
		p.expect("]_", "after the action")
		box = true
		return e
	})
	if box {
		return &Box{At: at, Action: e, Subscript: p.subscript(true)}
	}
	return e
}

func (p *Parser) function(at At, bounds []Bound) Expr {
	p.expect("|->", "after what a function ranges over")
	f := &Function{At: at, Bounds: bounds, Body: p.Expression()}
	p.expect("]", "after a function")
	return f
}

func (p *Parser) fields(separator string) []Field {
	return list(p, func() Field {
		t := p.Next()
		if t.Kind != Word && t.Kind != Keyword {
			panic(Errorf(t.At, "the name of a field is expected"))
		}
		p.expect(separator, "after the name of a field")
		return Field{Name{t.At, t.Text}, p.Expression()}
	})
}

func (p *Parser) update() Update {
	u := Update{At: p.Peek().At}
	p.expect("!", "after EXCEPT")
	for !p.Is("=") {
		switch {
		case p.Take("."):
			u.Path = append(u.Path, Step{Field: p.Next().Text})
		case p.Take("["):
			u.Path = append(u.Path, Step{Args: list(p, p.Expression)})
			p.expect("]", "after an index")
		default:
			p.unexpected("[, . or = is expected")
		}
	}
	p.Next()
	u.Value = p.Expression()
	return u
}

func (p *Parser) angles(at At) Expr {
	box := false
	t := within(p, func() *Tuple {
		t := &Tuple{At: at}
		if p.Take(">>") {
			return t
		}
		t.Items = list(p, p.Expression)
		if p.Take(">>_") {
			box = true
			return t
		}
		p.expect(">>", "after a tuple")
		return t
	})
	if !box {
		return t
	}
	if len(t.Items) != 1 {
		panic(Errorf(at.Place, "<<…>>_v is of one action"))
	}
	return &Box{At: at, Angle: true, Action: t.Items[0], Subscript: p.subscript(true)}
}

// subscript reads the v of [A]_v or of WF_v(A), where parentheses belong to the latter.
func (p *Parser) subscript(selections bool) Expr {
	t := p.Peek()
	at := At{t.At}
	var e Expr
	switch {
	case p.Take("<<"):
		e = p.angles(at)
	case p.Take("("):
		e = within(p, p.Expression)
		p.expect(")", "after the subscript")
	case t.Kind == Word:
		p.Next()
		e = &Ident{at, t.Text}
		q := &Qualified{At: at}
		call := Call{At: t.At, Name: t.Text}
		for p.Is("!") {
			p.Next()
			q.Prefix = append(q.Prefix, call)
			name := p.name("after !")
			call = Call{At: name.At, Name: name.Text}
			q.Name = name.Text
			e = q
		}
	default:
		p.unexpected("a subscript is expected: a name, or variables in << >>")
	}
	if selections {
		return p.selections(e)
	}
	return e
}
