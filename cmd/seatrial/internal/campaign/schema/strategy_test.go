package schema

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crvalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/seatrial/seatrial/history"
)

// libraries is the strategy that kube-apiserver itself has for a definition.
func libraries(t *testing.T, d *Definition) rest.RESTCreateUpdateStrategy {
	t.Helper()
	var status *apiextensions.CustomResourceSubresourceStatus
	if d.Status {
		status = &apiextensions.CustomResourceSubresourceStatus{}
	}
	var scale *apiextensions.CustomResourceSubresourceScale
	if d.scale != nil {
		scale = &apiextensions.CustomResourceSubresourceScale{}
		if err := apiextensionsv1.Convert_v1_CustomResourceSubresourceScale_To_apiextensions_CustomResourceSubresourceScale(d.scale, scale, nil); err != nil {
			t.Fatal(err)
		}
	}
	internal, err := internalSchema(d.crd, d.Kind.Version)
	if err != nil {
		t.Fatal(err)
	}
	validator, _, err := crvalidation.NewSchemaValidator(internal)
	if err != nil {
		t.Fatal(err)
	}
	return customresource.NewStrategy(typer{d.Kind}, d.Namespaced, d.Kind, validator, nil, d.structurals[d.Kind.Version], status, scale, nil)
}

// typer knows one kind.
type typer struct{ kind schema.GroupVersionKind }

func (t typer) ObjectKinds(runtime.Object) ([]schema.GroupVersionKind, bool, error) {
	return []schema.GroupVersionKind{t.kind}, false, nil
}
func (t typer) Recognizes(kind schema.GroupVersionKind) bool { return kind == t.kind }

// causes are the single reasons in what the API server answers.
func causes(err error) []string {
	var status *apierrors.StatusError
	if !errors.As(err, &status) {
		return nil
	}
	var all []string
	for _, c := range status.ErrStatus.Details.Causes {
		text := c.Message
		if c.Field != "" && c.Field != "<nil>" {
			text = c.Field + ": " + text
		}
		all = append(all, text)
	}
	return all
}

// What the API server's own strategy says of random resources is what Refuses says.
func TestRefusesAsLibraries(t *testing.T) {
	d := open(t, "servers.yaml", "")
	theirs := libraries(t, d)
	r := rand.New(rand.NewPCG(1, 2))
	ctx := request.WithNamespace(context.Background(), "default")
	refused, taken := 0, 0
	var old history.Object
	for range 1000 {
		cr := server(t, "{image: a}")
		spec, _ := random(r, d.Spec(), 0).(map[string]any)
		if spec != nil && r.IntN(4) > 0 {
			spec["image"] = "a"
		}
		cr["spec"] = spec
		if r.IntN(10) == 0 {
			cr["metadata"].(map[string]any)["name"] = "A b"
		}
		if r.IntN(50) == 0 {
			cr["kind"] = "Other"
		}
		got := d.Refuses(cr, old)

		o := copied(cr)
		if err := d.read(o); err != nil {
			if !slices.Equal(got, []string{err.Error()}) {
				t.Fatalf("%q, not %v", got, err)
			}
			refused++
			continue
		}
		u := &unstructured.Unstructured{Object: o}
		var want []string
		if old == nil {
			rest.FillObjectMetaSystemFields(u)
			want = causes(rest.BeforeCreate(theirs, ctx, u))
		} else {
			was := &unstructured.Unstructured{Object: d.Complete(old)}
			was.SetResourceVersion("1")
			u.SetResourceVersion("1")
			want = causes(rest.BeforeUpdate(theirs, ctx, u, was))
		}
		if !slices.Equal(sorted(got), sorted(want)) {
			text, _ := json.Marshal(cr)
			t.Fatalf("%s\nbehind %v\nis refused for %q\nnot for       %q", text, old, got, want)
		}
		if len(got) > 0 {
			refused++
		} else {
			taken++
		}
		if r.IntN(3) == 0 {
			old = cr
			if r.IntN(4) == 0 {
				old = nil
			}
			if len(got) > 0 && cr["kind"] != "Server" {
				old = nil
			}
		}
	}
	if refused < 100 || taken < 100 {
		t.Errorf("%d were refused, %d taken: the test says little", refused, taken)
	}
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// random is a value that may or may not fit a property.
func random(r *rand.Rand, p *Property, depth int) any {
	if r.IntN(40) == 0 {
		return []any{nil, int64(-1), "text", true, 1.5, map[string]any{}, []any{}}[r.IntN(7)]
	}
	switch s := p.Schema; {
	case s.ValueValidation != nil && len(s.ValueValidation.Enum) > 0 && r.IntN(8) > 0:
		return s.ValueValidation.Enum[r.IntN(len(s.ValueValidation.Enum))].Object
	case s.XIntOrString:
		return []any{int64(r.IntN(3)), "1Gi", "many"}[r.IntN(3)]
	case s.Type == "integer":
		return int64(r.IntN(12)) - 1
	case s.Type == "number":
		return float64(r.IntN(6)) / 4
	case s.Type == "boolean":
		return r.IntN(2) == 0
	case s.Type == "string":
		return []any{"", "a", "192.0.2.1", "192.0.2.2", "longer than that"}[r.IntN(5)]
	case s.Items != nil:
		list := []any{}
		for range r.IntN(4) {
			list = append(list, random(r, p.Children[0], depth+1))
		}
		return list
	case s.AdditionalProperties != nil && len(p.Children) == 1:
		m := map[string]any{}
		for i := range r.IntN(3) {
			m[fmt.Sprint("k", i)] = random(r, p.Children[0], depth+1)
		}
		return m
	}
	m := map[string]any{}
	for _, child := range p.Children {
		if r.IntN(10) == 0 || child.Required && r.IntN(10) > 0 {
			m[child.Name] = random(r, child, depth+1)
		}
	}
	if p.Schema.XEmbeddedResource {
		m = map[string]any{"apiVersion": "v1", "kind": []any{"Pod", "", int64(1)}[r.IntN(3)], "metadata": map[string]any{"name": []any{"a", "a/b", "A"}[r.IntN(3)]}}
	}
	return m
}
