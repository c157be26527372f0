package kubestate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// specimen is a kind of which random objects are made.
type specimen struct {
	schema.GroupVersionResource
	kind          string
	cluster       bool
	status, scale bool
	// beta: it is served as v1beta1, too.
	beta  bool
	names []string
	// fill sets what is beside the metadata, and report a status.
	fill, report func(g *generator, body map[string]any)
	// places are where a JSON patch writes, with values to write.
	places []place
	// fields are selectors of fields.
	fields []string
}

type place struct {
	path   string
	values []any
}

func (k *specimen) plural() string { return k.Resource }

// generator draws requests.
type generator struct {
	*rand.Rand
	kinds []*specimen
	// generated is how many names were.
	generated int
	// watches is how many there are.
	watches int
	// there are the names of the objects that there are of a kind.
	there func(k *specimen) []string
	// last is the last write.
	last *ask
}

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *generator, of ...T) T { return of[g.IntN(len(of))] }

// some sets a field with a chance of percent.
func (g *generator) some(percent int, m map[string]any, key string, values ...any) {
	if g.chance(percent) {
		m[key] = pick(g, values...)
	}
}

var specimens = []*specimen{
	{
		GroupVersionResource: schema.GroupVersionResource{Group: "sample.example.com", Version: "v1", Resource: "widgets"},
		kind:                 "Widget", status: true, scale: true, beta: true,
		names: []string{"w-a", "w-b", "w-bad"}, fill: fillWidget, report: reportWidget,
		fields: []string{"spec.mode=B", "spec.mode!=A", "spec.size=1"},
		places: []place{
			{"/spec/size", []any{1, 3, 4, 12, "x", nil}},
			{"/spec/items/0/value", []any{1, 5}},
			{"/spec/items/-", []any{object("key", "k1"), object("key", "k3", "value", 2)}},
			{"/spec/tags/-", []any{"t1", "t2"}},
			{"/spec/fixed", []any{"x", "y"}},
			{"/spec/free/z", []any{1, object("q", []any{1})}},
			{"/spec/nested", []any{object(), nil}},
			{"/status/ready", []any{1, 2}},
		},
	},
	{
		GroupVersionResource: schema.GroupVersionResource{Group: "sample.example.com", Version: "v1", Resource: "zones"},
		kind:                 "Zone", cluster: true, names: []string{marker + "-a", marker + "-b"}, fill: fillZone,
		fields: []string{"spec.size=1"},
		places: []place{
			{"/spec/size", []any{1, 3, 12}},
			{"/spec/words/0", []any{"x", 1}},
			{"/status", []any{object("a", 1)}},
		},
	},
	{
		GroupVersionResource: schema.GroupVersionResource{Version: "v1", Resource: "configmaps"},
		kind:                 "ConfigMap", names: []string{"c-a", "c-b"}, fill: fillConfigMap,
		fields: []string{"data.x=1"},
		places: []place{
			{"/data/x", []any{"1", "2", 3}},
			{"/data", []any{object("y", "1"), nil}},
			{"/immutable", []any{true, false}},
		},
	},
}

// object is a map of what it is given in turn.
func object(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}

func fillWidget(g *generator, body map[string]any) {
	spec := object()
	g.some(60, spec, "size", 1, 2, 3, 5, 1, 2, 3, 5, 4, 12, -1, "1", nil)
	g.some(15, spec, "low", 0, 1, 7)
	g.some(15, spec, "replicas", 0, 1, 3, -1)
	g.some(15, spec, "name", "abc", "", "toolonganame", "UP")
	g.some(30, spec, "mode", "A", "B", "C", "D")
	g.some(15, spec, "port", 80, "http", "50%", "a b", true)
	g.some(15, spec, "note", "n", nil, 1)
	g.some(10, spec, "unset", "n", nil)
	g.some(10, spec, "ratio", 1, 0.5, 0.3)
	g.some(10, spec, "when", "2026-01-01T00:00:00Z", "soon")
	g.some(15, spec, "fixed", "x", "x", "y")
	g.some(15, spec, "grown", 1, 2, 3)
	if g.chance(40) {
		var items []any
		for _, key := range []string{"k1", "k2", "k3"} {
			if g.chance(50) {
				item := object("key", key)
				g.some(20, item, "kind", "plain", "odd")
				g.some(60, item, "value", 1, 2, 3, nil)
				g.some(20, item, "deep", object("a", "x"), object(), object("b", "y"))
				items = append(items, item)
			}
		}
		if g.chance(6) {
			items = append(items, pick[any](g, object("key", "k1"), object("value", 1), "text", nil))
		}
		spec["items"] = items
	}
	g.some(25, spec, "tags", []any{"t1"}, []any{"t1", "t2"}, []any{"t3"}, []any{"t2", "t2"}, []any{"1", "2", "3", "4", "5"}, []any{})
	g.some(20, spec, "sequence", []any{1}, []any{1, 2}, []any{2, nil}, []any{})
	g.some(20, spec, "box", object("a", "1"), object("b", "1"), object())
	g.some(15, spec, "free", object("z", 1), object("known", 3, "deep", object("er", []any{1, "x"})), object(), nil)
	g.some(15, spec, "extra", object("a", 1), object("b", 2), object("a", "x"), object("a", 1, "b", 1, "c", 1, "d", 1))
	g.some(15, spec, "nested", object("x", 6), object("y", true), object(), nil)
	g.some(10, spec, "template", object("apiVersion", "v1", "kind", "Pod", "metadata", object("name", "p", "labels", object("a", "b"))),
		object("apiVersion", "v1", "kind", "Pod", "spec", object("x", 1)), object("kind", "Pod"), object("apiVersion", "v1", "kind", "Pod", "metadata", object("nme", "p", "name", "-")))
	g.some(10, spec, "unheardOf", 1, object("a", 1))
	if show(spec["tags"]) == `["t2","t2"]` {
		delete(spec, "unheardOf") // which of both is told of is left to chance
	}
	if !g.chance(3) {
		body["spec"] = spec
	}
	if g.chance(8) {
		reportWidget(g, body)
	}
}

func reportWidget(g *generator, body map[string]any) {
	status := object()
	g.some(60, status, "ready", 1, 2, 3, "x")
	g.some(30, status, "replicas", 1, 2)
	g.some(30, status, "selector", "app=x", "")
	g.some(30, status, "phase", "Run", "Broken", nil)
	if g.chance(40) {
		var conditions []any
		for _, name := range []string{"Ready", "Happy"} {
			if g.chance(60) {
				c := object("type", name, "status", pick(g, "True", "False", "True", "Maybe"))
				g.some(30, c, "lastTransitionTime", "2026-01-01T00:00:00Z", "2025-01-01T00:00:00Z")
				g.some(30, c, "message", "m1", "m2")
				conditions = append(conditions, c)
			}
		}
		status["conditions"] = conditions
	}
	body["status"] = status
}

func fillZone(g *generator, body map[string]any) {
	spec := object()
	g.some(50, spec, "size", 1, 2, 3, 12)
	if g.chance(50) {
		var ports []any
		for n := range 3 {
			if g.chance(50) {
				p := object("port", 80+n)
				g.some(50, p, "name", "x", "y")
				ports = append(ports, p)
			}
		}
		spec["ports"] = ports
	}
	g.some(40, spec, "words", []any{"x"}, []any{"x", "y"}, []any{})
	g.some(8, spec, "unheardOf", 1)
	if g.chance(90) {
		body["spec"] = spec
	}
	g.some(30, body, "status", object("a", 1), object("b", []any{object("c", 1)}))
}

func fillConfigMap(g *generator, body map[string]any) {
	data := object()
	g.some(50, data, "x", "1", "2", "3")
	g.some(50, data, "y", "1", "2", "")
	g.some(5, data, "z", 1, nil)
	g.some(3, data, "no good", "1")
	if g.chance(90) {
		body["data"] = data
	}
	g.some(10, body, "binaryData", object("b", "eHg="), object("b", "%"), object("x", "eHg="))
	g.some(5, body, "immutable", true, false)
	g.some(5, body, "unheardOf", 1)
}

// metadata is that of an object of a kind.
func (g *generator) metadata(k *specimen, name string) map[string]any {
	m := object()
	if name != "" {
		m["name"] = name
	}
	if !k.cluster {
		g.some(30, m, "namespace", namespace, namespace, namespace, "other")
	}
	labels := object("sequence", marker)
	g.some(50, labels, "app", "x", "y")
	g.some(20, labels, "tier", "1", "2")
	g.some(2, labels, "bad label", "1")
	if g.chance(80) {
		m["labels"] = labels
	}
	g.some(15, m, "annotations", object("note", "1"), object("note", "2", "other", "${uid:"+g.any()+"}"), object())
	if g.chance(20) {
		m["finalizers"] = pick(g, []any{"x.test/one"}, []any{"x.test/two", "x.test/one"}, []any{"x.test/two"}, []any{})
		if g.chance(20) {
			m["finalizers"] = []any{"unqualified"}
		}
	}
	if g.chance(12) {
		m["ownerReferences"] = g.owners()
	}
	g.some(4, m, "generation", 7)
	deleted := "2025-01-01T00:00:00Z"
	if !slices.Contains(g.there(k), name) {
		deleted = Epoch.Format(time.RFC3339) // here that is what it becomes
	}
	g.some(3, m, "deletionTimestamp", deleted, nil)
	g.some(3, m, "creationTimestamp", "2025-01-01T00:00:00Z", nil)
	g.some(3, m, "managedFields", []any{}, []any{object()}, nil)
	g.some(2, m, "unheardOf", 1)
	return m
}

// any is what some object is called.
func (g *generator) any() string {
	k := pick(g, g.kinds...)
	return k.plural() + "/" + g.name(k)
}

// name is that of an object that there may be, and more often is.
func (g *generator) name(k *specimen) string {
	if g.chance(50) {
		if names := g.there(k); len(names) > 0 {
			return pick(g, names...)
		}
	}
	return g.newName(k)
}

// newName is a name that there may be an object of.
func (g *generator) newName(k *specimen) string {
	if g.generated > 0 && g.chance(15) {
		return fmt.Sprintf("${name:%d}", 1+g.IntN(g.generated))
	}
	if g.chance(55) {
		return k.names[0]
	}
	return pick(g, k.names...)
}

func (g *generator) owners() []any {
	owner := func() map[string]any {
		k := pick(g, g.kinds...)
		version := k.Version
		if k.Group != "" {
			version = k.Group + "/" + version
		}
		name := pick(g, k.names...)
		o := object("apiVersion", version, "kind", k.kind, "name", name, "uid", "${uid:"+k.plural()+"/"+name+"}")
		g.some(40, o, "controller", true, false)
		g.some(40, o, "blockOwnerDeletion", true, false)
		if g.chance(6) {
			delete(o, pick(g, "uid", "name", "kind", "apiVersion"))
		}
		return o
	}
	owners := []any{owner()}
	if g.chance(30) {
		owners = append(owners, owner())
	}
	return owners
}
