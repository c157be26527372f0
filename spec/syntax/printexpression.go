package syntax

import "strings"

var escapes = strings.NewReplacer("\\", "\\\\", "\"", "\\\"", "\n", "\\n", "\t", "\\t", "\r", "\\r", "\f", "\\f")

func (w *printer) expr(e Expr) {
	switch e := e.(type) {
	case *Number:
		w.put(e.Text)
	case *String:
		w.put("\"", escapes.Replace(e.Text), "\"")
	case *Boolean:
		if e.Value {
			w.put("TRUE")
		} else {
			w.put("FALSE")
		}
	case *Ident:
		w.put(strings.TrimSuffix(e.Name, "."))
	case *Old:
		w.put("@")
	case *Apply:
		w.apply(e)
	case *Junction:
		w.junction(e)
	case *Qualified:
		for _, call := range e.Prefix {
			w.put(call.Name)
			w.arguments(call.Args)
			w.put("!")
		}
		if e.Name[0] == '!' {
			w.put(" ") // !! is one symbol
		}
		w.put(e.Name)
		w.arguments(e.Args)
	case *Parentheses:
		w.put("(")
		if e.Label != "" {
			w.put(e.Label)
			w.parameters(e.Params)
			w.put(":: ")
		}
		w.expr(e.Body)
		w.put(")")
	case *Index:
		w.atom(e.Function)
		w.put("[")
		w.exprs(e.Args)
		w.put("]")
	case *Dot:
		w.atom(e.Record)
		w.put(".", e.Field)
	case *Product:
		for i, set := range e.Sets {
			if i > 0 {
				w.put(" \\X ")
			}
			_, product := set.(*Product)
			w.operand(set, operators["\\X"], "", i == 0 && !product)
		}
	case *Box:
		w.box(e)
	case *Fairness:
		w.put(map[bool]string{false: "WF_", true: "SF_"}[e.Strong])
		w.subscript(e.Subscript)
		w.put("(")
		w.expr(e.Action)
		w.put(")")
	case *Set, *Filter, *Image, *Tuple, *Function, *Functions, *Record, *Records, *Except:
		w.brackets(e)
	default:
		w.phrase(e)
	}
}

func (w *printer) box(e *Box) {
	begin, end := "[", "]_"
	if e.Angle {
		begin, end = "<<", ">>_"
	}
	w.put(begin)
	w.expr(e.Action)
	w.put(end)
	w.subscript(e.Subscript)
}

func (w *printer) subscript(e Expr) {
	switch e := e.(type) {
	case *Ident, *Tuple:
		w.expr(e)
	case *Index, *Dot:
		w.expr(e)
	case *Qualified:
		w.parenthesised(e, len(e.Args) > 0)
	default:
		w.parenthesised(e, true)
	}
}

// brackets writes what has brackets of its own.
func (w *printer) brackets(e Expr) {
	switch e := e.(type) {
	case *Set:
		w.put("{")
		w.exprs(e.Items)
		w.put("}")
	case *Filter:
		w.put("{")
		w.bound(e.Bound)
		w.put(" : ")
		w.expr(e.Body)
		w.put("}")
	case *Image:
		w.put("{")
		_, confused := asBound(e.Body)
		w.parenthesised(e.Body, confused)
		w.put(" : ")
		separated(w, e.Bounds, w.bound)
		w.put("}")
	case *Tuple:
		w.put("<<")
		w.exprs(e.Items)
		w.put(">>")
	case *Function:
		w.put("[")
		separated(w, e.Bounds, w.bound)
		w.put(" |-> ")
		w.expr(e.Body)
		w.put("]")
	case *Functions:
		w.put("[")
		w.expr(e.Domain)
		w.put(" -> ")
		w.expr(e.Range)
		w.put("]")
	case *Record:
		w.fields(e.Fields, " |-> ")
	case *Records:
		w.fields(e.Fields, " : ")
	case *Except:
		w.put("[")
		w.expr(e.Function)
		w.put(" EXCEPT ")
		separated(w, e.Updates, w.update)
		w.put("]")
	}
}

func (w *printer) fields(all []Field, between string) {
	w.put("[")
	separated(w, all, func(f Field) {
		w.put(f.Name.Text, between)
		w.expr(f.Value)
	})
	w.put("]")
}

func (w *printer) update(u Update) {
	w.put("!")
	for _, s := range u.Path {
		if s.Field != "" {
			w.put(".", s.Field)
			continue
		}
		w.put("[")
		w.exprs(s.Args)
		w.put("]")
	}
	w.put(" = ")
	w.expr(u.Value)
}

// phrase writes what begins with a word and has no end of its own.
func (w *printer) phrase(e Expr) {
	column := w.column
	switch e := e.(type) {
	case *Quantifier:
		w.put("\\", strings.Repeat(map[bool]string{false: "A", true: "E"}[e.Exists], 1+map[bool]int{true: 1}[e.Temporal]), " ")
		separated(w, e.Bounds, w.bound)
		w.put(" : ")
		w.body(e.Body, column)
	case *Choose:
		w.put("CHOOSE ")
		w.bound(e.Bound)
		w.put(" : ")
		w.expr(e.Body)
	case *Lambda:
		w.put("LAMBDA ")
		separated(w, e.Params, w.parameter)
		w.put(" : ")
		w.expr(e.Body)
	case *If:
		w.put("IF ")
		w.expr(e.Test)
		lines := w.isLong(e.Then) || w.isLong(e.Else)
		w.word(" THEN ", column, lines)
		w.expr(e.Then)
		w.word(" ELSE ", column, lines)
		w.expr(e.Else)
	case *Case:
		w.put("CASE ")
		for i, arm := range e.Arms {
			if i > 0 {
				w.put(" [] ")
			}
			w.parenthesised(arm.Test, open(arm.Test))
			w.put(" -> ")
			w.parenthesised(arm.Value, open(arm.Value))
		}
		if e.Other != nil {
			if len(e.Arms) > 0 {
				w.put(" [] ")
			}
			w.put("OTHER -> ")
			w.expr(e.Other)
		}
	case *Let:
		w.put("LET ")
		within := w.column
		for i, u := range e.Units {
			if i > 0 {
				w.line(within)
			}
			w.unit(u)
		}
		if len(e.Units) == 1 {
			w.put(" IN ")
		} else {
			w.line(column)
			w.put("IN ")
		}
		w.body(e.Body, column)
	}
}

// word writes THEN or ELSE, in a line of its own if there is much to say.
func (w *printer) word(text string, column int, own bool) {
	if own {
		w.line(column + 2)
		text = strings.TrimPrefix(text, " ")
	}
	w.put(text)
}

// body writes what a quantifier or LET is about; a list begins a line.
func (w *printer) body(e Expr, column int) {
	if w.isLong(e) {
		w.line(column + 2)
	}
	w.expr(e)
}

// isLong tells whether an expression is written in several lines.
func (w *printer) isLong(e Expr) bool {
	long, known := w.long[e]
	if !known {
		apart := &printer{layout: w.layout}
		apart.expr(e)
		long = strings.Contains(apart.b.String(), "\n")
		w.long[e] = long
	}
	return long
}
