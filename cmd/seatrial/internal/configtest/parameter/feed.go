package parameter

import "strings"

// Feed is a field or an argument of the program's own into which it puts what it makes of one parameter. Scale is how
// much that is of its unit for each one of the parameter's: 1e9 of time.Duration(c.Seconds) * time.Second.
type Feed struct {
	ID    ID
	Scale float64
}

// Asked is what is known of by its text alone: a function of the program is asked for it, as a store of settings that
// the program has of its own.
func Asked(text string) ID { return ID("asked " + strings.ToLower(text)) }

// TextOf is a text of which a type of Go makes its value: of a parameter of that type a test may have written it by
// hand.
func TextOf(of string) ID { return ID("text " + of) }
