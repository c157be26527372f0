package oracle_test

import (
	"fmt"
	"testing"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// TestAlone: nothing is called dead that was only tried where none of the texts beside it is there, without which it
// may mean nothing; where one is, it is, and what shows it sets that before.
func TestAlone(t *testing.T) {
	of := func(path, kind string, children ...*schema.Property) *schema.Property {
		return tree(&schema.Property{Path: path, Name: path[max(0, len(path)-len("depth")):], Schema: &structural.Structural{Generic: structural.Generic{Type: kind}}, Children: children})
	}
	deep := of("spec.tls.depth", "integer")
	text := of("spec.tls.secretName", "string")
	tls := of("spec.tls", "object", deep, text)
	spec := of("spec", "object", tls)
	for _, name := range []string{"", "st-p2-o1"} {
		tracer := oracle.NewTracer(spec)
		for n := range 2 {
			var before []*operation.Operation
			now := thing
			if name != "" {
				before = append(before, set("spec.tls.secretName", name))
				now = "{kind: Thing, metadata: {name: a}, spec: {size: 1, tls: {secretName: " + name + "}}}\n"
			}
			o := set("spec.tls.depth", fmt.Sprint(20017+n))
			o.Changes[0].Value = int64(20017 + n)
			k := done(t, o, now, now)
			k.Last().Before = k.Last().Start[key]
			if len(before) > 0 {
				first := quiet(t, before[0], thing, now)
				k.Steps = []*oracle.Step{quiet(t, nil, "", thing), first, k.Last()}
				k.Last().Before = first.Resource
			}
			tracer.Add(k, nil)
		}
		found := tracer.Judge(nil)
		if unsure := tracer.Unsure(); (len(found) == 0) != (name == "") || (len(unsure) == 1) != (name == "") {
			t.Errorf("with %q: found %+v, unsure of %q", name, found, unsure)
		}
		if name != "" && len(found) == 1 && len(found[0].Operations) != 3 {
			t.Errorf("%d operations show it, want that which sets the text, and two", len(found[0].Operations))
		}
	}
}

// tree has the children know their parent.
func tree(p *schema.Property) *schema.Property {
	for _, child := range p.Children {
		child.Parent = p
	}
	return p
}
