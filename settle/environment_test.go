package settle_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/settle/environment"
	"github.com/seatrial/seatrial/statespace"
)

// marker is an actor of one's own: it marks each Bar.
type marker struct{}

func (marker) Name() string                     { return "marker" }
func (marker) Reads() []schema.GroupVersionKind { return []schema.GroupVersionKind{barKind} }

func (marker) Steps(w environment.World) (steps []environment.Step) {
	for o := range w.Objects() {
		bar := o.Value().(*unstructured.Unstructured).DeepCopy()
		if mark, _, _ := unstructured.NestedString(bar.Object, "status", "mark"); mark == "" {
			_ = unstructured.SetNestedField(bar.Object, "x", "status", "mark")
			steps = append(steps, environment.Step{Class: o.Key(), Text: "mark " + bar.GetName(), Request: environment.Update(w.Resource(o), bar, "status")})
		}
	}
	return steps
}

// TestOwnActor: without Setup, what settles is the environment.
func TestOwnActor(t *testing.T) {
	c := settle.Config{
		Scheme:      runtime.NewScheme(),
		Definitions: []*apiextensionsv1.CustomResourceDefinition{definition("Bar", "bars")},
		Environment: []environment.Actor{marker{}},
		Desired:     []client.Object{thing(barKind, "a")},
		Match: func(_ context.Context, _ client.Reader, bar client.Object) error {
			if mark, _, _ := unstructured.NestedString(bar.(*unstructured.Unstructured).Object, "status", "mark"); mark == "" {
				return errors.New("it is not marked")
			}
			return nil
		},
		Faults: settle.Faults{Recreate: true},
	}
	r, err := settle.Explore(t.Context(), c)
	if err != nil || r.Verdict != statespace.Holds || r.States != 3 {
		t.Errorf("%v: %s", err, r)
	}
	c.Environment = []environment.Actor{environment.GarbageCollector()}
	if r, err = settle.Explore(t.Context(), c); err != nil || r.Verdict != statespace.Violated {
		t.Errorf("without the actor: %v: %s", err, r)
	}
	c.Environment = []environment.Actor{marker{}}
	c.Definitions[0].Spec.Group = "example.org"
	c.Definitions[0].Name = "bars.example.org"
	if _, err = settle.Explore(t.Context(), c); err == nil || err.Error() != `settle: Environment: the actor "marker" reads example.com/v1, Kind=Bar, which is not served: add its definition to CRDs or Definitions` {
		t.Errorf("without the kind: %v", err)
	}
}

// steps is a marker that does something else.
type steps func(environment.World) []environment.Step

func (steps) Name() string                                   { return "steps" }
func (steps) Reads() []schema.GroupVersionKind               { return []schema.GroupVersionKind{barKind} }
func (s steps) Steps(w environment.World) []environment.Step { return s(w) }

// TestUnfitActor: an actor that cannot say what it does next, or writes what nobody has, is named.
func TestUnfitActor(t *testing.T) {
	for want, actor := range map[string]steps{
		`settle: Environment: the actor "steps" panics: no bar (settle/environment_test.go:`: func(environment.World) []environment.Step { panic("no bar") },
		`settle: Environment: the actor "steps" writes example.org/v1, Resource=bars, which is not served: add`: func(w environment.World) (all []environment.Step) {
			all = marker{}.Steps(w)
			for i := range all {
				all[i].Request.Resource.Group = "example.org"
			}
			return all
		},
	} {
		c := config(createThenRecord, settle.Faults{})
		c.Environment = []environment.Actor{actor}
		if r, err := settle.Explore(t.Context(), c); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("want %q, got %v, %v", want, r, err)
		}
	}
}
