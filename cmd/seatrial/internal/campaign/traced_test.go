package campaign

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/history"
)

// sets is an operation that sets a value at a path.
func sets(property string, value any, path ...any) *operation.Operation {
	o := &operation.Operation{Name: fmt.Sprintf("%s=%v", property, value), Property: property, Case: fmt.Sprint(value), Changes: []operation.Change{{Path: path, Value: value}}}
	if text, is := value.(string); is {
		o.Sentinels = []string{text}
	}
	return o
}

// TestTracedAgain: a property that nothing comes of is found, though it only means something behind other operations,
// which are repeated with those on it.
func TestTracedAgain(t *testing.T) {
	on := &schema.Property{Path: "spec.hardened", Name: "hardened", Schema: &structural.Structural{Generic: structural.Generic{Type: "boolean"}}}
	port := func(n int64) *operation.Operation { return sets("spec.metrics.port", n, "spec", "metrics", "port") }
	label := func(text string) *operation.Operation {
		return sets("spec.items[].label", text, "spec", "items", 1, "label")
	}
	other := sets("spec.size", "2", "spec", "size")
	enabled := sets("spec.metrics.enabled", true, "spec", "metrics", "enabled")
	item := sets("spec.items", map[string]any{"name": "b"}, "spec", "items", 1)
	for _, test := range []struct {
		name, property string
		spec           map[string]any
		sequences      [][]*operation.Operation
		want           []string
	}{
		{
			"a boolean that the seed does not have", "spec.hardened",
			map[string]any{"size": "1"},
			[][]*operation.Operation{{other, sets("spec.hardened", true, "spec", "hardened"), sets("spec.hardened", false, "spec", "hardened")}},
			[]string{"dead-property spec.hardened: spec.hardened=true spec.hardened=false"},
		},
		{
			"what the seed does not enable", "spec.metrics.port",
			map[string]any{"size": "1", "metrics": map[string]any{"enabled": false, "port": int64(1)}},
			[][]*operation.Operation{{other, enabled, port(21)}, {enabled, other, port(22)}},
			[]string{"dead-property spec.metrics.port: spec.metrics.enabled=true spec.metrics.port=21 spec.metrics.port=22"},
		},
		{
			"an item that was added", "spec.items[].label",
			map[string]any{"size": "1", "items": []any{map[string]any{"name": "a"}}},
			[][]*operation.Operation{{other, item, label("sentinel-1")}, {item, label("sentinel-2")}},
			[]string{"dead-property spec.items[].label: spec.items=map[name:b] spec.items[].label=sentinel-1 spec.items[].label=sentinel-2"},
		},
		{
			"items behind the first", "spec.hosts",
			map[string]any{"size": "1", "hosts": []any{"a"}},
			[][]*operation.Operation{{other, sets("spec.hosts", "sentinel-1", "spec", "hosts", 1)}, {sets("spec.hosts[]", "sentinel-3", "spec", "hosts", 0), other, sets("spec.hosts", "sentinel-2", "spec", "hosts", 1)}},
			[]string{"dead-property spec.hosts: spec.hosts=sentinel-1 spec.hosts=sentinel-2 spec.hosts[]=sentinel-3"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			one := made(&fake{operator: func(spec map[string]any, _ history.Object) map[string]any {
				data := map[string]any{"size": spec["size"]}
				if m, is := spec["metrics"].(map[string]any); is {
					data["metrics"] = fmt.Sprint(m["enabled"])
				}
				items, _ := spec["items"].([]any)
				data["items"] = fmt.Sprint(len(items))
				if hosts, is := spec["hosts"].([]any); is {
					data["host"] = hosts[0]
				}
				return data
			}})
			one.seed["spec"] = test.spec
			one.tracer = oracle.NewTracer(on)
			for _, s := range test.sequences {
				one.out.Plan.Sequences = append(one.out.Plan.Sequences, &operation.Sequence{Operations: s})
			}
			if err := one.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := told(one.out); !reflect.DeepEqual(got, test.want) || len(one.out.Gone) > 0 {
				t.Errorf("found %q, want %q; gone: %q", got, test.want, one.out.gone())
			}
		})
	}
}

// TestListens: a boolean that only its misoperation moves is not dead, nor is one with which an operator stops its
// work; one that nothing moves is.
func TestListens(t *testing.T) {
	suspend := &schema.Property{Path: "spec.suspend", Name: "suspend", Schema: &structural.Structural{Generic: structural.Generic{Type: "boolean"}}}
	hands := func(on bool) map[string]any { return map[string]any{"suspend": fmt.Sprint(on)} }
	for _, test := range []struct {
		name     string
		operator func(on bool, old map[string]any) map[string]any
		pauses   bool
		want     []string
	}{
		{"handed on", func(on bool, _ map[string]any) map[string]any { return hands(on) }, false, nil},
		{"stops its work", func(on bool, old map[string]any) map[string]any {
			if on && old != nil {
				return old
			}
			return hands(false)
		}, true, nil},
		{"dead", func(bool, map[string]any) map[string]any { return hands(false) }, false, []string{"dead-property spec.suspend: spec.suspend-"}},
	} {
		one := made(&fake{operator: func(spec map[string]any, old history.Object) map[string]any {
			data, _ := old.At("data").(map[string]any)
			return test.operator(spec["suspend"] == true, data)
		}})
		one.seed["spec"] = map[string]any{"size": "1", "suspend": false}
		one.tracer = oracle.NewTracer(suspend)
		on := sets("spec.suspend", true, "spec", "suspend")
		on.Misoperation, on.Pauses = true, test.pauses
		off := sets("spec.suspend", false, "spec", "suspend")
		off.Repairs = true
		one.out.Plan.Sequences = []*operation.Sequence{{Operations: []*operation.Operation{on, off, do("spec.suspend-")}}}
		if err := one.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := told(one.out); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: found %q, want %q; gone %q", test.name, got, test.want, one.out.gone())
		}
	}
}

// TestLeft: of a property of which operations are left, since the time was over, it is not said that nothing comes of
// it; nothing is left where those that are missing cannot be tried.
func TestLeft(t *testing.T) {
	for skipped, want := range map[int][]string{1: {"spec.size", "spec.text"}, 0: nil} {
		o := &Outcome{
			Skipped: skipped, Plan: &operation.Plan{Sequences: planned("spec.text=1 spec.size=2 spec.port=3", "spec.text=4 spec.size=5")},
			Results: []*Result{{Steps: []StepResult{{Operation: "spec.text=1"}, {Operation: "spec.size=2"}, {Operation: "spec.port=3"}}}},
		}
		if got := slices.Sorted(maps.Keys(o.left())); !slices.Equal(got, want) {
			t.Errorf("%d were skipped: left are %q, want %q", skipped, got, want)
		}
	}
}
