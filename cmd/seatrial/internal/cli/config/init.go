package config

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seatrial/seatrial/trace"
)

// Template is a file in which all that may be said is there, as a comment, with
// what holds where nothing is said.
func Template(root *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# yaml-language-server: $schema=%s
# What seatrial does in this folder: flags that are written down, below the name of
# their command. A flag on the command line wins. Take the # off the keys to set.

apiVersion: %s
kind: %s
`, SchemaID, APIVersion, Kind)
	s := top(root)
	s.write(&b, "")
	return b.String()
}

// write adds the keys and sections.
func (s *section) write(b *strings.Builder, indent string) {
	for _, k := range s.keys {
		for _, line := range trace.Wrap(usage(k.flag), 78-len(indent)) {
			fmt.Fprintf(b, "%s# %s\n", indent, line)
		}
		fmt.Fprintf(b, "%s#%s: %s\n", indent, k.flag.Name, k.example())
	}
	for i := range s.sections {
		below := &s.sections[i]
		fmt.Fprintf(b, "\n%s# %s\n%s%s:\n", indent, below.doc, indent, below.name)
		below.write(b, indent+"  ")
	}
}

// example is the value that holds where none is given, as YAML, or the name of its
// argument.
func (k key) example() string {
	argument, _ := pflag.UnquoteUsage(k.flag)
	switch form := k.form(); {
	case form == list:
		return "[]"
	case k.flag.DefValue != "":
		return k.flag.DefValue
	case form == boolean:
		return "false"
	}
	return argument
}
