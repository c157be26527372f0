package campaign

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/history"
)

// lacking is a laboratory in which the operator does not get on without a Secret: pods wait for it, or nothing says so.
type lacking struct {
	*fake
	t      *trial
	secret string
	pods   bool
	runs   int
}

func (l *lacking) do(ctx context.Context, j job) (*run, error) {
	r, err := l.fake.do(ctx, j)
	l.runs++
	if err != nil || slices.ContainsFunc(l.t.o.Input.Made, func(o history.Object) bool { return o.Text("metadata", "name") == l.secret }) {
		return r, err
	}
	s := r.Steps[0]
	s.Rest.Quiet, s.Rest.Why = false, "something waits"
	if l.pods {
		s.End[history.Key{Resource: "pods", Namespace: "default", Name: "web-0"}] = history.Object{
			"kind": "Pod", "metadata": map[string]any{"name": "web-0", "namespace": "default"},
			"spec": map[string]any{"containers": []any{map[string]any{"name": "web", "env": []any{map[string]any{"valueFrom": map[string]any{"secretKeyRef": map[string]any{"name": l.secret, "key": "user"}}}}}}},
		}
	}
	return r, nil
}

// TestProvide: what the seed refers to and nobody gave is made where the operator does not get on without, and said; a
// guess that is of no help is taken back.
func TestProvide(t *testing.T) {
	for _, c := range []struct {
		name, secret   string
		pods           bool
		runs           int
		want, keys     string
		stuck, planned bool
	}{
		{name: "nothing is lacking", runs: 1},
		{name: "pods wait for it", secret: "access", pods: true, runs: 2, want: "access", keys: "token, user, username", planned: true},
		{name: "nothing says so", secret: "access", runs: 2, want: "access", keys: "token, username", planned: true},
		{name: "it is something else", secret: "another", runs: 2, stuck: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			one := made(&fake{operator: follows}, "spec.size=2")
			one.seed["spec"].(map[string]any)["secret"] = "access"
			one.root = &schema.Property{Children: []*schema.Property{{Name: "spec", Children: []*schema.Property{{Name: "secret", Kind: "SecretName"}}}}}
			planned := false
			one.replan = func() error { planned = true; return nil }
			lab := &lacking{fake: one.lab.(*fake), t: one, secret: c.secret, pods: c.pods}
			if c.secret != "" {
				one.lab = lab
			}
			r, err := one.seeded(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			in := one.o.Input
			var names []string
			for _, o := range in.Made {
				names = append(names, o.Text("metadata", "name"))
			}
			if got := strings.Join(names, " "); got != c.want || (one.reached(r) < wholly) != c.stuck || planned != c.planned || len(in.Setup.Objects) != len(in.Made) || len(one.out.Notes) != len(in.Made) {
				t.Errorf("%q is made, stuck: %t, planned again: %t, %q", got, one.reached(r) < wholly, planned, one.out.Notes)
			}
			if c.secret != "" && lab.runs != c.runs {
				t.Errorf("%d runs, want %d", lab.runs, c.runs)
			}
			if c.want != "" && !strings.Contains(one.out.Notes[0], fmt.Sprintf("the seed refers to Secret %s, which nobody gave: it is there with keys", c.want)) {
				t.Errorf("%q", one.out.Notes)
			}
			if c.want != "" && !strings.Contains(one.out.Notes[0], c.keys) {
				t.Errorf("%q, without the keys %s", one.out.Notes, c.keys)
			}
		})
	}
}
