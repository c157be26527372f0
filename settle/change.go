package settle

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/settle/kubestate"
	"github.com/seatrial/seatrial/trace"
)

// changes are what is different in a world after a step, object by object.
func (x *explorer) changes(before, after kubestate.State) (all []trace.Change) {
	objects := map[string][2]*kubestate.Object{}
	for _, o := range before.List() {
		objects[o.Key()] = [2]*kubestate.Object{o}
	}
	for _, o := range after.List() {
		objects[o.Key()] = [2]*kubestate.Object{objects[o.Key()][0], o}
	}
	for _, key := range slices.Sorted(maps.Keys(objects)) {
		was, is := objects[key][0], objects[key][1]
		switch name := short(key); {
		case was == is:
		case is == nil:
			all = append(all, trace.Change{Object: name, Field: "object", From: "there", To: "deleted"})
		case was == nil:
			all = append(all, trace.Change{Object: name, Field: "object", To: "created, uid …" + tail(string(is.Meta().GetUID()))})
			all = append(all, differences(name, nil, told(is))...)
		default:
			all = append(all, differences(name, told(was), told(is))...)
		}
	}
	return all
}

func differences(name string, was, is history.Object) (all []trace.Change) {
	for _, c := range history.Diff(was, is) {
		if parts, ok := c.To.(map[string]any); ok && c.From == nil {
			for _, key := range slices.Sorted(maps.Keys(parts)) {
				all = append(all, trace.Change{Object: name, Field: c.Path + "." + key, To: valueText(parts[key])})
			}
			continue
		}
		all = append(all, trace.Change{Object: name, Field: c.Path, From: valueText(c.From), To: valueText(c.To)})
	}
	return all
}

// counted are the fields of metadata that say nothing to a reader: the server's own counting.
var counted = []string{"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"}

// told is what of an object a trace tells.
func told(o *kubestate.Object) history.Object {
	var all history.Object
	if err := json.Unmarshal(o.JSON(), &all); err != nil {
		return nil // kubestate makes none
	}
	delete(all, "apiVersion")
	delete(all, "kind")
	if meta, ok := all["metadata"].(map[string]any); ok {
		for _, field := range append([]string{"name", "namespace", "generateName"}, counted...) {
			delete(meta, field)
		}
		if owners, ok := meta["ownerReferences"].([]any); ok {
			for i, owner := range owners {
				owners[i] = ownerText(owner)
			}
		}
		if len(meta) == 0 {
			delete(all, "metadata")
		}
	}
	return all
}

// ownerText is an owner reference in a word; its UID tells owners of one name apart.
func ownerText(owner any) any {
	fields, _ := owner.(map[string]any)
	kind, _ := fields["kind"].(string)
	name, _ := fields["name"].(string)
	uid, _ := fields["uid"].(string)
	return kind + " " + name + ", uid …" + tail(uid)
}

// uidShown is how much of a UID a trace shows, from its end.
const uidShown = 4

func tail(uid string) string { return uid[max(len(uid)-uidShown, 0):] }

// valueMax bounds a value that a trace shows, in characters.
const valueMax = 60

// valueText is a value in a few characters; nothing for what is not there.
func valueText(v any) string {
	if v == nil {
		return ""
	}
	if s, ok := v.(string); ok && s != "" && len(s) <= valueMax {
		return kubestate.Counted(s)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return "?"
	}
	runes := []rune(kubestate.Counted(string(text)))
	if len(runes) > valueMax {
		return string(runes[:valueMax-1]) + "…"
	}
	return string(runes)
}
