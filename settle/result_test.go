package settle_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/trace"
)

// explored is what there is to say of a way of the demo.
func explored(t *testing.T, v variant, f settle.Faults) *settle.Result {
	t.Helper()
	r, err := settle.Explore(t.Context(), config(v, f))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestText: what go test shows of the operator of the talk.
func TestText(t *testing.T) {
	const want = `VIOLATED  SEA5002 always  at-most-one
bound: bars default/a; faults: crash; users ask while there are fewer than 3
objects (12 states, 8 steps deep, the search ended at a violation)

it has the children [foo-x0001 foo-x0002]

  1  user           create bars default/a
                      bars default/a  object: – → created, uid …0001
  2  bar default/a  reconcile
  3  bar default/a  get bars default/a
  4  bar default/a  create foos default/foo-*
                      foos default/foo-x0001  object: – → created, uid …0002
                      foos default/foo-x0001  metadata.ownerReferences: – →
                      ["Bar a, uid …0001"]
  5  process        is killed, and begins again
  6  bar default/a  reconcile
  7  bar default/a  get bars default/a
  8  bar default/a  create foos default/foo-*
                      foos default/foo-x0002  object: – → created, uid …0003
                      foos default/foo-x0002  metadata.ownerReferences: – →
                      ["Bar a, uid …0001"]
`
	got := explored(t, createThenRecord, settle.Faults{Crash: true}).String()
	steps, _, _ := strings.Cut(got, "\nundecided")
	if diff := cmp.Diff(want, steps); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTextFits: whatever is found, it is read in 40 lines of 80 columns, with what it
// rests on.
func TestTextFits(t *testing.T) {
	for _, r := range []*settle.Result{
		explored(t, createThenRecord, settle.Faults{}),
		explored(t, createThenPatch, settle.Faults{Recreate: true}),
		explored(t, fixedName, settle.Faults{Crash: true}),
		explored(t, fixedNameBlindly, settle.Faults{Recreate: true}),
	} {
		text := r.String()
		lines := strings.Split(text, "\n")
		if len(lines) > 41 { // with the time that it took
			t.Errorf("%d lines:\n%s", len(lines), text)
		}
		for _, line := range lines {
			if trace.Columns(line) > 80 {
				t.Errorf("%d columns: %s", trace.Columns(line), line)
			}
		}
		for _, want := range []string{"faults: ", " states, ", "fewer than 3", "assumes ", "took "} {
			if !strings.Contains(strings.Join(lines, " "), want) {
				t.Errorf("there is no %q:\n%s", want, text)
			}
		}
	}
}

// TestNamesStay: a UID has one name from the beginning of a trace to its end, though states
// are the same whatever they count.
func TestNamesStay(t *testing.T) {
	uid := regexp.MustCompile(`uid …(\d+)`)
	r := explored(t, fixedNameBlindly, settle.Faults{Recreate: true})
	created := map[string]string{}
	for _, s := range r.Steps {
		for _, c := range s.Changes {
			id := uid.FindStringSubmatch(c.To)
			if c.Field != "object" || id == nil {
				continue
			}
			if other := created[id[1]]; other != "" {
				t.Errorf("%s and %s are both created with the UID …%s", other, c.Object, id[1])
			}
			created[id[1]] = c.Object
		}
	}
	if len(created) < 3 {
		t.Errorf("the Bar is created twice, and a Foo: %v", created)
	}
}

// TestGenerationsAreTold: a reader sees the numbers that an API server would have given.
func TestGenerationsAreTold(t *testing.T) {
	c := config(nil, settle.Faults{})
	c.Always = nil
	c.Setup = managed(func(ctx context.Context, mgr ctrl.Manager, bar *unstructured.Unstructured) error {
		if len(bar.GetAnnotations()) > 0 {
			return nil
		}
		bar.SetAnnotations(map[string]string{"seen": fmt.Sprint(bar.GetGeneration())})
		return mgr.GetClient().Update(ctx, bar)
	})
	c.Match = func(_ context.Context, _ client.Reader, desired client.Object) error {
		return fmt.Errorf("generation %d, seen %v", desired.GetGeneration(), desired.GetAnnotations())
	}
	r, err := settle.Explore(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if want := "bars default/a: generation 1, seen map[seen:1]"; r.Reason != want || !strings.Contains(r.String(), `metadata.annotations: – → {"seen":"1"}`) {
		t.Errorf("want %q:\n%s", want, r)
	}
}
