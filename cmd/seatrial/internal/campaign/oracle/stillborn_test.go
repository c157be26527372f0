package oracle_test

import "testing"

// TestStillborn: what an operator makes nothing of, and prints why, is not taken, and what there is stays for that; if
// it prints nothing of the kind, or makes something, or did so before, it is held to it.
func TestStillborn(t *testing.T) {
	const old = "{kind: StatefulSet, metadata: {name: a}}"
	const failed = `time="12:01" level=error msg="error on object processing: bootstrap must come with a host"`
	const later = `time="12:07" level=error msg="error on object processing: bootstrap must come with a host"`
	for _, c := range []struct {
		name, seed, last, twin, made string
		speaks                       bool
	}{
		{name: "it says so of both", last: failed, twin: later},
		{name: "it says nothing", speaks: true},
		{name: "it says so of one", last: failed, speaks: true},
		{name: "it did with the seed", seed: failed, last: failed, twin: later, speaks: true},
		{name: "it is no trouble", last: "bootstrapping a", twin: "bootstrapping a", speaks: true},
		{name: "it makes something", last: failed, twin: later, made: "{kind: Service, metadata: {name: a}}", speaks: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := twins(t, set("spec.bootstrap.port", "st-1"), "", thing+old, thing+c.made, "")
			k.Steps[0].End = state(t, thing+old)
			k.Steps[0].Output, k.Last().Output, k.Twin.Output = c.seed, c.last, c.twin
			if got := len(said("twin", k)) > 0; got != c.speaks {
				t.Errorf("it speaks: %t, want %t", got, c.speaks)
			}
		})
	}
}
