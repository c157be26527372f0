package change

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/finding"
)

// Container is one of a workload.
type Container struct {
	// Workload is its kind and its name.
	Workload, Name, Image string
	Location              finding.Location

	of      object
	spec    *node // of its pods
	node    *node
	objects *Objects
}

// Told is what the program of a container is told.
type Told struct {
	Settings []Setting
	// Files are what is mounted, by the path in the container.
	Files map[string][]byte
	// Uses are the keys of ConfigMaps and Secrets that say some of it, as Held names them; Missing are objects that are
	// not there.
	Uses, Missing []string
	// NoFile is the path that the program is told for its configuration, and where nothing is mounted.
	NoFile string
}

// String names it.
func (c Container) String() string { return c.Workload + ", container " + c.Name }

// Told finds out what the program is told: by arguments and variables, and by files that are mounted from ConfigMaps
// and Secrets. config is the flag, or the variable, by which it is told where its configuration is; it may be empty.
// The file that it names is known by that, wherever it is mounted, and is YAML if its name does not say what else.
func (c Container) Told(config string) (Told, error) {
	t := &telling{Container: c, reader: reader{file: c.of.file}, variables: variables{}, files: map[string]entry{}}
	if err := t.environment(); err != nil {
		return Told{}, err
	}
	t.commandLine(t.node, t.variables, false, "")
	t.handed()
	if err := t.mounted(); err != nil {
		return Told{}, err
	}
	out := Told{Files: map[string][]byte{}}
	named := t.named(config)
	for _, at := range slices.Sorted(maps.Keys(t.files)) {
		t.uses = append(t.uses, t.files[at].String())
		out.Files[at] = []byte(t.files[at].text)
		if err := t.file(at, named, config); err != nil {
			return Told{}, err
		}
	}
	if _, is := t.files[named]; named != "" && !is {
		out.NoFile = named
	}
	slices.Sort(t.uses)
	slices.Sort(t.missing)
	out.Settings, out.Uses, out.Missing = t.settings, slices.Compact(t.uses), slices.Compact(t.missing)
	return out, nil
}

// telling is a container of which is found out what it is told.
type telling struct {
	Container
	reader
	variables     variables
	order         []string // of the variables
	places        map[string]finding.Location
	files         map[string]entry // by the path in the container
	uses, missing []string
}

// entriesOf are the keys of a ConfigMap or a Secret that the container uses; none if it is not there.
func (t *telling) entriesOf(kind, name string) ([]entry, bool, error) {
	of, is := t.objects.find(kind, t.of.namespace, name)
	label := object{kind: kind, namespace: t.of.namespace, name: name}.String()
	if !is {
		t.missing = append(t.missing, label)
		return nil, false, nil
	}
	r := &reader{file: of.file}
	all, err := r.entries(of.node, label, kind == "Secret")
	return all, true, err
}

// environment finds the variables: those of whole objects first, above them those that are named.
func (t *telling) environment() error {
	t.places = map[string]finding.Location{}
	for _, from := range t.node.get("envFrom").items() {
		kind, name := "ConfigMap", from.at("configMapRef", "name").says()
		if from.get("configMapRef") == nil {
			kind, name = "Secret", from.at("secretRef", "name").says()
		}
		all, is, err := t.entriesOf(kind, name)
		if err != nil {
			return err
		}
		if !is {
			t.add(From, "", kind+" "+name, Value{Type: Reference, text: reference(from)}, from.line)
		}
		for _, e := range all {
			if !e.binary {
				t.uses = append(t.uses, e.String())
				t.variable(from.get("prefix").says()+e.key, e.value(), e.hidden, finding.Location{File: e.file, Line: e.line})
			}
		}
	}
	for _, e := range t.node.get("env").items() {
		if err := t.oneVariable(e); err != nil {
			return err
		}
	}
	for _, name := range t.order {
		v := t.variables[name]
		t.add(Env, "", name, v, 0)
		t.settings[len(t.settings)-1].Location = t.places[name]
		t.variables[name] = t.settings[len(t.settings)-1].Value // its name may say that it is a secret
	}
	return nil
}

// oneVariable adds one that is named, with the value that it has, or that a ConfigMap or a Secret has.
func (t *telling) oneVariable(e *node) error {
	name, at := e.get("name").says(), finding.Location{File: t.of.file, Line: e.line}
	from := e.get("valueFrom")
	if from == nil {
		if value := e.get("value"); value != nil {
			at.Line = value.line
		}
		v := t.variables.expanded(e.get("value").says(), false)
		t.variable(name, v, secret(name, v.text), at)
		return nil
	}
	for _, kind := range []string{"ConfigMap", "Secret"} {
		ref := from.get(strings.ToLower(kind[:1]) + kind[1:] + "KeyRef")
		if ref == nil {
			continue
		}
		all, is, err := t.entriesOf(kind, ref.get("name").says())
		if err != nil {
			return err
		}
		for _, held := range all {
			if held.key == ref.get("key").says() {
				t.uses = append(t.uses, held.String())
				t.variable(name, held.value(), held.hidden, finding.Location{File: held.file, Line: held.line})
				return nil
			}
		}
		if is && ref.get("optional").says() == "true" {
			return nil
		}
	}
	t.variable(name, Value{Type: Reference, text: reference(from)}, false, finding.Location{File: t.of.file, Line: from.line})
	return nil
}

func (t *telling) variable(name string, v Value, hidden bool, at finding.Location) {
	if _, again := t.variables[name]; !again {
		t.order = append(t.order, name)
	}
	v.Secret = v.Secret || hidden
	t.variables[name], t.places[name] = v, at
}

// handed notes which variables arguments have the value of, once these are known.
func (t *telling) handed() {
	for i := range t.settings {
		if s := &t.settings[i]; s.Kind == Env {
			s.Value.Handed = t.variables[s.Path].Handed
		}
	}
}

// named is the path that a flag or a variable names.
func (t *telling) named(config string) string {
	if config == "" {
		return ""
	}
	for _, s := range t.settings {
		if (s.Kind == Flag || s.Kind == Env) && s.Path == config {
			return path.Clean(s.Value.text)
		}
	}
	return ""
}

// file adds what a mounted file says.
func (t *telling) file(at, named, config string) error {
	e := t.files[at]
	in, name := at, path.Base(at)
	if at == named {
		in = config
		if _, known, _ := parse(name, "", 0, nil); !known {
			name += ".yaml"
		}
	}
	from := len(t.settings)
	t.reader.file = e.file
	if err := t.held(name, in, e.node, e.binary, e.hidden); err != nil {
		return err
	}
	for i := range t.settings[from:] { // one in no format that is known has a place and no key
		if s := &t.settings[from+i]; s.In == in && s.Path == name && s.Value.text == e.text {
			s.In, s.Path = "", join("", at)
		}
		t.settings[from+i].In = strings.TrimSuffix(t.settings[from+i].In, " "+name)
	}
	return nil
}
