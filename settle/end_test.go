package settle_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/statespace"
)

// TestWithoutMatch: what each way of the demo comes to where nobody says what is right.
func TestWithoutMatch(t *testing.T) {
	for _, row := range []struct {
		name   string
		way    variant
		faults settle.Faults
		want   string
	}{
		{"create, then record", createThenRecord, settle.Faults{}, "holds"},
		{"create, then record", createThenRecord, settle.Faults{Crash: true}, "K11"},
		{"create, then record", createThenRecord, settle.Faults{Evict: true}, "K8"},
		{"create, then patch", createThenPatch, settle.Faults{Timeout: true}, "K11"},
		{"create, then patch", createThenPatch, settle.Faults{Recreate: true}, "K10"},
		{"list first", listFirst, settle.Faults{Crash: true, Late: true}, "K14"},
		{"list first", listFirst, settle.Faults{Crash: true, Timeout: true}, "holds"},
		{"list first, and stale", listFirst, settle.Faults{Stale: true}, "K20"},
		{"list first, live, delete the surplus", listLiveAndDelete, settle.Faults{Crash: true, Late: true}, "holds"},
		{"a fixed name", fixedName, settle.Faults{Crash: true}, "L9"},
		{"a fixed name, checked", fixedNameChecked, settle.Faults{Crash: true, Timeout: true, Evict: true, Recreate: true}, "holds"},
		{"a drawn name, recorded first", nameFirst, settle.Faults{Crash: true, Late: true}, "holds"},
	} {
		c := config(row.way, row.faults)
		c.Match, c.Always = nil, nil
		if row.faults.Stale {
			c = caching(c)
		}
		if row.faults.Recreate {
			c.MaxObjects = 2
		}
		r, err := settle.Explore(t.Context(), c)
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		if got := outcome(r); got != row.want {
			t.Errorf("%s: got %s, want %s: %s", row.name, got, row.want, r)
		}
		if !strings.Contains(r.String(), "there is no Match") {
			t.Errorf("it is not said that there is no Match: %s", r)
		}
	}
}

// TestWithoutEnds: what never comes to rest says nothing of what is right.
func TestWithoutEnds(t *testing.T) {
	restless := func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
		return patch(ctx, c, bar, map[string]string{"": "a", "a": "b", "b": "a"}[recorded(bar)])
	}
	again := func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
		return errors.Join(fixedNameChecked(ctx, c, bar), errors.New("once more"))
	}
	for _, row := range []struct {
		name   string
		way    variant
		states int
		want   string
	}{
		{"it changes something for ever", restless, 0, "bars default/a: without faults it never comes to rest, either"},
		{"it tries again for ever", again, 0, ""},
		{"there are too many states", fixedNameChecked, 3, "settle: there is no Match, so what the cluster comes to without faults is what it has to come to, and without faults there are more than 3 states: give a Match, or bound what is desired"},
	} {
		c := config(row.way, settle.Faults{})
		c.Match, c.Always, c.MaxStates = nil, nil, cmp.Or(row.states, c.MaxStates)
		r, err := settle.Explore(t.Context(), c)
		got := fmt.Sprint(err)
		if err == nil {
			got = r.Reason
		}
		if got != row.want {
			t.Errorf("%s: got %s, want %s", row.name, got, row.want)
		}
	}
}

// TestEndsCancelled: a search that is told to end while what is right is looked for says so.
func TestEndsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	c := config(func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
		cancel(errors.New("it is late"))
		return fixedNameChecked(ctx, c, bar)
	}, settle.Faults{Crash: true})
	c.Match, c.Always = nil, nil
	r, err := settle.Explore(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	report := r.Report("")
	for text, wants := range map[string][]string{
		r.Reason:          {"cancelled: it is late, while what the cluster comes to without faults was looked for", "states without faults so far", "give a Match"},
		report.Bound.Text: {"bars default/a; faults: crash"},
	} {
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("there is no %q in: %s", want, text)
			}
		}
	}
	if r.Verdict != statespace.Inconclusive || report.Bound.Complete || len(report.Results) != 1 {
		t.Errorf("it is %s", r)
	}
}

// TestEndsDiffer: what users write is not taken for a generated name because it looks like one.
func TestEndsDiffer(t *testing.T) {
	c := config(func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
		is := child(bar, "one", "")
		_ = unstructured.SetNestedField(is.Object, "x1000", "spec", "size")
		switch err := c.Create(ctx, is); {
		case apierrors.IsAlreadyExists(err):
			return nil
		case err != nil:
			return err
		}
		_ = unstructured.SetNestedField(is.Object, "x2000", "spec", "size")
		return c.Update(ctx, is) // and is killed before
	}, settle.Faults{Crash: true})
	c.Match, c.Always = nil, nil
	r, err := settle.Explore(t.Context(), c)
	if want := "foos default/one: spec.size is x1000, and not x2000"; err != nil || !strings.Contains(r.Reason, want) {
		t.Errorf("got %v, %v, want %q", r, err, want)
	}
}
