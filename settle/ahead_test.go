package settle_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/settle/step"
	"github.com/seatrial/seatrial/statespace"
)

// instruction is one thing that a reconciler drawn at random does.
type instruction struct {
	do    string
	child int
	// when: only if the last child that was read had a value (1), or was not there (2).
	when int
	// from: it writes what the Bar wants (0), or what was read last (1).
	from int
}

// drawn is such a reconciler, and the scope in which it is explored.
type drawn struct {
	program []instruction
	faults  settle.Faults
	// on: an error ends a reconcile, as it mostly does; else it is returned last.
	on, twice, live bool
}

func draw(r *rand.Rand) *drawn {
	d := &drawn{on: r.IntN(4) > 0, twice: r.IntN(3) == 0, live: r.IntN(2) == 0}
	for range 2 + r.IntN(5) {
		do := []string{"get", "get", "get", "list", "create", "create", "update", "patch", "delete", "note", "look"}[r.IntN(11)]
		d.program = append(d.program, instruction{do, r.IntN(2), r.IntN(3), r.IntN(2)})
	}
	for _, f := range []*bool{&d.faults.Crash, &d.faults.Timeout, &d.faults.Evict, &d.faults.Recreate, &d.faults.Stale} {
		*f = r.IntN(3) == 0
	}
	d.faults.Late = d.faults.Crash && r.IntN(2) == 0
	d.faults.Older = d.faults.Crash && r.IntN(4) == 0
	d.faults.Gradual = d.faults.Stale && r.IntN(2) == 0
	return d
}

// reconcile does what was drawn.
func (d *drawn) reconcile(ctx context.Context, c client.Client, live client.Reader, q reconcile.Request) (reconcile.Result, error) {
	bar := thing(barKind, "")
	if err := c.Get(ctx, q.NamespacedName, bar); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	var from client.Reader = c
	if d.live {
		from = live
	}
	wanted, _, _ := unstructured.NestedInt64(bar.Object, "spec", "n")
	read, found := int64(0), false
	var all []error
	for _, one := range d.program {
		if one.when == 1 && !found || one.when == 2 && found {
			continue
		}
		foo := child(bar, fmt.Sprint("foo-", one.child), "")
		value := []int64{wanted, read}[one.from]
		_ = unstructured.SetNestedField(foo.Object, value, "spec", "n")
		var err error
		switch one.do {
		case "get":
			is := thing(fooKind, "")
			if err = from.Get(ctx, client.ObjectKeyFromObject(foo), is); err == nil {
				read, found, _ = unstructured.NestedInt64(is.Object, "spec", "n")
			} else if err = client.IgnoreNotFound(err); err == nil {
				found = false
			}
		case "list":
			is := things(fooKind)
			err = from.List(ctx, is)
			found = len(is.Items) > 0
		case "look": // at the Bar again
			if err = c.Get(ctx, q.NamespacedName, bar); err == nil {
				wanted, found, _ = unstructured.NestedInt64(bar.Object, "spec", "n")
			}
		case "create":
			err = c.Create(ctx, foo)
		case "update":
			is := thing(fooKind, "")
			if err = c.Get(ctx, client.ObjectKeyFromObject(foo), is); err == nil {
				_ = unstructured.SetNestedField(is.Object, value, "spec", "n")
				err = c.Update(ctx, is)
			}
		case "patch":
			err = c.Patch(ctx, foo, client.RawPatch("application/merge-patch+json", fmt.Appendf(nil, `{"spec":{"n":%d}}`, value)))
		case "delete":
			err = client.IgnoreNotFound(c.Delete(ctx, foo))
		case "note":
			_ = unstructured.SetNestedField(bar.Object, value, "status", "n")
			err = c.Status().Update(ctx, bar)
		}
		if err != nil && d.on {
			return reconcile.Result{}, err
		}
		all = append(all, err)
	}
	return reconcile.Result{}, errors.Join(all...)
}

// sights are all that there ever was in a search, and all that was written.
type sights struct {
	mu  sync.Mutex
	all map[string]bool
}

func (s *sights) add(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[text] = true
}

func (s *sights) world(ctx context.Context, c client.Reader) error {
	text := "there is"
	for _, kind := range []schema.GroupVersionKind{barKind, fooKind} {
		all := things(kind)
		if err := c.List(ctx, all); err != nil {
			return err
		}
		for _, o := range all.Items {
			text += fmt.Sprint(" ", o.GetName(), o.Object["spec"], o.Object["status"])
		}
	}
	s.add(text)
	return nil
}

func (s *sights) write(w *settle.Write) error {
	var sent unstructured.Unstructured
	_ = json.Unmarshal(w.Sent, &sent.Object) // some have no body
	s.add(fmt.Sprint(w.Verb, " ", w.Key.Name, w.Subresource, sent.Object["spec"], sent.Object["status"], apierrors.ReasonForError(w.Err)))
	return nil
}

func (d *drawn) config(seen *sights) settle.Config {
	bars := []client.Object{thing(barKind, "a"), thing(barKind, "a")}
	for i, bar := range bars {
		_ = unstructured.SetNestedField(bar.(*unstructured.Unstructured).Object, int64(i), "spec", "n")
	}
	if !d.twice {
		bars = bars[:1]
	}
	c := settle.Config{
		Scheme:      runtime.NewScheme(),
		Definitions: []*apiextensionsv1.CustomResourceDefinition{definition("Bar", "bars"), definition("Foo", "foos")},
		Setup: func(mgr ctrl.Manager) error {
			return ctrl.NewControllerManagedBy(mgr).For(thing(barKind, "")).Owns(thing(fooKind, "")).Named("bar").
				Complete(reconcile.Func(func(ctx context.Context, q reconcile.Request) (reconcile.Result, error) {
					return d.reconcile(ctx, mgr.GetClient(), mgr.GetAPIReader(), q)
				}))
		},
		Desired: bars,
		Match: func(ctx context.Context, c client.Reader, bar client.Object) error {
			is := thing(fooKind, "foo-0")
			if err := c.Get(ctx, client.ObjectKeyFromObject(is), is); err != nil {
				return err
			}
			wanted, _, _ := unstructured.NestedInt64(bar.(*unstructured.Unstructured).Object, "spec", "n")
			if has, _, _ := unstructured.NestedInt64(is.Object, "spec", "n"); has != wanted {
				return fmt.Errorf("it has %d, and is to have %d", has, wanted)
			}
			return nil
		},
		Always: map[string]func(context.Context, client.Reader) error{"seen": seen.world},
		Writes: map[string]func(*settle.Write) error{"written": seen.write},
		Faults: d.faults, MaxObjects: 3, MaxStates: 3_000,
	}
	return caching(c)
}

// verdicts are those of all properties; empty if one is not decided.
func verdicts(r *settle.Result) (out string) {
	for _, p := range r.Properties {
		if p.Verdict == statespace.Inconclusive {
			return ""
		}
		out += fmt.Sprintf("%s %d, ", p.Name, p.Verdict)
	}
	return out
}

// TestReadsAtOnce: of reconcilers that are drawn at random, all that there ever is, all writes with
// their answers, and all verdicts are the same when what they read is read at once.
func TestReadsAtOnce(t *testing.T) {
	n := 20
	if os.Getenv("SEATRIAL_CONFORMANCE") != "" {
		n = 3_000
	}
	compared, violated, most, fewest := 0, 0, 0, 0
	for seed := range n {
		d := draw(rand.New(rand.NewPCG(uint64(seed), 29)))
		var results [2]*settle.Result
		var seen [2]sights
		for i, atOnce := range []bool{true, false} {
			seen[i].all = map[string]bool{}
			var err error
			if results[i], err = settle.ExploreReading(t.Context(), d.config(&seen[i]), atOnce); err != nil {
				t.Fatalf("seed %d, %+v: %v", seed, d, err)
			}
		}
		one, other := verdicts(results[0]), verdicts(results[1])
		if one == "" || other == "" {
			continue
		}
		compared++
		if one != other || !maps.Equal(seen[0].all, seen[1].all) {
			t.Errorf("seed %d, %+v:\nat once      %s%q\nread by read %s%q", seed, d, one, slices.Sorted(maps.Keys(seen[0].all)), other, slices.Sorted(maps.Keys(seen[1].all)))
		}
		if results[1].Verdict == statespace.Violated {
			violated++
		}
		fewest += results[0].States
		most += results[1].States
	}
	t.Logf("%d of %d were decided, %d of them violated; %d states read by read, and %d at once", compared, n, violated, most, fewest)
	if compared < n/2 || violated < compared/10 || fewest >= most {
		t.Error("what is drawn says nothing")
	}
}

// TestBoundsBetween: what is found with reads at once, and not read by read since that has more
// states than are asked for, is found nevertheless.
func TestBoundsBetween(t *testing.T) {
	told, untold := 0, 0
	for most := 1; most < 40; most++ {
		c := config(fixedName, settle.Faults{Crash: true})
		c.MaxStates = most
		r, err := settle.Explore(t.Context(), c)
		switch {
		case err != nil:
			t.Fatal(err)
		case r.Verdict == statespace.Holds, r.Verdict == statespace.Inconclusive && told+untold > 0:
			t.Errorf("%d states: %s", most, r)
		case r.Verdict == statespace.Inconclusive:
		case slices.ContainsFunc(r.Report("").Assumptions, func(a string) bool {
			return strings.Contains(a, "tells of reads only where they come late") // settle export refuses it by these words
		}):
			untold++
		default:
			told++
		}
	}
	if told == 0 || untold == 0 {
		t.Errorf("%d with a way that is told read by read, and %d without", told, untold)
	}
}

// noting is a machine that notes in a Secret what a ConfigMap said, and what another said
// before it.
var noting = step.Machine[*corev1.ConfigMap, [2]string]{Step: func(from *corev1.ConfigMap, at [2]string, a step.Answer) ([2]string, step.Request) {
	other := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: from.Namespace, Name: "other"}}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: from.Namespace, Name: from.Name}}
	if a.Err != nil && !apierrors.IsNotFound(a.Err) {
		return at, step.Fail(a.Err)
	}
	switch at[0] {
	case "":
		return [2]string{"other"}, step.Get(other)
	case "other":
		if a.Err != nil {
			return at, step.Done()
		}
		return [2]string{"secret", a.Object.(*corev1.ConfigMap).Data["says"]}, step.Get(secret)
	case "secret":
		says := map[string]string{"says": from.Data["says"], "other": at[1]}
		if a.Err != nil {
			secret.StringData = says
			return [2]string{"end"}, step.Create(secret)
		}
		if is := a.Object.(*corev1.Secret); string(is.Data["says"]) != says["says"] || string(is.Data["other"]) != says["other"] {
			is.StringData = says
			return [2]string{"end"}, step.Update(is)
		}
	}
	return at, step.Done()
}}

// TestMachinesReadAtOnce: the same for a machine, which forgets.
func TestMachinesReadAtOnce(t *testing.T) {
	says := func(name, text string) *corev1.ConfigMap {
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}, Data: map[string]string{"says": text}}
	}
	scheme := runtime.NewScheme()
	_ = corev1.AddToScheme(scheme) // adds types, and never fails
	var seen [2]map[string]bool
	var states [2]int
	for i, atOnce := range []bool{true, false} {
		seen[i] = map[string]bool{}
		r, err := settle.ExploreReading(t.Context(), settle.Config{
			Scheme: scheme, Desired: []client.Object{says("a", "x"), says("a", "y"), says("other", "1"), says("other", "2")}, MaxObjects: 4, Workers: 1,
			Setup: func(mgr ctrl.Manager) error {
				return ctrl.NewControllerManagedBy(mgr).Named("noting").For(&corev1.ConfigMap{}).Complete(noting.Reconciler(mgr.GetClient(), nil))
			},
			MatchCEL: "true",
			Always: map[string]func(context.Context, client.Reader) error{"seen": func(ctx context.Context, c client.Reader) error {
				var secret corev1.Secret
				err := c.Get(ctx, client.ObjectKey{Namespace: "default", Name: "a"}, &secret)
				seen[i][fmt.Sprintf("%s", secret.Data)] = true
				return client.IgnoreNotFound(err)
			}},
			Faults: settle.Faults{Timeout: true, Crash: true},
		}, atOnce)
		if err != nil || !r.Complete {
			t.Fatal(err, r)
		}
		states[i] = r.States
	}
	if !maps.Equal(seen[0], seen[1]) || len(seen[0]) != 5 || states[0] >= states[1] {
		t.Errorf("at once %v in %d states, read by read %v in %d", slices.Sorted(maps.Keys(seen[0])), states[0], slices.Sorted(maps.Keys(seen[1])), states[1])
	}
}
