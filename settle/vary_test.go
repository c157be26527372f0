package settle_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/statespace"
)

// strict is a CRD with a port and a flag that go together, which is why users can change
// both at once only.
func strict() *apiextensionsv1.CustomResourceDefinition {
	d := definition("Bar", "bars")
	least, most := 1.0, 1000.0
	d.Spec.Versions[0].Schema.OpenAPIV3Schema = &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
		"status": {Type: "object"},
		"spec": {
			Type: "object", Required: []string{"port"},
			Properties: map[string]apiextensionsv1.JSONSchemaProps{
				"port": {Type: "integer", Minimum: &least, Maximum: &most},
				"tls":  {Type: "boolean"},
				"mode": {Type: "string", Enum: []apiextensionsv1.JSON{{Raw: []byte(`"a"`)}, {Raw: []byte(`"b"`)}}},
			},
			XValidations: apiextensionsv1.ValidationRules{{Rule: "self.tls == (self.port == 443)"}},
		},
	}}
	return d
}

func bar(port int64, tls bool) *unstructured.Unstructured {
	o := thing(barKind, "a")
	o.Object["spec"] = map[string]any{"port": port, "tls": tls, "mode": "a"}
	return o
}

func TestFieldsOf(t *testing.T) {
	got, err := settle.FieldsOf(strict(), bar(80, false))
	if want := "[{spec.mode [b <nil>]} {spec.port [79 81 1 1000]} {spec.tls [true <nil>]}]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("got %v %v, want %s", got, err, want)
	}
}

// oneAtATime copies one field of the two that differ, and takes the rest for done.
func oneAtATime(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	foo := thing(fooKind, "foo")
	err := c.Get(ctx, client.ObjectKeyFromObject(foo), foo)
	want := bar.Object["spec"].(map[string]any)
	if apierrors.IsNotFound(err) {
		foo = child(bar, "foo", "")
		foo.Object["spec"] = want
		foo.SetAnnotations(map[string]string{"of": fmt.Sprint(bar.GetGeneration())})
		return c.Create(ctx, foo)
	}
	if err != nil || foo.GetAnnotations()["of"] == fmt.Sprint(bar.GetGeneration()) {
		return err
	}
	foo.SetAnnotations(map[string]string{"of": fmt.Sprint(bar.GetGeneration())})
	is := foo.Object["spec"].(map[string]any)
	for _, field := range []string{"mode", "port", "tls"} {
		if is[field] != want[field] {
			is[field] = want[field]
			break
		}
	}
	return c.Update(ctx, foo)
}

// TestVary: a reconciler that breaks only when two fields change at once, as users can
// but for one of three fields.
func TestVary(t *testing.T) {
	port, tls := settle.Field{Path: "spec.port", Values: []any{443}}, settle.Field{Path: "spec.tls", Values: []any{true}}
	for _, test := range []struct {
		name string
		vary []settle.Field
		want string
	}{
		{"one field", []settle.Field{port}, "holds"}, // refused without the other
		{"the other", []settle.Field{tls}, "holds"},
		{"both", []settle.Field{port, tls}, "change bars default/a (2)"},
	} {
		c := config(oneAtATime, settle.Faults{})
		c.Definitions[0] = strict()
		c.Desired, c.Vary, c.Always, c.Match = []client.Object{bar(80, false)}, test.vary, nil, nil
		c.MatchCEL = "objects['foos.example.com'].exists(f, f.spec == object.spec)"
		r, err := settle.Explore(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		got := r.String()
		if r.Verdict == statespace.Holds {
			got = "holds"
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

func TestExpressions(t *testing.T) {
	for _, test := range []struct{ match, always, want string }{
		{"objects['foos.example.com'].size() == 1", "", "HOLDS"},
		{"objects['foos.example.com'].size() == 2", "", "it is not so that objects['foos.example.com'].size() == 2"},
		{"object.status.foo == objects['foos.example.com'][0].metadata.name", "", "HOLDS"},
		{"true", "objects['foos.example.com'].size() == 0", "always  few"},
		{"objects[", "", "settle: MatchCEL: \"objects[\": column 9: Syntax error: mismatched input '<EOF>'"},
		{"1 + 1", "", "settle: MatchCEL: \"1 + 1\" is of type int, not bool"},
		{"", "", "HOLDS"},
	} {
		c := config(createThenRecord, settle.Faults{})
		c.Match, c.MatchCEL, c.Always = nil, test.match, nil
		if test.always != "" {
			c.AlwaysCEL = map[string]string{"few": test.always}
		}
		r, err := settle.Explore(t.Context(), c)
		got := fmt.Sprint(err)
		if err == nil {
			got = r.String()
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s, %s: got %s, want %s", test.match, test.always, got, test.want)
		}
	}
}
