package syntax

import (
	"errors"
	"strings"
	"testing"
)

// TestLongLines: what is nested too deeply, or grows to the left for too long, is an error at its place, in a line of a
// megabyte, too.
func TestLongLines(t *testing.T) {
	const n = 60_000
	for _, tt := range []struct{ text, want string }{
		{strings.Repeat("(", n) + "1" + strings.Repeat(")", n), "expressions are nested deeper than 10000 here"},
		{"1" + strings.Repeat(" + 1", n), "more than 50000 operators follow each other here"},
		{"f" + strings.Repeat("[1]", n), "more than 50000 operators follow each other here"},
		{"f" + strings.Repeat(".b", n), "more than 50000 operators follow each other here"},
		{"x" + strings.Repeat("'", n), "more than 50000 operators follow each other here"},
		{"(1" + strings.Repeat(" + 1", 30_000) + ")" + strings.Repeat(" + 1", 30_000), "more than 50000 operators follow each other here"},
		{"{1" + strings.Repeat(" + 1", 30_000) + ", 1" + strings.Repeat(" + 1", 30_000) + "}", ""},
		{"TRUE" + strings.Repeat(` /\ TRUE`, n/5), ""},
		{"{1" + strings.Repeat(", 1", n) + "}", ""},
	} {
		_, err := ParseExpression(&Source{"long", tt.text})
		if got := problem(err); got != tt.want {
			t.Errorf("%.20s…: %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestSigns: a minus binds as SANY has it.
func TestSigns(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"a * -b", "- after *: which binds is not defined; put parentheses"},
		{"-a ^ -b", "- after ^: which binds is not defined; put parentheses"},
		{"a * (-b)", ""},
		{"-a * b", ""},
		{"a + -b", ""},
		{"a - -b", ""},
		{`a \sqcap -b`, ""},
		{"a * SUBSET b", ""},
	} {
		_, err := ParseExpression(&Source{"sign", tt.text})
		if got := problem(err); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.text, got, tt.want)
		}
	}
}

func problem(err error) string {
	if err == nil {
		return ""
	}
	var wrong *Error
	if !errors.As(err, &wrong) {
		return err.Error()
	}
	return wrong.Problem
}
