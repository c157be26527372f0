package operation

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/seatrial/seatrial/history"
)

// sets is operations that each set a field: "a=1 b=2" is two operations; "a=1,b=2" one with two
// changes.
func sets(text string) []*Operation {
	var all []*Operation
	for _, word := range strings.Fields(text) {
		o := &Operation{Property: word, Case: "set"}
		for _, pair := range strings.Split(word, ",") {
			name, v, _ := strings.Cut(pair, "=")
			o.Changes = append(o.Changes, Change{Path: []any{"spec", name}, Value: v})
		}
		all = append(all, o)
	}
	return all
}

func spell(all []*Operation) string {
	var words []string
	for _, o := range all {
		var pairs []string
		for _, c := range o.Changes {
			v := fmt.Sprint("=", c.Value)
			if c.Remove {
				v = "-"
			}
			pairs = append(pairs, fmt.Sprint(c.Path[len(c.Path)-1])+v)
		}
		words = append(words, strings.Join(pairs, ","))
	}
	return strings.Join(words, " ")
}

// TestReduce finds the least that shows something. What shows it is a condition on
// the resources that there were, from the first to the last.
func TestReduce(t *testing.T) {
	t.Parallel()
	last := func(name string, was []history.Object) any { return was[len(was)-1].At("spec", name) }
	ever := func(name, v string, was []history.Object) bool {
		for _, r := range was {
			if r.At("spec", name) == v {
				return true
			}
		}
		return false
	}
	for _, test := range []struct {
		name, seq, want string
		fails           func(was []history.Object) bool
	}{
		{
			"one operation of many", "a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8 i=9 j=10", "g=7",
			func(was []history.Object) bool { return last("g", was) == "7" },
		},
		{
			"two that have to come together become one", "a=1 b=2 c=3 d=4 e=5", "b=2,d=4",
			func(was []history.Object) bool { return last("b", was) == "2" && last("d", was) == "4" },
		},
		{
			"what was there and is not any more needs two", "a=1 b=2 c=3 b=4 d=5", "b=2 b-",
			func(was []history.Object) bool { return ever("b", "2", was) && last("b", was) != "2" },
		},
		{
			"one change of an operation", "a=1,b=2,c=3,d=4", "c=3",
			func(was []history.Object) bool { return last("c", was) == "3" },
		},
		{
			"nothing less does", "a=1", "a=1",
			func(was []history.Object) bool { return last("a", was) == "1" },
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tries := 0
			got, err := Reduce(history.Object{"spec": map[string]any{}}, nil, sets(test.seq), func(all []*Operation) (bool, error) {
				tries++
				was := []history.Object{{"spec": map[string]any{}}}
				for _, o := range all {
					next, err := o.Apply(was[len(was)-1])
					if err != nil {
						return false, nil
					}
					was = append(was, next)
				}
				return test.fails(was), nil
			})
			if err != nil || spell(got) != test.want {
				t.Fatalf("%s, %v, want %s", spell(got), err, test.want)
			}
			if tries > 40 {
				t.Errorf("%d tries", tries)
			}
		})
	}
}

// TestReduceValues takes out of a value what is not needed.
func TestReduceValues(t *testing.T) {
	t.Parallel()
	big := map[string]any{"a": int64(1), "b": map[string]any{"c": int64(2), "d": int64(3)}, "e": []any{int64(4), int64(5)}}
	seq := []*Operation{{Changes: []Change{{Path: []any{"spec"}, Value: big}}}}
	got, err := Reduce(history.Object{}, nil, seq, func(all []*Operation) (bool, error) {
		r, err := all[0].Apply(history.Object{})
		return err == nil && r.At("spec", "b", "d") == int64(3), nil
	})
	if want := `[{"name":"spec: set (none → {\"b\":{\"d\":3}})","property":"spec","case":"set","changes":[{"path":["spec"],"value":{"b":{"d":3}}}]}]`; err != nil || key(got) != want {
		t.Fatalf("%s, %v", key(got), err)
	}
	if len(big) != 3 {
		t.Error("the operations that were given are not as they were")
	}
}

// TestReduceNarrower removes no more than is needed, and names the operation after it.
func TestReduceNarrower(t *testing.T) {
	t.Parallel()
	seed := history.Object{"spec": map[string]any{
		"service": map[string]any{"annotations": map[string]any{"team": "a", "zone": "b"}, "port": int64(80), "type": "ClusterIP"},
	}}
	for _, test := range []struct {
		name string
		seq  *Operation
		// gone are the fields whose absence shows it.
		gone []string
		want string
	}{
		{"a removal", &Operation{Changes: []Change{{Path: []any{"spec", "service"}, Remove: true}}}, []string{"port"}, "spec.service.port: removed (80 → none)"},
		{"what is set without it", &Operation{Name: "less", Changes: []Change{{Path: []any{"spec", "service"}, Value: map[string]any{"port": int64(80)}}}}, []string{"type"}, "spec.service.type: removed (ClusterIP → none)"},
		{"two that belong together", &Operation{Changes: []Change{{Path: []any{"spec", "service"}, Remove: true}}}, []string{"port", "type"}, "spec.service.port: removed; spec.service.type: removed"},
		{"a repair stays whole", &Operation{Name: "whole", Repairs: true, Changes: []Change{{Path: []any{"spec", "service"}, Remove: true}}}, []string{"port"}, "whole"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := Reduce(seed, nil, []*Operation{test.seq}, func(all []*Operation) (bool, error) {
				r, err := all[0].Apply(seed)
				for _, name := range test.gone {
					if r.At("spec", "service", name) != nil {
						return false, err
					}
				}
				return true, err
			})
			if err != nil || len(got) != 1 || got[0].Name != test.want {
				t.Errorf("%s, %v, want %s", key(got), err, test.want)
			}
		})
	}
}

// TestReduceItems: items of other names are others, and the list is what was changed.
func TestReduceItems(t *testing.T) {
	t.Parallel()
	text := apiextensionsv1.JSONSchemaProps{Type: "string"}
	item := apiextensionsv1.JSONSchemaProps{Type: "object", Required: []string{"name"}, Properties: map[string]apiextensionsv1.JSONSchemaProps{"name": text, "host": text, "path": text}}
	mapped := "map"
	spec := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"routes": {
		Type: "array", XListType: &mapped, XListMapKeys: []string{"name"}, Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &item},
	}}}
	d := definition(t, &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec}}, nil)
	routes := func(names ...string) (all []any) {
		for _, name := range names {
			all = append(all, map[string]any{"name": name})
		}
		return all
	}
	old := routes("a", "b")
	old[0].(map[string]any)["host"] = "h"
	seed := history.Object{"spec": map[string]any{"routes": old}}
	seq := []*Operation{{Property: "spec.routes", Changes: []Change{{Path: []any{"spec", "routes"}, Value: routes("x", "X")}}}}
	got, err := Reduce(seed, d.Root, seq, func(all []*Operation) (bool, error) {
		now, err := all[0].Apply(seed)
		list, _ := now.At("spec", "routes").([]any)
		first, _ := at(list, []any{0, "name"})
		second, _ := at(list, []any{1, "name"})
		return err == nil && first == "x" && second == "X", nil
	})
	if err != nil || len(got) != 1 || got[0].Property != "spec.routes" || len(got[0].With) > 0 {
		t.Errorf("%s, %v", key(got), err)
	}
}

// TestReduceEnds keeps what was found when something goes wrong, and does not go on for ever.
func TestReduceEnds(t *testing.T) {
	t.Parallel()
	broken := errors.New("the plane is gone")
	n := 0
	got, err := Reduce(nil, nil, sets("a=1 b=2 c=3 d=4"), func([]*Operation) (bool, error) {
		if n++; n > 1 {
			return false, broken
		}
		return true, nil
	})
	if !errors.Is(err, broken) || spell(got) != "c=3 d=4" {
		t.Errorf("%s, %v", spell(got), err)
	}
	n = 0
	var long []string
	for i := range 200 {
		long = append(long, fmt.Sprintf("f%d=%d", i, i))
	}
	got, err = Reduce(nil, nil, sets(strings.Join(long, " ")), func([]*Operation) (bool, error) { n++; return false, nil })
	if n != TriesMax || err != nil || len(got) != 200 {
		t.Errorf("%d tries, %v, %d left", n, err, len(got))
	}
}

// TestReduceKeepsWhatIsNamed: an object that no value names any more goes, and one that a value names stays, also if
// what shows it does not ask for it.
func TestReduceKeepsWhatIsNamed(t *testing.T) {
	t.Parallel()
	object := func(name string) history.Object {
		return history.Object{"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": map[string]any{"name": name}}
	}
	seq := sets("class=fast,size=2")
	seq[0].Objects = []history.Object{object("fast"), object("slow")}
	got, err := Reduce(history.Object{"spec": map[string]any{"class": "disk"}}, nil, seq, func(seq []*Operation) (bool, error) {
		now := history.Object{"spec": map[string]any{"class": "disk"}}
		for _, o := range seq {
			now, _ = o.Apply(now)
		}
		return now.At("spec", "class") == "fast", nil
	})
	if err != nil || spell(got) != "class=fast" || len(got[0].Objects) != 1 || got[0].Objects[0].Text("metadata", "name") != "fast" {
		t.Errorf("got %s with %v: %v", spell(got), got[0].Objects, err)
	}
}

// TestReduceTitles: what is said to have been there before an operation is what was there without those that were left
// out.
func TestReduceTitles(t *testing.T) {
	t.Parallel()
	seed := history.Object{"spec": map[string]any{"size": "1"}}
	step := func(value string, before history.Object) *Operation {
		o := &Operation{Property: "spec.size", Case: "more", Changes: []Change{{Path: []any{"spec", "size"}, Value: value}}}
		o.Name = title(o, &o.Changes[0], before)
		return o
	}
	seq := []*Operation{step("2", seed), step("3", history.Object{"spec": map[string]any{"size": "2"}})}
	got, err := Reduce(seed, nil, seq, func(seq []*Operation) (bool, error) { return seq[len(seq)-1].Changes[0].Value == "3", nil })
	if err != nil || len(got) != 1 || got[0].Name != "spec.size: more (1 → 3)" || seq[1].Name != "spec.size: more (2 → 3)" {
		t.Errorf("got %+v of %+v, %v", got, seq, err)
	}
}

// TestReduceMisoperation: what is left of a misoperation beside others is one only with what was wrong, be it less of
// that; to take that out is none.
func TestReduceMisoperation(t *testing.T) {
	t.Parallel()
	has := func(names ...string) func(spec history.Object) bool {
		return func(spec history.Object) bool {
			for _, name := range names {
				if spec.At(strings.Split(name, ".")...) == nil {
					return false
				}
			}
			return true
		}
	}
	for _, test := range []struct {
		name, seq string
		value     any
		fails     func(spec history.Object) bool
		want      string
		wrong     bool
	}{
		{"the others", "a=1 b=2 c=3", "2", has("a", "c"), "a=1,c=3", false},
		{"what is wrong", "a=1 b=2 c=3", "2", has("b"), "b=2", true},
		{"both", "a=1 b=2 c=3", "2", has("b", "c"), "b=2,c=3", true},
		{"less of it", "a=1 b=2", map[string]any{"x": "1", "y": "2"}, has("b.x"), "b=map[x:1]", true},
		{"less of it, of an object that was there", "a=1 d=2", map[string]any{"x": "1", "y": "2"}, has("d.x"), "x=1", true},
		{"it is taken out", "a=1 b=2", "2", func(spec history.Object) bool { return spec["b"] != "0" }, "b-", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			seq := sets(test.seq)
			seq[1].Misoperation, seq[1].Changes[0].Value = true, test.value
			seed := history.Object{"spec": map[string]any{"d": map[string]any{"z": "1"}}}
			if test.want == "b-" {
				seed["spec"] = map[string]any{"b": "0"}
			}
			got, err := Reduce(seed, nil, seq, func(all []*Operation) (bool, error) {
				now := seed
				for _, o := range all {
					next, err := o.Apply(now)
					if err != nil {
						return false, nil
					}
					now = next
				}
				spec, _ := now.At("spec").(map[string]any)
				return test.fails(spec), nil
			})
			if err != nil || spell(got) != test.want || got[0].Misoperation != test.wrong {
				t.Errorf("%s, a misoperation: %t, %v; want %s, %t", spell(got), got[0].Misoperation, err, test.want, test.wrong)
			}
		})
	}
}
