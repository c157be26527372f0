package settle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/statespace"
)

// Check explores what Config describes and fails the test if it is not eventually stable,
// with the shortest way there.
func Check(t testing.TB, c Config) {
	t.Helper()
	r, err := Explore(t.Context(), c)
	switch {
	case err != nil:
		t.Fatal(err)
	case r.Verdict != statespace.Holds:
		t.Errorf("%s", r)
	default:
		t.Logf("%s", r)
	}
}

// Result is what was found.
type Result struct {
	Verdict statespace.Verdict
	// Name is what is violated or undecided: settles, or the name of one of Always.
	Name string
	// Reason says why nothing can be said, or what is wrong in the end.
	Reason string
	// Steps are the way there, and Loop the first of those that are repeated for ever; it
	// is the number of steps if it stays where it is, and -1 if one moment is wrong.
	Steps []string
	Loop  int
	// States and Transitions are how much was explored.
	States, Transitions int
}

// String is the result in a few lines.
func (r *Result) String() string {
	var b strings.Builder
	switch r.Verdict {
	case statespace.Holds:
		fmt.Fprintf(&b, "HOLDS in all %d states (%d transitions)", r.States, r.Transitions)
	case statespace.Violated:
		fmt.Fprintf(&b, "VIOLATED %s after %d steps (%d states)\n%s\n", r.Name, len(r.Steps), r.States, r.Reason)
		for i, s := range r.Steps {
			mark := "  "
			if r.Loop >= 0 && i >= r.Loop {
				mark = "↻ "
			}
			fmt.Fprintf(&b, "%s%3d  %s\n", mark, i+1, s)
		}
		if r.Loop == len(r.Steps) {
			b.WriteString("       and nothing happens any more\n")
		}
	default:
		fmt.Fprintf(&b, "INCONCLUSIVE %s: %s (%d states)", r.Name, r.Reason, r.States)
	}
	return b.String()
}

// settles is the name of the property that every Config has.
const settles = "settles"

// quiet keeps from the test's output what kube-apiserver's code and each of a thousand runs of
// a reconcile would log.
var quiet = sync.OnceFunc(func() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
})

// Explore is Check without a test.
func Explore(ctx context.Context, c Config) (*Result, error) {
	quiet()
	x, err := newExplorer(&c)
	if err != nil {
		return nil, err
	}
	defer x.close()
	if c.Match == nil {
		return nil, errors.New("settle: Match is needed: it says what of the cluster is to be as desired")
	}
	properties := []statespace.Property[[]statespace.ID]{}
	for _, name := range slices.Sorted(maps.Keys(c.Always)) {
		properties = append(properties, statespace.Always(name, func(v []statespace.ID) bool { return x.always(name, v) == nil }))
	}
	properties = append(properties, statespace.Never(settles, statespace.Behaviour[[]statespace.ID]{
		Avoid: func(_ []statespace.ID, a statespace.Action, _ []statespace.ID) bool { return a.Class == 0 },
		Visit: func(v []statespace.ID) bool { return x.mismatch(v) != nil },
	}))
	classes := []statespace.Class{{Name: "faults and users"}}
	for i := 1; i < classesMax; i++ {
		classes = append(classes, statespace.Class{Name: fmt.Sprint(i), Fairness: statespace.Weak})
	}
	most := c.MaxStates
	if most == 0 {
		most = maxStates
	}
	found, err := statespace.CheckVectors(ctx, x, properties, statespace.Options{Classes: classes, Workers: c.Workers, MaxStates: most})
	if wrong := x.failed(); wrong != nil {
		return nil, wrong
	}
	if err != nil {
		return nil, err
	}
	return x.result(&found), nil
}

// node decodes a state of the engine.
func (x *explorer) node(v []statespace.ID) *node {
	n, err := x.decode(x.components.Bytes(v[0]))
	if err != nil {
		x.fail(err)
		return &node{}
	}
	return n
}

func (x *explorer) always(name string, v []statespace.ID) error {
	return x.config.Always[name](context.Background(), x.lookup(x.node(v)))
}

// mismatch is why a state does not match what is desired in it.
func (x *explorer) mismatch(v []statespace.ID) error {
	n := x.node(v)
	asked := map[string]bool{}
	for _, d := range x.desired {
		o := n.world.Get(d.key)
		if o == nil || o.Meta().GetDeletionTimestamp() != nil || asked[d.key] {
			continue
		}
		asked[d.key] = true
		is, err := x.types.as(o, reflect.TypeOf(d.object))
		if err != nil {
			x.fail(err)
			return nil
		}
		if err := x.config.Match(context.Background(), x.lookup(n), is.DeepCopyObject().(client.Object)); err != nil {
			return fmt.Errorf("%s: %w", short(d.key), err)
		}
	}
	return nil
}

// result is what the engine found in the words of the model: the first property that is
// violated, or else the first that is undecided.
func (x *explorer) result(found *statespace.Result[[]statespace.ID]) *Result {
	r := &Result{Verdict: statespace.Holds, Loop: -1, States: found.Stats.States, Transitions: found.Stats.Transitions}
	for _, p := range found.Properties {
		if p.Verdict == statespace.Holds || r.Verdict == statespace.Violated || p.Verdict == statespace.Inconclusive && r.Verdict == statespace.Inconclusive {
			continue
		}
		r.Verdict, r.Name, r.Reason = p.Verdict, p.Name, p.Reason
		if p.Trace == nil {
			continue
		}
		r.Loop = p.Trace.Loop
		for _, s := range p.Trace.Steps {
			l := x.labels.of(int(s.Action.Label))
			r.Steps = append(r.Steps, l.actor+": "+l.text)
		}
		r.Reason = x.reason(p.Name, p.Trace)
	}
	return r
}

// reason is the error of the last state, or of one that comes again and again.
func (x *explorer) reason(name string, t *statespace.Trace[[]statespace.ID]) string {
	states := [][]statespace.ID{t.Init}
	for _, s := range t.Steps {
		states = append(states, s.State)
	}
	if name != settles {
		return x.always(name, states[len(states)-1]).Error()
	}
	for _, v := range states[min(t.Loop, len(states)-1):] {
		if err := x.mismatch(v); err != nil {
			return err.Error()
		}
	}
	return ""
}
