package campaign

import (
	"reflect"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/history"
)

// loses does what the resource says, but for a text that it refuses; of that it does not know any more, when it goes,
// that there was one.
func loses(spec map[string]any, old history.Object) map[string]any {
	was, _ := old.At("data").(map[string]any)
	switch {
	case spec["text"] == "refused":
		return merged(merged(follows(spec, old), map[string]any{"text": "a"}), map[string]any{"lost": "yes"})
	case spec["text"] == nil && was["lost"] == "yes":
		return merged(follows(spec, old), map[string]any{"text": was["text"]})
	}
	return follows(spec, old)
}

// TestDropped: what the operator did not do is tried again behind the plan, and taken away there without being mended
// before.
func TestDropped(t *testing.T) {
	says := func(spec map[string]any, _, _ history.Object) string {
		if spec["text"] == "refused" {
			return "spec.text is invalid"
		}
		return ""
	}
	prints := func(spec map[string]any) string { // which has it taken back within the plan
		if spec["text"] == "refused" {
			return "error: it cannot be refused\n"
		}
		return ""
	}
	for name, test := range map[string]struct {
		operator func(map[string]any, history.Object) map[string]any
		want     []string
	}{
		"it forgets": {loses, []string{"twin spec.text: spec.text=refused spec.text-"}},
		"it follows": {follows, nil},
	} {
		t.Run(name, func(t *testing.T) {
			one := made(&fake{operator: test.operator, says: says, prints: prints}, "spec.size=2 spec.text=refused spec.text=a spec.text-")
			var failed []string
			one.dropped = func(all []*operation.Operation) ([]*operation.Sequence, error) {
				for _, o := range all {
					failed = append(failed, o.Name)
				}
				s := planned("spec.text=refused spec.text-")
				s[0].Operations[0].Followed = true
				return s, nil
			}
			if err := one.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if want := []string{"spec.text=refused"}; !reflect.DeepEqual(failed, want) {
				t.Errorf("it is said of %q that they failed, want %q", failed, want)
			}
			if got := told(one.out); !reflect.DeepEqual(got, test.want) {
				t.Errorf("found %q, want %q, gone %d", got, test.want, len(one.out.Gone))
			}
		})
	}
}
