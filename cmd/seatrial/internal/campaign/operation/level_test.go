package operation

import "testing"

// TestLevels: a time is once as long as another one beside it, in both directions, unless the schema refuses that.
func TestLevels(t *testing.T) {
	t.Parallel()
	plan, err := Make(read(t, `
spec:
  type: object
  properties:
    duration: {type: string}
    renewBefore: {type: string}
    name: {type: string}
    probe: {type: object, properties: {every: {type: string}, within: {type: string, enum: [1s, 5s]}}}
seed: {duration: 2160h, renewBefore: 720h, name: web, probe: {every: 1m0s, within: 5s}}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"spec.duration: as renewBefore was": "720h", "spec.renewBefore: as duration was": "2160h", "spec.probe.every: as within was": "5s"}
	for _, s := range plan.Sequences {
		for _, o := range s.Operations {
			what := o.Property + ": " + o.Case
			if v, is := want[what]; is && v == o.Changes[0].Value {
				delete(want, what)
			}
			if what == "spec.probe.within: as every was" {
				t.Errorf("%s: the schema has no such value", what)
			}
		}
	}
	for what := range want {
		t.Errorf("%s is not planned", what)
	}
}
