// Package regression writes a trace of settle as an ordinary Go test: a line for each step, which
// calls settle's package regression.
package regression

import (
	"fmt"
	"go/format"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/trace"
)

// Options say what of the user's package a test calls.
type Options struct {
	// Package is its name.
	Package string
	// Test is the name of the test; that of what is violated is Title, in a line.
	Test, Title string
	// Config is an expression for the settle.Config.
	Config string
	// Draws tells that reconciles draw names by themselves.
	Draws bool
	// Imports are import paths that the expression needs, "NAME PATH" for one by another name.
	Imports []string
}

// Write is the test of a trace, formatted. What a real API server cannot be made to do is an
// error that says so.
func Write(t *trace.Trace, o Options) ([]byte, error) {
	lines, err := script(t, o.Draws)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// This test was written by `seatrial settle export`, and is yours.\n\npackage %s\n\nimport (\n\t\"testing\"\n\n\t\"github.com/seatrial/seatrial/settle/regression\"\n", o.Package)
	for _, path := range o.Imports {
		name, from, named := strings.Cut(path, " ")
		if !named {
			name, from = "", path
		}
		fmt.Fprintf(&b, "\t%s %s\n", name, strconv.Quote(from))
	}
	fmt.Fprintf(&b, ")\n\n// %s: %s. It needs the API server of KUBECONFIG, without controllers and objects of others.\nfunc %s(t *testing.T) {\n\tr := regression.New(t, %s)\n", o.Test, o.Title, o.Test, o.Config)
	for _, line := range lines {
		fmt.Fprintf(&b, "\t%s\n", line)
	}
	b.WriteString("\tr.End()\n}\n")
	out, err := format.Source([]byte(b.String()))
	if err != nil {
		return nil, fmt.Errorf("the test does not parse: is %s an expression? %w", o.Config, err)
	}
	return out, nil
}
