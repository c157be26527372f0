package settle

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"k8s.io/klog/v2"

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
	all, err := x.properties()
	if err != nil {
		return nil, err
	}
	properties := make([]statespace.Property[[]statespace.ID], len(all))
	for i, p := range all {
		properties[i] = x.property(p)
	}
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
	return x.result(all, &found), nil
}

// result is what the engine found in the words of the model: the first property that is
// violated, or else the first that is undecided.
func (x *explorer) result(all []property, found *statespace.Result[[]statespace.ID]) *Result {
	r := &Result{Verdict: statespace.Holds, Loop: -1, States: found.Stats.States, Transitions: found.Stats.Transitions}
	for i, p := range found.Properties {
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
		r.Reason = x.reason(&all[i], p.Trace)
	}
	return r
}
