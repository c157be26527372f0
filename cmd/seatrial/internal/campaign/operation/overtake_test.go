package operation

import (
	"slices"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Whatever can be changed is changed once while a change is on its way, a number with which there is less of something
// first. The API server takes what is overtaken, and in the end something is another than before.
func TestOvertakes(t *testing.T) {
	t.Parallel()
	s := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": {Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
		"image": {Type: "string"}, "size": {Type: "integer"}, "debug": {Type: "boolean"},
		"state": {Type: "string", Enum: []apiextensionsv1.JSON{{Raw: []byte(`"Running"`)}, {Raw: []byte(`"Suspended"`)}}},
	}}}}
	o := Options{Definition: definition(t, s, nil), Seed: thing(map[string]any{"image": "a", "size": int64(5), "state": "Running"})}
	m, err := newMaker(o)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := Make(o)
	if err != nil {
		t.Fatal(err)
	}
	changed, sizes := map[string]bool{}, []any(nil)
	for _, q := range plan.Sequences {
		now := m.seed.written
		for _, op := range q.Operations {
			next, err := op.Apply(now)
			if err != nil {
				t.Fatal(err)
			}
			if len(op.Overtakes) > 0 {
				begun, err := op.Begun(now)
				if err != nil || m.refuses(begun, m.Server.Complete(now)) != "" || equal(begun, now) || equal(next, now) || equal(begun, next) {
					t.Errorf("%s: %v → %v → %v (%v)", op.Name, now, begun, next, err)
				}
				size, _ := at(map[string]any(begun), []any{"spec", "size"})
				sizes = append(sizes, size)
				for _, c := range op.Overtakes {
					changed[spelled(c.Path)] = true
				}
				if undone, err := op.Undo(now).Apply(next); err != nil || !equal(undone, now) {
					t.Errorf("%s is taken back to %v (%v), want %v", op.Name, undone, err, now)
				}
			}
			if op.Refused == "" {
				now = next
			}
		}
	}
	for _, p := range []string{"spec.image", "spec.size", "spec.debug"} {
		if !changed[p] {
			t.Errorf("nothing overtakes a change of %s", p)
		}
	}
	if changed["spec.state"] {
		t.Error("a pause is overtaken: nothing is done in it")
	}
	if !slices.Equal(sizes, []any{int64(4), int64(6)}) {
		t.Errorf("sizes that are overtaken are %v", sizes)
	}
}

// What shows a finding without what it overtakes is made smaller by it, or by a part of it; what needs it keeps it, and
// says it.
func TestReduceOvertakes(t *testing.T) {
	t.Parallel()
	for needed, want := range []int{0, 1, 2} {
		seq := sets("a=1")
		seq[0].Overtakes = append(sets("b=1")[0].Changes, sets("c=1")[0].Changes...)
		seq[0].Name = titles(seq, seq[0].around())
		small, err := Reduce(thing(nil), nil, seq, func(some []*Operation) (bool, error) { return len(some[0].Overtakes) >= needed, nil })
		if err != nil {
			t.Fatal(err)
		}
		if got := small[0]; len(got.Overtakes) != want || (want > 0) != (got.around() != "") {
			t.Errorf("needed %d: %+v", needed, *got)
		}
	}
}
