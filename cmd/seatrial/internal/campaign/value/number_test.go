package value

import (
	"math"
	"testing"
)

// TestMultiples: multiples of what has no exact form in a computer are tried, and written as people do; 1 of 2.5 is
// none.
func TestMultiples(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		schema, now string
		valid       []any
	}{
		{"{type: number, multipleOf: 0.1}", "0.2", []any{0.3, 0.1, int64(0), int64(1)}},
		{"{type: number, multipleOf: 0.01, minimum: 0.05, maximum: 0.29}", "0.28", []any{0.29, 0.27, 0.05}},
		{"{type: integer, multipleOf: 2.5}", "5", []any{int64(10), int64(0)}},
		{"{type: integer, multipleOf: 0.5}", "1", []any{int64(2), int64(0)}},
	} {
		at := &Place{Property: property(t, test.schema, ""), Present: true, Tables: BuiltIn(), Draw: Draw{Property: 1, Operation: 1, Number: 20017}}
		now, err := Decode([]byte(test.now))
		if err != nil {
			t.Fatal(err)
		}
		at.Value = now
		for _, want := range test.valid {
			some := false
			for _, c := range Cases(at) {
				some = some || c.Class == Change && c.Value == want
			}
			if !some {
				t.Errorf("%s at %s: %v is not tried: %+v", test.schema, test.now, want, Cases(at))
			}
		}
		l := limitOf(at.Property.Schema)
		for _, c := range Cases(at) {
			if n := float(c.Value); c.Class == Change && math.Abs(n/l.step-math.Round(n/l.step)) > 1e-9 {
				t.Errorf("%s: %v is no multiple", test.schema, c.Value)
			}
		}
	}
}
