package oracle_test

import (
	"testing"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// container is a list or a map of objects with a few fields, or of texts.
func container(path, each string) *schema.Property {
	of := func(kind string) *structural.Structural {
		return &structural.Structural{Generic: structural.Generic{Type: kind}}
	}
	inner := &schema.Property{Path: path + each, Name: each, Schema: of("object")}
	for name, kind := range map[string]string{"name": "string", "text": "string", "owner": "string", "type": "string", "on": "boolean"} {
		inner.Children = append(inner.Children, &schema.Property{Path: path + each + "." + name, Name: name, Parent: inner, Schema: of(kind)})
	}
	return &schema.Property{Path: path, Schema: of("array"), Children: []*schema.Property{inner}}
}

// TestNeighbours: what an item of a list says is somewhere, as what the others say is.
func TestNeighbours(t *testing.T) {
	const seeded = "{kind: ConfigMap, metadata: {name: a}, data: {one.txt: lorem}}\n"
	one := map[string]any{"name": "one", "text": "lorem"}
	added := func(items ...any) *operation.Operation {
		return &operation.Operation{Property: "spec.files", Case: "another", Sentinels: []string{"st-1", "st-2"}, Changes: []operation.Change{
			{Path: []any{"spec", "files"}, Value: append([]any{one}, items...)},
		}}
	}
	two := func(name, text string) map[string]any { return map[string]any{"name": name, "text": text} }
	for _, c := range []struct {
		name      string
		operation *operation.Operation
		// start and end are what there is beside the resource.
		start, end, twin string
		// status is what the resource says of itself in the end.
		status string
		want   []string
	}{
		{
			name: "all are there", operation: added(two("st-1", "ipsum"), two("st_1", "dolor")), start: seeded,
			end: "{kind: ConfigMap, metadata: {name: a}, data: {one.txt: lorem, st-1.txt: ipsum, st_1.txt: dolor}}",
		},
		{
			name: "two become one", operation: added(two("st-1", "ipsum"), two("st_1", "dolor")), start: seeded,
			end:  "{kind: ConfigMap, metadata: {name: a}, data: {one.txt: lorem, st1.txt: dolor}}",
			want: []string{`"ipsum" of spec.files[1].text is nowhere, while "dolor" of spec.files[2].text is data[st1.txt] of configmaps *`},
		},
		{
			name: "the twin has it", operation: added(two("st-1", "ipsum"), two("st_1", "dolor")), start: seeded,
			end:  "{kind: ConfigMap, metadata: {name: a}, data: {one.txt: lorem, st1.txt: dolor}}",
			twin: "{kind: ConfigMap, metadata: {name: a}, data: {st1.txt: dolor ipsum}}",
		},
		{
			name: "another takes the place of one that was there", operation: added(two("One", "ipsum")), start: seeded,
			end:  "{kind: ConfigMap, metadata: {name: a}, data: {one.txt: ipsum}}",
			want: []string{`spec.files[0].text is still "lorem", and that is nowhere since there are others beside: it was data[one.txt] of configmaps *`},
		},
		{
			name: "only its pods had it", operation: added(two("st-1", "ipsum")), start: "{kind: Pod, metadata: {name: a}, spec: {text: lorem}}",
			end: "{kind: ConfigMap, metadata: {name: a}, data: {st-1.txt: ipsum}}",
		},
		{
			name: "the first is chosen, and has another name", operation: added(two("st-1", "ipsum")), start: seeded, end: seeded,
		},
		{
			name: "a part of it", operation: added(map[string]any{"name": "st-1", "text": "ipsum", "owner": "dolor"}), start: seeded,
			end:  "{kind: ConfigMap, metadata: {name: a}, data: {one.txt: lorem, st-1.txt: dolor}}",
			want: []string{`"ipsum" of spec.files[1].text is nowhere, while "lorem" of spec.files[0].text is data[one.txt] of configmaps *`},
		},
		{
			name: "a part of it, which is of another kind", operation: added(map[string]any{"name": "st-1", "text": "ipsum", "owner": "dolor", "type": "link"}), start: seeded,
			end: "{kind: ConfigMap, metadata: {name: a}, data: {one.txt: lorem, st-1.txt: dolor}}",
		},
		{
			name: "a part of it, which is on", operation: added(map[string]any{"name": "st-1", "text": "ipsum", "owner": "dolor", "on": true}), start: seeded,
			end: "{kind: ConfigMap, metadata: {name: a}, data: {one.txt: lorem, st-1.txt: dolor}}",
		},
		{
			name: "it says so", operation: added(two("st-1", "ipsum"), two("st_1", "dolor")), start: seeded,
			end:    "{kind: ConfigMap, metadata: {name: a}, data: {one.txt: lorem, st1.txt: dolor}}",
			status: ", status: {message: the name of spec.files is invalid}",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			const seed = "{kind: Thing, metadata: {name: a}, spec: {files: [{name: one, text: lorem}]}"
			k := done(t, c.operation, seed+"}\n"+c.start, seed+c.status+"}\n"+c.end)
			if c.twin != "" {
				k.Twin = quiet(t, nil, "", seed+"}\n"+c.twin)
			}
			k.Properties = schema.ByPath([]*schema.Property{container("spec.files", "[]")})
			hold(t, "consistency", k, c.want)
		})
	}
}

// TestNeighbourKeys: so it is of what a map has at its keys.
func TestNeighbourKeys(t *testing.T) {
	const seed = "{kind: Thing, metadata: {name: a}, spec: {files: {one: {text: lorem}}}}\n"
	const seeded = "{kind: ConfigMap, metadata: {name: a}, data: {one.txt: lorem}}\n"
	o := &operation.Operation{Property: "spec.files", Case: "another", Sentinels: []string{"st-1"}, Changes: []operation.Change{
		{Path: []any{"spec", "files"}, Value: map[string]any{
			"one": map[string]any{"text": "lorem"}, "st-1": map[string]any{"text": "ipsum"}, "st.1": map[string]any{"text": "dolor"},
		}},
	}}
	k := done(t, o, seed+seeded, seed+"{kind: ConfigMap, metadata: {name: a}, data: {one.txt: lorem, st1.txt: dolor}}")
	k.Properties = schema.ByPath([]*schema.Property{container("spec.files", "{}")})
	hold(t, "consistency", k, []string{`"ipsum" of spec.files["st-1"].text is nowhere, while "dolor" of spec.files["st.1"].text is data[st1.txt] of configmaps *`})
}

// TestNeighboursOfSeveralKeys: items that have one of two keys in common are not one.
func TestNeighboursOfSeveralKeys(t *testing.T) {
	const seed = "{kind: Thing, metadata: {name: a}, spec: {files: [{name: one, type: TCP, text: lorem}]}}\n"
	o := &operation.Operation{Property: "spec.files", Case: "item added", Changes: []operation.Change{
		{Path: []any{"spec", "files", 1}, Value: map[string]any{"name": "one", "type": "UDP", "text": "ipsum"}},
	}}
	k := done(t, o, seed+"{kind: ConfigMap, metadata: {name: a}, data: {one: lorem}}", seed+"{kind: ConfigMap, metadata: {name: a}, data: {one: ipsum}}")
	list := container("spec.files", "[]")
	list.Schema.XListMapKeys = []string{"name", "type"}
	k.Properties = schema.ByPath([]*schema.Property{list})
	hold(t, "consistency", k, []string{`spec.files[0].text is still "lorem", and that is nowhere since there are others beside: it was data.one of configmaps *`})
}
