package pluscal

import (
	"slices"

	"github.com/seatrial/seatrial/spec/syntax"
)

// asking are the options that make processes fair which do not say so themselves.
var asking = map[string]level{"wf": weak, "sf": strong}

// spec is Init /\ [][Next]_vars with what is fair.
func (t *translation) spec() syntax.Expr {
	a := t.algorithm
	where := a.at
	box := &syntax.Box{At: at(where), Action: ident(where, "Next"), Subscript: ident(where, "vars")}
	items := []syntax.Expr{ident(where, "Init"), &syntax.Apply{At: at(where), Name: "[]", Args: []syntax.Expr{box}, Infix: true}}
	asked := a.options.fairness
	if asked == "nof" && !a.sequential() {
		return junction(where, false, items)
	}
	if a.fair || asked == "wfNext" || a.sequential() && asking[asked] != unfair {
		items = append(items, fairness(where, weak, ident(where, "Next")))
	}
	if a.sequential() {
		return junction(where, false, items)
	}
	for _, b := range a.processes {
		level := b.fair
		if level == unfair {
			level = asking[asked]
		}
		if level == unfair {
			continue
		}
		all := junction(b.at, false, t.fair(b, level))
		if b.set {
			all = &syntax.Quantifier{At: at(b.at), Bounds: selfIn(b.at, t.scopeless(b.id)), Body: all}
		}
		items = append(items, all)
	}
	return junction(where, false, items)
}

func fairness(p syntax.Position, l level, action syntax.Expr) syntax.Expr {
	return &syntax.Fairness{At: at(p), Strong: l == strong, Subscript: ident(p, "vars"), Action: action}
}

// fair returns what is fair about a process: its own steps, and those of the procedures
// that it calls.
func (t *translation) fair(process *body, l level) []syntax.Expr {
	self := t.scopeOf(process).self
	var items []syntax.Expr
	for _, b := range append([]*body{process}, t.called(process)...) {
		var args []syntax.Expr
		if b.procedure || b.set {
			args = []syntax.Expr{self}
		}
		minus, plus := b.modified()
		action := apply(b.at, b.final, args...)
		if len(minus) > 0 && !t.withoutPC {
			pc := &syntax.Index{At: at(b.at), Function: ident(b.at, "pc"), Args: []syntax.Expr{self}}
			action = junction(b.at, false, []syntax.Expr{elsewhere(b.at, pc, minus), action})
		}
		items = append(items, fairness(b.at, l, action))
		if l == weak && !t.withoutPC {
			for _, label := range plus {
				items = append(items, fairness(b.at, strong, apply(b.at, label, args...)))
			}
		}
	}
	return items
}

// modified returns the labels of a body that have a modifier: - for no fairness, + for strong.
func (b *body) modified() (minus, plus []string) {
	each(b.code, func(s *statement) {
		switch s.modifier {
		case '-':
			minus = append(minus, b.labels[s.label])
		case '+':
			plus = append(plus, b.labels[s.label])
		}
	})
	return minus, plus
}

// elsewhere says that pc is at none of some labels.
func elsewhere(p syntax.Position, pc syntax.Expr, labels []string) syntax.Expr {
	if len(labels) == 1 {
		return binary(p, "#", pc, str(p, labels[0]))
	}
	set := &syntax.Set{At: at(p)}
	for _, label := range labels {
		set.Items = append(set.Items, str(p, label))
	}
	return binary(p, "\\notin", pc, set)
}

// called returns the procedures that a process calls, and those that these call.
func (t *translation) called(process *body) []*body {
	var all []*body
	bodies := []*body{process}
	for len(bodies) > 0 {
		each(bodies[0].code, func(s *statement) {
			c, ok := s.do.(call)
			if !ok {
				return
			}
			for _, p := range t.algorithm.procedures {
				if p.name == c.procedure.Text && !slices.Contains(all, p) {
					all = append(all, p)
					bodies = append(bodies, p)
				}
			}
		})
		bodies = bodies[1:]
	}
	return all
}
