package program

import (
	"slices"
	"sync/atomic"

	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/statespace"
)

// Antecedent is what a claim speaks about only where it is true: P of P => Q, or of P ~> Q. A claim of which it is
// never true says nothing, though it holds.
type Antecedent struct {
	// Claim is the name of the claim, and At where the whole of it stands.
	Claim string
	At    syntax.Position
	// Text is the antecedent, and Whole what it is one of.
	Text, Whole string

	holds Predicate
	seen  atomic.Bool
}

// watched are the antecedents of all claims, and how many have not been true in any state yet.
type watched struct {
	all    []*Antecedent
	unseen atomic.Int32
	// others are the claims that say something else, too.
	others map[string]bool
}

// Unmet returns the antecedents that were true in no state whose steps were looked for. There are none where states
// stand for others.
func (p *Program) Unmet() (unmet []*Antecedent) {
	for _, a := range p.watched.all {
		if !a.seen.Load() {
			unmet = append(unmet, a)
		}
	}
	return unmet
}

// Watches tells whether a claim has any antecedents.
func (p *Program) Watches(claim string) bool {
	return slices.ContainsFunc(p.watched.all, func(a *Antecedent) bool { return a.Claim == claim })
}

// Empty tells whether a claim says nothing: all that it says is said of what was true in no state.
func (p *Program) Empty(claim string) bool {
	met := func(a *Antecedent) bool { return a.Claim == claim && a.seen.Load() }
	return !p.watched.others[claim] && p.Watches(claim) && !slices.ContainsFunc(p.watched.all, met)
}

// meet looks which antecedents are true in a state.
func (p *Program) meet(state []statespace.ID) {
	for _, a := range p.watched.all {
		if !a.seen.Load() && p.trueOrNone(&a.holds, state) && a.seen.CompareAndSwap(false, true) {
			p.watched.unseen.Add(-1)
		}
	}
}

// trueOrNone tells whether a condition is true, or has no value: what is wrong there is said by the claim, if it comes
// to that.
func (p *Program) trueOrNone(q *Predicate, state []statespace.ID) (is bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(*EvaluationError); !ok {
				panic(r)
			}
			is = true
		}
	}()
	return p.Holds(q, state)
}

// watch finds the antecedents of a claim.
func (c *compiler) watch(name syntax.Name, top env) {
	b := c.lookup(name, top)
	if b.kind == definition && b.body != nil {
		c.antecedents(name.Text, b.body, nil, b.env)
	}
}

// antecedents takes a claim apart down to implications, which may be within quantifiers.
func (c *compiler) antecedents(claim string, e syntax.Expr, within []*syntax.Quantifier, v env) {
	switch t := e.(type) {
	case *syntax.Parentheses:
		c.antecedents(claim, t.Body, within, v)
		return
	case *syntax.Junction:
		if !t.Or {
			for _, item := range t.Items {
				c.antecedents(claim, item, within, v)
			}
			return
		}
	case *syntax.Quantifier:
		if !t.Exists && !t.Temporal {
			c.antecedents(claim, t.Body, append(slices.Clone(within), t), v)
			return
		}
	case *syntax.Apply:
		switch {
		case t.Infix && t.Name == "[]" && len(t.Args) == 1:
			c.antecedents(claim, t.Args[0], within, v)
			return
		case t.Infix && (t.Name == "=>" || t.Name == "~>") && c.antecedent(claim, t, within, v):
			return
		}
	case *syntax.Ident:
		if b, _ := c.reference(e, v); b != nil && b.kind == definition && len(b.params) == 0 && b.body != nil {
			c.antecedents(claim, b.body, nil, b.env)
			return
		}
	}
	c.program.watched.others[claim] = true
}

// antecedent adds that of one implication, if it is a condition on states that is not known before anything is
// explored. It is true if it is so for any of what is quantified over.
func (c *compiler) antecedent(claim string, e *syntax.Apply, within []*syntax.Quantifier, v env) bool {
	some := e.Args[0]
	for _, q := range slices.Backward(within) {
		some = &syntax.Quantifier{At: q.At, Exists: true, Bounds: q.Bounds, Body: some}
	}
	if c.temporal(some, v.scope) {
		return false
	}
	if _, known := c.decided(some, v); known {
		return false
	}
	v.routine = c.routine()
	q := c.compiled("an antecedent", some.Position(), c.expr(some, v), v.routine)
	if q.next {
		return false
	}
	w := &c.program.watched
	w.all = append(w.all, &Antecedent{Claim: claim, At: e.Place, Text: syntax.Print(e.Args[0]), Whole: syntax.Print(e), holds: q})
	w.unseen.Add(1)
	return true
}
