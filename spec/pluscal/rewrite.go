package pluscal

import "github.com/seatrial/seatrial/spec/syntax"

// names are the names that are bound around a part of an expression.
type names struct {
	name  string
	outer *names
}

func (n *names) with(all ...string) *names {
	for _, name := range all {
		n = &names{name, n}
	}
	return n
}

func (n *names) has(name string) bool {
	for ; n != nil; n = n.outer {
		if n.name == name {
			return true
		}
	}
	return false
}

// rewriter copies expressions. Where replace returns something, that stands in the copy.
type rewriter struct {
	replace func(e syntax.Expr, bound *names) syntax.Expr
}

func (r rewriter) exprs(all []syntax.Expr, bound *names) []syntax.Expr {
	if all == nil {
		return nil
	}
	copied := make([]syntax.Expr, len(all))
	for i, e := range all {
		copied[i] = r.expr(e, bound)
	}
	return copied
}

// bounds copies what names range over, and returns what is bound behind it.
func (r rewriter) bounds(all []syntax.Bound, bound *names) ([]syntax.Bound, *names) {
	inner := bound
	copied := make([]syntax.Bound, len(all))
	for i, b := range all {
		copied[i] = b
		copied[i].Set = r.expr(b.Set, bound)
		for _, n := range b.Names {
			inner = inner.with(n.Text)
		}
	}
	return copied, inner
}

func (r rewriter) fields(all []syntax.Field, bound *names) []syntax.Field {
	copied := make([]syntax.Field, len(all))
	for i, f := range all {
		copied[i] = syntax.Field{Name: f.Name, Value: r.expr(f.Value, bound)}
	}
	return copied
}

func (r rewriter) path(all []syntax.Step, bound *names) []syntax.Step {
	copied := make([]syntax.Step, len(all))
	for i, s := range all {
		copied[i] = syntax.Step{Field: s.Field, Args: r.exprs(s.Args, bound)}
	}
	return copied
}

func parameterNames(params []syntax.Parameter) []string {
	var all []string
	for _, p := range params {
		all = append(all, p.Text)
	}
	return all
}

// expr copies an expression around which names are bound.
func (r rewriter) expr(e syntax.Expr, bound *names) syntax.Expr {
	if e == nil {
		return nil
	}
	if replaced := r.replace(e, bound); replaced != nil {
		return replaced
	}
	switch e := e.(type) {
	case *syntax.Apply:
		return &syntax.Apply{At: e.At, Name: e.Name, Args: r.exprs(e.Args, bound), Infix: e.Infix}
	case *syntax.Junction:
		return &syntax.Junction{At: e.At, Or: e.Or, Items: r.exprs(e.Items, bound)}
	case *syntax.Qualified:
		q := &syntax.Qualified{At: e.At, Name: e.Name, Args: r.exprs(e.Args, bound)}
		for _, c := range e.Prefix {
			q.Prefix = append(q.Prefix, syntax.Call{At: c.At, Name: c.Name, Args: r.exprs(c.Args, bound)})
		}
		return q
	case *syntax.Index:
		return &syntax.Index{At: e.At, Function: r.expr(e.Function, bound), Args: r.exprs(e.Args, bound)}
	case *syntax.Dot:
		return &syntax.Dot{At: e.At, Record: r.expr(e.Record, bound), Field: e.Field}
	case *syntax.Parentheses:
		return &syntax.Parentheses{At: e.At, Body: r.expr(e.Body, bound)}
	case *syntax.If:
		return &syntax.If{At: e.At, Test: r.expr(e.Test, bound), Then: r.expr(e.Then, bound), Else: r.expr(e.Else, bound)}
	case *syntax.Case:
		c := &syntax.Case{At: e.At, Other: r.expr(e.Other, bound)}
		for _, arm := range e.Arms {
			c.Arms = append(c.Arms, syntax.Arm{Test: r.expr(arm.Test, bound), Value: r.expr(arm.Value, bound)})
		}
		return c
	case *syntax.Let:
		return r.let(e, bound)
	case *syntax.Lambda:
		return &syntax.Lambda{At: e.At, Params: e.Params, Body: r.expr(e.Body, bound.with(parameterNames(e.Params)...))}
	case *syntax.Box:
		return &syntax.Box{At: e.At, Angle: e.Angle, Action: r.expr(e.Action, bound), Subscript: r.expr(e.Subscript, bound)}
	case *syntax.Fairness:
		return &syntax.Fairness{At: e.At, Strong: e.Strong, Action: r.expr(e.Action, bound), Subscript: r.expr(e.Subscript, bound)}
	}
	return r.collection(e, bound)
}

// collection copies sets, functions and what binds names.
func (r rewriter) collection(e syntax.Expr, bound *names) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Set:
		return &syntax.Set{At: e.At, Items: r.exprs(e.Items, bound)}
	case *syntax.Tuple:
		return &syntax.Tuple{At: e.At, Items: r.exprs(e.Items, bound)}
	case *syntax.Product:
		return &syntax.Product{At: e.At, Sets: r.exprs(e.Sets, bound)}
	case *syntax.Functions:
		return &syntax.Functions{At: e.At, Domain: r.expr(e.Domain, bound), Range: r.expr(e.Range, bound)}
	case *syntax.Record:
		return &syntax.Record{At: e.At, Fields: r.fields(e.Fields, bound)}
	case *syntax.Records:
		return &syntax.Records{At: e.At, Fields: r.fields(e.Fields, bound)}
	case *syntax.Except:
		x := &syntax.Except{At: e.At, Function: r.expr(e.Function, bound)}
		for _, u := range e.Updates {
			x.Updates = append(x.Updates, syntax.Update{At: u.At, Path: r.path(u.Path, bound), Value: r.expr(u.Value, bound)})
		}
		return x
	case *syntax.Quantifier:
		q := *e
		q.Bounds, bound = r.bounds(e.Bounds, bound)
		q.Body = r.expr(e.Body, bound)
		return &q
	case *syntax.Function:
		f := *e
		f.Bounds, bound = r.bounds(e.Bounds, bound)
		f.Body = r.expr(e.Body, bound)
		return &f
	case *syntax.Image:
		bounds, inner := r.bounds(e.Bounds, bound)
		return &syntax.Image{At: e.At, Bounds: bounds, Body: r.expr(e.Body, inner)}
	case *syntax.Choose:
		bounds, inner := r.bounds([]syntax.Bound{e.Bound}, bound)
		return &syntax.Choose{At: e.At, Bound: bounds[0], Body: r.expr(e.Body, inner)}
	case *syntax.Filter:
		bounds, inner := r.bounds([]syntax.Bound{e.Bound}, bound)
		return &syntax.Filter{At: e.At, Bound: bounds[0], Body: r.expr(e.Body, inner)}
	}
	return e // literals and names that nothing replaces
}

// let copies a LET, whose definitions are bound in it.
func (r rewriter) let(e *syntax.Let, bound *names) syntax.Expr {
	for _, u := range e.Units {
		if d, ok := u.(*syntax.Definition); ok {
			bound = bound.with(d.Name)
		}
	}
	l := &syntax.Let{At: e.At}
	for _, u := range e.Units {
		if d, ok := u.(*syntax.Definition); ok {
			copied := *d
			copied.Body = r.expr(d.Body, bound.with(parameterNames(d.Params)...))
			u = &copied
		}
		l.Units = append(l.Units, u)
	}
	l.Body = r.expr(e.Body, bound)
	return l
}
