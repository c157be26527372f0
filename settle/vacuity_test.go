package settle_test

import (
	"context"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/statespace"
)

// TestVacuity: what shows nothing is no pass.
func TestVacuity(t *testing.T) {
	idle := func(context.Context, client.Client, *unstructured.Unstructured) error { return nil }
	satisfied := func(context.Context, client.Reader, client.Object) error { return nil }
	for _, test := range []struct {
		name   string
		change func(*settle.Config)
		want   string
	}{
		{"nothing", func(*settle.Config) {}, ""},
		{"a fault without an occasion", func(c *settle.Config) { c.Faults.Late = true }, "Faults.Late is in scope, and there was never an occasion for it"},
		{"lists that are never older, since nothing is watched that changes", func(c *settle.Config) {
			c.Faults = settle.Faults{Crash: true, Older: true}
			c.Setup = config(idle, settle.Faults{}).Setup
			c.Match = satisfied
			c.Objects, c.Desired = c.Desired, c.Desired[:1]
		}, "Faults.Older is in scope, and there was never an occasion for it"},
		{"too few objects", func(c *settle.Config) { c.MaxObjects, c.Objects = 1, []client.Object{thing(fooKind, "x")} }, "users never ask for bars default/a (1): is MaxObjects 1 too few?"},
		{"a Match that is content", func(c *settle.Config) {
			d := config(idle, settle.Faults{})
			c.Setup, c.Match = d.Setup, satisfied
		}, "nothing was ever missing: it would hold of a controller that does nothing"},
	} {
		c := config(createThenRecord, settle.Faults{})
		test.change(&c)
		r, err := settle.Explore(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if want := test.want; (want == "") != (r.Verdict == statespace.Holds) || !strings.Contains(r.Reason, want) || want != "" && r.Name != "vacuity" {
			t.Errorf("%s: got %s", test.name, r)
		}
	}
}
