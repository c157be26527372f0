package kubestate

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/zeebo/xxh3"
)

// prefixMax is how many bytes of metadata.generateName are used, as in kube-apiserver.
const prefixMax = 58

// named is r with the name that kube-apiserver would draw for an object without one, if
// it is to create such a thing: the first that is not taken.
func (m *memo) named(r *Request, s State) *Request {
	if r.Verb != "create" || r.Subresource != "" || !bytes.Contains(r.Body, []byte("generateName")) && !bytes.Contains(r.Body, []byte(`\u`)) {
		return r
	}
	prefix, ok := m.prefix(r.Body)
	if !ok {
		return r
	}
	for n := 1; ; n++ {
		name := fmt.Sprintf("%sx%04d", prefix, n)
		if s.Get(r.key(name)) != nil || r.Taken != nil && r.Taken(name) {
			continue
		}
		text, err := withName(r.Body, name)
		if err != nil {
			return r
		}
		other := *r
		other.Body = text
		return &other
	}
}

// prefix is that of the names that are drawn for an object; it is false if it has a name. It is remembered,
// since the same object is created a thousand times.
func (m *memo) prefix(body []byte) (prefix string, ok bool) {
	of := xxh3.Hash128(body)
	if known, ok := m.prefixes.Load(of); ok {
		prefix, _ = known.(string)
		return prefix, prefix != ""
	}
	if all, err := parsed(body); err == nil { // or the handler says what is wrong
		meta, _ := all["metadata"].(map[string]any)
		if name, _ := meta["name"].(string); name == "" {
			prefix, _ = meta["generateName"].(string)
		}
	}
	prefix = prefix[:min(len(prefix), prefixMax)]
	m.prefixes.Store(of, prefix)
	return prefix, prefix != ""
}

// withName is an object with a name.
func withName(body []byte, name string) ([]byte, error) {
	all, err := parsed(body)
	if err != nil {
		return nil, err
	}
	if meta, ok := all["metadata"].(map[string]any); ok {
		meta["name"] = name
	}
	return json.Marshal(all)
}

func parsed(body []byte) (all map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber() // not all that are whole fit into what is read otherwise
	return all, d.Decode(&all)
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
