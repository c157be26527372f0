package schema

import (
	"encoding/json"
	"fmt"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/seatrial/seatrial/history"
)

// large is a definition with so many properties, in objects of ten fields in objects of ten fields,
// and so on.
func large(tb testing.TB, properties int) *apiextensionsv1.CustomResourceDefinition {
	tb.Helper()
	left := properties
	var object func(depth int) map[string]any
	object = func(depth int) map[string]any {
		fields := map[string]any{}
		for i := range 10 {
			if left--; depth == 0 || left <= 0 {
				fields[fmt.Sprint("field", i)] = map[string]any{"type": []any{"string", "integer", "boolean"}[i%3]}
				continue
			}
			fields[fmt.Sprint("field", i)] = object(depth - 1)
		}
		return map[string]any{"type": "object", "properties": fields}
	}
	o := history.Object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "larges.example.com"},
		"spec": map[string]any{
			"group": "example.com", "scope": "Cluster", "names": map[string]any{"kind": "Large", "plural": "larges"},
			"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true, "schema": map[string]any{
				"openAPIV3Schema": map[string]any{"type": "object", "properties": map[string]any{"spec": object(3)}},
			}}},
		},
	}
	text, err := json.Marshal(o)
	if err != nil {
		tb.Fatal(err)
	}
	var read history.Object
	if err := read.UnmarshalJSON(text); err != nil {
		tb.Fatal(err)
	}
	crd, err := Decode(read)
	if err != nil {
		tb.Fatal(err)
	}
	return crd
}

// A schema of 10,000 properties is opened, and a resource that has them all is refused or
// not, in well under a second.
func BenchmarkLarge(b *testing.B) {
	crd := large(b, 10_000)
	d, err := Open(crd, "")
	if err != nil {
		b.Fatal(err)
	}
	if d.Count() < 10_000 {
		b.Fatalf("there are %d properties", d.Count())
	}
	var full func(p *Property) any
	full = func(p *Property) any {
		switch p.Schema.Type {
		case "string":
			return "a"
		case "integer":
			return int64(1)
		case "boolean":
			return true
		}
		m := map[string]any{}
		for _, child := range p.Children {
			m[child.Name] = full(child)
		}
		return m
	}
	cr := history.Object{"apiVersion": "example.com/v1", "kind": "Large", "metadata": map[string]any{"name": "a"}, "spec": full(d.Spec())}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			if _, err := Open(crd, ""); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("complete", func(b *testing.B) {
		for b.Loop() {
			d.Complete(cr)
		}
	})
	small := history.Object{"apiVersion": "example.com/v1", "kind": "Large", "metadata": map[string]any{"name": "a"}, "spec": map[string]any{"field1": map[string]any{"field2": map[string]any{}}}}
	b.Run("small", func(b *testing.B) {
		for b.Loop() {
			d.Complete(small)
			if why := d.Refuses(small, small); len(why) > 0 {
				b.Fatal(why)
			}
		}
	})
	b.Run("refuses", func(b *testing.B) {
		for b.Loop() {
			if why := d.Refuses(cr, cr); len(why) > 0 {
				b.Fatal(why)
			}
		}
	})
}
