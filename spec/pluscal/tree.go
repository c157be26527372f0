package pluscal

import "github.com/seatrial/seatrial/spec/syntax"

// algorithm is what is read from the text.
type algorithm struct {
	at        syntax.Position
	fair      bool
	variables []*variable
	define    []syntax.Unit
	macros    map[string]*macro
	// expanded is how many statements are from macros.
	expanded int
	// procedures and processes are in the order of the text. An algorithm without processes
	// has one that is called nothing.
	procedures []*body
	processes  []*body
	options    options
}

// sequential tells whether the algorithm has no processes.
func (a *algorithm) sequential() bool { return len(a.processes) == 1 && a.processes[0].name == "" }

// bodies returns procedures and processes.
func (a *algorithm) bodies() []*body {
	return append(a.procedures[:len(a.procedures):len(a.procedures)], a.processes...)
}

// variable is one that is declared. Its init is nil if nothing is said.
type variable struct {
	at   syntax.Position
	name string
	// among says that the variable may have any value of the set init.
	among bool
	init  syntax.Expr
	// final is its name in the translation.
	final string
	// indexed says that each process has its own value.
	indexed bool
}

// level is how fair a process is.
type level int

const (
	unfair level = iota
	weak
	strong
)

// body is a procedure or a process.
type body struct {
	at         syntax.Position
	name       string
	final      string
	procedure  bool
	parameters []*variable
	locals     []*variable
	// id is the process, or the set of processes if set is true.
	id   syntax.Expr
	set  bool
	fair level
	code []*statement
	// labels maps each label to its name in the translation.
	labels map[string]string
	// steps are the disjuncts that Next has for it.
	steps []syntax.Expr
}

// variables returns parameters and locals.
func (b *body) variables() []*variable {
	return append(b.parameters[:len(b.parameters):len(b.parameters)], b.locals...)
}

// macro is a macro: its statements may call the macros before it only, and have no labels.
type macro struct {
	parameters []syntax.Name
	code       []*statement
}

// statement is one statement, with its label if it has one.
type statement struct {
	at      syntax.Position
	label   string
	labelAt syntax.Position
	// modifier is + or - after the label, 0 if there is none.
	modifier byte
	// caller is where the macro was called that the statement is from.
	caller syntax.Position
	do     any
}

// What statements do.
type (
	skip       struct{}
	returning  struct{}
	jump       struct{ label string }
	await      struct{ condition syntax.Expr }
	assertion  struct{ condition syntax.Expr }
	printing   struct{ value syntax.Expr }
	assignment struct{ targets []target }
	branching  struct {
		condition syntax.Expr
		then, or  []*statement
	}
	choice struct{ branches [][]*statement }
	loop   struct {
		condition syntax.Expr
		code      []*statement
	}
	// with binds one name.
	with struct {
		name  syntax.Name
		among bool
		value syntax.Expr
		code  []*statement
	}
	call struct {
		procedure syntax.Name
		arguments []syntax.Expr
	}
	macroCall struct {
		name      syntax.Name
		arguments []syntax.Expr
	}
)

// target is one part of an assignment: name, path in it, and its new value.
type target struct {
	name  syntax.Name
	path  []syntax.Step
	value syntax.Expr
}

// parts returns the lists of statements within a statement.
func (s *statement) parts() [][]*statement {
	switch do := s.do.(type) {
	case branching:
		return [][]*statement{do.then, do.or}
	case choice:
		return do.branches
	case loop:
		return [][]*statement{do.code}
	case with:
		return [][]*statement{do.code}
	}
	return nil
}

// each calls f with every statement of a list and all in them, in the order of the text.
func each(code []*statement, f func(*statement)) {
	for _, s := range code {
		f(s)
		for _, part := range s.parts() {
			each(part, f)
		}
	}
}
