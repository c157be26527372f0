package oracle_test

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
)

// TestOverridden: what the user has set the operator leaves alone, be it in another form.
func TestOverridden(t *testing.T) {
	spec := func(value string) string { return "{kind: Thing, metadata: {name: a}, spec: {keep: " + value + "}}\n" }
	for _, c := range []struct {
		name string
		set  any
		// end is what the resource says in the end, and twin what it says where it was never another.
		end, twin string
		want      []string
	}{
		{name: "it stays", set: false, end: "false"},
		{
			name: "false becomes the default", set: false, end: "true",
			want: []string{"spec.keep of things.example.com default/a was applied as false, and the operator sets it to true"},
		},
		{
			name: "it does so in the twin", set: int64(0), end: "3", twin: "3",
			want: []string{"spec.keep of things.example.com default/a was applied as 0, and the operator sets it to 3"},
		},
		{name: "the twin has another value", set: int64(0), end: "3", twin: "0"},
		{name: "it is done, and taken back", set: true, end: "false"},
		{name: "the same quantity", set: "1024Mi", end: "1Gi"},
		{name: "the same time", set: "60s", end: "1m0s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := &operation.Operation{Property: "spec.keep", Case: "another", Changes: []operation.Change{{Path: []any{"spec", "keep"}, Value: c.set}}}
			k := caseOf(t, o, spec("x"), spec(c.end))
			k.Last().Resource = done(t, o, spec("x"), spec("x")).Last().End[key]
			if c.twin != "" {
				k.Twin = quiet(t, nil, "", spec(c.twin))
			}
			hold(t, "consistency", k, c.want)
		})
	}
}

// TestNothingOfAll: all of something is not 0.
func TestNothingOfAll(t *testing.T) {
	budget := func(least string) string {
		return "{kind: PodDisruptionBudget, metadata: {name: a}, spec: {minAvailable: " + least + "}}"
	}
	rollout := func(least string) string {
		return "\n{kind: Deployment, metadata: {name: a}, spec: {strategy: {minAvailable: " + least + "}}}"
	}
	for _, c := range []struct {
		name, set, seed, end string
		want                 []string
	}{
		{name: "it is written as it is", set: "100%", end: budget("100%")},
		{name: "it is counted", set: "100%", end: budget("3")},
		{name: "it is none", set: "100%", end: budget("0"), want: []string{"spec.minAvailable is 100%, and spec.minAvailable of poddisruptionbudgets.policy default/a is 0"}},
		{name: "a part of it may be none", set: "25%", end: budget("0")},
		{name: "another field of that name was none before", set: "100%", seed: rollout("0"), end: budget("3") + rollout("0")},
		{
			name: "all of another one of that name was there before", set: "100%", seed: rollout("100%"), end: budget("0") + rollout("100%"),
			want: []string{"spec.minAvailable is 100%, and spec.minAvailable of poddisruptionbudgets.policy default/a is 0"},
		},
		{name: "it is where it belongs", set: "100%", seed: rollout("1"), end: budget("100%") + rollout("0")},
	} {
		t.Run(c.name, func(t *testing.T) {
			seed := "{kind: Thing, metadata: {name: a}, spec: {minAvailable: 1}}\n"
			o := &operation.Operation{Property: "spec.minAvailable", Case: "all of it", Changes: []operation.Change{{Path: []any{"spec", "minAvailable"}, Value: c.set}}}
			k := done(t, o, seed+budget("1")+c.seed, seed+c.end)
			k.Last().Resource = k.Last().End[key]
			hold(t, "consistency", k, c.want)
		})
	}
}
