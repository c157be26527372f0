package oracle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/history"
)

// TestMeant: a part of an item that may only count for another kind of item counts for this one, if the seed has it
// there.
func TestMeant(t *testing.T) {
	text := func(name string) *schema.Property {
		return &schema.Property{Name: name, Path: "spec.members[]." + name, Schema: &structural.Structural{Generic: structural.Generic{Type: "string"}}}
	}
	for seed, want := range map[string]int{
		"{kind: ServiceAccount, namespace: ci}": 1,
		"{kind: ServiceAccount}":                0,
		"{kind: User, namespace: ci}":           0,
	} {
		item := &schema.Property{Name: "[]", Path: "spec.members[]", Children: []*schema.Property{text("kind"), text("namespace")}}
		for _, child := range item.Children {
			child.Parent = item
		}
		tracer := oracle.NewTracer(item)
		for _, value := range []string{"st-1", "st-2"} {
			o := &operation.Operation{
				Property: "spec.members[].namespace", Case: value, Sentinels: []string{value},
				Changes: []operation.Change{{Path: []any{"spec", "members", 0, "namespace"}, Value: value}},
			}
			before := "{kind: Thing, metadata: {name: a}, spec: {members: [" + seed + "]}}\n{kind: ConfigMap, metadata: {name: a}, data: {x: y}}"
			k := done(t, o, before, "{kind: Thing, metadata: {name: a}, spec: {members: [{kind: ServiceAccount, namespace: "+value+"}]}}\n{kind: ConfigMap, metadata: {name: a}, data: {x: y}}")
			k.Last().Start = state(t, before)
			tracer.Add(k, nil)
		}
		if got := len(tracer.Judge(nil)); got != want {
			t.Errorf("with %s in the seed there are %d findings, want %d", seed, got, want)
		}
	}
}

// TestDefaultBeside: what is chosen beside a part, and has both by default only, is not what the seed says.
func TestDefaultBeside(t *testing.T) {
	child := func(name string) *schema.Property {
		return &schema.Property{Name: name, Path: "spec.service." + name, Schema: &structural.Structural{Generic: structural.Generic{Type: "string"}}}
	}
	service := &schema.Property{Name: "service", Path: "spec.service", Children: []*schema.Property{child("type"), child("traffic")}}
	for _, c := range service.Children {
		c.Parent = service
	}
	tracer := oracle.NewTracer(service)
	const stored = "{kind: Thing, metadata: {name: a}, spec: {service: {type: ClusterIP, traffic: Cluster}}}"
	for i, path := range [][]any{{"spec", "service"}, {"spec", "service", "traffic"}} {
		value := any(fmt.Sprintf("st-%d", i))
		o := &operation.Operation{Property: "spec.service.traffic", Case: fmt.Sprint(i), Sentinels: []string{fmt.Sprintf("st-%d", i)}, Changes: []operation.Change{{Path: path, Value: value}}}
		if len(path) == 2 {
			o.Changes[0].Value = map[string]any{"type": "ClusterIP", "traffic": value}
		}
		k := done(t, o, stored, stored)
		k.Steps[0].Resource = history.Object{"spec": map[string]any{}}
		tracer.Add(k, nil)
	}
	if got := tracer.Judge(nil); len(got) > 0 {
		t.Errorf("%+v", got)
	}
}

// TestItemsOfOther: items that are added to a list have no part, where what is chosen beside it is another.
func TestItemsOfOther(t *testing.T) {
	child := func(name, kind string) *schema.Property {
		return &schema.Property{Name: name, Path: "spec.service." + name, Schema: &structural.Structural{Generic: structural.Generic{Type: kind}}}
	}
	service := &schema.Property{Name: "service", Path: "spec.service", Children: []*schema.Property{child("type", "string"), child("ranges", "array")}}
	for _, c := range service.Children {
		c.Parent = service
	}
	for seed, want := range map[string]int{"{type: ClusterIP, ranges: [a]}": 1, "{type: ClusterIP}": 0} {
		tracer := oracle.NewTracer(service)
		for _, value := range []string{"st-1", "st-2"} {
			o := &operation.Operation{Property: "spec.service.ranges", Case: value, Sentinels: []string{value}, Changes: []operation.Change{{Path: []any{"spec", "service", "ranges", 1}, Value: value}}}
			stored := "{kind: Thing, metadata: {name: a}, spec: {service: {type: ClusterIP, ranges: [a]}}}"
			k := done(t, o, stored, stored)
			k.Steps[0].Resource = state(t, "{kind: Thing, metadata: {name: a}, spec: {service: "+seed+"}}")[key]
			tracer.Add(k, nil)
		}
		if got := len(tracer.Judge(nil)); got != want {
			t.Errorf("with %s as the seed there are %d findings, want %d", seed, got, want)
		}
	}
}

// TestPartOfOther: a part that a word beside it chooses by its name has none where that is another word.
func TestPartOfOther(t *testing.T) {
	of := func(path, kind string, children ...*schema.Property) *schema.Property {
		return tree(&schema.Property{Path: path, Name: path[strings.LastIndexByte(path, '.')+1:], Schema: &structural.Structural{Generic: structural.Generic{Type: kind}}, Children: children})
	}
	word := of("spec.store.where", "string")
	word.Schema.ValueValidation = &structural.ValueValidation{Enum: []structural.JSON{{Object: "Disk"}, {Object: "S3"}}}
	store := of("spec.store", "object", word, of("spec.store.s3", "object", of("spec.store.s3.bucket", "string")))
	for where, want := range map[string]int{"Disk": 0, "S3": 1} {
		tracer := oracle.NewTracer(store)
		for _, value := range []string{"st-1", "st-2"} {
			k := done(t, set("spec.store.s3.bucket", value), "{kind: Thing, metadata: {name: a}, spec: {store: {where: "+where+"}}}",
				"{kind: Thing, metadata: {name: a}, spec: {store: {where: "+where+", s3: {bucket: "+value+"}}}}")
			tracer.Add(k, nil)
		}
		if got := len(tracer.Judge(nil)); got != want {
			t.Errorf("with %s there are %d findings, want %d", where, got, want)
		}
	}
}

// TestInAllModes: nothing is called dead that was not tried in each mode of the resource in which anything was.
func TestInAllModes(t *testing.T) {
	of := func(path, kind string, words ...structural.JSON) *schema.Property {
		p := &schema.Property{Path: path, Name: path[strings.LastIndexByte(path, '.')+1:], Schema: &structural.Structural{Generic: structural.Generic{Type: kind}}}
		if len(words) > 0 {
			p.Schema.ValueValidation = &structural.ValueValidation{Enum: words}
		}
		return p
	}
	volume, spec := of("spec.volume", "string"), of("spec", "object")
	spec.Children = []*schema.Property{of("spec.mode", "string", structural.JSON{Object: "once"}, structural.JSON{Object: "always"}), volume}
	for _, child := range spec.Children {
		child.Parent = spec
	}
	for name, c := range map[string]struct {
		modes []string
		want  int
	}{"one mode alone": {[]string{"once"}, 1}, "each": {[]string{"once", "always"}, 1}} {
		tracer := oracle.NewTracer(spec)
		add := func(property, mode, value string) {
			tracer.Add(done(t, set(property, value), "{kind: Thing, metadata: {name: a}, spec: {mode: "+mode+"}}", "{kind: Thing, metadata: {name: a}, spec: {mode: "+mode+"}}"), nil)
		}
		for _, mode := range c.modes {
			add("spec.volume", mode, "st-1"+mode)
			add("spec.volume", mode, "st-2"+mode)
		}
		if got := len(tracer.Judge(nil)); got != c.want {
			t.Errorf("%s: there are %d findings, want %d", name, got, c.want)
		}
		add("spec.other", "never", "st-3")
		if got := tracer.Judge(nil); len(got) > 0 || !slices.Contains(tracer.Unsure(), "spec.volume") {
			t.Errorf("%s: with another mode in which it was not tried it says %v, and is unsure of %v", name, got, tracer.Unsure())
		}
	}
}

// TestMayBeNone: a part has none where nobody says which of several it is, but for what Kubernetes has a default for.
func TestMayBeNone(t *testing.T) {
	for words, want := range map[string]int{"ingress route": 0, "ClusterIP NodePort": 1} {
		of := func(path, kind string, children ...*schema.Property) *schema.Property {
			return tree(&schema.Property{Path: path, Name: path[strings.LastIndexByte(path, '.')+1:], Schema: &structural.Structural{Generic: structural.Generic{Type: kind}}, Children: children})
		}
		by := of("spec.expose.type", "string")
		by.Schema.ValueValidation = &structural.ValueValidation{}
		for _, word := range strings.Fields(words) {
			by.Schema.ValueValidation.Enum = append(by.Schema.ValueValidation.Enum, structural.JSON{Object: word})
		}
		tracer := oracle.NewTracer(of("spec.expose", "object", by, of("spec.expose.tls", "object", of("spec.expose.tls.host", "string"))))
		for _, value := range []string{"st-1", "st-2"} {
			tracer.Add(done(t, set("spec.expose.tls.host", value), "{kind: Thing, metadata: {name: a}, spec: {expose: {}}}", "{kind: Thing, metadata: {name: a}, spec: {expose: {}}}"), nil)
		}
		if got := len(tracer.Judge(nil)); got != want {
			t.Errorf("%s: there are %d findings, want %d", words, got, want)
		}
	}
}
