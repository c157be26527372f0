package settle_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/statespace"
)

// TestBudget: with a budget, faults happen that often and no more, and the bound of a verdict
// says so.
func TestBudget(t *testing.T) {
	for _, test := range []struct {
		faults settle.Faults
		bound  string
	}{
		{settle.Faults{Crash: true, Budget: settle.Budget{Crash: 1}}, "faults: crash (1 at most)"},
		{settle.Faults{Timeout: true, Budget: settle.Budget{Timeout: 2}}, "faults: timeout (2 at most)"},
		{settle.Faults{Crash: true, Late: true, Budget: settle.Budget{Late: 1}}, "faults: crash, late (1 at most)"},
		{settle.Faults{Evict: true, Budget: settle.Budget{Evict: 3}}, "faults: evict (3 at most)"},
		{settle.Faults{Recreate: true, Budget: settle.Budget{Recreate: 1}}, "faults: recreate (1 at most)"},
		{settle.Faults{Stale: true, Budget: settle.Budget{Stale: 2}}, "faults: stale (2 at most)"},
		{settle.Faults{Crash: true, Older: true, Budget: settle.Budget{Older: 1}}, "faults: crash, older (1 at most)"},
		{settle.Faults{Recreate: true, Budget: settle.Budget{Users: 1}}, "users ask 1 times at most"},
	} {
		states := func(f settle.Faults) int {
			c := caching(config(fixedNameChecked, f))
			c.Always = nil
			r, err := settle.Explore(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != statespace.Holds {
				t.Errorf("%+v: %s", f, r)
			}
			if text := strings.Join(strings.Fields(r.String()), " "); f.Budget != (settle.Budget{}) && !strings.Contains(text, test.bound) {
				t.Errorf("%+v: no %q in %s", f, test.bound, text)
			}
			return r.States
		}
		none := test.faults
		none.Crash, none.Timeout, none.Stale, none.Older, none.Late, none.Evict, none.Recreate, none.Budget = false, false, false, false, false, false, false, settle.Budget{}
		if bounded, never := states(test.faults), states(none); bounded <= never {
			t.Errorf("%+v: %d states, and %d without", test.faults, bounded, never)
		}
	}
}

// TestBudgetIsCounted: for three children, an operator is to be killed twice.
func TestBudgetIsCounted(t *testing.T) {
	for most, want := range []string{1: "holds", 2: "S12"} {
		if most == 0 {
			continue
		}
		c := config(createThenRecord, settle.Faults{Crash: true, Budget: settle.Budget{Crash: most}})
		c.MaxObjects, c.Match = 5, exists
		c.Always = map[string]func(context.Context, client.Reader) error{"at most two": func(ctx context.Context, c client.Reader) error {
			foos := things(fooKind)
			if err := c.List(ctx, foos); err != nil || len(foos.Items) <= 2 {
				return err
			}
			return fmt.Errorf("there are %d", len(foos.Items))
		}}
		if r, err := settle.Explore(t.Context(), c); err != nil || outcome(r) != want {
			t.Errorf("%d: %v: %s", most, err, r)
		}
	}
}

// TestOlderNeedsCrash: no process begins again that is not killed.
func TestOlderNeedsCrash(t *testing.T) {
	_, err := settle.Explore(t.Context(), config(fixedName, settle.Faults{Older: true}))
	if fmt.Sprint(err) != "settle: Faults.Older is about processes that were killed and begin again: it needs Faults.Crash" {
		t.Error(err)
	}
}

func TestBudgetBelowZero(t *testing.T) {
	c := config(fixedName, settle.Faults{Crash: true, Budget: settle.Budget{Crash: -1}})
	if _, err := settle.Explore(t.Context(), c); fmt.Sprint(err) != "settle: Faults.Budget.Crash is -1: it is 0 for no bound, or up to 255" {
		t.Error(err)
	}
}
