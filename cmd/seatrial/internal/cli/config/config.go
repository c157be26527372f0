// Package config is the configuration file: flags that are written down. A key of
// the file is the name of a flag, below the name of its command, so that what may
// be in it is read off the commands and off nothing else (docs/adr/0018).
package config

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Name is the file of the working directory that is read unless --config names
// another.
const Name = ".seatrial.yaml"

// APIVersion and Kind identify the file, as they do the objects beside it.
const (
	APIVersion = "seatrial.dev/v1alpha1"
	Kind       = "Configuration"
)

// lineOnly marks flags, and commands, that a file cannot set.
const lineOnly = "seatrial.dev/line-only"

// fromFile marks flags that a file has set.
const fromFile = "seatrial.dev/from-file"

// LineOnly says of flags that they are about one run, and not to be in a file. It
// panics if there is no such flag.
func LineOnly(flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		if err := flags.SetAnnotation(name, lineOnly, []string{}); err != nil {
			panic(err)
		}
	}
}

// OnLine tells whether a flag was given on the command line, and not by a file.
func OnLine(flag *pflag.Flag) bool {
	_, file := flag.Annotations[fromFile]
	return flag.Changed && !file
}

// section is what a file may say of one command, or, at the top, of all.
type section struct {
	name, doc string
	keys      []key
	sections  []section
}

// key is a flag that a file may set.
type key struct{ flag *pflag.Flag }

// top is the section of all commands: root's persistent flags, and a section for
// each command that has flags.
func top(root *cobra.Command) section {
	s := section{keys: keys(root.PersistentFlags())}
	for _, c := range root.Commands() {
		if below, some := of(c); some {
			s.sections = append(s.sections, below)
		}
	}
	return s
}

// of is the section of a command; false if there is nothing that a file could say.
func of(c *cobra.Command) (section, bool) {
	if _, own := c.Annotations[lineOnly]; own || !c.IsAvailableCommand() || c.Name() == "help" || c.Name() == "completion" {
		return section{}, false
	}
	s := section{name: c.Name(), doc: c.Short}
	shared := c.Root().PersistentFlags()
	for _, k := range keys(c.Flags()) {
		if shared.Lookup(k.flag.Name) != k.flag { // pflag adds those when it parses
			s.keys = append(s.keys, k)
		}
	}
	for _, below := range c.Commands() {
		if b, some := of(below); some {
			s.sections = append(s.sections, b)
		}
	}
	return s, len(s.keys)+len(s.sections) > 0
}

// keys are the flags of a set that a file may set, in the order of the help.
func keys(flags *pflag.FlagSet) []key {
	var out []key
	flags.VisitAll(func(f *pflag.Flag) {
		if _, own := f.Annotations[lineOnly]; !own && f.Name != "help" && f.Name != "version" {
			out = append(out, key{f})
		}
	})
	return out
}

// find returns the key or section of a name.
func (s *section) find(name string) (*key, *section) {
	if i := slices.IndexFunc(s.keys, func(k key) bool { return k.flag.Name == name }); i >= 0 {
		return &s.keys[i], nil
	}
	if i := slices.IndexFunc(s.sections, func(b section) bool { return b.name == name }); i >= 0 {
		return nil, &s.sections[i]
	}
	return nil, nil
}

// names are all that may stand in a section.
func (s *section) names() []string {
	var out []string
	for _, k := range s.keys {
		out = append(out, k.flag.Name)
	}
	for _, b := range s.sections {
		out = append(out, b.name)
	}
	return out
}

// form is what values of a flag look like in a file.
type form int

const (
	text    form = iota
	boolean      // true or false
	number       // a whole number
	list         // one text, or several
	choice       // one of a few words
)

// form of a key: it follows from the type that the flag says it has.
func (k key) form() form {
	if _, is := k.flag.Value.(pflag.SliceValue); is {
		return list
	}
	if v, is := k.flag.Value.(interface{ Repeated() bool }); is && v.Repeated() {
		return list
	}
	if _, is := k.flag.Value.(interface{ Allowed() []string }); is {
		return choice
	}
	switch k.flag.Value.Type() {
	case "bool":
		return boolean
	case "int", "int64", "uint64", "count":
		return number
	}
	return text
}
