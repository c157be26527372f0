// Package config reads the configuration files of models: what a specification's constants are, and what
// of it is to be checked (Lamport, Specifying Systems, section 14.7).
package config

import (
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
)

// Config is one model of a specification.
type Config struct {
	Source *syntax.Source
	// Specification, or Init and Next, say what behaviours there are.
	Specification, Init, Next syntax.Name
	Invariants, Properties    []syntax.Name
	// Constraints bound the states, ActionConstraints the steps, that are looked at.
	Constraints, ActionConstraints []syntax.Name
	Symmetry                       []syntax.Name
	View, Alias, Postcondition     syntax.Name
	Constants                      []Constant
	// Deadlock is whether a state that nothing follows is an error; DeadlockSet whether the file
	// says so.
	Deadlock, DeadlockSet bool
}

// Constant is one assignment: Name = Value, or with Definition Name <- Definition. Module is
// set for Name <- [Module] Definition, which holds within that module only.
type Constant struct {
	Name       syntax.Name
	Value      value.Value
	Definition syntax.Name
	Module     string
}

// Parse reads a configuration. The error is a *syntax.Error.
func Parse(source *syntax.Source) (c *Config, err error) {
	defer syntax.Catch(&err)
	tokens, err := syntax.Tokens(syntax.Position{Source: source, Line: 1, Column: 1}, 0, len(source.Text))
	if err != nil {
		return nil, err
	}
	r := &reader{tokens: tokens, config: &Config{Source: source, Deadlock: true}}
	for r.peek().Kind != syntax.End {
		r.section()
	}
	return r.config, nil
}

type reader struct {
	tokens []syntax.Token
	at     int
	config *Config
}

func (r *reader) peek() syntax.Token { return r.tokens[r.at] }

func (r *reader) next() syntax.Token {
	t := r.tokens[r.at]
	if t.Kind != syntax.End {
		r.at++
	}
	return t
}

func fail(t syntax.Token, format string, args ...any) { panic(syntax.Errorf(t.At, format, args...)) }

// sections are what a configuration consists of, by the words that begin them.
var sections map[string]func(*reader, syntax.Token)

func init() {
	sections = map[string]func(*reader, syntax.Token){
		"SPECIFICATION": one(func(c *Config) *syntax.Name { return &c.Specification }),
		"INIT":          one(func(c *Config) *syntax.Name { return &c.Init }),
		"NEXT":          one(func(c *Config) *syntax.Name { return &c.Next }),
		"VIEW":          one(func(c *Config) *syntax.Name { return &c.View }),
		"ALIAS":         one(func(c *Config) *syntax.Name { return &c.Alias }),
		"POSTCONDITION": one(func(c *Config) *syntax.Name { return &c.Postcondition }),

		"INVARIANT":          many(func(c *Config) *[]syntax.Name { return &c.Invariants }),
		"INVARIANTS":         many(func(c *Config) *[]syntax.Name { return &c.Invariants }),
		"PROPERTY":           many(func(c *Config) *[]syntax.Name { return &c.Properties }),
		"PROPERTIES":         many(func(c *Config) *[]syntax.Name { return &c.Properties }),
		"CONSTRAINT":         many(func(c *Config) *[]syntax.Name { return &c.Constraints }),
		"CONSTRAINTS":        many(func(c *Config) *[]syntax.Name { return &c.Constraints }),
		"ACTION_CONSTRAINT":  many(func(c *Config) *[]syntax.Name { return &c.ActionConstraints }),
		"ACTION_CONSTRAINTS": many(func(c *Config) *[]syntax.Name { return &c.ActionConstraints }),
		"ACTION-CONSTRAINT":  many(func(c *Config) *[]syntax.Name { return &c.ActionConstraints }),
		"ACTION-CONSTRAINTS": many(func(c *Config) *[]syntax.Name { return &c.ActionConstraints }),
		"SYMMETRY":           many(func(c *Config) *[]syntax.Name { return &c.Symmetry }),
		"CONSTANT":           (*reader).constants,
		"CONSTANTS":          (*reader).constants,
		"CHECK_DEADLOCK":     (*reader).deadlock,
	}
}

func (r *reader) section() {
	t := r.next()
	read, ok := sections[r.word(t)]
	if !ok {
		fail(t, "%s begins no section of a configuration", t.Text)
	}
	read(r, t)
}

// word returns the text of a word, which may have a hyphen.
func (r *reader) word(t syntax.Token) string {
	if t.Text == "ACTION" && r.peek().Text == "-" {
		r.next()
		return "ACTION-" + r.next().Text
	}
	return t.Text
}

func (r *reader) name() syntax.Name {
	t := r.next()
	if t.Kind != syntax.Word {
		fail(t, "a name is expected")
	}
	n := syntax.Name{At: t.At, Text: t.Text}
	for r.peek().Text == "!" {
		r.next()
		n.Text += "!" + r.next().Text
	}
	return n
}

func one(of func(*Config) *syntax.Name) func(*reader, syntax.Token) {
	return func(r *reader, t syntax.Token) {
		at := of(r.config)
		if at.Text != "" {
			fail(t, "%s is given twice", t.Text)
		}
		*at = r.name()
	}
}

func many(of func(*Config) *[]syntax.Name) func(*reader, syntax.Token) {
	return func(r *reader, _ syntax.Token) {
		for r.begins() {
			*of(r.config) = append(*of(r.config), r.name())
			if r.peek().Text == "," {
				r.next()
			}
		}
	}
}

// begins tells whether a name comes next, and not a section.
func (r *reader) begins() bool {
	t := r.peek()
	_, section := sections[t.Text]
	if t.Text == "ACTION" && r.tokens[r.at+1].Text == "-" {
		section = true
	}
	return t.Kind == syntax.Word && !section
}

func (r *reader) deadlock(syntax.Token) {
	t := r.next()
	if t.Text != "TRUE" && t.Text != "FALSE" {
		fail(t, "CHECK_DEADLOCK is TRUE or FALSE")
	}
	r.config.Deadlock, r.config.DeadlockSet = t.Text == "TRUE", true
}

func (r *reader) constants(syntax.Token) {
	for r.begins() || r.peek().Kind == syntax.Mark && syntax.Symbol(r.peek().Text) {
		t := r.next()
		c := Constant{Name: syntax.Name{At: t.At, Text: t.Text}}
		for r.peek().Text == "!" {
			r.next()
			c.Name.Text += "!" + r.next().Text
		}
		switch between := r.next(); between.Text {
		case "=":
			if r.peek().Text == "[" {
				r.next()
				c.Module = r.name().Text
				r.next()
			}
			c.Value = r.value()
		case "<-":
			if r.peek().Text == "[" {
				r.next()
				c.Module = r.name().Text
				r.next()
			}
			definition := r.next()
			c.Definition = syntax.Name{At: definition.At, Text: definition.Text}
		default:
			fail(between, "= and a value, or <- and a definition, is expected after %s", t.Text)
		}
		if r.peek().Text == "," {
			r.next()
		}
		r.config.Constants = append(r.config.Constants, c)
	}
}

// value reads a number, a string, a boolean, a model value, or a set of them.
func (r *reader) value() value.Value {
	t := r.next()
	switch {
	case t.Kind == syntax.Numeral:
		return number(t, 1)
	case t.Text == "-" && r.peek().Kind == syntax.Numeral:
		return number(r.next(), -1)
	case t.Kind == syntax.Text:
		value.Rank(t.Text)
		return value.OfString(t.Text)
	case t.Text == "TRUE" || t.Text == "FALSE":
		return value.OfBool(t.Text == "TRUE")
	case t.Kind == syntax.Word:
		value.Rank(t.Text)
		return value.OfModel(t.Text)
	case t.Text == "{":
		items := r.values("}")
		return value.OfSet(items)
	case t.Text == "<<":
		return value.OfTuple(r.values(">>"))
	}
	fail(t, "a value is expected: a number, a string, a name, or a set of such")
	return value.Value{}
}

func (r *reader) values(end string) (items []value.Value) {
	for r.peek().Text != end {
		items = append(items, r.value())
		if r.peek().Text == "," {
			r.next()
		} else if r.peek().Text != end {
			fail(r.peek(), ", or %s is expected", end)
		}
	}
	r.next()
	return items
}

func number(t syntax.Token, sign int64) value.Value {
	n := int64(0)
	for _, c := range t.Text {
		if n > 1<<58 {
			fail(t, "%s is too large", t.Text)
		}
		n = n*10 + int64(c-'0')
	}
	return value.OfInt(sign * n)
}
