package syntax

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// wide is how long a junction may be to be written in one line.
const wide = 60

// Print returns an expression as TLA+ text. What is read from the text is the same tree
// again, but for positions.
func Print(e Expr) string {
	w := newPrinter()
	w.expr(e)
	return w.b.String()
}

// PrintUnit returns a unit as TLA+ text, as Print does.
func PrintUnit(u Unit) string {
	w := newPrinter()
	w.unit(u)
	return w.b.String()
}

// printer writes text and knows the column that it is in: lists depend on it.
type printer struct {
	b      strings.Builder
	column int
	*layout
}

// layout is what is known of how parts are written: each is tried once, however deep they are within each other.
type layout struct {
	long   map[Expr]bool
	inline map[*Junction]inline
}

// inline is a junction as one line, if ok.
type inline struct {
	text string
	ok   bool
}

func newPrinter() *printer {
	return &printer{layout: &layout{long: map[Expr]bool{}, inline: map[*Junction]inline{}}}
}

func (w *printer) put(parts ...string) {
	for _, s := range parts {
		w.b.WriteString(s)
		w.column += utf8.RuneCountInString(s)
	}
}

// line begins a new line at a column.
func (w *printer) line(column int) {
	w.b.WriteString("\n" + strings.Repeat(" ", column))
	w.column = column
}

func separated[T any](w *printer, all []T, one func(T)) {
	for i, item := range all {
		if i > 0 {
			w.put(", ")
		}
		one(item)
	}
}

func (w *printer) exprs(all []Expr) { separated(w, all, w.expr) }

func (w *printer) arguments(args []Expr) {
	if len(args) > 0 {
		w.put("(")
		w.exprs(args)
		w.put(")")
	}
}

func (w *printer) parameters(params []Parameter) {
	if len(params) > 0 {
		w.put("(")
		separated(w, params, w.parameter)
		w.put(")")
	}
}

func (w *printer) parameter(p Parameter) {
	switch {
	case !Symbol(p.Text) && p.Arity == 0:
		w.put(p.Text)
	case !Symbol(p.Text):
		w.put(p.Text, "(_", strings.Repeat(", _", p.Arity-1), ")")
	case p.Arity == 2:
		w.put("_ ", p.Text, " _")
	case operators[p.Text].fixity == postfix:
		w.put("_ ", p.Text)
	default:
		w.put(p.Text, " _")
	}
}

func (w *printer) name(n Name) { w.put(n.Text) }

func (w *printer) unit(u Unit) {
	switch u := u.(type) {
	case *Constants:
		w.put("CONSTANTS ")
		separated(w, u.Names, w.parameter)
	case *Variables:
		w.put("VARIABLES ")
		separated(w, u.Names, w.name)
	case *Recursive:
		w.put("RECURSIVE ")
		separated(w, u.Names, w.parameter)
	case *Assumption:
		w.put("ASSUME ")
		w.named(u.Name)
		w.expr(u.Body)
	case *Theorem:
		w.put("THEOREM ")
		w.named(u.Name)
		if u.Body == nil {
			w.put("ASSUME TRUE PROVE TRUE") // what it says is not kept
			return
		}
		w.expr(u.Body)
	case *Definition:
		w.definition(u)
	case *Instance:
		w.instance(u)
	case *Inner:
		w.put("---- MODULE ", u.Module.Name, " ----")
		if len(u.Module.Extends) > 0 {
			w.line(0)
			w.put("EXTENDS ")
			separated(w, u.Module.Extends, w.name)
		}
		for _, inner := range u.Module.Units {
			w.line(0)
			w.unit(inner)
		}
		w.line(0)
		w.put("====")
	}
}

func (w *printer) named(name string) {
	if name != "" {
		w.put(name, " == ")
	}
}

func (w *printer) definition(d *Definition) {
	if d.Local {
		w.put("LOCAL ")
	}
	f, _ := d.Body.(*Function)
	switch op := operators[d.Name]; {
	case Symbol(d.Name) && op.fixity == prefix:
		w.put(d.Name, " ", d.Params[0].Text)
	case Symbol(d.Name) && op.fixity == postfix:
		w.put(d.Params[0].Text, " ", d.Name)
	case Symbol(d.Name):
		w.put(d.Params[0].Text, " ", d.Name, " ", d.Params[1].Text)
	case f != nil && f.Recursive != "":
		w.put(d.Name, "[")
		separated(w, f.Bounds, w.bound)
		w.put("] == ")
		w.expr(f.Body)
		return
	default:
		w.put(d.Name)
		w.parameters(d.Params)
	}
	w.put(" == ")
	w.expr(d.Body)
}

func (w *printer) instance(i *Instance) {
	if i.Local {
		w.put("LOCAL ")
	}
	if i.Name != "" {
		w.put(i.Name)
		w.parameters(i.Params)
		w.put(" == ")
	}
	w.put("INSTANCE ", i.Module.Text)
	if len(i.With) > 0 {
		w.put(" WITH ")
		separated(w, i.With, func(s Substitution) {
			w.put(s.Name.Text, " <- ")
			w.expr(s.Value)
		})
	}
}

func (w *printer) bound(b Bound) {
	if b.Tuple {
		w.put("<<")
	}
	separated(w, b.Names, w.name)
	if b.Tuple {
		w.put(">>")
	}
	if b.Set != nil {
		w.put(" \\in ")
		w.expr(b.Set)
	}
}

// parenthesised writes an expression, in parentheses if it needs them.
func (w *printer) parenthesised(e Expr, needed bool) {
	if !needed {
		w.expr(e)
		return
	}
	w.put("(")
	w.expr(e)
	w.put(")")
}

// open tells whether an expression has no end of its own: it takes in whatever follows.
func open(e Expr) bool {
	switch e := e.(type) {
	case *If, *Case, *Let, *Lambda, *Quantifier, *Choose:
		return true
	case *Junction:
		return true
	case *Apply:
		return e.Infix && slices.ContainsFunc(e.Args, open)
	}
	return false
}

// outermost returns the operator that an expression is of, if it is of one.
func outermost(e Expr) (name string, op operator, ok bool) {
	switch e := e.(type) {
	case *Apply:
		if e.Infix {
			return e.Name, operators[e.Name], true
		}
	case *Junction:
		if e.Or {
			return "\\/", operators["\\/"], true
		}
		return "/\\", operators["/\\"], true
	case *Product:
		return "\\X", operators["\\X"], true
	case *Number:
		if strings.HasPrefix(e.Text, "-") {
			return "-.", operators["-."], true
		}
	}
	return "", operator{}, false
}

// operand writes what stands left or right of an operator.
func (w *printer) operand(e Expr, outer operator, outerName string, left bool) {
	name, op, ok := outermost(e)
	tight := !ok || op.low > outer.high
	if ok && left {
		switch op.fixity {
		case infix:
			tight = tight || name == outerName && op.left
		case prefix:
			tight = outer.low <= op.high && outer.fixity == infix
		case postfix:
			tight = true
		}
	}
	_, closed := e.(*Junction)
	_, apply := e.(*Apply)
	w.parenthesised(e, !tight || closed || !apply && open(e))
}

// atom writes what arguments in brackets or a field are selected from.
func (w *printer) atom(e Expr) {
	_, op, ok := outermost(e)
	q, qualified := e.(*Qualified)
	w.parenthesised(e, ok && op.fixity != postfix || !ok && open(e) || qualified && !letter([]rune(q.Name)[0]))
}

func (w *printer) apply(e *Apply) {
	if !e.Infix {
		w.put(e.Name)
		w.arguments(e.Args)
		return
	}
	switch op := operators[e.Name]; op.fixity {
	case prefix:
		w.put(strings.TrimSuffix(e.Name, "."))
		if e.Name[0] >= 'A' && e.Name[0] <= 'Z' {
			w.put(" ")
		}
		name, inner, ok := outermost(e.Args[0])
		w.parenthesised(e.Args[0], ok && inner.low <= op.high && (inner.fixity != prefix || name == "-." || e.Name == "-.") || !ok && open(e.Args[0]) ||
			e.Name == "-." && !ok && number(e.Args[0]))
	case postfix:
		w.atom(e.Args[0])
		w.put(e.Name)
	default:
		w.operand(e.Args[0], op, e.Name, true)
		w.put(" ", e.Name, " ")
		w.operand(e.Args[1], op, e.Name, false)
	}
}

func number(e Expr) bool {
	_, ok := e.(*Number)
	return ok
}

// junction writes a list with bullets, or what is short in one line.
func (w *printer) junction(j *Junction) {
	symbol := "/\\"
	if j.Or {
		symbol = "\\/"
	}
	in, known := w.inline[j]
	if !known {
		in.text, in.ok = w.inlined(j, symbol)
		w.inline[j] = in
	}
	if in.ok {
		w.put(in.text)
		return
	}
	column := w.column
	for i, item := range j.Items {
		if i > 0 {
			w.line(column)
		}
		w.put(symbol, " ")
		w.expr(item)
	}
}

// inlined returns a junction as one line, if that is short and can be read back.
func (w *printer) inlined(j *Junction, symbol string) (string, bool) {
	if len(j.Items) < 2 {
		return "", false
	}
	for i, item := range j.Items {
		if inner, ok := item.(*Junction); ok && (i == 0 && inner.Or == j.Or || len(inner.Items) > 3) {
			return "", false
		}
	}
	line := &printer{layout: w.layout}
	for i, item := range j.Items {
		if i > 0 {
			line.put(" ", symbol, " ")
		}
		line.operand(item, operators[symbol], symbol, i == 0)
	}
	s := line.b.String()
	return s, len(s) <= wide && !strings.Contains(s, "\n")
}
