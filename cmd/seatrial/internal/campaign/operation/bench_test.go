package operation

import (
	"fmt"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/seatrial/seatrial/history"
)

// wide is a schema of n objects with 24 fields each, of all plain types.
func wide(n int) *apiextensionsv1.JSONSchemaProps {
	least := 1.0
	group := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{}}
	for i := range 4 {
		for name, s := range map[string]apiextensionsv1.JSONSchemaProps{
			"on":     {Type: "boolean"},
			"number": {Type: "integer", Minimum: &least},
			"text":   {Type: "string", Pattern: "^[a-z0-9-]*$"},
			"mode":   {Type: "string", Enum: []apiextensionsv1.JSON{{Raw: []byte(`"a"`)}, {Raw: []byte(`"b"`)}}},
			"list":   {Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{Type: "string"}}},
		} {
			group.Properties[fmt.Sprint(name, i)] = s
		}
	}
	spec := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{}}
	for i := range n {
		spec.Properties[fmt.Sprint("group", i)] = group
	}
	return &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec}}
}

// flat is a schema of one object with n fields.
func flat(n int) *apiextensionsv1.JSONSchemaProps {
	spec := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{}}
	for i := range n {
		spec.Properties[fmt.Sprint("p", i)] = apiextensionsv1.JSONSchemaProps{Type: []string{"string", "integer", "boolean"}[i%3]}
	}
	return &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec}}
}

// BenchmarkMake plans for 10,000 properties, with as many operations as there are by default.
func BenchmarkMake(b *testing.B) {
	for _, c := range []struct {
		name   string
		schema *apiextensionsv1.JSONSchemaProps
		seed   map[string]any
	}{
		{"many objects", wide(400), map[string]any{"group0": map[string]any{"number0": int64(3)}}},
		{"one object", flat(10_000), map[string]any{"p1": int64(3)}},
	} {
		b.Run(c.name, func(b *testing.B) {
			o := Options{Definition: definition(b, c.schema, nil), Seed: thing(c.seed)}
			b.ReportMetric(float64(o.Definition.Count()), "properties")
			for b.Loop() {
				plan, err := Make(o)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(plan.Operations()), "operations")
			}
		})
	}
}

// counting is a server that counts how often it is asked.
type counting struct {
	Server
	asked int
}

func (c *counting) Refuses(resource, before history.Object) []string {
	c.asked++
	return c.Server.Refuses(resource, before)
}

// TestMakeAsksLittle: how often the server is asked goes with the operations, not with the properties:
// each answer takes the longer the more there are.
func TestMakeAsksLittle(t *testing.T) {
	t.Parallel()
	d := definition(t, flat(600), nil)
	server := &counting{Server: d}
	plan, err := Make(Options{Definition: d, Server: server, Seed: thing(nil), Max: 100})
	if err != nil {
		t.Fatal(err)
	}
	if n := plan.Operations(); n != 100 || server.asked > 4*n+refusedTries {
		t.Errorf("%d operations, and the server was asked %d times", n, server.asked)
	}
}

// TestWalksEnd: where there is little to try, it is not tried over and over.
func TestWalksEnd(t *testing.T) {
	t.Parallel()
	plan, err := Make(Options{Definition: definition(t, flat(1), nil), Seed: thing(nil)})
	if err != nil {
		t.Fatal(err)
	}
	if n := plan.Operations(); n < walkEach || n > 3*walkEach {
		t.Errorf("%d operations on a property and what it is in", n)
	}
}
