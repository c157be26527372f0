package environment_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/seatrial/seatrial/settle/environment"
	"github.com/seatrial/seatrial/settle/kubestate"
)

// world is a State that tests write to.
type world struct {
	t      *testing.T
	server *kubestate.Server
	state  kubestate.State
}

func newWorld(t *testing.T) *world {
	t.Helper()
	s, err := server()
	if err != nil {
		t.Fatal(err)
	}
	return &world{t: t, server: s}
}

// server serves the built-in kinds.
var server = sync.OnceValues(func() (*kubestate.Server, error) { return kubestate.NewServer(kubestate.Config{}) })

// do makes a request, which has to be answered well.
func (w *world) do(r kubestate.Request) {
	w.t.Helper()
	r.Agent = "test"
	state, answer := w.server.Do(w.state, &r)
	if answer.Status != nil && answer.Code >= 400 {
		w.t.Fatalf("%s %s: %s\n%s", r.Verb, r.Resource.Resource, answer.Status.Message, r.Body)
	}
	w.state = state
}

// rest lets the actors act until nothing is left to do, and tells what they did. The
// choice picks among the steps.
func (w *world) rest(choice func(n int) int, actors ...environment.Actor) (done []string) {
	w.t.Helper()
	const most = 2000
	for range most {
		var steps []environment.Step
		for _, a := range actors {
			m, kind, ok := environment.NewMemory(a, w.server)
			if !ok {
				w.t.Fatalf("%s reads %s", a.Name(), kind)
			}
			for _, s := range m.In(w.state) {
				if s.Class != "" {
					steps = append(steps, s)
				}
			}
		}
		for {
			if len(steps) == 0 {
				return done
			}
			i := choice(len(steps))
			s := steps[i]
			state, answer := w.server.Do(w.state, &s.Request)
			refused := answer.Status != nil && answer.Status.Status == metav1.StatusFailure
			if state.Writes() != w.state.Writes() {
				w.state, done = state, append(done, s.Text)
				break
			}
			if !refused {
				w.t.Fatalf("%s: nothing changes: %s", s.Text, s.Request.Body)
			}
			if answer.Status.Reason != metav1.StatusReasonForbidden { // in a namespace that ends
				w.t.Fatalf("%s: %s", s.Text, answer.Status.Message)
			}
			steps = slices.Delete(steps, i, i+1)
		}
	}
	w.t.Fatalf("it does not come to rest; the last steps are\n%s", strings.Join(done[most-20:], "\n"))
	return nil
}

func first(int) int { return 0 }

var configMaps = kubestate.Resource{
	Kind: corev1.SchemeGroupVersion.WithKind("ConfigMap"), Resource: corev1.SchemeGroupVersion.WithResource("configmaps"), Namespaced: true,
}

// own creates a ConfigMap that belongs to others.
func (w *world) own(name string, block bool, owners ...string) {
	w.t.Helper()
	o := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}}
	for _, owner := range owners {
		o.OwnerReferences = append(o.OwnerReferences, metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: owner, UID: w.get(owner).GetUID(), BlockOwnerDeletion: &block})
	}
	w.do(environment.Create(configMaps, o))
}

func (w *world) get(name string) metav1.Object {
	o := w.state.Get(configMaps.Prefix("default") + name)
	if o == nil {
		w.t.Fatalf("there is no %s", name)
	}
	return o.Meta()
}

// shown is what there is, each with its owners.
func (w *world) shown() string {
	var out []string
	for o := range w.state.Objects() {
		var owners []string
		for _, r := range o.Meta().GetOwnerReferences() {
			owners = append(owners, r.Name)
		}
		text := o.Meta().GetName()
		if len(owners) > 0 {
			text += " of " + strings.Join(owners, "+")
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// TestGarbage: a is the owner of b and c, b is that of d, and c belongs to e, too.
func TestGarbage(t *testing.T) {
	for _, row := range []struct {
		policy metav1.DeletionPropagation
		block  bool
		left   string
		steps  string
	}{
		{"Background", true, "c of e, e", "delete configmaps default/b, take what is gone from the owners of configmaps default/c, delete configmaps default/d"},
		{"Foreground", true, "c of e, e", "delete configmaps default/b, take what is gone from the owners of configmaps default/c, delete configmaps default/d, " +
			"take the finalizer foregroundDeletion from configmaps default/b, take the finalizer foregroundDeletion from configmaps default/a"},
		{"Foreground", false, "c of e, e", "take the finalizer foregroundDeletion from configmaps default/a, delete configmaps default/b, " +
			"take what is gone from the owners of configmaps default/c, delete configmaps default/d"},
		{"Orphan", true, "b, c of e, d of b, e", "take its owner from configmaps default/b, take its owner from configmaps default/c, take the finalizer orphan from configmaps default/a"},
	} {
		t.Run(fmt.Sprint(row.policy, row.block), func(t *testing.T) {
			w := newWorld(t)
			w.own("a", row.block)
			w.own("e", row.block)
			w.own("b", row.block, "a")
			w.own("c", row.block, "a", "e")
			w.own("d", row.block, "b")
			w.do(environment.Delete(configMaps, w.get("a"), row.policy, nil))
			done := w.rest(first, environment.GarbageCollector())
			if got := strings.Join(done, ", "); got != row.steps {
				t.Errorf("steps:\n got %s\nwant %s", got, row.steps)
			}
			if w.shown() != row.left {
				t.Errorf("left: got %s, want %s", w.shown(), row.left)
			}
		})
	}
}

// TestGarbageOfAnother: an owner of the same name, created anew, owns nothing.
func TestGarbageOfAnother(t *testing.T) {
	w := newWorld(t)
	w.own("a", true)
	w.own("b", true, "a")
	w.do(environment.Delete(configMaps, w.get("a"), "", nil))
	w.own("a", true)
	w.rest(first, environment.GarbageCollector())
	if w.shown() != "a" {
		text, _ := json.Marshal(w.shown())
		t.Errorf("left: %s", text)
	}
}
