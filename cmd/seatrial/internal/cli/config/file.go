package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/spelling"
)

// bytesMax bounds the file that is read.
const bytesMax = 1 << 20

// Apply gives the flags of cmd what the file says of them, but for those that are
// given. What the file says of other commands is judged as well, so that it is wrong
// or right whatever is run. The error is one line, with the line of the file.
func Apply(cmd *cobra.Command) error {
	if !configurable(cmd) {
		return nil
	}
	name, settings, err := load(cmd)
	if err != nil {
		return err
	}
	return apply(cmd, name, settings)
}

// load reads the file for a command.
func load(cmd *cobra.Command) (string, []setting, error) {
	name, data, err := read(chosen(cmd))
	if err != nil || data == nil {
		return "", nil, err
	}
	settings, err := parse(cmd.Root(), name, data)
	return name, settings, err
}

// apply sets flags, of cmd and of others.
func apply(cmd *cobra.Command, file string, settings []setting) error {
	given := map[*pflag.Flag]bool{}
	for _, s := range settings {
		flags := s.flags(cmd.Root())
		flag := flags.Lookup(s.flag)
		if _, seen := given[flag]; !seen {
			given[flag] = flag.Changed
		}
		if given[flag] {
			continue
		}
		err := flags.Set(s.flag, s.value)
		if err == nil {
			err = flags.SetAnnotation(s.flag, fromFile, []string{})
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %s: %q: %w", file, s.line, s.name(), s.value, cause(err))
		}
	}
	return nil
}

// configurable says whether a file may say something of a command.
func configurable(cmd *cobra.Command) bool {
	if cmd == cmd.Root() {
		return false
	}
	for c := cmd; c.HasParent(); c = c.Parent() {
		if _, some := of(c); !some {
			return false
		}
	}
	return true
}

// chosen is what --config says, nil if it was not given.
func chosen(cmd *cobra.Command) *string {
	if f := cmd.Flags().Lookup("config"); f != nil && f.Changed {
		file := f.Value.String()
		return &file
	}
	return nil
}

// read returns the file's name and what is in it; nil if there is none to read.
func read(file *string) (string, []byte, error) {
	name := Name
	if file != nil {
		name = *file
	}
	if name == "" {
		return "", nil, nil
	}
	f, err := os.Open(name)
	if file == nil && errors.Is(err, fs.ErrNotExist) {
		return "", nil, nil
	}
	if err == nil {
		defer f.Close()
		var data []byte
		if data, err = io.ReadAll(io.LimitReader(f, bytesMax+1)); err == nil {
			if len(data) > bytesMax {
				return "", nil, fmt.Errorf("%s: it has more than %d MiB: it is no configuration of seatrial", name, bytesMax>>20)
			}
			return name, append([]byte{}, data...), nil
		}
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return "", nil, fmt.Errorf("%s: %w; --config= reads no configuration", name, err)
}

// setting is one value of the file: for a list there are several.
type setting struct {
	// path is the command's, without the program; empty for all commands.
	path  []string
	flag  string
	value string
	line  int
}

// flags are the set that the setting's flag is in.
func (s setting) flags(root *cobra.Command) *pflag.FlagSet {
	at := root
	for _, name := range s.path {
		for _, c := range at.Commands() {
			if c.Name() == name {
				at = c
				break
			}
		}
	}
	if at == root {
		return root.PersistentFlags()
	}
	return at.Flags()
}

// name is the key as it is written in sentences: check.timeout.
func (s setting) name() string { return strings.Join(append(slices.Clone(s.path), s.flag), ".") }

// cause is what pflag wraps into the words of a command line.
func cause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// parse reads a file for the commands below root. The values are judged by their
// form only.
func parse(root *cobra.Command, name string, data []byte) (settings []setting, err error) {
	defer func() {
		if err != nil && filepath.Ext(name) == ".cfg" {
			err = fmt.Errorf("%w (the configuration of a model in TLA+ is no flag: seatrial spec FILE.tla %s)", err, name)
		}
	}()
	d := yaml.NewDecoder(bytes.NewReader(data))
	var document, more yaml.Node
	if err := d.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil // nothing but comments
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", name, unprefixed(err))
	}
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: it is one document, and another follows", name)
	}
	r := reader{file: name}
	s := top(root)
	if err := r.section(&s, nil, document.Content[0]); err != nil {
		return nil, err
	}
	return r.settings, nil
}

// unprefixed leaves the library's own name out of its errors.
func unprefixed(err error) error { return errors.New(strings.TrimPrefix(err.Error(), "yaml: ")) }

// reader collects the settings of a file.
type reader struct {
	file     string
	settings []setting
}

func (r *reader) wrong(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.file, n.Line, fmt.Sprintf(format, args...))
}

func (r *reader) section(s *section, path []string, n *yaml.Node) error {
	within := strings.Join(path, ".")
	if n.Tag == "!!null" && within != "" {
		return nil // all of it is commented out
	}
	if n.Kind != yaml.MappingNode {
		if within == "" {
			return r.wrong(n, "a configuration is a mapping from commands to their flags, like check: {timeout: 10m}")
		}
		return r.wrong(n, "%s: it is a mapping from flags to values, like {%s: …}", within, s.names()[0])
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		if seen[name.Value] {
			return r.wrong(name, "%s is there twice", strings.TrimPrefix(within+"."+name.Value, "."))
		}
		seen[name.Value] = true
		if within == "" && (name.Value == "apiVersion" || name.Value == "kind") {
			if want := map[string]string{"apiVersion": APIVersion, "kind": Kind}[name.Value]; value.Value != want {
				return r.wrong(value, "%s is %q, want %s", name.Value, value.Value, want)
			}
			continue
		}
		k, below := s.find(name.Value)
		var err error
		switch {
		case k != nil:
			err = r.value(*k, path, value)
		case below != nil:
			err = r.section(below, append(slices.Clone(path), below.name), value)
		default:
			err = r.unknown(s, within, name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unknown says what is not known, and what may have been meant.
func (r *reader) unknown(s *section, within string, name *yaml.Node) error {
	what := "nothing can be configured under the name"
	if within != "" {
		what = within + " has no such flag for a configuration:"
	}
	near := spelling.Nearest(name.Value, s.names())
	if near != "" {
		near = fmt.Sprintf(", did you mean %s?", near)
	}
	return r.wrong(name, "%s %q%s ('seatrial config init' writes all there are)", what, name.Value, near)
}

// value reads what is given to one flag.
func (r *reader) value(k key, path []string, n *yaml.Node) error {
	at := setting{path: path, flag: k.flag.Name, line: n.Line}
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind == yaml.SequenceNode && k.form() == list {
		for _, one := range n.Content {
			if one.Kind != yaml.ScalarNode || one.Tag == "!!null" {
				return r.wrong(one, "%s: its items are words", at.name())
			}
			item := at
			item.value, item.line = one.Value, one.Line
			r.settings = append(r.settings, item)
		}
		return nil
	}
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return r.wrong(n, "%s: %s", at.name(), wanted(k))
	}
	if k.form() == boolean && n.Tag != "!!bool" || k.form() == number && n.Tag != "!!int" {
		return r.wrong(n, "%s: %s", at.name(), wanted(k))
	}
	at.value = n.Value
	r.settings = append(r.settings, at)
	return nil
}

// wanted is what the value of a flag has to be.
func wanted(k key) string {
	switch k.form() {
	case boolean:
		return "it is true or false"
	case number:
		return "it is a whole number"
	case list:
		return "it is a word, or a list of words"
	}
	return "it is one value"
}
