// Package parameter says what a parameter of a program is, which parameters feed each other, and which
// tests read and set them: the map.
package parameter

import (
	"cmp"
	"slices"
	"strings"
)

// ID is what a parameter is known by, with how the program comes to it in front: viper:cache.ttl,
// flag:--workers, env:APP_PORT, field:config.Config.sweep.workers.
type ID string

// Kind is how a program comes to a parameter.
type Kind string

// The ways there are, in the order in which one of several names of a parameter is chosen to be shown.
const (
	Viper      Kind = "viper"      // a key of github.com/spf13/viper
	Koanf      Kind = "koanf"      // a key of github.com/knadh/koanf
	Ini        Kind = "ini"        // a key of gopkg.in/ini.v1, with its section in front
	Properties Kind = "properties" // a key of github.com/magiconair/properties
	Flag       Kind = "flag"       // of the package flag, of pflag, kingpin or urfave/cli
	Env        Kind = "env"        // a variable of the environment
	Feature    Kind = "feature"    // a feature gate of k8s.io/component-base/featuregate
	Field      Kind = "field"      // a field of a struct: its type, and the way to it by the names that files have for it
	File       Kind = "file"       // a file that is read whole; its path, from the root of the module if it is in it
)

var kinds = []Kind{Viper, Koanf, Ini, Properties, Flag, Env, Feature, Field, File}

// New is the identity of a parameter.
func New(kind Kind, name string) ID { return ID(string(kind) + ":" + name) }

// Kind is how the program comes to it; empty if it is no identity.
func (id ID) Kind() Kind {
	kind, _, has := strings.Cut(string(id), ":")
	if !has || !slices.Contains(kinds, Kind(kind)) {
		return ""
	}
	return Kind(kind)
}

// Name is what it is called there.
func (id ID) Name() string {
	_, name, _ := strings.Cut(string(id), ":")
	return name
}

// Letter tells whether it is a flag that is known by a letter, beside its name.
func (id ID) Letter() bool { return id.Kind() == Flag && len(id.Name()) == len("--x") }

// Compare orders identities: by their kinds, then by name. Letters of flags are behind the names.
func Compare(a, b ID) int {
	letter := func(id ID) int {
		if id.Letter() {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind()), slices.Index(kinds, b.Kind())), cmp.Compare(letter(a), letter(b)), cmp.Compare(a, b))
}

// Class is one parameter with all that it is called: what is given to one of them arrives at the others.
type Class struct {
	ID      ID   `yaml:"id"`
	Aliases []ID `yaml:"aliases,omitempty,flow"`
	// Type is that of Go: int, time.Duration; empty if nothing says so.
	Type string `yaml:"type,omitempty"`
	// Several: it is a flag that several commands of the module have, so that a read may be of another one's. It has no
	// aliases.
	Several bool `yaml:"several,omitempty"`
	// Default is what holds where nobody says anything, as text; empty if it is not known.
	Default string `yaml:"default,omitempty"`
}

// Classes joins identities that feed each other.
type Classes struct {
	parent map[ID]ID
}

// Add says that there is a parameter.
func (c *Classes) Add(id ID) {
	if c.parent == nil {
		c.parent = map[ID]ID{}
	}
	if _, is := c.parent[id]; !is {
		c.parent[id] = id
	}
}

// Join says that two identities are one parameter.
func (c *Classes) Join(a, b ID) {
	c.Add(a)
	c.Add(b)
	if a, b = c.Of(a), c.Of(b); a != b {
		if Compare(a, b) > 0 {
			a, b = b, a
		}
		c.parent[b] = a
	}
}

// Of is the identity that stands for all that this one is joined with; itself, if there is nothing.
func (c *Classes) Of(id ID) ID {
	up, is := c.parent[id]
	if !is || up == id {
		return id
	}
	up = c.Of(up)
	c.parent[id] = up
	return up
}

// All are the classes, ordered.
func (c *Classes) All() []Class {
	members := map[ID][]ID{}
	for id := range c.parent {
		if of := c.Of(id); of != id {
			members[of] = append(members[of], id)
		} else if members[id] == nil {
			members[id] = []ID{}
		}
	}
	var out []Class
	for id, aliases := range members {
		slices.SortFunc(aliases, Compare)
		out = append(out, Class{ID: id, Aliases: aliases})
	}
	slices.SortFunc(out, func(a, b Class) int { return Compare(a.ID, b.ID) })
	return out
}
