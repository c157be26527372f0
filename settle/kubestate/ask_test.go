package kubestate

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// ask is a request in which tokens are symbols.
type ask struct {
	Request
	kind *specimen
	// generated is the number of the name that is to be generated, if one is.
	generated string
	// onto is the object, as it was last seen, whose fields the body replaces; empty if the
	// body is whole.
	onto string
}

// of is what its object is called.
func (a *ask) of() string { return a.kind.plural() + "/" + a.Name }

func (a *ask) dry() bool {
	return a.Options.Has("dryRun") || strings.Contains(string(a.Body), `"dryRun"`)
}

func (a *ask) String() string {
	s := fmt.Sprintf("%s %s as %s", a.Verb, a.path(), a.Agent)
	if len(a.Options) > 0 {
		q, _ := url.QueryUnescape(a.Options.Encode())
		s += " ?" + q
	}
	if a.Patch != "" {
		s += " " + a.Patch
	}
	if a.onto != "" {
		s += " onto " + a.onto
	}
	if len(a.Body) > 0 {
		s += " " + string(a.Body)
	}
	return s
}

const (
	jsonPatch      = "application/json-patch+json"
	mergePatch     = "application/merge-patch+json"
	strategicPatch = "application/strategic-merge-patch+json"
	applyPatch     = "application/apply-patch+yaml"
)

// watchesMax bounds the watches of a sequence.
const watchesMax = 3

// next draws a request.
func (g *generator) next() *ask {
	if g.last != nil && g.chance(5) {
		again := *g.last // which may change nothing
		g.last = nil
		return &again
	}
	a := g.draw()
	if a.Verb == "update" || a.Verb == "patch" {
		g.last = a
	}
	return a
}

func (g *generator) draw() *ask {
	k := pick(g, g.kinds...)
	a := &ask{kind: k, Request: Request{Resource: k.GroupVersionResource, Options: url.Values{}, Agent: pick(g, "alpha/1", "beta/1")}}
	if !k.cluster {
		a.Namespace = namespace
	}
	if k.beta && g.chance(5) {
		a.Resource.Version = "v1beta1"
	}
	switch n := g.IntN(100); {
	case n < 18:
		g.create(a)
	case n < 22:
		a.Verb, a.Name = "get", g.name(k)
		if g.chance(10) {
			g.subresource(a)
		}
	case n < 28:
		g.list(a)
	case n < 42:
		g.update(a)
	case n < 60:
		g.patch(a)
	case n < 78:
		g.apply(a)
	case n < 91:
		a.Verb, a.Name = "delete", g.name(k)
		g.deletion(a)
	case n < 93:
		a.Verb = "deletecollection"
		g.deletion(a)
		a.Options.Set("labelSelector", "sequence="+marker+pick(g, "", "", ",app=x"))
	default:
		if g.watches == watchesMax {
			g.list(a)
			break
		}
		g.watches++
		g.watch(a)
	}
	return a
}

// write adds the options of a write.
func (g *generator) write(a *ask) {
	o := a.Options
	if g.chance(8) {
		o.Set("dryRun", "All")
		if g.chance(10) {
			o.Set("dryRun", "Some")
		}
	}
	if g.chance(40) {
		o.Set("fieldValidation", pick(g, "Strict", "Strict", "Warn", "Ignore", "Strict", "Warn", "Ignore", "Loose"))
	}
	if g.chance(30) {
		o.Set("fieldManager", pick(g, "m1", "m2", "m3"))
	}
}

func (g *generator) create(a *ask) {
	a.Verb = "create"
	name := g.newName(a.kind)
	prefix := ""
	g.write(a)
	if g.chance(20) || strings.HasPrefix(name, "$") {
		name = ""
		prefix = fmt.Sprintf("%sg%d-", map[bool]string{true: marker}[a.kind.cluster], g.generated+1)
		if !a.Options.Has("dryRun") {
			g.generated++
			a.generated = fmt.Sprint(g.generated)
		}
	}
	body := g.object(a, name)
	if prefix != "" {
		body["metadata"].(map[string]any)["generateName"] = prefix
	}
	g.encode(a, body)
}

// plain creates an object of the first kind, so that there is one with subresources.
func (g *generator) plain() *ask {
	k := g.kinds[0]
	a := &ask{kind: k, Request: Request{Verb: "create", Resource: k.GroupVersionResource, Namespace: namespace, Options: url.Values{}, Agent: "alpha/1"}}
	if k.cluster {
		a.Namespace = ""
	}
	body := object("apiVersion", k.GroupVersion().String(), "kind", k.kind, "metadata", object("name", k.names[0], "labels", object("sequence", marker)))
	body["spec"] = object("size", 1+g.IntN(3))
	g.some(50, body["spec"].(map[string]any), "replicas", 1)
	g.encode(a, body)
	return a
}

// object is a whole one.
func (g *generator) object(a *ask, name string) map[string]any {
	k := a.kind
	version := a.Resource.Version
	if k.Group != "" {
		version = k.Group + "/" + version
	}
	m := g.metadata(k, name)
	body := object("apiVersion", version, "kind", k.kind, "metadata", m)
	g.some(2, body, "kind", "Other")
	g.some(2, body, "apiVersion", "v9")
	if name != "" && a.Verb != "create" {
		of := k.plural() + "/" + name
		g.some(25, m, "resourceVersion", "${rv:"+of+"}", "${rv:"+of+"}", "${rv:"+of+"}", "${old:"+of+"}")
		g.some(8, m, "uid", "${uid:"+of+"}", "${uid:"+of+"}", "${uid:none}")
		g.some(2, m, "name", "other")
	} else {
		g.some(2, m, "resourceVersion", "1")
	}
	k.fill(g, body)
	return body
}

func (g *generator) encode(a *ask, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // maps of what JSON has
	}
	if g.chance(1) && !strings.HasPrefix(a.Verb, "delete") { // there, the code is another in later releases
		text = text[:len(text)/2]
	}
	if g.chance(1) && !strings.Contains(string(text), "generateName") { // its body is written anew
		text = []byte(strings.Replace(string(text), `"metadata":`, `"metadata":{},"metadata":`, 1))
	}
	a.Body = text
}

// subresource turns a into a request for one.
func (g *generator) subresource(a *ask) {
	switch {
	case a.kind.scale && g.chance(35):
		a.Subresource = "scale"
	case a.kind.status || g.chance(10):
		a.Subresource = "status"
	}
}

func (g *generator) scale(a *ask) map[string]any {
	body := object("apiVersion", "autoscaling/v1", "kind", "Scale", "spec", object("replicas", pick(g, 0, 1, 2, 5, -1)))
	m := object("name", a.Name)
	of := a.of()
	if a.Verb == "update" {
		m["namespace"] = namespace
		g.some(40, m, "resourceVersion", "${rv:"+of+"}", "${old:"+of+"}")
		g.some(10, m, "uid", "${uid:"+of+"}", "${uid:none}")
	}
	body["metadata"] = m
	return body
}

func (g *generator) report(a *ask) map[string]any {
	body := g.object(a, a.Name)
	if m, _ := body["metadata"].(map[string]any); m != nil && a.kind.Group != "" {
		for _, key := range []string{"labels", "annotations", "finalizers", "ownerReferences", "managedFields"} {
			delete(m, key) // of whom they are then is another matter in later releases
		}
	}
	if a.kind.report != nil {
		a.kind.report(g, body)
	}
	return body
}

func (g *generator) update(a *ask) {
	a.Verb, a.Name = "update", g.name(a.kind)
	if g.chance(30) {
		g.subresource(a)
	}
	g.write(a)
	switch {
	case a.Subresource == "scale":
		g.encode(a, g.scale(a))
	case g.chance(35):
		g.change(a)
	case a.Subresource == "status":
		g.encode(a, g.report(a))
	default:
		g.encode(a, g.object(a, a.Name))
	}
}

// change has what was last seen be sent back with a few other fields, or none.
func (g *generator) change(a *ask) {
	k := a.kind
	a.onto = a.of()
	version := a.Resource.GroupVersion().String()
	body := object("apiVersion", version, "kind", k.kind)
	m := object("name", a.Name)
	g.some(30, m, "resourceVersion", nil, "${old:"+a.onto+"}")
	body["metadata"] = m
	if g.chance(25) { // nothing else
		g.encode(a, body)
		return
	}
	whole := object()
	k.fill(g, whole)
	if a.Subresource == "status" {
		delete(whole, "spec")
		if k.report != nil {
			k.report(g, whole)
		}
	}
	for _, part := range slices.Sorted(maps.Keys(whole)) {
		fields, ok := whole[part].(map[string]any)
		if !ok {
			body[part] = whole[part]
			continue
		}
		few := object()
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			if g.chance(40) {
				few[name] = fields[name]
			}
		}
		body[part] = few
	}
	g.encode(a, body)
}

func (g *generator) apply(a *ask) {
	a.Verb, a.Name, a.Patch = "patch", g.name(a.kind), applyPatch
	if g.chance(25) {
		g.subresource(a)
	}
	g.write(a)
	if g.chance(97) {
		a.Options.Set("fieldManager", pick(g, "m1", "m2", "m3"))
	}
	if g.chance(35) {
		a.Options.Set("force", pick(g, "true", "true", "false"))
	}
	switch a.Subresource {
	case "scale":
		g.encode(a, g.scale(a))
	case "status":
		g.encode(a, g.report(a))
	default:
		g.encode(a, g.object(a, a.Name))
	}
}

func (g *generator) patch(a *ask) {
	a.Verb, a.Name = "patch", g.name(a.kind)
	if g.chance(30) {
		g.subresource(a)
	}
	g.write(a)
	a.Patch = pick(g, jsonPatch, mergePatch, mergePatch, strategicPatch)
	if a.kind.Group != "" && a.Patch == strategicPatch && g.chance(80) {
		a.Patch = mergePatch // the other is refused
	}
	if a.Patch == jsonPatch {
		g.operations(a)
		return
	}
	var body map[string]any
	switch a.Subresource {
	case "scale":
		body = object("spec", object("replicas", pick[any](g, 0, 1, 2, 5, nil)))
	case "status":
		body = g.report(a)
		if g.chance(50) {
			delete(body, "spec") // as most who report
		}
	default:
		body = g.object(a, a.Name)
	}
	if g.chance(80) {
		delete(body, "kind")
		delete(body, "apiVersion")
	}
	if m, _ := body["metadata"].(map[string]any); m != nil {
		switch g.IntN(8) {
		case 0:
			m["finalizers"] = nil
		case 1:
			m["labels"] = object("app", nil)
		case 2:
			m["$deleteFromPrimitiveList/finalizers"] = []any{"x.test/one"}
			if a.Patch == strategicPatch {
				delete(m, "finalizers") // what is both added and removed is left to chance
			}
		case 3, 4:
			delete(body, "metadata")
		}
	}
	if a.Subresource == "" && g.chance(15) {
		if spec, _ := body["spec"].(map[string]any); spec != nil {
			spec[pick(g, "size", "mode", "items", "fixed", "note", "ports")] = nil
		}
	}
	g.encode(a, body)
}

func (g *generator) operations(a *ask) {
	of := a.of()
	places := append([]place{
		{"/metadata/labels/app", []any{"x", "y", nil}},
		{"/metadata/labels", []any{object("sequence", marker, "tier", "1")}},
		{"/metadata/finalizers", []any{[]any{"x.test/one"}, []any{}, nil}},
		{"/metadata/finalizers/0", []any{"x.test/two"}},
		{"/metadata/name", []any{"other", a.Name}},
		{"/metadata/resourceVersion", []any{"${rv:" + of + "}", "${old:" + of + "}"}},
		{"/metadata/uid", []any{"${uid:" + of + "}", "${uid:none}"}},
		{"/metadata/annotations", []any{object("note", "3")}},
	}, a.kind.places...)
	if a.Subresource == "scale" {
		places = []place{{"/spec/replicas", []any{1, 2, "x"}}}
	}
	operations := []any{}
	for range 1 + g.IntN(2) {
		p := pick(g, places...)
		kind := pick(g, "add", "add", "replace", "replace", "remove", "test", "copy", "move", "other")
		if kind == "other" && g.chance(70) {
			kind = "add"
		}
		o := object("op", kind, "path", p.path)
		switch kind {
		case "copy", "move":
			o["from"] = pick(g, places...).path
		case "remove":
		default:
			o["value"] = pick(g, p.values...)
		}
		operations = append(operations, o)
	}
	g.encode(a, operations)
}

var policies = []string{"Background", "Foreground", "Foreground", "Orphan", "Orphan", "Whatever"}

func (g *generator) deletion(a *ask) {
	if g.chance(25) {
		a.Options.Set("propagationPolicy", pick(g, policies...))
	}
	if g.chance(8) {
		a.Options.Set("dryRun", "All")
	}
	if g.chance(5) {
		a.Options.Set("gracePeriodSeconds", pick(g, "0", "30", "-1", "x"))
	}
	if !g.chance(60) {
		return
	}
	body := object()
	if g.chance(60) {
		body["kind"], body["apiVersion"] = "DeleteOptions", pick(g, "v1", "v1", "meta.k8s.io/v1")
	}
	of := a.of()
	if g.chance(50) {
		p := object()
		g.some(50, p, "uid", "${uid:"+of+"}", "${uid:"+of+"}", "${uid:none}")
		g.some(50, p, "resourceVersion", "${rv:"+of+"}", "${rv:"+of+"}", "${old:"+of+"}")
		body["preconditions"] = p
	}
	if g.chance(40) {
		body["propagationPolicy"] = pick(g, policies...)
	}
	g.some(8, body, "orphanDependents", true, false)
	g.some(8, body, "gracePeriodSeconds", 0, 5, -1)
	g.some(5, body, "dryRun", []any{"All"}, []any{"Some"})
	g.some(5, body, "unheardOf", 1)
	g.encode(a, body)
}

var selectors = []string{"app=x", "app!=y", "app in (x,z)", "tier", "!tier", "app=x,tier=1", "a b"}

func (g *generator) selection(a *ask) {
	if g.chance(40) {
		a.Options.Set("labelSelector", pick(g, selectors...))
	}
	if g.chance(25) {
		fields := append([]string{"metadata.name=" + a.kind.names[0], "metadata.name!=" + a.kind.names[0], "metadata.namespace=" + namespace}, a.kind.fields...)
		a.Options.Set("fieldSelector", pick(g, fields...))
	}
}

func (g *generator) list(a *ask) {
	a.Verb = "list"
	g.selection(a)
	if a.kind.cluster { // those of other sequences are none of our business
		a.Options.Set("labelSelector", strings.TrimPrefix(a.Options.Get("labelSelector")+",sequence="+marker, ","))
	}
	if g.chance(4) {
		a.Options.Set("resourceVersionMatch", pick(g, "NotOlderThan", "Exact"))
	}
}

func (g *generator) watch(a *ask) {
	a.Verb = "watch"
	a.Resource.Version = "v1"
	g.selection(a)
	if a.kind.cluster && a.Options.Get("fieldSelector") != "metadata.name="+a.kind.names[0] {
		a.Options.Set("labelSelector", strings.TrimPrefix(a.Options.Get("labelSelector")+",sequence="+marker, ","))
	}
	if g.chance(75) {
		of := g.any()
		a.Options.Set("resourceVersion", pick(g, "0", "${rv:"+of+"}", "${old:"+of+"}", "${old:"+of+"}", "${list:}", "${list:}", "1", "x"))
	}
	if g.chance(25) {
		a.Options.Set("sendInitialEvents", pick(g, "true", "true", "true", "false"))
		if g.chance(90) {
			a.Options.Set("resourceVersionMatch", pick(g, "NotOlderThan", "NotOlderThan", "NotOlderThan", "Exact"))
		}
	}
	if g.chance(50) {
		a.Options.Set("allowWatchBookmarks", "true")
	}
}
