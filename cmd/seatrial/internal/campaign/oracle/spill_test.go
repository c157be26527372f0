package oracle_test

import (
	"strings"
	"testing"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// TestSpilt: what one component has in a map is not to be where another one has the same.
func TestSpilt(t *testing.T) {
	of := func(path, kind string, children ...*schema.Property) *schema.Property {
		return tree(&schema.Property{Path: path, Name: path[strings.LastIndexByte(path, '.')+1:], Schema: &structural.Structural{Generic: structural.Generic{Type: kind}}, Children: children})
	}
	component := func(name string) *schema.Property {
		values := &schema.Property{Path: "spec." + name + ".config{}", Name: "{}", Schema: &structural.Structural{Generic: structural.Generic{Type: "string"}}}
		return of("spec."+name, "object", of("spec."+name+".config", "object", values))
	}
	spec := of("spec", "object", component("front"), component("back"))
	for name, c := range map[string]struct {
		front, back string // where the value of each is, by words of names, and as which field
		want        int
	}{
		"each has its own":                          {"a-front:conf", "a-back:conf", 0},
		"one comes to the other":                    {"a-front:conf a-back:conf", "a-back:conf", 1},
		"each comes to both, as they share it":      {"a-front:conf a-back:conf", "a-front:conf a-back:conf", 0},
		"it is told to the other as something else": {"a-front:conf a-back:peer", "a-back:conf", 0},
		"one object is of both":                     {"a-front:conf a-front-back:conf", "a-front-back:conf", 0},
		"the other alone has it":                    {"a-back:conf", "a-back:conf", 0},
	} {
		tracer := oracle.NewTracer(spec)
		for _, role := range []string{"front", "back"} {
			value := "st-" + role
			o := &operation.Operation{Property: "spec." + role + ".config", Case: "key added", Sentinels: []string{value}, Changes: []operation.Change{{Path: []any{"spec", role, "config", "k"}, Value: value}}}
			end := "{kind: Thing, metadata: {name: a}, spec: {" + role + ": {config: {k: " + value + "}}}}"
			for _, place := range strings.Fields(map[string]string{"front": c.front, "back": c.back}[role]) {
				object, field, _ := strings.Cut(place, ":")
				end += "\n{kind: ConfigMap, metadata: {name: " + object + "}, data: {" + field + ": 'k=" + value + "'}}"
			}
			tracer.Add(done(t, o, "{kind: Thing, metadata: {name: a}, spec: {front: {config: {}}, back: {config: {}}}}", end), nil)
		}
		got := 0
		for _, d := range tracer.Judge(nil) {
			if d.Place == "spilt spec.*.config" {
				if got++; d.Property != "spec.front.config" || len(d.Operations) != 2 {
					t.Errorf("%s: %+v", name, d)
				}
			}
		}
		if got != c.want {
			t.Errorf("%s: %d findings, want %d", name, got, c.want)
		}
	}
}
