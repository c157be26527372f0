package change

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/finding"
)

// Objects are those of Kubernetes that one version of manifests has.
type Objects struct {
	all []object
}

// object is one, with the file that it is in.
type object struct {
	*node
	file, kind, namespace, name string
}

// String is its kind and its name, as in Deployment shop/web.
func (o object) String() string {
	return o.kind + " " + strings.TrimPrefix(o.namespace+"/"+o.name, "/")
}

// Add reads the objects of a text. What is no object of Kubernetes is left out. namespace is that of objects that name
// none.
func (o *Objects) Add(name string, text []byte, namespace string) error {
	if at := firstBad(text); at >= 0 {
		return wrong(name, 1+strings.Count(string(text[:at]), "\n"), "this is not text in UTF-8")
	}
	read := parseYAML
	if strings.HasSuffix(name, ".json") {
		read = parseJSON
	}
	documents, err := read(name, 0, text)
	if err != nil {
		return err
	}
	for _, d := range documents {
		o.add(name, d, namespace)
	}
	return nil
}

func (o *Objects) add(file string, n *node, namespace string) {
	if items := n.get("items").items(); strings.HasSuffix(n.get("kind").says(), "List") && n.get("apiVersion") != nil {
		for _, item := range items {
			o.add(file, item, namespace)
		}
		return
	}
	name := n.at("metadata", "name").says()
	if n.get("apiVersion") == nil || n.get("kind") == nil || name == "" {
		return
	}
	o.all = append(o.all, object{n, file, n.get("kind").says(), cmp.Or(n.at("metadata", "namespace").says(), namespace), name})
}

// Number is how many there are.
func (o *Objects) Number() int { return len(o.all) }

// find is an object by what it is called; the last one counts, as it does for who applies them in order.
func (o *Objects) find(kind, namespace, name string) (object, bool) {
	for _, one := range slices.Backward(o.all) {
		if one.kind == kind && one.name == name && one.namespace == namespace && one.get("apiVersion").says() == "v1" {
			return one, true
		}
	}
	return object{}, false
}

// Held is a key of a ConfigMap or a Secret.
type Held struct {
	// Name is the kind and the name of the object, with the key.
	Name     string
	Location finding.Location
	// Says is the text that it holds. It is for comparing, and may be secret.
	Says string
}

// Held are the keys of all ConfigMaps and Secrets, in order.
func (o *Objects) Held() ([]Held, error) {
	var out []Held
	for _, one := range o.all {
		if one.get("apiVersion").says() != "v1" || one.kind != "ConfigMap" && one.kind != "Secret" {
			continue
		}
		r := &reader{file: one.file}
		all, err := r.entries(one.node, one.String(), one.kind == "Secret")
		if err != nil {
			return nil, err
		}
		for _, e := range all {
			out = append(out, Held{e.String(), finding.Location{File: one.file, Line: e.line}, e.text})
		}
	}
	return out, nil
}

// String names an entry.
func (e entry) String() string { return e.of + " " + e.key }

// template is the description of the pods of a workload; nil for what is none. A kind that is not known is one if it
// describes pods as a Deployment does.
func (o object) template() *node {
	if at, is := templates[o.get("apiVersion").says()+"/"+o.kind]; is {
		return o.at(at...)
	}
	if pod := o.at("spec", "template", "spec"); pod.get("containers") != nil {
		return pod
	}
	return nil
}

// Containers are those of all workloads, in order.
func (o *Objects) Containers() []Container {
	var out []Container
	for _, one := range o.all {
		pod := one.template()
		for _, field := range []string{"initContainers", "containers"} {
			for _, c := range pod.get(field).items() {
				out = append(out, Container{
					Workload: one.String(), Name: c.get("name").says(), Image: c.get("image").says(), Location: finding.Location{File: one.file, Line: c.line},
					of: one, spec: pod, node: c, objects: o,
				})
			}
		}
	}
	return out
}
