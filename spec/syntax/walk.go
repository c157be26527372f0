package syntax

// Walk calls f for e and what is in it, parts before wholes' other parts, in the order of the text, until
// f returns false for one: then what is in that one is passed over. Definitions of a LET are part of it.
func Walk(e Expr, f func(Expr) bool) {
	if e == nil || !f(e) {
		return
	}
	for _, part := range Parts(e) {
		Walk(part, f)
	}
}

// Parts returns the expressions that an expression is made of, in the order of the text.
func Parts(e Expr) []Expr {
	var parts []Expr
	add := func(more ...Expr) {
		for _, m := range more {
			if m != nil {
				parts = append(parts, m)
			}
		}
	}
	bounds := func(all ...Bound) {
		for _, b := range all {
			add(b.Set)
		}
	}
	switch e := e.(type) {
	case *Apply:
		add(e.Args...)
	case *Qualified:
		for _, p := range e.Prefix {
			add(p.Args...)
		}
		add(e.Args...)
	case *Junction:
		add(e.Items...)
	case *Quantifier:
		bounds(e.Bounds...)
		add(e.Body)
	case *Choose:
		bounds(e.Bound)
		add(e.Body)
	case *Set:
		add(e.Items...)
	case *Filter:
		bounds(e.Bound)
		add(e.Body)
	case *Image:
		bounds(e.Bounds...)
		add(e.Body)
	case *Tuple:
		add(e.Items...)
	case *Product:
		add(e.Sets...)
	case *Function:
		bounds(e.Bounds...)
		add(e.Body)
	case *Functions:
		add(e.Domain, e.Range)
	case *Record:
		for _, field := range e.Fields {
			add(field.Value)
		}
	case *Records:
		for _, field := range e.Fields {
			add(field.Value)
		}
	case *Index:
		add(e.Function)
		add(e.Args...)
	case *Dot:
		add(e.Record)
	case *Except:
		add(e.Function)
		for _, u := range e.Updates {
			for _, s := range u.Path {
				add(s.Args...)
			}
			add(u.Value)
		}
	case *Parentheses:
		add(e.Body)
	case *If:
		add(e.Test, e.Then, e.Else)
	case *Case:
		for _, arm := range e.Arms {
			add(arm.Test, arm.Value)
		}
		add(e.Other)
	case *Let:
		for _, u := range e.Units {
			switch u := u.(type) {
			case *Definition:
				add(u.Body)
			case *Instance:
				for _, s := range u.With {
					add(s.Value)
				}
			}
		}
		add(e.Body)
	case *Lambda:
		add(e.Body)
	case *Box:
		add(e.Action, e.Subscript)
	case *Fairness:
		add(e.Subscript, e.Action)
	}
	return parts
}
