package cluster

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
)

// A setup is read, defaulted and validated as an API server would, and what is
// built of it is the cluster that it was made of: nodes, workloads and budgets are
// where they were.
func TestASetupIsTheClusterItWasMadeOf(t *testing.T) {
	for name, in := range actClusters(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, err := build(t.Context(), in, Options{Exact: true})
			if err != nil {
				t.Fatal(err)
			}
			w.Prepare()
			r := &run{in: in, w: w}
			s := r.setup()
			var text strings.Builder
			for i, o := range s.Objects {
				for _, field := range []string{`"resourceVersion"`, `"managedFields"`, `"uid":"`} {
					if strings.Contains(string(o), field) {
						t.Errorf("objects[%d] has %s, which an API server gives", i, field)
					}
				}
				text.WriteString(asCreated(t, o) + "\n---\n")
			}
			for _, c := range []string{"kube-scheduler", "descheduler"} {
				text.Write(s.Components[c])
				text.WriteString("\n---\n")
			}
			again, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(text.String()), manifest.Options{ValidateDescheduler: CheckPolicy})
			if err != nil {
				t.Fatalf("an API server would refuse it: %v", err)
			}
			built, err := build(t.Context(), again, Options{Exact: true})
			if err != nil {
				t.Fatal(err)
			}
			built.Prepare()
			want, got := seen(w, initial(w)), seen(built, initial(built)) // where the others go is chosen
			got.Loads = want.Loads                                        // are the scenario's
			for _, s := range []*shape{want, got} {
				s.Pods = placesOf(s.Pods) // the trace says which are terminating
				maps.DeleteFunc(s.Replicas, func(object string, n int) bool { return n == 0 && strings.HasPrefix(object, "ReplicaSet ") })
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the setup is of another cluster (-input +setup):\n%s", diff)
			}
		})
	}
}

// placesOf are pods by who and where they are.
func placesOf(pods map[string]int) map[string]int {
	out := map[string]int{}
	for kind, n := range pods {
		place, _, _ := strings.Cut(kind, " Ready:")
		out[place] += n
	}
	return out
}

// asCreated is an object as who creates it has it: owners have the uids that the
// API server gave them.
func asCreated(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	o := parsed(raw).(map[string]any)
	meta := o["metadata"].(map[string]any)
	owners, _ := meta["ownerReferences"].([]any)
	for _, owner := range owners {
		owner.(map[string]any)["uid"] = owner.(map[string]any)["name"]
	}
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
