package oracle

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// form is a state with what is drawn replaced by what it is of: UIDs, addresses and generated
// names are those of objects, wherever they stand. Nothing of the state is changed.
type form struct {
	state history.State
	// versions are the objects by resourceVersion.
	versions map[string]history.Key
	// runners are the workloads of pods, by the pods' keys with a * for what is drawn.
	runners map[history.Key]history.Key
}

// token is what may be drawn: a UID, an address, a name.
var token = regexp.MustCompile(`[0-9A-Za-z]([0-9A-Za-z.-]*[0-9A-Za-z])?`)

func newForm(s history.State) *form {
	f := &form{state: history.State{}, versions: map[string]history.Key{}, runners: map[history.Key]history.Key{}}
	symbols := map[string]string{}
	names := map[history.Key]history.Key{} // new ones
	for _, key := range s.Keys() {
		o := s[key]
		general := key.Generic(o)
		if key.Resource == pods {
			above := runner(s, key)
			if above != key && above.Resource == deployments {
				general.Name = above.Name + "-*"
				names[key] = history.Key{Resource: pods, Namespace: key.Namespace, Name: above.Name + "-" + key.Name[max(0, len(key.Name)-5):]}
			}
			f.runners[general] = above
		}
		symbol := strings.ReplaceAll(general.String(), " ", "/")
		for _, drawn := range []struct{ text, what string }{
			{o.Text("metadata", "uid"), "UID"}, {o.Text("spec", "clusterIP"), "address"}, {o.Text("status", "podIP"), "address"},
		} {
			if drawn.text != "" && drawn.text != headless {
				symbols[drawn.text] = "(" + drawn.what + " of " + symbol + ")"
			}
		}
		if general.Name != key.Name {
			symbols[key.Name] = general.Name
		}
		if version := o.Text("metadata", "resourceVersion"); version != "" {
			f.versions[version] = general
		}
	}
	for key, o := range s {
		object := replaced(map[string]any(o), symbols)
		o, _ := object.(map[string]any)
		if name, ok := names[key]; ok {
			o = maps.Clone(o)
			metadata, _ := o["metadata"].(map[string]any)
			metadata = maps.Clone(metadata)
			metadata["generateName"] = strings.TrimSuffix(name.Name, name.Name[max(0, len(name.Name)-5):])
			delete(metadata, "ownerReferences") // its ReplicaSet's name has a hash
			o["metadata"] = metadata
			key = name
		}
		f.state[key] = o
	}
	return f
}

// replaced is a value with other words for some; it is the value itself if there are none.
func replaced(v any, symbols map[string]string) any {
	switch v := v.(type) {
	case string:
		if len(symbols) == 0 {
			return v
		}
		return token.ReplaceAllStringFunc(v, func(word string) string {
			if s, ok := symbols[word]; ok {
				return s
			}
			// A name may be the first part of a host's.
			if first, rest, ok := strings.Cut(word, "."); ok {
				if s, ok := symbols[first]; ok {
					return s + "." + rest
				}
			}
			return word
		})
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, inner := range v {
			if key == "managedFields" {
				continue
			}
			out[key] = replaced(inner, symbols)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = replaced(inner, symbols)
		}
		return out
	}
	return v
}

// rename gives objects whose names the operator draws those that the other state has: of the same
// owner, and alike but for the last part. Kubernetes' own are known from the objects.
func (f *form) rename(other *form) {
	groups := map[string][2][]history.Key{}
	collect := func(at int, mine, theirs *form) {
		for _, key := range mine.state.Keys() {
			if _, both := theirs.state[key]; both || key.Generic(mine.state[key]) != key {
				continue
			}
			if shape, ok := shapeOf(key, mine.state[key]); ok {
				g := groups[shape]
				g[at] = append(g[at], key)
				groups[shape] = g
			}
		}
	}
	collect(0, other, f)
	collect(1, f, other)
	symbols := map[string]string{}
	names := map[history.Key]history.Key{}
	for _, g := range groups {
		for i := range min(len(g[0]), len(g[1])) {
			symbols[g[1][i].Name] = g[0][i].Name
			names[g[1][i]] = g[0][i]
		}
	}
	if len(names) == 0 {
		return
	}
	state := history.State{}
	for key, o := range f.state {
		object, _ := replaced(map[string]any(o), symbols).(map[string]any)
		state[cmp.Or(names[key], key)] = object
	}
	f.state = state
}

// shapeOf is equal for names that differ in what is drawn only; false for a name of which nothing
// looks so.
func shapeOf(key history.Key, o history.Object) (string, bool) {
	cut := strings.LastIndexAny(key.Name, "-.")
	if cut < 0 || !drawn(key.Name[cut+1:]) {
		return "", false
	}
	var of []string
	for _, owner := range owners(o) {
		of = append(of, owner.Text("kind")+"/"+owner.Text("name"))
	}
	slices.Sort(of)
	return strings.Join(append(of, key.Resource, key.Namespace, key.Name[:cut]), " "), true
}

// drawn tells whether a part of a name is no word: a hash, a number of many digits, or letters as
// Kubernetes draws them, without vowels.
func drawn(part string) bool {
	if len(part) < 5 {
		return false
	}
	numbers := strings.ContainsAny(part, "0123456789")
	words := strings.ContainsAny(part, "aeiou")
	plain := strings.Trim(part, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
	return plain && (numbers || !words)
}
