package schema

import (
	"slices"
	"testing"

	"github.com/seatrial/seatrial/history"
)

// TestInfer: where the schema does not say what is in a property, resources do.
func TestInfer(t *testing.T) {
	d := open(t, "servers.yaml", "")
	p := d.Find("spec.extra")
	resource := func(extra any) history.Object { return history.Object{"spec": map[string]any{"extra": extra}} }
	p.Infer([]history.Object{
		resource(map[string]any{"level": int64(3), "on": true, "none": nil, "hosts": []any{map[string]any{"name": "a"}, map[string]any{"port": int64(1)}}}),
		resource(map[string]any{"share": 0.5, "level": "high", "a.b": map[string]any{}}),
		{},
	})
	resources := []history.Object{resource(map[string]any{"hosts": []any{map[string]any{"name": "a"}, map[string]any{"port": int64(1)}}})}
	for range 2 { // what is in the list, and then what is in its items
		for _, below := range p.Children {
			below.Infer(resources)
			for _, item := range below.Children {
				item.Infer(resources)
			}
		}
	}
	var got []string
	p.Walk(func(p *Property) bool {
		got = append(got, p.Path+" "+p.Schema.Type)
		return true
	})
	want := []string{
		"spec.extra object", `spec.extra["a.b"] object`, "spec.extra.hosts array", "spec.extra.hosts[] object", "spec.extra.hosts[].name string", "spec.extra.hosts[].port integer",
		"spec.extra.level integer", "spec.extra.on boolean", "spec.extra.share number",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if p.Inferred || !d.Find("spec.extra").Field("hosts").Children[0].Field("port").Inferred {
		t.Error("what the schema has and what only resources have is not told apart")
	}
	image := d.Find("spec.image")
	image.Infer([]history.Object{{"spec": map[string]any{"image": map[string]any{"name": "a"}}}})
	if len(image.Children) > 0 || image.Schema.Type != "string" {
		t.Error("of a property of which the schema says what it is, something was inferred")
	}
}
