package change

import "slices"

// called is an entry of an object that a container has as a variable of another name.
type called struct {
	entry
	variable string
}

// resolve looks for the variables of containers that are keys of objects in the same text, by other names: these keys
// say what the variables are, and nothing else, unless they are also mounted, or known by their own names.
func (r *reader) resolve(documents []*node) {
	r.beside, r.taken = &Objects{}, map[string]bool{}
	for _, d := range documents {
		r.beside.add(r.file, d, "")
	}
	own := map[string]bool{} // of objects whose keys are known by themselves
	for _, c := range r.beside.Containers() {
		for _, v := range c.spec.get("volumes").items() {
			for _, of := range append(v.at("projected", "sources").items(), v) {
				own[label("ConfigMap", c.of.namespace, of.at("configMap", "name").says())] = true
				own[label("Secret", c.of.namespace, of.at("secret", "secretName").says())] = true
				own[label("Secret", c.of.namespace, of.at("secret", "name").says())] = true
			}
		}
		for _, from := range c.node.get("envFrom").items() {
			if from.get("prefix").says() == "" {
				kind, name := source(from)
				own[label(kind, c.of.namespace, name)] = true
			}
		}
		for _, e := range c.node.get("env").items() {
			if _, is := r.referred(e, c.of.namespace); !is {
				own[keyed(e, c.of.namespace)] = true
			}
		}
	}
	for _, c := range r.beside.Containers() {
		all := r.prefixed(c.node, c.of.namespace)
		for _, e := range c.node.get("env").items() {
			if held, is := r.referred(e, c.of.namespace); is {
				all = append(all, called{entry: held})
			}
		}
		for _, e := range all {
			r.taken[e.String()] = !own[e.of] && !own[e.String()]
		}
	}
}

func label(kind, namespace, name string) string {
	return object{kind: kind, namespace: namespace, name: name}.String()
}

// source is the object of which a container has all keys.
func source(from *node) (kind, name string) {
	if from.get("configMapRef") == nil {
		return "Secret", from.at("secretRef", "name").says()
	}
	return "ConfigMap", from.at("configMapRef", "name").says()
}

// keyRef is the key of an object that a variable of a container has, and what kind of object that is; nil if it has
// none.
func keyRef(e *node) (kind string, ref *node) {
	from := e.get("valueFrom")
	if ref := from.get("configMapKeyRef"); ref != nil {
		return "ConfigMap", ref
	}
	return "Secret", from.get("secretKeyRef")
}

// keyed is the entry that a variable of a container has, as entries are named; empty if it has none.
func keyed(e *node, namespace string) string {
	kind, ref := keyRef(e)
	if ref == nil {
		return ""
	}
	return label(kind, namespace, ref.get("name").says()) + " " + ref.get("key").says()
}

// entriesAt are the entries of an object of the text.
func (r *reader) entriesAt(kind, namespace, name string) []entry {
	if r.beside == nil {
		return nil
	}
	of, is := r.beside.find(kind, namespace, name)
	if !is {
		return nil
	}
	all, err := r.entries(of.node, of.String(), kind == "Secret")
	if err != nil { // it is said where the object is read
		return nil
	}
	return slices.DeleteFunc(all, func(e entry) bool { return e.binary })
}

// referred is the entry of an object of the text that a variable has, if that has another name; false if it has none.
func (r *reader) referred(e *node, namespace string) (entry, bool) {
	kind, ref := keyRef(e)
	if ref == nil || ref.get("key").says() == e.get("name").says() {
		return entry{}, false
	}
	all := r.entriesAt(kind, namespace, ref.get("name").says())
	i := slices.IndexFunc(all, func(e entry) bool { return e.key == ref.get("key").says() })
	if i < 0 {
		return entry{}, false
	}
	return all[i], true
}

// prefixed are the entries of objects of the text that a container has with something before their names.
func (r *reader) prefixed(c *node, namespace string) (out []called) {
	above := map[string]bool{} // those that the container has by itself
	for _, e := range c.get("env").items() {
		above[e.get("name").says()] = true
	}
	for _, from := range c.get("envFrom").items() {
		if prefix := from.get("prefix").says(); prefix != "" {
			kind, name := source(from)
			for _, e := range r.entriesAt(kind, namespace, name) {
				if !above[prefix+e.key] {
					out = append(out, called{e, prefix + e.key})
				}
			}
		}
	}
	return out
}

// variablesOf are the variables of a container, as far as they are known by its own text and by objects of that; more
// tells whether it has others of an object.
func (r *reader) variablesOf(c *node, namespace string) (known variables, more bool) {
	known, more = variables{}, len(c.get("envFrom").items()) > 0
	add := func(name string, v Value, hidden bool) {
		v.Secret = v.Secret || hidden || secret(name, v.text)
		known[name] = v
	}
	for _, e := range r.prefixed(c, namespace) {
		add(e.variable, e.value(), e.hidden)
	}
	for _, e := range c.get("env").items() {
		name := e.get("name").says()
		if held, is := r.referred(e, namespace); is {
			add(name, held.value(), held.hidden)
			continue
		}
		if from := e.get("valueFrom"); from != nil {
			known[name] = Value{Type: Reference, text: reference(from)}
			continue
		}
		add(name, known.expanded(e.get("value").says(), more), false)
	}
	return known, more
}
