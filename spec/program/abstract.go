package program

import (
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
)

// A property may say that another specification holds, whose variables are expressions of the own ones: a refinement.
// Its WF and SF ask whether one of its actions is possible. ENABLED is a quantifier over what the variables become, and
// what is bound is not replaced: its variables are variables of their own there, whatever the own ones do (Lamport,
// Specifying Systems, 17.8). So x' = e gives x a value for the rest of the action.

// abstract returns the variable of a refined specification that a primed expression is, nil if it is none, or one that
// stands for a variable.
func (c *compiler) abstract(e syntax.Expr, v env) *binding {
	primed := v.primed
	for {
		switch t := e.(type) {
		case *syntax.Parentheses:
			e = t.Body
			continue
		case *syntax.Apply:
			if t.Infix && t.Name == "'" && !primed {
				e, primed = t.Args[0], true
				continue
			}
		case *syntax.Ident:
			if b := v.scope.find(t.Name); primed && !v.init && c.isAbstract(b) {
				return b
			}
		}
		return nil
	}
}

// isAbstract tells whether a name is a variable of a refined specification for which something else than a variable
// stands.
func (c *compiler) isAbstract(b *binding) bool {
	if b == nil || b.kind != argument || !b.isVariable || b.body == nil || b.arity > 0 {
		return false
	}
	_, plain := c.target(b.body, primedEnv(b.env))
	return !plain
}

// assume is x' = e of a variable of a refined specification: where it is asked whether the action is possible, x has
// that value from then on. Elsewhere it is strict.
func (c *compiler) assume(b *binding, e syntax.Expr, v env, strict, next step) step {
	right := c.expr(e, v).eval
	return func(f *frame) {
		if !f.lenient {
			strict(f)
			return
		}
		var becomes value.Value
		if !f.try(func() { becomes = right(f) }) {
			next(f)
			return
		}
		if is, given := f.abstract[b]; given {
			if value.Equal(is, becomes) {
				next(f)
			}
			return
		}
		if f.abstract == nil {
			f.abstract = map[*binding]value.Value{}
		}
		f.abstract[b] = becomes
		next(f)
		delete(f.abstract, b)
	}
}

// become reads x' of such a variable.
func (b *binding) become(strict func(*frame) value.Value) func(*frame) value.Value {
	return func(f *frame) value.Value {
		if !f.lenient {
			return strict(f)
		}
		given, ok := f.abstract[b]
		if !ok {
			panic(undetermined{})
		}
		return given
	}
}
