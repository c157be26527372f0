// Package library has the operators of the modules that every specification can extend without having
// them: the standard modules, and those of the TLA+ community that are in wide use. A file per module; each
// enters its operators itself.
//
// An operator here is a function of values. Operators among the arguments are values of kind
// Operator that hold a Call.
package library

import (
	"slices"

	"github.com/seatrial/seatrial/spec/value"
)

// Value is short for what everything here is about.
type Value = value.Value

// Call is an operator that was handed on as an argument.
type Call func(args ...Value) Value

// Context is what the few operators need that are no functions of their arguments.
type Context interface {
	// Print shows a line to who runs the check.
	Print(line string)
	// Register returns what TLCSet put at a number, or what there is to say of the run by a name, such as level.
	Register(key Value) (Value, bool)
	// SetRegister is TLCSet.
	SetRegister(key, v Value)
	// Outside is what of the machine may be seen, nil for nothing.
	Outside() *Outside
}

// Operator is one operator.
type Operator struct {
	Name  string
	Arity int
	// Apply computes it. Two is there instead for the operators of two arguments that are written
	// everywhere, and One for those of one.
	Apply func(c Context, args []Value) Value
	Two   func(a, b Value) Value
	One   func(a Value) Value
	// Impure is true if the same arguments may give something else the next time, or do something.
	Impure bool
	// Takes are the arities of the arguments that are operators, by their place.
	Takes map[int]int
}

// Module is one module.
type Module struct {
	Name string
	// Extends are the modules whose operators it has, too.
	Extends   []string
	Operators []Operator
}

var modules = map[string]*Module{}

// enter makes a module known. Each file calls it once.
func enter(name string, extends []string, operators ...Operator) struct{} {
	modules[name] = &Module{name, extends, operators}
	return struct{}{}
}

// Replacement is operators that stand for definitions of a module that is there in TLA+: what those say cannot be
// evaluated. The module is known by its name and by a definition that it has.
type Replacement struct {
	Known     string
	Operators []Operator
}

var replacements = map[string]Replacement{}

// instead makes replacements known.
func instead(module, known string, operators ...Operator) struct{} {
	replacements[module] = Replacement{known, operators}
	return struct{}{}
}

// Instead returns what replaces definitions of a module.
func Instead(module string) Replacement { return replacements[module] }

// Find returns the module of a name.
func Find(name string) (*Module, bool) {
	m, ok := modules[name]
	return m, ok
}

// With returns the names of the modules that have an operator, in order.
func With(operator string) (names []string) {
	for name, m := range modules {
		if slices.ContainsFunc(m.Operators, func(o Operator) bool { return o.Name == operator }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// one, two and several make operators.
func one(name string, f func(Value) Value) Operator {
	return Operator{Name: name, Arity: 1, One: f}
}

func two(name string, f func(a, b Value) Value) Operator {
	return Operator{Name: name, Arity: 2, Two: f}
}

func several(name string, arity int, f func(args []Value) Value) Operator {
	return Operator{Name: name, Arity: arity, Apply: func(_ Context, args []Value) Value { return f(args) }}
}

// taking is several with operators among the arguments: arities by place.
func taking(name string, arity int, takes map[int]int, f func(args []Value) Value) Operator {
	o := several(name, arity, f)
	o.Takes = takes
	return o
}

// constant is an operator without arguments.
func constant(name string, v Value) Operator {
	return Operator{Name: name, Apply: func(Context, []Value) Value { return v }}
}

func call(v Value) Call { return v.Operator().(Call) }
