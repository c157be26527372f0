package campaign

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/history"
)

// TestApply: a resource is created, and changed by a patch that says all of it and takes away what was said before,
// defaults included.
func TestApply(t *testing.T) {
	// A default of what is around: it goes when something else is said.
	defaulted := func(o history.Object) history.Object {
		if o["spec"] != nil {
			return o
		}
		return history.Object{"kind": "Web", "spec": map[string]any{"limits": map[string]any{"cpu": "2"}, "more": int64(1)}}
	}
	l := &lab{complete: defaulted, key: history.Key{Resource: "webs.example.com", Namespace: "default", Name: "web"}}
	after := history.Object{"kind": "Web", "spec": map[string]any{"limits": map[string]any{"memory": "1Gi"}, "items": []any{"a"}}}
	if s := l.apply(nil, after, nil); s.Patch != nil || len(s.Apply.Objects) != 1 {
		t.Errorf("the first is not created: %+v", s)
	}
	s := l.apply(history.Object{"kind": "Web"}, after, nil)
	if s.Patch == nil || s.Patch.Object.String() != "webs.example.com default/web" {
		t.Fatalf("it is not changed: %+v", s)
	}
	const want = `{"kind":"Web","spec":{"items":["a"],"limits":{"cpu":null,"memory":"1Gi"},"more":null}}`
	if diff := cmp.Diff(want, string(s.Patch.Merge)); diff != "" {
		t.Error(diff)
	}
}

// TestApplyNull: a null that is said is set, which a merge patch cannot do, and what others have written stays as with
// that.
func TestApplyNull(t *testing.T) {
	l := &lab{complete: func(o history.Object) history.Object { return o }, key: history.Key{Resource: "webs.example.com", Namespace: "default", Name: "web"}}
	before := history.Object{"spec": map[string]any{"note": "none", "limits": map[string]any{"cpu": "2"}, "old": int64(1), "gone": int64(1)}}
	live := history.Object{"spec": map[string]any{"note": "none", "limits": map[string]any{"cpu": "2", "theirs": "x"}, "old": int64(1)}, "status": map[string]any{}}
	after := history.Object{"spec": map[string]any{"note": nil, "limits": map[string]any{"memory": "1Gi"}, "a/b": map[string]any{"note": nil}}}
	s := l.apply(before, after, live)
	const want = `[{"op":"add","path":"/spec/a~1b","value":{"note":null}},{"op":"add","path":"/spec/limits/memory","value":"1Gi"},` +
		`{"op":"remove","path":"/spec/limits/cpu"},{"op":"add","path":"/spec/note","value":null},{"op":"remove","path":"/spec/old"}]`
	if diff := cmp.Diff(want, string(s.Patch.Operations)); diff != "" {
		t.Error(diff)
	}
}

// TestOff: what the user does not want is not asked, nor what cannot be known where something cannot be reached.
func TestOff(t *testing.T) {
	in := &input.Input{Off: []string{"selector"}}
	if got, want := silent(in), []string{"selector", "custom"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	in.Unreachable, in.Oracles = []string{"tcp"}, []input.Oracle{{}}
	if got, want := silent(in), []string{"selector", "dead-property"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
