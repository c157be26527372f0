package syntax

// Module is one module: what it extends and its units in the order of the text.
type Module struct {
	At      Position
	Name    string
	Extends []Name
	Units   []Unit
	// Algorithm is the PlusCal algorithm that stands in a comment, nil if there is none.
	Algorithm *Algorithm
}

// Algorithm is where a PlusCal algorithm stands, and what of a translation stands beside it.
type Algorithm struct {
	// At is the place of the word that begins it: --algorithm or --fair.
	At Position
	// Offset and Until are where its text is in the source, in bytes.
	Offset, Until int
	// Unit is the number of units before the comment: where a translation belongs.
	Unit int
	// Translated is true if the module has a translation of it between the usual marks.
	Translated bool
	// Checksum is what the mark says of the algorithm that was translated, empty if nothing.
	Checksum string
}

// Name is an identifier where it stands.
type Name struct {
	At   Position
	Text string
}

// Unit is one top-level part of a module, or one definition of a LET.
type Unit interface{ unit() }

// Constants and Variables declare names; Recursive announces definitions.
type (
	Constants struct{ Names []Parameter }
	Variables struct{ Names []Name }
	Recursive struct{ Names []Parameter }
)

// Assumption is ASSUME or AXIOM, with its name if it has one.
type Assumption struct {
	At   Position
	Name string
	Body Expr
}

// Theorem is a theorem or lemma. Its proof is not kept. Body is nil for one
// that is a sequent (ASSUME … PROVE).
type Theorem struct {
	At   Position
	Name string
	Body Expr
}

// Parameter is a name that stands for a constant, or for an operator of Arity
// arguments.
type Parameter struct {
	Name
	Arity int
}

// Definition is Name(Params) == Body. Operators that are symbols have the symbol as
// their name, in its first spelling (see Canonical). A function f[x \in S] == e is
// a definition without parameters whose body is a Function with Recursive set.
type Definition struct {
	At     Position
	Name   string
	Params []Parameter
	Body   Expr
	Local  bool
}

// Instance is INSTANCE Module WITH …, named if Name is not empty.
type Instance struct {
	At     Position
	Name   string
	Params []Parameter
	Module Name
	With   []Substitution
	Local  bool
}

// Substitution is one name <- expression of a WITH.
type Substitution struct {
	Name  Name
	Value Expr
}

// Inner is a module within a module.
type Inner struct{ Module *Module }

func (*Constants) unit()  {}
func (*Variables) unit()  {}
func (*Recursive) unit()  {}
func (*Assumption) unit() {}
func (*Theorem) unit()    {}
func (*Definition) unit() {}
func (*Instance) unit()   {}
func (*Inner) unit()      {}

// Expr is an expression.
type Expr interface {
	// Position is where it begins, or for an operator between two where that stands.
	Position() Position
}

// At is where an expression stands. Every expression has one embedded.
type At struct{ Place Position }

// Position returns where the expression stands.
func (a At) Position() Position { return a.Place }

// Number, String and Boolean are literals.
type (
	Number struct {
		At
		// Text is decimal, also where the source has another base.
		Text string
	}
	String struct {
		At
		Text string
	}
	Boolean struct {
		At
		Value bool
	}
)

// Ident is a name that stands alone: a variable, a constant, an operator
// without arguments, or an operator that is handed on.
type Ident struct {
	At
	Name string
}

// Apply is an operator and its arguments: a name with parentheses, or a symbol.
// Symbols have their first spelling (see Canonical).
type Apply struct {
	At
	Name string
	Args []Expr
	// Infix is true where it was written as a symbol.
	Infix bool
}

// Qualified is Prefix!Name(Args): an operator of a named instance. A Name that is : or
// a number is a part of what the prefix names: its body, or one of its conjuncts.
type Qualified struct {
	At
	Prefix []Call
	Name   string
	Args   []Expr
}

// Call is a name with arguments, if it has any.
type Call struct {
	At   Position
	Name string
	Args []Expr
}

// Junction is a conjunction or a disjunction: of a list with bullets, or of what
// stands between the symbols.
type Junction struct {
	At
	// Or is true for a disjunction.
	Or    bool
	Items []Expr
}

// Quantifier is \A or \E; Bounds are empty sets of names if it is not bounded.
type Quantifier struct {
	At
	// Exists is true for \E.
	Exists bool
	// Temporal is true for \AA and \EE.
	Temporal bool
	Bounds   []Bound
	Body     Expr
}

// Bound is the names of a quantifier that range over one set: x, y \in S, or a
// tuple <<x, y>> \in S. Set is nil without \in.
type Bound struct {
	Names []Name
	Tuple bool
	Set   Expr
}

// Choose is CHOOSE x \in S : P. Its bound has one name or a tuple.
type Choose struct {
	At
	Bound Bound
	Body  Expr
}

// Kinds of sets and functions, as they are written.
type (
	// Set is {e, …}.
	Set struct {
		At
		Items []Expr
	}
	// Filter is {x \in S : P}.
	Filter struct {
		At
		Bound Bound
		Body  Expr
	}
	// Image is {e : x \in S, …}.
	Image struct {
		At
		Body   Expr
		Bounds []Bound
	}
	// Tuple is <<e, …>>.
	Tuple struct {
		At
		Items []Expr
	}
	// Product is S \X T \X …, not nested.
	Product struct {
		At
		Sets []Expr
	}
	// Function is [x \in S |-> e], or f[x \in S] == e if Recursive names f.
	Function struct {
		At
		Recursive string
		Bounds    []Bound
		Body      Expr
	}
	// Functions is [S -> T].
	Functions struct {
		At
		Domain, Range Expr
	}
	// Record is [a |-> e, …].
	Record struct {
		At
		Fields []Field
	}
	// Records is [a : S, …].
	Records struct {
		At
		Fields []Field
	}
)

// Field is a field of a Record, with its value, or of Records, with the set of them.
type Field struct {
	Name  Name
	Value Expr
}

// Index is f[e, …].
type Index struct {
	At
	Function Expr
	Args     []Expr
}

// Dot is r.Field.
type Dot struct {
	At
	Record Expr
	Field  string
}

// Except is [f EXCEPT !… = e, …].
type Except struct {
	At
	Function Expr
	Updates  []Update
}

// Update is one change of an Except.
type Update struct {
	At    Position
	Path  []Step
	Value Expr
}

// Step is one part of the path of an Update: a Field if it is not empty, else arguments.
type Step struct {
	Field string
	Args  []Expr
}

// Parentheses is an expression in parentheses, where that makes a difference, or one that has a label: Label(Params)::
// Body, where Params are the names that are bound around it.
type Parentheses struct {
	At
	Label  string
	Params []Parameter
	Body   Expr
}

// Old is @: the value that an Update replaces.
type Old struct{ At }

// If, Case and Let are as they are written. Other is nil without OTHER.
type (
	If struct {
		At
		Test, Then, Else Expr
	}
	Case struct {
		At
		Arms  []Arm
		Other Expr
	}
	Let struct {
		At
		Units []Unit
		Body  Expr
	}
)

// Arm is one test of a Case and its value.
type Arm struct{ Test, Value Expr }

// Lambda is LAMBDA x, y : e.
type Lambda struct {
	At
	Params []Parameter
	Body   Expr
}

// Box is [A]_v, and with Angle <<A>>_v.
type Box struct {
	At
	Angle     bool
	Action    Expr
	Subscript Expr
}

// Fairness is WF_v(A), and with Strong SF_v(A).
type Fairness struct {
	At
	Strong    bool
	Subscript Expr
	Action    Expr
}
