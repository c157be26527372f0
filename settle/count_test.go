package settle_test

import (
	"context"
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/statespace"
)

// TestCount: a System of which every reconcile writes something has states without end if it counts
// writes with numbers, and few if it does with Counts. It runs in the cluster: nobody answers for
// what is not there.
func TestCount(t *testing.T) {
	for _, test := range []struct {
		name string
		from int64
		want statespace.Verdict
	}{
		{"a number", 1, statespace.Inconclusive},
		{"a Count", int64(settle.NewCount("writes")), statespace.Holds},
	} {
		c := config(nil, settle.Faults{Crash: true, Recreate: true})
		c.Always, c.MaxStates = nil, 200
		c.Systems = []settle.System{settle.NewSystemInCluster("register", int64(0), func(cluster client.Reader, writes int64, of client.ObjectKey) (int64, int64, error) {
			bar := &unstructured.Unstructured{}
			bar.SetGroupVersionKind(barKind)
			if err := cluster.Get(t.Context(), of, bar); err != nil {
				return 0, 0, errors.New("nobody answers")
			}
			return max(writes+1, test.from), writes, nil
		})}
		c.Setup = func(mgr ctrl.Manager) error {
			remote, err := settle.Connect(mgr, "register")
			if err != nil {
				return err
			}
			return operators(map[string]variant{"bar": func(ctx context.Context, _ client.Client, bar *unstructured.Unstructured) error {
				return remote.Ask(ctx, client.ObjectKeyFromObject(bar), nil)
			}})(mgr)
		}
		c.Match = func(_ context.Context, r client.Reader, _ client.Object) error {
			var writes int64
			if err := settle.Look(r, "register", &writes); err != nil || writes == 0 {
				return errors.Join(err, errors.New("nothing is written"))
			}
			return nil
		}
		r, err := settle.Explore(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != test.want {
			t.Errorf("%s: got\n%s", test.name, r)
		}
		t.Logf("%s: %d states", test.name, r.States)
	}
}
