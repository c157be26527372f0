package change

import (
	"path"
	"strings"
)

// mounted finds the files that the container has from ConfigMaps and Secrets.
func (t *telling) mounted() error {
	for _, m := range t.node.get("volumeMounts").items() {
		for _, volume := range t.spec.get("volumes").items() {
			if volume.get("name").says() != m.get("name").says() {
				continue
			}
			all, err := t.volume(volume)
			if err != nil {
				return err
			}
			mount(t.files, all, path.Clean(m.get("mountPath").says()), m.get("subPath").says())
		}
	}
	return nil
}

// mount puts the files of a volume where a container has them: all below a path, or with sub one file or folder of them
// there.
func mount(to map[string]entry, all map[string]entry, at, sub string) {
	sub = strings.Trim(path.Clean("/"+sub), "/")
	for name, e := range all {
		switch below, is := strings.CutPrefix(name, sub+"/"); {
		case sub == "":
			to[path.Join(at, name)] = e
		case name == sub:
			to[at] = e
		case is:
			to[path.Join(at, below)] = e
		}
	}
}

// volume are the files of a volume, by their paths in it.
func (t *telling) volume(n *node) (map[string]entry, error) {
	out := map[string]entry{}
	sources := []*node{n}
	if p := n.get("projected"); p != nil {
		sources = p.get("sources").items()
	}
	for _, s := range sources {
		for _, kind := range []string{"ConfigMap", "Secret"} {
			from := s.get(strings.ToLower(kind[:1]) + kind[1:])
			if from == nil {
				continue
			}
			name := from.get("name").says()
			if name == "" { // as a volume of its own has it
				name = from.get("secretName").says()
			}
			all, _, err := t.entriesOf(kind, name)
			if err != nil {
				return nil, err
			}
			for _, e := range all {
				for _, at := range itemsOf(from, e.key) {
					out[path.Clean(at)] = e
				}
			}
		}
	}
	return out, nil
}

// itemsOf are the paths at which a volume has a key: its own name, unless the volume says which keys it has.
func itemsOf(from *node, key string) []string {
	if from.get("items") == nil {
		return []string{key}
	}
	var out []string
	for _, item := range from.get("items").items() {
		if item.get("key").says() == key {
			out = append(out, item.get("path").says())
		}
	}
	return out
}
