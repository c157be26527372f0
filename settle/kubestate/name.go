package kubestate

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// prefixMax is how many bytes of metadata.generateName are used, as in kube-apiserver.
const prefixMax = 58

// named is r with the name that kube-apiserver would draw for an object without one, if
// it is to create such a thing: the first that is not taken.
func (r *Request) named(s State) *Request {
	if r.Verb != "create" || r.Subresource != "" {
		return r
	}
	var body map[string]any
	d := json.NewDecoder(bytes.NewReader(r.Body))
	d.UseNumber() // not all that are whole fit into what is read otherwise
	if d.Decode(&body) != nil {
		return r // the handler says what is wrong
	}
	meta, _ := body["metadata"].(map[string]any)
	prefix, _ := meta["generateName"].(string)
	if name, _ := meta["name"].(string); name != "" || prefix == "" {
		return r
	}
	if len(prefix) > prefixMax {
		prefix = prefix[:prefixMax]
	}
	for n := 1; ; n++ {
		name := fmt.Sprintf("%sx%04d", prefix, n)
		if s.Get(r.key(name)) != nil || r.Taken != nil && r.Taken(name) {
			continue
		}
		meta["name"] = name
		text, err := json.Marshal(body)
		if err != nil {
			return r
		}
		other := *r
		other.Body = text
		return &other
	}
}

// key is where an object of the request's resource with a name is stored.
func (r *Request) key(name string) string {
	group := r.Resource.Group
	if group == "" {
		group = "core"
	}
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	return "/" + group + "/" + r.Resource.Resource + "/" + name
}
