package settle_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/statespace"
)

// TestNames: whatever all that is counted in a node is called, it is the same state, and the same
// can happen, with the same states behind it.
func TestNames(t *testing.T) {
	for _, row := range []struct {
		name   string
		config settle.Config
	}{
		{"pods of a chain, one killed", chain(2, false, settle.Faults{Crash: true, Late: true, Budget: settle.Budget{Crash: 1, Environment: 1}})},
		{"children that come and go", config(listLiveAndDelete, settle.Faults{Recreate: true, Timeout: true})},
		{"children in caches", caching(config(listFirst, settle.Faults{Stale: true, Evict: true}))},
		{"a name that is noted first", config(nameFirst, settle.Faults{Crash: true, Late: true, Recreate: true})},
	} {
		if err := settle.Renamings(row.config, 800, 40); err != nil {
			t.Errorf("%s: %v", row.name, err)
		}
	}
}

// keeper has as many children as it is to have, as one of many would.
type keeper struct {
	wanted                             int
	live, oneAtATime, recordsAll       bool
	deletesFirst, recordsLast, patches bool
	// blind: it looks for none where it has noted one. restless: it replaces what it has.
	blind, restless bool
}

func (k keeper) keep(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	var r client.Reader = c
	if k.live {
		r = c.(operator).live
	}
	names, err := children(ctx, r, bar)
	if err != nil {
		return err
	}
	most := k.wanted
	switch noted := recorded(bar); {
	case k.blind && noted != "":
		return nil
	case k.blind:
		names = nil
	case k.restless && noted != "":
		most--
	}
	for len(names) > most {
		gone := names[len(names)-1]
		names = names[:len(names)-1]
		if k.deletesFirst {
			gone, names = append(names, gone)[0], append(names, gone)[1:]
		}
		if err := c.Delete(ctx, thing(fooKind, gone)); client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	for len(names) < k.wanted {
		foo := child(bar, "", "foo-")
		if err := c.Create(ctx, foo); err != nil || k.oneAtATime {
			return err
		}
		names = append(names, foo.GetName())
	}
	note := names[0]
	switch {
	case k.recordsAll:
		note = strings.Join(names, " ")
	case k.recordsLast:
		note = names[len(names)-1]
	}
	switch {
	case recorded(bar) == note:
		return nil
	case k.patches:
		return patch(ctx, c, bar, note)
	}
	return record(ctx, c, bar, note)
}

// TestKeepers: verdicts, and how many steps they take, are the same with names that stay as they are,
// whatever a reconciler makes of the order of names.
func TestKeepers(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 5))
	flip := func() bool { return draw.IntN(2) == 0 }
	fewer, verdicts := 0, map[string]int{}
	for range 12 {
		k := keeper{1 + draw.IntN(2), flip(), flip(), flip(), flip(), flip(), flip(), draw.IntN(4) == 0, draw.IntN(4) == 0}
		f := []settle.Faults{{}, {Crash: true, Late: true}, {Timeout: true}, {Evict: true}, {Recreate: true}}[draw.IntN(5)]
		if f.Recreate {
			k.wanted = 1
		}
		c := config(k.keep, f)
		c.Always = nil
		c.Match = func(ctx context.Context, r client.Reader, bar client.Object) error {
			owned, err := children(ctx, r, bar)
			if err != nil || len(owned) != k.wanted {
				return fmt.Errorf("it has the children %v: %w", owned, err)
			}
			if note := recorded(bar.(*unstructured.Unstructured)); note == "" || !slices.ContainsFunc(owned, func(name string) bool { return strings.Contains(note, name) }) {
				return fmt.Errorf("it notes %q", note)
			}
			return nil
		}
		c.MaxObjects, c.MaxStates = 1+k.wanted, 300
		kept, err := settle.Explore(t.Context(), settle.KeepNames(c))
		if err != nil {
			t.Fatal(err)
		}
		renamed, err := settle.Explore(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		verdicts[outcome(kept)[:1]]++
		if kept.Verdict == statespace.Inconclusive {
			continue // there are too many names
		}
		a, b := outcome(kept), outcome(renamed)
		if a[0] == 'L' && b[0] == 'L' && len(renamed.Steps) <= len(kept.Steps) { // it goes on with other names
			a = b
		}
		if a != b || kept.Name != renamed.Name {
			t.Errorf("%+v with %+v: %s, and with names that stay %s", k, f, renamed, kept)
		}
		if renamed.States > kept.States {
			t.Errorf("%+v with %+v: %d states, and with names that stay %d", k, f, renamed.States, kept.States)
		}
		if renamed.States < kept.States {
			fewer++
		}
	}
	if fewer < 4 || len(verdicts) < 3 {
		t.Errorf("%d have fewer states; they are %v", fewer, verdicts)
	}
}

// TestSpelledNames: where something follows from the letters of a name, as a sum of it, it is not
// renamed, and the result says so.
func TestSpelledNames(t *testing.T) {
	sums := func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
		names, err := children(ctx, c, bar)
		if err != nil {
			return err
		}
		if len(names) == 0 {
			return c.Create(ctx, child(bar, "", "foo-"))
		}
		h := fnv.New32()
		_, _ = h.Write([]byte(strings.Join(names, " ")))
		if sum := fmt.Sprint(h.Sum32()); recorded(bar) != sum {
			return record(ctx, c, bar, sum)
		}
		return nil
	}
	c := config(sums, settle.Faults{Evict: true})
	c.Match = func(_ context.Context, _ client.Reader, bar client.Object) error {
		if recorded(bar.(*unstructured.Unstructured)) == "" {
			return fmt.Errorf("nothing is noted")
		}
		return nil
	}
	r, err := settle.Explore(t.Context(), c)
	if err != nil || r.Verdict != statespace.Holds {
		t.Fatal(err, r)
	}
	if all := strings.Join(r.Report("").Assumptions, "\n"); !strings.Contains(all, "generated names are not renamed") {
		t.Error(all)
	}
}

// TestTimes: a condition with the time of its last transition, and a time of each reconcile, for a user
// who changes their mind for ever: as many states as without times, since it is always the same one.
func TestTimes(t *testing.T) {
	states := map[bool]int{}
	for _, timed := range []bool{false, true} {
		notes := func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
			size, _, _ := unstructured.NestedString(bar.Object, "spec", "size")
			now := "no time"
			if timed {
				now = time.Now().Format(time.RFC3339Nano)
			}
			condition := map[string]any{"type": "Sized", "reason": size, "lastTransitionTime": now}
			_ = unstructured.SetNestedSlice(bar.Object, []any{condition}, "status", "conditions")
			if err := c.Status().Update(ctx, bar); err != nil {
				return err
			}
			return c.Status().Patch(ctx, bar, client.RawPatch("application/merge-patch+json", fmt.Appendf(nil, `{"status":{"renewed":%q}}`, now)))
		}
		c := config(notes, settle.Faults{Crash: true, Timeout: true, Recreate: true})
		small, large := thing(barKind, "a"), thing(barKind, "a")
		_ = unstructured.SetNestedField(small.Object, "small", "spec", "size")
		_ = unstructured.SetNestedField(large.Object, "large", "spec", "size")
		c.Desired, c.Always = []client.Object{small, large}, nil
		c.Match = func(_ context.Context, _ client.Reader, bar client.Object) error {
			fields := bar.(*unstructured.Unstructured).Object
			size, _, _ := unstructured.NestedString(fields, "spec", "size")
			if all, _, _ := unstructured.NestedSlice(fields, "status", "conditions"); len(all) != 1 || all[0].(map[string]any)["reason"] != size {
				return fmt.Errorf("it is not %s", size)
			}
			return nil
		}
		r, err := settle.Explore(t.Context(), c)
		if err != nil || r.Verdict != statespace.Holds || !r.Complete {
			t.Fatal(err, r)
		}
		states[timed] = r.States
	}
	if states[true] != states[false] {
		t.Errorf("with times there are %d states, and %d without", states[true], states[false])
	}
}
