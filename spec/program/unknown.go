package program

import "github.com/seatrial/seatrial/spec/syntax"

// unknown fails at a name in a module's definitions that stands for nothing, whether the definition is used or not: what is written
// out where it is used would else be looked at only there. Names that are bound anywhere in a definition are taken for known in
// all of it, which may miss a mistake and finds none that is not there.
func unknown(m *syntax.Module, s *scope) {
	for _, u := range m.Units {
		d, ok := u.(*syntax.Definition)
		if !ok {
			continue
		}
		known := map[string]bool{}
		parameters(known, d.Params)
		if !collect(d.Body, known) {
			continue
		}
		syntax.Walk(d.Body, func(e syntax.Expr) bool {
			name := ""
			switch e := e.(type) {
			case *syntax.Ident:
				name = e.Name
			case *syntax.Apply:
				if name = e.Name; e.Infix && builtin(name) {
					return true
				}
			}
			if _, set := builtinSets[name]; name != "" && !set && !known[name] && !builtin(name) && s.find(name) == nil {
				fail(e.Position(), "%s is not declared or defined", name)
			}
			return true
		})
	}
}

// collect adds the names that are bound in an expression. It is false if that cannot be told without the modules that are made
// instances of in it.
func collect(e syntax.Expr, known map[string]bool) bool {
	certain := true
	bounds := func(all ...syntax.Bound) {
		for _, b := range all {
			for _, n := range b.Names {
				known[n.Text] = true
			}
		}
	}
	syntax.Walk(e, func(e syntax.Expr) bool {
		switch e := e.(type) {
		case *syntax.Quantifier:
			bounds(e.Bounds...)
		case *syntax.Choose:
			bounds(e.Bound)
		case *syntax.Filter:
			bounds(e.Bound)
		case *syntax.Image:
			bounds(e.Bounds...)
		case *syntax.Function:
			bounds(e.Bounds...)
		case *syntax.Lambda:
			parameters(known, e.Params)
		case *syntax.Let:
			certain = certain && localNames(e.Units, known)
		}
		return true
	})
	return certain
}

// localNames adds the names that a LET defines.
func localNames(units []syntax.Unit, known map[string]bool) bool {
	for _, u := range units {
		switch u := u.(type) {
		case *syntax.Definition:
			known[u.Name] = true
			parameters(known, u.Params)
		case *syntax.Instance:
			if u.Name == "" {
				return false
			}
			known[u.Name] = true
			parameters(known, u.Params)
		case *syntax.Recursive:
			parameters(known, u.Names)
		default:
			return false
		}
	}
	return true
}

func parameters(known map[string]bool, all []syntax.Parameter) {
	for _, p := range all {
		known[p.Text] = true
	}
}
