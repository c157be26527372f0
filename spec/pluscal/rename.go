package pluscal

import (
	"strconv"

	"github.com/seatrial/seatrial/spec/syntax"
)

// symbol is a name that the translation defines.
type symbol struct {
	at syntax.Position
	// name is what the algorithm calls it, owner the process or procedure that it is in.
	name, owner string
	final       string
	// kind is the number that ends a name for which nothing else is left.
	kind int
	set  func(final string)
}

// Kinds of symbols, in the order in which they are renamed.
const (
	labelSymbol = 1 + iota
	procedureSymbol
	processSymbol
	processVariable
	procedureVariable
	parameterSymbol
)

// symbols returns all names but those of the variables of everybody, in the order in
// which they are renamed.
func (a *algorithm) symbols() []*symbol {
	var all []*symbol
	for _, b := range a.bodies() {
		b.labels = map[string]string{"Done": "Done", "Error": "Error"}
		each(b.code, func(s *statement) {
			if s.label == "" {
				return
			}
			if _, twice := b.labels[s.label]; twice {
				fail(s.labelAt, "there are two labels %s here: rename one", s.label)
			}
			b.labels[s.label] = s.label
			all = append(all, &symbol{
				at: s.labelAt, name: s.label, owner: b.name, kind: labelSymbol,
				set: func(final string) { b.labels[s.label] = final },
			})
		})
	}
	for _, b := range a.procedures {
		all = append(all, &symbol{at: b.at, name: b.name, kind: procedureSymbol, set: func(final string) { b.final = final }})
	}
	for _, b := range a.processes {
		if b.name != "" {
			all = append(all, &symbol{at: b.at, name: b.name, kind: processSymbol, set: func(final string) { b.final = final }})
		}
	}
	variables := func(b *body, declared []*variable, kind int) {
		for _, v := range declared {
			all = append(all, &symbol{at: v.at, name: v.name, owner: b.name, kind: kind, set: func(final string) { v.final = final }})
		}
	}
	for _, b := range a.processes {
		variables(b, b.locals, processVariable)
	}
	for _, b := range a.procedures {
		variables(b, b.locals, procedureVariable)
	}
	for _, b := range a.procedures {
		variables(b, b.parameters, parameterSymbol)
	}
	return all
}

// rename gives every name that is there several times another one, but for the last: the
// name of what it is in is added, as much of it as is needed.
func (a *algorithm) rename() {
	all := a.symbols()
	used := map[string]int{}
	for _, v := range a.variables {
		if used[v.name]++; used[v.name] > 1 {
			fail(v.at, "variable %s is declared twice", v.name)
		}
	}
	for _, name := range []string{"pc", "stack", "vars", "Init", "Next", "Spec", "ProcSet"} {
		a.refuse(name, all)
	}
	a.clashes(used, all)
	for _, s := range all {
		used[s.name]++
	}
	for _, s := range all {
		s.final = s.name
		for n := 0; used[s.final] > 1 || n > 0 && used[s.final] > 0; n++ {
			if n == 0 {
				used[s.name]--
			}
			s.final = s.name + "_" + s.owner[:min(n, len(s.owner))]
			for extra := len(s.owner); extra < n; extra++ {
				s.final += strconv.Itoa(s.kind)
			}
		}
		if s.final != s.name {
			used[s.final]++
		}
		s.set(s.final)
	}
}

// refuse reports a name that the translation has for itself.
func (a *algorithm) refuse(name string, all []*symbol) {
	for _, v := range a.variables {
		if v.name == name {
			fail(v.at, "%s is a name that the translation defines: rename this variable", name)
		}
	}
	for _, s := range all {
		if s.name == name {
			fail(s.at, "%s is a name that the translation defines: choose another one", name)
		}
	}
}

// clashes reports variables of a process or procedure that hide others, and two that
// are called the same there.
func (a *algorithm) clashes(used map[string]int, all []*symbol) {
	type key struct{ owner, name string }
	seen := map[key]bool{}
	for _, s := range all {
		if s.kind < processVariable {
			continue
		}
		switch k := (key{s.owner, s.name}); {
		case used[s.name] > 0:
			fail(s.at, "%s is a variable of the whole algorithm already: rename this one", s.name)
		case seen[k]:
			fail(s.at, "%s is declared twice here: rename one", s.name)
		default:
			seen[k] = true
		}
	}
}
