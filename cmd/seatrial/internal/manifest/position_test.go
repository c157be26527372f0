package manifest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

func loadGood(t *testing.T) *Input {
	t.Helper()
	in, err := Load(context.Background(), []string{"testdata/good"}, nil, testOptions)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// object is an object of any type with its document.
type object struct {
	value  any
	raw    []byte
	source *Source
}

func objectsOf[T any](list []Object[T]) []object {
	var out []object
	for _, o := range list {
		out = append(out, object{o.Value, o.Raw, o.Source})
	}
	return out
}

// objects are all objects of an input, in a fixed order.
func (in *Input) objects() []object {
	var out []object
	for _, list := range [][]object{
		objectsOf(in.Deployments), objectsOf(in.ReplicaSets), objectsOf(in.Pods), objectsOf(in.Autoscalers),
		objectsOf(in.DisruptionBudgets), objectsOf(in.Nodes), objectsOf(in.Namespaces), objectsOf(in.PriorityClasses), objectsOf(in.Services),
	} {
		out = append(out, list...)
	}
	if o := in.SchedulerConfig; o != nil {
		out = append(out, object{o.Value, o.Raw, o.Source})
	}
	if o := in.DeschedulerPolicy; o != nil {
		out = append(out, object{json.RawMessage(o.Value), o.Raw, o.Source})
	}
	if o := in.Scenario; o != nil {
		out = append(out, object{o.Value, o.Raw, o.Source})
	}
	return out
}

// TestEveryFieldHasItsOwnPlace looks, for every field of every fixture, at the
// text of the file at the field's position: it has to begin with the key.
func TestEveryFieldHasItsOwnPlace(t *testing.T) {
	checked := 0
	for _, o := range loadGood(t).objects() {
		place := o.source.Position("")
		data, err := os.ReadFile(place.File)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(data), "\n")
		var root any
		if err := json.Unmarshal(o.raw, &root); err != nil {
			t.Fatal(err)
		}
		walkPaths(root, "", func(path, key string) {
			checked++
			at := o.source.Position(path)
			if at.Line < 1 || at.Line > len(lines) || at.Column < 1 || at.Column > len(lines[at.Line-1]) {
				t.Fatalf("%s %s: outside of the file: %+v", o.source.object(), path, at)
			}
			text := lines[at.Line-1][at.Column-1:]
			for _, written := range []string{key, `"` + key + `"`, "'" + key + "'"} {
				if strings.HasPrefix(text, written) {
					return
				}
			}
			t.Errorf("%s %s: %s:%d:%d is at %q", o.source.object(), path, at.File, at.Line, at.Column, text)
		})
	}
	if checked < 250 {
		t.Fatalf("only %d fields checked", checked)
	}
}

// walkPaths calls f for every field of a decoded document with its path and
// key; for a scalar in a list the key is the scalar.
func walkPaths(v any, path string, f func(path, key string)) {
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			at := joinPath(path, key)
			f(at, key)
			f(fmt.Sprintf("%s[%s]", path, key), key)
			walkPaths(child, at, f)
		}
	case []any:
		for i, child := range v {
			at := fmt.Sprintf("%s[%d]", path, i)
			if s, ok := child.(string); ok {
				f(at, s)
			}
			walkPaths(child, at, f)
		}
	}
}

func TestPositionsOfAShop(t *testing.T) {
	in := loadGood(t)
	for path, line := range map[string]int{
		"":              7,
		"spec.replicas": 15,
		"spec.template.metadata.labels[app.kubernetes.io/name]":              13,
		"spec.template.metadata.labels.app.kubernetes.io/name":               13,
		"spec.template.metadata.labels.tier":                                 22,
		"spec.selector.matchLabels[app.kubernetes.io/name]":                  13,
		"spec.template.spec.containers[0].resources.requests[memory]":        29,
		"spec.template.spec.containers[0].resources.limits.cpu":              31,
		"spec.template.spec.containers[1].resources.limits.cpu":              32,
		"spec.template.spec.containers[7].resources.limits.cpu":              25,
		"spec.template.spec.affinity.nodeAffinity":                           23,
		"spec.template.spec.containers[0].resources.requests.cpu.what.is[0]": 29,
		"spec.template.spec.containers[x":                                    25,
		"[":                                                                  7,
		"..":                                                                 7,
		"nowhere":                                                            7,
	} {
		got := in.Deployments[0].Source.Position(path)
		if got.Line != line || got.Object != "Deployment shop/web" || got.File != "testdata/good/shop.yaml" || got.Field != path {
			t.Errorf("%s: %+v, want line %d", path, got, line)
		}
	}
	if got := in.Nodes[0].Source.Position("status.allocatable.memory"); got.Line != 11 || got.Column != 37 || got.Object != "Node n1" {
		t.Errorf("%+v", got)
	}
	// The manifest of an event has the Scenario's lines.
	manifest := in.Scenario.Value.Spec.Events[1].Manifest
	object, source, err := in.Decode(manifest, "spec.events[1].manifest")
	if err != nil {
		t.Fatal(err)
	}
	if got := source.Position("spec.replicas"); got.Line != 60 || got.Object != "Deployment shop/web" {
		t.Errorf("%T: %+v", object, got)
	}
}
