package change

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
)

// templates are where the pods of workloads are described.
var templates = map[string][]string{
	"v1/Pod":                   {"spec"},
	"v1/ReplicationController": {"spec", "template", "spec"},
	"apps/v1/Deployment":       {"spec", "template", "spec"},
	"apps/v1/StatefulSet":      {"spec", "template", "spec"},
	"apps/v1/DaemonSet":        {"spec", "template", "spec"},
	"apps/v1/ReplicaSet":       {"spec", "template", "spec"},
	"batch/v1/Job":             {"spec", "template", "spec"},
	"batch/v1/CronJob":         {"spec", "jobTemplate", "spec", "template", "spec"},
}

// document adds what one document of a file says: an object of Kubernetes, or a configuration.
func (r *reader) document(n *node, number int) error {
	version, kind := n.get("apiVersion").says(), n.get("kind").says()
	in := kind + " " + strings.TrimPrefix(n.at("metadata", "namespace").says()+"/"+n.at("metadata", "name").says(), "/")
	template, workload := templates[version+"/"+kind]
	switch {
	case version == "v1" && kind == "List":
		for _, item := range n.get("items").items() {
			if err := r.document(item, number); err != nil {
				return err
			}
		}
	case version == "v1" && (kind == "ConfigMap" || kind == "Secret"):
		return r.data(n, in, kind == "Secret")
	case workload:
		r.pod(n.at(template...), in, n.at("metadata", "namespace").says())
	case n.get("metadata").get("name") != nil:
		r.tree(r.format, in, n, false)
	case number > 0:
		r.tree(r.format, fmt.Sprintf("document %d", number+1), n, false)
	default:
		r.tree(r.format, "", n, false)
	}
	return nil
}

// data adds the keys of a ConfigMap or a Secret. A key that is the name of a file in a format that is
// known is read as that.
func (r *reader) data(n *node, in string, hidden bool) error {
	all, err := r.entries(n, in, hidden)
	if err != nil {
		return err
	}
	for _, e := range all {
		if r.taken[e.String()] {
			continue
		}
		if err := r.held(e.key, in, e.node, e.binary, e.hidden); err != nil {
			return err
		}
	}
	return nil
}

// entry is a key of a ConfigMap or a Secret with its text. The text of one whose first line is below 0 is not written
// as it is.
type entry struct {
	key string
	*node
	binary, hidden bool
	// of is the object that has it, and file where that is.
	of, file string
}

// entries are all keys of a ConfigMap or a Secret.
func (r *reader) entries(n *node, in string, hidden bool) ([]entry, error) {
	var out []entry
	for _, field := range []string{"data", "binaryData", "stringData"} {
		all := n.get(field)
		if all == nil || all.typ != Map {
			continue
		}
		for i, key := range all.keys {
			held := all.children[i]
			text, first := held.text, held.first-1
			if held.typ == Map || held.typ == List {
				return nil, wrong(r.file, held.line, fmt.Sprintf("%s of a %s is a %s: write a text", key, in, held.typ))
			}
			if hidden && field == "data" {
				decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
				if err != nil {
					return nil, wrong(r.file, held.line, fmt.Sprintf("%s of a %s is not base64", key, in))
				}
				text, first = string(decoded), -1
			}
			out = append(out, entry{key, &node{line: held.line, first: first, typ: Text, text: text}, field == "binaryData", hidden, in, r.file})
		}
	}
	return out, nil
}

// held adds one key. The lines of a text that is not written as it is are all that of the key.
func (r *reader) held(key, in string, held *node, binary, hidden bool) error {
	var documents []*node
	is := false
	if !binary && firstBad([]byte(held.text)) < 0 {
		var err error
		if documents, is, err = parse(key, r.file, max(held.first, 0), []byte(held.text)); err != nil {
			if held.first < 0 || hidden { // what is wrong may show a secret
				return wrong(r.file, held.line, fmt.Sprintf("%s of a %s cannot be read as what its name says", key, in))
			}
			return err
		}
	}
	if !is {
		whole := *held
		whole.first++ // it is the line before that
		v := whole.value()
		v.Secret = hidden
		r.add(Key, in, key, v, held.line)
		return nil
	}
	from := len(r.settings)
	for i, d := range documents {
		place := in + " " + key
		if i > 0 {
			place = fmt.Sprintf("%s document %d", place, i+1)
		}
		r.tree(key, place, d, hidden)
	}
	if held.first < 0 {
		for i := range r.settings[from:] {
			r.settings[from+i].Location.Line, r.settings[from+i].Value.items = held.line, nil
		}
	}
	return nil
}

// pod adds what the containers of a pod are told.
func (r *reader) pod(spec *node, in, namespace string) {
	for _, field := range []string{"initContainers", "containers"} {
		for _, c := range spec.get(field).items() {
			place, from := in+" "+c.get("name").says(), len(r.settings)
			known, more := r.variablesOf(c, namespace)
			r.commandLine(c, known, more, place)
			r.environment(c, place, namespace, known)
			for i := range r.settings[from:] {
				r.settings[from+i].Image = cmp.Or(c.get("image").says(), c.get("name").says())
			}
		}
	}
}

// commandLine adds the arguments of a container, with the variables in them. What a shell is told beside them is one
// text.
func (r *reader) commandLine(c *node, known variables, more bool, in string) {
	program, rest := scripted(known.arguments(slices.Concat(c.get("command").items(), c.get("args").items()), more), known)
	r.arguments(program, in)
	for i := range r.settings {
		if s := &r.settings[i]; s.Identity == (Identity{Flag, in, "[0]"}) && len(c.get("command").items()) > 0 {
			s.Value.written = []string{} // the program itself is none of its arguments
		}
	}
	if rest != nil && rest.text != "" {
		r.add(Flag, in, scriptPath, Value{Type: Text, Secret: rest.hidden, text: rest.text, written: []string{}}, rest.line)
	}
}

// arguments adds flags, and by their position what is none. What stands behind --name is its value,
// unless it begins with a dash: whether a flag takes one is not known here.
func (r *reader) arguments(all []*node, in string) {
	position, flags := 0, true
	for i := 0; i < len(all); i++ {
		text := all[i].says()
		switch {
		case flags && text == "--":
			flags = false
		case flags && len(text) > 1 && text[0] == '-':
			name, value, is := strings.Cut(strings.TrimLeft(text, "-"), "=")
			line, typ, from := all[i].line, Text, i
			switch {
			case is:
			case i+1 < len(all) && !strings.HasPrefix(all[i+1].says(), "-"):
				i++
				value, line = all[i].says(), all[i].line
			default:
				value, typ = "true", Truth
			}
			v := Value{Type: typ, text: value}
			for _, n := range all[from : i+1] {
				v.written = append(v.written, n.says())
				v.Secret = v.Secret || n.hidden
				if n.typ == Reference {
					v.Type = Reference
				}
			}
			r.flag(in, "--"+name, v, line)
		default:
			v := Value{Type: Text, Secret: all[i].hidden, text: text}
			if all[i].typ == Reference {
				v.Type = Reference
			}
			r.add(Flag, in, fmt.Sprintf("[%d]", position), v, all[i].line)
			position++
		}
	}
}

// flag adds one; given once more, it has both values.
func (r *reader) flag(in, name string, v Value, line int) {
	for i := range r.settings {
		if s := &r.settings[i]; s.Identity == (Identity{Flag, in, name}) {
			hidden := s.Value.Secret || v.Secret || secret(name, v.text)
			items := s.Value.items
			if items == nil {
				items = []item{{text: s.Value.text, line: s.Location.Line}}
			}
			typ := List
			if s.Value.Type == Reference || v.Type == Reference {
				typ = Reference
			}
			s.Value = Value{Type: typ, Secret: hidden, text: s.Value.text + " " + v.text, repeated: append(s.Value.All(), v.text), items: append(items, item{text: v.text, line: line}), written: slices.Concat(s.Value.written, v.written)}
			s.Location.Line = line
			return
		}
	}
	r.add(Flag, in, name, v, line)
}

// environment adds the variables of a container, with their values.
func (r *reader) environment(c *node, in, namespace string, known variables) {
	for _, e := range r.prefixed(c, namespace) {
		r.add(Env, in, e.variable, known[e.variable], e.line)
	}
	for _, e := range c.get("env").items() {
		line := e.line
		if value := cmp.Or(e.get("value"), e.get("valueFrom")); value != nil {
			line = value.line
		}
		if held, is := r.referred(e, namespace); is {
			line = held.line
		}
		r.add(Env, in, e.get("name").says(), known[e.get("name").says()], line)
	}
	for _, e := range c.get("envFrom").items() {
		source := "configMapRef"
		if e.get(source) == nil {
			source = "secretRef"
		}
		r.add(From, in, source+" "+e.at(source, "name").says(), Value{Type: Reference, text: reference(e)}, e.line)
	}
}

// reference is where a value is, in one line.
func reference(n *node) string {
	var all []string
	for _, l := range n.leaves("") {
		all = append(all, l.path+"="+l.value().text)
	}
	return strings.Join(all, " ")
}
