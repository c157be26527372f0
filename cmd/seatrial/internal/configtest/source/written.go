package source

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// Written tells whether one of some texts is written, as a text of its own, in a test of a package, or in what it
// mentions of the files of tests: functions, methods of types, variables. What other tests and their helpers say is
// nothing to it.
func (m *Module) Written(pkg, test string, texts []string) bool {
	return m.writes(pkg, test, func(n ast.Node) (found, done bool) {
		l, is := n.(*ast.BasicLit)
		return is && isOneOf(l, texts), false
	})
}

// Mentions tells whether a text is written there that has a word in it, and is another one than that as a whole.
func (m *Module) Mentions(pkg, test, word, whole string) bool {
	return m.writes(pkg, test, func(n ast.Node) (found, done bool) {
		l, is := n.(*ast.BasicLit)
		if !is || l.Kind != token.STRING {
			return false, false
		}
		text := literal(l)
		return text != whole && strings.Contains(strings.ToLower(text), strings.ToLower(word)), false
	})
}

// Between tells whether a number or a time is written there that is between two others, or is the second: the test may
// have figures of its own for which one of these is too much, or too little. A time that is deployed, too, for
// something else, is none of its own. It may have of what has another unit, which is written in many ways.
func (m *Module) Between(pkg, test, old, now string, deployed []string) bool {
	was, of, is := value.Amount(value.Bare(old))
	next, in, are := value.Amount(value.Bare(now))
	if !is || !are || of != in || of != "" && of != value.InTime {
		return true
	}
	between := func(n float64) bool { return (n-was)*(n-next) <= 0 && n != was }
	if of == value.InTime {
		for _, text := range deployed {
			if n, in, is := value.Amount(value.Bare(text)); is && in == value.InTime {
				own := between
				between = func(m float64) bool { return own(m) && m != n }
			}
		}
	}
	return m.writes(pkg, test, func(n ast.Node) (found, done bool) {
		written, unit, is := writtenAmount(n)
		// What is a part of a time is none by itself; a number may be one of seconds.
		return is && unit == of && between(written), is && of == value.InTime
	})
}

// writtenAmount is a number that is written in code, or a time: 2 * time.Minute, time.Hour, "90s".
func writtenAmount(n ast.Node) (m float64, unit string, is bool) {
	switch n := n.(type) {
	case *ast.BasicLit:
		if n.Kind == token.STRING {
			m, unit, is = value.Amount(literal(n))
			return m, unit, is && unit == value.InTime
		}
		m, err := strconv.ParseFloat(strings.ReplaceAll(n.Value, "_", ""), 64)
		return m, "", err == nil
	case *ast.SelectorExpr:
		of, named := n.X.(*ast.Ident)
		if named && of.Name == "time" && timesOf[n.Sel.Name] > 0 {
			return float64(timesOf[n.Sel.Name]), value.InTime, true
		}
	case *ast.BinaryExpr:
		if n.Op != token.MUL {
			return 0, "", false
		}
		a, of, one := writtenAmount(n.X)
		b, in, other := writtenAmount(n.Y)
		if one && other && (of == value.InTime) != (in == value.InTime) {
			return a * b, value.InTime, true
		}
	}
	return 0, "", false
}

// timesOf are the times that package time has names for.
var timesOf = map[string]time.Duration{
	"Nanosecond": time.Nanosecond, "Microsecond": time.Microsecond, "Millisecond": time.Millisecond, "Second": time.Second, "Minute": time.Minute, "Hour": time.Hour,
}

// writes tells whether there is something in a test, or in what it mentions, of which something is so; what is done is
// not looked into.
func (m *Module) writes(pkg, test string, is func(ast.Node) (found, done bool)) bool {
	named := map[string][]ast.Node{}
	for _, f := range m.tests(m.folder(pkg)) {
		if f == nil {
			return true // it may be
		}
		for _, d := range f.Decls {
			declares(named, d)
		}
	}
	if len(named[test]) == 0 {
		return true // it is not known where it is
	}
	seen := map[string]bool{}
	next := []string{test, "TestMain"}
	for len(next) > 0 {
		name := next[0]
		next = next[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		for _, n := range named[name] {
			found := false
			ast.Inspect(n, func(n ast.Node) bool {
				if name, is := n.(*ast.Ident); is {
					next = append(next, name.Name)
				}
				one, done := is(n)
				found = found || one
				return !found && !done
			})
			if found {
				return true
			}
		}
	}
	return false
}

// declares notes the names that a declaration has; a method has that of its type, too.
func declares(named map[string][]ast.Node, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		named[d.Name.Name] = append(named[d.Name.Name], d)
		if d.Recv == nil || len(d.Recv.List) == 0 {
			return
		}
		ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
			if id, is := n.(*ast.Ident); is {
				named[id.Name] = append(named[id.Name], d)
			}
			return true
		})
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, name := range s.Names {
					named[name.Name] = append(named[name.Name], d)
				}
			case *ast.TypeSpec:
				named[s.Name.Name] = append(named[s.Name.Name], s)
			}
		}
	}
}

// isOneOf tells whether a literal is one of some texts, but for what stands around words.
func isOneOf(l *ast.BasicLit, texts []string) bool {
	text := l.Value
	if l.Kind == token.STRING {
		text = literal(l)
	}
	return slices.Contains(texts, strings.Trim(text, " \t\n.,:;/\"'"))
}
