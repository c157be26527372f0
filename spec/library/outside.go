package library

import (
	"os"
	"path/filepath"
)

// Outside is what of the machine a specification may see. It never changes anything, and never runs a program.
type Outside struct {
	// Folder is where files are that are named without one, and are not in the working directory.
	Folder string
	// Read, if set, gets each file that was read, with its text.
	Read func(name, text string)
}

// Refusal is the panic of an operator that is kept from what it does.
type Refusal struct{ Problem string }

// Error returns the problem.
func (r *Refusal) Error() string { return r.Problem }

// refused makes an operator that does what no check does.
func refused(name string, arity int, what string) Operator {
	return Operator{Name: name, Arity: arity, Impure: true, Apply: func(Context, []Value) Value {
		panic(&Refusal{name + " " + what + ": a check changes nothing outside, and runs no other program"})
	}}
}

// reading makes an operator that reads a file, whose name is the argument at a place.
func reading(name string, arity, file int, f func(text string, args []Value) Value) Operator {
	return Operator{Name: name, Arity: arity, Apply: func(c Context, args []Value) Value {
		named, ok := args[file].Text()
		if !ok {
			fail("%s is no name of a file", args[file])
		}
		return f(read(c, name, named), args)
	}}
}

// read reads a file, if the specification may.
func read(c Context, operator, name string) string {
	outside := allowed(c, operator, "reads "+name)
	text, err := os.ReadFile(name)
	if err != nil && !filepath.IsAbs(name) {
		beside := filepath.Join(outside.Folder, name)
		if again, missing := os.ReadFile(beside); missing == nil {
			name, text, err = beside, again, nil
		}
	}
	if err != nil {
		panic(&Refusal{operator + ": " + err.Error()})
	}
	if outside.Read != nil {
		outside.Read(name, string(text))
	}
	return string(text)
}

// allowed returns what is outside, or panics if the specification is kept from it.
func allowed(c Context, operator, what string) *Outside {
	outside := c.Outside()
	if outside == nil {
		panic(&Refusal{operator + " " + what + ": a specification sees files and the environment only if it is allowed to (--outside)"})
	}
	return outside
}
