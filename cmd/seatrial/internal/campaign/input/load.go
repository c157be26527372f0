package input

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/kind"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/history"
)

// oracleUsual is how long an oracle's program may take that says nothing else.
const oracleUsual = 10 * time.Second

// Load reads everything that flags and the file that they may name say. Errors are one line
// each, joined: file:line: what is wrong and what to do.
func Load(f Flags) (*Input, error) {
	if f.File == "" {
		return Parse(f, "the command line", "", "", nil)
	}
	data, err := experiment.ReadFile(f.File)
	if err != nil {
		return nil, err
	}
	folder, err := filepath.Abs(filepath.Dir(f.File))
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(f.File), filepath.Ext(f.File))
	return Parse(f, f.File, name, folder, data)
}

// Parse is [Load] of a text: file stands for it in errors, folder is what paths in it are relative
// to, and name is its own if it has none. Nil data is no file.
func Parse(f Flags, file, name, folder string, data []byte) (*Input, error) {
	l := &loader{Decoder: experiment.Decoder{File: file}, folder: folder}
	if data != nil {
		if l.decode(data); l.Count() > 0 {
			return nil, l.failures()
		}
	}
	d := &l.file
	in := &Input{
		Name: d.Metadata.Name, Controller: d.Controller, Focus: slices.Concat(d.Focus, f.Focus), Ignore: slices.Concat(d.Ignore, f.Ignore),
		Mask: slices.Concat(d.Mask, f.Mask), Unmask: slices.Concat(d.Unmask, f.Unmask), Off: slices.Concat(d.Off, f.Off), Values: d.Values, Kinds: d.Kinds, Oracles: d.Oracles,
		Unreachable: d.Unreachable, Plane: d.Plane, RandomSeed: d.RandomSeed, Folder: folder,
	}
	if f.RandomSeed != nil {
		in.RandomSeed = *f.RandomSeed
	}
	if in.Name == "" {
		in.Name = name
	}
	l.controller(in, f)
	l.check(in, f)
	m := l.manifests(f)
	if err := l.failures(); err != nil {
		return nil, err // what follows would say the same in other words
	}
	l.objects(in, m)
	if in.Name == "" {
		in.Name = in.Seed.Text("metadata", "name")
	}
	if err := l.failures(); err != nil {
		return nil, err
	}
	return in, nil
}

// controller puts together how the operator is started.
func (l *loader) controller(in *Input, f Flags) {
	c := &in.Controller
	in.ControllerPlace = fmt.Sprintf("%s:%d", l.File, max(l.Lines["controller"], 1))
	if f.Operator != "" {
		in.ControllerPlace = "--operator"
		if err := l.operator(c, f.Operator); err != nil {
			l.plain(fmt.Errorf("--operator %s: %w", f.Operator, err))
		}
	} else if len(c.Command) == 0 {
		l.plain(errors.New("no command starts the operator: give one with --operator './bin/op --flag', or as controller.command of the file"))
	}
	c.Env = maps.Clone(c.Env)
	for _, e := range f.Env {
		k, v, ok := strings.Cut(e, "=")
		if !ok || k == "" {
			l.plain(fmt.Errorf("--env %s: write NAME=VALUE", e))
			continue
		}
		if c.Env == nil {
			c.Env = map[string]string{}
		}
		c.Env[k] = v
	}
	if f.ServiceAccount != "" {
		c.ServiceAccount = f.ServiceAccount
	}
	if a := c.ServiceAccount; a != "" && (strings.Count(a, "/") != 1 || strings.HasPrefix(a, "/") || strings.HasSuffix(a, "/")) {
		l.about("controller", f.ServiceAccount != "", "service account %q: write NAMESPACE/NAME", a)
	}
	if err := checkPlaceholders(c); err != nil {
		l.about("controller", f.Operator != "" || len(f.Env) > 0, "%v", err)
	}
}

// operator takes the command of the flag: relative to where it was given.
func (l *loader) operator(c *experiment.Controller, command string) error {
	words, err := Split(command)
	if err != nil {
		return err
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	words[0] = program(here, words[0])
	c.Command = words
	if l.Lines["controller"] == 0 {
		c.Directory = here
	}
	return nil
}

// about notes what is wrong with a key of the file, or with a flag.
func (l *loader) about(key string, flag bool, format string, args ...any) {
	if flag || l.Lines[key] == 0 {
		if flag && strings.HasPrefix(format, key+":") {
			format = "--" + format
		}
		l.plain(fmt.Errorf(format, args...))
		return
	}
	l.Fail(l.Lines[key], format, args...)
}

// check looks at everything that is no manifest.
func (l *loader) check(in *Input, f Flags) {
	if _, err := history.DefaultMask().With(in.Mask...); err != nil {
		l.about("mask", len(f.Mask) > 0, "%v", err)
	}
	if slices.Contains(in.Focus, "") {
		l.about("focus", slices.Contains(f.Focus, ""), "focus: there is an empty path in it")
	}
	if slices.Contains(in.Ignore, "") {
		l.about("ignore", slices.Contains(f.Ignore, ""), "ignore: there is an empty path in it")
	}
	for _, u := range in.Unreachable {
		if u != "exec" && u != "tcp" {
			l.about("unreachable", false, "unreachable: %q is neither exec nor tcp", u)
		}
	}
	for _, name := range in.Off {
		own := slices.ContainsFunc(in.Oracles, func(o Oracle) bool { return o.Name == name })
		if f.Oracles != nil && !own && !slices.Contains(f.Oracles, name) {
			l.about("off", slices.Contains(f.Off, name), "off: there is no oracle %s; there are %s", name, strings.Join(f.Oracles, ", "))
		}
	}
	for _, name := range in.Unmask {
		if f.Masks != nil && !slices.Contains(f.Masks, name) {
			l.about("unmask", slices.Contains(f.Unmask, name), "unmask: there is no mask %s; there are %s", name, strings.Join(f.Masks, ", "))
		}
	}
	for _, path := range slices.Sorted(maps.Keys(in.Kinds)) {
		if err := kind.Named(in.Kinds[path]); err != nil {
			l.about("kinds", false, "kinds: %s: %v", path, err)
		}
	}
	names := map[string]bool{}
	for i := range in.Oracles {
		o := &in.Oracles[i]
		if err := o.prepare(); err != nil {
			l.Fail(l.lines[i], "%v", err)
		} else if names[o.Name] || slices.Contains(f.Oracles, o.Name) {
			l.Fail(l.lines[i], "oracle %s: there is one of that name already", o.Name)
		}
		names[o.Name] = true
	}
}

// prepare checks an oracle and compiles its expression.
func (o *Oracle) prepare() (err error) {
	switch {
	case o.Name == "":
		return errors.New("an oracle has no name")
	case o.CEL == "" == (len(o.Command) == 0):
		return fmt.Errorf("oracle %s: it needs one of cel and command", o.Name)
	case o.Timeout != "" && o.CEL != "":
		return fmt.Errorf("oracle %s: timeout is for a command", o.Name)
	}
	if o.CEL != "" {
		if o.expression, err = experiment.Over(o.CEL, Variables...); err != nil {
			return fmt.Errorf("oracle %s: %w", o.Name, err)
		}
		return nil
	}
	o.timeout = oracleUsual
	if o.Timeout != "" {
		if o.timeout, err = time.ParseDuration(o.Timeout); err != nil || o.timeout <= 0 {
			return fmt.Errorf("oracle %s: timeout %q is no duration such as 30s", o.Name, o.Timeout)
		}
	}
	return nil
}

// Executable says what is wrong with the program of an oracle that has one.
func (o *Oracle) Executable() error {
	if len(o.Command) == 0 {
		return nil
	}
	if _, err := exec.LookPath(o.Command[0]); err != nil {
		return fmt.Errorf("the program %s of the oracle %s: %w", o.Command[0], o.Name, cmp.Or(errors.Unwrap(err), err))
	}
	return nil
}
