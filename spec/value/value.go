// Package value has the values of TLA+: booleans, integers, strings, model values, sets and functions. Tuples,
// sequences and records are functions: <<a, b>> is the function on 1..2.
//
// A Value is two words and is never changed. Sets and functions that are written
// out have one form each: sets are sorted without duplicates, functions that are sequences are
// kept as such, so that equal values have equal digests. Large and infinite sets (SUBSET S,
// [S -> T], Nat) are kept as what they are made of: they can be asked for members,
// and are listed only when that is needed.
//
// What TLA+ leaves undefined is an error here, never FALSE: comparing a number with a string,
// applying a function outside its domain. Errors are panics with a *Failure,
// which whoever evaluates catches.
//
// The order of values, by which sets are sorted and CHOOSE chooses, is: numbers by size, FALSE
// before TRUE, strings and model values by their text, sets by size and then member by member, functions by size,
// domain, and values.
package value

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Kind says what a value is.
type Kind uint8

const (
	// None is the zero Value, which is no value of TLA+.
	None Kind = iota
	// Bool is TRUE or FALSE.
	Bool
	// Int is an integer.
	Int
	// String is a text.
	String
	// Model is a value that differs from all others, as a .cfg declares them.
	Model
	// Enumerated is a set with its members.
	Enumerated
	// Tuple is a sequence.
	Tuple
	// Function is a function with any other domain.
	Function
	// Symbolic is a set that is known by what it is made of.
	Symbolic
	// Rule is a function that is known by what it is made of.
	Rule
	// Operator is what is handed to an operator that takes operators. It is no value of TLA+.
	Operator
)

// Value is one value. Values that are == are equal; equal values need not be ==: see Equal.
type Value struct {
	o *object
	n int64
}

// object is what the word of a value points to: for numbers and booleans one for all.
type object struct {
	kind Kind
	// domain is a function's domain, an Enumerated object.
	domain *object
	items  []Value
	// high and low are the digest once it is known; high is then not 0.
	high, low atomic.Uint64
	// interned is the number that a Store gave to it, from 1, below that of the Store.
	interned atomic.Uint64
	*other
}

// other is what objects have that are no listed sets or functions.
type other struct {
	// text is that of a string, or the name of a model value; letter is of a typed one. rank is where it stands among
	// names.
	text   string
	letter byte
	rank   atomic.Uint32
	set    set
	rule   *rule
	call   any
	// number is that of a boxed number or boolean, as a Store has it.
	number int64
	// listed is the listed form once it is known.
	listed atomic.Pointer[object]
}

var (
	boolObject = &object{kind: Bool}
	intObject  = &object{kind: Int}
)

// Failure is what is wrong with an expression that has no value.
type Failure struct {
	Problem string
	// Limit is true if there may be a value, but not within what is evaluated here.
	Limit bool
}

// Error returns the problem.
func (f *Failure) Error() string { return f.Problem }

// Fail panics with a Failure.
func Fail(format string, args ...any) {
	panic(&Failure{Problem: fmt.Sprintf(format, args...)})
}

// Exceed panics with a Failure that is a limit.
func Exceed(format string, args ...any) {
	panic(&Failure{Problem: fmt.Sprintf(format, args...), Limit: true})
}

// Kind returns what the value is.
func (v Value) Kind() Kind {
	if v.o == nil {
		return None
	}
	return v.o.kind
}

// IsNone tells whether this is no value.
func (v Value) IsNone() bool { return v.o == nil }

// True and False are the booleans.
var (
	True  = Value{boolObject, 1}
	False = Value{boolObject, 0}
)

// OfBool returns a boolean.
func OfBool(b bool) Value {
	if b {
		return True
	}
	return False
}

// OfInt returns a number.
func OfInt(n int64) Value { return Value{intObject, n} }

// names are the strings and model values of the process, by their text.
var names struct {
	sync.RWMutex
	strings, models map[string]*object
	ranks           map[string]uint32
}

func name(table *map[string]*object, kind Kind, text string) Value {
	names.RLock()
	o := (*table)[text]
	names.RUnlock()
	if o == nil {
		names.Lock()
		defer names.Unlock()
		if *table == nil {
			*table = map[string]*object{}
		}
		if o = (*table)[text]; o == nil {
			o = &object{kind: kind, other: &other{text: text}}
			if kind == Model && len(text) > 2 && text[1] == '_' && (text[0] >= 'A' && text[0] <= 'Z' || text[0] >= 'a' && text[0] <= 'z') {
				o.letter = text[0]
			}
			o.rank.Store(names.ranks[text])
			(*table)[text] = o
		}
	}
	return Value{o: o}
}

// OfString returns a string. Equal strings are ==.
func OfString(text string) Value { return name(&names.strings, String, text) }

// OfModel returns the model value of a name. One whose name is a letter and _ is typed:
// it can be compared with its like only.
func OfModel(text string) Value { return name(&names.models, Model, text) }

// Bool returns the boolean; where says in the error what asked for one.
func (v Value) Bool(where string) bool {
	if v.o != boolObject {
		Fail("%s is %s, TRUE or FALSE is expected", where, Describe(v))
	}
	return v.n != 0
}

// Int returns the number; where says in the error what asked for one.
func (v Value) Int(where string) int64 {
	if v.o != intObject {
		Fail("%s is %s, a number is expected", where, Describe(v))
	}
	return v.n
}

// Text returns the text of a string or the name of a model value, and whether it is one.
func (v Value) Text() (string, bool) {
	if k := v.Kind(); k == String || k == Model {
		return v.o.text, true
	}
	return "", false
}

// OfOperator wraps an operator to hand it on.
func OfOperator(call any) Value { return Value{o: &object{kind: Operator, other: &other{call: call}}} }

// Operator returns what OfOperator was given.
func (v Value) Operator() any {
	if v.Kind() != Operator {
		Fail("%s stands where an operator is expected", Describe(v))
	}
	return v.o.call
}
