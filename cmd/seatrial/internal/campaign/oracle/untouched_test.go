package oracle_test

import (
	"testing"

	"github.com/seatrial/seatrial/history"
)

// TestUntouched: what was there before is there in both runs, also where only one has touched it.
func TestUntouched(t *testing.T) {
	shared := history.Key{Resource: "namespaces", Name: "shared"}
	namespace := func(label string) history.Object {
		return history.Object{"kind": "Namespace", "metadata": map[string]any{"name": "shared", "labels": map[string]any{"by": label}}}
	}
	for _, test := range []struct {
		name        string
		found, twin history.Object // nil for one that was left alone
		want        []string
	}{
		{"it was marked, and is as before", namespace("user"), nil, nil},
		{"it is still marked", namespace("a"), nil, []string{`metadata.labels.by of namespaces shared is "a", and "user" where the resource was never another`}},
		{"it is marked in the other run", nil, namespace("a"), []string{`metadata.labels.by of namespaces shared is "user", and "a" where the resource was never another`}},
	} {
		one := twins(t, property("spec.size"), thing, thing, thing, "")
		last, twin, twice := one.Last(), one.Twin, one.Twice
		last.Untouched, twin.Untouched = history.State{shared: namespace("user")}, history.State{shared: namespace("user")}
		if test.found != nil {
			last.Untouched, last.End[shared] = nil, test.found
		}
		if test.twin != nil {
			twin.Untouched, twin.End[shared] = nil, test.twin
		}
		*twice = *twin
		t.Run(test.name, func(t *testing.T) { hold(t, "twin", one, test.want) })
	}
}
