package program

import (
	"context"
	"errors"
)

// Evaluation of one expression may take longer than anybody waits: a quantifier over all subsets of a large set. Its
// steps are counted, and now and then it is asked whether to go on.

const (
	// asked is after how many steps that is.
	asked = 1 << 12
	// early bounds the steps of what is evaluated while a specification is compiled, which nothing but its speed asks
	// for.
	early = 1 << 20
)

// Interrupted is the error of an evaluation that was ended.
type Interrupted struct{ Cause error }

// Error returns why.
func (e *Interrupted) Error() string { return "cancelled: " + e.Cause.Error() }

// Unwrap returns the cause.
func (e *Interrupted) Unwrap() error { return e.Cause }

var errEarly = errors.New("it takes too long for now")

// Until has evaluation end with an Interrupted when ctx does.
func (p *Program) Until(ctx context.Context) { p.until = ctx }

// tick counts a step of an evaluation.
func (f *frame) tick() {
	if f.left--; f.left < 0 {
		if !f.p.compiled {
			panic(&Interrupted{errEarly})
		}
		f.p.poll()
		f.left = asked
	}
}

// poll ends the evaluation if it is to end.
func (p *Program) poll() {
	if p.until == nil {
		return
	}
	select {
	case <-p.until.Done():
		panic(&Interrupted{context.Cause(p.until)})
	default:
	}
}
