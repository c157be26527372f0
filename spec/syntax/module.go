package syntax

import (
	"regexp"
	"slices"
	"strings"
)

// ParseModule reads the first module of a source. The error is an *Error.
func ParseModule(source *Source) (*Module, error) {
	start := moduleLine.FindStringIndex(source.Text)
	if start == nil {
		return nil, Errorf(Position{source, 1, 1}, "there is no module here: it begins with a line like ---- MODULE Name ----")
	}
	return parseModule(source, start[0])
}

// ParseModuleOf reads the module of a name among those that stand one after the other in a source. It is nil if there
// is none. The error is an *Error.
func ParseModuleOf(source *Source, name string) (*Module, error) {
	for from := 0; ; {
		start := moduleLine.FindStringIndex(source.Text[from:])
		if start == nil {
			return nil, nil
		}
		if fields := strings.Fields(source.Text[from+start[1]:]); len(fields) > 0 && strings.TrimRight(fields[0], "-") == name {
			return parseModule(source, from+start[0])
		}
		// What is between modules may be anything.
		l, err := moduleTokens(source, from+start[0])
		if err != nil {
			return nil, err
		}
		from = l.offset
	}
}

// parseModule reads the module that begins at an offset.
func parseModule(source *Source, start int) (m *Module, err error) {
	defer Catch(&err)
	l, err := moduleTokens(source, start)
	if err != nil {
		return nil, err
	}
	p := &Parser{tokens: l.tokens}
	m = p.module()
	p.algorithm(m, l)
	return m, nil
}

// moduleTokens reads the tokens of the module that begins at an offset, and nothing after it.
func moduleTokens(source *Source, start int) (l *lexer, err error) {
	defer Catch(&err)
	l = &lexer{source: source, text: source.Text, line: 1, column: 1, module: true}
	l.skip(start)
	l.run()
	return l, nil
}

var moduleLine = regexp.MustCompile(`(?m)-----*[ \t]*MODULE[ \t]`)

// Parser reads expressions and units from tokens.
type Parser struct {
	// Stop, if set, says that an expression ends before a mark, also where it would
	// be an operator.
	Stop func(Token) bool

	tokens []Token
	next   int
	// limits are the columns that the parts of lists have to be right of.
	limits []int
	depth  int
	// height is how high the trees are of what was read within the expression that is being read.
	height int
	// boundaries are, for each unit of the outermost module, the token that it begins with.
	boundaries []int
}

// NewParser returns a parser of tokens, the last of which is an End.
func NewParser(tokens []Token) *Parser { return &Parser{tokens: tokens} }

// Peek returns the next token. Next takes it.
func (p *Parser) Peek() Token { return p.tokens[p.next] }

// PeekAt returns the token that is n after the next.
func (p *Parser) PeekAt(n int) Token { return p.tokens[min(p.next+n, len(p.tokens)-1)] }

// Next takes the next token; the End is never taken.
func (p *Parser) Next() Token {
	t := p.tokens[p.next]
	if p.next < len(p.tokens)-1 {
		p.next++
	}
	return t
}

// Is tells whether the next token is this mark or keyword.
func (p *Parser) Is(text string) bool { return p.isAt(0, text) }

func (p *Parser) isAt(n int, text string) bool {
	t := p.PeekAt(n)
	return (t.Kind == Mark || t.Kind == Keyword) && t.Text == text
}

// Take takes the next token if it is this mark or keyword.
func (p *Parser) Take(text string) bool {
	if p.Is(text) {
		p.Next()
		return true
	}
	return false
}

// expect takes a mark or keyword that has to be next.
func (p *Parser) expect(text, where string) Token {
	if !p.Is(text) {
		p.unexpected(text + " is expected " + where)
	}
	return p.Next()
}

func (p *Parser) unexpected(what string) {
	t := p.Peek()
	switch t.Kind {
	case End:
		panic(Errorf(t.At, "the text ends here; %s", what))
	case Text:
		panic(Errorf(t.At, "unexpected string %q; %s", t.Text, what))
	}
	panic(Errorf(t.At, "unexpected %s; %s", t.Text, what))
}

func (p *Parser) name(where string) Name {
	t := p.Peek()
	if t.Kind != Word && !(t.Kind == Keyword && soft[t.Text]) {
		p.unexpected("a name is expected " + where)
	}
	p.Next()
	return Name{t.At, t.Text}
}

func (p *Parser) module() *Module {
	p.expect("----", "before MODULE")
	p.expect("MODULE", "here")
	name := p.name("after MODULE")
	p.expect("----", "after the module's name")
	m := &Module{At: name.At, Name: name.Text}
	if p.Take("EXTENDS") {
		for {
			m.Extends = append(m.Extends, p.name("after EXTENDS"))
			if !p.Take(",") {
				break
			}
		}
	}
	for !p.Take("====") {
		if p.Peek().Kind == End {
			p.unexpected("a module ends with ====")
		}
		if p.Is("----") && !p.isAt(1, "MODULE") {
			p.Next()
			continue
		}
		from := p.next
		for _, u := range p.unit() {
			m.Units = append(m.Units, u)
			if p.depth == 0 {
				p.boundaries = append(p.boundaries, from)
			}
		}
	}
	return m
}

// Units reads units up to a token that done accepts. What is wrong is a panic with
// an *Error.
func (p *Parser) Units(done func(Token) bool) []Unit {
	var units []Unit
	for !done(p.Peek()) {
		units = append(units, p.unit()...)
	}
	return units
}

// unit reads one unit; what only proofs need gives none.
func (p *Parser) unit() []Unit {
	t := p.Peek()
	if t.Kind == Keyword {
		switch t.Text {
		case "VARIABLE", "VARIABLES":
			p.Next()
			return []Unit{&Variables{list(p, func() Name { return p.name("of a variable") })}}
		case "CONSTANT", "CONSTANTS":
			p.Next()
			return []Unit{&Constants{list(p, p.parameter)}}
		case "RECURSIVE":
			p.Next()
			return []Unit{&Recursive{list(p, p.parameter)}}
		case "ASSUME", "ASSUMPTION", "AXIOM":
			return []Unit{p.assumption()}
		case "THEOREM", "LEMMA", "PROPOSITION", "COROLLARY":
			return []Unit{p.theorem()}
		case "LOCAL":
			p.Next()
			return []Unit{p.definition(true)}
		case "INSTANCE":
			return []Unit{p.instance(p.Peek().At, "", nil, false)}
		case "USE", "HIDE", "BY", "PROOF", "OBVIOUS", "OMITTED":
			p.Next()
			p.skipProof(t.At.Column)
			return nil
		}
	}
	if p.Is("----") {
		p.depth++
		defer func() { p.depth-- }()
		return []Unit{&Inner{p.module()}}
	}
	return []Unit{p.definition(false)}
}

func list[T any](p *Parser, one func() T) []T {
	all := []T{one()}
	for p.Take(",") {
		all = append(all, one())
	}
	return all
}

// parameter reads x, Op(_, _), or a symbol with _ where its arguments are.
func (p *Parser) parameter() Parameter {
	if p.Take("_") {
		t := p.Next()
		if t.Kind != Mark || !Symbol(t.Text) {
			panic(Errorf(t.At, "an operator is expected after _"))
		}
		if p.Take("_") {
			return Parameter{Name{t.At, t.Text}, 2}
		}
		return Parameter{Name{t.At, t.Text}, 1}
	}
	if t := p.Peek(); t.Kind == Mark && Symbol(t.Text) {
		p.Next()
		p.expect("_", "after a prefix operator")
		return Parameter{Name{t.At, prefixName(t.Text)}, 1}
	}
	n := Parameter{Name: p.name("of a parameter")}
	if p.Take("(") {
		n.Arity = len(list(p, func() Token { return p.expect("_", "for an argument") }))
		p.expect(")", "after the arguments")
	}
	return n
}

// prefixName is the name of a prefix operator: minus has one of its own.
func prefixName(symbol string) string {
	if symbol == "-" {
		return "-."
	}
	return symbol
}

func (p *Parser) assumption() Unit {
	at := p.Next().At
	a := &Assumption{At: at}
	if p.Peek().Kind == Word && p.isAt(1, "==") {
		a.Name = p.Next().Text
		p.Next()
	}
	a.Body = p.Expression()
	if p.Is("PROVE") {
		p.skipProof(at.Column)
	}
	return a
}

func (p *Parser) theorem() Unit {
	at := p.Next().At
	t := &Theorem{At: at}
	if p.Peek().Kind == Word && p.isAt(1, "==") {
		t.Name = p.Next().Text
		p.Next()
	}
	if !p.Is("ASSUME") {
		t.Body = p.Expression()
	}
	p.skipProof(at.Column)
	return t
}

// skipProof goes to what begins the next unit, at the given column or left of it.
func (p *Parser) skipProof(column int) {
	for {
		t := p.Peek()
		if t.Kind == End || p.Is("====") || p.Is("----") {
			return
		}
		if t.At.Column <= column && p.beginsUnit() {
			return
		}
		p.Next()
	}
}

func (p *Parser) beginsUnit() bool {
	t := p.Peek()
	if t.Kind == Keyword {
		return slices.Contains([]string{
			"VARIABLE", "VARIABLES", "CONSTANT", "CONSTANTS", "RECURSIVE", "ASSUME", "ASSUMPTION", "AXIOM",
			"THEOREM", "LEMMA", "PROPOSITION", "COROLLARY", "LOCAL", "INSTANCE", "USE", "HIDE",
		}, t.Text)
	}
	if t.Kind == Mark {
		return Symbol(t.Text) && p.PeekAt(1).Kind == Word && p.isAt(2, "==")
	}
	if t.Kind != Word {
		return false
	}
	if after := p.PeekAt(1); after.Kind == Mark && Symbol(after.Text) {
		return p.PeekAt(2).Kind == Word && p.isAt(3, "==") || p.isAt(2, "==")
	}
	n, open := 1, 0
	for ; ; n++ {
		switch {
		case p.isAt(n, "(") || p.isAt(n, "["):
			open++
		case p.isAt(n, ")") || p.isAt(n, "]"):
			open--
		case open == 0 || p.PeekAt(n).Kind == End:
			return p.isAt(n, "==")
		}
	}
}

// definition reads an operator, a function or a named instance.
func (p *Parser) definition(local bool) Unit {
	at := p.Peek().At
	if p.Is("INSTANCE") {
		return p.instance(at, "", nil, local)
	}
	d := &Definition{At: at, Local: local}
	if t := p.Peek(); t.Kind == Mark && Symbol(t.Text) {
		p.Next()
		d.Name, d.Params = prefixName(t.Text), []Parameter{{Name: p.name("of the argument")}}
		return p.body(d)
	}
	name := p.name("where a unit of a module begins")
	d.Name = name.Text
	t := p.Peek()
	switch {
	case t.Kind == Mark && t.Text != "==" && Symbol(t.Text):
		p.Next()
		d.Name, d.Params = t.Text, []Parameter{{Name: name}}
		if !p.Is("==") {
			d.Params = append(d.Params, Parameter{Name: p.name("of the second argument")})
		}
	case p.Take("["):
		f := &Function{At: At{name.At}, Recursive: d.Name, Bounds: p.bounds(true)}
		p.expect("]", "after what a function ranges over")
		p.expect("==", "in a definition")
		f.Body = p.Expression()
		d.Body = f
		return d
	case p.Take("("):
		d.Params = list(p, p.parameter)
		p.expect(")", "after the parameters")
	}
	return p.body(d)
}

func (p *Parser) body(d *Definition) Unit {
	p.expect("==", "in a definition")
	if p.Is("INSTANCE") {
		return p.instance(d.At, d.Name, d.Params, d.Local)
	}
	d.Body = p.Expression()
	return d
}

func (p *Parser) instance(at Position, name string, params []Parameter, local bool) Unit {
	p.Next()
	i := &Instance{At: at, Name: name, Params: params, Local: local, Module: p.name("of a module")}
	if p.Take("WITH") {
		i.With = list(p, func() Substitution {
			s := Substitution{}
			if t := p.Peek(); t.Kind == Mark && Symbol(t.Text) {
				p.Next()
				s.Name = Name{t.At, t.Text}
			} else {
				s.Name = p.name("that is replaced")
			}
			p.expect("<-", "in WITH")
			s.Value = p.argument()
			return s
		})
	}
	return i
}

var (
	algorithmWord = regexp.MustCompile(`--(fair[ \t\n]+)?algorithm\b`)
	checksumWord  = regexp.MustCompile(`chksum\(pcal\) *(?:=|\\in|STRICT)* *"?([0-9a-f]+)"?`)
)

// algorithm finds the PlusCal algorithm among the comments, and whether it has
// been translated.
func (p *Parser) algorithm(m *Module, l *lexer) {
	for _, c := range l.comments {
		text := l.text[c.offset:c.until]
		if strings.HasPrefix(text, "\\*") {
			if m.Algorithm != nil && strings.Contains(text, "BEGIN TRANSLATION") {
				if found := checksumWord.FindStringSubmatch(text); found != nil {
					m.Algorithm.Checksum = found[1]
				}
				for _, b := range p.boundaries {
					m.Algorithm.Translated = m.Algorithm.Translated || b >= c.token && b < p.endOfTranslation(l, c)
				}
			}
			continue
		}
		found := algorithmWord.FindStringIndex(text)
		if found == nil || m.Algorithm != nil {
			continue
		}
		start := &lexer{source: l.source, text: l.text, offset: c.offset, line: c.at.Line, column: c.at.Column}
		start.skip(found[0])
		a := &Algorithm{At: start.here(), Offset: start.offset, Until: c.until - len("*)")}
		for _, b := range p.boundaries {
			if b < c.token {
				a.Unit++
			}
		}
		m.Algorithm = a
	}
}

// endOfTranslation returns the token before which a translation ends that begins at c.
func (p *Parser) endOfTranslation(l *lexer, c comment) int {
	for _, d := range l.comments {
		if d.offset > c.offset && strings.Contains(l.text[d.offset:d.until], "END TRANSLATION") {
			return d.token
		}
	}
	return len(l.tokens)
}
