package operation

import (
	"fmt"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// moded is a schema with modes: of the whole resource, and of a part of it.
func moded() *apiextensionsv1.JSONSchemaProps {
	text := apiextensionsv1.JSONSchemaProps{Type: "string"}
	enum := func(values ...string) apiextensionsv1.JSONSchemaProps {
		one := text
		for _, v := range values {
			one.Enum = append(one.Enum, apiextensionsv1.JSON{Raw: []byte(`"` + v + `"`)})
		}
		return one
	}
	object := func(fields map[string]apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
		return apiextensionsv1.JSONSchemaProps{Type: "object", Properties: fields}
	}
	spec := object(map[string]apiextensionsv1.JSONSchemaProps{
		"mode": enum("Alone", "Cluster", "Sharded"), "debug": {Type: "boolean"}, "replicas": {Type: "integer"}, "image": text, "port": {Type: "integer"},
		"tls":   object(map[string]apiextensionsv1.JSONSchemaProps{"version": enum("v1", "v2"), "secret": text, "cipher": text}),
		"store": object(map[string]apiextensionsv1.JSONSchemaProps{"kind": enum("disk", "memory"), "path": text, "size": {Type: "integer"}}),
		"proxy": object(map[string]apiextensionsv1.JSONSchemaProps{"host": text, "port": {Type: "integer"}}),
	})
	return &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec}}
}

// notChanged lists what no operation of a plan changes while a mode has another value than the seed's, and counts all.
func notChanged(t *testing.T, o Options) (missed []string, all int) {
	t.Helper()
	m, err := newMaker(o)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := Make(o)
	if err != nil {
		t.Fatal(err)
	}
	done := map[string]bool{}
	in := func(mode string, v any, property string) string { return fmt.Sprintf("%s in %s %v", property, mode, v) }
	for _, s := range plan.Sequences {
		now := m.seed.written
		for _, op := range s.Operations {
			next, err := op.Apply(now)
			if op.Refused != "" || err != nil {
				continue
			}
			before, after := map[string]any(m.Server.Complete(now)), map[string]any(m.Server.Complete(next))
			for _, one := range m.modes.all {
				was, _ := at(before, one.place(before))
				is, _ := at(after, one.place(after))
				for _, c := range strings.Split(op.Property+": "+op.Case, "; ") {
					if property, _, _ := strings.Cut(c, ": "); equal(was, is) {
						done[in(one.Path, is, property)] = true
					}
				}
			}
			now = next
		}
	}
	for _, one := range m.modes.all {
		for _, v := range one.values {
			for _, p := range one.beside {
				if all++; !done[in(one.Path, v, p.Path)] {
					missed = append(missed, in(one.Path, v, p.Path))
				}
			}
		}
	}
	return missed, all
}

// TestModes: with as many operations as a small schema gets, each property is changed while each mode that may matter
// to it has each of its values; and modes take no more than their part.
func TestModes(t *testing.T) {
	t.Parallel()
	o := Options{Definition: definition(t, moded(), nil), Seed: thing(map[string]any{"mode": "Alone", "replicas": int64(3)}), Max: 200}
	missed, all := notChanged(t, o)
	if len(missed) > 0 || all < 50 {
		t.Errorf("%d of %d: %s", len(missed), all, strings.Join(missed, ", "))
	}
	m, err := newMaker(o)
	if err != nil {
		t.Fatal(err)
	}
	m.end = m.Max
	m.modesEntered()
	if m.count == 0 || m.count > o.Max*modesPercent/100 {
		t.Errorf("%d operations", m.count)
	}
	holds(t, o)
}

// TestPauseIsNoMode: what tells an operator to do nothing is no mode that others are tried in: they have to be done
// when it is taken back.
func TestPauseIsNoMode(t *testing.T) {
	t.Parallel()
	spec := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"paused": {Type: "boolean"}, "text": {Type: "string"}}}
	root := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec}}
	m, err := newMaker(Options{Definition: definition(t, root, nil), Seed: thing(map[string]any{"text": "a"})})
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range m.modes.all {
		for _, v := range one.values {
			if v == true {
				t.Errorf("%s %v", one.Path, v)
			}
		}
	}
}

// TestOffIsAMode: a number that may be 0 is one with that value, in which others are changed.
func TestOffIsAMode(t *testing.T) {
	t.Parallel()
	none := 0.0
	whole := apiextensionsv1.JSONSchemaProps{Type: "integer"}
	spec := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
		"replicas": {Type: "integer", Minimum: &none}, "port": whole,
		"scaling": {Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"least": whole, "most": whole}},
	}}
	root := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec}}
	o := Options{Definition: definition(t, root, nil), Seed: thing(map[string]any{"replicas": int64(2), "port": int64(80)}), Max: 120}
	if missed, all := notChanged(t, o); len(missed) > 0 || all != 3 {
		t.Errorf("%d of %d: %s", len(missed), all, strings.Join(missed, ", "))
	}
}
