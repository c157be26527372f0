package value

import "testing"

// TestZero: 0 is meant where the schema says by a minimum that a number may be that, and not that it stands for
// something else.
func TestZero(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]bool{
		"{type: integer, minimum: 0}":                               true,
		"{type: integer, minimum: 0, description: Percent of all.}": true,
		"{type: integer, minimum: 0, description: 0 keeps none.}":   true,
		"{type: integer}":                                               false,
		"{type: integer, minimum: 1}":                                   false,
		"{type: integer, minimum: 0, exclusiveMinimum: true}":           false,
		"{type: integer, minimum: 0, description: 0 for the default.}":  false,
		"{type: integer, minimum: 0, description: unlimited with zero}": false,
		"{type: number, minimum: 0}":                                    false,
	} {
		if got := Zero(property(t, schema, ""), int64(0)); got != want {
			t.Errorf("%s: %t", schema, got)
		}
	}
	if Zero(property(t, "{type: integer, minimum: 0}", ""), int64(1)) {
		t.Error("1 is no 0")
	}
}
