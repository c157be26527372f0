package settle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/seatrial/seatrial/statespace"
)

// Check explores what Config describes and fails the test if it is not eventually stable,
// with the shortest way there. That is kept in a file (Config.Traces), and tried first the next
// time.
func Check(t testing.TB, c Config) {
	t.Helper()
	r, kept := run(t, c)
	said := "\n" + r.logged(t.Name())
	if r.Verdict == statespace.Holds {
		t.Log(said)
		return
	}
	switch err := kept.write(r, t.Name()); {
	case err != nil:
		said += fmt.Sprintf("\nnot kept  %v", err)
	case r.Verdict == statespace.Violated && kept.path != "":
		said += "\nkept      " + kept.path + ", which the next run begins with"
	}
	t.Error(said)
}

// Finds is Check where something is known to be wrong: the test fails if no property of this
// name is violated, or undecided, or if it is not of one of the classes (the beginning of a class
// will do), so that a mistake that is kept as an example stays one. What was found is given back;
// nothing is kept of it.
func Finds(t testing.TB, c Config, property string, classes ...string) *Result {
	t.Helper()
	c.Traces = NoTraces
	r, _ := run(t, c)
	text := r.logged(t.Name())
	if r.Verdict == statespace.Holds || r.Name != property {
		t.Errorf("\n%s\n%s is to be wrong here, and is not", text, property)
		return r
	}
	t.Logf("\n%s", text)
	for _, class := range classes {
		if !slices.ContainsFunc(r.Classes, func(c string) bool { return strings.HasPrefix(c, class) }) {
			t.Errorf("it is to be of the class %q, and is of %q", class, r.Classes)
		}
	}
	return r
}

// run explores a configuration in a test, or follows its saved trace.
func run(t testing.TB, c Config) (*Result, saved) {
	t.Helper()
	s, err := settings()
	if err != nil {
		t.Fatal(err)
	}
	s.apply(&c)
	tell := s.teller(t)
	ctx, cancel := s.until(t.Context())
	defer cancel()
	kept := savedOf(t, &c)
	r, err := again(ctx, t, &c, kept)
	if r == nil && err == nil {
		r, err = explore(ctx, c, tell.progress)
	}
	if err != nil {
		tell.failed(err)
		t.Fatal(err)
	}
	tell.done(r)
	return r, kept
}

// quiet keeps from the test's output what kube-apiserver's code and each of a thousand runs of
// a reconcile would log.
var quiet = sync.OnceFunc(func() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	log.SetLogger(logr.Discard())
})

// Explore is Check without a test.
func Explore(ctx context.Context, c Config) (*Result, error) { return explore(ctx, c, nil) }

func explore(ctx context.Context, c Config, progress func(statespace.Progress)) (*Result, error) {
	return c.exploring(ctx, func(x *explorer) (*Result, error) { return x.explore(ctx, progress) })
}

// exploring does something with an explorer, and again if there is an error that may be because
// of what reconcilers draw, or of names that were renamed.
func (c *Config) exploring(ctx context.Context, do func(*explorer) (*Result, error)) (*Result, error) {
	quiet()
	for {
		r, err, drawn := c.once(ctx, do)
		switch {
		case err == nil:
			return r, nil
		case errors.As(err, new(final)) || isStuck(err):
			return nil, err
		case errors.As(err, &chance{}) && !c.draws:
			c.draws, c.keepsNames, c.Workers, c.ends = true, true, 1, nil
		case drawn && !c.keepsNames:
			c.keepsNames = true
		default:
			return nil, err
		}
	}
}

// final is an error that has nothing to do with names: another search would only come to it later, or
// miss it.
type final struct{ error }

func (f final) Unwrap() error { return f.error }

// once does something with an explorer, and tells whether there are generated names.
func (c *Config) once(ctx context.Context, do func(*explorer) (*Result, error)) (r *Result, err error, drawn bool) {
	if r, err := c.loadEnds(ctx); r != nil || err != nil {
		return r, err, true
	}
	x, err := newExplorer(c)
	if err != nil {
		return nil, err, false
	}
	defer x.close()
	if err := x.twice(); err != nil {
		return nil, err, false
	}
	r, err = do(x)
	return r, err, x.server.Drawn()
}

func (x *explorer) explore(ctx context.Context, progress func(statespace.Progress)) (*Result, error) {
	all, err := x.properties()
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	r, err := x.both(ctx, all, statespace.Options{Workers: x.config.Workers, MaxStates: x.config.most(), Progress: progress})
	if err == nil {
		err = x.askAgain()
	}
	if err != nil {
		return nil, err
	}

	if vacuous := x.vacuous(); r.Verdict == statespace.Holds && len(vacuous) > 0 {
		r.PropertyResult = PropertyResult{Rule: ruleVacuity, Name: Vacuity, Verdict: statespace.Inconclusive, Reason: strings.Join(vacuous, "; "), Loop: -1}
		r.Properties = append(r.Properties, r.PropertyResult)
	}
	x.classify(ctx, &r.PropertyResult)
	for i := range r.Properties {
		if p := &r.Properties[i]; p.Name == r.Name {
			p.Classes = r.Classes
		}
	}
	r.Took = time.Since(begun)
	return r, nil
}

// most is how many states are explored at most.
func (c *Config) most() int { return cmp.Or(c.MaxStates, maxStates) }

// check searches a model of the explorer's states.
func (x *explorer) check(ctx context.Context, m statespace.VectorModel, all []property, o statespace.Options) (statespace.Result[[]statespace.ID], error) {
	properties := make([]statespace.Property[[]statespace.ID], len(all))
	for i, p := range all {
		properties[i] = x.property(p)
	}
	o.Classes = []statespace.Class{{Name: "faults and users"}}
	o.Classes = append(o.Classes, statespace.Class{Name: laterClass})
	for i := len(o.Classes); i < classesMax; i++ {
		o.Classes = append(o.Classes, statespace.Class{Name: fmt.Sprint(i), Fairness: statespace.Weak})
	}
	found, err := statespace.CheckVectors(ctx, m, properties, o)
	if wrong := x.failed(); wrong != nil {
		return found, wrong
	}
	return found, err
}
