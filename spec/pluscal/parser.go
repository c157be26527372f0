package pluscal

import (
	"errors"

	"github.com/seatrial/seatrial/spec/syntax"
)

// deepest bounds how deep statements may be nested.
const deepest = 1000

// parser reads an algorithm.
type parser struct {
	*syntax.Parser
	// braces says that the algorithm has the syntax with braces.
	braces    bool
	depth     int
	algorithm *algorithm
}

// reserved are the words of PlusCal.
var reserved = map[string]bool{
	"assert": true, "await": true, "begin": true, "call": true, "define": true, "do": true, "either": true, "else": true,
	"elsif": true, "end": true, "goto": true, "if": true, "macro": true, "or": true, "print": true, "procedure": true,
	"process": true, "return": true, "skip": true, "then": true, "variable": true, "variables": true, "when": true,
	"while": true, "with": true,
}

// parse reads the algorithm of a module.
func parse(m *syntax.Module) (a *algorithm, err error) {
	defer syntax.Catch(&err)
	where := m.Algorithm
	tokens, err := tokensOf(where)
	if err != nil {
		return nil, err
	}
	p := &parser{Parser: syntax.NewParser(tokens), algorithm: &algorithm{at: where.At, macros: map[string]*macro{}}}
	p.algorithm.options, err = readOptions(where.At)
	if err != nil {
		return nil, err
	}
	p.read()
	return p.algorithm, nil
}

// tokensOf returns the tokens of an algorithm. What follows it in its comment
// is prose, which need not consist of tokens: they end before what is none.
func tokensOf(where *syntax.Algorithm) ([]syntax.Token, error) {
	tokens, err := syntax.Tokens(where.At, where.Offset, where.Until)
	var wrong *syntax.Error
	if !errors.As(err, &wrong) {
		return tokens, err
	}
	text := where.At.Source.Text
	offset, line := where.Offset, where.At.Line
	for ; line < wrong.At.Line && offset < where.Until; offset++ {
		if text[offset] == '\n' {
			line++
		}
	}
	tokens, err = syntax.Tokens(where.At, where.Offset, offset)
	if err != nil || !balanced(tokens) {
		return nil, wrong
	}
	return tokens, nil
}

// balanced tells whether an algorithm is over at the end of tokens.
func balanced(tokens []syntax.Token) bool {
	open, braces := 0, false
	for i, t := range tokens {
		switch {
		case t.Kind == syntax.Mark && t.Text == "{":
			open, braces = open+1, true
		case t.Kind == syntax.Mark && t.Text == "}":
			open--
		case t.Kind == syntax.Word && t.Text == "end" && tokens[i+1].Text == "algorithm":
			return true
		}
	}
	return braces && open == 0
}

func fail(at syntax.Position, format string, args ...any) {
	panic(syntax.Errorf(at, format, args...))
}

// word tells whether the next token is this word of PlusCal.
func (p *parser) word(text string) bool {
	t := p.Peek()
	return t.Kind == syntax.Word && t.Text == text
}

func (p *parser) takeWord(text string) bool {
	if p.word(text) {
		p.Next()
		return true
	}
	return false
}

func (p *parser) expect(text, where string) {
	if !p.takeWord(text) && !p.Take(text) {
		p.unexpected(text + " is expected " + where)
	}
}

func (p *parser) unexpected(what string) {
	t := p.Peek()
	if t.Kind == syntax.End {
		fail(t.At, "the algorithm ends here; %s", what)
	}
	fail(t.At, "unexpected %s; %s", t.Text, what)
}

func (p *parser) name(what string) syntax.Name {
	t := p.Peek()
	if t.Kind != syntax.Word || reserved[t.Text] {
		p.unexpected(what + " is expected")
	}
	p.Next()
	return syntax.Name{At: t.At, Text: t.Text}
}

// expression reads an expression; the words and marks of PlusCal end it.
func (p *parser) expression() syntax.Expr {
	p.Stop = func(t syntax.Token) bool {
		return t.Kind == syntax.Word && reserved[t.Text] || t.Kind == syntax.Mark && (t.Text == "||" || t.Text == ":=")
	}
	defer func() { p.Stop = nil }()
	return p.Expression()
}

// list reads what stands between parentheses with commas between, which may be nothing.
func list[T any](p *parser, one func() T) []T {
	var all []T
	p.expect("(", "here")
	for !p.Take(")") {
		if len(all) > 0 {
			p.expect(",", "between these, or ) after them")
		}
		all = append(all, one())
	}
	return all
}

func (p *parser) read() {
	p.expect("--", "before the algorithm")
	p.algorithm.fair = p.takeWord("fair")
	p.expect("algorithm", "here")
	p.name("the name of the algorithm")
	p.braces = p.Take("{")
	p.algorithm.variables = p.variables()
	if p.takeWord("define") {
		p.define()
	}
	for p.word("macro") {
		p.macro()
	}
	for p.word("procedure") {
		p.procedure()
	}
	if p.word("process") || p.word("fair") {
		for p.word("process") || p.word("fair") {
			p.process()
		}
		if !p.braces {
			p.expect("end", "after the processes")
			p.expect("algorithm", "after end")
		}
	} else {
		b := &body{at: p.Peek().At}
		b.code = p.algorithm.expand(p.block("algorithm"))
		p.algorithm.processes = []*body{b}
	}
	if p.braces {
		p.expect("}", "where the algorithm ends")
	}
}

// variables reads declarations, if there are any: none may follow the word, too.
func (p *parser) variables() []*variable {
	var all []*variable
	if !p.takeWord("variable") && !p.takeWord("variables") {
		return nil
	}
	for !p.pastVariables() {
		all = append(all, p.variable(true))
		if !p.Take(";") && !p.Take(",") {
			break
		}
	}
	return all
}

// pastVariables tells whether what comes next cannot be a declaration.
func (p *parser) pastVariables() bool {
	t := p.Peek()
	return reserved[t.Text] || t.Text == "{" || t.Text == "fair" && (p.PeekAt(1).Text == "process" || p.PeekAt(1).Text == "+")
}

// variable reads one declaration. Those of procedures have one value.
func (p *parser) variable(among bool) *variable {
	n := p.name("the name of a variable")
	v := &variable{at: n.At, name: n.Text, final: n.Text}
	switch {
	case p.Take("="):
		v.init = p.expression()
	case p.Is("\\in") && !among:
		fail(p.Peek().At, "a variable of a procedure begins with one value: write = instead of \\in")
	case p.Take("\\in"):
		v.among = true
		v.init = p.expression()
	}
	return v
}

// end reads what closes a part of the algorithm.
func (p *parser) end(what string) {
	if p.braces {
		p.expect("}", "where this "+what+" ends")
		p.Take(";")
		return
	}
	p.expect("end", "where this "+what+" ends")
	p.expect(what, "after end")
	p.Take(";")
}

func (p *parser) define() {
	if p.braces {
		p.expect("{", "after define")
	}
	p.algorithm.define = p.Units(func(t syntax.Token) bool {
		return t.Kind == syntax.End || p.braces && p.Is("}") || !p.braces && p.word("end")
	})
	p.end("define")
}

func (p *parser) macro() {
	p.Next()
	name := p.name("the name of the macro")
	m := &macro{parameters: list(p, func() syntax.Name { return p.name("a parameter") })}
	m.code = p.block("macro")
	p.Take(";")
	each(m.code, func(s *statement) {
		if s.label != "" {
			fail(s.labelAt, "a macro has no labels: take %s out", s.label)
		}
		if _, ok := s.do.(loop); ok {
			fail(s.at, "a macro has no while: it would need a label")
		}
	})
	m.code = p.algorithm.expand(m.code)
	p.algorithm.macros[name.Text] = m
}

func (p *parser) procedure() {
	p.Next()
	name := p.name("the name of the procedure")
	b := &body{at: name.At, name: name.Text, final: name.Text, procedure: true}
	b.parameters = list(p, func() *variable { return p.variable(false) })
	b.locals = p.variables()
	for _, v := range b.locals {
		if v.among {
			fail(v.at, "a variable of a procedure begins with one value: write = instead of \\in")
		}
	}
	b.code = p.algorithm.expand(p.block("procedure"))
	p.Take(";")
	p.algorithm.procedures = append(p.algorithm.procedures, b)
}

func (p *parser) process() {
	b := &body{}
	if p.takeWord("fair") {
		b.fair = weak
		if p.Take("+") {
			b.fair = strong
		}
	}
	p.expect("process", "here")
	parentheses := p.Take("(")
	name := p.name("the name of the process")
	b.at, b.name, b.final = name.At, name.Text, name.Text
	if !p.Take("=") {
		p.expect("\\in", "after the name of a process, or =")
		b.set = true
	}
	b.id = p.expression()
	if parentheses {
		p.expect(")", "after the process")
	}
	p.Take(";")
	b.locals = p.variables()
	b.code = p.algorithm.expand(p.block("process"))
	p.Take(";")
	p.algorithm.processes = append(p.algorithm.processes, b)
}

// block reads the statements of a part of the algorithm, and what closes it.
func (p *parser) block(what string) []*statement {
	if p.braces {
		p.expect("{", "before the statements of this "+what)
	} else {
		p.expect("begin", "before the statements of this "+what)
	}
	code := p.statements()
	p.end(what)
	return code
}
