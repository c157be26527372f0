package oracle_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/history"
)

// TestDefaulted: an operator may fail at what a user gives, and not at what the schema has by default, unless that does
// not go with something beside it.
func TestDefaulted(t *testing.T) {
	const fails = "reconciles of the operator's controller thing go on failing when nothing moves any more, as its metrics say, with what the schema has by default for spec.weight"
	for _, c := range []struct {
		name     string
		operator []string // controllers that fail with the seed
		twin     []string
		output   string
		given    bool // a value is given, and not taken out
		more     bool // something else is another than in the seed
		want     string
	}{
		{name: "of the default", twin: []string{"thing"}, output: "ERROR weight is of the type int64", want: fails},
		{name: "with the seed, too", operator: []string{"thing"}, twin: []string{"thing"}},
		{name: "of a value", twin: []string{"thing"}, given: true},
		{name: "of what is beside it", twin: []string{"thing"}, output: "ERROR size is invalid: greater than weight"},
		{name: "something else is another", twin: []string{"thing"}, more: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			seed := history.Object{"kind": "Thing", "metadata": map[string]any{"name": "a"}, "spec": map[string]any{"size": int64(1), "weight": "1.5"}}
			o := &operation.Operation{Property: "spec.weight", Default: !c.given, Changes: []operation.Change{{Path: []any{"spec", "weight"}, Remove: true}}}
			const text = "{kind: Thing, metadata: {name: a}, spec: {size: 1, weight: '1.5'}}"
			k := caseOf(t, o, text, text)
			k.Steps[0].Resource, k.Steps[0].Rest.Failing = seed, c.operator
			next, err := o.Apply(seed)
			if err != nil {
				t.Fatal(err)
			}
			if c.more {
				next["spec"].(map[string]any)["size"] = int64(2)
			}
			k.Last().Resource, k.Last().Output, k.Last().Rest.Failing = next, c.output, []string{"thing"}
			k.Twin = quiet(t, nil, "", text)
			k.Twin.Rest.Failing = c.twin
			if got := strings.Join(said("health", k), "\n"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
