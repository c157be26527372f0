package oracle_test

import (
	"testing"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// TestNamesakes: what one role says is not where the other's is said, once that says something, too.
func TestNamesakes(t *testing.T) {
	in := func(role string) *schema.Property {
		text := &structural.Structural{Generic: structural.Generic{Type: "string"}}
		p := &schema.Property{Path: "spec." + role, Name: role}
		p.Children = []*schema.Property{{Path: p.Path + ".timeout", Name: "timeout", Parent: p, Schema: text}}
		return p
	}
	const seed = "{kind: Thing, metadata: {name: a}, spec: {reader: {}, writer: {}, base: {}}}\n"
	lines := func(reader, writer string) string {
		return "{kind: ConfigMap, metadata: {name: a}, data: {reader: " + reader + ", writer: " + writer + "}}"
	}
	for _, c := range []struct {
		name, first, last string
		// start is what there is when the first is set, and end when both are; twin where the resource was never
		// another.
		start, end, twin string
		want             []string
	}{
		{name: "each has its own", first: "reader", last: "writer", start: lines("st-1", "10s"), end: lines("st-1", "st-2")},
		{
			name: "the last goes to both", first: "reader", last: "writer", start: lines("st-1", "10s"), end: lines("st-2", "st-2"),
			want: []string{"st-2 of spec.writer.timeout is where st-1 of spec.reader.timeout was, and still should be: data.reader of configmaps *"},
		},
		{name: "it was nowhere", first: "reader", last: "writer", start: lines("10s", "10s"), end: lines("st-2", "st-2")},
		{name: "the twin has it", first: "reader", last: "writer", start: lines("st-1", "10s"), end: lines("st-2", "st-2"), twin: lines("st-1", "st-2")},
		{name: "what is so of all gives way", first: "base", last: "writer", start: lines("st-1", "st-1"), end: lines("st-2", "st-2")},
	} {
		t.Run(c.name, func(t *testing.T) {
			first, last := set("spec."+c.first+".timeout", "st-1"), set("spec."+c.last+".timeout", "st-2")
			way := done(t, first, seed, seed+c.start).Last()
			k := done(t, both(t, first, last), seed+c.start, seed+c.end)
			k.Last().Operation = last
			k.Steps = []*oracle.Step{k.Steps[0], way, k.Last()}
			if c.twin != "" {
				k.Twin = quiet(t, nil, "", seed+c.twin)
			}
			k.Properties = schema.ByPath([]*schema.Property{in("reader"), in("writer"), in("base")})
			hold(t, "consistency", k, c.want)
		})
	}
}

// both is what two operations change.
func both(t *testing.T, one, other *operation.Operation) *operation.Operation {
	t.Helper()
	all := *other
	all.Changes = append([]operation.Change{one.Changes[0]}, other.Changes...)
	return &all
}
